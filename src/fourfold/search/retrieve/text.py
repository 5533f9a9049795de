"""Words and literals: BM25 over terms for a question in words, trigrams and the file itself for an exact string."""

from __future__ import annotations

import numpy as np

from fourfold.lexing import path_words, porter
from fourfold.model import Evidence, Hit, HitList, Notice, Term
from fourfold.search.retrieve.exact import find_literal, find_path, find_regex
from fourfold.search.retrieve.request import (
    Request,
    best_of_file,
    inverse_document_frequency,
    lookup,
    rows_of,
    top_rows,
    total_of,
)
from fourfold.store.interface import Posting

#: BM25's saturation and length normalisation (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework:
#: BM25 and Beyond", 2009).
K1 = 1.2
B = 0.5
#: The share of the mean of the file's three best chunks in a chunk's score.
FILE_SHARE = 0.5
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
    terms = list(dict.fromkeys(porter(word) for word in request.words))
    postings = request.reader.postings("body", terms)
    weights = {
        term: inverse_document_frequency(len(request.table.ids), len(p.chunk_ids)) for term, p in postings.items()
    }
    base = np.zeros(len(request.table.ids))
    average = float(request.table.lengths.mean()) if len(request.table.lengths) else 1.0
    for term, posting in postings.items():
        rows = rows_of(request.table, posting.chunk_ids)
        base[rows] += weights[term] * saturation(posting.counts, request.table.lengths[rows], average)
    base = request.drop_filtered(base)
    coherence = best_of_file(request.table, base)
    rows = top_rows(base + FILE_SHARE * coherence, request.table, request.depth)
    hits = [_hit(request, int(row), postings, weights, average, float(coherence[row])) for row in rows if base[row] > 0]
    hits.sort(key=lambda hit: (-hit.raw_score, hit.chunk_id))
    total = sum(weights.values()) + sum(
        inverse_document_frequency(len(request.table.ids), 0) for term in terms if term not in postings
    )
    covered = _covered(hits[0], weights) / total if hits and total else 0.0
    return HitList("text", "ran", tuple(hits), how=f"BM25 over {len(terms)} words", confident=covered >= COVERED)


def saturation(counts: np.ndarray, lengths: np.ndarray, average: float) -> np.ndarray:  # type: ignore[type-arg]
    """BM25's term frequency part: tf (k1 + 1) / (tf + k1 (1 − b + b · length / average))."""
    tf = counts.astype(np.float64)
    norm = K1 * (1.0 - B + B * lengths.astype(np.float64) / max(average, 1.0))
    return tf * (K1 + 1.0) / (tf + norm)


def _hit(
    request: Request, row: int, postings: dict[str, Posting], weights: dict[str, float], average: float, file: float
) -> Hit:
    chunk = int(request.table.ids[row])
    length = request.table.lengths[row : row + 1]
    parts = []
    for term, posting in postings.items():
        count = lookup(posting, chunk)
        if count:
            share = weights[term] * float(saturation(np.array([count]), length, average)[0])
            parts.append(Term(f"{term} ×{count}", "+", share))
    parts.append(Term(f"file coherence × {FILE_SHARE}", "+", FILE_SHARE * file))
    terms = tuple(parts)
    return Hit(chunk, total_of(terms), Evidence(terms=terms))


def _covered(hit: Hit, weights: dict[str, float]) -> float:
    names = {term.name.rsplit(" ×", 1)[0] for term in hit.evidence.terms}
    return sum(weight for term, weight in weights.items() if term in names)


def path_terms(path: str) -> set[str]:
    """The stemmed words of a path: what a term matches when it is not on any line."""
    stem, folder, _ = path_words(path)
    return {porter(word) for word in (*stem, *folder)}
