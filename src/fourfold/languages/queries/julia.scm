; Julia
[(line_comment) (block_comment)] @comment
(source_file (string_literal) @comment)
(block (string_literal) @comment)

(module_definition name: (identifier) @name) @def.module
(function_definition (signature (call_expression . [(identifier) (field_expression) (parenthesized_expression) (operator)] @name))) @def.function
(function_definition (signature (where_expression (call_expression . [(identifier) (field_expression) (parenthesized_expression) (operator)] @name)))) @def.function
(function_definition (signature (typed_expression (call_expression . (_) @name)))) @def.function
(assignment . (call_expression . [(identifier) (field_expression)] @name)) @def.function
(assignment . (where_expression . (call_expression . [(identifier) (field_expression)] @name))) @def.function
(assignment . (call_expression . (parametrized_type_expression . (identifier) @name))) @def.function
(assignment . (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))) @def.function
(function_definition (signature (call_expression . (parametrized_type_expression . (identifier) @name)))) @def.function
(function_definition (signature (where_expression (call_expression . (parametrized_type_expression . (identifier) @name))))) @def.function
(assignment . (typed_expression . (call_expression . [(identifier) (field_expression)] @name))) @def.function
(assignment . (where_expression . (typed_expression . (call_expression . [(identifier) (field_expression)] @name)))) @def.function
(macro_definition (signature (call_expression . (_) @name))) @def.macro
(struct_definition (type_head (identifier) @name)) @def.struct
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @def.struct
(struct_definition (type_head (binary_expression . (identifier) @name . (operator) . (_) @inherit))) @def.struct
(struct_definition (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @def.struct
(abstract_definition (type_head (identifier) @name)) @def.interface
(abstract_definition (type_head (binary_expression . (identifier) @name . (operator) . (_) @inherit))) @def.interface
(abstract_definition (type_head (parametrized_type_expression . (identifier) @name))) @def.interface
(abstract_definition (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @def.interface
(struct_definition (block (typed_expression . (identifier) @name) @def.field))
(struct_definition (block (identifier) @name @def.field))
(struct_definition (block (const_statement (typed_expression . (identifier) @name) @def.field)))
(struct_definition (block (macrocall_expression (macro_argument_list (typed_expression . (identifier) @name) @def.field))))
(const_statement (assignment . (identifier) @name)) @def.constant

[(using_statement) (import_statement)] @import
(call_expression . (identifier) @_include (#eq? @_include "include")) @import

(signature (call_expression (argument_list (identifier) @local)))
(signature (call_expression (argument_list (typed_expression . (identifier) @local))))
(function_definition (block (assignment . (identifier) @local)))

(call_expression . [(identifier) (field_expression)] @call)
(macrocall_expression (macro_identifier (identifier) @call))
(argument_list (identifier) @read)
(typed_expression (_) . (identifier) @type)
(binary_expression (identifier) @read)
(return_statement (identifier) @read)
