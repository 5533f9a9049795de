"""``fourfold evaluate`` on a small real folder, without vectors: figures, plans compared, receipts, gates."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fourfold.cli import main

if TYPE_CHECKING:
    from tests.functional.conftest import Run

NO_VECTORS = ("--embedder", "none")
JUDGED = (
    {"query": "where is greet defined", "path": "pkg/greet.py", "line": 1, "grade": 3, "kind": "symbol",
     "intent": "find_definition"},
    {"query": "who calls greet", "path": "pkg/retry.py", "grade": 3, "kind": "symbol", "intent": "find_references"},
    {"query": "who calls greet", "path": "pkg/greet.py", "grade": 1},
    {"query": "say hello to somebody", "path": "pkg/greet.py", "grade": 3, "kind": "words",
     "intent": "understand_code"},
    {"query": "greet somebody again for each attempt", "kind": "words",
     "targets": [{"path": "pkg/retry.py", "grade": 3}, {"path": "pkg/greet.py", "grade": 1}]},
    {"query": '"payroll tax"', "answerable": False, "kind": "words"},
)  # fmt: skip


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in JUDGED), "utf-8")
    return path


Said = Callable[..., str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Said:
    """What ``fourfold evaluate`` says on standard error when it fails, in this process: nothing else happens there."""
    for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name.lower()))

    def run(*arguments: str | Path) -> str:
        assert main(["evaluate", *map(str, arguments), *NO_VECTORS]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        return printed.err

    return run


def measured(done: Any) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_figures_by_kind_and_intent_and_a_question_without_an_answer(fourfold: Run, tiny: Path, judged: Path) -> None:
    data = measured(fourfold("evaluate", judged, "--root", tiny, "--json", *NO_VECTORS))
    figures = data["figures"]
    assert figures["all"]["questions"] == 4
    assert {name: group["questions"] for name, group in figures["kinds"].items()} == {"symbol": 2, "words": 2}
    assert set(figures["intents"]) == {"find_definition", "find_references", "understand_code"}
    definition = next(row for row in data["questions"] if row["kind"] == "symbol" and row["strategy"] == "direct")
    assert definition["figures"]["ndcg10"] == 1.0
    for metric in ("ndcg10", "mrr10", "recall10", "graded10"):
        low, high = figures["all"][metric]["interval"]
        assert 0 <= low <= figures["all"][metric]["mean"] <= high <= 1
    mean = sum(row["figures"]["ndcg10"] for row in data["questions"] if row["answerable"]) / 4
    assert figures["all"]["ndcg10"]["mean"] == pytest.approx(mean, abs=1e-12)
    assert data["unanswerable"] == {"questions": 1, "declined": 1, "doubted_wrongly": 0, "answerable": 4}
    assert {rule["rule"]: rule["accuracy"] for rule in data["rules"]}["9"] == 1.0
    assert data["graded"] and data["latency_ms"]["text"]["questions"] >= 1
    assert done_ascii(data)


def done_ascii(data: dict[str, Any]) -> bool:
    return json.dumps(data).isascii() and set(data["versions"]) == {"fourfold", "Python", "numpy"}


def test_the_same_figures_again_and_of_a_list_of_annotations(
    fourfold: Run, tiny: Path, judged: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "listed.json"
    rows = [
        {"query": "where is greet defined", "category": "symbol", "relevant": ["lib/tiny/pkg/greet.py"]},
        {"query": "who calls greet", "category": "symbol",
         "relevant": ["lib/tiny/pkg/retry.py"], "secondary": ["lib/tiny/pkg/greet.py"]},
    ]  # fmt: skip
    listed.write_text(json.dumps(rows), "utf-8")
    first = measured(fourfold("evaluate", judged, "--root", tiny, "--json", *NO_VECTORS))
    again = measured(fourfold("evaluate", judged, "--root", tiny, "--json", *NO_VECTORS))
    assert first["figures"] == again["figures"]
    data = measured(fourfold("evaluate", listed, "--root", tiny, "--json", *NO_VECTORS))
    by_query = {row["query"]: row["figures"]["ndcg10"] for row in first["questions"]}
    assert [row["figures"]["ndcg10"] for row in data["questions"]] == [by_query[row["query"]] for row in rows]
    assert data["judgements"]["missing"] == []


def test_ablation_pairs_every_variant_with_the_default(fourfold: Run, tiny: Path, judged: Path) -> None:
    data = measured(fourfold("evaluate", judged, "--root", tiny, "--ablate", "--json", *NO_VECTORS))
    rows = {row["variant"]: row for row in data["ablation"]}
    assert {"text alone", "without graph", "without boost", "without demotion", "quick", "thorough"} <= set(rows)
    assert {"always direct", "always fused"} <= set(rows)
    overall = data["figures"]["all"]["ndcg10"]["mean"]
    for row in rows.values():
        assert row["baseline"] == pytest.approx(overall, abs=1e-12)  # fused again, it is what the engine answered
        assert row["wins"] + row["ties"] + row["losses"] == 4
        assert row["interval"][0] <= row["difference"] <= row["interval"][1]
    assert rows["semantic alone"]["candidate"] == 0.0  # there are no vectors
    assert rows["without semantic"]["difference"] == 0.0
    assert rows["text alone"]["candidate"] > 0


def test_two_plans_are_compared_and_losses_come_with_commands(fourfold: Run, tiny: Path, judged: Path) -> None:
    data = measured(
        fourfold("evaluate", judged, "--root", tiny, "--json", "--baseline", "preset=thorough", "--candidate",
                 "only=semantic", *NO_VECTORS)
    )  # fmt: skip
    found = data["comparison"]
    assert found["plans"] == {"baseline": "preset=thorough", "candidate": "only=semantic"}
    assert (found["wins"], found["ties"], found["losses"]) == (0, 0, 4)
    assert found["regression"]
    assert len(found["worst"]) == 4
    before, after = found["worst"][0]["commands"]
    assert "--preset thorough" in before and "--only semantic" in after
    assert data["figures"]["all"]["zero"]["mean"] == 1.0


def test_the_worst_losses_are_opened_side_by_side_by_one_command(fourfold: Run, tiny: Path, judged: Path) -> None:
    plans = ("--baseline", "preset=thorough k=7", "--candidate", "only=structural k=7")
    words = ("evaluate", judged, "--root", tiny, *plans, *NO_VECTORS)
    loss = measured(fourfold(*words, "--json"))["comparison"]["worst"][0]
    assert loss["compare"] in fourfold(*words).stdout
    compared = fourfold(*shlex.split(loss["compare"])[1:], "--json", "--no-update")
    assert compared.returncode == 0, compared.stderr
    files = json.loads(compared.stdout)["compared"]["files"]
    for command, side in zip(loss["commands"], ("before", "after"), strict=True):
        listed = json.loads(fourfold(*shlex.split(command)[1:], "--json", "--no-update").stdout)["results"]
        told = {file[side]: file["path"] for file in files if file[side] is not None}
        assert told == {result["position"]: result["path"] for result in listed}


def test_gates_for_continuous_checks(fourfold: Run, tiny: Path, judged: Path, tmp_path: Path) -> None:
    saved = tmp_path / "last.json"
    done = fourfold("evaluate", judged, "--root", tiny, "--json", "--fail-under", "0.5", *NO_VECTORS)
    saved.write_text(done.stdout, "utf-8")
    assert done.returncode == 0
    gate = ("--baseline", f"run={saved}", "--fail-on-regression")
    assert fourfold("evaluate", judged, "--root", tiny, *gate, *NO_VECTORS).returncode == 0
    fell = fourfold("evaluate", judged, "--root", tiny, *gate, "--candidate", "only=semantic", *NO_VECTORS)
    assert fell.returncode == 1
    assert "ndcg10 fell by" in fell.stderr
    under = fourfold(
        "evaluate", judged, "--root", tiny, "--fail-under", ".9", "--candidate", "only=semantic", *NO_VECTORS
    )
    assert under.returncode == 1
    assert "below 0.9" in under.stderr


def test_a_receipt_says_with_what_it_was_made(fourfold: Run, tiny: Path, judged: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.md"
    arguments = ("evaluate", judged, "--root", tiny, "--ablate", "--candidate", "k=60", "--markdown", receipt)
    done = fourfold(*arguments, *NO_VECTORS, env={"SOURCE_DATE_EPOCH": "1700000000"})
    assert done.returncode == 0, done.stderr
    text = receipt.read_text("utf-8")
    for wanted in ("date: 2023-11-14", "fourfold: ", "Python: 3.", "numpy: ", "commit: ", "SHA-256", "## Ablation",
                   "## Candidate against baseline", "fourfold evaluate", "[0."):  # fmt: skip
        assert wanted in text
    assert str(tmp_path) not in text
    assert "NDCG@10" in done.stdout and "without boost" in done.stdout


def test_trec_goes_out_and_comes_back(fourfold: Run, tiny: Path, judged: Path, tmp_path: Path) -> None:
    qrels, run = tmp_path / "q.qrels", tmp_path / "r.trec"
    first = measured(
        fourfold("evaluate", judged, "--root", tiny, "--json", "--write-qrels", qrels, "--write-run", run, *NO_VECTORS)
    )
    second = measured(
        fourfold("evaluate", qrels, "--root", tiny, "--json", "--baseline", f"run={run}", *NO_VECTORS)
    )  # fmt: skip
    assert second["figures"]["all"] == first["figures"]["all"]
    assert second["comparison"]["ties"] == 4


def test_a_question_without_an_answer_so_far_is_left_out(fourfold: Run, tiny: Path, judged: Path) -> None:
    with judged.open("a") as file:
        file.write(json.dumps({"query": "who calls main", "path": "pkg/greet.py", "grade": 0}) + "\n")
    done = fourfold("evaluate", judged, "--root", tiny, "--json", *NO_VECTORS)
    assert measured(done)["figures"]["all"]["questions"] == 4
    assert done.stderr == "fourfold: 1 of 6 questions have no grade above 0 so far and are left out\n"


def test_grades_of_0_alone_are_no_failure(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    """As they are when somebody has begun to judge."""
    file = tmp_path / "begun.jsonl"
    file.write_text(json.dumps({"query": "who calls main", "path": "pkg/greet.py", "grade": 0}) + "\n")
    done = fourfold("evaluate", file, "--root", tiny, "--json", *NO_VECTORS)
    assert measured(done)["figures"]["all"]["questions"] == 0
    assert "no grade above 0 so far" in done.stderr
    floor = fourfold("evaluate", file, "--root", tiny, "--fail-under", "0.5", *NO_VECTORS)
    assert (floor.returncode, "nothing to measure" in floor.stderr) == (1, True)


def test_half_of_the_questions(fourfold: Run, tiny: Path, judged: Path) -> None:
    halves = [
        measured(fourfold("evaluate", judged, "--root", tiny, "--json", "--split", half, *NO_VECTORS))["questions"]
        for half in ("tune", "test")
    ]
    asked = [row["query"] for half in halves for row in half]
    assert sorted(asked) == sorted({str(row["query"]) for row in JUDGED})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--candidate", "presett=quick"), 'unknown part of a plan "presett" — did you mean "preset"?'),
        (("--candidate", "preset=fats"), 'unknown preset "fats"'),
        (("--candidate", "k=0"), "--k must be from 1"),
        (("--candidate", "k=9 k=8"), "the plan names k twice"),
        (("--candidate", "fast"), "a plan is made of words such as k=60"),
        (("--candidate", "run=x k=3"), "leave out the rest"),
        (("--candidate", "weights=text=nan"), "must be a finite number"),
        (("--baseline", "run=nowhere.trec"), "cannot read the run nowhere.trec"),
        (("--metric", "ndcg"), 'unknown metric "ndcg"'),
        (("--split", "train"), 'unknown split "train"'),
        (("--fail-under", "91"), "--fail-under must be from 0 to 1"),
        (("--fail-under", "much"), "--fail-under wants a number"),
        (("--fail-on-regression",), "needs --baseline or --candidate"),
        (("--strip", "elsewhere"), "is in the index of"),
    ],
)
def test_wrong_use_is_one_clear_line(
    said: Said, tiny: Path, judged: Path, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "x.py").write_text("x = 1\n", "utf-8")
    text = said(judged, "--root", elsewhere if "--strip" in arguments else tiny, *arguments)
    assert says in text
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"query": "q", "path": "a"}\n{"query": "q", "grade": 9}\n', 'bad:2: neither "path" nor "targets"'),
        ('{"query": "q", "path": "a", "grade": 9}\n', 'bad:1: "grade" must be'),
        ("", "no judgements in it"),
        ("1 0 a.py 1\n", "name the questions with --topics FILE"),
        (b"\n\xff\xfe", "bad:2: not UTF-8"),
        (None, "cannot read the judgements"),
    ],
)
def test_a_bad_file_is_one_clear_line(
    said: Said, tiny: Path, tmp_path: Path, content: str | bytes | None, says: str
) -> None:
    bad = tmp_path / "bad"
    if content is not None:
        bad.write_bytes(content if isinstance(content, bytes) else content.encode())
    text = said(bad, "--root", tiny)
    assert says in text
    assert text.count("\n") == 1
