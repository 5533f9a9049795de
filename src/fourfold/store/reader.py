"""Read access to an index in SQLite, from any number of threads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from fourfold.model import (
    Chunk,
    Counts,
    Decision,
    Direction,
    Edge,
    File,
    IndexState,
    LedgerEntry,
    Modality,
    ReferenceKind,
    Symbol,
)
from fourfold.store import graph, links, rows, symbols, terms, tree, vectors
from fourfold.store.interface import ChunkTable, FileText, Place, Posting, TermField
from fourfold.store.layout import Layout, contains, read_layout
from fourfold.store.packs import Ints
from fourfold.store.schema import FIELDS, KINDS, StoreError, path_text
from fourfold.store.snapshots import Snapshot, Snapshots, is_running

_Details = list[tuple[str, str]]
#: How many files' unpacked signatures are kept.
_KEPT_DETAILS = 4_000
#: How many beginnings of words are kept with the terms that have them: a question is asked again while it is typed on.
_KEPT_PREFIXES = 1_000


class SqliteReader(Snapshots):
    """Implements `Reader`. Each method sees one committed state; the next may see a newer one, whose ids never mean
    something else. Raises `IndexMissing` or `IndexUnusable` when opened, `IndexUnusable` when damage shows later.
    """

    def __init__(self, path: Path, root: Path) -> None:
        super().__init__(path)
        self.root = str(root)
        self._details: dict[int, _Details] = {}

    def _layout(self, snap: Snapshot) -> Layout:
        return self._cached(snap, "layout", ("files_batch",), lambda: read_layout(snap.db))

    def _packs(self, snap: Snapshot) -> terms.Packs:
        return self._cached(snap, "packs", ("files_batch",), lambda: terms.read_packs(snap.db, self._layout(snap)))

    def _central(self, snap: Snapshot, part: str) -> tuple[Ints, NDArray[np.float64]]:
        return self._cached(snap, f"central {part}", ("graph_batch",), lambda: graph.read_centrality(snap.db, part))

    def _edges(self, snap: Snapshot) -> graph.Edges:
        counters = ("files_batch", "graph_batch")
        current = snap.number("graph_content", -1) == snap.number("content_batch")
        return self._cached(snap, "edges", counters, lambda: graph.read_edges(snap.db, self._layout(snap), current))

    def _references(self, snap: Snapshot) -> graph.References:
        return self._cached(
            snap, "references", ("files_batch",), lambda: graph.read_references(snap.db, self._layout(snap))
        )

    def _codes(self, snap: Snapshot) -> vectors.Codes:
        counters = ("files_batch", "vectors_batch")
        return self._cached(snap, "codes", counters, lambda: vectors.read_codes(snap.db, self._layout(snap)))

    # -- state

    def problems(self) -> list[str]:
        """What is wrong inside the file, after reading all of it; empty when it is sound."""
        try:
            with self._snapshot() as snap:
                found = [str(row[0]) for row in snap.db.execute("PRAGMA quick_check(10)")]
                self._packs(snap)
                self._edges(snap)
                self._references(snap)
                self._codes(snap)
        except StoreError as error:
            return [str(error)]
        return [] if found == ["ok"] else found

    def state(self) -> IndexState:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            chunks = layout.chunk_ids.size
            with_vector = self._cached(
                snap, "embedded", ("files_batch", "vectors_batch"),
                lambda: int(contains(layout.chunk_ids, vectors.read_ids(snap.db)).sum()),
            )  # fmt: skip
            pages, page_size = (snap.db.execute(f"PRAGMA {of}").fetchone()[0] for of in ("page_count", "page_size"))
            done = self._share_of_files(snap, layout)
            coverage: dict[Modality, float] = {
                "semantic": with_vector / chunks if chunks else 0.0,
                "text": done,
                "structural": done,
                "graph": self._share_of_graph(snap, layout),
            }
            return IndexState(
                generation=snap.number("generation"),
                coverage=coverage,
                counts=Counts(
                    files=layout.file_ids.size,
                    chunks=chunks,
                    symbols=int(layout.n_symbols.sum()),
                    references=int(layout.n_references.sum()),
                    edges=snap.number("edges"),
                    vectors=with_vector,
                    bytes=pages * page_size,
                ),
                commit=snap.text("commit"),
                branch=snap.text("branch"),
                embedder=snap.text("embedder") or snap.text("space"),
                fresh=not is_running(snap),
            )

    def _share_of_files(self, snap: Snapshot, layout: Layout) -> float:
        """Files indexed of files wanted; all when the last run did every file, whatever vanished meanwhile."""
        wanted, have = snap.number("wanted", -1), layout.file_ids.size
        if snap.text("complete") == "1" and not is_running(snap):
            return 1.0
        if wanted < 0:
            return 0.0
        return min(1.0, have / wanted) if wanted else 1.0

    def _share_of_graph(self, snap: Snapshot, layout: Layout) -> float:
        """1 when the edges belong to the files that are there; else the share of references that were resolved."""
        if "graph_content" not in snap.meta:
            return 0.0
        if snap.number("graph_content") == snap.number("content_batch"):
            return 1.0
        resolved = layout.file_ids < snap.number("graph_horizon")
        weights = layout.n_references if layout.n_references.sum() else np.ones_like(layout.file_ids)
        total = int(weights.sum())
        return int(weights[resolved].sum()) / total if total else 1.0

    # -- files and chunks

    def files(self) -> Sequence[File]:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            return self._cached(
                snap, "files", ("files_batch",),
                lambda: sorted((layout.file(i) for i in range(layout.file_ids.size)), key=lambda f: f.path),
            )  # fmt: skip

    def file(self, path: str) -> File | None:
        with self._snapshot() as snap:
            position = self._path_position(snap, path)
            return None if position is None else self._layout(snap).file(position)

    def _path_position(self, snap: Snapshot, path: str) -> int | None:
        layout = self._layout(snap)
        index = self._cached(snap, "paths", ("files_batch",), lambda: {p: i for i, p in enumerate(layout.paths)})
        return index.get(path)

    def files_by_id(self, ids: Iterable[int]) -> Mapping[int, File]:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            found = (layout.file(i) for i in layout.file_positions(list(ids)).tolist())
            return {file.id: file for file in found}

    def chunk_table(self) -> ChunkTable:
        with self._snapshot() as snap:
            return self._cached(snap, "table", ("files_batch", "graph_batch"), lambda: self._make_table(snap))

    def _make_table(self, snap: Snapshot) -> ChunkTable:
        layout = self._layout(snap)
        ids = layout.chunk_ids.astype(np.uint32)
        rows = np.full(int(ids.max(initial=0)) + 2, -1, dtype=np.int32)
        rows[ids] = np.arange(len(ids), dtype=np.int32)
        order = np.empty(len(ids), dtype=np.int32)
        order[np.lexsort((layout.chunk_start, self._path_ranks(snap)[layout.chunk_file]))] = np.arange(len(ids))
        return ChunkTable(
            ids=ids,
            file_ids=layout.file_ids[layout.chunk_file].astype(np.uint32),
            lengths=layout.chunk_terms.astype(np.uint32),
            centrality=graph.spread(*self._central(snap, "chunks"), layout.chunk_ids).astype(np.float32),
            rows=rows,
            order=order,
        )

    def chunks(self, ids: Iterable[int]) -> Mapping[int, Chunk]:
        with self._snapshot() as snap:
            found = self._make_chunks(snap, self._layout(snap).chunk_positions(list(ids)))
            return {chunk.id: chunk for chunk in found}

    def places(self, ids: Iterable[int]) -> Mapping[int, Place]:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            at = layout.chunk_positions(list(ids))
            numbers = layout.chunk_ids[at]
            columns = (
                numbers.tolist(),
                layout.chunk_file[at].tolist(),
                layout.chunk_start[at].tolist(),
                graph.spread(*self._central(snap, "chunks"), numbers).tolist(),
            )
            paths = layout.paths
            return {number: Place(paths[file], line, value) for number, file, line, value in zip(*columns, strict=True)}

    def chunks_of_file(self, file_id: int) -> Sequence[Chunk]:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            position = layout.file_positions([file_id])
            return self._make_chunks(snap, np.flatnonzero(layout.chunk_file == position[0])) if position.size else []

    def chunks_at(self, file_id: int, lines: Sequence[int]) -> Mapping[int, Chunk]:
        with self._snapshot() as snap:
            layout = self._layout(snap)
            file = layout.file_positions([file_id])
            if not file.size:
                return {}
            asked = np.asarray(lines, dtype=np.int64)
            at = layout.chunks_at(np.full(len(asked), file[0]), asked)
            held = np.unique(at[at >= 0])
            made = dict(zip(held.tolist(), self._make_chunks(snap, held), strict=True))
            return {line: made[place] for line, place in zip(asked.tolist(), at.tolist(), strict=True) if place >= 0}

    def _make_chunks(self, snap: Snapshot, at: Ints) -> list[Chunk]:
        layout = self._layout(snap)
        holders = {number for number in layout.chunk_symbol[at].tolist() if number}
        named = {row[0]: row for row in symbols.rows_by_id(snap.db, sorted(holders))} if holders else {}
        central = graph.spread(*self._central(snap, "chunks"), layout.chunk_ids[at]).tolist()
        out: list[Chunk] = []
        for place, value in zip(at.tolist(), central, strict=True):
            file, row = int(layout.chunk_file[place]), named.get(int(layout.chunk_symbol[place]))
            start, end = int(layout.chunk_start[place]), int(layout.chunk_end[place])
            name_line = row[5] + row[7] if row else 0
            out.append(
                Chunk(
                    id=int(layout.chunk_ids[place]),
                    file_id=int(layout.file_ids[file]),
                    path=layout.paths[file],
                    language=layout.labels.get(layout.languages[file], ""),
                    start_line=start,
                    end_line=end,
                    symbol=symbols.qualified_name(row[1], row[2]) if row else "",
                    kind=layout.labels.get(int(layout.chunk_kind[place]), ""),
                    symbol_line=name_line if start <= name_line <= end else 0,
                    centrality=value,
                )
            )
        return out

    def texts(self, file_ids: Sequence[int]) -> Iterator[FileText]:
        """See `tree.read_text`: files are read one at a time, as the caller asks for the next."""
        known = self.files_by_id(file_ids)
        base, folders = os.path.realpath(self.root), dict[str, str]()
        for file_id in file_ids:
            text = tree.read_text(base, known[file_id], folders) if file_id in known else None
            if text is not None:
                yield text

    def ledger(self) -> Sequence[LedgerEntry]:
        with self._snapshot() as snap:
            query = "SELECT path, decision, reason, rule, rule_source, size FROM ledger ORDER BY path"
            return [
                LedgerEntry(path_text(path), cast(Decision, decision), reason, rule, source, size)
                for path, decision, reason, rule, source, size in snap.db.execute(query)
            ]

    # -- text

    def postings(self, field: TermField, terms_asked: Sequence[str]) -> Mapping[str, Posting]:
        with self._snapshot() as snap:
            packs, number = self._packs(snap), FIELDS.index(field)
            kept = self._cached(snap, f"postings {field}", ("files_batch",), terms.PostingCache)
            return kept.get(terms_asked, lambda missing: terms.read_postings(snap.db, packs, number, missing))

    def vocabulary(self, field: TermField, prefix: str, limit: int = 200) -> Sequence[str]:
        with self._snapshot() as snap:
            packs, number = self._packs(snap), FIELDS.index(field)
            kept = self._cached(snap, f"vocabulary {field}", ("files_batch",), dict[tuple[str, int], list[str]])
            found = kept.get((prefix, limit))
            if found is None:
                all_live = bool(packs.chunk_live.all())

                def live(page: list[str]) -> Iterable[str]:
                    return page if all_live else terms.read_postings(snap.db, packs, number, page)

                found = terms.read_vocabulary(snap.db, packs, number, prefix, limit, live)
                if len(kept) >= _KEPT_PREFIXES:
                    kept.clear()
                kept[prefix, limit] = found
            return found

    def candidates(self, trigrams: Sequence[int]) -> NDArray[np.uint32]:
        with self._snapshot() as snap:
            return terms.read_candidates(snap.db, self._packs(snap), self._layout(snap), trigrams)

    # -- symbols

    def _details_of(self, snap: Snapshot) -> Callable[[list[int]], dict[int, _Details]]:
        def details(file_ids: list[int]) -> dict[int, _Details]:
            # A file's id always means the same content, so these never grow old.
            missing = [number for number in file_ids if number not in self._details]
            query = "SELECT id, details FROM code WHERE details <> x'' AND id IN (SELECT value FROM json_each(?))"
            fresh = {n: symbols.unpack_details(blob) for n, blob in snap.db.execute(query, (json.dumps(missing),))}
            known = {n: self._details[n] for n in file_ids if n in self._details} | fresh
            with self._lock:
                if len(self._details) + len(fresh) > _KEPT_DETAILS:
                    self._details = {}
                self._details.update(fresh)
            return known

        return details

    def _make_symbols(self, snap: Snapshot, found: Sequence[symbols.Row]) -> list[Symbol]:
        if not found:
            return []
        return symbols.make_symbols(self._layout(snap), found, self._central(snap, "symbols"), self._details_of(snap))

    def symbols_named(
        self, name: str, how: Literal["exact", "insensitive", "tail"] = "exact", limit: int = 500
    ) -> Sequence[Symbol]:
        """The most central first, then by full name and path."""
        with self._snapshot() as snap:
            layout = self._layout(snap)
            found = symbols.rows_named(snap.db, layout, name, how)
            if len(found) > limit:
                # Some names have thousands of bearers: order before making records of them.
                values = graph.spread(*self._central(snap, "symbols"), np.array([row[0] for row in found]))
                threshold = np.sort(values)[-limit] if limit > 0 else np.inf
                found = [row for row, value in zip(found, values, strict=True) if value >= threshold]
            made = self._make_symbols(snap, found)
            made.sort(key=lambda s: (-s.centrality, s.full_name, s.path, s.name_line, s.id))
            return made[:limit]

    def symbols(self, ids: Iterable[int]) -> Mapping[int, Symbol]:
        with self._snapshot() as snap:
            return {s.id: s for s in self._make_symbols(snap, symbols.rows_by_id(snap.db, ids))}

    def symbols_in_chunks(self, chunk_ids: Iterable[int]) -> Mapping[int, Sequence[Symbol]]:
        """Module symbols are in none; a chunk that defines nothing is absent."""
        with self._snapshot() as snap:
            layout = self._layout(snap)
            found = symbols.rows_in_chunks(snap.db, layout, np.unique(layout.chunk_positions(list(chunk_ids))))
            made = {s.id: s for s in self._make_symbols(snap, [row for some in found.values() for row in some])}
            return {chunk: [made[row[0]] for row in some] for chunk, some in found.items()}

    def symbols_of_kind(self, kinds: Sequence[str], limit: int = 5000) -> Sequence[Symbol]:
        """The most central first, then by path and place in it."""
        with self._snapshot() as snap:
            numbers = [number for number, text in self._layout(snap).labels.items() if text in set(kinds)]
            query = "SELECT id FROM symbols WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY id"
            ids = np.array([row[0] for row in snap.db.execute(query, (json.dumps(numbers),))], dtype=np.int64)
            values = graph.spread(*self._central(snap, "symbols"), ids)
            places = links.symbol_places(self._layout(snap), self._path_ranks(snap), ids)
            chosen = ids[np.lexsort((places, -values))[:limit]].tolist()
            made = {s.id: s for s in self._make_symbols(snap, symbols.rows_by_id(snap.db, chosen))}
            return [made[number] for number in chosen if number in made]

    def chunks_of_kind(self, kinds: Sequence[str]) -> NDArray[np.uint32]:
        """No record is made of a symbol: a hundred thousand of them take half a second."""
        with self._snapshot() as snap:
            layout = self._layout(snap)
            numbers = [number for number, text in layout.labels.items() if text in set(kinds)]
            query = "SELECT id, start + name_offset FROM symbols WHERE kind IN (SELECT value FROM json_each(?))"
            found = np.array(snap.db.execute(query, (json.dumps(numbers),)).fetchall(), dtype=np.int64).reshape(-1, 2)
            files = layout.files_of_symbols(found[:, 0])
            chunks = layout.chunks_at(files[files >= 0], found[files >= 0, 1])
            return np.unique(layout.chunk_ids[chunks[chunks >= 0]]).astype(np.uint32)

    def outline(self, path: str) -> Sequence[Symbol]:
        """The file's module symbol comes first, if it has one."""
        with self._snapshot() as snap:
            layout, position = self._layout(snap), self._path_position(snap, path)
            if position is None:
                return []
            first, count = int(layout.first_symbol[position]), int(layout.n_symbols[position])
            found = self._make_symbols(snap, symbols.rows_of_file(snap.db, first, count))
            return sorted(found, key=lambda s: (s.start_line, s.qualified != "", s.name_line, s.id))

    def central_symbols(self, limit: int = 50) -> Sequence[Symbol]:
        with self._snapshot() as snap:
            ids = symbols.most_central(self._layout(snap), *self._central(snap, "symbols"), limit)
            found = self._make_symbols(snap, symbols.rows_by_id(snap.db, ids.tolist()))
            return sorted(found, key=lambda s: (-s.centrality, s.full_name, s.path, s.name_line))[:limit]

    # -- graph

    def neighbours(
        self,
        symbol_ids: Sequence[int],
        direction: Direction,
        kinds: Sequence[ReferenceKind] | None = None,
        once: bool = False,
    ) -> Sequence[Edge]:
        with self._snapshot() as snap:
            found = self._links(snap, symbol_ids, direction, kinds, once)
            return [edge for edge in links.records(snap.db, self._layout(snap), found) if edge is not None]

    def links(
        self,
        symbol_ids: Sequence[int],
        direction: Direction,
        kinds: Sequence[ReferenceKind] | None = None,
        once: bool = False,
    ) -> graph.Edges:
        with self._snapshot() as snap:
            return self._links(snap, symbol_ids, direction, kinds, once)

    def _links(
        self,
        snap: Snapshot,
        symbol_ids: Sequence[int],
        direction: Direction,
        kinds: Sequence[ReferenceKind] | None,
        once: bool,
    ) -> graph.Edges:
        layout = self._layout(snap)
        ranks = self._path_ranks(snap)
        return links.links(self._edges(snap), layout, ranks, symbol_ids, direction, kinds, once)

    def _path_ranks(self, snap: Snapshot) -> Ints:
        return self._cached(snap, "path ranks", ("files_batch",), lambda: links.path_ranks(self._layout(snap)))

    def edges(self, found: graph.Edges) -> Sequence[Edge | None]:
        with self._snapshot() as snap:
            return links.records(snap.db, self._layout(snap), found)

    def first_named(self, symbol_ids: Ints, most: int) -> Ints:
        with self._snapshot() as snap:
            return links.first_named(snap.db, self._layout(snap), symbol_ids, most)

    def _number_names(self, snap: Snapshot) -> dict[str, int]:
        return {text: number for number, text in enumerate(rows.read_names(snap.db))}

    def unresolved(self, name: str, limit: int = 500) -> Sequence[Edge]:
        """By path, then line. The target's name is the reference as written."""
        with self._snapshot() as snap:
            number = self._cached(snap, "names", ("files_batch",), lambda: self._number_names(snap)).get(name)
            if not number:
                return []
            layout, references = self._layout(snap), self._references(snap)
            at = np.flatnonzero(references.name == number)
            at = at[~contains(self._edges(snap).reference, references.ids[at])]
            names = links.full_names(snap.db, layout, np.unique(references.holder[at]))
            chunk_at = layout.chunks_at(references.file[at], references.line[at]).tolist()
            columns = (references.holder, references.kind, references.file, references.line)
            made = [
                Edge(
                    source=holder, target=0, kind=cast(ReferenceKind, KINDS[kind]), certainty="ambiguous",
                    chunk_id=int(layout.chunk_ids[chunk]) if chunk >= 0 else 0, path=layout.paths[file], line=line,
                    source_name=names.get(holder, ""), target_name=name,
                )
                for holder, kind, file, line, chunk in zip(*(c[at].tolist() for c in columns), chunk_at, strict=True)
            ]  # fmt: skip
            return sorted(made, key=lambda e: (e.path, e.line, e.source))[:limit]

    # -- vectors

    def nearest(self, code: NDArray[np.uint8], n: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        with self._snapshot() as snap:
            return vectors.nearest(self._codes(snap), code, n)

    def codes(self, chunk_ids: Sequence[int] | NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        with self._snapshot() as snap:
            return vectors.take(self._codes(snap), chunk_ids)

    def centroids(self, file_ids: NDArray[np.uint32]) -> NDArray[np.float32]:
        with self._snapshot() as snap:
            layout, codes = self._layout(snap), self._codes(snap)
            kept = self._cached(snap, "centroids", ("files_batch", "vectors_batch"), vectors.CentroidCache)
            return kept.get(file_ids.tolist(), lambda missing: vectors.centroids(codes, layout, missing), codes.width)
