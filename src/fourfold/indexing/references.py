"""References and bindings: which names a file uses, from where, on what."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from tree_sitter import Node

from fourfold.indexing.definitions import Definitions
from fourfold.indexing.items import C_FAMILY, FUNCTIONS, Captures
from fourfold.indexing.names import receiver_before, receiver_of, split_name
from fourfold.languages import Language
from fourfold.languages.types import type_path
from fourfold.model import ParsedBinding, ParsedImport, ParsedReference, ReferenceKind

#: Later ones win when several captures end at the same place.
_ORDER: tuple[tuple[str, ReferenceKind], ...] = (
    ("read", "read"), ("type", "read"), ("write", "write"), ("call", "call"), ("construct", "construct"),
    ("inherit", "inherit"), ("implement", "implement"), ("decorate", "decorate"),
)  # fmt: skip
_SELF = frozenset({"self", "this", "cls", "super", "super()", "@", "$this", "Self", "parent", "static", "base"})
#: Where a capitalised name that is called makes an object.
_CALL_MAKES = frozenset({"python", "jupyter", "kotlin", "scala", "swift", "dart"})
_IMPORTING = re.compile("import|use|using|include|mod_item")
_OBJC_RECEIVER = re.compile(rb"\[\s*([\w.]+)\s+\Z")
#: An expression longer than this ends in a name on an unknown receiver.
_LONGEST = 300


def read_references(
    entry: Language,
    data: bytes,
    caught: Captures,
    starts: list[int],
    definitions: Definitions,
    imports: list[tuple[ParsedImport, int]],
    bound: frozenset[str],
) -> tuple[list[ParsedReference], list[ParsedBinding]]:
    """The references, and bindings of no type for locals that hide an outer name where one is used."""
    places: dict[int, tuple[int, str, bool]] = {}
    for capture, _ in _ORDER:
        for node in caught.get(capture, ()):
            places[node.end_byte] = (node.start_byte, capture, False)
        for node in caught.get(capture + ".name", ()):
            places[node.end_byte] = (node.start_byte, capture, True)
    for end in definitions.name_ends:
        places.pop(end, None)
    skipped = sorted(
        (node.start_byte, node.end_byte)
        for node in caught.get("import", ())
        if entry.name == "elixir" or _IMPORTING.search(node.type)
    )  # the names in an import are no reads
    skipped.append((1 << 62, 1 << 62))
    kinds = dict(_ORDER)
    brought = frozenset(item.alias or item.name for item, _ in imports if item.name)
    modules = frozenset(item.alias or item.module.partition(".")[0] for item, _ in imports if not item.name)
    stars = any(item.name == "*" and not item.alias for item, _ in imports)
    visible = definitions.outer_names | brought
    reach = _Reach(entry, definitions, visible, visible | modules | bound, stars)
    separators = entry.separators
    makes = entry.name in _CALL_MAKES
    edges, holders = definitions.edges, definitions.holders
    found: list[ParsedReference] = []
    heads: set[int] = set()
    hidden: dict[tuple[int, str], int] = {}
    segment, segments, skip = 0, len(edges), 0
    line, lines = 1, len(starts)
    for end in sorted(places):
        start, capture, alone = places[end]
        while skipped[skip][1] < end:
            skip += 1
        if skipped[skip][0] <= start:
            continue
        if end - start > _LONGEST:
            text = "?." + _tail(data, end)
        else:
            text = data[start:end].decode("utf-8", "replace")
        receiver, name = ("", text) if text.isidentifier() else split_name(text, separators)
        place = end - len(name.encode("utf-8", "replace")) if receiver else start
        if alone:
            receiver, start = _before(entry, data, start)
        if not name or len(name) > _LONGEST:
            continue
        while segment + 1 < segments and edges[segment + 1] < end:
            segment += 1
        holder = holders[segment]
        if not reach.wanted(capture, name, receiver, holder):
            if capture == "call" and not receiver:
                continue
            if not receiver or capture not in ("call", "construct"):
                continue
        kind = kinds[capture]
        if name == "new" and entry.name == "ruby" and receiver[:1].isupper():
            receiver, _, name = receiver.rpartition(".")
            kind, place = "construct", start
            heads.add(start)
        if makes and kind == "call" and name[0].isupper() and not name.isupper():
            kind = "construct"
        while line < lines and starts[line] <= place:
            line += 1
        row = line
        while row > 1 and starts[row - 1] > place:
            row -= 1
        found.append(ParsedReference(name, kind, row, place - starts[row - 1], holder, receiver))
        if not receiver and kind == "call" and holder >= 0 and name in visible and name not in bound:
            is_hidden = definitions.is_local(holder, name)
            if is_hidden:
                hidden.setdefault((holder, name), row)
        if receiver and receiver != "?":
            head = receiver.partition(".")[0]
            named = start not in heads and start + len(head) not in places
            if named and (head in visible or reach.type_like(head, holder)):
                heads.add(start)
                at = bisect_right(starts, start)
                found.append(ParsedReference(head, "read", at, start - starts[at - 1], holder))
            if holder >= 0 and head not in bound and head in visible and definitions.is_local(holder, head):
                hidden.setdefault((holder, head), row)
    if entry.name == "ruby":  # `Item.new` is one reference, not a read of Item too
        made = {(item.line, item.column) for item in found if item.kind == "construct"}
        found = [item for item in found if item.kind != "read" or (item.line, item.column) not in made]
    bindings = [ParsedBinding(name, "", row, holder) for (holder, name), row in hidden.items()]
    return found, bindings


def _before(entry: Language, data: bytes, place: int) -> tuple[str, int]:
    """The receiver of a name that was captured alone, and where it starts."""
    if entry.name == "objc":
        low = max(place - 120, 0)
        found = _OBJC_RECEIVER.search(data[low:place])
        return (found[1].decode("utf-8", "replace"), low + found.start(1)) if found else ("?", place)
    return receiver_before(data, place, entry.separators)


class _Reach:
    """Which names of a file can mean something outside the function that uses them."""

    def __init__(
        self, entry: Language, definitions: Definitions, visible: frozenset[str], heads: frozenset[str], stars: bool
    ) -> None:
        self.entry, self.definitions, self.visible, self.heads, self.stars = entry, definitions, visible, heads, stars

    def wanted(self, capture: str, name: str, receiver: str, holder: int) -> bool:
        if capture in ("inherit", "implement", "decorate", "construct"):
            return True
        if capture == "call":
            return bool(receiver) or name in self.visible or not self.definitions.is_local(holder, name)
        if receiver:
            head = receiver.partition(".")[0]
            return head in self.heads or head in _SELF or (not self.entry.closed and head[:1].isupper())
        if name in self.entry.builtins or len(name) < 2:
            return False
        if self.entry.closed and name not in self.visible:
            return self.stars and name[0].isupper() and not self.definitions.is_local(holder, name)
        return capture == "type" or not self.definitions.is_local(holder, name)

    def type_like(self, head: str, holder: int) -> bool:
        """Whether the head of a dotted name looks like a type, in a language where it need not be imported."""
        if self.entry.closed or not head[:1].isupper() or len(head) < 2:
            return False
        return head not in self.entry.builtins and not self.definitions.is_local(holder, head)


def _tail(data: bytes, end: int) -> str:
    """The last name of a long expression that ends at ``end``."""
    text = data[max(end - 120, 0) : end].decode("utf-8", "replace")
    place = len(text)
    while place and (text[place - 1].isalnum() or text[place - 1] in "_$!?"):
        place -= 1
    return text[place:]


def read_bindings(
    entry: Language, data: bytes, caught: Captures, starts: list[int], definitions: Definitions
) -> tuple[list[ParsedBinding], frozenset[str]]:
    """Names with a known type, and the set of those names (the first part of dotted ones)."""
    found: list[ParsedBinding] = []
    seen: set[tuple[str, str, int]] = set()
    told: set[int] = set()
    bound: set[str] = set()
    for whole, node, start, end, called in _bound_pairs(caught):
        if end - start > _LONGEST:
            continue
        name = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if not name.isidentifier():
            receiver, last = split_name(name, entry.separators)
            if receiver and receiver not in _SELF:
                continue
            name = f"{receiver}.{last}" if receiver else last
        written = data[start:end].decode("utf-8", "replace")
        path = _called(written, entry.separators) if called else _type(written)
        if not path or not name:
            continue
        holder = definitions.holder_at(node.start_byte)
        is_local = holder >= 0 and definitions.symbols[holder].kind in FUNCTIONS
        if not is_local and entry.name in C_FAMILY and "parameter" in whole.type:
            continue  # of a prototype or a function's type
        key = (name, path, holder)
        if key in seen or (called and node.start_byte in told):
            continue
        seen.add(key)
        told.add(node.start_byte)
        bound.add(name)
        if is_local:
            definitions.locals.setdefault(holder, set()).add(name)
        found.append(ParsedBinding(name, path, bisect_right(starts, node.start_byte), holder))
    return found, frozenset(bound)


def _bound_pairs(caught: Captures) -> list[tuple[Node, Node, int, int, bool]]:
    """(whole, name, start and end of the type, whether it is a call) for each name and type in one ``bind`` node."""
    events: list[tuple[int, int, int, str, Node]] = []
    for turn, capture in enumerate(("bind", "bind.name", "bind.type", "bind.call")):
        for node in caught.get(capture, ()):
            start, end = node.start_byte, node.end_byte
            events.append((start, min(turn, 1), -end if turn == 0 else end, capture, node))
    events.sort(key=lambda event: event[:3])
    open_nodes: list[tuple[int, list[Node], list[tuple[int, int, bool]]]] = []
    groups: list[tuple[Node, list[Node], list[tuple[int, int, bool]]]] = []
    for start, turn, end, capture, node in events:
        if turn == 0:
            group: tuple[list[Node], list[tuple[int, int, bool]]] = ([], [])
            groups.append((node, *group))
            open_nodes.append((-end, *group))
            continue
        while open_nodes and open_nodes[-1][0] < end:
            open_nodes.pop()
        if not open_nodes:
            continue
        if capture == "bind.name":
            open_nodes[-1][1].append(node)
        else:
            open_nodes[-1][2].append((start, end, capture == "bind.call"))
    found: list[tuple[Node, Node, int, int, bool]] = []
    for whole, names, types in groups:
        types.sort(key=lambda item: item[2])  # a written type says more than what a call gives, and comes first
        found.extend((whole, name, *item) for name in names for item in types)
    return found


@lru_cache(maxsize=8192)
def _type(written: str) -> str:
    return type_path(written)


@lru_cache(maxsize=8192)
def _called(written: str, separators: tuple[str, ...]) -> str:
    if written.endswith(")"):
        found = receiver_of(written, separators)
        return found if found != "?" else ""
    receiver, name = split_name(written, separators)
    if receiver == "?" or not name:
        return ""
    return f"{receiver}.{name}()" if receiver else f"{name}()"
