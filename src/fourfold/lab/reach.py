"""Whether any weights, k and depth put one of some chunks first: decided exactly, from the full lists.

Given k and depth, a score is a weighted sum, and a list that does not hold the chunk cannot help it. With each rival's
part of a list divided by the chunk's own, the chunk can be first if and only if some weights keep every rival's sum
below 1: a matrix game (weights against rivals) whose value is below 1. Its two optimal strategies are weights that do,
or a mixture of at most four rivals that no weights pass.

Of the depths, only those count at which one list just still holds the chunk: any other leaves it the same parts and its
rivals as much or more. Each rival's part rises or falls steadily with k, so over a range of k it is at least the lower
of its values at both ends: when even those bar the chunk, no k of that range does, else the range is halved.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The highest k that a command line takes.
MOST_K = 1_000_000
#: How many games are played for one chunk at one depth before it is left open.
GAMES = 400
#: A rival this close, in parts of the chunk's score, is not passed.
LEVEL = 1e-9

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Field:
    """The chunks that some list holds: ranks (lists, n) from 0, -1 for none; boost times demotion; the wanted ones."""

    ranks: NDArray[np.int64]
    factor: Floats
    wanted: Bools

    def values(self, k: int, depth: int) -> Floats:
        """(n, lists): what a weight of 1 gives to each chunk."""
        held = (self.ranks >= 0) & (self.ranks < depth)
        return (self.factor * np.where(held, 1.0 / (k + self.ranks + 1.0), 0.0)).T

    def first(self, k: int, depth: int, weights: Floats) -> Bools:
        """Which rows of ``weights`` (m, lists) put a wanted chunk first."""
        scores = self.values(k, depth) @ weights.T
        best = scores[self.wanted].max(axis=0)
        others = scores[~self.wanted].max(axis=0, initial=0.0)
        return np.asarray(best > others * (1 + LEVEL))

    def only(self, kept: Bools) -> Field:
        """The lists with some chunks alone, in the order that they have."""
        ranks = np.full((len(self.ranks), int(kept.sum())), -1, dtype=np.int64)
        for line, row in enumerate(self.ranks[:, kept]):
            held = np.flatnonzero(row >= 0)
            ranks[line, held[np.argsort(row[held])]] = np.arange(len(held))
        return Field(ranks, self.factor[kept], self.wanted[kept])

    def candidates(self) -> list[int]:
        """The wanted chunks that no other wanted one betters in every list, the best ranked first."""
        rows = [int(row) for row in np.flatnonzero(self.wanted) if self.factor[row] > 0]
        places = np.where(self.ranks >= 0, self.ranks, np.iinfo(np.int64).max)
        rows.sort(key=lambda row: (int(places[:, row].min()), row))
        kept: list[int] = []
        for row in rows:
            if not any(
                bool(np.all(places[:, o] <= places[:, row])) and self.factor[o] >= self.factor[row] for o in kept
            ):
                kept.append(row)
        return kept


@dataclass(frozen=True, slots=True)
class Setting:
    """Weights (one a list), k and depth that put a wanted chunk first."""

    weights: Floats
    k: int
    depth: int


@dataclass(frozen=True, slots=True)
class Barred:
    """Nothing does: whatever is set, one of these chunks stands above."""

    rows: tuple[int, ...]


def reach(field: Field, k: int, depth: int) -> Setting | Barred | None:
    """A setting that puts a wanted chunk first, near to ``k`` and ``depth`` if one is; None when it stays open."""
    rows = field.candidates()
    for row in rows:
        for most in (depth, *_depths(field, row)):
            found = _at(field, row, k, most)
            if found is not None:
                return found
    above: set[int] = set()
    left_open = not rows
    for row in rows:
        for most in _depths(field, row):
            tried = _anywhere(field, row, k, most)
            if isinstance(tried, Setting):
                return tried
            if tried is None:
                left_open = True
            else:
                above |= set(tried.rows)
    return None if left_open else Barred(tuple(sorted(above)))


def _depths(field: Field, row: int) -> list[int]:
    """The depths at which a list just holds the chunk, the deepest first."""
    ranks = field.ranks[:, row]
    return sorted({int(rank) + 1 for rank in ranks[ranks >= 0]}, reverse=True)


@dataclass(frozen=True, slots=True)
class _Rivals:
    """The parts of one chunk's rivals in the lists that hold it, in parts of its own: ratio × (k + own) / (k + place).

    ``held``, ``own`` and ``place`` are (rivals, lists), ``ratio`` (rivals, 1); ``lists`` and ``rows`` number them.
    """

    lists: NDArray[np.intp]
    rows: NDArray[np.intp]
    held: Bools
    own: Floats
    place: Floats
    ratio: Floats

    def parts(self, k: int) -> Floats:
        return np.asarray(np.where(self.held, self.ratio * (k + self.own) / (k + self.place), 0.0))

    def between(self, low: int, high: int) -> Played:
        """The game of what each part is at least over a range of k."""
        return play(np.minimum(self.parts(low), self.parts(high)))


def _rivals(field: Field, row: int, depth: int) -> _Rivals:
    """At one depth."""
    mine = field.ranks[:, row]
    lists = np.flatnonzero((mine >= 0) & (mine < depth))
    ranks = field.ranks[lists]
    held = (ranks >= 0) & (ranks < depth)
    rows = np.flatnonzero(~field.wanted & held.any(axis=0))
    place: Floats = (ranks[:, rows].T + 1).astype(np.float64)
    ratio = (field.factor[rows] / field.factor[row])[:, None]
    own = np.broadcast_to(mine[lists] + 1.0, place.shape)
    return _Rivals(lists, rows, held[:, rows].T, own, place, ratio)


def _at(field: Field, row: int, k: int, depth: int) -> Setting | None:
    """Weights that put the chunk first at this k and depth, as round as they may be."""
    rivals = _rivals(field, row, depth)
    if not len(rivals.lists):
        return None
    played = play(rivals.parts(k))
    if played.most >= 1 - LEVEL:
        return None
    exact = np.zeros(len(field.ranks))
    exact[rivals.lists] = played.weights * (k + field.ranks[rivals.lists, row] + 1.0)
    exact /= exact.sum()
    for places in (1, 2, 3, 4, 6, 9):
        weights = np.round(exact, places)
        if weights.any() and field.first(k, depth, weights[None, :])[0]:
            return Setting(weights, k, depth)
    return Setting(exact, k, depth)


def _anywhere(field: Field, row: int, k: int, depth: int) -> Setting | Barred | None:
    """Over every k, the ranges nearest to ``k`` first."""
    rivals = _rivals(field, row, depth)
    above: set[int] = set()
    ranges = [(0, 1, MOST_K)]
    for _ in range(GAMES):
        if not ranges:
            return Barred(tuple(sorted(above)))
        _, low, high = heapq.heappop(ranges)
        least = rivals.between(low, high)
        if least.least >= 1 - LEVEL:
            above |= {int(rivals.rows[each]) for each in least.rivals}
            continue
        middle = int((low * high) ** 0.5)
        for end in (low, middle, high):
            found = _at(field, row, end, depth)
            if found is not None:
                return found
        if low == high:
            return None
        for start, stop in ((low, middle), (middle + 1, high)):
            if start <= stop:
                heapq.heappush(ranges, (max(start - k, k - stop, 0), start, stop))
    return None


def stay_above(field: Field, row: int, rivals: Bools) -> bool:
    """Whether ``rivals`` (a mask) bar a chunk whichever other chunks are taken out of the lists: a proof where it says
    so, else nothing is known.

    A rival before the chunk in a list has its least part there when all others before it stay and those between go; one
    after it may be cut off by the depth, and is taken to have none.
    """
    mine = field.ranks[:, row]
    lists = np.flatnonzero(mine >= 0)
    rows = np.flatnonzero(rivals)
    stays = rivals.copy()
    stays[row] = True
    held = np.zeros((len(rows), len(lists)), dtype=np.bool_)
    own, place = np.ones_like(held, dtype=np.float64), np.ones_like(held, dtype=np.float64)
    for line, number in enumerate(lists):
        ranks = field.ranks[number]
        before = (ranks[rows] >= 0) & (ranks[rows] < mine[number])
        fixed, free = (np.sort(ranks[some & (ranks >= 0)]) for some in (stays, ~stays))
        others = np.searchsorted(free, ranks[rows])
        held[:, line] = before
        own[:, line] = others + np.searchsorted(fixed, mine[number]) + 1.0
        place[:, line] = others + np.searchsorted(fixed, ranks[rows]) + 1.0
    ratio = (field.factor[rows] / field.factor[row])[:, None]
    table = _Rivals(lists, rows, held, own, place, ratio)
    ranges = [(1, MOST_K)]
    for _ in range(GAMES):
        if not ranges:
            return True
        low, high = ranges.pop()
        if table.between(low, high).least >= 1 - LEVEL:
            continue
        middle = int((low * high) ** 0.5)
        if low == high or any(play(table.parts(k)).most < 1 - LEVEL for k in (low, middle, high)):
            return False
        ranges += [(low, middle), (middle + 1, high)]
    return False


# --------------------------------------------------------------------------- the game


@dataclass(frozen=True, slots=True)
class Played:
    """``weights`` (sum 1) keep every rival at ``most`` or below; a mixture of ``rivals`` is at ``least`` or above
    whatever the weights. The game's value lies between; both are computed from the strategies themselves."""

    most: float
    least: float
    weights: Floats
    rivals: tuple[int, ...]


def play(parts: Floats) -> Played:
    """Solve the game of a matrix (rivals, lists) of parts of 0 or more, of at least one list.

    The simplex method on the condensed tableau of: maximise Σ x where parts · x ≤ 1, x ≥ 0; x over its sum are the
    weights, the dual values over theirs the mixture (G. Dantzig, "A proof of the equivalence of the programming problem
    and the game problem", 1951).
    """
    rivals, lists = parts.shape
    top = parts.max(axis=0, initial=0.0)
    alone = int(top.argmin())
    if top[alone] < 1 - LEVEL:
        return Played(float(top[alone]), 0.0, np.eye(lists)[alone], ())
    table = np.zeros((rivals + 1, lists + 1))
    table[:rivals, :lists], table[:rivals, lists], table[rivals, :lists] = parts, 1.0, -1.0
    # what stands at each side: a list is 0 …, a rival lists …
    left, above = np.arange(lists, lists + rivals), np.arange(lists)
    for column, row in _pivots(table, left, above):
        _exchange(table, row, column)
        left[row], above[column] = above[column], left[row]
    weights = np.zeros(lists)
    for number, value in zip(left.tolist(), table[:rivals, lists].tolist(), strict=True):
        if number < lists:
            weights[number] = max(value, 0.0)
    mixture = np.zeros(rivals)
    for number, value in zip(above.tolist(), table[rivals, :lists].tolist(), strict=True):
        if number >= lists:
            mixture[number - lists] = max(value, 0.0)
    weights /= weights.sum()
    mixture /= max(mixture.sum(), 1e-300)
    used = tuple(int(each) for each in np.flatnonzero(mixture > LEVEL))
    return Played(float((parts @ weights).max()), float((mixture @ parts).min()), weights, used)


def _pivots(table: Floats, left: NDArray[np.intp], above: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """(column, row) to exchange next, until nothing is gained; after many, by the rule that never comes round again
    (R. Bland, 1977)."""
    for turn in range(500):
        gains = table[-1, :-1]
        better = np.flatnonzero(gains < -1e-12)
        if not len(better):
            return
        column = int(better[above[better].argmin()] if turn > 50 else gains.argmin())
        rows = np.flatnonzero(table[:-1, column] > 1e-12)
        if not len(rows):
            return
        room = table[rows, -1] / table[rows, column]
        level = rows[room <= room.min() + 1e-15]
        yield column, int(level[left[level].argmin()])


def _exchange(table: Floats, row: int, column: int) -> None:
    pivot = table[row, column]
    line = table[row] / pivot
    line[column] = 1.0 / pivot
    rest = table[:, column].copy()
    rest[row] = 0.0
    table[:, column] = 0.0
    table -= np.outer(rest, line)
    table[row] = line
