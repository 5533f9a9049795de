"""The first minute of each of the three people: the one who explores, the one who teaches, the one who asks why."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]
BUILT = "A ━━━━"


def children(pid: int) -> set[int]:
    """Processes whose parent is ``pid``, and theirs (Linux)."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                child = int(entry.parent.name)
                if child not in found:
                    found.add(child)
                    waiting.append(child)
    return found


def test_from_a_fresh_clone_to_a_definition_its_users_and_why(open_terminal: Open, codebase: Path) -> None:
    terminal = open_terminal(codebase)
    first = terminal.wait("sk in words, by name")
    assert "Where to start" in first
    terminal.wait(BUILT)
    terminal.wait("where is")  # a question made from the codebase's own names

    terminal.press("where is JSONDecoder defined")
    terminal.wait("find_definition")
    terminal.wait("Why #1")
    # a pause between keys may have asked half of the question first: the whole one's answer follows
    terminal.wait(lambda text: "direct → structural" in text and "json/decoder.py" in text)
    terminal.wait("class JSONDecoder")

    terminal.press("enter", "r")
    terminal.wait("references to JSONDecoder")
    terminal.wait("direct → graph")
    terminal.wait("json/__init__.py")

    terminal.press("H")
    terminal.wait("where is JSONDecoder defined")
    terminal.press("L")
    terminal.wait("references to JSONDecoder")

    terminal.press("x")
    shown = terminal.wait("EVIDENCE")
    assert "1/(k+#)" in shown
    assert "INTENT" in shown
    terminal.press("ctrl+q")
    assert terminal.ended() == 0


def test_usable_before_any_index_exists_and_nothing_is_left_running(open_terminal: Open, codebase: Path) -> None:
    terminal = open_terminal(codebase, "-q", "wrap paragraphs of text", "--embedder", "none")
    terminal.wait("understand_code")
    terminal.wait("textwrap.py")  # asked again by itself as soon as something is indexed
    terminal.press("esc", "j")
    family = children(terminal.pid)
    assert family, "the indexer runs in a process of its own"
    terminal.press("ctrl+q")
    assert terminal.ended() == 0
    end = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in family) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [pid for pid in family if Path(f"/proc/{pid}").exists()]

    again = open_terminal(codebase)
    again.wait(BUILT)  # goes on where it was cut
    again.wait("G ━━━━")
    again.press("how is a JSON document parsed")
    again.wait("understand_code")
    again.wait("off: this root has no embedder")  # as was said at the first start
    again.press("ctrl+q")
    assert again.ended() == 0


def test_everything_fits_80_by_24_and_help_is_of_the_place(open_terminal: Open, indexed: tuple[Path, Path]) -> None:
    codebase, cache = indexed
    terminal = open_terminal(codebase, FOURFOLD_CACHE=str(cache), width=80, height=24)
    terminal.wait(BUILT)
    terminal.press("how is a JSON document parsed")
    terminal.wait("understand_code 0.75 · fused")
    terminal.wait("Results")
    terminal.press("f1")
    terminal.wait("WHILE YOU TYPE A QUESTION")
    terminal.press("esc", "enter")
    terminal.wait("enter open")
    terminal.press("?")
    terminal.wait("LISTS")
    terminal.press("esc", "tab")
    terminal.wait("▌Preview")
    terminal.press("tab")
    terminal.wait("▌Why #1")
    terminal.wait("INTENT")
    for width, height in ((40, 10), (20, 5), (200, 50)):
        terminal.resize(width, height)
        terminal.pump(1.0)
    terminal.wait("INTENT")
    terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
    assert terminal.ended() == 0


def test_the_plan_changes_the_list_and_says_what_was_set(open_terminal: Open, indexed: tuple[Path, Path]) -> None:
    codebase, cache = indexed
    terminal = open_terminal(codebase, "-q", "how is a JSON document parsed", FOURFOLD_CACHE=str(cache))
    terminal.wait(BUILT)
    terminal.wait("Why #1")
    terminal.press("esc", "p")
    terminal.wait("as published")
    terminal.press("j", "j", "j", "space")  # semantic off
    terminal.wait("[ ]")
    terminal.press("esc")
    terminal.wait("off: switched off by you")


def test_keys_come_from_the_settings_and_a_bad_line_is_told(
    open_terminal: Open, indexed: tuple[Path, Path], tmp_path: Path
) -> None:
    codebase, cache = indexed
    config = tmp_path / "fourfold_config"
    config.mkdir()
    (config / "config.toml").write_text('[keys]\nopen_plan = "P"\nfly = "x"\n')
    terminal = open_terminal(codebase, "-q", "how is a JSON document parsed", FOURFOLD_CACHE=str(cache))
    terminal.wait("no such action")
    terminal.wait(BUILT)
    terminal.wait("Why #1")
    terminal.press("esc", "P")
    terminal.wait("as published")


def test_a_terminal_without_colours_and_hostile_text(open_terminal: Open, codebase: Path) -> None:
    hostile = "# \x1b]0;owned\x07 \x1b[2J \u202egnp.exe [bold]x[/]\n"
    (codebase / "evil.py").write_text(hostile + 'def evil_function():\n    """\x9b2J"""\n')
    terminal = open_terminal(codebase, "-q", "where is evil_function defined", "--embedder", "none", NO_COLOR="1")
    terminal.wait("evil.py")
    shown = terminal.wait("␛]0;owned␇")
    assert "[bold]x[/]" in shown
    assert b"owned\x07" not in terminal.raw
    assert b"\x1b[38;2;" not in terminal.raw


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
def test_the_editor_opens_at_the_line_and_the_screen_comes_back(
    open_terminal: Open, indexed: tuple[Path, Path], tmp_path: Path
) -> None:
    codebase, cache = indexed
    told = tmp_path / "told"
    fake = tmp_path / "my editors" / "vim"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {told}\n')
    fake.chmod(0o755)
    terminal = open_terminal(codebase, "-q", "where is JSONDecoder defined", VISUAL=f"'{fake}' -u NONE",
                             FOURFOLD_CACHE=str(cache))  # fmt: skip
    terminal.wait("json/decoder.py")
    terminal.wait("class JSONDecoder")
    terminal.press("esc", "o")
    terminal.wait("opened json/decoder.py")
    number = next(n for n, line in enumerate((codebase / "json/decoder.py").read_text().split("\n"), 1)
                  if line.startswith("class JSONDecoder"))  # fmt: skip
    assert told.read_text().startswith(f"-u|NONE|+{number}|--|")
    terminal.wait("Results")

    told.unlink()
    terminal.press("space")
    terminal.wait("1 marked")
    terminal.press("o")
    terminal.wait("opened 1 marked place")
    words = told.read_text().split("|")
    assert words[2] == "-q"
    assert f"json/decoder.py:{number}:1:JSONDecoder" in Path(words[3]).read_text()
