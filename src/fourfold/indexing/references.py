"""References: which names a file uses, from where, on what."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

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
_MENTIONS = frozenset({"read", "type", "write"})
#: Where a capitalised name that is called makes an object.
_CALL_MAKES = frozenset({"python", "jupyter", "kotlin", "scala", "swift", "dart"})
_IMPORTING = re.compile("import|use|using|include|mod_item")
_OBJC_RECEIVER = re.compile(rb"\[\s*([\w.]+)\s+\Z")
#: What stands behind a name that is called among the tokens that a Rust macro is handed.
_IN_TOKENS = re.compile(rb"\(|![(\[{]|::<")
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
    reach = _Reach(entry, definitions, imports, bound)
    places = _places(entry, data, caught, definitions, reach)
    collector = _Collector(data, starts, reach, places)
    collector.take_all(definitions)
    found = collector.found
    if entry.name == "ruby":  # `Item.new` is one reference, not a read of Item too
        made = {(item.line, item.column) for item in found if item.kind == "construct"}
        found = [item for item in found if item.kind != "read" or (item.line, item.column) not in made]
    return found, [ParsedBinding(name, "", row, holder) for (holder, name), row in collector.hidden.items()]


def _places(
    entry: Language, data: bytes, caught: Captures, definitions: Definitions, reach: _Reach
) -> dict[int, tuple[int, str, bool]]:
    """End → (start, capture, whether the name was captured without its receiver); one reference a place.

    Names that mean nothing outside the functions that use them, which are most in some languages, are left out.
    """
    places: dict[int, tuple[int, str, bool]] = {}
    inner = _Inner(reach)
    for capture, _ in _ORDER:
        filtered = capture in _MENTIONS
        for node in caught.get(capture, ()):
            start, end = node.start_byte, node.end_byte
            known = places.get(end)
            if known is None or known[1] != capture or start < known[0]:  # the whole of a dotted name
                if filtered and inner[data[start:end]]:
                    places.pop(end, None)
                else:
                    places[end] = (start, capture, False)
        for node in caught.get(capture + ".name", ()):
            if capture != "call" or entry.name != "rust" or _IN_TOKENS.match(data, node.end_byte):
                places[node.end_byte] = (node.start_byte, capture, True)
    for end in definitions.name_ends:
        places.pop(end, None)
    statements = [
        (node.start_byte, node.end_byte)
        for node in caught.get("import", ())
        if entry.name == "elixir" or _IMPORTING.search(node.type)
    ]
    if entry.name == "rust":
        statements += [(node.start_byte, node.end_byte) for node in caught.get("attribute", ())]
    if statements:  # the names in an import are no reads, nor what an attribute is handed
        ends = sorted(places)
        for start, end in statements:
            for place in ends[bisect_right(ends, start) : bisect_right(ends, end)]:
                # in damaged code one import may stand in another
                if place in places and places[place][1] in ("read", "type", "call"):
                    del places[place]
    return places


class _Inner(dict[bytes, bool]):
    """Whether what is read, written or named as a type is a bare name that is worth no reference wherever it stands."""

    def __init__(self, reach: _Reach) -> None:
        super().__init__()
        self._reach = reach

    def __missing__(self, raw: bytes) -> bool:
        name = raw.decode("utf-8", "replace") if len(raw) <= _LONGEST else ""
        found = self[raw] = name.isidentifier() and self._reach.never(name)
        return found


class _Said(NamedTuple):
    """What an expression says, wherever it stands. ``head`` is the first part of the receiver, ``size`` that of the
    name in bytes; ``plain``: it is a name and nothing else."""

    name: str
    kind: ReferenceKind
    receiver: str
    head: str
    size: int
    plain: bool


class _Collector:
    """Turns captured places, in the order of their ends, into references."""

    def __init__(self, data: bytes, starts: list[int], reach: _Reach, places: dict[int, tuple[int, str, bool]]) -> None:
        self.data, self.starts, self.reach, self.places = data, starts, reach, places
        self.found: list[ParsedReference] = []
        #: (holder, name) → line of locals that are used as if they were outer names
        self.hidden: dict[tuple[int, str], int] = {}
        self._kinds = dict(_ORDER)
        self._heads: set[int] = set()
        self._makes = reach.entry.name in _CALL_MAKES
        self._line = 1

    def take_all(self, definitions: Definitions) -> None:
        """Keep all places at which is named what can be outside the function that holds them."""
        data, places = self.data, self.places
        edges, holders = definitions.edges, definitions.holders
        segment, segments = 0, len(edges)
        # a file says the same over and over
        known: dict[tuple[str, bytes], _Said | None] = {}
        wanted: dict[tuple[str, str, int], bool] = {}
        for end in sorted(places):
            start, capture, alone = places[end]
            while segment + 1 < segments and edges[segment + 1] < end:
                segment += 1
            holder = holders[segment]
            if end - start > _LONGEST:
                self._take_long(end, capture, holder)
                continue
            if alone:
                self._take_alone(start, end, capture, holder)
                continue
            key = (capture, data[start:end])
            try:
                said = known[key]
            except KeyError:
                said = known[key] = self._said(*key)
            if said is None:
                continue
            name, kind, receiver, _, _, plain = said
            if receiver:
                self._take_on(said, start, end, holder)
                continue
            bare = (capture, name, holder)
            if bare not in wanted:
                wanted[bare] = self.reach.wanted(*bare)
            if wanted[bare]:
                self._add(name, kind, start, holder, "")
                if kind == "call" and plain:
                    self._hide(holder, name)

    def _said(self, capture: str, raw: bytes) -> _Said | None:
        """What an expression says; None when that is of no use wherever it stands."""
        entry = self.reach.entry
        text = raw.decode("utf-8", "replace")
        receiver, name = split_name(text, entry.separators)
        if not name or len(name) > _LONGEST:
            return None
        kind = self._kind(capture, name)
        size = len(name.encode("utf-8", "replace"))
        head = receiver.partition(".")[0]
        if receiver and kind in ("read", "write") and not self.reach.wanted_on(head):
            return None
        return _Said(name, kind, receiver, head, size, text.isidentifier())

    def _take_long(self, end: int, capture: str, holder: int) -> None:
        name = _tail(self.data, end)
        if name and capture in ("call", "construct"):
            self._add(name, self._kind(capture, name), end - len(name.encode()), holder, "?")

    def _take_alone(self, start: int, end: int, capture: str, holder: int) -> None:
        """A name that was captured without its receiver."""
        reach = self.reach
        qualified, name = split_name(self.data[start:end].decode("utf-8", "replace"), reach.entry.separators)
        if not name or len(name) > _LONGEST:
            return
        size = len(name.encode("utf-8", "replace")) if qualified else end - start
        receiver, first = _before(reach.entry, self.data, start)
        kind = self._kind(capture, name)
        if not receiver:
            if reach.wanted(capture, name, holder):
                self._add(name, kind, end - size, holder, "")
            return
        head = receiver.partition(".")[0]
        if kind not in ("read", "write") or reach.wanted_on(head):
            self._take_on(_Said(name, kind, receiver, head, size, True), first, end, holder)

    def _take_on(self, said: _Said, start: int, end: int, holder: int) -> None:
        """A name on a receiver that starts at ``start``."""
        name, kind, receiver, head, size, _ = said
        place = end - size
        if name == "new" and receiver[:1].isupper() and self.reach.entry.name == "ruby":
            receiver, _, name = receiver.rpartition(".")
            kind, place = "construct", start
        self._add(name, kind, place, holder, receiver)
        if head == "?" or head.endswith(("]", ")")):
            return  # an expression, in which the name is a place of its own
        # the first part of a dotted name is read, when it names something of the file or looks like a type
        reach = self.reach
        fresh = start != place and start not in self._heads and start + len(head) not in self.places
        if fresh and (head in reach.visible or reach.type_like(head, holder)):
            self._heads.add(start)
            self._add(head, "read", start, holder, "")
        self._hide(holder, head)

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

    def never(self, name: str) -> bool:
        """Whether a bare name that is mentioned is worth no reference in any function (`wanted` in none)."""
        if name in self.visible:
            return False
        return name in self.entry.builtins or len(name) < 2 or (self.entry.closed and not self.stars)

    def wanted(self, capture: str, name: str, holder: int) -> bool:
        """Whether a bare name is worth a reference."""
        if capture in _MENTIONS:
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
