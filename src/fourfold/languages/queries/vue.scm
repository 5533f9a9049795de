; inherits: html
; Vue, Svelte and Astro: scripts and styles are read where they stand (indexing/embedded.py)
((start_tag (tag_name) @construct) (#match? @construct "^[A-Z]"))
((self_closing_tag (tag_name) @construct) (#match? @construct "^[A-Z]"))
