"""Which modalities answer, with which weights, and whether one alone does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model import INTENTS, MODALITIES, Filters, Intent, IntentName, Modality, PlanOptions
from fourfold.search.plan import PRESETS, WEIGHTS, PlanError, fall_back, make_plan

NO_FILTERS = Filters()


def intent(name: IntentName, confidence: float = 0.9, direct: bool = True, pattern: str = "") -> Intent:
    return Intent(name, confidence, "9", subject="x", direct_eligible=direct, pattern=pattern)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("find_definition", ("semantic", "text", "structural")),
        ("find_references", ("text", "structural", "graph")),
        ("understand_code", ("semantic", "text", "structural")),
        ("find_similar", ("semantic", "text", "structural")),
        ("impact_analysis", ("semantic", "text", "graph")),
        ("exact_match", ("text", "structural")),
    ],
)
def test_default_runs_the_three_heaviest_with_ties_in_order(name: IntentName, runs: tuple[Modality, ...]) -> None:
    made = make_plan(intent(name, 0.5), PlanOptions(), NO_FILTERS, "q")
    assert made.strategy == "fused" and made.runs == runs and (made.k, made.depth) == (40, 200)


@pytest.mark.parametrize(
    ("name", "dominant"),
    [
        ("find_definition", "structural"),
        ("find_references", "graph"),
        ("impact_analysis", "graph"),
        ("exact_match", "text"),
    ],
)
def test_a_sure_question_is_answered_by_its_dominant_modality(name: IntentName, dominant: Modality) -> None:
    made = make_plan(intent(name), PlanOptions(), NO_FILTERS, "q")
    assert made.strategy == "direct" and made.runs == (dominant,) and made.reason == "confidence 0.90 ≥ 0.85"


def test_similar_code_has_no_dominant_modality() -> None:
    assert make_plan(intent("find_similar"), PlanOptions(), NO_FILTERS, "q").strategy == "fused"


@pytest.mark.parametrize(
    ("options", "query"),
    [
        (PlanOptions(weights={"text": 1.0}), "q"),
        (PlanOptions(only=("text", "graph")), "q"),
        (PlanOptions(preset="thorough"), "q"),
        (PlanOptions(strategy="fused"), "q"),
        (PlanOptions(), "one\ntwo"),
        (PlanOptions(), "x" * 257),
    ],
)
def test_what_is_not_a_normal_question_is_fused(options: PlanOptions, query: str) -> None:
    assert make_plan(intent("find_definition"), options, NO_FILTERS, query).strategy == "fused"


def test_quick_is_semantic_alone_whatever_the_intent() -> None:
    for name in INTENTS:
        made = make_plan(intent(name), PlanOptions(preset="quick"), NO_FILTERS, "q")
        assert (made.strategy, made.reason, made.runs) == ("direct", "preset_quick", ("semantic",))


def test_thorough_runs_everything_that_weighs() -> None:
    made = make_plan(intent("understand_code"), PlanOptions(preset="thorough"), NO_FILTERS, "q")
    assert made.runs == MODALITIES and (made.k, made.depth) == (60, 500)
    assert make_plan(intent("exact_match"), PlanOptions(preset="thorough"), NO_FILTERS, "q").runs == (
        "text",
        "structural",
    )


def test_a_direct_answer_that_is_empty_becomes_the_default_fused_one() -> None:
    made = fall_back(make_plan(intent("find_definition"), PlanOptions(), NO_FILTERS, "q"))
    assert made.strategy == "fused" and made.reason == "direct_empty" and len(made.runs) == 3


def test_asked_for_direct_takes_the_highest_weight() -> None:
    made = make_plan(intent("impact_analysis", 0.4, False), PlanOptions(strategy="direct"), NO_FILTERS, "q")
    assert made.runs == ("graph",)


@given(st.dictionaries(st.sampled_from(MODALITIES), st.floats(0, 10), min_size=1))
def test_given_weights_are_used_as_they_are(weights: dict[Modality, float]) -> None:
    options = PlanOptions(weights=weights)
    if not any(weights.values()):
        with pytest.raises(PlanError, match="all weights are 0"):
            make_plan(intent("find_definition"), options, NO_FILTERS, "q")
        return
    made = make_plan(intent("find_definition"), options, NO_FILTERS, "q")
    assert made.weights == {modality: weights.get(modality, 0.0) for modality in MODALITIES}
    assert made.runs == tuple(modality for modality in MODALITIES if weights.get(modality, 0.0) > 0)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (PlanOptions(preset="quik"), "did you mean quick"),
        (PlanOptions(weights={"text": -1.0}), "negative"),
        (PlanOptions(weights={"text": math.nan}), "must be a number"),
        (PlanOptions(weights={"texts": 1.0}), "did you mean text"),  # type: ignore[dict-item]
        (PlanOptions(only=("grap",)), "did you mean graph"),  # type: ignore[arg-type]
        (PlanOptions(k=0), "k must be 1 or more"),
        (PlanOptions(depth=-5), "depth must be 1 or more"),
        (PlanOptions(intent="find_definitions"), "did you mean find_definition"),  # type: ignore[arg-type]
    ],
)
def test_options_that_make_no_sense_give_one_clear_line(options: PlanOptions, line: str) -> None:
    with pytest.raises(PlanError, match=line) as raised:
        make_plan(intent("find_definition"), options, NO_FILTERS, "q")
    assert "\n" not in str(raised.value)


def test_the_published_weights_sum_to_one() -> None:
    for weights in WEIGHTS.values():
        assert math.isclose(sum(weights.values()), 1.0)
    assert set(PRESETS) == {"quick", "default", "thorough"}


def test_a_modality_chosen_against_the_intent_still_ranks() -> None:
    made = make_plan(intent("exact_match"), PlanOptions(only=("graph",)), NO_FILTERS, "q")
    assert made.runs == ("graph",) and made.weights["graph"] == 1.0
