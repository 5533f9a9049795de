"""Which command runs, and how every failure ends: one clear line on standard error, never a traceback."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence

from fourfold.cli.errors import Problem, unknown
from fourfold.cli.terminal import prepare_streams
from fourfold.harmless import harmless

FOUND, NOTHING, FAILED, INTERRUPTED = 0, 1, 2, 130

#: Command → what it does; each lives in the module of the same name, with ``run(argv) -> exit code``.
COMMANDS: Mapping[str, str] = {
    "index": "make or refresh the index of a folder",
    "search": "answer a question: text, --json, --vimgrep or --batch",
    "explain": "the same answer in full arithmetic, and why a target stands where it stands",
    "graph": "callers, callees, importers, subclasses, overrides, tests, impact, path, dead code, hubs",
    "evaluate": "measure rankings against judged questions, and compare plans",
    "lesson": "how a ranking comes about, step by step, on a small codebase or on yours",
    "status": "what the index holds, how much is covered, and whether it is up to date",
    "ledger": "every path seen, and why it was indexed or skipped",
    "doctor": "check this installation and an index",
}
#: Options before the command that take a value; they belong to the command.
_LEADING = ("--index",)


def run(argv: Sequence[str]) -> int:
    prepare_streams()
    try:
        command, rest = choose(argv)
        module = importlib.import_module(f"fourfold.cli.{command}")
        code: int = module.run(rest)
        sys.stdout.flush()
        return code
    except SystemExit as leaving:  # --help and --version
        return _flushed(leaving.code if isinstance(leaving.code, int) else FOUND)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence()
        return FOUND
    except Problem as problem:
        return _say(problem.text)
    except Exception as error:
        if os.environ.get("FOURFOLD_DEBUG"):
            raise
        what = " ".join(str(error).split()) or "no further word"
        return _say(f"{what} ({type(error).__name__}; FOURFOLD_DEBUG=1 shows where)")


def choose(argv: Sequence[str]) -> tuple[str, list[str]]:
    """The command's module name and its arguments: the first word if it is a command, else the terminal UI's.

    Options that work everywhere may stand before the command. A folder that is named like a command is reached as
    ``./index``.
    """
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at] not in ("-", "--"):
        at += 2 if argv[at] in _LEADING else 1
    if at < len(argv) and argv[at] in COMMANDS:
        return argv[at], [*argv[:at], *argv[at + 1 :]]
    if at == 0 and len(argv) == 1 and _like_a_command(argv[0]):
        raise unknown("command", argv[0], COMMANDS, "unknown_command")
    return "tui", list(argv)


def _like_a_command(word: str) -> bool:
    """Whether a lone word that is no existing path was probably meant as a command (``serach``)."""
    import difflib

    plain = word.isidentifier() and not os.path.exists(word)
    return plain and bool(difflib.get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.75))


def _say(text: str) -> int:
    try:
        print(f"fourfold: {harmless(text)}", file=sys.stderr)
    except OSError:
        pass
    return _flushed(FAILED)


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:  # closed, or full: that has been said, or nobody listens
        _silence()
    return code


def _silence() -> None:
    """Point standard output at nothing, so that Python's own flush at exit does not complain about a closed pipe or
    a full disk."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
