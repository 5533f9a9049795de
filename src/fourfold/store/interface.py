"""What a store must answer, whatever holds it.

The first implementation is one SQLite file (`fourfold.store.reader`); an organisation's would be PostgreSQL. So the
interface asks for answers in batches, never for rows, a cursor or a connection. Nothing outside this room speaks SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from fourfold.model import Chunk, Direction, Edge, File, IndexState, LedgerEntry, ParsedFile, ReferenceKind, Symbol

if TYPE_CHECKING:
    from fourfold.store.graph import EdgeColumns, Edges
    from fourfold.store.parcel import Parcel
    from fourfold.store.relink import GraphNews
    from fourfold.store.rows import GraphColumns

Ints = NDArray[np.int64]

#: How a name is looked up; see `Reader.symbols_named`.
NameMatch = Literal["exact", "insensitive", "tail"]
#: ``body``: stemmed words and identifier parts of a chunk's text, with term frequency.
#: ``name``: stemmed words of names that stand for the chunk, with a weight in hundredths (see `lexing.name_terms`).
TermField = Literal["body", "name"]


@dataclass(frozen=True, slots=True)
class Posting:
    """The chunks that hold one term: ``chunk_ids`` (uint32, ascending) and ``counts`` (uint16), same length."""

    chunk_ids: NDArray[np.uint32]
    counts: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Columns over all live chunks, ascending by chunk id; what scoring needs without a row each.

    ``ids`` uint32 (n,), ``file_ids`` uint32 (n,), ``lengths`` uint32 (n,): body terms in the chunk;
    ``centrality`` float32 (n,), scaled. ``rows`` int32 (highest id + 2,): the row of each chunk id, -1 for one that is
    not live; the last is always -1. To look a row up takes a tenth of the time of searching ``ids`` for it.
    ``order`` int32 (n,): the place of each chunk by path and line, which settles ties: ids tell which file was read
    first, and that differs from one indexing of the same code to the next.
    """

    ids: NDArray[np.uint32]
    file_ids: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    centrality: NDArray[np.float32]
    rows: NDArray[np.int32]
    order: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, and how central it is (scaled): see `model.Chunk`."""

    path: str
    start_line: int
    centrality: float


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's bytes as they stand in the working tree now; ``stale`` when they differ from what was indexed."""

    file_id: int
    path: str
    data: bytes
    stale: bool


class Reader(Protocol):
    """Read access to one generation of one root's index. Safe to use from several threads."""

    root: str

    def state(self) -> IndexState: ...

    def close(self) -> None: ...

    # -- files and chunks
    def files(self) -> Sequence[File]:
        """All indexed files, by path."""

    def file(self, path: str) -> File | None: ...

    def files_by_id(self, ids: Iterable[int]) -> Mapping[int, File]: ...

    def chunk_table(self) -> ChunkTable:
        """Cached for as long as the generation stays the same."""

    def chunks(self, ids: Iterable[int]) -> Mapping[int, Chunk]: ...

    def places(self, ids: Iterable[int]) -> Mapping[int, Place]:
        """Of many chunks what puts them in order; a twentieth of the time of `chunks`."""

    def chunks_of_file(self, file_id: int) -> Sequence[Chunk]: ...

    def chunks_at(self, file_id: int, lines: Sequence[int]) -> Mapping[int, Chunk]:
        """The chunk that holds each line of a file, by line; a line that no chunk holds is absent."""

    def texts(self, file_ids: Sequence[int]) -> Iterator[FileText]:
        """The files' texts, in the order asked, one at a time; a file that vanished is left out."""

    def ledger(self) -> Sequence[LedgerEntry]: ...

    # -- text
    def postings(self, field: TermField, terms: Sequence[str]) -> Mapping[str, Posting]:
        """Only live chunks; a term that no chunk holds is absent from the answer."""

    def vocabulary(self, field: TermField, prefix: str, limit: int = 200) -> Sequence[str]:
        """Terms that start with ``prefix``, in order."""

    def candidates(self, trigrams: Sequence[int]) -> NDArray[np.uint32]:
        """Ids (ascending) of live files that hold all ``trigrams``; all live text files for an empty sequence."""

    # -- symbols
    def symbols_named(self, name: str, how: NameMatch = "exact", limit: int = 500) -> Sequence[Symbol]:
        """``exact``: name or qualified or full name is ``name``; ``insensitive``: the same ignoring case (ASCII and
        Unicode `casefold`); ``tail``: the dotted full name ends with ``.name``. ``name`` is dotted (``A.b``)."""

    def symbols(self, ids: Iterable[int]) -> Mapping[int, Symbol]: ...

    def symbols_in_chunks(self, chunk_ids: Iterable[int]) -> Mapping[int, Sequence[Symbol]]:
        """The symbols that each chunk defines (whose name line it holds), in order of line."""

    def symbols_of_kind(self, kinds: Sequence[str], limit: int = 5000) -> Sequence[Symbol]: ...

    def chunks_of_kind(self, kinds: Sequence[str]) -> NDArray[np.uint32]:
        """Ids of the live chunks that hold the name of a symbol of one of these kinds, ascending."""

    def outline(self, path: str) -> Sequence[Symbol]:
        """The symbols of one file, by line."""

    def central_symbols(self, limit: int = 50) -> Sequence[Symbol]:
        """By centrality, descending, then full name."""

    # -- graph
    def neighbours(
        self,
        symbol_ids: Sequence[int],
        direction: Direction,
        kinds: Sequence[ReferenceKind] | None = None,
        once: bool = False,
    ) -> Sequence[Edge]:
        """Edges into (``in``) or out of (``out``) the symbols, by target or source (each in order of path and place),
        then path and line.

        With ``once``, of the edges that one symbol at the other end has with any of these only the surest, and of
        those the first.
        """

    def links(
        self,
        symbol_ids: Sequence[int],
        direction: Direction,
        kinds: Sequence[ReferenceKind] | None = None,
        once: bool = False,
    ) -> Edges:
        """`neighbours` as columns, in the same order: for walks that show few of the edges that they meet."""

    def edges(self, found: Edges) -> Sequence[Edge | None]:
        """Records of edges that `links` gave, in order; None for one whose file has been removed meanwhile."""

    def first_named(self, symbol_ids: Ints, most: int) -> Ints:
        """Those of the symbols, in any order, whose full name does not come after the ``most``-th (from 1) of all."""

    def unresolved(self, name: str, limit: int = 500) -> Sequence[Edge]:
        """References by this name that resolved to nothing (target 0): outside names, or not yet resolved."""

    # -- vectors
    def nearest(self, code: NDArray[np.uint8], n: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """The ``n`` live chunks whose packed code differs in the fewest bits, with all that differ in as many as the
        last of them: ids and Hamming distances, ascending by (distance, id). Empty when there are no vectors or the
        code's length is another."""

    def codes(self, chunk_ids: Sequence[int] | NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """The chunks that have a vector, in the order asked, and their packed codes: uint32 (n,), uint8 (n, bits/8)."""

    def centroids(self, file_ids: NDArray[np.uint32]) -> NDArray[np.float32]:
        """The mean of each file's codes, read as ±1 and made one unit long: (n, bits); zeros for a file without."""


# --------------------------------------------------------------------------- what the indexer hands over


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """All rows of one file, ready to be written. ``parsed`` may hold no symbols (plain text).

    ``trigrams`` uint32, ascending, distinct, of the whole file (`lexing.trigrams`). ``body`` and ``names`` have one
    mapping a chunk: term → frequency, and term → weight in hundredths; both are empty where the terms of a whole batch
    are given as `FieldTerms`.
    """

    path: str
    size: int
    mtime_ns: int
    digest: str
    module: str
    parsed: ParsedFile
    trigrams: NDArray[np.uint32]
    body: tuple[Mapping[str, int], ...]
    names: tuple[Mapping[str, int], ...]
    ledger: LedgerEntry


@dataclass(frozen=True, slots=True)
class FieldTerms:
    """One field's terms of a batch of files, by term. Chunks are counted from 0 through all files of the batch.

    ``words`` are distinct and in order; ``sizes`` (words,) says how many chunks hold each; ``chunks`` (ascending
    within a word, each once) and ``counts`` are those of all words, joined; ``lengths`` (chunks,) is the sum of the
    counts of each chunk.
    """

    words: Sequence[str]
    sizes: Ints
    chunks: Ints
    counts: Ints
    lengths: Ints


SymbolRow = tuple[int, int, str, str, str, int, str, int, int, int]


class SymbolRows(Sequence[SymbolRow]):
    """Symbols as `GraphInput` has them, kept by columns: whoever wants them so need not take the rows apart."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self.columns = tuple(columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[SymbolRow]:
        return zip(*self.columns, strict=True)

    @overload
    def __getitem__(self, at: int) -> SymbolRow: ...
    @overload
    def __getitem__(self, at: slice) -> SymbolRows: ...
    def __getitem__(self, at: int | slice) -> SymbolRow | SymbolRows:
        if isinstance(at, slice):
            return SymbolRows([column[at] for column in self.columns])
        return tuple(column[at] for column in self.columns)


@dataclass(frozen=True, slots=True)
class GraphInput:
    """Everything that resolution reads, as plain tuples (they are many).

    files: (file_id, path, language, module)
    symbols: (id, file_id, name, qualified, kind, parent id or 0, type_name, start_line, end_line, entry);
        each code file has one of kind ``module`` with an empty qualified name, added by the writer.
    references: (id, file_id, name, kind, line, column, holder symbol id (the module's outside definitions), receiver)
    imports: (file_id, module, name, alias, level, holder symbol id, exported, line)
    bindings: (file_id, holder symbol id, name, type_name, line)
    """

    files: Sequence[tuple[int, str, str, str]]
    symbols: Sequence[SymbolRow]
    references: Sequence[tuple[int, int, str, str, int, int, int, str]]
    imports: Sequence[tuple[int, str, str, str, int, int, int, int]]
    bindings: Sequence[tuple[int, int, str, str, int]]


#: (reference id, source symbol id, target symbol id, kind, certainty)
EdgeRow = tuple[int, int, int, str, str]


class Writer(Protocol):
    """The one writer of an index. Every method is one transaction; a crash between two loses nothing committed."""

    def files(self) -> Mapping[str, File]: ...

    def add(self, files: Sequence[IndexedFile]) -> None:
        """Write a batch (one transaction, one postings pack); a path that is there already is replaced."""

    def add_parcel(self, parcel: Parcel) -> None:
        """The same for a batch that another process has made ready (`store.parcel`)."""

    def remove(self, paths: Sequence[str]) -> None: ...

    def touch(self, paths: Mapping[str, int]) -> None:
        """New mtime_ns for files whose content is the same."""

    def set_ledger(self, entries: Sequence[LedgerEntry]) -> None:
        """Replace the entries of paths that are not indexed (skipped ones, with their rule)."""

    def reference_count(self) -> int: ...

    def graph_input(self) -> GraphInput: ...

    def graph_columns(self) -> GraphColumns:
        """The same with the references, which are many, as columns."""

    def set_graph(self, edges: Sequence[EdgeRow], centrality: Mapping[int, float]) -> None:
        """Replace all edges and centralities (scaled), and each chunk's: the highest of the symbols it defines, module
        symbols aside. Marks graph coverage complete."""

    def graph_news(self) -> GraphNews | None:
        """What has changed since the graph was written (`store.relink`); None when all must be resolved anew."""

    def update_graph(self, edges: EdgeColumns, ids: Ints, centrality: NDArray[np.float64], note: str) -> None:
        """`set_graph` by columns, ``ids`` ascending; ``note`` says how the edges came about, for `graph_news`."""

    def vectors_missing(self, limit: int) -> Sequence[tuple[int, str, int, int]]:
        """(chunk id, path, start_line, end_line) without a vector: recently returned chunks, then by centrality."""

    def cached_codes(self, space: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]: ...

    def set_vectors(self, space: str, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
        """(chunk id, hash of the embedded text, packed code)."""

    def set_meta(self, values: Mapping[str, str]) -> None: ...

    def meta(self) -> Mapping[str, str]: ...

    def compact(self) -> None:
        """Merge postings packs and drop what belongs to removed files, when there is enough of either."""

    def finish(self, commit: str, branch: str, complete: bool) -> int:
        """Close a run: a new generation (returned), the commit and branch, whether every file was done."""

    def close(self) -> None: ...
