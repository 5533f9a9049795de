"""What goes wrong outside is said in one line and stops nothing: files, indexes, workers, other windows."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import driven

from fourfold import paths
from fourfold.indexing.pipeline import refresh

Open = Callable[..., Any]
HOSTILE = (
    "# \x1b]0;owned\x07\x1b[2J \u202eevil\u2066 [bold red]markup[/] \x9b2J \x00 tab\there\r\n"
    "def combining_e\u0301\u0323(): return '漢字 wide 👩‍👩‍👧 \ufe0f'\r\n"
)
NAMES = ("plain.py", "[bold]x.py", "new\nline.py", "esc\x1b[31m.py", "wide漢字.py", "bidi\u202e.py", " spaces .py")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A codebase that nobody would wish for, with an index of it."""
    top = tmp_path_factory.mktemp("hostile")
    root = top / "[red]root"
    root.mkdir()
    for name in NAMES:
        (root / name).write_bytes((HOSTILE.replace("\x00", "") + f"hostile_marker = {name!r}\n").encode())
    (root / "nul.py").write_bytes(b"hostile_marker = 1\n\0\0\0" + os.urandom(200))
    (root / "empty.py").write_text("")
    (root / "long.py").write_text("hostile_marker = '" + "x[b]" * 250_000 + "'\ntail = 1\n")
    (root / "many.py").write_text("".join(f"line_{number} = {number}\n" for number in range(200_000)))
    (root / "gone.py").write_text("def vanishing(): return 'hostile_marker'\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
            patch.setenv(name, str(top / name.lower()))
        patch.delenv("NO_COLOR", raising=False)
        refresh(root, paths.base_index(root), embedder="none", jobs=1, vectors=False)
        yield root


def harmless(text: str) -> bool:
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066\u200d]", text)


async def test_hostile_names_and_content_are_shown_and_not_obeyed(hostile: Path) -> None:
    async with driven(hostile, (120, 40), query="hostile_marker") as user:
        await user.until("[red]root")
        await user.until("[bold]x.py")
        screen = user.app.screen_main
        screen.focus_pane("results")
        for key in (
            "j",
            "+",
            "space",
            "x",
            "x",
            "O",
            "escape",
            "T",
            "escape",
            "F",
            "escape",
            "y",
            "escape",
            "J",
            "escape",
        ):
            for _ in range(2):
                await user.press(key)
            await user.settle()
            assert harmless(user.text()), key
        for name in (*NAMES, "nul.py", "empty.py"):
            screen.go_file(name, 1)
            await user.settle()
            assert harmless(user.text()), name
        screen.go_file("[bold]x.py", 1)
        await user.until("␛]0;owned␇")
        await user.until("[bold red]markup[/]")
        screen.go_file("nul.py", 1)
        await user.until("is binary")
        screen.go_file("empty.py", 1)
        await user.until("is empty")


async def test_huge_lines_and_files_are_shown_without_a_stall(hostile: Path) -> None:
    async with driven(hostile, (80, 24)) as user:
        screen = user.app.screen_main
        for name, last in (("long.py", 2), ("many.py", 200_000)):
            screen.go_file(name, 1)
            await user.until(lambda name=name: screen.preview.source is not None and screen.preview.source.path == name)
            for key in ("G", "g", "W", "ctrl+d", "W", "shift+right", "/", "1", "enter", "n", "escape", "G"):
                started = time.monotonic()
                await user.press(key)
                await user.handled()
                assert time.monotonic() - started < 5, f"{name}: {key}"  # far from a matter of milliseconds
            assert screen.preview.line == last
            assert harmless(user.text())


async def test_a_file_that_has_vanished_says_so(hostile: Path) -> None:
    async with driven(hostile, (120, 40), query="where is vanishing defined") as user:
        (hostile / "gone.py").unlink()
        screen = user.app.screen_main
        screen.go_file("gone.py", 1)
        await user.until("is gone")
        screen.focus_pane("results")
        await user.press("o")
        await user.until("gone.py is gone")


async def test_no_index_and_a_damaged_one_are_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_STATE", str(tmp_path / "state"))
    root = tmp_path / "root"
    root.mkdir()
    missing = tmp_path / "none.db"
    async with driven(root, (80, 24), query="anything", index=missing) as user:
        await user.until("nothing is indexed yet")
        for key in ("escape", "F", "T", "!", "w", "c", "o", "y", "escape", "?", "escape", "p", "l", "escape"):
            await user.press(key)
        await user.settle()
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"SQLite format 3\0" + b"no page" * 900)
    async with driven(root, (80, 24), index=damaged) as user:
        assert "the index is damaged" in user.text()


def test_a_damaged_index_is_made_anew(
    open_terminal: Open, codebase: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE", str(tmp_path / "fourfold_cache"))
    index = paths.base_index(codebase)
    index.parent.mkdir(parents=True)
    index.write_bytes(b"SQLite format 3\0" + b"no page" * 900)
    terminal = open_terminal(codebase, "-q", "where is JSONDecoder defined", "--embedder", "none")
    terminal.wait("json/decoder.py")


def workers(pid: int) -> list[int]:
    """The indexing processes of the app ``pid`` (Linux)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
            command = (entry.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == pid and b"indexing.worker" in command:
            found.append(int(entry.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_a_worker_that_dies_is_said_and_the_screen_goes_on(open_terminal: Open, indexed: tuple[Path, Path]) -> None:
    root, cache = indexed
    terminal = open_terminal(root, "-q", "where is JSONDecoder defined", FOURFOLD_CACHE=str(cache))
    terminal.wait("json/decoder.py")
    end = time.monotonic() + 30
    while not (found := workers(terminal.pid)) and time.monotonic() < end:
        terminal.pump(0.1)
    os.kill(found[0], signal.SIGKILL)
    terminal.wait("the indexer ended")
    terminal.press("esc", "r")
    terminal.wait("references to JSONDecoder")

    # meanwhile another window on the same folder, and both leave nothing behind
    other = open_terminal(root, "-q", "who calls detect_encoding", FOURFOLD_CACHE=str(cache))
    other.wait("direct → graph")
    for window in (terminal, other):
        window.press("ctrl+q")
        assert window.ended() == 0
