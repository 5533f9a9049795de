"""Every key in the help of every place does something that is seen, at every size."""

from __future__ import annotations

import asyncio
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest
from driving import Driven, driven
from still import StillSession

from fourfold.lab.lesson import lesson_question
from fourfold.model import Answer
from fourfold.tui import keymap
from fourfold.tui.explain import Without
from fourfold.tui.history import History
from fourfold.tui.keymap import WHERE, Key
from fourfold.tui.screens.compare import CompareScreen
from fourfold.tui.screens.hits import Hits
from fourfold.tui.screens.judge import JudgeScreen
from fourfold.tui.screens.lesson import LessonScreen
from fourfold.tui.screens.pick import Pick
from fourfold.tui.screens.plan import PlanPanel
from fourfold.tui.screens.pool import PoolScreen
from fourfold.tui.screens.snapshot import SnapshotScreen
from fourfold.tui.screens.tree import CallTree
from fourfold.tui.screens.what_if import WhatIfScreen

QUESTION = "how does a vessel get a berth"
OTHER = "where is Ferry defined"
#: What is pressed first, so that the key has something to do.
BEFORE: dict[str, tuple[str, ...]] = {
    "up": ("j",), "top": ("j", "j"), "half_up": ("G",), "query_up": ("down",), "query_newer": ("alt+up", "alt+up"),
    "preview_top": ("G",), "preview_half_up": ("G",), "preview_up": ("j",), "scroll_left": ("shift+right",),
    "preview_bottom": ("g",), "preview_half_down": ("g",), "preview_down": ("g",),
    "pick_up": ("up", "up", "down"), "pick_down": ("up", "up"),
    "word_next": ("g",), "word_previous": ("g",), "panel_less": ("l",), "panel_reset": ("l",), "tree_shut": ("l",),
    "lesson_back": ("right", "right"),
    "to_results": ("tab",), "panel_toggle": ("j", "j", "j"), "half_down": ("g",), "bottom": ("g",), "down": ("g",),
}  # fmt: skip
#: What acts in an exercise only, not in the steps before it.
IN_EXERCISE = frozenset({"lesson_down", "lesson_up", "lesson_more", "lesson_less", "lesson_solution"})
IN_PANEL = ("j", "j", "j")  # the cursor on a modality's weight
#: What cannot be seen here: ctrl+z hands the terminal back to the shell, the others end the app (see the last tests).
ELSEWHERE = frozenset({"suspend", "quit"})


class Desk:
    """One app, put back into a known state before each key."""

    def __init__(self, user: Driven) -> None:
        self.user = user
        self.app = user.app
        self.screen = user.app.screen_main

    async def begin(self) -> None:
        self.other = await self._asked(OTHER)
        self.answer, self.without = await self._asked(QUESTION)

    async def _asked(self, text: str) -> tuple[Answer, Without]:
        self.screen.set_text(text)
        self.screen.ask()
        await self.user.until(lambda: self.screen.answer is not None and self.screen.answer.question.text == text)
        await self.user.settle()
        assert self.screen.answer is not None
        return self.screen.answer, self.screen.without

    async def to(self, context: str, fresh: bool = True) -> None:
        """Everything as after the question was asked, with the cursor in ``context``."""
        screen = self.screen
        await self.user.until(lambda: not screen.busy)  # what the last key started
        while self.app.screen is not screen:
            self.app.pop_screen()
            await asyncio.sleep(0)
        if fresh:
            screen.history = History()
        remembered = self.app.remembered
        remembered.large, remembered.questions = False, ["who calls Berth", "tides"]
        remembered.wide, remembered.medium, remembered.medium_height = [27, 40, 33], [42, 58], [58, 42]
        screen.full, screen.waiting, screen._drop = False, None, 0
        screen.options = screen.options.__class__()
        screen.close_find()
        screen.preview.wrapped, screen.preview.shift = False, 0
        if context == "overview":
            screen.set_text("")
            screen.clear_answer()
            screen.focus_pane("ask")
        else:
            screen.set_text(QUESTION)
            screen.show_answer(self.answer, self.without)
            pane = context if context in ("query", "results", "explain", "preview") else "results"
            screen.focus_pane(pane)
        screen.relayout()
        screen.footer.said = None
        screen.footer.refresh()
        await self.user.until(lambda: not screen.busy)
        opener = {
            "report": (lambda: screen._open_list("text"), Hits),
            "panel": (screen.action_plan, PlanPanel),
            "whatif": (screen.action_what_if, WhatIfScreen),
            "judge": (screen.action_judge, JudgeScreen),
            "compare": (self._compare, CompareScreen),
            "pool": (self._pool, PoolScreen),
            "snapshot": (self._snapshot, SnapshotScreen),
            "lesson": (lambda: screen.give_lesson(lesson_question("plan of a day")), LessonScreen),
            "tree": (screen.action_callers, CallTree),
            "pick": (screen.action_outline, Pick),
        }.get(context)
        if opener is not None:
            opener[0]()
            await self.user.until(lambda: isinstance(self.app.screen, opener[1]))
            await self.user.handled()
            await self.user.until(lambda: not screen.busy)

    def _compare(self) -> None:
        less = replace(self.answer, results=self.answer.results[1:])
        self.screen._show_comparison(self.answer, less, "as asked", "without the first")

    def _pool(self) -> None:
        file = self.screen.session.judgements
        file.unlink(missing_ok=True)
        self.app.push_screen(PoolScreen(self.answer, self.answer, "as asked", "the same", file))

    def _snapshot(self) -> None:
        self.app.push_screen(SnapshotScreen(self.screen.session.snapshot(self.answer.question), "then"))

    async def try_key(self, context: str, entry: Key, key: str) -> str:
        """What is wrong with one key in one place; empty when something was seen to happen."""
        await self.to(context)
        if entry.name == "take_newer":
            self.screen.waiting = (self.answer, self.without)
            self.screen.refresh_titles()
        if entry.name in ("back", "start_back", "forward"):
            await self._wander(context, entry.name == "forward")
        prelude = BEFORE.get(entry.name, ())
        if context == "explain" and entry.place == "list":
            prelude = {"up": ("g", "j"), "top": ("j",), "half_up": ("G",)}.get(entry.name, ("g",))
        if context == "query" and entry.name == "to_results":
            prelude = ()
        if context == "whatif" and entry.name in ("panel_more", "panel_less", "panel_reset", "panel_toggle"):
            prelude = (*IN_PANEL, *(("l",) if entry.name != "panel_more" else ()))
        if entry.name in IN_EXERCISE and isinstance(self.app.screen, LessonScreen):
            self.app.screen.state.at = len(self.app.screen.lesson.steps)
            self.app.screen.view.changed()
        await self.user.press(*prelude)
        await self._quiet()
        before = self.user.styled()
        self.user.send(key)
        end, pause = time.monotonic() + 8, 0.0
        while time.monotonic() < end:
            await self.user.handled()
            self.user.check()
            if self.user.styled() != before:
                return ""
            await asyncio.sleep(pause)
            pause = min(0.05, pause + 0.004)
        return f"{context}: {key} ({entry.name}: {entry.help})\n{self.user.text()}"

    async def _wander(self, context: str, and_back: bool) -> None:
        """Another question was asked before this."""
        screen = self.screen
        screen.set_text(OTHER)
        screen.show_answer(*self.other)
        screen.history.visit(screen.view())
        await self.to(context, fresh=False)
        screen.history.visit(screen.view())
        if and_back:
            screen.action_history(-1)
            await self.user.until(lambda: not screen.busy)
            screen.focus_pane(context if context in screen.mode else "results")

    async def _quiet(self) -> None:
        still = 0
        for _ in range(200):
            await self.user.handled()
            still = 0 if self.user.unsettled() else still + 1
            if still == 2:
                return
            await asyncio.sleep(0.004)


def told(context: str) -> list[Key]:
    """The keys that the help of a place shows."""
    seen: set[str] = set()
    keys = []
    for _, entries in keymap.Keymap().where(context):
        keys += [entry for entry in entries if entry.name not in seen and entry.name not in ELSEWHERE]
        seen |= {entry.name for entry in entries}
    return keys


@pytest.fixture
def editor(tmp_path: Path) -> str:
    """An editor with a window of its own, so that the terminal need not be handed over."""
    fake = tmp_path / "subl"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    return str(fake)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_every_key_of_every_help_is_seen_to_do_something(
    harbour: Path, editor: str, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the smallest size every key in every place, in the others every action once."""
    monkeypatch.chdir(tmp_path)
    everywhere = size == (80, 24)
    wrong, done = [], set()
    environ = {"PATH": "/usr/bin:/bin", "EDITOR": editor}
    async with driven(harbour, size, session=StillSession, environ=environ) as user:
        desk = Desk(user)
        await desk.begin()
        for context in WHERE:
            if context == "pane":
                continue
            for entry in told(context):
                if entry.name == "clear_or_quit" and context == "overview":
                    continue  # with nothing to clear it quits
                if everywhere or entry.name not in done:
                    done.add(entry.name)
                    for key in entry.keys if everywhere else entry.keys[:1]:
                        wrong.append(await desk.try_key(context, entry, key))
    assert not any(wrong), "\n\n".join(each for each in wrong if each)
