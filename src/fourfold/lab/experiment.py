"""Asking one question under many plans, retrieving as little as possible, and comparing two plans over all questions.

A fused plan is fused again from lists that were fetched once; only a direct plan, whose list differs, asks the engine.
Nothing here changes what the engine answers: `Bench.rank` gives for every plan what `Engine.ask` would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fourfold.lab.judgements import Judgement
from fourfold.lab.metrics import METRICS, SEED, TIE, Figures, Place, bootstrap, matrix, randomisation, score
from fourfold.model import MODALITIES, Answer, Chunk, HitList, Modality, Plan, PlanOptions, Question, Result
from fourfold.search.engine import Engine, Understood
from fourfold.search.fuse import PUBLISHED_BOOST, BoostCurve, Demotion, fuse
from fourfold.search.plan import PlanError, fall_back

#: Lists are fetched to this depth, that of the deepest preset, and cut to each plan's.
FETCHED = 500
NO_BOOST = BoostCurve(factor=0.0)
Scope = Callable[[Question], Question]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to rank: a plan's options, and what is switched off besides.

    ``without`` takes a modality out of whatever plan results, with the weights of the others as they are; a direct plan
    that it carried alone becomes a fused one. ``boost`` and ``demotion`` are the factors of the score.
    """

    name: str
    options: PlanOptions = field(default_factory=PlanOptions)
    without: Modality | None = None
    boost: bool = True
    demotion: bool = True


DEFAULT = Variant("default")
#: What ``--ablate`` compares with the default plan, in groups.
ABLATION: Mapping[str, tuple[Variant, ...]] = {
    "alone": tuple(Variant(f"{m} alone", PlanOptions(only=(m,))) for m in MODALITIES),
    "left out": tuple(Variant(f"without {m}", without=m) for m in MODALITIES),
    "factors": (Variant("without boost", boost=False), Variant("without demotion", demotion=False),
                Variant("without both", boost=False, demotion=False)),
    "presets": (Variant("quick", PlanOptions(preset="quick")), Variant("thorough", PlanOptions(preset="thorough"))),
    "strategies": (Variant("always direct", PlanOptions(strategy="direct")),
                   Variant("always fused", PlanOptions(strategy="fused"))),
    "weights": (Variant("equal weights", PlanOptions(weights=dict.fromkeys(MODALITIES, 1.0))),),
}  # fmt: skip


def places(results: Sequence[Result]) -> tuple[Place, ...]:
    return tuple(Place(result.path, result.start_line, result.end_line) for result in results)


class Bench:
    """Ranks questions over one index under many variants. ``scope`` limits a question to the folder asked about."""

    def __init__(self, engine: Engine, scope: Scope = lambda question: question) -> None:
        self.engine = engine
        self._scope = scope

    def ask(self, text: str, options: PlanOptions, limit: int = 10) -> Answer:
        """What the engine answers, timed by itself. Raises `PlanError`."""
        return self.engine.ask(self._scope(Question(text, options, limit=limit)))

    def rank(self, text: str, variants: Sequence[Variant], limit: int = 10) -> Iterator[tuple[Place, ...]]:
        """The first ``limit`` results of one question under each variant; none where the question cannot be asked so
        (a syntax question of another modality than structural)."""
        lists = _Lists(self.engine)
        for variant in variants:
            question = self._scope(Question(text, variant.options, limit=0))
            try:
                yield places(lists.results(question, variant)[:limit])
            except PlanError:
                yield ()


class _Lists:
    """The lists of one question, fetched when a variant first needs them; thrown away with the question, as they are
    large."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._fetched: dict[tuple[object, ...], dict[Modality, HitList]] = {}
        self._chunks: dict[int, Chunk] = {}

    def results(self, question: Question, variant: Variant) -> list[Result]:
        understood = self._engine.understand(question)
        if understood.intent.rule == "1":  # nothing to search for
            return []
        plan, lists = self._plan_and_lists(question, understood, variant.without)
        kept = {modality: lists[modality] for modality in plan.runs if modality in lists}
        self._know(hit.chunk_id for found in kept.values() for hit in found.hits[: plan.depth])
        demotions: dict[int, Demotion] = {}
        if variant.demotion:
            demotions = self._engine.demotions(understood, self._chunks)
        return fuse(plan, kept, self._chunks, demotions, PUBLISHED_BOOST if variant.boost else NO_BOOST)

    def _plan_and_lists(
        self, question: Question, understood: Understood, without: Modality | None
    ) -> tuple[Plan, Mapping[Modality, HitList]]:
        plan = understood.plan
        if without is not None and plan.strategy == "direct" and plan.runs == (without,):
            plan = fall_back(plan)
        elif plan.strategy == "direct":
            answer = self._engine.ask(question)  # falls back to a fused plan by itself
            plan, lists = answer.plan, answer.lists
            if without not in plan.runs:
                return plan, lists
        runs = tuple(modality for modality in plan.runs if modality != without)
        return replace(plan, runs=runs), self._fetch(question, plan.depth)

    def _fetch(self, question: Question, depth: int) -> Mapping[Modality, HitList]:
        depth = max(depth, FETCHED)
        key = (question.text, question.options.intent, question.options.regex, question.filters, depth)
        if key not in self._fetched:
            self._fetched[key] = self._engine.lists(question, depth)
        return self._fetched[key]

    def _know(self, ids: Iterator[int]) -> None:
        missing = {number for number in ids if number not in self._chunks}
        if missing:
            self._chunks.update(self._engine.reader.chunks(missing))


# --------------------------------------------------------------------------- comparing


@dataclass(frozen=True, slots=True)
class Change:
    """One question under two plans: the metric's values, and the rank (from 1) of the first answer in each."""

    judgement: Judgement
    baseline: float
    candidate: float
    baseline_rank: int | None
    candidate_rank: int | None

    @property
    def difference(self) -> float:
        return self.candidate - self.baseline


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidate against baseline over the same questions, by one metric.

    ``low`` and ``high`` bound the mean difference at 95%; ``p`` is that of the randomisation test, for this comparison
    alone: of twenty comparisons of equal plans, one has p < 0.05 by chance.
    """

    metric: str
    baseline: float
    candidate: float
    difference: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    changes: tuple[Change, ...]

    @property
    def regression(self) -> bool:
        """Whether the candidate is worse beyond doubt: the whole interval lies below 0."""
        return self.high < 0.0

    def worst(self, count: int = 10) -> tuple[Change, ...]:
        """The greatest losses, worst first."""
        lost = [change for change in self.changes if change.difference < -TIE]
        return tuple(sorted(lost, key=lambda change: change.difference)[:count])


Rankings = Sequence[tuple[Place, ...]]


def figures(judgements: Sequence[Judgement], rankings: Rankings) -> tuple[Figures, ...]:
    return tuple(score(judgement, ranking) for judgement, ranking in zip(judgements, rankings, strict=True))


def compare(
    judgements: Sequence[Judgement], baseline: Rankings, candidate: Rankings, metric: str, seed: int = SEED
) -> Comparison:
    """Pair two sets of rankings question by question; questions without an answer are left out."""
    rows = [row for row in zip(judgements, baseline, candidate, strict=True) if row[0].answerable]
    asked = [judgement for judgement, _, _ in rows]
    column = METRICS.index(metric)
    old = matrix(figures(asked, [row[1] for row in rows]))
    new = matrix(figures(asked, [row[2] for row in rows]))
    apart = new[:, column] - old[:, column]
    ranks = METRICS.index("mrr10")
    changes = tuple(
        Change(judgement, float(a[column]), float(b[column]), _rank(a[ranks]), _rank(b[ranks]))
        for judgement, a, b in zip(asked, old, new, strict=True)
    )
    low, high = bootstrap(apart[:, None], seed=seed)[:, 0].tolist()
    return Comparison(
        metric=metric,
        baseline=float(old[:, column].mean()) if asked else 0.0,
        candidate=float(new[:, column].mean()) if asked else 0.0,
        difference=float(apart.mean()) if asked else 0.0,
        low=low,
        high=high,
        p=randomisation(apart, seed=seed),
        wins=int(np.sum(apart > TIE)),
        ties=int(np.sum(np.abs(apart) <= TIE)),
        losses=int(np.sum(apart < -TIE)),
        changes=changes,
    )


def _rank(reciprocal: float) -> int | None:
    return round(1.0 / reciprocal) if reciprocal > 0 else None
