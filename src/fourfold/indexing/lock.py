"""One writer an index: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfold import paths


class Busy(Exception):
    """Another process is indexing this root; ``pid`` is its id, or 0 when it cannot be told."""

    def __init__(self, pid: int = 0) -> None:
        super().__init__("another process is indexing" + (f" (process {pid})" if pid else ""))
        self.pid = pid


@contextmanager
def hold(index: Path) -> Iterator[None]:
    """Hold the lock of ``index`` (any of its generations) inside the ``with``. Raises `Busy` at once, never waits.

    The lock is the operating system's, on a file that stays: a file's mere existence would outlive its maker.
    """
    lock = paths.lock_of(paths.base_of(index))
    paths.make_private(lock.parent)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _try_lock(handle):
            raise Busy(_holder(handle))
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        # closing gives the lock back
        os.close(handle)


def is_held(index: Path) -> bool:
    """Whether some process is writing ``index`` now."""
    try:
        handle = os.open(paths.lock_of(paths.base_of(index)), os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try_lock(handle)
    finally:
        os.close(handle)


def _holder(handle: int) -> int:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return int(os.read(handle, 32).split()[0])
    except (OSError, ValueError, IndexError):
        return 0


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        # far behind the content, which others must be able to read
        os.lseek(handle, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
