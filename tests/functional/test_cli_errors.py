"""Every wrong use ends in one clear line on standard error, exit code 2 (1 where nothing is found), no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.functional.conftest import Indexed, Run


def one_line(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("fourfold: ")
    for part in parts:
        assert part in lines[0], lines[0]


def test_a_folder_without_files(fourfold: Run, tmp_path: Path) -> None:
    done = fourfold("search", "anything", "--root", tmp_path)
    one_line(done, 1, "no files", str(tmp_path))
    assert done.stdout == ""


def test_a_folder_without_files_as_json_is_still_an_answer(fourfold: Run, tmp_path: Path) -> None:
    done = fourfold("search", "anything", "--root", tmp_path, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["results"] == []


def test_a_folder_that_does_not_exist(fourfold: Run, tmp_path: Path) -> None:
    for command in (["search", "x", "--root"], ["index"], ["status"], ["ledger"], []):
        one_line(fourfold(*command, tmp_path / "nowhere"), 2, "no such folder", "nowhere")


def test_a_file_instead_of_a_folder(fourfold: Run, tiny: Path) -> None:
    for command in (["search", "x", "--root"], ["index"], ["status"], []):
        one_line(fourfold(*command, tiny / "pkg" / "greet.py"), 2, "is a file, not a folder")


@pytest.mark.parametrize("query", ["", "   ", "???", "\u200b"])
def test_a_question_with_nothing_to_search_for(fourfold: Run, tiny: Path, query: str) -> None:
    done = fourfold("search", query, "--root", tiny)
    one_line(done, 1, "nothing to search for")
    assert done.stdout == ""


def test_no_question_at_all(fourfold: Run, tiny: Path) -> None:
    one_line(fourfold("search", "--root", tiny), 2, "no question")
    one_line(fourfold("explain", "--root", tiny), 2, "no question")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--preset", "thoruogh"], ["unknown preset", 'did you mean "thorough"']),
        (["--preset", "fats"], ["unknown preset", "quick"]),
        (["--intent", "find_definitions"], ["unknown intent", 'did you mean "find_definition"']),
        (["--strategy", "fuse"], ["unknown strategy", 'did you mean "fused"']),
        (["--only", "semantic,grph"], ["unknown modality", 'did you mean "graph"']),
        (["--only", ","], ["no modality"]),
        (["--weights", "semantic=-1"], ["negative"]),
        (["--weights", "semantic=0,text=0,structural=0,graph=0"], ["zero"]),
        (["--weights", "semantic=nan"], ["finite"]),
        (["--weights", "semantic=inf"], ["finite"]),
        (["--weights", "semantic=much"], ["number", "much"]),
        (["--weights", "semantic"], ["M=W"]),
        (["--weights", "sematic=1"], ["unknown modality", 'did you mean "semantic"']),
        (["--weights", "text=1,text=2"], ["twice"]),
        (["--k", "forty"], ["--k", "whole number"]),
        (["--k", "0"], ["--k"]),
        (["--k", "-1"], ["--k"]),
        (["--k", "1.5"], ["--k", "whole number"]),
        (["--depth", "0"], ["--depth"]),
        (["--limit", "0"], ["--limit"]),
        (["--limit", "-3"], ["--limit"]),
        (["--lang", "pyhton"], ["unknown language", 'did you mean "python"']),
        (["--kind", "klass"], ["unknown kind", 'did you mean "class"']),
        (["--embedder", "voyager"], ["unknown embedder", 'did you mean "voyage"']),
        (["--jsno"], ["--jsno"]),
        (["--json", "--vimgrep"], ["not allowed with"]),
    ],
)
def test_a_bad_option(fourfold: Run, tiny: Path, options: list[str], parts: list[str]) -> None:
    done = fourfold("search", "greet", "--root", tiny, *options)
    one_line(done, 2, *parts)
    assert done.stdout == ""


@pytest.mark.parametrize("pattern", ["(", "[a-", "*x", "a{2,1}", "(?P<n>x"])
def test_a_bad_regular_expression(fourfold: Run, tiny: Path, pattern: str) -> None:
    one_line(fourfold("search", "--regex", "--root", tiny, "--", pattern), 2, "regular expression")


def test_a_misspelt_command_names_the_nearest(fourfold: Run) -> None:
    one_line(fourfold("serach"), 2, "unknown command", 'did you mean "search"')


def test_the_screen_needs_a_terminal(fourfold: Run, tiny: Path) -> None:
    one_line(fourfold(tiny), 2, "terminal", "fourfold search")


def test_no_index_yet_and_none_may_be_made(fourfold: Run, tiny: Path) -> None:
    one_line(fourfold("search", "greet", "--root", tiny, "--no-update"), 2, "no index", "fourfold index")


def test_a_damaged_index_is_said_so_and_made_anew(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    index = tmp_path / "damaged.db"
    index.write_bytes(b"this is no index at all\n" * 500)
    one_line(fourfold("search", "greet", "--root", tiny, "--index", index, "--no-update"), 2, "damaged", "--rebuild")
    done = fourfold("search", "greet", "--root", tiny, "--index", index, "--embedder", "none")
    assert done.returncode == 0, done.stderr
    assert "pkg/greet.py" in done.stdout
    assert "damaged" in done.stderr and "Traceback" not in done.stderr


def test_an_index_that_cannot_be_written(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    one_line(fourfold("search", "greet", "--root", tiny, "--index", tmp_path), 2, str(tmp_path))


def test_a_remote_embedder_without_a_key(fourfold: Run, tiny: Path) -> None:
    for command in (["index", tiny], ["search", "greet", "--root", tiny]):
        one_line(fourfold(*command, "--embedder", "voyage"), 2, "VOYAGE_API_KEY", "--embedder local")


def test_an_unknown_symbol_for_the_graph(fourfold: Run, tiny: Path) -> None:
    done = fourfold("graph", "callers", "gret", "--root", tiny)
    one_line(done, 1, "gret")


def test_an_unknown_question_for_the_graph(fourfold: Run, tiny: Path) -> None:
    one_line(fourfold("graph", "caller", "greet", "--root", tiny), 2, 'did you mean "callers"')


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["callers"], "one symbol"),
        (["path", "greet"], "two symbols"),
        (["hubs", "greet"], "no symbol"),
        (["callers", "greet", "--diff"], "impact"),
        (["impact", "--diff", "no-such-revision"], "git"),
        (["callers", "greet", "--limit", "x"], "--limit"),
    ],
)
def test_wrong_use_of_the_graph(fourfold: Run, tiny: Path, words: list[str], part: str) -> None:
    one_line(fourfold("graph", *words, "--root", tiny), 2, part)


def test_errors_of_a_batch_are_lines_of_the_batch(fourfold: Run, tiny: Path) -> None:
    done = fourfold("search", "--batch", "--regex", "--root", tiny, stdin="(\ngreet\n\n")
    bad, good, empty = map(json.loads, done.stdout.splitlines())
    assert bad["schema"] == 1 and bad["query"] == "(" and set(bad["error"]) == {"code", "text"}
    assert good["results"]
    assert empty["results"] == [] and empty["notices"][0]["code"] == "nothing_to_search"
    assert done.returncode == 2


def test_a_batch_takes_no_question_from_the_command_line(fourfold: Run, tiny: Path) -> None:
    one_line(fourfold("search", "greet", "--batch", "--root", tiny), 2, "standard input")


def test_a_reader_that_leaves_early_ends_it_quietly(library: Indexed) -> None:
    from shlex import quote

    if os.name == "nt":
        pytest.skip("needs a POSIX shell")
    asked = "-m fourfold search the --limit 100 --no-update --json"
    program = f"{quote(sys.executable)} {asked} | head -c 10; echo ${{PIPESTATUS[0]}}"
    env = {**os.environ, "FOURFOLD_CACHE": str(library.home / "fourfold_cache")}
    done = subprocess.run(
        ["bash", "-c", program], cwd=library.root, env=env, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.endswith("0\n")


def test_a_last_resort_says_one_line_and_debug_shows_where(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file where the cache folder would be", "utf-8")
    done = fourfold("search", "greet", "--root", tiny, env={"FOURFOLD_CACHE": str(cache)})
    one_line(done, 2)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), ("<&-", 0), (">/dev/full", 2)])
def test_streams_that_are_closed_or_full(tiny: Path, tmp_path: Path, closed: str, code: int) -> None:
    if "full" in closed and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    from shlex import quote

    program = f"{quote(sys.executable)} -m fourfold search greet --index x.db --embedder none --root {quote(str(tiny))}"
    done = subprocess.run(
        ["sh", "-c", f"{program} {closed}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) == (1 if code else 0)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX names")
def test_words_that_are_no_utf_8_are_a_question_like_any_other(tiny: Path, tmp_path: Path) -> None:
    words = [
        os.fsencode(sys.executable),
        b"-m",
        b"fourfold",
        b"search",
        b"gr\xfcet \xff",
        b"--json",
        b"--index",
        b"x.db",
    ]
    done = subprocess.run(
        [*words, b"--embedder", b"none", b"--root", os.fsencode(tiny)], cwd=tmp_path, capture_output=True
    )
    assert done.returncode in (0, 1) and b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["query"] == "gr\ufffdet \ufffd"


def test_an_interrupted_index_leaves_no_traceback_and_goes_on(library: Indexed, tmp_path: Path) -> None:
    import signal
    import time

    if os.name == "nt":
        pytest.skip("needs POSIX signals")
    index = tmp_path / "cut.db"
    words = [sys.executable, "-m", "fourfold", "index", str(library.root), "--index", str(index), "--embedder", "none"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(400):
        if index.exists():
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    # a shell shows 130 for a death by the interrupt as well: before Python hears signals, there is nothing else
    assert process.returncode in (0, 130, -signal.SIGINT)
    again = subprocess.run(words, capture_output=True, text=True, check=True)
    assert " files" in again.stdout
    found = library("search", "urlsplit", "--index", index, "--no-update", "--json")
    assert found.returncode == 0 and json.loads(found.stdout)["index"]["coverage"]["graph"] == 1.0


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("/[/", ["bad regular expression", "character set"]),
        ("/(?P<x/", ["bad regular expression"]),
        ("ast:(class_definition", ["lacks 1 closing bracket"]),
        ("ast:(", ["lacks 1 closing bracket"]),
        ("ast:(no_such_node)", ["does not compile", "no_such_node"]),
        ("lang:pyhton greet", ["unknown language", 'did you mean "python"']),
        ("kind:klass greet", ["unknown kind", 'did you mean "class"']),
    ],
)
def test_what_is_wrong_in_a_question_is_said_and_nothing_else_is_shown(
    fourfold: Run, tiny: Path, question: str, parts: list[str]
) -> None:
    done = fourfold("search", question, "--root", tiny, "--embedder", "none")
    one_line(done, 2, *parts)
    assert done.stdout == ""
