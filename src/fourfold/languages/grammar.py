"""Grammars, queries and trees: all that touches tree-sitter before the extraction does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from importlib import resources
from operator import attrgetter
from typing import Any, cast

import tree_sitter
import tree_sitter_language_pack
from tree_sitter import Parser, Query, QueryCursor, QueryError, Tree

from fourfold.languages.registry import language

#: How much of the text a predicate of a query is handed at a time.
_PIECE = 256
#: Patterns start no deeper than this. Every pattern that is under way costs time at every node, so a query over a tree
#: that is 10,000 deep (a long chain of calls, nested brackets) would take ten seconds instead of some milliseconds.
_DEEPEST = 600
_INHERITS = re.compile(r"^; inherits: *(.+)$", re.M)


class ParseTimeout(Exception):
    """Parsing took longer than it was allowed to."""


@cache
def grammar(name: str) -> tree_sitter.Language | None:
    """The grammar of the language called ``name`` in the registry, or None when it has none that loads."""
    entry = language(name)
    if not entry.grammar:
        return None
    try:
        return tree_sitter_language_pack.get_language(cast(Any, entry.grammar))
    except (LookupError, OSError, ValueError):
        return None


@cache
def type_fields(name: str) -> tuple[int, ...]:
    """The fields of a language's grammar that hold a definition's written type, the likeliest first."""
    found = grammar(name)
    if found is None:
        return ()
    fields = (found.field_id_for_name(field) for field in ("return_type", "result", "type", "returns"))
    return tuple(field for field in fields if field is not None)


@cache
def query_text(stem: str) -> str:
    """The text of ``queries/<stem>.scm``; a line ``; inherits: a, b`` puts those files' texts before it."""
    text = resources.files("fourfold.languages").joinpath("queries", f"{stem}.scm").read_text("utf-8")
    inherited = _INHERITS.search(text)
    if not inherited:
        return text
    return "\n".join([*(query_text(part.strip()) for part in inherited[1].split(",")), text])


@cache
def query(name: str) -> Query | None:
    """The compiled query of the language called ``name``, or None when it has no grammar or no query file."""
    entry, found = language(name), grammar(name)
    if found is None or not entry.query:
        return None
    return Query(found, query_text(entry.query) + "\n(ERROR) @error\n")


@cache
def compiled(name: str, source: str) -> Query:
    """A query that is not the language's own. Raises ValueError with one clear line when it does not compile."""
    found = grammar(name)
    if found is None:
        raise ValueError(f"no grammar for {name}")
    try:
        return Query(found, source)
    except (QueryError, ValueError, SyntaxError) as error:
        raise ValueError(" ".join(str(error).split()) or "the query does not compile") from None


def parse_tree(name: str, data: bytes, timeout: float) -> Tree | None:
    """Parse ``data``; None when the language has no grammar. Raises `ParseTimeout` after ``timeout`` seconds.

    The limit works only with a read callback. NUL bytes are read as spaces: some grammars take them for the end.
    """
    found = grammar(name)
    if found is None:
        return None
    if b"\0" in data:
        data = data.replace(b"\0", b" ")
    end = time.monotonic() + timeout
    # The binding (0.26) never gives back what it is handed, and it asks for many places again. So it is handed views,
    # which cost nothing and let go of the text when they are released: that leaks a tenth of what pieces of it do.
    views: list[memoryview] = []
    parsed = False

    def read(offset: int, _point: object) -> bytes | memoryview:
        if parsed:
            return data[offset : offset + _PIECE]
        views.append(memoryview(data)[offset:])
        return views[-1]

    def late(_offset: int, _error: bool) -> bool:
        return time.monotonic() > end

    parser = Parser(found)
    try:
        return cast(Callable[..., Tree], parser.parse)(read, progress_callback=late)
    except ValueError:
        raise ParseTimeout from None
    finally:
        parsed = True
        for view in views:
            view.release()


_START, _END = attrgetter("start_byte"), attrgetter("end_byte")


def captures(found: Query, tree: Tree) -> dict[str, list[tree_sitter.Node]]:
    """All captures of a query over a tree, each node once a capture, by position.

    tree-sitter hands them over in an order that differs from run to run; what is made of a file must not.
    """
    caught = _cursor(found).captures(tree.root_node)
    for nodes in caught.values():
        # two sorts of almost sorted lists by a plain attribute take a third of the time of one by a pair
        nodes.sort(key=_END)
        nodes.sort(key=_START)
    return caught


def matches(found: Query, tree: Tree) -> list[dict[str, list[tree_sitter.Node]]]:
    """All matches of a query over a tree: what each captured."""
    return [caught for _, caught in _cursor(found).matches(tree.root_node)]


def matched_patterns(name: str, tree: Tree) -> list[tuple[str, bool]]:
    """Each pattern of a language's own query, and whether it matches in a tree; none when it has no query."""
    found = query(name)
    if found is None:
        return []
    text = query_text(language(name).query).encode()
    matched = {pattern for pattern, _ in _cursor(found).matches(tree.root_node)}
    spans = [(found.start_byte_for_pattern(i), found.end_byte_for_pattern(i)) for i in range(found.pattern_count)]
    return [
        (text[start:end].decode().strip(), place in matched)
        for place, (start, end) in enumerate(spans)
        if start < len(text)  # the last one is for errors
    ]


def _cursor(found: Query) -> QueryCursor:
    cursor = QueryCursor(found)
    cursor.set_max_start_depth(_DEEPEST)
    return cursor
