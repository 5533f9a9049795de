"""The tables of an index file, how one is opened, and what can be wrong with it.

What is looked up one by one stands in rows (files, symbols); what is read in bulk (references, chunks, edges, names,
centralities, vectors) in blobs of columns, which are a third of the size and load ten times as fast; postings in
blocks of a page each. Ids are counted up in ``meta`` and never used twice; the chunks, symbols and references of a file
have consecutive ids, so their rows need not repeat the file.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fourfold.store import sums

SCHEMA_VERSION = 2
APPLICATION_ID = 0x34464F4C
PAGE_SIZE = 8192
#: The length of SQLite's own header, which holds the application id.
_HEAD = 100
#: How long a connection waits for another that writes, in milliseconds.
BUSY_MS = 30_000

KINDS = ("call", "construct", "import", "inherit", "implement", "decorate", "read", "write")
CERTAINTIES = ("certain", "likely", "ambiguous")
FIELDS = ("body", "name")

#: Counters in ``meta``: what changed last, so that a long-lived reader knows which of its caches still hold.
COUNTERS = ("batch", "files_batch", "content_batch", "graph_batch", "vectors_batch", "ledger_batch")
SEQUENCES = (
    "next_file", "next_chunk", "next_symbol", "next_reference", "next_pack", "next_block", "next_name", "next_segment",
)  # fmt: skip
INTERNAL = (*COUNTERS, *SEQUENCES, "generation", "edges", "graph_horizon", "graph_content")

_ROWID_TABLES: dict[str, dict[str, Any]] = {
    "files": {
        "id": int, "path": bytes, "language": int, "size": int, "mtime_ns": int, "digest": bytes, "lines": int,
        "module": str, "first_chunk": int, "first_symbol": int, "n_symbols": int, "first_reference": int,
        "n_references": int, "chunks": bytes,
    },
    # `details` first: what a screen asks for must not walk the overflow pages of what only resolution reads.
    "code": {"id": int, "details": bytes, "refs": bytes, "imports": bytes, "bindings": bytes},
    "symbols": {
        "id": int, "fold": int, "name": str, "scope": str, "kind": int, "parent": int, "start": int, "extent": int,
        "name_offset": int, "type_name": str, "entry": int,
    },
    "names": {"id": int, "data": bytes},
    "labels": {"id": int, "text": str},
    "blocks": {"id": int, "data": bytes},
    "packs": {
        "id": int, "size": int, "files": bytes, "chunks": bytes, "body_values": bytes, "name_values": bytes,
    },
    "vectors": {"id": int, "n": int, "ids": bytes, "codes": bytes},
    "spaces": {"id": int, "name": str},
}  # fmt: skip

_KEYED_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE sections (pack INTEGER, field INTEGER, first INTEGER, fences BLOB NOT NULL, PRIMARY KEY (pack, field))
    WITHOUT ROWID;
CREATE TABLE graph (part TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE vector_cache (space INTEGER, hash BLOB, code BLOB NOT NULL, PRIMARY KEY (space, hash)) WITHOUT ROWID;
CREATE TABLE ledger (path BLOB PRIMARY KEY, decision TEXT, reason TEXT, rule TEXT, rule_source TEXT, size INTEGER)
    WITHOUT ROWID;
CREATE UNIQUE INDEX files_path ON files (path);
CREATE INDEX symbols_fold ON symbols (fold);
"""


class StoreError(Exception):
    """Something about the index that a person should be told in one line."""


class IndexMissing(StoreError):
    """There is no index at this place yet."""


class IndexUnusable(StoreError):
    """The index is damaged, or of another schema; it must be rebuilt. ``reason`` says which, in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def translate(error: Exception) -> StoreError:
    """The clear error that an error of SQLite, or of decoding, stands for."""
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and any(
        word in text for word in ("locked", "full", "readonly", "I/O", "interrupted")
    ):
        return StoreError(f"the index cannot be used now: {text}")
    return IndexUnusable(f"the index is damaged: {text}")


# --------------------------------------------------------------------------- text that SQLite can hold


def path_key(path: str) -> bytes:
    """A path as bytes: names that are not UTF-8 (surrogate escapes in Python) come back as they were."""
    return path.encode("utf-8", "surrogateescape")


def path_text(key: bytes) -> str:
    return key.decode("utf-8", "surrogateescape")


def clean(text: str) -> str:
    """Text that SQLite and JSON can carry: lone surrogates are escaped, NUL becomes the replacement character."""
    if text.isascii():
        return text.replace("\0", "\ufffd") if "\0" in text else text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\ufffd")


def fold_key(name: str) -> int:
    """23 bits of a hash of the case-folded name: one narrow index serves exact and case-insensitive look-ups."""
    return zlib.crc32(name.casefold().encode("utf-8", "surrogatepass")) & 0x7FFFFF


# --------------------------------------------------------------------------- opening


def _prepare(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    db.execute("PRAGMA cache_size = -16384")
    db.execute("PRAGMA temp_store = MEMORY")


def _check(db: sqlite3.Connection) -> None:
    """Raise unless ``db`` holds an index of this very schema."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            raise IndexMissing("the index has not been built yet")
        raise IndexUnusable("the file is not an index of this program")
    if version != SCHEMA_VERSION:
        raise IndexUnusable(f"the index has schema {version}, this program reads schema {SCHEMA_VERSION}")


def is_foreign(path: Path) -> bool:
    """Whether a file is somebody else's: something is in it, and it neither is nor was an index of this program. An
    index whose head is damaged is known by its sum."""
    if not path.exists() or sums.sum_of(path).exists():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        return False
    if not head.startswith(b"SQLite format 3\0"):
        return True
    if int.from_bytes(head[68:72], "big") == APPLICATION_ID:
        return False
    try:
        open_for_reading(path).close()
    except IndexMissing:  # empty: an index that was broken off while it was made
        return False
    except StoreError:
        return True
    return False


def _refuse_damage(path: Path) -> None:
    if sums.is_damaged(path):
        raise IndexUnusable("the index is damaged: the file is not what was written")


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises `IndexMissing` or `IndexUnusable`.

    In a folder that cannot be written, the files that WAL needs beside the index cannot be made; then the index is
    opened as immutable, which is right as nobody can write there.
    """
    if not path.exists():
        raise IndexMissing(f"no index at {path}")
    _refuse_damage(path)
    failure: Exception | None = None
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        db: sqlite3.Connection | None = None
        try:
            db = sqlite3.connect(
                f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, check_same_thread=False,
                timeout=BUSY_MS / 1000,
            )  # fmt: skip
            _prepare(db)
            _check(db)
            return db
        except sqlite3.OperationalError as error:
            failure = failure or error
        except sqlite3.DatabaseError as error:
            raise translate(error) from error
        except StoreError:
            if db is not None:
                db.close()
            raise
        if db is not None:
            db.close()
    raise translate(failure or sqlite3.OperationalError("unable to open")) from failure


def open_for_writing(path: Path, root: str) -> sqlite3.Connection:
    """A connection that may write; makes the file when there is none. Raises `IndexUnusable` for a foreign one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _refuse_damage(path)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    try:
        _prepare(db)
        try:
            _check(db)
        except IndexMissing:
            _create(db, root)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 2000")
        db.execute("PRAGMA journal_size_limit = 0")
        return db
    except sqlite3.DatabaseError as error:
        db.close()
        raise translate(error) from error
    except StoreError:
        db.close()
        raise


def _create(db: sqlite3.Connection, root: str) -> None:
    from sqlite_utils import Database  # only a first run needs it, and it is slow to import

    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN IMMEDIATE")
    tables = Database(db)
    for name, columns in _ROWID_TABLES.items():
        db.execute(tables.create_table_sql(name, columns, pk="id"))
    for statement in _KEYED_TABLES.split(";"):
        db.execute(statement)
    numbers: Iterable[tuple[str, object]] = [(key, 0) for key in (*COUNTERS, "generation", "edges")]
    facts = [*numbers, *((key, 1) for key in SEQUENCES), ("root", clean(root))]
    db.executemany("INSERT INTO meta VALUES (?, ?)", facts)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    db.execute("COMMIT")
