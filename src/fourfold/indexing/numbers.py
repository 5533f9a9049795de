"""Numbers for what is alike, many at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fourfold.store.interface import Ints

#: An odd number whose products have their high bits well mixed (2^64 by the golden ratio): D. E. Knuth, "The Art of
#: Computer Programming", volume 3, section 6.4.
ODD = np.uint64(0x9E3779B97F4A7C15)
_TABLE_BITS = 18


def numbered(keys: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """The number of each key (n,), in the order in which different ones first come, and where that is (m,).

    A table of hashes, filled at once: of the keys that fall into one slot the first stays there, and those unlike it
    try another. Six times as fast as to sort 300,000 keys.
    """
    hashes = keys * ODD
    alike = np.empty(keys.size, np.int64)
    left = np.arange(keys.size)
    table = np.empty(1 << _TABLE_BITS, np.int64)
    while left.size:
        slots = hashes[left] >> np.uint64(64 - _TABLE_BITS)
        # of several values for one place the last one is kept
        table[slots[::-1]] = left[::-1]
        chosen = table[slots]
        same = keys[chosen] == keys[left]
        alike[left[same]] = chosen[same]
        left = left[~same]
        hashes[left] *= ODD
    places = np.flatnonzero(alike == np.arange(keys.size))
    number = np.empty(keys.size, np.int64)
    number[places] = np.arange(places.size)
    return number[alike], places


def paired(left: Ints | NDArray[np.int32], right: Ints | NDArray[np.int32]) -> Ints:
    """A number for each pair, in the order in which they first come. Both must be below 2^31 and not below -2^31."""
    return numbered((left.astype(np.int64) << 32 | (right.astype(np.int64) & 0xFFFFFFFF)).view(np.uint64))[0]


def spread_out(starts: Ints, sizes: Ints) -> Ints:
    """The places ``starts[i]``, ``starts[i] + 1`` … of runs of ``sizes``, one run after another."""
    ends = np.cumsum(sizes)
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]) if ends.size else 0)
