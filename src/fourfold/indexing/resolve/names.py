"""What a name means: scopes, imports, members along the bases, and types where they are written or plain.

Every lookup answers ``(thing, how)``. The thing is explained in `modules.Thing`; how it was found is one of
`NONE`, `LIKELY` and `CERTAIN` (a symbol), `VALUE` and `MAYBE` (a value or outside name: nothing to point at).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from fourfold.indexing.resolve.families import FOLDER_SCOPE, IMPLICIT_MEMBERS, LEXICAL, outside
from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.tables import CALLABLES, TYPES, VALUES, Tables

NONE, LIKELY, CERTAIN, VALUE, MAYBE = range(5)
Found = tuple[Thing, int]
_NOTHING: Found = (None, NONE)
_OUTSIDE: Found = (OUTSIDE, VALUE)
_UNKNOWN: Found = (None, VALUE)

#: Types that stand for the value inside them.
_WRAPPERS = frozenset(
    "Optional Annotated Final ClassVar Required NotRequired Box Arc Rc Pin unique_ptr shared_ptr const typing"
    " Readonly Partial Required NonNullable Awaited".split()
)
_TYPE_WORD = re.compile(r"[\w$]+(?:(?:\.|::|\\)[\w$]+)*(?:\(\))?")
#: Families in which a file of the type's name stands for that type.
_FILE_IS_TYPE = frozenset({"java", "php", "elixir", "ruby", "csharp", "swift", "zig"})
#: Families in which a known type without such a member settles that the name is not in the root.
_CLOSED_TYPES = frozenset({"python", "javascript", "go", "java"})


class Names:
    """Lookups over the tables; everything that may be asked twice is remembered."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        self.tables = tables
        self.modules = modules
        #: type → (name, receiver) of what it inherits or implements, in order
        self.heritage = heritage
        self._chains: dict[int, tuple[int, ...]] = {}
        self._outer: dict[tuple[int, str], Found] = {}
        self._imports: dict[int, Found] = {}
        self._busy: set[object] = set()
        self._mros: dict[int, tuple[tuple[int, ...], bool]] = {}
        self._members: dict[tuple[int, str], Found] = {}
        self._receivers: dict[tuple[int, str], Found] = {}
        self._values: dict[int, Found] = {}
        self._types: dict[tuple[str, int], Found] = {}
        self._exports: dict[tuple[Thing, str, str], Found] = {}
        self._reach: dict[int, tuple[int, ...]] = {}
        for method, owner_name in tables.orphans:
            module = tables.module_of.get(tables.file[method], 0)
            owner, _how = self.lookup(module, tables.file[method], owner_name)
            if isinstance(owner, int) and owner > 0 and tables.kind[owner] in TYPES:
                tables.adopt(method, owner)
        self._chains.clear()
        self._outer.clear()

    # ------------------------------------------------------------------ scopes

    def chain(self, holder: int) -> tuple[int, ...]:
        """The scopes that code in ``holder`` sees, inner first."""
        known = self._chains.get(holder)
        if known is not None:
            return known
        tables = self.tables
        family = tables.family.get(tables.file.get(holder, 0), "")
        scopes = [holder]
        symbol = holder
        for _ in range(100):
            owner = tables.owner.get(symbol)
            if owner and family in IMPLICIT_MEMBERS:
                scopes.append(owner)
            symbol = tables.parent.get(symbol, 0)
            if not symbol:
                break
            kind = tables.kind.get(symbol, "")
            if kind in TYPES and kind not in ("module", "namespace", "object") and family not in IMPLICIT_MEMBERS:
                continue
            scopes.append(symbol)
        self._chains[holder] = result = tuple(scopes)
        return result

    def lookup(self, holder: int, file_id: int, name: str) -> Found:
        """What a bare name means to code in ``holder``."""
        tables = self.tables
        members, imported, binds = tables.members, tables.imported, tables.binds
        for scope in self._chains.get(holder) or self.chain(holder):
            names = members.get(scope)
            if names is not None and name in names:
                found = names[name]
                imports = imported.get(scope)
                if imports is not None and name in imports:
                    return self._import_or(imports[name], found)
                return found, CERTAIN
            imports = imported.get(scope)
            if imports is not None and name in imports:
                return self.imports(imports[name])
            bound = binds.get(scope)
            if bound is not None and name in bound:
                return self.typed(bound[name], scope)
            if tables.kind.get(scope) in TYPES and scope in self.heritage and tables.qualified.get(scope):
                if tables.family[file_id] not in IMPLICIT_MEMBERS:
                    continue
                thing, how = self.member(scope, name)
                if isinstance(thing, int) and thing > 0 and how in (LIKELY, CERTAIN):
                    return thing, how
        return self.outer(file_id, name)

    def _import_or(self, indexes: list[int], own: int) -> Found:
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
            known = self._outer[key] = self._look_outside(file_id, name)
        return known

    def _look_outside(self, file_id: int, name: str) -> Found:
        tables = self.tables
        family = tables.family[file_id]
        module = tables.module_of.get(file_id, 0)
        foreign = False
        for index in tables.stars.get(module, ()):
            thing = self.star(index)
            if thing == OUTSIDE or thing is None:
                foreign = True
                continue
            if family == "c":
                continue
            found, how = self.export(thing, name, family)
            if how != NONE:
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
        if name in outside(family).names or (family in LEXICAL and (foreign or family != "rust")):
            return _OUTSIDE
        if family in LEXICAL:
            candidates = [s for s in tables.named.get(family, {}).get(name, ()) if tables.kind[s] == "macro"]
            return (candidates[0], LIKELY) if len(candidates) == 1 else _NOTHING
        return _NOTHING

    def unique_type(self, family: str, name: str) -> Found:
        """The only type of that name in the root, for families whose types need no import."""
        if family in LEXICAL or name in outside(family).names or len(name) < 2:
            return _NOTHING
        found = [s for s in self.tables.named.get(family, {}).get(name, ()) if self.tables.kind[s] in TYPES]
        return (found[0], LIKELY) if len(found) == 1 else _NOTHING

    def _through_includes(self, module: int, name: str) -> Found:
        tables = self.tables
        for header in self.reach(module):
            names = tables.members.get(header)
            if names and name in names:
                found = names[name]
                return self.definition(found), CERTAIN
        return _NOTHING

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

    # ------------------------------------------------------------------ imports

    def star(self, index: int) -> Thing:
        file_id, module, _name, _alias, level, *_rest = self.tables.import_rows[index]
        return self._path(file_id, module, level)[0]

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
        return _OUTSIDE if all(self.one_import(index)[0] == OUTSIDE for index in indexes) else _UNKNOWN

    def one_import(self, index: int) -> Found:
        known = self._imports.get(index)
        if known is not None:
            return known
        if ("import", index) in self._busy:
            return _UNKNOWN
        self._busy.add(("import", index))
        try:
            found = self._one_import(index)
        finally:
            self._busy.discard(("import", index))
        self._imports[index] = found
        return found

    def _one_import(self, index: int) -> Found:
        file_id, module, name, alias, level, _holder, _exported, _line = self.tables.import_rows[index]
        family = self.tables.family[file_id]
        if not name or name == "*":
            if family == "python" and alias in ("", module.partition(".")[0], module):
                module = module.partition(".")[0] if not level else module
            thing, how = self._path(file_id, module, level)
            return (thing, CERTAIN if how != NONE and thing != OUTSIDE else VALUE) if thing is not None else _UNKNOWN
        thing, _how = self._path(file_id, module, level)
        if thing == OUTSIDE:
            if family == "rust" and not module:
                return self.outer(file_id, name)
            return _OUTSIDE
        if thing is None:
            return _UNKNOWN
        if family == "javascript" and name == "default":
            return self.default_of(thing, alias)
        found, how = self.attr(thing, name, family)
        if how == NONE:
            child = self.modules.child(thing, name, family)
            if child is not None:
                return child, CERTAIN
            return _UNKNOWN
        return found, how

    def _path(self, file_id: int, module: str, level: int) -> Found:
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
                    return self._walk(start, how, parts[1:], family)
            if len(parts) > 1:
                base, how = self._path(file_id, ".".join(parts[:-1]), level)
                if base is not None and base != OUTSIDE:
                    return self._walk(base, CERTAIN, parts[-1:], family)
        return thing, NONE if thing is None else CERTAIN

    def _walk(self, thing: Thing, how: int, parts: Iterable[str], family: str) -> Found:
        for part in parts:
            if part.endswith("()"):
                found, step = self.attr(thing, part[:-2], family)
                found, step_of_call = self.call_result(found, thing)
                step = max(step, step_of_call) if step else step
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
        if key in self._busy:
            return _NOTHING
        self._busy.add(key)
        try:
            found = self._export(thing, name, family)
        finally:
            self._busy.discard(key)
        if len(self._busy) < 1 or found[1] != NONE:
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
            return _NOTHING
        if not isinstance(thing, int) or thing <= 0:
            return _NOTHING
        names = tables.members.get(thing)
        imports = tables.imported.get(thing, {}).get(name)
        if names is not None and name in names:
            return self._import_or(imports, names[name]) if imports else (names[name], CERTAIN)
        if imports:
            found, how = self.imports(imports)
            if how != NONE:
                return found, how
        child = self.modules.child(thing, name, family)
        if child is not None:
            return child, CERTAIN
        foreign = False
        for index in tables.stars.get(thing, ()):
            passed = self.star(index)
            if passed == OUTSIDE or passed is None:
                foreign = True
            elif passed != thing:
                found, how = self.attr(passed, name, family)
                if how != NONE:
                    return found, how
        bound = tables.binds.get(thing, {}).get(name)
        if bound:
            return self.typed(bound, thing)
        return _OUTSIDE if foreign and family == "python" else _NOTHING

    def _main(self, symbols: list[int]) -> int:
        """The one to show of several definitions of a package: outside tests, then the first."""
        paths = self.tables.path
        return min(symbols, key=lambda s: ("test" in paths[self.tables.file[s]], symbols.index(s)))

    def default_of(self, module: Thing, alias: str) -> Found:
        """What a JavaScript module exports as default: what it says, else what bears the local or the file's name."""
        if not isinstance(module, int) or module <= 0:
            return _UNKNOWN
        found, how = self.export(module, "default", "javascript")
        if how != NONE:
            return found, how
        names = self.tables.members.get(module, {})
        stem = self.tables.path[self.tables.file[module]].rpartition("/")[2].partition(".")[0]
        for name in (alias, stem):
            if name in names:
                return names[name], LIKELY
        return module, MAYBE

    # ------------------------------------------------------------------ members

    def attr(self, thing: Thing, name: str, family: str) -> Found:
        """``thing.name``."""
        if thing == OUTSIDE and not isinstance(thing, str):
            return _OUTSIDE
        if thing is None:
            return _NOTHING
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
        if kind in VALUES:
            value, how = self.value_of(thing)
            if value is None:
                return _NOTHING
            found, step = self.attr(value, name, family)
            if how == MAYBE:
                step = {CERTAIN: LIKELY, VALUE: MAYBE}.get(step, step)
            return found, step
        return _NOTHING

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
            if attributes is not None and name in attributes:
                return self._attribute(attributes[name])
        if tables.kind.get(type_) == "type":
            return _NOTHING
        if not complete:
            return _OUTSIDE
        file_id = tables.file.get(type_, 0)
        return _UNKNOWN if tables.family.get(file_id) in _CLOSED_TYPES else _NOTHING

    def _attribute(self, written: list[tuple[str, int]]) -> Found:
        things: list[Found] = []
        for type_name, scope in written:
            found = self.typed([type_name], scope)
            if found[0] is not None and found not in things:
                things.append(found)
        if not things:
            return _UNKNOWN
        real = [found for found in things if found[0] != OUTSIDE]
        if len(real) == 1:
            return real[0] if len(things) == 1 else (real[0][0], MAYBE)
        return _UNKNOWN if real else _OUTSIDE

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
        return self._walk(base, how, [name], family)

    # ------------------------------------------------------------------ values and their types

    def value_of(self, symbol: int) -> Found:
        """The value that a variable, constant, field or property holds, as far as its type is known."""
        known = self._values.get(symbol)
        if known is not None:
            return known
        self._values[symbol] = _NOTHING
        tables = self.tables
        written = tables.type_name.get(symbol)
        parent, name = tables.parent.get(symbol, 0), tables.name[symbol]
        if written:
            found = self.typed([written], parent)
        else:
            bound = tables.binds.get(parent, {}).get(name)
            attributes = tables.attributes.get(parent, {}).get(name)
            if attributes:
                found = self._attribute(attributes)
            else:
                found = self.typed(bound, parent) if bound else _NOTHING
        self._values[symbol] = found
        return found

    def typed(self, types: Sequence[str], scope: int) -> Found:
        """An instance of what the written types name; only a single type of the root counts."""
        real: list[Thing] = []
        unsure = foreign = False
        for text in types:
            if not text:
                unsure = True
                continue
            thing, how = self.type_of(text, scope)
            if thing is None:
                unsure = True
            elif thing == OUTSIDE:
                foreign = True
            else:
                unsure = unsure or how in (LIKELY, MAYBE)
                if thing not in real:
                    real.append(thing)
        if len(real) == 1:
            return real[0], MAYBE if unsure or foreign else VALUE
        if real:
            return _UNKNOWN
        return _OUTSIDE if foreign and not unsure else _UNKNOWN

    def type_of(self, text: str, scope: int) -> Found:
        """The instance that a written type (``Optional[pkg.User]``, ``make()``) promises."""
        key = (text, scope)
        known = self._types.get(key)
        if known is None:
            self._types[key] = _UNKNOWN
            known = self._types[key] = self._type_of(text, scope)
        return known

    def _type_of(self, text: str, scope: int) -> Found:
        tables = self.tables
        file_id = tables.file.get(scope, 0)
        family = tables.family.get(file_id, "")
        words = [word.replace("::", ".").replace("\\", ".") for word in _TYPE_WORD.findall(text)]
        words = [word for word in words if word not in ("None", "null", "undefined", "mut", "dyn", "struct", "impl")]
        while len(words) > 1 and words[0].rpartition(".")[2] in _WRAPPERS:
            words.pop(0)
        if not words:
            return _UNKNOWN
        if "|" in text and len(words) > 1 and "[" not in text and "<" not in text:
            return self.typed(words, scope)
        as_class = words[0] in ("type", "Type", "typing.Type") and len(words) > 1
        word = words[1] if as_class else words[0]
        if word in ("Self", "self", "this", "static"):
            owner = tables.enclosing_type(scope)
            return (-owner, VALUE) if owner else _UNKNOWN
        called = word.endswith("()")
        thing, how = self.receiver(scope, file_id, word)
        if called:
            return thing, how
        if thing is None:
            thing, how = self.unique_type(family, word.rpartition(".")[2])
        if isinstance(thing, int) and thing > 0 and tables.kind[thing] in TYPES:
            if tables.kind[thing] == "module" and not tables.qualified[thing]:
                return thing, how
            return (thing if as_class else -thing), MAYBE if how in (LIKELY, MAYBE) else VALUE
        if isinstance(thing, int) and thing > 0 and tables.kind[thing] in VALUES | {"function"}:
            return _UNKNOWN
        return thing, how

    def call_result(self, thing: Thing, on: Thing = None) -> Found:
        """What calling ``thing`` gives: an instance of a type, or what a function says that it returns."""
        tables = self.tables
        if thing is None or isinstance(thing, str):
            return _NOTHING
        if thing == OUTSIDE:
            return _OUTSIDE
        if thing < 0:
            return _UNKNOWN
        kind = tables.kind[thing]
        if kind in TYPES:
            return (-thing, VALUE) if tables.qualified[thing] else _UNKNOWN
        if kind in CALLABLES:
            written = tables.type_name.get(thing)
            if not written:
                return _UNKNOWN
            if written in ("Self", "self", "this", "static") and isinstance(on, int) and on:
                return -abs(on), VALUE
            return self.type_of(written, thing)
        return _UNKNOWN

    def receiver(self, holder: int, file_id: int, text: str) -> Found:
        """What stands before the last dot of a reference in ``holder``."""
        key = (holder, text)
        known = self._receivers.get(key)
        if known is None:
            if key in self._busy:
                return _UNKNOWN
            self._busy.add(key)
            try:
                known = self._receiver(holder, file_id, text)
            finally:
                self._busy.discard(key)
            self._receivers[key] = known
        return known

    def _receiver(self, holder: int, file_id: int, text: str) -> Found:
        tables = self.tables
        family = tables.family.get(file_id, "")
        if text.startswith("?") or not text:
            return _NOTHING
        for mark in ("::", "->", "\\", "?.", "!."):
            if mark in text:
                text = text.replace(mark, ".")
        parts = [part for part in text.split(".") if part]
        if not parts:
            return _NOTHING
        first = parts[0]
        called = first.endswith("()")
        name = first[:-2] if called else first
        thing: Thing
        if name in ("self", "this", "$this", "cls", "Self", "@", "static") and not called:
            owner = tables.enclosing_type(holder)
            if owner:
                thing = owner if name in ("cls", "Self", "static") else -owner
                return self._walk(thing, VALUE, parts[1:], family)
            if name != "self" or family != "rust":
                return _NOTHING
        if family == "rust" and name in ("crate", "self", "super"):
            return self._path(file_id, ".".join(parts), 0)
        thing, how = self.lookup(holder, file_id, name)
        if called:
            thing, how = self.call_result(thing) if how in (LIKELY, CERTAIN) else (
                (thing, how) if thing == OUTSIDE else _NOTHING
            )  # fmt: skip
        if how == NONE or thing is None:
            if family == "rust" and len(parts) > 1:
                path, found = self._path(file_id, ".".join(parts), 0)
                if path:
                    return path, found
            if how == NONE:
                thing, how = self.unique_type(family, name)
            if thing is None:
                return None, how
        return self._walk(thing, how, parts[1:], family)


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
