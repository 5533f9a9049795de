"""Families of languages that can name one another's definitions, and what each takes from outside the root."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FAMILIES: dict[str, str] = {
    "python": "python", "jupyter": "python", "cython": "python", "starlark": "python",
    "javascript": "javascript", "typescript": "javascript", "tsx": "javascript", "jsx": "javascript",
    "vue": "javascript", "svelte": "javascript", "astro": "javascript",
    "go": "go", "rust": "rust",
    "java": "java", "kotlin": "java", "scala": "java", "groovy": "java",
    "c": "c", "cpp": "c", "c++": "c", "objc": "c", "objective-c": "c", "cuda": "c", "arduino": "c",
    "csharp": "csharp", "c_sharp": "csharp", "c#": "csharp",
    "ruby": "ruby", "php": "php", "swift": "swift", "elixir": "elixir", "lua": "lua", "luau": "lua",
    "bash": "shell", "shell": "shell", "sh": "shell", "fish": "shell", "zsh": "shell",
    "haskell": "haskell", "zig": "zig",
}  # fmt: skip

#: Bare names must be bound by a scope or an import: an unbound one is a builtin, never some definition elsewhere.
LEXICAL = frozenset({"python", "javascript", "go", "rust", "zig", "haskell"})
#: A bare name within a method may be a member of its class.
IMPLICIT_MEMBERS = frozenset({"java", "c", "csharp", "swift", "ruby", "dart"})
#: Several functions of one name in one scope are told apart by their arguments.
OVERLOADS = frozenset({"java", "c", "csharp", "swift"})
#: All files of one folder share one scope.
FOLDER_SCOPE = frozenset({"go", "java"})


def family_of(language: str) -> str:
    """The family of a language; a language without one is a family of its own."""
    return _FAMILIES.get(language, language)


@dataclass(frozen=True, slots=True)
class Outside:
    """``names``: bare names that need no definition; ``methods``: those too common to tell whose they are;
    ``headers``: files of the system, which an include means whatever file of the root is called so."""

    names: frozenset[str]
    methods: frozenset[str]
    headers: frozenset[str]


@cache
def outside(family: str) -> Outside:
    """What the family's languages bring along (see outside.toml)."""
    data = _read()
    entry = data.get(family, data["other"])
    return Outside(*(frozenset(entry.get(part, "").split()) for part in ("names", "methods", "headers")))


@cache
def _read() -> dict[str, dict[str, str]]:
    text = files("fourfold.indexing.resolve").joinpath("outside.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
