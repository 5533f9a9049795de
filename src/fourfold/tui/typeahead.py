"""Keys that are pressed while the program starts wait for the screen.

A terminal that is still in its ordinary mode would show them in the middle of nothing, and take ctrl+q and ctrl+s for
itself.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable


def keep_keys() -> Callable[[], None]:
    """Let the terminal hand over keys as they are pressed, and show none; ctrl+c still interrupts.

    Returns what puts the terminal back as it was, with the keys still waiting: to be called just before somebody else
    sets it, or at the end. Does nothing where there is no such terminal.
    """
    try:
        import termios

        handle = sys.__stdin__.fileno() if sys.__stdin__ is not None else -1
        before = termios.tcgetattr(handle)
    except (ImportError, ValueError, OSError, termios.error):
        return lambda: None
    now = [*before[:6], list(before[6])]
    now[0] &= ~(termios.IXON | termios.ICRNL)
    now[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0

    def put_back() -> None:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSANOW, before)

    with contextlib.suppress(termios.error):
        termios.tcsetattr(handle, termios.TCSANOW, now)
    return put_back
