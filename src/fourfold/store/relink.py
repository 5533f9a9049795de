"""What a resolution of the graph that only follows changes needs: the files that are gone or were replaced since the
edges were written, as they were then, beside what is there now."""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.store import graph
from fourfold.store.graph import Edges
from fourfold.store.interface import Ints
from fourfold.store.layout import Layout
from fourfold.store.packs import DamagedPack, decode_rows
from fourfold.store.rows import GraphColumns, graph_columns
from fourfold.store.schema import path_text
from fourfold.store.symbols import qualified_name

#: name, scope, kind, ordinal of the parent + 1, type_name, start, extent
_SymbolRow = tuple[str, str | None, int, int, str, int, int]
_HEAD = struct.Struct("<IIII")


@dataclass(frozen=True, slots=True)
class FileRows:
    """One file as resolution sees it. Numbers of holders are ordinals + 1 in ``symbols``, those of texts are names'.

    symbols: (name, qualified, kind, ordinal of the parent + 1 or 0, type_name, start_line, lines after it)
    references: name, kind, line, column, holder, receiver; imports: module, name, alias, level, holder, exported, line;
    bindings: holder, name, type, line
    """

    id: int
    path: str
    language: str
    first_symbol: int
    symbols: list[tuple[str, str, str, int, str, int, int]]
    references: Ints
    imports: Ints
    bindings: Ints


@dataclass(frozen=True, slots=True)
class GraphNews:
    """All that has changed since the edges were written, and all that it may concern.

    ``now`` is all that is there; ``old`` are the files that are no longer as they were, ``new`` those that are there
    instead. ``edges`` are the old ones, those from and to old files too; ``central`` the ids and centralities of then.
    """

    now: GraphColumns
    old: list[FileRows]
    new: list[FileRows]
    edges: Edges
    central: tuple[Ints, NDArray[np.float64]]
    first_symbol: Ints
    n_symbols: Ints
    note: str


def keep(db: sqlite3.Connection, file_id: int) -> None:
    """Set a file aside that is about to be removed."""
    head = db.execute("SELECT path, language, first_symbol, n_symbols FROM files WHERE id = ?", (file_id,)).fetchone()
    path, language, first, count = head
    blobs = db.execute("SELECT refs, imports, bindings FROM code WHERE id = ?", (file_id,)).fetchone() or (b"",) * 3
    found = [path_text(path), language, first, _symbols(db, first, count)]
    packed = zlib.compress(json.dumps(found).encode(), 1)
    data = _HEAD.pack(len(packed), *map(len, blobs)) + packed + b"".join(blobs)
    db.execute("INSERT OR REPLACE INTO graph VALUES (?, ?)", (f"was {file_id}", data))


def forget(db: sqlite3.Connection, note: str) -> None:
    """Drop what `keep` set aside, and leave a ``note`` (or none) of how the edges came about."""
    db.execute("DELETE FROM graph WHERE part LIKE 'was %' OR part = 'note'")
    if note:
        db.execute("INSERT INTO graph VALUES ('note', ?)", (note.encode(),))


def read_news(db: sqlite3.Connection, layout: Layout, horizon: int) -> GraphNews | None:
    """What has changed since the files below id ``horizon`` were resolved; None when nothing ever was, or that how it
    was done is not known."""
    note = db.execute("SELECT data FROM graph WHERE part = 'note'").fetchone()
    if note is None or not horizon:
        return None
    return GraphNews(
        now=graph_columns(db, layout),
        old=[_kept(layout, *row) for row in db.execute("SELECT part, data FROM graph WHERE part LIKE 'was %'")],
        new=[_read(db, layout, position) for position in np.flatnonzero(layout.file_ids >= horizon).tolist()],
        edges=graph.read_edges(db, layout, current=True),
        central=graph.read_centrality(db, "symbols"),
        first_symbol=layout.first_symbol,
        n_symbols=layout.n_symbols,
        note=note[0].decode(),
    )


def _symbols(db: sqlite3.Connection, first: int, count: int) -> list[_SymbolRow]:
    query = (
        "SELECT name, scope, kind, parent, ifnull(type_name, ''), start, extent FROM symbols"
        " WHERE id >= ? AND id < ? ORDER BY id"
    )
    return db.execute(query, (first, first + count)).fetchall()


def _read(db: sqlite3.Connection, layout: Layout, position: int) -> FileRows:
    file_id = int(layout.file_ids[position])
    blobs = db.execute("SELECT refs, imports, bindings FROM code WHERE id = ?", (file_id,)).fetchone() or (b"",) * 3
    first, count = int(layout.first_symbol[position]), int(layout.n_symbols[position])
    symbols = _symbols(db, first, count)
    return _rows(layout, file_id, layout.paths[position], layout.languages[position], first, symbols, blobs)


def _kept(layout: Layout, part: str, data: bytes) -> FileRows:
    try:
        packed, *sizes = _HEAD.unpack_from(data)
        path, language, first, symbols = json.loads(zlib.decompress(data[_HEAD.size : _HEAD.size + packed]))
    except (zlib.error, struct.error, ValueError) as error:
        raise DamagedPack(f"a file that was set aside cannot be read: {error}") from error
    at = _HEAD.size + packed
    blobs: list[bytes] = []
    for size in sizes:
        blobs.append(data[at : at + size])
        at += size
    return _rows(layout, int(part.split()[1]), path, language, first, symbols, blobs)


def _rows(
    layout: Layout, file_id: int, path: str, language: int, first: int, symbols: Sequence[_SymbolRow],
    blobs: Sequence[bytes],
) -> FileRows:  # fmt: skip
    shapes = (
        (graph.REFERENCE_WIDTH, graph.REFERENCE_SIGNED),
        (graph.IMPORT_WIDTH, graph.IMPORT_SIGNED),
        (graph.BINDING_WIDTH, graph.BINDING_SIGNED),
    )
    columns = [decode_rows([blob], *shape)[0] for blob, shape in zip(blobs, shapes, strict=True)]
    named = [
        (name, qualified_name(name, scope), layout.labels.get(kind, ""), parent, type_name, start, extent)
        for name, scope, kind, parent, type_name, start, extent in symbols
    ]
    return FileRows(file_id, path, layout.labels.get(language, ""), first, named, *columns)
