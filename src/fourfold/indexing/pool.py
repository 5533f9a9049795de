"""Processes that read and parse files, so arranged that a file which crashes or hangs its process costs itself alone.

Each child is a plain process fed through its standard input: it works inside any program, dies with its parent
(its input closes) and shares nothing. A frame is four bytes of length and a pickle, between our own processes only.
The thread that reads a child hands it the next batch, so that no child waits for the parent to finish writing.
"""

from __future__ import annotations

import faulthandler
import io
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from fourfold.config import Settings
from fourfold.indexing.records import Job, Outcome, Same, Skipped, build
from fourfold.model import (
    LedgerEntry,
    ParsedBinding,
    ParsedChunk,
    ParsedFile,
    ParsedImport,
    ParsedReference,
    ParsedSymbol,
)
from fourfold.store.interface import IndexedFile

#: Seconds without a sign of life before a child is taken for stuck; parsing itself gives up far earlier.
PATIENCE = 30.0
#: Results that may wait for the parent, so that memory stays bounded.
WAITING = 400


def build_safely(root: Path, job: Job, settings: Settings) -> Outcome:
    """`build`, and for a fault of our own in reading the structure: the file as text, else skipped, with the reason."""
    try:
        return build(root, job, settings)
    except Exception as error:
        reason = f"not parsed ({type(error).__name__})"
    if not job.text_only:
        return build_safely(root, replace(job, known="", text_only=f"{reason}: text only"), settings)
    return quarantined(root, job, reason)


def quarantined(root: Path, job: Job, reason: str) -> Skipped:
    """The outcome of a file that could not be read even as text."""
    try:
        info = os.stat(root / job.path)
        size, mtime_ns = info.st_size, info.st_mtime_ns
    except OSError:
        size = mtime_ns = 0
    return Skipped(LedgerEntry(job.path, "skipped", reason, "quarantine", "built-in", size), mtime_ns)


# --------------------------------------------------------------------------- frames


def _reducer(kind: type) -> Callable[[Any], tuple[type, tuple[Any, ...]]]:
    values = attrgetter(*(entry.name for entry in fields(kind)))
    return lambda record: (kind, values(record))


#: Frozen records pickle slowly by default (a loop over their fields for each); so they are rebuilt by their call.
_TABLE: dict[type, Callable[[Any], Any]] = {
    kind: _reducer(kind)
    for kind in (
        ParsedSymbol, ParsedReference, ParsedImport, ParsedBinding, ParsedChunk, ParsedFile, IndexedFile, LedgerEntry,
        Skipped, Same, Job,
    )
}  # fmt: skip


def send(stream: IO[bytes], value: object) -> None:
    buffer = io.BytesIO()
    buffer.write(b"\0\0\0\0")
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.dispatch_table = _TABLE
    pickler.dump(value)
    frame = buffer.getbuffer()
    frame[:4] = (len(frame) - 4).to_bytes(4, "big")
    stream.write(frame)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next frame. Raises EOFError when the other side has closed or died."""
    header = stream.read(4)
    if len(header) < 4:
        raise EOFError
    size = int.from_bytes(header, "big")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


# --------------------------------------------------------------------------- the parent's side


@dataclass(eq=False)
class _Child:
    process: subprocess.Popen[bytes]
    #: What it works on; the front is in work.
    batch: deque[Job] = field(default_factory=deque)
    #: When it last showed life; None while it waits for us.
    since: float | None = None
    why: str = ""
    ready: bool = False


class PoolFailed(Exception):
    """No child can be started at all; the caller does the work itself."""


class Pool:
    """Runs jobs on ``jobs`` children. Use as a context manager; leaving it ends the children at once."""

    def __init__(self, root: Path, settings: Settings, jobs: int, patience: float = PATIENCE) -> None:
        self._root = root
        self._settings = settings
        self._jobs = max(1, jobs)
        self._patience = patience
        self._pending: deque[list[Job]] = deque()
        self._results: queue.Queue[tuple[_Child, Job | None, Outcome | None]] = queue.Queue(WAITING)
        self._children: set[_Child] = set()
        self._closed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        for child in self._children:
            child.process.kill()
        for child in self._children:
            child.process.wait()

    def run(self, batches: Sequence[list[Job]], stop: Callable[[], bool]) -> Iterator[Outcome]:
        """One outcome a job, in the order in which they are done. Ends early when ``stop`` says so.

        Raises `PoolFailed` when children die before they take any work.
        """
        self._pending.extend(batches)
        left = sum(map(len, batches))
        for _ in range(min(self._jobs, len(batches))):
            self._start()
        while left and not stop():
            try:
                child, job, outcome = self._results.get(timeout=0.1)
            except queue.Empty:
                self._kill_stuck()
                continue
            if job is not None and outcome is not None:
                left -= 1
                yield outcome
                continue
            again = self._bury(child)
            if isinstance(again, Skipped):
                left -= 1
                yield again
            if self._pending and len(self._children) < self._jobs:
                self._start()

    def _start(self) -> None:
        # -P: the folder that the program was started in, which may be the codebase, is no place to import from
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fourfold.indexing.pool"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        child = _Child(process, since=time.monotonic())
        self._children.add(child)
        threading.Thread(target=self._serve, args=(child,), daemon=True).start()

    def _serve(self, child: _Child) -> None:
        """Feed one child and pass on what it finds (in a thread of its own)."""
        assert child.process.stdin is not None and child.process.stdout is not None
        try:
            send(child.process.stdin, (str(self._root), self._settings, self._patience))
            receive(child.process.stdout)
            child.ready = True
            while not self._closed:
                try:
                    batch = self._pending.popleft()
                except IndexError:
                    break
                child.batch = deque(batch)
                send(child.process.stdin, batch)
                while child.batch:
                    child.since = time.monotonic()
                    outcome = receive(child.process.stdout)
                    child.since = None
                    self._pass_on((child, child.batch.popleft(), outcome))
        except Exception:
            # a dead child, or a frame that is none: either way `_bury` finds out what was in work
            pass
        child.since = None
        self._pass_on((child, None, None))

    def _pass_on(self, item: tuple[_Child, Job | None, Outcome | None]) -> None:
        while not self._closed:
            try:
                self._results.put(item, timeout=0.2)
                return
            except queue.Full:
                continue

    def _kill_stuck(self) -> None:
        now = time.monotonic()
        for child in self._children:
            since = child.since
            if since is not None and now - since > self._patience:
                child.why = f"no answer in {self._patience:.0f} seconds"
                child.process.kill()

    def _bury(self, child: _Child) -> Skipped | None:
        """Take a child that ended out of the pool; the file it died on is tried as text, then given up."""
        self._children.discard(child)
        child.process.kill()
        code = child.process.wait()
        if not child.ready:
            raise PoolFailed
        if not child.batch:
            return None
        job = child.batch.popleft()
        if child.batch:
            self._pending.appendleft(list(child.batch))
        why = child.why or f"its parser died ({f'signal {-code}' if code < 0 else f'code {code}'})"
        if job.text_only:
            return quarantined(self._root, job, why)
        self._pending.appendleft([replace(job, known="", text_only=f"{why}: text only")])
        return None


# --------------------------------------------------------------------------- the child's side


def main() -> None:
    """Read batches from standard input until it closes; one outcome a job on standard output."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # the parent decides when to stop; an interrupt here would look like a file that kills its parser
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # nothing else may write into the frames
    sys.stdout = sys.stderr
    root, settings, patience = receive(source)
    with open(os.devnull, "w") as silent:
        send(sink, True)
        while True:
            try:
                batch = receive(source)
            except EOFError:
                return
            for job in batch:
                # ends this process from within, should the parent be gone and nobody else be able to
                faulthandler.dump_traceback_later(patience + 5, exit=True, file=silent)
                send(sink, build_safely(Path(root), job, settings))
            faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    try:
        main()
    except (EOFError, BrokenPipeError):
        os._exit(1)
