"""Waiting for a root's files to change, so that an index can follow them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import Change, watch

from fourfold.indexing.walk import TOOL_FOLDERS

#: Changes that come within this many milliseconds of one another are one.
SETTLE_MS = 400
#: Seconds between two looks where the system cannot watch (too many folders, some network drives).
POLL_SECONDS = 10.0
#: In ``.git``, what tells that another commit or branch stands in the working tree.
_GIT_FILES = ("HEAD", "index")


class _Filter:
    """Which changed paths are worth a look."""

    def __init__(self, root: Path, base: Path) -> None:
        self._root = root
        self._base = str(base)

    def __call__(self, change: Change, path: str) -> bool:
        # the index itself, its companions and its rebuilt generations change because we write them
        if path.startswith(self._base):
            return False
        try:
            parts = Path(path).relative_to(self._root).parts
        except ValueError:
            return False
        if ".git" in parts:
            return len(parts) == 2 and parts[1] in _GIT_FILES
        return not any(part in TOOL_FOLDERS for part in parts)


def changes(root: Path, base: Path, stop: Callable[[], bool]) -> Iterator[None]:
    """Yield once after each burst of changes below ``root``, until ``stop`` says so.

    ``base`` is the index's base file. Where the system cannot watch, yields every `POLL_SECONDS` instead.
    """
    try:
        for found in watch(
            root,
            watch_filter=_Filter(root, base),
            debounce=4 * SETTLE_MS,
            step=SETTLE_MS,
            rust_timeout=200,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            if stop():
                return
            if found:
                yield
    except (OSError, RuntimeError):
        while not stop():
            for _ in range(int(POLL_SECONDS / 0.2)):
                time.sleep(0.2)
                if stop():
                    return
            yield
