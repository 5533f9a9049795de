"""What if: the lists of one question fused again with other weights, k, boost, demotion, or by another rule.

All four lists are fetched once, for the lab only; after that every change is fused from them in milliseconds and
nothing is retrieved. The ranking that the engine gives does not move by looking.

CombSUM and CombMNZ are those of E. Fox and J. Shaw, "Combination of multiple searches", TREC-2 1993, over each list's
raw scores scaled to 0 … 1; they are here to show why ranks are fused and not scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fourfold.model import MODALITIES, Answer, Chunk, Contribution, HitList, Modality, Plan, Question, Result
from fourfold.search.demotion import demoter, older_versions
from fourfold.search.engine import Engine
from fourfold.search.fuse import PUBLISHED_BOOST, BoostCurve, Demotion, fuse, merge_files, score_chunks

Rule = Literal["weighted", "plain", "sum", "mnz"]
#: weighted: as published; plain: RRF with every weight 1; sum, mnz: of scores, see above.
RULES: tuple[Rule, ...] = ("weighted", "plain", "sum", "mnz")
#: Lists are fetched to this depth, or to the plan's if that is deeper.
FETCHED = 1000
#: The values of k that a curve is drawn over, and the highest that a flip is looked for at.
CURVE = (1, 2, 3, 5, 8, 12, 20, 30, 40, 60, 80, 120, 200, 350, 600, 1000)
MOST_K = 2000
MOST_WEIGHT = 10.0


@dataclass(frozen=True, slots=True)
class Knobs:
    """All that can be turned. ``demotion`` is the factor of every demoted path, None as published; ``direct`` takes
    the list of the one modality in ``on`` as it is, without weights and boost."""

    on: tuple[Modality, ...]
    weights: Mapping[Modality, float]
    k: int
    depth: int
    boost: float = PUBLISHED_BOOST.factor
    cap: float = PUBLISHED_BOOST.cap
    demotion: float | None = None
    rule: Rule = "weighted"
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one question's changes are made from. ``lists`` holds all four, ``direct`` the list of a direct answer."""

    question: Question
    plan: Plan
    lists: Mapping[Modality, HitList]
    direct: Mapping[Modality, HitList]
    chunks: Mapping[int, Chunk]
    demotions: Mapping[int, Demotion]

    @property
    def published(self) -> Knobs:
        """The knobs that give the answer's own list."""
        plan = self.plan
        return Knobs(plan.runs, dict(plan.weights), plan.k, plan.depth, direct=plan.strategy == "direct")


@dataclass(frozen=True, slots=True)
class Move:
    """A result and where it stood before (None: nowhere)."""

    result: Result
    before: int | None

    @property
    def by(self) -> int:
        """How many places it went up; 0 for one that has come."""
        return self.before - self.result.position if self.before is not None else 0


@dataclass(frozen=True, slots=True)
class Flip:
    """The smallest change of one value that puts the lower of two results above the other."""

    what: Modality | Literal["k"]
    old: float
    new: float


def fetch(engine: Engine, question: Question, answer: Answer) -> Fetched:
    """Retrieve all four lists of the question that ``answer`` answers."""
    understood = engine.understand(question)
    lists = engine.lists(question, max(FETCHED, answer.plan.depth))
    direct = answer.lists if answer.plan.strategy == "direct" else {}
    ids = {hit.chunk_id for table in (lists, direct) for found in table.values() for hit in found.hits}
    chunks = engine.reader.chunks(ids)
    older = older_versions(file.path for file in engine.reader.files())
    demote = demoter(understood.body, answer.intent, older)
    demotions = {number: demote(chunk.path) for number, chunk in chunks.items()}
    return Fetched(question, answer.plan, lists, direct, chunks, demotions)


def rank(fetched: Fetched, knobs: Knobs) -> list[Result]:
    """The final list under ``knobs``, one result a file, with positions from 1."""
    demotions = fetched.demotions
    if knobs.demotion is not None:
        factor = knobs.demotion
        demotions = {n: replace(d, factor=factor) if d.factor < 1 else d for n, d in demotions.items()}
    curve = BoostCurve(knobs.boost, max(1.0, knobs.cap))
    # a list of weight 0 is not fused, as in a plan
    runs = tuple(name for name in knobs.on if knobs.weights.get(name, 0.0) > 0) or knobs.on
    plan = replace(fetched.plan, runs=runs, weights=knobs.weights, k=knobs.k, depth=knobs.depth, strategy="fused")
    if knobs.direct:
        return fuse(replace(plan, runs=knobs.on, strategy="direct"), fetched.direct, fetched.chunks, demotions)
    if knobs.rule == "plain":
        plan = replace(plan, runs=knobs.on, weights=dict.fromkeys(MODALITIES, 1.0))
    if knobs.rule in ("weighted", "plain"):
        return fuse(plan, fetched.lists, fetched.chunks, demotions, curve)
    return _by_scores(plan, fetched, demotions, curve, knobs.rule)


def _by_scores(
    plan: Plan, fetched: Fetched, demotions: Mapping[int, Demotion], curve: BoostCurve, rule: Rule
) -> list[Result]:
    """Sums of raw scores, each list's scaled to 0 … 1; for mnz times the number of lists that hold the chunk."""
    ranges: dict[Modality, tuple[float, float]] = {}
    for name in plan.runs:
        scores = [hit.raw_score for hit in fetched.lists[name].hits[: plan.depth]] if name in fetched.lists else []
        if scores:
            ranges[name] = (min(scores), max(scores))
    changed = []
    for result in score_chunks(plan, fetched.lists, fetched.chunks, demotions, curve):
        times = len(result.contributions) if rule == "mnz" else 1
        parts = tuple(_scaled(part, *ranges[part.modality], times) for part in result.contributions)
        total = sum(part.contribution for part in parts)
        changed.append(replace(result, contributions=parts, score=result.demotion * result.boost * total))
    changed.sort(key=lambda r: (-r.score, -len(r.contributions), r.path, r.start_line))
    return merge_files(changed)


def _scaled(part: Contribution, low: float, high: float, times: int) -> Contribution:
    share = (part.raw_score - low) / (high - low) if high > low else 1.0
    return replace(part, weight=float(times), contribution=times * share)


def moves(before: Sequence[Result], after: Sequence[Result]) -> list[Move]:
    """``after``, each with the position that its file had in ``before``."""
    old = {result.path: result.position for result in before}
    return [Move(result, old.get(result.path)) for result in after]


def left(before: Sequence[Result], after: Sequence[Result], depth: int) -> list[Result]:
    """Results among the first ``depth`` before that no list holds any more."""
    kept = {result.path for result in after}
    return [result for result in before[:depth] if result.path not in kept]


def curve(fetched: Fetched, knobs: Knobs, path: str) -> list[tuple[int, int | None]]:
    """(k, position of the file) over `CURVE`; None where no list holds it."""
    if knobs.direct or knobs.rule in ("sum", "mnz"):
        return []
    out = []
    for k in CURVE:
        ranked = rank(fetched, replace(knobs, k=k))
        out.append((k, next((result.position for result in ranked if result.path == path), None)))
    return out


# --------------------------------------------------------------------------- the smallest change that swaps two


def flips(fetched: Fetched, knobs: Knobs, upper: Result, lower: Result) -> list[Flip]:
    """For each weight, and for k, the smallest change that puts ``lower`` above ``upper``; smallest change first.

    Each was tried on the whole list. None at all where one list alone makes the order, or where no single value does.
    """
    if knobs.direct or knobs.rule != "weighted":
        return []
    found = [flip for name in knobs.on if (flip := _weight_flip(fetched, knobs, upper, lower, name)) is not None]
    found.sort(key=lambda flip: (abs(flip.new - flip.old), MODALITIES.index(flip.what)))
    k = _k_flip(fetched, knobs, upper, lower)
    return [*found, k] if k is not None else found


def _weight_flip(fetched: Fetched, knobs: Knobs, upper: Result, lower: Result, name: Modality) -> Flip | None:
    """Scores are straight lines over one weight, so there is one place at most where they cross."""
    slope = _slope(lower, name, knobs.k) - _slope(upper, name, knobs.k)
    if slope == 0:
        return None
    old = knobs.weights.get(name, 0.0)
    new = old + (upper.score - lower.score) / slope
    if not -1e-12 <= new <= MOST_WEIGHT:
        return None
    # a little further, so that they do not stand level; rounded outwards, to what a person would type
    for places in (2, 3, 4, 6):
        step = 10.0**-places
        rounded = round(new + (0.5001 * step if slope > 0 else -0.5001 * step), places)
        tried = replace(knobs, weights={**knobs.weights, name: max(0.0, rounded)})
        if rounded >= 0 and any(tried.weights[each] for each in knobs.on) and _above(fetched, tried, lower, upper):
            return Flip(name, old, rounded)
    return None


def _slope(result: Result, name: Modality, k: int) -> float:
    part = next((part for part in result.contributions if part.modality == name), None)
    return result.demotion * result.boost / (k + part.rank + 1) if part is not None else 0.0


def _k_flip(fetched: Fetched, knobs: Knobs, upper: Result, lower: Result) -> Flip | None:
    def ahead(k: int) -> bool:
        return _score(lower, k) > _score(upper, k) * (1 + 1e-12)

    near = sorted((k for k in range(1, MOST_K + 1) if ahead(k)), key=lambda k: (abs(k - knobs.k), k))
    for k in near[:3]:
        if _above(fetched, replace(knobs, k=k), lower, upper):
            return Flip("k", knobs.k, k)
    return None


def _score(result: Result, k: int) -> float:
    return result.demotion * result.boost * sum(p.weight / (k + p.rank + 1) for p in result.contributions)


def _above(fetched: Fetched, knobs: Knobs, first: Result, second: Result) -> bool:
    places = {result.path: result.position for result in rank(fetched, knobs)}
    return first.path in places and places[first.path] < places.get(second.path, len(places) + 1)


# --------------------------------------------------------------------------- the same as a command


def as_question(fetched: Fetched, knobs: Knobs) -> tuple[Question, tuple[str, ...]]:
    """The question whose plan has these knobs, and the names of those that no plan has (boost, demotion, the rule)."""
    published, options = fetched.published, fetched.question.options
    if knobs.direct:
        changes = replace(options, strategy="direct" if not published.direct else options.strategy)
    else:
        weights = dict.fromkeys(MODALITIES, 1.0) if knobs.rule == "plain" else dict(knobs.weights)
        same = weights == dict(published.weights) and not published.direct
        changes = replace(
            options,
            strategy="fused" if published.direct else options.strategy,
            weights=options.weights if same and options.weights is None else {m: weights[m] for m in knobs.on},
            only=options.only if knobs.on == published.on and not published.direct else knobs.on,
        )
    changes = replace(
        changes,
        k=knobs.k if knobs.k != published.k else options.k,
        depth=knobs.depth if knobs.depth != published.depth else options.depth,
    )
    names = []
    if (knobs.boost, knobs.cap) != (published.boost, published.cap) and not knobs.direct:
        names.append("the boost")
    if knobs.demotion is not None:
        names.append("the demotion")
    if knobs.rule in ("sum", "mnz"):
        names.append("the rule of fusion")
    return replace(fetched.question, options=changes), tuple(names)
