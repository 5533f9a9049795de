"""The terms of many files at once: counted as numbers by numpy, which a mapping a chunk takes four times as long for.

The result is exactly what `lexing.body_counts` and `lexing.name_terms` give chunk by chunk, turned round to postings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from fourfold import lexing
from fourfold.indexing.numbers import spread_out
from fourfold.indexing.wordcount import Counted, count_words, join_texts
from fourfold.store.interface import FieldTerms, Ints

#: More different words than this are forgotten between two batches, so that memory stays bounded: a word takes about
#: a kilobyte, and the common ones are learnt again in 50 ms.
_MOST_WORDS = 40_000
_WEIGHTS = (lexing.NAME_WEIGHT, lexing.ENCLOSING_WEIGHT, lexing.SIGNATURE_WEIGHT)


@dataclass(frozen=True, slots=True)
class Texts:
    """A file's text and where each of its chunks starts there; and for each chunk the names that it defines, those
    around it and the signatures of its symbols, each joined to one text, and the first name that it defines."""

    data: bytes
    starts: Ints
    first_names: Sequence[str]
    names: Sequence[str]
    enclosing: Sequence[str]
    signatures: Sequence[str]


class _Numbers(dict[str, int]):
    """Gives each key a number when it is first asked for."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class _Terms(dict[bytes, tuple[int, ...]]):
    """A run of the bytes of words → the numbers of its terms in the body, one as often as it is said."""

    def __init__(self, terms: _Numbers) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, run: bytes) -> tuple[int, ...]:
        tokens = (run.decode(),) if run.isascii() else lexing.tokens(run.decode("utf-8", "replace"))
        terms = chain.from_iterable(map(lexing.terms_of_token, tokens))
        found = self[run] = tuple(map(self._terms.__getitem__, terms))
        return found


class _Words(dict[bytes, tuple[int, ...]]):
    """A run of the bytes of words → the numbers of its different words in the name field."""

    def __init__(self, words: _Numbers) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, run: bytes) -> tuple[int, ...]:
        words = dict.fromkeys(lexing.name_words(run.decode("utf-8", "replace")))
        found = self[run] = tuple(map(self._words.__getitem__, words))
        return found


class _Shares(dict[str, tuple[list[int], list[int]]]):
    """A chunk's own name → the numbers of its words as such, and their shares of it."""

    def __init__(self, words: _Numbers) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, key: str) -> tuple[list[int], list[int]]:
        shares = lexing.shares_of_name(lexing.OWN_NAME, key)
        found = self[key] = (list(map(self._words.__getitem__, shares)), list(shares.values()))
        return found


class Vocabulary:
    """What a process knows of words and terms; kept from batch to batch, as code repeats its words."""

    def __init__(self) -> None:
        self.terms = _Numbers()
        self.terms_of = _Terms(self.terms)
        self.words = _Numbers()
        self.words_of = _Words(self.words)
        self.shares = _Shares(self.words)

    def trim(self) -> None:
        if max(len(self.terms_of), len(self.words_of), len(self.shares)) > _MOST_WORDS:
            self.__init__()  # type: ignore[misc]


class Words:
    """Collects the terms of a batch of files, whose chunks are counted from 0 in the order of `add`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._chunks = 0
        self._data: list[bytes] = []
        #: where each chunk starts in all the data
        self._starts: list[Ints] = []
        self._size = 0
        #: for each weight of names the texts of all chunks
        self._sources: dict[int, list[str]] = {weight: [] for weight in _WEIGHTS}
        # what comes from paths and whole names: number, chunk, count
        self._path: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._own: tuple[list[int], list[int], list[int]] = ([], [], [])

    def add(self, path: str, texts: Texts) -> None:
        """A file's chunks."""
        chunks = len(texts.starts)
        self._data.append(texts.data)
        self._starts.append(texts.starts + self._size)
        self._size += len(texts.data) + 1
        places = range(self._chunks, self._chunks + chunks)
        for term, count in lexing.path_counts(path).items():
            _put(self._path, [self._vocabulary.terms[term]] * chunks, places, repeat(count, chunks))
        for word, weight in lexing.name_terms(path, ()).items():
            _put(self._own, [self._vocabulary.words[word]] * chunks, places, repeat(weight, chunks))
        shares = self._vocabulary.shares
        for place, name in zip(places, texts.first_names, strict=True):
            if name:
                words, hundredths = shares[name]
                _put(self._own, words, repeat(place, len(words)), hundredths)
        for weight, source in zip(_WEIGHTS, (texts.names, texts.enclosing, texts.signatures), strict=True):
            self._sources[weight] += source
        self._chunks += chunks

    def terms(self) -> tuple[FieldTerms, FieldTerms]:
        """The postings of the body and of the name field of all that was added."""
        body = _postings(self._vocabulary.terms, self._chunks, *self._body())
        names = _postings(self._vocabulary.words, self._chunks, *self._names())
        return body, names

    def _body(self) -> tuple[Ints, Ints, Ints]:
        """(term, chunk, count) in any order; several for one pair are to be added up."""
        starts = np.concatenate(self._starts) if self._starts else np.zeros(0, dtype=np.int64)
        found = count_words(b"\n".join(self._data), starts)
        own = _with_parts(found, self._vocabulary.terms_of)
        return _joined([own, _columns(self._path)])

    def _names(self) -> tuple[Ints, Ints, Ints]:
        """The same of the name field. Each source counts once a word, whatever it repeats."""
        parts = [_columns(self._own)]
        for weight, texts in self._sources.items():
            found = count_words(*join_texts([text.encode("utf-8", "replace") for text in texts]))
            words, chunks, _ = _with_parts(found, self._vocabulary.words_of)
            pairs = (words << 32) | chunks
            pairs.sort()
            pairs = pairs[np.flatnonzero(np.r_[True, pairs[1:] != pairs[:-1]][: pairs.size])]
            parts.append((pairs >> 32, pairs & 0xFFFFFFFF, np.full(pairs.size, weight)))
        return _joined(parts)


def _with_parts(found: Counted, parts_of: Mapping[bytes, tuple[int, ...]]) -> tuple[Ints, Ints, Ints]:
    """(part, text, count): what each word consists of, as often as the word stands in each text."""
    parts = list(map(parts_of.__getitem__, found.words))
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    flat = np.fromiter(chain.from_iterable(parts), np.int64, int(sizes.sum()))
    times = sizes[found.word]
    places = spread_out((np.cumsum(sizes) - sizes)[found.word], times)
    return flat[places], np.repeat(found.text, times), np.repeat(found.count, times)


def _columns(lists: tuple[list[int], list[int], list[int]]) -> tuple[Ints, Ints, Ints]:
    first, second, third = (np.array(column, dtype=np.int64) for column in lists)
    return first, second, third


def _joined(parts: Sequence[tuple[Ints, Ints, Ints]]) -> tuple[Ints, Ints, Ints]:
    first, second, third = map(np.concatenate, zip(*parts, strict=True))
    return first, second, third


def _put(columns: tuple[list[int], list[int], list[int]], *values: object) -> None:
    for column, some in zip(columns, values, strict=True):
        column.extend(some)  # type: ignore[arg-type]


def _postings(vocabulary: _Numbers, chunks: int, terms: Ints, docs: Ints, counts: Ints) -> FieldTerms:
    """Sum up (term, chunk, count) and put them in the order of words, then chunks."""
    used = np.flatnonzero(np.bincount(terms, minlength=len(vocabulary)))
    texts = list(vocabulary)
    words = [texts[number] for number in used.tolist()]
    order = sorted(range(len(words)), key=words.__getitem__)
    rank = np.zeros(len(vocabulary), dtype=np.int64)
    rank[used[order]] = np.arange(len(order))
    groups, docs, numbers = _summed(rank[terms], docs, counts)
    lengths = np.bincount(docs, weights=numbers, minlength=chunks).astype(np.int64)
    sizes = np.bincount(groups, minlength=len(words)).astype(np.int64)
    return FieldTerms([words[place] for place in order], sizes, docs, numbers, lengths)


def _summed(groups: Ints, docs: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Pairs in order, each once, with the sum of its counts."""
    if not groups.size:
        return groups, docs, counts
    doc_bits, count_bits = int(docs.max()).bit_length(), int(counts.max()).bit_length()
    if int(groups.max()).bit_length() + doc_bits + count_bits <= 62:
        # everything in one number: sorting values is eight times as fast as sorting places
        keys = (((groups << doc_bits) | docs) << count_bits) | counts
        keys.sort()
        counts = keys & ((1 << count_bits) - 1)
        keys >>= count_bits
    else:
        order = np.lexsort((docs, groups))
        doc_bits = 32
        keys, counts = (groups[order] << doc_bits) | docs[order], counts[order]
    heads = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    keys = keys[heads]
    return keys >> doc_bits, keys & ((1 << doc_bits) - 1), np.add.reduceat(counts, heads)
