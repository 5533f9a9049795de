"""The terms of many files at once: counted as numbers by numpy, which a mapping a chunk takes four times as long for.

The result is exactly what `lexing.body_counts` and `lexing.name_terms` give chunk by chunk, turned round to postings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

import numpy as np

from fourfold import lexing
from fourfold.store.interface import FieldTerms, Ints

#: More different tokens than this are forgotten between two batches, so that memory stays bounded: a token takes about
#: a kilobyte, and the common ones are learnt again in 50 ms.
_MOST_TOKENS = 40_000


class _Numbers(dict[str, int]):
    """Gives each key a number when it is first asked for."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class _Cache(dict[str, tuple[int, ...]]):
    """Token or name → the numbers of its different words in the name field."""

    def __init__(self, words: _Numbers) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, key: str) -> tuple[int, ...]:
        found = self[key] = tuple(dict.fromkeys(map(self._words.__getitem__, lexing.name_words(key))))
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
    """What a process knows of tokens and terms; kept from batch to batch, as code repeats its words."""

    def __init__(self) -> None:
        self.tokens = _Numbers()
        self.terms = _Numbers()
        #: token → numbers of its terms
        self.terms_of: list[tuple[int, ...]] = []
        self.words = _Numbers()
        self.named = _Cache(self.words)
        self.shares = _Shares(self.words)

    def learn(self) -> None:
        """Work out the terms of the tokens that came in since the last time."""
        number = self.terms.__getitem__
        fresh = list(self.tokens)[len(self.terms_of) :]
        self.terms_of.extend(tuple(map(number, lexing.terms_of_token(token))) for token in fresh)

    def trim(self) -> None:
        if len(self.tokens) > _MOST_TOKENS or len(self.named) > _MOST_TOKENS:
            self.__init__()  # type: ignore[misc]


class Words:
    """Collects the terms of a batch of files, whose chunks are counted from 0 in the order of `add`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._chunks = 0
        self._tokens: list[Ints] = []
        self._lengths: list[int] = []
        # terms that come from paths: number, chunk, count
        self._path: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._names: tuple[list[int], list[int], list[int]] = ([], [], [])

    def add(
        self,
        path: str,
        tokens: Sequence[Sequence[str]],
        names: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str]]],
    ) -> None:
        """A file's chunks: the tokens of each, and the names that it defines, those around it, and the signatures of
        its symbols."""
        lengths = list(map(len, tokens))
        number = self._vocabulary.tokens.__getitem__
        self._tokens.append(np.fromiter(map(number, chain.from_iterable(tokens)), np.int64, sum(lengths)))
        self._lengths += lengths
        places = range(self._chunks, self._chunks + len(tokens))
        for term, count in lexing.path_counts(path).items():
            _put(self._path, [self._vocabulary.terms[term]] * len(places), places, repeat(count, len(places)))
        for word, weight in lexing.name_terms(path, ()).items():
            _put(self._names, [self._vocabulary.words[word]] * len(places), places, repeat(weight, len(places)))
        named = self._vocabulary.named.__getitem__
        weights = (lexing.NAME_WEIGHT, lexing.ENCLOSING_WEIGHT, lexing.SIGNATURE_WEIGHT)
        for place, sources in zip(places, names, strict=True):
            if sources[0]:
                words, shares = self._vocabulary.shares[sources[0][0]]
                _put(self._names, words, repeat(place, len(words)), shares)
            for texts, weight in zip(sources, weights, strict=True):
                if not texts:
                    continue
                if weight == lexing.SIGNATURE_WEIGHT:
                    texts = lexing.tokens(" ".join(texts))
                own = named(texts[0]) if len(texts) == 1 else set().union(*map(named, texts))
                _put(self._names, own, repeat(place, len(own)), repeat(weight, len(own)))
        self._chunks += len(tokens)

    def terms(self) -> tuple[FieldTerms, FieldTerms]:
        """The postings of the body and of the name field of all that was added."""
        self._vocabulary.learn()
        body = _postings(self._vocabulary.terms, self._chunks, *self._body())
        names = _postings(self._vocabulary.words, self._chunks, *(np.array(c, dtype=np.int64) for c in self._names))
        return body, names

    def _body(self) -> tuple[Ints, Ints, Ints]:
        """(term, chunk, count) in any order; several for one pair are to be added up."""
        tokens = np.concatenate(self._tokens) if self._tokens else np.zeros(0, dtype=np.int64)
        chunks = np.repeat(np.arange(self._chunks), np.array(self._lengths, dtype=np.int64))
        keys = (tokens << 32) | chunks
        keys.sort()
        heads = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: keys.size])
        counts = np.diff(np.r_[heads, keys.size])
        tokens, chunks = keys[heads] >> 32, keys[heads] & 0xFFFFFFFF
        # the terms of each token, as often as it stands in a chunk
        distinct = tokens[np.flatnonzero(np.r_[True, tokens[1:] != tokens[:-1]][: tokens.size])]
        terms = [self._vocabulary.terms_of[token] for token in distinct.tolist()]
        sizes = np.fromiter(map(len, terms), np.int64, len(terms))
        flat = np.fromiter(chain.from_iterable(terms), np.int64, int(sizes.sum()))
        place = np.searchsorted(distinct, tokens)
        times = sizes[place]
        starts = np.repeat((np.cumsum(sizes) - sizes)[place] - (np.cumsum(times) - times), times)
        own = flat[starts + np.arange(starts.size)]
        path = [np.array(column, dtype=np.int64) for column in self._path]
        return (
            np.concatenate([own, path[0]]),
            np.concatenate([np.repeat(chunks, times), path[1]]),
            np.concatenate([np.repeat(counts, times), path[2]]),
        )


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
