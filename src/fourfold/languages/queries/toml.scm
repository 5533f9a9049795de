; TOML: tables and their keys
(comment) @comment
(document (pair . [(bare_key) (quoted_key) (dotted_key)] @name) @def.key)
(table . [(bare_key) (quoted_key) (dotted_key)] @name) @def.key
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @def.key
(table (pair . [(bare_key) (quoted_key) (dotted_key)] @name) @def.key)
