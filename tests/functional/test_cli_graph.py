"""The dependency graph on the command line: edges that exist, at the places of the references themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.functional.conftest import Indexed, Run


def test_graph_names_each_place_that_calls(fourfold: Run, tiny: Path) -> None:
    done = fourfold("graph", "callers", "greet", "--root", tiny, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == 1
    assert (data["subject"]["symbol"], data["subject"]["path"], data["subject"]["line"]) == (
        "pkg.greet.greet", "pkg/greet.py", 1,
    )  # fmt: skip
    assert {(e["path"], e["line"]) for e in data["edges"] if e["kind"] == "call"} == {
        ("pkg/greet.py", 7), ("pkg/retry.py", 6),
    }  # fmt: skip
    assert all(set(e) == {"path", "line", "kind", "certainty", "from", "to", "distance"} for e in data["edges"])
    people = fourfold("graph", "callers", "greet", "--root", tiny)
    assert "pkg/retry.py:6" in people.stdout


def ask(library: Indexed, *words: str, code: int = 0) -> dict[str, Any]:
    done = library("graph", *words, "--json", "--no-update")
    assert done.returncode == code, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def places(data: dict[str, Any]) -> set[tuple[str, str]]:
    return {(edge["path"], edge["from"].rpartition(".")[2]) for edge in data["edges"]}


def test_every_edge_stands_at_a_line_that_names_its_target(library: Indexed) -> None:
    seen = 0
    for question, symbol in (
        ("callers", "urlsplit"), ("callees", "urlopen"), ("importers", "urllib.parse"),
        ("subclasses", "logging.Handler"), ("impact", "BaseEventLoop"),
    ):  # fmt: skip
        data = ask(library, question, symbol)
        assert data["edges"], (question, symbol)
        for edge in data["edges"]:
            line = (library.root / edge["path"]).read_text("utf-8").split("\n")[edge["line"] - 1]
            names = [part for part in edge["to"].split(".") if part]
            seen += 1
            assert any(name in line for name in names) or edge["kind"] in ("construct", "import"), (
                question,
                edge,
                line,
            )
    assert seen > 50


def test_each_question_finds_what_anyone_can_look_up(library: Indexed) -> None:
    assert ("urllib/parse.py", "urlparse") in places(ask(library, "callers", "urlsplit"))
    callees = {edge["to"].rpartition(".")[2] for edge in ask(library, "callees", "urllib.parse.urlparse")["edges"]}
    assert "urlsplit" in callees
    subclasses = {edge["from"].rpartition(".")[2] for edge in ask(library, "subclasses", "Handler")["edges"]}
    assert {"StreamHandler", "RotatingFileHandler"} <= subclasses
    impact = ask(library, "impact", "urlsplit")
    assert {edge["distance"] for edge in impact["edges"]} > {1, 2}
    assert [edge["distance"] for edge in impact["edges"]] == sorted(edge["distance"] for edge in impact["edges"])


def test_a_symbol_is_named_by_its_place_too(library: Indexed) -> None:
    lines = (library.root / "urllib/parse.py").read_text("utf-8").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("def urlsplit"))
    subject = ask(library, "callers", f"urllib/parse.py:{line + 3}")["subject"]
    assert subject["symbol"] == "urllib.parse.urlsplit" and subject["line"] == line


def test_a_way_leads_from_one_symbol_to_the_other(library: Indexed) -> None:
    data = ask(library, "path", "urllib.parse.urljoin", "urllib.parse.urlsplit")
    steps = data["edges"]
    assert steps[0]["from"] == "urllib.parse.urljoin" and steps[-1]["to"].endswith("urlsplit")
    assert [step["distance"] for step in steps] == list(range(1, len(steps) + 1))
    assert ask(library, "path", "urllib.parse.urlsplit", "RotatingFileHandler", code=1)["edges"] == []


def test_hubs_and_dead_code_are_symbols_with_their_places(library: Indexed) -> None:
    hubs = ask(library, "hubs", "--limit", "5")["symbols"]
    assert len(hubs) == 5
    assert all(hub["dependants"] > 0 and (library.root / hub["path"]).is_file() for hub in hubs)
    dead = ask(library, "dead", "--limit", "20")["symbols"]
    assert all({"symbol", "path", "line", "kind"} <= set(symbol) for symbol in dead)


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_impact_of_a_difference(fourfold: Run, tiny: Path) -> None:
    def git(*words: str) -> None:
        settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *settings, *words], cwd=tiny, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    nothing = fourfold("graph", "impact", "--diff", "--root", tiny)
    assert nothing.returncode == 1 and "empty" in nothing.stderr
    source = tiny / "pkg" / "greet.py"
    source.write_text(source.read_text("utf-8").replace('f"hello {name}"', 'f"hi {name}"'), "utf-8")
    done = fourfold("graph", "impact", "--diff", "--root", tiny, "--json")
    data = json.loads(done.stdout)
    assert [symbol["symbol"] for symbol in data["symbols"]] == ["pkg.greet.greet"]
    assert ("pkg/retry.py", "retry_greeting") in places(data)
    git("commit", "-q", "-am", "second")
    against = json.loads(fourfold("graph", "impact", "--diff", "HEAD~1", "--root", tiny, "--json").stdout)
    assert against["symbols"] == data["symbols"]
