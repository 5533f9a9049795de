"""Connections to an index in SQLite, each call in a consistent view of its own, and what is kept between calls."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from fourfold.store.packs import DamagedPack
from fourfold.store.schema import IndexUnusable, open_for_reading, translate
from fourfold.store.sums import condemn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One consistent view of the index: a connection inside a read transaction, and the values of ``meta``."""

    db: sqlite3.Connection
    meta: Mapping[str, object]

    def number(self, key: str, default: int = 0) -> int:
        value = self.meta.get(key, default)
        return int(value) if isinstance(value, (int, str)) else default

    def text(self, key: str) -> str:
        return str(self.meta.get(key, ""))


def is_running(snap: Snapshot) -> bool:
    """Whether a run is under way, or one was broken off."""
    return snap.text("running") not in ("", "0")


class Snapshots:
    """Snapshots of one index file, for any number of threads. Raises `IndexMissing` or `IndexUnusable` when opened,
    `IndexUnusable` when damage shows later."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # A connection serves one call at a time, so there are as many as calls that ever ran side by side.
        self._idle: list[sqlite3.Connection] = [open_for_reading(path)]
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[int, object]] = {}
        self._closed = False

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        try:
            db = self._idle.pop()
        except IndexError:
            db = open_for_reading(self.path)
        try:
            db.execute("BEGIN")
            yield Snapshot(db, dict(db.execute("SELECT key, value FROM meta").fetchall()))
        except (sqlite3.Error, DamagedPack) as error:
            told = translate(error)
            if isinstance(told, IndexUnusable):
                condemn(self.path)  # the next run heals it, though it may never read this part
            raise told from error
        finally:
            if self._closed:
                db.close()
            else:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                self._idle.append(db)

    def _cached(self, snap: Snapshot, name: str, counters: Sequence[str], make: Callable[[], T]) -> T:
        """``make()``, kept for as long as the ``counters`` of the index stay the same."""
        version = sum(snap.number(counter) for counter in counters)
        with self._lock:
            kept = self._cache.get(name)
        if kept is not None and kept[0] == version:
            return cast(T, kept[1])
        try:
            value = make()
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            # These read whole parts of the index and nothing from the caller: what they trip over is damage.
            raise DamagedPack(f"{name} cannot be read: {error}") from error
        with self._lock:
            kept = self._cache.get(name)
            if kept is None or kept[0] < version:
                self._cache[name] = (version, value)
        return value

    def close(self) -> None:
        """Close all connections; one that a call still uses is closed when the call ends."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()
