"""What a bare name means to the code that uses it."""

from __future__ import annotations

from fourfold.indexing.resolve.families import FOLDER_SCOPE, IMPLICIT_MEMBERS, LEXICAL, outside
from fourfold.indexing.resolve.lookups import CERTAIN, FOREIGN, LIKELY, NONE, NOTHING, TAKEN, UNKNOWN, Found, Lookups
from fourfold.indexing.resolve.modules import OUTSIDE, Modules
from fourfold.indexing.resolve.tables import CALLABLES, TYPES, VALUES, Tables

#: Families whose members are named on something only, even right in their type.
MEMBERS_APART = frozenset({"go", "rust", "javascript"})
#: Kinds that do not open a scope for what lies deeper: their members are named on something.
CLOSED = TYPES - {"module", "namespace", "object"}


class Scopes(Lookups):
    """Scopes from the inside out, then what the file imports whole, its folder, and what it includes."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        super().__init__(tables, modules, heritage)
        self._chains: dict[int, tuple[int, ...]] = {}
        self._tails: dict[int, tuple[int, ...]] = {}
        self._telling: dict[int, tuple[int, ...]] = {}
        #: those of `_above` that bring any name
        self._telling_above: dict[int, tuple[int, ...]] = {}
        self._outer: dict[tuple[int, str], Found] = {}
        self._reach: dict[int, tuple[int, ...]] = {}

    # ------------------------------------------------------------------ scopes

    def chain(self, holder: int) -> tuple[int, ...]:
        """The scopes that code in ``holder`` sees, inner first."""
        known = self._chains.get(holder)
        if known is None:
            above = self._above(self.tables.parent.get(holder, 0), 0)
            known = self._chains[holder] = self._inner(holder) + above
        return known

    def _inner(self, holder: int) -> tuple[int, ...]:
        tables = self.tables
        owner = tables.owner.get(holder)
        if tables.kind.get(holder) in TYPES and self._apart(holder):
            return ()
        return (holder, owner) if owner and self._implicit(holder) else (holder,)

    def telling(self, holder: int) -> tuple[int, ...]:
        """Those of `chain` that bring any name; most functions bring none."""
        known = self._telling.get(holder)
        if known is None:
            parent = self.tables.parent.get(holder, 0)
            above = self._telling_above.get(parent)
            if above is None:
                above = self._telling_above[parent] = self._bringing(self._above(parent, 0))
            known = self._telling[holder] = self._bringing(self._inner(holder)) + above
        return known

    def _bringing(self, scopes: tuple[int, ...]) -> tuple[int, ...]:
        tables, heritage = self.tables, self.heritage
        members, imported, binds = tables.members, tables.imported, tables.binds
        return tuple([s for s in scopes if s in members or s in imported or s in binds or s in heritage])

    def _above(self, symbol: int, depth: int) -> tuple[int, ...]:
        """The scopes that code within a member of ``symbol`` sees, from ``symbol`` on."""
        if not symbol or depth > 100:
            return ()
        known = self._tails.get(symbol)
        if known is None:
            tables = self.tables
            known = self._above(tables.parent.get(symbol, 0), depth + 1)
            kind = tables.kind.get(symbol, "")
            opens = kind not in CLOSED
            if kind in VALUES and tables.family.get(tables.file.get(symbol, 0)) in LEXICAL:
                opens = False  # an object that is written out: its members are no names for one another
            if opens or self._implicit(symbol):
                known = (symbol, *known)
            self._tails[symbol] = known
        return known

    def _apart(self, type_: int) -> bool:
        """Whether code right in a type does not see its members by their bare names."""
        tables = self.tables
        inside = tables.kind[type_] in CLOSED
        return inside and tables.family.get(tables.file.get(type_, 0), "") in MEMBERS_APART

    def _implicit(self, symbol: int) -> bool:
        return self.tables.family.get(self.tables.file.get(symbol, 0), "") in IMPLICIT_MEMBERS

    def lookup(self, holder: int, file_id: int, name: str) -> Found:
        """What a bare name means to code in ``holder``."""
        tables = self.tables
        members, imported, binds = tables.members, tables.imported, tables.binds
        for scope in self._telling.get(holder) or self.telling(holder):
            names = members.get(scope)
            if names is not None and name in names:
                imports = imported.get(scope)
                if imports is not None and name in imports:
                    return self.import_or(imports[name], names[name])
                return names[name], CERTAIN
            imports = imported.get(scope)
            if imports is not None and name in imports:
                return self.imports(imports[name])
            bound = binds.get(scope)
            if bound is not None:
                if name in bound:
                    return self.typed(bound[name], scope)
                if name[-2:] in TAKEN and name[:-2] in bound:
                    return self.typed([t + TAKEN[name[-2:]] if t[:1] == "=" else "" for t in bound[name[:-2]]], scope)
            if scope in self.heritage and tables.kind[scope] in TYPES and self._implicit(scope):
                thing, how = self.member(scope, name)
                if isinstance(thing, int) and thing > 0 and how in (LIKELY, CERTAIN):
                    return thing, how
        return self.outer(file_id, name)

    def import_or(self, indexes: list[int], own: int) -> Found:
        """A name that a scope both imports and defines (``try: import x`` / ``except ImportError: x = None``)."""
        thing, how = self.imports(indexes)
        if self.tables.kind[own] in VALUES:
            return (thing, how) if how != NONE else (own, CERTAIN)
        if isinstance(thing, int) and thing > 0 and thing != own:
            return thing, LIKELY
        return own, CERTAIN if thing == own else LIKELY

    def outer(self, file_id: int, name: str) -> Found:
        """What a name means that no scope of the file defines."""
        key = (file_id, name)
        known = self._outer.get(key)
        if known is None:
            self._outer[key] = NOTHING
            known = self._outer[key] = self._look_outside(file_id, name)
        return known

    def _look_outside(self, file_id: int, name: str) -> Found:
        tables = self.tables
        family = tables.family[file_id]
        module = tables.module_of.get(file_id, 0)
        for index in tables.stars.get(module, ()) if family != "c" else ():
            thing = self.star(index)
            if thing == OUTSIDE or thing is None:
                continue
            found, how = self.export(thing, name, family)
            if found is not None:
                return found, how
        if family == "c":
            found, how = self._through_includes(module, name)
            if how != NONE:
                return found, how
        if family in FOLDER_SCOPE:
            folder = tables.path[file_id].rpartition("/")[0]
            found, how = self.export(folder + "/" if folder else "", name, family)
            if how != NONE:
                return found, how
        if name in outside(family).names:
            return FOREIGN
        if family == "rust":
            macros = [s for s in tables.named.get(family, {}).get(name, ()) if tables.kind[s] == "macro"]
            if len(macros) == 1:
                return macros[0], LIKELY
        # A local variable or parameter that the parser had no reason to tell of, or one that a foreign `*` brings.
        return UNKNOWN if family in LEXICAL else NOTHING

    def unique_type(self, family: str, name: str) -> Found:
        """The only type of that name in the root, for families whose types need no import."""
        if family in LEXICAL or name in outside(family).names or len(name) < 2:
            return NOTHING
        found = [s for s in self.tables.named.get(family, {}).get(name, ()) if self.tables.kind[s] in TYPES]
        return (found[0], LIKELY) if len(found) == 1 else NOTHING

    def _through_includes(self, module: int, name: str) -> Found:
        tables = self.tables
        for header in self.reach(module):
            names = tables.members.get(header)
            if names and name in names:
                found = names[name]
                return self.definition(found), CERTAIN
        return NOTHING

    def share_header(self, module: int, defined: int) -> bool:
        """Whether a file and that of a C function include one file of the root, where the one learns of the other."""
        other = self.tables.module_of.get(self.tables.file[defined], 0)
        reached = self.reach(module)
        return other in reached or not set(reached).isdisjoint(self.reach(other))

    def definition(self, declared: int) -> int:
        """The body of a C function that is only declared at ``declared``, when the root has exactly one."""
        tables = self.tables
        if tables.kind[declared] not in CALLABLES or tables.end[declared] - tables.start[declared] > 1:
            return declared
        bodies = [
            s for s in tables.named["c"].get(tables.name[declared], ())
            if tables.kind[s] == "function" and tables.end[s] - tables.start[s] > 1
            and tables.file[s] != tables.file[declared]
        ]  # fmt: skip
        return bodies[0] if len(bodies) == 1 else declared

    def reach(self, module: int) -> tuple[int, ...]:
        """The files that includes of ``module`` lead to, nearest first."""
        known = self._reach.get(module)
        if known is None:
            seen = {module: None}
            queue = [module]
            for current in queue:
                for index in self.tables.stars.get(current, ()):
                    thing = self.star(index)
                    if isinstance(thing, int) and thing > 0 and thing not in seen and len(seen) < 2000:
                        seen[thing] = None
                        queue.append(thing)
            known = self._reach[module] = tuple(list(seen)[1:])
        return known
