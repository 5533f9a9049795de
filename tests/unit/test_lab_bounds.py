"""Bounds that must hold whatever the lists are, and statistics that another library gives too."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fourfold.lab.ceiling import ceiling, own_ceiling
from fourfold.lab.compare import rank_biased_overlap
from fourfold.lab.flips import flips, highest
from fourfold.lab.judge import keep_grade, place_of
from fourfold.lab.judgements import read_judgements
from fourfold.lab.metrics import bootstrap, randomisation, score
from fourfold.lab.pool import pooled
from fourfold.lab.trec import named, write_qrels, write_run
from fourfold.lab.what_if import Fetched, Knobs, rank, ranking, with_words
from fourfold.model import (
    MODALITIES,
    Chunk,
    Evidence,
    Hit,
    HitList,
    Intent,
    Modality,
    Plan,
    Question,
    Result,
    Term,
)
from fourfold.search.fuse import BoostCurve, Demotion, fuse

CHUNKS = 14
FILES = 9


@st.composite
def fetches(draw: st.DrawFn) -> Fetched:
    """Four random lists over a few chunks of fewer files, with random weights, centralities and demotions."""
    chunks = {}
    for number in range(CHUNKS):
        path = f"f{number % FILES}.py"
        central = draw(st.sampled_from([0.0, 0.1, 1.0, 9.0]))
        chunks[number] = Chunk(number, number % FILES, path, "python", number + 1, number + 1, "", "lines", 0, central)
    lists: dict[Modality, HitList] = {}
    for name in MODALITIES:
        order = draw(st.lists(st.sampled_from(range(CHUNKS)), unique=True, max_size=CHUNKS))
        hits = tuple(
            Hit(c, 9.0 - at // 2, Evidence((Term("x", "+", 9.0 - at // 2),)), (c,)) for at, c in enumerate(order)
        )
        lists[name] = HitList(name, "ran", hits)
    weights = {m: draw(st.sampled_from([0.1, 0.2, 0.5, 0.9])) for m in MODALITIES}
    k = draw(st.sampled_from([1, 5, 40, 60, 900]))
    plan = Plan(Intent("understand_code", 0.4, "13"), "fused", "", "default", k, 10, weights, MODALITIES)
    halved = draw(st.sets(st.sampled_from(range(FILES))))
    demotions = {n: Demotion(0.5, "test") for n, chunk in chunks.items() if chunk.file_id in halved}
    return Fetched(Question("q"), plan, lists, {}, chunks, demotions)


@given(fetches(), st.sampled_from([0.0, 0.3, 1.1]), st.sampled_from([1.0, 1.5, 3.0]), st.integers(1, 14))
@settings(max_examples=60, deadline=None)
def test_fusing_again_gives_what_fusing_gives(found: Fetched, boost: float, cap: float, depth: int) -> None:
    knobs = replace(found.published, boost=boost, cap=cap, depth=depth)
    plan = replace(found.plan, depth=depth)
    expected = fuse(plan, found.lists, found.chunks, found.demotions, BoostCurve(boost, cap))
    assert rank(found, knobs) == expected
    assert ranking(found, knobs, 2).positions == {result.path: result.position for result in expected}
    assert list(ranking(found, knobs, 3).results) == expected[:3]


@given(fetches(), st.sampled_from(MODALITIES), st.permutations(range(CHUNKS)))
@settings(max_examples=150, deadline=None)
def test_no_order_of_its_list_lifts_a_lone_result_above_its_ceiling(
    found: Fetched, name: Modality, order: list[int]
) -> None:
    """Whatever the one list that holds it says, a result stands at its ceiling or below."""
    knobs = found.published
    results = rank(found, knobs)
    bound = ceiling(results, name, knobs.weights[name], knobs.k)
    own = {r.path: own_ceiling(results, r, knobs.k) for r in results}
    hits = tuple(Hit(c, 1.0, Evidence((Term("x", "+", 1.0),))) for c in order)
    changed = replace(found, lists={**found.lists, name: HitList(name, "ran", hits)})
    for result in rank(changed, knobs):
        alone = all(part.modality == name for part in result.contributions)
        elsewhere = any(
            found.chunks[hit.chunk_id].path == result.path
            for other in MODALITIES
            if other != name
            for hit in found.lists[other].hits[: knobs.depth]
        )
        if alone and not elsewhere:
            assert result.position >= bound
            best = own.get(result.path)
            before = next((r for r in results if r.path == result.path), None)
            if (
                best is not None
                and before is not None
                and before.boost * before.demotion >= result.boost * result.demotion
            ):
                assert result.position >= best


@given(fetches())
@settings(max_examples=60, deadline=None)
def test_a_flip_swaps_just_past_its_margin_and_not_just_before(found: Fetched) -> None:
    knobs = found.published
    results = rank(found, knobs)[:6]
    for upper, lower in itertools.pairwise(results):
        for flip in flips(found, knobs, upper.path, lower.path):
            way = 1.0 if flip.new > flip.old else -1.0
            before = flip.new - way if flip.what == "k" else flip.at - way * 1e-6

            assert _above(found, _with(knobs, flip.what, flip.new), lower, upper)
            if (before - flip.old) * way > 0 or flip.what == "k":
                assert not _above(found, _with(knobs, flip.what, before), lower, upper)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=30), st.integers(0, 400))
def test_the_highest_of_many_lines_is_one_of_those_kept(lines: list[tuple[int, int]], tenths: int) -> None:
    weight = tenths / 10
    kept = highest([(float(height), float(slope)) for height, slope in lines])
    assert len(kept) <= len(set(lines))
    assert max(h + s * weight for h, s in kept) == pytest.approx(max(h + s * weight for h, s in lines), abs=1e-9)


def _with(knobs: Knobs, what: str, value: float) -> Knobs:
    if what == "k":
        return replace(knobs, k=int(value))
    return replace(knobs, weights={**knobs.weights, what: value})  # type: ignore[dict-item]


def _above(found: Fetched, knobs: Knobs, first: Result, second: Result) -> bool:
    plan = replace(found.plan, k=knobs.k, weights=knobs.weights, runs=knobs.runs)
    places = {r.path: r.position for r in fuse(plan, found.lists, found.chunks, found.demotions)}
    return first.path in places and places[first.path] < places.get(second.path, 99)


def test_words_of_a_what_if() -> None:
    knobs = Knobs(MODALITIES, dict.fromkeys(MODALITIES, 0.25), 40, 200)
    assert with_words(knobs, "boost=0, cap=2 demotion=1 rule=mnz") == replace(
        knobs, boost=0.0, cap=2.0, demotion=1.0, rule="mnz"
    )
    for bad in ("boost=x", "boost=-1", "rule=best", "weight=2", "cap=0"):
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            with_words(knobs, bad)


# --------------------------------------------------------------------------- against another library


@given(st.lists(st.sampled_from([-0.5, -0.25, -0.125, 0.0, 0.0625, 0.125, 0.375, 0.625]), min_size=2, max_size=9))
@settings(max_examples=40, deadline=None)
def test_p_is_that_of_an_exact_permutation_test(values: list[float]) -> None:
    apart = np.array(values)  # fractions that add up without rounding: the other library has no tolerance for it
    exact = stats.permutation_test(
        (apart,), np.mean, permutation_type="samples", alternative="two-sided", n_resamples=np.inf
    )
    assert randomisation(apart) == pytest.approx(float(exact.pvalue), abs=1e-9)


def test_p_of_many_questions_and_the_interval_are_those_of_another_library() -> None:
    """Both draw at random, so they agree to within their own noise: about 3 standard errors of 10,000 draws."""
    random = np.random.default_rng(3)
    for shift in (0.0, 0.02, 0.05):
        apart = random.normal(shift, 0.15, 120)
        other = stats.permutation_test(
            (apart,), np.mean, permutation_type="samples", alternative="two-sided", n_resamples=9999, rng=1
        )
        p = randomisation(apart)
        assert p == pytest.approx(float(other.pvalue), abs=3 * math.sqrt(2 * 0.25 / 10_000))
        low, high = bootstrap(apart[:, None])[:, 0]
        interval = stats.bootstrap(
            (apart,), np.mean, method="percentile", n_resamples=10_000, rng=1, vectorized=True
        ).confidence_interval
        assert low == pytest.approx(interval.low, abs=0.002)
        assert high == pytest.approx(interval.high, abs=0.002)


def test_rank_biased_overlap_of_whole_rankings_is_its_definition() -> None:
    one, two = list("abcdefgh"), list("badcfehg")
    p = 0.9
    agreed = [len(set(one[:d]) & set(two[:d])) / d for d in range(1, 9)]
    # equal sets from depth 8 on: the rest of the sum is p^8
    expected = (1 - p) * sum(a * p ** (d - 1) for d, a in enumerate(agreed, 1)) + p**8
    assert rank_biased_overlap(one, two) == pytest.approx(expected)


# --------------------------------------------------------------------------- judgements as TREC


def test_grades_given_by_key_are_the_same_to_another_evaluator(tmp_path: Path) -> None:
    """NDCG, reciprocal rank and recall of the qrels and the run by NIST's own trec_eval, which sees nothing else."""
    found = result_list(12)
    file = tmp_path / "judged.jsonl"
    for at, grade in ((0, 0), (2, 3), (4, 1), (5, 2), (9, 3)):
        keep_grade(file, "how is it done", found[at], grade)
    (judgement,) = read_judgements(file.read_text(), "judged.jsonl")
    from fourfold.lab.experiment import places

    shown = places(found)[:10]
    ours = score(judgement, shown)
    qrels = [line.split() for line in write_qrels([judgement]).splitlines()]
    run = [line.split() for line in write_run({judgement.id: named(judgement, shown)}, "x").splitlines()]
    grades = {fields[2]: int(fields[3]) for fields in qrels}
    scores = {fields[2]: float(fields[4]) for fields in run}

    def theirs(gain: dict[int, int]) -> dict[str, float]:
        judged = {"q": {document: gain[grade] for document, grade in grades.items()}}
        evaluator = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "recip_rank", "recall.10"})
        measured: dict[str, float] = evaluator.evaluate({"q": scores})["q"]
        return measured

    strict, graded = theirs({0: 0, 1: 1, 2: 1, 3: 1}), theirs({0: 0, 1: 1, 2: 3, 3: 7})
    assert ours.ndcg10 == pytest.approx(strict["ndcg_cut_10"])
    assert ours.graded10 == pytest.approx(graded["ndcg_cut_10"])
    assert ours.mrr10 == pytest.approx(strict["recip_rank"])
    assert ours.recall10 == pytest.approx(strict["recall_10"])
    assert json.loads(file.read_text().splitlines()[0])["grade"] == 0


def result_list(count: int) -> list[Result]:
    return [
        Result(n + 1, n, f"f{n}.py", n + 1, n + 5, "", "lines", "python", 1.0 / (n + 1), 1.0, 0.0, 1.0, None, ())
        for n in range(count)
    ]


# --------------------------------------------------------------------------- pools


@given(fetches(), fetches())
@settings(max_examples=40, deadline=None)
def test_a_pool_holds_both_first_tens_once_and_its_order_tells_of_neither(one: Fetched, other: Fetched) -> None:
    first, second = rank(one, one.published), rank(other, other.published)
    pool = [place_of(result) for result in pooled("a question", first, second)]
    assert sorted(pool) == sorted({place_of(result) for result in (*first[:10], *second[:10])})
    assert pool == [place_of(result) for result in pooled("a question", second[:10][::-1], first[:10][::-1])]
    if len(pool) > 5:
        assert any(pool != [place_of(r) for r in pooled(f"another {n}", first, second)] for n in range(9))
