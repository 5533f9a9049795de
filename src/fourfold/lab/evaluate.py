"""Judged questions against one index: how well its answers rank, by kind of question and by intent, and how fast."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fourfold.lab.experiment import ABLATION, DEFAULT, Bench, Comparison, Variant, compare, places
from fourfold.lab.judgements import SPLITS, Judgement
from fourfold.lab.metrics import METRICS, Figures, Place, bootstrap, matrix, percentile, score, wilson
from fourfold.lexing import light_stem, path_words, split_identifier
from fourfold.model import INTENTS, MODALITIES, PlanOptions, Question
from fourfold.search.plan import PlanError

#: An answer that says one of these before its list does not claim that it found what was asked for.
DECLINES = frozenset({"nothing_to_search", "literal_absent", "direct_empty", "nothing_matches_well"})
#: What is told after each question: how many are done, of how many.
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One question, asked: its first ten results and their figures, how it was understood, and how long it took.

    ``group`` names the codebase when several are pooled. ``rule`` is the rule of the intent; ``ms`` holds each modality
    that ran, and ``total``.
    """

    judgement: Judgement
    results: tuple[Place, ...]
    figures: Figures
    intent: str
    rule: str
    strategy: str
    notices: tuple[str, ...]
    ms: Mapping[str, float]
    group: str = ""

    @property
    def asked_intent(self) -> str:
        """The intent that the judgement names, else the one that was recognised."""
        return self.judgement.intents[0] if self.judgement.intents else self.intent


@dataclass(frozen=True, slots=True)
class Group:
    """The mean figures of some questions, with 95% bootstrap intervals, by metric."""

    name: str
    questions: int
    means: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Rule:
    """How often one rule of the classifier was right, among the questions whose judgement names the intent."""

    rule: str
    right: int
    fired: int

    @property
    def accuracy(self) -> float:
        return self.right / self.fired

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.right, self.fired)


@dataclass(frozen=True, slots=True)
class Declined:
    """Questions without an answer, and how many of them were answered with nothing or with a plain word of doubt;
    beside it, how many questions with an answer were doubted wrongly."""

    questions: int
    declined: int
    doubted_wrongly: int
    answerable: int


@dataclass(frozen=True, slots=True)
class Latency:
    questions: int
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything measured. Figures are over the questions that have an answer; the others are in ``declined``."""

    rows: tuple[Row, ...]
    overall: Group
    kinds: tuple[Group, ...]
    intents: tuple[Group, ...]
    stems: tuple[Group, ...]
    splits: tuple[Group, ...]
    rules: tuple[Rule, ...]
    declined: Declined
    latency: Mapping[str, Latency]
    graded: bool


def ask_all(
    bench: Bench,
    judgements: Sequence[Judgement],
    options: PlanOptions = DEFAULT.options,
    tell: Tell | None = None,
    group: str = "",
) -> tuple[Row, ...]:
    """Ask every question once, in order, after one that warms up and is not counted. Raises `PlanError`."""
    bench.engine.understand(Question("words", options))  # options that make no sense at all are told at once
    rows: list[Row] = []
    if judgements:
        _ask(bench, judgements[0], options, group)
    for judgement in judgements:
        rows.append(_ask(bench, judgement, options, group))
        if tell is not None:
            tell(len(rows), len(judgements))
    return tuple(rows)


def _ask(bench: Bench, judgement: Judgement, options: PlanOptions, group: str) -> Row:
    try:
        answer = bench.ask(judgement.query, options)
    except PlanError:  # a syntax question of another modality than structural
        return Row(judgement, (), score(judgement, ()), "", "", "", (), {}, group)
    found = places(answer.results)
    ms: dict[str, float] = {
        m: hits.ms for m, hits in answer.lists.items() if hits.status == "ran" and m in answer.plan.runs
    }
    return Row(
        judgement=judgement,
        results=found,
        figures=score(judgement, found),
        intent=answer.intent.name,
        rule=answer.intent.rule,
        strategy=answer.plan.strategy,
        notices=tuple(notice.code for notice in answer.notices),
        ms={**ms, answer.plan.strategy: answer.timings_ms["total"]},
        group=group,
    )


def summarise(rows: Sequence[Row]) -> Evaluation:
    """All figures over rows of one or several codebases."""
    asked = [row for row in rows if row.judgement.answerable]
    return Evaluation(
        rows=tuple(rows),
        overall=summary("all", asked),
        kinds=_grouped(asked, lambda row: row.judgement.kind),
        intents=_grouped(asked, lambda row: row.asked_intent, INTENTS),
        stems=_by_stem(asked),
        splits=_grouped(asked, lambda row: row.judgement.split, SPLITS),
        rules=rule_accuracy(rows),
        declined=_declined(rows),
        latency=_latency(rows),
        graded=any(target.grade > 1 for row in rows for target in row.judgement.targets),
    )


def summary(name: str, rows: Sequence[Row]) -> Group:
    """Means and intervals over some rows."""
    values = matrix([row.figures for row in rows])
    means = values.mean(axis=0) if len(rows) else np.zeros(len(METRICS))
    low, high = bootstrap(values)
    return Group(
        name,
        len(rows),
        dict(zip(METRICS, means.tolist(), strict=True)),
        dict(zip(METRICS, zip(low.tolist(), high.tolist(), strict=True), strict=True)),
    )


def _grouped(rows: Sequence[Row], key: Callable[[Row], str], order: Iterable[str] = ()) -> tuple[Group, ...]:
    """One summary a value of ``key`` (empty ones left out), in ``order`` when given, else by name."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    names = [name for name in order if name in groups] or sorted(groups)
    return tuple(summary(name, groups[name]) for name in names if name)


# --------------------------------------------------------------------------- parts


def holds_stem(judgement: Judgement) -> bool:
    """Whether a question holds the stem of a file that answers it (case, spaces and signs aside), so that a match of
    names alone may answer it."""
    asked = _squeezed(judgement.query)
    stems = (_squeezed(target.path.rpartition("/")[2].partition(".")[0]) for target in judgement.answers)
    return any(stem and stem in asked for stem in stems)


def holds_stem_words(judgement: Judgement) -> bool:
    """Whether all parts of such a stem are words of the question, in any order, plurals and verb endings aside; a file
    called ``__init__`` or ``index`` stands for its folder."""
    words = {light_stem(part) for token in re.findall(r"\w+", judgement.query) for part in split_identifier(token)}
    stems = (path_words(target.path)[0] for target in judgement.answers)
    return any(stem and all(light_stem(part) in words for part in stem) for stem in stems)


def _squeezed(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _by_stem(rows: Sequence[Row]) -> tuple[Group, ...]:
    """The questions that hold the stem of an answering file, those that do not, and those without even its words."""
    held = [row for row in rows if holds_stem(row.judgement)]
    free = [row for row in rows if not holds_stem(row.judgement)]
    wordless = [row for row in free if not holds_stem_words(row.judgement)]
    named = (("file's stem in the question", held), ("stem not in it", free), ("nor its words", wordless))
    return tuple(summary(name, group) for name, group in named if group)


def rule_accuracy(rows: Sequence[Row]) -> tuple[Rule, ...]:
    """Right and fired of each rule that took a question whose judgement names the intent, in the rules' order."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        if row.judgement.intents and row.rule:
            count = counts.setdefault(row.rule, [0, 0])
            count[0] += row.intent in row.judgement.intents
            count[1] += 1
    return tuple(Rule(rule, *counts[rule]) for rule in sorted(counts, key=_rule_order))


def _rule_order(rule: str) -> tuple[int, str]:
    return (int(rule) if rule.isdigit() else 0, rule)


def _declined(rows: Sequence[Row]) -> Declined:
    def doubts(row: Row) -> bool:
        return not row.results or bool(DECLINES & set(row.notices))

    without = [row for row in rows if not row.judgement.answerable]
    others = [row for row in rows if row.judgement.answerable]
    return Declined(len(without), sum(map(doubts, without)), sum(map(doubts, others)), len(others))


def _latency(rows: Sequence[Row]) -> dict[str, Latency]:
    found: dict[str, Latency] = {}
    for part in (*MODALITIES, "direct", "fused"):
        times = [row.ms[part] for row in rows if part in row.ms]
        p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
        if p50 is not None and p95 is not None:
            found[part] = Latency(len(times), p50, p95)
    return found


# --------------------------------------------------------------------------- ablation


@dataclass(frozen=True, slots=True)
class Ablated:
    """One variant against the default plan."""

    group: str
    variant: str
    comparison: Comparison


#: The rankings of many variants, by variant name, one a question.
Table = Mapping[str, tuple[tuple[Place, ...], ...]]


def rank_all(
    bench: Bench, judgements: Sequence[Judgement], variants: Sequence[Variant], tell: Tell | None = None
) -> Table:
    """Rank every question under every variant, each question's lists fetched once."""
    found: dict[str, list[tuple[Place, ...]]] = {variant.name: [] for variant in variants}
    for number, judgement in enumerate(judgements, 1):
        for variant, ranking in zip(variants, bench.rank(judgement.query, variants), strict=True):
            found[variant.name].append(ranking)
        if tell is not None:
            tell(number, len(judgements))
    return {name: tuple(rankings) for name, rankings in found.items()}


def ablation_variants() -> tuple[Variant, ...]:
    return (DEFAULT, *(variant for group in ABLATION.values() for variant in group))


def ablation(judgements: Sequence[Judgement], table: Table, metric: str) -> tuple[Ablated, ...]:
    """Every variant of `ABLATION` paired with the default plan."""
    return tuple(
        Ablated(group, variant.name, compare(judgements, table[DEFAULT.name], table[variant.name], metric))
        for group, variants in ABLATION.items()
        for variant in variants
    )
