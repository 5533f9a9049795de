"""Why not: where a file (or a symbol of it) stands for this question, or at which gate it dropped out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.model import LETTERS, MODALITIES, Question
from fourfold.tui.bars import ROLES
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, row
from fourfold.tui.sanitise import clean, wrap
from fourfold.tui.widgets.base import Lines, heading

if TYPE_CHECKING:
    from fourfold.lab.why_not import WhyNot

_GATES = {
    "not_found": "It is not in the index.",
    "skipped": "It was left out of the index.",
    "not_retrieved": "No modality that ran lists it.",
    "off": "No list that the plan runs holds it.",
    "merged": "A better chunk speaks for its file.",
    "demoted": "Its path counts less.",
    "below_limit": "It stands below what is shown.",
    "none": "It is among the results.",
}


def why_not_rows(found: WhyNot, command: str, width: int) -> list[Row]:
    """What stopped it, its true rank in each full list, and the change that brings it up (key ``remedy``)."""
    rows = [BLANK, row((_GATES[found.gate], "bright"))]
    rows += [row((text, "text")) for text in wrap(clean(found.words), width)]
    place = []
    if found.position is not None and found.gate != "none":
        place.append(f"it stands at #{found.position} now")
    if found.would_be is not None and found.would_be != found.position:
        place.append(f"without that it would stand at #{found.would_be}")
    if place:
        rows.append(row(("; ".join(place), "text")))
    if found.ranks is not None:
        rows += [BLANK, row(("RANK IN EACH FULL LIST", "dim bold"))]
        for name in MODALITIES:
            rank = found.ranks.get(name)
            unlisted = clean(found.unsearched.get(name, "not listed"))
            rows.append(
                row((f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold" if rank is not None else "dim on:raised"),
                    (f" {name:<12}", ROLES[name]), (unlisted if rank is None else f"#{rank + 1}", "text"))
            )  # fmt: skip
    rows += [BLANK, row(("WHAT PUTS IT FIRST", "dim bold"))]
    if found.remedy is None:
        rows += [row((text, "text")) for text in wrap(clean(found.reason or "nothing needs to"), width)]
    else:
        rows += [row((text, "bright")) for text in wrap(clean(found.change), width)]
        rows += [row((text, "text"), key="remedy") for text in wrap(clean(command), width)]
        rows.append(row(("enter asks that", "dim")))
    return rows


class WhyNotLines(Lines):
    context = "report"


class WhyNotScreen(ModalScreen[Question | None]):
    """Hands back the question that would bring the target up, when it is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report")]
    SCOPED_CSS = False
    CSS = """
    WhyNotScreen { align: center middle; background: $background 60%; }
    WhyNotScreen:ansi { background: ansi_default; }
    WhyNotScreen > WhyNotLines { width: 84; max-width: 100%; height: auto; max-height: 90%;
        border: round $ff-border-focus; padding: 0 1; border-title-color: $ff-bright;
        border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, found: WhyNot, command: Callable[[Question], str]) -> None:
        super().__init__()
        self.found = found
        self.command = command(found.remedy) if found.remedy is not None else ""
        self.lines = WhyNotLines()

    def compose(self) -> ComposeResult:
        heading(self.lines, f"Why not {self.found.target}")
        self.lines.border_subtitle = "esc closes"
        yield self.lines

    def on_mount(self) -> None:
        width = min(84, self.app.size.width) - 6
        self.lines.set_rows(why_not_rows(self.found, self.command, width))

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(self.found.remedy)

    def action_close(self) -> None:
        self.dismiss(None)
