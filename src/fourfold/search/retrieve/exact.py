"""Exact strings, regular expressions and paths: trigrams give candidate files, and every hit is verified in the file.

Candidates are taken in the order of promise (code before tests and the like, then by path), so a scan that its time
budget cuts has seen the best; it then says that it is partial.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import regex

from fourfold.lexing import fold_ascii, trigrams
from fourfold.model import Chunk, Evidence, File, Hit, HitList, MatchedTerm, Notice, Term
from fourfold.search.retrieve.request import Request, best_first, total_of
from fourfold.search.retrieve.required import required_trigrams

#: Lines that one hit names at most: enough to jump between, bounded for a one-letter literal.
MAX_LINES = 200

#: Byte offsets (start, end) of the matches in a file.
Finder = Callable[[bytes], Iterator[tuple[int, int]]]


def find_literal(request: Request, literal: str) -> HitList:
    """Where ``literal`` occurs, byte for byte; if it does nowhere, where it occurs but for ASCII case (and says so)."""
    needle = literal.encode("utf-8", "surrogateescape")
    grams = sorted(trigrams(needle))
    exact, partial = _scan(request, grams, lambda data: _occurrences(data, needle), "exact text")
    if exact or partial:
        return _list(request, exact, f"exact text “{_short(literal)}”", partial)
    folded = fold_ascii(needle)
    loose, partial = _scan(request, grams, lambda data: _occurrences(fold_ascii(data), folded), "text but for case")
    notices = (Notice("literal_absent", f"“{_short(literal)}” occurs only in another case"),) if loose else ()
    return _list(request, loose, "exact text, ignoring case", partial, notices)


def find_regex(request: Request, pattern: str) -> HitList:
    """Where the regular expression matches, line by line. A pattern that requires no text is a bounded scan.

    A bad pattern gives a failed list with one clear line.
    """
    try:
        compiled = regex.compile(pattern.encode("utf-8", "surrogateescape"), regex.MULTILINE)
    except regex.error as error:
        return HitList("text", "failed", error=f"bad regular expression: {error}", confident=False)

    cut: list[bool] = []

    def matches(data: bytes) -> Iterator[tuple[int, int]]:
        left = max(0.01, request.deadline - _now())
        try:
            for match in compiled.finditer(data, timeout=left):
                if b"\n" in match[0]:
                    yield from _within_lines(compiled, data, match.start(), match.end(), left)
                else:
                    yield match.start(), match.end()
        except TimeoutError:
            cut.append(True)

    grams = required_trigrams(pattern)
    hits, partial = _scan(request, sorted(grams), matches, "regular expression")
    how = f"regular expression, {len(grams)} trigrams required" if grams else "regular expression, whole scan"
    return replace(_list(request, hits, how, partial or bool(cut)), confident=bool(hits))


def _within_lines(
    compiled: regex.Pattern[bytes], data: bytes, start: int, end: int, timeout: float
) -> Iterator[tuple[int, int]]:
    """The matches of single lines in place of one that runs over a line break (``\\s`` and ``[^x]`` do)."""
    begin = data.rfind(b"\n", 0, start) + 1
    while begin < end:
        stop = data.find(b"\n", begin)
        stop = len(data) if stop < 0 else stop
        match = compiled.search(data[begin:stop], timeout=timeout)
        if match is not None:
            yield begin + match.start(), begin + match.end()
        begin = stop + 1


def find_path(request: Request, wanted: str) -> HitList:
    """The files whose path ends with ``wanted`` (case-sensitive first), by their first chunk."""
    name = wanted.replace("\\", "/").removeprefix("./").strip("/")
    hits = []
    for file in request.reader.files():
        exact = file.path == name or file.path.endswith("/" + name)
        if not exact and not ("/" + file.path.casefold()).endswith("/" + name.casefold()):
            continue
        chunk = next((c for c in request.reader.chunks_of_file(file.id) if request.admits(c.id)), None)
        if chunk is None:
            continue
        terms = (
            Term("path", "+", 10.0 if exact else 9.0),
            Term("shorter path", "+", 1.0 / (1 + file.path.count("/"))),
        )
        hits.append(Hit(chunk.id, total_of(terms), Evidence(terms=terms, match="path"), lines=(chunk.start_line,)))
    hits = best_first(request.table, hits)
    return _list(request, hits, f"path {_short(name)}", False)


def _list(request: Request, hits: Sequence[Hit], how: str, partial: bool, notices: tuple[Notice, ...] = ()) -> HitList:
    """The list down to its depth; who asks for a literal expects every place, so one that is cut says so."""
    depth = request.depth
    if len(hits) > depth:
        text = f"the list ends at its depth of {depth} chunks; --depth {len(hits)} shows more"
        notices = (*notices, Notice("partial", text))
    return HitList("text", "ran", tuple(hits[:depth]), how=how, partial=partial, notices=notices)


def _scan(request: Request, grams: Sequence[int], find: Finder, label: str) -> tuple[list[Hit], bool]:
    """Every hit, best first, and whether the time budget cut the scan."""
    files = _by_promise(request, [int(file) for file in request.reader.candidates(grams)])
    hits: list[Hit] = []
    partial = False
    for text in request.reader.texts([file.id for file in files]):
        if request.expired():
            partial = True
            break
        hits += _hits_in_file(request, text.file_id, text.data, find, label)
    hits = best_first(request.table, hits)
    return hits, partial


def _by_promise(request: Request, file_ids: Sequence[int]) -> list[File]:
    files = request.reader.files_by_id(file_ids)
    if request.allowed is not None:
        admitted = set(request.table.file_ids[request.allowed].tolist())
        files = {number: file for number, file in files.items() if number in admitted}
    return sorted(files.values(), key=lambda file: (request.is_demoted(file.path), file.path))


def _hits_in_file(request: Request, file_id: int, data: bytes, find: Finder, label: str) -> Iterator[Hit]:
    found = list(find(data))
    if not found:
        return
    newlines = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    starts = np.array([start for start, _ in found])
    numbers = np.searchsorted(newlines, starts, side="left") + 1
    by_line = request.reader.chunks_at(file_id, numbers.tolist())
    chunks = {chunk.id: chunk for chunk in by_line.values() if request.admits(chunk.id)}
    grouped: dict[int, list[int]] = {}
    for index, line in enumerate(numbers.tolist()):
        if line in by_line and by_line[line].id in chunks:
            grouped.setdefault(by_line[line].id, []).append(index)
    for number, indices in grouped.items():
        chunk = chunks[number]
        whole = any(_is_whole_word(data, *found[i]) for i in indices)
        lines = tuple(dict.fromkeys(int(numbers[i]) for i in indices))
        matched = _as_written(data, [(*found[i], int(numbers[i])) for i in indices])
        yield _hit(chunk, lines, len(indices), whole, label, matched)


def _as_written(data: bytes, found: Iterable[tuple[int, int, int]]) -> tuple[MatchedTerm, ...]:
    """What matched, as it stands in the file (of a longer match its first line), with its lines."""
    places: dict[str, dict[int, None]] = {}
    for start, end, line in found:
        text = data[start:end].split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8", "replace")
        if text.strip() and (text in places or len(places) < MAX_LINES):
            places.setdefault(text, {})[line] = None
    return tuple(MatchedTerm(text, tuple(lines)[:MAX_LINES]) for text, lines in places.items())


def _hit(
    chunk: Chunk, lines: tuple[int, ...], count: int, whole: bool, label: str, matched: tuple[MatchedTerm, ...]
) -> Hit:
    terms = [Term(label, "+", 10.0), Term(f"occurrences ×{count}", "+", math.log1p(count))]
    if whole:
        terms.append(Term("whole word", "+", 1.0))
    if chunk.symbol_line and chunk.symbol_line in lines:
        terms.append(Term("on the line of a definition", "+", 1.0))
    parts = tuple(terms)
    kept = lines[:MAX_LINES]
    return Hit(chunk.id, total_of(parts), Evidence(terms=parts, matched=matched), lines=kept)


def _occurrences(data: bytes, needle: bytes) -> Iterator[tuple[int, int]]:
    start = data.find(needle)
    while start >= 0:
        yield start, start + len(needle)
        start = data.find(needle, start + len(needle))


_WORD = re.compile(rb"\w")


def _is_whole_word(data: bytes, start: int, end: int) -> bool:
    before, after = data[start - 1 : start] if start else b"", data[end : end + 1]
    return not (_WORD.match(before) and _WORD.match(data[start : start + 1])) and not (
        _WORD.match(after) and _WORD.match(data[end - 1 : end])
    )


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _now() -> float:
    import time

    return time.monotonic()
