"""What all lookups share: the tables, what was asked before, and how an answer was found.

Every lookup answers ``(thing, how)``. The thing is explained in `modules.Thing`; how it was found is one of
`NONE`, `LIKELY` and `CERTAIN` (a symbol), `VALUE` and `MAYBE` (a value or outside name: nothing to point at).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from fourfold.indexing.resolve.modules import OUTSIDE, Modules, Thing
from fourfold.indexing.resolve.tables import Tables

#: What a part of a dotted name may end in besides a name: ``f()``, ``x[]``, ``x[*]``, ``x{}``, ``x~`` (see `bindings`).
MARKS = frozenset(")]}~")
#: How the items of a name are asked for (``x[]``, ``x{}``) → the mark that asks the value it took over for them.
TAKEN = {"[]": "[*]", "{}": "{}"}
NONE, LIKELY, CERTAIN, VALUE, MAYBE = range(5)
Found = tuple[Thing, int]
NOTHING: Found = (None, NONE)
FOREIGN: Found = (OUTSIDE, VALUE)
UNKNOWN: Found = (None, VALUE)


class Lookups(ABC):
    """Scopes ask imports, imports ask members, members ask types, and types ask scopes: so each is one part of
    `Names`, and this is what they may ask one another."""

    def __init__(self, tables: Tables, modules: Modules, heritage: dict[int, list[tuple[str, str]]]) -> None:
        self.tables = tables
        self.modules = modules
        #: type → (name, receiver) of what it inherits or implements, in order
        self.heritage = heritage
        #: questions that are being answered: one that comes round again has no answer
        self.busy: set[object] = set()

    @abstractmethod
    def lookup(self, holder: int, file_id: int, name: str) -> Found: ...

    @abstractmethod
    def outer(self, file_id: int, name: str) -> Found: ...

    @abstractmethod
    def unique_type(self, family: str, name: str) -> Found: ...

    @abstractmethod
    def chain(self, holder: int) -> tuple[int, ...]: ...

    @abstractmethod
    def star(self, index: int) -> Thing: ...

    @abstractmethod
    def imports(self, indexes: Sequence[int]) -> Found: ...

    @abstractmethod
    def path(self, file_id: int, module: str, level: int) -> Found: ...

    @abstractmethod
    def walk(self, thing: Thing, how: int, parts: Iterable[str], family: str) -> Found: ...

    @abstractmethod
    def export(self, thing: Thing, name: str, family: str) -> Found: ...

    @abstractmethod
    def attr(self, thing: Thing, name: str, family: str) -> Found: ...

    @abstractmethod
    def member(self, type_: int, name: str) -> Found: ...

    @abstractmethod
    def attribute(self, written: list[tuple[str, int]]) -> Found: ...

    @abstractmethod
    def value_of(self, symbol: int) -> Found: ...

    @abstractmethod
    def typed(self, types: Sequence[str], scope: int) -> Found: ...

    @abstractmethod
    def follow(self, part: str, on: Thing, family: str, get: Callable[[str], Found]) -> Found: ...

    @abstractmethod
    def call_result(self, thing: Thing, on: Thing = None) -> Found: ...

    @abstractmethod
    def receiver(self, holder: int, file_id: int, text: str) -> Found: ...

    @abstractmethod
    def import_or(self, indexes: list[int], own: int) -> Found: ...

    @abstractmethod
    def name_in(self, scope: int, file_id: int, name: str, receiver: str) -> Found: ...
