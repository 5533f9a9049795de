"""Trigrams over bytes, so that every script and every encoding can be searched for."""

from __future__ import annotations

#: ASCII capitals as small letters: one index serves searches with and without regard to case.
LOWER = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))


def fold_ascii(data: bytes) -> bytes:
    """``data`` with ASCII capitals as small letters; other bytes stay, so the length stays too."""
    return data.translate(LOWER)


def trigrams(data: bytes) -> set[int]:
    """Every three neighbouring bytes of ``data`` (ASCII-lower-cased) as one number, first byte highest.

    Trigrams across a line break are left out: a search is for text within lines, and their number is large.
    """
    folded = fold_ascii(data)
    return {
        (a << 16) | (b << 8) | c
        for a, b, c in zip(folded, folded[1:], folded[2:], strict=False)
        if a != 10 and b != 10 and c != 10
    }
