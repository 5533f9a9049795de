"""An Answer for people: compact results with their contributions stacked, or one vimgrep line a match."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from fourfold.cli.terminal import Paint
from fourfold.harmless import harmless, harmless_code
from fourfold.model import LETTERS, MODALITIES, Answer, Contribution, Result, Step
from fourfold.search.serialise import modality_status

#: Cells of the longest stacked bar.
BAR_CELLS = 30
#: Lines of code shown under a result.
SHOWN_LINES = 3
#: Characters of one line of code.
SHOWN_WIDTH = 160


def answer_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    """The whole answer, a line at a time: what was understood, notices, then the results."""
    yield from heading(answer, paint)
    best = max((result.score for result in answer.results), default=0.0)
    width = len(str(len(answer.results)))
    for result in answer.results:
        yield ""
        yield from _result(result, best, width, paint)
    if more := hidden_files(answer):
        yield ""
        yield paint.dim(more)


def hidden_files(answer: Answer) -> str:
    """How many files the limit hides and what shows them; empty when it hides none."""
    hidden = answer.total - len(answer.results)
    if hidden <= 0 or not answer.results:
        return ""
    cut = any(notice.code == "partial" for notice in answer.notices)
    shows = "shows those of the list, which is not whole" if cut else "shows all"
    return f"{hidden} more {'file' if hidden == 1 else 'files'}; --limit {answer.total} {shows}"


def heading(answer: Answer, paint: Paint) -> Iterator[str]:
    intent, plan = answer.intent, answer.plan
    cue = f" “{harmless(intent.cue)}”" if intent.cue else ""
    ran = [m for m in MODALITIES if modality_status(plan, answer.lists, m) == "ran"]
    used = " ".join(paint.modality(m, f"{LETTERS[m]} {m}") for m in ran) or "nothing ran"
    yield f"{paint.strong(intent.name)} {intent.confidence:.2f} {paint.dim(f'rule {intent.rule}{cue}')}"
    yield f"{paint.strong(plan.strategy)} {paint.dim(f'({harmless(plan.reason)})')} {used}"
    if plan.overrides:
        yield paint.dim(f"set by hand: {harmless(', '.join(plan.overrides))}")
    for modality in MODALITIES:
        status = modality_status(plan, answer.lists, modality)
        if status in ("failed", "not_built"):
            error = answer.lists[modality].error if modality in answer.lists else ""
            yield f"{modality}: {status.replace('_', ' ')}{': ' + harmless(error) if error else ''}"
    for notice in answer.notices:
        yield f"! {harmless(notice.text)}"


def _result(result: Result, best: float, width: int, paint: Paint) -> Iterator[str]:
    indent = " " * (width + 1)
    place = f"{harmless(result.path)}:{result.start_line}-{result.end_line}"
    name = f"{paint.strong(harmless(result.symbol))} {paint.dim(result.kind)}  " if result.symbol else ""
    more = paint.dim(f"  +{result.more_in_file} more in this file") if result.more_in_file else ""
    stale = "  (changed since it was indexed)" if result.stale else ""
    yield f"{result.position:>{width}} {name}{place}{more}{_unsure(result)}{stale}"
    yield f"{indent}{result.score:.4f} {bar(result, best, paint)} {arithmetic(result, paint)}"
    for number, line in shown_lines(result):
        yield f"{indent}{paint.dim(f'{number:>5}')} {harmless_code(line)[:SHOWN_WIDTH]}"


def bar(result: Result, best: float, paint: Paint) -> str:
    """The score as letters, one run a modality and ``+`` for what the boost adds; the best result's is the longest."""
    if best <= 0 or result.score <= 0:
        return ""
    cells = max(1, round(BAR_CELLS * result.score / best))
    parts: list[tuple[float, str, Contribution | None]] = [
        (part.contribution * result.demotion, LETTERS[part.modality], part) for part in result.contributions
    ]
    parts.append(
        (result.demotion * (result.boost - 1.0) * sum(p.contribution for p in result.contributions), "+", None)
    )
    drawn, done, text = 0, 0.0, ""
    for value, sign, contribution in parts:
        done += value
        end = round(cells * done / result.score)
        run = sign * max(0, end - drawn)
        drawn = max(drawn, end)
        text += paint.modality(contribution.modality, run) if contribution is not None else paint.dim(run)
    return text


def arithmetic(result: Result, paint: Paint) -> str:
    """``(S #3 0.0116 + A #1 0.0146) × boost 1.08 × demotion 0.50 (tests)``."""
    parts = [
        f"{paint.modality(part.modality, LETTERS[part.modality])} #{part.rank + 1} {part.contribution:.4f}"
        for part in result.contributions
    ]
    text = " + ".join(parts)
    factors = ""
    if result.boost != 1.0:
        factors += f" × boost {result.boost:.2f}"
    if result.demotion != 1.0:
        reason = f" ({harmless(result.demotion_reason)})" if result.demotion_reason else ""
        factors += f" × demotion {result.demotion:.2f}{reason}"
    return f"({text}){factors}" if factors and len(parts) > 1 else text + factors


def shown_lines(result: Result) -> list[tuple[int, str]]:
    """Up to three lines of the snippet, in order: those of references, then those with most of the question's words;
    where there is neither, its first that has text."""
    lines = result.snippet.split("\n")
    numbered = {result.start_line + offset: line for offset, line in enumerate(lines)}
    matched = [(n, numbered[n]) for n in result.matched_lines if n in numbered and numbered[n].strip()]
    if matched:
        words: dict[int, set[str]] = {}
        for part in result.contributions:
            for term in part.evidence.matched:
                for number in term.lines:
                    words.setdefault(number, set()).add(term.term)
        referred = {step.line for step in references(result)}
        best = sorted(matched, key=lambda row: (row[0] not in referred, -len(words.get(row[0], ())), row[0]))
        best = best[:SHOWN_LINES]
        return sorted(best)
    return [(n, line) for n, line in numbered.items() if line.strip()][:1]


def references(result: Result) -> list[Step]:
    """The first step of each path through the graph that a result stands for, where it is written in the result."""
    steps = [part.evidence.path[0] for part in result.contributions if part.evidence.path]
    return [step for step in steps if step.path == result.path and result.start_line <= step.line <= result.end_line]


def _unsure(result: Result) -> str:
    """A remark for a result whose path has a step that several definitions may be meant by."""
    steps = [step for part in result.contributions for step in part.evidence.path if step.certainty == "ambiguous"]
    return f"  (ambiguous {steps[0].kind}: {harmless(steps[0].path)}:{steps[0].line})" if steps else ""


def vimgrep_lines(answer: Answer, folder: Path, read: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """``path:line:column:text`` a match, for an editor's quickfix list; paths lead there from ``folder``.

    A literal or pattern gives every line that it was found on, and no other; other questions give one line a result.
    ``read`` gives the lines of a file by its path in the index.
    """
    every = is_exact(answer)
    found_on = {hit.chunk_id: hit.lines for hit in answer.lists["text"].hits} if "text" in answer.lists else {}
    for result in answer.results:
        if every:  # only the scan for it names lines: those of words are looked up later, and stand in no hit
            hits = (result, *result.others)
            numbers = sorted({number for hit in hits for number in found_on.get(hit.chunk_id, ())})
        else:
            numbers = sorted(result.matched_lines) or [result.start_line]
        lines = read(result.path)
        path = harmless(relative_to(folder, Path(answer.root) / result.path))
        for number in numbers if every else [number for number, _ in shown_lines(result)[:1]] or numbers[:1]:
            text = lines[number - 1] if number <= len(lines) else ""
            found = [term.term for part in result.contributions for term in part.evidence.matched]
            yield f"{path}:{number}:{column(text, [answer.intent.subject or '', *found])}:{harmless_code(text)}"


def is_exact(answer: Answer) -> bool:
    """Whether a literal, a regular expression or a path was asked for, which either stands in the code or does not."""
    return answer.plan.regex or (
        answer.intent.name == "exact_match"
        and bool(answer.intent.subject)
        and answer.intent.pattern in ("literal", "regex", "path")
    )


def column(text: str, words: Iterable[str]) -> int:
    """The byte column, from 1, of the first of ``words`` that stands in a line, in any case; 1 where none does."""
    folded = text.lower()
    at = next((place for word in words if word and (place := folded.find(word.lower())) >= 0), 0)
    return len(text[:at].encode("utf-8", "replace")) + 1


def relative_to(folder: Path, target: Path) -> str:
    """``target`` as seen from ``folder`` when it lies inside it, else whole; with ``/`` between parts."""
    try:
        return target.relative_to(folder).as_posix()
    except ValueError:
        return os.fspath(target).replace(os.sep, "/")
