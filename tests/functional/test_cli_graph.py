"""The dependency graph on the command line: edges that exist, at the places of the references themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import textwrap
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


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_difference_without_a_repository_or_commit_is_told(fourfold: Run, tiny: Path) -> None:
    told = fourfold("graph", "impact", "--diff", "--root", tiny)
    assert told.returncode == 2 and "needs a git repository" in told.stderr and len(told.stderr.splitlines()) == 1
    subprocess.run(["git", "init", "-q"], cwd=tiny, check=True, capture_output=True)
    told = fourfold("graph", "impact", "--diff", "--root", tiny)
    assert told.returncode == 2 and "none yet" in told.stderr and len(told.stderr.splitlines()) == 1


def test_overrides_are_methods_of_derived_types(library: Indexed) -> None:
    data = ask(library, "overrides", "logging.Handler.emit")
    assert data["subject"]["symbol"] == "logging.Handler.emit" and data["edges"] == []
    assert {"logging.StreamHandler.emit", "logging.handlers.HTTPHandler.emit"} <= {s["symbol"] for s in data["symbols"]}
    assert ask(library, "overrides", "urlsplit", code=1)["symbols"] == []


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """A folder of two packages that use each other, each with a ``main`` of its own."""
    root = tmp_path / "par"
    for path, text in {
        "sub/a.py": "from other.b import otherfn\n\n\ndef subfn():\n    return otherfn()\n\n\n"
        "def near():\n    return subfn()\n\n\ndef unused_here():\n    return 1\n\n\ndef main():\n    near()\n",
        "other/b.py": "def otherfn():\n    return 2\n\n\ndef unused_there():\n    return 3\n",
        "other/c.py": "from sub.a import subfn\n\n\ndef far():\n    return subfn()\n\n\n"
        "def main():\n    far()\n\n\ndef start():\n    main()\n",
    }.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return root


def test_a_folder_within_an_indexed_root_is_asked_about_alone(fourfold: Run, parent: Path) -> None:
    assert fourfold("index", parent, "--embedder", "none").returncode == 0

    def told(*words: str, code: int = 0) -> dict[str, Any]:
        done = fourfold("graph", *words, "--root", parent / "sub", "--json")
        assert done.returncode == code, (words, done.stdout, done.stderr)
        data: dict[str, Any] = json.loads(done.stdout)
        return data

    hubs = told("hubs")["symbols"]
    assert {hub["path"] for hub in hubs} == {"sub/a.py"}
    assert {hub["symbol"]: hub["dependants"] for hub in hubs}["sub.a.subfn"] == 1
    # what is used from outside is alive all the same
    assert [symbol["symbol"] for symbol in told("dead")["symbols"]] == ["sub.a.unused_here"]
    assert places(told("callers", "subfn")) == {("sub/a.py", "near")}
    assert places(told("impact", "subfn")) == {("sub/a.py", "near"), ("sub/a.py", "main")}
    assert [edge["path"] for edge in told("path", "main", "subfn")["edges"]] == ["sub/a.py", "sub/a.py"]
    assert told("callers", "a.py:4")["subject"]["symbol"] == "sub.a.subfn"
    for outside in ("otherfn", "other.b.otherfn", "../other/b.py:1", "other/b.py"):
        assert told("callers", outside, code=1)["edges"] == []
    assert "in sub" in fourfold("graph", "callers", "otherfn", "--root", parent / "sub").stderr
    everywhere = json.loads(fourfold("graph", "callers", "subfn", "--root", parent, "--json").stdout)
    assert places(everywhere) == {("sub/a.py", "near"), ("other/c.py", "far")}


def test_all_definitions_of_a_name_are_taken_and_told(fourfold: Run, parent: Path) -> None:
    data = json.loads(fourfold("graph", "path", "main", "subfn", "--root", parent, "--json").stdout)
    assert {subject["path"] for subject in data["subjects"]} == {"sub/a.py", "other/c.py"}
    assert {route[0]["path"] for route in data["routes"]} == {"sub/a.py", "other/c.py"}
    # a way to each target too, though one is nearer
    (parent / "other/d.py").write_text("from other.c import start\n\n\ndef near():\n    start()\n", "utf-8")
    (parent / "sub/e.py").write_text(
        "from sub.a import near\nfrom other import d\n\n\ndef go():\n    near()\n    further()\n\n\n"
        "def further():\n    d.near()\n",
        "utf-8",
    )
    data = json.loads(fourfold("graph", "path", "go", "near", "--root", parent, "--json").stdout)
    assert [route[-1]["to"] for route in data["routes"]] == ["sub.a.near", "other.d.near"]
    people = fourfold("graph", "callers", "near", "--root", parent)
    assert all(f"near (function) {place}" in people.stdout for place in ("sub/a.py:8", "other/d.py:4"))
    assert "2 definitions" in people.stderr


def test_a_file_stands_for_the_module_that_it_is(fourfold: Run, parent: Path) -> None:
    for given, folder in (("other/b.py", parent), ("b.py", parent / "other"), (str(parent / "other/b.py"), parent)):
        done = fourfold("graph", "importers", given, "--root", folder, "--json")
        data = json.loads(done.stdout)
        assert data["subject"]["symbol"] == "other.b", (given, done.stderr)
        if folder == parent:
            assert {(edge["path"], edge["line"]) for edge in data["edges"]} == {("sub/a.py", 1)}


#: Source files that hold their own tests: name → text, in which `checks` is a test that calls `work` through `helped`.
INLINE = {
    "lib.rs": """
        pub fn work() -> u32 { 1 }
        pub fn main() { work(); }

        #[cfg(test)]
        mod tests {
            use super::*;
            fn helped() -> u32 { work() }

            #[test]
            fn checks() { let got = helped(); assert_eq!(got, 1); }
        }
    """,
    "zigged.zig": """
        fn work() u32 { return 1; }
        fn helped() u32 { return work(); }
        test "checks" { _ = helped(); }
    """,
    "inline.py": """
        import unittest

        def work():
            return 1

        def main():
            return work()

        class Inline(unittest.TestCase):
            def test_checks(self):
                self.assertEqual(work(), 1)
    """,
    "Inline.java": """
        class Inline {
            static int work() { return 1; }
            public static void main(String[] args) { work(); }
            @Test
            void checks() { assertEquals(work(), 1); }
        }
    """,
}


@pytest.mark.parametrize("name", INLINE)
def test_tests_inside_a_source_file_are_tests(fourfold: Run, tmp_path: Path, name: str) -> None:
    root = tmp_path / "inline"
    root.mkdir()
    (root / name).write_text(textwrap.dedent(INLINE[name]), "utf-8")
    done = fourfold("graph", "tests", "work", "--root", root, "--json")
    found = {edge["from"].rpartition(".")[2] for edge in json.loads(done.stdout)["edges"]}
    assert found in ({"checks"}, {"test_checks"}), (found, done.stderr)
    dead = json.loads(fourfold("graph", "dead", "--root", root, "--json", "--no-update").stdout)
    assert dead["symbols"] == []
