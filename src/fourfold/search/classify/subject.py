"""What a question is about: the symbol, else a noun phrase, or nothing when it only points (this, it, これ)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fourfold.search.classify.cues import Language
from fourfold.search.classify.masks import GENERIC, LETTER, MASKS, OPERATOR, Masked, Part, names_operator
from fourfold.search.classify.normalise import Text

Known = Callable[[str], bool]
#: A longer phrase is not a subject but the question itself.
MOST_WORDS = 12

_CLAUSE = re.compile(r"[,;:?!](?=\s|$)|[()\[\]{}]|\s[-–—]+\s|\.(?=\s|$)")
_CJK_CLAUSE = re.compile(r"[、。,;:?!\n]")
_WORD = re.compile(rf"[{MASKS}]+|[^\s{MASKS}]+")
_SYMBOL = re.compile(
    rf"(?:[{LETTER}]+::)*{OPERATOR}|[@$#]?[{LETTER}]+{GENERIC}?(?:(?:\.|::|->|#|-)[{LETTER}]+{GENERIC}?)*(?:\(\))?"
)
_PLAIN = re.compile(rf"[{LETTER}]+(?:[?!])?\Z")
_LATIN = re.compile(rf"(?<![{LETTER}])[A-Za-z_$][A-Za-z0-9_$]*(?![{LETTER}])")
_GENERIC = re.compile(rf"(?<=[{LETTER}]){GENERIC}")
_CALL = re.compile(r"(?:\(\)|\([^()]*\))\Z")


@dataclass(frozen=True, slots=True)
class Subject:
    """``kind``: symbol (``shaped`` when its form shows it), phrase, path, literal, pointing (this, it) or nothing."""

    kind: Literal["symbol", "phrase", "path", "literal", "pointing", "nothing"]
    text: str | None = None
    span: tuple[int, int] | None = None
    shaped: bool = False


NOTHING = Subject("nothing")


def _is_definite(word: str, language: Language) -> bool:
    """Whether a plain word ends in its article, as Swedish nouns do."""
    return len(word) > 6 and word.endswith(language.noun_endings) and not word.endswith(language.name_endings)


@dataclass(frozen=True, slots=True)
class Place:
    """A range of the cue copy in which a subject stands, and what the pattern says of it."""

    start: int
    end: int
    #: Nothing of the pattern follows: the range runs to the end of the text.
    open: bool = False
    plural: bool = False
    #: An article stands right before it, as part of the cue (``vom``).
    article: bool = False


def bare_name(word: str) -> str:
    """A name without call parentheses, sigils and a type's parameters."""
    if names_operator(word.strip()):
        return word.strip()
    word = _GENERIC.sub("", _CALL.sub("", word.strip())).strip("`").rstrip("?!")
    return word.lstrip("@#") if len(word) > 1 else word


def names_symbol(word: str) -> bool:
    """Whether quoted text can be the name of a symbol."""
    return _SYMBOL.fullmatch(word.strip()) is not None


class SubjectFinder:
    """Finds the subject in ranges of one question."""

    def __init__(self, text: Text, masked: Masked, known: Known | None) -> None:
        self.text = text
        self.masked = masked
        self.known = known
        letters = [letter for letter in text.text[:400] if letter.isalpha()]
        self.shouted = bool(letters) and sum(letter.isupper() for letter in letters) > 0.6 * len(letters)
        self._asked: dict[str, bool] = {}

    def is_known(self, word: str) -> bool:
        if self.known is None or not word or " " in word:
            return False
        if word not in self._asked:
            try:
                self._asked[word] = bool(self.known(word))
            except Exception:  # a broken index must not stop a question from being understood
                self._asked[word] = False
        return self._asked[word]

    # -- places

    def _norm(self, start: int, end: int) -> tuple[int, int]:
        """A range of the cue copy as one of the normalised text."""
        places = self.masked.places
        return places[start], places[end - 1] + 1 if end > start else places[start]

    def parts_in(self, start: int, end: int) -> list[Part]:
        first, last = self._norm(start, end)
        return [part for part in self.masked.parts if part.start < last and part.end > first]

    def of_part(self, part: Part) -> Subject:
        first, last = part.inner
        word = self.text.text[first:last].strip()
        if part.kind == "path":
            return Subject("path", word, (first, last), True)
        if part.kind == "identifier" or (part.kind == "quoted" and names_symbol(word)):
            name = bare_name(word)
            place = self.text.text.find(name, first, last)
            span = (place, place + len(name)) if place >= 0 else (first, last)  # parameters stood within it
            return Subject("symbol", name, span, True)
        return Subject("literal", self.text.literal(first, last).strip(), (first, last), True)

    # -- the subject of a range

    def find(self, place: Place, language: Language) -> Subject:
        """The subject in ``place``: a name if there is one, else what the words come to."""
        start, end = self._clause(place, language)
        if language.cjk:
            return self._find_cjk(start, end, language)
        words = [(match.start() + start, match.end() + start) for match in _WORD.finditer(self.masked.cue[start:end])]
        cue = self.masked.cue
        head = words
        for number, (first, last) in enumerate(words):
            if number and cue[first:last].strip("'.") in language.stops:
                head = words[:number]
                break
        if parts := self._names(head):
            return self.of_part(parts)
        if not head:
            return NOTHING
        found = self._of_words(head, language, place)
        if found.kind == "symbol":
            return found
        if (part := self._names(words)) and not (found.kind == "pointing" and place.open and len(head) < len(words)):
            return self.of_part(part)
        return found

    def _names(self, words: list[tuple[int, int]]) -> Part | None:
        """The first identifier or quote in ``words``, else the first path or literal."""
        if not words:
            return None
        parts = self.parts_in(words[0][0], words[-1][1])
        named = [
            part
            for part in parts
            if part.kind == "identifier" or (part.kind == "quoted" and names_symbol(self.text.text[slice(*part.inner)]))
        ]
        return next(iter(named or parts), None)

    def _clause(self, place: Place, language: Language) -> tuple[int, int]:
        start, end = place.start, place.end
        if place.open:
            mark = (_CJK_CLAUSE if language.cjk else _CLAUSE).search(self.masked.cue, start, end)
            if mark is not None and mark.start() > start:
                end = mark.start()
        while end > start and self.masked.cue[end - 1] in " ,;:?!.、。":
            end -= 1
        while start < end and self.masked.cue[start] in " ,;:?!.":
            start += 1
        return start, end

    def _of_words(self, words: list[tuple[int, int]], language: Language, place: Place) -> Subject:
        cue = self.masked.cue
        plural = place.plural
        lower = [cue[first:last].strip("'\"“”„().,") for first, last in words]
        whole = " ".join(lower)
        if whole in language.deictic:
            return Subject("pointing")
        if len(lower) <= 4 and any(" " in words and whole.startswith(words + " ") for words in language.deictic):
            return Subject("pointing")
        article = place.article
        while len(lower) > 1 and (lower[0] in language.articles or lower[0] in language.fillers):
            article = article or lower[0] in language.articles
            words, lower = words[1:], lower[1:]
        while len(lower) > 1 and (lower[-1] in language.tails or lower[-1] in language.fillers):
            words, lower = words[:-1], lower[:-1]
        if " ".join(lower) in language.deictic:
            return Subject("pointing")
        if lower[0] in language.pointers and len(lower) <= 3:
            capital = self._capitalised(words[1:], language)
            return capital or Subject("pointing")
        kind = named = False
        while len(lower) > 1 and lower[0] in language.kinds:
            kind, named = True, lower[0] in language.namers
            words, lower = words[1:], lower[1:]
        while len(lower) > 1 and lower[0] in language.articles | language.fillers and kind:
            words, lower = words[1:], lower[1:]
        before = named and len(words) == 1 and not plural
        while len(lower) > 1 and lower[-1] in language.kinds:
            words, lower = words[:-1], lower[:-1]
            kind = True
        if len(words) == 1:
            return self._single(words[0], language, article=article and not before, plural=plural and not before)
        capital = self._capitalised(words, language)
        if capital is not None:
            return capital
        return self._phrase(words)

    def _single(self, word: tuple[int, int], language: Language, *, article: bool, plural: bool) -> Subject:
        first, last = self._norm(*word)
        name = self.text.text[first:last].strip("'\"“”„().,")
        first = self.text.text.find(name, first, last)
        lower = name.lower()
        phrase = Subject("phrase", name, (first, first + len(name)))
        if lower in language.kinds and not self.is_known(name):
            return phrase
        if not name or lower in language.deictic or lower in language.function_words or lower in language.fillers:
            return NOTHING if lower in language.function_words or lower in language.fillers else Subject("pointing")
        if not _PLAIN.match(name):
            return phrase
        symbol = Subject(
            "symbol", bare_name(name), (first, first + len(bare_name(name))), self._is_capital(name, language)
        )
        if self.is_known(name):
            return Subject("symbol", symbol.text, symbol.span, True)
        if symbol.shaped:
            return symbol
        if article or plural or _is_definite(lower, language):
            return phrase
        if not name.isascii() and language.name != "en":
            return phrase
        return symbol

    def _is_capital(self, name: str, language: Language) -> bool:
        """A capital first letter says "name" where not all nouns have one and not all is in capitals."""
        return name[:1].isupper() and language.name != "de" and not self.shouted

    def _capitalised(self, words: list[tuple[int, int]], language: Language) -> Subject | None:
        """The one capitalised word of a phrase in a language that writes nouns small."""
        names = []
        for word in words:
            first, last = self._norm(*word)
            name = re.sub(r"['’]s?\Z", "", self.text.text[first:last].strip("'\"“”„().,"))
            if first > 0 and _PLAIN.match(name) and self._is_capital(name, language):
                names.append(Subject("symbol", name, (first, first + len(name)), True))
        return names[0] if len(names) == 1 else None

    def _phrase(self, words: list[tuple[int, int]]) -> Subject:
        if not words or len(words) > MOST_WORDS:
            return Subject("phrase")
        first, last = self._norm(words[0][0], words[-1][1])
        return Subject("phrase", " ".join(self.text.text[first:last].split()), (first, last))

    def phrase(self, start: int, end: int) -> Subject:
        """A range of the cue copy as a phrase, as it stands."""
        words = [(match.start() + start, match.end() + start) for match in _WORD.finditer(self.masked.cue[start:end])]
        return self._phrase(words) if words else NOTHING

    def _find_cjk(self, start: int, end: int, language: Language) -> Subject:
        """In Japanese the name, or the last noun phrase before the cue, cut at particles."""
        parts = self.parts_in(start, end)
        named = [part for part in parts if self.of_part(part).kind == "symbol"]
        if named or parts:
            return self.of_part((named or parts)[-1])
        text = self.masked.cue[start:end]
        words = [(match.start() + start, match.end() + start) for match in _LATIN.finditer(text)]
        if words:
            return self._single(words[-1], language, article=False, plural=False)
        return self._phrase_cjk(start, end, language)

    def _phrase_cjk(self, start: int, end: int, language: Language) -> Subject:
        """The last noun phrase of a range: after the last particle inside, without the particles at its end."""
        cue = self.masked.cue
        inside = [
            place + len(particle)
            for particle in language.particles
            if (place := cue.rfind(particle, start + 1, end)) >= 0 and place + len(particle) < end
        ]
        start = max([start, *inside])
        while filler := next(
            (word for word in language.fillers if cue.startswith(word, start) and start + len(word) < end), ""
        ):
            start += len(filler)
        if any(cue.startswith(word, start) for word in language.pointers) or cue[start:end] in language.deictic:
            return Subject("pointing")
        while particle := next((word for word in language.particles if cue.endswith(word, start + 1, end)), ""):
            end -= len(particle)
        words = cue[start:end].strip()
        if not words or words in language.kinds or words in language.particles:
            return NOTHING
        first, last = self._norm(start, end)
        return Subject("phrase", self.text.text[first:last].strip(), (first, last))
