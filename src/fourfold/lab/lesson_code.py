"""The small codebase of the lesson: it ships with the package, and is laid out in the cache to be indexed there.

A folder inside the package could lie below a root that somebody has indexed, whose index would then answer instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from fourfold import paths

NAME = "parcels"


def shipped() -> Traversable | Path:
    """Where it stands: inside the installed package, or at the top of an editable checkout."""
    packaged = resources.files("fourfold") / "lesson"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "lesson"


def files() -> dict[str, bytes]:
    """Content by path, with ``/``."""
    return dict(sorted(_walk(shipped(), "")))


def _walk(folder: Traversable | Path, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry.read_bytes()


def lay_out() -> Path:
    """The folder with the code, written when it is not there as it ships. Raises OSError."""
    content = files()
    digest = hashlib.sha256(repr(content).encode()).hexdigest()[:12]
    top = paths.make_private(paths.cache_dir() / "lesson" / digest / NAME)
    for path, data in content.items():
        target = top / path
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return top
