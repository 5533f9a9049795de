"""TREC's plain text forms, in and out: topics (``id<TAB>question``), qrels (``id 0 document grade``) and runs
(``id Q0 document rank score tag``).

A document is a path, or a path with lines (``src/a.py:12-40``). What would break a line into other fields, and every
colon and percent sign of the path itself, is percent-encoded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from fourfold.lab.judgements import BEST_GRADE, Judgement, JudgementError, Target, split_of
from fourfold.lab.metrics import Place, matches

_SAFE = "/-._~()+@,=!$&'*;[]{}#^"
_DOCUMENT = re.compile(r"(?P<path>[^:]+)(?::(?P<start>\d{1,9})-(?P<end>\d{1,9}))?")
#: One ranking of places a question, by its id.
Run = Mapping[str, tuple[Place, ...]]


def document(path: str, start: int | None = None, end: int | None = None) -> str:
    """A place as one TREC field."""
    name = quote(path, safe=_SAFE, errors="surrogateescape")
    return name if start is None or end is None else f"{name}:{start}-{end}"


def place(field: str, where: str) -> Place:
    """The place that a TREC field names. Raises `JudgementError`."""
    match = _DOCUMENT.fullmatch(field)
    if match is None:
        raise JudgementError(f"{where}: a document is PATH or PATH:START-END (a colon in a path is %3A): {field[:80]}")
    start, end = match["start"], match["end"]
    path = unquote(match["path"], errors="surrogateescape")
    return Place(path, int(start) if start else None, int(end) if end else None)


def write_topics(judgements: Sequence[Judgement]) -> str:
    return "".join(f"{j.id}\t{' '.join(j.query.split())}\n" for j in judgements)


def write_qrels(judgements: Sequence[Judgement]) -> str:
    return "".join(f"{j.id} 0 {document(t.path, t.start, t.end)} {t.grade}\n" for j in judgements for t in j.targets)


def write_run(rankings: Run, tag: str) -> str:
    """A run; the score only says the order (1/rank), as rankings of several plans are not on one scale."""
    return "".join(
        f"{number} Q0 {document(p.path, p.start, p.end)} {rank} {1 / rank:.6f} {tag}\n"
        for number, places in rankings.items()
        for rank, p in enumerate(places, 1)
    )


def named(judgement: Judgement, places: Sequence[Place]) -> tuple[Place, ...]:
    """``places``, each under the name of the best judged place that it matches and no earlier one has taken, as
    documents are matched by their names alone: with `write_qrels`, another evaluator finds what ours finds."""
    free = sorted(judgement.targets, key=lambda target: -target.grade)
    out = []
    for each in places:
        target = next((target for target in free if matches(target, each)), None)
        if target is None:
            out.append(each)
        else:
            free.remove(target)
            out.append(Place(target.path, target.start, target.end))
    return tuple(out)


def read_topics(text: str, name: str) -> dict[str, str]:
    """Question by id. Raises `JudgementError`."""
    found: dict[str, str] = {}
    for line, source in _lines(text):
        number, tab, query = source.partition("\t")
        if not tab or not number.strip() or not query.strip():
            raise JudgementError(f"{name}:{line}: a topic is an id, a tab and the question")
        found[number.strip()] = query.strip()
    return found


def read_qrels(text: str, name: str, topics: Mapping[str, str]) -> tuple[Judgement, ...]:
    """Judgements from qrels and the topics that they speak of. Raises `JudgementError`.

    Grades above 3 count as 3, negative ones as 0.
    """
    targets: dict[str, list[Target]] = {}
    for line, source in _lines(text):
        where, fields = f"{name}:{line}", source.split()
        if len(fields) != 4:
            raise JudgementError(f"{where}: qrels have four fields: id 0 document grade")
        number, _, field, grade = fields
        if number not in topics:
            raise JudgementError(f"{where}: no topic has the id {number}")
        try:
            value = min(max(int(grade), 0), BEST_GRADE)
        except ValueError:
            raise JudgementError(f"{where}: the grade is no whole number: {grade[:40]}") from None
        spot = place(field, where)
        targets.setdefault(number, []).append(Target(spot.path, value, spot.start, spot.end))
    return tuple(
        Judgement(number, topics[number], tuple(found), split_of(topics[number])) for number, found in targets.items()
    )


def read_run(text: str, name: str) -> Run:
    """A run, by its ranks. Raises `JudgementError`."""
    found: dict[str, list[tuple[int, Place]]] = {}
    for line, source in _lines(text):
        where, fields = f"{name}:{line}", source.split()
        if len(fields) != 6:
            raise JudgementError(f"{where}: a run has six fields: id Q0 document rank score tag")
        if not re.fullmatch(r"\d{1,9}", fields[3]):
            raise JudgementError(f"{where}: the rank is no whole number: {fields[3][:40]}")
        found.setdefault(fields[0], []).append((int(fields[3]), place(fields[2], where)))
    # the sort is stable: equal ranks stay in the order of the file
    return {number: tuple(p for _, p in sorted(rows, key=lambda row: row[0])) for number, rows in found.items()}


def read_results(text: str, name: str) -> Run:
    """The rankings in what ``fourfold evaluate --json`` printed, by question. Raises `JudgementError`."""
    try:
        rows = json.loads(text)["questions"]
        return {
            row["query"]: tuple(Place(r["path"], r["start_line"], r["end_line"]) for r in row["results"])
            for row in rows
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        raise JudgementError(f"{name}: neither a TREC run nor the output of fourfold evaluate --json") from None


def _lines(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
