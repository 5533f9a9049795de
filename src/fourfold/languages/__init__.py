"""The languages: one registry, one query file a language, and how a file's language is told."""

from fourfold.languages.detection import detect
from fourfold.languages.entry import Family, Language
from fourfold.languages.registry import known, language, names, parsed_languages

__all__ = ["Family", "Language", "detect", "known", "language", "names", "parsed_languages"]
