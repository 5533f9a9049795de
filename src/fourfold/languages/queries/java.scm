; Java
[(line_comment) (block_comment)] @comment
(modifiers [(annotation) (marker_annotation)] @attribute)

(class_declaration name: (identifier) @name) @def.class
(record_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(annotation_type_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(enum_constant name: (identifier) @name) @def.constant
(method_declaration name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name) @def.method
(compact_constructor_declaration name: (identifier) @name) @def.method
(annotation_type_element_declaration name: (identifier) @name) @def.method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @def.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @def.field))
; a class without a name is called by what it makes: `new Runnable`
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @name (class_body)) @def.class
(object_creation_expression type: (generic_type . [(type_identifier) (scoped_type_identifier)] @name) (class_body)) @def.class
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @inherit (class_body))
(object_creation_expression type: (generic_type . [(type_identifier) (scoped_type_identifier)] @inherit) (class_body))
(static_initializer) @opaque
(lambda_expression) @opaque

[(import_declaration)] @import

(spread_parameter (variable_declarator name: (identifier) @local))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(instanceof_expression name: (identifier) @local)

(method_invocation name: (identifier) @call.name)
(explicit_constructor_invocation constructor: [(this) (super)] @call)
(method_reference . (_) (identifier) .) @read
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @construct)
(object_creation_expression type: (generic_type . [(type_identifier) (scoped_type_identifier)] @construct))
(superclass [(type_identifier) (scoped_type_identifier)] @inherit)
(superclass (generic_type . [(type_identifier) (scoped_type_identifier)] @inherit))
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @implement))
(super_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @implement)))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @inherit))
(extends_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @inherit)))
(annotation name: [(identifier) (scoped_identifier)] @decorate)
(marker_annotation name: [(identifier) (scoped_identifier)] @decorate)

(assignment_expression left: [(identifier) (field_access)] @write)
(update_expression [(identifier) (field_access)] @write)
(type_identifier) @type
(field_access) @read
(argument_list (identifier) @read)
(binary_expression (identifier) @read)
(unary_expression (identifier) @read)
(return_statement (identifier) @read)
(variable_declarator value: (identifier) @read)
(assignment_expression right: (identifier) @read)
(parenthesized_expression (identifier) @read)
(ternary_expression (identifier) @read)
(array_access (identifier) @read)
(switch_label (identifier) @read)
(element_value_pair value: (identifier) @read)

(formal_parameter type: (_) @bind.type name: (identifier) @bind.name) @bind
(catch_formal_parameter (catch_type (type_identifier) @bind.type) name: (identifier) @bind.name) @bind
(field_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @bind.name)) @bind
(local_variable_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @bind.name)) @bind
(local_variable_declaration declarator: (variable_declarator name: (identifier) @bind.name value: (method_invocation) @bind.call)) @bind
(local_variable_declaration declarator: (variable_declarator name: (identifier) @bind.name value: (object_creation_expression type: (_) @bind.type))) @bind
(enhanced_for_statement type: (_) @bind.type name: (identifier) @bind.name) @bind
(resource type: (_) @bind.type name: (identifier) @bind.name) @bind
