"""Vectors as sign bits, and the similarity between a question's floats and such bits.

Bits are packed like `numpy.packbits` does it: the first dimension is the highest bit of the first byte, 1 where the
value is positive. There is no mean-centring: it was measured to hurt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fourfold.embedding.base import QueryVector

#: Codes scored at once: keeps the intermediate array under some ten megabytes however many there are.
_BLOCK = 16_384
#: (256, 8): +1 and -1 for the bits of each byte, highest bit first.
_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64) * 2.0 - 1.0


def rotate(vectors: NDArray[np.float32], rotation: NDArray[np.float32]) -> NDArray[np.float32]:
    """``vectors`` (n, d) in the axes of ``rotation`` (d, d), which spreads what they say evenly over the dimensions.

    One matrix-vector product each: a product of all at once sums in another order for another n, and now and then a
    bit would flip.
    """
    rotated = np.empty_like(vectors)
    for row, vector in enumerate(vectors):
        np.dot(rotation, vector, out=rotated[row])
    return rotated


def sign_bits(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Packed sign bits: float32 (..., bits) to uint8 (..., bits / 8)."""
    return np.packbits(vectors > 0.0, axis=-1)


def query_vector(values: NDArray[np.float32], noise_floor: float = -1.0) -> QueryVector:
    """A question's vector from its floats (bits,), made one unit long."""
    length = float(np.sqrt((values.astype(np.float64) ** 2).sum()))
    unit = (values / length).astype(np.float32) if length > 0.0 else values.astype(np.float32)
    return QueryVector(values=unit, code=sign_bits(unit), noise_floor=noise_floor)


def bit_cosine(values: NDArray[np.float32], codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The cosine between ``values`` (bits,) and each code's bits read as ±1; ``codes`` uint8 (n, bits / 8) → (n,).

    A vector and its own bits reach about √(2/π) = 0.80, so that is what "the same text" looks like. The result for a
    code does not depend on the other codes.
    """
    if len(values) != codes.shape[-1] * 8:
        raise ValueError(f"{len(values)} values cannot be compared with codes of {codes.shape[-1] * 8} bits")
    wide = values.astype(np.float64)
    length = float(np.sqrt((wide * wide).sum() * len(wide)))
    result = np.zeros(len(codes), dtype=np.float32)
    if length == 0.0:
        return result
    # what each of the 256 values of each byte adds: a code's cosine is then one look-up a byte
    shares = (wide.reshape(-1, 1, 8) * _SIGNS).sum(axis=2) / length
    places = np.arange(codes.shape[-1])
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        result[start : start + len(block)] = shares[places, block].sum(axis=1)
    return result
