"""What the lab says of a whole answer at once: ceilings, flip margins, each list left out, positions over k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from fourfold.lab.ceiling import own_ceiling
from fourfold.lab.flips import Flip, flips
from fourfold.lab.what_if import Fetched, Knobs, Move, curve, leave_out, moves, positions, ranking
from fourfold.model import MODALITIES, Modality, Result


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The list without one modality: where each of the first results goes (None: nowhere), and who comes in."""

    modality: Modality
    falls: Mapping[str, int | None]
    rises: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class About:
    """One result: its ceiling (None: several lists hold it), what swaps it with the one above, its place over k."""

    result: Result
    ceiling: int | None
    flips: tuple[Flip, ...]
    curve: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Explained:
    results: tuple[About, ...]
    left_out: tuple[LeftOut, ...]


def explained(fetched: Fetched, knobs: Knobs, limit: int = 10) -> Explained:
    """Everything about the first ``limit`` results under ``knobs``."""
    whole = ranking(fetched, knobs)
    shown = whole.results[:limit]
    above = {lower.path: upper.path for upper, lower in pairwise(shown)}
    about = []
    for result in shown:
        found = flips(fetched, knobs, above[result.path], result.path) if result.path in above else []
        best = own_ceiling(whole.results, result, knobs.k) if not knobs.direct and knobs.rule != "mnz" else None
        about.append(About(result, best, tuple(found), tuple(curve(fetched, knobs, result.path))))
    left = []
    for name in MODALITIES:
        changed = leave_out(knobs, name) if name in knobs.runs else None
        if changed is None:
            continue
        other = positions(fetched, changed)
        falls = {r.path: other.get(r.path) for r in shown if other.get(r.path) != r.position}
        first = ranking(fetched, changed, limit, under=False).results
        came = tuple(move for move in moves(whole.positions, first) if move.before is None or move.before > limit)
        left.append(LeftOut(name, falls, came))
    return Explained(tuple(about), tuple(left))
