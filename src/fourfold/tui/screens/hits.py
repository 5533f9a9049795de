"""One modality's whole list around a result, each raw score as the sum of its named terms."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.model import Chunk, HitList
from fourfold.tui.evidence import list_rows
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import counted
from fourfold.tui.widgets.base import Lines, heading


class HitLines(Lines):
    context = "report"


class Hits(ModalScreen[int | None]):
    """Hands back the chunk that was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report")]
    SCOPED_CSS = False
    CSS = """
    Hits { align: center middle; background: $background 60%; }
    Hits:ansi { background: ansi_default; }
    Hits > HitLines { width: 120; max-width: 100%; height: 90%; border: round $ff-border-focus;
        padding: 0 1; border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, hits: HitList, chunks: dict[int, Chunk], selected: int, depth: int) -> None:
        super().__init__()
        self.hits, self.chunks, self.selected, self.depth = hits, chunks, selected, depth
        self.lines = HitLines()

    def compose(self) -> ComposeResult:
        count = counted(len(self.hits.hits), "hit")
        how = f": {self.hits.how}" if self.hits.how else ""
        heading(self.lines, f"{self.hits.modality}, {count}{how}")
        self.lines.border_subtitle = "enter shows it · esc closes"
        yield self.lines

    def on_mount(self) -> None:
        self._fill(f"c{self.selected}")

    def _fill(self, current: str | None = None) -> None:
        width = min(120, self.app.size.width) - 6
        self.lines.set_rows(list_rows(self.hits, self.chunks, self.selected, self.depth, width), current)
        self.call_after_refresh(self._centre)

    def _centre(self) -> None:
        """Put the result in the middle, so that what stands above and below it is seen."""
        at = next((n for n, line in enumerate(self.lines.rows) if line.key == self.lines.current), 0)
        self.lines.scroll_to(y=max(0, at - self.lines.size.height // 2), animate=False, force=True)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(int(message.key[1:]))

    def action_close(self) -> None:
        self.dismiss(None)
