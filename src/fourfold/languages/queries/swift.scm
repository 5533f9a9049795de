; Swift
[(comment) (multiline_comment)] @comment
(modifiers (attribute) @attribute)

(class_declaration ["class" "actor"] name: (type_identifier) @name) @def.class
(class_declaration "struct" name: (type_identifier) @name) @def.struct
(class_declaration "enum" name: (type_identifier) @name) @def.enum
(class_declaration "extension" name: (user_type) @name) @scope
(protocol_declaration name: (type_identifier) @name) @def.interface
(enum_entry name: (simple_identifier) @name @def.constant)
(function_declaration name: (simple_identifier) @name) @def.function
(protocol_function_declaration name: (simple_identifier) @name) @def.method
(init_declaration "init" @name) @def.method
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(typealias_declaration name: (type_identifier) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
(macro_declaration (simple_identifier) @name) @def.macro
[(lambda_literal) (computed_property) (willset_didset_block)] @opaque

(import_declaration) @import

(parameter name: (simple_identifier) @local)
(lambda_parameter name: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local))
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier) @local)

(inheritance_specifier inherits_from: (user_type) @inherit)
(attribute (user_type (type_identifier) @decorate))
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(constructor_expression constructed_type: (user_type) @construct)
(assignment target: (directly_assignable_expression) @write)
(navigation_expression) @read
(user_type (type_identifier) @type)
(value_argument value: (simple_identifier) @read)
(property_declaration value: (simple_identifier) @read)
(control_transfer_statement result: (simple_identifier) @read)
(equality_expression (simple_identifier) @read)

(parameter name: (simple_identifier) @bind.name [(user_type) (optional_type)] @bind.type) @bind
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind.name) (type_annotation [(user_type) (optional_type)] @bind.type)) @bind
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind.name) value: (call_expression . [(simple_identifier) (navigation_expression)] @bind.call)) @bind
