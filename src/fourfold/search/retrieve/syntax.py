"""Syntax: raw tree-sitter queries and named constructs, run over the files themselves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

from fourfold.languages import parsed_languages
from fourfold.languages.constructs import ConstructError, check_brackets, find_construct, run_construct, run_query
from fourfold.model import Evidence, File, Hit, HitList, Term
from fourfold.search.retrieve.request import Request, best_first, total_of

Matcher = Callable[[str, bytes], list[tuple[int, int, str]]]


def find_syntax(request: Request) -> HitList:
    """The chunks that hold a match, files in the order of promise, until the time budget is used up."""
    try:
        matcher, how = _matcher(request)
        hits, partial = _scan(request, matcher)
    except ConstructError as error:
        return HitList("structural", "failed", error=str(error), confident=False)
    hits = best_first(request.table, hits)
    return HitList("structural", "ran", tuple(hits[: request.depth]), how=how, partial=partial, confident=bool(hits))


def _matcher(request: Request) -> tuple[Matcher, str]:
    subject = request.intent.subject or ""
    if request.intent.pattern == "ast":
        check_brackets(subject)
        return (lambda language, data: run_query(language, data, subject)), "syntax query"
    construct = find_construct(request.query)
    if construct is None:
        raise ConstructError(f"no construct is called “{request.query}”")
    return (lambda language, data: run_construct(construct, language, data)), f"construct: {construct.name}"


def _scan(request: Request, matcher: Matcher) -> tuple[list[Hit], bool]:
    hits: list[Hit] = []
    files = {file.id: file for file in _files(request)}
    for text in request.reader.texts(list(files)):
        if request.expired():
            return hits, True
        found = matcher(files[text.file_id].language, text.data)
        if found:
            hits += _hits(request, files[text.file_id], found, text.data.split(b"\n"))
    return hits, False


def _files(request: Request) -> list[File]:
    """Files with a grammar that the filters admit, the code itself before tests and the like."""
    languages = parsed_languages()
    files = [file for file in request.reader.files() if file.language in languages]
    if request.allowed is not None:
        admitted = set(request.table.file_ids[request.allowed].tolist())
        files = [file for file in files if file.id in admitted]
    return sorted(files, key=lambda file: (request.is_demoted(file.path), file.path))


def _hits(request: Request, file: File, found: list[tuple[int, int, str]], lines: list[bytes]) -> Iterator[Hit]:
    """One hit a chunk: the chunk in which a match begins."""
    chunks = [chunk for chunk in request.reader.chunks_of_file(file.id) if request.admits(chunk.id)]
    places = [chunk.start_line for chunk in chunks]
    grouped: dict[int, list[tuple[int, int, str]]] = {}
    for start, end, name in found:
        place = bisect_right(places, start) - 1
        if place >= 0 and start <= chunks[place].end_line:
            grouped.setdefault(place, []).append((start, end, name))
    for place, matches in grouped.items():
        chunk = chunks[place]
        terms = [Term("syntax match", "+", 10.0)]
        if request.is_demoted(file.path):
            terms.append(Term("outside the code itself", "+", -5.0))
        terms.append(Term("centrality", "+", chunk.centrality / (1.0 + chunk.centrality)))
        parts = tuple(terms)
        start, end, name = matches[0]
        line = _line_of(name, lines, start, end)
        evidence = Evidence(terms=parts, symbol=name if line else "", match="syntax", symbol_line=line)
        yield Hit(chunk.id, total_of(parts), evidence, lines=tuple(sorted({start for start, _, _ in matches})))


def _line_of(name: str, lines: list[bytes], start: int, end: int) -> int:
    """The first line of a match that holds its name (decorators and comments may stand above it); 0 for none."""
    wanted = name.rpartition(".")[2].encode("utf-8", "surrogateescape")
    return next((n for n in range(start, min(end, len(lines)) + 1) if wanted and wanted in lines[n - 1]), 0)
