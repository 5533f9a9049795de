"""The questions that must be answered on Python's own standard library, asked of a slice of it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.functional.conftest import Indexed

DIRECT = {
    "where is get_event_loop defined": ("structural", {"asyncio/events.py"}),
    "who calls ensure_future": ("graph", {"asyncio/tasks.py", "asyncio/base_events.py", "asyncio/runners.py"}),
    "what breaks if I change urlsplit": ("graph", {"urllib/parse.py", "urllib/request.py", "http/cookiejar.py"}),
    '"Expecting property name enclosed in double quotes"': ("text", {"json/decoder.py"}),
    # the first three in German, Swedish and Japanese
    "wo ist get_event_loop definiert": ("structural", {"asyncio/events.py"}),
    "var definieras get_event_loop": ("structural", {"asyncio/events.py"}),
    "get_event_loop はどこで定義されていますか": ("structural", {"asyncio/events.py"}),
    "wer ruft ensure_future auf": ("graph", {"asyncio/tasks.py", "asyncio/base_events.py", "asyncio/runners.py"}),
    "vem anropar ensure_future": ("graph", {"asyncio/tasks.py", "asyncio/base_events.py", "asyncio/runners.py"}),
    "ensure_future を呼び出しているのはどこ": (
        "graph",
        {"asyncio/tasks.py", "asyncio/base_events.py", "asyncio/runners.py"},
    ),
    "was geht kaputt, wenn ich urlsplit ändere": (
        "graph",
        {"urllib/parse.py", "urllib/request.py", "http/cookiejar.py"},
    ),
    "vad går sönder om jag ändrar urlsplit": ("graph", {"urllib/parse.py", "urllib/request.py", "http/cookiejar.py"}),
    "urlsplit を変更すると何が壊れるか": ("graph", {"urllib/parse.py", "urllib/request.py", "http/cookiejar.py"}),
}
FUSED = {
    "how does the csv module guess the dialect of a file": "csv.py",
    "logging rotating files by size": "logging/handlers.py",
    "ThreadPoolExecutor": "concurrent/futures/thread.py",
    "urlsplit": "urllib/parse.py",
}


@pytest.fixture(scope="module")
def answers(library: Indexed) -> dict[str, dict[str, Any]]:
    asked = "".join(json.dumps(question) + "\n" for question in (*DIRECT, *FUSED))
    done = library("search", "--batch", "--no-update", stdin=asked)
    assert done.returncode == 0, done.stderr
    return {answer["query"]: answer for answer in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("question", DIRECT)
def test_a_direct_question_goes_to_its_modality(answers: dict[str, dict[str, Any]], question: str) -> None:
    modality, right = DIRECT[question]
    answer = answers[question]
    assert answer["plan"]["fusion_strategy"] == "direct"
    assert [m for m, status in answer["plan"]["modalities"].items() if status == "ran"] == [modality]
    assert {result["path"] for result in answer["results"][:3]} & right
    assert all(part["modality"] == modality for r in answer["results"] for part in r["contributions"])


@pytest.mark.parametrize("question", FUSED)
def test_a_fused_question_has_a_right_file_near_the_top(answers: dict[str, dict[str, Any]], question: str) -> None:
    answer = answers[question]
    assert answer["plan"]["fusion_strategy"] == "fused"
    assert FUSED[question] in [result["path"] for result in answer["results"][:3]]
    assert sum(status == "ran" for status in answer["plan"]["modalities"].values()) >= 3


@pytest.mark.parametrize(("question", "kind"), [("ThreadPoolExecutor", "class"), ("urlsplit", "function")])
def test_a_bare_name_has_its_definition_first(answers: dict[str, dict[str, Any]], question: str, kind: str) -> None:
    first = answers[question]["results"][0]
    assert first["path"] == FUSED[question]
    evidence = next(part["evidence"] for part in first["contributions"] if part["modality"] == "structural")
    assert evidence["symbol"].split(".")[-1] == question and evidence["match"] == "exact"
    assert first["symbol"].split(".")[0] == question
    assert first["kind"] in (kind, "method")  # a long class is several chunks, the first of which holds its head


def test_each_caller_is_a_place_that_calls(answers: dict[str, dict[str, Any]], library: Indexed) -> None:
    for result in answers["who calls ensure_future"]["results"]:
        steps = result["contributions"][0]["evidence"]["path"]
        assert steps
        text = (library.root / steps[0]["path"]).read_text("utf-8").split("\n")
        assert steps[0]["path"] == result["path"]
        assert "ensure_future" in text[steps[0]["line"] - 1]


def test_each_thing_that_breaks_has_its_path(answers: dict[str, dict[str, Any]]) -> None:
    results = answers["what breaks if I change urlsplit"]["results"]
    assert results
    for result in results:
        steps = result["contributions"][0]["evidence"]["path"]
        assert steps and steps[-1]["to"].endswith("urlsplit")
        for step, following in pairwise(steps):
            assert step["to"] == following["from"]
