"""What the line-drawing widgets share: the palette of the app, and a list with a cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self, cast

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from fourfold.tui.keymap import bindings, named
from fourfold.tui.paint import BLANK, Row, compose, strip, width_of
from fourfold.tui.sanitise import clean
from fourfold.tui.themes import Palette

if TYPE_CHECKING:
    from fourfold.tui.app import FourfoldApp


def app_of(widget: Widget) -> FourfoldApp:
    return cast("FourfoldApp", widget.app)


def heading(widget: Widget, text: str) -> None:
    """Give ``widget`` a title that shows ``text`` as it is: harmless, and never read as markup."""
    widget.border_title = Text(clean(text))


class Bar(Widget):
    """A widget of a few lines that are painted from spans; no cursor."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"
    ground = "background"

    @property
    def palette(self) -> Palette:
        return app_of(self).palette

    def rows(self, width: int) -> Sequence[Row]:
        return ()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        rows = self.rows(width)
        line = rows[y] if y < len(rows) else BLANK
        return strip(compose(line, width), width, self.palette, self.ground)


class Titled(Widget):
    """A pane whose title and status change often: only its border is painted again then, and only when they differ."""

    _titles: tuple[Text | None, Text | None] = (None, None)
    _titling = False

    def titled(self, title: Text | None, status: Text | None) -> None:
        if (title, status) == self._titles:
            return
        self._titles, self._titling = (title, status), True
        try:
            self.border_title, self.border_subtitle = title, status
        finally:
            self._titling = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if self._titling:
            (left, top), (width, height) = self.content_offset, self.outer_size
            regions = (Region(-left, -top, width, 1), Region(-left, height - 1 - top, width, 1))
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)


class Scrolled(ScrollView):
    """A view that scrolls its own lines. Its scroll bar always has its column, blank when there is nothing to scroll:
    so another number of lines only paints what is different, and nothing is laid out again.
    """

    DEFAULT_CSS = """
    Scrolled { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; min-width: 4; }
    """
    virtual_size = Reactive(Size(0, 0), repaint=False)
    #: The size that it probably has when it is shown, while it is not.
    expected = Size(0, 0)

    def watch_virtual_size(self, size: Size) -> None:
        if self.styles.is_auto_height:
            self.refresh(layout=True)
        else:
            self._scroll_update(size)

    def _scroll_update(self, virtual_size: Size) -> None:
        """As inherited, but the scroll bar is painted again only when it looks different."""
        self._refresh_scrollbars()
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.window_virtual_size = virtual_size.height
            self.vertical_scrollbar.window_size = self.container_size.height
        self.scroll_y = self.validate_scroll_y(self.scroll_y)

    @property
    def room(self) -> Size:
        """Width and height of what is painted, in cells; the scroll bar has a column of its own beside it."""
        region = self.region
        if not region.area:
            return self.expected
        return region.shrink(self.styles.gutter).shrink(Spacing(0, 1, 0, 0)).size

    @property
    def line_width(self) -> int:
        """The width in cells of a painted line."""
        return max(4, self.room.width)


class Lines(Scrolled, Titled, can_focus=True):
    """A list of painted rows with a cursor over its items. Rows are made by the owner; this draws what is visible."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list"), *named("help_too")]
    #: Whether the cursor is seen while another pane has the focus.
    cursor_stays = True
    #: Which place's keys the footer and the help show while this has the focus.
    context = "pane"

    class Moved(Message):
        """The cursor is on another item."""

        def __init__(self, lines: Lines, key: str) -> None:
            super().__init__()
            self.lines = lines
            self.key = key

        @property
        def control(self) -> Lines:
            return self.lines

    class Chosen(Message):
        """Enter, or a second click, on an item."""

        def __init__(self, lines: Lines, key: str) -> None:
            super().__init__()
            self.lines = lines
            self.key = key

        @property
        def control(self) -> Lines:
            return self.lines

    class Resized(Message):
        """The width or height that the rows are made for is another."""

        def __init__(self, lines: Lines) -> None:
            super().__init__()
            self.lines = lines

        @property
        def control(self) -> Lines:
            return self.lines

    class PastEnd(Message):
        """The cursor was moved down from the last item."""

        def __init__(self, lines: Lines) -> None:
            super().__init__()
            self.lines = lines

        @property
        def control(self) -> Lines:
            return self.lines

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: list[Row] = []
        self.keys: list[str] = []
        self._spans: dict[str, tuple[int, int]] = {}
        self.current = ""

    @property
    def palette(self) -> Palette:
        return app_of(self).palette

    # ------------------------------------------------------------------ content

    def set_rows(self, rows: Sequence[Row], current: str | None = None) -> None:
        """Show ``rows``; the cursor stays on the same key where there still is one (or goes to ``current``)."""
        before = self.keys.index(self.current) if self.current in self._spans else 0
        wanted = self.current if current is None else current
        old, old_span = self.rows, self._spans.get(self.current)
        self.rows = list(rows)
        self._spans = {}
        for index, line in enumerate(self.rows):
            if line.key:
                first = self._spans.get(line.key, (index, index))[0]
                self._spans[line.key] = (first, index)
        self.keys = list(self._spans)
        if wanted in self._spans:
            self.current = wanted
        else:
            self.current = self.keys[min(before, len(self.keys) - 1)] if self.keys else ""
        self.virtual_size = Size(0, len(self.rows))
        if len(old) != len(self.rows):
            self.refresh()
            return
        under = {
            index for span in (old_span, self._spans.get(self.current)) if span for index in range(span[0], span[1] + 1)
        }
        top, width = self.scroll_offset.y, self.size.width
        seen = range(top, min(top + self.size.height, len(old)))
        other = [index for index in seen if index in under or old[index] != self.rows[index]]
        if other:
            self.refresh(*(Region(0, index - top, width, 1) for index in other))

    def select(self, key: str, *, reveal: bool = True) -> None:
        """Put the cursor on ``key`` and tell (`Moved`) when it is another item than before."""
        if key not in self._spans:
            return
        changed, old = key != self.current, self.current
        self.current = key
        if reveal:
            self.reveal()
        if changed:
            self._refresh_item(old)
            self._refresh_item(key)
            self.post_message(self.Moved(self, key))

    def reveal(self) -> None:
        """Scroll so that the whole item is visible (its first line when it is taller than the pane)."""
        span = self._spans.get(self.current)
        if span is None:
            return
        height = max(1, self.size.height)
        top, first, last = self.scroll_offset.y, span[0], span[1]
        if self.keys and self.current == self.keys[0]:
            first = 0
        if first < top:
            self.scroll_to(y=first, animate=False, force=True)
        elif last >= top + height:
            self.scroll_to(y=min(first, last - height + 1), animate=False, force=True)

    def _refresh_item(self, key: str) -> None:
        span = self._spans.get(key)
        if span is not None:
            y = span[0] - self.scroll_offset.y
            self.refresh(Region(0, y, self.size.width, span[1] - span[0] + 1))

    def on_resize(self) -> None:
        self.post_message(self.Resized(self))

    # ------------------------------------------------------------------ painting

    def render_line(self, y: int) -> Strip:
        width = self.line_width
        index = y + self.scroll_offset.y
        if index >= len(self.rows):
            return strip((), width, self.palette)
        line = self.rows[index]
        return self.paint_row(line, width, bool(line.key) and line.key == self.current)

    def paint_row(self, line: Row, width: int, current: bool) -> Strip:
        """One row; the cursor's has another background, and a bar at its left edge that is seen without colour too."""
        lead = width_of(line.lead)
        room = width - 1 - lead
        if not current or not (self.has_focus or self.cursor_stays):
            return strip([*line.lead, (" ", "text"), *compose(line, room)], width, self.palette)
        ground = "cursor" if self.has_focus else "cursor_blurred"
        mark = ("▌", "accent") if self.has_focus else ("▏", "dim")
        body = strip([mark, *compose(line, room)], width - lead, self.palette, ground)
        return Strip([*strip(line.lead, lead, self.palette), *body]) if lead else body

    def watch_has_focus(self, value: bool) -> None:
        super().watch_has_focus(value)
        self.refresh()

    # ------------------------------------------------------------------ moving

    def action_cursor(self, step: int) -> None:
        if not self.keys:
            self.scroll_relative(y=step, animate=False, force=True)
            return
        index = self.keys.index(self.current) if self.current in self._spans else 0
        target = index + step
        if target >= len(self.keys):
            self.post_message(self.PastEnd(self))
            self.scroll_relative(y=step, animate=False, force=True)
        elif target < 0:
            self.scroll_to(y=0, animate=False, force=True)
        self.select(self.keys[min(max(target, 0), len(self.keys) - 1)])

    def action_edge(self, direction: int) -> None:
        if self.keys:
            self.select(self.keys[0 if direction < 0 else -1])
        self.scroll_to(y=0 if direction < 0 else len(self.rows), animate=False, force=True)

    def action_page(self, direction: int) -> None:
        """Half a page: the cursor goes to the first item that many lines on."""
        half = max(1, self.size.height // 2)
        if not self.keys:
            self.scroll_relative(y=direction * half, animate=False, force=True)
            return
        start = self._spans[self.current][0] if self.current in self._spans else 0
        goal = start + direction * half
        if direction > 0:
            ahead = [key for key in self.keys if self._spans[key][0] >= goal]
            self.select(ahead[0] if ahead else self.keys[-1])
        else:
            behind = [key for key in self.keys if self._spans[key][0] <= goal]
            self.select(behind[-1] if behind else self.keys[0])

    def action_choose(self) -> None:
        if self.current:
            self.post_message(self.Chosen(self, self.current))

    def item_at(self, y: int) -> str:
        """The key of the item on line ``y`` of the visible part, or empty."""
        index = y + self.scroll_offset.y
        return self.rows[index].key if 0 <= index < len(self.rows) else ""

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        key = self.item_at(offset.y) if offset is not None else ""
        if not key:
            return
        again = key == self.current and event.chain >= 2
        self.select(key, reveal=False)
        if again:
            self.post_message(self.Chosen(self, key))
