"""References and edges as columns: what resolution reads, and the resolved graph that questions walk.

Half a million references as rows with their indexes cost more than the rest of an index together; as columns a
reference is about eight bytes and an edge six, the whole graph loads in tens of milliseconds, and replacing all edges
after a change writes a few megabytes.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from fourfold.store.interface import EdgeRow
from fourfold.store.layout import Layout, positions
from fourfold.store.packs import DamagedPack, Ints, decode_rows, encode_long
from fourfold.store.schema import CERTAINTIES, KINDS

#: Columns of a file's references: name, kind, line, column, ordinal of the holder + 1, receiver.
REFERENCE_WIDTH, REFERENCE_SIGNED = 6, (2, 4)
#: module, name, alias, level, ordinal of the holder + 1, exported, line
IMPORT_WIDTH, IMPORT_SIGNED = 7, (4, 6)
#: ordinal of the holder + 1, name, type, line
BINDING_WIDTH, BINDING_SIGNED = 4, (0, 3)
#: reference, source, target, line, kind and certainty
_EDGE_WIDTH, _EDGE_SIGNED = 5, (0, 1, 3)

#: Files whose references are decoded at a time.
_AT_A_TIME = 500
_KIND_CODE = {kind: code for code, kind in enumerate(KINDS)}
_CERTAINTY_CODE = {certainty: code for code, certainty in enumerate(CERTAINTIES)}


@dataclass(frozen=True, slots=True)
class References:
    """Columns over all live references, ascending by id. ``holder`` is a symbol id or 0, ``file`` a position.

    Of all that an index holds there is nothing more of these, so they are as narrow as may be.
    """

    ids: NDArray[np.int32]
    file: NDArray[np.int32]
    name: NDArray[np.int32]
    kind: NDArray[np.uint8]
    line: NDArray[np.int32]
    column: NDArray[np.int32]
    holder: NDArray[np.int32]
    receiver: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Edges:
    """Columns over the resolved graph or some of it. As a whole it ascends by reference, and both ends of every edge
    still live. Kinds and certainties are places in `schema.KINDS` and `CERTAINTIES`, the surest first."""

    reference: Ints
    source: Ints
    target: Ints
    line: Ints
    kind: Ints
    certainty: Ints

    def take(self, at: Ints | NDArray[np.bool_]) -> Edges:
        columns = (self.reference, self.source, self.target, self.line, self.kind, self.certainty)
        return Edges(*(column[at] for column in columns))


def kind_code(kind: str) -> int:
    """Raises ValueError for a kind of reference that the model does not know."""
    try:
        return _KIND_CODE[kind]
    except KeyError:
        raise ValueError(f"not a kind of reference: {kind!r}") from None


def certainty_code(certainty: str) -> int:
    return _CERTAINTY_CODE[certainty]


def read_references(db: sqlite3.Connection, layout: Layout) -> References:
    parts = [np.zeros((REFERENCE_WIDTH, 0), np.int32)]
    sizes = [np.zeros(0, dtype=np.int64)]
    # decoded they are wide, so not all at once
    for blobs in _code_blobs(db, "refs", _AT_A_TIME):
        some, counts = decode_rows(blobs, REFERENCE_WIDTH, REFERENCE_SIGNED)
        parts.append(some.T.astype(np.int32))
        sizes.append(counts)
    counts = np.concatenate(sizes)
    if not np.array_equal(counts, layout.n_references):
        raise DamagedPack("the lists of references do not belong to the files")
    rows = np.concatenate(parts, axis=1)
    file = np.repeat(np.arange(counts.size), counts)
    ids = np.arange(file.size) + np.repeat(layout.first_reference - np.cumsum(counts) + counts, counts)
    return References(
        ids=ids.astype(np.int32),
        file=file.astype(np.int32),
        name=rows[0],
        kind=rows[1].astype(np.uint8),
        line=rows[2],
        column=rows[3],
        holder=holder_ids(layout, file, rows[4]).astype(np.int32),
        receiver=rows[5],
    )


def read_imports(db: sqlite3.Connection) -> tuple[Ints, Ints]:
    """Rows of imports of all files by id, and how many each file has."""
    return _code_rows(db, "imports", IMPORT_WIDTH, IMPORT_SIGNED)


def read_bindings(db: sqlite3.Connection) -> tuple[Ints, Ints]:
    return _code_rows(db, "bindings", BINDING_WIDTH, BINDING_SIGNED)


def _code_rows(db: sqlite3.Connection, column: str, width: int, signed: Sequence[int]) -> tuple[Ints, Ints]:
    return decode_rows([blob for blobs in _code_blobs(db, column, 1000) for blob in blobs], width, signed)


def _code_blobs(db: sqlite3.Connection, column: str, at_a_time: int) -> Iterator[list[bytes]]:
    """One blob a file in their order, so many at a time."""
    # A file without any code has no row in `code`, and an empty list here.
    query = f"SELECT ifnull(c.{column}, x'') FROM files AS f LEFT JOIN code AS c ON c.id = f.id ORDER BY f.id"
    found = db.execute(query)
    while rows := found.fetchmany(at_a_time):
        yield [row[0] for row in rows]


def holder_ids(layout: Layout, file: Ints, ordinals: Ints | NDArray[np.int32]) -> Ints:
    """Symbol ids from ordinals + 1 within files (0 for none)."""
    return np.where(ordinals > 0, layout.first_symbol[file] + ordinals - 1, 0)


# --------------------------------------------------------------------------- edges


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """`EdgeRow` by columns; kinds and certainties are places in `schema.KINDS` and `CERTAINTIES`. ``line`` is that of
    the reference; None leaves it to be looked up."""

    reference: Ints
    source: Ints
    target: Ints
    kind: Ints
    certainty: Ints
    line: Ints | None = None


def edge_columns(edges: Sequence[EdgeRow]) -> EdgeColumns:
    """Raises ValueError for a kind that the model does not know."""
    ids, sources, targets = (_numbers(map(itemgetter(column), edges), len(edges)) for column in range(3))
    kinds = _numbers(map(kind_code, map(itemgetter(3), edges)), len(edges))
    certainties = _numbers(map(_CERTAINTY_CODE.__getitem__, map(itemgetter(4), edges)), len(edges))
    return EdgeColumns(ids, sources, targets, kinds, certainties)


def write_edges(db: sqlite3.Connection, layout: Layout, edges: EdgeColumns) -> int:
    """Replace all edges; those of references that are not there (any more) are left out. Returns how many are kept."""
    kept = np.flatnonzero((layout.files_of_references(edges.reference) >= 0) & (edges.target > 0))
    kept = kept[np.argsort((edges.reference[kept] << 32) | edges.target[kept], kind="stable")]
    rows = np.empty((kept.size, _EDGE_WIDTH), dtype=np.int64)
    for column, values in enumerate((edges.reference, edges.source, edges.target)):
        rows[:, column] = values[kept]
    rows[:, 4] = edges.kind[kept] * len(CERTAINTIES) + edges.certainty[kept]
    if edges.line is not None:
        rows[:, 3] = edges.line[kept]
    else:
        references = read_references(db, layout)
        rows[:, 3] = references.line[positions(references.ids, rows[:, 0])]
    blob = encode_long(rows, _EDGE_SIGNED, level=1)
    db.execute("INSERT OR REPLACE INTO graph VALUES ('edges', ?)", (blob,))
    return len(rows)


def _numbers(values: Iterable[int], count: int) -> Ints:
    return np.fromiter(values, dtype=np.int64, count=count)


def read_edges(db: sqlite3.Connection, layout: Layout, current: bool) -> Edges:
    """All live edges. ``current`` says that the files are those that were resolved, so that all edges live."""
    row = db.execute("SELECT data FROM graph WHERE part = 'edges'").fetchone()
    rows, _ = decode_rows([row[0] if row else b""], _EDGE_WIDTH, _EDGE_SIGNED)
    if not current:
        rows = rows[(layout.files_of_references(rows[:, 0]) >= 0) & (layout.files_of_symbols(rows[:, 2]) >= 0)]
    return Edges(
        reference=rows[:, 0].copy(),
        source=rows[:, 1].copy(),
        target=rows[:, 2].copy(),
        line=rows[:, 3].copy(),
        kind=rows[:, 4] // len(CERTAINTIES),
        certainty=rows[:, 4] % len(CERTAINTIES),
    )


# --------------------------------------------------------------------------- centrality


def write_centrality(
    db: sqlite3.Connection, layout: Layout, ids: Ints, lines: Ints, symbol_ids: Ints, values: NDArray[np.float64]
) -> None:
    """Centralities by symbol (ids ascending), and by chunk: the highest of the symbols that it defines.

    ``ids`` are the symbols whose name a chunk holds (module symbols left out) and ``lines`` the lines of those names.
    """
    by_chunk = np.zeros(layout.chunk_ids.size, dtype=np.float64)
    if symbol_ids.size:
        files = layout.files_of_symbols(ids)
        chunk = layout.chunks_at(files, lines)
        place = np.minimum(np.searchsorted(symbol_ids, ids), symbol_ids.size - 1)
        known = (chunk >= 0) & (symbol_ids[place] == ids)
        np.maximum.at(by_chunk, chunk[known], values[place[known]])
    some = np.flatnonzero(by_chunk > 0)
    for part, keys, numbers in (("symbols", symbol_ids, values), ("chunks", layout.chunk_ids[some], by_chunk[some])):
        # Many symbols share a value (those that nothing refers to), and most ids follow the one before.
        steps = np.diff(np.asarray(keys, dtype="<u4"), prepend=np.uint32(0))
        blob = zlib.compress(steps.tobytes() + np.asarray(numbers, dtype="<f8").tobytes(), level=1)
        db.execute("INSERT OR REPLACE INTO graph VALUES (?, ?)", (part, blob))


def read_centrality(db: sqlite3.Connection, part: str) -> tuple[Ints, NDArray[np.float64]]:
    """Ids (ascending) and centralities of ``part``, "symbols" or "chunks"."""
    row = db.execute("SELECT data FROM graph WHERE part = ?", (part,)).fetchone()
    try:
        blob = zlib.decompress(row[0]) if row else b""
    except zlib.error as error:
        raise DamagedPack(f"the list of centralities cannot be unpacked: {error}") from error
    if len(blob) % 12:
        raise DamagedPack("the list of centralities ends too early")
    n = len(blob) // 12
    ids = np.cumsum(np.frombuffer(blob, dtype="<u4", count=n), dtype=np.int64)
    return ids, np.frombuffer(blob, dtype="<f8", offset=4 * n, count=n).astype(np.float64)


def spread(ids: Ints, values: NDArray[np.float64], wanted: Ints) -> NDArray[np.float64]:
    """The value of each wanted id, 0 where there is none."""
    out = np.zeros(wanted.size, dtype=np.float64)
    if ids.size:
        found = np.minimum(np.searchsorted(ids, wanted), ids.size - 1)
        good = ids[found] == wanted
        out[good] = values[found[good]]
    return out
