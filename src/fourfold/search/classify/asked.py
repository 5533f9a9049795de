"""One question, prepared once for all rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from fourfold.search.classify.cues import WORD, Language, Pattern, languages, neutral_words, vocabulary
from fourfold.search.classify.masks import MASKS, Masked, mask
from fourfold.search.classify.normalise import Text, normalise, without_closing
from fourfold.search.classify.subject import Known, Place, Subject, SubjectFinder

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_KANA = r"\u3040-\u30ff\u3400-\u9fff"
_RUN = re.compile(rf"(?P<cjk>[{_KANA}]+)|[^\W_{_KANA}]+(?:['’][^\W_{_KANA}]+)?")
#: The longest neutral word of a language without spaces, in letters.
LONGEST_NEUTRAL = 12
_MASK_RUN = re.compile(rf"[{MASKS}]+")


class Asked:
    """A question and what the rules want to know of it, each worked out when first needed."""

    def __init__(self, given: str, known: Known | None) -> None:
        self.text: Text = normalise(given)
        self.norm = self.text.text
        self.core = self.norm[: without_closing(self.norm)]
        self.known = known

    @cached_property
    def masked(self) -> Masked:
        return mask(self.text, vocabulary())

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self.masked.cue))

    @cached_property
    def finder(self) -> SubjectFinder:
        return SubjectFinder(self.text, self.masked, self.known)

    @cached_property
    def languages(self) -> Sequence[Language]:
        """The most likely language first."""
        cjk = _CJK.search(self.masked.cue) is not None
        scores = {
            language.name: (100 if language.cjk and cjk else len(self.words & language.function_words))
            for language in languages()
        }
        return sorted(
            (language for language in languages() if not language.cjk or cjk), key=lambda item: -scores[item.name]
        )

    @cached_property
    def _candidates(self) -> dict[tuple[str, str], list[Pattern]]:
        found: dict[tuple[str, str], list[Pattern]] = {}
        for language in self.languages:
            for pattern in language.candidates(self.masked.cue, self.words):
                found.setdefault((language.name, pattern.rule), []).append(pattern)
        return found

    def cues(self, rule: str, mark: str | None = None) -> Iterator[tuple[Pattern, re.Match[str], Language]]:
        """The cues of a rule that match, the likeliest language first, then as the cue file orders them."""
        for language in self.languages:
            for pattern in self._candidates.get((language.name, rule), ()):
                if mark is not None and pattern.mark != mark:
                    continue
                match = pattern.regex.search(self.masked.cue)
                if match is not None:
                    yield pattern, match, language

    @cached_property
    def is_how(self) -> bool:
        """A question for how or why."""
        return next(self.cues("11", "how"), None) is not None

    def how_before(self, match: re.Match[str]) -> bool:
        """Whether a question for how or why begins before a cue."""
        return any(how.start() < match.start() for _, how, _ in self.cues("11", "how"))

    @cached_property
    def explains(self) -> bool:
        """Any question for meaning: how, why, what is, explain."""
        return next(self.cues("11"), None) is not None

    def subject(self, match: re.Match[str], language: Language) -> Subject:
        """The subject in a cue's slot."""
        if "x" not in match.re.groupindex or match["x"] is None:
            return Subject("nothing")
        start, end = match.span("x")
        before = WORD.findall(self.masked.cue[match.start() : start])
        place = Place(
            start,
            end,
            open=end == match.end(),
            plural=not language.plural.isdisjoint(before),
            article=bool(before) and before[-1] in language.articles,
        )
        found = self.finder.find(place, language)
        if found.kind == "pointing":
            # “parseConfig: where is it used” has said what it points to.
            first = self.masked.places[match.start()]
            named = [self.finder.of_part(part) for part in self.masked.parts if part.end <= first]
            named = [subject for subject in named if subject.kind == "symbol"]
            if len(named) == 1:
                return named[0]
        return found

    def after_how(self, match: re.Match[str], language: Language) -> bool:
        """Whether how or why stands right before a cue (in Japanese: before its end): it asks for that, then."""
        if language.cjk:
            return any(word in self.masked.cue[: match.end()] for word in language.hows)
        before = WORD.findall(self.masked.cue[: match.start()])
        return bool(before) and before[-1] in language.hows

    @cached_property
    def has_identifier(self) -> bool:
        return any(
            part.kind == "identifier" or self.finder.of_part(part).kind == "symbol" for part in self.masked.parts
        )

    def shown(self, match: re.Match[str]) -> str:
        """A cue as people read it: ``where is … defined``."""
        words = match[0]
        if "x" in match.re.groupindex and match["x"] is not None:
            start, end = match.span("x")
            words = self.masked.cue[match.start() : start] + "…" + self.masked.cue[end : match.end()]
        return " ".join(_MASK_RUN.sub("…", words).split())

    def neutral(self, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether only words that say "find" and "code" stand outside ``taken``, ranges of the normalised text."""
        return all(any(start < last and end > first for first, last in taken) for start, end in self._meaningful)

    @cached_property
    def _meaningful(self) -> list[tuple[int, int]]:
        """The places of the words of the question that are not neutral in any language."""
        plain = neutral_words()
        found: list[tuple[int, int]] = []
        for match in _RUN.finditer(self.core):
            if not match["cjk"]:
                if match[0].lower().replace("’", "'") not in plain:
                    found.append(match.span())
                continue
            position = match.start()
            while position < match.end():
                longest = min(match.end() - position, LONGEST_NEUTRAL)
                for length in range(longest, 0, -1):
                    if self.core[position : position + length] in plain:
                        break
                else:
                    length = 1
                    found.append((position, position + 1))
                position += length
        return found

    def repaired(self) -> Iterator[Asked]:
        """The question with one misspelt cue word put right, for each such word."""
        for language in self.languages:
            for match in WORD.finditer(self.masked.cue):
                word = match[0]
                if len(word) < 4 or word in vocabulary():
                    continue
                for target in language.typos:
                    if target[0] == word[0] and _one_slip(word, target):
                        yield self._with(match.start(), match.end(), target)

    def _with(self, start: int, end: int, word: str) -> Asked:
        other = Asked.__new__(Asked)
        other.text, other.norm, other.core, other.known = self.text, self.norm, self.core, self.known
        places = self.masked.places
        middle = [places[min(start + number, end - 1)] for number in range(len(word))]
        other.masked = replace(
            self.masked,
            cue=self.masked.cue[:start] + word + self.masked.cue[end:],
            places=(*places[:start], *middle, *places[end:]),
        )
        return other


def _one_slip(word: str, target: str) -> bool:
    """One letter too many, too few, wrong, or two neighbours swapped."""
    if abs(len(word) - len(target)) > 1 or word == target:
        return False
    start = 0
    while start < min(len(word), len(target)) and word[start] == target[start]:
        start += 1
    one, two = word[start:], target[start:]
    return (
        one[1:] == two[1:]
        or one[1:] == two
        or one == two[1:]
        or (len(one) > 1 and len(two) > 1 and one[0] == two[1] and one[1] == two[0] and one[2:] == two[2:])
    )
