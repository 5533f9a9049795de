; CSS
(comment) @comment
(stylesheet (rule_set (selectors) @name) @def.key)
(media_statement (block (rule_set (selectors) @name) @def.key))
(keyframes_statement (keyframes_name) @name) @def.key
(import_statement) @import
