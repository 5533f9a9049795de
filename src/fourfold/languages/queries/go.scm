; Go
(comment) @comment

(function_declaration name: (identifier) @name) @def.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver)) name: (field_identifier) @name) @def.method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @def.struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @def.interface)
(type_declaration (type_spec name: (type_identifier) @name) @def.type)
(type_declaration (type_alias name: (type_identifier) @name) @def.type)
[(type_declaration) (const_declaration) (var_declaration)] @outer
(const_spec name: (identifier) @name) @def.constant
(var_spec name: (identifier) @name) @def.variable
(field_declaration name: (field_identifier) @name) @def.field
(method_elem name: (field_identifier) @name) @def.method
(func_literal) @opaque

(import_spec) @import

(variadic_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))

(call_expression function: [(identifier) (selector_expression)] @call)
(call_expression function: (parenthesized_expression (selector_expression) @call))
(type_conversion_expression type: (generic_type type: (_) @call))
(composite_literal type: [(type_identifier) (qualified_type)] @construct)
(composite_literal type: (generic_type type: [(type_identifier) (qualified_type)] @construct))
(call_expression function: (identifier) @_new arguments: (argument_list . [(type_identifier) (qualified_type)] @construct))
(field_declaration !name type: [(type_identifier) (qualified_type)] @inherit)
(field_declaration !name type: (generic_type type: [(type_identifier) (qualified_type)] @inherit))
(interface_type (type_elem . [(type_identifier) (qualified_type)] @inherit .))

(assignment_statement left: (expression_list [(identifier) (selector_expression)] @write))
(inc_statement [(identifier) (selector_expression)] @write)
(dec_statement [(identifier) (selector_expression)] @write)
(type_identifier) @type
(qualified_type) @type
(selector_expression) @read
(argument_list (identifier) @read)
(expression_list (identifier) @read)
(literal_value (literal_element (identifier) @read))
(keyed_element (literal_element) (literal_element (identifier) @read))
(binary_expression (identifier) @read)
(unary_expression (identifier) @read)
(index_expression (identifier) @read)
(expression_case value: (expression_list (identifier) @read))
(const_spec value: (expression_list (identifier) @read))
(range_clause right: (identifier) @read)
(parenthesized_expression (identifier) @read)
(slice_expression (identifier) @read)

(parameter_declaration name: (identifier) @bind.name type: (_) @bind.type) @bind
(var_spec name: (identifier) @bind.name type: (_) @bind.type) @bind
(var_spec name: (identifier) @bind.name value: (expression_list . (composite_literal type: (_) @bind.type) .)) @bind
(var_spec name: (identifier) @bind.name value: (expression_list . (unary_expression operand: (composite_literal type: (_) @bind.type)) .)) @bind
(var_spec name: (identifier) @bind.name value: (expression_list . (call_expression function: [(identifier) (selector_expression)] @bind.call))) @bind
(field_declaration name: (field_identifier) @bind.name type: (_) @bind.type) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . (composite_literal type: (_) @bind.type))) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . (unary_expression operand: (composite_literal type: (_) @bind.type)))) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @bind.call))) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . (type_assertion_expression type: (_) @bind.type))) @bind
(range_clause left: (expression_list (_) . (identifier) @bind.name .) right: [(identifier) (selector_expression) (call_expression)] @bind.each) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name .) right: (expression_list . [(identifier) (selector_expression)] @bind.value .)) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . (index_expression) @bind.value .)) @bind
(function_declaration result: (_) @returns)
(method_declaration result: (_) @returns)
