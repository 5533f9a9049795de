"""What a dotted name means: the types of values, where they are written or plain, and the receivers of references."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from fourfold.indexing.resolve.families import outside
from fourfold.indexing.resolve.imports import Imports
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
)
from fourfold.indexing.resolve.members import Members
from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.scopes import Scopes
from fourfold.indexing.resolve.tables import CALLABLES, TYPES, VALUES, Tables

#: Types that stand for the value inside them.
_WRAPPERS = frozenset(
    "Optional Annotated Final ClassVar Required NotRequired Box Arc Rc Pin unique_ptr shared_ptr const typing"
    " Readonly Partial Required NonNullable Awaited".split()
)
SELVES = frozenset({"self", "this", "$this", "cls", "Self", "@", "static"})
#: Of these, what names the type itself and not an instance.
_CLASSES = frozenset({"cls", "Self", "static"})
#: Functions from outside that hand back what they were given, or a part of it: their result may be of any type.
_PASSING = frozenset("cast copy deepcopy replace next anext getattr min max reduce wraps".split())
_PARTS = re.compile(r"[^()\[\]{}~]+|\(\)|\[\*?\]|\{\}|~")
#: Marks of items, and which types of items that are written for a name count for them.
_ITEM_MARKS = {"[]": ("[]", "{}"), "[*]": ("[]",), "{}": ("{}",)}
_TYPE_WORD = re.compile(r"[\w$]+(?:(?:\.|::|\\)[\w$]+)*(?:\(\))?")


class Names(Scopes, Imports, Members):
    """All lookups over one root; everything that may be asked twice is remembered."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        super().__init__(tables, modules, heritage)
        self._receivers: dict[tuple[int, str], Found] = {}
        #: text of a receiver → its parts
        self._split: dict[str, list[str]] = {}
        #: text of a type → the names in it
        self._words: dict[str, list[str]] = {}
        self._values: dict[int, Found] = {}
        self._types: dict[tuple[str, int], Found] = {}
        self._type_scopes: dict[int, int] = {}
        self._adopt()
        # All bases first, and what was answered on the way while some of them were not known is asked again.
        for type_ in list(heritage):
            self.mro(type_)
        for answers in (self._members, self._receivers, self._values, self._types, self._outer, self._exports):
            answers.clear()

    def _adopt(self) -> None:
        """Give methods that stand outside their type to it."""
        tables = self.tables
        orphans = sorted(tables.orphans, key=lambda item: (tables.path[tables.file[item[0]]], tables.start[item[0]]))
        for method, owner_name in orphans:
            module = tables.module_of.get(tables.file[method], 0)
            owner, _how = self.lookup(module, tables.file[method], owner_name)
            if (
                isinstance(owner, int)
                and owner > 0
                and (tables.kind[owner] in TYPES or tables.family[tables.file[method]] == "javascript")
            ):
                tables.adopt(method, owner)
        self._chains.clear()
        self._telling.clear()
        self._telling_above.clear()
        self._tails.clear()
        self._outer.clear()

    # ------------------------------------------------------------------ values and their types

    def value_of(self, symbol: int) -> Found:
        """The value that a variable, constant, field or property holds, as far as its type is known."""
        known = self._values.get(symbol)
        if known is not None:
            return known
        self._values[symbol] = NOTHING
        tables = self.tables
        written = tables.type_name.get(symbol)
        parent, name = tables.parent.get(symbol, 0), tables.name[symbol]
        attributes = tables.attributes.get(parent, {}).get(name)
        bound = tables.binds.get(parent, {}).get(name)
        if attributes:
            found = self.attribute(attributes)
        elif bound and bound != [""]:
            found = self.typed(bound, parent)
        else:
            found = self.declared(written, parent) if written else NOTHING
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
            if text[0] == "?":  # a type that the code asks for: it may be any other
                unsure = True
                thing, how = self.type_of(text[1:], scope)
                if thing is None or thing == OUTSIDE:
                    continue
            else:
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
            return UNKNOWN
        return FOREIGN if foreign and not unsure else UNKNOWN

    def type_of(self, text: str, scope: int) -> Found:
        """The instance that a written type (``Optional[pkg.User]``, ``make()``) promises."""
        outer = scope if text[0] == "=" else self._type_scopes.get(scope)
        if outer is None:
            outer = self._type_scopes[scope] = self._type_scope(scope)
        key = (text, scope if text[:4].lower() in ("self", "this", "stat", "supe", "cls") else outer)
        known = self._types.get(key)
        if known is None:
            self._types[key] = UNKNOWN
            known = self._types[key] = self._type_of(text, key[1])
        return known

    def _type_scope(self, scope: int) -> int:
        """The scope where the types written in ``scope`` are looked up: functions that define none are passed by."""
        tables = self.tables
        for outer in self.chain(scope):
            if tables.kind.get(outer) not in CALLABLES or outer in tables.members or outer in tables.imported:
                return outer
            if outer in tables.binds and any(types != [""] for types in tables.binds[outer].values()):
                return outer
        return scope

    def _type_of(self, text: str, scope: int) -> Found:
        tables = self.tables
        file_id = tables.file.get(scope, 0)
        family = tables.family.get(file_id, "")
        if text.startswith("="):
            path, hash_, rest = text[1:].partition("#")
            if hash_:
                head, _, last = path.rpartition(".")
                if head:
                    thing, how = self.receiver(scope, file_id, head)
                    thing, how = self.walk(thing, how, [last], family)
                else:
                    thing, how = self.lookup(scope, file_id, last)
                return self.handed(thing, "#" + rest)
            thing, how = self.receiver(scope, file_id, path)
            if isinstance(thing, int) and thing > 0 and tables.kind[thing] in VALUES:
                return self.value_of(thing)
            return (thing, MAYBE if how in (LIKELY, MAYBE) else VALUE) if thing is not None else UNKNOWN
        words = self._words.get(text)
        if words is None:
            words = self._words[text] = _words_of_type(text)
        if not words:
            return UNKNOWN
        if "|" in text and len(words) > 1 and "[" not in text and "<" not in text:
            return self.typed(words, scope)
        as_class = words[0] in ("type", "Type", "typing.Type") and len(words) > 1
        word = words[1] if as_class else words[0]
        if word in ("Self", "self", "this", "static"):
            owner = tables.enclosing_type(scope)
            return (-owner, VALUE) if owner else UNKNOWN
        called = word.endswith("()")
        thing, how = self.receiver(scope, file_id, word)
        if called:
            return UNKNOWN if thing == OUTSIDE and word[:-2].rpartition(".")[2] in _PASSING else (thing, how)
        if thing is None:
            thing, how = self.unique_type(family, word.rpartition(".")[2])
        if isinstance(thing, int) and thing > 0:
            thing = tables.as_type(thing)
        if isinstance(thing, int) and thing > 0 and tables.kind[thing] in TYPES:
            if tables.kind[thing] == "module" and not tables.qualified[thing]:
                return thing, how
            return (thing if as_class else -thing), MAYBE if how in (LIKELY, MAYBE) else VALUE
        if isinstance(thing, int) and thing > 0 and tables.kind[thing] in VALUES | {"function"}:
            return UNKNOWN
        return thing, how

    def follow(self, part: str, on: Thing, family: str, get: Callable[[str], Found]) -> Found:
        """What a part of a dotted name gives that ends in marks (``f()``, ``x[]``); ``get`` looks up plain names."""
        name, *marks = _PARTS.findall(part)
        thing, how = NOTHING
        if marks[0] in _ITEM_MARKS:
            thing, how = self._first_item(name, marks[0], get)
            if thing is not None:
                marks.pop(0)
        if thing is None:
            thing, how = get(name)
        function: Thing = None
        for turn, mark in enumerate(marks):
            before = how
            if mark == "()":
                if how not in (LIKELY, CERTAIN):
                    if thing != OUTSIDE or name in _PASSING or turn:
                        return UNKNOWN
                    continue
                function = thing
                thing, how = self.call_result(thing, on)
            elif mark == "~":
                thing, how = self._entered(thing, how, function)
            else:
                thing, how = self._item(thing, function, mark, family)
            if before in (LIKELY, MAYBE) and how == VALUE:
                how = MAYBE
            if thing is None:
                return thing, how
        return thing, how

    def _first_item(self, name: str, mark: str, get: Callable[[str], Found]) -> Found:
        """The type of items that is written for a name."""
        for ending in _ITEM_MARKS[mark]:
            thing, how = get(name + ending)
            if thing is not None:
                return thing, how
        return UNKNOWN

    def _item(self, thing: Thing, function: Thing, mark: str, family: str) -> Found:
        """An item of what a function gives, of a type with ``__getitem__``, or a type with its arguments."""
        tables = self.tables
        if isinstance(function, int) and function > 0:
            bound = tables.binds.get(function, {})
            for ending in _ITEM_MARKS[mark]:
                if "()" + ending in bound:
                    return self.typed(bound["()" + ending], function)
        if isinstance(thing, int) and thing > 0 and tables.kind[thing] in TYPES:
            return (thing, VALUE) if mark == "[]" and family == "python" else UNKNOWN
        if isinstance(thing, int) and thing < 0 and mark == "[]" and family == "python":
            method, how = self.member(-thing, "__getitem__")
            if how == CERTAIN:
                return self.call_result(method, thing)
        return UNKNOWN

    def _entered(self, thing: Thing, how: int, function: Thing) -> Found:
        """What ``with`` names: the result of ``__enter__``, else the thing itself; of a generator its item."""
        tables = self.tables
        if isinstance(function, int) and function > 0:
            bound = tables.binds.get(function, {}).get("()[]")
            if bound:
                return self.typed(bound, function)
        if isinstance(thing, int) and thing < 0:
            for name in ("__enter__", "__aenter__"):
                method, found = self.member(-thing, name)
                if found == CERTAIN:
                    result, step = self.call_result(method, thing)
                    return (result, step) if result is not None else (thing, MAYBE)
        return thing, how

    def handed(self, function: Thing, rest: str) -> Found:
        """The type of a parameter of the function that is handed to ``function``, as its own parameters tell."""
        tables = self.tables
        if not isinstance(function, int) or function <= 0:
            return UNKNOWN
        if tables.kind[function] in TYPES:
            function = tables.members.get(function, {}).get("constructor", 0)
        owner = tables.owner.get(function) or tables.parent.get(function, 0)
        functions = tables.twins.get((owner, tables.name.get(function, "")), [function])
        written = [
            (type_name, one) for one in functions for type_name in tables.binds.get(one, {}).get(rest, ())
        ]  # fmt: skip
        return self.attribute(written) if written else UNKNOWN

    def call_result(self, thing: Thing, on: Thing = None) -> Found:
        """What calling ``thing`` gives: an instance of a type, or what a function says that it returns."""
        tables = self.tables
        if thing is None or isinstance(thing, str):
            return NOTHING
        if thing == OUTSIDE:
            return FOREIGN
        if thing < 0:
            return UNKNOWN
        kind = tables.kind[thing]
        if kind in TYPES:
            return (-thing, VALUE) if tables.qualified[thing] else UNKNOWN
        if kind in CALLABLES:
            written = tables.type_name.get(thing)
            if not written:
                told = tables.binds.get(thing, {}).get("()")
                return self.typed(told, thing) if told else UNKNOWN
            if written in ("Self", "self", "this", "static") and isinstance(on, int) and on:
                return -abs(on), VALUE
            return self.declared(written, thing)
        return UNKNOWN

    def declared(self, written: str, scope: int) -> Found:
        """An instance of a symbol's written type, of which only the last name is kept (``User`` for ``models.User``).

        So a name that the scope does not know may have stood behind a module's: then the only type of that name counts.
        """
        found, how = self.type_of(written, scope)
        if found is not None and found != OUTSIDE:
            return found, how
        tables = self.tables
        family = tables.family.get(tables.file.get(scope, 0), "")
        if self.bound_outside(scope, written):
            return found, how
        types = [s for s in tables.named.get(family, {}).get(written, ()) if tables.kind[s] in TYPES]
        return (-types[0], MAYBE) if len(types) == 1 else (found, how)

    def bound_outside(self, scope: int, name: str) -> bool:
        """Whether a name that means nothing in the root is a builtin or comes from an import."""
        tables = self.tables
        if name in outside(tables.family.get(tables.file.get(scope, 0), "")).names:
            return True
        return any(name in tables.imported.get(s, ()) or name in tables.binds.get(s, ()) for s in self.chain(scope))

    def receiver(self, holder: int, file_id: int, text: str) -> Found:
        """What stands before the last dot of a reference in ``holder``."""
        if text in SELVES:
            owner = self.tables.enclosing_type(holder)
            if owner:
                return (owner if text in _CLASSES else -owner), VALUE
        key = (holder, text)
        known = self._receivers.get(key)
        if known is None:
            if key in self.busy:
                return UNKNOWN
            self.busy.add(key)
            try:
                known = self._receiver(holder, file_id, text)
            finally:
                self.busy.discard(key)
            self._receivers[key] = known
        return known

    def forget_receivers(self) -> None:
        """Drop what only serves the definitions that were asked about: of all that is remembered it is the most."""
        self._receivers.clear()

    def _receiver(self, holder: int, file_id: int, text: str) -> Found:
        tables = self.tables
        family = tables.family.get(file_id, "")
        if text.startswith("?") or not text:
            return NOTHING
        parts = self._split.get(text)
        if parts is None:
            dotted = text
            for mark in ("::", "->", "\\", "?.", "!."):
                dotted = dotted.replace(mark, ".")
            parts = self._split[text] = [part for part in dotted.split(".") if part]
        if not parts:
            return NOTHING
        first = parts[0]
        thing: Thing
        if first in SELVES:
            owner = tables.enclosing_type(holder)
            if owner:
                thing = owner if first in _CLASSES else -owner
                return self.walk(thing, VALUE, parts[1:], family)
            # No type around: a parameter that merely has the name, or Rust's module.
        if family == "rust" and first == "std":
            return FOREIGN
        if family == "rust" and first in ("crate", "self", "super"):
            return self.path(file_id, ".".join(parts), 0)
        if first[-1:] in MARKS:
            thing, how = self.follow(first, None, family, partial(self.lookup, holder, file_id))
            if thing is None:
                return NOTHING
        else:
            thing, how = self.lookup(holder, file_id, first)
        if how == NONE or thing is None:
            if family == "rust" and len(parts) > 1:
                path, found = self.path(file_id, ".".join(parts), 0)
                if path:
                    return path, found
            if how == NONE:
                thing, how = self.unique_type(family, first)
            if thing is None:
                return None, how
        return self.walk(thing, how, parts[1:], family) if len(parts) > 1 else (thing, how)


def _words_of_type(text: str) -> list[str]:
    """The dotted names in a written type, without what only wraps the first that counts."""
    words = [word.replace("::", ".").replace("\\", ".") for word in _TYPE_WORD.findall(text)]
    words = [word for word in words if word not in ("None", "null", "undefined", "mut", "dyn", "struct", "impl")]
    while len(words) > 1 and words[0].rpartition(".")[2] in _WRAPPERS:
        words.pop(0)
    return words
