"""After fusion, the results that are shown get their text: snippet, matched lines, and whether the file has changed.

Only these are read, not every hit of every list, nor a file's other hits, which are cited when they are shown; no score
changes here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fourfold.lexing import light_stem, porter, split_identifier
from fourfold.model import Contribution, MatchedTerm, Modality, Result
from fourfold.store.interface import FileText, Reader

#: A snippet holds at most this many lines (more where a list names a later line of the chunk), and characters a line.
SNIPPET_LINES = 40
SNIPPET_WIDTH = 400
#: How many lines are named for one matched term.
MAX_LINES = 50

#: The modalities whose evidence in words is looked up in the text.
_IN_WORDS: tuple[Modality, ...] = ("text", "structural")
_TOKEN = re.compile(r"\w+")


def cite(reader: Reader, words: Sequence[str], results: Sequence[Result]) -> list[Result]:
    """The same results with snippet, lines and staleness; a file that vanished is marked stale."""
    files = {result.path: reader.file(result.path) for result in results}
    ids = [file.id for file in files.values() if file is not None]
    texts = {text.path: text for text in reader.texts(ids)}
    stems = {porter(word): word for word in words} | {light_stem(word): word for word in words}
    cited = []
    for result in results:
        text = texts.get(result.path)
        if text is None:
            cited.append(replace(result, stale=True))
            continue
        lines = text.data.split(b"\n")
        cited.append(_cite_one(result, lines, text, stems))
    return cited


def _cite_one(result: Result, lines: Sequence[bytes], text: FileText, stems: Mapping[str, str]) -> Result:
    chunk = [_decode(line) for line in lines[result.start_line - 1 : result.end_line]]
    matched = matched_terms(chunk, result.start_line, stems)
    contributions = tuple(_with_matches(part, matched) for part in result.contributions)
    found = {line for part in contributions for term in part.evidence.matched for line in term.lines}
    kept = max(SNIPPET_LINES, *(line - result.start_line + 1 for line in (0, *result.matched_lines)))
    return replace(
        result,
        contributions=contributions,
        matched_lines=tuple(sorted({*result.matched_lines, *found})),
        stale=text.stale,
        snippet="\n".join(line[:SNIPPET_WIDTH] for line in chunk[:kept]),
    )


def _with_matches(part: Contribution, matched: tuple[MatchedTerm, ...]) -> Contribution:
    in_words = part.modality in _IN_WORDS and part.evidence.match in ("", "words")
    if not in_words or part.evidence.matched or not matched:
        return part
    return replace(part, evidence=replace(part.evidence, matched=matched))


def matched_terms(lines: Sequence[str], first: int, stems: Mapping[str, str]) -> tuple[MatchedTerm, ...]:
    """The words of ``lines`` (from line number ``first``) with one of the wanted stems, as they are written there."""
    places: dict[str, dict[int, None]] = {}
    for number, line in enumerate(lines, first):
        for token in _TOKEN.findall(line[:SNIPPET_WIDTH]):
            for part in (*split_identifier(token), token.lower()):
                if porter(part) in stems or light_stem(part) in stems:
                    places.setdefault(part, {})[number] = None
    return tuple(MatchedTerm(term, tuple(numbers)[:MAX_LINES]) for term, numbers in sorted(places.items()))


def _decode(line: bytes) -> str:
    return line.rstrip(b"\r").decode("utf-8", "replace")
