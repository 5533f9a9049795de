"""Every number of every answer can be checked: by its own JSON, by the lines it cites, by the edges it names."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.functional.conftest import Indexed

MODALITIES = ["semantic", "text", "structural", "graph"]
STATUSES = {"ran", "not_run", "off", "not_built", "failed"}
KEYS = {
    "": ["schema", "query", "root", "intent", "plan", "notices", "lists", "timings_ms", "index", "results"],
    "intent": ["name", "confidence", "rule", "cue", "subject", "direction", "language", "direct_eligible"],
    "plan": ["fusion_strategy", "reason", "preset", "k", "depth", "weights", "modalities", "overrides", "filters"],
    "index": ["generation", "commit", "branch", "fresh", "coverage", "embedder"],
}
RESULT_KEYS = [
    "position", "path", "start_line", "end_line", "symbol", "kind", "language", "score", "boost", "centrality",
    "demotion", "demotion_reason", "contributions", "matched_lines", "more_in_file", "stale", "snippet",
]  # fmt: skip
CONTRIBUTION_KEYS = ["modality", "rank", "raw_score", "weight", "contribution", "evidence"]

FIXED = [
    "", "   ", "???", "xyzzyplughfrobnicate", "how does the csv module guess the dialect of a file",
    "logging rotating files by size", "what happens when a task is cancelled", "parse a query string into a dict",
    "thread pool that runs callables", "open a url with a proxy", "how are cookies stored", "why is the loop closed",
    '"Expecting property name enclosed in double quotes"', '"no such literal stands anywhere here"', "'utf-8'",
    "/def \\w+_handler/", "/raise (ValueError|TypeError)/", "\\bclass \\w+Protocol\\b", "ECONNREFUSED", "0xFFFF",
    "TODO", "--help", "http://", "ab", "x", "==", "日本語", "json/decoder.py", "decoder.py", "asyncio/", "def dumps",
    "class Future:", "import json", "from urllib.parse import urlsplit", "return json.dumps(obj)",
    "for line in self.stream:\n    yield line", 'File "asyncio/tasks.py", line 12, in wait', "ValueError: not a number",
    "abstract classes", "async functions", "empty except blocks", "functions with more than five parameters",
    "functions that return None", "methods decorated with property", "ast:(class_definition) lang:python",
    "subclasses of BaseEventLoop", "who imports urllib.parse", "tests for dumps", "dead code", "duplicates of dumps",
    "similar to urlsplit", "what does urlopen call", "where is Handler used", "impact", "impact of Future",
    "wo ist get_event_loop definiert", "wer ruft ensure_future auf", "vad går sönder om jag ändrar urlsplit",
    "var definieras get_event_loop", "get_event_loop はどこで定義されていますか",
    "ensure_future を呼び出しているのはどこ",
    "urlsplit lang:python", "Handler path:logging/", "Handler -path:logging/", "send kind:method", "retry kind:class",
    "the the the", "a", "SELECT * FROM users WHERE id = 1", "timeout " * 60, "\u202eevil\u202c", "🙂 emoji",
]  # fmt: skip
TEMPLATES = [
    "where is {} defined", "{}", "who calls {}", "what breaks if I change {}", "how does {} work", "{}()",
    "usages of {}", "definition of {}",
]  # fmt: skip


@cache
def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").split("\n")


def names_in(root: Path) -> Iterator[str]:
    """Names that the codebase defines, spread over its files in a fixed order."""
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8", "replace"))
        defined = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
        yield from [name for name in defined if not name.startswith("_")][:4]


def questions(root: Path) -> list[str]:
    names = list(dict.fromkeys(names_in(root)))[:160]
    return FIXED + [TEMPLATES[i % len(TEMPLATES)].format(name) for i, name in enumerate(names)]


def ask(library: Indexed, asked: list[str], *options: str) -> list[dict[str, Any]]:
    done = library("search", "--batch", "--no-update", *options, stdin="".join(json.dumps(q) + "\n" for q in asked))
    assert not done.stderr.strip()
    assert done.stdout.isascii()
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["query"] for answer in answers] == asked
    return answers


@pytest.fixture(scope="module")
def answers(library: Indexed) -> list[dict[str, Any]]:
    asked = questions(library.root)
    found = ask(library, asked, "--limit", "20")
    found += ask(library, asked[::8], "--preset", "thorough", "--limit", "40")
    found += ask(library, asked[3::16], "--preset", "quick")
    found += ask(library, asked[5::16], "--weights", "semantic=0.3,text=1.5,structural=0,graph=0.25", "--k", "7")
    found += ask(library, asked[6::16], "--strategy", "fused", "--depth", "5")
    found += ask(library, asked[7::16], "--only", "text,graph")
    found += ask(library, asked[9::16], "--strategy", "direct")
    return [answer for answer in found if "error" not in answer]


def each_result(answers: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for answer in answers:
        for result in answer["results"]:
            yield answer, result


def each_contribution(answers: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    for answer, result in each_result(answers):
        for part in result["contributions"]:
            yield answer, result, part


def test_there_are_enough_questions_of_all_kinds(answers: list[dict[str, Any]]) -> None:
    assert len(answers) >= 200
    assert sum(bool(answer["results"]) for answer in answers) >= 180
    assert {answer["intent"]["name"] for answer in answers} == {
        "find_definition", "find_references", "understand_code", "find_similar", "impact_analysis", "exact_match",
    }  # fmt: skip
    assert {answer["plan"]["fusion_strategy"] for answer in answers} == {"direct", "fused"}
    listed = {part["modality"] for _, _, part in each_contribution(answers)}
    assert listed == set(MODALITIES)


def test_answers_have_the_form_of_schema_1(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        assert list(answer) == KEYS[""] and answer["schema"] == 1
        for part in ("intent", "plan", "index"):
            assert list(answer[part]) == KEYS[part]
        assert list(answer["plan"]["weights"]) == MODALITIES
        assert list(answer["plan"]["modalities"]) == MODALITIES
        assert set(answer["plan"]["modalities"].values()) <= STATUSES
        assert list(answer["index"]["coverage"]) == MODALITIES
        assert all(set(notice) == {"code", "text"} for notice in answer["notices"])
        for name, hits in answer["lists"].items():
            assert answer["plan"]["modalities"][name] in ("ran", "failed")
            assert {"hits", "ms", "how", "partial"} <= set(hits)
        for result in answer["results"]:
            assert list(result) == RESULT_KEYS
            assert all(list(part) == CONTRIBUTION_KEYS for part in result["contributions"])
            assert not result["path"].startswith("/") and "\\" not in result["path"]


def test_every_score_recomputes_from_its_own_json(answers: list[dict[str, Any]]) -> None:
    for answer, result in each_result(answers):
        total = 0.0
        for part in result["contributions"]:
            expected = part["weight"] / (answer["plan"]["k"] + part["rank"] + 1)
            assert part["contribution"] == pytest.approx(expected, abs=1e-9)
            total += part["contribution"]
        assert result["score"] == pytest.approx(result["demotion"] * result["boost"] * total, abs=1e-9)
        direct = answer["plan"]["fusion_strategy"] == "direct"
        boost = 1.0 if direct else min(1 + 0.3 * math.log(1 + result["centrality"]), 1.5)
        assert result["boost"] == pytest.approx(boost, abs=1e-9)


def test_every_raw_score_folds_from_its_named_terms(answers: list[dict[str, Any]]) -> None:
    for answer, result, part in each_contribution(answers):
        terms = part["evidence"]["terms"]
        assert terms, (answer["query"], result["path"], part["modality"])
        score = 0.0
        for term in terms:
            assert term["name"] and term["op"] in ("+", "*")
            score = score + term["value"] if term["op"] == "+" else score * term["value"]
        assert part["raw_score"] == pytest.approx(score, abs=1e-6), (answer["query"], terms)


def test_weights_and_ranks_are_those_of_the_plan(answers: list[dict[str, Any]]) -> None:
    for answer, _, part in each_contribution(answers):
        plan = answer["plan"]
        assert plan["modalities"][part["modality"]] == "ran"
        assert 0 <= part["rank"] < min(plan["depth"], answer["lists"][part["modality"]]["hits"])
        if plan["fusion_strategy"] == "fused":
            assert part["weight"] == plan["weights"][part["modality"]]
        else:
            assert part["weight"] == 1.0


def test_lists_are_in_order_and_hold_a_file_once(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        results = answer["results"]
        assert [r["position"] for r in results] == list(range(1, len(results) + 1))
        scores = [r["score"] for r in results]
        assert scores == sorted(scores, reverse=True)
        assert len({r["path"] for r in results}) == len(results)
        for modality in MODALITIES:
            by_rank = sorted(
                (part["rank"], part["raw_score"]) for r in results for part in r["contributions"]
                if part["modality"] == modality
            )  # fmt: skip
            assert len({rank for rank, _ in by_rank}) == len(by_rank)
            raw = [score for _, score in by_rank]
            assert all(a >= b - 1e-9 for a, b in pairwise(raw)), (answer["query"], modality)


def test_evidence_is_true_of_the_lines_it_cites(answers: list[dict[str, Any]], library: Indexed) -> None:
    cited = 0
    for answer, result, part in each_contribution(answers):
        text = lines_of(library.root / result["path"])
        for match in part["evidence"].get("matched", []):
            assert match["lines"], (answer["query"], match)
            for line in match["lines"]:
                cited += 1
                assert match["term"].casefold() in text[line - 1].casefold(), (answer["query"], result["path"], match)
    assert cited > 1000


def test_snippets_and_lines_are_those_of_the_file(answers: list[dict[str, Any]], library: Indexed) -> None:
    for answer, result in each_result(answers):
        text = lines_of(library.root / result["path"])
        assert 1 <= result["start_line"] <= result["end_line"] <= len(text)
        assert all(result["start_line"] <= n <= result["end_line"] for n in result["matched_lines"]), answer["query"]
        shown = result["snippet"].rstrip("\n").split("\n")
        assert shown == text[result["start_line"] - 1 :][: len(shown)]


def test_symbols_stand_where_the_evidence_says(answers: list[dict[str, Any]], library: Indexed) -> None:
    seen = 0
    for answer, result, part in each_contribution(answers):
        evidence = part["evidence"]
        if part["modality"] == "structural" and evidence.get("symbol_line"):
            seen += 1
            first = evidence["symbol_line"] - 1
            # what a syntax question finds may begin with decorators
            span = 6 if evidence["match"] == "syntax" else 1
            text = "\n".join(lines_of(library.root / result["path"])[first : first + span])
            assert evidence["symbol"].split(".")[-1] in text, (answer["query"], result["path"], evidence)
    assert seen > 100


def test_every_edge_of_the_evidence_exists(answers: list[dict[str, Any]], library: Indexed) -> None:
    from fourfold.paths import current_index
    from fourfold.store.reader import SqliteReader

    index = next((library.home / "fourfold_cache").glob("*/index*.db"))
    reader = SqliteReader(current_index(index), library.root)
    seen = 0
    try:
        for answer, _, part in each_contribution(answers):
            for step in part["evidence"].get("path", []):
                seen += 1
                targets = [s.id for s in reader.symbols_named(step["to"], "exact") if s.full_name == step["to"]]
                edges = {(e.path, e.line, e.kind, e.certainty) for e in reader.neighbours(targets, "in")}
                wanted = (step["path"], step["line"], step["kind"], step["certainty"])
                assert wanted in edges, (answer["query"], step)
    finally:
        reader.close()
    assert seen > 100


def test_the_same_question_gives_the_same_list(library: Indexed, answers: list[dict[str, Any]]) -> None:
    asked = questions(library.root)[:30]
    again = {answer["query"]: answer["results"] for answer in ask(library, asked, "--limit", "20")}
    first = {answer["query"]: answer["results"] for answer in answers[: len(again)]}
    assert all(first[query] == results for query, results in again.items())
