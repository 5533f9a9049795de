; SCSS
[(comment) (js_comment)] @comment
(rule_set (selectors (_) @name)) @def.key
((declaration (property_name) @name) @def.variable (#match? @name "^(\\$|--)"))
(mixin_statement name: (identifier) @name) @def.function
(function_statement name: (identifier) @name) @def.function
(keyframes_statement (keyframes_name) @name) @def.key
[(import_statement) (use_statement) (forward_statement)] @import
(include_statement (identifier) @call)
(call_expression (function_name) @call)
(extend_statement (_) @inherit)
