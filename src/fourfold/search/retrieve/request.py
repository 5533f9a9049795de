"""What every retriever is given, and the small arithmetic that they share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.model import Chunk, Hit, Intent, Plan, Term, fold
from fourfold.store.interface import ChunkTable, Posting, Reader

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Request:
    """One question for one retriever.

    ``query`` is the question without its filters; ``words`` its meaningful words; ``table`` the live chunks and
    ``allowed`` (same length, or None for all) those that the filters admit. ``is_demoted`` tells tests, examples and
    the like from the code itself. ``deadline`` (monotonic seconds) is when a scan must hand over what it has.
    """

    plan: Plan
    reader: Reader
    table: ChunkTable
    query: str
    words: tuple[str, ...]
    allowed: Mask | None
    is_demoted: Callable[[str], bool]
    is_test: Callable[[str], bool]
    depth: int
    deadline: float
    #: What a question in words is mostly about (see `head_of`); empty when nothing narrows it.
    head: str = ""
    #: The chunk whose code is the query, for *similar*: it is never its own result.
    similar_to: Chunk | None = None

    @property
    def intent(self) -> Intent:
        return self.plan.intent

    def expired(self) -> bool:
        return time.monotonic() > self.deadline

    def admits(self, chunk_id: int) -> bool:
        """Whether the filters admit a chunk (and it is live)."""
        row = row_of(self.table, chunk_id)
        return row >= 0 and (self.allowed is None or bool(self.allowed[row]))

    def drop_filtered(self, scores: Floats) -> Floats:
        """``scores`` (one a live chunk) with chunks that the filters exclude, and the subject itself, at 0."""
        if self.allowed is not None:
            scores = np.where(self.allowed, scores, 0.0)
        if self.similar_to is not None:
            scores[self.table.ids == self.similar_to.id] = 0.0
        return scores


def row_of(table: ChunkTable, chunk_id: int) -> int:
    """The row of a chunk in the table; -1 when it is not live."""
    return int(table.rows[chunk_id]) if chunk_id < len(table.rows) else -1


def rows_of(table: ChunkTable, chunk_ids: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Rows in the chunk table; -1 for a chunk that is not in it (it came or went since the table was read)."""
    return table.rows.take(chunk_ids, mode="clip")


def rows_and_counts(table: ChunkTable, posting: Posting) -> tuple[NDArray[np.int32], Floats]:
    """The rows of a posting's chunks that are in the table, and the term's counts in them."""
    rows, counts = rows_of(table, posting.chunk_ids), posting.counts.astype(np.float64)
    live = rows >= 0
    return (rows, counts) if live.all() else (rows[live], counts[live])


def best_first(table: ChunkTable, hits: Iterable[Hit]) -> list[Hit]:
    """Hits by raw score, descending; ties by path and line. A chunk that is not in the table comes last."""
    last = len(table.ids)

    def key(hit: Hit) -> tuple[float, int]:
        row = row_of(table, hit.chunk_id)
        return (-hit.raw_score, int(table.order[row]) if row >= 0 else last)

    return sorted(hits, key=key)


def inverse_document_frequency(total: int, found: int) -> float:
    """ln(1 + (N − n + 0.5) / (n + 0.5)), the form of BM25 that never turns negative (Lucene's)."""
    return float(np.log(1.0 + (total - found + 0.5) / (found + 0.5)))


def best_of_file(table: ChunkTable, scores: Floats, best: int = 3) -> Floats:
    """For each chunk with a score, the mean of its file's ``best`` highest scores, missing ones as 0; else 0."""
    out = np.zeros_like(scores)
    rows = np.flatnonzero(scores > 0)
    if not len(rows):
        return out
    # a file's chunks lie together already: a stable sort only checks that
    rows = rows[np.argsort(table.file_ids[rows], kind="stable")]
    begins = np.r_[True, np.diff(table.file_ids[rows]) != 0]
    starts, group = np.flatnonzero(begins), np.cumsum(begins) - 1
    left, sums = scores[rows], np.zeros(len(starts))
    for _ in range(best):
        # three times the highest that is left; to sort each file's scores takes four times as long
        highest = np.maximum.reduceat(left, starts)
        sums += highest
        places = np.flatnonzero(left == highest[group])
        left[places[np.r_[True, np.diff(group[places]) != 0]]] = 0.0
    out[rows] = (sums / best)[group]
    return out


def top_rows(scores: Floats, table: ChunkTable, n: int) -> NDArray[np.intp]:
    """Rows of the ``n`` highest positive scores, best first, ties by path and line."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > n:
        bound = np.partition(scores[rows], len(rows) - n)[len(rows) - n]
        rows = rows[scores[rows] >= bound]
    order = np.lexsort((table.order[rows], -scores[rows]))
    return rows[order][:n]


def counts_at(posting: Posting, chunk_ids: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The counts of a term in some chunks, 0 where it is not."""
    if not len(posting.chunk_ids):
        return np.zeros(len(chunk_ids), dtype=np.int64)
    places = np.minimum(np.searchsorted(posting.chunk_ids, chunk_ids), len(posting.chunk_ids) - 1)
    return np.where(posting.chunk_ids[places] == chunk_ids, posting.counts[places], 0).astype(np.int64)


def total_of(terms: Sequence[Term]) -> float:
    """The raw score of a list of terms."""
    return fold(tuple(terms))
