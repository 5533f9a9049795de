"""Some of the resolved graph's edges: found as columns, put in order, and made into records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from fourfold.model import Certainty, Direction, Edge, ReferenceKind
from fourfold.store import symbols
from fourfold.store.graph import Edges, kind_code
from fourfold.store.layout import Layout
from fourfold.store.packs import Ints
from fourfold.store.schema import CERTAINTIES, KINDS


def path_ranks(layout: Layout) -> Ints:
    """The place of each file (by its position) when they are ordered by path."""
    ranks = np.empty(len(layout.paths), dtype=np.int64)
    ranks[sorted(range(len(layout.paths)), key=layout.paths.__getitem__)] = np.arange(len(layout.paths))
    return ranks


def symbol_places(layout: Layout, ranks: Ints, ids: Ints | NDArray[np.int32]) -> Ints:
    """A number for each symbol by which they stand in order of path, then of place in the file; -1 for one that no
    longer lives. Ids give no such order: they tell which file was read first."""
    files = layout.files_of_symbols(ids)
    safe = np.maximum(files, 0)
    if not len(ranks):
        return np.full(len(ids), -1, dtype=np.int64)
    return np.where(files >= 0, (ranks[safe] << 32) | (ids - layout.first_symbol[safe]), -1)


def links(
    edges: Edges,
    layout: Layout,
    ranks: Ints,
    symbol_ids: Sequence[int],
    direction: Direction,
    kinds: Sequence[ReferenceKind] | None,
    once: bool,
) -> Edges:
    """See `Reader.links`; ``ranks`` are those of `path_ranks`."""
    near, far = (edges.target, edges.source) if direction == "in" else (edges.source, edges.target)
    wanted = np.unique(np.asarray(symbol_ids, dtype=np.int64))
    # Looking marks up beats searching: a millisecond for half a million edges.
    marks = np.zeros(int(max(near.max(initial=0), wanted.max(initial=0))) + 1, dtype=bool)
    marks[wanted[wanted > 0]] = True
    chosen = np.flatnonzero(marks[near])
    if kinds is not None:
        chosen = chosen[np.isin(edges.kind[chosen], [kind_code(kind) for kind in kinds])]
    if once:
        chosen = chosen[np.lexsort([column[chosen] for column in (edges.reference, edges.line, edges.certainty, far)])]
        chosen = chosen[np.flatnonzero(np.diff(far[chosen], prepend=-1))]
    path = ranks[layout.files_of_references(edges.reference[chosen])]
    ends = [symbol_places(layout, ranks, column[chosen]) for column in (far, near)]
    return edges.take(chosen[np.lexsort((ends[0], edges.line[chosen], path, ends[1]))])


def records(db: sqlite3.Connection, layout: Layout, edges: Edges) -> list[Edge | None]:
    """One for each edge, in order; None where the file of the reference lives no longer."""
    file = layout.files_of_references(edges.reference)
    names = full_names(db, layout, np.unique(np.concatenate([edges.source, edges.target])))
    chunk_at = layout.chunks_at(file, edges.line).tolist()
    columns = (edges.source, edges.target, edges.kind, edges.certainty, file, edges.line)
    return [
        Edge(
            source=s, target=t, kind=cast(ReferenceKind, KINDS[kind]),
            certainty=cast(Certainty, CERTAINTIES[certainty]),
            chunk_id=int(layout.chunk_ids[chunk]) if chunk >= 0 else 0, path=layout.paths[f], line=n,
            source_name=names.get(s, ""), target_name=names.get(t, ""),
        ) if f >= 0 else None
        for s, t, kind, certainty, f, n, chunk in zip(*(c.tolist() for c in columns), chunk_at, strict=True)
    ]  # fmt: skip


def full_names(db: sqlite3.Connection, layout: Layout, ids: Ints | NDArray[np.int32]) -> dict[int, str]:
    """Symbol → full name, for those whose file lives."""
    query = "SELECT id, name, scope FROM symbols WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    found = db.execute(query, (json.dumps(ids.tolist()),)).fetchall()
    files = layout.files_of_symbols(np.array([row[0] for row in found], dtype=np.int64)).tolist()
    return {
        row[0]: symbols.full_name(layout.modules[file], symbols.qualified_name(row[1], row[2]))
        for row, file in zip(found, files, strict=True)
        if file >= 0
    }


def first_named(db: sqlite3.Connection, layout: Layout, symbol_ids: Ints, most: int) -> Ints:
    """See `Reader.first_named`. A full name starts with its module's, so of most symbols that tells enough."""
    if symbol_ids.size <= most:
        return symbol_ids
    files, turn = np.unique(layout.files_of_symbols(symbol_ids), return_inverse=True)
    modules = [layout.modules[file] if file >= 0 else "" for file in files.tolist()]
    rank = np.empty(files.size, dtype=np.int64)
    rank[sorted(range(files.size), key=modules.__getitem__)] = np.arange(files.size)
    place = rank[turn]
    near = place <= np.partition(place, most - 1)[most - 1]
    names = full_names(db, layout, symbol_ids[near])
    last = sorted(names.get(number, "") for number in symbol_ids[near].tolist())[most - 1]
    far = ~near & np.array([module <= last for module in modules])[turn]
    names |= full_names(db, layout, symbol_ids[far])
    asked = symbol_ids[near | far]
    first: Ints = asked[np.array([names.get(number, "") <= last for number in asked.tolist()])]
    return first
