"""The first screen's three columns, as rows: what to ask, where to start, what is here."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fourfold.model import IndexState, Progress
from fourfold.tui.bars import Span
from fourfold.tui.paint import BLANK, Row, row, thousands, width_of
from fourfold.tui.sanitise import clean, shorten, shorten_path, wrap
from fourfold.tui.session import Overview
from fourfold.tui.widgets.header import progress_words

FORMS = (
    ('"exact text"', "exactly that"),
    ("/reg(ular)?/", "a regular expression"),
    ("abstract classes", "a syntax construct"),
    ("… lang:py", "in one language"),
    ("… path:src/**", "below a folder"),
    ("… kind:class", "one kind of symbol"),
)


def ask_rows(overview: Overview | None, progress: Progress | None, recent: Sequence[str], width: int) -> list[Row]:
    """Questions made from the codebase's own names, each of another kind, and those asked before."""
    rows = [BLANK]
    if overview is None or not overview.central:
        rows += _waiting(progress, width, overview is None or overview.state.embedder != "none")
        if overview is None:
            return rows
    if recent:
        rows.append(row(("ASKED BEFORE", "dim bold")))
        rows += [row((shorten(clean(text), width), "text"), key=f"q:{text}") for text in recent[:6]]
        rows.append(BLANK)
    if overview.examples:
        rows.append(row(("QUESTIONS TO TRY", "dim bold")))
        for text, kind in overview.examples:
            rows.append(row((shorten(clean(text), width), "text"), key=f"q:{text}"))
            rows.append(row((kind, "dim"), key=f"q:{text}"))
    rows += [BLANK, row(("ALSO", "dim bold"))]
    for form, what in FORMS:
        rows.append(row((f"{form:<18}", "text"), (what, "dim")))
    return rows


def _waiting(progress: Progress | None, width: int, meaning: bool) -> list[Row]:
    words = progress_words(progress)
    text = f"The index is being built ({words})." if words else "Looking at what is here."
    more = "Ask already: names and text are found as soon as their files are read"
    more += "; meaning follows last." if meaning else "."
    return [*(row((line, "text")) for line in wrap(text, width)), *(row((line, "dim")) for line in wrap(more, width)),
            BLANK]  # fmt: skip


def map_rows(overview: Overview | None, width: int) -> list[Row]:
    """The most central definitions: where to start reading."""
    rows = [BLANK]
    if overview is None or not overview.central:
        rows.append(row(("comes with the graph, once the files are read", "dim")))
        return rows
    top = math.log1p(max(symbol.centrality for symbol in overview.central)) or 1.0
    for symbol in overview.central:
        cells = max(1, round(math.log1p(symbol.centrality) / top * 10))
        name = symbol.qualified or symbol.name
        key = f"s:{symbol.path}:{symbol.name_line}:{name}"
        meter: tuple[Span, ...] = (("▪" * cells, "dim"), ("·" * (10 - cells), "faint"), (" ", "text"))
        place = f"{clean(symbol.path)}:{symbol.name_line}"
        head: list[Span] = [(shorten(clean(name), max(8, width - 24)), "text bold"), (f"  {symbol.kind}", "dim")]
        if width >= 72:
            room = width - width_of(head) - 14
            rows.append(row(*head, right=[(shorten_path(place, max(8, room)) + "  ", "dim"), *meter], key=key))
        else:
            rows.append(row(*head, right=meter, key=key))
            rows.append(row((shorten_path(place, width - 1), "dim"), key=key))
    return rows


def about_rows(overview: Overview | None, state: IndexState | None, width: int) -> list[Row]:
    """Languages, biggest folders, and what the working tree's diff affects."""
    rows = [BLANK]
    if overview is None:
        if state is not None and state.counts.files:
            rows.append(row((f"{state.counts.files:,} files so far", "dim")))
        return rows
    if overview.changed:
        rows.append(row((f"CHANGED SINCE THE LAST COMMIT  {len(overview.changed)}", "dim bold")))
        for path in overview.changed[:6]:
            rows.append(row((shorten_path(clean(path), width), "text"), key=f"f:{path}"))
        if overview.affected:
            rows.append(BLANK)
            rows.append(row(("WHAT THAT MAY AFFECT", "dim bold")))
            for name, count in overview.affected:
                short = ".".join(name.split(".")[-2:])
                rows.append(
                    row((shorten(clean(short), width - 12), "text"), right=[(f"{count} users ", "dim")],
                        key=f"i:{name}")
                )  # fmt: skip
        rows.append(BLANK)
    rows += _table("LANGUAGES", overview.languages[:8], width, "lang:")
    rows.append(BLANK)
    rows += _table("BIGGEST FOLDERS", overview.folders, width, "path:")
    return rows


def _table(title: str, entries: Sequence[tuple[str, int, int]], width: int, prefix: str) -> list[Row]:
    wide = width >= 44
    rows = [row((title, "dim bold"), right=[("  lines   files ", "dim")] if wide and entries else ())]
    total = sum(lines for _, _, lines in entries) or 1
    cells = 10 if width >= 40 else 0
    for name, files, lines in entries:
        filled = min(cells, max(1, round(lines / total * cells))) if cells else 0
        right: list[Span] = [(f"{thousands(lines):>7} {f'{files:,}' if wide else '':>{7 if wide else 0}} ", "dim")]
        if cells:
            right = [("▪" * filled, "dim"), ("·" * (cells - filled), "faint"), *right]
        key = f"{prefix}{name}"
        rows.append(
            row((shorten_path(clean(name), max(6, width - 12 - cells - 8 * wide)), "text"), right=right, key=key)
        )
    return rows
