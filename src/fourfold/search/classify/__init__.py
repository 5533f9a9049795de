"""From a question to an `Intent`: ordered rules, the first that matches wins."""

from __future__ import annotations

from collections.abc import Callable

from fourfold.model import FiredRule, Intent
from fourfold.search.classify.asked import Asked
from fourfold.search.classify.filters import take_filters
from fourfold.search.classify.result import Fired
from fourfold.search.classify.rules import RULES

__all__ = ["classify", "take_filters"]

#: Shapes and cues are looked for in so many characters; the rest of a longer text changes nothing.
LONGEST = 5000


def classify(text: str, known: Callable[[str], bool] | None = None) -> Intent:
    """What kind of question ``text`` is. Never raises.

    ``known`` tells whether a word is the exact name of a symbol of the index, outside demoted paths.
    """
    try:
        return decide(text[:LONGEST], known)
    except Exception:  # a question must be answered whatever is in it; `decide` itself is what the tests try
        return Intent("understand_code", 0.40, "13")


def decide(text: str, known: Callable[[str], bool] | None = None) -> Intent:
    """`classify` without its guard."""
    asked = Asked(text, known)
    winner: Fired | None = None
    also: list[FiredRule] = []
    for rule in RULES:
        fired = rule(asked)
        if fired is None:
            continue
        if winner is None:
            winner = fired
            if fired.rule in ("ast", "1"):
                break
        elif fired.rule not in ("13", winner.rule):
            also.append(FiredRule(fired.rule, fired.name, fired.confidence, fired.cue))
    if winner is None:
        return Intent("understand_code", 0.40, "13")
    spans = (asked.text.span(winner.start, winner.end),) if winner.start >= 0 else ()
    return Intent(
        name=winner.name,
        confidence=winner.confidence,
        rule=winner.rule,
        cue=winner.cue,
        subject=winner.subject or None,
        direction=winner.direction,
        language=winner.language,
        direct_eligible=winner.direct,
        relation=winner.relation,
        pattern=winner.pattern,
        also=tuple(also),
        spans=spans,
    )
