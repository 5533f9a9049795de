"""Choosing one of many by typing a few letters: files, symbols of a file, commands, themes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from fourfold.tui import fuzzy
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import Row, row
from fourfold.tui.sanitise import clean, shorten, shorten_path
from fourfold.tui.widgets.base import Lines, heading

LIMIT = 150


@dataclass(frozen=True, slots=True)
class Choice:
    """``search`` is what typed letters are compared with; ``note`` stands at the right; ``indent`` in levels."""

    key: str
    text: str
    note: str = ""
    search: str = ""
    indent: int = 0
    is_path: bool = False


class PickList(Lines):
    can_focus = False
    context = "pick"


class Pick(ModalScreen[str | None]):
    """Hands back the key of the choice, or None. With ``suffix``, what is typed from the last colon on is no part of
    the search, and is added to the key."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("pick")]
    AUTO_FOCUS = "Input"
    SCOPED_CSS = False
    CSS = """
    Pick { align: center top; background: $background 60%; }
    Pick:ansi { background: ansi_default; }
    Pick > Vertical { width: 84; max-width: 100%; height: auto; max-height: 100%; margin: 3 0 0 0;
        border: round $ff-border-focus; background: $background; padding: 0 1; border-title-color: $ff-bright;
        border-subtitle-color: $ff-dim; }
    Pick Input, Pick Input:focus { border: none; height: 1; padding: 0; background: $background;
        background-tint: $background 0%; margin: 0 0 1 0; }
    Pick Input > .input--placeholder { color: $ff-dim; text-style: none; }
    Pick PickList { height: auto; min-height: 1; }
    """

    def __init__(
        self, title: str, choices: Sequence[Choice], *, current: str = "", hint: str = "", suffix: bool = False
    ) -> None:
        super().__init__()
        self.choices = list(choices)
        self._texts = [choice.search or choice.text for choice in self.choices]
        self._current = current
        self._suffix = suffix
        self.box = Vertical()
        heading(self.box, title)
        self.input = PickInput(placeholder=hint or "type a few letters")
        self.input.cursor_blink = False
        self.list = PickList()

    def compose(self) -> ComposeResult:
        with self.box:
            yield self.input
            yield self.list

    def on_mount(self) -> None:
        self.fit()
        self.filter("", self._current)

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """The list takes what the screen's height leaves, so that its last lines can be reached."""
        height = self.app.size.height
        top = 3 if height >= 14 else 0
        self.box.styles.margin = (top, 0, 0, 0)
        self.list.styles.max_height = max(1, min(26, height - top - 5))

    def filter(self, needle: str, current: str = "") -> None:
        found = fuzzy.best(needle, self._texts, LIMIT)
        width = min(84, self.app.size.width) - 6
        rows = [self._row(self.choices[index], width, bool(needle)) for index in found]
        self.list.set_rows(rows, current or (rows[0].key if rows else ""))
        self.list.reveal()
        self.box.border_subtitle = f"{len(found)} of {len(self.choices)}" if needle else f"{len(self.choices)}"

    def _row(self, choice: Choice, width: int, searching: bool) -> Row:
        indent = "" if searching else "  " * choice.indent
        room = max(10, width - len(choice.note) - len(indent) - 2)
        text = clean(choice.text)
        shown = shorten_path(text, room) if choice.is_path else shorten(text, room)
        return row((indent + shown, "text"), right=[(clean(choice.note) + " ", "dim")], key=choice.key)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.filter(self._split(event.value)[0])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self.list.reveal()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self._take(message.key)

    def action_select(self, step: int) -> None:
        self.list.action_cursor(step)

    def action_take(self) -> None:
        self._take(self.list.current)

    def _take(self, key: str) -> None:
        self.dismiss(key + self._split(self.input.value)[1] if key else None)

    def _split(self, text: str) -> tuple[str, str]:
        head, colon, tail = text.rpartition(":")
        return (head, colon + tail.strip()) if self._suffix and head and tail.strip() else (text.rstrip(":"), "")

    def action_close(self) -> None:
        self.dismiss(None)


class PickInput(Input):
    context = "pick"
