"""Which files and chunks live, as columns: the frame in which everything else of an index is read."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.model import File
from fourfold.store.packs import Ints, decode_rows
from fourfold.store.schema import path_text

#: Columns of a file's chunks: first line, further lines, kind, ordinal of the symbol + 1, body terms.
CHUNK_WIDTH = 5
CHUNK_SIGNED = (0, 3)

_FILE_COLUMNS = (
    "id, path, language, size, mtime_ns, digest, lines, module, first_chunk, first_symbol, n_symbols, "
    "first_reference, n_references, chunks"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns over live files (f,), by id, and over live chunks (n,), by id.

    ``chunk_file`` is a position in the columns of files; ``chunk_symbol`` a symbol id or 0; ``chunk_keys`` joins file
    and first line, to look up the chunk of a line; ``labels`` are the texts of languages and kinds by number.
    """

    labels: dict[int, str]
    paths: tuple[str, ...]
    languages: tuple[int, ...]
    modules: tuple[str, ...]
    digests: tuple[bytes | str, ...]
    file_ids: Ints
    sizes: Ints
    mtimes: Ints
    lines: Ints
    first_symbol: Ints
    n_symbols: Ints
    first_reference: Ints
    n_references: Ints
    chunk_ids: Ints
    chunk_file: Ints
    chunk_start: Ints
    chunk_end: Ints
    chunk_kind: Ints
    chunk_symbol: Ints
    chunk_terms: Ints
    chunk_keys: Ints

    def file(self, position: int) -> File:
        digest = self.digests[position]
        return File(
            id=int(self.file_ids[position]),
            path=self.paths[position],
            language=self.labels.get(self.languages[position], ""),
            size=int(self.sizes[position]),
            mtime_ns=int(self.mtimes[position]),
            digest=digest.hex() if isinstance(digest, bytes) else digest,
            lines=int(self.lines[position]),
            module=self.modules[position],
        )

    def file_positions(self, ids: Sequence[int]) -> Ints:
        """Positions of the live ones among ``ids``, in the order given."""
        return positions(self.file_ids, ids)

    def chunk_positions(self, ids: Sequence[int]) -> Ints:
        return positions(self.chunk_ids, ids)

    def files_of_symbols(self, ids: Ints | NDArray[np.int32]) -> Ints:
        """The position of each symbol's file, or -1 when it no longer lives."""
        return owners(self.first_symbol, self.n_symbols, ids)

    def files_of_references(self, ids: Ints | NDArray[np.int32]) -> Ints:
        return owners(self.first_reference, self.n_references, ids)

    def chunks_at(self, files: Ints | NDArray[np.int32], lines: Ints | NDArray[np.int32]) -> Ints:
        """Position of the chunk that holds each line of a file (by its position); -1 where none does."""
        if not self.chunk_ids.size:
            return np.full(files.size, -1, dtype=np.int64)
        files, lines = files.astype(np.int64), lines.astype(np.int64)
        found = np.searchsorted(self.chunk_keys, (files << 32) | lines, side="right") - 1
        safe = np.maximum(found, 0)
        good = (found >= 0) & (self.chunk_file[safe] == files) & (self.chunk_end[safe] >= lines)
        return np.where(good, found, -1)


def positions(sorted_ids: Ints | NDArray[np.int32], ids: Sequence[int] | Ints) -> Ints:
    """Positions in ``sorted_ids`` of those ``ids`` that are there, in the order given."""
    wanted = np.asarray(ids, dtype=np.int64).reshape(-1)
    if not sorted_ids.size or not wanted.size:
        return np.zeros(0, dtype=np.int64)
    found = np.minimum(np.searchsorted(sorted_ids, wanted), sorted_ids.size - 1)
    out: Ints = found[sorted_ids[found] == wanted]
    return out


def contains(sorted_ids: Ints, ids: Ints | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of ``ids`` are in ``sorted_ids``."""
    if not sorted_ids.size:
        return np.zeros(ids.size, dtype=bool)
    found: Ints = np.minimum(np.searchsorted(sorted_ids, ids), sorted_ids.size - 1)
    present: NDArray[np.bool_] = sorted_ids[found] == ids
    return present


def owners(first: Ints, count: Ints, ids: Ints | NDArray[np.int32]) -> Ints:
    """Which of the ranges ``first`` … ``first + count`` (ascending, apart) holds each id; -1 for none."""
    if not first.size:
        return np.full(ids.size, -1, dtype=np.int64)
    # An empty range may share its first id with the next file's; the last of equal ones is the one that counts.
    found = np.searchsorted(first, ids, side="right") - 1
    safe = np.maximum(found, 0)
    return np.where((found >= 0) & (ids < first[safe] + count[safe]), found, -1)


def read_layout(db: sqlite3.Connection) -> Layout:
    """Everything about live files and chunks in one scan of ``files``."""
    labels = dict(db.execute("SELECT id, text FROM labels").fetchall())
    rows = db.execute(f"SELECT {_FILE_COLUMNS} FROM files ORDER BY id").fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * 14
    numbers = {k: np.array(columns[k], dtype=np.int64) for k in (0, 3, 4, 6, 8, 9, 10, 11, 12)}
    chunks, counts = decode_rows(columns[13], CHUNK_WIDTH, CHUNK_SIGNED)
    owner = np.repeat(np.arange(counts.size), counts)
    ordinal = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
    symbol = chunks[:, 3]
    return Layout(
        labels=labels,
        paths=tuple(map(path_text, columns[1])),
        languages=columns[2],
        modules=columns[7],
        digests=columns[5],
        file_ids=numbers[0],
        sizes=numbers[3],
        mtimes=numbers[4],
        lines=numbers[6],
        first_symbol=numbers[9],
        n_symbols=numbers[10],
        first_reference=numbers[11],
        n_references=numbers[12],
        chunk_ids=numbers[8][owner] + ordinal,
        chunk_file=owner,
        chunk_start=chunks[:, 0].copy(),
        chunk_end=chunks[:, 0] + chunks[:, 1],
        chunk_kind=chunks[:, 2].copy(),
        chunk_symbol=np.where(symbol > 0, numbers[9][owner] + symbol - 1, 0),
        chunk_terms=chunks[:, 4].copy(),
        chunk_keys=(owner << 32) | chunks[:, 0],
    )
