; Lua
(comment) @comment

(function_declaration name: (_) @name) @def.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @def.function
(field name: (identifier) @name value: (function_definition)) @def.function
(variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @def.variable
(variable_declaration (variable_list name: (identifier) @name)) @def.variable
(chunk (assignment_statement (variable_list name: (_) @name)) @def.variable)
(function_definition) @opaque

((function_call name: (identifier) @_require arguments: (arguments (string))) @import (#any-of? @_require "require" "dofile" "reload"))

(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)

(function_call name: (_) @call)
(assignment_statement (variable_list name: (dot_index_expression) @write))
(dot_index_expression) @read
(arguments (identifier) @read)
(expression_list value: (identifier) @read)
(field value: (identifier) @read)
(return_statement (expression_list (identifier) @read))

(assignment_statement (variable_list . name: (identifier) @bind.name) (expression_list . value: (function_call name: (dot_index_expression) @bind.call))) @bind
