"""``fourfold lesson``: how a ranking comes about, step by step, with a prediction before each step."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere, question_text
from fourfold.cli.session import Session, open_session, remark
from fourfold.cli.terminal import Paint, is_terminal, wants_colour
from fourfold.harmless import harmless
from fourfold.model import LETTERS, MODALITIES, Question

if TYPE_CHECKING:
    from fourfold.lab.lesson import Lesson, Step

SHOWN = 6


def parser() -> Parser:
    made = Parser(
        "lesson",
        "Walk from four lists to the final one: ranks, weights, k, agreement, boost, demotion. A prediction is asked\n"
        "before each step; every number comes from the engine. Without a question: on a small codebase that ships.",
        [
            ("fourfold lesson", "for a class, on the screen: right and left step, 1-5 predict"),
            ("fourfold lesson --theme fourfold-light", "for a bright room"),
            ("fourfold lesson 'how are retries paced' --root src", "on a question and a codebase of your own"),
            ("fourfold lesson --text", "all steps on standard output"),
        ],
    )
    made.add_argument("query", nargs="*", metavar="QUESTION", help="a question of your own")
    made.add_argument(
        "--root", metavar="PATH", type=Path, help="a codebase of your own (default with a question: here)"
    )
    made.add_argument("--theme", metavar="NAME", help="the screen's theme, such as fourfold-light")
    made.add_argument("--text", action="store_true", help="print all steps, also on a terminal")
    made.add_argument("--json", action="store_true", help="all steps as JSON")
    made.set_defaults(embedder=None, no_update=False)
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    from fourfold.lab.lesson import DEPTH, QUESTION, NoLesson, lesson, lesson_question
    from fourfold.search.plan import PlanError

    args = parser().parse_mixed(argv, "query")
    own = bool(args.query) or args.root is not None or args.index is not None
    if own and not args.query:
        raise Problem("a lesson on a codebase of your own needs a question (see fourfold lesson --help)", "no_question")
    text = question_text(args.query) if own else QUESTION
    if not own:
        from fourfold.lab.lesson_code import lay_out

        args.root = lay_out()
    asked = lesson_question(text, None if own else DEPTH)
    printed = args.text or args.json or not (is_terminal(sys.stdin) and is_terminal(sys.stdout))
    with open_session(args, vectors=not own) as session:
        try:
            made = lesson(session.engine, session.scoped(asked))
        except (NoLesson, PlanError) as error:
            remark(str(error))
            return NOTHING
        if printed:
            _print(made, session, asked, args)
            return FOUND
        folder = session.place.folder
    from fourfold.cli.tui import open_screen

    return open_screen(folder, args.index, None, None, None, lesson=(made, asked), theme=args.theme or "")


def _print(made: Lesson, session: Session, asked: Question, args: argparse.Namespace) -> None:
    command = session.command(asked)
    if args.json:
        from fourfold.search.serialise import dumps

        print(dumps({**lesson_json(made), "command": command}))
        return
    paint = Paint(wants_colour(sys.stdout))
    for line in lesson_lines(made, command, paint):
        print(line)


def lesson_lines(made: Lesson, command: str, paint: Paint) -> Iterator[str]:
    """The whole lesson as text, answers at once; the solutions of the exercises at the end."""
    from fourfold.lab.lesson import name

    yield from _lists(made, paint)
    for number, step in enumerate(made.steps, 1):
        yield ""
        yield paint.strong(f"{number}. {step.title}")
        yield from _step(step, paint)
    yield ""
    yield f"again: {harmless(command)}"
    for number, each in enumerate(made.exercises, 1):
        weights = " ".join(f"{LETTERS[m]} {each.start.get(m, 0.0):g}" for m in MODALITIES)
        yield ""
        yield paint.strong(f"Exercise {number}")
        yield f"  With {weights}, {harmless(name(each.target))} stands at #{each.target.position}."
        yield "  Make it come first by changing one weight."
    for number, each in enumerate(made.exercises, 1):
        if number == 1:
            yield ""
            yield paint.strong("Solutions")
        yield f"  {number}: {each.modality} {each.start.get(each.modality, 0.0):g} → {each.weight:g}"


def _lists(made: Lesson, paint: Paint) -> Iterator[str]:
    yield paint.strong(f"“{harmless(made.answer.question.text)}”")
    for modality, entries in made.lists.items():
        yield paint.modality(modality, f"{LETTERS[modality]} {modality}")
        for entry in entries[:SHOWN]:
            yield f"  {entry.rank + 1:>2} {harmless(entry.label):<44} {entry.raw_score:.3f}"


def _step(step: Step, paint: Paint) -> Iterator[str]:
    from fourfold.lab.lesson import name, small

    yield f"  {harmless(step.text)}"
    yield f"  ? {harmless(step.ask.question)}"
    yield "    " + "   ".join(f"{n}) {harmless(choice)}" for n, choice in enumerate(step.ask.choices, 1))
    yield f"  ! {step.ask.right + 1}) {harmless(step.ask.choices[step.ask.right])}. {harmless(step.ask.because)}"
    for line in step.sums:
        text = harmless(line.text)
        yield "    " + (paint.modality(line.modality, text) if line.modality else text)
    if step.results:
        yield f"  {step.caption}:"
    for result in step.results[:SHOWN]:
        before = step.before.get(result.path)
        moved = "" if before in (None, result.position) else f"  was #{before}"
        yield f"    {result.position:>2} {harmless(name(result)):<44} {small(result.score)}{moved}"


def lesson_json(made: Lesson) -> dict[str, Any]:
    """The whole lesson as data, numbers not rounded."""
    return {
        "schema": 1,
        "query": made.answer.question.text,
        "lists": {
            modality: [
                {"rank": e.rank, "path": e.path, "label": e.label, "raw_score": e.raw_score} for e in entries
            ]
            for modality, entries in made.lists.items()
        },
        "steps": [
            {
                "key": step.key,
                "title": step.title,
                "text": step.text,
                "prediction": {
                    "question": step.ask.question,
                    "choices": list(step.ask.choices),
                    "right": step.ask.right,
                    "because": step.ask.because,
                },
                "arithmetic": [line.text for line in step.sums],
                "caption": step.caption,
                "results": [
                    {"position": r.position, "path": r.path, "score": r.score, "before": step.before.get(r.path)}
                    for r in step.results
                ],
            }
            for step in made.steps
        ],
        "exercises": [
            {
                "path": e.target.path,
                "position": e.target.position,
                "weights": {m: e.start.get(m, 0.0) for m in MODALITIES},
                "solution": {"modality": e.modality, "weight": e.weight},
            }
            for e in made.exercises
        ],
    }  # fmt: skip
