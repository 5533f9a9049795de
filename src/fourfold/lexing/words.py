"""From text to words, identifier parts and terms, the same way for indexing and for searching.

Two fields of terms are made from a chunk:

* ``body``: every word and identifier part of the text, Porter-stemmed, with its frequency, and the words of the path:
  the file's stem counts 8 times, the folder's words 3 times. BM25 ranks over it.
* ``name``: the words of the names that stand for a chunk, lightly stemmed, with a weight in hundredths.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from fourfold.lexing.porter import porter

#: How often the words of a path count in a chunk's body terms.
STEM_COUNT = 8
FOLDER_COUNT = 3

#: Weights of the name field, in hundredths.
NAME_WEIGHT = 100
ENCLOSING_WEIGHT = 30
SIGNATURE_WEIGHT = 50
FILE_STEM_WEIGHT = 150
FOLDER_WEIGHT = 40
OUTER_FOLDER_WEIGHT = 15
#: Signs before a word in the name field: it is a word of the chunk's own (first) name, or of its file's. Such an entry
#: weighs the word's share of that name, so that a question which asks for the whole name can be told from one which
#: asks for a word of it.
OWN_NAME = "="
FILE_NAME = "/"

_TOKEN = re.compile(r"\w+")
# An acronym before a capitalised word, a capitalised or lower-case word, an acronym, digits.
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# Letters of other scripts by their shape: u for a capital, l for a small letter, d for a digit, o for any other letter.
_SHAPE = re.compile(r"u+(?=ul)|u?l+|u+|d+|o+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")

#: Words that carry no meaning in a question about code.
STOPWORDS = frozenset(
    """a about above after again all am an and any are as at be because been before being below between both
    but by can could did do does doing down during each few find for from further get gets give had has have
    having he her here how i if in into is it its itself just let like look made make makes me more most my no
    nor not now of off on once one only or other our out over own please same she should show so some such
    tell than that the their them then there these they this those through to too under until up us used uses
    using very was we were what when where which while who whom why will with within without would you your""".split()
)

#: Words that say "code" rather than what the code is about.
CODE_WORDS = frozenset(
    """code codebase file files function functions method methods class classes module modules implementation
    implemented implement implements logic defined definition""".split()
)


@lru_cache(maxsize=32768)  # measured: an identifier occurs about 40 times in a codebase
def split_identifier(name: str) -> tuple[str, ...]:
    """The parts of an identifier in lower case: ``getHTTPResponse_2`` → get, http, response, 2.

    A run of Chinese, Japanese or Korean letters becomes its pairs of neighbouring letters.
    """
    if name.isascii():
        if name.isalpha() and name.islower():  # a third of them, in a tenth of the time
            return (name,)
        return tuple(map(str.lower, _PART.findall(name)))
    parts: list[str] = []
    for part in _parts_by_shape(name):
        lower = part.lower()
        if _CJK.search(lower):
            parts.extend(lower[i : i + 2] for i in range(max(1, len(lower) - 1)))
        else:
            parts.append(lower)
    return tuple(parts)


def _shape(letter: str) -> str:
    if not letter.isalnum():
        return "_"
    if letter.isdigit():
        return "d"
    return "u" if letter.isupper() else "l" if letter.islower() else "o"


def _parts_by_shape(name: str) -> list[str]:
    shape = "".join(map(_shape, name))
    return [name[match.start() : match.end()] for match in _SHAPE.finditer(shape)]


def tokens(text: str) -> list[str]:
    """The words of ``text`` as they stand there, identifiers whole."""
    return _TOKEN.findall(text)


def terms_of_token(token: str) -> tuple[str, ...]:
    """The stemmed parts of one token, and the whole of it when there are several."""
    parts = split_identifier(token)
    terms = [porter(part) for part in parts if len(part) > 1 or not part.isascii()]
    if len(parts) > 1 and len(token) <= 64:
        whole = porter(token.lower().strip("_"))
        # also as one word, so that a whole identifier is rarer than its parts
        if whole not in terms:
            terms.append(whole)
    elif not terms and parts:
        terms = list(parts)
    return tuple(terms)


_terms_of_token = lru_cache(maxsize=131072)(terms_of_token)


def body_terms(text: str) -> list[str]:
    """Stemmed words and identifier parts of ``text``, with repeats, in order."""
    return [term for token in _TOKEN.findall(text) for term in _terms_of_token(token)]


def path_words(path: str) -> tuple[list[str], list[str], list[str]]:
    """The words of a path: of the file's stem, of its folder, of the folders above."""
    *folders, name = path.split("/")
    stem = name.split(".", 1)[0] if not name.startswith(".") else name.strip(".")
    if stem in ("__init__", "index", "mod", "lib", "main") and folders:
        # such a file stands for its folder
        stem = folders[-1]
    outer = [word for folder in folders[:-1] for word in split_identifier(folder)]
    folder = list(split_identifier(folders[-1])) if folders else []
    return list(split_identifier(stem)), folder, outer


def path_counts(path: str) -> dict[str, int]:
    """Term → how often it counts in each chunk of a file because of the file's path."""
    counts: Counter[str] = Counter()
    stem, folder, _ = path_words(path)
    for word in stem:
        counts[porter(word)] += STEM_COUNT
    for word in folder:
        counts[porter(word)] += FOLDER_COUNT
    return dict(counts)


def body_counts(path: str, text: str) -> dict[str, int]:
    """Term → frequency of one chunk, the path's words included (see the module's head)."""
    counts: Counter[str] = Counter()
    for token, n in Counter(_TOKEN.findall(text)).items():
        for term in _terms_of_token(token):
            counts[term] += n
    counts.update(path_counts(path))
    return dict(counts)


@lru_cache(maxsize=32768)
def light_stem(word: str) -> str:
    """A word without its plural or verb ending, gently: names are short, and Porter would merge too many of them."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "er", "or"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= 3 and any(vowel in stem for vowel in "aeiouy"):
            if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
                stem = stem[:-1]
            return stem
    if word.endswith("e") and len(word) > 4:
        return word[:-1]
    return word


def name_words(name: str) -> list[str]:
    """The lightly stemmed words of one name."""
    return [light_stem(part) for token in _TOKEN.findall(name) for part in split_identifier(token)]


def name_terms(
    path: str, symbols: Sequence[str], enclosing: Sequence[str] = (), signatures: Sequence[str] = ()
) -> dict[str, int]:
    """Word → weight in hundredths for one chunk: the sources' weights added, each source counted once a word.

    ``symbols`` are the names that the chunk defines, ``enclosing`` those of the definitions around it, ``signatures``
    the signatures of the symbols.
    """
    stem, folder, outer = path_words(path)
    sources: tuple[tuple[set[str], int], ...] = (
        ({word for name in symbols for word in name_words(name)}, NAME_WEIGHT),
        ({word for name in enclosing for word in name_words(name)}, ENCLOSING_WEIGHT),
        ({word for text in signatures for word in name_words(text)}, SIGNATURE_WEIGHT),
        ({light_stem(word) for word in stem}, FILE_STEM_WEIGHT),
        ({light_stem(word) for word in folder}, FOLDER_WEIGHT),
        ({light_stem(word) for word in outer}, OUTER_FOLDER_WEIGHT),
    )
    weights: dict[str, int] = {}
    for words, weight in sources:
        for word in words:
            weights[word] = weights.get(word, 0) + weight
    weights.update(shares_of_name(OWN_NAME, symbols[0] if symbols else ""))
    weights.update(shares_of_name(FILE_NAME, " ".join(stem)))
    return weights


def shares_of_name(sign: str, name: str) -> dict[str, int]:
    """The different words of a name behind ``sign``, each with its share of the name in hundredths."""
    words = set(name_words(name))
    return {sign + word: round(100 / len(words)) for word in words}


def question_words(text: str) -> list[str]:
    """The words of a question that carry meaning, in order, each once, unstemmed and in lower case.

    Identifiers give their parts and, when there are several, themselves. Stopwords are left out; words like *function*
    too, unless nothing else is left.
    """
    words: dict[str, None] = {}
    for token in _TOKEN.findall(text):
        parts = split_identifier(token)
        for part in parts:
            if len(part) > 1 or not part.isascii():
                words.setdefault(part)
        if len(parts) > 1 and len(token) <= 64:
            words.setdefault(token.lower().strip("_"))
    kept = [word for word in words if word not in STOPWORDS]
    focused = [word for word in kept if word not in CODE_WORDS]
    return focused or kept or list(words)


def query_terms(text: str) -> list[str]:
    """The body terms that a question asks for: `question_words`, stemmed, each once."""
    return list(dict.fromkeys(porter(word) for word in question_words(text)))


def merge_counts(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The sum of several count mappings."""
    total: Counter[str] = Counter()
    for mapping in counts:
        total.update(mapping)
    return dict(total)
