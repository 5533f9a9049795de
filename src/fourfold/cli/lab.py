"""The lab on the command line: options of ``fourfold explain`` for what if, margins, comparing, snapshots, export."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.session import Session, open_session
from fourfold.cli.terminal import Paint
from fourfold.harmless import harmless
from fourfold.model import LETTERS, Answer

if TYPE_CHECKING:
    from fourfold.lab.compare import Compared
    from fourfold.lab.explained import Explained
    from fourfold.lab.snapshot import Difference, Snapshot
    from fourfold.lab.what_if import Fetched, Ranking


def add_lab(parser: argparse.ArgumentParser) -> None:
    """The options of ``explain`` that look further than the answer."""
    parser.add_argument(
        "--what-if", metavar="WORDS", help="fuse the lists again: boost=0 cap=2 demotion=1 rule=plain|sum|mnz"
    )
    parser.add_argument("--lab", action="store_true", help="ceilings, flip margins, k, and each list left out")
    parser.add_argument(
        "--compare", metavar="PLAN", help='beside another plan, index or question: "k=60", "index=F", "query=\'…\'"'
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="keep this answer as a snapshot, with its lists")
    parser.add_argument("--open", metavar="FILE", type=Path, help="explain a snapshot; no codebase is needed")
    parser.add_argument(
        "--diff", metavar="FILE", type=Path, nargs="+", help="what moved since a snapshot, or between two, and why"
    )
    parser.add_argument("--export", metavar="FILE", type=Path, help="write the explanation to FILE: .md, .json or .svg")


# --------------------------------------------------------------------------- what if


def what_if(answer: Answer, session: Session, words: str, limit: int) -> tuple[Answer, Ranking]:
    """The answer with the results that the changed values give, and where each file stood before. Raises Problem."""
    from fourfold.lab.what_if import ranking, with_words

    fetched = fetched_of(answer, session)
    try:
        knobs = with_words(fetched.published, words)
    except ValueError as error:
        raise Problem(str(error), "bad_what_if") from None
    if knobs.direct and knobs.rule != "weighted":
        raise Problem("this question is answered directly by one list; add --strategy fused", "bad_what_if")
    changed = ranking(fetched, knobs)
    cited = {result.chunk_id: result for result in answer.results}
    results = tuple(
        replace(r, snippet=cited[r.chunk_id].snippet) if r.chunk_id in cited else r for r in changed.results[:limit]
    )
    return replace(answer, results=results, total=len(changed.results)), ranking(fetched, fetched.published)


def fetched_of(answer: Answer, session: Session) -> Fetched:
    from fourfold.lab.what_if import fetch

    return fetch(session.engine, session.scoped(answer.question), answer)


# --------------------------------------------------------------------------- margins


def lab_of(answer: Answer, session: Session) -> Explained:
    from fourfold.lab.explained import explained

    fetched = fetched_of(answer, session)
    return explained(fetched, fetched.published, len(answer.results))


def lab_json(found: Explained) -> dict[str, Any]:
    return {
        "results": [
            {
                "position": about.result.position,
                "path": about.result.path,
                "ceiling": about.ceiling,
                "flips": [{"what": f.what, "old": f.old, "new": f.new, "at": f.at} for f in about.flips],
                "k": [{"k": k, "position": place} for k, place in about.curve],
            }
            for about in found.results
        ],
        "left_out": [
            {
                "modality": left.modality,
                "moves": dict(left.falls),
                "enters": [{"path": m.result.path, "position": m.result.position} for m in left.rises],
            }
            for left in found.left_out
        ],
    }


def lab_lines(found: Explained, paint: Paint) -> Iterator[str]:
    yield paint.strong("What swaps each result with the one above it")
    for about in found.results:
        name = harmless(about.result.symbol or about.result.path)
        yield f"  {about.result.position:>2} {name}"
        if about.ceiling is not None and about.ceiling > 1:
            only = about.result.contributions[0].modality
            yield f"     {only} alone finds it: with these weights it cannot stand above {about.ceiling}"
        for flip in about.flips:
            yield f"     {flip.what} {flip.old:g} → {flip.new:g}"
        if not about.flips and about.result.position > 1:
            yield "     no single weight and no k"
    yield ""
    yield paint.strong("Without one of the lists")
    for left in found.left_out:
        moved = ", ".join(f"{harmless(p)} → {'—' if place is None else f'#{place}'}" for p, place in left.falls.items())
        yield f"  {paint.modality(left.modality, f'{LETTERS[left.modality]} {left.modality}')}: {moved or 'the same'}"
        if left.rises:
            came = ", ".join(f"{harmless(m.result.path)} #{m.result.position}" for m in left.rises)
            yield f"     comes in: {came}"


# --------------------------------------------------------------------------- comparing


def compared(answer: Answer, session: Session, text: str, args: argparse.Namespace) -> tuple[Answer, Compared, str]:
    """The other answer, what moved, and the other's name. Raises Problem."""
    from fourfold import paths
    from fourfold.cli.plans import plan_in_words
    from fourfold.lab.compare import compare
    from fourfold.lab.snapshot import DEEP

    query, rest = _query_in(text)
    plan = plan_in_words(rest)
    if plan.run is not None or plan.variant.without or not (plan.variant.boost and plan.variant.demotion):
        raise Problem("--compare takes a plan that a question can be asked with; see --what-if and --lab", "bad_plan")
    base = answer.question
    planned = any(not word.removeprefix("--").startswith("index=") for word in shlex.split(rest))
    options = plan.variant.options if planned else base.options
    asked = replace(base, text=query or base.text, options=options)
    deep = replace(asked, limit=DEEP)
    if plan.index is not None:
        if not paths.current_index(plan.index.absolute()).is_file():
            raise Problem(f"there is no index {plan.index}; fourfold index --index {plan.index} makes one", "no_index")
        other = argparse.Namespace(**{**vars(args), "index": plan.index, "embedder": None})
        with open_session(other) as second:
            answered = second.ask(deep)
    else:
        answered = session.ask(deep)
    here = session.ask(replace(base, limit=DEEP))
    return answered, compare(here.results, answered.results), text


def _query_in(text: str) -> tuple[str, str]:
    """``query=…`` taken out of the words of a plan."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Problem(f'cannot read the plan "{text}": {error}', "bad_plan") from None
    query = next((word.partition("=")[2] for word in words if word.startswith("query=")), "")
    return query, shlex.join(word for word in words if not word.startswith("query="))


def compare_json(name: str, found: Compared) -> dict[str, Any]:
    return {
        "with": name,
        "depth": found.depth,
        "overlap": found.overlap,
        "rank_biased_overlap": found.likeness,
        "entered": [pair.path for pair in found.entered],
        "left": [pair.path for pair in found.left],
        "files": [{"path": p.path, "before": p.before, "after": p.after} for p in found.pairs],
    }


def compare_lines(name: str, found: Compared, paint: Paint) -> Iterator[str]:
    yield paint.strong(f"Compared with {harmless(name)}")
    yield f"  overlap of the first {found.depth} {found.overlap:.0%} · rank-biased overlap {found.likeness:.3f}"
    for pair in found.pairs:
        before, after = (f"#{place}" if place else "—" for place in (pair.before, pair.after))
        yield f"  {before:>4} → {after:<4} {harmless(pair.path)}"


# --------------------------------------------------------------------------- snapshots


def keep(path: Path, answer: Answer, session: Session) -> None:
    """Write a snapshot. Raises Problem."""
    from fourfold.lab.snapshot import DEEP, take, write

    asked = answer.question
    deep = session.ask(replace(asked, limit=max(DEEP, asked.limit)))
    put(path, write(take(replace(deep, question=asked), session.reader)))


def put(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Problem(f"cannot write {path}: {error.strerror or error}", "cannot_write") from None


def opened(path: Path) -> Snapshot:
    """The snapshot in a file. Raises Problem."""
    from fourfold.lab.snapshot import SnapshotError, load

    try:
        return load(path)
    except SnapshotError as error:
        raise Problem(str(error), "bad_snapshot") from None


def run_diff(files: Sequence[Path], args: argparse.Namespace, paint: Paint) -> int:
    """Between two snapshots, or between one and the same question asked now."""
    from fourfold.lab.snapshot import DEEP, diff
    from fourfold.search.serialise import dumps

    if len(files) > 2:
        raise Problem("--diff takes one snapshot or two", "usage")
    old = opened(files[0]).answer
    if len(files) == 2:
        new = opened(files[1]).answer
    else:
        if args.root is None and not args.index:
            if not Path(old.root).is_dir():
                raise Problem(
                    f"{old.root} is not here to be asked again; --root PATH says where it is", "no_such_folder"
                )
            args.root = Path(old.root)
        with open_session(args) as session:
            new = session.ask(replace(old.question, limit=max(DEEP, old.question.limit)))
            new = replace(new, question=old.question)
    found = diff(old, new, max(old.question.limit, new.question.limit))
    if args.json:
        print(dumps(diff_json(found)))
    else:
        for line in diff_lines(found, paint):
            print(line)
    return NOTHING if found.moved or found.about else FOUND


def diff_json(found: Difference) -> dict[str, Any]:
    return {
        "schema": 1,
        "about": [{"what": f.what, "before": f.before, "after": f.after} for f in found.about],
        "same": found.same,
        "moved": [
            {
                "path": moved.path,
                "before": moved.before,
                "after": moved.after,
                "factors": [
                    {"what": f.what, "before": f.before, "after": f.after, "effect": f.effect} for f in moved.factors
                ],
                "passed_by": list(moved.passed),
            }
            for moved in found.moved
        ],
    }


def diff_lines(found: Difference, paint: Paint) -> Iterator[str]:
    for factor in found.about:
        yield f"{factor.what}: {harmless(factor.before) or '—'} → {harmless(factor.after) or '—'}"
    if not found.moved:
        yield f"nothing moved; {found.same} stand where they stood"
        return
    for moved in found.moved:
        before, after = (f"#{place}" if place else "—" for place in (moved.before, moved.after))
        yield paint.strong(f"{before} → {after} {harmless(moved.path)}")
        for factor in moved.factors:
            yield f"     {factor.what} {factor.before} → {factor.after}: {factor.effect:+.5f}"
        if not moved.factors and moved.before and moved.after:
            yield "     unchanged itself"
        if moved.passed:
            yield f"     passed by {harmless(', '.join(moved.passed[:5]))}"
    yield f"{found.same} stand where they stood"


# --------------------------------------------------------------------------- export


def export(path: Path, answer: Answer, command: str) -> None:
    """The explanation as a file, its form by the name's ending. Raises Problem."""
    from fourfold.lab.export import as_json, as_markdown
    from fourfold.lab.export_svg import as_svg

    first = next(iter(answer.results), None)
    if path.suffix == ".md":
        put(path, as_markdown(answer, first, command))
    elif path.suffix == ".json":
        put(path, as_json(answer))
    elif path.suffix == ".svg":
        put(path, as_svg(answer, first, command))
    else:
        raise Problem(f"--export writes .md, .json or .svg, not {path.name}", "bad_export")
