; Scala
[(comment) (block_comment)] @comment
(annotation) @attribute

(class_definition name: (identifier) @name) @def.class
(object_definition name: (identifier) @name) @def.class
(package_object name: (identifier) @name) @def.module
(trait_definition name: (identifier) @name) @def.trait
(enum_definition name: (identifier) @name) @def.enum
(simple_enum_case name: (identifier) @name) @def.constant
(full_enum_case name: (identifier) @name) @def.constant
(function_definition name: [(identifier) (operator_identifier)] @name) @def.function
(function_declaration name: [(identifier) (operator_identifier)] @name) @def.function
(type_definition name: (type_identifier) @name) @def.type
(val_definition pattern: (identifier) @name) @def.property
(var_definition pattern: (identifier) @name) @def.property
(val_declaration name: (identifier) @name) @def.property
(var_declaration name: (identifier) @name) @def.property
(given_definition name: (identifier) @name) @def.property
(class_parameter name: (identifier) @name) @def.property
(val_definition value: [(block) (case_block) (call_expression)] @opaque)
(lambda_expression) @opaque
(extension_definition) @scope

(import_declaration) @import

(lambda_expression parameters: (identifier) @local)
(bindings (binding name: (identifier) @local))
(enumerator . (identifier) @local)
(case_clause pattern: (identifier) @local)
(case_class_pattern pattern: (identifier) @local)

(extends_clause [(type_identifier) (stable_type_identifier)] @inherit)
(extends_clause (generic_type type: [(type_identifier) (stable_type_identifier)] @inherit))
(annotation name: (_) @decorate)
(instance_expression [(type_identifier) (stable_type_identifier)] @construct)
(instance_expression (generic_type type: [(type_identifier) (stable_type_identifier)] @construct))
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @call))
(assignment_expression left: [(identifier) (field_expression)] @write)
(field_expression) @read
(type_identifier) @type
(stable_type_identifier) @type
(arguments (identifier) @read)
(val_definition value: (identifier) @read)
(function_definition body: (identifier) @read)
(block (identifier) @read)
(infix_expression [left: (identifier) right: (identifier)] @read)
(match_expression value: (identifier) @read)

(parameter name: (identifier) @bind.name type: (_) @bind.type) @bind
(class_parameter name: (identifier) @bind.name type: (_) @bind.type) @bind
(val_definition pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(var_definition pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(val_definition pattern: (identifier) @bind.name value: (call_expression function: [(identifier) (field_expression)] @bind.call)) @bind
(val_definition pattern: (identifier) @bind.name value: (instance_expression [(type_identifier) (stable_type_identifier) (generic_type)] @bind.type)) @bind
