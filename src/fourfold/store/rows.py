"""From parsed files to rows and blobs of columns, and back to what resolution reads."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from fourfold.model import ParsedSymbol
from fourfold.store import graph
from fourfold.store.interface import GraphInput, IndexedFile
from fourfold.store.layout import CHUNK_SIGNED, CHUNK_WIDTH, Layout
from fourfold.store.packs import DamagedPack, Ints, encode_rows
from fourfold.store.schema import KINDS, clean, path_key
from fourfold.store.symbols import module_symbol, pack_details, qualified_name, symbol_row


@dataclass(frozen=True, slots=True)
class Firsts:
    """The first fresh number of each kind for a batch."""

    file: int
    chunk: int
    symbol: int
    reference: int


def texts(file: IndexedFile) -> Iterator[str]:
    """Every name that a file's references, imports and bindings hold."""
    parsed = file.parsed
    for reference in parsed.references:
        yield reference.name
        yield reference.receiver
    for item in parsed.imports:
        yield item.module
        yield item.name
        yield item.alias
    for binding in parsed.bindings:
        yield binding.name
        yield binding.type_name


def clean_name(text: str) -> str:
    return clean(text).replace("\n", " ")


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


def labels(file: IndexedFile) -> Iterator[str]:
    yield file.parsed.language
    yield from {symbol.kind for symbol in file.parsed.symbols}
    yield from {chunk.kind for chunk in file.parsed.chunks}


def symbols_of(file: IndexedFile) -> list[ParsedSymbol]:
    """All symbols of a file, the module's first (if it has one)."""
    module = module_symbol(file.path, file.parsed)
    return [*([module] if module else []), *file.parsed.symbols]


def write(
    db: sqlite3.Connection,
    files: Sequence[IndexedFile],
    all_symbols: Sequence[Sequence[ParsedSymbol]],
    first: Firsts,
    names: Mapping[str, int],
    numbers: Mapping[str, int],
) -> None:
    """Insert a batch's files, symbols, chunks, references, imports and bindings."""
    shifts = [len(some) - len(file.parsed.symbols) for file, some in zip(files, all_symbols, strict=True)]
    both = list(zip(files, shifts, strict=True))
    chunks = _blobs((_chunk_rows(file, shift, numbers) for file, shift in both), CHUNK_WIDTH, CHUNK_SIGNED)
    references = _blobs(
        (_reference_rows(file, shift, names) for file, shift in both), graph.REFERENCE_WIDTH, graph.REFERENCE_SIGNED
    )
    imports = _blobs(
        (_import_rows(file, shift, names) for file, shift in both), graph.IMPORT_WIDTH, graph.IMPORT_SIGNED
    )
    bindings = _blobs(
        (_binding_rows(file, shift, names) for file, shift in both), graph.BINDING_WIDTH, graph.BINDING_SIGNED
    )
    file_rows: list[tuple[object, ...]] = []
    code_rows: list[tuple[object, ...]] = []
    symbol_rows: list[tuple[object, ...]] = []
    chunk, symbol, reference = first.chunk, first.symbol, first.reference
    for index, (file, some) in enumerate(zip(files, all_symbols, strict=True)):
        parsed, number = file.parsed, first.file + index
        file_rows.append((
            number, path_key(file.path), numbers[parsed.language], file.size, file.mtime_ns, _digest(file.digest),
            parsed.lines, clean(file.module), chunk, symbol, len(some), reference, len(parsed.references),
            chunks[index],
        ))  # fmt: skip
        if some or parsed.references or parsed.imports or parsed.bindings:
            details = pack_details(some) if some else b""
            code_rows.append((number, details, references[index], imports[index], bindings[index]))
        shift = shifts[index]
        for ordinal, item in enumerate(some):
            parent = item.parent + shift + 1 if item.parent >= 0 else 0
            symbol_rows.append(symbol_row(symbol + ordinal, item, numbers[item.kind], parent))
        chunk += len(parsed.chunks)
        symbol += len(some)
        reference += len(parsed.references)
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


def _blobs(groups: Iterable[Sequence[tuple[int, ...]]], width: int, signed: Sequence[int]) -> list[bytes]:
    """One blob of rows a file."""
    found = list(groups)
    counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    flat = chain.from_iterable(chain.from_iterable(found))
    values = np.fromiter(flat, dtype=np.int64, count=int(counts.sum()) * width)
    return encode_rows(values.reshape(-1, width), counts, signed)


def _holder(holder: int, shift: int) -> int:
    """Ordinal + 1 of the holder among the file's symbols; outside definitions the module's, or 0 when it has none."""
    return holder + shift + 1 if holder >= 0 else shift


def _chunk_rows(file: IndexedFile, shift: int, numbers: Mapping[str, int]) -> list[tuple[int, ...]]:
    return [
        (
            chunk.start_line,
            chunk.end_line - chunk.start_line,
            numbers[chunk.kind],
            chunk.symbol + shift + 1 if chunk.symbol >= 0 else 0,
            sum(body.values()),
        )
        for chunk, body in zip(file.parsed.chunks, file.body, strict=True)
    ]


def _reference_rows(file: IndexedFile, shift: int, names: Mapping[str, int]) -> list[tuple[int, ...]]:
    return [
        (names[r.name], graph.kind_code(r.kind), r.line, r.column, _holder(r.holder, shift), names[r.receiver])
        for r in file.parsed.references
    ]


def _import_rows(file: IndexedFile, shift: int, names: Mapping[str, int]) -> list[tuple[int, ...]]:
    return [
        (names[i.module], names[i.name], names[i.alias], i.level, _holder(i.holder, shift), int(i.exported), i.line)
        for i in file.parsed.imports
    ]


def _binding_rows(file: IndexedFile, shift: int, names: Mapping[str, int]) -> list[tuple[int, ...]]:
    return [(_holder(b.holder, shift), names[b.name], names[b.type_name], b.line) for b in file.parsed.bindings]


# --------------------------------------------------------------------------- what resolution reads


def graph_input(db: sqlite3.Connection, layout: Layout) -> GraphInput:
    """All live rows that resolution needs, as tuples."""
    names = read_names(db)
    file_ids = layout.file_ids.tolist()
    language = [layout.labels.get(number, "") for number in layout.languages]
    references = graph.read_references(db, layout)
    kinds = [KINDS[code] for code in references.kind.tolist()]
    imports, import_files = _with_files(layout, *graph.read_imports(db))
    bindings, binding_files = _with_files(layout, *graph.read_bindings(db))
    import_holders = graph.holder_ids(layout, import_files, imports[:, 4]).tolist()
    binding_holders = graph.holder_ids(layout, binding_files, bindings[:, 0]).tolist()

    def words(column: Ints) -> list[str]:
        return [names[number] for number in column.tolist()]

    def file_of(positions: Ints) -> list[int]:
        ids: list[int] = layout.file_ids[positions].tolist()
        return ids

    r = references
    return GraphInput(
        files=list(zip(file_ids, layout.paths, language, layout.modules, strict=True)),
        symbols=_symbol_tuples(db, layout),
        references=list(zip(
            r.ids.tolist(), file_of(r.file), words(r.name), kinds, r.line.tolist(), r.column.tolist(),
            r.holder.tolist(), words(r.receiver), strict=True,
        )),
        imports=list(zip(
            file_of(import_files), words(imports[:, 0]), words(imports[:, 1]), words(imports[:, 2]),
            imports[:, 3].tolist(), import_holders, imports[:, 5].tolist(), imports[:, 6].tolist(), strict=True,
        )),
        bindings=list(zip(
            file_of(binding_files), binding_holders, words(bindings[:, 1]), words(bindings[:, 2]),
            bindings[:, 3].tolist(), strict=True,
        )),
    )  # fmt: skip


def _with_files(layout: Layout, found: Ints, counts: Ints) -> tuple[Ints, Ints]:
    return found, np.repeat(np.arange(layout.file_ids.size), counts)


def _symbol_tuples(
    db: sqlite3.Connection, layout: Layout
) -> list[tuple[int, int, str, str, str, int, str, int, int, int]]:
    query = "SELECT id, name, scope, kind, parent, ifnull(type_name, ''), start, extent, entry FROM symbols ORDER BY id"
    found = db.execute(query).fetchall()
    position = layout.files_of_symbols(np.array([row[0] for row in found], dtype=np.int64))
    file_ids, firsts = layout.file_ids[position].tolist(), layout.first_symbol[position].tolist()
    return [
        (number, file, name, qualified_name(name, scope), layout.labels[kind], first + parent - 1 if parent else 0,
         type_name, start, start + extent, entry)
        for (number, name, scope, kind, parent, type_name, start, extent, entry), file, first
        in zip(found, file_ids, firsts, strict=True)
    ]  # fmt: skip
