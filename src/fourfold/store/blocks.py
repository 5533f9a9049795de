"""Sorted keys with a piece of bytes each, kept as compressed blocks of about half a database page.

A row a term costs some 16 bytes beside its postings, and an insert; a block holds a few hundred keys with their sizes
and pieces, and is found by the fences: the first key of every block, kept with the pack. Compression takes a third off
(a file's words stand in chunk after chunk), and to undo it is faster than to read a page more.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from fourfold.store.packs import (
    DamagedPack,
    Ints,
    decode_ids,
    decode_varints,
    differences,
    encode_ids,
    encode_varints,
)

Key = TypeVar("Key", str, int)

#: What a page of 8,192 bytes holds of each of two rows; a longer block goes on in pages of its own.
_TARGET = 4_070
_HEAD = struct.Struct("<III")


@dataclass(frozen=True, slots=True)
class Section(Generic[Key]):
    """Where the blocks of one pack's body terms, name terms or trigrams are: ``first`` and on, one a fence."""

    first: int
    fences: list[Key]

    def block_of(self, key: Key) -> int | None:
        """The block that holds ``key``, if any does."""
        index = bisect_right(self.fences, key) - 1
        return self.first + index if index >= 0 else None


@dataclass(frozen=True, slots=True)
class Block(Generic[Key]):
    keys: list[Key]
    ends: list[int]
    data: bytes

    def piece(self, key: Key) -> bytes | None:
        index = bisect_left(self.keys, key)
        if index == len(self.keys) or self.keys[index] != key:
            return None
        return self.data[self.ends[index - 1] if index else 0 : self.ends[index]]


def _pack_keys(keys: Sequence[str] | Sequence[int]) -> bytes:
    if keys and isinstance(keys[0], str):
        return "\n".join(map(str, keys)).encode("utf-8")
    return encode_ids(np.array(keys, dtype=np.int64))


def _unpack_words(data: bytes) -> list[str]:
    try:
        return data.decode("utf-8").split("\n") if data else []
    except ValueError as error:
        raise DamagedPack(f"a list of terms cannot be read: {error}") from error


def _unpack_numbers(data: bytes) -> list[int]:
    numbers: list[int] = decode_ids(data).tolist()
    return numbers


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise DamagedPack(f"a block of postings cannot be unpacked: {error}") from error


def _parse(row: bytes) -> tuple[bytes, Ints, bytes]:
    """A block's packed keys, sizes and pieces."""
    data = _unpacked(row)
    if len(data) < _HEAD.size:
        raise DamagedPack("a block of postings ends too early")
    count, keys, sizes = _HEAD.unpack_from(data)
    start = _HEAD.size + keys
    lengths = decode_varints(data[start : start + sizes])
    pieces = data[start + sizes :]
    if lengths.size != count or int(lengths.sum()) != len(pieces):
        raise DamagedPack("a block of postings is not as long as it says")
    return data[_HEAD.size : start], lengths, pieces


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of one section, not yet numbered, and its packed fences."""

    rows: list[bytes]
    fences: bytes


def pack_blocks(keys: Sequence[str] | Sequence[int], data: bytes, sizes: Ints) -> Blocks:
    """Ascending ``keys`` with their pieces, which ``sizes`` cuts out of ``data``, as blocks."""
    pack = _range_packer(keys)
    numbers, lengths = encode_varints(sizes)
    number_bytes, number_ends = numbers.tobytes(), [0, *np.cumsum(lengths).tolist()]
    fences: list[str | int] = []
    rows: list[bytes] = []
    ends = [0, *np.cumsum(sizes).tolist()]
    cost, shrunk, start = 4.0, 0.7, 0
    while start < len(keys):
        # As many as should fit, by what a key's place in the directory took in the block before, and how much that
        # shrank; fewer if they do not.
        room, spare = _TARGET / shrunk + ends[start] + cost * start, cost
        end = bisect_right(range(len(ends)), room, start + 1, key=lambda place: ends[place] + spare * place) - 1
        end = max(end, start + 1)
        while True:
            head = pack(start, end)
            sized = number_bytes[number_ends[start] : number_ends[end]]
            plain = _HEAD.pack(end - start, len(head), len(sized)) + head + sized + data[ends[start] : ends[end]]
            row = zlib.compress(plain, 1)
            if len(row) <= _TARGET or end == start + 1:
                break
            end -= max(1, (end - start) * (len(row) - _TARGET) // len(row))
        rows.append(row)
        fences.append(keys[start])
        cost, shrunk = (len(head) + len(sized)) / (end - start), len(row) / len(plain)
        start = end
    return Blocks(rows, zlib.compress(_pack_keys(fences)))  # type: ignore[arg-type]


def _range_packer(keys: Sequence[str] | Sequence[int]) -> Callable[[int, int], bytes]:
    """`_pack_keys` of the keys from one place to another."""
    if not keys or isinstance(keys[0], str):
        return lambda start, end: _pack_keys(keys[start:end])
    ids: Ints = np.array(keys, dtype=np.int64)
    gaps, lengths = encode_varints(differences(ids, np.array([ids.size]), first=int(ids[0])))
    data, ends = gaps.tobytes(), [0, *np.cumsum(lengths).tolist()]

    def pack(start: int, end: int) -> bytes:
        return encode_ids(ids[start : start + 1]) + data[ends[start + 1] : ends[end]]

    return pack


def insert_section(db: sqlite3.Connection, pack: int, field: int, next_block: int, blocks: Blocks) -> int:
    """Write a section; returns the next free number of a block."""
    db.executemany("INSERT INTO blocks (id, data) VALUES (?, ?)", enumerate(blocks.rows, next_block))
    db.execute("INSERT INTO sections VALUES (?, ?, ?, ?)", (pack, field, next_block, blocks.fences))
    return next_block + len(blocks.rows)


def read_sections(db: sqlite3.Connection) -> tuple[dict[tuple[int, int], Section[str]], dict[int, Section[int]]]:
    """Sections of terms by (pack, field), and of trigrams by pack."""
    words: dict[tuple[int, int], Section[str]] = {}
    grams: dict[int, Section[int]] = {}
    for pack, field, first, fences in db.execute("SELECT pack, field, first, fences FROM sections"):
        keys = _unpacked(fences)
        if field < 2:
            words[pack, field] = Section(first, _unpack_words(keys))
        else:
            grams[pack] = Section(first, _unpack_numbers(keys))
    return words, grams


def read_words(db: sqlite3.Connection, blocks: Sequence[int]) -> dict[int, Block[str]]:
    """Blocks of terms by number."""
    return {number: Block(_unpack_words(keys), ends, data) for number, keys, ends, data in _blocks(db, blocks)}


def read_numbers(db: sqlite3.Connection, blocks: Sequence[int]) -> dict[int, Block[int]]:
    """Blocks of trigrams by number."""
    return {number: Block(_unpack_numbers(keys), ends, data) for number, keys, ends, data in _blocks(db, blocks)}


def _blocks(db: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[tuple[int, bytes, list[int], bytes]]:
    query = "SELECT id, data FROM blocks WHERE id IN (SELECT value FROM json_each(?))"
    for number, data in db.execute(query, (json.dumps(list(numbers)),)):
        keys, sizes, pieces = _parse(data)
        yield number, keys, np.cumsum(sizes).tolist(), pieces


def read_range(
    db: sqlite3.Connection, section: Section[Key], low: Key, high: Key | None
) -> tuple[list[Key], bytes, Ints]:
    """Keys of a section from ``low`` to below ``high`` (None: to the end), with their pieces, joined, and sizes."""
    first = max(0, bisect_right(section.fences, low) - 1)
    last = len(section.fences) if high is None else bisect_left(section.fences, high)
    query = "SELECT data FROM blocks WHERE id >= ? AND id < ? ORDER BY id"
    keys: list[Key] = []
    parts: list[bytes] = []
    lengths: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for (data,) in db.execute(query, (section.first + first, section.first + last)):
        head, sizes, pieces = _parse(data)
        some: list[Key] = _unpack_words(head) if isinstance(low, str) else _unpack_numbers(head)
        start, end = bisect_left(some, low), len(some) if high is None else bisect_left(some, high)
        if start or end < len(some):
            before = int(sizes[:start].sum())
            pieces = pieces[before : before + int(sizes[start:end].sum())]
            some, sizes = some[start:end], sizes[start:end]
        keys += some
        parts.append(pieces)
        lengths.append(sizes)
    return keys, b"".join(parts), np.concatenate(lengths)


def delete_packs(db: sqlite3.Connection, packs: Sequence[int]) -> None:
    """Drop the blocks and sections of ``packs``."""
    words, grams = read_sections(db)
    gone = [section for (pack, _), section in words.items() if pack in packs]
    spans = [(s.first, s.first + len(s.fences)) for s in gone]
    spans += [(s.first, s.first + len(s.fences)) for pack, s in grams.items() if pack in packs]
    db.executemany("DELETE FROM blocks WHERE id >= ? AND id < ?", spans)
    db.executemany("DELETE FROM sections WHERE pack = ?", [(pack,) for pack in packs])
