; Elixir. Several values in #not-any-of? do not work in this binding, so #not-match? stands for it.
(comment) @comment
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments (boolean))) (#eq? @_doc "doc")) @attribute
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)])) (#eq? @_doc "doc")) @comment
(unary_operator operator: "@" operand: (call target: (identifier) @_about) (#any-of? @_about "spec" "impl" "deprecated" "since" "tag" "dialyzer")) @attribute

(call target: (identifier) @_def (arguments . (alias) @name) (#eq? @_def "defmodule")) @def.module
(call target: (identifier) @_def (arguments . (alias) @name) (#eq? @_def "defprotocol")) @def.interface
(call target: (identifier) @_def (arguments . (alias) @implement (keywords (pair value: (alias) @name))) (#eq? @_def "defimpl")) @scope
(do_block (unary_operator operand: (call target: (identifier) @_doc (arguments (string) @doc)) (#eq? @_doc "moduledoc")))
(call target: (identifier) @_def (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  (binary_operator left: (identifier) @name operator: "when")
]) (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @def.function
(call target: (identifier) @_def (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
]) (#any-of? @_def "defmacro" "defmacrop")) @def.macro
(unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)]))) (#any-of? @_type "type" "typep" "opaque")) @def.type
(unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments (binary_operator left: [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)])
]))) (#any-of? @_type "callback" "macrocallback")) @def.method
(do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)) (#not-match? @name "^(doc|moduledoc|spec|impl|type|typep|opaque|callback|macrocallback|behaviour|deprecated|since|derive|tag|dialyzer|compile|optional_callbacks|enforce_keys|external_resource)$")) @def.constant)

(call target: (identifier) @_import (arguments . [(alias) (dot)]) (#any-of? @_import "alias" "import" "use" "require")) @import

(unary_operator operator: "@" operand: (call target: (identifier) @_behaviour (arguments (alias) @implement)) (#eq? @_behaviour "behaviour"))
(call target: (identifier) @_use (arguments . (alias) @implement) (#eq? @_use "use"))
(call target: (identifier) @call (#not-match? @call "^(def|defp|defmodule|defmacro|defmacrop|defprotocol|defimpl|defstruct|alias|import|use|require|doc|moduledoc|spec|type|impl|callback|defdelegate|defguard|defexception)$"))
(call target: (dot) @call)
(map (struct (alias) @construct))
(alias) @type
(unary_operator operator: "@" operand: (identifier) @read)
(unary_operator operator: "&" operand: (binary_operator left: (dot) @read))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @read))
