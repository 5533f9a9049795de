"""Patience with a remote service: rate limits kept, waits that grow, calls that end in time."""

from __future__ import annotations

import queue
import random
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
_MINUTE = 60.0


class TookTooLong(Exception):
    """A call did not end within its time."""


class Caller:
    """Makes calls on one background thread, which keeps its connection, and gives up on a call that takes too long.

    The client's own time-out is for each read from the network, so that a server that sends a byte now and then could
    hold a search for ever. A thread that hangs is left behind (it ends with the process) and the next call gets a new
    one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job] | None = None

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """The result of ``work()``, or what it raised; `TookTooLong` after ``seconds``."""
        job = _Job(work)
        with self._lock:
            jobs = self._jobs
            if jobs is None:
                jobs = self._jobs = queue.SimpleQueue()
                threading.Thread(target=_run_jobs, args=(jobs,), name="embedding-caller", daemon=True).start()
            jobs.put(job)
        if not job.done.wait(seconds):
            with self._lock:
                if self._jobs is jobs:
                    self._jobs = None
            raise TookTooLong
        if job.error is not None:
            raise job.error
        result: T = job.result
        return result


@dataclass(slots=True, eq=False)
class _Job:
    work: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)
    result: Any = None
    error: BaseException | None = None


def _run_jobs(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        job = jobs.get()
        try:
            job.result = job.work()
        except BaseException as error:
            job.error = error
        job.done.set()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a service allows in a minute; None where it has not said."""

    requests: int | None = None
    tokens: int | None = None


def limits_in(message: str) -> Limits:
    """Limits that a refusal names, such as “reduced rate limits of 3 RPM and 10K TPM”."""
    requests = re.search(r"(\d[\d,]*)\s*RPM", message)
    tokens = re.search(r"(\d[\d,]*(?:\.\d+)?)\s*([KM]?)\s*TPM", message)
    scale = {"": 1, "K": 1_000, "M": 1_000_000}
    return Limits(
        int(requests[1].replace(",", "")) or None if requests else None,
        int(float(tokens[1].replace(",", "")) * scale[tokens[2]]) or None if tokens else None,
    )


class Pace:
    """Keeps requests and tokens of the last minute within `Limits`. ``sleep`` may raise, to stop."""

    def __init__(
        self, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = Limits()
        self._sleep = sleep
        self._clock = clock
        self._sent: deque[tuple[float, int]] = deque()

    def wait(self, tokens: int) -> None:
        """Returns when a request of so many tokens is allowed, and counts it as sent."""
        while True:
            now = self._clock()
            while self._sent and self._sent[0][0] <= now - _MINUTE:
                self._sent.popleft()
            full = self.limits.requests is not None and len(self._sent) >= self.limits.requests
            heavy = (
                self.limits.tokens is not None
                and bool(self._sent)
                and sum(size for _, size in self._sent) + tokens > self.limits.tokens
            )
            if not full and not heavy:
                self._sent.append((now, tokens))
                return
            self._sleep(max(0.05, self._sent[0][0] + _MINUTE - now))


def backoff(attempt: int, first: float = 1.0, most: float = 60.0) -> float:
    """Seconds before attempt number ``attempt`` (from 1): doubling, with half of it left to chance, so that clients
    that failed together do not return together."""
    return float(min(most, first * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0))
