"""The plan: preset, strategy, modalities, weights, k and depth in one small panel; the list follows each change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.model import INTENTS, LETTERS, MODALITIES, Modality, Plan, PlanOptions
from fourfold.search.plan import WEIGHTS
from fourfold.tui.bars import ROLES, Span
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import BLANK, Row, row, short_number
from fourfold.tui.widgets.base import Lines

PRESETS = ("quick", "default", "thorough")
STRATEGIES: tuple[Literal["auto", "direct", "fused"], ...] = ("auto", "direct", "fused")
KS = (1, 5, 10, 20, 40, 60, 100, 200, 1000)
DEPTHS = (10, 50, 100, 200, 500, 1000)


class PlanLines(Lines):
    context = "panel"


class PlanPanel(ModalScreen[None]):
    """``changed`` is called with the options after each change; None means that everything is as the intent says."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("panel")]
    SCOPED_CSS = False
    CSS = """
    PlanPanel { align: right top; background: $background 0%; }
    PlanPanel > PlanLines { width: 62; max-width: 100%; height: auto; max-height: 100%; margin: 4 0 0 0;
        border: round $ff-border-focus; padding: 0 1; border-title-color: $ff-bright; border-subtitle-color: $ff-dim;
        background: $background; }
    """

    def __init__(self, options: PlanOptions, plan: Callable[[], Plan | None], changed: Callable[[PlanOptions], None]):
        super().__init__()
        self.options = options
        self.plan = plan
        self.changed = changed
        self.lines = PlanLines()

    def compose(self) -> ComposeResult:
        self.lines.border_title = "Plan"
        self.lines.border_subtitle = "← → change · space on/off · 0 as published · esc"
        yield self.lines

    def on_mount(self) -> None:
        self.fill()

    # ------------------------------------------------------------------ rows

    def fill(self) -> None:
        self.lines.set_rows(plan_rows(self.options, self.plan()))

    def _apply(self, options: PlanOptions) -> None:
        self.options = options
        self.changed(options)
        self.fill()

    def action_change(self, step: int) -> None:
        self._apply(changed(self.options, self.plan(), self.lines.current, step))

    def action_turn(self) -> None:
        self._apply(toggled(self.options, self.plan(), self.lines.current))

    def action_reset(self) -> None:
        self._apply(PlanOptions())

    def action_close(self) -> None:
        self.dismiss(None)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.action_turn()


def plan_rows(options: PlanOptions, plan: Plan | None) -> list[Row]:
    def choice(key: str, label: str, value: str, note: str, set_: bool) -> Row:
        return row(
            (f"{label:<12}", "dim"), ("‹ ", "dim"), (value, "bright" if set_ else "text"), (" ›", "dim"),
            right=[(note, "dim")], key=key,
        )  # fmt: skip

    rows = [
        choice("preset", "preset", options.preset, "how much is asked", options.preset != "default"),
        choice("strategy", "strategy", options.strategy,
               plan.strategy if plan and options.strategy == "auto" else "", options.strategy != "auto"),
        choice("intent", "intent", options.intent or "as understood",
               plan.intent.name if plan and options.intent is None else "", options.intent is not None),
        BLANK,
    ]  # fmt: skip
    for name in MODALITIES:
        runs = plan is not None and name in plan.runs
        on = options.only is None or name in options.only
        weight = plan.weights.get(name, 0.0) if plan is not None else 0.0
        set_ = plan is not None and weight != WEIGHTS[plan.intent.name][name]
        cells = round(weight * 20)
        state = "runs" if runs else "off" if not on else "not run"
        spans: list[Span] = [
            (f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold" if runs else "dim on:raised"),
            (f" {name:<11}", ROLES[name] if runs else "dim"),
            ("[x] " if on else "[ ] ", "text"), ("‹ ", "dim"),
            (f"{short_number(weight):<5}", "bright" if set_ else "text"),
            ("› ", "dim"), ("━" * cells, ROLES[name] if runs else "dim"), ("─" * (20 - cells), "faint"),
        ]  # fmt: skip
        rows.append(Row(tuple(spans), ((state, "dim"),), f"m:{name}"))
    rows.append(BLANK)
    k = plan.k if plan is not None else options.k or 40
    depth = plan.depth if plan is not None else options.depth or 200
    rows.append(choice("k", "k", str(k), "1/(k + rank): smaller k, steeper", options.k is not None))
    rows.append(choice("depth", "depth", str(depth), "hits of each list that are fused", options.depth is not None))
    if plan is not None and plan.reason:
        rows += [BLANK, row((f"{plan.strategy}: {plan.reason}".replace("_", " "), "dim"))]
    return rows


def next_of(values: tuple[int, ...], value: int, step: int) -> int:
    if step > 0:
        return next((each for each in values if each > value), values[-1])
    return next((each for each in reversed(values) if each < value), values[0])


def changed(options: PlanOptions, plan: Plan | None, key: str, step: int) -> PlanOptions:
    """``options`` with the value of row ``key`` moved by one step."""
    if key == "preset":
        at = PRESETS.index(options.preset) if options.preset in PRESETS else 1
        return replace(options, preset=PRESETS[(at + step) % len(PRESETS)])
    if key == "strategy":
        return replace(options, strategy=STRATEGIES[(STRATEGIES.index(options.strategy) + step) % len(STRATEGIES)])
    if key == "intent":
        names = (None, *INTENTS)
        return replace(options, intent=names[(names.index(options.intent) + step) % len(names)])
    if key == "k":
        return replace(options, k=next_of(KS, plan.k if plan else 40, step))
    if key == "depth":
        return replace(options, depth=next_of(DEPTHS, plan.depth if plan else 200, step))
    if key.startswith("m:"):
        name = next(each for each in MODALITIES if each == key[2:])
        weights: dict[Modality, float] = {each: plan.weights.get(each, 0.0) for each in MODALITIES} if plan else {}
        weights.update(options.weights or {})
        weights[name] = round(min(1.0, max(0.0, weights.get(name, 0.0) + step * 0.05)), 2)
        return replace(options, weights=weights) if any(weights.values()) else options
    return options


def toggled(options: PlanOptions, plan: Plan | None, key: str) -> PlanOptions:
    """``options`` with the modality of row ``key`` on or off; the last one stays on. Other rows go one step on."""
    if not key.startswith("m:"):
        return changed(options, plan, key, 1)
    name = next(each for each in MODALITIES if each == key[2:])
    on = set(options.only or MODALITIES)
    on ^= {name}
    if not on:
        return options
    return replace(options, only=None if len(on) == len(MODALITIES) else tuple(m for m in MODALITIES if m in on))
