; Elements: a component that is used counts as made
(jsx_opening_element name: [(identifier) (member_expression)] @construct)
(jsx_self_closing_element name: [(identifier) (member_expression)] @construct)
(jsx_expression (identifier) @read)
