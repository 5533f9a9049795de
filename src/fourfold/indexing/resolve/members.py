"""Attributes: members of types along their bases, and what modules, folders and values offer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from fourfold.indexing.resolve.lookups import (
    CERTAIN,
    FOREIGN,
    LIKELY,
    MAYBE,
    NONE,
    NOTHING,
    TAKEN,
    UNKNOWN,
    VALUE,
    Found,
    Lookups,
)
from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.tables import TYPES, VALUES, Tables

#: Families in which a known type without such a member settles that the name is not in the root.
_CLOSED_TYPES = frozenset({"python", "javascript", "go", "java"})
#: Bases outside the root that bring no members of note.
_BARE_BASES = frozenset({"object", "Generic", "Protocol", "ABC", "Object", "Any"})


class Members(Lookups):
    """``thing.name`` for every kind of thing."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        super().__init__(tables, modules, heritage)
        self._mros: dict[int, tuple[tuple[int, ...], bool]] = {}
        self._members: dict[tuple[int, str], Found] = {}

    # ------------------------------------------------------------------ members

    def attr(self, thing: Thing, name: str, family: str) -> Found:
        """``thing.name``."""
        if thing == OUTSIDE and not isinstance(thing, str):
            return FOREIGN
        if thing is None:
            return NOTHING
        if isinstance(thing, str):
            return self.export(thing, name, family)
        if thing < 0:
            return self.member(-thing, name)
        tables = self.tables
        kind = tables.kind[thing]
        if kind == "module" and not tables.qualified[thing]:
            return self.export(thing, name, family)
        if kind in TYPES:
            return self.member(thing, name)
        if family == "javascript" and name in tables.members.get(thing, ()):
            return tables.members[thing][name], CERTAIN
        if kind in VALUES:
            value, how = self.value_of(thing)
            if value is None:
                return NOTHING
            found, step = self.attr(value, name, family)
            if how == MAYBE:
                step = {CERTAIN: LIKELY, VALUE: MAYBE}.get(step, step)
            return found, step
        return NOTHING

    def member(self, type_: int, name: str) -> Found:
        """A member of a type or of what it inherits."""
        key = (type_, name)
        known = self._members.get(key)
        if known is None:
            known = self._members[key] = self._member(*self.mro(type_), name, type_)
        return known

    def _member(self, order: Sequence[int], complete: bool, name: str, type_: int) -> Found:
        tables = self.tables
        for ancestor in order:
            names = tables.members.get(ancestor)
            if names is not None and name in names:
                return names[name], CERTAIN
            attributes = tables.attributes.get(ancestor)
            if attributes is not None:
                if name in attributes:
                    return self.attribute(attributes[name])
                if name[-2:] in TAKEN and name[:-2] in attributes:
                    taken = [
                        (text + TAKEN[name[-2:]], scope) for text, scope in attributes[name[:-2]] if text[0] == "="
                    ]
                    if taken:
                        return self.attribute(taken)
        if tables.kind.get(type_) == "type":
            return NOTHING
        if not complete:
            return FOREIGN
        file_id = tables.file.get(type_, 0)
        return UNKNOWN if tables.family.get(file_id) in _CLOSED_TYPES else NOTHING

    def attribute(self, written: list[tuple[str, int]]) -> Found:
        things: list[Found] = []
        for type_name, scope in written:
            found = self.typed([type_name], scope)
            if found[0] is not None and found not in things:
                things.append(found)
        if not things:
            return UNKNOWN
        real = [found for found in things if found[0] != OUTSIDE]
        if len(real) == 1:
            return real[0] if len(things) == 1 else (real[0][0], MAYBE)
        return UNKNOWN if real else FOREIGN

    def inherited(self, type_: int, name: str) -> Found:
        """``super().name`` in a type."""
        order, complete = self.mro(type_)
        return self._member(order[1:], complete, name, type_)

    def mro(self, type_: int) -> tuple[tuple[int, ...], bool]:
        """The type and its bases in the order of lookup, and whether all of them are in the root."""
        known = self._mros.get(type_)
        if known is not None:
            return known
        self._mros[type_] = ((type_,), True)  # a type that inherits itself ends here
        order: dict[int, None] = {type_: None}
        complete = True
        tables = self.tables
        for name, receiver in self.heritage.get(type_, ()):
            scope = tables.parent.get(type_, 0)
            base, _how = self.name_in(scope, tables.file[type_], name, receiver)
            if isinstance(base, int) and base > 0:
                base = tables.as_type(base)
            if base == OUTSIDE and name in ("object", "Generic", "Protocol", "ABC", "Object", "Any", "Exception"):
                complete = complete and name in ("object", "Generic", "Protocol", "ABC", "Object", "Any")
                continue
            if isinstance(base, int) and base > 0 and tables.kind[base] in TYPES and base != type_:
                inner, whole = self.mro(base)
                complete = complete and whole
                for ancestor in inner:
                    # As in Python's linearisation, a shared base comes after all that derive from it.
                    order.pop(ancestor, None)
                    order[ancestor] = None
            else:
                complete = False
        result = (tuple(list(order)[:200]), complete)
        self._mros[type_] = result
        return result

    def name_in(self, scope: int, file_id: int, name: str, receiver: str) -> Found:
        """A plain or dotted name used as a type or module in a scope."""
        if not receiver:
            found = self.lookup(scope, file_id, name)
            return found if found[1] != NONE else self.unique_type(self.tables.family[file_id], name)
        base, how = self.receiver(scope, file_id, receiver)
        family = self.tables.family[file_id]
        if base is None:
            return self.unique_type(family, name)
        return self.walk(base, how, [name], family)


def heritage_of(
    tables: Tables, references: Iterable[tuple[int, int, str, str, int, int, int, str]]
) -> dict[int, list[tuple[str, str]]]:
    """Type → (name, receiver) of each reference of kind inherit or implement that it holds."""
    heritage: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for _id, file_id, name, kind, line, _column, holder, receiver in references:
        if kind != "inherit" and kind != "implement":
            continue
        owner = holder
        if tables.kind.get(owner) not in TYPES or not tables.qualified.get(owner):
            inside = [s for s in tables.types_in_file.get(file_id, ()) if tables.start[s] <= line <= tables.end[s]]
            if not inside:
                continue
            owner = max(inside, key=lambda s: tables.start[s])
        heritage[owner].append((name, receiver))
    return heritage
