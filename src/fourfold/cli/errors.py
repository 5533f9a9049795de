"""Failures that a person can mend, said in one line, with the nearest valid spelling where there is one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Problem(Exception):
    """One clear line for standard error; ``code`` names the kind in ``--batch`` output. The exit code is 2."""

    def __init__(self, text: str, code: str = "failed") -> None:
        super().__init__(text)
        self.text = text
        self.code = code


def unknown(what: str, given: str, known: Iterable[str], code: str) -> Problem:
    """``unknown preset "fats" — did you mean "fast"? (known: …)``; long lists of known values are left out."""
    names = sorted(set(known))
    close = difflib.get_close_matches(given.lower(), names, n=1, cutoff=0.5)
    hint = f' — did you mean "{close[0]}"?' if close else ""
    rest = f" ({what}s: {', '.join(names)})" if len(names) <= 12 else ""
    return Problem(f'unknown {what} "{given}"{hint}{rest}', code)
