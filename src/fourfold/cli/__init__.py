"""The command line: standard output is the result, standard error is everything else.

Only what a command needs is imported, and only once it is known which command runs, so that a search is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code: 0 for found, 1 for nothing found, 2 for wrong use or failure, 130 for ctrl+c."""
    try:
        from fourfold.cli.dispatch import run

        code = run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # while modules were read
        code = 130
    if argv is None:
        import signal

        # the outcome stands: a late ctrl+c meets no Python that is taking itself apart
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code
