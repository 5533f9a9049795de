; Kotlin
[(line_comment) (multiline_comment)] @comment
(modifiers (annotation) @attribute)

(class_declaration "class" (type_identifier) @name) @def.class
(class_declaration "interface" (type_identifier) @name) @def.interface
(class_declaration "class" (type_identifier) @name (enum_class_body)) @def.enum
(object_declaration (type_identifier) @name) @def.class
(companion_object) @scope
(companion_object (type_identifier) @name) @def.class
(enum_entry (simple_identifier) @name) @def.constant
(type_alias (type_identifier) @name) @def.type
(function_declaration (simple_identifier) @name) @def.function
(function_declaration receiver: (receiver_type) @receiver)
(secondary_constructor "constructor" @name) @def.method
(property_declaration (variable_declaration (simple_identifier) @name)) @def.property
(property_declaration receiver: (receiver_type) @receiver)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @def.property
[(lambda_literal) (getter) (setter) (anonymous_initializer) (anonymous_function) (property_delegate)] @opaque

(import_header) @import

(lambda_parameters (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
(parameter (simple_identifier) @local)

(delegation_specifier (constructor_invocation (user_type (type_identifier) @inherit)))
(delegation_specifier (user_type (type_identifier) @implement))
(delegation_specifier (explicit_delegation (user_type (type_identifier) @implement)))
(annotation (user_type (type_identifier) @decorate))
(annotation (constructor_invocation (user_type (type_identifier) @decorate)))
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(assignment (directly_assignable_expression) @write)
(navigation_expression) @read
(value_argument (simple_identifier) @read)
(callable_reference (simple_identifier) @read)
(type_identifier) @type
(property_declaration (simple_identifier) @read)
(jump_expression (simple_identifier) @read)
(equality_expression (simple_identifier) @read)
(when_condition (simple_identifier) @read)
(function_body (simple_identifier) @read)
(elvis_expression (simple_identifier) @read)

(parameter (simple_identifier) @bind.name [(user_type) (nullable_type)] @bind.type) @bind
(class_parameter (simple_identifier) @bind.name [(user_type) (nullable_type)] @bind.type) @bind
(variable_declaration (simple_identifier) @bind.name [(user_type) (nullable_type)] @bind.type) @bind
(property_declaration (variable_declaration (simple_identifier) @bind.name) (call_expression . [(simple_identifier) (navigation_expression)] @bind.call)) @bind
