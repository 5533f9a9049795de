"""Lines of styled text: what the widgets hand to the terminal, a strip a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from fourfold.tui.sanitise import shorten
from fourfold.tui.themes import Palette

#: Text and its role (`themes.Palette.style`).
Span = tuple[str, str]
Spans = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list. Rows in a row with the same ``key`` are one item that the cursor selects as a whole.

    ``right`` stands at the right edge; the left part is cut before it. ``lead`` stands before it all, and the cursor
    does not cover it.
    """

    spans: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    key: str = ""
    lead: tuple[Span, ...] = ()

    def keyed(self, key: str) -> Row:
        return replace(self, key=key)


BLANK = Row()


def row(*spans: Span, right: Sequence[Span] = (), key: str = "") -> Row:
    return Row(tuple(spans), tuple(right), key)


def width_of(spans: Spans) -> int:
    return sum(cell_len(text) for text, _ in spans)


def fit(spans: Spans, width: int) -> list[Span]:
    """``spans`` cut to ``width`` cells, with an ellipsis where something was cut."""
    if width_of(spans) <= width:
        return list(spans)
    out: list[Span] = []
    used = 0
    for text, role in spans:
        cells = cell_len(text)
        if used + cells > width - 1:
            cut = shorten(text, width - used)
            out.append((cut if cut.endswith("…") else shorten(cut + " …", width - used), role))
            break
        out.append((text, role))
        used += cells
    return out


def compose(line: Row, width: int) -> list[Span]:
    """The spans of one row, exactly ``width`` cells wide."""
    right = width_of(line.right)
    if right and right < width:
        left = fit(line.spans, width - right - 1)
        gap = width - right - width_of(left)
        return [*left, (" " * gap, "text"), *line.right]
    left = fit(line.spans, width)
    gap = width - width_of(left)
    return [*left, (" " * gap, "text")] if gap > 0 else left


def strip(spans: Spans, width: int, palette: Palette, ground: str = "background") -> Strip:
    """A strip of exactly ``width`` cells on the background ``ground``."""
    base = palette.style(f"text on:{ground}")
    segments = [Segment(text, base + palette.style(role)) for text, role in spans if text]
    made = Strip(segments)
    return made.adjust_cell_length(width, base)


def number(value: float, places: int = 4) -> str:
    """A score with a fixed number of places, so that columns align."""
    return f"{value:.{places}f}"


def short_number(value: float) -> str:
    """A weight or a factor: as few digits as it has, at most three."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"


def counted(count: int, one: str) -> str:
    """A count with its noun, which takes an s unless it is one: 1 line, 2,914 lines."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def thousands(count: int) -> str:
    """A count that people can read at a glance: 950, 2,914, 41k, 1.2M."""
    if count < 10_000:
        return f"{count:,}"
    if count < 1_000_000:
        return f"{count / 1000:.0f}k"
    return f"{count / 1_000_000:.1f}M"
