"""The verdict on each reference, from what its name means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from fourfold.indexing.resolve.families import IMPLICIT_MEMBERS, LEXICAL, OVERLOADS, outside
from fourfold.indexing.resolve.lookups import CERTAIN, LIKELY, MAYBE, NONE, UNKNOWN, VALUE
from fourfold.indexing.resolve.members import heritage_of
from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.names import Names
from fourfold.indexing.resolve.tables import CALLABLES, TYPES, VALUES, Tables
from fourfold.store.interface import EdgeRow, GraphInput

#: (kind, certainty, targets)
Verdict = tuple[str, str, tuple[int, ...]]

#: An ambiguous reference keeps at most this many candidates; one with more says nothing about any of them.
MOST_CANDIDATES = 20
_MOST_ATTRIBUTES = 5
#: Families in which a field and a method of one type may bear one name, and a field is not called as a method is.
_FIELDS_APART = frozenset({"rust", "java"})
#: Families in which a case of an enum can be named without the enum (``.red``).
_CASES_ON_NOTHING = frozenset({"swift", "zig"})
#: How a family says "the base's own", and the others.
SUPER = {"php": ("parent",), "csharp": ("base",), "rust": (), "go": (), "c": ()}
PLAIN_SUPER = ("super()", "super")
#: Names that, called, make something of the type around, or call its constructor.
CONSTRUCTORS = frozenset({"cls", "super", "this", "self", "Self"})
_TYPE_KINDS = frozenset({"construct", "inherit", "implement"})
#: What a definition says of itself is looked up outside it.
OUTSIDE_KINDS = ("inherit", "implement", "decorate")
_BUILDABLE = frozenset({"class", "struct", "enum", "type", "interface", "trait", "object"})


class Edges:
    """Resolves references against one `GraphInput`."""

    def __init__(self, graph: GraphInput) -> None:
        self.graph = graph
        self.tables = Tables(graph)
        self.modules = Modules(graph, self.tables)
        self.names = Names(self.tables, self.modules, heritage_of(self.tables, graph.references))
        self._attributes: dict[tuple[Thing, bool, str, str, str], tuple[Verdict | None, bool]] = {}
        self._bases: frozenset[int] | None = None
        self._by_members: dict[tuple[str, str, str, bool], Verdict | None] = {}
        self.in_tests = {file_id for file_id, path in self.tables.path.items() if "test" in path}
        stubs = {file_id for file_id, path in self.tables.path.items() if path.endswith((".d.ts", ".d.mts", ".pyi"))}
        self._stubs = {row[0] for row in graph.symbols if row[1] in stubs} if stubs else set()
        #: definitions that are only a part of another of the same name in the same scope
        self._parts = {
            row[6] for row in graph.references
            if row[3] == "decorate" and row[2] in ("overload", "setter", "getter", "deleter", "register", "property")
        }  # fmt: skip
        #: file → (import's line, index)
        self.import_lines: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, row in enumerate(graph.imports):
            self.import_lines[row[0]][row[7]].append(index)

    def all(self) -> list[EdgeRow]:
        return self.of(self.graph.references)

    def of(self, references: Iterable[tuple[int, int, str, str, int, int, int, str]]) -> list[EdgeRow]:
        """The edges of some references, which need not be those of the graph."""
        edges: list[EdgeRow] = []
        for id_, file_id, name, kind, line, _column, holder, receiver in references:
            verdict = self.answer(file_id, holder, name, receiver, kind, line)
            if verdict is not None:
                kind, certainty, targets = verdict
                edges.extend((id_, holder, target, kind, certainty) for target in targets)
        return edges

    def answer(self, file_id: int, holder: int, name: str, receiver: str, kind: str, line: int) -> Verdict | None:
        """The verdict on a reference wherever it stands; see `solve`."""
        if kind == "import":
            return self.solve_import(file_id, holder, name, receiver, line)
        turns = self.tables.turns
        if receiver and holder in turns and receiver.partition(".")[0] in turns[holder]:
            return self.solve_in_turn(file_id, holder, name, receiver, kind, line)
        return self.solve(file_id, holder, name, receiver, kind)

    def solve(self, file_id: int, holder: int, name: str, receiver: str, kind: str) -> Verdict | None:
        """The verdict on ``receiver.name`` in ``holder``, or None when it is outside the root."""
        names, tables = self.names, self.tables
        family = tables.family.get(file_id)
        if family is None:
            return None
        if not receiver:
            if name in CONSTRUCTORS and kind in ("call", "construct"):
                return self._constructor(holder, name, family)
            return self.bare(file_id, self.seen_from(holder, kind), name, kind)
        if receiver in SUPER.get(family, PLAIN_SUPER) and (type_ := tables.enclosing_type(holder)):
            thing, how = names.inherited(type_, name)
            return self._meant(thing, how, kind, family, name)
        base, how = names.receiver(holder, file_id, receiver)
        inside = isinstance(base, int) and base != 0 and abs(base) == tables.enclosing_type(holder)
        return self.on(base, how in (LIKELY, MAYBE), inside, file_id, name, kind)

    def seen_from(self, holder: int, kind: str) -> int:
        """The scope where a bare name in ``holder`` is looked up: a class's bases and decorators stand outside it."""
        if kind in OUTSIDE_KINDS and self.tables.qualified.get(holder):
            return self.tables.parent.get(holder, 0) or holder
        return holder

    def bare(self, file_id: int, scope: int, name: str, kind: str) -> Verdict | None:
        """The verdict on a name without a receiver that is looked up in ``scope``."""
        family = self.tables.family[file_id]
        thing, how = self.names.lookup(scope, file_id, name)
        if how == NONE:
            return self._by_name(file_id, family, name, kind)
        return self._meant(thing, how, kind, family, name)

    def _meant(self, thing: Thing, how: int, kind: str, family: str, name: str) -> Verdict | None:
        if how not in (LIKELY, CERTAIN) or not isinstance(thing, int) or thing <= 0:
            return None
        return self._verdict(thing, kind, how == CERTAIN, family, name)

    def on(self, base: Thing, unsure: bool, inside: bool, file_id: int, name: str, kind: str) -> Verdict | None:
        """The verdict on ``base.name``, written ``inside`` the type that the base is or is an instance of, or not."""
        family = self.tables.family[file_id]
        if inside and isinstance(base, int) and self.names.member(abs(base), name) == UNKNOWN:
            return self._below(abs(base), file_id, name, kind, family)
        return self._on(base, unsure, file_id, name, kind, family)

    def _below(self, type_: int, file_id: int, name: str, kind: str, family: str) -> Verdict | None:
        """What ``self.name`` means when neither the type nor a base has it: then those that derive from it must."""
        tables = self.tables
        found = []
        for symbol in tables.named.get(family, {}).get(name, ()) if type_ in self._based() else ():
            owner = tables.owner.get(symbol) or tables.parent.get(symbol, 0)
            if tables.kind.get(owner) in TYPES and type_ in self.names.mro(owner)[0]:
                found.append(symbol)
        if not found:
            return self._by_member(file_id, family, name, kind)
        return self._choose(file_id in self.in_tests, found, kind, MOST_CANDIDATES)

    def _based(self) -> frozenset[int]:
        """The types that others derive from."""
        if self._bases is None:
            names = self.names
            self._bases = frozenset(base for type_ in list(names.heritage) for base in names.mro(type_)[0][1:])
        return self._bases

    def solve_in_turn(
        self, file_id: int, holder: int, name: str, receiver: str, kind: str, line: int
    ) -> Verdict | None:
        """As `solve`, where the receiver starts with a local name that is bound to several types in turn.

        The last binding above the reference counts, as `likely`: what a branch or loop does is not followed.
        """
        head, _, rest = receiver.partition(".")
        above = [item for item in self.tables.turns[holder][head] if item[0] < line]
        if not above:
            return self.solve(file_id, holder, name, receiver, kind)
        family = self.tables.family[file_id]
        thing: Thing = None
        how = NONE
        for _line, type_name in sorted(above, key=lambda item: -item[0]):
            thing, how = self.names.typed([type_name], holder)
            if type_name[:1] not in ("=", "?") or (thing is not None and thing != OUTSIDE):
                break  # what is taken over from a name of unknown type says nothing against what stood there before
        if thing is not None and rest:
            thing, how = self.names.walk(thing, how, rest.split("."), family)
        return self._on(thing, True, file_id, name, kind, family)

    def _on(self, base: Thing, unsure: bool, file_id: int, name: str, kind: str, family: str) -> Verdict | None:
        """The verdict on ``base.name``; by the name alone if the base is unknown or has none such."""
        if base == OUTSIDE and not isinstance(base, str):
            return None
        key = (base, unsure, name, kind, family)
        try:
            verdict, named = self._attributes[key]
        except KeyError:
            verdict, named = self._attributes[key] = self._attribute(*key)
        return self._by_member(file_id, family, name, kind) if named else verdict

    def _attribute(self, base: Thing, unsure: bool, name: str, kind: str, family: str) -> tuple[Verdict | None, bool]:
        """The verdict on ``base.name``, and whether only the name is left to go by."""
        if base is None:
            return None, True
        thing, how = self.names.attr(base, name, family)
        if how == NONE:
            thing = self.modules.child(base, name, family)
            if thing is None:
                return None, True
            how = CERTAIN
        if how not in (LIKELY, CERTAIN) or not isinstance(thing, int) or thing <= 0:
            return None, False
        return self._verdict(thing, kind, how == CERTAIN and not unsure, family, name), False

    def _verdict(self, target: int, kind: str, sure: bool, family: str, name: str) -> Verdict | None:
        tables = self.tables
        target_kind = tables.kind[target]
        if target_kind == "module" and not tables.qualified[target] and kind in ("call", "construct"):
            if family != "javascript":
                return None
            thing, how = self.names.default_of(target, name)
            if not isinstance(thing, int) or thing <= 0 or how not in (LIKELY, CERTAIN):
                return None
            target, sure = thing, sure and how == CERTAIN
            target_kind = tables.kind[target]
        if family == "rust" and kind == "implement" and target_kind != "trait":
            return None  # `derive(Debug)` names a macro, and what is implemented is a trait
        if kind == "call" and target_kind in _BUILDABLE:
            kind = "construct"
        twins = tables.twins.get((tables.owner.get(target) or tables.parent.get(target, 0), tables.name[target]))
        if twins and family in _FIELDS_APART:
            # Fields and methods have names of their own: a call means the method, a read the field.
            wanted = CALLABLES if kind == "call" else VALUES
            own = [twin for twin in twins if tables.kind[twin] in wanted]
            if kind in ("call", "read", "write") and own:
                twins, target = own, own[-1]
                target_kind = tables.kind[target]
        if kind == "call" and family in _FIELDS_APART and target_kind in ("field", "property", "variable"):
            return None
        if twins and family == "python" and target_kind in VALUES and kind in _TYPE_KINDS | {"call", "decorate"}:
            # Bound anew in some branch, or by its own decoration: what can be called is meant.
            own = [twin for twin in twins if tables.kind[twin] not in VALUES]
            if own:
                return self._verdict_on(own, kind)
        if twins and len(twins) > 1 and target_kind in CALLABLES:
            if family in OVERLOADS:
                bodies = [
                    twin for twin in twins
                    if family != "c" or tables.end[twin] > tables.start[twin] or tables.kind[twin] == "macro"
                ]  # fmt: skip
                bodies = bodies or twins
                if len(bodies) > 1:
                    return kind, "likely", tuple(bodies[:MOST_CANDIDATES])
                target = bodies[0]
            elif family == "rust":
                return kind, "ambiguous", tuple(twins[:MOST_CANDIDATES])
            elif family == "python":
                # Stubs of overloads and the parts of a property stand for the last; branches define it anew.
                own = [twin for twin in twins if twin not in self._parts]
                if len(own) > 1:
                    return self._verdict_on(own, kind)
        return kind, "certain" if sure else "likely", (target,)

    def _verdict_on(self, several: list[int], kind: str) -> Verdict:
        """All definitions of one name in one scope: each may be the one, but no other can."""
        if kind == "call" and all(self.tables.kind[s] in _BUILDABLE for s in several):
            kind = "construct"
        return kind, "likely", tuple(several[:MOST_CANDIDATES])

    def _constructor(self, holder: int, name: str, family: str) -> Verdict | None:
        """``cls()``, and ``super(…)`` or ``this(…)`` as a call of a constructor."""
        tables = self.tables
        owner = tables.enclosing_type(holder)
        if not owner or (family == "python" and name == "super"):
            return None
        if name in ("cls", "Self"):
            return "construct", "certain", (owner,)
        for wanted in ("constructor", "init", "__construct", "initialize"):
            look = self.names.inherited if name == "super" else self.names.member
            thing, how = look(owner, wanted)
            if isinstance(thing, int) and thing > 0 and how == CERTAIN:
                return "call", "certain", (thing,)
        return None

    # ------------------------------------------------------------------ by name alone

    def _by_name(self, file_id: int, family: str, name: str, kind: str) -> Verdict | None:
        """A bare name that nothing in scope defines: the only such definition in the root, or all of them."""
        if family in LEXICAL and not (family == "rust" and kind in _TYPE_KINDS):
            return None
        tables = self.tables
        implicit = family in IMPLICIT_MEMBERS
        found = []
        for symbol in tables.named.get(family, {}).get(name, ()):
            symbol_kind = tables.kind[symbol]
            if kind == "implement" and family == "rust":
                fits = symbol_kind == "trait"
            elif kind in _TYPE_KINDS:
                fits = symbol_kind in TYPES
            elif kind == "call":
                fits = symbol_kind in ("function", "macro") or symbol_kind in _BUILDABLE
                if symbol_kind == "method" and implicit and not tables.enclosing_type(symbol):
                    fits = True
            else:
                fits = symbol_kind not in ("method", "field", "property")
            if fits:
                found.append(symbol)
        if family == "c" and found:
            found = [s for s in found if tables.end[s] > tables.start[s]] or found
            module = tables.module_of.get(file_id, 0)
            if len(found) == 1 and kind == "call" and self.names.share_header(module, found[0]):
                return kind, "certain", (found[0],)
            here = [s for s in found if _folder(tables.path[tables.file[s]]) == _folder(tables.path[file_id])]
            found = here if len(here) == 1 else found
        return self._choose(file_id in self.in_tests, found, kind, MOST_CANDIDATES)

    def _by_member(self, file_id: int, family: str, name: str, kind: str) -> Verdict | None:
        """A member of a value of unknown type: the only such member in the root, or all of them."""
        key = (family, name, kind, file_id in self.in_tests)
        try:
            return self._by_members[key]
        except KeyError:
            verdict = self._by_members[key] = self._look_for_member(*key)
            return verdict

    def _look_for_member(self, family: str, name: str, kind: str, in_test: bool) -> Verdict | None:
        if name in outside(family).methods or name.startswith("__"):
            return None
        tables = self.tables
        calling = kind in ("call", "construct")
        found = []
        for symbol in tables.named.get(family, {}).get(name, ()):
            owner = tables.owner.get(symbol) or tables.parent.get(symbol, 0)
            if tables.kind.get(owner) not in TYPES or not tables.qualified.get(owner):
                continue
            if family == "rust" and tables.kind[owner] == "module":
                continue  # named by its path
            symbol_kind = tables.kind[symbol]
            if symbol_kind == "constant" and tables.kind[owner] == "enum" and family not in _CASES_ON_NOTHING:
                continue  # named on its enum, never on a value
            if symbol_kind in CALLABLES or symbol_kind in (TYPES if calling else VALUES):
                found.append(symbol)
        return self._choose(in_test, found, kind, MOST_CANDIDATES if calling else _MOST_ATTRIBUTES)

    def _choose(self, in_test: bool, found: list[int], kind: str, most: int) -> Verdict | None:
        tables = self.tables
        if any(s in self._stubs for s in found):
            # What a file of declarations says is said again, with a body, by the code that it declares.
            found = [s for s in found if s not in self._stubs]
        if len(found) > 1 and not in_test:
            # Code outside tests does not name what only tests define.
            found = [s for s in found if tables.file[s] not in self.in_tests] or found
        if not found or len(found) > most:
            return None
        if kind == "call" and all(tables.kind[s] in _BUILDABLE for s in found):
            kind = "construct"
        first = self._first_declared(found) if len(found) > 1 else None
        if first is not None:
            found = [first]
        return kind, "likely" if len(found) == 1 else "ambiguous", tuple(found)

    def _first_declared(self, found: list[int]) -> int | None:
        """Of methods that all override one of them, that one: whatever the value is, it answers by that contract."""
        tables = self.tables
        owners = {symbol: tables.owner.get(symbol) or tables.parent.get(symbol, 0) for symbol in found}
        for symbol, owner in owners.items():
            if tables.kind.get(owner) == "interface" and tables.family[tables.file[symbol]] == "javascript":
                continue  # whatever has its shape fits, so nothing says that this is meant
            if all(owner in self.names.mro(other)[0] for other in owners.values()):
                return symbol if list(owners.values()).count(owner) == 1 else None
        return None

    # ------------------------------------------------------------------ imports

    def solve_import(self, file_id: int, holder: int, name: str, receiver: str, line: int) -> Verdict | None:
        """The modules and the symbol that one imported name stands for."""
        tables = self.tables
        rows = self.graph.imports
        indexes = self.import_lines[file_id].get(line, [])
        matching = [i for i in indexes if name in (rows[i][2], rows[i][3]) or _names_module(rows[i][1], name)]
        if not matching:
            scoped = tables.imported.get(holder, {}).get(name, [])
            matching = [i for i in scoped if rows[i][0] == file_id] or (indexes if len(indexes) == 1 else [])
        targets: dict[int, None] = {}
        sure = True
        for index in matching:
            _file, module, imported, alias, level, _holder, _exported, _line = rows[index]
            if receiver and receiver.strip(".") and module and not _same_module(receiver, module):
                continue
            for thing, how in self._named_by(file_id, module, imported, alias, level, index):
                if isinstance(thing, int) and thing > 0 and how != NONE:
                    targets[thing] = None
                    sure = sure and how in (CERTAIN, VALUE)
                elif isinstance(thing, str):
                    family = tables.family[file_id]
                    for folder in thing.split("|") if family == "go" or imported == "*" else []:
                        for symbol in self.modules.in_folder.get((folder, family), ())[:MOST_CANDIDATES]:
                            if "_test." not in tables.path[tables.file[symbol]]:
                                targets[symbol] = None
        own = tables.module_of.get(file_id)
        found = tuple(target for target in targets if target != own)[:MOST_CANDIDATES]
        if not found:
            return None
        return "import", "certain" if sure else "likely", found

    def _named_by(
        self, file_id: int, module: str, imported: str, alias: str, level: int, index: int
    ) -> list[tuple[Thing, int]]:
        names = self.names
        family = self.tables.family[file_id]
        found: list[tuple[Thing, int]] = []
        if imported and imported != "*":
            found.append(names.one_import(index))
        if family == "python" and not level:
            parts = module.split(".")
            for count in range(1, len(parts) + 1):
                found.append((self.modules.find(file_id, ".".join(parts[:count]), 0), CERTAIN))
        elif family == "java" and imported and imported != "*":
            pass
        else:
            thing = self.modules.find(file_id, module, level)
            found.append((thing, CERTAIN if thing is not None else NONE))
            if not imported:
                found.append(names.one_import(index))
        if len(found) > 1 and found[0][0] in (None, OUTSIDE):
            found = found[1:]
        return [(thing, how if how != VALUE else CERTAIN) for thing, how in found]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _names_module(module: str, name: str) -> bool:
    """Whether ``name`` is how an import reference may call ``module``: itself, its first or its last part."""
    if module == name:
        return True
    for mark in ("::", "\\", "/"):
        module = module.replace(mark, ".")
    parts = [part for part in module.split(".") if part]
    return bool(parts) and name in (parts[0], parts[-1], ".".join(parts))


def _same_module(left: str, right: str) -> bool:
    left, right = left.strip("./\"'<>"), right.strip("./\"'<>")
    return left == right or left.endswith(right) or right.endswith(left)
