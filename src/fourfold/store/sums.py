"""Whether an index file is still what its last writer left: SQLite itself notices only damage to its own structure.

Beside the index stands its sum: size, time of change and CRC-32, written when a writer closes with all in the file
itself, and removed before the next one writes. As long as size and time agree nothing is read, so that looking costs
nothing; where they do not, the whole file is (half a millisecond a megabyte).
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path

_BLOCK = 1 << 20
#: The size in the sum of an index that is to be made anew.
_CONDEMNED = -1


def sum_of(index: Path) -> Path:
    """Where the sum of an index file stands."""
    return index.with_name(index.name + ".sum")


def forget(index: Path) -> None:
    """Before the file is written to: nothing is known of it from now on."""
    try:
        sum_of(index).unlink(missing_ok=True)
    except OSError:
        pass


def note(index: Path) -> None:
    """After the last write: keep the sum, unless something is still in the write-ahead log."""
    try:
        if _log_size(index):
            return
        status = os.stat(index)
        text = json.dumps({"size": status.st_size, "mtime_ns": status.st_mtime_ns, "crc32": _crc(index)})
        partial = sum_of(index).with_name(sum_of(index).name + ".part")
        partial.write_text(text, "utf-8")
        os.replace(partial, sum_of(index))
    except OSError:
        pass  # without a sum the file is taken as it is


def condemn(index: Path) -> None:
    """Have the next writer make the index anew: something in it could not be read."""
    try:
        sum_of(index).write_text(json.dumps({"size": _CONDEMNED}), "utf-8")
    except OSError:
        pass


def is_damaged(index: Path, thorough: bool = False) -> bool:
    """Whether the file is not what its last writer left; False where that is not known.

    ``thorough`` reads it even when size and time agree (a disk that forgets changes neither).
    """
    known = _read(index)
    if known is None:
        return False
    if known.get("size") == _CONDEMNED:
        return True
    try:
        status = os.stat(index)
        same = (status.st_size, status.st_mtime_ns) == (known.get("size"), known.get("mtime_ns"))
        if same and not thorough:
            return False
        if status.st_size == known.get("size") and _crc(index) == known.get("crc32"):
            return False
        # another process may have begun to write meanwhile: then its sum is gone
        return _read(index) == known and not _log_size(index)
    except OSError:
        return False


def _read(index: Path) -> dict[str, int] | None:
    try:
        found = json.loads(sum_of(index).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _log_size(index: Path) -> int:
    log = index.with_name(index.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def _crc(index: Path) -> int:
    value = 0
    with index.open("rb") as file:
        while block := file.read(_BLOCK):
            value = zlib.crc32(block, value)
    return value
