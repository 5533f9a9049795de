"""What a terminal takes, and how: streams and colour."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from fourfold.model import Modality


def prepare_streams() -> None:
    """UTF-8 on standard output and error whatever the locale or code page; what cannot be encoded is escaped.

    A stream that was closed before the start (``>&-``) is one that nothing comes from and nobody reads.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Colour only on a terminal that has some, and never against the person's wish (https://no-color.org)."""
    return is_terminal(stream) and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


class Paint:
    """Puts ANSI styles around text, or nothing when ``on`` is false. The four colours are the modalities' own."""

    # 256-colour numbers close to the Okabe-Ito palette, told apart with any colour vision.
    _MODALITY: Mapping[Modality, str] = {
        "semantic": "38;5;176",
        "text": "38;5;214",
        "structural": "38;5;74",
        "graph": "38;5;36",
    }

    def __init__(self, on: bool) -> None:
        self.on = on

    def _wrap(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.on and text else text

    def modality(self, modality: Modality, text: str) -> str:
        return self._wrap(self._MODALITY[modality], text)

    def strong(self, text: str) -> str:
        return self._wrap("1", text)

    def dim(self, text: str) -> str:
        return self._wrap("2", text)
