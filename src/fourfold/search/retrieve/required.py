"""Which trigrams every match of a regular expression must hold.

After R. Cox, "Regular Expression Matching with a Trigram Index" (2012), kept to what is certain: runs of literal
characters that no alternative, option or repetition can leave out. Anything not understood requires nothing.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from fourfold.lexing import trigrams


def required_trigrams(pattern: str) -> set[int]:
    """Trigrams (ASCII-lower-cased) that occur in the text of every match; empty when nothing is certain."""
    parser: Any = importlib.import_module("re._parser")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(pattern)
    except Exception:  # the regex module knows syntax that re does not: then nothing is required
        return set()
    ignore_case = bool(tree.state.flags & importlib.import_module("re").IGNORECASE)
    grams: set[int] = set()
    for run in _runs(tree, ignore_case):
        grams |= trigrams(run.encode("utf-8", "surrogateescape"))
    return grams


def _runs(tree: Any, ignore_case: bool) -> list[str]:
    """Literal runs that each match holds in one piece, from a parsed expression."""
    runs: list[str] = []
    current = ""
    # an explicit stack of (operation, argument): groups are opened in place, so that a run can go through them
    pending = list(reversed(list(tree)))
    while pending:
        operation, argument = pending.pop()
        name = str(operation)
        if name == "LITERAL" and (argument < 128 or not ignore_case) and argument != 10:
            current += chr(argument)
            continue
        if name == "SUBPATTERN" and not argument[1] and not argument[2]:
            pending.extend(reversed(list(argument[3])))
            continue
        if name in ("AT",):
            continue  # an anchor or a word boundary takes no text
        runs.append(current)
        current = ""
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
            runs += _runs(argument[2], ignore_case)
        elif name == "ATOMIC_GROUP":
            runs += _runs(argument, ignore_case)
    runs.append(current)
    return [run for run in runs if len(run.encode("utf-8", "surrogateescape")) >= 3]
