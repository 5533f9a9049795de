"""Code of another language inside a file: the scripts and styles of a page or component, read where they stand.

Fenced code in Markdown is not read: it is an example, and a name that it defines is none of the codebase.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Tree

from fourfold.indexing.extract import Extracted, extract
from fourfold.languages import language as entry_of
from fourfold.languages.grammar import ParseTimeout, compiled, matches, parse_tree

_PARTS = """
(script_element (start_tag) @script (raw_text) @code)
(style_element (start_tag) @style (raw_text) @code)
"""
#: Kinds of files with such parts → how they are found.
PAGES = {
    **dict.fromkeys(("html", "vue", "svelte"), _PARTS),
    "astro": _PARTS + "(frontmatter (frontmatter_js_block) @code)",
}
#: A script that says it is something else (a template, JSON) is not read.
_OTHER = re.compile(rb"""\btype\s*=\s*["']?(?!module|text/javascript|application/javascript|["'\s>])""", re.I)
_TYPESCRIPT = re.compile(rb"""\blang\s*=\s*["']?(?:ts|typescript)\b""", re.I)
_LANG = re.compile(rb"""\blang\s*=\s*["']?(\w+)""", re.I)
_NOT_LINES = re.compile(rb"[^\n]")


def add_parts(name: str, data: bytes, tree: Tree, starts: list[int], page: Extracted, timeout: float) -> Extracted:
    """What a page yields together with its scripts and styles; all scripts of a page share one scope, as in a browser.

    ``name`` is the language of the page, one of `PAGES`.
    """
    by_language: dict[str, list[tuple[int, int]]] = {}
    for caught in matches(compiled(name, PAGES[name]), tree):
        tags = [*caught.get("script", ()), *caught.get("style", ())]
        head = data[tags[0].start_byte : tags[0].end_byte] if tags else b""
        language = _style(head) if "style" in caught else _script(name, head)
        if language:
            spans = [(code.start_byte, code.end_byte) for code in caught.get("code", ())]
            by_language.setdefault(language, []).extend(spans)
    if "typescript" in by_language and "javascript" in by_language:  # one scope
        by_language["typescript"] += by_language.pop("javascript")
    for language, spans in by_language.items():
        text = bytearray(_NOT_LINES.sub(b" ", data))
        for start, end in spans:
            text[start:end] = data[start:end]
        try:
            inner = parse_tree(language, bytes(text), timeout)
        except ParseTimeout:
            continue
        if inner is not None:
            page = _together(page, extract(entry_of(language), bytes(text), inner, starts))
    return page


def _script(name: str, head: bytes) -> str:
    """The language of a script by its start tag; empty for what is no script."""
    if _OTHER.search(head):
        return ""
    return "typescript" if name == "astro" or _TYPESCRIPT.search(head) else "javascript"


def _style(head: bytes) -> str:
    found = _LANG.search(head)
    return {b"": "css", b"css": "css", b"scss": "scss", b"postcss": "css"}.get(found[1].lower() if found else b"", "")


def _together(page: Extracted, script: Extracted) -> Extracted:
    """Both, with the places of the script's symbols in the list counted on."""
    before = len(page.symbols)

    def moved(index: int) -> int:
        return index + before if index >= 0 else index

    return replace(
        page,
        symbols=(*page.symbols, *(replace(item, parent=moved(item.parent)) for item in script.symbols)),
        spans=(*page.spans, *script.spans),
        scopes=(*page.scopes, *((first, last, moved(index)) for first, last, index in script.scopes)),
        references=(*page.references, *(item._replace(holder=moved(item.holder)) for item in script.references)),
        imports=(*page.imports, *(replace(item, holder=moved(item.holder)) for item in script.imports)),
        bindings=(*page.bindings, *(item._replace(holder=moved(item.holder)) for item in script.bindings)),
    )
