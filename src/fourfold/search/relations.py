"""What the questions about the graph share: kinds of edges and of symbols."""

from __future__ import annotations

from fourfold.model import ReferenceKind, Symbol

CALLS: tuple[ReferenceKind, ...] = ("call", "construct", "decorate")
BASES: tuple[ReferenceKind, ...] = ("inherit", "implement")
TYPE_KINDS = frozenset({"class", "interface", "enum", "struct", "trait", "type", "namespace", "module", "object"})
#: Methods that run when their type is built, so that whoever builds the type depends on them.
CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "constructor", "init", "initialize", "__construct"})


def is_file(symbol: Symbol) -> bool:
    """Whether it is the symbol that stands for a whole file."""
    return symbol.kind == "module" and not symbol.qualified


def is_unnamed(name: str) -> bool:
    """Whether a class has no name of its own, and is called by what it makes (``new Runnable``)."""
    return name.startswith("new ")
