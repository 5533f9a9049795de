"""Postings packs in the database: one is written a batch, all are read together, masked by what still lives."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fourfold.store.blocks import Section, insert_section, read_numbers, read_sections, read_words
from fourfold.store.interface import Posting
from fourfold.store.layout import Layout, contains
from fourfold.store.packs import (
    DamagedPack,
    Ints,
    decode_ids,
    decode_postings,
    decode_set,
    decode_varints,
    encode_ids,
    join,
)
from fourfold.store.parcel import Pack

#: The section of trigrams beside those of the two fields of terms.
TRIGRAMS = 2
#: Postings kept decoded, at six bytes each.
_KEPT_POSTINGS = 4_000_000


@dataclass(frozen=True, slots=True)
class Packs:
    """All packs' tables, joined: document d of pack p is at ``starts[p] + d`` (chunks and files apart).

    ``values[field]`` gives the count that a code stands for, again joined (``value_starts[field]`` a pack). ``sizes``
    are bytes of postings; ``words`` and ``grams`` where they are.
    """

    number: Mapping[int, int]
    chunk_starts: Ints
    chunk_ids: Ints
    chunk_live: NDArray[np.bool_]
    file_starts: Ints
    file_ids: Ints
    file_live: NDArray[np.bool_]
    value_starts: tuple[Ints, Ints]
    values: tuple[Ints, Ints]
    sizes: Ints
    words: Mapping[tuple[int, int], Section[str]]
    grams: Mapping[int, Section[int]]

    @property
    def dead_share(self) -> float:
        """Which part of the chunks and files named in packs no longer lives."""
        total = self.chunk_ids.size + self.file_ids.size
        return 1.0 - (int(self.chunk_live.sum()) + int(self.file_live.sum())) / total if total else 0.0


def read_packs(db: sqlite3.Connection, layout: Layout) -> Packs:
    rows = db.execute("SELECT id, size, files, chunks, body_values, name_values FROM packs ORDER BY id").fetchall()
    files, chunks = [decode_ids(row[2]) for row in rows], [decode_ids(row[3]) for row in rows]
    values = [[decode_varints(row[4 + field]) for row in rows] for field in (0, 1)]
    words, grams = read_sections(db)
    file_ids, chunk_ids = _joined(files), _joined(chunks)
    return Packs(
        number={row[0]: index for index, row in enumerate(rows)},
        chunk_starts=_starts(chunks),
        chunk_ids=chunk_ids,
        chunk_live=contains(layout.chunk_ids, chunk_ids),
        file_starts=_starts(files),
        file_ids=file_ids,
        file_live=contains(layout.file_ids, file_ids),
        value_starts=(_starts(values[0]), _starts(values[1])),
        values=(_joined(values[0]), _joined(values[1])),
        sizes=np.array([row[1] for row in rows], dtype=np.int64),
        words=words,
        grams=grams,
    )


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _starts(parts: Sequence[Ints]) -> Ints:
    """Where each part starts when all are joined, and the whole length last."""
    out = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([part.size for part in parts], out=out[1:])
    return out


# --------------------------------------------------------------------------- writing


def insert_pack(
    db: sqlite3.Connection, number: int, next_block: int, file_ids: Ints, chunk_ids: Ints, pack: Pack
) -> int:
    """Write postings as pack ``number``, whose documents are those files and chunks. Returns the next free block."""
    for field, section in enumerate(pack.sections):
        next_block = insert_section(db, number, field, next_block, section)
    row = (number, pack.size, encode_ids(file_ids), encode_ids(chunk_ids), *pack.values)
    db.execute("INSERT INTO packs (id, size, files, chunks, body_values, name_values) VALUES (?, ?, ?, ?, ?, ?)", row)
    return next_block


# --------------------------------------------------------------------------- reading


def read_postings(db: sqlite3.Connection, packs: Packs, field: int, terms: Sequence[str]) -> dict[str, Posting]:
    """Postings of live chunks over all packs; terms that no live chunk holds are absent."""
    wanted = list(dict.fromkeys(terms))
    places: list[tuple[int, int, int]] = []
    for number in packs.number:
        section = packs.words[number, field]
        for index, term in enumerate(wanted):
            block = section.block_of(term)
            if block is not None:
                places.append((index, number, block))
    blocks = read_words(db, sorted({block for _, _, block in places}))
    rows: list[tuple[int, int, bytes]] = []
    for index, number, block in sorted(places):
        piece = blocks[block].piece(wanted[index])
        if piece is not None:
            rows.append((index, number, piece))
    if not rows:
        return {}
    counts, docs, codes = decode_postings(*join([row[2] for row in rows]))
    pack = np.repeat(np.array([packs.number[row[1]] for row in rows], dtype=np.int64), counts)
    starts, value_starts = packs.chunk_starts, packs.value_starts[field]
    place, code = starts[pack] + docs, value_starts[pack] + codes
    if np.any(place >= starts[pack + 1]) or np.any(code >= value_starts[pack + 1]):
        raise DamagedPack("a list of postings names a chunk that is not in its pack")
    live = packs.chunk_live[place]
    owner = np.repeat(np.array([row[0] for row in rows], dtype=np.int64), counts)[live]
    ids = packs.chunk_ids[place[live]].astype(np.uint32)
    numbers = packs.values[field][code[live]].astype(np.uint16)
    ends = np.searchsorted(owner, np.arange(len(wanted) + 1))
    out: dict[str, Posting] = {}
    for index, term in enumerate(wanted):
        part = slice(int(ends[index]), int(ends[index + 1]))
        if part.stop > part.start:
            out[term] = _ascending(ids[part], numbers[part])
    return out


class PostingCache:
    """Decoded postings of one state of the index: the words of a question are asked again while it is typed on, and
    common ones with every question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Posting | None] = {}
        self._held = 0

    def get(self, terms: Sequence[str], read: Callable[[Sequence[str]], Mapping[str, Posting]]) -> dict[str, Posting]:
        wanted = list(dict.fromkeys(terms))
        with self._lock:
            known = {term: self._known.pop(term) for term in wanted if term in self._known}
            self._known.update(known)  # used last, so thrown away last
        missing = [term for term in wanted if term not in known]
        if missing:
            read_now = read(missing)
            fresh = {term: read_now.get(term) for term in missing}
            known.update(fresh)
            with self._lock:
                self._keep(fresh)
        return {term: posting for term in wanted if (posting := known[term]) is not None}

    def _keep(self, fresh: Mapping[str, Posting | None]) -> None:
        for term, posting in fresh.items():
            if term not in self._known:
                self._known[term] = posting
                self._held += _size(posting)
        while self._held > _KEPT_POSTINGS:
            oldest = next(iter(self._known))
            self._held -= _size(self._known.pop(oldest))


def _size(posting: Posting | None) -> int:
    return 1 if posting is None else 1 + posting.chunk_ids.size


def _ascending(ids: NDArray[np.uint32], counts: NDArray[np.uint16]) -> Posting:
    if np.all(ids[1:] > ids[:-1]):
        return Posting(ids, counts)
    order = np.argsort(ids, kind="stable")
    return Posting(ids[order], counts[order])


def read_candidates(
    db: sqlite3.Connection, packs: Packs, layout: Layout, trigrams: Sequence[int]
) -> NDArray[np.uint32]:
    """Live files that hold all ``trigrams``, ascending; all live files when there are none."""
    if not trigrams:
        return layout.file_ids.astype(np.uint32)
    wanted = sorted(set(map(int, trigrams)))
    places: dict[int, list[int]] = {}
    for number in packs.number:
        section = packs.grams[number]
        numbers = [section.block_of(gram) for gram in wanted]
        held = [number for number in numbers if number is not None]
        if len(held) == len(wanted):
            places[number] = held
    blocks = read_numbers(db, sorted({block for held in places.values() for block in held}))
    by_pack = {
        pack: [blocks[block].piece(gram) for block, gram in zip(held, wanted, strict=True)]
        for pack, held in places.items()
    }
    found = [np.zeros(0, dtype=np.int64)]
    for pack, pieces in by_pack.items():
        blobs = [piece for piece in pieces if piece is not None]
        if len(blobs) == len(wanted):
            start, end = (int(x) for x in packs.file_starts[packs.number[pack] : packs.number[pack] + 2])
            docs = start + _common(blobs, end - start)
            found.append(packs.file_ids[docs[packs.file_live[docs]]])
    return np.sort(np.concatenate(found)).astype(np.uint32)


def _common(blobs: list[bytes], total: int) -> Ints:
    """The documents that are in every set, the smallest first so that the rest only test few."""
    blobs.sort(key=len)
    docs = decode_set(blobs[0], total)
    for blob in blobs[1:]:
        if not docs.size:
            break
        if len(blob) == -(-total // 8):
            bits = np.frombuffer(blob, dtype=np.uint8)
            docs = docs[(bits[docs >> 3] & (128 >> (docs & 7))) != 0]
        else:
            docs = docs[contains(decode_set(blob, total), docs)]
    return docs


def read_vocabulary(
    db: sqlite3.Connection,
    packs: Packs,
    field: int,
    prefix: str,
    limit: int,
    live: Callable[[list[str]], Iterable[str]],
) -> list[str]:
    """Up to ``limit`` terms with ``prefix``, in order, of which ``live`` keeps those that a live chunk holds."""
    out: list[str] = []
    after = ""
    while len(out) < limit:
        pages = [_next_terms(db, packs.words[number, field], prefix, after, limit) for number in packs.number]
        page = sorted(set(chain.from_iterable(pages)))[:limit]
        if not page:
            break
        kept = set(live(page))
        out.extend(term for term in page if term in kept)
        after = page[-1]
    return out[:limit]


def _next_terms(db: sqlite3.Connection, section: Section[str], prefix: str, after: str, limit: int) -> list[str]:
    """The next ``limit`` terms of a section with ``prefix`` that come after ``after`` (empty: from the start)."""
    out: list[str] = []
    start = section.block_of(max(prefix, after)) or section.first
    for number in range(start, section.first + len(section.fences)):
        for term in read_words(db, [number])[number].keys:
            if term > after and term >= prefix:
                if not term.startswith(prefix) or len(out) == limit:
                    return out
                out.append(term)
    return out
