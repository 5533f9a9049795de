"""The explanation of an answer and of one of its results, as rows. Read from the Answer; no score is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fourfold.lab.ceiling import own_ceiling
from fourfold.lab.rule_accuracy import accuracy
from fourfold.model import LETTERS, MODALITIES, Answer, Modality, Result
from fourfold.tui.bars import ROLES, Piece, Span, bar
from fourfold.tui.evidence import evidence_rows, raw_rows
from fourfold.tui.paint import BLANK, Row, compose, counted, row, short_number
from fourfold.tui.sanitise import clean, wrap

DIRECT_LINE = 0.85
#: From this width on, the question and the result stand side by side.
TWO_COLUMNS = 92
#: factor (a modality's name, ``boost``, ``demotion``) → path → position without it.
Without = Mapping[str, Mapping[str, int]]
_NUMBERS = {2: "both", 3: "all three", 4: "all four"}


def explain_rows(
    answer: Answer,
    result: Result | None,
    width: int,
    without: Without | None = None,
    *,
    plain: bool = False,
    low: bool = False,
    tight: bool = False,
) -> list[Row]:
    """All rows of the panel. Rows of a modality have the key ``m:NAME``: choosing one opens its list.

    Where there is room, the question stands at the left and the result beside it; in a ``low`` panel the arithmetic
    comes first, in a ``tight`` one without any line that could be spared.
    """
    if result is None:
        return _question(answer, width, keyed=True)
    first = [row((text, "bright")) for text in wrap(summary(answer, result, without), width)]
    if tight and result is not None:
        score = [line for line in _score(answer, result, width, plain) if line != BLANK]
        return [*first, *score[1:], BLANK, *_question(answer, width), BLANK, *_evidence(result, width)]
    if width < TWO_COLUMNS and low:
        score, rest = _score(answer, result, width, plain), _evidence(result, width)
        return [*first, BLANK, *score, BLANK, *_question(answer, width), BLANK, *rest]
    if width < TWO_COLUMNS:
        return [*first, BLANK, *_question(answer, width), BLANK, *_result(answer, result, width, plain)]
    left = min(56, width // 2 - 2)
    right = min(72, width - left - 3)
    return [*first, BLANK, *beside(_question(answer, left), _result(answer, result, right, plain), left)]


def beside(left: Sequence[Row], right: Sequence[Row], width: int) -> list[Row]:
    """Two columns; the rows keep the keys of the right one."""
    rows = []
    for index in range(max(len(left), len(right))):
        one = left[index] if index < len(left) else BLANK
        two = right[index] if index < len(right) else BLANK
        rows.append(replace(two, lead=((" ", "text"), *compose(one, width), (" │", "faint"))))
    return rows


def _question(answer: Answer, width: int, *, keyed: bool = False) -> list[Row]:
    return [*_intent(answer, width), BLANK, *_strategy(answer, width, keyed=keyed)]


def _result(answer: Answer, result: Result, width: int, plain: bool) -> list[Row]:
    return [*_score(answer, result, width, plain), BLANK, *_evidence(result, width)]


def _evidence(result: Result, width: int) -> list[Row]:
    parts = result.contributions
    rows = [row(("EVIDENCE", "dim bold")), *evidence_rows(parts, width)]
    return [*rows, BLANK, row(("RAW SCORES, WHICH MAKE THE RANKS", "dim bold")), *raw_rows(parts, width)]


# --------------------------------------------------------------------------- the sentence


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def summary(answer: Answer, result: Result, without: Without | None) -> str:
    """One plain sentence that says why the result stands where it stands, and what would change that."""
    head = next((each for each in answer.results if each.path == result.path), result)
    if head.chunk_id != result.chunk_id:
        return f"Another hit of a file that stands at #{head.position}: the file's best chunk speaks for it."
    names = [part.modality for part in result.contributions]
    if not names:
        return f"#{result.position}."
    if answer.plan.strategy == "direct":
        rank = result.contributions[0].rank + 1
        text = f"The question is clear enough for {names[0]} alone, which has this "
        text += "first" if rank == 1 else f"at #{rank}"
        if result.demotion < 1:
            text += f"; {clean(result.demotion_reason or 'its path')} counts {short_number(result.demotion)}"
        elif rank > result.position:
            text += "; what it has above is demoted, or another hit of a file that is listed"
        return text + "."
    first = "First" if result.position == 1 else f"#{result.position}"
    ran = [name for name in answer.plan.runs if answer.lists.get(name) and answer.lists[name].status == "ran"]
    if len(names) == 1:
        others = [name for name in ran if name != names[0]]
        text = f"{first} on {names[0]} alone" + (f": {_list(others)} did not list it" if others else "")
        best = own_ceiling(answer.results, result, answer.plan.k)
        if best is not None and best > 1:
            text += f"; with these weights nothing found so can stand above #{best}"
    elif len(names) == len(ran):
        text = f"{first} because {_NUMBERS[len(names)]} retrievers agree"
    else:
        text = f"{first} because {_list(names)} agree"
    return text + _counterfactual(result, names, without)


def _counterfactual(result: Result, names: Sequence[Modality], without: Without | None) -> str:
    if not without:
        return "."
    parts = []
    if result.boost > 1.0005:
        parts.append(("the boost", "boost"))
    if result.demotion < 1:
        parts.append(("its demotion", "demotion"))
    if len(names) > 1:
        best = max(result.contributions, key=lambda part: part.contribution)
        parts.append((best.modality, best.modality))
    said = []
    for words, factor in parts:
        position = without.get(factor, {}).get(result.path)
        if position is None:
            continue
        said.append(f"without {words} {'still ' if position == result.position else ''}#{position}")
    return ". " + "; ".join(said)[:1].upper() + "; ".join(said)[1:] + "." if said else "."


def formula(answer: Answer, result: Result) -> str:
    """The whole score as one line of arithmetic that can be pasted into a calculator."""
    k = answer.plan.k
    parts = [f"{short_number(part.weight)}/({k}+{part.rank + 1})" for part in result.contributions]
    return f"({' + '.join(parts) or '0'}) × {result.boost:.6g} × {short_number(result.demotion)} = {result.score:.6g}"


# --------------------------------------------------------------------------- the whole question


def gauge(confidence: float, width: int) -> list[Span]:
    """The rule's score on a line from 0 to 1, with a mark where direct answers begin."""
    filled = round(confidence * width)
    tick = min(width - 1, round(DIRECT_LINE * width))
    spans: list[Span] = []
    for index in range(width):
        if index == tick:
            spans.append(("┃", "warning"))
        elif index < filled:
            spans.append(("━", "bright"))
        else:
            spans.append(("─", "faint"))
    return spans


def _intent(answer: Answer, width: int) -> list[Row]:
    intent = answer.intent
    rows = [row(("INTENT", "dim bold"))]
    head: list[Span] = [(intent.name, "bright"), (f" {intent.confidence:.2f} ", "text")]
    room = width - len(intent.name) - 6 - 15
    if room >= 8:
        head += [*gauge(intent.confidence, min(room, 24)), (" direct ≥ .85", "dim")]
    rows.append(Row(tuple(head)))
    words = f"rule {intent.rule}"
    if intent.cue:
        words += f" “{clean(intent.cue)}”"
    if intent.subject:
        words += f" · about {clean(intent.subject)}"
    words += " · hand-set, not a probability"
    measured = accuracy(intent.rule)
    if measured is not None:
        words += f" · measured: right in {measured[0]} of {measured[1]}"
    rows += [row((text, "dim")) for text in wrap(words, width)]
    if intent.also:
        also = ", ".join(f"{rule.rule} → {rule.name} {rule.confidence:.2f}" for rule in intent.also[:3])
        rows += [row((text, "dim")) for text in wrap(f"would also fire: {also}", width)]
    return rows


def _strategy(answer: Answer, width: int, *, keyed: bool) -> list[Row]:
    plan = answer.plan
    rows = [row(("STRATEGY", "dim bold"))]
    rows.append(row((plan.strategy, "bright"), (f" · {clean(plan.preset)} · k {plan.k} · depth {plan.depth}", "text")))
    if plan.reason:
        rows += [row((text, "dim")) for text in wrap(clean(plan.reason).replace("_", " "), width)]
    for name in MODALITIES:
        rows += _modality(answer, name, width, keyed)
    if plan.overrides:
        text = "set by you: " + ", ".join(clean(each) for each in plan.overrides)
        rows += [row((line, "text")) for line in wrap(text, width)]
    if plan.filters:
        text = "limited to " + ", ".join(filter_words(answer))
        rows += [row((line, "text")) for line in wrap(text, width)]
    for notice in answer.notices:
        for index, line in enumerate(wrap(clean(notice.text), width - 2)):
            rows.append(row(("▪ " if not index else "  ", "warning"), (line, "warning")))
    return rows


def filter_words(answer: Answer) -> list[str]:
    filters = answer.plan.filters
    return [
        *(f"lang:{clean(each)}" for each in filters.languages),
        *(f"kind:{clean(each)}" for each in filters.kinds),
        *(f"path:{clean(each)}" for each in filters.paths),
        *(f"-path:{clean(each)}" for each in filters.not_paths),
    ]


def _modality(answer: Answer, name: Modality, width: int, keyed: bool) -> list[Row]:
    key = f"m:{name}" if keyed else ""
    hits = answer.lists.get(name)
    share = answer.index.coverage.get(name, 0.0)
    status = hits.status if hits is not None else "off" if name in answer.plan.off else "not_run"
    if status == "ran" and hits is not None:
        tag = (f" {LETTERS[name]} ", f"letter on:{ROLES[name]} bold")
        weight = 1.0 if answer.plan.strategy == "direct" else answer.plan.weights.get(name, 0.0)
        count = counted(len(hits.hits), "hit")
        spans: list[Span] = [
            tag, (f" {name:<11}", ROLES[name]), (f"w {short_number(weight):<5}", "text"),
            (f"{count:>9}", "text"), (f"{hits.ms:>7.1f} ms", "dim"),
        ]  # fmt: skip
        rows = [Row(tuple(spans), (), key)]
        notes = [clean(hits.how)] if hits.how else []
        if hits.partial:
            notes.append("partial: cut by its time budget")
        if share < 0.995:
            notes.append(f"{share:.0%} of the code so far")
        if not hits.confident:
            notes.append("below its noise floor")
        rows += [row(("    ", "text"), (line, "dim"), key=key) for line in wrap(" · ".join(notes), width - 4) if line]
        return rows
    tag = (f" {LETTERS[name]} ", "dim on:raised")
    words = {
        "off": "off: switched off by you",
        "not_built": "off: this root has no embedder"
        if name == "semantic" and answer.index.embedder == "none"
        else f"not built yet: {share:.0%} of the code",
        "failed": f"failed: {clean(hits.error) if hits else ''}",
    }.get(status) or _why_not_run(answer, name)
    spans = [tag, (f" {name:<11}", "dim"), (words, "error" if status == "failed" else "dim")]
    return [Row(tuple(spans), (), "")]


def _why_not_run(answer: Answer, name: Modality) -> str:
    plan = answer.plan
    if plan.strategy == "direct":
        return "not run: one alone answers"
    if plan.weights.get(name, 0.0) == 0:
        return "not run: its weight is 0"
    if answer.intent.rule == "1":
        return "not run: nothing to search for"
    if plan.preset == "default":
        return "not run: outside the top three"
    return f"not run: {clean(plan.preset)}"


# --------------------------------------------------------------------------- the selected result


def _score(answer: Answer, result: Result, width: int, plain: bool) -> list[Row]:
    rows = [row((f"WHY #{result.position}" if result.position else "WHY", "dim bold"))]
    wide = width >= 46
    header = f"{'':<11}{'rank':<6}{'weight':<7}" + (f"{'1/(k+#)':<9}" if wide else "") + "contribution"
    rows.append(row((header, "dim")))
    parts = {part.modality: part for part in result.contributions}
    first = answer.results[0].contributions if answer.results else ()
    full = max((part.contribution for part in (*first, *result.contributions)), default=0.0)
    room = width - 11 - 6 - 7 - (9 if wide else 0) - 9
    for name in MODALITIES:
        part = parts.get(name)
        key = f"m:{name}" if name in answer.lists and answer.lists[name].hits else ""
        if part is None:
            rows.append(_no_part(answer, name, wide, key))
            continue
        spans: list[Span] = [
            (f"{name:<11}", ROLES[name]), (f"#{part.rank + 1:<5}", "bright"), (f"{_dot(part.weight):<7}", "text")
        ]  # fmt: skip
        if wide:
            spans.append((f"{'1/' + str(answer.plan.k + part.rank + 1):<9}", "text"))
        spans.append((f"{small(part.contribution)} ", "text"))
        if room >= 4:
            spans += bar([Piece(name, part.contribution)], full, min(room - 1, 16), plain=plain)
        rows.append(Row(tuple(spans), (), key))
    rows.append(BLANK)
    rows += _arithmetic(answer, result, width)
    return rows


def _no_part(answer: Answer, name: Modality, wide: bool, key: str) -> Row:
    hits = answer.lists.get(name)
    weight = "" if answer.plan.strategy == "direct" else _dot(answer.plan.weights.get(name, 0.0))
    ran = hits is not None and hits.status == "ran"
    none = name == "semantic" and answer.index.embedder == "none" and hits is not None and hits.status == "not_built"
    words = (
        "off: no embedder"
        if none
        else (hits.status if hits else "off" if name in answer.plan.off else "not_run").replace("_", " ")
    )
    if ran and hits:
        count = len(hits.hits)
        words = (
            f"not in its first {answer.plan.depth}"
            if count >= answer.plan.depth
            else f"not among its {counted(count, 'hit')}"
        )
    return row((f"{name:<11}", "dim"), (f"{'—':<6}", "dim"), (f"{weight:<7}", "dim"), (words, "dim"), key=key)


def _dot(value: float) -> str:
    """.5 for 0.5, as columns of weights read best."""
    text = short_number(value)
    return text[1:] if text.startswith("0.") else text


def small(value: float, places: int = 5) -> str:
    text = f"{value:.{places}f}"
    return text[1:] if text.startswith("0.") else text


def _arithmetic(answer: Answer, result: Result, width: int) -> list[Row]:
    total = sum(part.contribution for part in result.contributions)
    spans: list[Span] = [
        ("Σ ", "text"), (small(total), "text"), (" × boost ", "dim"), (f"{result.boost:.3f}", "text"),
        (" × demotion ", "dim"), (short_number(result.demotion), "text"), (" = ", "dim"),
        (small(result.score), "bright"),
    ]  # fmt: skip
    rows = [Row(tuple(spans))]
    notes: list[str] = []
    if answer.plan.strategy == "direct":
        notes.append("▒ boost 1: a direct answer has none")
    elif result.boost >= 1.4999:
        notes.append(f"▒ boost = 1 + 0.3 ln(1 + {result.centrality:.2f}), cap 1.5 holds")
    else:
        notes.append(f"▒ boost = 1 + 0.3 ln(1 + {result.centrality:.2f}), cap 1.5")
    if result.demotion < 1:
        notes.append(f"╌ demotion {short_number(result.demotion)}: {clean(result.demotion_reason or 'its path')}")
    notes.append(_neighbours(answer, result))
    for note in notes:
        rows += [row((text, "dim")) for text in wrap(note, width) if text]
    return rows


def _neighbours(answer: Answer, result: Result) -> str:
    by_position = {each.position: each for each in answer.results}
    if by_position.get(result.position) is not result:
        return ""
    above, below = by_position.get(result.position - 1), by_position.get(result.position + 1)
    first = f"▲ {small(above.score - result.score)} to #{above.position}" if above else "▲ nothing above"
    second = f"▼ {small(result.score - below.score)} to #{below.position}" if below else "▼ nothing below"
    return f"{first}   {second}"
