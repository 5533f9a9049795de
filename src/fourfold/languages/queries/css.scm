; CSS
(comment) @comment
(rule_set (selectors (_) @name)) @def.key
(declaration (property_name) @name (#match? @name "^--")) @def.variable
(call_expression (function_name) @_var (arguments . (plain_value) @read) (#eq? @_var "var"))
(keyframes_statement (keyframes_name) @name) @def.key
(import_statement) @import
