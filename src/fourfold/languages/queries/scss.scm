; SCSS
(comment) @comment
(stylesheet (rule_set (selectors) @name) @def.key)
(stylesheet (declaration (property_name) @name) @def.variable)
(mixin_statement name: (identifier) @name) @def.function
(function_statement name: (identifier) @name) @def.function
(keyframes_statement (keyframes_name) @name) @def.key
[(import_statement) (use_statement) (forward_statement)] @import
(include_statement (identifier) @call)
(call_expression (function_name) @call)
(extend_statement (_) @inherit)
