"""Words of many texts counted at once: found, told apart and summed up by numpy, without an object for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.indexing.numbers import ODD, numbered
from fourfold.store.interface import Ints

#: One for the bytes of words: ASCII letters, digits, the underscore, and all of which other letters may consist.
_OF_WORDS = bytes(
    byte >= 0x80 or byte == 0x5F or 0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A
    for byte in range(256)
)
#: Words are read eight bytes at a time; by how many of these belong to a word, the mask that keeps them.
_WIDTH = 8
_MASKS = np.array([(1 << 8 * kept) - 1 for kept in range(_WIDTH + 1)], dtype=np.uint64)
#: Longer ones, of which there are few, are told apart one by one.
_LONGEST = 64
_SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True)
class Counted:
    """``words`` are the different ones; ``word`` (places in it), ``text`` and ``count`` say how often each stands in
    which text, each pair once, in the order of words, then texts."""

    words: list[bytes]
    word: Ints
    text: Ints
    count: Ints


def count_words(data: bytes, starts: Ints) -> Counted:
    """Count the runs of word bytes in ``data``, cut into texts at ``starts`` (ascending, the first is 0), none of which
    may stand inside a run. A run with other bytes than ASCII can hold several words, or none."""
    padded = b"\n" + data + bytes(_WIDTH)
    inside = np.frombuffer(padded.translate(_OF_WORDS), np.uint8)
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    first, end = edges[::2], edges[1::2]
    number, places = numbered(_keys(padded, first, end))
    words = [padded[start:stop] for start, stop in zip(first[places].tolist(), end[places].tolist(), strict=True)]
    text = np.repeat(np.arange(starts.size), np.diff(np.searchsorted(first, np.r_[starts + 1, len(padded)])))
    bits = int(starts.size).bit_length()
    pairs = (number << bits) | text
    if len(words).bit_length() + bits <= 32:
        pairs = pairs.astype(np.uint32)  # sorted in half the time
    pairs.sort()
    heads = np.flatnonzero(np.r_[True, pairs[1:] != pairs[:-1]][: pairs.size])
    found = pairs[heads].astype(np.int64)
    return Counted(words, found >> bits, found & ((1 << bits) - 1), np.diff(np.r_[heads, pairs.size]))


def _keys(padded: bytes, first: Ints, end: Ints) -> NDArray[np.uint64]:
    """One number for each run: the same for the same bytes. Up to eight bytes it is another for others; of longer ones
    two out of 10^19 meet, which would count a word for another."""
    view = np.ndarray(max(len(padded) - _WIDTH + 1, 0), np.dtype("<u8"), buffer=padded, strides=(1,))
    length = end - first
    keys: NDArray[np.uint64] = (view[first] & _MASKS[np.minimum(length, _WIDTH)]) * ODD
    longer = np.flatnonzero(length > _WIDTH)
    for step in range(_WIDTH, _LONGEST, _WIDTH):
        part = view[first[longer] + step] & _MASKS[np.minimum(length[longer] - step, _WIDTH)]
        mixed = keys[longer] ^ (keys[longer] >> _SHIFT) ^ part
        keys[longer] = (mixed ^ (mixed >> _SHIFT)) * ODD
        longer = longer[length[longer] > step + _WIDTH]
    for place in longer.tolist():
        keys[place] = hash(padded[first[place] : end[place]]) & 0xFFFFFFFFFFFFFFFF
    return keys


def join_texts(texts: Sequence[bytes]) -> tuple[bytes, Ints]:
    """Texts put together as `count_words` takes them."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    return b"\n".join(texts), np.cumsum(sizes) - sizes
