"""``fourfold explain``: an answer in full arithmetic, and why a target stands where it stands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.cli import lab
from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.lab import add_lab
from fourfold.cli.options import Parser, add_everywhere, add_search, question, question_text
from fourfold.cli.session import Session, open_session, remark
from fourfold.cli.terminal import Paint, wants_colour
from fourfold.harmless import harmless
from fourfold.model import LETTERS, MODALITIES, Answer, Contribution, Evidence, Modality, Result

if TYPE_CHECKING:
    from fourfold.lab.what_if import Ranking
    from fourfold.lab.why_not import Target, WhyNot


def parser() -> Parser:
    made = Parser(
        "explain",
        "Show how each result's score comes about, and where a target drops out.",
        [
            ("fourfold explain how are retries paced", "every number of the list"),
            ("fourfold explain 'retry policy' --target src/backoff.py", "why is this file not first?"),
            (
                "fourfold explain 'retry policy' --target src/backoff.py:Backoff.next",
                "the same for a symbol (or :LINE)",
            ),
            ("fourfold explain 'retry policy' --what-if 'boost=0 rule=plain'", "the list under other rules"),
            ("fourfold explain 'retry policy' --lab", "what swaps neighbours; each list left out"),
            ("fourfold explain 'retry policy' --compare preset=thorough", "two plans side by side"),
            ("fourfold explain 'retry policy' --save then.json", "keep it; --open then.json, --diff then.json"),
        ],
    )
    add_search(made)
    made.add_argument("--target", metavar="PATH[:LINE|:SYMBOL]", help="the file, line or symbol to account for")
    add_lab(made)
    made.add_argument("--json", action="store_true", help="the answer as JSON, schema 1, with its target")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_mixed(argv, "query")
    if args.open is not None or args.diff is not None:
        return _from_snapshots(args)
    if not args.query:
        raise Problem("no question given (see fourfold explain --help)", "no_question")
    text = question_text(args.query)
    if args.target is not None and not args.target.strip():
        raise Problem("--target names no file: give PATH, PATH:LINE or PATH:SYMBOL", "bad_target")
    question(args, text)
    with open_session(args) as session:
        asked = question(args, text, session.settings.preset, session.settings.limit)
        answer = session.ask(asked)
        why = None
        if args.target is not None:
            from fourfold.lab.why_not import why_not

            why = why_not(session.engine, session.scoped(asked), read_target(args.target, session))
        more = _further(answer, session, args)
        if args.what_if:
            answer, more.before = lab.what_if(answer, session, args.what_if, asked.limit)
        if args.save is not None:
            lab.keep(args.save, answer, session)
        if args.export is not None:
            lab.export(args.export, answer, session.command(asked))
        _print(answer, why, session, args, more)
        if why is None and not answer.results and not args.quiet:
            from fourfold.cli.search import nothing_found

            remark(nothing_found(answer, session))
    found = why.present if why is not None else bool(answer.results)
    return FOUND if found else NOTHING


@dataclass
class Further:
    """What else was asked for: JSON parts by name and lines to print; ``before`` is the list that a what-if changed."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    before: Ranking | None = None


def _further(answer: Answer, session: Session, args: argparse.Namespace) -> Further:
    made, paint = Further(), Paint(wants_colour(sys.stdout))
    if args.compare is not None:
        _, found, name = lab.compared(answer, session, args.compare, args)
        made.data["compared"] = lab.compare_json(name, found)
        made.lines += ["", *lab.compare_lines(name, found, paint)]
    if args.lab:
        about = lab.lab_of(answer, session)
        made.data["lab"] = lab.lab_json(about)
        made.lines += ["", *lab.lab_lines(about, paint)]
    return made


def _from_snapshots(args: argparse.Namespace) -> int:
    paint = Paint(wants_colour(sys.stdout))
    if args.query:
        raise Problem("a snapshot brings its own question: leave out QUERY", "usage")
    if args.diff is not None:
        return lab.run_diff(args.diff, args, paint)
    from fourfold.lab.snapshot import shown

    answer = shown(lab.opened(args.open).answer)
    if args.export is not None:
        lab.export(args.export, answer, "")
    if args.json:
        from fourfold.search.serialise import answer_json, dumps

        print(dumps(answer_json(answer)))
    else:
        for line in explained(answer, paint):
            print(line)
    return FOUND if answer.results else NOTHING


def read_target(given: str, session: Session) -> Target:
    """``PATH``, ``PATH:LINE`` or ``PATH:SYMBOL``; the path is relative to the folder searched, the root or here."""
    from fourfold.lab.why_not import Target

    whole = _path(given, session)
    head, colon, tail = given.rpartition(":")
    if session.reader.file(whole) is not None or not colon or not head or not tail:
        return Target(whole)
    if tail.isdecimal():
        return Target(_path(head, session), line=int(tail[:12]))
    return Target(_path(head, session), symbol=tail)


def _path(given: str, session: Session) -> str:
    """The path as the index knows it; the first reading that is a known file, else relative to the root. Bytes that are
    no UTF-8 are escaped, as in the ledger."""
    given = os.fsencode(given).decode("utf-8", "backslashreplace")
    root, folder = session.place.root, session.place.folder
    readings = []
    for base in (folder, root, Path.cwd()):
        try:
            readings.append((base / given).resolve().relative_to(root).as_posix())
        except (ValueError, OSError, RuntimeError):
            continue
    known = [reading for reading in readings if session.reader.file(reading) is not None]
    return (known or readings or [given])[0]


# --------------------------------------------------------------------------- printing


def _print(answer: Answer, why: WhyNot | None, session: Session, args: argparse.Namespace, more: Further) -> None:
    if args.json:
        from fourfold.search.serialise import answer_json, dumps

        data = answer_json(answer)
        if why is not None:
            if not why.present:
                data["notices"].append({"code": "target_absent", "text": why.words})
            data["target"] = target_json(why, session)
        data.update(more.data)
        if more.before is not None:
            data["what_if"] = {
                "words": args.what_if,
                "before": {result.path: more.before.positions.get(result.path) for result in answer.results},
            }
        print(dumps(data))
        return
    paint = Paint(wants_colour(sys.stdout))
    if why is not None:
        for line in target_lines(why, session, paint):
            print(line)
        print()
    if more.before is not None:
        print(paint.strong(f"what if {harmless(args.what_if)}; in brackets where each stood before"))
        for result in answer.results:
            place = more.before.positions.get(result.path)
            print(f"  {result.position:>3} [{place if place else '—':>3}] {harmless(result.path)}")
        print()
    for line in explained(answer, paint):
        print(line)
    for line in more.lines:
        print(line)


def target_json(why: WhyNot, session: Session) -> dict[str, Any]:
    ranks = why.ranks or {}
    return {
        "status": "present" if why.present else "absent",
        "gate": why.gate,
        "position": why.position,
        "would_be": why.would_be,
        "lists": {m: {"rank": ranks[m]} for m in MODALITIES if m in ranks},
        "unsearched": {m: why.unsearched[m] for m in MODALITIES if m in why.unsearched and m not in ranks},
        "remedy": session.command(why.remedy) if why.remedy is not None else None,
        "remedy_change": why.change or None,
        "remedy_reason": why.reason,
    }


def target_lines(why: WhyNot, session: Session, paint: Paint) -> Iterator[str]:
    yield paint.strong(harmless(why.words))
    ranks = why.ranks or {}
    for modality in MODALITIES:
        unlisted = why.unsearched.get(modality, "not listed at any depth" if why.ranks is not None else "not asked")
        place = f"#{ranks[modality] + 1} of its full list" if modality in ranks else unlisted
        yield f"  {paint.modality(modality, f'{LETTERS[modality]} {modality:<10}')} {place}"
    if why.would_be is not None and why.would_be != why.position:
        yield f"  without that it would stand at position {why.would_be}"
    if why.remedy is not None:
        yield f"  first with {harmless(why.change)}:"
        yield f"  {harmless(session.command(why.remedy))}"
    elif why.reason:
        yield f"  {harmless(why.reason)}"


def explained(answer: Answer, paint: Paint) -> Iterator[str]:
    """The whole answer with every number in full."""
    from fourfold.cli.results import heading
    from fourfold.lab.rule_accuracy import accuracy
    from fourfold.search.serialise import modality_status

    yield from heading(answer, paint)
    plan = answer.plan
    measured = accuracy(answer.intent.rule)
    if measured is not None:
        yield paint.dim(f"rule {answer.intent.rule} was right in {measured[0]} of {measured[1]} judged questions")
    yield f"preset {plan.preset} · k {plan.k} · depth {plan.depth}"
    for modality in MODALITIES:
        status = modality_status(plan, answer.lists, modality)
        weight = f"weight {plan.weights.get(modality, 0.0):g}"
        hits = answer.lists.get(modality)
        told = f"{len(hits.hits)} hits in {hits.ms:.1f} ms ({harmless(hits.how)})" if hits and status == "ran" else ""
        name = paint.modality(modality, f"{LETTERS[modality]} {modality:<10}")
        yield f"  {name} {weight:<11} {status.replace('_', ' ')} {told}"
    for result in answer.results:
        yield ""
        yield from _result(result, plan.k, paint)


def _result(result: Result, k: int, paint: Paint) -> Iterator[str]:
    name = f"  {harmless(result.symbol)} ({result.kind})" if result.symbol else ""
    yield paint.strong(f"{result.position} {harmless(result.path)}:{result.start_line}-{result.end_line}") + name
    for part in result.contributions:
        yield from _contribution(part, k, paint)
    total = sum(part.contribution for part in result.contributions)
    reason = f" ({harmless(result.demotion_reason)})" if result.demotion_reason else ""
    yield (
        f"   score = Σ {total!r} × boost {result.boost!r} (centrality {result.centrality:.4g})"
        f" × demotion {result.demotion:g}{reason} = {result.score!r}"
    )


def _contribution(part: Contribution, k: int, paint: Paint) -> Iterator[str]:
    head = paint.modality(part.modality, f"{LETTERS[part.modality]} {part.modality:<10}")
    rank = part.rank + 1
    yield f"   {head} #{rank}: {part.weight:g} × 1/({k} + {rank}) = {part.contribution!r}"
    yield f"     raw score {folded(part.evidence)} = {part.raw_score:.6g}"
    for line in evidence_lines(part.modality, part.evidence):
        yield f"     {line}"


def folded(evidence: Evidence) -> str:
    """``(exact name 8 + path words 1.5) × test 0.5``, folded left to right as the score was."""
    text = ""
    for term in evidence.terms:
        shown = f"{harmless(term.name)} {term.value:.6g}"
        if not text:
            text = shown if term.op == "+" else f"0 × {shown}"
        elif term.op == "+":
            text = f"{text} + {shown}"
        else:
            text = f"({text}) × {shown}" if " + " in text else f"{text} × {shown}"
    return text


def evidence_lines(modality: Modality, evidence: Evidence) -> Iterator[str]:
    """What can be checked, in words."""
    if evidence.bits_differ is not None:
        unrelated = (
            f"; unrelated code differs by about {evidence.bits_unrelated:.0f}" if evidence.bits_unrelated else ""
        )
        cosine = f", cosine {evidence.cosine:.4f}" if evidence.cosine is not None else ""
        yield f"{evidence.bits_differ} of {evidence.bits} bits differ{cosine}{unrelated}"
    if evidence.symbol:
        line = f" at line {evidence.symbol_line}" if evidence.symbol_line else ""
        yield f"{harmless(evidence.symbol)}{line}{f', matched: {harmless(evidence.match)}' if evidence.match else ''}"
    if evidence.matched:
        shown = [
            f"{harmless(match.term)} (line{'s' if len(match.lines) > 1 else ''} {_some(match.lines)})"
            for match in evidence.matched
        ]
        yield "found: " + ", ".join(shown)
    for step in evidence.path:
        yield (
            f"{harmless(step.source)} → {harmless(step.target)}  {step.kind}, {step.certainty}, "
            f"{harmless(step.path)}:{step.line}"
        )


def _some(lines: Sequence[int], most: int = 5) -> str:
    return ", ".join(map(str, lines[:most])) + (" …" if len(lines) > most else "")
