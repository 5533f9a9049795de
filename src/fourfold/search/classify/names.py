"""Rule 12: the question is an identifier, or has one among its words."""

from __future__ import annotations

import re

from fourfold.search.classify.asked import Asked
from fourfold.search.classify.masks import GENERIC, LETTER, is_identifier, names_operator
from fourfold.search.classify.result import Fired
from fourfold.search.classify.subject import bare_name

_WHOLE = re.compile(
    rf"(?P<before>[*&.]{{0,2}}|::|->|#|@|~)(?P<name>\$?[{LETTER}]+(?:{GENERIC}?(?:\.|::|->|#"
    rf"|\?\.)~?[{LETTER}]+)*)(?P<type><[^<>()]{{0,60}}>|\[\w*\])?"
    r"(?P<call>\([^()]{0,80}\)|!\([^()]*\))?"
)
_ERROR_CLASS = re.compile(r"(?:.*[.:])?[A-Z]\w*(?:Error|Exception|Warning|Fault|Interrupt)\Z")
_UPPER = re.compile(r"_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_*\Z")
_TITLE = re.compile(r"[A-ZÄÖÜÅÉ][a-zäöüåéß0-9]+\Z")


def rule_identifier(asked: Asked) -> Fired | None:
    """Rule 12."""
    whole = _whole(asked)
    if whole is not None:
        return whole
    for part in asked.masked.parts:
        if part.kind == "identifier":
            subject = asked.finder.of_part(part)
            start, end = subject.span or (-1, -1)
            return Fired("12", "find_definition", 0.60, "identifier in the text", subject.text, start, end)
    return None


def _whole(asked: Asked) -> Fired | None:
    if names_operator(asked.core):
        return Fired("12", "find_definition", 0.80, "identifier", asked.core, 0, len(asked.core))
    match = _WHOLE.fullmatch(asked.core)
    if match is None or not re.search(r"[^\W\d]", match["name"]):
        return None
    name = bare_name(match["name"])
    place = match["name"].find(name)  # -1: parameters stand within it
    start, length = match.start("name") + max(place, 0), len(name) if place >= 0 else len(match["name"])

    def fired(confidence: float, cue: str) -> Fired:
        return Fired("12", "find_definition", confidence, cue, name, start, start + length)

    if match["call"] is not None:
        return fired(0.75, "call")
    if _ERROR_CLASS.match(name):
        return fired(0.70, "error class")
    if _UPPER.match(name) and len(name) > 1:
        return fired(0.60, "constant")
    if _TITLE.match(name):
        return fired(0.60, "capitalised word")
    if is_identifier(name) or match["before"] or match["type"] or match["name"].startswith("$"):
        return fired(0.80, "identifier")
    if asked.finder.is_known(name):
        return fired(0.60, "name of a symbol")
    return None
