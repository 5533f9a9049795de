"""What if: values at the left, the list that they make at the right, with arrows for who moved; nothing is asked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen

from fourfold.lab.ceiling import own_ceiling
from fourfold.lab.flips import Flip, flips
from fourfold.lab.what_if import (
    RULE_NAMES,
    RULES,
    Fetched,
    Knobs,
    Move,
    Ranking,
    as_question,
    curve,
    leave_out,
    left,
    moves,
    positions,
    ranking,
)  # fmt: skip
from fourfold.model import LETTERS, MODALITIES, Modality, Question, Result
from fourfold.tui.bars import ROLES, Span, bar, pieces, scale
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, counted, number, row, short_number
from fourfold.tui.sanitise import shorten_name, shorten_path, wrap
from fourfold.tui.screens.compare import arrow
from fourfold.tui.screens.plan import DEPTHS, KS, next_of
from fourfold.tui.widgets.base import Lines, app_of, heading
from fourfold.tui.widgets.results import title_of

if TYPE_CHECKING:
    from fourfold.tui.screens.moving import Moving

SHOWN = 60
LEFT = 41
#: Seconds without a change after which the curve and the flips are looked for.
PAUSE = 0.15
_NOTES = {
    "weighted": "published", "plain": "every weight 1", "sum": "scores, not ranks", "mnz": "sum × lists",
}  # fmt: skip


class KnobLines(Lines):
    context = "whatif"


class RankedLines(Lines):
    can_focus = False
    context = "whatif"


class WhatIfScreen(ModalScreen[Question | None]):
    """Hands back the question that asks with these values, when it is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("whatif", "panel")]
    SCOPED_CSS = False
    CSS = """
    WhatIfScreen { background: $background; }
    WhatIfScreen > Horizontal { height: 100%; }
    WhatIfScreen KnobLines, WhatIfScreen RankedLines { height: 100%; border: round $ff-border; padding: 0 1 0 0;
        border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    WhatIfScreen KnobLines { width: 44; border: round $ff-border-focus; }
    WhatIfScreen.narrow KnobLines { width: 36; }
    WhatIfScreen RankedLines { width: 1fr; }
    """

    def __init__(self, owner: Moving, fetched: Fetched, path: str) -> None:
        super().__init__()
        self.owner = owner
        self.fetched = fetched
        self.path = path
        self.knobs = fetched.published
        self.published = self.ranking = ranking(fetched, self.knobs, SHOWN, under=False)
        self.closer = Closer()
        self._number = 0
        self.left = KnobLines()
        self.right = RankedLines()

    def compose(self) -> ComposeResult:
        heading(self.left, "What if")
        with Horizontal():
            yield self.left
            yield self.right

    def on_mount(self) -> None:
        if not self.path and self.ranking.results:
            self.path = self.ranking.results[0].path
        self._look_closer()

    def on_lines_resized(self, message: Lines.Resized) -> None:
        narrow = self.app.size.width < 96
        self.set_class(narrow, "narrow")
        self.left.border_subtitle = (
            "0 reset · y copy · enter ask" if narrow else "0 published · y command · enter ask so"
        )
        self.fill()

    # ------------------------------------------------------------------ showing

    def fill(self) -> None:
        plain = app_of(self).palette.no_colour
        self.left.set_rows(
            [*knob_rows(self.fetched, self.knobs, self.left.line_width - 2, plain=plain), BLANK,
             *closer_rows(self.ranking, self.path, self.knobs, self.closer, self.left.line_width - 2)]
        )  # fmt: skip
        moved = moves(self.published.positions, self.ranking.results)
        gone = left(self.published.results, self.ranking.positions, 20)
        self.right.set_rows(
            ranked_rows(moved, gone, self.right.line_width - 2, plain=plain), f"r{self.path}" if self.path else None
        )
        self.right.reveal()
        heading(self.right, f"{counted(len(self.ranking.positions), 'file')} under these values")
        changed = sum(1 for move in moved[:10] if move.before != move.result.position)
        self.right.border_subtitle = f"{changed} of the first 10 moved"

    def _apply(self, knobs: Knobs) -> None:
        """Rank under other values at once (a few milliseconds); what takes longer follows after a pause."""
        if knobs == self.knobs:
            return
        self.knobs, self.closer = knobs, Closer()
        self.ranking = ranking(self.fetched, knobs, SHOWN, under=False)
        self._look_closer(PAUSE)

    def _look_closer(self, pause: float = 0.0) -> None:
        """The followed result's curve over k, its place without each modality, and what would swap it with the one
        above it (below it, for the first); after ``pause`` seconds without another change."""
        self._number += 1
        number, fetched, knobs, path = self._number, self.fetched, self.knobs, self.path
        pair = neighbours(self.ranking.results, path)

        def going() -> bool:
            return number == self._number

        def work() -> Closer | None:
            end = time.monotonic() + pause
            while going() and time.monotonic() < end:
                time.sleep(0.01)
            if not path or not going():
                return None
            points = curve(fetched, knobs, path, going)
            without = {name: _place_without(fetched, knobs, name, path) for name in knobs.runs if going()}
            found = flips(fetched, knobs, pair[0].path, pair[1].path) if pair and going() else []
            return Closer(points, without, found)

        def done(value: Closer | None) -> None:
            if value is not None and going() and self.is_attached:
                self.closer = value
                self.fill()

        self.fill()
        self.owner.start(work, done, self.owner.report)

    # ------------------------------------------------------------------ keys

    def action_change(self, step: int) -> None:
        self._apply(changed(self.fetched, self.knobs, self.left.current, step))

    def action_turn(self) -> None:
        self._apply(turned(self.fetched, self.knobs, self.left.current))

    def action_reset(self) -> None:
        self._apply(self.fetched.published)

    def action_rule(self, number: int) -> None:
        """Fusion by another rule, one key each; a direct answer becomes a fused one."""
        self._apply(replace(fuse_first(self.fetched, self.knobs), rule=RULES[number]))

    def action_follow(self, step: int) -> None:
        paths = [result.path for result in self.ranking.results]
        if paths:
            at = paths.index(self.path) if self.path in paths else -1 if step > 0 else 0
            self.path = paths[(at + step) % len(paths)]
            self.closer = Closer()
            self._look_closer()

    def action_copy(self) -> None:
        question, words = as_question(self.fetched, self.knobs)
        self.owner.copy_text(self.owner.session.command(question, words))
        self.left.border_subtitle = "command copied"

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        if message.lines is self.left:
            self.dismiss(as_question(self.fetched, self.knobs)[0])

    def on_lines_moved(self, message: Lines.Moved) -> None:
        if message.lines is self.right and message.key.startswith("r"):
            self.path = message.key[1:]
            self._look_closer()

    def action_close(self) -> None:
        self.dismiss(None)


# --------------------------------------------------------------------------- rows


def knob_rows(fetched: Fetched, knobs: Knobs, width: int, *, plain: bool = False) -> list[Row]:
    """One row a value; what differs from the published ones is bright and marked."""
    published = fetched.published

    def value(key: str, label: str, text: str, note: str, other: bool) -> Row:
        mark = "•" if other else " "
        return row(
            (f"{label:<9}", "dim"), ("‹ ", "dim"), (text, "bright" if other else "text"), (f" ›{mark}", "dim"),
            right=[(note, "dim")] if width >= 38 else (), key=key,
        )  # fmt: skip

    rows = []
    if published.direct:
        word = "direct" if knobs.direct else "fused"
        note = "one list alone" if knobs.direct else "as if not direct"
        rows.append(value("direct", "strategy", word, note, not knobs.direct))
    rows.append(value("rule", "fusion", RULE_NAMES[knobs.rule], _NOTES[knobs.rule], knobs.rule != "weighted"))
    rows.append(BLANK)
    for name in MODALITIES:
        on = name in knobs.on
        hits = fetched.direct if knobs.direct else fetched.lists
        count = len(hits[name].hits) if name in hits else 0
        weight = 1.0 if knobs.direct or knobs.rule == "plain" else knobs.weights.get(name, 0.0)
        other = weight != published.weights.get(name) and not knobs.direct
        note = f"{count} hit" if count == 1 else f"{count} hits"
        track = 10 if width >= 38 else 3  # beside four digits of hits
        cells = min(track, round(weight * track)) if on else 0
        spans: list[Span] = [
            (f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold" if on else "dim on:raised"),
            (" [x] " if on else " [ ] ", "text" if on else "dim"), ("‹ ", "dim"),
            (f"{short_number(weight):<4}", "bright" if other else "text"), ("›", "dim"),
            ("• " if other or on != (name in published.on) else "  ", "dim"),
            (("=" if plain else "━") * cells, ROLES[name]), ("─" * (track - cells), "faint"),
        ]  # fmt: skip
        rows.append(row(*spans, right=[(note, "dim")], key=f"m:{name}"))
    rows.append(BLANK)
    rows.append(value("k", "k", str(knobs.k), "1/(k + rank)", knobs.k != published.k))
    rows.append(value("depth", "depth", str(knobs.depth), "of each list", knobs.depth != published.depth))
    direct = knobs.direct
    boost = "none" if direct else short_number(knobs.boost)
    rows.append(value("boost", "boost", boost, "× ln(1 + centrality)", not direct and knobs.boost != published.boost))
    cap = "none" if direct else short_number(knobs.cap)
    rows.append(value("cap", "cap", cap, "of the boost", not direct and knobs.cap != published.cap))
    demotion = "as published" if knobs.demotion is None else f"× {short_number(knobs.demotion)}"
    rows.append(value("demotion", "demoted", demotion, "tests …", knobs.demotion is not None))
    return rows


@dataclass(frozen=True, slots=True)
class Closer:
    """What takes a little longer to find out about the followed result; ``flips`` None: not known yet."""

    curve: Sequence[tuple[int, int | None]] = ()
    without: Mapping[Modality, int | None] = field(default_factory=dict)
    flips: Sequence[Flip] | None = None


def _place_without(fetched: Fetched, knobs: Knobs, name: Modality, path: str) -> int | None:
    changed = leave_out(knobs, name)
    return positions(fetched, changed).get(path) if changed is not None else None


def closer_rows(ranked: Ranking, path: str, knobs: Knobs, closer: Closer, width: int = LEFT - 2) -> list[Row]:
    """The followed result's place over k and without each modality, its ceiling where that holds it down, and the
    smallest changes that swap it with its neighbour."""
    place = ranked.positions.get(path)
    result = next((each for each in ranked.results if each.path == path), None)
    if result is None:
        text = "the followed result is in no list now" if place is None else f"the followed result is at #{place} now"
        return [row((text, "dim"))] if path else []
    rows = [row((f"#{result.position} {shorten_name(title_of(result), max(8, width - 14))} OVER K", "dim bold"))]
    if closer.curve:
        places = [place for _, place in closer.curve]
        rows.append(row((sparkline(places, 2 if 2 * len(places) <= width else 1), "bright")))
        (low, first), (high, last) = closer.curve[0], closer.curve[-1]
        rows.append(row((f"k {low}: {_number(first)} … k {high}: {_number(last)}", "dim")))
    elif knobs.direct or knobs.rule in ("sum", "mnz"):
        rows.append(row(("k has no part in this" if not knobs.direct else "one list: k changes no order", "dim")))
    if len(closer.without) > 1:
        spans: list[Span] = [("without ", "dim")]
        for name, other in closer.without.items():
            spans += [(f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold"), (f" {_number(other)} ", "text")]
        rows.append(row(*spans))
    if knobs.rule in ("weighted", "plain") and not knobs.direct:
        best = own_ceiling(ranked.results, result, knobs.k)
        if best is not None and best > 1:
            only = result.contributions[0].modality
            rows += [row((text, "text")) for text in wrap(f"{only} alone finds it: at best #{best} with this", width)]
    pair = neighbours(ranked.results, path)
    if pair is not None:
        upper, lower = pair
        words = f"#{lower.position} ABOVE #{upper.position}"
        what = "SMALLEST CHANGE THAT PUTS" if width >= 38 else "SMALLEST CHANGE:"
        rows += [BLANK, row((f"{what} {words}", "dim bold"))]
        if closer.flips is None:
            rows.append(row(("…", "dim")))
        elif not closer.flips:
            rows += [row((text, "text")) for text in wrap(no_flip(knobs, upper, lower), width)]
        for flip in closer.flips or ():
            rows.append(flip_row(flip))
    return rows


def _number(place: int | None) -> str:
    return "—" if place is None else f"#{place}"


def flip_row(flip: Flip) -> Row:
    role = "text" if flip.what == "k" else ROLES[flip.what]
    old, new = short_number(flip.old), short_number(flip.new)
    change = flip.new - flip.old
    return row(
        (f"{flip.what:<11}", role), (f"{old} → {new}", "text"),
        right=[(f"{'+' if change > 0 else '−'}{short_number(abs(change))}", "dim")],
    )  # fmt: skip


def no_flip(knobs: Knobs, upper: Result, lower: Result) -> str:
    if knobs.direct:
        return "none can: one list alone makes the order"
    if knobs.rule != "weighted":
        return "no single weight has a say under this rule"
    same = {p.modality for p in upper.contributions} == {p.modality for p in lower.contributions}
    reason = "the upper one is ahead in every list" if same else "what it lacks in one list no other makes up for"
    return f"none can alone: {reason}"


def sparkline(places: Sequence[int | None], cells: int = 2) -> str:
    """Positions as columns of ``cells`` cells, the first place highest, a gap where there is none; logarithmic."""
    import math

    known = [place for place in places if place is not None]
    worst = math.log(max(known, default=1)) or 1.0
    steps = "▁▂▃▄▅▆▇█"
    out = ""
    for place in places:
        if place is None:
            out += " " * cells
        else:
            height = 7 - round(math.log(place) / worst * 7) if place > 1 else 7
            out += steps[max(0, height)] * cells
    return out


def neighbours(ranked: Sequence[Result], path: str) -> tuple[Result, Result] | None:
    """The result of ``path`` with the one above it, as (upper, lower); the first one with the one below it."""
    at = next((index for index, each in enumerate(ranked) if each.path == path), None)
    if at is None or len(ranked) < 2:
        return None
    return (ranked[at - 1], ranked[at]) if at else (ranked[0], ranked[1])


def ranked_rows(moved: Sequence[Move], gone: Sequence[Result], width: int, *, plain: bool = False) -> list[Row]:
    """One line a result: where it stands, where it came from, what it is, and its bar where there is room."""
    full = scale([move.result for move in moved])
    cells = min(40, width * 3 // 10) if width >= 56 else 8 if width >= 36 else 0
    rows = []
    for move in moved[:SHOWN]:
        result = move.result
        sign = arrow(move.before, result.position)
        right: list[Span] = [(f" {number(result.score)}", "text")] if width >= 36 else []
        if cells:
            right = [*bar(pieces(result), full, cells, plain=plain), *right]
        room = width - 10 - (7 if right else 0) - cells - 1
        name = shorten_name(title_of(result), max(8, min(room, 34)))
        spans: list[Span] = [
            (f"{result.position:>3} ", "dim"), (f"{sign:<5}", "dim" if sign == "=" else "bright"), (name, "text"),
        ]  # fmt: skip
        rest = room - cell_len(name) - 2
        if rest >= 12:
            spans.append((f"  {shorten_path(result.path, rest)}", "dim"))
        rows.append(row(*spans, right=right, key=f"r{result.path}"))
    if not moved:
        rows.append(row(("nothing is left under these values", "text")))
    for result in gone:
        rows.append(row(("    ", "text"), ("gone ", "bright"), (title_of(result), "dim"),
                        (f"  was #{result.position}", "dim")))  # fmt: skip
    return rows


# --------------------------------------------------------------------------- values


def changed(fetched: Fetched, knobs: Knobs, key: str, step: int) -> Knobs:
    """``knobs`` with the value of row ``key`` one step on. Whatever a direct answer has no use for makes it fused."""
    published = fetched.published
    if key == "direct":
        return replace(knobs, direct=not knobs.direct, on=published.on if not knobs.direct else fused_on(fetched))
    if key == "k":
        return replace(knobs, k=next_of(KS, knobs.k, step))
    if key == "depth":
        return replace(knobs, depth=next_of(DEPTHS, knobs.depth, step))
    if key == "demotion":
        now = knobs.demotion
        at = 5 if now is None else round(now * 10) + step
        if now is None:
            return replace(knobs, demotion=round((at + step) / 10, 1))
        return replace(knobs, demotion=round(min(10, max(0, at)) / 10, 1))
    knobs = fuse_first(fetched, knobs)
    if key == "rule":
        return replace(knobs, rule=RULES[(RULES.index(knobs.rule) + step) % len(RULES)])
    if key == "boost":
        return replace(knobs, boost=round(min(2.0, max(0.0, knobs.boost + step * 0.1)), 2))
    if key == "cap":
        return replace(knobs, cap=round(min(5.0, max(1.0, knobs.cap + step * 0.1)), 2))
    if key.startswith("m:"):
        name = _modality(key)
        weight = round(min(1.0, max(0.0, knobs.weights.get(name, 0.0) + step * 0.05)), 2)
        weights = {**knobs.weights, name: weight}
        on = tuple(m for m in MODALITIES if m in knobs.on or m == name)
        if any(weights[m] for m in on):
            return replace(knobs, weights=weights, on=on)
    return knobs


def turned(fetched: Fetched, knobs: Knobs, key: str) -> Knobs:
    """``knobs`` with the modality of ``key`` on or off; the last one with a weight stays. Other rows go a step on."""
    if not key.startswith("m:"):
        return changed(fetched, knobs, key, 1)
    knobs = fuse_first(fetched, knobs)
    name = _modality(key)
    on = tuple(m for m in MODALITIES if (m in knobs.on) != (m == name))
    weights = dict(knobs.weights)
    if name in on and not weights.get(name):
        weights[name] = 0.1
    return replace(knobs, on=on, weights=weights) if any(weights.get(m) for m in on) else knobs


def fuse_first(fetched: Fetched, knobs: Knobs) -> Knobs:
    return replace(knobs, direct=False, on=fused_on(fetched)) if knobs.direct else knobs


def fused_on(fetched: Fetched) -> tuple[Modality, ...]:
    """The modalities that a direct question would have run, had it been fused: the three of the highest weight."""
    weights = fetched.plan.weights
    best = sorted((m for m in MODALITIES if weights.get(m, 0.0) > 0), key=lambda m: -weights[m])[:3]
    return tuple(m for m in MODALITIES if m in best)


def _modality(key: str) -> Modality:
    return next(name for name in MODALITIES if name == key[2:])
