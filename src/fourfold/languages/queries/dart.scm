; Dart. A body stands beside its signature, not in it.
[(comment) (documentation_comment)] @comment
(annotation) @attribute
(function_body) @tail

(class_definition name: (identifier) @name) @def.class
(mixin_declaration (identifier) @name) @def.trait
(extension_declaration name: (identifier) @name) @def.class
(enum_declaration name: (identifier) @name) @def.enum
(enum_constant name: (identifier) @name) @def.constant
(type_alias (type_identifier) @name) @def.type
(program (function_signature name: (identifier) @name) @def.function)
(method_signature (function_signature name: (identifier) @name)) @def.method
(method_signature (getter_signature name: (identifier) @name)) @def.property
(method_signature (setter_signature name: (identifier) @name)) @def.property
(method_signature (factory_constructor_signature (identifier) . (identifier) @name)) @def.method
(method_signature (constructor_signature name: (identifier) @name)) @def.method
(declaration (function_signature name: (identifier) @name)) @def.method
(declaration (getter_signature name: (identifier) @name)) @def.property
(declaration (constructor_signature . name: (identifier) @name .  parameters: (_))) @def.method
(declaration (constructor_signature name: (identifier) . name: (identifier) @name)) @def.method
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @def.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @def.field
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @def.constant)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @def.variable)

(import_or_export) @import

(formal_parameter name: (identifier) @local)
(initialized_variable_definition name: (identifier) @local)

(superclass . (type_identifier) @inherit)
(mixins (type_identifier) @implement)
(interfaces (type_identifier) @implement)
(annotation name: (_) @decorate)
((identifier) @call.name . (selector (argument_part)))
((unconditional_assignable_selector (identifier) @read.name))
((selector (unconditional_assignable_selector (identifier) @call.name)) . (selector (argument_part)))
(type_identifier) @type
(argument (identifier) @read)

(formal_parameter . (type_identifier) @bind.type name: (identifier) @bind.name) @bind
(declaration (type_identifier) @bind.type (initialized_identifier_list (initialized_identifier . (identifier) @bind.name))) @bind
