"""A batch of files made ready for the index, as far as that goes without the numbers that only its writer can give.

The processes that parse do this work, side by side; the writer, of which there is one, adds numbers and inserts. A
parcel is plain lists, bytes and arrays, so it travels between processes at little cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fourfold.model import LedgerEntry
from fourfold.store import graph
from fourfold.store.blocks import Blocks, pack_blocks
from fourfold.store.interface import FieldTerms, IndexedFile, Ints
from fourfold.store.layout import CHUNK_WIDTH
from fourfold.store.packs import encode_postings, encode_sets, encode_varints
from fourfold.store.schema import clean
from fourfold.store.symbols import module_symbol, pack_details, symbol_row

_MAX_COUNT = 65_535


@dataclass(frozen=True, slots=True)
class FileHead:
    """One file's row, all but its numbers. ``details`` are its symbols' signatures, packed; ``code`` says whether it
    has anything beside text."""

    path: str
    language: int
    size: int
    mtime_ns: int
    digest: str
    lines: int
    module: str
    symbols: int
    references: int
    details: bytes
    code: bool
    ledger: LedgerEntry


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of small numbers (n, width) of all files, and how many each file has."""

    values: NDArray[np.int32]
    counts: Ints


@dataclass(frozen=True, slots=True)
class Pack:
    """The postings of a batch: body terms, name terms and trigrams; documents are counted from 0."""

    size: int
    values: tuple[bytes, bytes]
    sections: tuple[Blocks, Blocks, Blocks]


@dataclass(frozen=True, slots=True)
class Parcel:
    """``names`` and ``labels`` are the texts that the numbers in the rows stand for, in this parcel alone.

    ``symbols`` are the columns of the table of that name, without the id; kinds are numbers of ``labels``.
    """

    files: tuple[FileHead, ...]
    names: list[str]
    labels: list[str]
    chunks: Rows
    references: Rows
    imports: Rows
    bindings: Rows
    symbols: tuple[Sequence[object], ...]
    pack: Pack

    @property
    def paths(self) -> list[str]:
        return [file.path for file in self.files]


class _Numbers(dict[str, int]):
    """Gives each key a number when it is first asked for."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class _Collected:
    """Rows of one kind while they come in."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.parts: list[NDArray[np.int32]] = []
        self.counts: list[int] = []

    def add(self, rows: Sequence[tuple[int, ...]]) -> None:
        flat = np.fromiter(chain.from_iterable(rows), np.int32, len(rows) * self.width)
        self.parts.append(flat.reshape(-1, self.width))
        self.counts.append(len(rows))

    def done(self) -> Rows:
        values = np.concatenate(self.parts) if self.parts else np.zeros((0, self.width), np.int32)
        return Rows(values, np.array(self.counts, dtype=np.int64))


class Packer:
    """Takes files one by one, so that no more than one of them is held as objects."""

    def __init__(self) -> None:
        self._files: list[FileHead] = []
        self._names, self._labels = _Numbers({"": 0}), _Numbers()
        self._chunks = _Collected(CHUNK_WIDTH)
        self._references = _Collected(graph.REFERENCE_WIDTH)
        self._imports = _Collected(graph.IMPORT_WIDTH)
        self._bindings = _Collected(graph.BINDING_WIDTH)
        self._symbols: list[tuple[object, ...]] = []
        self._trigrams: list[Ints] = []

    def __len__(self) -> int:
        return len(self._files)

    def add(self, file: IndexedFile) -> None:
        """Take one file. Raises ValueError (and takes nothing) for a kind of reference that there is not."""
        parsed, names, labels = file.parsed, self._names, self._labels
        module = module_symbol(file.path, parsed)
        symbols = [*([module] if module else []), *parsed.symbols]
        shift = len(symbols) - len(parsed.symbols)

        def ordinal(holder: int) -> int:
            # ordinal + 1 among the file's symbols; outside definitions the module's, or 0 when it has none
            return holder + shift + 1 if holder >= 0 else shift

        codes = {kind: graph.kind_code(kind) for kind in {r.kind for r in parsed.references}}
        references = [
            (names[name], codes[kind], line, column, holder + shift + 1 if holder >= 0 else shift, names[receiver])
            for name, kind, line, column, holder, receiver in parsed.references
        ]
        imports = [
            (names[i.module], names[i.name], names[i.alias], i.level, ordinal(i.holder), int(i.exported), i.line)
            for i in parsed.imports
        ]
        bindings = [(ordinal(b.holder), names[b.name], names[b.type_name], b.line) for b in parsed.bindings]
        chunks = [
            (c.start_line, c.end_line - c.start_line, labels[c.kind], c.symbol + shift + 1 if c.symbol >= 0 else 0, 0)
            for c in parsed.chunks
        ]
        self._files.append(
            FileHead(
                path=file.path,
                language=labels[parsed.language],
                size=file.size,
                mtime_ns=file.mtime_ns,
                digest=file.digest,
                lines=parsed.lines,
                module=clean(file.module),
                symbols=len(symbols),
                references=len(references),
                details=pack_details(symbols) if symbols else b"",
                code=bool(symbols or references or imports or bindings),
                ledger=file.ledger,
            )
        )
        self._references.add(references)
        self._imports.add(imports)
        self._bindings.add(bindings)
        self._chunks.add(chunks)
        self._symbols.extend(
            symbol_row(symbol, labels[symbol.kind], symbol.parent + shift + 1 if symbol.parent >= 0 else 0)
            for symbol in symbols
        )
        self._trigrams.append(np.asarray(file.trigrams, dtype=np.int64))

    def done(self, body: FieldTerms, names: FieldTerms) -> Parcel:
        """The parcel of all files that were taken, with the terms of their chunks."""
        chunks = self._chunks.done()
        chunks.values[:, 4] = np.minimum(body.lengths, np.iinfo(np.int32).max)
        return Parcel(
            files=tuple(self._files),
            names=[clean_name(text) for text in self._names],
            labels=[clean(text) for text in self._labels],
            chunks=chunks,
            references=self._references.done(),
            imports=self._imports.done(),
            bindings=self._bindings.done(),
            symbols=tuple(zip(*self._symbols, strict=True)),
            pack=_pack(body, names, self._trigrams),
        )


def pack_files(files: Sequence[IndexedFile]) -> Parcel:
    """The parcel of files that carry their terms. Raises ValueError when those are not given for each chunk."""
    packer = Packer()
    for file in files:
        if not len(file.body) == len(file.names) == len(file.parsed.chunks):
            raise ValueError(f"{file.path}: terms must be given for each chunk")
        packer.add(file)
    body, names = ([maps for file in files for maps in getattr(file, field)] for field in ("body", "names"))
    return packer.done(_turned(body), _turned(names))


def clean_name(text: str) -> str:
    return clean(text).replace("\n", " ")


# --------------------------------------------------------------------------- postings


def _pack(body: FieldTerms, names: FieldTerms, trigrams: Sequence[Ints]) -> Pack:
    size = 0
    values: list[bytes] = []
    sections: list[Blocks] = []
    for field in (body, names):
        words, sizes, chunks, counts = _storable(field)
        known, codes = code_counts(np.minimum(counts, _MAX_COUNT))
        data, lengths = encode_postings(sizes, chunks, codes)
        sections.append(pack_blocks(words, data, lengths))
        values.append(encode_varints(known)[0].tobytes())
        size += len(data)
    grams, sizes, files = _gather_trigrams(trigrams)
    data, lengths = encode_sets(sizes, files, len(trigrams))
    sections.append(pack_blocks(grams.tolist(), data, lengths))
    return Pack(size + len(data), (values[0], values[1]), (sections[0], sections[1], sections[2]))


def _storable(field: FieldTerms) -> tuple[Sequence[str], Ints, Ints, Ints]:
    """(words, sizes, chunks, counts) without the words that a list of lines of UTF-8 cannot hold."""
    bad = [place for place, word in enumerate(field.words) if not _is_storable(word)]
    if not bad:
        return field.words, field.sizes, field.chunks, field.counts
    kept = np.ones(len(field.words), dtype=bool)
    kept[bad] = False
    rows = np.repeat(kept, field.sizes)
    words = [word for word, keep in zip(field.words, kept.tolist(), strict=True) if keep]
    return words, field.sizes[kept], field.chunks[rows], field.counts[rows]


def _is_storable(word: str) -> bool:
    if "\n" in word:
        return False
    if word.isascii():
        return True
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _gather_trigrams(grams: Sequence[Ints]) -> tuple[Ints, Ints, Ints]:
    """Distinct trigrams in order, files a trigram, and all files (by place) by trigram."""
    sizes = np.array([part.size for part in grams], dtype=np.int64)
    joined = np.concatenate(grams) if grams else np.zeros(0, dtype=np.int64)
    keys = (joined << 32) | np.repeat(np.arange(len(grams)), sizes)
    keys.sort()
    return (*runs(keys >> 32), keys & 0xFFFFFFFF)


def runs(values: Ints) -> tuple[Ints, Ints]:
    """The distinct ones of sorted ``values`` and how often each stands there."""
    if not values.size:
        return values, values
    heads = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    return values[heads], np.diff(np.r_[heads, values.size])


def _turned(maps: Sequence[Mapping[str, int]]) -> FieldTerms:
    """Mappings by chunk turned round."""
    words = list(chain.from_iterable(maps))
    numbers = np.fromiter(chain.from_iterable(m.values() for m in maps), dtype=np.int64, count=len(words))
    docs = np.repeat(np.arange(len(maps)), np.fromiter(map(len, maps), dtype=np.int64, count=len(maps)))
    lengths = np.array([sum(m.values()) for m in maps], dtype=np.int64)
    keep = numbers > 0
    vocabulary = sorted({word for word, kept in zip(words, keep.tolist(), strict=True) if kept})
    index: Iterable[int] = map({word: n for n, word in enumerate(vocabulary)}.get, words, [0] * len(words))
    groups = np.fromiter(index, dtype=np.int64, count=len(words))[keep]
    order = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups, minlength=len(vocabulary)).astype(np.int64)
    return FieldTerms(vocabulary, sizes, docs[keep][order], numbers[keep][order], lengths)


def code_counts(numbers: Ints) -> tuple[Ints, Ints]:
    """The distinct ``numbers``, the most frequent first, and the place of each number among them."""
    often = np.bincount(numbers)
    known = np.flatnonzero(often)
    often = often[known]
    order = np.argsort(-often, kind="stable")
    rank = np.zeros(int(known.max(initial=0)) + 1, dtype=np.int64)
    rank[known[order]] = np.arange(order.size)
    return known[order], rank[numbers]
