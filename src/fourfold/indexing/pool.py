"""Processes that read and parse files, so arranged that a file which crashes or hangs its process costs itself alone.

Each child is a plain process fed through its standard input: it works inside any program, dies with its parent
(its input closes) and shares nothing. A frame is four bytes of length and a pickle, between our own processes only:
after each file how many of the batch are done, and at its end the whole delivery. The thread that reads a child hands
it the next batch, so that no child waits for the parent to finish writing.
"""

from __future__ import annotations

import faulthandler
import gc
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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from fourfold.config import Settings
from fourfold.indexing.delivery import Delivery, quarantined, read_batch
from fourfold.indexing.jobs import Job
from fourfold.indexing.words import Vocabulary

#: Seconds without a sign of life before a child is taken for stuck; parsing itself gives up far earlier.
PATIENCE = 30.0
#: A child that has parsed so many bytes makes room for another: tree-sitter's binding (0.26) leaks a little with every
#: file, and to start a child takes as long as to parse half a megabyte.
RETIRE_BYTES = 32_000_000
#: Deliveries that may wait for the parent, so that memory stays bounded.
WAITING = 2


# --------------------------------------------------------------------------- frames


def send(stream: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, protocol=5)
    stream.write(len(data).to_bytes(4, "big") + data)
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
    #: What it works on, and how many of them are done.
    batch: list[Job] = field(default_factory=list)
    done: int = 0
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
        self._results: queue.Queue[tuple[_Child, Delivery | None]] = queue.Queue(WAITING)
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

    def run(
        self, batches: Sequence[list[Job]], stop: Callable[[], bool], tell: Callable[[int, str], None]
    ) -> Iterator[Delivery]:
        """One delivery a batch, in the order in which they are done. Ends early when ``stop`` says so.

        ``tell`` hears now and then how many jobs are done, delivered or not, and the last one of them. Raises
        `PoolFailed` when children die before they take any work.
        """
        self._pending.extend(batches)
        total = left = sum(map(len, batches))
        for _ in range(min(self._jobs, len(batches))):
            self._start()
        while left and not stop():
            try:
                child, delivery = self._results.get(timeout=0.1)
            except queue.Empty:
                self._kill_stuck()
                self._tell(total - left, tell)
                continue
            if delivery is None:
                delivery = self._bury(child)
                if self._pending and len(self._children) < self._jobs:
                    self._start()
            if delivery is not None:
                left -= len(delivery.paths)
                yield delivery

    def _tell(self, delivered: int, tell: Callable[[int, str], None]) -> None:
        under_way = [(child.done, child.batch) for child in self._children if child.done]
        last = next((batch[done - 1].path for done, batch in under_way if done <= len(batch)), "")
        if last:
            tell(delivered + sum(done for done, _ in under_way), last)

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
                child.batch, child.done = batch, 0
                child.since = time.monotonic()
                send(child.process.stdin, batch)
                while not isinstance(frame := receive(child.process.stdout), Delivery):
                    child.since = time.monotonic()
                    child.done = frame
                child.since = None
                child.batch, child.done = [], 0
                self._pass_on((child, frame))
                if frame.last:
                    break
        except Exception:
            # a dead child, or a frame that is none: either way `_bury` finds out what was in work
            pass
        child.since = None
        self._pass_on((child, None))

    def _pass_on(self, item: tuple[_Child, Delivery | None]) -> None:
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

    def _bury(self, child: _Child) -> Delivery | None:
        """Take a child that ended out of the pool; the file it died on is tried as text, then given up, and the rest of
        its batch is read again."""
        self._children.discard(child)
        child.process.kill()
        code = child.process.wait()
        if not child.ready:
            raise PoolFailed
        batch, done = child.batch, child.done
        if not batch:
            return None
        if done == len(batch) > 1:
            # it died on what it had read: the half that holds the reason dies again
            self._pending.extendleft([batch[: done // 2], batch[done // 2 :]])
            return None
        done = min(done, len(batch) - 1)
        job = batch[done]
        self._pending.extendleft(part for part in (batch[:done], batch[done + 1 :]) if part)
        why = child.why or f"its parser died ({f'signal {-code}' if code < 0 else f'code {code}'})"
        if job.text_only:
            return Delivery((quarantined(self._root, job, why),))
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
    # what is made for a file goes with its last name; the cycle collector would walk over it in vain (7% of the time)
    gc.disable()
    vocabulary, parsed = Vocabulary(), 0
    with open(os.devnull, "w") as silent:
        send(sink, True)

        def done(count: int) -> None:
            # ends this process from within, should the parent be gone and nobody else be able to
            faulthandler.dump_traceback_later(patience + 5, exit=True, file=silent)
            send(sink, count)

        while True:
            try:
                batch = receive(source)
            except EOFError:
                return
            faulthandler.dump_traceback_later(patience + 5, exit=True, file=silent)
            delivery = read_batch(Path(root), batch, settings, vocabulary, done)
            parsed += sum(file.size for file in delivery.parcel.files) if delivery.parcel is not None else 0
            last = parsed > RETIRE_BYTES
            send(sink, replace(delivery, last=last))
            if last:
                return
            faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    try:
        main()
    except (EOFError, BrokenPipeError):
        os._exit(1)
