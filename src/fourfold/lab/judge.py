"""Grades that a person gives to results, one JSON line each, in the form that `fourfold evaluate` reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from fourfold.model import Result

#: What each grade means, as the screen words it.
GRADES: Mapping[int, str] = {0: "no answer", 1: "touches on it", 2: "helps to answer", 3: "the answer"}


#: What a grade is given to: path, first line, last line.
Place = tuple[str, int, int]


def place_of(result: Result) -> Place:
    return (result.path, result.start_line, result.end_line)


def grade_line(query: str, result: Result, grade: int) -> str:
    """One line of the file. Raises ValueError for a grade that is none of `GRADES`, or a question without words."""
    if grade not in GRADES:
        raise ValueError(f"a grade is 0, 1, 2 or 3, not {grade}")
    if not query.strip():
        raise ValueError("there is no question to grade a result for")
    row = {
        "query": query.strip(),
        "path": result.path,
        "start_line": result.start_line,
        "end_line": result.end_line,
        "grade": grade,
    }
    return json.dumps(row) + "\n"


def keep_grade(file: Path, query: str, result: Result, grade: int) -> None:
    """Add a grade to ``file`` (made when it is missing, for this user alone); a later one of a place counts."""
    line = grade_line(query, result, grade)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        torn = b""
        if size:
            handle.seek(size - 1)
            torn = b"" if handle.read(1) == b"\n" else b"\n"
        handle.write(torn + line.encode("ascii"))


def grades_of(file: Path, query: str) -> dict[Place, int]:
    """(path, first line, last line) → grade for one question; lines that cannot be read are passed over."""
    found: dict[Place, int] = {}
    try:
        lines = file.read_text("utf-8", "replace").split("\n")
    except OSError:
        return found
    for line in lines:
        try:
            row = json.loads(line)
            if row["query"] == query.strip() and row["grade"] in GRADES:
                found[(str(row["path"]), int(row["start_line"]), int(row["end_line"]))] = int(row["grade"])
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
    return found
