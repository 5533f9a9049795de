"""Two ranked lists side by side: the one that is shown and another, with what moved, came and went."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.lab.compare import Compared, compare
from fourfold.lab.judge import grades_of
from fourfold.model import Answer, Result
from fourfold.tui.bars import Span, bar, pieces, scale
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, compose, row
from fourfold.tui.sanitise import shorten_name, shorten_path, wrap
from fourfold.tui.screens.pool import PoolScreen, same_question, worth_line
from fourfold.tui.widgets.base import Lines, app_of, heading
from fourfold.tui.widgets.results import title_of

SHOWN = 40


def arrow(before: int | None, after: int | None) -> str:
    """Where something went: ``▲3``, ``▼1``, ``=``, ``new``."""
    if before is None or after is None:
        return "new" if before is None else "gone"
    return f"▲{before - after}" if before > after else f"▼{after - before}" if after > before else "="


def summary_of(found: Compared) -> str:
    """“8 of the first 10 are in both (overlap .80), likeness .91; 2 came, 2 went, 3 moved”."""
    text = f"overlap of the first {found.depth}: {found.overlap:.0%} · rank-biased likeness {found.likeness:.2f}"
    counts = [(len(found.entered), "came in"), (len(found.left), "went out"), (len(found.moved), "moved")]
    return text + " · " + ", ".join(f"{count} {words}" for count, words in counts)


def compare_rows(
    first: Answer, second: Answer, before: str, after: str, width: int, *, plain: bool, judged: str = ""
) -> list[Row]:
    """The other list at the right, line by line beside the one that was shown; keys are the paths at the right.
    ``judged`` says what both are worth by a person's grades."""
    found = compare(first.results, second.results)
    half = (width - 3) // 2
    old = {r.path: r.position for r in first.results}
    new = {r.path: r.position for r in second.results}
    rows = [row((text, "text")) for text in wrap(summary_of(found), width)]
    rows += [row((text, "bright")) for text in wrap(judged, width)] if judged else []
    rows.append(BLANK)
    titles = [compose(row((shorten_name(text, half), "bright")), half) for text in (before, after)]
    rows.append(Row((*titles[0], (" │ ", "faint"), *titles[1])))
    facts = [_facts(answer, half) for answer in (first, second)]
    rows.append(Row((*facts[0], (" │ ", "faint"), *facts[1])))
    full = [scale(answer.results) for answer in (first, second)]
    for index in range(min(SHOWN, max(len(first.results), len(second.results)))):
        left = first.results[index] if index < len(first.results) else None
        right = second.results[index] if index < len(second.results) else None
        gone = arrow(left.position, new.get(left.path)) if left is not None else ""
        came = arrow(old.get(right.path), right.position) if right is not None else ""
        one = _cell(left, gone if gone == "gone" else "", half, full[0], plain)
        two = _cell(right, came, half, full[1], plain)
        path = right.path if right is not None else left.path if left is not None else ""
        rows.append(Row((*one, (" │ ", "faint"), *two), (), f"{index}:{path}"))
    if not first.results and not second.results:
        rows.append(row(("neither finds anything", "text")))
    return rows


def _facts(answer: Answer, width: int) -> list[Span]:
    plan = answer.plan
    return compose(row((f"{plan.strategy} · {', '.join(plan.runs)} · k {plan.k}", "dim")), width)


def _cell(result: Result | None, sign: str, width: int, full: float, plain: bool) -> list[Span]:
    if result is None:
        return compose(BLANK, width)
    cells = 10 if width >= 50 else 0
    room = max(6, width - 11 - (cells + 1 if cells else 0))
    name = shorten_name(title_of(result), max(6, min(room, 36)))
    rest = room - cell_len(name) - 2
    spans: list[Span] = [
        (f"{result.position:>3} ", "dim"), (f"{sign:<5}", "dim" if sign in ("=", "") else "bright"), (name, "text"),
    ]  # fmt: skip
    if rest >= 10:
        spans.append((f"  {shorten_path(result.path, rest)}", "dim"))
    drawn = bar(pieces(result), full, cells, plain=plain) if cells else []
    return compose(row(*spans, right=drawn), width)


class CompareLines(Lines):
    context = "compare"


class CompareScreen(ModalScreen[str | None]):
    """Hands back the path that was chosen, or None. Grades of the pooled firsts are kept in ``judgements``."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("compare", "report")]
    SCOPED_CSS = False
    CSS = """
    CompareScreen { align: center middle; background: $background 60%; }
    CompareScreen:ansi { background: ansi_default; }
    CompareScreen > CompareLines { width: 150; max-width: 100%; height: 92%; border: round $ff-border-focus;
        padding: 0 1; border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, first: Answer, second: Answer, before: str, after: str, judgements: Path) -> None:
        super().__init__()
        self.first, self.second, self.before, self.after = first, second, before, after
        self.judgements = judgements
        self.judged = ""
        self.lines = CompareLines()

    def compose(self) -> ComposeResult:
        heading(self.lines, "Compare")
        self.lines.border_subtitle = "enter shows it · J judges both, blind · esc closes"
        yield self.lines

    def on_mount(self) -> None:
        self._fill()

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self._fill()

    def _fill(self) -> None:
        plain = app_of(self).palette.no_colour
        width = self.lines.line_width - 2
        self.lines.set_rows(
            compare_rows(self.first, self.second, self.before, self.after, width, plain=plain, judged=self.judged)
        )

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(message.key.partition(":")[2])

    def action_judge(self) -> None:
        """The firsts of both lists, pooled and shuffled; afterwards what both are worth by the grades."""
        if not same_question(self.first, self.second):
            self.lines.border_subtitle = "these answer two questions: a grade would not mean the same for both"
        elif not self.first.results and not self.second.results:
            self.lines.border_subtitle = "there are no results to grade"
        else:
            self.app.push_screen(
                PoolScreen(self.first, self.second, self.before, self.after, self.judgements), self._judged
            )

    def _judged(self, given: int | None) -> None:
        self.judged = worth_line(self.first, self.second, grades_of(self.judgements, self.first.question.text))
        self._fill()

    def action_close(self) -> None:
        self.dismiss(None)
