"""``fourfold ledger``: every path that was seen, and why it was indexed or skipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.options import Parser, add_everywhere
from fourfold.cli.session import Place, clear_problems, find_place, open_reader, remark
from fourfold.harmless import harmless
from fourfold.model import LedgerEntry


def parser() -> Parser:
    made = Parser(
        "ledger",
        "Every path that was seen when the index was made, with the decision and the rule behind it.",
        [
            ("fourfold ledger", "what is not fully indexed, and why"),
            ("fourfold ledger --why build/out.js", "one path, or the folder that it is in"),
            ("fourfold ledger --json", "every path, for programs"),
        ],
    )
    made.add_argument("folder", nargs="?", metavar="PATH", type=Path, help="the folder (default: the current one)")
    made.add_argument("--why", metavar="FILE", help="only this path")
    made.add_argument("--json", action="store_true", help="as JSON, indexed paths too")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    with clear_problems():
        place = find_place(args.folder, args.index)
        reader = open_reader(place)
        try:
            entries = list(reader.ledger())
        finally:
            reader.close()
    if args.why is not None:
        entries = about(entries, place, args.why)
        if not entries and not args.json:
            remark(f"{args.why} was not seen when {place.root} was indexed")
            return NOTHING
    elif place.inside:
        entries = [entry for entry in entries if entry.path.startswith(f"{place.inside}/")]
    if args.json:
        from fourfold.search.serialise import dumps

        print(dumps({"schema": 1, "root": str(place.root), "ledger": [entry_json(entry) for entry in entries]}))
    else:
        shown = entries if args.why is not None else [entry for entry in entries if entry.decision != "indexed"]
        for entry in shown:
            print(line(entry))
        if args.why is None:
            print(f"{len(entries) - len(shown):,} fully indexed, {len(shown):,} partial or skipped")
    return FOUND if entries else NOTHING


def about(entries: Sequence[LedgerEntry], place: Place, given: str) -> list[LedgerEntry]:
    """The entry of one path, or of the skipped folder that it lies in."""
    names = [given.rstrip("/")]
    for base in (place.folder, Path.cwd()):
        try:
            names.append((base / given).absolute().relative_to(place.root).as_posix())
        except ValueError:
            continue
    by_path = {entry.path.rstrip("/"): entry for entry in entries}
    for name in names:
        parts = name.split("/")
        for end in range(len(parts), 0, -1):
            found = by_path.get("/".join(parts[:end]))
            if found is not None and (end == len(parts) or found.decision == "skipped"):
                return [found]
    return []


def line(entry: LedgerEntry) -> str:
    rule = f"  {harmless(entry.rule_source)}" if entry.rule_source else ""
    rule += f": {harmless(entry.rule)}" if entry.rule else ""
    return f"{entry.decision:<8} {harmless(entry.path)}  {harmless(entry.reason)}{rule}"


def entry_json(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "path": entry.path,
        "decision": entry.decision,
        "reason": entry.reason,
        "rule": entry.rule,
        "rule_source": entry.rule_source,
        "size": entry.size,
    }
