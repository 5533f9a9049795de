"""The main screen's panes: how they stand at each size, which one has the focus, how their dividers move."""

from __future__ import annotations

from typing import ClassVar, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Grid, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from fourfold.tui.bars import Span
from fourfold.tui.keymap import bindings
from fourfold.tui.widgets.base import Lines, Scrolled, Titled, app_of
from fourfold.tui.widgets.header import Footer, Header, Tabs
from fourfold.tui.widgets.preview import Preview
from fourfold.tui.widgets.query_bar import QueryBar
from fourfold.tui.widgets.results import Results

WIDE, MEDIUM = 140, 100
ANSWER = ("results", "preview", "explain")
START = ("ask", "map", "about")


class Explain(Lines):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("ask")]
    context = "explain"
    cursor_stays = False


class StartPane(Lines):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("ask", "start")]
    context = "overview"

    @property
    def cursor_stays(self) -> bool:  # type: ignore[override]
        """The first one is moved through from the question's line too."""
        return self.id == START[0]


class FindLine(Input):
    """The line below the preview that is searched for in the file."""

    DEFAULT_CSS = """
    FindLine, FindLine:focus { display: none; border: none; height: 1; padding: 0 1; background: $ff-raised;
        background-tint: $background 0%; }
    FindLine > .input--placeholder { color: $ff-dim; text-style: none; }
    """
    context = "pick"


class PreviewPane(Titled, Vertical):
    DEFAULT_CSS = "PreviewPane { min-width: 4; }"


class Panes(Screen[None]):
    """Everything on the main screen and its layout; what the panes show is the subclasses' business."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("everywhere", "pivot", "plan", "lab", "rest")]
    AUTO_FOCUS = "#query"
    SCOPED_CSS = False
    CSS = """
    Panes { layout: vertical; background: $background; }
    #body { height: 1fr; width: 1fr; }
    .pane { border: round $ff-border; border-title-color: $ff-dim; border-subtitle-color: $ff-dim; }
    .pane:focus, .pane:focus-within { border: round $ff-border-focus; border-title-color: $ff-bright;
        border-title-style: bold; }
    Panes.narrow .pane, Panes.narrow .pane:focus, Panes.narrow .pane:focus-within { border: none; }
    Panes.narrow #tabs { display: block; }
    Panes.short #querybar, Panes.short #querybar:focus-within { border: none; height: 1; padding: 0 1 0 0; }
    Panes.large #explain { border-top: solid $ff-border; }
    Panes.tiny #header, Panes.tiny #tabs { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.header = Header(id="header")
        self.querybar = QueryBar(id="querybar")
        self.tabs = Tabs(id="tabs")
        self.results = Results(id="results")
        self.preview = Preview(id="preview")
        self.find = FindLine(placeholder="find in this file", id="find", select_on_focus=True)
        self.find.cursor_blink = False
        self.explain = Explain(id="explain")
        self.starts = {name: StartPane(id=name) for name in START}
        self.previewpane = PreviewPane(self.preview, self.find, id="previewpane", classes="pane")
        for lines in (self.results, self.explain, *self.starts.values()):
            lines.add_class("pane")
        self.body = Grid(self.results, self.previewpane, self.explain, *self.starts.values(), id="body")
        self.footer = Footer(id="footer")
        self.mode: tuple[str, ...] = START
        self.tab = "ask"
        self.full = False
        self._dragged = ""

    def compose(self) -> ComposeResult:
        yield self.header
        yield self.querybar
        yield self.tabs
        yield self.body
        yield self.footer

    # ------------------------------------------------------------------ layout

    @property
    def shape(self) -> str:
        width = self.app.size.width
        return "wide" if width >= WIDE else "medium" if width >= MEDIUM else "narrow"

    @property
    def large(self) -> bool:
        """The list over the arithmetic, with nothing beside them: for a projector, or a very large type."""
        return app_of(self).remembered.large and self.mode == ANSWER and not self.full and self.app.size.height >= 16

    def action_large(self) -> None:
        remembered = app_of(self).remembered
        remembered.large = not remembered.large
        self.full = False
        self.relayout()
        self.say("large type: the list over its arithmetic (Z: back)" if remembered.large else "the usual panes again")

    def pane(self, name: str) -> Titled:
        """The widget that stands in the grid for pane ``name``."""
        table: dict[str, Titled] = {
            "results": self.results, "preview": self.previewpane, "explain": self.explain, **self.starts,
        }  # fmt: skip
        return table[name]

    def target(self, name: str) -> Widget:
        """The widget that takes the focus for pane ``name``."""
        return self.preview if name == "preview" else self.pane(name)

    def relayout(self) -> None:
        """Show the panes of the present mode in the shape that the terminal's size asks for."""
        height, shape = self.app.size.height, self.shape
        large = self.large
        alone = not large and (shape == "narrow" or (self.full and self.mode == ANSWER))
        self.set_class(shape == "narrow", "narrow")
        self.set_class(large, "large")
        self.set_class(height < (30 if large else 16), "short")
        self.set_class(height < 9, "tiny")
        if self.focused_pane() in self.mode:
            self.tab = self.focused_pane()
        elif self.tab not in self.mode:
            self.tab = self.mode[0]
        shown = self.mode
        if large:
            shown = ("preview" if self.tab == "preview" else "results", "explain")
        elif alone:
            shown = ("explain",) if self.full and self.mode == ANSWER else (self.tab,)
        for name in (*ANSWER, *START):
            self.pane(name).display = name in shown
        remembered = app_of(self).remembered
        styles = self.body.styles
        third = self.pane(self.mode[2]).styles
        third.column_span = 1
        if large:
            styles.grid_size_columns, styles.grid_size_rows = 1, 2
            styles.grid_columns, styles.grid_rows = "1fr", f"1fr {min(15, max(5, (height - 4) // 2 + 1))}"
        elif alone:
            styles.grid_size_columns, styles.grid_size_rows = 1, 1
            styles.grid_columns, styles.grid_rows = "1fr", "1fr"
        elif shape == "wide":
            styles.grid_size_columns, styles.grid_size_rows = 3, 1
            styles.grid_columns, styles.grid_rows = _fractions(remembered.wide), "1fr"
        else:
            styles.grid_size_columns, styles.grid_size_rows = 2, 2
            styles.grid_columns = _fractions(remembered.medium)
            styles.grid_rows = _fractions(remembered.medium_height)
            third.column_span = 2
        self.refresh_titles()

    def on_resize(self, event: events.Resize) -> None:
        self.relayout()

    def set_mode(self, mode: tuple[str, ...]) -> None:
        if mode != self.mode:
            for before, after in zip(self.mode, mode, strict=True):
                old, new = self.target(before), self.target(after)
                if isinstance(old, Scrolled) and isinstance(new, Scrolled) and old.region.area:
                    new.expected = old.room  # they stand in the same place
            self.mode = mode
            self.full = False
            self.tab = mode[0]
            self.relayout()

    def action_divider(self, step: int) -> None:
        """Move the divider beside the focused pane by a few cells."""
        remembered = app_of(self).remembered
        if self.large or self.shape == "narrow" or self.full:
            self.say("there is no divider to move here: the panes stand one at a time")
            return
        focused = self.focused_pane() or self.mode[0]
        index = self.mode.index(focused) if focused in self.mode else 0
        if self.shape == "wide":
            _shift(remembered.wide, min(index, 1), step * 2 if index < 2 else -step * 2)
        elif self.shape == "medium":
            if index == 2:
                _shift(remembered.medium_height, 0, -step * 3)
            else:
                _shift(remembered.medium, 0, step * 2 if index == 0 else -step * 2)
        self.relayout()

    # ------------------------------------------------------------------ focus

    def focused_pane(self) -> str:
        """The pane that has the focus: its name, ``query``, or empty."""
        focused = self.focused
        if focused is None:
            return ""
        if focused is self.querybar.input:
            return "query"
        if focused in (self.preview, self.find):
            return "preview"
        return focused.id or ""

    def focus_pane(self, name: str) -> None:
        if name == "query":
            self.set_focus(self.querybar.input)
            return
        if name not in self.mode:
            name = self.mode[0]
        if self.full and name != "explain":
            self.full = False
            self.relayout()
        hidden = self.large and name in ("results", "preview") and not self.pane(name).display
        if (self.shape == "narrow" or hidden) and self.tab != name:
            self.set_focus(None)
            self.tab = name
            self.relayout()
        self.set_focus(self.target(name))

    def _step_pane(self, step: int) -> None:
        order = ("query", *(("explain",) if self.full else self.mode))
        here = self.focused_pane()
        at = order.index(here) if here in order else 0
        self.focus_pane(order[(at + step) % len(order)])

    def action_next_pane(self) -> None:
        self._step_pane(1)

    def action_previous_pane(self) -> None:
        self._step_pane(-1)

    def action_to_query(self) -> None:
        self.focus_pane("query")

    def action_to_results(self) -> None:
        if self.focused is self.find or self.preview.needle:
            self.close_find()
            self.focus_pane("preview")
        elif self.full:
            self.full = False
            self.relayout()
            self.focus_pane("results")
        else:
            self.focus_pane(self.mode[0])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.footer.context = getattr(event.widget, "context", "pane")
        self.footer.said = None
        self.footer.refresh()
        self.refresh_titles()

    def on_screen_suspend(self) -> None:
        self.footer.covered = True
        self.footer.refresh()

    def on_screen_resume(self) -> None:
        self.footer.covered = False
        self.footer.refresh()

    # ------------------------------------------------------------------ finding in the file

    def on_preview_find_asked(self) -> None:
        self.find.display = True
        self.set_focus(self.find)

    def close_find(self) -> None:
        self.find.display = False
        self.find.value = ""
        self.preview.find("")

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        if event.widget is self.find and not self.find.value:
            self.find.display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self.find:
            event.stop()
            self.preview.find(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.find:
            event.stop()
            self.focus_pane("preview")

    # ------------------------------------------------------------------ titles

    def titles(self) -> dict[str, tuple[list[Span], str]]:
        """Title and status of each pane; the subclasses know more."""
        return {}

    def refresh_titles(self) -> None:
        titles = self.titles()
        palette = app_of(self).palette
        narrow = self.shape == "narrow"
        for name, (title, status) in titles.items():
            text = Text()
            for words, role in title:
                text.append(words, palette.style(role) if role else None)
            self.pane(name).titled(*((None, None) if narrow else (text, Text(status))))
        if narrow:
            self.tabs.names = [
                (name, "".join(words for words, _ in titles[name][0])) for name in self.mode if name in titles
            ]
            self.tabs.current = self.tab
            self.tabs.status = titles[self.tab][1] if self.tab in titles else ""
            self.tabs.refresh()

    def say(self, text: str, role: str = "text") -> None:
        """A short remark in the footer, until the next key."""
        self.footer.said = (text, role)
        self.footer.refresh()

    def on_key(self, event: events.Key) -> None:
        if self.footer.said is not None:
            self.footer.said = None
            self.footer.refresh()

    # ------------------------------------------------------------------ mouse

    def on_tabs_clicked(self, message: Tabs.Clicked) -> None:
        self.focus_pane(message.name)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A divider is the pair of borders between two panes: pressing there starts to drag it."""
        if self.shape == "narrow" or self.full or self.large:
            return
        first, second, third = (self.pane(name).region for name in self.mode)
        x, y = event.screen_x, event.screen_y
        if y in first.line_range and x in (first.right - 1, second.x):
            self._dragged = "first"
        elif self.shape == "wide" and y in first.line_range and x in (second.right - 1, third.x):
            self._dragged = "second"
        elif self.shape == "medium" and y in (first.bottom - 1, third.y) and x in third.column_range:
            self._dragged = "height"
        if self._dragged:
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if not self._dragged:
            return
        remembered = app_of(self).remembered
        body = self.body.region
        across = round((event.screen_x - body.x) / max(1, body.width) * 100)
        if self._dragged == "height":
            share = round((event.screen_y - body.y) / max(1, body.height) * 100)
            _shift(remembered.medium_height, 0, share - remembered.medium_height[0])
        elif self.shape == "medium":
            _shift(remembered.medium, 0, across - remembered.medium[0])
        elif self._dragged == "first":
            _shift(remembered.wide, 0, across - remembered.wide[0])
        else:
            _shift(remembered.wide, 1, across - remembered.wide[0] - remembered.wide[1])
        self.relayout()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragged:
            self._dragged = ""
            self.capture_mouse(False)


def _fractions(shares: list[int]) -> str:
    return " ".join(f"{share}fr" for share in shares)


def _shift(shares: list[int], index: int, step: int) -> None:
    """Give the share at ``index`` ``step`` more, taken from the next one; none falls under a tenth."""
    low, high = 10 - shares[index], shares[index + 1] - 10
    step = min(max(step, low), high)
    shares[index] += step
    shares[index + 1] -= step


def screen_of(widget: Widget) -> Panes:
    return cast(Panes, widget.screen)
