; R
(comment) @comment

(binary_operator lhs: [(identifier) (string) (extract_operator)] @name operator: ["<-" "=" "<<-"] rhs: (function_definition)) @def.function
(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @def.variable)
(program (if_statement (braced_expression (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @def.variable)))
(argument name: (identifier) @_part value: (call arguments: (arguments (argument name: (identifier) @name value: (function_definition)) @def.function)) (#any-of? @_part "public" "private" "active" "methods"))
(binary_operator lhs: (identifier) @local operator: ["<-" "="])
(parameter name: (identifier) @local)
(program (call function: (identifier) @_class arguments: (arguments . (argument value: (string (string_content) @name))) (#any-of? @_class "setClass" "R6Class" "setRefClass")) @def.class)
(binary_operator lhs: (identifier) @name operator: ["<-" "="] rhs: (call function: (identifier) @_class) (#any-of? @_class "setClass" "R6Class" "setRefClass")) @def.class
(call function: (identifier) @_generic arguments: (arguments . (argument value: (string (string_content) @name))) (#any-of? @_generic "setGeneric" "setMethod")) @def.function

(call function: (identifier) @_library (#any-of? @_library "library" "require" "requireNamespace" "source")) @import

(call function: [(identifier) (namespace_operator) (extract_operator)] @call)
(argument value: (identifier) @read)
(binary_operator rhs: (identifier) @read)
(parameter default: (identifier) @read)
