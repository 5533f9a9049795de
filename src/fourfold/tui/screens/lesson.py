"""The lesson: lists, arithmetic and the list that they make in one view; a prediction before each step is revealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from fourfold.lab.exercises import HIGHEST, STEP, Exercise, solved
from fourfold.lab.lesson import WORDS, Entry, Lesson, Step, Sum, called, name, small
from fourfold.lab.what_if import Knobs, ranking
from fourfold.model import LETTERS, MODALITIES, Modality, Result
from fourfold.tui.bars import ROLES, Span, bar, pieces, scale
from fourfold.tui.keymap import bindings, named
from fourfold.tui.paint import BLANK, Row, compose, row, short_number
from fourfold.tui.sanitise import clean, shorten, wrap
from fourfold.tui.screens.compare import arrow
from fourfold.tui.widgets.base import Bar, app_of

#: Lines of a list and of the final list at 24 lines; more where there is more room.
LIST, RESULTS, TEXT = 5, 6, 3
KEYS = "→ on · ← back · 1-5 predict · esc leave"
EXERCISE_KEYS = "↑↓ which weight · + − change · s solution · → on · ← back · esc leave"
LAST_KEYS = "the last one · ↑↓ which weight · + − change · s solution · ← back · esc leave"


@dataclass
class Class:
    """Where a class stands: the step, what was predicted at each (None: shown without a guess), weights tried."""

    at: int = 0
    picked: dict[int, int | None] = field(default_factory=dict)
    weights: dict[int, dict[Modality, float]] = field(default_factory=dict)
    row: int = 0
    shown: set[int] = field(default_factory=set)

    def score(self, lesson: Lesson) -> tuple[int, int]:
        """Predictions that were right, of how many."""
        made = {at: pick for at, pick in self.picked.items() if pick is not None and at < len(lesson.steps)}
        return sum(lesson.steps[at].ask.right == pick for at, pick in made.items()), len(made)


def lesson_rows(lesson: Lesson, state: Class, width: int, height: int, *, plain: bool = False) -> list[Row]:
    """The whole view, ``height`` lines."""
    more = max(0, height - 24)
    deep, long = LIST + min(5, more // 2), RESULTS + min(5, more - more // 2)
    if state.at < len(lesson.steps):
        rows = _step_rows(lesson, state, width, deep, long, plain)
        keys = KEYS
    else:
        rows = _exercise_rows(lesson, state, width, deep, long, plain)
        keys = EXERCISE_KEYS if state.at + 1 < len(lesson.steps) + len(lesson.exercises) else LAST_KEYS
    rows = rows[: height - 1] + [BLANK] * (height - 1 - len(rows))
    return [*rows, row((f" {keys}", "dim"))]


def _head(lesson: Lesson, state: Class, title: str) -> Row:
    right, of = state.score(lesson)
    total = len(lesson.steps) + len(lesson.exercises)
    told: list[Span] = [(f"{right} of {of} right ", "text")] if of else []
    return row((f" {state.at + 1}/{total} ", "letter on:accent bold"), (f" {title}", "bright bold"), right=told)


def _text(text: str, width: int) -> list[Row]:
    lines = wrap(clean(text), width - 2)[:TEXT]
    return [row((f" {line}", "text")) for line in lines] + [BLANK] * (TEXT - len(lines))


def _rule(width: int) -> Row:
    return row(("─" * width, "faint"))


def _step_rows(lesson: Lesson, state: Class, width: int, deep: int, long: int, plain: bool) -> list[Row]:
    step = lesson.steps[state.at]
    revealed = state.at in state.picked
    hidden = state.at == 0 and not revealed
    follow = step.follow if revealed else ""
    rows = [_head(lesson, state, step.title), *_text(step.text, width), _rule(width)]
    rows += list_rows(lesson.lists, follow, width, deep, hidden=hidden)
    rows.append(_rule(width))
    if revealed:
        rows += _beside(step.sums, step.results, step.before, step.caption, step.follow, width, long, plain)
    else:
        before = lesson.steps[state.at - 1] if state.at else None
        rows += _waiting(before, width, long, plain)
    rows.append(_rule(width))
    return [*rows, *_ask_rows(step, state, width)]


def _ask_rows(step: Step, state: Class, width: int) -> list[Row]:
    ask = step.ask
    if state.at in state.picked:
        pick = state.picked[state.at]
        verdict = "" if pick is None else "✓ right: " if pick == ask.right else "✗ no: "
        text = f"{verdict}{ask.choices[ask.right]}. {ask.because}"
        lines = wrap(clean(text), width - 2)[:2]
        return [row((f" {clean(ask.question)}", "dim")), *(row((f" {line}", "bright")) for line in lines)]
    rows = [row((" ? ", "letter on:accent bold"), (f" {clean(ask.question)}", "bright bold"))]
    room = (width - 2) // (3 if len(ask.choices) > 4 else 2)
    spans: list[list[Span]] = [[], []]
    for number, choice in enumerate(ask.choices):
        text = shorten(clean(choice), room - 4)
        cell: list[Span] = [(f" {number + 1} ", "bright bold"), (f"{text:<{room - 3}}", "text")]
        spans[number // (3 if len(ask.choices) > 4 else 2)] += cell
    return [*rows, *(Row(tuple(line)) for line in spans if line)]


def list_rows(
    lists: Mapping[Modality, Sequence[Entry]], follow: str, width: int, deep: int, *, hidden: bool = False
) -> list[Row]:
    """The lists side by side; the followed file is bright, and shown at its own place where that is further down."""
    each = max(10, (width - len(lists)) // max(1, len(lists)))
    head: list[Span] = []
    for name_ in lists:
        tag = (f" {LETTERS[name_]} ", f"letter on:{ROLES[name_]} bold")
        head += compose(row(tag, (f" {WORDS[name_]}", ROLES[name_])), each)
        head.append((" ", "text"))
    rows = [Row(tuple(head))]
    columns = {modality: _shown(entries, follow, deep) for modality, entries in lists.items()}
    for line in range(deep):
        spans: list[Span] = []
        for entries in columns.values():
            entry = entries[line] if line < len(entries) else None
            if hidden:
                spans += compose(row((f"{line + 1:>2} ", "dim"), ("?", "dim")), each)
            elif entry is None:
                spans += compose(BLANK, each)
            else:
                role = "bright bold" if entry.path == follow else "text"
                mark = "▸" if entry.path == follow else " "
                spans += compose(row((f"{entry.rank + 1:>2}{mark}", "dim"), (clean(entry.label), role)), each)
            spans.append((" ", "text"))
        rows.append(Row(tuple(spans)))
    return rows


def _shown(entries: Sequence[Entry], follow: str, deep: int) -> list[Entry]:
    """The first ``deep`` places; the last of them gives way to the followed file's first one, if that is below."""
    kept = list(entries[:deep])
    if follow and not any(entry.path == follow for entry in kept):
        below = next((entry for entry in entries if entry.path == follow), None)
        if below is not None:
            kept[-1] = below
    return kept


def _beside(
    sums: Sequence[Sum], results: Sequence[Result], before: Mapping[str, int], caption: str, follow: str,
    width: int, long: int, plain: bool,
) -> list[Row]:  # fmt: skip
    """Arithmetic at the left, the list that it makes at the right."""
    left = width * 21 // 40
    right = width - left - 1
    rows = [Row((*compose(row((" ARITHMETIC", "dim bold")), left), *compose(row((caption, "dim")), right)))]
    made = result_rows(results, before, follow, right, plain=plain)
    for line in range(long):
        one = BLANK
        if line < len(sums):
            text = clean(sums[line].text)
            modality = sums[line].modality
            one = (
                row((f" {text[:1]}", ROLES[modality] + " bold"), (text[1:], "text"))
                if modality
                else row((f" {text}", "text"))
            )
        two = made[line] if line < len(made) else BLANK
        rows.append(Row((*compose(one, left), *compose(two, right))))
    return rows


def result_rows(
    results: Sequence[Result], before: Mapping[str, int], follow: str, width: int, *, plain: bool = False
) -> list[Row]:
    """Position, name, bar where there is room, score, and where it went."""
    full, cells = scale(results), 14 if width >= 60 else 0
    rows = []
    for result in results:
        sign = arrow(before.get(result.path), result.position) if before else ""
        drawn: list[Span] = [*bar(pieces(result), full, cells, plain=plain), (" ", "text")] if cells else []
        role = "bright bold" if result.path == follow else "text"
        rows.append(
            row(
                (f"{result.position:>2} ", "dim"), (clean(name(result)), role),
                right=[*drawn, (_score(result.score), "text"), (f" {sign:<4}", "bright" if sign.strip("=") else "dim")],
            )
        )  # fmt: skip
    return rows


def _score(score: float) -> str:
    return f"{score:.2f}" if score >= 1 else small(score)


def _waiting(before: Step | None, width: int, long: int, plain: bool) -> list[Row]:
    """What is known so far, while the prediction is open."""
    if before is None or not before.results:
        return [BLANK] * (long + 1)
    return _beside((), before.results, {}, f"so far: {before.caption}", "", width, long, plain)


# --------------------------------------------------------------------------- exercises


def _exercise_rows(lesson: Lesson, state: Class, width: int, deep: int, long: int, plain: bool) -> list[Row]:
    number = state.at - len(lesson.steps)
    exercise = lesson.exercises[number]
    fetched = lesson.fetched
    tried = state.weights.get(number, exercise.start)
    weights = {m: tried.get(m, 0.0) for m in MODALITIES if m in fetched.published.on}
    knobs = _with(lesson, weights)
    ranked = ranking(fetched, knobs, 12, under=False)
    done = solved(fetched, exercise.start, weights, exercise.target.path)
    target = clean(name(exercise.target))
    kind = exercise.intent.replace("_", " ")
    text = (
        f"These are the weights of “{kind}”. {target} stands at #{exercise.target.position} with them. "
        "Change one weight, in steps of .05, so that it comes first. The list follows at once."
    )
    rows = [_head(lesson, state, f"Exercise: make {target} come first"), *_text(text, width), _rule(width)]
    rows += list_rows(lesson.lists, exercise.target.path, width, deep)
    rows.append(_rule(width))
    left = width * 21 // 40
    results = result_rows(ranked.results, {}, exercise.target.path, width - left - 1, plain=plain)
    lines = [
        row((" WEIGHTS", "dim bold"), ("  one may differ from the start", "dim")),
        *_weights(exercise, weights, state.row),
    ]
    first = [row((f"with these weights, k = {knobs.k}", "dim")), *results]
    for line in range(long + 1):
        one = lines[line] if line < len(lines) else BLANK
        two = first[line] if line < len(first) else BLANK
        rows.append(Row((*compose(one, left), *compose(two, width - left - 1))))
    rows.append(_rule(width))
    place = ranked.positions.get(exercise.target.path)
    changed = sum(abs(weights[m] - exercise.start.get(m, 0.0)) > 1e-9 for m in weights)
    if done:
        told = f"✓ solved: {target} stands first, and one weight differs"
    elif place == 1:
        told = f"{target} stands first, but {changed} weights differ: one is enough"
    else:
        told = f"{target} stands at {f'#{place}' if place else 'no place'}; {changed} changed"
    if changed > 1:
        begin = "  ".join(f"{LETTERS[m]} {short_number(exercise.start.get(m, 0.0))}" for m in weights)
        told += f" (at the start {begin})"
    rows.append(row((f" {told}", "bright bold" if done else "text")))
    if number in state.shown:
        old = short_number(exercise.start.get(exercise.modality, 0.0))
        rows.append(row((f" one way: {called(exercise.modality)}: {old} → {short_number(exercise.weight)}", "dim")))
    return rows


def _weights(exercise: Exercise, weights: Mapping[Modality, float], current: int) -> list[Row]:
    rows = []
    for index, modality in enumerate(weights):
        value, cells = weights[modality], round(weights[modality] * 10)
        other = abs(value - exercise.start.get(modality, 0.0)) > 1e-9
        tag = (f" {LETTERS[modality]} ", f"letter on:{ROLES[modality]} bold")
        rows.append(
            row(
                (" ▌" if index == current else "  ", "accent"), tag,
                (f" {WORDS[modality]:<14}", "bright" if index == current else "text"),
                (f"{short_number(value):<5}", "bright bold" if other else "text"), ("• " if other else "  ", "dim"),
                ("━" * cells, ROLES[modality]), ("─" * (10 - cells), "faint"),
            )
        )  # fmt: skip
    return rows


def _with(lesson: Lesson, weights: Mapping[Modality, float]) -> Knobs:
    return replace(lesson.fetched.published, direct=False, weights=weights)


# --------------------------------------------------------------------------- the screen


class LessonView(Bar):
    """Everything is painted from the lesson and the state of the class."""

    can_focus = True
    context = "lesson"

    def __init__(self, lesson: Lesson, state: Class) -> None:
        super().__init__()
        self.lesson, self.state = lesson, state
        self._made: tuple[tuple[int, int], list[Row]] | None = None

    def changed(self) -> None:
        self._made = None
        self.refresh()

    def rows(self, width: int) -> Sequence[Row]:
        size = (width, self.size.height)
        if self._made is None or self._made[0] != size:
            plain = app_of(self).palette.no_colour
            self._made = (size, lesson_rows(self.lesson, self.state, *size, plain=plain))
        return self._made[1]


class LessonScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lesson"), *named("help_too")]
    SCOPED_CSS = False
    CSS = """
    LessonScreen { background: $background; }
    LessonScreen > LessonView { height: 100%; width: 100%; }
    """

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self.lesson, self.state = lesson, Class()
        self.view = LessonView(lesson, self.state)

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()

    @property
    def total(self) -> int:
        return len(self.lesson.steps) + len(self.lesson.exercises)

    def action_step(self, by: int) -> None:
        """On: reveal what is hidden, else the next step. Back: the step before, as it was left."""
        state = self.state
        if by > 0 and state.at < len(self.lesson.steps) and state.at not in state.picked:
            state.picked[state.at] = None
        else:
            state.at = min(max(0, state.at + by), self.total - 1)
            state.row = 0
        self.view.changed()

    def action_predict(self, number: int) -> None:
        state = self.state
        open_ones = self.lesson.steps[state.at].ask.choices if state.at < len(self.lesson.steps) else ()
        if state.at not in state.picked and number < len(open_ones):
            state.picked[state.at] = number
            self.view.changed()

    def action_row(self, by: int) -> None:
        if self.state.at >= len(self.lesson.steps):
            self.state.row = (self.state.row + by) % len(self._weights())
            self.view.changed()

    def action_weight(self, by: int) -> None:
        if self.state.at >= len(self.lesson.steps):
            weights = self._weights()
            modality = list(weights)[self.state.row]
            value = round(min(HIGHEST, max(0.0, weights[modality] + by * STEP)), 2)
            changed = {**weights, modality: value}
            if any(changed.values()):
                self.state.weights[self.state.at - len(self.lesson.steps)] = changed
                self.view.changed()

    def action_solution(self) -> None:
        if self.state.at >= len(self.lesson.steps):
            self.state.shown ^= {self.state.at - len(self.lesson.steps)}
            self.view.changed()

    def _weights(self) -> dict[Modality, float]:
        """The weights as tried in the exercise at hand, of the modalities that run."""
        number = self.state.at - len(self.lesson.steps)
        start = self.lesson.exercises[number].start
        tried = self.state.weights.get(number, dict(start))
        return {m: tried.get(m, 0.0) for m in MODALITIES if m in self.lesson.fetched.published.on}

    def action_close(self) -> None:
        self.dismiss(None)
