"""What imports bring in, and what a module passes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from fourfold.indexing.resolve.lookups import (
    CERTAIN,
    FOREIGN,
    LIKELY,
    MARKS,
    MAYBE,
    NONE,
    NOTHING,
    UNKNOWN,
    VALUE,
    Found,
    Lookups,
)
from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.tables import TYPES, VALUES, Tables

#: Families in which a file of the type's name stands for that type.
_FILE_IS_TYPE = frozenset({"java", "php", "elixir", "ruby", "csharp", "swift", "zig"})


class Imports(Lookups):
    """Imports by their place in the tables, and the names that modules and folders offer."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        super().__init__(tables, modules, heritage)
        self._imports: dict[int, Found] = {}
        self._stars: dict[int, Thing] = {}
        #: what the question that is being answered has asked already
        self._visited: set[tuple[Thing, str, str]] = set()
        self._exports: dict[tuple[Thing, str, str], Found] = {}

    # ------------------------------------------------------------------ imports

    def star(self, index: int) -> Thing:
        """The module that an import of everything names."""
        if index not in self._stars:
            self._stars[index] = None  # one whose path leads back to itself names nothing
            file_id, module, _name, _alias, level, *_rest = self.tables.import_rows[index]
            self._stars[index] = self.path(file_id, module, level)[0]
        return self._stars[index]

    def imports(self, indexes: Sequence[int]) -> Found:
        """What a local name means that one or several imports bind."""
        first: Found | None = None
        for index in indexes:
            thing, how = self.one_import(index)
            if thing == OUTSIDE or how == NONE or thing is None:
                continue
            if first is None:
                first = (thing, how)
            elif first[0] != thing:
                return first[0], LIKELY if first[1] == CERTAIN else first[1]
        if first is not None:
            return first
        return FOREIGN if all(self.one_import(index)[0] == OUTSIDE for index in indexes) else UNKNOWN

    def one_import(self, index: int) -> Found:
        known = self._imports.get(index)
        if known is not None:
            return known
        if ("import", index) in self.busy:
            return UNKNOWN
        self.busy.add(("import", index))
        try:
            found = self._one_import(index)
        finally:
            self.busy.discard(("import", index))
        if found[0] is not None or not self._visited:
            self._imports[index] = found
        return found

    def _one_import(self, index: int) -> Found:
        file_id, module, name, alias, level, _holder, _exported, _line = self.tables.import_rows[index]
        family = self.tables.family[file_id]
        if not name or name == "*":
            if family == "python" and alias in ("", module.partition(".")[0], module):
                module = module.partition(".")[0] if not level else module
            thing, how = self.path(file_id, module, level)
            return (thing, CERTAIN if how != NONE and thing != OUTSIDE else VALUE) if thing is not None else UNKNOWN
        thing, _how = self.path(file_id, module, level)
        if thing == OUTSIDE:
            if family == "rust" and not module:
                return self.outer(file_id, name)
            return FOREIGN
        if thing is None:
            return UNKNOWN
        if family == "javascript" and name == "default":
            return self.default_of(thing, alias)
        found, how = self.attr(thing, name, family)
        if found is None:
            child = self.modules.child(thing, name, family)
            return UNKNOWN if child is None else (child, CERTAIN)
        return found, how

    def path(self, file_id: int, module: str, level: int) -> Found:
        """A module path that may go on into a type (``crate::shape::Kind``, ``a.b.Outer``)."""
        family = self.tables.family[file_id]
        thing = self.modules.find(file_id, module, level)
        if family in _FILE_IS_TYPE and isinstance(thing, int) and thing > 0:
            last = re.split(r"[.:/\\]+", module)[-1]
            inner = self.tables.members.get(thing, {}).get(last)
            if inner and self.tables.kind[inner] in TYPES:
                return inner, CERTAIN
        if (thing is None or thing == OUTSIDE) and family in ("rust", "java", "python") and module:
            parts = [part for part in re.split(r"::|\.", module) if part]
            if family == "rust" and len(parts) > 1 and parts[0] not in ("crate", "self", "super"):
                start, how = self.lookup(self.tables.module_of.get(file_id, 0), file_id, parts[0])
                if how in (LIKELY, CERTAIN) and start:
                    return self.walk(start, how, parts[1:], family)
            if len(parts) > 1:
                base, how = self.path(file_id, ".".join(parts[:-1]), level)
                if base is not None and base != OUTSIDE:
                    return self.walk(base, CERTAIN, parts[-1:], family)
        return thing, NONE if thing is None else CERTAIN

    def walk(self, thing: Thing, how: int, parts: Iterable[str], family: str) -> Found:
        for part in parts:
            if part[-1:] in MARKS:
                found, step = self.follow(part, thing, family, partial(self.attr, thing, family=family))
            else:
                found, step = self.attr(thing, part, family)
                if step == NONE:
                    child = self.modules.child(thing, part, family)
                    if child is not None:
                        found, step = child, CERTAIN
            if step in (LIKELY, MAYBE) or how in (LIKELY, MAYBE):
                step = MAYBE if step in (VALUE, MAYBE) else LIKELY if step else NONE
            thing, how = found, step
            if thing is None or thing == OUTSIDE:
                return thing, how
        return thing, how

    def export(self, thing: Thing, name: str, family: str) -> Found:
        """What a module or folder offers under ``name``: its own, what it imports, what it passes on."""
        key = (thing, name, family)
        known = self._exports.get(key)
        if known is not None:
            return known
        first = not self._visited
        if key in self._visited:
            return NOTHING  # modules that pass on one another's names: each is asked once
        self._visited.add(key)
        try:
            found = self._export(thing, name, family)
        finally:
            if first:
                self._visited.clear()
        if first or found[1] != NONE:
            self._exports[key] = found
        return found

    def _export(self, thing: Thing, name: str, family: str) -> Found:
        tables = self.tables
        if isinstance(thing, str):
            hits = []
            for folder in thing.split("|"):
                for module in self.modules.in_folder.get((folder, family), ()):
                    own = tables.members.get(module, {}).get(name)
                    if own:
                        hits.append(own)
            if hits:
                return (hits[0], CERTAIN) if len(hits) == 1 else (self._main(hits), LIKELY)
            return NOTHING
        if not isinstance(thing, int) or thing <= 0:
            return NOTHING
        names = tables.members.get(thing)
        imports = tables.imported.get(thing, {}).get(name)
        if names is not None and name in names:
            return self.import_or(imports, names[name]) if imports else (names[name], CERTAIN)
        if imports:
            found, how = self.imports(imports)
            if found is not None:
                return found, how
            child = self.modules.child(thing, name, family)
            if child is not None:
                return child, CERTAIN
        foreign = False
        # A later star takes the place of an earlier one; a module of that name is what is left.
        for index in reversed(tables.stars.get(thing, ())):
            passed = self.star(index)
            if passed == OUTSIDE or passed is None:
                foreign = True
            elif passed != thing:
                found, how = self.attr(passed, name, family)
                if isinstance(found, int) and found > 0 and tables.kind[found] in VALUES:
                    # A variable named as a module beside it is seldom what that module passes on.
                    child = self.modules.child(thing, name, family)
                    if child is not None:
                        return child, CERTAIN
                if found is not None:
                    return found, how
        child = self.modules.child(thing, name, family)
        if child is not None:
            return child, CERTAIN
        bound = tables.binds.get(thing, {}).get(name)
        if bound:
            return self.typed(bound, thing)
        if imports:
            return UNKNOWN
        return FOREIGN if foreign and family == "python" else NOTHING

    def _main(self, symbols: list[int]) -> int:
        """The one to show of several definitions of a package: outside tests, then by path."""
        tables = self.tables
        paths = ((tables.path[tables.file[symbol]], symbol) for symbol in symbols)
        return min(paths, key=lambda item: ("test" in item[0], item[0], tables.start[item[1]]))[1]

    def default_of(self, module: Thing, alias: str) -> Found:
        """What a JavaScript module exports as default: what it says, else what bears the local or the file's name."""
        if not isinstance(module, int) or module <= 0:
            return UNKNOWN
        found, how = self.export(module, "default", "javascript")
        if how != NONE:
            return found, how
        names = self.tables.members.get(module, {})
        stem = self.tables.path[self.tables.file[module]].rpartition("/")[2].partition(".")[0]
        for name in (alias, stem):
            if name in names:
                return names[name], LIKELY
        return module, MAYBE
