"""Questions to try on an unknown codebase, made from its own names and checked: each has something to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fourfold.lexing import split_identifier
from fourfold.model import Symbol

if TYPE_CHECKING:
    from fourfold.store.interface import Reader

FUNCTIONS = frozenset({"function", "method", "macro"})
TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "type"})
#: As many as this look like a name that says something; more mean a name that is everywhere, such as ``call``.
NAMESAKES = 2
#: A list of this many users is worth looking at: neither empty nor a phone book.
USERS = range(2, 60)
TRIED = 60


def example_questions(reader: Reader, central: Sequence[Symbol], meaning: bool = True) -> tuple[tuple[str, str], ...]:
    """Up to six (question, what it shows), each about another of the most central names that few others share.

    Without ``meaning`` the index has no vectors, and nothing is promised of them.
    """
    good = [symbol for symbol in central[:TRIED] if _telling(reader, symbol)]
    functions = [symbol for symbol in good if symbol.kind in FUNCTIONS]
    types = [symbol for symbol in good if symbol.kind in TYPES]
    used: set[str] = set()

    def first(found: Iterator[Symbol]) -> str:
        """The name of the first that was not taken for another question, or empty."""
        symbol = next((each for each in found if each.name not in used), None)
        if symbol is None:
            return ""
        used.add(symbol.name)
        return symbol.name

    out: list[tuple[str, str]] = []

    def add(name: str, form: str, kind: str) -> None:
        if name:
            out.append((form.format(name), kind))

    spread = [s for s in functions if _users(reader, s, ("call",)) in USERS]
    called, shared = iter(spread), iter(spread)
    parents = (s for s in types if _users(reader, s, ("inherit", "implement")) in USERS)
    worded = (s for s in [*functions, *types] if len(split_identifier(s.name)) > 1)
    hierarchy = first(parents)
    add(first(iter(types)) or first(iter(functions)), "where is {} defined", "a definition, at once")
    add(first(called), "who calls {}", "every place that refers to it")
    add(first(shared), "what breaks if I change {}", "all that depends on it, step by step")
    add(
        first(s for s in types if s.doc),
        "how does {} work",
        "by meaning, names and text together" if meaning else "by names and text together",
    )
    words = " ".join(split_identifier(first(worded)))
    add(
        words,
        "code that deals with {}",
        "by meaning: other words do as well" if meaning else "by its words, in any order",
    )
    add(hierarchy, "subclasses of {}", "the hierarchy below it")
    return tuple(out)


def _telling(reader: Reader, symbol: Symbol) -> bool:
    """Whether a name says something by itself: no private one, none of a few letters, none that many things have."""
    name = symbol.name
    if len(name) < 4 or name.startswith("_") or not any(char.isalpha() for char in name):
        return False
    if len(split_identifier(name)) < 2 and symbol.kind not in TYPES:
        return False
    return len(reader.symbols_named(name, "exact", NAMESAKES + 1)) <= NAMESAKES


def _users(reader: Reader, symbol: Symbol, kinds: tuple[str, ...]) -> int:
    """How many files surely refer to ``symbol`` in one of these ways."""
    edges = reader.neighbours([symbol.id], "in")
    return len({edge.path for edge in edges if edge.kind in kinds and edge.certainty != "ambiguous"})
