; inherits: ecmascript, jsx
(class_heritage [(identifier) (member_expression)] @inherit)
(class_heritage (call_expression function: [(identifier) (member_expression)] @call))
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @def.field
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @def.method
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @local))
(formal_parameters (rest_pattern (identifier) @local))
