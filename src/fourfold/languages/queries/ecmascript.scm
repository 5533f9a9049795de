; What JavaScript, TypeScript and TSX share
(comment) @comment
(decorator) @attribute
[(export_statement) (lexical_declaration) (variable_declaration)] @outer

(class_declaration name: (_) @name) @def.class
(class name: (_) @name) @def.class
(function_declaration name: (identifier) @name) @def.function
(generator_function_declaration name: (identifier) @name) @def.function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @def.method
(variable_declarator name: (identifier) @name) @def.variable
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(variable_declarator name: (identifier) @name value: (class)) @def.class
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @local))
(variable_declarator name: (object_pattern (pair_pattern value: (identifier) @local)))
(variable_declarator name: (array_pattern (identifier) @local))
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression) (generator_function)]) @def.function
(assignment_expression left: (member_expression) @name right: (class)) @def.class
(assignment_expression left: (member_expression object: (this)) @name) @def.field
; exports.x = 1, Foo.prototype.x = 1; what is kept is decided in Python
(program (expression_statement (assignment_expression left: (member_expression) @name) @def.variable))
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @def.method
[(arrow_function) (function_expression) (generator_function) (class_static_block)] @opaque

(import_statement) @import
(export_statement source: (string)) @import
(variable_declarator value: (call_expression function: (identifier) arguments: (arguments . (string)))) @import
(variable_declarator value: (await_expression (call_expression function: (import) arguments: (arguments . (string))))) @import
(variable_declarator value: (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string))))) @import
(variable_declarator value: (call_expression function: (call_expression function: (identifier) arguments: (arguments . (string))))) @import
(expression_statement (call_expression function: (identifier) arguments: (arguments . (string))) @import)
(call_expression function: (import) arguments: (arguments . (string))) @import

(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)

(decorator [(identifier) (member_expression)] @decorate)
(decorator (call_expression function: [(identifier) (member_expression)] @decorate))
(call_expression function: [(identifier) (member_expression)] @call)
(new_expression constructor: [(identifier) (member_expression)] @construct)

(assignment_expression left: [(identifier) (member_expression)] @write)
(augmented_assignment_expression left: [(identifier) (member_expression)] @write)
(update_expression argument: [(identifier) (member_expression)] @write)
(member_expression property: (property_identifier)) @read
(arguments (identifier) @read)
(pair value: (identifier) @read)
(shorthand_property_identifier) @read
(array (identifier) @read)
(return_statement (identifier) @read)
(variable_declarator value: (identifier) @read)
(assignment_expression right: (identifier) @read)
(assignment_pattern right: (identifier) @read)
(arrow_function body: (identifier) @read)
(binary_expression (identifier) @read)
(unary_expression (identifier) @read)
(ternary_expression (identifier) @read)
(parenthesized_expression (identifier) @read)
(spread_element (identifier) @read)
(subscript_expression (identifier) @read)
(template_substitution (identifier) @read)
(await_expression (identifier) @read)
(export_statement value: (identifier) @read)
(export_statement !source (export_clause (export_specifier name: (identifier) @read)))
(throw_statement (identifier) @read)

(variable_declarator name: (identifier) @bind.name value: (new_expression constructor: [(identifier) (member_expression)] @bind.type)) @bind
(variable_declarator name: (identifier) @bind.name value: (call_expression function: [(identifier) (member_expression)] @bind.call)) @bind
(variable_declarator name: (identifier) @bind.name value: (await_expression (call_expression function: [(identifier) (member_expression)] @bind.call))) @bind
(assignment_expression left: (member_expression object: (this)) @bind.name right: (new_expression constructor: [(identifier) (member_expression)] @bind.type)) @bind
(arguments (function_expression name: (identifier) @name) @def.function)
(variable_declarator name: (identifier) @bind.name value: [(identifier) (member_expression)] @bind.value) @bind
(assignment_expression left: (member_expression object: (this)) @bind.name right: [(identifier) (member_expression)] @bind.value) @bind
(assignment_expression left: (member_expression object: (this)) @bind.name right: (call_expression function: [(identifier) (member_expression)] @bind.call)) @bind
(assignment_expression left: (identifier) @bind.name right: (new_expression constructor: [(identifier) (member_expression)] @bind.type)) @bind
(for_in_statement left: (identifier) @bind.name operator: "of" right: [(identifier) (member_expression) (call_expression)] @bind.each) @bind
(binary_expression left: (identifier) @bind.name operator: "instanceof" right: (identifier) @bind.maybe) @bind
(call_expression arguments: (arguments [(arrow_function) (function_expression)]) @callback)
(new_expression arguments: (arguments [(arrow_function) (function_expression)]) @callback)
