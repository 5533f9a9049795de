; YAML: keys of the top two levels
(comment) @comment
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @def.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @def.key))))))
