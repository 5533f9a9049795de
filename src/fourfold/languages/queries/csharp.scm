; C#
(comment) @comment
(attribute_list) @attribute

(class_declaration name: (identifier) @name) @def.class
(record_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(struct_declaration name: (identifier) @name) @def.struct
(enum_declaration name: (identifier) @name) @def.enum
(enum_member_declaration name: (identifier) @name) @def.constant
(delegate_declaration name: (identifier) @name) @def.type
(namespace_declaration name: (_) @name) @def.namespace
(method_declaration name: (identifier) @name) @def.method
(local_function_statement name: (identifier) @name) @def.function
(constructor_declaration name: (identifier) @name) @def.method
(property_declaration name: (identifier) @name) @def.property
(event_declaration name: (identifier) @name) @def.property
(indexer_declaration "this" @name) @def.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @def.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @def.field
(record_declaration (parameter_list (parameter name: (identifier) @name) @def.property))

(using_directive) @import

(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(implicit_parameter) @local

(base_list [(identifier) (qualified_name) (generic_name)] @inherit)
((base_list [(identifier) (qualified_name) (generic_name)] @implement) (#match? @implement "(^|\\.)I[A-Z]"))
(attribute name: (_) @decorate)
(invocation_expression function: [(identifier) (member_access_expression) (generic_name)] @call)
(invocation_expression function: (conditional_access_expression) @call)
(object_creation_expression type: (_) @construct)

(assignment_expression left: [(identifier) (member_access_expression)] @write)
(member_access_expression) @read
(argument (identifier) @read)
(return_statement (identifier) @read)
(assignment_expression right: (identifier) @read)
(variable_declarator (identifier) @read)
(binary_expression (identifier) @read)
(arrow_expression_clause (identifier) @read)
(parenthesized_expression (identifier) @read)
(parameter type: [(identifier) (qualified_name)] @type)
(variable_declaration type: [(identifier) (qualified_name)] @type)
(property_declaration type: (identifier) @type)
(method_declaration returns: (identifier) @type)
(type_argument_list (identifier) @type)
(generic_name . (identifier) @type)
(nullable_type type: (identifier) @type)
(array_type type: (identifier) @type)
(typeof_expression type: (identifier) @type)
(cast_expression type: (identifier) @type)
(type_parameter_constraint type: (identifier) @type)

(parameter type: (_) @bind.type name: (identifier) @bind.name) @bind
(variable_declaration type: (_) @bind.type (variable_declarator name: (identifier) @bind.name)) @bind
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @bind.name (object_creation_expression type: (_) @bind.type))) @bind
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @bind.name (invocation_expression function: (_) @bind.call))) @bind
(property_declaration type: (_) @bind.type name: (identifier) @bind.name) @bind
(foreach_statement type: (_) @bind.type left: (identifier) @bind.name) @bind
