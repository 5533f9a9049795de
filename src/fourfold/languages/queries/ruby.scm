; Ruby
(comment) @comment

(class name: [(constant) (scope_resolution)] @name) @def.class
(module name: [(constant) (scope_resolution)] @name) @def.module
(singleton_class) @scope
(method name: (_) @name) @def.function
(singleton_method name: (_) @name) @def.method
(assignment left: (constant) @name) @def.constant
(assignment left: (constant) @name right: (call receiver: (constant) @_maker method: (identifier) @_how (#any-of? @_maker "Struct" "Class" "Data") (#any-of? @_how "new" "define"))) @def.class
(assignment left: (instance_variable) @name) @def.field
(call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name) (#any-of? @_attr "attr_reader" "attr_accessor" "attr_writer")) @def.property
(alias name: [(identifier) (constant) (simple_symbol)] @name) @def.method
(call method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name) (#any-of? @_alias "alias_method" "define_method")) @def.method

(call method: (identifier) @_require arguments: (argument_list (string)) (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

(method_parameters (identifier) @local)
(method_parameters (optional_parameter name: (identifier) @local))
(method_parameters (keyword_parameter name: (identifier) @local))
(block_parameters (identifier) @local)
(assignment left: (identifier) @local)

(superclass [(constant) (scope_resolution)] @inherit)
(call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implement) (#any-of? @_mix "include" "extend" "prepend"))
(call method: [(identifier) (constant)] @call.name)
(call method: (super) @call)
(constant) @type
(scope_resolution) @read
(argument_list (identifier) @read)
(body_statement (identifier) @call)
(operator_assignment left: [(instance_variable) (constant)] @write)

(assignment left: [(identifier) (instance_variable)] @bind.name right: (call receiver: [(constant) (scope_resolution)] @bind.type method: (identifier) @_new (#eq? @_new "new"))) @bind
