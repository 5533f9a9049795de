"""From parsed files to rows and blobs of columns, and back to what resolution reads."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fourfold.store import graph
from fourfold.store.graph import References
from fourfold.store.interface import GraphInput, SymbolRows
from fourfold.store.layout import CHUNK_SIGNED, Layout
from fourfold.store.packs import DamagedPack, Ints, encode_rows
from fourfold.store.parcel import Parcel, Rows
from fourfold.store.schema import KINDS, clean, path_key
from fourfold.store.symbols import qualified_name

#: Kinds of references that say something about the definition that holds them, so that every resolution reads them all.
_TELLING = ("inherit", "implement", "decorate")


@dataclass(frozen=True, slots=True)
class Firsts:
    """The first fresh number of each kind for a batch."""

    file: int
    chunk: int
    symbol: int
    reference: int


def write_names(db: sqlite3.Connection, first: int, names: Sequence[str]) -> None:
    """Keep ``names`` under consecutive numbers from ``first``."""
    db.execute("INSERT INTO names (id, data) VALUES (?, ?)", (first, zlib.compress("\n".join(names).encode("utf-8"))))


def merge_names(db: sqlite3.Connection, most: int = 64) -> None:
    """Keep all names as one list when they stand in more than ``most``; their numbers stay."""
    if db.execute("SELECT count(*) FROM names").fetchone()[0] > most:
        names = read_names(db)[1:]
        db.execute("DELETE FROM names")
        write_names(db, 1, names)


def read_names(db: sqlite3.Connection) -> list[str]:
    """All names by number; number 0 is the empty one."""
    names = [""]
    for first, data in db.execute("SELECT id, data FROM names ORDER BY id"):
        try:
            some = zlib.decompress(data).decode("utf-8").split("\n")
        except (zlib.error, ValueError) as error:
            raise DamagedPack(f"a list of names cannot be read: {error}") from error
        if first != len(names):
            raise DamagedPack("a list of names is missing")
        names += some
    return names


def write(db: sqlite3.Connection, parcel: Parcel, first: Firsts, names: Ints, labels: Ints) -> None:
    """Insert a parcel's files, symbols, chunks, references, imports and bindings.

    ``names`` and ``labels`` are the index's numbers of the parcel's.
    """
    chunks = _blobs(parcel.chunks, CHUNK_SIGNED, labels, (2,))
    references = _blobs(parcel.references, graph.REFERENCE_SIGNED, names, (0, 5))
    imports = _blobs(parcel.imports, graph.IMPORT_SIGNED, names, (0, 1, 2))
    bindings = _blobs(parcel.bindings, graph.BINDING_SIGNED, names, (1, 2))
    n_chunks = parcel.chunks.counts.tolist()
    file_rows: list[tuple[object, ...]] = []
    code_rows: list[tuple[object, ...]] = []
    chunk, symbol, reference = first.chunk, first.symbol, first.reference
    for index, file in enumerate(parcel.files):
        number = first.file + index
        file_rows.append((
            number, path_key(file.path), int(labels[file.language]), file.size, file.mtime_ns, _digest(file.digest),
            file.lines, file.module, chunk, symbol, file.symbols, reference, file.references, chunks[index],
        ))  # fmt: skip
        if file.code:
            code_rows.append((number, file.details, references[index], imports[index], bindings[index]))
        chunk += n_chunks[index]
        symbol += file.symbols
        reference += file.references
    symbol_rows: list[tuple[object, ...]] = []
    if parcel.symbols:
        fold, name, scope, kind, *rest = parcel.symbols
        kinds = labels[np.array(kind, dtype=np.int64)].tolist()
        symbol_rows = list(zip(range(first.symbol, symbol), fold, name, scope, kinds, *rest, strict=True))
    for table, values in (("files", file_rows), ("code", code_rows), ("symbols", symbol_rows)):
        if values:
            db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(values[0]))})", values)


def _digest(digest: str) -> bytes | str:
    """Hex digests at half their length."""
    try:
        raw = bytes.fromhex(digest)
    except ValueError:
        return clean(digest)
    return raw if raw.hex() == digest else clean(digest)


def _blobs(rows: Rows, signed: Sequence[int], numbers: Ints, columns: Sequence[int]) -> list[bytes]:
    """One blob of rows a file; those ``columns`` are replaced by the index's ``numbers``."""
    values = rows.values.astype(np.int64)
    for column in columns:
        values[:, column] = numbers[values[:, column]]
    return encode_rows(values, rows.counts, signed)


# --------------------------------------------------------------------------- what resolution reads


@dataclass(frozen=True, slots=True)
class GraphColumns:
    """What resolution reads, the many references as columns.

    ``graph`` holds of the references only those that say something about the definition around them. ``imports`` are
    the numbers of the texts (``names``) in its rows: module, name, alias; ``bindings`` name and type.
    """

    graph: GraphInput
    names: list[str]
    references: References
    imports: Ints
    bindings: Ints
    file_ids: Ints

    def tuples(self, wanted: NDArray[np.bool_] | Ints | slice) -> list[tuple[int, int, str, str, int, int, int, str]]:
        """Some references as resolution reads them; see `GraphInput`."""
        r, names = self.references, self.names
        kinds = [KINDS[code] for code in r.kind[wanted].tolist()]
        texts = [[names[number] for number in column[wanted].tolist()] for column in (r.name, r.receiver)]
        numbers = [c[wanted].tolist() for c in (r.ids, self.file_ids[r.file], r.line, r.column, r.holder)]
        ids, files, lines, columns, holders = numbers
        return list(zip(ids, files, texts[0], kinds, lines, columns, holders, texts[1], strict=True))


def graph_input(db: sqlite3.Connection, layout: Layout) -> GraphInput:
    """All live rows that resolution needs, as tuples."""
    columns = graph_columns(db, layout)
    return replace(columns.graph, references=columns.tuples(slice(None)))


def graph_columns(db: sqlite3.Connection, layout: Layout) -> GraphColumns:
    """All live rows that resolution needs."""
    names = read_names(db)
    file_ids = layout.file_ids.tolist()
    language = [layout.labels.get(number, "") for number in layout.languages]
    references = graph.read_references(db, layout)
    imports, import_files = _with_files(layout, *graph.read_imports(db))
    bindings, binding_files = _with_files(layout, *graph.read_bindings(db))
    import_holders = graph.holder_ids(layout, import_files, imports[:, 4]).tolist()
    binding_holders = graph.holder_ids(layout, binding_files, bindings[:, 0]).tolist()

    def words(column: Ints) -> list[str]:
        return [names[number] for number in column.tolist()]

    def file_of(positions: Ints) -> list[int]:
        ids: list[int] = layout.file_ids[positions].tolist()
        return ids

    found = GraphInput(
        files=list(zip(file_ids, layout.paths, language, layout.modules, strict=True)),
        symbols=_symbol_rows(db, layout),
        references=[],
        imports=list(zip(
            file_of(import_files), words(imports[:, 0]), words(imports[:, 1]), words(imports[:, 2]),
            imports[:, 3].tolist(), import_holders, imports[:, 5].tolist(), imports[:, 6].tolist(), strict=True,
        )),
        bindings=list(zip(
            file_of(binding_files), binding_holders, words(bindings[:, 1]), words(bindings[:, 2]),
            bindings[:, 3].tolist(), strict=True,
        )),
    )  # fmt: skip
    columns = GraphColumns(found, names, references, imports[:, :3], bindings[:, 1:3], layout.file_ids)
    telling = np.isin(references.kind, [graph.kind_code(kind) for kind in _TELLING])
    return replace(columns, graph=replace(found, references=columns.tuples(telling)))


def _with_files(layout: Layout, found: Ints, counts: Ints) -> tuple[Ints, Ints]:
    return found, np.repeat(np.arange(layout.file_ids.size), counts)


def _symbol_rows(db: sqlite3.Connection, layout: Layout) -> SymbolRows:
    query = (
        "SELECT id, name, scope, kind, parent, ifnull(type_name, ''), start, extent, entry & 1 FROM symbols ORDER BY id"
    )
    found = db.execute(query).fetchall()
    if not found:
        return SymbolRows([[] for _ in range(10)])
    ids, names, scopes, kinds, parents, types, starts, extents, entries = zip(*found, strict=True)
    position = layout.files_of_symbols(np.array(ids, dtype=np.int64))
    ordinals, start = np.array(parents, dtype=np.int64), np.array(starts, dtype=np.int64)
    parent = np.where(ordinals > 0, layout.first_symbol[position] + ordinals - 1, 0)
    return SymbolRows([
        ids, layout.file_ids[position].tolist(), names, list(map(qualified_name, names, scopes)),
        list(map(layout.labels.__getitem__, kinds)), parent.tolist(), types, starts,
        (start + np.array(extents, dtype=np.int64)).tolist(), entries,
    ])  # fmt: skip
