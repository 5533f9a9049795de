"""What every screen looks like, at three sizes, dark and light: kept as text with the style of every cell.

A file in ``snapshots/`` holds the screen, then for each theme its styles (a letter each) and which letter stands on
which cells. Run with FOURFOLD_SNAPSHOTS=write to make the files anew, and look at what changed with git diff.
"""

from __future__ import annotations

import asyncio
import os
import string
from collections.abc import Awaitable, Callable
from itertools import groupby
from pathlib import Path

import pytest
from driving import Driven, driven
from rich.cells import cell_len
from rich.segment import Segment
from still import StillSession
from textual.strip import Strip

from fourfold.model import PlanOptions
from fourfold.tui import source
from fourfold.tui.screens.snapshot import SnapshotScreen

HERE = Path(__file__).parent / "snapshots"
THEMES = ("fourfold-dark", "fourfold-light")
LETTERS = string.ascii_letters + string.digits + string.punctuation
QUESTION = "how does a vessel get a berth"


def seen(user: Driven) -> list[list[Segment]]:
    """The screen, or the window that stands over it."""
    lines, screen = user.lines(), user.app.screen
    if screen is user.app.screen_main:
        return lines
    region = screen.children[0].region
    return [list(Strip(line).crop(region.x, region.right)) for line in lines[region.y : region.bottom]]


def written(lines: list[list[Segment]]) -> str:
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


def styles(lines: list[list[Segment]]) -> str:
    """Runs of cells with their style's letter, and what each letter is."""
    letters: dict[str, str] = {}

    def letter(style: object) -> str:
        return letters.setdefault(str(style).strip(), LETTERS[min(len(letters), len(LETTERS) - 1)])

    rows = []
    for line in lines:
        cells = [(letter(segment.style), cell_len(segment.text)) for segment in line if segment.text]
        runs = groupby(cells, lambda cell: cell[0])
        rows.append(" ".join(f"{each}{sum(count for _, count in run)}" for each, run in runs))
    return "\n".join([*(f"{each} {name}" for name, each in letters.items()), *rows])


async def _asked(user: Driven, text: str, *keys: str) -> None:
    screen = user.app.screen_main
    screen.set_text(text)
    screen.ask()
    await user.until(lambda: screen.answer is not None and screen.answer.question.text == text)
    screen.focus_pane("results")
    await user.settle()
    await user.press(*keys)


async def _overview(user: Driven) -> None:
    user.app.screen_main.focus_pane("query")


async def _opened(user: Driven, *keys: str) -> None:
    await _asked(user, QUESTION, *keys[:1])
    await user.until(lambda: user.app.screen is not user.app.screen_main)
    await user.settle()
    for key in keys[1:]:
        await user.press(key)
        await user.settle()


async def _list(user: Driven) -> None:
    await _asked(user, QUESTION)
    user.app.screen_main._open_list("text")
    await user.until(lambda: user.app.screen is not user.app.screen_main)


async def _large(user: Driven) -> None:
    await _asked(user, QUESTION, "Z")
    await user.settle()
    user.app.screen_main.footer.said = None
    user.app.screen_main.footer.refresh()


async def _snapshot(user: Driven) -> None:
    await _asked(user, QUESTION)
    screen = user.app.screen_main
    assert screen.answer is not None
    user.app.push_screen(SnapshotScreen(screen.session.snapshot(screen.answer.question), "then.json"))
    await user.until(lambda: user.app.screen is not screen)
    await user.settle()


SCREENS: dict[str, Callable[[Driven], Awaitable[None]]] = {
    "overview": _overview,
    "results": lambda user: _asked(user, QUESTION, "j"),
    "preview": lambda user: _asked(user, "where is Tanker defined", "tab", "j"),
    "explain": lambda user: _asked(user, QUESTION, "x"),
    "impact": lambda user: _asked(user, "what breaks if I change wait_for_depth", "tab", "tab"),
    "nothing": lambda user: _asked(user, '"frobnicate the whatsit"'),
    "list": _list,
    "help": lambda user: _opened(user, "?"),
    "plan": lambda user: _opened(user, "p", "j", "j", "j", "l"),
    "whatif": lambda user: _opened(user, "w", "j", "j", "l", "l", "l", "l"),
    "compare": lambda user: _opened(user, "c", "enter"),
    "lesson": lambda user: _opened(user, "X", "1"),
    "snapshot": _snapshot,
    "tree": lambda user: _opened(user, "T"),
    "outline": lambda user: _opened(user, "O"),
    "commands": lambda user: _opened(user, ":"),
    "large": _large,
}


async def _back(user: Driven) -> None:
    app, screen = user.app, user.app.screen_main
    await user.until(lambda: not screen.busy)
    while app.screen is not screen:
        app.pop_screen()
        await asyncio.sleep(0)
    app.remembered.large, app.remembered.questions = False, []
    screen.full = False
    screen.options = PlanOptions()
    screen.header.state.preset = "default"
    screen.results.opened.clear()
    screen.set_text("")
    screen.clear_answer()
    screen.relayout()
    await user.settle()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_every_screen_looks_as_it_did(
    harbour: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "find_lexer", lambda path: False)  # colours of code differ between pygments' versions
    different = []
    async with driven(harbour, size, session=StillSession) as user:
        for name, show in SCREENS.items():
            await _back(user)
            await show(user)
            await user.settle()
            parts: list[str] = []
            for theme in THEMES:
                if theme != user.app.palette.name:
                    user.app.use_theme(theme)
                    await user.settle()
                lines = seen(user)
                parts = parts or [written(lines)]
                assert written(lines) == parts[0], f"{name}: another theme shows another text"
                parts.append(f"== {theme}\n{styles(lines)}")
            user.app.use_theme(THEMES[0])
            text = "\n".join(parts) + "\n"
            file = HERE / f"{name}-{size[0]}x{size[1]}.txt"
            if os.environ.get("FOURFOLD_SNAPSHOTS") == "write":
                HERE.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
            elif not file.exists() or file.read_text(encoding="utf-8") != text:
                different.append(f"{file.name}:\n{parts[0]}")
    assert not different, "\n\n".join(different)
