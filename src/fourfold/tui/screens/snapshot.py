"""A snapshot on the screen: its list, the explanation of each result and its text, with nothing but the file; and what
moved between two answers."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import ModalScreen, Screen

from fourfold.lab.snapshot import Difference, Moved, Snapshot, shown
from fourfold.model import Result
from fourfold.tui.bars import bar, pieces, scale
from fourfold.tui.explain import explain_rows
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, number, row
from fourfold.tui.sanitise import clean, expand, shorten_name, shorten_path, wrap
from fourfold.tui.session import without
from fourfold.tui.widgets.base import Lines, app_of, heading
from fourfold.tui.widgets.results import title_of

#: From this width on the list and the explanation stand side by side.
BESIDE = 110


def result_rows(snapshot: Snapshot, width: int, *, plain: bool = False) -> list[Row]:
    results = shown(snapshot.answer).results
    full, cells = scale(results), 16 if width >= 60 else 8
    rows = []
    for result in results:
        name = shorten_name(title_of(result), max(8, width - cells - 14))
        right = [*bar(pieces(result), full, cells, plain=plain), (f" {number(result.score)}", "text")]
        rows.append(row((f"{result.position:>3} ", "dim"), (name, "text bold"), right=right, key=f"r{result.position}"))
        place = shorten_path(f"{clean(result.path)}:{result.start_line}", width - 6)
        rows.append(row(("    ", "text"), (place, "dim"), key=f"r{result.position}"))
    return rows or [row(("nothing was found", "text"))]


def text_rows(snapshot: Snapshot, result: Result) -> list[Row]:
    """The lines of the result as they stood when the snapshot was taken."""
    text = snapshot.lines.get(result.chunk_id)
    if text is None:
        return []
    rows = [BLANK, row(("TEXT, AS IT STOOD THEN", "dim bold"))]
    for line, words in enumerate(text.split("\n"), result.start_line):
        role = "bright" if line in result.matched_lines else "text"
        rows.append(row((f"{line:>5} ", "dim"), (expand(words[:400])[0], role)))
    return rows


class SnapshotLines(Lines):
    context = "snapshot"


class DiffLines(Lines):
    context = "report"


class SnapshotScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report", "panes")]
    SCOPED_CSS = False
    CSS = """
    SnapshotScreen { background: $background; }
    SnapshotScreen > Container { layout: vertical; height: 100%; }
    SnapshotScreen.beside > Container { layout: horizontal; }
    SnapshotScreen SnapshotLines { border: round $ff-border; border-title-color: $ff-bright;
        border-subtitle-color: $ff-dim; background: $background; width: 100%; height: 60%; }
    SnapshotScreen SnapshotLines.list { height: 40%; }
    SnapshotScreen SnapshotLines:focus { border: round $ff-border-focus; }
    SnapshotScreen.beside SnapshotLines { width: 60%; height: 100%; }
    SnapshotScreen.beside SnapshotLines.list { width: 40%; height: 100%; }
    """

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        super().__init__()
        self.snapshot, self.name_ = snapshot, name
        self.without = without(shown(snapshot.answer))
        self.results = SnapshotLines(classes="list")
        self.panel = SnapshotLines()

    def compose(self) -> ComposeResult:
        answer = self.snapshot.answer
        heading(self.results, f"{answer.question.text}")
        self.results.border_subtitle = "tab · esc closes"
        heading(self.panel, f"Snapshot {self.name_} of {answer.root.rpartition('/')[2]}")
        with Container():
            yield self.results
            yield self.panel

    def on_mount(self) -> None:
        self.results.focus()

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self.set_class(self.app.size.width >= BESIDE, "beside")
        plain = app_of(self).palette.no_colour
        self.results.set_rows(result_rows(self.snapshot, self.results.line_width - 2, plain=plain))
        self._explain()

    def on_lines_moved(self, message: Lines.Moved) -> None:
        if message.lines is self.results:
            self._explain()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.panel.focus()

    def _explain(self) -> None:
        answer = shown(self.snapshot.answer)
        result = next((each for each in answer.results if f"r{each.position}" == self.results.current), None)
        plain = app_of(self).palette.no_colour
        width = self.panel.line_width - 2
        rows = explain_rows(answer, result, width, self.without, plain=plain, low=True)
        # nothing can be opened from here: rows without keys scroll
        rows = [each.keyed("") for each in rows]
        self.panel.set_rows([*rows, *(text_rows(self.snapshot, result) if result is not None else [])])
        self.panel.scroll_to(y=0, animate=False, force=True)

    def action_other_pane(self) -> None:
        (self.panel if self.focused is self.results else self.results).focus()

    def action_close(self) -> None:
        self.dismiss(None)


# --------------------------------------------------------------------------- what moved


def diff_rows(found: Difference, width: int) -> list[Row]:
    rows = [row((f"{f.what}  ", "text"), (f"{clean(f.before) or '—'} → {clean(f.after) or '—'}", "bright"))
            for f in found.about]  # fmt: skip
    rows += [BLANK] if rows else []
    if not found.moved:
        return [*rows, row((f"nothing moved; {found.same} stand where they stood", "text"))]
    for moved in found.moved:
        rows += _moved_rows(moved, width)
    return [*rows, BLANK, row((f"{found.same} of the first stand where they stood", "dim"))]


def _moved_rows(moved: Moved, width: int) -> list[Row]:
    before, after = (f"#{place}" if place else "—" for place in (moved.before, moved.after))
    key = f"p{moved.path}"
    rows = [row((f"{before:>4} → {after:<5}", "bright"), (shorten_path(clean(moved.path), width - 14), "text bold"),
                key=key)]  # fmt: skip
    for factor in moved.factors:
        rows.append(
            row(("            ", "text"), (factor.what, "text"), (f"  {factor.before} → {factor.after}", "bright"),
                right=[(f"{factor.effect:+.5f}", "text")], key=key)
        )  # fmt: skip
    if not moved.factors and moved.before and moved.after:
        rows.append(row(("            unchanged itself", "dim"), key=key))
    if moved.passed:
        text = f"passed by {clean(', '.join(moved.passed[:4]))}"
        rows += [row(("            ", "text"), (line, "dim"), key=key) for line in wrap(text, width - 12)]
    return rows


class DiffScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report")]
    SCOPED_CSS = False
    CSS = """
    DiffScreen { align: center middle; background: $background 60%; }
    DiffScreen:ansi { background: ansi_default; }
    DiffScreen > DiffLines { width: 110; max-width: 100%; height: 86%; border: round $ff-border-focus;
        padding: 0 1; border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, found: Difference, title: str) -> None:
        super().__init__()
        self.found, self.title_ = found, title
        self.lines = DiffLines()

    def compose(self) -> ComposeResult:
        heading(self.lines, self.title_)
        self.lines.border_subtitle = "what each change alone does to the score · esc closes"
        yield self.lines

    def on_lines_resized(self, message: Lines.Resized) -> None:
        self.lines.set_rows(diff_rows(self.found, self.lines.line_width - 2))

    def action_close(self) -> None:
        self.dismiss(None)
