; Make
(comment) @comment
(rule (targets (word) @name)) @def.function
(variable_assignment name: (word) @name) @def.variable
(define_directive name: (word) @name) @def.macro
(rule (prerequisites (word) @read))
(include_directive) @import
