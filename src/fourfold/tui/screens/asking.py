"""From keystrokes to results: intent at once, results after a pause, newer always over older, nothing moved unasked."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import replace

from textual.timer import Timer
from textual.widgets import Input

from fourfold.model import Answer, PlanOptions, Progress, Question, Result
from fourfold.tui.bars import Span
from fourfold.tui.explain import Without, explain_rows
from fourfold.tui.overview import about_rows, ask_rows, map_rows
from fourfold.tui.paint import BLANK, row
from fourfold.tui.sanitise import clean, wrap
from fourfold.tui.screens.panes import ANSWER, START
from fourfold.tui.screens.titles import titles_of
from fourfold.tui.screens.working import Working
from fourfold.tui.session import NotReady, Overview, Session
from fourfold.tui.source import Shelf, Source
from fourfold.tui.widgets.base import Lines, app_of
from fourfold.tui.widgets.preview import Preview
from fourfold.tui.widgets.query_bar import as_asked, on_one_line
from fourfold.tui.widgets.results import key_of, line_of

PAUSE = 0.12
#: A file is coloured as a whole when it has been shown for this long: while somebody types, files come and go.
STILL = 0.3
#: Seconds without an answer after which garbage is collected.
REST = 2.5
PAGE = 100
#: While somebody types, so many results are asked for; the rest of the page follows when they have rested.
FIRST = 20
#: Seconds between two looks at a growing index.
GROWTH = 1.5


def _cut(answer: Answer, question: Question) -> bool:
    """Whether there are more results than were asked for."""
    return answer.total > len(answer.results) and len(answer.results) >= question.limit


class Asking(Working):
    """Asks, shows answers, and follows the selection with the preview and the explanation."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.shelf = Shelf(session.root)
        self.options = PlanOptions()
        self.similar_to: int | None = None
        self.text = ""
        self.answer: Answer | None = None
        self.waiting: tuple[Answer, Without] | None = None
        self.without: Without = {}
        self.overview: Overview | None = None
        self.progress: Progress | None = None
        self.limit = PAGE
        self.asking = False
        self._asked = 0
        self._previewed = 0
        self._pause: Timer | None = None
        self._rest: Timer | None = None
        self._rest_of_page: Timer | None = None
        self._tidied: Timer | None = None
        self._following = False
        self._stays = False
        self._growth: Timer | None = None
        self._grown = False
        self._trouble = ""
        self._wait = GROWTH

    @property
    def busy(self) -> bool:
        """Whether something is being asked, read or coloured, or a pause in the typing is waited for."""
        waited = self._pause is not None or self._rest is not None or self._rest_of_page is not None
        return bool(self._tasks) or waited or self._following

    def shut(self) -> None:
        """Let no thread work on for a screen that is gone."""
        self._asked += 1
        self._previewed += 1
        super().shut()

    # ------------------------------------------------------------------ typing

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is not self.querybar.input:
            super().on_input_changed(event)
            return
        event.stop()
        if as_asked(event.value) == self.text:
            return
        self.text = as_asked(event.value)
        self.similar_to = None
        self.limit = PAGE
        self.understand()
        self.stop_pause()
        if not self.text.strip():
            self._asked += 1
            self.clear_answer()
            return
        self._pause = self.set_timer(PAUSE, self.ask)

    def stop_pause(self) -> bool:
        """Do not ask when the pause in the typing is over; whether one was being waited for."""
        waited = self._pause is not None
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        return waited

    def question(self, limit: int | None = None) -> Question:
        return Question(self.text, self.options, limit=limit or self.limit, similar_to=self.similar_to)

    def understand(self) -> None:
        """Show what the text means so far; about a millisecond."""
        if not self.text.strip():
            self.querybar.understood(None, None)
            return
        try:
            body, intent, plan = self.session.understand(self.question())
        except Exception as error:
            self.querybar.understood(None, None)
            self.report(error)
            return
        shift = self.text.find(body) if body else 0
        if shift > 0:
            intent = replace(intent, spans=tuple((a + shift, b + shift) for a, b in intent.spans))
        self.querybar.understood(intent, plan)

    def set_text(self, text: str, similar_to: int | None = None) -> None:
        """Put a question into the bar without waiting for the pause."""
        self.stop_pause()
        self.text, self.similar_to, self.limit = text, similar_to, PAGE
        with self.prevent(Input.Changed):
            self.querybar.input.value = on_one_line(text)
            self.querybar.input.cursor_position = len(self.querybar.input.value)
        self.understand()

    # ------------------------------------------------------------------ asking

    def ask(self, *, quietly: bool = False, then: Callable[[], None] | None = None) -> None:
        """Ask in a thread. ``quietly``: the answer waits behind “updated · R” unless nothing is shown yet."""
        if not self.text.strip():
            return
        if not quietly:
            self.stop_pause()
            self._asked += 1
        typed = not quietly and then is None
        number, question, session = self._asked, self.question(FIRST if typed else None), self.session

        def work() -> tuple[Answer, Without] | None:
            if number != self._asked:
                return None
            answer = session.ask(question)
            # what a result would be without a part is only known among all the others
            return answer, {} if _cut(answer, question) and typed else session.without(answer)

        def done(value: tuple[Answer, Without] | None) -> None:
            self.asking = False
            if value is None or number != self._asked:
                return
            if quietly and self.answer is not None and self.answer.results:
                self._offer(value)
            else:
                self.show_answer(*value)
                if typed and _cut(value[0], question):
                    self._complete()
                if then is not None:
                    then()

        def failed(error: Exception) -> None:
            self.asking = False
            if number != self._asked:
                return
            if not isinstance(error, NotReady):
                self.report(error)
            elif self.mode == START:
                self.say(str(error))

        self.asking = True
        self.start(work, done, failed)

    def _complete(self) -> None:
        """Ask for the rest of the page, once its beginning has been shown for a moment."""
        number = self._asked

        def begin() -> None:
            self._rest_of_page = None
            if number == self._asked:
                self.ask(quietly=True)

        if self._rest_of_page is not None:
            self._rest_of_page.stop()
        self._rest_of_page = self.set_timer(STILL, begin)

    def _offer(self, value: tuple[Answer, Without]) -> None:
        """Keep a newer answer back when it would change the list; take its numbers when it would not."""
        answer = value[0]
        assert self.answer is not None
        shown = [key_of(each) for each in self.answer.results]
        newer = [key_of(each) for each in answer.results]
        if newer == shown or (len(shown) == FIRST and newer[:FIRST] == shown):
            self.waiting = None
            self.show_answer(*value, keep=True)
        else:
            self.waiting = value
            self.refresh_titles()

    def action_take_newer(self) -> None:
        if self.waiting is None:
            self.say("the list is the newest there is")
            return
        self.show_answer(*self.waiting, keep=True)
        self.say("the newer list is shown")

    def show_answer(self, answer: Answer, without: Without, *, keep: bool = False) -> None:
        """Show ``answer``; the selection goes to the first result, or stays (``keep``)."""
        self.waiting = None
        if not keep and self.footer.said is not None and self.footer.said[1] == "text":
            self.footer.said = None
            self.footer.refresh()
        self.answer, self.without = answer, without
        self.set_mode(ANSWER)
        first, before = key_of(answer.results[0]) if answer.results else "", self.results.current
        if not keep:
            self.results.opened.clear()
            self.results.marks.clear()
        self.results.show(answer, None if keep else first)
        self._tidy()
        if not keep:
            self.results.scroll_to(y=0, animate=False, force=True)
        self.header.state.index = answer.index
        self.header.refresh()
        self.refresh_titles()
        self._stays = keep and self.results.current == before
        self.follow()

    def _tidy(self) -> None:
        """Collect garbage once nothing has been asked for a while: in between, a key would wait for it."""
        if self._tidied is not None:
            self._tidied.stop()
        self._tidied = self.set_timer(REST, gc.collect)

    def clear_answer(self) -> None:
        """Back to the first screen."""
        self.answer, self.waiting, self.without = None, None, {}
        self._following = False
        self.results.show(None)
        self.preview.blank()
        self.explain.set_rows([])
        self.set_mode(START)
        self.refresh_start()
        if self.focused is None:
            self.focus_pane("query")

    def on_lines_past_end(self, message: Lines.PastEnd) -> None:
        """The end of the list: fetch the next page of it."""
        answer = self.answer
        if message.lines is not self.results or answer is None or self.asking:
            return
        if answer.total > len(answer.results):
            self.limit += PAGE
            number, question, session = self._asked, self.question(), self.session

            def done(value: tuple[Answer, Without]) -> None:
                self.asking = False
                if number == self._asked:
                    self.show_answer(*value, keep=True)

            def work() -> tuple[Answer, Without]:
                more = session.ask(question)
                return more, session.without(more)

            def failed(error: Exception) -> None:
                self.asking = False
                self.report(error)

            self.asking = True
            self.start(work, done, failed)

    # ------------------------------------------------------------------ following the selection

    def on_lines_moved(self, message: Lines.Moved) -> None:
        if message.lines is self.results:
            self._stays = False
            self.follow()

    def follow(self) -> None:
        """`selected`, once the list is painted: a key waits for less, and of a held one only the last is followed."""

        def begin() -> None:
            if self._following and self.answer is not None:
                self.selected()

        if not self._following:
            self._following = True
            self.call_after_refresh(begin)

    def selected(self) -> None:
        """The preview and the explanation follow the selected result."""
        self._following = False
        shown = self.preview.source if self._stays else None
        self._stays = False
        result = self.results.selected
        self.refresh_explain()
        self.refresh_titles()
        if result is None:
            self.preview.blank()
            return
        self.open_source(
            result.path,
            line_of(result, self.answer.intent.name) if self.answer is not None else result.start_line,
            chunk=(result.start_line, result.end_line),
            matches=result.matched_lines,
            prefer=self._preferred(result),
            shown=shown,
        )

    def _preferred(self, result: Result) -> tuple[str, ...]:
        subject = self.answer.intent.subject if self.answer is not None else None
        return tuple(name for name in (result.symbol, subject or "") if name)

    def open_source(
        self,
        path: str,
        line: int,
        *,
        chunk: tuple[int, int] = (0, 0),
        matches: tuple[int, ...] = (),
        prefer: tuple[str, ...] = (),
        then: Callable[[], None] | None = None,
        shown: Source | None = None,
    ) -> None:
        """Read a file in a thread and show it at ``line``; when it is as it was (``shown``), nothing moves there."""
        self._previewed += 1
        number, shelf = self._previewed, self.shelf

        def work() -> Source | None:
            if number != self._previewed:
                return None
            source = shelf.get(path)
            source.colour_block(line - 1)
            return source

        def done(source: Source | None) -> None:
            if source is None or number != self._previewed:
                return
            if source is shown and source is self.preview.source:
                self._colour(source, number)
                return
            self.preview.show(source, line, chunk=chunk, matches=matches, prefer=prefer)
            self.refresh_titles()
            self._colour(source, number)
            if then is not None:
                then()

        self.start(work, done, self.report)

    def _colour(self, source: Source, number: int) -> None:
        """The rest of the file's colours, once it has been shown for a moment, and as long as it is."""
        if source.exact_to >= len(source.lines):
            return

        def done(finished: bool) -> None:
            self.preview.recoloured(source)

        def begin() -> None:
            self._rest = None
            self.start(lambda: source.colour_exactly(lambda: number != self._previewed), done, self.report)

        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(STILL, begin)

    def on_preview_needs_colour(self, message: Preview.NeedsColour) -> None:
        source, index = message.source, message.index
        self.start(lambda: source.colour_block(index), lambda _: self.preview.recoloured(source), self.report)

    def on_preview_at(self, message: Preview.At) -> None:
        self.refresh_titles()

    def refresh_explain(self) -> None:
        width = self.explain.line_width - 2
        if self.answer is None:
            hint = "Ask something, and this says why each result stands where it stands."
            self.explain.set_rows([BLANK, *(row((text, "dim")) for text in wrap(hint, width))])
            return
        plain = app_of(self).palette.no_colour
        result, low = self.results.selected, self.explain.size.height < 24
        rows = explain_rows(self.answer, result, width, self.without, plain=plain, low=low, tight=self.large)
        self.explain.set_rows(rows)

    # ------------------------------------------------------------------ the index grows

    def on_progress(self, progress: Progress) -> None:
        """A line from the indexer: show it, and look again when there is more to be found."""
        self.progress = progress
        state = self.header.state
        if progress.stage == "error":
            state.problem = progress.text or "the indexer failed"
        elif progress.stage == "done":
            state.progress, state.problem = None, ""
        else:
            state.progress = progress
        self.header.refresh()
        if self.mode == START and self.overview is None:
            self.refresh_start()
        self._grown = True
        if progress.stage == "done":
            self._look()
        elif self._growth is None:
            self._growth = self.set_timer(self._wait, self._look)

    def _look(self) -> None:
        """Open the index (again), refresh what is counted, ask again quietly."""
        if self._growth is not None:
            self._growth.stop()
            self._growth = None
        if not self._grown:
            return
        self._grown = False
        self.open_index()

    def open_index(self, then: Callable[[], None] | None = None) -> None:
        session = self.session

        def work() -> tuple[Overview, float] | None:
            started = time.monotonic()
            if not session.open():
                return None
            return session.overview(), time.monotonic() - started

        def done(value: tuple[Overview, float] | None) -> None:
            overview, seconds = value if value is not None else (None, 0.0)
            self._wait = max(GROWTH, 8 * seconds)
            if overview is not None:
                before = self.header.state.index
                grown = before is None or before.generation != overview.state.generation or self.progress is not None
                self.overview = overview
                self.header.state.index = overview.state
                self.header.state.changed = len(overview.changed)
                self.header.refresh()
                if self.mode == START:
                    self.refresh_start()
                if grown and self.text.strip():
                    self.understand()
                    self.ask(quietly=True)
            if then is not None:
                then()
            if first:
                self.set_timer(0.4, lambda: self.start(session.warm, lambda _: None, lambda _: None))

        def failed(error: Exception) -> None:
            """An index that cannot be used is no reason to stop: the indexer makes a new one beside it."""
            self.report(error)
            if str(error) != self._trouble:
                self._trouble = str(error)
                self.app.notify(clean(str(error)), severity="warning", timeout=8, markup=False)
            if then is not None:
                then()

        first = session.reader is None
        self.start(work, done, failed)

    # ------------------------------------------------------------------ the first screen

    def refresh_start(self) -> None:
        for name, lines in self.starts.items():
            width = lines.line_width - 2
            if name == "ask":
                recent = list(reversed(app_of(self).remembered.questions))
                rows = ask_rows(self.overview, self.header.state.progress, recent, width)
            elif name == "map":
                rows = map_rows(self.overview, width)
            else:
                rows = about_rows(self.overview, self.header.state.index, width)
            lines.set_rows(rows)
        self.refresh_titles()

    def on_lines_resized(self, message: Lines.Resized) -> None:
        """Rows are made for a width: make them again for the new one."""
        if message.lines is self.explain:
            self.refresh_explain()
        elif message.lines in self.starts.values():
            self.refresh_start()

    # ------------------------------------------------------------------ titles

    def titles(self) -> dict[str, tuple[list[Span], str]]:
        return titles_of(self)
