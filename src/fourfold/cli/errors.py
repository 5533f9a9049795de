"""Failures that a person can mend, said in one line, with the nearest valid spelling where there is one."""

from __future__ import annotations

from collections.abc import Iterable

from fourfold.search.known import unknown_text


class Problem(Exception):
    """One clear line for standard error; ``code`` names the kind in ``--batch`` output. The exit code is 2."""

    def __init__(self, text: str, code: str = "failed") -> None:
        super().__init__(text)
        self.text = text
        self.code = code


def unknown(what: str, given: str, known: Iterable[str], code: str) -> Problem:
    """What `unknown_text` says, as a Problem."""
    return Problem(unknown_text(what, given, known), code)
