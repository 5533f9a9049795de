; C
(comment) @comment

(function_definition declarator: (_) @name.function) @def.function
(struct_specifier name: (type_identifier) @name body: (_)) @def.struct
(union_specifier name: (type_identifier) @name body: (_)) @def.struct
(enum_specifier name: (type_identifier) @name body: (_)) @def.enum
(enumerator name: (identifier) @name) @def.constant
(type_definition type: (struct_specifier !name body: (_)) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @def.enum
(type_definition type: (struct_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name @def.type (#not-eq? @_tag @name))
(type_definition type: (union_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name @def.type (#not-eq? @_tag @name))
(type_definition type: (enum_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name @def.type (#not-eq? @_tag @name))
(type_definition type: (struct_specifier name: (_) @_tag !body) declarator: (type_identifier) @name (#not-eq? @_tag @name)) @def.type
(type_definition type: (union_specifier name: (_) @_tag !body) declarator: (type_identifier) @name (#not-eq? @_tag @name)) @def.type
(type_definition type: (enum_specifier name: (_) @_tag !body) declarator: (type_identifier) @name (#not-eq? @_tag @name)) @def.type
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier)] declarator: (type_identifier) @name) @def.type
(type_definition declarator: (primitive_type) @name) @def.type
(type_definition declarator: [(pointer_declarator) (array_declarator) (function_declarator)] @name.any) @def.type
(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name) @def.macro
; declarators are taken apart in Python
(field_declaration declarator: (_) @name.value) @def.field
(declaration declarator: (_) @name.value) @def.variable

(preproc_include) @import

(parameter_declaration declarator: (array_declarator declarator: (identifier) @local))
(parameter_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local))))

(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (parenthesized_expression (pointer_expression (identifier) @call)))
(compound_literal_expression type: (type_descriptor type: (type_identifier) @construct))

(assignment_expression left: (identifier) @write)
(update_expression argument: (identifier) @write)
(type_identifier) @type
(argument_list (identifier) @read)
(argument_list (pointer_expression (identifier) @read))
(init_declarator value: (identifier) @read)
(init_declarator value: (pointer_expression (identifier) @read))
(assignment_expression right: (identifier) @read)
(assignment_expression right: (pointer_expression (identifier) @read))
(initializer_list (identifier) @read)
(initializer_list (pointer_expression (identifier) @read))
(initializer_pair value: (identifier) @read)
(return_statement (identifier) @read)
(binary_expression (identifier) @read)
(unary_expression (identifier) @read)
(conditional_expression (identifier) @read)
(parenthesized_expression (identifier) @read)
(subscript_expression (identifier) @read)
(field_expression argument: (identifier) @read)
(case_statement value: (identifier) @read)
(array_declarator size: (identifier) @read)
(cast_expression value: (identifier) @read)
(enumerator value: (identifier) @read)
(preproc_ifdef name: (identifier) @read)
(preproc_defined (identifier) @read)

(parameter_declaration type: (_) @bind.type declarator: [(identifier) (pointer_declarator)] @bind.name.in) @bind
(declaration type: (_) @bind.type declarator: [(identifier) (pointer_declarator) (init_declarator)] @bind.name.in) @bind
(field_declaration type: [(type_identifier) (struct_specifier !body)] @bind.type declarator: [(field_identifier) (pointer_declarator)] @bind.name.in) @bind
