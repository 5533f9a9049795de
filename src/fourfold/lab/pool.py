"""Two lists judged blind: the first ten of both in one pool, shuffled, and what each list is worth by the grades."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from fourfold.lab.experiment import places
from fourfold.lab.judge import Place, place_of
from fourfold.lab.judgements import Judgement, Target, split_of
from fourfold.lab.metrics import DEPTH, Figures, score
from fourfold.model import Result


def pooled(query: str, first: Sequence[Result], second: Sequence[Result], depth: int = DEPTH) -> tuple[Result, ...]:
    """The first ``depth`` results of both lists, each place once, in an order that tells nothing of either list: by a
    hash of the question and the place, so the same for ever, whichever list is named first."""
    found = {place_of(result): result for result in (*first[:depth], *second[:depth])}

    def shuffled(place: Place) -> bytes:
        return hashlib.sha256(repr((query.strip(), place)).encode("utf-8", "surrogatepass")).digest()

    return tuple(found[place] for place in sorted(found, key=shuffled))


def worth(query: str, results: Sequence[Result], grades: Mapping[Place, int]) -> Figures | None:
    """A list's figures by ``grades``, as `fourfold evaluate` has them; None while no grade is above 0."""
    targets = tuple(Target(path, grade, start, end) for (path, start, end), grade in grades.items())
    judgement = Judgement("", query, targets, split_of(query))
    return score(judgement, places(results[:DEPTH])) if judgement.answers else None
