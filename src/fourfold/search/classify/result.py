"""What a rule says before it becomes an Intent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold.model import Direction, IntentName


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that matches. ``start`` and ``end`` are the subject's place in the normalised text, or -1."""

    rule: str
    name: IntentName
    confidence: float
    cue: str = ""
    subject: str | None = None
    start: int = -1
    end: int = -1
    direct: bool = False
    direction: Direction | None = None
    language: str = "und"
    relation: str = ""
    pattern: Literal["", "literal", "regex", "path", "code", "ast", "construct"] = ""
