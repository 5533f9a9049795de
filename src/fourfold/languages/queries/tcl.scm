; Tcl
(comment) @comment
(procedure name: (_) @name) @def.function
(source_file (set . (id) @name) @def.variable)
(namespace (word_list . (simple_word) @_eval . (simple_word) @name) (#eq? @_eval "eval")) @def.namespace
(command name: (simple_word) @_class arguments: (word_list . (simple_word) @_create . (simple_word) @name) (#any-of? @_class "oo::class" "::oo::class") (#eq? @_create "create")) @def.class
(command name: (simple_word) @_method arguments: (word_list . (simple_word) @name . (braced_word)) (#eq? @_method "method")) @def.method
(command name: (simple_word) @call)
