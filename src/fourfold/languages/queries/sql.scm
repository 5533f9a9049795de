; SQL
[(comment) (marginalia)] @comment
(create_table (object_reference name: (identifier) @name)) @def.struct
(create_table (column_definitions (column_definition name: (_) @name) @def.field))
(create_view (object_reference name: (identifier) @name)) @def.struct
(create_materialized_view (object_reference name: (identifier) @name)) @def.struct
(create_function . (keyword_create) (object_reference name: (identifier) @name)) @def.function
(create_trigger . (keyword_create) (object_reference name: (identifier) @name)) @def.function
(create_index column: (_) @name) @def.key
(create_type (object_reference name: (identifier) @name)) @def.type
(invocation (object_reference name: (identifier) @call))
(relation (object_reference name: (identifier) @type))
(column_definition (object_reference name: (identifier) @type))
(insert (object_reference name: (identifier) @write))
(update (relation (object_reference name: (identifier) @write)))
