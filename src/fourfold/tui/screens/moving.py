"""Moving through code: pivots, back and forward, marks, files, outlines, call trees; and copying what is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from fourfold.model import Chunk, HitList, Modality, Result, Symbol
from fourfold.tui import clipboard, editor
from fourfold.tui.explain import formula
from fourfold.tui.history import History, View
from fourfold.tui.paint import counted
from fourfold.tui.sanitise import clean
from fourfold.tui.screens.asking import Asking
from fourfold.tui.screens.hits import Hits
from fourfold.tui.screens.panes import ANSWER, START
from fourfold.tui.screens.pick import Choice, Pick
from fourfold.tui.screens.tree import CallTree
from fourfold.tui.session import Session
from fourfold.tui.widgets.base import Lines, app_of
from fourfold.tui.widgets.results import key_of, line_of

PIVOTS = {
    "definition": "where is {} defined",
    "references": "references to {}",
    "impact": "what depends on {}",
    "similar": "similar to {}",
}


class Moving(Asking):
    """Adds what is done from a result, from a line of the preview, or from the first screen."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.history = History()
        self._drop = 0

    # ------------------------------------------------------------------ what the cursor is on

    def in_preview(self) -> bool:
        return self.focused_pane() == "preview" and self.preview.source is not None

    def subject(self) -> str:
        """The name that a pivot acts on: the word under the preview's cursor, or the selected result's symbol."""
        if self.in_preview():
            return self.preview.word
        result = self.results.selected
        return result.symbol if result is not None else ""

    def place(self) -> tuple[str, int] | None:
        """The file and line that the cursor is on."""
        if self.in_preview() and self.preview.source is not None:
            return self.preview.source.path, self.preview.line
        result = self.results.selected
        if result is None or self.answer is None or self.mode != ANSWER:
            return None
        return result.path, line_of(result, self.answer.intent.name)

    # ------------------------------------------------------------------ history

    def view(self) -> View:
        source = self.preview.source
        shown = source is not None and self.mode == ANSWER
        return View(
            self.text, self.options, self.similar_to, self.answer, self.results.current,
            source.path if shown and source is not None else "", self.preview.line if shown else 0,
            self.focused_pane(),
        )  # fmt: skip

    def note(self) -> None:
        """Keep where we are before going elsewhere."""
        here = self.view()
        if self.history.at >= 0 and self.history.views[self.history.at].text == here.text:
            self.history.update(here)
        else:
            self.history.visit(here)

    def action_history(self, step: int) -> None:
        if self.history.at < 0:
            self.say("nothing seen before this")
            return
        self.history.update(self.view())
        view = self.history.step(step)
        if view is None:
            self.say("this is the first thing seen" if step < 0 else "nothing further on")
            return
        self._restore(view)

    def _restore(self, view: View) -> None:
        self.options = view.options
        self.set_text(view.text, view.similar_to)
        self._asked += 1
        if view.answer is None:
            if not view.text:
                self.clear_answer()
                self.focus_pane(START[0])
            else:
                self.ask()
            return
        self.show_answer(view.answer, self.session.without(view.answer))
        if view.current:
            with self.prevent(Lines.Moved):  # the preview goes to the line that was seen, not to the result's first
                self.results.select(view.current)
        self.selected()
        if view.path:
            result = self.results.selected
            inside = result is not None and result.path == view.path
            chunk = (result.start_line, result.end_line) if result is not None and inside else (0, 0)
            matches = result.matched_lines if result is not None and inside else ()
            self.open_source(view.path, view.line, chunk=chunk, matches=matches)
        self.focus_pane(view.focus if view.focus in ANSWER else "results")

    # ------------------------------------------------------------------ pivots

    def go_ask(self, text: str, similar_to: int | None = None) -> None:
        """Ask another question, remembered in the history; the results get the focus when they come."""
        self.note()
        self.set_text(text, similar_to)
        app_of(self).remembered.asked(text)

        def arrived() -> None:
            self.history.visit(self.view())
            self.focus_pane("results")

        self.ask(then=arrived)

    def action_pivot(self, kind: str) -> None:
        if kind == "similar":
            self._similar()
            return
        name = self.subject()
        if not name:
            self.say("no name here: go to the preview (tab) and choose one with ← →")
            return
        self.go_ask(PIVOTS[kind].format(name))

    def _similar(self) -> None:
        result = self.results.selected
        if not self.in_preview() and result is not None:
            title = result.symbol or f"{Path(result.path).name}:{result.start_line}"
            self.go_ask(PIVOTS["similar"].format(title), result.chunk_id)
            return
        place = self.place()
        if place is None:
            return
        session = self.session

        def done(chunk: Chunk | None) -> None:
            if chunk is None:
                self.say("this line belongs to no indexed code")
            else:
                title = chunk.symbol or f"{Path(chunk.path).name}:{chunk.start_line}"
                self.go_ask(PIVOTS["similar"].format(title), chunk.id)

        self.start(lambda: session.chunk_at(*place), done, self.report)

    def action_callers(self) -> None:
        name = self.subject()
        if not name:
            self.say("no name here: go to the preview (tab) and choose one with ← →")
            return
        session = self.session

        def done(symbols: list[Symbol]) -> None:
            if not symbols:
                self.say(f"no symbol named {name} in this index")
                return
            here = self.place()
            symbol = next((each for each in symbols if here and each.path == here[0]), symbols[0])
            self.over(CallTree(self, symbol), self._go_place)

        self.start(lambda: session.find_symbols(name), done, self.report)

    def _go_place(self, place: tuple[str, int] | None) -> None:
        if place is not None:
            self.go_file(*place)

    def go_file(self, path: str, line: int = 1) -> None:
        """Show any file at a line, remembered in the history."""
        self.note()
        self.set_mode(ANSWER)
        if self.answer is None:
            self.results.show(None)
            self.refresh_explain()

        def shown() -> None:
            self.history.visit(self.view())

        self.open_source(path, line, then=shown)
        self.focus_pane("preview")

    def action_files(self) -> None:
        self.pick_file("Files", lambda path: self.go_file(path))

    def pick_file(
        self, title: str, take: Callable[[str], None], *, hint: str = "a file’s name, or a part of its path",
        everything: bool = False,
    ) -> None:  # fmt: skip
        """Choose a file by a few letters, those around the cursor's first. ``everything``: also files that were left
        out of the index, and with ``:120`` or ``:name`` typed after the letters, which the choice then ends in."""
        place = self.place()
        folder = place[0].rpartition("/")[0] if place else ""
        session = self.session

        def work() -> list[Choice]:
            files = sorted(session.files(), key=lambda f: (_distance(folder, f.path), f.path))
            choices = [Choice(f.path, f.path, counted(f.lines, "line"), is_path=True) for f in files]
            if everything:
                choices += [Choice(path, path, "not indexed", is_path=True) for path in session.skipped()]
            return choices

        def done(choices: list[Choice]) -> None:
            self.over(Pick(title, choices, hint=hint, suffix=everything), lambda path: take(path) if path else None)

        self.start(work, done, self.report)

    def action_outline(self) -> None:
        place = self.place()
        if place is None:
            self.say("no file is shown")
            return
        session, (path, line) = self.session, place

        def done(symbols: Sequence[Symbol]) -> None:
            own = [symbol for symbol in symbols if symbol.kind != "module"]
            if not own:
                self.say("this file has no symbols")
                return
            choices = [
                Choice(str(s.name_line), s.signature or s.name, f"{s.kind} {s.name_line}", s.qualified,
                       s.qualified.count("."))
                for s in own
            ]  # fmt: skip
            inside = [symbol for symbol in own if symbol.start_line <= line]
            current = str(inside[-1].name_line) if inside else ""
            self.over(
                Pick(f"Outline of {path}", choices, current=current),
                lambda key: self.go_file(path, int(key)) if key else None,
            )

        self.start(lambda: session.outline(path), done, self.report)

    # ------------------------------------------------------------------ lists

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        key = message.key
        if message.lines is self.results:
            self.note()
            self.focus_pane("preview")
        elif message.lines is self.explain:
            self._open_list(key.removeprefix("m:"))
        else:
            self._start_chosen(key)

    def _open_list(self, name: str) -> None:
        answer, result = self.answer, self.results.selected
        if answer is None:
            return
        modality: Modality | None = next((each for each in answer.lists if each == name), None)
        if modality is None or not answer.lists[modality].hits:
            return
        hits: HitList = answer.lists[modality]
        session = self.session

        def done(chunks: dict[int, Chunk]) -> None:
            screen = Hits(hits, chunks, result.chunk_id if result else 0, answer.plan.depth)
            self.over(screen, lambda chunk_id: self._show_chunk(chunks, chunk_id))

        self.start(lambda: session.chunks([hit.chunk_id for hit in hits.hits]), done, self.report)

    def _show_chunk(self, chunks: dict[int, Chunk], chunk_id: int | None) -> None:
        if chunk_id is None or chunk_id not in chunks:
            return
        for result in self.results.all():
            if result.chunk_id == chunk_id and key_of(result) in self.results.keys:
                self.results.select(key_of(result))
                return
        self.go_file(chunks[chunk_id].path, chunks[chunk_id].start_line)

    def _start_chosen(self, key: str) -> None:
        kind, _, rest = key.partition(":")
        if kind == "q":
            self.go_ask(rest)
        elif kind == "s":
            self.go_ask(PIVOTS["definition"].format(rest.rpartition(":")[2]))
        elif kind == "i":
            self.go_ask(PIVOTS["impact"].format(rest))
        elif kind == "f":
            self.go_file(rest)
        elif kind in ("lang", "path"):
            glob = rest if kind == "lang" else "*" if rest == "." else f"{rest}/**"
            self.querybar.input.value = f" {kind}:{glob}"
            self.querybar.input.cursor_position = 0
            self.focus_pane("query")
            self.say("now type the question; it is limited to that")

    # ------------------------------------------------------------------ the query line

    def action_submit_question(self) -> None:
        """To the results; a question that is still waiting is asked at once."""
        if not self.text.strip():
            self.focus_pane(self.mode[0])
            return
        app_of(self).remembered.asked(self.text)
        self._drop = 0
        if self.stop_pause() or self.answer is None or self.answer.question.text != self.text:
            self.ask(then=self._submitted)
            self.set_mode(ANSWER)
            self.focus_pane("results")
        else:
            self._submitted()

    def _submitted(self) -> None:
        self.history.visit(self.view())
        self.focus_pane("results")

    def action_select(self, step: int) -> None:
        if self.mode == ANSWER:
            self.results.action_cursor(step)
        else:
            self.starts["ask"].action_cursor(step)

    def action_earlier(self, step: int) -> None:
        """Through the questions asked before; typing starts from the newest again."""
        asked = app_of(self).remembered.questions
        self._drop = min(max(self._drop + step, 0), len(asked))
        text = asked[-self._drop] if self._drop else ""
        self.querybar.input.value = text
        self.querybar.input.cursor_position = len(text)

    # ------------------------------------------------------------------ marks, copies

    def action_mark(self) -> None:
        result = self.results.selected
        if result is None:
            self.say("there is no result to mark")
            return
        self.results.toggle_mark()
        self.refresh_titles()
        if self.focused_pane() != "results":
            word = "marked" if result.chunk_id in self.results.marks else "no longer marked"
            self.say(f"{word}: #{result.position} {clean(result.path)}")

    def action_others(self) -> None:
        if not self.results.toggle_others():
            self.say("the file has no other hits")
        elif self.focused_pane() != "results":
            self.say("the file’s other hits are shown, or hidden, in the results")

    def action_copy(self) -> None:
        """Offer what can be copied; the marked results as places, when there are any."""
        choices: list[tuple[Choice, str]] = []
        marked = self.results.marked()
        if marked:
            text = "\n".join(f"{each.path}:{each.start_line}" for each in marked)
            choices.append((Choice("marked", f"the {len(marked)} marked places"), text + "\n"))
            lines = [(each.path, each.start_line, each.symbol or each.kind) for each in marked]
            choices.append((Choice("quickfix", "the marked places as a quickfix list"), editor.quickfix(lines)))
        place = self.place()
        if place is not None:
            choices.append((Choice("place", f"{place[0]}:{place[1]}"), f"{place[0]}:{place[1]}"))
        result = self.results.selected
        if self.in_preview():
            choices.append((Choice("line", "this line"), self.preview.text))
            if self.preview.word:
                choices.append((Choice("word", self.preview.word), self.preview.word))
        if result is not None and self.answer is not None and self.mode == ANSWER:
            choices.append((Choice("code", "the code of this result"), self._code(result)))
            choices.append((Choice("formula", formula(self.answer, result)), formula(self.answer, result)))
        if self.answer is not None and self.mode == ANSWER:
            command = self.session.command(self.question())
            choices.append((Choice("command", "the command that asks this again"), command))
        if not choices:
            self.say("nothing here to copy")
            return

        def take(key: str | None) -> None:
            text = next((text for choice, text in choices if choice.key == key), None)
            if text is not None:
                self.copy_text(text)

        self.over(Pick("Copy", [choice for choice, _ in choices], hint="what to copy"), take)

    def copy_text(self, text: str) -> None:
        """To the clipboard, in a thread: the desktop's tool may take its time."""
        environ = app_of(self).environ
        self.start(lambda: clipboard.copy(text, environ, lambda words: self._osc52(words)), self.say, self.report)

    def _osc52(self, text: str) -> None:
        self.app.call_from_thread(self.app.copy_to_clipboard, text)

    def _code(self, result: Result) -> str:
        source = self.preview.source
        if source is not None and source.path == result.path:
            return "\n".join(source.lines[result.start_line - 1 : result.end_line]) + "\n"
        return result.snippet


def _distance(folder: str, path: str) -> int:
    """How far a file is from ``folder``, in folders up and down: those around it come first."""
    here = folder.split("/") if folder else []
    there = path.split("/")[:-1]
    same = 0
    for a, b in zip(here, there, strict=False):
        if a != b:
            break
        same += 1
    return len(here) - same + len(there) - same
