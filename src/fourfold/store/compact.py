"""Merging packs of postings, so that a question looks into few and removed files cost nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np

from fourfold.store.packs import Ints, decode_postings, decode_sets, encode_postings, encode_sets, encode_varints
from fourfold.store.terms import Packs, insert_pack, insert_postings, insert_trigrams

#: More packs than this are merged; a question then asks at most so many for each term.
MANY = 16
#: From this share of removed chunks and files on, everything is rewritten.
DEAD = 0.3
#: Bytes of postings that are held decoded at a time.
_SLICE = 16_000_000


def choose(packs: Packs) -> list[int]:
    """Which packs to merge: all when much is dead; else, of too many, the small ones, so that a large pack is not
    rewritten for every few changes."""
    numbers = list(packs.number)
    if packs.dead_share > DEAD:
        return numbers
    if len(numbers) <= MANY:
        return []
    by_size = sorted(range(len(numbers)), key=lambda i: (int(packs.sizes[i]), i))
    chosen, total = by_size[:2], int(packs.sizes[by_size[:2]].sum())
    for index in by_size[2:]:
        size = int(packs.sizes[index])
        if len(numbers) - len(chosen) < MANY // 2 and size > 2 * total:
            break
        chosen.append(index)
        total += size
    return sorted(numbers[index] for index in chosen)


def merge(db: sqlite3.Connection, packs: Packs, chosen: Sequence[int], new: int) -> None:
    """Write the live postings of ``chosen`` as pack ``new`` and drop the old ones."""
    places = [packs.number[pack] for pack in chosen]
    chunk_ids, chunk_maps = _renumber(packs.chunk_starts, packs.chunk_ids, packs.chunk_live, places)
    file_ids, file_maps = _renumber(packs.file_starts, packs.file_ids, packs.file_live, places)
    size = 0
    values: list[bytes] = []
    for field in (0, 1):
        known, codings = _values(packs, field, places)
        for low, high in _slices(db, "postings", "term", f"pack = ? AND field = {field}", packs, chosen):
            size += _merge_terms(db, field, chosen, low, high, chunk_maps, codings, new)
        values.append(encode_varints(known)[0].tobytes())
    totals = [int(packs.file_starts[p + 1] - packs.file_starts[p]) for p in places]
    for low, high in _slices(db, "trigrams", "gram", "pack = ?", packs, chosen):
        size += _merge_grams(db, chosen, low, high, file_maps, totals, file_ids.size, new)
    marks = ",".join("?" * len(chosen))
    for table, column in (("postings", "pack"), ("trigrams", "pack"), ("packs", "id")):
        db.execute(f"DELETE FROM {table} WHERE {column} IN ({marks})", tuple(chosen))
    insert_pack(db, new, size, file_ids, chunk_ids, values)


def _renumber(starts: Ints, ids: Ints, live: np.ndarray, places: Sequence[int]) -> tuple[Ints, list[Ints]]:
    """The live ids of the chosen packs, ascending, and for each pack its documents' new numbers (-1: dead)."""
    parts = [slice(int(starts[p]), int(starts[p + 1])) for p in places]
    kept = np.sort(np.concatenate([ids[part][live[part]] for part in parts]))
    maps = [np.where(live[part], np.searchsorted(kept, ids[part]), -1) for part in parts]
    return kept, maps


def _values(packs: Packs, field: int, places: Sequence[int]) -> tuple[Ints, list[Ints]]:
    """One list of counts for the merged pack, in the largest pack's order, and each pack's codes in it."""
    starts, values = packs.value_starts[field], packs.values[field]
    parts = [values[int(starts[p]) : int(starts[p + 1])] for p in places]
    largest = max(range(len(places)), key=lambda i: int(packs.sizes[places[i]]))
    known = {value: None for part in (parts[largest], *parts) for value in part.tolist()}
    code = {value: index for index, value in enumerate(known)}
    codings = [np.array([code[value] for value in part.tolist()], dtype=np.int64) for part in parts]
    return np.array(list(known), dtype=np.int64), codings


def _slices(
    db: sqlite3.Connection, table: str, key: str, where: str, packs: Packs, chosen: Sequence[int]
) -> Iterator[tuple[str | int, str | int | None]]:
    """Ranges of keys (the last without an end) that each decode to a bounded amount of memory."""
    total = sum(int(packs.sizes[packs.number[pack]]) for pack in chosen)
    largest = max(chosen, key=lambda pack: int(packs.sizes[packs.number[pack]]))
    bounds: list[str | int] = ["" if table == "postings" else 0]
    parts = -(-total // _SLICE)
    count = db.execute(f"SELECT count(*) FROM {table} WHERE {where}", (largest,)).fetchone()[0] if parts > 1 else 0
    for part in range(1, parts):
        query = f"SELECT {key} FROM {table} WHERE {where} ORDER BY {key} LIMIT 1 OFFSET ?"
        row = db.execute(query, (largest, part * count // parts)).fetchone()
        if row is not None and row[0] != bounds[-1]:
            bounds.append(row[0])
    yield from zip(bounds, [*bounds[1:], None], strict=True)


def _merge_terms(
    db: sqlite3.Connection, field: int, chosen: Sequence[int], low: str | int, high: str | int | None,
    maps: Sequence[Ints], codings: Sequence[Ints], new: int,
) -> int:  # fmt: skip
    end = "" if high is None else "AND term < ?"
    query = f"SELECT term, data FROM postings WHERE pack = ? AND field = ? AND term >= ? {end} ORDER BY term"
    bound = () if high is None else (high,)
    found = [db.execute(query, (pack, field, low, *bound)).fetchall() for pack in chosen]
    terms = sorted({row[0] for rows in found for row in rows})
    index = {term: number for number, term in enumerate(terms)}
    keys, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for rows, new_docs, coding in zip(found, maps, codings, strict=True):
        counts, docs, old = decode_postings([row[1] for row in rows])
        groups = np.repeat(np.array([index[row[0]] for row in rows], dtype=np.int64), counts)
        docs = new_docs[docs]
        live = docs >= 0
        keys.append((groups[live] << 32) | docs[live])
        codes.append(coding[old[live]] if coding.size else old[live])
    key, code = np.concatenate(keys), np.concatenate(codes)
    order = np.argsort(key, kind="stable")
    key = key[order]
    groups, counts = np.unique(key >> 32, return_counts=True)
    blobs = encode_postings(counts.astype(np.int64), key & 0xFFFFFFFF, code[order])
    return insert_postings(db, new, field, (terms[group] for group in groups.tolist()), blobs)


def _merge_grams(
    db: sqlite3.Connection, chosen: Sequence[int], low: str | int, high: str | int | None, maps: Sequence[Ints],
    totals: Sequence[int], total: int, new: int,
) -> int:  # fmt: skip
    end = "" if high is None else "AND gram < ?"
    query = f"SELECT gram, data FROM trigrams WHERE pack = ? AND gram >= ? {end} ORDER BY gram"
    bound = () if high is None else (high,)
    keys = [np.zeros(0, dtype=np.int64)]
    for pack, new_docs, old_total in zip(chosen, maps, totals, strict=True):
        rows = db.execute(query, (pack, low, *bound)).fetchall()
        counts, docs = decode_sets([row[1] for row in rows], old_total)
        grams = np.repeat(np.array([row[0] for row in rows], dtype=np.int64), counts)
        docs = new_docs[docs]
        keys.append((grams[docs >= 0] << 32) | docs[docs >= 0])
    key = np.sort(np.concatenate(keys))
    grams, counts = np.unique(key >> 32, return_counts=True)
    blobs = encode_sets(counts.astype(np.int64), key & 0xFFFFFFFF, total)
    return insert_trigrams(db, new, grams.tolist(), blobs)
