"""Exercises of the lesson: “make X come first by changing one weight”, made from flip margins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from fourfold.lab.flips import Flip, weight_flips
from fourfold.lab.what_if import Fetched, Knobs, positions, ranking
from fourfold.model import INTENTS, MODALITIES, IntentName, Modality, Result
from fourfold.search.plan import WEIGHTS

#: Weights are changed in steps of this, from 0 to `HIGHEST`.
STEP = 0.05
HIGHEST = 1.0
MOST = 3
#: How far down the list the target of an exercise may stand.
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Exercise:
    """With the weights ``start``, ``target`` stands where it says; changing that of ``modality`` to ``weight`` alone
    puts it first. ``intent`` names the kind of question whose weights they are."""

    target: Result
    start: Mapping[Modality, float]
    intent: IntentName
    modality: Modality
    weight: float


def exercises(fetched: Fetched, most: int = MOST) -> tuple[Exercise, ...]:
    """Up to ``most``, one a target: with the weights of the question first, then with those of other kinds of question;
    each tried on the whole list."""
    own = fetched.plan.intent.name
    found: dict[str, Exercise] = {}
    for intent in (own, *(each for each in INTENTS if each != own)):
        start = dict(fetched.published.weights) if intent == own else dict(WEIGHTS[intent])
        for exercise in _of(fetched, intent, start):
            found.setdefault(exercise.target.path, exercise)
    return tuple(found.values())[:most]


def _of(fetched: Fetched, intent: IntentName, start: Mapping[Modality, float]) -> Iterator[Exercise]:
    if not any(start.get(name, 0.0) > 0 for name in fetched.published.on):
        return
    knobs = _knobs(fetched, start)
    results = ranking(fetched, knobs, DEEPEST, under=False).results
    for target in results[1:]:
        for flip in weight_flips(fetched, knobs, results[0].path, target.path):
            modality = next((name for name in MODALITIES if name == flip.what), None)
            weight = _solution(fetched, start, modality, flip, target.path) if modality is not None else None
            if modality is not None and weight is not None:
                yield Exercise(target, start, intent, modality, weight)
                break


def _solution(
    fetched: Fetched, start: Mapping[Modality, float], modality: Modality, flip: Flip, path: str
) -> float | None:
    """The first step of the weight, from where it swaps the target with the first result on, that puts it first."""
    up = flip.at >= flip.old
    at = (math.ceil if up else math.floor)(round(flip.at / STEP, 9)) * STEP
    for further in range(4):
        weight = round(at + further * STEP * (1 if up else -1), 2)
        if 0.0 <= weight <= HIGHEST and solved(fetched, start, {**start, modality: weight}, path):
            return weight
    return None


def _knobs(fetched: Fetched, weights: Mapping[Modality, float]) -> Knobs:
    return replace(fetched.published, direct=False, weights=weights)


def solved(fetched: Fetched, start: Mapping[Modality, float], weights: Mapping[Modality, float], path: str) -> bool:
    """Whether ``path`` stands first with these weights, and exactly one of them is not as at the start."""
    changed = [name for name in MODALITIES if not math.isclose(weights.get(name, 0.0), start.get(name, 0.0))]
    if len(changed) != 1 or not any(weights.get(name, 0.0) > 0 for name in fetched.published.on):
        return False
    return positions(fetched, _knobs(fetched, weights)).get(path) == 1
