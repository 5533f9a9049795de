"""Two ranked lists side by side: what moved, came and went, and how alike they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.model import Result

DEPTH = 10
#: How much each further place counts less in `rank_biased_overlap`: at 0.9 the first ten places carry about 86%.
PERSISTENCE = 0.9


@dataclass(frozen=True, slots=True)
class Pair:
    """A file that one list or both hold, with its place in each."""

    path: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Compared:
    """``pairs`` covers the first ``depth`` of either list; ``overlap`` is the share of files that both firsts hold."""

    depth: int
    pairs: tuple[Pair, ...]
    overlap: float
    likeness: float

    @property
    def entered(self) -> tuple[Pair, ...]:
        return tuple(p for p in self.pairs if _within(p.after, self.depth) and not _within(p.before, self.depth))

    @property
    def left(self) -> tuple[Pair, ...]:
        return tuple(p for p in self.pairs if _within(p.before, self.depth) and not _within(p.after, self.depth))

    @property
    def moved(self) -> tuple[Pair, ...]:
        return tuple(
            p for p in self.pairs
            if _within(p.before, self.depth) and _within(p.after, self.depth) and p.before != p.after
        )  # fmt: skip


def compare(before: Sequence[Result], after: Sequence[Result], depth: int = DEPTH) -> Compared:
    """Compare the first ``depth`` results (files) of two lists, each in its order."""
    old = {result.path: place for place, result in enumerate(before, 1)}
    new = {result.path: place for place, result in enumerate(after, 1)}
    paths = dict.fromkeys([r.path for r in after[:depth]] + [r.path for r in before[:depth]])
    pairs = tuple(Pair(path, old.get(path), new.get(path)) for path in paths)
    first, second = {r.path for r in before[:depth]}, {r.path for r in after[:depth]}
    overlap = len(first & second) / max(len(first), len(second)) if first or second else 1.0
    return Compared(depth, pairs, overlap, rank_biased_overlap([r.path for r in before], [r.path for r in after]))


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], persistence: float = PERSISTENCE) -> float:
    """How alike two rankings without repeats are, 0 to 1, the top counting most; two empty ones are alike.

    The extrapolated form for lists of uneven length, formula 32 of W. Webber, A. Moffat and J. Zobel, "A similarity
    measure for indefinite rankings", ACM TOIS 28 (2010).
    """
    short, long = sorted((first, second), key=len)
    s, n = len(short), len(long)
    if not n:
        return 1.0
    if not s:
        return 0.0
    p = persistence
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    agreed = [0]
    for depth in range(n):
        seen_long.add(long[depth])
        if depth < s:
            seen_short.add(short[depth])
        agreed.append(len(seen_short & seen_long))
    total = sum(agreed[d] / d * p**d for d in range(1, n + 1))
    total += sum(agreed[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    tail = ((agreed[n] - agreed[s]) / n + agreed[s] / s) * p**n
    return (1 - p) / p * total + tail


def _within(place: int | None, depth: int) -> bool:
    return place is not None and place <= depth
