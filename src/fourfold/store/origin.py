"""What an index says about itself (its root, its embedder), without opening it for questions."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from fourfold.store.schema import open_for_reading, translate


def notes_of(index: Path) -> Mapping[str, str]:
    """The index's own notes, such as ``root``, ``embedder_choice`` (what the user named) and ``space`` (whose vectors
    it holds). Raises `IndexMissing` or `IndexUnusable`."""
    db = open_for_reading(index)
    try:
        return {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}
    except sqlite3.Error as error:
        raise translate(error) from error
    finally:
        db.close()
