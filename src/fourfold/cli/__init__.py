"""The command line: standard output is the result, standard error is everything else.

Only what a command needs is imported, and only once it is known which command runs, so that a search is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 for found, 1 for nothing found, 2 for wrong use or failure."""
    from fourfold.cli.dispatch import run

    return run(list(sys.argv[1:] if argv is None else argv))
