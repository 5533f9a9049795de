"""The list of results: symbol, kind, place, and the score as a bar of what each modality gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from fourfold.model import Answer, Result
from fourfold.tui.bars import Span, bar, pieces, scale
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, number, row, short_number, width_of
from fourfold.tui.sanitise import clean, shorten, shorten_name, shorten_path
from fourfold.tui.widgets.base import Lines

SCORE_WIDTH = 6


def title_of(result: Result) -> str:
    """What a result is called: its symbol, or its file and the lines it covers."""
    name = result.path.rpartition("/")[2]
    return clean(result.symbol) or f"{clean(name)} {result.start_line}–{result.end_line}"


def _defined(result: Result) -> tuple[str, int]:
    """The name that was asked for and its line, where it is defined further down in a chunk that begins otherwise."""
    for part in result.contributions:
        evidence = part.evidence
        if part.modality == "structural" and result.start_line < evidence.symbol_line <= result.end_line:
            return evidence.symbol, evidence.symbol_line
    return "", 0


def line_of(result: Result, intent: str) -> int:
    """The line to go to: that of the definition, the text or the reference, for questions about one; else the first."""
    if intent == "find_definition" and (line := _defined(result)[1]):
        return line
    inside = [line for line in result.matched_lines if result.start_line <= line <= result.end_line]
    if intent in ("exact_match", "find_references", "impact_analysis") and inside:
        return inside[0]
    return result.start_line


def key_of(result: Result) -> str:
    return f"c{result.chunk_id}"


def item_rows(
    result: Result,
    full: float,
    width: int,
    *,
    intent: str,
    marked: bool,
    nested: bool = False,
    wide: bool = False,
    open_others: bool = False,
    plain: bool = False,
) -> list[Row]:
    """The two (``wide``) or three lines of one result, all with its key."""
    key = key_of(result)
    rank = "  ↳" if nested else f"{result.position:>3}"
    mark: Span = ("●", "accent") if marked else (" ", "text")
    indent: Span = ("     ", "text")
    kind = "" if result.kind == "lines" else shorten(result.kind, 12)
    named = _defined(result)[0] if intent == "find_definition" else ""
    title = shorten_name(clean(named) or title_of(result), max(8, width - 7 - len(kind)))
    head: list[Span] = [(rank, "dim"), mark, (" ", "text"), (title, "dim" if nested else "text bold")]
    notes: list[Span] = []
    if result.stale:
        notes.append(("changed since ", "warning"))
    if result.demotion < 1 and not nested:
        notes.append((f"×{short_number(result.demotion)} {clean(result.demotion_reason or 'demoted')} ", "dim"))
    more = len(result.others) or result.more_in_file
    if more and not nested:
        notes.append((("−" if open_others else "+") + f"{more} ", "dim"))
    cells = max(4, width - 5 - SCORE_WIDTH - 2)
    if wide:
        cells = max(8, min(cells, (width - 5 - SCORE_WIDTH) * 45 // 100))
    drawn = bar(pieces(result), full, cells, plain=plain)
    score: list[Span] = [(f" {number(result.score):>{SCORE_WIDTH}}", "dim" if nested else "text")]
    place = f"{clean(result.path)}:{line_of(result, intent)}"
    if wide:
        room = width - 5 - cells - SCORE_WIDTH - 3 - width_of(notes) - bool(notes)
        first = row(*head, right=[(kind + " ", "dim")], key=key)
        tail: list[Span] = [("  ", "text"), (shorten_path(place, max(8, room)), "dim")]
        return [first, row(indent, *drawn, *score, *tail, right=notes, key=key)]
    room = width - 5 - width_of(notes) - 1
    return [
        row(*head, right=[(kind + " ", "dim")], key=key),
        row(indent, (shorten_path(place, max(8, room)), "dim"), right=notes, key=key),
        row(indent, *drawn, *score, key=key),
    ]


class Results(Lines):
    """The answer's results. A newer answer waits with the owner until it is asked for: nothing moves unasked."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("ask")]
    context = "results"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.answer: Answer | None = None
        self.marks: set[int] = set()
        self.opened: set[str] = set()

    # ------------------------------------------------------------------ content

    def show(self, answer: Answer | None, current: str | None = None) -> None:
        self.answer = answer
        self.rebuild(current)

    def rebuild(self, current: str | None = None) -> None:
        self.set_rows(self._rows(), current)

    def _rows(self) -> list[Row]:
        answer = self.answer
        if answer is None:
            return [BLANK, row(("  no question asked: type one above", "dim"))]
        width = self.line_width - 1
        intent = answer.intent.name
        wide = width >= 64
        airy = self.room.height >= (24 if wide else 30)
        plain = self.palette.no_colour
        full = scale(answer.results)
        rows = [BLANK] if airy else []
        for notice in answer.notices:
            if notice.code in (
                "nothing_matches_well",
                "literal_absent",
                "direct_empty",
                "nothing_to_search",
                "unknown_filter",
                "partial",
                "failed",
            ):
                rows += self._notice(notice.text, width)
        if not answer.results and not rows[1:]:
            rows.append(row((" nothing found", "text")))
        for result in answer.results:
            opened = result.path in self.opened
            rows += item_rows(
                result, full, width, intent=intent, marked=result.chunk_id in self.marks, wide=wide,
                open_others=opened, plain=plain,
            )  # fmt: skip
            if opened:
                for other in result.others:
                    rows += item_rows(
                        other, full, width, intent=intent, marked=other.chunk_id in self.marks, nested=True, wide=wide,
                        plain=plain,
                    )  # fmt: skip
            if airy:
                rows.append(BLANK)
        if answer.results and answer.total > len(answer.results):
            rows.append(row((f"     {answer.total - len(answer.results)} more files below · ↓", "dim")))
        return rows

    def _notice(self, text: str, width: int) -> list[Row]:
        from fourfold.tui.sanitise import wrap

        lines = [row((" ▪ " if not index else "   ", "warning"), (line, "warning"))
                 for index, line in enumerate(wrap(clean(text), width - 4))]  # fmt: skip
        return [*lines, BLANK]

    def on_resize(self) -> None:
        self.rebuild()
        self.reveal()

    # ------------------------------------------------------------------ what is selected

    def all(self) -> Sequence[Result]:
        """Every result that has a line of its own or is under one, in order."""
        if self.answer is None:
            return ()
        return [each for result in self.answer.results for each in (result, *result.others)]

    @property
    def selected(self) -> Result | None:
        return next((each for each in self.all() if key_of(each) == self.current), None)

    def toggle_mark(self) -> None:
        result = self.selected
        if result is not None:
            self.marks ^= {result.chunk_id}
            self.rebuild()

    def toggle_others(self) -> bool:
        """Show the file's other hits, or hide them; False when there are none."""
        result = self.selected
        if result is None or self.answer is None:
            return False
        head = next(each for each in self.answer.results if each.path == result.path)
        if not head.others:
            return False
        self.opened ^= {head.path}
        self.rebuild(key_of(head) if head.path not in self.opened else None)
        self.reveal()
        return True

    def marked(self) -> list[Result]:
        return [each for each in self.all() if each.chunk_id in self.marks]
