; Rust
[(line_comment) (block_comment)] @comment
(attribute_item) @attribute

(function_item name: (identifier) @name) @def.function
(function_signature_item name: (identifier) @name) @def.function
(struct_item name: (type_identifier) @name) @def.struct
(union_item name: (type_identifier) @name) @def.struct
(enum_item name: (type_identifier) @name) @def.enum
(enum_variant name: (identifier) @name) @def.constant
(trait_item name: (type_identifier) @name) @def.trait
(type_item name: (type_identifier) @name) @def.type
(associated_type name: (type_identifier) @name) @def.type
(const_item name: (identifier) @name) @def.constant
(static_item name: (identifier) @name) @def.variable
(macro_definition name: (identifier) @name) @def.macro
(mod_item name: (identifier) @name body: (_)) @def.module
(mod_item name: (identifier) !body) @import
(field_declaration name: (field_identifier) @name) @def.field
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @scope
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) @scope
(impl_item type: (reference_type type: (type_identifier) @name)) @scope
(impl_item type: [(tuple_type) (array_type) (primitive_type) (dynamic_type)]) @scope

[(use_declaration) (extern_crate_declaration)] @import

(parameter pattern: (identifier) @local)
(parameter pattern: (mut_pattern (identifier) @local))
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (tuple_pattern (identifier) @local))
(let_declaration pattern: (mut_pattern (identifier) @local))
(for_expression pattern: (identifier) @local)
(for_expression pattern: (tuple_pattern (identifier) @local))
(closure_parameters (identifier) @local)
(closure_parameters (tuple_pattern (identifier) @local))
(tuple_struct_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(match_pattern (identifier) @local)

(call_expression function: [(identifier) (scoped_identifier) (field_expression)] @call)
(call_expression function: (generic_function function: [(identifier) (scoped_identifier) (field_expression)] @call))
(macro_invocation macro: [(identifier) (scoped_identifier)] @call)
; what is handed to a macro is read as tokens
(token_tree (identifier) @call.name . (token_tree))
(token_tree (identifier) @read.name)
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @construct)
(struct_expression name: (generic_type_with_turbofish type: (_) @construct))
(impl_item trait: [(type_identifier) (scoped_type_identifier)] @implement)
(impl_item trait: (generic_type type: [(type_identifier) (scoped_type_identifier)] @implement))
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @inherit))
(trait_item bounds: (trait_bounds (generic_type type: [(type_identifier) (scoped_type_identifier)] @inherit)))
(attribute [(identifier) (scoped_identifier)] @decorate)
((attribute (identifier) @_derive arguments: (token_tree (identifier) @implement)) (#eq? @_derive "derive"))

(assignment_expression left: [(identifier) (field_expression) (scoped_identifier)] @write)
(compound_assignment_expr left: [(identifier) (field_expression) (scoped_identifier)] @write)
(type_identifier) @type
(scoped_type_identifier) @type
(field_expression) @read
(scoped_identifier) @read
(arguments (identifier) @read)
(binary_expression (identifier) @read)
(reference_expression value: (identifier) @read)
(field_initializer value: (identifier) @read)
(let_declaration value: (identifier) @read)
(match_pattern (identifier) @read)
(match_expression value: (identifier) @read)
(index_expression (identifier) @read)
(array_expression (identifier) @read)
(return_expression (identifier) @read)

(parameter pattern: [(identifier) (self)] @bind.name type: (_) @bind.type) @bind
(parameter pattern: (mut_pattern (identifier) @bind.name) type: (_) @bind.type) @bind
(let_declaration pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(let_declaration pattern: (identifier) @bind.name value: (struct_expression name: (_) @bind.type)) @bind
(let_declaration pattern: (identifier) @bind.name value: (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @bind.call)) @bind
(let_declaration pattern: (identifier) @bind.name value: (await_expression (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @bind.call))) @bind
(let_declaration pattern: (identifier) @bind.name value: (try_expression (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @bind.call))) @bind
(field_declaration name: (field_identifier) @bind.name type: (_) @bind.type) @bind
(static_item name: (identifier) @bind.name type: (_) @bind.type) @bind
(const_item name: (identifier) @bind.name type: (_) @bind.type) @bind
