"""Fusion adds up: every number of a result follows from its contributions, whatever the lists hold."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from fourfold.model import (
    MODALITIES,
    Chunk,
    Evidence,
    Hit,
    HitList,
    Intent,
    Modality,
    Plan,
    Result,
    Term,
)
from fourfold.search.fuse import BoostCurve, Demotion, fuse, merge_files, positions

WEIGHTS: dict[Modality, float] = {"semantic": 0.5, "text": 0.2, "structural": 0.2, "graph": 0.1}
INTENT = Intent("understand_code", 0.75, "11")


def chunk(number: int, file: int, centrality: float = 0.0) -> Chunk:
    return Chunk(
        number, file, f"pkg/file{file}.py", "python", number * 10 + 1, number * 10 + 10, "f", "function", 0, centrality
    )


def listed(modality: Modality, numbers: list[int]) -> HitList:
    """A list of chunks, best first."""
    hits = []
    for rank, number in enumerate(numbers):
        terms = (Term("place", "+", float(len(numbers) - rank)),)
        hits.append(Hit(number, terms[0].value, Evidence(terms)))
    return HitList(modality, "ran", tuple(hits))


def plan(**changes: object) -> Plan:
    values: dict[str, object] = {
        "intent": INTENT, "strategy": "fused", "reason": "", "preset": "default", "k": 40, "depth": 200,
        "weights": WEIGHTS, "runs": MODALITIES,
    }  # fmt: skip
    return Plan(**{**values, **changes})  # type: ignore[arg-type]


def every(results: list[Result]) -> list[Result]:
    """The results with their files' other hits."""
    return [one for result in results for one in (result, *result.others)]


rankings = st.fixed_dictionaries(
    {modality: st.lists(st.integers(0, 30), unique=True, max_size=25) for modality in MODALITIES}
)
centralities = st.lists(st.floats(0, 200), min_size=31, max_size=31)


@given(rankings, centralities, st.integers(1, 100), st.sampled_from(["fused", "direct"]))
def test_every_score_recomputes_from_its_parts(
    ranking: dict[Modality, list[int]], centrality: list[float], k: int, strategy: str
) -> None:
    chunks = {number: chunk(number, number % 7, centrality[number]) for number in range(31)}
    demotions = {number: Demotion(0.5, "test") for number in range(0, 31, 3)}
    runs = MODALITIES if strategy == "fused" else ("structural",)
    lists = {modality: listed(modality, numbers) for modality, numbers in ranking.items()}
    made = plan(k=k, strategy=strategy, runs=runs)
    for result in every(fuse(made, lists, chunks, demotions)):
        for part in result.contributions:
            weight = 1.0 if strategy == "direct" else WEIGHTS[part.modality]
            assert part.contribution == weight / (k + part.rank + 1) or math.isclose(
                part.contribution, weight / (k + part.rank + 1), abs_tol=1e-12
            )
            assert lists[part.modality].hits[part.rank].chunk_id == result.chunk_id
        boost = 1.0 if strategy == "direct" else min(1 + 0.3 * math.log(1 + centrality[result.chunk_id]), 1.5)
        total = sum(part.contribution for part in result.contributions)
        assert math.isclose(result.score, result.demotion * boost * total, abs_tol=1e-9)
        assert 1.0 <= result.boost <= 1.5


@given(rankings)
def test_each_file_stands_once_with_its_best_chunk_and_nothing_is_lost(ranking: dict[Modality, list[int]]) -> None:
    chunks = {number: chunk(number, number % 7) for number in range(31)}
    lists = {modality: listed(modality, numbers) for modality, numbers in ranking.items()}
    results = fuse(plan(), lists, chunks, {})
    assert len({result.path for result in results}) == len(results)
    assert [result.position for result in results] == list(range(1, len(results) + 1))
    for result in results:
        assert result.more_in_file == len(result.others)
        assert all(other.path == result.path and other.score <= result.score for other in result.others)
    seen = [result.chunk_id for result in every(results)]
    assert sorted(seen) == sorted({number for numbers in ranking.values() for number in numbers})


@given(rankings, st.randoms(use_true_random=False))
def test_order_does_not_depend_on_how_the_lists_are_handed_over(
    ranking: dict[Modality, list[int]], random: object
) -> None:
    chunks = {number: chunk(number, number % 7) for number in range(31)}
    lists = {modality: listed(modality, numbers) for modality, numbers in ranking.items()}
    shuffled = list(lists.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first = fuse(plan(), lists, chunks, {})
    assert first == fuse(plan(), dict(shuffled), chunks, {})


@given(rankings)
def test_positions_with_a_factor_taken_away_are_those_of_a_list_fused_without_it(
    ranking: dict[Modality, list[int]],
) -> None:
    chunks = {number: chunk(number, number % 7, float(number)) for number in range(31)}
    demoted = {number: Demotion(0.5, "test") for number in range(0, 31, 3)}
    lists = {modality: listed(modality, numbers) for modality, numbers in ranking.items()}

    def fused(without: str = "", boosted: bool = True, down: bool = True) -> dict[str, int]:
        kept = {modality: hits for modality, hits in lists.items() if modality != without}
        curve = BoostCurve() if boosted else BoostCurve(factor=0.0)
        return {r.path: r.position for r in fuse(plan(), kept, chunks, demoted if down else {}, curve)}

    results = fuse(plan(), lists, chunks, demoted)
    assert positions(results) == fused()
    assert positions(results, boost=False) == fused(boosted=False)
    assert positions(results, demotion=False) == fused(down=False)
    for modality in lists:
        assert positions(results, without=modality) == fused(without=modality)


def test_a_tie_goes_to_more_modalities_then_the_better_rank_then_the_path() -> None:
    weights: dict[Modality, float] = {"semantic": 0.25, "text": 0.25, "structural": 0.5, "graph": 0.0}
    chunks = {1: chunk(1, 1), 2: chunk(2, 2)}
    lists = {"semantic": listed("semantic", [1]), "text": listed("text", [1]), "structural": listed("structural", [2])}
    made = plan(weights=weights, runs=("semantic", "text", "structural"))
    first, second = fuse(made, lists, chunks, {})  # type: ignore[arg-type]
    assert first.score == second.score
    assert first.path == "pkg/file1.py"


def test_a_demoted_result_is_lower_and_still_there() -> None:
    chunks = {1: chunk(1, 1), 2: chunk(2, 2)}
    results = fuse(plan(), {"text": listed("text", [1, 2])}, chunks, {1: Demotion(0.5, "test")})
    assert [r.path for r in results] == ["pkg/file2.py", "pkg/file1.py"]
    assert results[1].demotion_reason == "test"


def test_the_boost_is_published_values() -> None:
    curve = BoostCurve()
    assert curve.at(0.0) == 1.0
    assert math.isclose(curve.at(0.1), 1.0285930539412974)
    assert curve.at(4.3) == 1.5 and curve.at(1e9) == 1.5


def test_merging_nothing_gives_nothing() -> None:
    assert merge_files([]) == []
