"""What a question in words is about (rules 11 and 13): the name in it, else its phrase without the words around it."""

from __future__ import annotations

import re

from fourfold.search.classify.asked import Asked
from fourfold.search.classify.cues import Language
from fourfold.search.classify.literals import is_error_token
from fourfold.search.classify.subject import NOTHING, Place, Subject


def about(asked: Asked, match: re.Match[str] | None, language: Language) -> Subject:
    """The topic after a cue (or in the slot of its pattern), or of the whole question when there is no cue."""
    cue = asked.masked.cue
    if match is None:
        start, end = 0, len(cue)
    elif "x" in match.re.groupindex and match["x"] is not None:
        start, end = match.span("x")
    else:
        start, end = match.end(), len(cue)
        if not cue[start:].strip(" .,;:"):
            # The cue stands last (“authentication overview”), or alone (“architecture”).
            start, end = 0, match.start()
    named = _named(asked, start, end) or (_named(asked, 0, len(cue)) if language.cjk else None)
    if named is not None:
        return named
    if language.cjk:
        found = asked.finder.find(Place(start, end, open=False), language) if end > start else NOTHING
        return found if found.kind != "nothing" else _cue_itself(asked, match)
    words = [(found.start() + start, found.end() + start) for found in re.finditer(r"\S+", cue[start:end])]
    words = _without_rest(words, cue)
    lower = [cue[first:last].strip(".,;:!?()'\"") for first, last in words]
    skip = language.function_words | language.articles | language.fillers
    stripped = False
    while words and lower[0] in skip and not (len(words) == 1 and match is None):
        words, lower, stripped = words[1:], lower[1:], True
        if lower and match is None and stripped and lower[0] in language.kinds and len(lower) > 1:
            words, lower = words[1:], lower[1:]
    while words and (lower[-1] in language.tails or (lower[-1] in skip and len(words) > 1)):
        words, lower = words[:-1], lower[:-1]
    if not words:
        return _cue_itself(asked, match)
    if " ".join(lower) in language.deictic:
        return Subject("pointing")
    return asked.finder.phrase(words[0][0], words[-1][1])


def _named(asked: Asked, start: int, end: int) -> Subject | None:
    parts = asked.finder.parts_in(start, end) if end > start else []
    found = [asked.finder.of_part(part) for part in parts]
    for word in re.finditer(r"[A-Z][A-Z0-9_]{2,}", asked.text.text[: len(asked.core)]):
        if not found and is_error_token(word[0]):
            return Subject("literal", word[0], word.span(), True)
    return next((subject for subject in found if subject.kind == "symbol"), next(iter(found), None))


def _without_rest(words: list[tuple[int, int]], cue: str) -> list[tuple[int, int]]:
    """The first clause."""
    for number, (_, last) in enumerate(words):
        if cue[last - 1] in ",;:" and number + 1 < len(words) and number:
            return words[: number + 1]
    return words


def _cue_itself(asked: Asked, match: re.Match[str] | None) -> Subject:
    """A question that is one word of a cue (“architecture”) is about that word, when it is a noun and not a pronoun."""
    if match is None or match.start() > 0 or match.end() < len(asked.masked.cue) or " " in match[0]:
        return NOTHING
    return asked.finder.phrase(match.start(), match.end())
