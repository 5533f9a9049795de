"""The path factor: what is vendored, generated, a test, an example or prose stands lower, unless it is asked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib import resources

from fourfold.model import Intent
from fourfold.search.fuse import NO_DEMOTION, Demotion


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of ``demotions.toml``; a file matches by folder or by name."""

    reason: str
    factor: float
    folders: frozenset[str]
    files: re.Pattern[str] | None
    asked: frozenset[str]
    intents: frozenset[str]

    def matches(self, path: str) -> bool:
        *folders, name = path.split("/")
        return any(folder in self.folders for folder in folders) or (
            self.files is not None and self.files.match(name) is not None
        )


def read_rules(text: str) -> tuple[Rule, ...]:
    """Rules from TOML text. Raises `tomllib.TOMLDecodeError` or `KeyError` for a bad file."""
    return tuple(
        Rule(
            reason=row["reason"],
            factor=float(row["factor"]),
            folders=frozenset(row.get("folders", ())),
            files=_any_of(row["files"]) if row.get("files") else None,
            asked=frozenset(row.get("asked", ())),
            intents=frozenset(row.get("intents", ())),
        )
        for row in tomllib.loads(text)["rule"]
    )


def _any_of(globs: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{translate(glob)})" for glob in globs))


@cache
def default_rules() -> tuple[Rule, ...]:
    """The rules that ship with the package."""
    return read_rules(resources.files("fourfold.search").joinpath("demotions.toml").read_text("utf-8"))


def rules_for(question: str, intent: Intent, rules: tuple[Rule, ...] | None = None) -> tuple[Rule, ...]:
    """The rules that hold for a question: without those whose files it asks for."""
    words = {word.lower() for word in re.findall(r"\w+", question)}
    if intent.relation == "test":
        words.add("tests")
    return tuple(
        rule
        for rule in (default_rules() if rules is None else rules)
        if not rule.asked & words and (not rule.intents or intent.name in rule.intents)
    )


def demotion_of(path: str, rules: tuple[Rule, ...]) -> Demotion:
    """The first rule that matches a file, as its factor and reason."""
    for rule in rules:
        if rule.matches(path):
            return Demotion(rule.factor, rule.reason)
    return NO_DEMOTION
