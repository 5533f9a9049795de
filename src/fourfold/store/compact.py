"""Merging packs of postings, so that a question looks into few and removed files cost nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from fourfold.store.blocks import Blocks, Key, Section, delete_packs, pack_blocks, read_range
from fourfold.store.packs import Ints, decode_postings, decode_sets, encode_postings, encode_sets, encode_varints
from fourfold.store.parcel import Pack, runs
from fourfold.store.terms import Packs, insert_pack

#: More packs than this are merged; a question then asks at most so many for each term.
MANY = 8
#: From this share of removed chunks and files on, everything is rewritten.
DEAD = 0.3
#: Bytes of postings that are held decoded at a time: decoded and sorted they take forty times as much.
_SLICE = 1_000_000


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


def merge(db: sqlite3.Connection, packs: Packs, chosen: Sequence[int], new: int, next_block: int) -> int:
    """Write the live postings of ``chosen`` as pack ``new`` and drop the old ones. Returns the next free block."""
    places = [packs.number[pack] for pack in chosen]
    chunk_ids, chunk_maps = _renumber(packs.chunk_starts, packs.chunk_ids, packs.chunk_live, places)
    file_ids, file_maps = _renumber(packs.file_starts, packs.file_ids, packs.file_live, places)
    totals = [int(packs.file_starts[place + 1] - packs.file_starts[place]) for place in places]
    size = 0
    values: list[bytes] = []
    sections: list[Blocks] = []
    for field in (0, 1):
        known, codings = _values(packs, field, places)
        terms = _Merged[str]([packs.words[pack, field] for pack in chosen], "")
        for low, high in terms.slices(_parts(packs, places)):
            terms.take(*_merge_terms(db, terms.sections, low, high, chunk_maps, codings))
        sections.append(terms.blocks())
        size += terms.size
        values.append(encode_varints(known)[0].tobytes())
    grams = _Merged[int]([packs.grams[pack] for pack in chosen], 0)
    for low_gram, high_gram in grams.slices(_parts(packs, places)):
        grams.take(*_merge_grams(db, grams.sections, low_gram, high_gram, file_maps, totals, file_ids.size))
    delete_packs(db, chosen)
    db.executemany("DELETE FROM packs WHERE id = ?", [(pack,) for pack in chosen])
    merged = Pack(size + grams.size, (values[0], values[1]), (sections[0], sections[1], grams.blocks()))
    return insert_pack(db, new, next_block, file_ids, chunk_ids, merged)


class _Merged(Generic[Key]):
    """The keys and pieces of a merged section, gathered slice by slice: only decoded are they large."""

    def __init__(self, sections: Sequence[Section[Key]], lowest: Key) -> None:
        self.sections: Sequence[Section[Key]] = sections
        self.size = 0
        self._lowest: Key = lowest
        self._keys: list[Key] = []
        self._data: list[bytes] = []
        self._sizes: list[Ints] = [np.zeros(0, dtype=np.int64)]

    def slices(self, parts: int) -> Iterator[tuple[Key, Key | None]]:
        """About ``parts`` ranges of keys, cut at fences of the longest section; the last one is open."""
        fences: list[Key] = max((section.fences for section in self.sections), key=len)
        step: int = max(1, -(-len(fences) // parts))
        bounds: list[Key] = [self._lowest]
        bounds += fences[step::step]
        yield from zip(bounds, [*bounds[1:], None], strict=True)

    def take(self, keys: Sequence[Key], data: bytes, sizes: Ints) -> None:
        self._keys += keys
        self._data.append(data)
        self._sizes.append(sizes)
        self.size += len(data)

    def blocks(self) -> Blocks:
        return pack_blocks(self._keys, b"".join(self._data), np.concatenate(self._sizes))


def _parts(packs: Packs, places: Sequence[int]) -> int:
    return 1 + int(packs.sizes[places].sum()) // _SLICE


def _renumber(starts: Ints, ids: Ints, live: NDArray[np.bool_], places: Sequence[int]) -> tuple[Ints, list[Ints]]:
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


def _merge_terms(
    db: sqlite3.Connection, sections: Sequence[Section[str]], low: str, high: str | None, maps: Sequence[Ints],
    codings: Sequence[Ints],
) -> tuple[list[str], bytes, Ints]:  # fmt: skip
    found = [read_range(db, section, low, high) for section in sections]
    terms = sorted({term for keys, _, _ in found for term in keys})
    index = {term: number for number, term in enumerate(terms)}
    keys, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for (words, data, sizes), new_docs, coding in zip(found, maps, codings, strict=True):
        counts, docs, old = decode_postings(data, sizes)
        groups = np.repeat(np.fromiter(map(index.__getitem__, words), dtype=np.int64, count=len(words)), counts)
        live = new_docs[docs] >= 0
        keys.append((groups[live] << 32) | new_docs[docs][live])
        codes.append(coding[old[live]] if coding.size else old[live])
    key, code = np.concatenate(keys), np.concatenate(codes)
    order = np.argsort(key, kind="stable")
    key = key[order]
    groups, counts = runs(key >> 32)
    data, sizes = encode_postings(counts, key & 0xFFFFFFFF, code[order])
    return [terms[group] for group in groups.tolist()], data, sizes


def _merge_grams(
    db: sqlite3.Connection, sections: Sequence[Section[int]], low: int, high: int | None, maps: Sequence[Ints],
    totals: Sequence[int], total: int,
) -> tuple[list[int], bytes, Ints]:  # fmt: skip
    keys = [np.zeros(0, dtype=np.int64)]
    for section, new_docs, old_total in zip(sections, maps, totals, strict=True):
        numbers, data, sizes = read_range(db, section, low, high)
        counts, docs = decode_sets(data, sizes, old_total)
        grams = np.repeat(np.array(numbers, dtype=np.int64), counts)
        docs = new_docs[docs]
        keys.append((grams[docs >= 0] << 32) | docs[docs >= 0])
    key = np.concatenate(keys)
    key.sort()
    distinct, counts = runs(key >> 32)
    data, sizes = encode_sets(counts, key & 0xFFFFFFFF, total)
    return distinct.tolist(), data, sizes
