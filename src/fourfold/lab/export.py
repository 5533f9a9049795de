"""An explanation as a file to hand on: JSON with every number, or Markdown to read. Nothing is computed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fourfold.model import MODALITIES, Answer, Contribution, Evidence, Result
from fourfold.search.serialise import answer_json, dumps, modality_status

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def file_name(query: str, ending: str) -> str:
    """``fourfold-how-are-tasks-scheduled.md``: a name made of the question's words, safe everywhere."""
    words = re.findall(r"[a-z0-9]+", query.lower())
    stem = "-".join(words)[:48].strip("-") or "answer"
    return f"fourfold-{stem}.{ending}"


def as_json(answer: Answer) -> str:
    """The whole Answer, schema 1, as ``fourfold search --json`` prints it."""
    return dumps(answer_json(answer), indent=2) + "\n"


def as_markdown(answer: Answer, chosen: Result | None = None, command: str = "") -> str:
    """The question, how it was understood and answered, the list with its ranks, and in full the result ``chosen``."""
    return "\n".join(_lines(answer, chosen, command)) + "\n"


def _lines(answer: Answer, chosen: Result | None, command: str) -> Iterator[str]:
    intent, plan, index = answer.intent, answer.plan, answer.index
    yield f"# {_code(answer.question.text)}"
    yield ""
    cue = f", cue {_code(intent.cue)}" if intent.cue else ""
    subject = f", about {_code(intent.subject)}" if intent.subject else ""
    yield f"- intent: {intent.name}, score {intent.confidence:.2f} of rule {intent.rule}{cue}{subject}"
    yield f"- strategy: {plan.strategy} ({_text(plan.reason)})"
    yield f"- preset {_text(plan.preset)}, k = {plan.k}, depth {plan.depth}"
    if plan.overrides:
        yield f"- set by hand: {_text(', '.join(plan.overrides))}"
    commit = f", commit {_code(index.commit[:12])}" if index.commit else ""
    yield f"- index: generation {index.generation}{commit}"
    for notice in answer.notices:
        yield f"- note: {_text(notice.text)}"
    if command:
        yield f"- again: {_code(command)}"
    yield ""
    yield "| modality | weight | state | hits | ms | how |"
    yield "|---|---:|---|---:|---:|---|"
    for name in MODALITIES:
        hits = answer.lists.get(name)
        weight = 1.0 if plan.strategy == "direct" and name in plan.runs else plan.weights.get(name, 0.0)
        figures = f"{len(hits.hits)} | {hits.ms:.1f} | {_text(hits.how or hits.error)}" if hits else " | | "
        yield f"| {name} | {weight:g} | {modality_status(plan, answer.lists, name).replace('_', ' ')} | {figures} |"
    yield ""
    yield f"## Results: {len(answer.results)} of {answer.total}"
    yield ""
    yield "| # | result | place | S | T | A | G | Σ | boost | demotion | score |"
    yield "|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for result in answer.results:
        yield _row(result)
    yield ""
    if chosen is not None:
        yield from _in_full(answer, chosen)


def _row(result: Result) -> str:
    ranks = {part.modality: f"{part.rank + 1}" for part in result.contributions}
    cells = [
        str(result.position), _code(result.symbol or "lines"), _code(f"{result.path}:{result.start_line}"),
        *(ranks.get(name, "") for name in MODALITIES), f"{_sum(result):.6f}", f"{result.boost:.4f}",
        f"{result.demotion:g}", f"{result.score:.6f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _sum(result: Result) -> float:
    return sum(part.contribution for part in result.contributions)


def _in_full(answer: Answer, result: Result) -> Iterator[str]:
    yield f"## Why #{result.position}: {_code(result.symbol or result.path)}"
    yield ""
    k = answer.plan.k
    for part in result.contributions:
        yield (
            f"- {part.modality}: #{part.rank + 1}, {part.weight:g} × 1/({k} + {part.rank + 1}) = {part.contribution!r}"
        )
    demotion = f" ({_text(result.demotion_reason)})" if result.demotion_reason else ""
    yield (
        f"- Σ {_sum(result)!r} × boost {result.boost!r} (centrality {result.centrality:g}) "
        f"× demotion {result.demotion:g}{demotion} = {result.score!r}"
    )
    yield ""
    for part in result.contributions:
        yield from _evidence(part)


def _evidence(part: Contribution) -> Iterator[str]:
    yield f"### {part.modality}"
    yield ""
    yield f"- raw score {part.raw_score!r} = {_terms(part.evidence)}"
    evidence = part.evidence
    if evidence.bits_differ is not None:
        beside = f", unrelated code about {evidence.bits_unrelated:.0f}" if evidence.bits_unrelated is not None else ""
        yield f"- {evidence.bits_differ} of {evidence.bits} bits differ{beside}"
    if evidence.symbol:
        yield f"- symbol {_code(evidence.symbol)}: {_text(evidence.match)}"
    for matched in evidence.matched:
        yield f"- {_code(matched.term)} on {_numbers(matched.lines)}"
    for step in evidence.path:
        yield (
            f"- {_code(step.source)} → {_code(step.target)}: {step.kind}, {step.certainty}, "
            f"{_code(f'{step.path}:{step.line}')}"
        )
    yield ""


def _numbers(lines: Sequence[int]) -> str:
    shown = ", ".join(str(line) for line in lines[:20]) + (" …" if len(lines) > 20 else "")
    return f"line{'' if len(lines) == 1 else 's'} {shown}" if lines else "lines not kept"


def _terms(evidence: Evidence) -> str:
    """Folded from the left, as the score is: ``((a + b) × c)``."""
    text = "0"
    for index, term in enumerate(evidence.terms):
        value = f"{term.value!r} {_text(term.name)}"
        if not index and term.op == "+":
            text = value
        elif term.op == "+":
            text = f"{text} + {value}"
        else:
            text = f"({text}) × {value}"
    return text


def _text(text: str | None) -> str:
    """Words of the codebase or of a person, which must not be taken for markup, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", _CONTROL.sub("�", text or ""))


def _code(text: str) -> str:
    """A code span that holds ``text`` whatever is in it; a bar is written so that a table keeps its cells."""
    plain = _CONTROL.sub("�", text).replace("|", "\\|")
    ticks = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    space = " " if plain.startswith("`") or plain.endswith("`") or not plain.strip() else ""
    return f"{ticks}{space}{plain}{space}{ticks}"
