"""The one writer of an index in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourfold.model import File, LedgerEntry
from fourfold.store import compact, graph, relink, rows, sums, symbols, terms, vectors
from fourfold.store.graph import EdgeColumns
from fourfold.store.interface import EdgeRow, GraphInput, IndexedFile
from fourfold.store.layout import Layout, contains, read_layout
from fourfold.store.packs import DamagedPack, Ints
from fourfold.store.parcel import Parcel, pack_files
from fourfold.store.relink import GraphNews
from fourfold.store.schema import INTERNAL, clean, open_for_writing, path_key, translate


class SqliteWriter:
    """Implements `Writer`. Every method is one transaction, so a crash between two loses nothing committed.

    Opening makes the file when there is none, and raises `IndexUnusable` when it is damaged or of another schema.
    That no second writer runs is the caller's business; should one, its methods wait and then fail with `StoreError`.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.root = str(root)
        self._db = open_for_writing(path, self.root)
        self._wrote = not sums.sum_of(path).exists()
        self._names: dict[str, int] = {"": 0}
        self._labels: dict[str, int] = {}
        self._layout: tuple[int, Layout] | None = None

    # -- transactions

    @contextmanager
    def _transaction(self, *changed: str) -> Iterator[sqlite3.Connection]:
        """One write transaction; ``changed`` names the counters that tell readers what to read anew."""
        try:
            if not self._wrote:
                sums.forget(self.path)
                self._wrote = True
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            for counter in {"batch", *changed}:
                self._db.execute("UPDATE meta SET value = value + 1 WHERE key = ?", (counter,))
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._names, self._labels, self._layout = {"": 0}, {}, None
            if isinstance(error, (sqlite3.Error, DamagedPack)):
                raise translate(error) from error
            raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db
        except (sqlite3.Error, DamagedPack) as error:
            raise translate(error) from error

    def _number(self, key: str) -> int:
        return int(self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])

    def _take(self, sequence: str, count: int) -> int:
        """The first of ``count`` fresh numbers of a sequence."""
        first = self._number(sequence)
        self._db.execute("UPDATE meta SET value = ? WHERE key = ?", (first + count, sequence))
        return first

    def _live(self) -> Layout:
        batch = self._number("files_batch")
        if self._layout is None or self._layout[0] != batch:
            self._layout = (batch, read_layout(self._db))
        return self._layout[1]

    # -- files

    def files(self) -> Mapping[str, File]:
        """All indexed files by path."""
        with self._reading():
            layout = self._live()
            return {path: layout.file(position) for position, path in enumerate(layout.paths)}

    def add(self, files: Sequence[IndexedFile]) -> None:
        """`add_parcel` for files that carry their terms.

        Raises ValueError when those are not given chunk by chunk.
        """
        batch = list({file.path: file for file in files}.values())
        if batch:
            self.add_parcel(pack_files(batch))

    def add_parcel(self, parcel: Parcel) -> None:
        """Write a batch: rows, one postings pack, ledger entries. A path that is there already is replaced."""
        with self._transaction("files_batch", "content_batch", "ledger_batch") as db:
            self._delete(parcel.paths)
            names = self._intern(parcel.names)
            labels = self._label(parcel.labels)
            files, chunks = len(parcel.files), int(parcel.chunks.counts.sum())
            first = rows.Firsts(
                file=self._take("next_file", files),
                chunk=self._take("next_chunk", chunks),
                symbol=self._take("next_symbol", sum(file.symbols for file in parcel.files)),
                reference=self._take("next_reference", sum(file.references for file in parcel.files)),
            )
            rows.write(db, parcel, first, names, labels)
            self._write_ledger([file.ledger for file in parcel.files])
            ids: Ints = np.arange(first.file, first.file + files)
            chunk_ids: Ints = np.arange(first.chunk, first.chunk + chunks)
            block = self._number("next_block")
            after = terms.insert_pack(db, self._take("next_pack", 1), block, ids, chunk_ids, parcel.pack)
            self._take("next_block", after - block)

    def remove(self, paths: Sequence[str]) -> None:
        """Forget files, with their ledger entries (one that says "skipped" stays)."""
        with self._transaction("files_batch", "content_batch", "ledger_batch") as db:
            self._delete(paths)
            keys = [(path_key(path),) for path in paths]
            db.executemany("DELETE FROM ledger WHERE path = ? AND decision <> 'skipped'", keys)

    def _delete(self, paths: Sequence[str]) -> None:
        found = self._db.execute("SELECT value FROM meta WHERE key = 'graph_horizon'").fetchone()
        resolved = int(found[0]) if found else 0
        for path in paths:
            row = self._db.execute(
                "SELECT id, first_symbol, n_symbols FROM files WHERE path = ?", (path_key(path),)
            ).fetchone()
            if row is None:
                continue
            if row[0] < resolved:
                relink.keep(self._db, row[0])
            self._db.execute("DELETE FROM files WHERE id = ?", (row[0],))
            self._db.execute("DELETE FROM code WHERE id = ?", (row[0],))
            self._db.execute("DELETE FROM symbols WHERE id >= ? AND id < ?", (row[1], row[1] + row[2]))

    def _intern(self, texts: Sequence[str]) -> Ints:
        """The numbers of names; new ones are given theirs."""
        if len(self._names) == 1:
            self._names = {text: number for number, text in enumerate(rows.read_names(self._db))}
        new = sorted(set(texts) - self._names.keys())
        if new:
            first = self._take("next_name", len(new))
            rows.write_names(self._db, first, new)
            self._names.update((text, first + index) for index, text in enumerate(new))
        return np.fromiter(map(self._names.__getitem__, texts), np.int64, len(texts))

    def _label(self, texts: Sequence[str]) -> Ints:
        """The numbers of the names of languages and kinds."""
        if not self._labels.keys() >= set(texts):
            known = {row[0] for row in self._db.execute("SELECT text FROM labels")}
            new = [(text,) for text in sorted(set(texts) - known)]
            self._db.executemany("INSERT INTO labels (text) VALUES (?)", new)
            self._labels = {row[1]: row[0] for row in self._db.execute("SELECT id, text FROM labels")}
        return np.array([self._labels[text] for text in texts], dtype=np.int64)

    def touch(self, paths: Mapping[str, int]) -> None:
        """New mtime_ns for files whose content is the same."""
        with self._transaction("files_batch") as db:
            changes = [(mtime, path_key(path)) for path, mtime in paths.items()]
            db.executemany("UPDATE files SET mtime_ns = ? WHERE path = ?", changes)

    def set_ledger(self, entries: Sequence[LedgerEntry]) -> None:
        """Replace the entries of all paths that are not indexed."""
        with self._transaction("ledger_batch") as db:
            db.execute("DELETE FROM ledger WHERE path NOT IN (SELECT path FROM files)")
            self._write_ledger(entries)

    def _write_ledger(self, entries: Sequence[LedgerEntry]) -> None:
        values = [
            (path_key(entry.path), entry.decision, clean(entry.reason), clean(entry.rule), clean(entry.rule_source),
             entry.size)
            for entry in entries
        ]  # fmt: skip
        self._db.executemany("INSERT OR REPLACE INTO ledger VALUES (?, ?, ?, ?, ?, ?)", values)

    # -- graph

    def reference_count(self) -> int:
        with self._reading():
            return int(self._live().n_references.sum())

    def graph_input(self) -> GraphInput:
        """Everything that resolution reads, of all live files."""
        with self._reading() as db:
            return rows.graph_input(db, self._live())

    def graph_columns(self) -> rows.GraphColumns:
        """The same with the references as columns."""
        with self._reading() as db:
            return rows.graph_columns(db, self._live())

    def graph_news(self) -> GraphNews | None:
        """What has changed since the last `set_graph` or `update_graph`; None when all must be resolved anew."""
        with self._reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'graph_horizon'").fetchone()
            return relink.read_news(db, self._live(), int(row[0]) if row else 0)

    def set_graph(self, edges: Sequence[EdgeRow], centrality: Mapping[int, float]) -> None:
        """Replace all edges and centralities; marks graph coverage complete for the files that are there now."""
        ids = np.array(sorted(centrality), dtype=np.int64)
        self.update_graph(graph.edge_columns(edges), ids, np.array([centrality[key] for key in ids.tolist()]), "")

    def update_graph(self, edges: EdgeColumns, ids: Ints, centrality: NDArray[np.float64], note: str) -> None:
        """`set_graph` by columns (``ids`` ascending). ``note`` is what the next `graph_news` will tell; with an empty
        one it will tell nothing."""
        with self._transaction("graph_batch") as db:
            layout = self._live()
            kept = graph.write_edges(db, layout, edges)
            named, lines = symbols.name_lines(db, layout)
            graph.write_centrality(db, layout, named, lines, ids, centrality)
            relink.forget(db, note)
            horizon, content = self._number("next_file"), self._number("content_batch")
            values = [("edges", kept), ("graph_horizon", horizon), ("graph_content", content)]
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values)

    # -- vectors

    def vectors_missing(self, limit: int) -> Sequence[tuple[int, str, int, int]]:
        """(chunk id, path, start_line, end_line) of chunks without a vector, the most central first, then by id."""
        with self._reading() as db:
            layout = self._live()
            missing = np.flatnonzero(~contains(vectors.read_ids(db), layout.chunk_ids))
            if not missing.size:
                return []
            central = graph.spread(*graph.read_centrality(db, "chunks"), layout.chunk_ids[missing])
            chosen = missing[np.argsort(-central, kind="stable")][:limit]
            columns = (layout.chunk_ids, layout.chunk_file, layout.chunk_start, layout.chunk_end)
            found = zip(*(column[chosen].tolist() for column in columns), strict=True)
            return [(number, layout.paths[file], start, end) for number, file, start, end in found]

    def cached_codes(self, space: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Codes of texts that were embedded before in this space, by the hash of the text."""
        with self._reading() as db:
            row = db.execute("SELECT id FROM spaces WHERE name = ?", (clean(space),)).fetchone()
            found: dict[bytes, bytes] = {}
            query = "SELECT code FROM vector_cache WHERE space = ? AND hash = ?"
            for key in hashes if row else ():
                code = db.execute(query, (row[0], key)).fetchone()
                if code is not None:
                    found[key] = code[0]
            return found

    def set_vectors(self, space: str, vector_rows: Sequence[tuple[int, bytes, bytes]]) -> None:
        """Add (chunk id, hash of the embedded text, packed code); vectors of another space are dropped first."""
        with self._transaction("vectors_batch") as db:
            self._enter_space(space)
            if not vector_rows:
                return
            number = db.execute("SELECT id FROM spaces WHERE name = ?", (clean(space),)).fetchone()[0]
            codes = [(number, key, code) for _, key, code in vector_rows]
            db.executemany("INSERT OR REPLACE INTO vector_cache VALUES (?, ?, ?)", codes)
            segment = self._number("next_segment")
            after = vectors.append(db, segment, [row[0] for row in vector_rows], [row[2] for row in vector_rows])
            self._take("next_segment", after - segment)

    def _enter_space(self, space: str) -> None:
        row = self._db.execute("SELECT value FROM meta WHERE key = 'space'").fetchone()
        if row is None or row[0] != clean(space):
            self._db.execute("DELETE FROM vectors")
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('space', ?)", (clean(space),))
        known = self._db.execute("SELECT 1 FROM spaces WHERE name = ?", (clean(space),)).fetchone()
        if known is None:
            self._db.execute("INSERT INTO spaces (name) VALUES (?)", (clean(space),))

    # -- the whole

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Keep small facts about the run. These mean something to readers: ``wanted`` (how many files there should be),
        ``running`` ("1" while a run is under way), ``embedder`` (shown), ``space`` (another one drops all vectors)."""
        if reserved := sorted(set(values) & set(INTERNAL)):
            raise ValueError(f"reserved: {', '.join(reserved)}")
        with self._transaction("vectors_batch" if "space" in values else "batch") as db:
            if "space" in values:
                self._enter_space(values["space"])
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(k, clean(v)) for k, v in values.items()])

    def meta(self) -> Mapping[str, str]:
        with self._reading() as db:
            return {key: str(value) for key, value in db.execute("SELECT key, value FROM meta")}

    def compact(self) -> None:
        """Merge packs when there are many, and drop what belongs to removed files when it is much."""
        with self._reading() as db:
            layout = self._live()
            packs = terms.read_packs(db, layout)
            chosen = compact.choose(packs)
            embedded = vectors.read_ids(db)
            dead = 1.0 - float(contains(layout.chunk_ids, embedded).mean()) if embedded.size else 0.0
        if not chosen and dead <= compact.DEAD:
            return
        with self._transaction("files_batch", "vectors_batch") as db:
            if chosen:
                rows.merge_names(db)
                block = self._number("next_block")
                self._take("next_block", compact.merge(db, packs, chosen, self._take("next_pack", 1), block) - block)
            if dead > compact.DEAD:
                segment = self._number("next_segment")
                after = vectors.rewrite(db, segment, vectors.read_codes(db, layout))
                self._take("next_segment", after - segment)
        with self._reading() as db:
            db.executescript("PRAGMA incremental_vacuum")  # execute() would take one step, and free one page

    def finish(self, commit: str, branch: str, complete: bool) -> int:
        """Close a run: a new generation (returned), the commit and branch, whether every file was done."""
        with self._transaction() as db:
            generation = self._take("generation", 1) + 1
            values = [("commit", clean(commit)), ("branch", clean(branch)), ("complete", str(int(complete)))]
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values)
            db.execute("DELETE FROM meta WHERE key = 'running'")
        with self._reading() as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return generation

    def close(self) -> None:
        """Close, and bring the file itself up to date if no reader is in the way just then."""
        try:
            self._db.execute("PRAGMA busy_timeout = 0")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error:
            pass  # what is committed stays in the write-ahead log, where readers find it
        self._db.close()
        if self._wrote:
            sums.note(self.path)
