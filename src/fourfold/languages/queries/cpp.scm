; inherits: c
; C++
(template_declaration) @outer

(class_specifier name: [(type_identifier) (qualified_identifier)] @name body: (_)) @def.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @def.class
(struct_specifier name: (qualified_identifier) @name body: (_)) @def.struct
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @def.struct
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @def.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.method
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.method
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @def.method)
(field_declaration_list (declaration declarator: (operator_cast) @name) @def.method)
(field_declaration_list (function_definition declarator: (operator_cast) @name) @def.method)
(namespace_definition name: [(namespace_identifier) (nested_namespace_specifier)] @name) @def.namespace
(alias_declaration name: (type_identifier) @name) @def.type
(type_definition type: [(qualified_identifier) (template_type) (dependent_type) (decltype)] declarator: (type_identifier) @name) @def.type
(concept_definition name: (identifier) @name) @def.type
(lambda_expression) @opaque

(using_declaration) @import

(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local)])
(structured_binding_declarator (identifier) @local)
(optional_parameter_declaration declarator: (identifier) @local)

(call_expression function: (qualified_identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression field: (template_method name: (field_identifier) @call.name)))
(call_expression function: (field_expression field: (dependent_name (template_method name: (field_identifier) @call.name))))
(new_expression type: [(type_identifier) (qualified_identifier)] @construct)
(new_expression type: (template_type name: (type_identifier) @construct))
(compound_literal_expression type: [(type_identifier) (qualified_identifier)] @construct)
(base_class_clause [(type_identifier) (qualified_identifier)] @inherit)
(base_class_clause (template_type name: (type_identifier) @inherit))
(qualified_identifier) @read
(template_argument_list (type_descriptor type: (type_identifier) @type))

(optional_parameter_declaration type: (_) @bind.type declarator: (_) @bind.name) @bind
([(declaration type: (_) @bind.type declarator: (reference_declarator) @bind.name.in)
  (parameter_declaration type: (_) @bind.type declarator: (reference_declarator) @bind.name.in)] @bind)
(declaration declarator: (init_declarator declarator: (identifier) @bind.name value: (new_expression type: (_) @bind.type))) @bind
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind.name) value: (new_expression type: (_) @bind.type))) @bind
(declaration declarator: (init_declarator declarator: (identifier) @bind.name value: (call_expression function: (_) @bind.call))) @bind
(for_range_loop type: (_) @bind.type declarator: [(identifier) @bind.name (reference_declarator (identifier) @bind.name)]) @bind
