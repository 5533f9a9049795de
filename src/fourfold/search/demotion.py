"""The path factor: what is vendored, generated, a test, an example or prose stands lower, unless it is asked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib import resources

from pathspec import GitIgnoreSpec

from fourfold.model import Intent
from fourfold.search.fuse import NO_DEMOTION, Demotion


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of ``demotions.toml``, or of the settings; a file matches by folder, by name or by the whole path."""

    reason: str
    factor: float
    folders: frozenset[str]
    files: re.Pattern[str] | None
    asked: frozenset[str]
    intents: frozenset[str]
    paths: GitIgnoreSpec | None = None

    def matches(self, path: str, folders: Sequence[str], name: str) -> bool:
        """Whether the rule holds for a path, which is ``folders`` and a ``name``."""
        return (
            not self.folders.isdisjoint(folders)
            or (self.files is not None and self.files.match(name) is not None)
            or (self.paths is not None and self.paths.match_file(path))
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


def own_rules(factors: Mapping[str, float]) -> tuple[Rule, ...]:
    """A person's own factors (glob of a path, as in an ignore file → 0 to 1), before the rules that ship."""
    none: frozenset[str] = frozenset()
    own = (
        Rule("your settings", factor, none, None, none, none, GitIgnoreSpec.from_lines([glob]))
        for glob, factor in factors.items()
    )
    return (*own, *default_rules())


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


#: How much code stands lower when a newer version of it stands beside it.
OLDER_VERSION = 0.5

_VERSION = re.compile(r"v(\d+)")


def older_versions(paths: Iterable[str]) -> frozenset[str]:
    """Folders called ``v1``, ``v2`` … that have a sibling with a higher number, as paths that end with ``/``."""
    newest: dict[str, int] = {}
    folders: set[tuple[str, int]] = set()
    for path in paths:
        parts = path.split("/")[:-1]
        for depth, part in enumerate(parts):
            match = _VERSION.fullmatch(part)
            if match:
                above, number = "/".join(parts[:depth]), int(match[1])
                folders.add((above, number))
                newest[above] = max(newest.get(above, 0), number)
    return frozenset(
        f"{above}/v{number}/" if above else f"v{number}/" for above, number in folders if number < newest[above]
    )


def demoter(
    question: str, intent: Intent, older: frozenset[str] = frozenset(), rules: tuple[Rule, ...] | None = None
) -> Callable[[str], Demotion]:
    """The path factor of every file for one question. ``older`` are the folders of `older_versions`; one that the
    question names is not demoted."""
    kept = rules_for(question, intent, rules)
    named = set(re.findall(r"\w+", question.lower()))
    folders = tuple(folder for folder in older if folder.rstrip("/").rpartition("/")[2] not in named)

    @cache  # a question meets each file in up to four lists, chunk by chunk
    def demote(path: str) -> Demotion:
        found = demotion_of(path, kept)
        if found.factor == 1.0 and path.startswith(folders):
            return Demotion(OLDER_VERSION, "older version")
        return found

    return demote


def is_test_file(path: str, rules: tuple[Rule, ...] | None = None) -> bool:
    """Whether a path is a test by the conventions of the rules."""
    tests = tuple(rule for rule in (default_rules() if rules is None else rules) if rule.reason == "test")
    return demotion_of(path, tests).reason == "test"


def demotion_of(path: str, rules: tuple[Rule, ...]) -> Demotion:
    """The first rule that matches a file, as its factor and reason."""
    *folders, name = path.split("/")
    for rule in rules:
        if rule.matches(path, folders, name):
            return Demotion(rule.factor, rule.reason)
    return NO_DEMOTION
