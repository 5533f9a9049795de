"""Ceilings: the best position that is open to what one modality alone finds."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.model import Modality, Result
from fourfold.search.fuse import PUBLISHED_BOOST


def ceiling(
    results: Sequence[Result], modality: Modality, weight: float, k: int, factor: float = PUBLISHED_BOOST.cap,
    path: str = "",
) -> int:  # fmt: skip
    """The best position that a result which only ``modality`` finds can have in this list, however well it ranks there.

    At its best it scores factor × weight / (k + 1); ``factor`` is its boost times its demotion, by default the most
    that any result has. Every other file (``path`` is its own) that scores more by the other lists alone stands above
    it, whatever the modality's list holds. Counted over ``results`` and their files' other hits.
    """
    best = factor * weight / (k + 1)
    above = 0
    for group in results:
        if group.path != path and any(_without(each, modality) > best for each in (group, *group.others)):
            above += 1
    return above + 1


def _without(result: Result, modality: Modality) -> float:
    rest = sum(part.contribution for part in result.contributions if part.modality != modality)
    return result.demotion * result.boost * rest


def own_ceiling(results: Sequence[Result], result: Result, k: int) -> int | None:
    """The ceiling of one result of a fused list; None for one that several modalities find."""
    if len(result.contributions) != 1:
        return None
    part = result.contributions[0]
    return ceiling(results, part.modality, part.weight, k, result.boost * result.demotion, result.path)
