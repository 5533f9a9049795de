"""``fourfold index``: make or refresh the index of a folder, vectors and all."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.cli.consent import estimate, settle
from fourfold.cli.dispatch import FOUND
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere, embedder_name, whole
from fourfold.cli.progress import ProgressLine
from fourfold.cli.session import Place, clear_problems, find_place, remark, settings_of, tell
from fourfold.harmless import harmless

if TYPE_CHECKING:
    from fourfold.cli.forecast import Part
    from fourfold.config import Settings
    from fourfold.indexing.pipeline import Summary

SHOWN = 12


def parser() -> Parser:
    made = Parser(
        "index",
        "Make or refresh the index of a folder; waits until everything is done.",
        [
            ("fourfold index", "the current folder"),
            ("fourfold index ~/src/django --plan", "what would be indexed, and nothing is written"),
            ("fourfold index --watch", "stay, and follow the files as they change"),
            ("fourfold index --rebuild", "make a new index from nothing"),
            ("fourfold index --embedder none", "no vectors, now and later"),
        ],
    )
    made.add_argument("folder", nargs="?", metavar="PATH", type=Path, help="the folder (default: the current one)")
    made.add_argument("--plan", action="store_true", help="say what would be indexed and write nothing")
    made.add_argument("--watch", action="store_true", help="go on until interrupted, following changes")
    made.add_argument("--rebuild", action="store_true", help="make a new index beside the old one, then switch")
    made.add_argument("--embedder", metavar="E", help="local, voyage or none; kept for later commands")
    made.add_argument("--jobs", metavar="N", help="processes that parse (default: one a core, at most four)")
    made.add_argument("--json", action="store_true", help="what was done, as JSON")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    jobs = None if args.jobs is None else whole("jobs", args.jobs, 1, 64)
    embedder = embedder_name(args.embedder)
    with clear_problems():
        settings = settings_of(args.quiet)
        place = find_place(args.folder, args.index)
        if args.plan:
            return _plan(place, settings, jobs, args)
        settle(place, embedder, settings)
        summary = _refresh(place, embedder, jobs, args.rebuild, settings, args.quiet)
        _print(place, summary, args)
        if args.watch:
            _watch(place, embedder, jobs, settings, args)
    return FOUND


def _refresh(
    place: Place, embedder: str | None, jobs: int | None, rebuild: bool, settings: Settings, quiet: bool
) -> Summary:
    from fourfold.indexing.lock import Busy
    from fourfold.indexing.pipeline import refresh

    try:
        with ProgressLine(quiet) as progress:
            summary = refresh(
                place.root, place.index, embedder=embedder, jobs=jobs, rebuild=rebuild, report=progress,
                settings=settings,
            )  # fmt: skip
    except Busy as busy:
        raise Problem(f"{busy}; fourfold status {place.root} shows how far it is", "busy") from None
    if not quiet:
        tell(summary)
    return summary


def _print(place: Place, summary: Summary, args: argparse.Namespace) -> None:
    if args.json:
        from fourfold.search.serialise import dumps

        print(dumps(summary_json(place, summary)), flush=True)
        return
    changed = [
        f"{count:,} {what}"
        for count, what in ((summary.added, "added"), (summary.changed, "changed"), (summary.removed, "removed"))
        if count
    ]
    spent = sum(summary.seconds.values())
    done = ", ".join(changed) or "nothing changed"
    print(f"{harmless(str(place.root))}: {_files(summary.files)}, {done}, {spent:.1f} s")
    if summary.embedded:
        print(f"{summary.embedded:,} chunks embedded")
    if summary.missing_vectors:
        print(f"{summary.missing_vectors:,} chunks have no vector yet")
    if summary.partial or summary.skipped:
        print(f"{summary.partial:,} partial, {summary.skipped:,} skipped (fourfold ledger says why)", flush=True)


def summary_json(place: Place, summary: Summary) -> dict[str, Any]:
    return {
        "schema": 1,
        "root": str(place.root),
        "index": str(summary.index),
        "generation": summary.generation,
        "files": summary.files,
        "added": summary.added,
        "changed": summary.changed,
        "removed": summary.removed,
        "partial": summary.partial,
        "skipped": summary.skipped,
        "embedded": summary.embedded,
        "missing_vectors": summary.missing_vectors,
        "complete": summary.complete,
        "rebuilt": summary.rebuilt,
        "notices": list(summary.notices),
        "seconds": dict(summary.seconds),
    }


# --------------------------------------------------------------------------- --plan


def _plan(place: Place, settings: Settings, jobs: int | None, args: argparse.Namespace) -> int:
    from fourfold.cli.forecast import forecast
    from fourfold.indexing.walk import Found, walk

    reasons: Counter[str] = Counter()
    found: list[Found] = []
    for item in walk(place.root, settings, own=place.index):
        if isinstance(item, Found):
            found.append(item)
        else:
            reasons[item.reason] += 1
    told = forecast(place.root, found, settings, jobs, SHOWN)
    voyage = estimate(told.chunks, settings)
    if args.json:
        from fourfold.search.serialise import dumps

        plan = {
            "schema": 1,
            "root": str(place.root),
            "index": str(place.index),
            "files": told.files,
            "bytes": told.bytes,
            "languages": {part.name: {"files": part.files, "bytes": part.bytes} for part in told.languages},
            "largest": [{"path": item.path, "bytes": item.size} for item in told.largest],
            "junk": {part.name: {"files": part.files, "bytes": part.bytes} for part in told.junk},
            "skipped": dict(reasons.most_common()),
            "estimated_seconds": round(told.seconds, 1),
            "estimated_vector_seconds": round(told.vector_seconds, 1),
            "estimated_index_bytes": told.index_bytes,
            "estimated_chunks": voyage.texts,
            "estimated_tokens": voyage.tokens,
            "estimated_dollars": voyage.dollars,
        }
        print(dumps(plan))
        return FOUND
    print(f"{harmless(str(place.root))} → {harmless(str(place.index))}")
    print(f"{_files(told.files)}, {_megabytes(told.bytes)}")
    _print_parts("by language", told.languages)
    print("the largest:")
    for item in told.largest:
        print(f"  {_megabytes(item.size):>10} {harmless(item.path)}")
    if told.junk:
        _print_parts("perhaps not worth it (a line in .fourfoldignore leaves it out)", told.junk)
    if reasons:
        print("skipped (a folder counts once; files that only their content gives away come on top):")
        for reason, count in reasons.most_common(SHOWN):
            print(f"  {count:>7,} {harmless(reason)}")
    print(f"about {_duration(told.seconds)} and {_megabytes(told.index_bytes)} on disk,", end=" ")
    print(f"by {_megabytes(told.sampled)} of it that were read now;")
    later = _duration(told.vector_seconds)
    print(f"then {later} in the background for questions by meaning, with the model on this machine")
    print(f"with Voyage: {voyage}")
    return FOUND


def _print_parts(title: str, parts: Sequence[Part]) -> None:
    print(f"{title}:")
    for part in parts[:SHOWN]:
        print(f"  {part.files:>7,} {_megabytes(part.bytes):>10} {harmless(part.name)}")
    rest = parts[SHOWN:]
    if rest:
        size = _megabytes(sum(part.bytes for part in rest))
        print(f"  {sum(part.files for part in rest):>7,} {size:>10} in {len(rest)} more")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _files(count: int) -> str:
    return f"{count:,} file" if count == 1 else f"{count:,} files"


# --------------------------------------------------------------------------- --watch


def _watch(place: Place, embedder: str | None, jobs: int | None, settings: Settings, args: argparse.Namespace) -> None:
    """Refresh after each burst of changes below the root, until interrupted."""
    from fourfold import paths
    from fourfold.indexing.watch import changes

    if not args.quiet:
        remark(f"watching {place.root}; ctrl+c ends")
    for _ in changes(place.root, paths.base_of(place.index), lambda: False):
        summary = _refresh(place, embedder, jobs, False, settings, args.quiet)
        if summary.added or summary.changed or summary.removed or summary.embedded:
            _print(place, summary, args)
