"""How lists of integers are kept as bytes, and read back, many lists at a time.

Everything is built from LEB128 variable-length integers, encoded and decoded by numpy over whole batches: a loop in
Python over millions of postings is too slow. Documents inside a pack are counted from 0 (the pack keeps the table of
their real ids), so gaps stay small and bitmaps dense for as long as an index lives.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

#: More bytes than this in one integer means that the data is not ours.
_LONGEST = 9
#: Numbers that are encoded at a time.
_PIECE = 500_000


class DamagedPack(ValueError):
    """Bytes that no encoder here can have written."""


def encode_varints(values: Ints) -> tuple[Bytes, Ints]:
    """LEB128 bytes of non-negative ``values`` (n,), one after another, and the number of bytes of each (n,)."""
    wide = np.asarray(values, dtype=np.int64)
    lengths = np.ones(wide.size, dtype=np.int64)
    top = int(wide.max()) if wide.size else 0
    if top < 128:
        return wide.astype(np.uint8), lengths
    bits = 7
    while top >> bits:
        lengths += wide >= (1 << bits)
        bits += 7
    ends = np.cumsum(lengths)
    starts = ends - lengths
    out = np.empty(int(ends[-1]), dtype=np.uint8)
    out[starts] = (wide & 127) | ((lengths > 1) << 7)
    for step in range(1, bits // 7):
        longer = np.flatnonzero(lengths > step)
        out[starts[longer] + step] = ((wide[longer] >> (7 * step)) & 127) | ((lengths[longer] > step + 1) << 7)
    return out, lengths


def decode_varints(data: bytes | Bytes) -> Ints:
    """The integers in ``data``. Raises `DamagedPack` when it ends inside one or holds one that is too long."""
    raw = np.frombuffer(data, dtype=np.uint8) if isinstance(data, bytes) else data
    final = raw < 128
    if final.all():
        return raw.astype(np.int64)
    if not final[-1]:
        raise DamagedPack("a list of integers ends too early")
    ends = np.flatnonzero(final)
    starts = np.empty_like(ends)
    starts[0] = 0
    starts[1:] = ends[:-1] + 1
    lengths = ends - starts + 1
    longest = int(lengths.max())
    if longest > _LONGEST:
        raise DamagedPack("a list of integers holds one that is too long")
    values = (raw[starts] & 127).astype(np.int64)
    for step in range(1, longest):
        longer = np.flatnonzero(lengths > step)
        values[longer] |= (raw[starts[longer] + step] & 127).astype(np.int64) << (7 * step)
    return values


def decode_many(data: bytes, sizes: Ints) -> tuple[Ints, Ints]:
    """All integers of consecutive pieces of ``sizes`` bytes, and how many each piece holds."""
    if int(sizes.sum()) != len(data):
        raise DamagedPack("pieces are not as long as they say")
    values = decode_varints(data)
    if values.size == len(data):
        return values, sizes
    final = np.frombuffer(data, dtype=np.uint8) < 128
    seen = np.zeros(len(data) + 1, dtype=np.int64)
    np.cumsum(final, out=seen[1:])
    ends = np.cumsum(sizes)
    if not final[ends[sizes > 0] - 1].all():
        raise DamagedPack("a piece ends inside an integer")
    return values, seen[ends] - seen[ends - sizes]


def split(data: bytes, sizes: Ints) -> list[bytes]:
    """``data`` cut into consecutive pieces of ``sizes`` bytes."""
    ends = np.cumsum(sizes).tolist()
    return [data[end - size : end] for size, end in zip(sizes.tolist(), ends, strict=True)]


def join(blobs: Sequence[bytes]) -> tuple[bytes, Ints]:
    """The inverse of `split`."""
    return b"".join(blobs), np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs))


def sums(values: Ints, counts: Ints) -> Ints:
    """Sums of consecutive groups of ``values``; an empty group sums to 0."""
    total = np.zeros(values.size + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    ends = np.cumsum(counts)
    out: Ints = total[ends] - total[ends - counts]
    return out


def running_sums(values: Ints, counts: Ints) -> Ints:
    """Running sums (inclusive) that start anew in every group."""
    total = np.cumsum(values)
    starts = np.cumsum(counts) - counts
    before = np.zeros(counts.size, dtype=np.int64)
    later = (starts > 0) & (counts > 0)
    before[later] = total[starts[later] - 1]
    return total - np.repeat(before, counts)


def differences(values: Ints, counts: Ints, first: int = 0) -> Ints:
    """The inverse of `running_sums`: each value less the one before it in its group (``first`` before the first)."""
    out = np.empty(values.size, dtype=np.int64)
    out[1:] = values[1:] - values[:-1]
    starts = (np.cumsum(counts) - counts)[counts > 0]
    out[starts] = values[starts] - first
    return out


# --------------------------------------------------------------------------- rows of small integers


def encode_rows(rows: Ints, counts: Ints, signed: Sequence[int], level: int = 6) -> list[bytes]:
    """Groups of rows, ``rows`` (n, k) cut by ``counts``, as one compressed blob a group (empty for an empty group).

    Columns listed in ``signed`` are kept as differences to the row before, zigzag-coded; the others must be ≥ 0.
    ``level`` is zlib's.
    """
    coded = rows.copy()
    for column in signed:
        step = differences(rows[:, column], counts)
        coded[:, column] = (step << 1) ^ (step >> 63)
    data, lengths = encode_varints(coded.ravel())
    sizes = sums(lengths, counts * rows.shape[1])
    return [zlib.compress(blob, level) if blob else b"" for blob in split(data.tobytes(), sizes)]


def encode_long(rows: Ints, signed: Sequence[int], level: int) -> bytes:
    """`encode_rows` of one group, piece by piece: on the way to bytes a row takes thirty times what it ends as."""
    coded = rows.copy()
    for column in signed:
        step = differences(rows[:, column], np.array([len(rows)]))
        coded[:, column] = (step << 1) ^ (step >> 63)
    flat = coded.ravel()
    pieces = (encode_varints(flat[at : at + _PIECE])[0].tobytes() for at in range(0, flat.size, _PIECE))
    return zlib.compress(b"".join(pieces), level) if flat.size else b""


def decode_rows(blobs: Sequence[bytes], width: int, signed: Sequence[int]) -> tuple[Ints, Ints]:
    """What `encode_rows` was given: all rows (n, ``width``) and the number of rows of each blob."""
    try:
        data, lengths = join([zlib.decompress(blob) if blob else b"" for blob in blobs])
    except zlib.error as error:
        raise DamagedPack(f"a list of rows cannot be unpacked: {error}") from error
    values, sizes = decode_many(data, lengths)
    if np.any(sizes % width):
        raise DamagedPack("a list of rows ends too early")
    counts = sizes // width
    rows = values.reshape(-1, width)
    for column in signed:
        step = rows[:, column]
        rows[:, column] = running_sums((step >> 1) ^ -(step & 1), counts)
    return rows, counts


# --------------------------------------------------------------------------- postings


def encode_postings(counts: Ints, docs: Ints, codes: Ints) -> tuple[bytes, Ints]:
    """One piece a term: ``docs`` (ascending in each group of ``counts``) with their ``codes`` (0 is the usual one).

    First the gaps, shifted left by one with a low bit that says "has another code than 0"; then those codes. Where
    the gaps end follows from the bits, so no length is kept. Returns the pieces, joined, and the size of each.
    """
    flagged = codes > 0
    gaps = ((differences(docs, counts, first=-1) - 1) << 1) | flagged
    extras = sums(flagged.astype(np.int64), counts)
    before = np.cumsum(extras) - extras
    ends = np.cumsum(counts)
    merged = np.empty(docs.size + int(extras.sum()), dtype=np.int64)
    merged[np.arange(docs.size) + np.repeat(before, counts)] = gaps
    merged[np.arange(merged.size - docs.size) + np.repeat(ends, extras)] = codes[flagged]
    data, lengths = encode_varints(merged)
    return data.tobytes(), sums(lengths, counts + extras)


def decode_postings(data: bytes, sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Counts of documents in each piece, all documents and all codes."""
    values, numbers = decode_many(data, sizes)
    steps = running_sums((values & 1) + 1, numbers)
    is_gap = steps <= np.repeat(numbers, numbers)
    gaps = values[is_gap]
    counts = sums(is_gap.astype(np.int64), numbers)
    flagged = (gaps & 1).astype(bool)
    codes = np.zeros(gaps.size, dtype=np.int64)
    extra = values[~is_gap]
    if extra.size != int(flagged.sum()):
        raise DamagedPack("a list of postings ends too early")
    codes[flagged] = extra
    return counts, running_sums((gaps >> 1) + 1, counts) - 1, codes


def encode_sets(counts: Ints, docs: Ints, total: int) -> tuple[bytes, Ints]:
    """One piece a group of ``docs`` (ascending, all < ``total``): gaps, or a bitmap where that is not larger.

    A bitmap is ceil(total / 8) bytes and a list of gaps always shorter, so the length tells which it is. Returns the
    pieces, joined, and the size of each.
    """
    width = -(-total // 8)
    data, lengths = encode_varints(differences(docs, counts, first=-1) - 1)
    sizes = sums(lengths, counts)
    dense = sizes >= width
    if not dense.any():
        return data.tobytes(), sizes
    chosen = np.repeat(dense, counts)
    rows = np.repeat(np.arange(int(dense.sum())), counts[dense])
    place = rows * width + (docs[chosen] >> 3)
    bits = (128 >> (docs[chosen] & 7)).astype(np.uint8)
    heads = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    maps = np.zeros(int(dense.sum()) * width, dtype=np.uint8)
    maps[place[heads]] = np.add.reduceat(bits, heads)
    final = np.where(dense, width, sizes)
    in_map = np.repeat(dense, final)
    out = np.empty(in_map.size, dtype=np.uint8)
    out[in_map] = maps
    out[~in_map] = data[np.repeat(~dense, sizes)]
    return out.tobytes(), final


def decode_set(piece: bytes, total: int) -> Ints:
    """The documents of one piece of `encode_sets`, ascending."""
    if len(piece) == -(-total // 8):
        docs = np.flatnonzero(np.unpackbits(np.frombuffer(piece, dtype=np.uint8)))
    else:
        docs = np.cumsum(decode_varints(piece) + 1) - 1
    if docs.size and docs[-1] >= total:
        raise DamagedPack("a list of files names one that is not in its pack")
    return docs


def decode_sets(data: bytes, sizes: Ints, total: int) -> tuple[Ints, Ints]:
    """Counts of documents in each piece of `encode_sets`, and all documents."""
    width = -(-total // 8)
    dense = sizes == width
    raw = np.frombuffer(data, dtype=np.uint8)
    in_map = np.repeat(dense, sizes)
    if in_map.size != raw.size:
        raise DamagedPack("pieces are not as long as they say")
    values, counts = decode_many(raw[~in_map].tobytes(), sizes[~dense])
    sparse = running_sums(values + 1, counts) - 1
    rows, marked = np.nonzero(np.unpackbits(raw[in_map].reshape(-1, max(width, 1)), axis=1))
    owners = np.concatenate([np.repeat(np.flatnonzero(~dense), counts), np.flatnonzero(dense)[rows]])
    docs = np.concatenate([sparse, marked])
    order = np.argsort(owners, kind="stable")
    return np.bincount(owners, minlength=sizes.size).astype(np.int64), docs[order]


def encode_ids(ids: Ints) -> bytes:
    """Ascending ids as gaps."""
    return encode_varints(differences(ids, np.array([ids.size])))[0].tobytes() if ids.size else b""


def decode_ids(blob: bytes) -> Ints:
    return np.cumsum(decode_varints(blob))
