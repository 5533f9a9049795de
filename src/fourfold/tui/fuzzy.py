"""Fuzzy choice among names: letters in order, better when they start words, run on, or stand in the last part."""

from __future__ import annotations

from collections.abc import Sequence

_STARTS = frozenset("/._- :")


def score(needle: str, text: str) -> float:
    """How well the letters of ``needle`` (lower case) fit ``text``; 0 when they do not stand there in order."""
    if not needle:
        return 1.0
    low = text.lower()
    tail = low.rfind("/") + 1
    at = low.find(needle, tail)
    if at < 0:
        at = low.find(needle)
    if at >= 0:
        start = at == 0 or low[at - 1] in _STARTS or (text[at].isupper() and not text[at - 1].isupper())
        whole = at + len(needle) == len(low) or low[at + len(needle)] in _STARTS
        return 1000.0 + 400.0 * start + 200.0 * whole + 300.0 * (at >= tail) - len(text) * 0.5
    total, last = 0.0, -2
    place = -1
    for char in needle:
        place = low.find(char, place + 1)
        if place < 0:
            return 0.0
        bonus = 1.0
        if place == last + 1:
            bonus += 8.0
        if place == 0 or low[place - 1] in _STARTS or (text[place].isupper() and not text[place - 1].isupper()):
            bonus += 10.0
        if place >= tail:
            bonus += 3.0
        total += bonus
        last = place
    return total - len(text) * 0.05 + 0.5 if total else 0.0


def best(needle: str, texts: Sequence[str], limit: int = 100) -> list[int]:
    """Indices of the texts that fit, best first; all in their own order for an empty needle. Words are all needed."""
    words = needle.lower().split()
    if not words:
        return list(range(min(limit, len(texts))))
    scored = []
    for index, text in enumerate(texts):
        total = 0.0
        for word in words:
            one = score(word, text)
            if one <= 0:
                break
            total += one
        else:
            scored.append((-total, index))
    scored.sort()
    return [index for _, index in scored[:limit]]
