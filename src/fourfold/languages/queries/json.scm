; JSON: keys of the top two levels
(document (object (pair key: (string) @name) @def.key))
(document (object (pair value: (object (pair key: (string) @name) @def.key))))
