"""The text of indexed files, read from the working tree and never from outside the root."""

from __future__ import annotations

import hashlib
import os
import stat

from fourfold.model import File
from fourfold.store.interface import FileText


def read_text(base: str, file: File, folders: dict[str, str]) -> FileText | None:
    """The file's bytes now, or None when it is gone, unreadable, no regular file, or leads out of ``base``, the root
    with all its links resolved. ``folders`` keeps what folders resolve to, for as long as one caller goes on reading.

    It is stale when its size or content differ from what was indexed; the content is only hashed when the time of
    change differs.
    """
    folder, _, name = file.path.rpartition("/")
    real = folders.get(folder)
    if real is None:
        real = folders[folder] = os.path.realpath(os.path.join(base, folder))
    path = os.path.join(real, name)
    if os.path.islink(path):
        path = os.path.realpath(path)
    if os.path.commonpath([base, path]) != base:
        return None
    try:
        # Not blocking: should the path have become a pipe, opening it must not wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                return None
            data = stream.read()
    except (OSError, ValueError):
        return None
    same_stat = len(data) == file.size and status.st_mtime_ns == file.mtime_ns
    stale = not same_stat and (len(data) != file.size or content_digest(data) != file.digest)
    return FileText(file.id, file.path, data, stale)


def content_digest(data: bytes) -> str:
    """The hex content hash of a file as `File.digest` holds it: SHA-1, the fastest that is long enough to tell apart
    what nobody made to collide."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
