"""The question and what was understood of it: subject bright, filler dim, filters as chips, the intent at the right."""

from __future__ import annotations

import re
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from fourfold.model import LETTERS, MODALITIES, Intent, Plan
from fourfold.tui.bars import ROLES, Span
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import Row, width_of
from fourfold.tui.themes import Palette
from fourfold.tui.widgets.base import Bar, app_of

FILTER = re.compile(r"(?<!\S)-?(?:lang|path|kind):\S*")


class Understood(Highlighter):
    """Colours the text being typed by the intent that was found in it."""

    def __init__(self, bar: QueryBar) -> None:
        self.bar = bar

    def highlight(self, text: Text) -> None:
        palette = self.bar.palette
        spans = self.bar.intent.spans if self.bar.intent is not None else ()
        inside = [(start, end) for start, end in spans if 0 <= start < end <= len(text)]
        at = 0
        for start, end in sorted(inside):
            text.stylize(palette.style("dim"), at, start)
            text.stylize(palette.style("bright bold"), start, end)
            at = end
        if inside:
            text.stylize(palette.style("dim"), at)
        for match in FILTER.finditer(text.plain):
            text.stylize(palette.style("text on:cursor"), match.start(), match.end())


#: Stands for a line break while a question of several lines is on the one line that is typed into.
BREAK = "⏎"
#: Characters that are kept of a pasted text.
MOST = 20_000


def on_one_line(text: str) -> str:
    """A pasted text for the line that is typed into: breaks stay, shown as a sign; nothing in it is obeyed."""
    text = text[:MOST].replace("\r\n", "\n").replace("\r", "\n").strip("\n").replace("\t", "    ")
    return "".join(BREAK if char == "\n" else char for char in text if char == "\n" or char.isprintable())


def as_asked(value: str) -> str:
    """What is asked when the line holds ``value``."""
    return value.replace(BREAK, "\n")


class QueryInput(Input):
    """The line that is typed into. Printable keys type; everything else is the bar's."""

    #: Its text may get longer than the line, but the line stays where it is: nothing else is laid out for a letter.
    virtual_size = Reactive(Size(0, 0))

    def _on_paste(self, event: events.Paste) -> None:
        """Code of several lines is pasted whole: it asks for code like it."""
        event.stop()
        event.prevent_default()
        start, end = self.selection
        self.replace(on_one_line(event.text), min(start, end), max(start, end))

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("query")]
    context = "query"
    DEFAULT_CSS = """
    QueryInput, QueryInput:focus { border: none; padding: 0; height: 1; width: 1fr; background: $background;
        background-tint: $background 0%; }
    QueryInput > .input--placeholder { color: $ff-dim; text-style: none; }
    QueryInput:ansi, QueryInput:ansi:focus { background: ansi_default; }
    """


class Badge(Bar):
    """Intent, its score, the strategy, and the letters of the modalities that run."""

    DEFAULT_CSS = "Badge { width: auto; height: 1; }"

    def rows(self, width: int) -> list[Row]:
        bar = self.parent
        return [Row((), tuple(bar.badge()))] if isinstance(bar, QueryBar) else []


class QueryBar(Horizontal):
    """Everything of the question's line; the screen hears `Input.Changed` of its input."""

    DEFAULT_CSS = """
    QueryBar { height: 3; border: round $ff-border; padding: 0 1; }
    QueryBar:focus-within { border: round $ff-border-focus; }
    QueryBar #prompt { width: 2; height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.intent: Intent | None = None
        self.plan: Plan | None = None
        self._shown: tuple[object, ...] = ()
        self.input = QueryInput(
            placeholder="Ask in words, by name, or with “quotes” · lang: path: kind:",
            highlighter=Understood(self),
            select_on_focus=False,
            id="query",
        )
        self.input.cursor_blink = False

    @property
    def palette(self) -> Palette:
        return app_of(self).palette

    def compose(self) -> ComposeResult:
        yield Prompt(id="prompt")
        yield self.input
        yield Badge(id="badge")

    def understood(self, intent: Intent | None, plan: Plan | None) -> None:
        """Show another intent and plan (None: nothing is asked)."""
        coloured = self.intent is not None or intent is not None
        self.intent, self.plan = intent, plan
        self.refresh_badge()
        if coloured:
            self.input.refresh()

    def refresh_badge(self) -> None:
        badge = self.query_one(Badge)
        inline = self.size.width >= 90 or self.bare
        spans = self.badge()
        if (now := (inline, spans, self.palette)) == self._shown:
            return
        self._shown = now
        badge.styles.width = width_of(spans) + 2 if inline and spans else 0
        badge.refresh()
        subtitle = "" if inline else self._markup(spans)
        if subtitle or self.border_subtitle:
            self.border_subtitle = subtitle

    def _markup(self, spans: list[Span]) -> str:
        """The same for the border, where it stands when the line is short; written as markup with plain colours."""
        if not spans:
            return ""
        palette = self.palette
        out = []
        for text, role in spans:
            name = role.split()[0]
            escaped = text.replace("[", "\\[")
            if palette.no_colour or palette.ansi:
                out.append(escaped)
            elif "on:" in role:
                ground = next(word[3:] for word in role.split() if word.startswith("on:"))
                out.append(f"[{palette.colour(name)} on {palette.colour(ground)}]{escaped}[/]")
            else:
                out.append(f"[{palette.colour(name)}]{escaped}[/]")
        return "".join(out)

    @property
    def bare(self) -> bool:
        """Whether the line stands without its border, so that everything must be on the line itself."""
        return not self.styles.border_bottom[0]

    def badge(self) -> list[Span]:
        intent, plan = self.intent, self.plan
        close = self.bare and self.size.width < 90
        if intent is None:
            return []
        spans: list[Span] = [(intent.name, "text"), (f" {intent.confidence:.2f}", "text")]
        if plan is None:
            return spans
        spans.append((" · ", "dim"))
        spans.append((plan.strategy, "text" if plan.strategy == "direct" else "dim"))
        if plan.strategy == "direct" and plan.runs and not close:
            spans.append((f" → {plan.runs[0]}", "dim"))
        if plan.overrides:
            spans.append((" set", "warning"))
        spans.append((" " if close else "  ", "text"))
        for name in MODALITIES:
            if name in plan.runs:
                spans.append((f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold"))
        return spans

    def on_resize(self) -> None:
        self.refresh_badge()


class Prompt(Bar):
    DEFAULT_CSS = "Prompt { width: 2; }"

    def rows(self, width: int) -> list[Row]:
        return [Row((("❯ ", "bright"),))]
