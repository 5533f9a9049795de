"""Grading results for a question, 0 to 3, one key each; the grades are lines of a plain file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.lab.judge import GRADES, grades_of, keep_grade, place_of
from fourfold.model import Answer, Result
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, row
from fourfold.tui.sanitise import clean, shorten_name, shorten_path, wrap
from fourfold.tui.widgets.base import Lines, heading
from fourfold.tui.widgets.results import title_of

SHOWN = 50


def judge_rows(answer: Answer, grades: dict[tuple[str, int, int], int], width: int, file: str) -> list[Row]:
    """One line a result with its grade; below, where the grades are kept."""
    rows = []
    for result in answer.results[:SHOWN]:
        grade = grades.get(place_of(result))
        text = "" if grade is None else f"{grade} {GRADES[grade]}"
        name = shorten_name(title_of(result), max(10, width // 2 - 14))
        place = f"{clean(result.path)}:{result.start_line}"
        room = max(8, width - cell_len(name) - 28)
        rows.append(
            row(
                (f"{result.position:>3}  ", "dim"), (name, "text bold" if grade is None else "text"),
                ("  ", "text"), (shorten_path(place, room), "dim"),
                right=[(f"{text:<18}", "bright" if grade else "text")], key=f"r{result.position}",
            )
        )  # fmt: skip
    rows.append(BLANK)
    rows += [row((text, "dim")) for text in wrap(f"kept in {clean(file)}, as fourfold evaluate reads it", width)]
    return rows


class JudgeLines(Lines):
    context = "judge"


class JudgeScreen(ModalScreen[tuple[int, Result | None]]):
    """Hands back how many grades were given, and the result that was chosen to be shown, if any."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("judge", "report")]
    SCOPED_CSS = False
    CSS = """
    JudgeScreen { align: center middle; background: $background 60%; }
    JudgeScreen:ansi { background: ansi_default; }
    JudgeScreen > JudgeLines { width: 110; max-width: 100%; height: 86%; border: round $ff-border-focus; padding: 0 1;
        border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, answer: Answer, file: Path, selected: Result | None) -> None:
        super().__init__()
        self.answer = answer
        self.file = file
        self.start_at = f"r{selected.position}" if selected is not None else ""
        self.given = 0
        self.grades: dict[tuple[str, int, int], int] = {}
        self.lines = JudgeLines()

    def compose(self) -> ComposeResult:
        heading(self.lines, f"Judge: {self.answer.question.text}")
        self.lines.border_subtitle = "0 no answer · 1 touches on it · 2 helps · 3 the answer · enter shows it"
        yield self.lines

    def on_mount(self) -> None:
        self.grades = grades_of(self.file, self.answer.question.text)
        self._fill(self.start_at)

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self._fill(self.lines.current or self.start_at)

    def _fill(self, current: str) -> None:
        self.lines.set_rows(judge_rows(self.answer, self.grades, self.lines.line_width - 2, str(self.file)), current)
        self.lines.reveal()

    def _result(self) -> Result | None:
        return next((each for each in self.answer.results if f"r{each.position}" == self.lines.current), None)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss((self.given, self._result()))

    def action_grade(self, grade: int) -> None:
        """Keep the grade, and go on to the next result."""
        result = self._result()
        if result is None:
            return
        try:
            keep_grade(self.file, self.answer.question.text, result, grade)
        except OSError as error:
            self.lines.border_subtitle = f"cannot be kept: {error.strerror or error}"
            return
        self.given += 1
        self.grades[place_of(result)] = grade
        keys = self.lines.keys
        at = keys.index(self.lines.current) + 1
        self._fill(keys[min(at, len(keys) - 1)])

    def action_close(self) -> None:
        self.dismiss((self.given, None))
