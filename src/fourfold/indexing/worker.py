"""The child process that indexes: progress as JSON lines on standard output, gone when standard input closes.

``python -m fourfold.indexing.worker ROOT --index FILE [--embedder NAME] [--watch] [--rebuild] [--jobs N]``
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from fourfold import paths
from fourfold.indexing.lock import Busy, is_held
from fourfold.indexing.pipeline import IndexingError, refresh
from fourfold.indexing.watch import changes
from fourfold.model import Progress

NICENESS = 10
#: Seconds that a run has to come to its next border after being told to stop; committed work is safe either way.
GRACE = 2.0
#: Seconds between two looks at a lock that another process holds.
POLL_SECONDS = 0.3


class Line:
    """Standard output as JSON lines; a reader that is gone is a reason to stop."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._lock = threading.Lock()

    def __call__(self, progress: Progress) -> None:
        text = json.dumps(asdict(progress)) + "\n"
        try:
            with self._lock:
                sys.stdout.write(text)
                sys.stdout.flush()
        except (OSError, ValueError):
            self._stop.set()


def main(arguments: Sequence[str] | None = None) -> int:
    """Index, then (with ``--watch``) follow the files. 0 when done or told to stop, 2 when it cannot be done."""
    parser = argparse.ArgumentParser(prog="fourfold.indexing.worker", description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--embedder", choices=("local", "voyage", "none"))
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--rebuild", action="store_true")
    options = parser.parse_args(arguments)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=_end_with_input, args=(stop,), daemon=True).start()
    line = Line(stop)

    def run(rebuild: bool) -> bool:
        return _refresh(options, rebuild, line, stop.is_set)

    if not run(options.rebuild):
        return 2
    if options.watch:
        root = Path(os.path.realpath(options.root))
        for _ in changes(root, paths.base_of(options.index.absolute()), stop.is_set):
            run(False)
    return 0


def _refresh(options: argparse.Namespace, rebuild: bool, line: Line, stop: Callable[[], bool]) -> bool:
    """One run, waiting while another process has the lock; False when it cannot be done, which was reported."""
    told = False
    while not stop():
        try:
            refresh(
                options.root,
                options.index.absolute(),
                embedder=options.embedder,
                jobs=options.jobs,
                rebuild=rebuild,
                report=line,
                stop=stop,
            )
            return True
        except Busy as busy:
            if not told:
                line(Progress("error", 0, 0, text=str(busy)))
                told = True
            while is_held(options.index.absolute()) and not stop():
                time.sleep(POLL_SECONDS)
        except Exception as error:
            # one line for whoever reads; the last line of standard error is shown when we end with a failure
            text = str(error) if isinstance(error, IndexingError) else f"indexing failed: {error!r}"
            line(Progress("error", 0, 0, text=text))
            print(text, file=sys.stderr)
            return False
    return True


def _end_with_input(stop: threading.Event) -> None:
    """Wait for standard input to close, then stop; a run that does not come to a border in time is ended as it is."""
    with contextlib.suppress(OSError, ValueError):
        while os.read(sys.stdin.fileno(), 4096):
            pass
    stop.set()
    time.sleep(GRACE)
    # every batch is a transaction, and the parsing children end when their input closes with us
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
