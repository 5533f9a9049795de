"""References: which names a file uses, from where, on what."""

from __future__ import annotations

import re
from bisect import bisect_right

from fourfold.indexing.bindings import SELF
from fourfold.indexing.definitions import Definitions
from fourfold.indexing.items import FUNCTIONS, Captures
from fourfold.indexing.names import receiver_before, split_name
from fourfold.languages import Language
from fourfold.model import ParsedBinding, ParsedImport, ParsedReference, ReferenceKind

#: Later ones win when several captures end at the same place.
_ORDER: tuple[tuple[str, ReferenceKind], ...] = (
    ("read", "read"), ("type", "read"), ("write", "write"), ("call", "call"), ("construct", "construct"),
    ("inherit", "inherit"), ("implement", "implement"), ("decorate", "decorate"),
)  # fmt: skip
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
    places = _places(entry, caught, definitions)
    collector = _Collector(data, starts, definitions, _Reach(entry, definitions, imports, bound), set(places))
    edges, holders = definitions.edges, definitions.holders
    segment, segments = 0, len(edges)
    for end in sorted(places):
        start, capture, alone = places[end]
        while segment + 1 < segments and edges[segment + 1] < end:
            segment += 1
        collector.take(start, end, capture, alone, holders[segment])
    found = collector.found
    if entry.name == "ruby":  # `Item.new` is one reference, not a read of Item too
        made = {(item.line, item.column) for item in found if item.kind == "construct"}
        found = [item for item in found if item.kind != "read" or (item.line, item.column) not in made]
    return found, [ParsedBinding(name, "", row, holder) for (holder, name), row in collector.hidden.items()]


def _places(entry: Language, caught: Captures, definitions: Definitions) -> dict[int, tuple[int, str, bool]]:
    """End → (start, capture, whether the name was captured without its receiver); one reference a place."""
    places: dict[int, tuple[int, str, bool]] = {}
    for capture, _ in _ORDER:
        for node in caught.get(capture, ()):
            start, end = node.start_byte, node.end_byte
            known = places.get(end)
            if known is None or known[1] != capture or start < known[0]:  # the whole of a dotted name
                places[end] = (start, capture, False)
        for node in caught.get(capture + ".name", ()):
            places[node.end_byte] = (node.start_byte, capture, True)
    for end in definitions.name_ends:
        places.pop(end, None)
    statements = [
        (node.start_byte, node.end_byte)
        for node in caught.get("import", ())
        if entry.name == "elixir" or _IMPORTING.search(node.type)
    ]
    if statements:  # the names in an import are no reads
        ends = sorted(places)
        for start, end in statements:
            for place in ends[bisect_right(ends, start) : bisect_right(ends, end)]:
                if places[place][1] in ("read", "type", "call"):
                    del places[place]
    return places


class _Collector:
    """Turns captured places, in the order of their ends, into references."""

    def __init__(self, data: bytes, starts: list[int], definitions: Definitions, reach: _Reach, ends: set[int]) -> None:
        self.data, self.starts, self.definitions, self.reach, self.ends = data, starts, definitions, reach, ends
        self.found: list[ParsedReference] = []
        #: (holder, name) → line of locals that are used as if they were outer names
        self.hidden: dict[tuple[int, str], int] = {}
        self._kinds = dict(_ORDER)
        self._heads: set[int] = set()
        self._known: dict[tuple[str, str, int], bool] = {}
        self._makes = reach.entry.name in _CALL_MAKES
        self._line = 1

    def take(self, start: int, end: int, capture: str, alone: bool, holder: int) -> None:
        """Keep one place, if what it names can be outside the function that holds it."""
        entry, reach = self.reach.entry, self.reach
        if end - start > _LONGEST:
            name = _tail(self.data, end)
            if name and capture in ("call", "construct"):
                self._add(name, self._kind(capture, name), end - len(name.encode()), holder, "?")
            return
        text = self.data[start:end].decode("utf-8", "replace")
        if not alone and text.isidentifier():  # most of them, and of those most are reads of locals
            key = (capture, text, holder)
            wanted = self._known.get(key)
            if wanted is None:
                wanted = self._known[key] = reach.wanted(capture, text, holder)
            if wanted:
                kind = self._kind(capture, text)
                self._add(text, kind, start, holder, "")
                if kind == "call":
                    self._hide(holder, text)
            return
        receiver, name = split_name(text, entry.separators)
        place = end - len(name.encode("utf-8", "replace")) if receiver else start
        if alone:
            receiver, start = _before(entry, self.data, start)
        if not name or len(name) > _LONGEST:
            return
        kind = self._kind(capture, name)
        if not receiver:
            if reach.wanted(capture, name, holder):
                self._add(name, kind, place, holder, "")
            return
        head = receiver.partition(".")[0]
        if kind in ("read", "write") and not reach.wanted_on(head):
            return
        if name == "new" and entry.name == "ruby" and receiver[:1].isupper():
            receiver, _, name = receiver.rpartition(".")
            kind, place = "construct", start
        self._add(name, kind, place, holder, receiver)
        self._add_head(head, start, place, holder)

    def _kind(self, capture: str, name: str) -> ReferenceKind:
        kind = self._kinds[capture]
        return "construct" if self._makes and kind == "call" and name[0].isupper() and not name.isupper() else kind

    def _add(self, name: str, kind: ReferenceKind, place: int, holder: int, receiver: str) -> None:
        starts, row = self.starts, self._line
        while row < len(starts) and starts[row] <= place:
            row += 1
        self._line = row
        while starts[row - 1] > place:
            row -= 1
        self.found.append(ParsedReference(name, kind, row, place - starts[row - 1], holder, receiver))

    def _add_head(self, head: str, start: int, place: int, holder: int) -> None:
        """The first part of a dotted name is read, when it names something of the file or looks like a type."""
        if head == "?":
            return
        fresh = start != place and start not in self._heads and start + len(head) not in self.ends
        if fresh and (head in self.reach.visible or self.reach.type_like(head, holder)):
            self._heads.add(start)
            self._add(head, "read", start, holder, "")
        self._hide(holder, head)

    def _hide(self, holder: int, name: str) -> None:
        """Note a local variable of unknown type that hides an outer name, where it is called or has a member."""
        reach = self.reach
        if holder >= 0 and name in reach.visible and name not in reach.bound and reach.is_local(holder, name):
            self.hidden.setdefault((holder, name), self._line)


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
        self,
        entry: Language,
        definitions: Definitions,
        imports: list[tuple[ParsedImport, int]],
        bound: frozenset[str],
    ) -> None:
        brought = {item.alias or item.name for item, _ in imports if item.name}
        modules = {item.alias or item.module.partition(".")[0] for item, _ in imports if not item.name}
        self.entry, self.bound = entry, bound
        #: what a bare name can mean outside functions, and what the head of a dotted name can
        symbols = definitions.symbols
        nested = {s.name for s in symbols if s.parent >= 0 and symbols[s.parent].kind in FUNCTIONS}
        self.visible = definitions.outer_names | brought | nested
        self.heads = self.visible | modules | bound | SELF
        self.stars = any(item.name == "*" and not item.alias for item, _ in imports)
        self._definitions = definitions
        #: holder → all that is local there
        self._locals: dict[int, frozenset[str]] = {-1: frozenset()}

    def is_local(self, holder: int, name: str) -> bool:
        """Whether ``name`` is a parameter or variable of the function ``holder`` or of one around it."""
        known = self._locals.get(holder)
        if known is None:
            known = self._locals[holder] = self._definitions.locals_of(holder)
        return name in known

    def wanted(self, capture: str, name: str, holder: int) -> bool:
        """Whether a bare name is worth a reference."""
        if capture == "read" or capture == "type" or capture == "write":
            entry = self.entry
            if name in entry.builtins or len(name) < 2:
                return False
            if entry.closed and capture == "write":
                return name in self.visible
            if entry.closed and name not in self.visible:
                return self.stars and name[0].isupper() and not self.is_local(holder, name)
            return capture == "type" or not self.is_local(holder, name)
        return capture != "call" or name in self.visible or not self.is_local(holder, name)

    def wanted_on(self, head: str) -> bool:
        """Whether a member that is read or written on ``head`` is worth a reference."""
        return head in self.heads or (not self.entry.closed and head[:1].isupper())

    def type_like(self, head: str, holder: int) -> bool:
        """Whether the head of a dotted name looks like a type, in a language where it need not be imported."""
        if self.entry.closed or not head[:1].isupper() or len(head) < 2:
            return False
        return head not in self.entry.builtins and not self.is_local(holder, head)


def _tail(data: bytes, end: int) -> str:
    """The last name of a long expression that ends at ``end``."""
    text = data[max(end - 120, 0) : end].decode("utf-8", "replace")
    place = len(text)
    while place and (text[place - 1].isalnum() or text[place - 1] in "_$!?"):
        place -= 1
    return text[place:]
