"""How far the index is, on standard error: one line redrawn in place on a terminal, nothing elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import Self, TextIO

from fourfold.cli.terminal import is_terminal
from fourfold.harmless import harmless
from fourfold.model import Progress

STAGES = {"walk": "looking at", "parse": "reading", "graph": "linking", "vectors": "embedding", "ask": "asking"}
UNITS = {"walk": "files", "parse": "files", "graph": "references", "vectors": "chunks", "ask": "questions"}
#: Seconds between two drawings, so that the terminal does not cost more than the work.
PAUSE = 0.08
#: Seconds before the first: what is done at once needs no line.
GRACE = 0.4


class ProgressLine:
    """Call it with each Progress; leave its ``with`` block to wipe the line."""

    def __init__(self, quiet: bool, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._on = not quiet and is_terminal(self._stream)
        self._last = time.monotonic() + GRACE - PAUSE
        self._drawn = False

    def __call__(self, progress: Progress) -> None:
        if not self._on or progress.stage not in STAGES:
            return
        now = time.monotonic()
        if now - self._last < PAUSE:
            return
        self._last = now
        width = shutil.get_terminal_size().columns
        self._stream.write("\r\x1b[K" + line(progress)[: max(width - 1, 1)])
        self._stream.flush()
        self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def line(progress: Progress) -> str:
    """``reading 1,204 of 2,914 files  src/a.py``."""
    of = f" of {progress.total:,}" if progress.total else ""
    path = f"  {harmless(progress.path)}" if progress.path else ""
    return f"{STAGES[progress.stage]} {progress.done:,}{of} {UNITS[progress.stage]}{path}"
