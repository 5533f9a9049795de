"""What every retriever is given, and the small arithmetic that they share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.model import Chunk, Intent, Plan, Term, fold
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
        row = int(np.searchsorted(self.table.ids, chunk_id))
        if row >= len(self.table.ids) or self.table.ids[row] != chunk_id:
            return False
        return self.allowed is None or bool(self.allowed[row])

    def drop_filtered(self, scores: Floats) -> Floats:
        """``scores`` (one a live chunk) with chunks that the filters exclude, and the subject itself, at 0."""
        if self.allowed is not None:
            scores = np.where(self.allowed, scores, 0.0)
        if self.similar_to is not None:
            scores[self.table.ids == self.similar_to.id] = 0.0
        return scores


def rows_of(table: ChunkTable, chunk_ids: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Row numbers in the chunk table of live chunk ids."""
    return np.searchsorted(table.ids, chunk_ids)


def inverse_document_frequency(total: int, found: int) -> float:
    """ln(1 + (N − n + 0.5) / (n + 0.5)), the form of BM25 that never turns negative (Lucene's)."""
    return float(np.log(1.0 + (total - found + 0.5) / (found + 0.5)))


def best_of_file(table: ChunkTable, scores: Floats, best: int = 3) -> Floats:
    """For each chunk with a score, the mean of its file's ``best`` highest scores, missing ones as 0; else 0."""
    out = np.zeros_like(scores)
    rows = np.flatnonzero(scores > 0)
    if not len(rows):
        return out
    files = table.file_ids[rows]
    order = np.lexsort((-scores[rows], files))
    sorted_files = files[order]
    starts = np.r_[0, np.flatnonzero(np.diff(sorted_files)) + 1]
    group = np.cumsum(np.r_[0, np.diff(sorted_files) != 0])
    place = np.arange(len(order)) - starts[group]
    top = place < best
    sums = np.bincount(group[top], weights=scores[rows][order][top])
    out[rows[order]] = (sums / best)[group]
    return out


def top_rows(scores: Floats, table: ChunkTable, n: int) -> NDArray[np.intp]:
    """Rows of the ``n`` highest positive scores, best first, ties by chunk id."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > n:
        bound = np.partition(scores[rows], len(rows) - n)[len(rows) - n]
        rows = rows[scores[rows] >= bound]
    order = np.lexsort((table.ids[rows], -scores[rows]))
    return rows[order][:n]


def counts_at(posting: Posting, chunk_ids: NDArray[np.uint32]) -> list[int]:
    """The counts of a term in some chunks, 0 where it is not."""
    if not len(posting.chunk_ids):
        return [0] * len(chunk_ids)
    places = np.minimum(np.searchsorted(posting.chunk_ids, chunk_ids), len(posting.chunk_ids) - 1)
    found: list[int] = np.where(posting.chunk_ids[places] == chunk_ids, posting.counts[places], 0).tolist()
    return found


def total_of(terms: Sequence[Term]) -> float:
    """The raw score of a list of terms."""
    return fold(tuple(terms))
