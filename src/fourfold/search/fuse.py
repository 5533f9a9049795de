"""Weighted reciprocal rank fusion, pure: hits and a plan in, results that carry every number out.

    contribution(m, c) = weight(m) × 1 / (k + rank(m, c) + 1)
    boost(c)           = min(1 + 0.3 × ln(1 + centrality(c)), 1.5)
    score(c)           = demotion(c) × Σ_m boost(c) × contribution(m, c)

Reciprocal rank fusion is that of G. Cormack, C. Clarke and S. Büttcher, "Reciprocal rank fusion outperforms Condorcet
and individual rank learning methods", SIGIR 2009; weights, boost and demotion are fourfold's. In a direct answer one
modality stands alone with weight 1 and boost 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from fourfold.model import MODALITIES, Answer, Chunk, Contribution, Hit, HitList, Modality, Plan, Result


@dataclass(frozen=True, slots=True)
class Demotion:
    """A path's factor (0 to 1) and why."""

    factor: float = 1.0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BoostCurve:
    """boost = min(1 + factor × ln(1 + centrality), cap)."""

    factor: float = 0.3
    cap: float = 1.5

    def at(self, centrality: float) -> float:
        return min(1.0 + self.factor * math.log1p(max(centrality, 0.0)), self.cap)


PUBLISHED_BOOST = BoostCurve()
NO_DEMOTION = Demotion()


def contribution(weight: float, k: int, rank: int) -> float:
    """What a place in one list gives: ``weight × 1 / (k + rank + 1)``, rank from 0."""
    return weight * (1.0 / (k + rank + 1))


def plan_weights(plan: Plan) -> Mapping[Modality, float]:
    """The weights that count: those of the modalities that run, or 1 for the only one of a direct answer."""
    if plan.strategy == "direct":
        return dict.fromkeys(plan.runs, 1.0)
    return {modality: plan.weights[modality] for modality in plan.runs}


class Placed(Protocol):
    """What the order needs to know of a chunk; a `Chunk` has it, and so has `store.interface.Place`."""

    @property
    def path(self) -> str: ...

    @property
    def start_line(self) -> int: ...

    @property
    def centrality(self) -> float: ...


#: A chunk's place in one list.
Part = tuple[Modality, int, Hit]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunk ids in the final order, by file (the best chunk of each stands for it), and each chunk's places in the
    lists. Results are made of it for as many files as are shown: most of what lists hold never is."""

    files: tuple[tuple[int, ...], ...]
    parts: Mapping[int, Sequence[Part]]

    def first(self, files: int) -> list[int]:
        """The chunks of the first ``files`` files."""
        return [chunk_id for group in self.files[:files] for chunk_id in group]


def rank_chunks(
    plan: Plan,
    lists: Mapping[Modality, HitList],
    places: Mapping[int, Placed],
    demotions: Mapping[int, Demotion],
    curve: BoostCurve = PUBLISHED_BOOST,
) -> Ranking:
    """Every chunk that a list holds, scored and in order; a chunk that ``places`` does not know is left out.

    ``demotions`` is by chunk id, absent ones are not demoted.
    """
    weights = plan_weights(plan)
    parts: dict[int, list[Part]] = {}
    totals: dict[int, float] = {}
    best: dict[int, int] = {}
    for modality in MODALITIES:
        if modality not in weights or modality not in lists:
            continue
        weight = weights[modality]
        for rank, hit in enumerate(lists[modality].hits[: plan.depth]):
            number = hit.chunk_id
            parts.setdefault(number, []).append((modality, rank, hit))
            totals[number] = totals.get(number, 0.0) + contribution(weight, plan.k, rank)
            best[number] = min(best.get(number, rank), rank)
    order = []
    for number, found in parts.items():
        place = places.get(number)
        if place is not None:
            boost = 1.0 if plan.strategy == "direct" else curve.at(place.centrality)
            score = demotions.get(number, NO_DEMOTION).factor * boost * totals[number]
            order.append((*_order(score, len(found), best[number], place.path, place.start_line), number))
    files: dict[str, list[int]] = {}
    for *_, path, _, chunk_id in sorted(order):
        files.setdefault(path, []).append(chunk_id)
    return Ranking(tuple(map(tuple, files.values())), parts)


def make_results(
    plan: Plan,
    ranking: Ranking,
    chunks: Mapping[int, Chunk],
    demotions: Mapping[int, Demotion],
    curve: BoostCurve = PUBLISHED_BOOST,
) -> list[Result]:
    """One result for each file of ``ranking`` with a chunk in ``chunks``, positions from 1; the file's other hits are
    kept under it, best first."""
    weights = plan_weights(plan)
    return merge_files(
        [
            score_chunk(
                chunks[chunk_id],
                tuple(
                    Contribution(
                        modality, rank, hit.raw_score, weight, contribution(weight, plan.k, rank), hit.evidence
                    )
                    for modality, rank, hit in ranking.parts[chunk_id]
                    for weight in (weights[modality],)
                ),
                demotions.get(chunk_id, NO_DEMOTION),
                {line for _, _, hit in ranking.parts[chunk_id] for line in hit.lines},
                plan,
                curve,
            )
            for group in ranking.files
            for chunk_id in group
            if chunk_id in chunks
        ]
    )


def score_chunk(
    chunk: Chunk,
    contributions: tuple[Contribution, ...],
    demotion: Demotion,
    lines: set[int],
    plan: Plan,
    curve: BoostCurve = PUBLISHED_BOOST,
) -> Result:
    """One chunk with its contributions, boosted (not in a direct answer) and demoted; its position is left at 0."""
    boost = 1.0 if plan.strategy == "direct" else curve.at(chunk.centrality)
    total = sum(part.contribution for part in contributions)
    return Result(
        position=0,
        chunk_id=chunk.id,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        symbol=chunk.symbol,
        kind=chunk.kind,
        language=chunk.language,
        score=demotion.factor * boost * total,
        boost=boost,
        centrality=chunk.centrality,
        demotion=demotion.factor,
        demotion_reason=demotion.reason,
        contributions=contributions,
        matched_lines=tuple(sorted(lines)),
    )


def _order(score: float, modalities: int, best_rank: int, path: str, line: int) -> tuple[float, int, int, str, int]:
    """Higher score, then more modalities, then the better best rank, then path, then line."""
    return (-score, -modalities, best_rank, path, line)


def merge_files(scored: Sequence[Result]) -> list[Result]:
    """The best chunk of each file stands for it; the file's other hits are kept under it, best first."""
    by_file: dict[str, list[Result]] = {}
    for result in scored:
        by_file.setdefault(result.path, []).append(result)
    return [
        replace(group[0], position=position, others=tuple(group[1:]), more_in_file=len(group) - 1)
        for position, group in enumerate(by_file.values(), 1)
    ]


def fuse(
    plan: Plan,
    lists: Mapping[Modality, HitList],
    chunks: Mapping[int, Chunk],
    demotions: Mapping[int, Demotion],
    curve: BoostCurve = PUBLISHED_BOOST,
) -> list[Result]:
    """The final list, one result a file, with positions from 1. The same input gives the same list, always."""
    return make_results(plan, rank_chunks(plan, lists, chunks, demotions, curve), chunks, demotions, curve)


def positions(
    results: Sequence[Result], *, without: Modality | None = None, boost: bool = True, demotion: bool = True
) -> dict[str, int]:
    """Path → position of the same results put in order again from their own contributions, with one factor taken away.

    Works on what an Answer carries (each file's other hits included), so nothing is retrieved anew. What no other
    modality found is left out.
    """
    best: dict[str, tuple[float, int, int, str, int]] = {}
    for group in results:
        for result in (group, *group.others):
            kept = [part for part in result.contributions if part.modality != without]
            if kept:
                factor = (result.demotion if demotion else 1.0) * (result.boost if boost else 1.0)
                score = factor * sum(part.contribution for part in kept)
                order = _order(score, len(kept), min(part.rank for part in kept), result.path, result.start_line)
                if result.path not in best or order < best[result.path]:
                    best[result.path] = order
    return {path: number for number, (path, _) in enumerate(sorted(best.items(), key=lambda item: item[1]), 1)}


def position_without(answer: Answer, path: str, factor: Modality | str) -> int | None:
    """Where the result of ``path`` would stand without a modality, or without ``boost`` or ``demotion``; None: nowhere.

    Counted over the results that the answer carries.
    """
    modality = next((name for name in MODALITIES if name == factor), None)
    changed = positions(answer.results, without=modality, boost=factor != "boost", demotion=factor != "demotion")
    return changed.get(path)
