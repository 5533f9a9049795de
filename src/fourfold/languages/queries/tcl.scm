; Tcl
(comment) @comment
(procedure name: (_) @name) @def.function
(source_file (set . (id) @name) @def.variable)
(command name: (simple_word) @call)
