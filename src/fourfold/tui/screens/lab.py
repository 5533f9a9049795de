"""The lab from the main screen: plan, why not, what if, compare, judge, lesson, snapshots, export: looking never moves
a ranking.

Each of its screens is imported when it is first opened: the first paint needs none of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model import MODALITIES, Answer, PlanOptions, Question, Result
from fourfold.tui.sanitise import clean
from fourfold.tui.screens.moving import Moving
from fourfold.tui.screens.panes import ANSWER
from fourfold.tui.screens.pick import Choice, Pick
from fourfold.tui.widgets.base import app_of
from fourfold.tui.widgets.results import key_of

if TYPE_CHECKING:
    from fourfold.lab.lesson import Lesson
    from fourfold.lab.losses import Losses, Side
    from fourfold.lab.what_if import Fetched
    from fourfold.lab.why_not import WhyNot

#: Other plans that one can be compared with, by the words they are chosen by.
PLANS: tuple[tuple[str, PlanOptions], ...] = (
    ("fused, whatever the question", PlanOptions(strategy="fused")),
    ("direct: the strongest alone", PlanOptions(strategy="direct")),
    ("preset quick", PlanOptions(preset="quick")),
    ("preset default, as published", PlanOptions()),
    ("preset thorough", PlanOptions(preset="thorough")),
    ("all four with equal weights", PlanOptions(weights=dict.fromkeys(MODALITIES, 1.0))),
    *((f"{name} alone", PlanOptions(only=(name,))) for name in MODALITIES),
)


class Lab(Moving):
    """The main screen, whole."""

    def answered(self) -> Answer | None:
        """The answer that is shown; None (and said so) while there is none to look into."""
        if self.answer is None or self.mode != ANSWER:
            self.say("ask something first")
            return None
        return self.answer

    def action_explain(self) -> None:
        if self.answered() is None:
            return
        if self.shape == "narrow" and not self.large:  # it has the whole size already
            self.focus_pane("results" if self.focused_pane() == "explain" else "explain")
            return
        self.full = not self.full
        self.relayout()
        self.focus_pane("explain" if self.full else "results")

    # ------------------------------------------------------------------ the plan

    def action_plan(self) -> None:
        from fourfold.tui.screens.plan import PlanPanel

        def apply(options: PlanOptions) -> None:
            self.use_options(options)

        self.over(PlanPanel(self.options, lambda: self.querybar.plan, apply))

    def use_options(self, options: PlanOptions) -> None:
        """Ask again under other options; the preset is remembered."""
        self.options = options
        app_of(self).remembered.preset = options.preset
        self.header.state.preset = options.preset
        self.header.refresh()
        self.understand()
        self.ask()

    def take_question(self, question: Question | None) -> None:
        """Ask what a screen of the lab handed back, remembered in the history."""
        if question is None:
            return
        self.note()
        self.options = question.options
        self.set_text(question.text, question.similar_to)
        self.ask(then=lambda: self.history.visit(self.view()))

    # ------------------------------------------------------------------ why not

    def action_why_not(self) -> None:
        if self.answered() is None:
            return
        hint = "a file’s name; add :120 or :name for a line or a symbol of it"
        self.pick_file("Why not … which file?", self._why_not, hint=hint, everything=True)

    def _why_not(self, target: str) -> None:
        session, question = self.session, self.question()

        def done(found: WhyNot) -> None:
            from fourfold.tui.screens.why_not import WhyNotScreen

            self.over(WhyNotScreen(found, session.command), self.take_question)

        self.say("looking through the full lists of all four, for this only …")
        self.start(lambda: session.why_not(question, target), done, self.report)

    # ------------------------------------------------------------------ what if

    def action_what_if(self) -> None:
        answer = self.answered()
        if answer is None:
            return
        if not answer.lists:
            self.say("nothing was retrieved for this question, so there is nothing to fuse again")
            return
        session, question = self.session, self.question()
        result = self.results.selected
        path = result.path if result is not None else ""

        def done(fetched: Fetched) -> None:
            from fourfold.tui.screens.what_if import WhatIfScreen

            self.over(WhatIfScreen(self, fetched, path), self.take_question)

        self.say("fetching the lists of all four, for the lab only …")
        self.start(lambda: session.fetch(question, answer), done, self.report)

    # ------------------------------------------------------------------ compare

    def action_compare(self) -> None:
        answer = self.answered()
        if answer is None:
            return
        plans = [*PLANS, *_left_out(answer)]
        choices = [Choice(f"p:{index}", text) for index, (text, _) in enumerate(plans)]
        indexes = self.session.other_indexes(Path.cwd())
        choices += [Choice(f"i:{path}", f"the index {path.name}", "as it is") for path in indexes]
        seen = {answer.question.text}
        for index, view in reversed(list(enumerate(self.history.views))):
            if view.answer is not None and view.text not in seen:
                seen.add(view.text)
                choices.append(Choice(f"h:{index}", view.text, "asked before"))
        self.over(
            Pick("Compare this list with …", choices, hint="another plan or index, or a question asked before"),
            lambda key: self._compare(answer, key) if key else None,
        )

    def _compare(self, answer: Answer, key: str) -> None:
        kind, _, number = key.partition(":")
        here = ", ".join(answer.plan.overrides) or f"{answer.plan.strategy}, as asked"
        session, index = self.session, Path(number)
        if kind == "i":
            asked = self.question()
            self.start(
                lambda: session.ask_index(asked, index),
                lambda other: self._show_comparison(answer, other, here, f"the index {index.name}"),
                self.report,
            )
            return
        if kind == "h":
            other = self.history.views[int(number)].answer
            if other is not None:
                self._show_comparison(answer, other, answer.question.text, other.question.text)
            return
        name, options = [*PLANS, *_left_out(answer)][int(number)]
        kept = replace(options, intent=self.options.intent, regex=self.options.regex)
        question = replace(self.question(), options=kept)

        def done(other: Answer) -> None:
            self._show_comparison(answer, other, here, name)

        self.start(lambda: session.ask(question), done, self.report)

    def _show_comparison(self, first: Answer, second: Answer, before: str, after: str) -> None:
        from fourfold.tui.screens.compare import CompareScreen

        screen = CompareScreen(first, second, clean(before), clean(after), self.session.judgements)
        self.over(screen, self._go_path)

    def action_losses(self) -> None:
        """The questions that an experiment lost most, out of the reports in this folder, each opened in Compare."""
        from fourfold.lab.losses import LossesError, is_report, load

        folder, name = Path.cwd(), (self.session.root / self.session.inside).name

        def read() -> list[tuple[str, Losses]]:
            reports = []
            for path in sorted(folder.glob("*.json")):
                with contextlib.suppress(LossesError):  # a report without an experiment
                    if is_report(path) and (found := load(path)).root == name and found.worst:
                        reports.append((path.name, found))
            return reports

        def show(reports: list[tuple[str, Losses]]) -> None:
            if not reports:
                self.say(f"no losses of {name} in {folder}: fourfold evaluate … --candidate PLAN --json > FILE.json")
                return
            choices = [
                Choice(f"{number}:{row}", loss.query, f"{loss.difference:+.3f} {file}")
                for number, (file, found) in enumerate(reports)
                for row, loss in enumerate(found.worst)
            ]

            def take(key: str | None) -> None:
                if key:
                    number, _, row = key.partition(":")
                    self._show_loss(reports[int(number)][1], int(row))

            self.over(Pick("Compare: worst losses of an experiment", choices, hint="which question"), take)

        self.start(read, show, self.report)

    def _show_loss(self, found: Losses, row: int) -> None:
        """One lost question under both plans."""
        session, base = self.session, Question(found.worst[row].query, limit=self.question().limit)

        def answer(side: Side) -> Answer:
            question = replace(base, options=side.options)
            return session.ask_index(question, Path(side.index)) if side.index else session.ask(question)

        def show(both: tuple[Answer, Answer]) -> None:
            self._show_comparison(*both, f"baseline: {found.baseline.name}", f"candidate: {found.candidate.name}")

        self.start(lambda: (answer(found.baseline), answer(found.candidate)), show, self.report)

    def _go_path(self, path: str | None) -> None:
        if not path:
            return
        result = next((each for each in self.results.all() if each.path == path), None)
        if result is not None and key_of(result) in self.results.keys:
            self.results.select(key_of(result))
        else:
            self.go_file(path)

    # ------------------------------------------------------------------ lesson

    def action_lesson(self) -> None:
        if self.answered() is None:
            return
        from fourfold.lab.lesson import lesson_question

        self.give_lesson(lesson_question(self.text, base=self.question()))

    def give_lesson(self, question: Question) -> None:
        session = self.session

        def done(lesson: Lesson) -> None:
            from fourfold.tui.screens.lesson import LessonScreen

            self.over(LessonScreen(lesson))

        self.say("fetching the lists of all four, for the lab only …")
        self.start(lambda: session.lesson(question), done, self.report)

    # ------------------------------------------------------------------ judge

    def action_judge(self) -> None:
        from fourfold.tui.screens.judge import JudgeScreen

        answer = self.answered()
        if answer is None:
            return
        if not answer.results:
            self.say("there are no results to grade")
            return
        result = self.results.selected
        self.over(JudgeScreen(answer, self.session.judgements, result), self._judged)

    def _judged(self, value: tuple[int, Result | None] | None) -> None:
        count, chosen = value if value is not None else (0, None)
        if chosen is not None:
            self._go_path(chosen.path)
        if count:
            self.say(f"{count} graded, kept in {self.session.judgements}")

    # ------------------------------------------------------------------ snapshot

    def action_snapshot(self) -> None:
        from fourfold.lab.export import file_name
        from fourfold.lab.snapshot import is_snapshot

        answer = self.answered()
        if answer is None:
            return
        folder, question = Path.cwd(), self.question()
        name = file_name(question.text, "snapshot.json")
        choices = [Choice("save:", f"save this answer to {name}", "file")]
        there = [path for path in sorted(folder.glob("*.json")) if is_snapshot(path)]
        choices += [Choice(f"diff:{path.name}", f"what moved since {path.name}", "compare") for path in there]
        choices += [Choice(f"open:{path.name}", f"open {path.name}", "file") for path in there]

        def take(key: str | None) -> None:
            how, _, file = (key or "").partition(":")
            if how == "save":
                self.say("asking to full depth, for the snapshot only …")
                self.start(lambda: self._save_snapshot(question, folder, name), self._exported, self.report)
            elif how in ("diff", "open"):
                self._look_at(folder / file, how, question)

        self.over(Pick(f"Snapshots in {folder}", choices, hint="save, or look at one"), take)

    def _save_snapshot(self, question: Question, folder: Path, name: str) -> Path:
        from fourfold.lab.snapshot import write

        return write_new(folder, name, write(self.session.snapshot(question)))

    def _look_at(self, path: Path, how: str, question: Question) -> None:
        from fourfold.lab.snapshot import Difference, Snapshot, diff, load
        from fourfold.tui.screens.snapshot import DiffScreen, SnapshotScreen

        if how == "open":

            def opened(snapshot: Snapshot) -> None:
                self.over(SnapshotScreen(snapshot, path.name))

            self.start(lambda: load(path), opened, self.report)
            return

        def compared(found: Difference) -> None:
            self.over(DiffScreen(found, f"What moved since {path.name}"))

        self.start(lambda: diff(load(path).answer, self.session.snapshot(question).answer), compared, self.report)

    # ------------------------------------------------------------------ export

    def action_export(self) -> None:
        from fourfold.lab.export import as_json, as_markdown, file_name
        from fourfold.lab.export_svg import as_svg

        answer = self.answered()
        if answer is None:
            return
        result = self.results.selected
        command = self.session.command(answer.question)
        made: dict[str, Callable[[], str]] = {
            "md": lambda: as_markdown(answer, result, command),
            "json": lambda: as_json(answer),
            "svg": lambda: as_svg(answer, result, command),
        }
        folder = Path.cwd()
        choices = [
            Choice(f"file:{ending}", f"{title} to {file_name(answer.question.text, ending)}", "file")
            for title, ending in (("Markdown", "md"), ("JSON", "json"), ("SVG", "svg"))
        ]
        choices += [
            Choice("copy:md", "copy as Markdown", "clipboard"),
            Choice("copy:json", "copy as JSON", "clipboard"),
        ]

        def take(key: str | None) -> None:
            if key is None:
                return
            how, _, ending = key.partition(":")
            if how == "copy":
                self.copy_text(made[ending]())
                return
            name = file_name(answer.question.text, ending)
            self.start(lambda: write_new(folder, name, made[ending]()), self._exported, self.report)

        self.over(Pick(f"Export the explanation, to {folder}", choices, hint="which form"), take)

    def _exported(self, path: Path) -> None:
        self.say(f"written to {path}")


def _left_out(answer: Answer) -> list[tuple[str, PlanOptions]]:
    """The answer's plan without each of its modalities; a direct one is fused then."""
    plan = answer.plan
    runs = plan.runs if plan.strategy == "fused" else tuple(m for m in MODALITIES if plan.weights.get(m, 0.0) > 0)
    return [
        (
            f"without {name}",
            replace(answer.question.options, strategy="fused", only=tuple(m for m in runs if m != name)),
        )
        for name in runs
        if len(runs) > 1
    ]


def write_new(folder: Path, name: str, text: str) -> Path:
    """Write ``text`` to a file that did not exist; a number is added to the name where it does."""
    stem, dot, ending = name.rpartition(".")
    for number in range(1, 1000):
        path = folder / (name if number == 1 else f"{stem}-{number}{dot}{ending}")
        try:
            with path.open("x", encoding="utf-8") as handle:
                handle.write(text)
            return path
        except FileExistsError:
            continue
    raise OSError(f"there are a thousand exports of that name in {folder}")
