"""``fourfold evaluate``: rankings measured against judged questions, what each part gives, and two plans compared."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import math
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere, one_of
from fourfold.cli.progress import ProgressLine
from fourfold.cli.session import Session, open_session, remark
from fourfold.harmless import harmless
from fourfold.model import Progress, Question

if TYPE_CHECKING:
    from fourfold.cli.plans import PlanInWords
    from fourfold.lab.evaluate import Row
    from fourfold.lab.experiment import Bench, Rankings
    from fourfold.lab.judgements import Judgement, Located
    from fourfold.lab.losses import Side
    from fourfold.lab.receipt import About, Report, Versus

METRICS = ("ndcg10", "graded10", "file10", "mrr10", "recall10", "first")
SPLITS = ("all", "tune", "test")


def parser() -> Parser:
    made = Parser(
        "evaluate",
        "Measure how well questions are answered, against judgements of which files answer them.\n\n"
        "JUDGEMENTS is JSON Lines, one judgement or one question a line:\n"
        '  {"query": "retry policy", "path": "src/backoff.py", "line": 12, "grade": 3, "kind": "symbol"}\n'
        '  {"query": "retry policy", "targets": [{"path": "src/backoff.py", "grade": 3}], "kind": "symbol"}\n'
        '  {"query": "payroll tax", "answerable": false}\n'
        'or a JSON list of {"query", "category", "relevant": [PATH, …], "secondary": [PATH, …]}, or TREC qrels with\n'
        "their topics (id, tab, question) in JUDGEMENTS.topics or --topics FILE. Grades go from 0 to 3.\n"
        "A PLAN is a preset or words such as: preset=thorough  only=text,structural  weights=semantic=.5,text=.5\n"
        "k=60  depth=500  strategy=fused  intent=I  without=graph  boost=off  demotion=off  index=FILE (another one)\n"
        "run=FILE (a TREC run, or what an earlier evaluate --json printed).",
        [
            ("fourfold evaluate judged.jsonl --root src", "all figures, by kind and by intent"),
            ("fourfold evaluate judged.jsonl --ablate", "what each modality, factor and preset gives"),
            ("fourfold evaluate judged.jsonl --candidate preset=thorough", "against the default plan"),
            (
                "fourfold evaluate judged.jsonl --baseline k=20 --candidate k=60 --split tune",
                "on half of the questions",
            ),
            ("fourfold evaluate judged.jsonl --baseline run=last.json --fail-on-regression", "for continuous checks"),
            ("fourfold evaluate judged.jsonl --fail-under 0.85 --markdown receipt.md", "a floor, and a receipt"),
        ],
        usage="fourfold evaluate JUDGEMENTS --root PATH [--ablate] [--baseline PLAN] [--candidate PLAN] [--json] …",
    )
    made.add_argument("judgements", metavar="JUDGEMENTS", type=Path, help="the file of judged questions")
    made.add_argument("--root", metavar="PATH", type=Path, help="the folder to search (default: the current one)")
    made.add_argument(
        "--strip", metavar="PREFIX", help="leading folders to leave away from judged paths (default: found)"
    )
    made.add_argument("--topics", metavar="FILE", type=Path, help="the questions of TREC qrels, by id")
    made.add_argument("--split", metavar="S", default="all", help="all (default), tune or test: a half by hash")
    made.add_argument("--ablate", action="store_true", help="compare modalities, factors, presets and strategies")
    made.add_argument("--baseline", metavar="PLAN", help="what to compare with (default: the default plan)")
    made.add_argument("--candidate", metavar="PLAN", help="the plan to measure (default: the default plan)")
    made.add_argument("--metric", metavar="M", default="ndcg10", help="what decides: " + ", ".join(METRICS))
    made.add_argument("--fail-under", metavar="N", help="exit code 1 when the metric is below N (0 to 1)")
    made.add_argument(
        "--fail-on-regression", action="store_true", help="exit code 1 when the candidate is surely worse"
    )
    made.add_argument("--json", action="store_true", help="everything as JSON, with each question's results")
    made.add_argument("--markdown", metavar="FILE", type=Path, help="write a receipt")
    made.add_argument("--write-run", metavar="FILE", type=Path, help="write the results as a TREC run")
    made.add_argument("--write-qrels", metavar="FILE", type=Path, help="write the judgements as TREC qrels and topics")
    made.add_argument("--embedder", metavar="E", help="local, voyage or none; kept for later commands")
    made.add_argument("--no-update", action="store_true", help="measure the index as it is")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    from fourfold.cli.plans import plan_in_words

    metric = one_of("metric", args.metric, METRICS)
    least = None if args.fail_under is None else _share(args.fail_under)
    baseline, candidate = plan_in_words(args.baseline or ""), plan_in_words(args.candidate or "")
    compared = args.baseline is not None or args.candidate is not None
    if args.fail_on_regression and not compared:
        raise Problem("--fail-on-regression needs --baseline or --candidate to compare", "usage")
    for plan in (baseline, candidate):
        if plan.run is not None:
            _text_of(plan.run, "run")  # a missing file is told before any work is done
    asked, digest = read(args.judgements, args.topics, one_of("split", args.split, SPLITS), args.quiet)
    with open_session(args, vectors=True) as session:
        located = _located(asked, args, session)
        about = _about(located, digest, candidate.name, argv, args, session)
        report = _measure(about, located.judgements, candidate, baseline if compared else None, metric, args, session)
    _write_files(report, located, args)
    _print(report, args)
    return _verdict(report, metric, least, args)


def _share(given: str) -> float:
    try:
        value = float(given)
    except ValueError:
        raise Problem(f'--fail-under wants a number from 0 to 1, not "{given}"', "bad_fail_under") from None
    if not (math.isfinite(value) and 0.0 <= value <= 1.0):
        raise Problem(f"--fail-under must be from 0 to 1, not {given}", "bad_fail_under")
    return value


# --------------------------------------------------------------------------- reading


def read(path: Path, topics: Path | None, split: str, quiet: bool = False) -> tuple[tuple[Judgement, ...], str]:
    """The judgements in a file (those of one half) and the SHA-256 of its bytes. Raises Problem.

    Questions that were looked at without an answer so far are left out.
    """
    from fourfold.lab.judgements import JudgementError, is_qrels, read_judgements

    text, digest = _text_of(path, "judgements")
    try:
        if is_qrels(text):
            from fourfold.lab.trec import read_qrels, read_topics

            beside = topics or path.with_name(path.name + ".topics")
            if topics is None and not beside.is_file():
                raise Problem(f"{path}: no JSON; for TREC qrels, name the questions with --topics FILE", "no_topics")
            found = read_qrels(text, str(path), read_topics(_text_of(beside, "topics")[0], str(beside)))
        else:
            found = read_judgements(text, str(path))
    except JudgementError as error:
        raise Problem(str(error), "bad_judgements") from None
    open_ones = sum(not judgement.counts for judgement in found)
    if open_ones and not quiet:
        remark(f"{open_ones} of {len(found)} questions have no grade above 0 so far and are left out")
    kept = tuple(judgement for judgement in found if judgement.counts and split in ("all", judgement.split))
    if not kept and open_ones < len(found):
        raise Problem(f"{path}: none of its {len(found)} questions is in the {split} half", "no_judgements")
    return kept, digest


def _text_of(path: Path, what: str) -> tuple[str, str]:
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Problem(f"cannot read the {what} {path}: {reason}", f"no_{what}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Problem(f"{path}:{line}: not UTF-8", f"bad_{what}") from None
    return text, hashlib.sha256(data).hexdigest()


def _located(asked: tuple[Judgement, ...], args: argparse.Namespace, session: Session) -> Located:
    from fourfold.lab.judgements import locate

    place = session.place
    known = [file.path for file in session.reader.files()]
    located = locate(asked, known, place.root.as_posix(), args.strip, place.inside)
    judged = {target.path for judgement in located.judgements for target in judgement.targets}
    if judged and not judged & set(known):
        example = located.missing[0] if located.missing else ""
        raise Problem(
            f"none of the {len(judged)} judged files ({example}, …) is in the index of {place.folder}; "
            "--root or --strip PREFIX puts that right",
            "no_judged_file",
        )
    if located.missing and not args.quiet:
        files = "1 judged file is" if len(located.missing) == 1 else f"{len(located.missing)} judged files are"
        remark(f"{files} not in the index and cannot be found: {', '.join(located.missing[:3])}")
    covered = session.reader.state().coverage["semantic"]
    if covered < 1.0 and args.embedder != "none" and not args.quiet:
        remark(f"semantic covers {covered:.0%} of the index; the figures are those of the rest")
    return located


# --------------------------------------------------------------------------- measuring


def _measure(
    about: About,
    asked: tuple[Judgement, ...],
    candidate: PlanInWords,
    baseline: PlanInWords | None,
    metric: str,
    args: argparse.Namespace,
    session: Session,
) -> Report:
    from fourfold.lab.evaluate import ablation, ablation_variants, rank_all, summarise
    from fourfold.lab.experiment import Bench, compare
    from fourfold.lab.receipt import Report, Versus

    bench = Bench(session.engine, session.scoped)
    rows = _rows(bench, asked, candidate, args)
    table: Mapping[str, Rankings] = {}
    if args.ablate:
        with _telling(args.quiet) as tell:
            table = rank_all(bench, asked, ablation_variants(), tell)
    ablated = ablation(asked, {name: tuple(found) for name, found in table.items()}, metric) if table else ()
    versus = None
    if baseline is not None:
        old = [row.results for row in rows] if baseline == candidate else _rankings(bench, asked, baseline, args)
        comparison = compare(asked, old, [row.results for row in rows], metric)
        versus = Versus(baseline.name, candidate.name, comparison, {})
        if _askable(baseline) and _askable(candidate):
            versus = replace(
                versus,
                commands=_commands(versus, baseline, candidate, args),
                compare=_compare(versus, baseline, candidate, args, session),
                sides=(_side(baseline), _side(candidate)),
            )
    return Report(about, summarise(rows), ablated, versus)


def _rows(bench: Bench, asked: Sequence[Judgement], plan: PlanInWords, args: argparse.Namespace) -> tuple[Row, ...]:
    """Every question asked; under a plan that the engine itself does not know, ranked and not timed."""
    from fourfold.lab.evaluate import ask_all
    from fourfold.lab.metrics import score
    from fourfold.search.plan import PlanError

    try:
        with _telling(args.quiet) as tell:
            rows = ask_all(bench, asked, plan.variant.options, tell)
    except PlanError as error:
        raise Problem(str(error), "bad_plan") from None
    if plan.plain:
        return rows
    rankings = _rankings(bench, asked, plan, args)
    return tuple(
        replace(row, results=found, figures=score(row.judgement, found), notices=(), ms={})
        for row, found in zip(rows, rankings, strict=True)
    )


def _rankings(bench: Bench, asked: Sequence[Judgement], plan: PlanInWords, args: argparse.Namespace) -> Rankings:
    """The rankings that a plan stands for: made on this index or another, or read from a file."""
    from fourfold.lab.evaluate import rank_all
    from fourfold.lab.experiment import Bench

    if plan.run is not None:
        return _from_file(plan.run, asked)
    if plan.index is not None:
        other = argparse.Namespace(**{**vars(args), "index": plan.index, "embedder": None})
        with open_session(other, vectors=True) as session:
            return _rankings(Bench(session.engine, session.scoped), asked, replace(plan, index=None), args)
    with _telling(args.quiet) as tell:
        return rank_all(bench, asked, [plan.variant], tell)[plan.name]


def _from_file(path: Path, asked: Sequence[Judgement]) -> Rankings:
    from fourfold.lab.judgements import JudgementError
    from fourfold.lab.trec import read_results, read_run

    text, _ = _text_of(path, "run")
    try:
        if text.lstrip()[:1] == "{":
            by_query = read_results(text, str(path))
            found = [by_query.get(judgement.query) for judgement in asked]
        else:
            by_id = read_run(text, str(path))
            found = [by_id.get(judgement.id) for judgement in asked]
    except JudgementError as error:
        raise Problem(str(error), "bad_run") from None
    if all(ranking is None for ranking in found):
        raise Problem(f"{path} holds none of these questions", "bad_run")
    return [ranking or () for ranking in found]


def _askable(plan: PlanInWords) -> bool:
    """Whether a question can be asked under a plan, on whichever index."""
    return replace(plan, index=None).plain


def _side(plan: PlanInWords) -> Side:
    from fourfold.lab.losses import Side

    return Side(plan.name, plan.variant.options, str(plan.index.absolute()) if plan.index is not None else None)


def _compare(
    versus: Versus, baseline: PlanInWords, candidate: PlanInWords, args: argparse.Namespace, session: Session
) -> dict[str, str]:
    """For each of the worst losses, the command line that shows both lists side by side."""
    from fourfold.lab.command import as_command

    words = shlex.split(args.candidate or "")
    if all(word.startswith("index=") for word in words):  # else the baseline's options would hold for it
        words.append("preset=default")
    if baseline.index is not None and candidate.index is None:
        words.append(f"index={session.place.index}")
    text, index = shlex.join(words), baseline.index or args.index
    return {
        change.judgement.id: as_command(
            Question(change.judgement.query, baseline.variant.options), args.root or Path(), index, compare=text
        )
        for change in versus.comparison.worst()
    }


def _commands(
    versus: Versus, baseline: PlanInWords, candidate: PlanInWords, args: argparse.Namespace
) -> dict[str, tuple[str, str]]:
    """For each of the worst losses, the command lines that ask it under both plans."""
    from fourfold.lab.command import as_command

    def command(query: str, plan: PlanInWords) -> str:
        return as_command(Question(query, plan.variant.options), args.root or Path(), plan.index or args.index)

    return {
        change.judgement.id: (command(change.judgement.query, baseline), command(change.judgement.query, candidate))
        for change in versus.comparison.worst()
    }


@contextmanager
def _telling(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    with ProgressLine(quiet) as line:
        yield lambda done, total: line(Progress("ask", done, total))


# --------------------------------------------------------------------------- writing


def _about(
    located: Located, digest: str, plan: str, argv: Sequence[str], args: argparse.Namespace, session: Session
) -> About:
    from fourfold.lab.receipt import About
    from fourfold.store.origin import notes_of

    state = session.reader.state()
    space = notes_of(session.place.index).get("space", "")
    return About(
        root=session.place.folder.name,
        judgements=args.judgements.name,
        digest=digest,
        date=today(),
        command=shlex.join(["fourfold", "evaluate", *(portable(word) for word in argv)]),
        plan=plan,
        model=f"{state.embedder}, space {space}" if space and state.embedder else state.embedder,
        missing=located.missing,
        index=state,
    )


def today() -> str:
    """The date, UTC; that of ``SOURCE_DATE_EPOCH`` where it is set (reproducible-builds.org)."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.datetime.now(datetime.UTC)
    return (datetime.datetime.fromtimestamp(int(given), datetime.UTC) if given.isdecimal() else now).date().isoformat()


def portable(word: str) -> str:
    """A word of a command line without what only this machine has: absolute paths from here, from home, or cut."""
    key, equals, value = word.partition("=")
    if equals and os.path.isabs(value):
        return f"{key}={portable(value)}"
    if not os.path.isabs(word):
        return word
    path = Path(word)
    for base, shown in ((Path.cwd(), "."), (Path.home(), "~")):
        if path.is_relative_to(base):
            return f"{shown}/{path.relative_to(base).as_posix()}"
    return f"…/{path.name}"


def _write_files(report: Report, located: Located, args: argparse.Namespace) -> None:
    from fourfold.lab.receipt import markdown
    from fourfold.lab.trec import named, write_qrels, write_run, write_topics

    located_by_id = {judgement.id: judgement for judgement in located.judgements}
    written: list[tuple[Path, str]] = []
    if args.markdown is not None:
        written.append((args.markdown, markdown(report)))
    if args.write_run is not None:
        rows = report.evaluation.rows
        run = {row.judgement.id: named(located_by_id[row.judgement.id], row.results) for row in rows}
        written.append((args.write_run, write_run(run, "fourfold")))
    if args.write_qrels is not None:
        topics = args.write_qrels.with_name(args.write_qrels.name + ".topics")
        written += [
            (args.write_qrels, write_qrels(located.judgements)),
            (topics, write_topics(located.judgements)),
        ]
    for path, text in written:
        try:
            path.write_text(text, "utf-8")
        except OSError as error:
            raise Problem(f"cannot write {path}: {error.strerror or error}", "cannot_write") from None


def _print(report: Report, args: argparse.Namespace) -> None:
    if args.json:
        from fourfold.lab.receipt import report_json
        from fourfold.search.serialise import dumps

        print(dumps(report_json(report)))
        return
    from fourfold.lab.receipt import text_lines

    for line in text_lines(report):
        print(harmless(line))


def _verdict(report: Report, metric: str, least: float | None, args: argparse.Namespace) -> int:
    value = report.evaluation.overall.means[metric]
    code = FOUND
    if least is not None and not report.evaluation.overall.questions:
        remark("no question has an answer so far, so there is nothing to measure")
        return NOTHING
    if least is not None and value < least:
        remark(f"{metric} is {value:.4f}, below {least:g}")
        code = NOTHING
    if args.fail_on_regression and report.versus is not None and report.versus.comparison.regression:
        found = report.versus.comparison
        remark(f"{metric} fell by {-found.difference:.4f} (95% interval {found.low:+.4f} to {found.high:+.4f})")
        code = NOTHING
    return code
