"""Parsing one file: from bytes to chunks, symbols, references, imports and bindings."""

from __future__ import annotations

import re
from itertools import accumulate

from tree_sitter import Tree

from fourfold.indexing.chunk import chunk
from fourfold.indexing.embedded import PAGES, add_parts
from fourfold.indexing.extract import Extracted, extract
from fourfold.indexing.items import C_FAMILY
from fourfold.indexing.macros import without_macros
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
#: From this share on a second attempt is made, without the lines that hold small errors, if they are few.
_WORTH_MENDING, _ATTEMPTS, _MOST_FAULTS = 0.05, 3, 40
#: A name as SQL Server and SQLite write it.
_BRACKETED = re.compile(rb"(?<=[\s.(,])\[([A-Za-z_][\w $]*)\]")


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
            if found.damaged >= max(_WORTH_MENDING * len(starts), 3):
                tree, found = _mended(entry, data, starts, tree, found, timeout)
            if entry.name in PAGES:
                found = add_parts(entry.name, data, tree, starts, found, timeout)
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


def _mended(
    entry: Language, data: bytes, starts: list[int], tree: Tree, found: Extracted, timeout: float
) -> tuple[Tree, Extracted]:
    """Parse again without the few lines that the parser stumbled over, as long as that loses less.

    One line that a grammar does not know can cost all that follows it.
    """
    text = bytearray(readable(entry, data))
    for _ in range(_ATTEMPTS):
        if not found.faults or len(found.faults) > _MOST_FAULTS:
            break
        for line in found.faults:
            end = starts[line] if line < len(starts) else len(text)
            body = text[starts[line - 1] : end].rstrip(b"\r\n")
            text[starts[line - 1] : starts[line - 1] + len(body)] = b" " * len(body)
        try:
            again = parse_tree(entry.name, bytes(text), timeout / (_ATTEMPTS + 1))
        except ParseTimeout:
            break
        if again is None:
            break
        better = extract(entry, data, again, starts)
        if better.damaged >= found.damaged:
            break
        tree, found = again, better
    return tree, found


def readable(entry: Language, data: bytes) -> bytes:
    """The text in words that the grammar knows, each where it stood."""
    if entry.name in C_FAMILY:
        return without_macros(data)
    return _BRACKETED.sub(rb'"\1"', data) if entry.name == "sql" else data


def line_starts(data: bytes) -> list[int]:
    """The byte offset of each line; lines end with ``\\n`` only, and a last one without it counts."""
    if not data:
        return []
    parts = data.split(b"\n")
    if not parts[-1]:
        parts.pop()
    parts.pop()
    return list(accumulate(map((1).__add__, map(len, parts)), initial=0))


def _tree(entry: Language, data: bytes, timeout: float) -> tuple[Tree | None, str]:
    if not entry.query or not data:
        return None, ""
    try:
        tree = parse_tree(entry.name, readable(entry, data), timeout)
    except ParseTimeout:
        return None, f"parsing took over {timeout:g} s"
    root = tree.root_node if tree is not None else None
    if root is not None and (
        root.child_count > _MOST_CHILDREN or root.child_count - root.named_child_count > _MOST_TOKENS
    ):
        return None, "too many statements side by side"
    return tree, ""
