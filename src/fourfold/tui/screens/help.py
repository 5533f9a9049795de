"""Help: the keys that work in the place where it was asked for, made from the keymap."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from fourfold.tui.keymap import IN_WINDOWS, WHERE, Keymap, shown
from fourfold.tui.paint import BLANK, Row, row
from fourfold.tui.sanitise import wrap
from fourfold.tui.widgets.base import Lines, heading

_TITLES = {
    "query": "typing a question", "results": "the results", "explain": "the explanation", "preview": "the preview",
    "overview": "the first screen", "tree": "the tree", "pick": "choosing from a list", "pane": "a list",
    "panel": "the plan", "report": "the report", "whatif": "what if", "judge": "judging", "pool": "judging two lists",
    "compare": "comparing", "lesson": "the lesson", "snapshot": "a snapshot",
}  # fmt: skip


def help_rows(keymap: Keymap, context: str, width: int) -> list[Row]:
    """Groups of keys, nearest place first; two columns where there is room."""
    rows: list[Row] = []
    groups = [*keymap.where(context)]
    if "everywhere" not in WHERE[context]:
        groups.append(("Everywhere", [key for key in keymap.table if key.name in IN_WINDOWS]))
    for title, keys in groups:
        if not keys:
            continue
        rows += [BLANK, row((title.upper(), "dim bold"))]
        for key in keys:
            names = " ".join(shown(each) for each in key.keys)
            for index, text in enumerate(wrap(key.help, max(16, width - 20))):
                label = f"{names:<18}  " if not index else " " * 20
                rows.append(row((label, "bright"), (text, "text")))
    if context == "query":
        rows += [
            BLANK, row(("A QUESTION MAY BE", "dim bold")),
            *(row((f"{example:<34}  ", "bright"), (what, "text")) for example, what in (
                ("where is parse_config defined", "a definition"),
                ("who calls parse_config", "references"),
                ("what breaks if I change Session", "impact"),
                ("how are tasks scheduled", "meaning, names and text together"),
                ("\"exact words\"   /reg.?ex/", "exactly that text"),
                ("code like retry_with_backoff", "similar code"),
                ("abstract classes", "a construct of the syntax"),
                ("… lang:py path:src/** -path:tests/** kind:class", "limits"),
            )),
        ]  # fmt: skip
    rows += [BLANK, row(("Keys can be changed in the settings file, in [keys].", "dim"))]
    return rows


class HelpLines(Lines):
    context = "pick"


class Help(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "close", show=False)]
    SCOPED_CSS = False
    CSS = """
    Help { align: center middle; background: $background 60%; }
    Help:ansi { background: ansi_default; }
    Help > HelpLines { width: 84; max-width: 100%; height: auto; max-height: 90%; border: round $ff-border-focus;
        padding: 0 1; border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, keymap: Keymap, context: str) -> None:
        super().__init__()
        self.keymap = keymap
        self.context_name = context
        self.lines = HelpLines()

    def compose(self) -> ComposeResult:
        heading(self.lines, f"Keys: {_TITLES.get(self.context_name, self.context_name)}")
        self.lines.border_subtitle = "esc closes"
        yield self.lines

    def on_mount(self) -> None:
        width = min(84, self.app.size.width) - 6
        self.lines.set_rows(help_rows(self.keymap, self.context_name, width))

    def action_close(self) -> None:
        self.dismiss(None)
