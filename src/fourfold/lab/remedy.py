"""The smallest change of a question's options that puts one result first, found by arithmetic and tried on the engine.

With the lists and k given, every score is a weighted sum of four numbers, so many weights are tried at once. In order:
one weight alone, k alone, several weights (also with another k), then a limit to the file, and to its kind of symbol.
What is handed back has been asked, and stood first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from fourfold.lab.what_if import CURVE
from fourfold.model import MODALITIES, Chunk, Filters, HitList, Modality, Plan, PlanOptions, Question
from fourfold.search.engine import Engine
from fourfold.search.fuse import PUBLISHED_BOOST, Demotion
from fourfold.search.plan import PlanError

#: The values that one weight alone is tried at, and those of four weights together.
ALONE = tuple(round(step * 0.01, 2) for step in range(201))
TOGETHER = tuple(round(step * 0.1, 1) for step in range(11))
#: How many changes that should do are tried on the engine before the next kind of change is.
TRIES = 3

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Remedy:
    """``question`` puts the target first; ``words`` say in a few words what is changed."""

    question: Question
    words: str


@dataclass(frozen=True, slots=True)
class _Table:
    """The chunks that some list holds: ranks (4, n), -1 for none; boost times demotion; which are wanted."""

    ranks: NDArray[np.int64]
    factor: Floats
    wanted: Bools
    paths: tuple[str, ...]

    def ahead(self, k: int, depth: int) -> str:
        """The path of a chunk that has at least as much from every list as any wanted one, so that no weights with
        this k put one of those above it; empty when there is none."""
        values = self.values(k, depth)
        best = values[self.wanted].max(axis=0)
        above = np.flatnonzero(~self.wanted & np.all(values >= best, axis=1))
        return self.paths[int(above[0])] if len(above) else ""

    def values(self, k: int, depth: int) -> Floats:
        """(n, 4): what a weight of 1 gives to each chunk."""
        held = (self.ranks >= 0) & (self.ranks < depth)
        return (self.factor * np.where(held, 1.0 / (k + self.ranks + 1.0), 0.0)).T

    def first(self, k: int, depth: int, weights: Floats) -> Bools:
        """Which rows of ``weights`` (m, 4) put a wanted chunk first."""
        scores = self.values(k, depth) @ weights.T
        best = scores[self.wanted].max(axis=0)
        others = scores[~self.wanted].max(axis=0, initial=0.0)
        return np.asarray(best > others * (1 + 1e-9))


def to_first(
    engine: Engine,
    question: Question,
    plan: Plan,
    lists: Mapping[Modality, HitList],
    wanted: set[int],
    target: Chunk | None,
) -> Remedy | None:
    """The smallest change that was found, None where none does. ``lists`` are the full ones; ``target`` is the best
    wanted chunk, for the changes that limit the question to its file or kind."""
    for change in _changes(engine, question, plan, lists, wanted, target):
        if _stands_first(engine, change.question, wanted):
            return change
    return None


def _changes(
    engine: Engine,
    question: Question,
    plan: Plan,
    lists: Mapping[Modality, HitList],
    wanted: set[int],
    target: Chunk | None,
) -> Iterator[Remedy]:
    ranks = [rank for found in lists.values() for rank, hit in enumerate(found.hits) if hit.chunk_id in wanted]
    if not ranks:
        return
    depth = max(plan.depth, min(ranks) + 1)
    table = _table(engine, question, lists, wanted, depth)
    if plan.intent.pattern not in ("ast", "construct"):
        base = np.array([plan.weights.get(m, 0.0) if _counts(plan, m) else 0.0 for m in MODALITIES])
        yield from _by_weights(question, plan, table, base, depth)
    if target is not None:
        ahead = table.ahead(plan.k, depth)
        why = f"no weights can: {ahead} is ahead of it in every list" if ahead else "no weights that were tried can"
        yield from _by_limits(question, target, why)


def _counts(plan: Plan, modality: Modality) -> bool:
    """Whether a modality would be fused as things are; a direct answer is compared with its fused plan."""
    return modality in plan.runs or plan.strategy == "direct"


def _table(
    engine: Engine, question: Question, lists: Mapping[Modality, HitList], wanted: set[int], depth: int
) -> _Table:
    numbers = sorted({hit.chunk_id for found in lists.values() for hit in found.hits[:depth]})
    chunks = engine.reader.chunks(numbers)
    numbers = [number for number in numbers if number in chunks]
    at = {number: row for row, number in enumerate(numbers)}
    demotions = engine.demotions(engine.understand(question), chunks)
    ranks = np.full((len(MODALITIES), len(numbers)), -1, dtype=np.int64)
    for line, modality in enumerate(MODALITIES):
        for rank, hit in enumerate(lists[modality].hits[:depth] if modality in lists else ()):
            if hit.chunk_id in at:
                ranks[line, at[hit.chunk_id]] = rank
    plain = Demotion()
    factor = np.array(
        [demotions.get(n, plain).factor * PUBLISHED_BOOST.at(chunks[n].centrality) for n in numbers], dtype=np.float64
    )
    own = np.array([number in wanted for number in numbers], dtype=np.bool_)
    return _Table(ranks, factor, own, tuple(chunks[number].path for number in numbers))


# --------------------------------------------------------------------------- weights and k


def _by_weights(question: Question, plan: Plan, table: _Table, base: Floats, depth: int) -> Iterator[Remedy]:
    deeper = depth if depth > plan.depth else None
    for weights in _nearest(table.first(plan.k, depth, rows := _alone(base)), rows, base):
        yield _weighted(question, plan, base, weights, None, deeper)
    for k in sorted(CURVE, key=lambda value: abs(value - plan.k)):
        if table.first(k, depth, base[None, :])[0]:
            yield _weighted(question, plan, base, base, k, deeper)
    every = np.array([row for row in product(TOGETHER, repeat=len(MODALITIES)) if abs(sum(row) - 1) < 1e-6])
    for other in (None, 1, 10, 1000):
        for weights in _nearest(table.first(other or plan.k, depth, every), every, base):
            yield _weighted(question, plan, base, weights, other, deeper)


def _alone(base: Floats) -> Floats:
    """``base`` with one weight at a time at every value of `ALONE`."""
    rows = np.repeat(base[None, :], len(MODALITIES) * len(ALONE), axis=0)
    for line in range(len(MODALITIES)):
        rows[line * len(ALONE) : (line + 1) * len(ALONE), line] = ALONE
    some: Bools = rows.sum(axis=1) > 0
    return np.asarray(rows[some])


def _nearest(good: Bools, rows: Floats, base: Floats) -> Sequence[Floats]:
    """The rows that do, nearest to ``base`` first."""
    found = rows[good]
    return list(found[np.argsort(np.abs(found - base).sum(axis=1), kind="stable")][:TRIES])


def _weighted(
    question: Question, plan: Plan, base: Floats, weights: Floats, k: int | None, depth: int | None
) -> Remedy:
    options = question.options
    changed = [
        f"{name} {old:g} → {new:g}"
        for name, old, new in zip(MODALITIES, base.tolist(), weights.tolist(), strict=True)
        if abs(old - new) > 1e-9
    ]
    given = {name: round(float(w), 4) for name, w in zip(MODALITIES, weights, strict=True) if w > 0}
    if changed or plan.strategy == "direct":
        options = replace(options, weights=given, only=None, strategy="auto")
    words = ["weight of " + ", ".join(changed)] if changed else []
    if k is not None:
        options = replace(options, k=k)
        words.append(f"k {plan.k} → {k}")
    if depth is not None:
        options = replace(options, depth=depth)
        words.append(f"depth {plan.depth} → {depth}")
    if plan.strategy == "direct":
        words.insert(0, "fused, not direct")
    return Remedy(replace(question, options=options), "; ".join(words))


# --------------------------------------------------------------------------- limits


def _by_limits(question: Question, target: Chunk, why: str) -> Iterator[Remedy]:
    """Within its own file, then also within its own kind of symbol; as asked, then fused, then all four. ``why`` no
    smaller change does."""
    glob = "/" + re.sub(r"[\[\]*?\\]", "?", target.path)
    here = Filters(question.filters.languages, question.filters.kinds, (glob,), ())
    kinds = () if target.kind in ("lines", "prose", "data") else (target.kind,)
    ways = [here, *([replace(here, kinds=kinds)] if kinds else [])]
    for filters in ways:
        words = "limited to its file" + (f" and to kind {target.kind}" if filters.kinds != here.kinds else "")
        for options in _options(question):
            extra = "" if options == question.options else ", all four fused"
            yield Remedy(replace(question, filters=filters, options=options), f"{words}{extra} ({why})")
        for modality in MODALITIES:
            options = replace(question.options, preset="default", strategy="fused", only=(modality,), weights=None)
            yield Remedy(replace(question, filters=filters, options=options), f"{words}, {modality} alone ({why})")


def _options(question: Question) -> tuple[PlanOptions, PlanOptions]:
    wide = replace(question.options, preset="thorough", strategy="fused", only=None, weights=None)
    return question.options, wide


def _stands_first(engine: Engine, question: Question, wanted: set[int]) -> bool:
    try:
        answer = engine.ask(replace(question, limit=1))
    except PlanError:
        return False
    return bool(answer.results) and answer.results[0].chunk_id in wanted
