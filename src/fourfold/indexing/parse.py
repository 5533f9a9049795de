"""Parsing one file: from bytes to chunks, symbols, references, imports and bindings."""

from __future__ import annotations

from itertools import accumulate

from tree_sitter import Tree

from fourfold.indexing.chunk import chunk
from fourfold.indexing.extract import Extracted, extract
from fourfold.languages import Language, known
from fourfold.languages import language as entry_of
from fourfold.languages.grammar import ParseTimeout, parse_tree
from fourfold.languages.notebook import derive
from fourfold.model import ParsedFile

#: A file with more statements than this side by side is data.
_MOST_CHILDREN = 100_000
#: With more loose tokens than this side by side (a file of brackets) a query takes quadratic time.
_MOST_TOKENS = 10_000
#: Structure counts as lost when the parser could make nothing of this share of the lines.
_LOST = 0.25


def parse(path: str, data: bytes, language: str, timeout: float = 5.0) -> ParsedFile:
    """All that the index holds of one file. ``path`` is only for telling; lines end with ``\\n`` alone.

    Never raises for what a file holds: what cannot be read is left out, and ``partial`` says why. A notebook is read as
    the text of its cells, each line where it stands in the file.
    """
    entry = entry_of(language if known(language) else "text")
    if entry.name == "jupyter":
        data = derive(data)
    starts = line_starts(data)
    tree, partial = _tree(entry, data, timeout)
    found = Extracted()
    if tree is not None:
        try:
            found = extract(entry, data, tree, starts)
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            partial = f"structure could not be read ({type(error).__name__})"
        if not partial and found.damaged and found.damaged >= _LOST * len(starts):
            partial = "syntax errors"
    root = tree.root_node if tree is not None else None
    chunks = chunk(data, starts, found.symbols, found.spans, found.scopes, root, entry.family)
    return ParsedFile(
        language=entry.name,
        chunks=chunks,
        symbols=found.symbols,
        references=found.references,
        imports=found.imports,
        bindings=found.bindings,
        lines=len(starts),
        partial=partial,
    )


def line_starts(data: bytes) -> list[int]:
    """The byte offset of each line; lines end with ``\\n`` only, and a last one without it counts."""
    if not data:
        return []
    parts = data.split(b"\n")
    if not parts[-1]:
        parts.pop()
    parts.pop()
    return list(accumulate((len(part) + 1 for part in parts), initial=0))


def _tree(entry: Language, data: bytes, timeout: float) -> tuple[Tree | None, str]:
    if not entry.query or not data:
        return None, ""
    try:
        tree = parse_tree(entry.name, data, timeout)
    except ParseTimeout:
        return None, f"parsing took over {timeout:g} s"
    root = tree.root_node if tree is not None else None
    if root is not None and (
        root.child_count > _MOST_CHILDREN or root.child_count - root.named_child_count > _MOST_TOKENS
    ):
        return None, "too many statements side by side"
    return tree, ""
