; PHP
(comment) @comment
(attribute_list) @attribute

(class_declaration name: (name) @name) @def.class
(interface_declaration name: (name) @name) @def.interface
(trait_declaration name: (name) @name) @def.trait
(enum_declaration name: (name) @name) @def.enum
(enum_case name: (name) @name) @def.constant
(function_definition name: (name) @name) @def.function
(method_declaration name: (name) @name) @def.method
(property_declaration (property_element name: (variable_name) @name)) @def.property
(property_promotion_parameter name: (variable_name) @name) @def.field
(const_declaration (const_element (name) @name)) @def.constant
(namespace_definition name: (namespace_name) @name body: (_)) @def.namespace
(anonymous_class) @opaque

(namespace_use_declaration) @import
[(require_once_expression) (require_expression) (include_expression) (include_once_expression)] @import

(base_clause [(name) (qualified_name)] @inherit)
(class_interface_clause [(name) (qualified_name)] @implement)
(use_declaration [(name) (qualified_name)] @implement)
(attribute [(name) (qualified_name)] @decorate)
(function_call_expression function: [(name) (qualified_name)] @call)
(member_call_expression name: (name) @call.name)
(nullsafe_member_call_expression name: (name) @call.name)
(scoped_call_expression name: (name) @call.name)
(object_creation_expression [(name) (qualified_name)] @construct)

(assignment_expression left: (member_access_expression) @write)
(assignment_expression left: (scoped_property_access_expression) @write)
(member_access_expression) @read
(class_constant_access_expression) @read
(named_type [(name) (qualified_name)] @type)
(argument (name) @read)
(binary_expression (name) @read)
(return_statement (name) @read)
(assignment_expression right: (name) @read)
(array_element_initializer (name) @read)

(simple_parameter type: (_) @bind.type name: (variable_name) @bind.name) @bind
(property_promotion_parameter type: (_) @bind.type name: (variable_name) @bind.name) @bind
(property_declaration type: (_) @bind.type (property_element name: (variable_name) @bind.name)) @bind
(assignment_expression left: [(variable_name) (member_access_expression)] @bind.name right: (object_creation_expression [(name) (qualified_name)] @bind.type)) @bind
