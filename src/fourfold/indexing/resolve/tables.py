"""The indexer's rows, arranged for looking up names: scopes, members, imports and what is known of types."""

from __future__ import annotations

from collections import defaultdict

from fourfold.indexing.resolve.families import family_of
from fourfold.store.interface import GraphInput, SymbolRows

#: Kinds that have members.
TYPES = frozenset({"class", "interface", "enum", "struct", "trait", "type", "namespace", "module", "object"})
#: Kinds that hold a value whose type may be known.
VALUES = frozenset({"variable", "constant", "field", "property"})
CALLABLES = frozenset({"function", "method", "macro"})
#: Kinds that code never names.
_PROSE = frozenset({"heading", "key"})


class Tables:
    """Lookup tables over one `GraphInput`. A symbol without parent belongs to its file's module symbol."""

    def __init__(self, graph: GraphInput) -> None:
        self.path: dict[int, str] = {}
        self.family: dict[int, str] = {}
        for file_id, path, language, _module in graph.files:
            self.path[file_id] = path
            self.family[file_id] = family_of(language)
        self.module_of: dict[int, int] = {}
        self.kind: dict[int, str] = {}
        self.name: dict[int, str] = {}
        self.qualified: dict[int, str] = {}
        self.file: dict[int, int] = {}
        self.parent: dict[int, int] = {}
        self.type_name: dict[int, str] = {}
        self.start: dict[int, int] = {}
        self.end: dict[int, int] = {}
        #: scope → name → the last definition of that name in it
        self.members: dict[int, dict[str, int]] = {}
        #: (scope, name) → all definitions, where there are several
        self.twins: dict[tuple[int, str], list[int]] = {}
        #: family → name → every definition
        self.named: dict[str, dict[str, list[int]]] = {}
        self.types_in_file: dict[int, list[int]] = defaultdict(list)
        #: methods that stand outside their type: (symbol, name of the type)
        self.orphans: list[tuple[int, str]] = []
        #: method outside its type → that type
        self.owner: dict[int, int] = {}
        #: functions that are types by their prototype
        self.makers: set[int] = set()
        self._around: dict[int, int] = {}
        self._read_symbols(graph)
        #: scope → local name → types (possibly empty texts)
        self.binds: dict[int, dict[str, list[str]]] = {}
        #: scope → local name → (line, type) of each binding, for names that are bound to several types in turn
        self.turns: dict[int, dict[str, list[tuple[int, str]]]] = {}
        #: type → attribute → (type, holder)
        self.attributes: dict[int, dict[str, list[tuple[str, int]]]] = {}
        self._read_bindings(graph)
        #: scope → local name → indexes into ``graph.imports``
        self.imported: dict[int, dict[str, list[int]]] = {}
        #: scope → indexes of ``from x import *`` and includes
        self.stars: dict[int, list[int]] = {}
        self.import_rows = graph.imports
        self._read_imports(graph)
        # pages have no module: what their scripts bring must not meet that of other pages
        for table in (self.members, self.binds, self.turns, self.attributes, self.imported, self.stars):
            table.pop(0, None)

    def _read_symbols(self, graph: GraphInput) -> None:
        symbols = graph.symbols
        if not symbols:
            return
        columns = symbols.columns if isinstance(symbols, SymbolRows) else zip(*symbols, strict=True)
        ids, file_ids, names, qualifieds, kinds, parents, types, starts, ends, _entries = columns
        self.kind = dict(zip(ids, kinds, strict=True))
        self.name = dict(zip(ids, names, strict=True))
        self.qualified = dict(zip(ids, qualifieds, strict=True))
        self.file = dict(zip(ids, file_ids, strict=True))
        self.type_name = {id_: type_ for id_, type_ in zip(ids, types, strict=True) if type_}
        self.start = dict(zip(ids, starts, strict=True))
        self.end = dict(zip(ids, ends, strict=True))
        module_of = self.module_of = {
            file_id: id_
            for id_, file_id, qualified, kind in zip(ids, file_ids, qualifieds, kinds, strict=True)
            if kind == "module" and not qualified
        }
        self.parent = dict(zip(ids, parents, strict=True))
        parent_of, members, twins = self.parent, self.members, self.twins
        kind_of, name_of = self.kind, self.name
        file = -1
        for id_, file_id, name, qualified, kind, parent in zip(
            ids, file_ids, names, qualifieds, kinds, parents, strict=True
        ):
            if kind in _PROSE or not qualified:
                continue
            if file_id != file:
                file, family, module = file_id, self.family[file_id], module_of.get(file_id, 0)
                named = self.named.setdefault(family, {})
            if not parent:
                parent = parent_of[id_] = module
            if name in named:
                named[name].append(id_)
            else:
                named[name] = [id_]
            if kind in VALUES and qualified.startswith("exports."):
                # what a CommonJS module hands out is mostly defined in it under the same name
                members.setdefault(parent, {}).setdefault(name, id_)
                continue
            if kind in CALLABLES:
                above = kind_of.get(parent)
                if kind == "method" and family == "javascript" and above in CALLABLES:
                    continue  # a method of an object that a function makes: no name in the function
                if above == "module" and "." in qualified:
                    parts = qualified.split(".")
                    owner = parts[-3] if parts[-2] == "prototype" and len(parts) > 2 else parts[-2]
                    if owner == "exports":
                        members.setdefault(parent, {}).setdefault(name, id_)
                        continue
                    if name_of.get(parent) != owner or not self.qualified.get(parent):
                        self.orphans.append((id_, owner))
                        continue
                if kind == "method" and family in _CONSTRUCTORS_BY_NAME and name == name_of.get(parent):
                    continue  # the type is what the name means
            scope = members.get(parent)
            if scope is None:
                members[parent] = {name: id_}
            else:
                if name in scope:
                    twins.setdefault((parent, name), [scope[name]]).append(id_)
                scope[name] = id_
            if kind in TYPES:
                self.types_in_file[file_id].append(id_)

    def _read_bindings(self, graph: GraphInput) -> None:
        several: set[tuple[int, str]] = set()
        for file_id, holder, name, type_name, _line in graph.bindings:
            scope = holder or self.module_of.get(file_id, 0)
            first, dot, rest = name.partition(".")
            if dot:
                if first in _SELVES and "." not in rest:
                    owner = self.enclosing_type(scope)
                    if owner and type_name:
                        self.attributes.setdefault(owner, {}).setdefault(rest, []).append((type_name, scope))
                continue
            known = self.binds.setdefault(scope, {}).setdefault(name.lstrip("$@"), [])
            if type_name not in known:
                if known:
                    several.add((scope, name))
                known.append(type_name)
            if self.kind.get(scope) in TYPES and type_name and self.qualified.get(scope):
                self.attributes.setdefault(scope, {}).setdefault(name.lstrip("$@"), []).append((type_name, scope))
        if several:
            for file_id, holder, name, type_name, line in graph.bindings:
                scope = holder or self.module_of.get(file_id, 0)
                if (scope, name) in several:
                    self.turns.setdefault(scope, {}).setdefault(name, []).append((line, type_name))

    def _read_imports(self, graph: GraphInput) -> None:
        for index, (file_id, module, name, alias, _level, holder, _exported, _line) in enumerate(graph.imports):
            scope = holder or self.module_of.get(file_id, 0)
            family = self.family.get(file_id, "")
            whole = name == "*" and alias in ("", ".", "*")
            if whole or (not name and family in STAR_BY_DEFAULT) or (family == "go" and alias == "."):
                self.stars.setdefault(scope, []).append(index)
                if not alias or alias in (".", "*"):
                    continue
            local = alias or name or _local_name(module, family)
            if local and local != "_":
                self.imported.setdefault(scope, {}).setdefault(local, []).append(index)

    def as_type(self, symbol: int) -> int:
        """The type among the definitions that share a name and place (a TypeScript interface and its value)."""
        if self.kind[symbol] in TYPES:
            return symbol
        twins = self.twins.get((self.parent.get(symbol, 0), self.name[symbol]), ())
        return next((twin for twin in twins if self.kind[twin] in TYPES), symbol)

    def adopt(self, method: int, owner: int) -> None:
        """Make a method that stands outside its type a member of it."""
        self._around.clear()
        self.owner[method] = owner
        if self.kind[owner] in CALLABLES:
            self.makers.add(owner)
        name = self.name[method]
        scope = self.members.setdefault(owner, {})
        if name in scope:
            twins = self.twins.setdefault((owner, name), [scope[name]])
            twins.append(method)
            # A definition outside the type is the body of what the type only declares.
            if self.end[method] - self.start[method] >= self.end[scope[name]] - self.start[scope[name]]:
                scope[name] = method
        else:
            scope[name] = method

    def enclosing_type(self, symbol: int) -> int:
        """The nearest type that is or encloses ``symbol``, or 0."""
        known = self._around.get(symbol)
        if known is None:
            known = self._around[symbol] = self._enclosing_type(symbol)
        return known

    def _enclosing_type(self, symbol: int) -> int:
        for _ in range(100):
            if not symbol:
                break
            if symbol in self.owner:
                return self.owner[symbol]
            if symbol in self.makers or (self.kind.get(symbol) in TYPES and self.qualified.get(symbol)):
                return symbol
            symbol = self.parent.get(symbol, 0)
        return 0


_SELVES = frozenset({"self", "this", "cls", "@", "$this"})
#: Families whose constructors bear the name of their type.
_CONSTRUCTORS_BY_NAME = frozenset({"java", "csharp", "c", "dart"})
#: Families whose plain import brings every public name of the module into scope.
STAR_BY_DEFAULT = frozenset({"c", "csharp", "swift", "ruby", "shell", "haskell"})


def _local_name(module: str, family: str) -> str:
    """The local name that a whole module gets without an alias."""
    if family == "python":
        return module.partition(".")[0]
    if family == "go":
        parts = [part for part in module.split("/") if part]
        if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
            parts.pop()
        last = parts[-1] if parts else ""
        last = last.partition(".v")[0]
        return last.removeprefix("go-").replace("-", "_")
    if family == "javascript":
        return ""
    for mark in ("::", "\\", "/"):
        module = module.replace(mark, ".")
    return module.rpartition(".")[2]
