; Zig
[(line_comment) (doc_comment) (container_doc_comment)] @comment

(Decl (FnProto function: (IDENTIFIER) @name)) @def.function
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType . ["struct" "union"])))))) @def.struct
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType . "enum")))))) @def.enum
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ErrorSetDecl))))) @def.enum
(Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name)) @def.constant
(Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @def.variable
(ErrorSetDecl field_constant: (IDENTIFIER) @name @def.constant)
(ContainerField field_member: (IDENTIFIER) @name) @def.field
(ContainerDecl (ContainerDeclType "enum") (ContainerField (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @def.constant)
(SuffixExpr (ContainerDecl) @scope)
(TestDecl (STRINGLITERALSINGLE) @name) @def.test
(TestDecl (IDENTIFIER) @name) @def.test

(VarDecl (ErrorUnionExpr (SuffixExpr (BUILTINIDENTIFIER) @_import)) (#eq? @_import "@import")) @import

(ParamDecl parameter: (IDENTIFIER) @local)
(Statement (VarDecl variable_type_function: (IDENTIFIER) @local))
(PtrListPayload variable: (IDENTIFIER) @local)
(PtrPayload variable: (IDENTIFIER) @local)
(PtrIndexPayload variable: (IDENTIFIER) @local)
(Payload variable: (IDENTIFIER) @local)

(SuffixExpr variable_type_function: (IDENTIFIER) @call . (FnCallArguments))
(FieldOrFnCall function_call: (IDENTIFIER) @call.name)
(FieldOrFnCall field_access: (IDENTIFIER) @read.name)
(SuffixExpr variable_type_function: (IDENTIFIER) @read)

(ParamDecl parameter: (IDENTIFIER) @bind.name (ParamType) @bind.type) @bind
(ContainerField field_member: (IDENTIFIER) @bind.name (ErrorUnionExpr) @bind.type .) @bind
(VarDecl variable_type_function: (IDENTIFIER) @bind.name . (ErrorUnionExpr (SuffixExpr variable_type_function: (_) (FieldOrFnCall function_call: (_))) @bind.call) .) @bind
