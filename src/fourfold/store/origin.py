"""Which root an index file belongs to, without opening it for questions."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from fourfold.store.schema import open_for_reading, translate


def indexed_root(index: Path) -> str:
    """The root that ``index`` was made for. Raises `IndexMissing` or `IndexUnusable`."""
    db = open_for_reading(index)
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'root'").fetchone()
    except sqlite3.Error as error:
        raise translate(error) from error
    finally:
        db.close()
    return str(row[0]) if row else ""
