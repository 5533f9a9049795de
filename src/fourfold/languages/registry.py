"""Looking languages up by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from fourfold.languages.entry import Language
from fourfold.languages.table import LANGUAGES


@cache
def _by_name() -> Mapping[str, Language]:
    return MappingProxyType({entry.name: entry for entry in LANGUAGES})


@cache
def _by_alias() -> Mapping[str, Language]:
    found: dict[str, Language] = {entry.name: entry for entry in LANGUAGES}
    for entry in LANGUAGES:
        for alias in entry.aliases:
            found.setdefault(alias.casefold(), entry)
    return MappingProxyType(found)


def names() -> list[str]:
    """The names of all languages, in alphabetical order."""
    return sorted(_by_name())


def parsed_languages() -> list[str]:
    """The names of the languages that have a grammar, so that syntax questions can be asked of them."""
    return sorted(entry.name for entry in LANGUAGES if entry.grammar)


def known(name: str) -> bool:
    """Whether `language` would find an entry for this name or alias, in any case."""
    return name.casefold() in _by_alias()


def language(name: str) -> Language:
    """The entry of a language by its name or an alias, in any case. Raises KeyError when there is none."""
    return _by_alias()[name.casefold()]
