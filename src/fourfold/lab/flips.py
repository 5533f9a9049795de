"""Flip margins: the smallest change of one weight, and of k, that swaps two results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fourfold.lab.what_if import Fetched, Key, Knobs, Row, Scorer
from fourfold.model import MODALITIES, Modality

#: The highest k and weight that a flip is looked for at.
MOST_K = 2000
MOST_WEIGHT = 10.0


@dataclass(frozen=True, slots=True)
class Flip:
    """The smallest change of one value that puts the lower of two results above the other.

    ``at`` is where the two stand level (for k: ``new`` itself); ``new`` is just past it, rounded outwards to what a
    person would type.
    """

    what: Modality | Literal["k"]
    old: float
    new: float
    at: float


def flips(fetched: Fetched, knobs: Knobs, upper: str, lower: str) -> list[Flip]:
    """For each weight, and for k, the smallest change that puts file ``lower`` above file ``upper``, both paths;
    weights first, the smallest change before the larger.

    Each was tried. None at all where one list alone makes the order, or where no single value does.
    """
    if knobs.direct or knobs.rule != "weighted":
        return []
    k = _k_flip(Pair(fetched, upper, lower), knobs)
    return [*weight_flips(fetched, knobs, upper, lower), *([k] if k is not None else [])]


def weight_flips(fetched: Fetched, knobs: Knobs, upper: str, lower: str) -> list[Flip]:
    """`flips`, for the weights alone."""
    if knobs.direct or knobs.rule != "weighted":
        return []
    pair = Pair(fetched, upper, lower)
    found = [flip for name in knobs.on if (flip := _weight_flip(pair, knobs, name)) is not None]
    return sorted(found, key=lambda flip: (abs(flip.at - flip.old), (*MODALITIES, "k").index(flip.what)))


class Pair:
    """Two files, and which of them stands higher under any knobs."""

    def __init__(self, fetched: Fetched, upper: str, lower: str) -> None:
        self.fetched = fetched
        self.upper = [row for row in fetched.rows if row.chunk.path == upper]
        self.lower = [row for row in fetched.rows if row.chunk.path == lower]

    def swapped(self, knobs: Knobs) -> bool:
        """Whether ``lower`` stands above ``upper`` (or ``upper`` is in no list that counts)."""
        scorer = Scorer(self.fetched, knobs)
        first, second = _best(scorer, self.lower), _best(scorer, self.upper)
        return first is not None and (second is None or first < second)


def _best(scorer: Scorer, rows: Sequence[Row]) -> Key | None:
    return min((key for row in rows if (key := scorer.key(row)) is not None), default=None)


def _weight_flip(pair: Pair, knobs: Knobs, name: Modality) -> Flip | None:
    """A chunk's score is a straight line over one weight, a file's the highest of its chunks' lines; so the two files
    can only swap where a line that is somewhere the highest of one crosses such a line of the other."""
    old = knobs.weights.get(name, 0.0)
    # the lines are drawn with every list of `on` counted, also one that has weight 0 now
    scorer = Scorer(pair.fetched, replace(knobs, weights={**knobs.weights, name: old or 1.0}))
    crossings: set[float] = {0.0} if old else set()
    lower, upper = (highest([_line(scorer, row, name, knobs) for row in rows]) for rows in (pair.lower, pair.upper))
    for a, b in lower:
        for c, d in upper:
            if b != d and 0.0 <= (where := (c - a) / (b - d)) <= MOST_WEIGHT:
                crossings.add(where)
    for at in sorted(crossings, key=lambda value: abs(value - old)):
        # level already: only the tie rules part them, and either way may do
        ways = (True, False) if abs(at - old) < 1e-12 else (at > old,)
        for way in ways:
            new = _past(pair, knobs, name, at, up=way)
            if new is not None:
                return Flip(name, old, new, at)
    return None


def _line(scorer: Scorer, row: Row, name: Modality, knobs: Knobs) -> tuple[float, float]:
    """Score at weight 0, and how much one more gives."""
    factor = scorer.factor(row)
    rest = sum(part[4] for part in scorer.parts(row) if part[0] != name)
    slope = sum(1.0 / (knobs.k + part[1] + 1) for part in scorer.parts(row) if part[0] == name)
    return factor * rest, factor * slope


def highest(lines: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The lines (height at 0, slope) that are the highest of all somewhere at or right of 0, the flattest first."""
    steepest: dict[float, float] = {}
    for height, slope in lines:
        steepest[slope] = max(height, steepest.get(slope, height))
    hull: list[tuple[float, float]] = []
    for slope, height in sorted(steepest.items()):
        # one that starts higher and is steeper is above from 0 on; one between two others may never be the highest
        while hull and (hull[-1][0] <= height or (len(hull) > 1 and _is_below(hull[-2], hull[-1], (height, slope)))):
            hull.pop()
        hull.append((height, slope))
    return hull


def _is_below(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    """Whether the third line overtakes the first before the second does."""
    return (first[0] - last[0]) * (middle[1] - first[1]) <= (first[0] - middle[0]) * (last[1] - first[1])


def _past(pair: Pair, knobs: Knobs, name: Modality, at: float, *, up: bool) -> float | None:
    """The first round number beyond ``at`` that swaps the two; None when they are not swapped there."""
    for places in (2, 3, 4, 6, 9):
        step = 10.0**-places
        rounded = round(at + (0.5001 if up else -0.5001) * step, places)
        if rounded < 0:
            rounded = 0.0
        tried = replace(knobs, weights={**knobs.weights, name: rounded})
        if any(tried.weights.get(each, 0.0) for each in knobs.on) and pair.swapped(tried):
            return rounded
    return None


def _k_flip(pair: Pair, knobs: Knobs) -> Flip | None:
    """The nearest k that swaps the two, found by trying each."""
    for away in range(1, MOST_K):
        for k in (knobs.k - away, knobs.k + away):
            if 1 <= k <= MOST_K and pair.swapped(replace(knobs, k=k)):
                return Flip("k", knobs.k, k, k)
    return None
