"""Rows of symbols, and the records made of them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fourfold.model import ParsedFile, ParsedSymbol, Symbol
from fourfold.store.graph import spread
from fourfold.store.layout import Layout
from fourfold.store.packs import DamagedPack, Ints
from fourfold.store.schema import clean, fold_key

Row = tuple[int, str, str | None, int, int, int, int, int, int]
COLUMNS = "s.id, s.name, s.scope, s.kind, s.parent, s.start, s.extent, s.name_offset, s.entry"
Match = Literal["exact", "insensitive", "tail"]

#: Prose and data: a file of these has no module symbol, whatever headings and keys it defines.
NOT_CODE = frozenset(
    "markdown rst restructuredtext json jsonc json5 yaml toml ini xml csv html css text plain properties".split()
)
#: File stems that stand for their folder.
_FOLDER_STEMS = frozenset({"__init__", "index", "mod"})

_WHOLE = "\x01"
_UNIT, _LINE = "\x1f", "\n"


# --------------------------------------------------------------------------- writing


def module_symbol(path: str, parsed: ParsedFile) -> ParsedSymbol | None:
    """The symbol that stands for a whole code file, or None for prose and data."""
    if parsed.language in NOT_CODE or not (parsed.symbols or parsed.references or parsed.imports):
        return None
    pure = PurePosixPath(path)
    stem = pure.name.split(".")[0] or pure.stem
    name = pure.parent.name if stem in _FOLDER_STEMS and pure.parent.name else stem
    return ParsedSymbol(name, "", "module", 1, max(1, parsed.lines), 1)


def symbol_row(symbol: ParsedSymbol, kind: int, parent: int) -> tuple[object, ...]:
    """A row of ``symbols`` without its id; ``parent`` is the ordinal in the file + 1, or 0."""
    name = clean(symbol.name)
    extent, offset = symbol.end_line - symbol.start_line, symbol.name_line - symbol.start_line
    return (
        fold_key(name), name, _scope(name, clean(symbol.qualified)), kind, parent, symbol.start_line, extent,
        offset, clean(symbol.type_name) or None, symbol.entry | symbol.test << 1,
    )  # fmt: skip


def _scope(name: str, qualified: str) -> str | None:
    """What ``qualified`` has before ``name``: mostly nothing, or the name of a class."""
    if qualified == name:
        return None
    if qualified.endswith("." + name) and not qualified.startswith(_WHOLE):
        return qualified[: -len(name) - 1]
    return _WHOLE + qualified


def qualified_name(name: str, scope: str | None) -> str:
    if scope is None:
        return name
    return scope[1:] if scope.startswith(_WHOLE) else f"{scope}.{name}"


def full_name(module: str, qualified: str) -> str:
    return f"{module}.{qualified}" if module and qualified else module or qualified


def pack_details(symbols: Iterable[ParsedSymbol]) -> bytes:
    """Signatures and first lines of documentation of one file's symbols, compressed: a quarter of the plain size."""
    lines = (_one_line(s.signature) + _UNIT + _one_line(s.doc) for s in symbols)
    return zlib.compress(_LINE.join(lines).encode("utf-8"))


def _one_line(text: str) -> str:
    if _LINE in text or _UNIT in text:
        text = text.replace(_LINE, " ").replace(_UNIT, " ")
    return clean(text)


def unpack_details(blob: bytes) -> list[tuple[str, str]]:
    """(signature, documentation) of each symbol of a file, in order."""
    try:
        lines = zlib.decompress(blob).decode("utf-8").split(_LINE)
        return [(a, b) for a, b in (line.split(_UNIT) for line in lines)]
    except (zlib.error, ValueError) as error:
        raise DamagedPack(f"the details of a file's symbols cannot be read: {error}") from error


# --------------------------------------------------------------------------- reading


def rows_by_id(db: sqlite3.Connection, ids: Iterable[int]) -> list[Row]:
    query = f"SELECT {COLUMNS} FROM symbols AS s WHERE s.id IN (SELECT value FROM json_each(?)) ORDER BY s.id"
    return db.execute(query, (json.dumps(list(ids)),)).fetchall()


def rows_of_file(db: sqlite3.Connection, first: int, count: int) -> list[Row]:
    query = f"SELECT {COLUMNS} FROM symbols AS s WHERE s.id >= ? AND s.id < ? ORDER BY s.id"
    return db.execute(query, (first, first + count)).fetchall()


def rows_named(db: sqlite3.Connection, layout: Layout, name: str, how: Match) -> list[Row]:
    """Rows of the symbols that ``name`` means; see `Reader.symbols_named`."""
    fold = str.casefold if how == "insensitive" else str
    wanted, last = fold(name), name.rsplit(".", 1)[-1]
    keys = {fold_key(name), fold_key(last)}
    marks = ",".join("?" * len(keys))
    rows = db.execute(f"SELECT {COLUMNS} FROM symbols AS s WHERE s.fold IN ({marks})", tuple(keys)).fetchall()
    if "." in name and how != "tail":
        # A module's symbol may be named after its folder, so its full name is looked for among the files.
        files = [i for i, module in enumerate(layout.modules) if fold(module) == wanted and layout.n_symbols[i]]
        have = {row[0] for row in rows}
        rows += rows_by_id(db, (int(layout.first_symbol[i]) for i in files if int(layout.first_symbol[i]) not in have))
    if not rows:
        return []
    files_of = layout.files_of_symbols(np.array([row[0] for row in rows], dtype=np.int64)).tolist()
    out: list[Row] = []
    for row, file in zip(rows, files_of, strict=True):
        if file < 0:
            continue
        qualified = qualified_name(row[1], row[2])
        full = full_name(layout.modules[file], qualified)
        if how == "tail":
            if full.endswith("." + name):
                out.append(row)
        elif wanted in (fold(row[1]), fold(qualified), fold(full)):
            out.append(row)
    return out


def rows_in_chunks(db: sqlite3.Connection, layout: Layout, chunks: Ints) -> dict[int, list[Row]]:
    """Rows of the symbols whose name line each chunk (by position) holds, by chunk id, in order of line.

    Module symbols are left out: no line of a file defines it.
    """
    file = layout.chunk_file[chunks]
    low = layout.first_symbol[file]
    lines = (layout.chunk_start[chunks], layout.chunk_end[chunks])
    columns = (layout.chunk_ids[chunks], low, low + layout.n_symbols[file], *lines)
    asked = [list(row) for row in zip(*(column.tolist() for column in columns), strict=True) if row[2] > row[1]]
    module = next((number for number, text in layout.labels.items() if text == "module"), -1)
    query = (
        "WITH asked AS MATERIALIZED (SELECT value ->> 0 AS chunk, value ->> 1 AS low, value ->> 2 AS high,"
        " value ->> 3 AS first, value ->> 4 AS last FROM json_each(?))"
        f" SELECT asked.chunk, {COLUMNS} FROM asked CROSS JOIN symbols AS s ON s.id >= asked.low AND s.id < asked.high"
        " WHERE s.start + s.name_offset BETWEEN asked.first AND asked.last"
        " AND NOT (s.kind = ? AND s.scope IS ?) ORDER BY s.start + s.name_offset, s.id"
    )
    out: dict[int, list[Row]] = {}
    for row in db.execute(query, (json.dumps(asked), module, _WHOLE)):
        out.setdefault(row[0], []).append(row[1:])
    return out


def name_lines(db: sqlite3.Connection, layout: Layout) -> tuple[Ints, Ints]:
    """Ids and name lines of all symbols but those of modules."""
    module = next((number for number, text in layout.labels.items() if text == "module"), -1)
    query = "SELECT id, start + name_offset FROM symbols WHERE NOT (kind = ? AND scope IS ?) ORDER BY id"
    rows = np.array(db.execute(query, (module, _WHOLE)).fetchall(), dtype=np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def make_symbols(
    layout: Layout,
    rows: Sequence[Row],
    centrality: tuple[Ints, NDArray[np.float64]],
    details: Callable[[list[int]], dict[int, list[tuple[str, str]]]],
) -> list[Symbol]:
    """Records of those ``rows`` whose file lives. ``details`` gives the unpacked details of files by id."""
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    files = layout.files_of_symbols(ids)
    lines = np.array([row[5] + row[7] for row in rows], dtype=np.int64)
    chunks = layout.chunks_at(np.maximum(files, 0), lines).tolist()
    values = spread(*centrality, ids).tolist()
    known = details(sorted({int(layout.file_ids[f]) for f in files.tolist() if f >= 0}))
    out: list[Symbol] = []
    for row, file, chunk, value in zip(rows, files.tolist(), chunks, values, strict=True):
        if file < 0:
            continue
        number, name, scope, kind, parent, start, extent, offset, entry = row
        first, file_id = int(layout.first_symbol[file]), int(layout.file_ids[file])
        qualified = qualified_name(name, scope)
        pairs = known.get(file_id, [])
        signature, doc = pairs[number - first] if number - first < len(pairs) else ("", "")
        out.append(
            Symbol(
                id=number,
                file_id=file_id,
                chunk_id=int(layout.chunk_ids[chunk]) if chunk >= 0 else 0,
                path=layout.paths[file],
                language=layout.labels.get(layout.languages[file], ""),
                name=name,
                qualified=qualified,
                full_name=full_name(layout.modules[file], qualified),
                kind=layout.labels.get(kind, ""),
                start_line=start,
                end_line=start + extent,
                name_line=start + offset,
                signature=signature,
                doc=doc,
                parent=first + parent - 1 if parent else 0,
                centrality=value,
                entry=bool(entry & 1),
                test=bool(entry & 2),
            )
        )
    return out


def most_central(layout: Layout, ids: Ints, values: NDArray[np.float64], limit: int) -> Ints:
    """Ids of the ``limit`` live symbols of the highest value, with the ties of the last (within reason)."""
    live = layout.files_of_symbols(ids) >= 0
    ids, values = ids[live], values[live]
    order = np.argsort(-values, kind="stable")
    if order.size > limit:
        last = values[order[limit - 1]] if limit > 0 else np.inf
        order = order[: max(limit, min(int(np.sum(values >= last)), limit + 5_000))]
    return ids[order]
