; Haskell. A type signature stands above what it describes, as an attribute does.
[(comment) (haddock)] @comment
(declarations (signature) @attribute)

(declarations (function name: (variable) @name) @def.function)
(declarations (function (infix operator: (operator) @name)) @def.function)
(declarations (bind name: (variable) @name) @def.function)
(data_type name: (_) @name) @def.type
(newtype name: (_) @name) @def.type
(type_synomym name: (_) @name) @def.type
(type_family name: (_) @name) @def.type
(data_family name: (_) @name) @def.type
(class name: (_) @name) @def.interface
(class_declarations (signature name: (variable) @name) @def.method)
(data_constructor (prefix name: (constructor) @name) @def.constant)
(data_constructor (record name: (constructor) @name) @def.constant)
(newtype_constructor name: (constructor) @name) @def.constant
(field name: (field_name (variable) @name)) @def.field
(instance patterns: (type_patterns . (name) @name)) @scope
(instance patterns: (type_patterns . (parens (apply constructor: (name) @name)))) @scope
(instance) @scope
(instance_declarations (function name: (variable) @name) @def.method)
(instance_declarations (bind name: (variable) @name) @def.method)

(import) @import

(patterns (variable) @local)
(patterns (parens (_ (variable) @local)))
(local_binds (bind name: (variable) @local))
(local_binds (function name: (variable) @local))

(instance name: (_) @implement)
(deriving classes: (name) @implement)
(deriving classes: (tuple (name) @implement))
(class context: (context (apply constructor: (name) @inherit)))
(apply function: [(variable) (qualified)] @call)
(apply function: (constructor) @construct)
(record expression: (constructor) @construct)
(apply argument: [(variable) (qualified)] @read)
(infix left_operand: [(variable) (qualified)] @read)
(infix right_operand: [(variable) (qualified)] @read)
(match expression: [(variable) (qualified)] @read)
(exp [(variable) (qualified)] @call)
(parens [(variable) (qualified)] @read)
(name) @type
(constructor) @type
