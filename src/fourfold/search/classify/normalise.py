"""Rule 0: NFKC, no zero-width or bidirectional marks, trimmed; every place maps back to the text given."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

#: Zero-width characters, soft hyphen, bidirectional marks and byte order marks: never part of what is meant.
INVISIBLE = frozenset(
    [0x00AD, 0x061C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
)
#: What may close a question without changing it, after NFKC.
CLOSING = "?!.。 \t\r\n¿‽⁉"
#: Half-width sound marks join the letter before them under NFKC though they are no combining marks.
_SOUND_MARKS = "\uff9e\uff9f"


@dataclass(frozen=True, slots=True)
class Text:
    """A question after rule 0. ``places[i]`` is where letter ``i`` of ``text`` begins in ``given``."""

    given: str
    text: str
    places: tuple[int, ...] | range

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of ``given`` that ``text[start:end]`` came from."""
        if start >= end:
            return (self.places[start], self.places[start])
        return (self.places[start], self.places[end])

    def literal(self, start: int, end: int) -> str:
        """What was typed there, for an exact search: every character as it is, but for marks that cannot be seen."""
        first, last = self.span(start, end)
        return "".join(letter for letter in self.given[first:last] if ord(letter) not in INVISIBLE)


def normalise(given: str) -> Text:
    """Rule 0 for one question; never fails, lone surrogates included."""
    if given.isascii() or (
        unicodedata.is_normalized("NFKC", given) and not any(ord(letter) in INVISIBLE for letter in given)
    ):
        start = len(given) - len(given.lstrip())
        text = given.strip()
        return Text(given, text, range(start, start + len(text) + 1))
    letters: list[str] = []
    places: list[int] = []
    position = 0
    while position < len(given):
        end = position + 1
        if given[position] < "\x80" and (end == len(given) or given[end] < "\x80"):
            letters.append(given[position])
            places.append(position)
            position = end
            continue
        while end < len(given) and (unicodedata.combining(given[end]) or given[end] in _SOUND_MARKS):
            end += 1
        cluster = "".join(letter for letter in given[position:end] if ord(letter) not in INVISIBLE)
        for letter in unicodedata.normalize("NFKC", cluster):
            letters.append(letter)
            places.append(position)
        position = end
    places.append(len(given))
    text = "".join(letters)
    left = len(text) - len(text.lstrip())
    right = len(text.rstrip())
    if left >= right:
        return Text(given, "", (0,))
    # The end of the last kept letter is where the next one begins.
    return Text(given, text[left:right], tuple(places[left : right + 1]))


def without_closing(text: str) -> int:
    """The length of ``text`` without closing question marks, exclamation marks and full stops."""
    return len(text.rstrip(CLOSING))
