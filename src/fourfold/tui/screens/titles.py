"""The titles of the panes, and the status that stands at each one's other end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.tui.bars import Span
from fourfold.tui.sanitise import clean, shorten_path

if TYPE_CHECKING:
    from fourfold.tui.screens.asking import Asking


def titles_of(screen: Asking) -> dict[str, tuple[list[Span], str]]:
    """Title and status of every pane, by its name."""
    narrow = screen.shape == "narrow"
    titles: dict[str, tuple[list[Span], str]] = {
        "ask": ([("Ask", "")], ""),
        "map": ([("Start" if narrow else "Where to start: the most central", "")], ""),
        "about": ([("Here" if narrow else "What is here", "")], ""),
    }
    answer, result = screen.answer, screen.results.selected
    status = ""
    if answer is None:
        name = "Results"
    else:
        keys, current = screen.results.keys, screen.results.current
        place = keys.index(current) + 1 if current in keys else 0
        count = answer.total
        name = f"Results {place} of {count}" if place and not narrow else f"Results {count}"
        status = f"{answer.timings_ms.get('total', 0.0):.1f} ms"
        if screen.results.marks:
            status = f"{len(screen.results.marks)} marked · {status}"
        provisional = next((each for each in answer.notices if each.code == "provisional"), None)
        if provisional is not None:
            status = clean(provisional.text)
        if screen.waiting is not None:
            status = "updated · esc, R" if screen.focused_pane() == "query" else "updated · R"
    titles["results"] = ([(name, "")], status)
    titles["preview"] = (crumbs_of(screen), screen.preview.status())
    why = f"Why #{result.position}" if result is not None and result.position else "Why"
    titles["explain"] = ([(why, "")], "")
    return titles


def crumbs_of(screen: Asking) -> list[Span]:
    """Where the preview is: the file, and the symbol as far as the cursor is within the result."""
    source = screen.preview.source
    if source is None:
        return [("Preview", "")]
    if screen.shape == "narrow":  # the other tabs and the status stand on the same line
        room = screen.app.size.width - 58 if screen.tab == "preview" else 0
        return [("Preview" + (f" {shorten_path(clean(source.path), room)}" if room >= 12 else ""), "")]
    spans: list[Span] = [(shorten_path(clean(source.path), max(12, screen.previewpane.size.width - 8)), "")]
    result = screen.results.selected
    if result is None or result.path != source.path:
        return spans
    if result.symbol and result.start_line <= screen.preview.line <= result.end_line:
        crumbs = "".join(f" › {clean(part)}" for part in result.symbol.split("."))
        room = screen.previewpane.size.width - 8 - len(crumbs)
        return [(shorten_path(clean(source.path), max(16, room)), ""), (crumbs, "")]
    return spans
