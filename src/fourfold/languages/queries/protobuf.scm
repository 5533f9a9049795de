; Protocol buffers
(comment) @comment
(message (message_name (identifier) @name)) @def.struct
(enum (enum_name (identifier) @name)) @def.enum
(enum_field . (identifier) @name) @def.constant
(service (service_name (identifier) @name)) @def.interface
(rpc (rpc_name (identifier) @name)) @def.method
(field (type) . (identifier) @name) @def.field
(oneof . (identifier) @name) @def.field
(oneof_field (type) . (identifier) @name) @def.field
(map_field (type) . (identifier) @name) @def.field
(import) @import
(message_or_enum_type) @type
