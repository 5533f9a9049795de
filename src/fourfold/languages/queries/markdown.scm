; Markdown: a section belongs to the heading that it starts with
(section . (atx_heading heading_content: (inline) @name)) @def.heading
(setext_heading heading_content: (paragraph) @name) @def.heading
