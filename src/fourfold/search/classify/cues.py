"""The cue words of each language, read from ``search/cues/*.toml`` once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from typing import Any

from fourfold.search.classify.compile import Translator, variants

#: In this order where nothing else tells two languages apart.
LANGUAGES = ("en", "de", "sv", "ja")
WORD = re.compile(r"[^\W\d_]+")
#: A word with endings in brackets: ``class(es)?``.
_GROUPED = re.compile(r"\w+(?:\([^()\s]*\)\??\w*)+")


@dataclass(frozen=True)
class Pattern:
    """One way to ask, with what it means. ``needs`` as in `Translator.needs`; ``confidence`` 0 is the rule's own."""

    rule: str
    order: int
    source: str
    translator: Translator
    needs: tuple[frozenset[str], ...]
    confidence: float = 0.0
    relation: str = ""
    direction: str = ""
    #: What the subject must be for the pattern to count: anything, a "symbol", or an "identifier" by its shape.
    subject: str = ""
    #: The group's own mark: "how" for how and why, "lone" for "where is X" without a verb, and so on.
    mark: str = ""

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(self.translator.regex(self.source))


@dataclass(frozen=True)
class Language:
    """All that is known of one language."""

    name: str
    function_words: frozenset[str]
    #: The words of its cues, and those that are no cue but no name either.
    vocabulary: frozenset[str]
    plain: frozenset[str]
    groups: list[dict[str, Any]] = field(hash=False)
    translator: Translator
    neutral: frozenset[str]
    typos: tuple[str, ...]
    articles: frozenset[str]
    #: Words between what a question is mostly about and what narrows it.
    joints: frozenset[str]
    #: Words before a subject that say nothing (``all``, ``our``), that point (``this``), nouns for kinds of symbols.
    fillers: frozenset[str]
    deictic: frozenset[str]
    pointers: frozenset[str]
    kinds: frozenset[str]
    namers: frozenset[str]
    stops: frozenset[str]
    #: Nouns after which a quote is text to look for and no name.
    texts: frozenset[str]
    tails: frozenset[str]
    plural: frozenset[str]
    #: How and why; a reference cue right after one is none.
    hows: tuple[str, ...]
    particles: tuple[str, ...] = ()
    #: Endings of nouns that carry their article (Swedish), and of names that only look so.
    noun_endings: tuple[str, ...] = ()
    name_endings: tuple[str, ...] = ()

    @property
    def cjk(self) -> bool:
        return self.name == "ja"

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        return tuple(_patterns(self.groups, self.translator))

    @cached_property
    def by_word(self) -> dict[str, list[Pattern]]:
        """The patterns by the words of their rarest part."""
        found: dict[str, list[Pattern]] = {}
        for pattern in self.patterns:
            for word in pattern.needs[0] if pattern.needs else ():
                found.setdefault(word, []).append(pattern)
        return found

    @cached_property
    def always(self) -> list[Pattern]:
        return [pattern for pattern in self.patterns if not pattern.needs]

    def _has(self, cue: str, words: frozenset[str], needed: frozenset[str]) -> bool:
        return any(word in cue for word in needed) if self.cjk else not words.isdisjoint(needed)

    def candidates(self, cue: str, words: frozenset[str]) -> list[Pattern]:
        """The patterns that may match, in order."""
        if not self.cjk and words.isdisjoint(self.vocabulary):
            return []
        found = set(map(id, self.always))
        chosen = list(self.always)
        keys = [key for key in self.by_word if key in cue] if self.cjk else words & self.by_word.keys()
        for key in keys:
            for pattern in self.by_word[key]:
                if id(pattern) not in found:
                    found.add(id(pattern))
                    if all(self._has(cue, words, needed) for needed in pattern.needs[1:]):
                        chosen.append(pattern)
        return sorted(chosen, key=lambda pattern: pattern.order)


@cache
def languages() -> tuple[Language, ...]:
    """Every language that has a cue file."""
    folder = resources.files("fourfold.search").joinpath("cues")
    files = [(name, folder.joinpath(f"{name}.toml")) for name in LANGUAGES]
    return tuple(read_language(name, file.read_text("utf-8")) for name, file in files if file.is_file())


@cache
def vocabulary() -> frozenset[str]:
    """The words of all cues, in lower case: however they are written, none is an identifier."""
    return frozenset().union(*(language.vocabulary | language.plain for language in languages()))


@cache
def neutral_words() -> frozenset[str]:
    """The words of all languages that only say "find" and "code"."""
    return frozenset().union(*(language.neutral for language in languages()))


def read_language(name: str, text: str) -> Language:
    """A cue file; raises ``ValueError`` or ``KeyError`` for one that is not as `compile` says."""
    data = tomllib.loads(re.sub(r"\bI\b", "i", text))  # cues are compared in lower case
    classes = {key: tuple(_alternatives(value)) for key, value in data.get("classes", {}).items()}
    translator = Translator(classes, name == "ja")
    subject = data["subject"]
    sources = [group["patterns"] for group in data["cue"]]
    literal = " ".join(sources + [word for group in classes.values() for word in group])
    return Language(
        name=name,
        function_words=frozenset(_words(data["function"])),
        vocabulary=frozenset(word for word in WORD.findall(_forms(literal)) if len(word) > 1),
        plain=frozenset(_words(data["function"] + " " + data["neutral"])),
        groups=data["cue"],
        translator=translator,
        neutral=frozenset(_words(data["neutral"])),
        typos=tuple(_words(data.get("typos", ""))),
        articles=frozenset(_words(subject["articles"])),
        joints=frozenset(_words(subject.get("joints", ""))),
        fillers=frozenset(_words(subject["fillers"])),
        deictic=frozenset(_words(subject["deictic"], "|")),
        pointers=frozenset(_words(subject["pointers"])),
        kinds=frozenset(_words(subject["kinds"])),
        namers=frozenset(_words(subject.get("namers", subject["kinds"]))),
        texts=frozenset(_words(subject.get("texts", ""))),
        stops=frozenset(_words(subject["stops"])),
        tails=frozenset(_words(subject["tails"], "|")),
        hows=tuple(_words(subject.get("hows", ""))),
        plural=frozenset(_words(subject.get("plural", ""))),
        particles=tuple(_words(subject.get("particles", ""))),
        name_endings=tuple(_words(subject.get("name_endings", ""))),
        noun_endings=tuple(_words(subject.get("noun_endings", ""))),
    )


def _words(text: str, separator: str | None = None) -> list[str]:
    return [word.strip() for word in text.split(separator) if word.strip()]


def _alternatives(text: str) -> list[str]:
    """``text`` split at each ``|`` outside brackets."""
    words, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and not depth:
            words.append("")
        else:
            words[-1] += letter
    return [" ".join(word.split()) for word in words if word.strip()]


def _forms(text: str) -> str:
    """``text`` with both forms of ``calls?`` and without class names and slots."""
    text = re.sub(r"<\w+>|\{[xwi]\}", " ", text)
    grouped = [form for word in _GROUPED.findall(text) for form in variants(word)]
    text = " ".join([text, *grouped])
    return re.sub(r"(\w+)(\w)\?", r"\1\2 \1", text) + " " + text.replace("ß", "ss")


def _patterns(groups: list[dict[str, Any]], translator: Translator) -> Iterator[Pattern]:
    order = 0
    for group in groups:
        for line in group["patterns"].splitlines():
            source = line.strip()
            if source and not source.startswith("#"):
                order += 1
                yield Pattern(
                    rule=group["rule"],
                    order=order,
                    source=source,
                    translator=translator,
                    needs=translator.needs(source),
                    confidence=float(group.get("confidence", 0.0)),
                    relation=group.get("relation", ""),
                    direction=group.get("direction", ""),
                    subject=group.get("subject", ""),
                    mark=group.get("mark", ""),
                )
