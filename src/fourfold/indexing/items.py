"""Definitions as they are captured: each node paired with its name, its wrapper and what is attached above it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from tree_sitter import Node

from fourfold.indexing.names import split_name
from fourfold.languages import Language
from fourfold.languages.comments import first_doc_line
from fourfold.languages.types import last_type_name

Captures = dict[str, list[Node]]

CLASSES = frozenset({"class", "interface", "struct", "trait", "enum", "scope"})
SPACES = frozenset({"namespace", "module"})
FUNCTIONS = frozenset({"function", "method"})
VALUES = frozenset({"variable", "constant", "field", "property"})
C_FAMILY = frozenset({"c", "cpp", "objc"})
#: Of two captures of one name, the kind that says more wins.
RANK = {
    kind: rank
    for rank, kind in enumerate((
        "namespace", "interface", "struct", "enum", "trait", "class", "module", "macro", "method", "function", "type",
        "property", "field", "constant", "variable", "test", "heading", "key", "scope",
    ))
}  # fmt: skip
WHITE = b" \t\r\n\f\v"
#: What stands behind a heading for the sake of its address: `{ #install }`.
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}\s*\Z")
#: What an include guard is called, where the parser lost its way.
_GUARD = re.compile(rb"_H(?:PP|XX|H)?_*\Z|_INCLUDED_*\Z", re.I)
#: What is no part of a key, where it is not quotes and `#`.
_AROUND = {"css": " \t", "scss": " \t", "sql": " \"'`[]\t"}
_SPACE = re.compile(r"\s+")
#: A class without a name, in Java: what is written at its start is the name of its base.
UNNAMED = "object_creation_expression"
#: Last line → (first line, whether it is a comment) of what has its lines to itself and may be attached below.
Attachable = dict[int, tuple[int, bool]]


@dataclass(slots=True)
class Item:
    """A captured definition, scope or nameless function while it is being put together."""

    kind: str
    start: int
    end: int
    node: Node
    outer: int
    name: str = ""
    prefix: str = ""
    name_start: int = -1
    name_end: int = -1
    receiver: str = ""
    doc: str = ""
    claimed: bool = False
    is_test: bool = False
    #: index among the symbols, or -1; for a scope that of the type it belongs to
    index: int = -1
    qualified: str = ""
    above: Item | None = None
    locals: set[str] = field(default_factory=set)


def pair(entry: Language, data: bytes, caught: Captures) -> list[Item]:
    """All captured definitions with their names, by start; one item a name."""
    # (start, turn, larger first, lesser kinds first, order, tag, end, node): of two captures of one node, the kind that
    # says more is opened last, so that it gets the name
    events: list[tuple[int, int, int, int, int, str, int, Node]] = []
    order = 0
    tails = {node.start_byte: node.end_byte for node in caught.get("tail", ())}
    for capture, nodes in caught.items():
        if capture.startswith("def."):
            turn, tag = 1, capture[4:]
        elif capture in ("scope", "opaque"):
            turn, tag = 1, capture
        elif capture == "outer":
            turn, tag = 0, capture
        elif capture in ("name", "receiver", "doc"):
            turn, tag = 2, capture
        else:
            continue
        rank = -RANK.get(tag, 99)
        for node in nodes:
            order += 1
            end = node.end_byte
            if tails and turn == 1:
                end = tails.get(_skip_white(data, end), end)
            events.append((node.start_byte, turn, -end if turn < 2 else end, rank, order, tag, end, node))
    events.sort()
    attributes = {node.start_byte: node.end_byte for node in caught.get("attribute", ())}
    open_items: list[Item] = []
    items: list[Item] = []
    for start, turn, _size, _rank, _order, tag, end, node in events:
        while open_items and open_items[-1].end <= start:
            open_items.pop()
        if turn < 2:
            items.append(_opened(open_items, tag, start, end, node))
        elif tag == "name":
            twin = _name(open_items, data, start, end, entry)
            if twin is not None:
                items.append(twin)
        else:
            _claim(open_items, tag, data[start:end].decode("utf-8", "replace"))
    named = [item for item in items if item.name or item.kind in ("scope", "opaque")]
    if entry.name == "markdown":
        _lengthen(named, len(data))
    if entry.name in C_FAMILY:
        named = [item for item in named if not _declared_elsewhere(item, data)]
        for item in named:
            _shorten(item, data)
    named.sort(key=lambda item: (item.start, -item.end))
    for item in named:
        while item.start in attributes and attributes[item.start] < item.name_start:
            item.start = _skip_white(data, attributes[item.start])
    return named


def take_attributes(items: list[Item], above: Attachable, starts: list[int]) -> None:
    """Attributes on lines of their own belong to the definition below them."""
    for item in items:
        line = highest = bisect_right(starts, item.outer)
        while line - 1 in above:
            first, is_comment = above[line - 1]
            line = first
            if not is_comment:
                highest = first
        if highest < bisect_right(starts, item.outer):
            item.outer = min(item.outer, starts[highest - 1])


def _opened(open_items: list[Item], tag: str, start: int, end: int, node: Node) -> Item:
    item = Item(tag, start, end, node, start)
    if open_items:
        top = open_items[-1]
        if top.kind == "outer" and not top.claimed:
            if top.end - end <= 1:
                item.outer = top.outer
            top.claimed = True  # only by the first definition in it, and only if that is all of it
        elif top.start == start and top.end == end and top.kind != "outer":
            item.outer = top.outer
    open_items.append(item)
    return item


def _name(open_items: list[Item], data: bytes, start: int, end: int, entry: Language) -> Item | None:
    """Give a name to the innermost definition that has none; a further name of one declaration makes a twin."""
    for item in reversed(open_items):
        if item.kind in ("outer", "opaque") or item.end < end:
            continue
        twin = None
        if item.name_start >= 0:
            if item.kind not in VALUES and item.kind not in ("key", "type") and entry.name != "make":
                continue
            item = twin = Item(item.kind, item.start, item.end, item.node, item.outer)
        text = data[start:end].decode("utf-8", "replace")
        prefix, name = _parts(text, item.kind, entry)
        item.name, item.prefix = name, prefix
        item.name_end = end
        if item.node.type == UNNAMED:
            item.name, item.prefix = f"new {name}", ""
        item.name_start = end - len(name.encode("utf-8", "replace")) if prefix else start
        return twin
    return None


def _parts(text: str, kind: str, entry: Language) -> tuple[str, str]:
    """What stands before the last dot of a written name, and the name itself, without marks of the language."""
    if kind == "heading":
        text = _ATTRIBUTES.sub("", text)
    if kind in ("heading", "key", "test"):
        around = _AROUND.get(entry.name, " \"'#\t")
        return "", _SPACE.sub(" ", text).strip(around)
    if entry.name == "ruby":
        if text[:1] == "@":
            return "@", text.lstrip("@")
        text = text.lstrip(":")
    elif entry.name == "bash":
        text = text.rstrip("=")
    elif entry.name == "php":
        text = text.lstrip("$")
    return split_name(text, entry.separators)


def _claim(open_items: list[Item], tag: str, text: str) -> None:
    for item in reversed(open_items):
        if item.kind in ("outer", "opaque"):
            continue
        if tag == "receiver" and item.name_start < 0:
            item.receiver = last_type_name(text)
            return
        if tag == "doc" and item.name_start >= 0:
            if not item.doc:
                item.doc = first_doc_line(text.split("\n", 60))
            return


def _lengthen(headings: list[Item], size: int) -> None:
    """An underlined heading's node is only the heading: it lasts until the next one or the end of what holds it."""
    headings.sort(key=lambda item: (item.start, -item.end))
    stack: list[Item] = []
    for place, item in enumerate(headings):
        after = headings[place + 1] if place + 1 < len(headings) else None
        while stack and stack[-1].end <= item.start:
            stack.pop()
        if item.node.type == "setext_heading":
            end = stack[-1].end if stack else size
            item.end = min(end, after.start) if after is not None else end
        else:
            stack.append(item)


def _declared_elsewhere(item: Item, data: bytes) -> bool:
    """Whether a C variable is only announced (``extern``), or a macro only guards its file against a second reading; a
    constant variable is said to be so on the way."""
    if item.kind == "macro":
        return _guards(item.node, data)
    if item.kind != "variable":
        return False
    before = data[item.start : item.name_start][:200]
    if re.search(rb"\bconst(?:expr)?\b(?![^=]*\*(?!\s*const))", before):
        item.kind = "constant"
    return before.startswith(b"extern") and b"=" not in data[item.name_end : item.end]


def _shorten(item: Item, data: bytes) -> None:
    """In ``typedef struct { … } Name, *Pointer;`` the further name stands for itself, and holds no fields."""
    if (
        item.kind == "type"
        and item.node.type == "type_definition"
        and data[max(item.name_start - 40, 0) : item.name_start].rstrip()[-1:] == b"*"
    ):
        written = item.node.child_by_field_name("type")
        if written is not None and written.child_by_field_name("body") is not None:
            item.start, item.end = item.name_start, item.name_end


def _guards(node: Node, data: bytes) -> bool:
    """Whether a macro without a value stands in the ``#ifndef`` of its own name that holds a whole file."""
    around = node.parent
    if node.type != "preproc_def" or node.child_by_field_name("value") is not None or around is None:
        return False
    name, tested = node.child_by_field_name("name"), around.child_by_field_name("name")
    if name is None or around.type != "preproc_ifdef":
        return bool(_GUARD.search(name.text or b"")) if name is not None and around.type == "ERROR" else False
    same = tested is not None and tested.text == name.text
    return same and around.next_named_sibling is None and data[around.end_byte :].count(b"\n") < 8


def _skip_white(data: bytes, place: int) -> int:
    size = len(data)
    while place < size and data[place] in WHITE:
        place += 1
    return place


def attachable(data: bytes, caught: Captures, starts: list[int]) -> Attachable:
    """Last line → (first line, is a comment) of the comments and attributes that have their lines to themselves."""
    found: Attachable = {}
    lines = len(starts)
    for capture in ("comment", "attribute"):
        for node in caught.get(capture, ()):
            start, end = node.start_byte, node.end_byte
            first = bisect_right(starts, start)
            if starts[first - 1] != start and data[starts[first - 1] : start].strip():
                continue
            last = first
            while last < lines and starts[last] < end:
                last += 1
            after = starts[last] if last < lines else len(data)
            if data[end:after].strip():
                continue
            found[last] = (first, capture == "comment")
    return found
