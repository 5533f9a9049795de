"""Definitions that nothing reaches."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from fourfold.model import Symbol
from fourfold.search.relations import BASES, CALLS, CONSTRUCTORS, TYPE_KINDS, is_unnamed
from fourfold.store.interface import Reader

DEAD_KINDS = ("function", "method", "class", "interface", "struct", "enum", "trait", "macro")
#: Files whose imports are what a package offers to others.
_FACES = frozenset({"__init__", "index", "lib", "mod"})
#: Definitions that are not asked about, but through which others are reached.
_ALSO_HOLD = ("property", "type", "field", "constant", "variable")
#: Files that only say what stands elsewhere.
_DECLARATIONS = (".pyi", ".d.ts", ".d.mts", ".d.cts")
#: What others than the class and its package may name.
_SHOWN = re.compile(r"\b(?:public|protected)\b")
_BATCH = 20_000
_MOST = 1_000_000
_BASES_WRITTEN = re.compile(r"\bclass\s+\w+[^(:{]*\((?P<python>[^)]*)\)|\b(?:extends|implements)\s+(?P<words>[^{]+)"
                            r"|\b(?:class|struct|interface|object)\s+\w+[^:{]*:\s*(?P<colon>[^{]+)")  # fmt: skip


def dead_code(
    reader: Reader, is_test: Callable[[str], bool], kinds: Sequence[str] = DEAD_KINDS, limit: int = 500
) -> list[Symbol]:
    """Definitions that nothing reaches, by path and line; ``is_test`` judges a path.

    Code reaches a definition when some file runs it or an entry point (a test, a special method, what the language or a
    framework calls) leads to it, by whatever edge, ambiguous ones included. The benefit of the doubt goes to: public
    members of a type that a package shows on its face (``__init__``, ``index``, ``lib``), and what Go, Java and C# code
    without a ``main`` shows to others; functions within a living one; what takes the place of a base's living method,
    or stands in a type with a base outside the root; and names by which some reference resolved to nothing, since that
    may be it. A member of a dead type is not listed beside it, nor a class without a name, nor what a file of
    declarations says again, nor anything in a language in which no call was resolved.
    """
    life = _Life(reader, kinds)
    life.spread(id_ for id_, symbol in life.symbols.items() if _is_entry(symbol) or symbol.test or is_test(symbol.path))
    run = {symbol.language for symbol in life.symbols.values() if symbol.name == "main" and not is_test(symbol.path)}
    life.spread(id_ for id_, symbol in life.symbols.items() if symbol.language not in run and life.is_offered(symbol))
    asked: dict[str, bool] = {}
    while True:
        doubtful = []
        for id_ in life.dead():
            name = life.symbols[id_].name
            if name not in asked:
                asked[name] = bool(reader.unresolved(name, limit=1))
            if asked[name]:
                doubtful.append(id_)
        if not doubtful:
            break
        life.spread(doubtful)
    dead = life.dead()
    found = [
        symbol
        for id_ in dead
        if (symbol := life.symbols[id_]).parent not in dead
        and symbol.language in life.spoken
        and not symbol.path.endswith(_DECLARATIONS)
        and not is_unnamed(symbol.name)
    ]
    return sorted(found, key=lambda symbol: (symbol.path, symbol.name_line))[:limit]


class _Life:
    """Which definitions are reached, spread along the edges from those that are."""

    def __init__(self, reader: Reader, kinds: Sequence[str]) -> None:
        self.kinds = frozenset(kinds)
        held = tuple(dict.fromkeys((*kinds, *_ALSO_HOLD)))
        self.symbols = {symbol.id: symbol for symbol in reader.symbols_of_kind(held, limit=_MOST)}
        spaces = {symbol.id: symbol for symbol in reader.symbols_of_kind(("module", "namespace"), limit=_MOST)}
        self.members: dict[int, list[int]] = defaultdict(list)
        #: definitions of one name in one place: overloads, branches
        self.twins: dict[tuple[str, str], list[int]] = defaultdict(list)
        for symbol in self.symbols.values():
            if symbol.parent:
                self.members[symbol.parent].append(symbol.id)
            self.twins[(symbol.path, symbol.qualified)].append(symbol.id)
        self.out: dict[int, list[int]] = defaultdict(list)
        self.bases: dict[int, set[int]] = defaultdict(set)
        self.shown: set[int] = set()
        self.spoken: set[str] = set()
        everything = {**spaces, **self.symbols}
        ids = list(everything)
        for begin in range(0, len(ids), _BATCH):
            for edge in reader.neighbours(ids[begin : begin + _BATCH], "out"):
                self.out[edge.source].append(edge.target)
                if edge.kind in BASES:
                    self.bases[edge.source].add(edge.target)
                elif edge.kind == "import":
                    if edge.path.rpartition("/")[2].partition(".")[0] in _FACES:
                        self.shown.add(edge.target)
                    # what a file defines under a name that it also imports takes its place in some case
                    own = self.twins.get((edge.path, edge.target_name.rpartition(".")[2]), ())
                    self.out[edge.target].extend(id_ for id_ in own if id_ != edge.target)
                elif edge.kind in CALLS:
                    self.spoken.add(everything[edge.source].language)
        self.derived: dict[int, list[int]] = defaultdict(list)
        for type_, bases in self.bases.items():
            for base in bases:
                self.derived[base].append(type_)
        self.foreign: dict[int, bool] = {}
        self.alive: set[int] = set()
        self.spread(spaces)

    def is_offered(self, symbol: Symbol) -> bool:
        """Whether a definition is what a library is for: in Go a capital letter shows it to others, but not from
        internal/, in Java and C# the word; what an interface holds is shown with it."""
        if symbol.language == "go":
            return symbol.name[:1].isupper() and "internal/" not in symbol.path
        if symbol.language not in ("java", "csharp"):
            return False
        owner = self.symbols.get(symbol.parent)
        in_interface = owner is not None and owner.kind == "interface"
        shown = in_interface or bool(_SHOWN.search(symbol.signature))
        if symbol.parent and (owner is None or is_unnamed(owner.name)):
            return False
        return shown and (owner is None or self.is_offered(owner))

    def dead(self) -> set[int]:
        return {
            id_
            for id_, symbol in self.symbols.items()
            if id_ not in self.alive and symbol.kind in self.kinds and not _is_special(symbol)
        }

    def spread(self, reached: Iterable[int]) -> None:
        """Mark what these reach, themselves included."""
        queue = [id_ for id_ in reached if id_ not in self.alive]
        self.alive.update(queue)
        while queue:
            current = queue.pop()
            following = [*self.out.get(current, ()), *self._along(current)]
            for id_ in following:
                if id_ not in self.alive:
                    self.alive.add(id_)
                    queue.append(id_)

    def _along(self, current: int) -> Iterable[int]:
        """What lives because ``current`` does, without an edge."""
        symbol = self.symbols.get(current)
        if symbol is None:
            return
        yield from self.twins[(symbol.path, symbol.qualified)]
        if symbol.parent in self.symbols:
            yield symbol.parent
        if symbol.kind not in TYPE_KINDS or is_unnamed(symbol.name):
            yield from self.members[current]
            yield from self._replacing(symbol)
            return
        foreign, public = self._has_foreign_base(symbol), current in self.shown
        for member in self.members[current]:
            name = self.symbols[member].name
            if (
                foreign
                or _is_special(self.symbols[member])
                or (public and name[:1] not in "_#")
                or any(
                    self.symbols[other].name == name and other in self.alive
                    for base in _all_along(self.bases, current)
                    for other in self.members.get(base, ())
                )
            ):
                yield member

    def _replacing(self, method: Symbol) -> Iterable[int]:
        """Methods of living types that take the place of a living one."""
        for type_ in _all_along(self.derived, method.parent):
            if type_ in self.alive:
                yield from (m for m in self.members[type_] if self.symbols[m].name == method.name)

    def _has_foreign_base(self, type_: Symbol) -> bool:
        if type_.id in self.foreign:
            return self.foreign[type_.id]
        self.foreign[type_.id] = False
        bases = self.bases.get(type_.id, set())
        found = self._bases_written(type_) > len(bases) or any(
            self._has_foreign_base(self.symbols[base]) for base in bases if base in self.symbols
        )
        self.foreign[type_.id] = found
        return found

    @staticmethod
    def _bases_written(type_: Symbol) -> int:
        match = _BASES_WRITTEN.search(type_.signature)
        if match is None:
            return 0
        written = match["python"] if match["python"] is not None else match["words"] or match["colon"] or ""
        written = re.sub(r"\[[^]]*\]|<[^>]*>|\bimplements\b", ",", written)
        names = {part.strip() for part in written.split(",") if part.strip() and "=" not in part}
        return len(names - {"object", "Generic"})


def _all_along(links: Mapping[int, Iterable[int]], start: int) -> list[int]:
    """All that the links lead to from ``start``, which is left out, nearest first."""
    found = {start: None}
    queue = [start]
    for current in queue:
        fresh = [other for other in links.get(current, ()) if other not in found]
        found.update(dict.fromkeys(fresh))
        queue += fresh
    return queue[1:]


def _is_special(symbol: Symbol) -> bool:
    name = symbol.name
    built = f".{symbol.qualified}".endswith(f".{name}.{name}")  # a constructor that bears its type's name
    return symbol.entry or built or name in CONSTRUCTORS or (name.startswith("__") and name.endswith("__"))


def _is_entry(symbol: Symbol) -> bool:
    return (symbol.entry and not symbol.parent) or symbol.name == "main"
