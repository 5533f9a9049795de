; Shell
(comment) @comment

(function_definition name: (word) @name) @def.function
(variable_assignment name: (variable_name) @name) @def.variable
(command name: (command_name (word) @_alias) argument: (concatenation . (word) @name) (#eq? @_alias "alias")) @def.function

(command name: (command_name (word) @_source) (#any-of? @_source "source" "." "load")) @import

(for_statement variable: (variable_name) @local)

(command name: (command_name (word) @call))
(simple_expansion (variable_name) @read)
(expansion (variable_name) @read)
