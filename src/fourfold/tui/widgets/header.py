"""The first line (which codebase, how much of it is indexed) and the last (the keys of the place you are in)."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from fourfold.model import LETTERS, MODALITIES, IndexState, Progress
from fourfold.tui.bars import ROLES, Span, meter
from fourfold.tui.paint import Row, row, thousands, width_of
from fourfold.tui.sanitise import clean
from fourfold.tui.widgets.base import Bar, app_of

_STAGES = {"walk": "looking", "parse": "reading", "graph": "linking", "vectors": "embedding"}


@dataclass
class HeaderState:
    root: str = ""
    changed: int | None = None
    index: IndexState | None = None
    progress: Progress | None = None
    preset: str = "default"
    problem: str = ""


def progress_words(progress: Progress | None) -> str:
    """“reading 1,204/2,914”, or empty when nothing is going on."""
    if progress is None or progress.stage not in _STAGES:
        return ""
    if progress.total:
        return f"{_STAGES[progress.stage]} {progress.done:,}/{progress.total:,}"
    return f"{_STAGES[progress.stage]} {progress.done:,}" if progress.done else _STAGES[progress.stage]


def header_row(state: HeaderState, width: int, *, plain: bool = False) -> Row:
    """The first line; what matters least goes first when it gets narrow."""
    index = state.index
    parts: list[tuple[int, list[Span]]] = [(9, [("fourfold", "bright bold")]), (9, [(clean(state.root), "text")])]
    if index is not None and (index.branch or index.commit):
        parts.append((5, [(clean(f"{index.branch} {index.commit[:6]}".strip()), "dim")]))
    if state.changed:
        parts.append((4, [(f"● {state.changed} changed", "dim")]))
    if index is not None and index.counts.files:
        parts.append((3, [(f"{index.counts.files:,} files", "dim")]))
        parts.append((2, [(f"{thousands(index.counts.chunks)} chunks", "dim")]))
    words = progress_words(state.progress)
    if state.problem:
        parts.append((8, [(clean(state.problem), "error")]))
    elif words:
        parts.append((7, [(words, "text")]))
    bars: list[Span] = []
    short: list[Span] = []
    for name in MODALITIES:
        share = index.coverage.get(name, 0.0) if index is not None else 0.0
        if name == "semantic" and index is not None and index.embedder == "none":
            bars += [(f"{LETTERS[name]} ", "dim"), ("off ", "dim"), ("  ", "text")]
            short += [(LETTERS[name], "dim"), (" off ", "dim")]
            continue
        bars += [(f"{LETTERS[name]} ", f"{ROLES[name]} bold"), *meter(name, share, 4, plain=plain)]
        bars.append((f" {share:.0%}  " if share < 0.995 else "  ", "text"))
        short += [(LETTERS[name], f"{ROLES[name]} bold"), (" " if share >= 0.995 else f" {share:.0%} ", "text")]
    parts.append((6, bars[:-1] + [(bars[-1][0].rstrip(), "text")]))
    parts.append((1, [("preset ", "dim"), (state.preset, "text")]))
    levels = sorted({level for level, _ in parts})
    for least in [0, *levels]:
        kept = [spans for level, spans in parts if level > least]
        if sum(width_of(spans) for spans in kept) + 3 * (len(kept) - 1) + 2 <= width:
            return _joined(kept)
        if least == 5:
            kept = [short if spans and level == 6 else spans for level, spans in parts if level > least]
            if sum(width_of(spans) for spans in kept) + 3 * (len(kept) - 1) + 2 <= width:
                return _joined(kept)
    return row((" " + clean(state.root), "text"))


def _joined(parts: list[list[Span]]) -> Row:
    spans: list[Span] = [(" ", "text")]
    for index, part in enumerate(parts):
        if index == 1:
            spans.append((" ", "text"))
        elif index:
            spans.append(("   ", "text"))
        spans += part
    return Row(tuple(spans))


class Header(Bar):
    DEFAULT_CSS = "Header { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = HeaderState()

    def rows(self, width: int) -> list[Row]:
        return [header_row(self.state, width, plain=self.palette.no_colour)]


class Footer(Bar):
    """The keys that work here, from the keymap; as many as there is room for, help always."""

    DEFAULT_CSS = "Footer { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.context = "query"
        self.said: Span | None = None
        #: Nothing is shown while another screen stands over this one: its keys are other ones.
        self.covered = False

    def rows(self, width: int) -> list[Row]:
        if self.covered:
            return []
        if self.said is not None:
            return [row((" ", "text"), self.said)]
        return [footer_row(app_of(self).keymap.footer(self.context), width)]


def footer_row(keys: list[tuple[str, str]], width: int) -> Row:
    """(key, words) side by side; the help key is always among them, at the end."""
    helps = next(((key, words) for key, words in keys if words == "help"), None)
    rest = [pair for pair in keys if pair != helps]
    tail = [(f"{helps[0]} ", "bright"), (helps[1], "dim")] if helps else []
    room = width - width_of(tail) - 2
    spans: list[Span] = [(" ", "text")]
    for key, words in rest:
        part: list[Span] = [(f"{key} ", "bright"), (f"{words}   ", "dim")]
        if width_of(spans) + width_of(part) > room:
            break
        spans += part
    return Row(tuple(spans + tail))


class Tabs(Bar):
    """In a narrow terminal: which pane is shown, which others there are, and that pane's status at the right."""

    DEFAULT_CSS = "Tabs { height: 1; display: none; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names: list[tuple[str, str]] = []
        self.current = ""
        self.status = ""

    def rows(self, width: int) -> list[Row]:
        spans: list[Span] = []
        for name, title in self.names:
            here = name == self.current
            spans.append(("▌" if here else " ", "accent"))
            spans.append((title, "bright bold" if here else "dim"))
            spans.append(("  ", "text"))
        return [Row(tuple(spans), ((self.status + " ", "dim"),) if self.status else ())]

    class Clicked(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def on_click(self, event: events.Click) -> None:
        if name := self.at(event.x):
            self.post_message(self.Clicked(name))

    def at(self, x: int) -> str:
        """The name of the tab at column ``x``, or empty."""
        column = 0
        for name, title in self.names:
            column += len(title) + 3
            if x < column:
                return name
        return ""
