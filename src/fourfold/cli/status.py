"""``fourfold status``: what the index holds, how much is covered, and whether it is up to date."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere
from fourfold.cli.session import Place, clear_problems, find_place, open_reader, remark, settings_of
from fourfold.cli.terminal import Paint, wants_colour
from fourfold.harmless import harmless
from fourfold.model import LETTERS, MODALITIES, IndexState

if TYPE_CHECKING:
    from fourfold.config import Settings
    from fourfold.store.reader import SqliteReader

SHOWN_LANGUAGES = 12


@dataclass(frozen=True, slots=True)
class Drift:
    """What the working tree has that the index has not: counts of files."""

    added: int = 0
    changed: int = 0
    removed: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def parser() -> Parser:
    made = Parser(
        "status",
        "What the index holds, how much of it is covered, and whether it is up to date.",
        [("fourfold status", "the current folder"), ("fourfold status ~/src/django --json", "for programs")],
    )
    made.add_argument("folder", nargs="?", metavar="PATH", type=Path, help="the folder (default: the current one)")
    made.add_argument("--json", action="store_true", help="as JSON")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    with clear_problems():
        settings = settings_of(args.quiet)
        place = find_place(args.folder, args.index)
        try:
            reader = open_reader(place)
        except Problem as problem:
            if problem.code != "no_index":
                raise
            remark(problem.text)
            return NOTHING
        try:
            from fourfold.indexing.lock import is_held

            state = reader.state()
            writing = is_held(place.index)
            drift = drift_of(place, reader, settings)
            languages = languages_of(reader)
        finally:
            reader.close()
        fresh = state.fresh and not drift and not writing
        if args.json:
            from fourfold.search.serialise import dumps

            print(dumps(_json(place, state, drift, languages, writing, fresh)))
        else:
            _print(place, state, drift, languages, writing, Paint(wants_colour(sys.stdout)))
    return FOUND


def drift_of(place: Place, reader: SqliteReader, settings: Settings) -> Drift:
    """Compare the working tree with the index by path, size and time."""
    from fourfold.indexing.walk import Found, walk

    held = {file.path: (file.size, file.mtime_ns) for file in reader.files()}
    left_out = {entry.path for entry in reader.ledger() if entry.decision == "skipped"}
    seen = {
        item.path: (item.size, item.mtime_ns)
        for item in walk(place.root, settings, own=place.index)
        if isinstance(item, Found)
    }
    return Drift(
        added=sum(path not in held and path not in left_out for path in seen),
        changed=sum(path in held and held[path] != look for path, look in seen.items()),
        removed=sum(path not in seen for path in held),
    )


def languages_of(reader: SqliteReader) -> list[tuple[str, int, int]]:
    """(language, files, lines), most lines first."""
    table: dict[str, tuple[int, int]] = {}
    for file in reader.files():
        files, lines = table.get(file.language, (0, 0))
        table[file.language] = (files + 1, lines + file.lines)
    return sorted(((name, *counts) for name, counts in table.items()), key=lambda row: (-row[2], row[0]))


def _json(
    place: Place, state: IndexState, drift: Drift, languages: list[tuple[str, int, int]], writing: bool, fresh: bool
) -> dict[str, Any]:
    from fourfold.search.serialise import index_json

    counts = state.counts
    return {
        "schema": 1,
        "root": str(place.root),
        "file": str(place.index),
        "index": {**index_json(state), "fresh": fresh},
        "writing": writing,
        "counts": {
            "files": counts.files,
            "chunks": counts.chunks,
            "symbols": counts.symbols,
            "references": counts.references,
            "edges": counts.edges,
            "vectors": counts.vectors,
            "bytes": counts.bytes,
        },
        "waiting": {"added": drift.added, "changed": drift.changed, "removed": drift.removed},
        "languages": [{"language": name, "files": files, "lines": lines} for name, files, lines in languages],
    }


def _print(
    place: Place, state: IndexState, drift: Drift, languages: list[tuple[str, int, int]], writing: bool, paint: Paint
) -> None:
    counts = state.counts
    at = f"  {harmless(state.branch)} {state.commit[:10]}".rstrip() if state.branch or state.commit else ""
    print(f"{paint.strong(harmless(str(place.root)))}{at}")
    print(f"{harmless(str(place.index))}  {counts.bytes / 1e6:,.1f} MB, generation {state.generation}")
    files = "1 file" if counts.files == 1 else f"{counts.files:,} files"
    print(
        f"{files}, {counts.chunks:,} chunks, {counts.symbols:,} symbols, "
        f"{counts.references:,} references, {counts.edges:,} edges, {counts.vectors:,} vectors"
    )
    for modality in MODALITIES:
        share = state.coverage.get(modality, 0.0)
        cells = int(share * 20)
        note = f"  {harmless(state.embedder)}" if modality == "semantic" and state.embedder else ""
        name = paint.modality(modality, f"{LETTERS[modality]} {modality:<10}")
        print(f"{name} {paint.modality(modality, '█' * cells)}{'·' * (20 - cells)} {share:>5.0%}{note}")
    for name, number, lines in languages[:SHOWN_LANGUAGES]:
        print(f"  {name:<14} {number:>7,} files {lines:>10,} lines")
    if len(languages) > SHOWN_LANGUAGES:
        print(f"  and {len(languages) - SHOWN_LANGUAGES} more languages")
    if writing:
        print("another process is indexing now")
    if drift:
        parts = ((drift.added, "new"), (drift.changed, "changed"), (drift.removed, "gone"))
        print("not up to date: " + ", ".join(f"{count:,} {what}" for count, what in parts if count))
    elif not writing and state.fresh:
        print("up to date")
