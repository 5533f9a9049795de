"""The forms in which answers come, where an index is found, and what may reach a terminal."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.functional.conftest import Indexed, Run

NO_VECTORS = ("--embedder", "none")


def test_results_for_people_say_what_was_understood_and_how_scores_add_up(fourfold: Run, tiny: Path) -> None:
    done = fourfold("search", "where is greet defined", "--root", tiny, *NO_VECTORS)
    assert done.returncode == 0, done.stderr
    assert "find_definition" in done.stdout and "direct" in done.stdout
    assert "pkg/greet.py:1-" in done.stdout
    assert "A #1 0.0244" in done.stdout
    assert "def greet(name):" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_words_of_a_question_need_no_quotes(fourfold: Run, tiny: Path) -> None:
    one = fourfold("search", "who calls greet", "--root", tiny, "--json", *NO_VECTORS)
    many = fourfold("search", "who", "calls", "greet", "--json", "--root", tiny, *NO_VECTORS)
    assert json.loads(one.stdout)["results"] == json.loads(many.stdout)["results"] != []


def test_vimgrep_gives_every_match_as_a_place_that_exists(fourfold: Run, tiny: Path) -> None:
    done = fourfold("search", '"greet("', "--root", tiny, "--vimgrep", *NO_VECTORS, cwd=tiny.parent)
    rows = [line.split(":", 3) for line in done.stdout.splitlines()]
    assert len(rows) == 3
    for path, line, column, text in rows:
        source = (tiny.parent / path).read_text("utf-8").split("\n")[int(line) - 1]
        assert source.strip() == text.strip()
        assert source[int(column) - 1 :].startswith("greet(")


@pytest.mark.parametrize("question", [['"greet absent"'], ["greet\\w+_absent", "--regex"], ["/greet\\w+_absent/"]])
@pytest.mark.parametrize("plan", [[], ["--strategy", "fused"], ["--weights", "text=1,structural=1"]])
def test_vimgrep_prints_no_line_that_does_not_match(
    fourfold: Run, tiny: Path, question: list[str], plan: list[str]
) -> None:
    done = fourfold("search", *question, *plan, "--root", tiny, "--vimgrep", *NO_VECTORS)
    assert (done.returncode, done.stdout) == (1, "")
    assert "absent" in done.stderr or "nothing" in done.stderr
    assert "follows" not in done.stderr


def test_a_list_of_places_that_is_cut_says_so(fourfold: Run, tiny: Path) -> None:
    for number in range(5):
        (tiny / f"many{number}.py").write_text("needle = 1\n", "utf-8")
    options = ["--root", tiny, "--limit", "2", *NO_VECTORS]
    for question in (['"needle"'], ["needl.", "--regex"]):
        cut = fourfold("search", *question, *options, "--depth", "3")
        assert "its depth of 3 chunks; --depth 5 shows more" in cut.stdout and "shows all" not in cut.stdout
        whole = fourfold("search", *question, *options, "--depth", "5")
        assert "its depth" not in whole.stdout and "3 more files; --limit 5 shows all" in whole.stdout
        places = fourfold("search", *question, *options, "--depth", "3", "--vimgrep")
        assert "its depth of 3 chunks" in places.stderr
        assert len(places.stdout.splitlines()) == 2 and "needle = 1" in places.stdout


def test_a_batch_prints_one_object_a_line_and_reads_json_strings(fourfold: Run, tiny: Path) -> None:
    lines = ["where is greet defined", json.dumps('"hello {name}"'), json.dumps("two\nlines"), "grüße 🙂"]
    done = fourfold("search", "--batch", "--root", tiny, *NO_VECTORS, stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["query"] for a in answers] == ["where is greet defined", '"hello {name}"', "two\nlines", "grüße 🙂"]
    assert answers[1]["intent"]["name"] == "exact_match"
    assert answers[1]["results"][0]["matched_lines"] == [3]
    assert done.stdout.isascii()
    assert done.returncode == 0


def test_limits_act_before_ranks(fourfold: Run, tiny: Path) -> None:
    done = fourfold("search", "greet", "--root", tiny, "--path", "pkg/retry.py", "--json", *NO_VECTORS)
    answer = json.loads(done.stdout)
    assert [r["path"] for r in answer["results"]] == ["pkg/retry.py"]
    # the file has two chunks: had others been ranked and left out afterwards, ranks would be higher
    assert all(part["rank"] < 2 for part in answer["results"][0]["contributions"])
    assert all(hits["hits"] <= 2 for hits in answer["lists"].values())
    assert answer["plan"]["filters"] == {"path": ["pkg/retry.py"]}


def test_explicit_controls_are_named_as_overrides(fourfold: Run, tiny: Path) -> None:
    options = ["--weights", "semantic=0,text=1,structural=0.5,graph=0", "--k", "10", "--strategy", "fused"]
    answer = json.loads(fourfold("search", "greet", "--root", tiny, "--json", *options, *NO_VECTORS).stdout)
    assert answer["plan"]["overrides"]
    assert answer["plan"]["k"] == 10
    assert answer["plan"]["weights"] == {"semantic": 0.0, "text": 1.0, "structural": 0.5, "graph": 0.0}


def test_the_index_follows_the_files(fourfold: Run, tiny: Path) -> None:
    def paths(*options: str) -> list[str]:
        done = fourfold("search", "where is farewell defined", "--root", tiny, "--json", *options, *NO_VECTORS)
        answer: dict[str, Any] = json.loads(done.stdout)
        return [r["path"] for r in answer["results"] if r["symbol"] == "farewell"]

    assert paths() == []
    (tiny / "pkg" / "bye.py").write_text("def farewell():\n    pass\n", "utf-8")
    assert paths("--no-update") == []
    assert paths() == ["pkg/bye.py"]
    (tiny / "pkg" / "bye.py").unlink()
    assert paths() == []


def test_a_folder_inside_an_indexed_root_uses_its_index(fourfold: Run, tiny: Path) -> None:
    (tiny / "other").mkdir()
    (tiny / "other" / "greet.py").write_text("def greet_elsewhere():\n    pass\n", "utf-8")
    assert fourfold("index", tiny, *NO_VECTORS).returncode == 0
    answer = json.loads(fourfold("search", "greet", "--json", "--root", tiny / "other", *NO_VECTORS).stdout)
    assert Path(answer["root"]).resolve() == tiny.resolve()
    assert [r["path"] for r in answer["results"]] == ["other/greet.py"]
    narrow = fourfold("search", "greet path:nothing", "--json", "--root", tiny / "other", *NO_VECTORS)
    assert json.loads(narrow.stdout)["results"] == []


def test_a_named_index_file_is_used_and_nothing_else_is_made(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    index = tmp_path / "my.index"
    cache = tmp_path / "cache"
    done = fourfold(
        "search", "greet", "--root", tiny, "--index", index, *NO_VECTORS, env={"FOURFOLD_CACHE": str(cache)}
    )
    assert done.returncode == 0, done.stderr
    assert index.is_file()
    assert not cache.exists() or not any(cache.rglob("*.db"))
    again = fourfold("--index", index, "search", "greet", "--root", tiny, "--no-update", "--json")
    assert json.loads(again.stdout)["results"]


def test_a_folder_named_like_a_command_is_still_a_folder(fourfold: Run, tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    done = fourfold("./index", cwd=tmp_path)
    assert done.returncode == 2 and "terminal" in done.stderr


def test_what_a_codebase_holds_cannot_act_on_the_terminal(fourfold: Run, tmp_path: Path) -> None:
    root = tmp_path / "hostile"
    root.mkdir()
    evil = "def evil():\n    return 'A\x1b]0;owned\x07\x1b[2J\u202eB\x9b31m'  # greet\x08\x08\n"
    (root / "evil.py").write_text(evil, "utf-8")
    if os.name != "nt":
        (root / "na\nme\x1b[31m.py").write_text("def evil_name():\n    pass  # evil\n", "utf-8")
    for form in ([], ["--vimgrep"]):
        done = fourfold("search", "evil \x1b[5m", "--root", root, *form, *NO_VECTORS)
        assert done.returncode == 0, done.stderr
        shown = done.stdout + done.stderr
        assert not any((ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e" for c in shown)
        if form and os.name != "nt":
            assert all(line.count(":") >= 3 for line in done.stdout.splitlines())
    raw = fourfold("search", "evil", "--root", root, "--json", *NO_VECTORS).stdout
    assert raw.isascii() and "\x1b" not in raw
    assert any("\x1b]0;owned" in r["snippet"] for r in json.loads(raw)["results"])


def test_colour_never_reaches_a_pipe(fourfold: Run, tiny: Path) -> None:
    done = fourfold("search", "greet", "--root", tiny, *NO_VECTORS, env={"TERM": "xterm-256color"})
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "command", [[], ["index"], ["search"], ["explain"], ["graph"], ["status"], ["ledger"], ["doctor"]]
)
def test_help_has_examples(fourfold: Run, command: list[str]) -> None:
    done = fourfold(*command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    assert "examples:" in done.stdout
    assert "--index FILE" in done.stdout


def test_version(fourfold: Run) -> None:
    from fourfold import __version__

    for words in (["--version"], ["search", "--version"]):
        done = fourfold(*words)
        assert (done.returncode, done.stdout) == (0, f"fourfold {__version__}\n")


# --------------------------------------------------------------------------- index, status, ledger, doctor


def test_index_and_status_count_what_is_there(fourfold: Run, tiny: Path) -> None:
    made = fourfold("index", tiny, "--json")
    assert made.returncode == 0, made.stderr
    status = json.loads(fourfold("status", tiny, "--json").stdout)
    assert status["schema"] == 1
    assert status["counts"]["files"] == 3
    assert status["index"]["coverage"] == {"semantic": 1.0, "text": 1.0, "structural": 1.0, "graph": 1.0}
    assert status["index"]["fresh"] is True
    people = fourfold("status", tiny)
    assert "3 files" in people.stdout and people.returncode == 0


def test_status_without_an_index_is_an_answer(fourfold: Run, tiny: Path) -> None:
    done = fourfold("status", tiny)
    assert done.returncode == 1
    assert "no index" in done.stdout + done.stderr


def test_status_sees_that_files_changed(fourfold: Run, tiny: Path) -> None:
    fourfold("index", tiny, *NO_VECTORS)
    (tiny / "pkg" / "greet.py").write_text("def greet(name, loud):\n    return name\n", "utf-8")
    status = json.loads(fourfold("status", tiny, "--json").stdout)
    assert status["index"]["fresh"] is False


def test_the_ledger_says_why(fourfold: Run, tiny: Path) -> None:
    (tiny / ".gitignore").write_text("# made\n*.out\n", "utf-8")
    (tiny / "a.out").write_text("x", "utf-8")
    (tiny / "picture.bin").write_bytes(bytes(range(256)) * 8)
    fourfold("index", tiny, *NO_VECTORS)
    entries = {e["path"]: e for e in json.loads(fourfold("ledger", tiny, "--json").stdout)["ledger"]}
    assert entries["a.out"]["decision"] == "skipped"
    assert entries["a.out"]["rule"] == "*.out"
    assert entries["a.out"]["rule_source"] == ".gitignore:2"
    assert entries["picture.bin"]["decision"] == "skipped"
    assert entries["pkg/greet.py"]["decision"] == "indexed"
    why = fourfold("ledger", tiny, "--why", "a.out")
    assert why.returncode == 0 and ".gitignore:2" in why.stdout
    assert fourfold("ledger", tiny, "--why", "never.seen").returncode == 1


def test_the_plan_of_an_index_writes_nothing(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    index = tmp_path / "planned.db"
    done = fourfold("index", tiny, "--plan", "--index", index)
    assert done.returncode == 0, done.stderr
    assert "3 files" in done.stdout and "python" in done.stdout and "on disk" in done.stdout
    told = json.loads(fourfold("index", tiny, "--plan", "--index", index, "--json").stdout)
    assert sum(part["files"] for part in told["languages"].values()) == told["files"] == 3
    assert (
        sum(part["bytes"] for part in told["languages"].values())
        == told["bytes"]
        == told["largest"][0]["bytes"] + sum(item["bytes"] for item in told["largest"][1:])
    )
    assert told["estimated_chunks"] >= 3 and told["estimated_seconds"] > 0
    assert not index.exists()


def test_doctor_checks_the_installation(fourfold: Run, tiny: Path) -> None:
    fourfold("index", tiny, *NO_VECTORS)
    done = fourfold("doctor", tiny)
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("python", "grammars", "model", "themes", "index"):
        assert part in done.stdout.lower()


def test_doctor_finds_damage_that_nothing_else_reads_and_mends_it(fourfold: Run, tiny: Path, tmp_path: Path) -> None:
    index = tmp_path / "i.db"
    fourfold("index", tiny, "--index", index, *NO_VECTORS)
    before = index.stat()
    data = bytearray(index.read_bytes())
    data[len(data) // 2] ^= 1
    index.write_bytes(data)
    os.utime(index, ns=(before.st_atime_ns, before.st_mtime_ns))  # as when a disk forgets
    done = fourfold("doctor", tiny, "--index", index)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BAD index" in done.stdout and "made anew" in done.stdout
    again = fourfold("doctor", tiny, "--index", index)
    assert again.returncode == 0 and "BAD" not in again.stdout


# --------------------------------------------------------------------------- explain, graph


def test_explain_shows_the_whole_sum(fourfold: Run, tiny: Path) -> None:
    done = fourfold("explain", "greet", "--root", tiny, *NO_VECTORS)
    assert done.returncode == 0, done.stderr
    answer = json.loads(fourfold("search", "greet", "--root", tiny, "--json", *NO_VECTORS).stdout)
    assert repr(answer["results"][0]["score"]) in done.stdout
    assert "× 1/(40 + 1)" in done.stdout and "raw score" in done.stdout


@pytest.mark.parametrize(
    ("target", "gate", "present"),
    [
        ("csv.py", "none", True),
        ("no/such/file.py", "not_found", False),
        ("csv.py:999999", "not_found", False),
        ("csv.py:no_such_symbol", "not_found", False),
    ],
)
def test_explain_accounts_for_a_target(library: Indexed, target: str, gate: str, present: bool) -> None:
    question = "how does the csv module guess the dialect of a file"
    done = library("explain", question, "--target", target, "--json", "--no-update")
    told = json.loads(done.stdout)["target"]
    assert told["gate"] == gate
    assert told["status"] == ("present" if present else "absent")
    assert done.returncode == (0 if present else 1), done.stderr
    assert told["remedy"] is not None or told["remedy_reason"]


@pytest.mark.parametrize(
    ("question", "target", "options"),
    [
        ("how does the csv module guess the dialect of a file", "csv.py", ["--limit", "1"]),
        ("parse a url", "json/decoder.py", ["--limit", "2"]),
        ("where is urlsplit defined", "urllib/request.py", []),
        ("logging rotating files by size", "logging/config.py", ["--limit", "1"]),
        ("retry when a socket is closed", "asyncio/sslproto.py", ["--depth", "3"]),
        ("who calls ensure_future", "queue.py", []),
    ],
)
def test_a_remedy_puts_its_target_first(
    library: Indexed, question: str, target: str, options: list[str], tmp_path: Path
) -> None:
    done = library("explain", question, "--target", target, "--json", "--no-update", *options)
    told = json.loads(done.stdout)["target"]
    if told["remedy"] is None:
        assert told["remedy_reason"]
        return
    words = shlex.split(told["remedy"])
    assert words[0] == "fourfold"
    again = library(*words[1:], "--json", cwd=tmp_path)
    found = {r["path"]: r["position"] for r in json.loads(again.stdout)["results"]}
    assert found.get(target) == 1, (told, found)


def test_what_a_question_is_mostly_about_counts_more_than_what_narrows_it(fourfold: Run, tiny: Path) -> None:
    """The same words either way round: the file of the head comes first, and its word is worth more."""
    found = {}
    for question in ("retries of a greeting", "a greeting of retries"):
        answer = json.loads(fourfold("search", question, "--root", tiny, "--json", *NO_VECTORS).stdout)
        parts = {
            (result["path"], part["modality"]): {term["name"]: term["value"] for term in part["evidence"]["terms"]}
            for result in answer["results"]
            for part in result["contributions"]
        }
        found[question] = parts["pkg/retry.py", "structural"]
    asked, other = found["retries of a greeting"], found["a greeting of retries"]
    word = next(name for name in asked if name.startswith("retr"))
    assert asked[word] > other[word] > 0


def test_a_reference_late_in_a_long_function_is_the_line_shown(fourfold: Run, tiny: Path) -> None:
    for name in ("First", "Second"):
        (tiny / f"{name.lower()}.py").write_text(
            f"class {name}:\n    def build_many(self):\n        return 1\n", "utf-8"
        )
    body = "".join(f"    step_{number} = {number}\n" for number in range(45))
    (tiny / "late.py").write_text(f"def late(maker):\n{body}    return maker.build_many()\n", "utf-8")
    done = fourfold("search", "who calls build_many", "--root", tiny, *NO_VECTORS)
    assert done.returncode == 0, done.stderr
    assert "   47     return maker.build_many()" in done.stdout and "    1 def late" not in done.stdout
    assert "(ambiguous call: late.py:47)" in done.stdout
    place = fourfold("search", "who calls build_many", "--root", tiny, "--vimgrep", *NO_VECTORS).stdout
    assert ":47:" in place and "return maker.build_many()" in place
