"""Grading the first tens of two lists blind: pooled and shuffled, no position and no plan until every one is graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import ModalScreen

from fourfold.lab.judge import GRADES, Place, grades_of, keep_grade, place_of
from fourfold.lab.pool import pooled, worth
from fourfold.model import Answer, Result
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, row
from fourfold.tui.sanitise import clean, expand, shorten_name, shorten_path, wrap
from fourfold.tui.widgets.base import Lines, heading
from fourfold.tui.widgets.results import title_of

#: From this width on the list and the code stand side by side.
BESIDE = 110


def same_question(first: Answer, second: Answer) -> bool:
    """Whether two answers are to one question, so that a grade means the same for both."""
    one, other = first.question, second.question
    return (one.text.strip(), one.similar_to) == (other.text.strip(), other.similar_to)


def worth_line(first: Answer, second: Answer, grades: Mapping[Place, int]) -> str:
    """“NDCG@10 by your grades: 0.631 | 0.815 …”, the list that was shown first; empty without any grade."""
    query = first.question.text
    pool = pooled(query, first.results, second.results)
    graded = sum(place_of(result) in grades for result in pool)
    if not graded:
        return ""
    one, two = (worth(query, answer.results, grades) for answer in (first, second))
    if one is None or two is None:
        return f"NDCG@10: no grade above 0, so there is nothing to measure · {graded} of {len(pool)} graded"
    text = (
        f"NDCG@10 by your grades: {one.ndcg10:.3f} | {two.ndcg10:.3f} · graded {one.graded10:.3f} | {two.graded10:.3f}"
    )
    rest = "all graded" if graded == len(pool) else f"{graded} of {len(pool)} graded, the others count as wrong"
    return f"{text} · {rest}"


def pool_rows(pool: Sequence[Result], grades: Mapping[Place, int], width: int) -> list[Row]:
    rows = []
    for number, result in enumerate(pool):
        grade = grades.get(place_of(result))
        text = "" if grade is None else f"{grade} {GRADES[grade]}"
        name = shorten_name(title_of(result), max(8, width // 2 - 10))
        room = max(8, width - cell_len(name) - 23)
        place = shorten_path(f"{clean(result.path)}:{result.start_line}", room)
        rows.append(
            row((name, "text bold" if grade is None else "text"), ("  ", "text"), (place, "dim"),
                right=[(f"{text:<18}", "bright" if grade else "text")], key=f"{number}")
        )  # fmt: skip
    return rows


def revealed_rows(first: Answer, second: Answer, before: str, after: str, width: int) -> list[Row]:
    """Which list each place of the pool came from."""
    rows = [row(("WHERE THEY STOOD", "dim bold"))]
    sides = [{place_of(r): r.position for r in answer.results} for answer in (first, second)]
    rows += [row((text, "dim")) for text in wrap(f"left: {before} · right: {after}", width)]
    for result in pooled(first.question.text, first.results, second.results):
        one, two = (f"#{side[place_of(result)]}" if place_of(result) in side else "—" for side in sides)
        rows.append(
            row((f"{one:>5} {two:>5}  ", "bright"), (shorten_name(title_of(result), max(8, width - 14)), "text"))
        )
    return rows


class PoolLines(Lines):
    context = "pool"


class PoolScreen(ModalScreen[int]):
    """Hands back how many grades were given."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("judge", "report", "panes")]
    SCOPED_CSS = False
    CSS = """
    PoolScreen { align: center middle; background: $background 60%; }
    PoolScreen:ansi { background: ansi_default; }
    PoolScreen > Container { width: 170; max-width: 100%; height: 92%; layout: vertical; }
    PoolScreen.beside > Container { layout: horizontal; }
    PoolScreen PoolLines { border: round $ff-border; border-title-color: $ff-bright; border-subtitle-color: $ff-dim;
        background: $background; width: 100%; height: 45%; }
    PoolScreen PoolLines.list { height: 55%; padding: 0 1; }
    PoolScreen PoolLines:focus { border: round $ff-border-focus; }
    PoolScreen.beside PoolLines { width: 50%; height: 100%; }
    PoolScreen.beside PoolLines.list { width: 50%; height: 100%; }
    """

    def __init__(self, first: Answer, second: Answer, before: str, after: str, file: Path) -> None:
        super().__init__()
        self.first, self.second, self.before, self.after, self.file = first, second, before, after, file
        self.pool = pooled(first.question.text, first.results, second.results)
        self.given = 0
        self.grades: dict[Place, int] = {}
        self.list = PoolLines(classes="list")
        self.panel = PoolLines()

    def compose(self) -> ComposeResult:
        heading(self.list, f"Judge blind: {self.first.question.text}")
        self.list.border_subtitle = "0 no answer · 1 touches on it · 2 helps · 3 the answer"
        heading(self.panel, "What it says")
        with Container():
            yield self.list
            yield self.panel

    def on_mount(self) -> None:
        self.grades = grades_of(self.file, self.first.question.text)
        self.list.focus()

    @property
    def complete(self) -> bool:
        return all(place_of(result) in self.grades for result in self.pool)

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self.set_class(self.app.size.width >= BESIDE, "beside")
        self._fill()

    def on_lines_moved(self, message: Lines.Moved) -> None:
        if message.lines is self.list:
            self._show()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.panel.focus()

    def _fill(self, current: str | None = None) -> None:
        width = self.list.line_width - 2
        rows = pool_rows(self.pool, self.grades, width)
        rows.append(BLANK)
        if self.complete:
            rows += [row((text, "bright")) for text in wrap(worth_line(self.first, self.second, self.grades), width)]
            rows += revealed_rows(self.first, self.second, self.before, self.after, width)
        else:
            left = sum(place_of(result) not in self.grades for result in self.pool)
            told = f"{left} to grade, in no order: which list holds which is told once all are graded, or on leaving"
            rows += [row((text, "dim")) for text in wrap(told, width)]
        rows += [row((text, "dim")) for text in wrap(f"kept in {clean(str(self.file))}", width)]
        self.list.set_rows(rows, current)
        self.list.reveal()
        self._show()

    def _selected(self) -> Result | None:
        return self.pool[int(self.list.current)] if self.list.current else None

    def _show(self) -> None:
        result = self._selected()
        rows = []
        if result is not None:
            rows = [row((shorten_path(f"{clean(result.path)}:{result.start_line}", self.panel.line_width - 2), "dim"))]
            rows += [row((expand(line[:400])[0], "text")) for line in result.snippet.split("\n")]
        self.panel.set_rows(rows)
        self.panel.scroll_to(y=0, animate=False, force=True)

    def action_grade(self, grade: int) -> None:
        """Keep the grade, and go on to the next result."""
        result = self._selected()
        if result is None:
            return
        try:
            keep_grade(self.file, self.first.question.text, result, grade)
        except OSError as error:
            self.list.border_subtitle = f"cannot be kept: {error.strerror or error}"
            return
        self.given += 1
        self.grades[place_of(result)] = grade
        self._fill(f"{min(int(self.list.current) + 1, len(self.pool) - 1)}")

    def action_other_pane(self) -> None:
        (self.panel if self.focused is self.list else self.list).focus()

    def action_close(self) -> None:
        self.dismiss(self.given)
