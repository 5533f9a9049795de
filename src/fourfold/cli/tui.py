"""``fourfold [PATH]``: the terminal UI."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere, embedder_name, folder, question_text
from fourfold.cli.terminal import is_terminal
from fourfold.model import Question

if TYPE_CHECKING:
    from fourfold.lab.lesson import Lesson


def parser() -> Parser:
    from fourfold.cli.dispatch import COMMANDS

    made = Parser(
        "",
        "Explore code in a terminal: ask in words or by name, and see why each result stands where it stands.",
        [
            ("fourfold", "open the current folder"),
            ("fourfold ~/src/django -q 'who calls get_user'", "open a folder with a question"),
            ("fourfold . --at src/app.py:120", "open at a line"),
            ("fourfold kept.snapshot.json", "a snapshot, without its codebase"),
            ("fourfold ./index", "a folder that is named like a command"),
            ("fourfold search 'where is main defined'", "answer on standard output"),
        ],
        usage="fourfold [PATH] [-q QUESTION] [--at FILE:LINE] [--embedder E]\n       fourfold COMMAND …",
        after="commands (fourfold COMMAND --help):\n"
        + "\n".join(f"  {name:<9} {summary}" for name, summary in COMMANDS.items()),
    )
    made.add_argument(
        "folder", nargs="?", metavar="PATH", type=Path, help="the folder to explore (default: the current)"
    )
    made.add_argument("-q", "--question", metavar="QUESTION", help="ask this at once")
    made.add_argument("--at", metavar="FILE:LINE", help="open this file at this line")
    made.add_argument("--embedder", metavar="E", help="local, voyage or none; kept for later commands")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    if args.folder is not None and args.folder.is_file():
        from fourfold.lab.snapshot import is_snapshot

        if is_snapshot(args.folder):
            return open_snapshot(args.folder)
    root = folder(args.folder)
    embedder = embedder_name(args.embedder)
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise Problem("the screen needs a terminal; fourfold search QUERY answers on standard output", "no_terminal")
    question = question_text([args.question]) if args.question else None
    return open_screen(root, args.index, question, args.at, embedder)


def open_snapshot(file: Path) -> int:
    """The screen of a snapshot; no codebase is needed. Without a terminal it is explained on standard output."""
    from fourfold.cli.lab import opened

    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        from fourfold.cli.explain import run as explain

        return explain(["--open", str(file)])
    from fourfold.config import load_settings
    from fourfold.tui import main

    settings, problems = load_settings()
    snapshot = (opened(file), file.name)
    return main(file.parent, root=file.parent.resolve(), settings=settings, problems=problems, snapshot=snapshot)


def open_screen(
    root: Path,
    index: Path | None,
    question: str | None,
    at: str | None,
    embedder: str | None,
    lesson: tuple[Lesson, Question] | None = None,
    theme: str = "",
) -> int:
    """The screen over the index that covers ``root``. Where a remote embedder might be used and it is not known
    whether this root's code may be sent, that is asked first."""
    from fourfold.cli.consent import settle
    from fourfold.cli.session import clear_problems, find_place
    from fourfold.config import load_settings
    from fourfold.tui import main

    with clear_problems():
        settings, problems = load_settings()
        place = find_place(root, index)
        settle(place, embedder, settings)
    return main(
        place.folder,
        root=place.root,
        index=index,
        question=question or "",
        at=at or "",
        embedder=embedder,
        settings=settings,
        problems=problems,
        lesson=lesson,
        theme=theme,
    )
