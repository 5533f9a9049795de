"""What a ranking is worth, and how sure that is. Pure; all ranks here count from 1.

**NDCG@10, strict** (``ndcg10``): every answer (target with a grade above 0) counts 1 and gains at the first result that
matches it: same file, and lines that overlap where both have some. Answers that share a result share one gain. Gains
are discounted by 1/log2(rank + 1), and the sum is divided by that of an ideal list of min(10, answers) gains. Results
are taken as they stand.

**NDCG@10, graded** (``graded10``): results are files (a file's first result stands for it), a result gains 2^grade − 1
by the best grade that it matches, and the ideal list holds each judged file once, at its best grade. Cumulated gain
with a discount is by K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4),
2002, with the grade itself as gain; the gain 2^grade − 1 is by C. Burges et al., "Learning to rank using gradient
descent", ICML 2005, so that one perfect answer outweighs several that are merely related.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np
from numpy.typing import NDArray

from fourfold.lab.judgements import Judgement, Target

DEPTH = 10
RESAMPLES = 10_000
SEED = 7
#: Differences up to this are rounding: a tie.
TIE = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Place:
    """A result as far as a judgement is concerned; without lines it stands for the whole file."""

    path: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """One question's figures, each from 0 to 1, over the first ten results.

    ``ndcg10`` and ``graded10`` as in the head of this module; ``file10``: strict, with results and answers as files;
    ``mrr10``: 1/rank of the first result that answers; ``recall10``: share of the answers found; ``first``: whether the
    first result answers; ``zero``: 1 when there is no result; ``unjudged10``: share of the results that nobody judged,
    which count as wrong everywhere, perhaps unjustly.
    """

    ndcg10: float
    graded10: float
    file10: float
    mrr10: float
    recall10: float
    first: float
    zero: float
    unjudged10: float


METRICS: tuple[str, ...] = tuple(field.name for field in fields(Figures))
LABELS = {
    "ndcg10": "NDCG@10",
    "graded10": "graded NDCG@10",
    "file10": "NDCG@10 by file",
    "mrr10": "MRR@10",
    "recall10": "recall@10",
    "first": "first",
    "zero": "zero results",
    "unjudged10": "unjudged@10",
}


def matches(target: Target, result: Place) -> bool:
    """Whether a result is what was judged: the same file, and lines that overlap where both name some."""
    if target.path != result.path:
        return False
    if target.start is None or target.end is None or result.start is None or result.end is None:
        return True
    return not (result.end < target.start or result.start > target.end)


def first_ranks(targets: Sequence[Target], results: Sequence[Place]) -> list[int | None]:
    """For each target, the rank of the first result that matches it."""
    return [next((i for i, result in enumerate(results, 1) if matches(t, result)), None) for t in targets]


def discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def binary_ndcg(ranks: Sequence[int | None], answers: int, depth: int = DEPTH) -> float:
    """One gain a rank, over an ideal list of ``answers`` gains; 0 without answers."""
    if not answers:
        return 0.0
    hit = sorted({rank for rank in ranks if rank is not None and rank <= depth})
    ideal = sum(discount(rank) for rank in range(1, min(depth, answers) + 1))
    return sum(discount(rank) for rank in hit) / ideal


def graded_ndcg(targets: Sequence[Target], results: Sequence[Place], depth: int = DEPTH) -> float:
    """See the head of this module; 0 when no target has a grade above 0."""
    best: dict[str, int] = {}
    for target in targets:
        best[target.path] = max(best.get(target.path, 0), target.grade)
    ideal = _cumulated(sorted(best.values(), reverse=True)[:depth])
    gained = [max((t.grade for t in targets if matches(t, r)), default=0) for r in _one_a_file(results)[:depth]]
    return _cumulated(gained) / ideal if ideal else 0.0


def _cumulated(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1.0) * discount(rank) for rank, grade in enumerate(grades, 1))


def _one_a_file(results: Sequence[Place]) -> list[Place]:
    found: dict[str, Place] = {}
    for result in results:
        found.setdefault(result.path, result)
    return list(found.values())


def score(judgement: Judgement, results: Sequence[Place], depth: int = DEPTH) -> Figures:
    """The figures of one ranking for one question."""
    shown, answers = list(results[:depth]), judgement.answers
    ranks = first_ranks(answers, shown)
    got = [rank for rank in ranks if rank is not None]
    files = list(dict.fromkeys(result.path for result in shown))
    wanted = {target.path for target in answers}
    unjudged = sum(not any(matches(t, result) for t in judgement.targets) for result in shown)
    return Figures(
        ndcg10=binary_ndcg(ranks, len(answers), depth),
        graded10=graded_ndcg(judgement.targets, shown, depth),
        file10=binary_ndcg([files.index(path) + 1 for path in wanted if path in files], len(wanted), depth),
        mrr10=1.0 / min(got) if got else 0.0,
        recall10=len(got) / len(answers) if answers else 0.0,
        first=1.0 if got and min(got) == 1 else 0.0,
        zero=0.0 if shown else 1.0,
        unjudged10=unjudged / len(shown) if shown else 0.0,
    )


def matrix(rows: Sequence[Figures]) -> Floats:
    """(questions, metrics), in the order of `METRICS`."""
    return np.array([astuple(row) for row in rows], dtype=np.float64).reshape(len(rows), len(METRICS))


# --------------------------------------------------------------------------- how sure


def bootstrap(values: Floats, resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """95% interval of the mean of each column, (2, columns): percentiles of the means of resampled rows.

    B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1), 1979. The generator is
    numpy's frozen one, so the interval is the same with every version on every machine. (0, 0) without rows.
    """
    rows, columns = values.shape
    if not rows:
        return np.zeros((2, columns))
    random = np.random.RandomState(seed)
    means = np.empty((resamples, columns))
    block = max(1, 200_000 // rows)
    for start in range(0, resamples, block):
        drawn = random.randint(0, rows, size=(min(block, resamples - start), rows))
        means[start : start + len(drawn)] = values[drawn].mean(axis=1)
    return np.quantile(means, (0.025, 0.975), axis=0)


def randomisation(differences: Floats, resamples: int = RESAMPLES, seed: int = SEED) -> float:
    """Two-sided p of paired differences (n,) under Fisher's randomisation test: how often random signs give a mean at
    least as far from 0.

    M. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance tests for information retrieval
    evaluation", CIKM 2007. Exact up to twelve differences that are not 0, else by ``resamples`` draws, the observed one
    counted in.
    """
    moved = differences[np.abs(differences) > TIE]
    if not len(moved):
        return 1.0
    bound = abs(float(moved.sum())) - TIE
    if len(moved) <= 12:
        every = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        return float(np.mean(np.abs((2.0 * every - 1.0) @ moved) >= bound))
    random, extreme = np.random.RandomState(seed), 0
    block = max(1, 1_000_000 // len(moved))
    for start in range(0, resamples, block):
        signs = 2.0 * random.randint(0, 2, size=(min(block, resamples - start), len(moved))) - 1.0
        extreme += int(np.sum(np.abs(signs @ moved) >= bound))
    return (extreme + 1) / (resamples + 1)


def wilson(right: int, total: int) -> tuple[float, float]:
    """95% interval of a share (E. Wilson, JASA 22, 1927); (0, 1) when nothing was counted."""
    if not total:
        return 0.0, 1.0
    z, share = 1.959963984540054, right / total
    middle, width = share + z * z / (2 * total), z * math.sqrt(share * (1 - share) / total + z * z / (4 * total**2))
    return max((middle - width) / (1 + z * z / total), 0.0), min((middle + width) / (1 + z * z / total), 1.0)


def percentile(values: Sequence[float], share: float) -> float | None:
    """The nearest-rank percentile (``share`` from 0 to 1); None without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))] if ordered else None
