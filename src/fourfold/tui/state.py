"""What is remembered of a root between runs: questions asked, how the panes stood, the preset, the theme."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

MAX_QUESTIONS = 300


@dataclass
class Remembered:
    questions: list[str] = field(default_factory=list)
    #: Shares of the panes: three columns; two columns with their height over the third.
    wide: list[int] = field(default_factory=lambda: [27, 40, 33])
    medium: list[int] = field(default_factory=lambda: [42, 58])
    medium_height: list[int] = field(default_factory=lambda: [58, 42])
    #: The list and the arithmetic together, for a projector.
    large: bool = False
    preset: str = ""
    theme: str = ""

    def asked(self, text: str) -> None:
        """``text`` is now the newest question."""
        text = text.strip()
        if text:
            self.questions = [each for each in self.questions if each != text][-MAX_QUESTIONS + 1 :] + [text]

    def merge(self, other: Remembered) -> None:
        """Keep the questions that another window asked meanwhile, before those of this one."""
        own = set(self.questions)
        self.questions = ([each for each in other.questions if each not in own] + self.questions)[-MAX_QUESTIONS:]


def load(path: Path) -> Remembered:
    """What ``path`` holds; whatever is missing or broken in it is as at the start."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return Remembered()
    fresh = Remembered()
    if isinstance(data, dict):
        for entry in fields(Remembered):
            if _fits(getattr(fresh, entry.name), data.get(entry.name), entry.name):
                setattr(fresh, entry.name, data[entry.name])
    return fresh


def _fits(default: Any, value: Any, name: str) -> bool:
    if isinstance(default, bool | str):
        return type(value) is type(default)
    if not isinstance(value, list):
        return False
    if name == "questions":
        return all(isinstance(each, str) for each in value)
    return len(value) == len(default) and all(isinstance(each, int) and 5 <= each <= 95 for each in value)


def save(path: Path, remembered: Remembered) -> None:
    """Write it in one step, readable by this user alone; a full disk is no reason to stop."""
    scratch = path.with_name(path.name + ".new")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handle:
            json.dump(asdict(remembered), handle)
        os.replace(scratch, path)
