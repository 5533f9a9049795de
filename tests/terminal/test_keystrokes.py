"""docs/keystrokes.md is true: its keys do what it says, and its counts are what its keys add up to."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import NamedTuple

import pytest
from driving import driven

PAGE = Path(__file__).parents[2] / "docs" / "keystrokes.md"
NAMED = re.compile(r"(?:ctrl|alt|shift)\+\w+|enter|escape|tab|space|up|down|left|right|f1")


class Task(NamedTuple):
    """``ours`` and ``theirs`` as (keys, count), the keys one a token; the count is -1 where nothing can be pressed."""

    name: str
    ours: tuple[list[str], int]
    shows: str
    theirs: tuple[list[str], int]


def tasks() -> list[Task]:
    rows = []
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        if len(cells) == 6 and cells[2].isdecimal():
            name, ours, count, shows, theirs, other = cells
            more = int(other) if other.isdecimal() else -1
            rows.append(Task(name, (tokens(ours), int(count)), shows.strip("`"), (tokens(theirs), more)))
    return rows


def tokens(cell: str) -> list[str]:
    return [token for word in re.findall(r"`([^`]*)`", cell) for token in word.split()]


def count(keys: list[str]) -> int:
    """A key that is named counts one; what is typed counts its letters."""
    return sum(1 if NAMED.fullmatch(token) else len(token) for token in keys)


def test_the_counts_are_those_of_the_keys_and_ours_are_less_than_half() -> None:
    rows = tasks()
    assert len(rows) == 10
    for task in rows:
        assert task.ours[1] == count(task.ours[0]), f"{task.name}: ours are {count(task.ours[0])}"
        assert max(0, task.theirs[1]) == count(task.theirs[0]), f"{task.name}: theirs are {count(task.theirs[0])}"
    both = [task for task in rows if task.theirs[1] >= 0]
    ours, theirs = sum(task.ours[1] for task in both), sum(task.theirs[1] for task in both)
    assert ours <= theirs / 2
    assert f"{ours} keys against {theirs}" in PAGE.read_text("utf-8")


async def test_our_keys_do_what_the_page_says(
    indexed: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = indexed
    monkeypatch.setenv("FOURFOLD_CACHE", str(cache))
    monkeypatch.setenv("FOURFOLD_STATE", str(tmp_path / "state"))
    editor = tmp_path / "subl"
    editor.write_text("#!/bin/sh\n")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    async with driven(root, (160, 42), environ={"PATH": "/usr/bin:/bin", "EDITOR": str(editor)}) as user:
        for task in tasks():
            for token in task.ours[0]:
                if len(token) == 1 or NAMED.fullmatch(token):
                    await user.press(token)
                else:
                    await user.write(token.replace("␣", " "))
                await user.settle()
            try:
                await user.until(task.shows)
            except AssertionError as error:
                raise AssertionError(f"{task.name}: {error}") from None
