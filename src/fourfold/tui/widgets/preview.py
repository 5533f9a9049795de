"""The preview: a file with line numbers, colours, marked matches, and a line cursor; only what is visible is drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from fourfold.tui.keymap import bindings
from fourfold.tui.paint import Span, strip
from fourfold.tui.sanitise import clean, expand
from fourfold.tui.source import MAX_LINE, Source, Tokens, best_word, words
from fourfold.tui.themes import Palette
from fourfold.tui.widgets.base import Scrolled, app_of


class Preview(Scrolled, can_focus=True):
    """Shows a `Source`. Lines are counted from 1 outside and from 0 inside."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("preview")]
    context = "preview"

    class NeedsColour(Message):
        """Line ``index`` is visible and has no colours yet."""

        def __init__(self, source: Source, index: int) -> None:
            super().__init__()
            self.source = source
            self.index = index

    class At(Message):
        """The cursor is on another line, or another file is shown."""

    class FindAsked(Message):
        """The find line is wanted."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.source: Source | None = None
        self.line = 1
        self.word_index = -1
        self.chunk = (0, 0)
        self.matches: tuple[int, ...] = ()
        self.found: tuple[int, ...] = ()
        self.needle = ""
        self.prefer: tuple[str, ...] = ()
        self.wrapped = False
        self.shift = 0
        self._starts: list[int] = []
        self._asked: set[int] = set()
        self._painted: dict[int, Tokens | None] = {}
        #: The cursor's line was put a third from the top, and nobody has moved since: so it stays at other sizes.
        self._centred = False

    @property
    def palette(self) -> Palette:
        return app_of(self).palette

    # ------------------------------------------------------------------ content

    def show(
        self,
        source: Source,
        line: int,
        *,
        chunk: tuple[int, int] = (0, 0),
        matches: tuple[int, ...] = (),
        prefer: tuple[str, ...] = (),
    ) -> None:
        """Show ``source`` with the cursor at ``line``, a third from the top."""
        if source is not self.source:
            self._asked, self._painted = set(), {}
            self.found, self.shift = (), 0
        self.source, self.chunk, self.matches, self.prefer = source, chunk, matches, prefer
        if self.needle:
            self._find()
        self._layout()
        self._go(line, centre=True)

    def blank(self) -> None:
        self.source = None
        self._layout()
        self.refresh()

    def recoloured(self, source: Source) -> None:
        """More of ``source`` has been coloured: paint what is visible of it and looks different now."""
        if source is self.source:
            self._asked = set()
            top = self.scroll_offset.y
            for index in {self._line_at(row)[0] for row in range(top, top + self.size.height)}:
                if index < len(source.lines) and source.tokens(index) != self._painted.get(index):
                    self.refresh_line(index + 1)

    @property
    def edge(self) -> int:
        return len(str(len(self.source.lines))) + 3 if self.source else 0

    @property
    def word(self) -> str:
        """The name under the cursor, or empty."""
        found = words(self.text)
        return found[self.word_index][2] if 0 <= self.word_index < len(found) else ""

    @property
    def text(self) -> str:
        """The line under the cursor."""
        if self.source is None or not 1 <= self.line <= len(self.source.lines):
            return ""
        return self.source.lines[self.line - 1]

    def _layout(self) -> None:
        """How many rows each line takes: one, unless lines are wrapped."""
        lines = self.source.lines if self.source else []
        self._starts = []
        height = len(lines)
        if self.wrapped and self.source is not None:
            room = max(8, self.line_width - self.edge)
            total = 0
            for text in lines:
                self._starts.append(total)
                length = (
                    min(len(text), MAX_LINE)
                    if text.isascii() and "\t" not in text
                    else (cell_len(expand(text[:MAX_LINE])[0]))
                )
                total += max(1, -(-length // room))
            height = total
        self.virtual_size = Size(0, height)

    def _row_of(self, index: int) -> int:
        return self._starts[index] if self._starts and index < len(self._starts) else index

    def _line_at(self, row: int) -> tuple[int, int]:
        """(line index, which of its wrapped rows) for a row of the whole view."""
        if not self._starts:
            return row, 0
        from bisect import bisect_right

        index = bisect_right(self._starts, row) - 1
        return index, row - self._starts[index]

    def on_resize(self) -> None:
        if self.wrapped:
            self._layout()
        row, top = self._row_of(self.line - 1), self.scroll_offset.y
        if self._centred or not top <= row < top + self.size.height:
            self._reveal(centre=True)
        self.post_message(self.At())

    # ------------------------------------------------------------------ painting

    def render_line(self, y: int) -> Strip:
        width = self.line_width
        source = self.source
        if source is None:
            return strip((), width, self.palette)
        if source.note:
            said = [(f" {clean(source.path)} {source.note}.", "warning")] if y == 1 else []
            return strip(said, width, self.palette)
        index, part = self._line_at(y + self.scroll_offset.y)
        if index >= len(source.lines):
            return strip((), width, self.palette)
        return self._paint(source, index, part, width)

    def _paint(self, source: Source, index: int, part: int, width: int) -> Strip:
        number = index + 1
        current = number == self.line
        matched = number in self.matches or number in self.found
        in_chunk = self.chunk[0] <= number <= self.chunk[1]
        ground = "background"
        if current:
            ground = "cursor" if self.has_focus else "cursor_blurred"
        elif matched:
            ground = "match"
        sign = "▸" if matched else ("▌" if current and self.has_focus else " ")
        digits = self.edge - 3
        spans: list[Span] = [
            (sign, "bright" if matched or current else "faint"),
            (f"{number:>{digits}}" if not part else " " * digits, "bright" if current else "dim"),
            (" │" if in_chunk else "  ", "border_focus" if in_chunk else "faint"),
        ]
        room = width - self.edge
        body = self._body(source, index, current)
        if self.wrapped:
            start, end = part * room, (part + 1) * room
        else:
            start, end = self.shift, self.shift + room
        code = strip(body, max(_cells(body), end), self.palette, ground).crop(start, end)
        head = strip(spans, self.edge, self.palette, ground)
        return Strip([*head, *code]).adjust_cell_length(width, self.palette.style(f"text on:{ground}"))

    def _body(self, source: Source, index: int, current: bool) -> list[Span]:
        """The line's coloured pieces, harmless and with tabs expanded; found text and the cursor's name marked."""
        raw = source.lines[index]
        tokens = self._painted[index] = source.tokens(index)
        if tokens is None:
            block = index // 200
            if block not in self._asked:
                self._asked.add(block)
                self.post_message(self.NeedsColour(source, index))
            tokens = [(raw[:MAX_LINE], "text")]
        marks = self._marks(raw, current)
        out: list[Span] = []
        column, offset = 0, 0
        for text, role in tokens:
            for piece, extra in _cut(text, offset, marks):
                shown, column = expand(piece, column)
                out.append((shown, f"{role} {extra}" if extra else role))
            offset += len(text)
        if len(raw) > MAX_LINE:
            out.append((f" … {len(raw) - MAX_LINE:,} more characters", "warning"))
        return out

    def _marks(self, raw: str, current: bool) -> list[tuple[int, int, str]]:
        marks: list[tuple[int, int, str]] = []
        if self.needle:
            low, needle = raw[:MAX_LINE].lower(), self.needle.lower()
            at = low.find(needle) if len(low) == len(raw[:MAX_LINE]) else -1
            while at >= 0:
                marks.append((at, at + len(needle), "bright on:selection bold"))
                at = low.find(needle, at + len(needle))
        if current and self.has_focus and not marks:
            found = words(raw)
            if 0 <= self.word_index < len(found):
                start, end, _ = found[self.word_index]
                marks.append((start, end, "underline bold"))
        return marks

    def watch_has_focus(self, value: bool) -> None:
        super().watch_has_focus(value)
        self.refresh()

    # ------------------------------------------------------------------ moving

    def _go(self, line: int, *, centre: bool = False) -> None:
        if self.source is None:
            return
        before = self.line
        self.line = min(max(1, line), max(1, len(self.source.lines)))
        self.word_index = best_word(self.text, self.prefer)
        self._reveal(centre)
        if centre:
            self.refresh()
        else:
            self.refresh_line(before)
            self.refresh_line(self.line)
        self.post_message(self.At())

    def _reveal(self, centre: bool) -> None:
        row, height = self._row_of(self.line - 1), max(1, self.size.height)
        top = self.scroll_offset.y
        self._centred = centre
        margin = min(3, height // 4)
        if centre:
            self.scroll_to(y=max(0, row - height // 3), animate=False, force=True)
        elif row < top + margin:
            self.scroll_to(y=max(0, row - margin), animate=False, force=True)
        elif row >= top + height - margin:
            self.scroll_to(y=row - height + 1 + margin, animate=False, force=True)

    def action_move(self, step: int) -> None:
        self._go(self.line + step)

    def action_page(self, direction: int) -> None:
        self._go(self.line + direction * max(1, self.size.height // 2))

    def action_edge(self, direction: int) -> None:
        self._go(1 if direction < 0 else len(self.source.lines) if self.source else 1)

    def action_word(self, step: int) -> None:
        found = words(self.text)
        if found:
            self.word_index = (self.word_index + step) % len(found)
            self.refresh_line(self.line)
            self.post_message(self.At())

    def action_sideways(self, step: int) -> None:
        if not self.wrapped:
            self.shift = max(0, self.shift + step)
            self.refresh()

    def action_wrap(self) -> None:
        self.wrapped = not self.wrapped
        self.shift = 0
        self._layout()
        self._reveal(centre=False)
        self.refresh()

    def action_match(self, step: int) -> None:
        """To the next place found (or matched line), round at the ends."""
        places = self.found or self.matches
        if not places:
            self.app.bell()
            return
        if step > 0:
            self._go(next((place for place in places if place > self.line), places[0]))
        else:
            self._go(next((place for place in reversed(places) if place < self.line), places[-1]))

    def action_find(self) -> None:
        self.post_message(self.FindAsked())

    def find(self, needle: str) -> None:
        """Look for ``needle`` in the file (case ignored) and go to the first place at or after the cursor."""
        self.needle = needle
        self._find()
        if self.found:
            self._go(next((place for place in self.found if place >= self.line), self.found[0]))
        self.refresh()
        self.post_message(self.At())

    def _find(self) -> None:
        needle = self.needle.lower()
        lines = self.source.lines if self.source else []
        self.found = tuple(n for n, text in enumerate(lines, 1) if needle in text.lower()) if needle else ()

    # ------------------------------------------------------------------ what is shown

    def status(self) -> str:
        """“425–457 of 2,046 · match 1 of 2”."""
        if self.source is None or not self.source.lines:
            return ""
        total = len(self.source.lines)
        first = self._line_at(self.scroll_offset.y)[0] + 1
        last = min(total, self._line_at(self.scroll_offset.y + max(0, self.size.height - 1))[0] + 1)
        out = [f"{first}–{last} of {total:,}"]
        places = self.found or self.matches
        if places:
            at = places.index(self.line) + 1 if self.line in places else 0
            what = "found" if self.found else ("match" if len(places) == 1 or at else "matches")
            out.append(f"{what} {at} of {len(places)}" if at else f"{len(places)} {what}")
        elif self.needle:
            out.append("not found")
        if self.wrapped:
            out.append("wrapped")
        if self.source.remark:
            out.append(self.source.remark)
        return " · ".join(out)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.source is not None:
            index, _ = self._line_at(offset.y + self.scroll_offset.y)
            if index < len(self.source.lines):
                self.line = index + 1
                self.word_index = self._word_at(offset.x - self.edge + self.shift)
                self.refresh()
                self.post_message(self.At())

    def _word_at(self, column: int) -> int:
        for index, (start, end, _) in enumerate(words(self.text)):
            if expand(self.text[:start])[1] <= column < expand(self.text[:end])[1]:
                return index
        return best_word(self.text, self.prefer)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.At())

    def refresh_line(self, line: int) -> None:
        last = not self._starts or line >= len(self._starts)
        first = self._row_of(line - 1)
        after = (first + 1 if not self._starts else self.virtual_size.height) if last else self._starts[line]
        region = Region(0, first - self.scroll_offset.y, self.size.width, max(1, after - first))
        if seen := region.intersection(self.size.region):
            self.refresh(seen)


def _cells(spans: list[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)


def _cut(text: str, offset: int, marks: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """``text`` (which starts at ``offset`` of its line) cut at the borders of ``marks``, each piece with its mark."""
    if not marks:
        return [(text, "")]
    borders = sorted({0, len(text), *(min(max(edge - offset, 0), len(text)) for mark in marks for edge in mark[:2])})
    pieces = []
    for start, end in pairwise(borders):
        role = next((role for left, right, role in marks if left <= offset + start and offset + end <= right), "")
        pieces.append((text[start:end], role))
    return pieces
