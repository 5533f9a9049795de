"""Figures against values worked out by hand, what must hold for every ranking, and files of judgements as people write
them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.lab import trec
from fourfold.lab.experiment import compare
from fourfold.lab.judgements import (
    Judgement,
    JudgementError,
    Target,
    locate,
    read_judgements,
    split_of,
)
from fourfold.lab.metrics import METRICS, Figures, Place, bootstrap, percentile, randomisation, score, wilson

LOG3 = math.log2(3)


def judged(*targets: Target, query: str = "q", answerable: bool = True) -> Judgement:
    return Judgement("1", query, targets, "tune", answerable=answerable)


def files(*paths: str) -> list[Place]:
    return [Place(path) for path in paths]


# --------------------------------------------------------------------------- by hand


def test_two_answers_at_ranks_one_and_three() -> None:
    found = score(judged(Target("a"), Target("b")), files("a", "x", "b"))
    assert found.ndcg10 == pytest.approx((1 + 1 / 2) / (1 + 1 / LOG3), abs=1e-12)
    assert (found.mrr10, found.recall10, found.first, found.zero) == (1.0, 1.0, 1.0, 0.0)
    assert found.unjudged10 == pytest.approx(1 / 3)


def test_an_answer_at_rank_four() -> None:
    found = score(judged(Target("a"), Target("b")), files("x", "y", "z", "b"))
    assert found.ndcg10 == pytest.approx(1 / math.log2(5) / (1 + 1 / LOG3), abs=1e-12)
    assert (found.mrr10, found.recall10, found.first) == (0.25, 0.5, 0.0)


def test_only_the_first_ten_count() -> None:
    found = score(judged(Target("a")), files(*"0123456789", "a"))
    assert (found.ndcg10, found.mrr10, found.recall10) == (0.0, 0.0, 0.0)


def test_the_ideal_list_holds_ten_of_twelve_answers() -> None:
    answers = [Target(f"f{n}") for n in range(12)]
    found = score(judged(*answers), files(*(f"f{n}" for n in range(12))))
    assert found.ndcg10 == pytest.approx(1.0)
    assert found.recall10 == pytest.approx(10 / 12)


def test_two_answers_that_share_a_result_gain_once() -> None:
    two = judged(Target("a", 1, 1, 5), Target("a", 1, 20, 30))
    found = score(two, [Place("a", 1, 40)])
    assert found.ndcg10 == pytest.approx(1 / (1 + 1 / LOG3))
    assert found.file10 == 1.0
    assert found.recall10 == 1.0


def test_repeated_answers_count_in_the_ideal_and_repeated_results_use_up_ranks() -> None:
    assert score(judged(Target("a"), Target("a")), files("a")).ndcg10 == pytest.approx(1 / (1 + 1 / LOG3))
    found = score(judged(Target("b")), [Place("a", 1, 2), Place("a", 3, 4), Place("b")])
    assert found.ndcg10 == pytest.approx(1 / 2)
    assert found.file10 == pytest.approx(1 / LOG3)


def test_an_answer_with_lines_wants_lines_that_overlap() -> None:
    lines = judged(Target("a", 1, 10, 20))
    assert score(lines, [Place("a", 20, 22)]).ndcg10 == 1.0
    assert score(lines, [Place("a", 21, 22)]).ndcg10 == 0.0
    assert score(lines, [Place("a")]).ndcg10 == 1.0
    assert score(judged(Target("a", 1, 10, None)), [Place("a", 1, 2)]).ndcg10 == 1.0


def test_nothing_found_and_nothing_to_find() -> None:
    assert score(judged(Target("a")), []) == Figures(0, 0, 0, 0, 0, 0, 1, 0)
    assert score(judged(answerable=False), files("x")).ndcg10 == 0.0


def test_graded_gain_is_two_to_the_grade_less_one() -> None:
    grades = judged(Target("best", 3), Target("good", 1), Target("seen", 0))
    found = score(grades, files("good", "seen", "best"))
    ideal = 7 + 1 / LOG3
    assert found.graded10 == pytest.approx((1 + 7 / 2) / ideal, abs=1e-12)
    assert found.ndcg10 == pytest.approx((1 + 1 / 2) / (1 + 1 / LOG3))
    assert found.unjudged10 == 0.0
    assert score(grades, files("best", "good")).graded10 == 1.0


def test_graded_takes_the_best_grade_of_a_file_once() -> None:
    grades = judged(Target("a", 1, 1, 5), Target("a", 3, 4, 9), Target("b", 2))
    assert score(grades, [Place("a", 5, 5), Place("b")]).graded10 == 1.0
    once = score(grades, [Place("a", 1, 2), Place("a", 4, 9), Place("b")])
    assert once.graded10 == pytest.approx((1 + 3 / LOG3) / (7 + 3 / LOG3))


# --------------------------------------------------------------------------- for every ranking

paths = st.sampled_from([f"f{n}" for n in range(8)])
spans = st.one_of(st.just((None, None)), st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda t: (t[0], sum(t))))
targets = st.lists(st.builds(lambda p, g, s: Target(p, g, *s), paths, st.integers(0, 3), spans), max_size=12)
results = st.lists(st.builds(lambda p, s: Place(p, *s), paths, spans), max_size=14)


@given(targets, results)
def test_every_figure_lies_between_0_and_1(judgement: list[Target], found: list[Place]) -> None:
    figures = score(judged(*judgement), found)
    assert all(-1e-12 <= getattr(figures, name) <= 1 + 1e-12 for name in METRICS)


@given(st.dictionaries(paths, st.integers(1, 3), min_size=1))
def test_a_perfect_ranking_has_1(grades: dict[str, int]) -> None:
    best = sorted(grades, key=lambda path: -grades[path])
    figures = score(judged(*(Target(path, grade) for path, grade in grades.items())), files(*best))
    assert figures.ndcg10 == pytest.approx(1.0)
    assert figures.graded10 == pytest.approx(1.0)
    assert figures.file10 == pytest.approx(1.0)


@given(targets, results)
def test_an_irrelevant_result_below_changes_nothing(judgement: list[Target], found: list[Place]) -> None:
    before, after = score(judged(*judgement), found), score(judged(*judgement), [*found, Place("nobody/judged")])
    for name in ("ndcg10", "graded10", "file10", "mrr10", "recall10", "first"):
        assert getattr(after, name) == pytest.approx(getattr(before, name))


@given(targets, results, st.integers(0, 12))
def test_an_irrelevant_result_above_never_helps(judgement: list[Target], found: list[Place], at: int) -> None:
    pushed = [*found[:at], Place("nobody/judged"), *found[at:]]
    before, after = score(judged(*judgement), found), score(judged(*judgement), pushed)
    for name in ("ndcg10", "graded10", "file10", "mrr10", "recall10", "first"):
        assert getattr(after, name) <= getattr(before, name) + 1e-12


# --------------------------------------------------------------------------- how sure


def test_the_bootstrap_interval_is_repeatable_and_holds_the_mean() -> None:
    values = np.array([[0.0], [1.0], [1.0], [0.5], [0.25], [1.0]])
    low, high = bootstrap(values)[:, 0]
    assert 0.0 <= low < values.mean() < high <= 1.0
    assert (bootstrap(values) == bootstrap(values)).all()
    assert (bootstrap(np.ones((5, 2))) == 1.0).all()
    assert (bootstrap(np.zeros((0, 2))) == 0.0).all()


def test_randomisation_is_exact_for_few_differences() -> None:
    assert randomisation(np.zeros(9)) == 1.0
    # of 2^3 signs, two give a mean as far out as three equal differences
    assert randomisation(np.array([0.5, 0.5, 0.5, 0.0])) == 0.25
    assert randomisation(np.array([0.5, -0.5])) == 1.0


def test_randomisation_by_drawing_agrees_with_the_binomial() -> None:
    differences = np.r_[np.full(14, 1.0), np.full(6, -1.0)]
    exact = 2 * sum(math.comb(20, n) for n in range(14, 21)) / 2**20
    assert randomisation(differences) == pytest.approx(exact, abs=0.015)


def test_wilson_and_percentiles() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)
    assert percentile([], 0.5) is None
    assert (percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.95)) == (2, 3)


def test_a_comparison_counts_wins_ties_and_losses() -> None:
    asked = [judged(Target("a"), query=f"q{n}") for n in range(4)] + [judged(query="none", answerable=False)]
    old = [files("a"), files("x", "a"), files("a"), files("a"), files("x")]
    new = [files("a"), files("a"), files("x", "a"), files("x"), files()]
    found = compare(asked, [tuple(r) for r in old], [tuple(r) for r in new], "ndcg10")
    assert (found.wins, found.ties, found.losses) == (1, 1, 2)
    assert found.difference == pytest.approx(found.candidate - found.baseline)
    assert found.low <= found.difference <= found.high
    worst = found.worst()
    assert [change.judgement.query for change in worst] == ["q3", "q2"]
    assert (worst[0].baseline_rank, worst[0].candidate_rank) == (1, None)
    assert not found.regression


# --------------------------------------------------------------------------- files of judgements


def test_lines_are_grouped_by_question_and_the_later_grade_stands() -> None:
    rows = [
        {"query": "retry policy", "path": "src/a.py", "grade": 1, "kind": "semantic"},
        {"query": "payroll tax", "answerable": False},
        {"query": "retry policy", "path": "./src/b.py", "line": 12, "grade": 3, "intent": "understand_code"},
        {"query": "retry policy", "path": "src/a.py", "grade": 2},
        {"query": "x", "targets": [{"path": "c", "start_line": 2, "end_line": 4}], "split": "test",
         "intent": ["exact_match"]},
    ]  # fmt: skip
    retry, tax, x = read_judgements("\n".join(map(json.dumps, rows)) + "\n\n", "j.jsonl")
    assert retry.targets == (Target("src/a.py", 2), Target("src/b.py", 3, 12, 12))
    assert (retry.kind, retry.intents) == ("semantic", ("understand_code",))
    assert not tax.answerable and tax.targets == ()
    assert (x.targets, x.split, x.intents) == ((Target("c", 1, 2, 4),), "test", ("exact_match",))


def test_a_list_of_annotations_is_read() -> None:
    text = json.dumps(
        [
            {"query": "one", "category": "symbol", "relevant": ["src/a.py"], "secondary": ["src/b.py"], "seed": {}},
            {"query": "two", "category": "semantic", "relevant": [{"path": "c", "start_line": 3, "end_line": 9}]},
        ],
        indent=2,
    )
    one, two = read_judgements(text, "a.json")
    assert (one.kind, one.targets) == ("symbol", (Target("src/a.py"), Target("src/b.py")))
    assert two.targets == (Target("c", 1, 3, 9),)


BAD = {
    '{"query": "q", "path": "a"}\n{"query": "q",': "j:2: no JSON object",
    '{"query": "q", "path": "a"}\n\n[1]': "j:3: an object is wanted here, not a list",
    '{"query": "q", "path": "a", "grade": 4}': 'j:1: "grade" must be 0, 1, 2 or 3, not 4',
    '{"query": "q", "path": "a", "grade": true}': 'j:1: "grade" must be',
    '{"query": "q", "path": "a", "grade": NaN}': "j:1: NaN is no JSON number",
    '{"query": "q", "path": "a", "line": 0}': 'j:1: "line" must be a line number from 1, not 0',
    '{"query": "q", "path": "a", "start_line": 3}': "belong together",
    '{"query": "q", "path": "a", "start_line": 3, "end_line": 2}': "the lines end (2) before they start (3)",
    '{"query": "q", "path": "../a"}': "the path must lead from the root",
    '{"query": "q", "path": "/etc/a"}': "the path must lead from the root",
    '{"query": "q"}': 'j:1: neither "path" nor "targets"',
    '{"query": " ", "path": "a"}': 'j:1: no "query"',
    '{"query": 3, "path": "a"}': 'j:1: "query" must be text',
    '{"query": "q", "path": "a", "intent": "find"}': 'j:1: "intent" must be one of',
    '{"query": "q", "path": "a", "split": "train"}': 'j:1: "split" must be tune or test',
    '{"query": "q", "path": "a", "kind": "x"}\n{"query": "q", "path": "b", "kind": "y"}': "j:2: another kind",
    '{"query": "q", "targets": []}': 'j:1: nothing answers "q"',
    '{"query": "q", "path": "a", "answerable": false}': "has no answer and yet",
    '[\n {"query": "q", "relevant": ["a"]},\n {"query": "q", "relevant": [3]}\n]': "j:3: an object is wanted here",
    '[\n {"query": "q", "relevant": ["a"]}\n {"query"': "j:3: a comma or ] is missing here",
    '[\n {"query": "q", "relevant": []}]': "j:2: no target",
    '[\n {"query": \n}]': "j:3: no JSON",
    "[]": "j: no judgements in it",
    "[" * 100_000: "nested too deeply",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:40])
def test_a_bad_line_is_named_with_its_number(text: str) -> None:
    with pytest.raises(JudgementError) as error:
        read_judgements(text, "j")
    assert BAD[text] in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    for form in (text, "[" + text, "{" + text, '{"query": "q", "path": ' + text):
        try:
            read_judgements(form, "j")
        except JudgementError as error:
            assert str(error).startswith("j")


def test_the_split_is_the_same_for_ever_and_about_half() -> None:
    assert [split_of(f"question {n}") for n in range(6)] == [split_of(f" question  {n} ") for n in range(6)]
    assert split_of("where is main defined") == "test"
    halves = [split_of(f"question {n}") for n in range(1000)]
    assert 430 < halves.count("test") < 570


# --------------------------------------------------------------------------- where paths lead


def one(*found: str) -> tuple[Judgement, ...]:
    return (judged(*map(Target, found)),)


def test_the_prefix_is_found() -> None:
    located = locate(one("src/click/core.py", "src/click/types.py"), ["core.py", "types.py"], "/home/x/click/src/click")
    assert located.prefix == "src/click"
    assert [target.path for target in located.judgements[0].targets] == ["core.py", "types.py"]
    assert located.missing == ()


def test_paths_from_the_root_and_from_above_may_be_mixed() -> None:
    located = locate(one("src/pkg/a.py", "b.py"), ["a.py", "b.py"], "/x/src/pkg")
    assert [target.path for target in located.judgements[0].targets] == ["a.py", "b.py"]


def test_files_that_are_not_there_are_told_and_kept() -> None:
    located = locate(one("lib/a.rb", "lib/gone.rb", "other/b.rb"), ["a.rb"], "/x/lib")
    assert located.missing == ("lib/gone.rb", "other/b.rb")
    assert len(located.judgements[0].targets) == 3


def test_among_equals_the_prefix_that_ends_the_root_wins() -> None:
    located = locate(one("a/x.py", "b/x.py"), ["x.py"], "/home/b")
    assert located.prefix == "b"


def test_a_given_prefix_is_taken_and_a_folder_within_the_root_is_read_from() -> None:
    assert locate(one("v2/a.py"), ["a.py"], "/x", prefix="v2/").judgements[0].targets[0].path == "a.py"
    assert locate(one("a.py"), ["src/a.py"], "/x", inside="src").judgements[0].targets[0].path == "src/a.py"


# --------------------------------------------------------------------------- TREC


@given(st.text(min_size=1, max_size=30), st.integers(1, 99), st.integers(0, 9))
def test_a_document_survives_the_way_there_and_back(path: str, start: int, more: int) -> None:
    path = path.encode("utf-8", "surrogateescape" if path.isascii() else "replace").decode("utf-8", "replace")
    for spot in (Place(path), Place(path, start, start + more)):
        field = trec.document(spot.path, spot.start, spot.end)
        assert len(field.split()) == 1
        assert trec.place(field, "f:1") == spot


def test_qrels_and_runs_go_out_and_come_back() -> None:
    rows = [
        {"query": "retry policy", "path": "a b/c:1.py", "line": 3, "grade": 3},
        {"query": "retry policy", "path": "ä.py", "grade": 0},
        {"query": "two\twords", "path": "x.py"},
    ]
    asked = read_judgements("\n".join(map(json.dumps, rows)), "j")
    topics = trec.read_topics(trec.write_topics(asked), "t")
    again = trec.read_qrels(trec.write_qrels(asked), "q", topics)
    assert [j.targets for j in again] == [j.targets for j in asked]
    assert [j.query for j in again] == ["retry policy", "two words"]
    run = {"1": (Place("a b/c:1.py", 1, 9), Place("x.py")), "2": (Place("ä.py", 2, 2),)}
    assert trec.read_run(trec.write_run(run, "tag"), "r") == run


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        ("qrels", "1 0 a 1\n1 0 a", "f:2: qrels have four fields"),
        ("qrels", "2 0 a 1", "f:1: no topic has the id 2"),
        ("qrels", "1 0 a x", "f:1: the grade is no whole number"),
        ("qrels", "1 0 a:b 1", "f:1: a document is PATH or PATH:START-END"),
        ("run", "1 Q0 a 1 0.5", "f:1: a run has six fields"),
        ("run", "1 Q0 a first 0.5 t", "f:1: the rank is no whole number"),
        ("topics", "1 question", "f:1: a topic is an id, a tab and the question"),
    ],
)
def test_a_bad_line_of_trec_is_named(read: str, text: str, says: str) -> None:
    with pytest.raises(JudgementError, match=says.split("(")[0]):
        if read == "qrels":
            trec.read_qrels(text, "f", {"1": "q"})
        elif read == "run":
            trec.read_run(text, "f")
        else:
            trec.read_topics(text, "f")


def test_a_run_is_ordered_by_rank_whatever_its_lines() -> None:
    assert trec.read_run("1 Q0 b 2 0.9 t\n1 Q0 a 1 0.1 t\n", "r")["1"] == (Place("a"), Place("b"))
