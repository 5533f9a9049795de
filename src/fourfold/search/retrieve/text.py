"""Words and literals: BM25 over terms for a question in words, trigrams and the file itself for an exact string."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fourfold.lexing import path_counts, porter
from fourfold.model import Evidence, Hit, HitList, Notice, Term
from fourfold.search.retrieve.exact import find_literal, find_path, find_regex
from fourfold.search.retrieve.request import (
    Floats,
    Request,
    best_first,
    best_of_file,
    counts_at,
    inverse_document_frequency,
    rows_and_counts,
    top_rows,
    total_of,
)

#: BM25's saturation and length normalisation (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework:
#: BM25 and Beyond", 2009).
K1 = 1.2
B = 0.5
#: The share of the mean of the file's three best chunks in a chunk's score.
FILE_SHARE = 1.0
#: A list is trusted when its best hit covers at least this share of the question's weight.
COVERED = 0.35


def retrieve(request: Request) -> HitList:
    """The chunks that hold the literal, match the expression, or rank best for the question's words."""
    intent, subject = request.intent, request.intent.subject
    if request.plan.regex:
        return find_regex(request, request.query)
    if subject and intent.name == "exact_match":
        if intent.pattern == "regex":
            return find_regex(request, subject)
        if intent.pattern == "path":
            found = find_path(request, subject)
            if found.hits:
                return found
        found = find_literal(request, subject)
        if found.hits:
            return found
        words = by_words(request)
        if intent.pattern == "literal":
            absent = Notice("literal_absent", f"“{subject}” does not occur in the indexed files")
            return HitList(
                "text", "ran", words.hits, how=words.how, partial=found.partial, confident=False, notices=(absent,)
            )
        return words
    return by_words(request)


def by_words(request: Request) -> HitList:
    """BM25 over the question's terms, plus the coherence of the file."""
    table = request.table
    words = {porter(word): word for word in reversed(request.words)}
    postings = request.reader.postings("body", list(words))
    rarity = {term: inverse_document_frequency(len(table.ids), len(p.chunk_ids)) for term, p in postings.items()}
    base = np.zeros(len(table.ids))
    average = float(table.lengths.mean()) if len(table.lengths) else 1.0
    for term, posting in postings.items():
        held, frequencies = rows_and_counts(table, posting)
        base[held] += rarity[term] * saturation(frequencies, table.lengths[held], average)
    base = request.drop_filtered(base)
    coherence = FILE_SHARE * best_of_file(table, base)
    rows = top_rows(np.where(base > 0, base + coherence, 0.0), table, request.depth)
    from_path = _path_counts(request, table.file_ids[rows].tolist())
    parts: list[list[Term]] = [[] for _ in rows]
    covered = np.zeros(len(rows))
    for term, posting in postings.items():
        counts = counts_at(posting, table.ids[rows])
        shares = (rarity[term] * saturation(counts, table.lengths[rows], average)).tolist()
        for place, (count, share) in enumerate(zip(counts.tolist(), shares, strict=True)):
            if count:
                label = _label(words[term], count, from_path[place].get(term, 0))
                parts[place].append(Term(label, "+", share))
                covered[place] += rarity[term]
    hits = []
    for place, row in enumerate(rows.tolist()):
        terms = (*parts[place], Term("file coherence", "+", float(coherence[row])))
        hits.append(Hit(int(table.ids[row]), total_of(terms), Evidence(terms=terms)))
    hits = best_first(request.table, hits)
    absent = sum(inverse_document_frequency(len(table.ids), 0) for term in words if term not in postings)
    total = sum(rarity.values()) + absent
    best = float(covered[:10].max()) / total if len(rows) and total else 0.0
    return HitList("text", "ran", tuple(hits), how=f"BM25 over {len(words)} words", confident=best >= COVERED)


def _path_counts(request: Request, file_ids: Sequence[int]) -> list[dict[str, int]]:
    """For each file, what its path adds to the counts of each of its chunks."""
    counts = {number: path_counts(file.path) for number, file in request.reader.files_by_id(set(file_ids)).items()}
    return [counts.get(number, {}) for number in file_ids]


def _label(word: str, count: int, from_path: int) -> str:
    """A word with how often it stands in the chunk, and how often its path counts beside that."""
    written = f"{word} ×{count - from_path}" if count > from_path else word
    return f"{written}, path ×{from_path}" if from_path else written


def saturation(counts: NDArray[np.integer] | Floats, lengths: NDArray[np.integer], average: float) -> Floats:
    """BM25's term frequency part: tf (k1 + 1) / (tf + k1 (1 − b + b · length / average))."""
    tf = counts.astype(np.float64)
    norm = K1 * (1.0 - B + B * lengths.astype(np.float64) / max(average, 1.0))
    return tf * (K1 + 1.0) / (tf + norm)
