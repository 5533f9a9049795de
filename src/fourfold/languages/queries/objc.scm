; inherits: c
; Objective-C
(class_interface . (identifier) @name !category) @def.class
(class_interface . (identifier) @name category: (_)) @scope
(class_implementation . (identifier) @name !category) @def.class
(class_implementation . (identifier) @name category: (_)) @scope
(protocol_declaration . (identifier) @name) @def.interface
(method_declaration (method_type) . (identifier) @name) @def.method
(method_definition (method_type) . (identifier) @name) @def.method
(instance_variable (struct_declaration (struct_declarator (_) @name.value))) @def.field
(property_declaration (struct_declaration (struct_declarator (_) @name.value))) @def.property

(module_import) @import

(method_parameter (identifier) @local)

(class_interface superclass: (identifier) @inherit)
(class_interface (parameterized_arguments (type_name (type_identifier) @implement)))
(protocol_declaration (protocol_reference_list (identifier) @inherit))
(message_expression receiver: (_) . method: (identifier) @call.name)
(message_expression receiver: (identifier) @construct method: (identifier) @_made (#any-of? @_made "alloc" "new"))

(method_parameter (method_type (type_name (type_identifier) @bind.type)) (identifier) @bind.name) @bind
(property_declaration (struct_declaration (type_identifier) @bind.type (struct_declarator (pointer_declarator declarator: (identifier) @bind.name)))) @bind
