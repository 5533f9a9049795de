"""The app in this process without a terminal: pressed key by key, resized at any moment, its screen read cell by cell.

Textual's own pilot waits for the process to be idle after each key, which is slow and hides what happens in between.
Here a key is sent as a terminal would send it, and the screen is painted whenever it is read. Used by the tests and by
benchmarks/soak.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from rich.segment import Segment
from textual import events
from textual._compositor import Compositor
from textual.geometry import Size
from textual.keys import _character_to_key
from textual.message_pump import MessagePump

from fourfold.config import Settings
from fourfold.tui import keymap
from fourfold.tui.app import FourfoldApp
from fourfold.tui.session import Session


def key_event(key: str) -> events.Key:
    """The event of a key that is named as in the keymap, or of a character."""
    if len(key) == 1:
        return events.Key(_character_to_key(key), key)
    return events.Key(key, " " if key == "space" else None)


class Driven:
    """A running app and what a person at its terminal does."""

    def __init__(self, app: FourfoldApp) -> None:
        self.app = app

    # ------------------------------------------------------------------ doing

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.send(key)
            await asyncio.sleep(0.004)

    def send(self, key: str) -> None:
        event = key_event(key)
        event.set_sender(self.app)
        self.app.post_message(event)

    async def write(self, text: str) -> None:
        for character in text:
            self.send(character)
        await asyncio.sleep(0.004)

    async def resize(self, width: int, height: int) -> None:
        driver: Any = self.app._driver
        driver._size = Size(width, height)
        self.app.post_message(events.Resize(Size(width, height), Size(width, height)))
        await asyncio.sleep(0.01)

    async def settle(self, seconds: float = 20.0) -> None:
        """Wait until nothing is asked, read or coloured any more, and nothing waits to be laid out."""
        end = time.monotonic() + seconds
        still = 0
        while time.monotonic() < end and still < 2:
            self.check()
            await self.handled()
            for widget in self.app.screen_main.walk_children():
                await _emptied(widget)
            await asyncio.sleep(0.017)  # layouts are done sixty times a second
            still = 0 if self.unsettled() else still + 1

    def unsettled(self) -> bool:
        """Whether something is asked, read or coloured, or waits to be laid out or painted."""
        screen = self.app.screen
        waiting = screen._callbacks or screen._layout_required or screen._scroll_required or screen._repaint_required
        return bool(self.app.screen_main.busy or waiting)

    async def until(self, wanted: str | Callable[[], Any], seconds: float = 20.0) -> None:
        """Wait until the screen shows a text, or something is true; fails with the screen in the message."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (wanted in self.text()) if isinstance(wanted, str) else wanted():
                return
            self.check()
            await asyncio.sleep(0.005)
        raise AssertionError(f"never: {wanted}\n{self.text()}")

    async def handled(self) -> None:
        """Wait until what was sent before has been through every queue on its way."""
        for _ in range(2):
            for pump in (self.app, self.app.screen, self.app.screen.focused or self.app.screen):
                await _emptied(pump)

    def check(self) -> None:
        """Raise what a handler raised."""
        if self.app._exception is not None:
            raise self.app._exception

    # ------------------------------------------------------------------ seeing

    def lines(self) -> list[list[Segment]]:
        app = self.app
        update: Any = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
        return [[segment for strip in line if strip is not None for segment in strip] for line in update.strips]

    def text(self) -> str:
        return "\n".join("".join(segment.text for segment in line) for line in self.lines())

    def styled(self) -> str:
        """The screen with every cell's style: equal only for screens that look the same."""
        return "\n".join("".join(f"{s.text}\0{s.style}\0" for s in line) for line in self.lines())


async def _emptied(pump: MessagePump) -> None:
    done = asyncio.Event()
    if pump.call_later(done.set):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), 0.5)


@contextlib.contextmanager
def painted_when_read() -> Iterator[None]:
    """Without a terminal nobody sees what is painted in between: paint only when the screen is read."""
    whole = Compositor.render_update

    def update(self: Compositor, full: bool = False, **rest: Any) -> Any:
        if full:
            return whole(self, full=True, **rest)
        self._dirty_regions.clear()
        return None

    Compositor.render_update = update  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        Compositor.render_update = whole  # type: ignore[method-assign]


@contextlib.asynccontextmanager
async def driven(
    root: Path, size: tuple[int, int], *, query: str = "", at: str = "", settings: Settings | None = None, **extra: Any
) -> AsyncIterator[Driven]:
    """The app on ``root``'s index, open and settled; nothing is indexed in the background."""
    session = extra.pop("session", Session)(root, extra.pop("index", None), None, settings or Settings())
    environ = extra.pop("environ", {"PATH": "/usr/bin:/bin"})
    app = FourfoldApp(session, query=query, at=at, environ=environ, index_in_background=False, **extra)
    with painted_when_read():
        async with app.run_test(size=size):
            user = Driven(app)
            said = app.screen_main.footer
            await user.until(lambda: session.reader or not session.index.exists() or said.said)
            await user.settle()
            yield user
    session.close()


# ---------------------------------------------------------------------- walking at random

QUESTIONS = (
    "where is {} defined", "who calls {}", "what breaks if I change {}", "{}", '"{}"', "/{}.*/", "how does {} work",
    "code like {}", "abstract classes", "{} lang:python", "kind:class path:*.py {}", "ast:(", "[bold]{}[/]",
    "ümlaut 漢字", "", "  ", "?", "wo ist {} definiert",
)  # fmt: skip
SIZES = ((80, 24), (120, 40), (200, 50), (40, 10), (20, 5), (160, 42), (100, 16), (139, 9), (60, 8))
#: Keys that end the app, or hand the terminal over.
LEAVING = frozenset({"ctrl+c", "ctrl+q", "ctrl+z"})


def steps(seed: int, count: int, names: list[str], home: tuple[int, int]) -> Iterator[tuple[str, Any]]:
    """What somebody does who presses anything: mostly keys of the keymap, sometimes a question or another size."""
    rng = random.Random(seed)
    keys = sorted({key for entry in keymap.TABLE for key in entry.keys if key not in LEAVING})
    for _ in range(count):
        what = rng.random()
        if what < 0.07:
            yield "resize", rng.choice(SIZES)
        elif what < 0.10:
            yield "resize", home
        elif what < 0.17:
            yield "ask", rng.choice(QUESTIONS).format(rng.choice(names))
        elif what < 0.20:
            yield "click", (rng.randrange(home[0]), rng.randrange(home[1]))
        elif what < 0.30:
            yield "key", rng.choice("abcxyzlTOF!wcEJ,.äß")
        elif what < 0.34:
            yield "rest", None
        else:
            yield "key", rng.choice(keys)


async def walk(
    user: Driven, seed: int, count: int, names: list[str], told: Callable[[str], None] | None = None
) -> None:
    """Walk ``count`` steps; raises what the app raises, with the steps that led there."""
    home = (user.app.size.width, user.app.size.height)
    done: list[str] = []
    try:
        for number, (kind, value) in enumerate(steps(seed, count, names, home)):
            done.append(f"{kind} {value}")
            if kind == "resize":
                await user.resize(*value)
            elif kind == "ask":
                await user.press("escape", "escape", "escape", "/")
                await user.write(value)
            elif kind == "click":
                await _click(user, *value)
            elif kind == "rest":
                await user.settle(3.0)
            else:
                await user.press(value)
            user.check()
            user.text()
            assert user.app.is_running, "the app has ended"
            if told is not None and number % 100 == 99:
                told(f"{number + 1} steps")
        await user.resize(*home)
        await user.settle()
    except Exception as error:
        error.add_note(f"seed {seed}, after: " + " · ".join(done[-25:]))
        raise


async def _click(user: Driven, x: int, y: int) -> None:
    size = user.app.size
    if x >= size.width or y >= size.height:
        return
    for kind in (events.MouseDown, events.MouseUp):
        user.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y, style=None))
    await asyncio.sleep(0.004)
