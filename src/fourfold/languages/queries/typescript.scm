; inherits: ecmascript
(abstract_class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(enum_body name: (property_identifier) @name @def.constant)
(enum_body (enum_assignment name: (property_identifier) @name) @def.constant)
(type_alias_declaration name: (_) @name) @def.type
(internal_module name: [(identifier) (nested_identifier)] @name) @def.namespace
(module name: [(identifier) (nested_identifier)] @name) @def.namespace
(function_signature name: (identifier) @name) @def.function
(abstract_method_signature name: (property_identifier) @name) @def.method
(interface_body (method_signature name: (property_identifier) @name) @def.method)
(interface_body (property_signature name: (property_identifier) @name) @def.property)
(class_body (method_signature name: (property_identifier) @name) @def.method)
(type_alias_declaration value: (object_type (method_signature name: (property_identifier) @name) @def.method))
(type_alias_declaration value: (object_type (property_signature name: (property_identifier) @name) @def.property))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @def.field
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @def.method
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @def.field

(class_heritage (extends_clause value: [(identifier) (member_expression)] @inherit))
(class_heritage (extends_clause value: (call_expression function: [(identifier) (member_expression)] @call)))
(class_heritage (implements_clause [(type_identifier) (nested_type_identifier)] @implement))
(class_heritage (implements_clause (generic_type name: [(type_identifier) (nested_type_identifier)] @implement)))
(extends_type_clause type: [(type_identifier) (nested_type_identifier)] @inherit)
(extends_type_clause type: (generic_type name: [(type_identifier) (nested_type_identifier)] @inherit))

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @local))
(required_parameter pattern: (rest_pattern (identifier) @local))

(type_identifier) @type
(nested_type_identifier) @type
(type_query [(identifier) (member_expression)] @read)
(as_expression (identifier) @read)
(satisfies_expression (identifier) @read)
(non_null_expression (identifier) @read)

(required_parameter pattern: (identifier) @bind.name type: (type_annotation) @bind.type) @bind
(optional_parameter pattern: (identifier) @bind.name type: (type_annotation) @bind.type) @bind
(variable_declarator name: (identifier) @bind.name type: (type_annotation) @bind.type) @bind
(public_field_definition name: (property_identifier) @bind.name type: (type_annotation) @bind.type) @bind
(public_field_definition name: (property_identifier) @bind.name value: (new_expression constructor: [(identifier) (member_expression)] @bind.type)) @bind
(property_signature name: (property_identifier) @bind.name type: (type_annotation) @bind.type) @bind
(function_type parameters: (formal_parameters) @hook)
(type_parameter name: (type_identifier) @bind.name constraint: (constraint (_) @bind.type)) @bind
(function_declaration return_type: (type_annotation) @returns)
(method_definition return_type: (type_annotation) @returns)
(arrow_function return_type: (type_annotation) @returns)
(variable_declarator name: (identifier) @bind.name value: (as_expression (_) (_) @bind.type .)) @bind
