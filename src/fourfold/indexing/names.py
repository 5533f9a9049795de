"""Taking dotted names apart: ``a.b.c``, ``A::b``, ``p->q``, ``$this->x``, ``app.make(1, 2).run``."""

from __future__ import annotations

import re
from functools import lru_cache

#: A receiver longer than this is an expression, not a name.
_LONGEST = 160
_PLAIN = re.compile(r"[@$]*[^\W\d][\w$]*[!?]?(?:\.[^\W\d][\w$]*[!?]?)*\Z")
_CALLED = re.compile(r"[@$]*[^\W\d][\w$]*(?:\(\)|\[\])*(?:\.[^\W\d][\w$]*(?:\(\)|\[\])*)*\Z")
_SPACE = re.compile(r"\s+")
#: What stands behind the type of a conversion: `operator bool() const`.
_CONVERSION = re.compile(r"(?<=^operator )([\w:][^()]*?)\s*\(\s*\)[^()]*\Z")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_AROUND = "`\"'() \t\r\n*&"
_BRACKETS = "() \t\r\n*&"
_TRIM = "?!& \t\r\n"


@lru_cache(maxsize=16384)
def split_name(text: str, separators: tuple[str, ...]) -> tuple[str, str]:
    """``(receiver, name)`` of an expression that ends in a name; the receiver is dotted, ``?`` when it is no name.

    Type arguments at the end are dropped, arguments in the receiver are emptied (``app.make()``).
    """
    if text.isidentifier():
        return "", text
    if text[:1] == "[" and text[-1:] == "]":  # SQL
        return "", text[1:-1]
    if text[:1] == "`":
        return "", text.strip("`")
    place = text.rfind("operator")
    if place >= 0 and not text[place:].isidentifier() and text[place + 8 : place + 9] != ".":  # C++: operator==
        return receiver_of(text[:place], separators) if place else "", _CONVERSION.sub(
            r"\1", _SPACE.sub(" ", text[place:])
        )
    if text.endswith((">", "]")):
        text = _without_arguments(text)
    cut, width = -1, 0
    for mark in separators:
        place = text.rfind(mark)
        if place > cut:
            cut, width = place, len(mark)
    if cut < 0:
        return "", _bare(text) or text.strip()
    name = _bare(text[cut + width :])
    return receiver_of(text[:cut], separators), name


def _bare(text: str) -> str:
    """``text`` without quotes and brackets around it; a prime at the end of a Haskell name belongs to it."""
    text = text.strip(_BRACKETS)
    return text.strip(_AROUND) if text[:1] in ("'", '"', "`") else text.rstrip('`"')


@lru_cache(maxsize=4096)
def receiver_of(text: str, separators: tuple[str, ...]) -> str:
    """The part before the last separator as a dotted name, or ``?``."""
    if len(text) > _LONGEST:
        return "?"
    text = _SPACE.sub("", text).strip(_TRIM).replace("?.", ".").replace("!.", ".").replace("&.", ".")
    for mark in separators:
        if mark != ".":
            text = text.replace(mark, ".")
    text = text.strip(".")
    if _PLAIN.match(text):
        return text
    text = _emptied(text)
    return text if _CALLED.match(text) else "?" if text else ""


def receiver_before(data: bytes, place: int, separators: tuple[str, ...]) -> tuple[str, int]:
    """The receiver that stands before the name at ``place``, and where it starts; ``("", place)`` for none.

    For grammars whose calls have no node for ``receiver.name``: the text is read backwards, past balanced brackets.
    """
    low = max(place - _LONGEST, 0)
    text = data[low:place].decode("latin-1")
    end = len(text.rstrip())
    mark = next((mark for mark in separators if text.endswith(mark, 0, end)), "")
    if not mark:
        return "", place
    start = end = end - len(mark)
    plain = _plain_before(text, end)
    if plain >= 0:
        return text[plain:end], low + plain
    wanted, depth = True, 0
    while start:
        character = text[start - 1]
        if character in ")]":
            depth += 1
        elif character in "([":
            depth -= 1
            if depth < 0:
                break
        elif depth == 0:
            if character.isalnum() or character in "_$@" or character >= "\x80":
                if not wanted and text[start] in " \t\r\n":
                    break
                wanted = False
            elif character in " \t\r\n":
                if not wanted and not _joins(text[:start].rstrip(), separators):
                    break
            elif character in ".?!&>-:\\" and (
                _joins(text[:start], separators) or (text[start] in ">:." and not wanted)
            ):
                wanted = True
            else:
                break
        start -= 1
    if start == 0 and low > 0:
        return "?", place
    while start < end and text[start] in " \t\r\n":
        start += 1
    written = data[low + start : low + end].decode("utf-8", "replace")
    return receiver_of(written, separators) or "?", low + start


def _plain_before(text: str, end: int) -> int:
    """Where the name that ends at ``end`` starts, when it is a single one of letters and nothing is joined to it; else
    -1."""
    start = len(text[:end].rstrip(_LETTERS))
    if not 0 < start < end or text[start] in "0123456789":
        return -1
    before = text[start - 1]
    if before in "(,{;=!<+[|\n\t ":
        before = text[:start].rstrip()[-1:] if before in "\n\t " else "("
        return start if before and before not in ".?!&>-:\\" else -1
    return -1


def _joins(text: str, separators: tuple[str, ...]) -> bool:
    return text.endswith(separators) or text.endswith(("?", "!", "&"))


def _emptied(text: str) -> str:
    """``text`` with what stands in round and square brackets taken out, and type arguments dropped."""
    kept: list[str] = []
    depth = angle = 0
    for character in text:
        if character in "([":
            if depth == 0 and angle == 0:
                kept.append(character)
            depth += 1
        elif character in ")]":
            depth -= 1
            if depth == 0 and angle == 0:
                kept.append(character)
        elif depth == 0:
            if character == "<":
                angle += 1
            elif character == ">" and angle:
                angle -= 1
            elif angle == 0:
                kept.append(character)
    return "".join(kept)


def _without_arguments(text: str) -> str:
    opening = "<" if text.endswith(">") else "["
    closing = text[-1]
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        if text[place] == closing:
            depth += 1
        elif text[place] == opening:
            depth -= 1
            if depth == 0:
                return text[:place].rstrip().removesuffix("::") or text
    return text
