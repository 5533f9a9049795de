"""Definitions nested: which are symbols, what they are called in full, and which of them holds a place."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from fourfold.indexing.describe import describe
from fourfold.indexing.items import (
    CLASSES,
    FUNCTIONS,
    RANK,
    SPACES,
    UNNAMED,
    VALUES,
    Captures,
    Item,
    attachable,
    pair,
    take_attributes,
)
from fourfold.languages import Language
from fourfold.model import ParsedSymbol

#: Symbols that hold the references inside them.
_HOLDERS = CLASSES | SPACES | FUNCTIONS | {"type", "macro"}
#: Values without a body in which others could be local.
_PLAIN = frozenset({"variable", "constant", "field"})
_CLAUSES = FUNCTIONS | {"macro"}
#: Languages in which one function is written as several clauses in a row.
_CLAUSED = frozenset({"haskell", "elixir"})
_SELF = frozenset({"self", "this", "cls", "@", "$this"})
#: Where a value that is set on one of these at the top of a file is a definition: `exports.x = 1`, `Foo.LIMIT = 2`.
_EXPORTING = frozenset({"javascript", "typescript", "tsx"})
_EXPORTED = re.compile(r"(?:(?:module\.)?exports|.*\.prototype|[A-Z]\w*)(?:\.|\Z)")
_UPPER = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")


@dataclass(slots=True)
class Definitions:
    """The symbols of a file, and which of them holds a place. ``spans`` are lines with attachments."""

    symbols: tuple[ParsedSymbol, ...]
    spans: tuple[tuple[int, int], ...]
    #: (first line, last line, symbol or -1) of containers that are no symbols
    scopes: tuple[tuple[int, int, int], ...]
    #: names that stand right in the file or a namespace of it
    outer_names: frozenset[str]
    name_ends: frozenset[int]
    edges: list[int]
    holders: list[int]
    locals: dict[int, set[str]]
    parents: list[int]

    def holder_at(self, place: int) -> int:
        """The innermost symbol that holds the byte at ``place``, or -1."""
        return self.holders[bisect_right(self.edges, place) - 1]

    def locals_of(self, holder: int) -> frozenset[str]:
        """All parameters and variables of the function ``holder`` and of those around it."""
        found: set[str] = set()
        while holder >= 0:
            found |= self.locals.get(holder, set())
            holder = self.parents[holder]
        return frozenset(found)


def read_definitions(entry: Language, data: bytes, caught: Captures, starts: list[int]) -> Definitions:
    """Put the captures of definitions together; ``starts`` are the byte offsets of the lines."""
    above = attachable(data, caught, starts)
    items = pair(entry, data, caught)
    if "attribute" in caught:
        take_attributes(items, above, starts)
    if entry.name in _CLAUSED:
        items = _joined(items)
    kept = _nest(entry, data, items)
    symbols = [item for item in kept if item.index >= 0 and item.kind not in ("scope", "opaque")]
    by_qualified: dict[str, int] = {}
    for item in symbols:
        if item.kind in CLASSES or item.kind in SPACES or item.kind == "type":
            by_qualified.setdefault(item.qualified, item.index)
    for item in kept:
        if item.kind == "scope":
            item.index = by_qualified.get(item.qualified, by_qualified.get(item.name, -1))
    described: list[ParsedSymbol] = []
    spans: list[tuple[int, int]] = []
    for item in symbols:
        symbol, span = describe(entry, data, starts, item, above, by_qualified)
        if 0 <= symbol.parent < len(described) and described[symbol.parent].test:
            symbol = replace(symbol, test=True)
        described.append(symbol)
        spans.append(span)
    edges, holders = _segments(kept)
    locals_: dict[int, set[str]] = {}
    for item in kept:
        if item.locals:
            locals_.setdefault(item.index, set()).update(item.locals)
    parents = [symbol.parent for symbol in described]
    result = Definitions(
        symbols=tuple(described),
        spans=tuple(spans),
        scopes=tuple(
            (bisect_right(starts, item.outer), bisect_right(starts, max(item.end - 1, item.start)), item.index)
            for item in kept
            if item.kind == "scope"
        ),
        outer_names=frozenset(
            symbol.name for symbol in described if symbol.parent < 0 or described[symbol.parent].kind in SPACES
        ),
        name_ends=frozenset(item.name_end for item in kept if item.node.type != UNNAMED),
        edges=edges,
        holders=holders,
        locals=locals_,
        parents=parents,
    )
    for node in caught.get("local", ()):
        place = node.start_byte
        holder = result.holder_at(place)
        if holder >= 0 and described[holder].kind in FUNCTIONS:
            name = data[place : node.end_byte].decode("utf-8", "replace")
            locals_.setdefault(holder, set()).add(name)
    return result


# --------------------------------------------------------------------------- nesting


def _nest(entry: Language, data: bytes, items: list[Item]) -> list[Item]:
    """Choose among captures of one name, find each item's parent, drop locals, and number the symbols."""
    best: dict[int, Item] = {}
    for item in items:
        if item.kind == "opaque" or item.name_start < 0:
            continue
        other = best.get(item.name_start)
        if other is None or RANK.get(item.kind, 99) < RANK.get(other.kind, 99):
            best[item.name_start] = item
    kept: list[Item] = []
    stack: list[Item] = []
    fields: dict[tuple[int, str], bool] = {}
    count = 0
    for item in items:
        if item.kind not in ("opaque", "scope") and best.get(item.name_start) is not item:
            continue
        while stack and stack[-1].end <= item.start:
            stack.pop()
        above = stack[-1] if stack else None
        twin = (
            above is not None
            and (item.kind == "key" or entry.name == "make")
            and (above.start, above.end) == (item.start, item.end)
        )
        if above is not None and twin:
            above = above.above  # a further name of one statement: `.a, .b { }`
        while item.node.type == "type_definition" and above is not None and above.start >= item.node.start_byte:
            above = above.above  # `typedef struct { } S, *P;`: P is none of S's members
        if item.kind in VALUES:
            above, wanted = _value_home(entry, item, above, fields)
            if not wanted:
                continue
        item.above = above
        if item.kind not in ("opaque", "scope"):
            _refine(entry, data, item, above)
            item.index = count
            count += 1
        _qualify(item)
        kept.append(item)
        if not twin:
            stack.append(item)
    return kept


def _value_home(
    entry: Language, item: Item, above: Item | None, fields: dict[tuple[int, str], bool]
) -> tuple[Item | None, bool]:
    """Where a value belongs, and whether it is a symbol at all: attributes of `self` once a class, locals never."""
    if item.prefix and entry.name == "lua" and above is None:
        return above, item.prefix not in ("self", "?")
    if item.prefix and entry.name in _EXPORTING and above is None:
        return above, bool(_EXPORTED.match(item.prefix))
    if item.prefix:
        if item.prefix not in _SELF:
            return above, False
        home = above
        while home is not None and home.kind not in CLASSES:
            home = home.above
        key = (home.start if home else -1, item.name)
        if home is None or key in fields:
            return above, False
        fields[key] = True
        item.prefix = ""
        return home, True
    while above is not None and (above.kind in _PLAIN or (above.start == item.start and above.end == item.end)):
        above = above.above
    if item.kind == "field" and above is not None and above.kind in FUNCTIONS:
        owner = above.above
        above = owner if owner is not None and owner.kind in CLASSES else above  # a constructor's parameter
    if above is not None and (above.kind in FUNCTIONS or above.kind in ("opaque", "property", "macro")):
        holder: Item | None = above
        while holder is not None and holder.kind not in FUNCTIONS:
            holder = holder.above
        if holder is not None:
            holder.locals.add(item.name)
        return above, False
    if above is not None and above.kind in CLASSES:
        fields.setdefault((above.start, item.name), True)
    return above, True


def _refine(entry: Language, data: bytes, item: Item, above: Item | None) -> None:
    """What a kind becomes from where it stands."""
    while above is not None and above.kind == "opaque":
        above = above.above
    inside_class = above is not None and (above.kind in CLASSES or (entry.name == "ruby" and above.kind == "module"))
    if item.kind == "test":
        item.kind, item.is_test = "function", True
        return
    in_type = above is not None and above.kind == "type"  # TypeScript's `type A = { b: string }`
    if item.kind == "property" and not (inside_class or in_type or item.receiver or entry.name == "ruby"):
        item.kind = "variable"
    if item.kind == "function" and (inside_class or item.receiver or _of_a_type(entry, item)):
        item.kind = "method"
    elif item.kind == "variable":
        if _UPPER.match(item.name) and len(item.name) > 1:
            item.kind = "constant"
        elif inside_class:
            item.kind = "field"
        elif b"const " in data[item.start : item.name_start] and entry.name in ("kotlin", "dart", "swift"):
            item.kind = "constant"
    elif item.kind == "field" and entry.name == "csharp" and b"const " in data[item.start : item.name_start]:
        item.kind = "constant"
    elif item.kind == "field" and _UPPER.match(item.name) and entry.name in ("java", "python", "php", "csharp"):
        item.kind = "constant" if len(item.name) > 1 else "field"


def _of_a_type(entry: Language, item: Item) -> bool:
    """Whether a C++ function outside its class (``Foo::bar``) is a method: namespaces are written in lower case."""
    return entry.name == "cpp" and item.prefix.rpartition(".")[2][:1].isupper()


def _qualify(item: Item) -> None:
    above = item.above
    while above is not None and above.kind == "opaque":
        above = above.above
    parts = [above.qualified if above else "", item.prefix if item.prefix != "?" else "", item.receiver, item.name]
    item.qualified = ".".join(part for part in parts if part)


def _joined(items: list[Item]) -> list[Item]:
    """Clauses of one function that follow one another as one definition."""
    kept: list[Item] = []
    last: dict[int, Item] = {}
    stack: list[Item] = []
    for item in items:
        while stack and stack[-1].end <= item.start:
            stack.pop()
        level = stack[-1].start if stack else -1
        before = last.get(level)
        stack.append(item)
        if before is not None and before.name == item.name and before.kind == item.kind and item.kind in _CLAUSES:
            before.end = item.end
            continue
        last[level] = item
        kept.append(item)
    return kept


# --------------------------------------------------------------------------- holders


def _segments(kept: list[Item]) -> tuple[list[int], list[int]]:
    """Places where the innermost holder changes, and the holder from there on."""
    edges, holders = [-1], [-1]
    stack: list[tuple[int, int]] = []

    def close(until: int) -> None:
        while stack and stack[-1][0] <= until:
            end, _ = stack.pop()
            edges.append(end)
            holders.append(stack[-1][1] if stack else -1)

    for item in sorted(kept, key=lambda item: (item.outer, -item.end)):
        if item.kind not in _HOLDERS:
            continue
        close(item.outer)
        index = item.index
        if index < 0 and stack:
            index = stack[-1][1]
        edges.append(item.outer)
        holders.append(index)
        stack.append((item.end, index))
    close(1 << 62)
    return edges, holders
