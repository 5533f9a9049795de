"""Work in threads for a screen: what it returned, or how it failed, is handed over in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from textual.screen import Screen

from fourfold.tui.sanitise import clean
from fourfold.tui.screens.panes import Panes

T = TypeVar("T")


class Working(Panes):
    """The panes, with threads that fetch what they show."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = ThreadPoolExecutor(3, thread_name_prefix="fourfold")
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
        """Run ``work`` in a thread; then, in the event loop, ``done`` with what it returned or ``failed``."""

        async def run() -> None:
            try:
                value = await asyncio.get_running_loop().run_in_executor(self._pool, work)
            except Exception as error:
                failed(error)
            else:
                if self.is_attached:
                    done(value)

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def over(self, screen: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Open ``screen`` over this one, unless another came first while its content was fetched."""
        if self.app.screen is self:
            self.app.push_screen(screen, then)

    def report(self, error: Exception) -> None:
        """One clear line in the footer about something that did not work."""
        words = str(error).strip().splitlines()
        self.say(clean(words[0] if words else type(error).__name__), "error")

    def shut(self) -> None:
        """Let no thread work on for a screen that is gone."""
        self._pool.shutdown(wait=False, cancel_futures=True)
