"""The head of a question in words: what it is mostly about, without what narrows it."""

from __future__ import annotations

import re

from fourfold.lexing import STOPWORDS
from fourfold.search.classify.cues import languages

_WORD = re.compile(r"\S+")


def head_of(question: str, language: str) -> str:
    """What stands before the first joining word ("cookie store" of "how is the cookie store for sessions made").

    ``language`` is an `Intent`'s; for one that is not known, the joining words of English count. Empty when nothing
    narrows the question, and in a language where the head stands last. A joining word counts after a word that says
    something.
    """
    known = {entry.name: entry for entry in languages()}
    entry = known.get(language, known["en"])
    if not entry.joints or "\n" in question:
        return ""
    skip = entry.function_words | entry.articles | STOPWORDS | set(entry.hows)
    first = None
    for word in _WORD.finditer(question):
        plain = word[0].strip(",;:?!.()").casefold()
        if first is not None and plain in entry.joints:
            return question[first : word.start()].strip(" ,;:")
        if first is None and plain and plain not in skip:
            first = word.start()
    return ""
