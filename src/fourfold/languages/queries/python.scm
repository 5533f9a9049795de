; Python
(comment) @comment
(decorated_definition) @outer

(class_definition name: (identifier) @name) @def.class
(function_definition name: (identifier) @name) @def.function
(type_alias_statement left: (type (identifier) @name)) @def.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @def.type
(assignment left: (identifier) @name) @def.variable
(assignment left: (pattern_list (identifier) @name)) @def.variable
(assignment left: (tuple_pattern (identifier) @name)) @def.variable
(assignment left: (attribute object: (identifier)) @name) @def.field
(class_definition body: (block . (string) @doc))
(function_definition body: (block . (string) @doc))

[(import_statement) (import_from_statement) (future_import_statement)] @import

(parameters (identifier) @local)
(parameters (_ . (identifier) @local))
(lambda_parameters (identifier) @local)
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)

(decorator [(identifier) (attribute)] @decorate)
(decorator (call function: [(identifier) (attribute)] @decorate))
(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherit))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @inherit)))
(call function: [(identifier) (attribute)] @call)
(call function: (subscript value: [(identifier) (attribute)] @call))

(augmented_assignment left: [(identifier) (attribute)] @write)
(assignment left: (attribute) @write)
(global_statement (identifier) @write)
(attribute) @read
(argument_list (identifier) @read)
(keyword_argument value: (identifier) @read)
(assignment right: (identifier) @read)
(named_expression value: (identifier) @read)
(return_statement (identifier) @read)
(expression_list (identifier) @read)
(list (identifier) @read)
(tuple (identifier) @read)
(set (identifier) @read)
(pair (identifier) @read)
(default_parameter value: (identifier) @read)
(typed_default_parameter value: (identifier) @read)
(binary_operator (identifier) @read)
(boolean_operator (identifier) @read)
(comparison_operator (identifier) @read)
(not_operator (identifier) @read)
(unary_operator (identifier) @read)
(conditional_expression (identifier) @read)
(subscript (identifier) @read)
(parenthesized_expression (identifier) @read)
(for_statement right: (identifier) @read)
(for_in_clause right: (identifier) @read)
(if_statement condition: (identifier) @read)
(while_statement condition: (identifier) @read)
(raise_statement (identifier) @read)
(except_clause (identifier) @read)
(except_clause (as_pattern . (identifier) @read))
(await (identifier) @read)
(yield (identifier) @read)
(list_splat (identifier) @read)
(dictionary_splat (identifier) @read)
(interpolation (identifier) @read)
(lambda body: (identifier) @read)
(type (identifier) @read)
(type (binary_operator (identifier) @read))
(generic_type (identifier) @read)
(with_item value: (identifier) @read)
(class_pattern (dotted_name) @read)
(case_pattern (dotted_name) @read)

(assignment left: [(identifier) (attribute)] @bind.name right: (call function: [(identifier) (attribute)] @bind.call)) @bind
(assignment left: [(identifier) (attribute)] @bind.name type: (type) @bind.type) @bind
(typed_parameter . (identifier) @bind.name type: (type) @bind.type) @bind
(typed_default_parameter name: (identifier) @bind.name type: (type) @bind.type) @bind
(with_item value: (as_pattern [(call) (identifier) (attribute)] @bind.with (as_pattern_target [(identifier) (attribute)] @bind.name))) @bind
(named_expression name: (identifier) @bind.name value: (call function: [(identifier) (attribute)] @bind.call)) @bind
(assignment left: [(identifier) (attribute)] @bind.name right: [(identifier) (attribute)] @bind.value) @bind
(assignment left: [(identifier) (attribute)] @bind.name right: (subscript value: [(identifier) (attribute)]) @bind.value) @bind
(assignment left: [(identifier) (attribute)] @bind.name right: (await (call function: [(identifier) (attribute)] @bind.call))) @bind
(for_statement left: (identifier) @bind.name right: [(identifier) (attribute) (call)] @bind.each) @bind
(for_in_clause left: (identifier) @bind.name right: [(identifier) (attribute) (call)] @bind.each) @bind
(call function: (identifier) @_isinstance arguments: (argument_list . [(identifier) (attribute)] @bind.name . [(identifier) (attribute)] @bind.maybe .) (#eq? @_isinstance "isinstance")) @bind
(assignment left: [(identifier) (attribute)] @bind.name right: (call function: [(identifier) (attribute)] @_cast arguments: (argument_list . (_) @bind.type . (_) .) (#any-of? @_cast "cast" "typing.cast" "t.cast"))) @bind
(function_definition return_type: (type) @returns)
((function_definition parameters: (parameters . (identifier) @first)) (#not-match? @first "^(self|cls)$"))
(assignment left: (identifier) @_all right: [(list (string (string_content) @read)) (tuple (string (string_content) @read))] (#eq? @_all "__all__"))
