"""``fourfold search``: one answer on standard output, or one a line for a batch of questions."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fourfold.cli.dispatch import FAILED, FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere, add_search, question, question_text
from fourfold.cli.session import Session, open_session, remark
from fourfold.cli.terminal import Paint, wants_colour
from fourfold.model import Answer


def parser() -> Parser:
    made = Parser(
        "search",
        "Answer a question about a codebase, with the reasons for each result's place.",
        [
            ("fourfold search where is get_event_loop defined", "words need no quotes"),
            ("fourfold search 'who calls ensure_future' --root ~/src/asyncio", "another folder"),
            ("fourfold search '\"Expecting property name\"'", "a literal, exactly"),
            ("fourfold search 'timeout\\s*=' --regex --vimgrep", "for an editor's quickfix list"),
            ("fourfold search retry policy --lang go --path 'internal/**'", "within limits"),
            ("fourfold search retry policy --weights semantic=1,text=0.5 --json", "other weights, as JSON"),
            ("fourfold search --batch < questions.txt > answers.jsonl", "one question a line"),
            ("fourfold search -- --no-verify", "a question that starts with a dash"),
        ],
    )
    add_search(made)
    form = made.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole answer as JSON, schema 1")
    form.add_argument("--vimgrep", action="store_true", help="path:line:column:text, one line a match")
    made.add_argument(
        "--batch", action="store_true", help="one question a line from standard input, one JSON line each"
    )
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_mixed(argv, "query")
    if args.batch:
        return _batch(args)
    if not args.query:
        raise Problem("no question given (see fourfold search --help)", "no_question")
    text = question_text(args.query)
    question(args, text)  # a wrong option is said before any work is done
    with open_session(args) as session:
        answer = session.ask(question(args, text, session.settings.preset, session.settings.limit))
        if args.vimgrep:
            return _print_places(answer, session, args.quiet)
        _print(answer, args)
        if not answer.results and not args.quiet:
            remark(nothing_found(answer, session))
    return FOUND if answer.results else NOTHING


def _print_places(answer: Answer, session: Session, quiet: bool) -> int:
    """Places on standard output, which an editor reads; all that is to be said about them on standard error."""
    from fourfold.cli import results

    printed = False
    for line in results.vimgrep_lines(answer, Path.cwd(), session.lines_of):
        print(line)
        printed = True
    if not quiet:
        kept = [notice.text for notice in answer.notices if printed or notice.code in ("partial", "provisional")]
        for line in [*kept, results.hidden_files(answer)] if printed else [nothing_found(answer, session), *kept]:
            if line:
                remark(line)
    return FOUND if printed else NOTHING


def _print(answer: Answer, args: argparse.Namespace) -> None:
    from fourfold.cli import results

    if args.json:
        from fourfold.search.serialise import answer_json, dumps

        print(dumps(answer_json(answer)))
    elif answer.results:
        for line in results.answer_lines(answer, Paint(wants_colour(sys.stdout))):
            print(line)


def nothing_found(answer: Answer, session: Session) -> str:
    """Why there is no result, in one line: the most useful thing that can be said."""
    from fourfold.search.engine import FOLLOWS

    told = {notice.code: notice.text for notice in answer.notices}
    if not answer.index.counts.files:
        if session.busy:
            return f"another process is still indexing {session.place.root}; ask again in a moment"
        if answer.index.coverage["text"] < 1.0 and not answer.index.generation:
            return f"the index of {session.place.root} was never finished; fourfold index finishes it"
        return f"no files to search in {session.place.folder} (fourfold ledger says what was skipped)"
    for code in ("nothing_to_search", "literal_absent", "direct_empty", "nothing_matches_well"):
        if code in told:
            return told[code].removesuffix(FOLLOWS)
    failed = [f"{m}: {hits.error}" for m, hits in answer.lists.items() if hits.status == "failed" and hits.error]
    return failed[0] if failed else "nothing found"


def _batch(args: argparse.Namespace) -> int:
    if args.query:
        raise Problem("--batch reads its questions from standard input, not from the command line", "usage")
    if args.vimgrep:
        raise Problem("--batch always prints JSON lines; leave out --vimgrep", "usage")
    question(args, "")
    found = failed = False
    with open_session(args) as session:
        for line in sys.stdin:
            text = decoded(line.rstrip("\r\n"))
            printed, results = _one(session, args, text)
            sys.stdout.write(printed + "\n")
            sys.stdout.flush()
            found = found or results > 0
            failed = failed or results < 0
    return FAILED if failed else FOUND if found else NOTHING


def _one(session: Session, args: argparse.Namespace, text: str) -> tuple[str, int]:
    """One question's JSON line, and how many results it has (-1 for an error)."""
    from fourfold.search.serialise import answer_json, dumps, error_json

    try:
        answer = session.ask(question(args, text, session.settings.preset, session.settings.limit))
        return dumps(answer_json(answer)), len(answer.results)
    except BrokenPipeError:
        raise
    except Problem as problem:
        return dumps(error_json(text, problem.code, problem.text)), -1
    except Exception as error:
        what = " ".join(str(error).split()) or type(error).__name__
        return dumps(error_json(text, "failed", what)), -1


def decoded(line: str) -> str:
    """A line that is a complete JSON string stands for what it encodes, so that a quoted phrase can be sent."""
    if line.startswith('"') and line.endswith('"') and len(line) >= 2:
        try:
            value = json.loads(line)
        except ValueError:
            return line
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode("utf-8")
    return line
