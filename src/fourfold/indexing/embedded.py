"""Code of another language inside a file: the scripts of an HTML page, read where they stand."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Tree

from fourfold.indexing.extract import Extracted, extract
from fourfold.languages import language as entry_of
from fourfold.languages.grammar import ParseTimeout, compiled, matches, parse_tree

_SCRIPTS = "(script_element (start_tag) @tag (raw_text) @code)"
#: A script that says it is something else (a template, JSON) is not read.
_OTHER = re.compile(rb"""\btype\s*=\s*["']?(?!module|text/javascript|application/javascript|["'\s>])""", re.I)
_TYPESCRIPT = re.compile(rb"""\blang\s*=\s*["']?(?:ts|typescript)\b""", re.I)
_NOT_LINES = re.compile(rb"[^\n]")


def add_scripts(data: bytes, tree: Tree, starts: list[int], page: Extracted, timeout: float) -> Extracted:
    """What an HTML page yields together with its scripts; all scripts of a page share one scope, as in a browser."""
    by_language: dict[str, list[tuple[int, int]]] = {}
    for caught in matches(compiled("html", _SCRIPTS), tree):
        for tag, code in zip(caught.get("tag", ()), caught.get("code", ()), strict=False):
            head = data[tag.start_byte : tag.end_byte]
            if _OTHER.search(head):
                continue
            language = "typescript" if _TYPESCRIPT.search(head) else "javascript"
            by_language.setdefault(language, []).append((code.start_byte, code.end_byte))
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
