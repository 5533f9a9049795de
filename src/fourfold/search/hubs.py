"""The symbols that a codebase turns on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fourfold.model import Symbol
from fourfold.search.relations import is_file
from fourfold.store.interface import Reader

#: So many must refer to a hub.
_FEWEST = 3
#: Of these so large a share for certain.
_SURE_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Hub:
    """A central symbol, with how many other symbols refer to it (ambiguous references aside)."""

    symbol: Symbol
    dependants: int


def hubs(reader: Reader, limit: int = 20, admits: Callable[[str], bool] = lambda path: True) -> list[Hub]:
    """The most central definitions (files aside), with how many symbols refer to each; ``admits`` judges the files of
    both. What few refer to is no hub, however central those few are, nor what most seem to refer to by its name alone,
    unless there is no other."""
    asked = 2 * limit + 50
    while True:
        central = reader.central_symbols(asked)
        found = [symbol for symbol in central if not is_file(symbol) and admits(symbol.path)]
        users, sure = _users(reader, found, admits)
        good = [s for s in found if users[s.id] >= _FEWEST and sure[s.id] >= _SURE_SHARE * users[s.id]]
        if len(good) >= limit or len(central) < asked:
            break
        asked *= 4
    good = good or [symbol for symbol in found if users[symbol.id]]
    return [Hub(symbol, users[symbol.id]) for symbol in good[:limit]]


def _users(
    reader: Reader, symbols: Sequence[Symbol], admits: Callable[[str], bool]
) -> tuple[Counter[int], Counter[int]]:
    """Symbol → how many others refer to it, ambiguous references aside; and how many do so for certain."""
    edges = [edge for edge in reader.neighbours([symbol.id for symbol in symbols], "in") if admits(edge.path)]
    counted = [e for e in edges if e.certainty != "ambiguous" and e.source and e.source != e.target]
    users = Counter(target for _, target in {(e.source, e.target) for e in counted})
    sure = Counter(target for _, target in {(e.source, e.target) for e in counted if e.certainty == "certain"})
    return users, sure
