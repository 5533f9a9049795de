"""A plan in words, as ``fourfold evaluate --baseline`` takes it: ``preset=thorough k=60``, ``only=text,structural``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from fourfold.cli.errors import Problem, unknown
from fourfold.cli.options import PRESETS, STRATEGIES, modalities, modality, one_of, weights, whole
from fourfold.lab.experiment import Variant
from fourfold.model import INTENTS, IntentName

KEYS = ("preset", "strategy", "intent", "only", "weights", "k", "depth", "without", "boost", "demotion", "index", "run")


@dataclass(frozen=True, slots=True)
class PlanInWords:
    """``variant`` is how to rank; ``index`` another index to rank with, ``run`` a file of rankings made before."""

    variant: Variant
    index: Path | None = None
    run: Path | None = None

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def plain(self) -> bool:
        """Whether the engine answers in this way by itself, on the index at hand."""
        switched = self.variant.without is not None or not (self.variant.boost and self.variant.demotion)
        return not switched and self.index is None and self.run is None


def plan_in_words(text: str) -> PlanInWords:
    """Read ``key=value`` words, or a preset's name alone. Raises Problem."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Problem(f'cannot read the plan "{text}": {error}', "bad_plan") from None
    plan = PlanInWords(Variant(" ".join(words) or "default"))
    seen: set[str] = set()
    for word in words:
        key, equals, value = word.removeprefix("--").partition("=")
        if not equals and key in PRESETS:
            key, value = "preset", key
        elif not equals:
            raise Problem(f'a plan is made of words such as k=60 or only=text,graph, not "{word}"', "bad_plan")
        if key not in KEYS:
            raise unknown("part of a plan", key, KEYS, "bad_plan")
        if key in seen:
            raise Problem(f"the plan names {key} twice", "bad_plan")
        seen.add(key)
        plan = _with(plan, key, value)
    if plan.run is not None and len(seen) > 1:
        raise Problem("run=FILE stands for finished rankings: leave out the rest of the plan", "bad_plan")
    return plan


def _with(plan: PlanInWords, key: str, value: str) -> PlanInWords:
    variant, options = plan.variant, plan.variant.options
    if key in ("index", "run"):
        if not value:
            raise Problem(f"{key}= names no file", "bad_plan")
        return replace(plan, **{key: Path(value)})  # type: ignore[arg-type]
    if key == "without":
        return replace(plan, variant=replace(variant, without=modality(value)))
    if key == "boost":
        return replace(plan, variant=replace(variant, boost=_on(key, value)))
    if key == "demotion":
        return replace(plan, variant=replace(variant, demotion=_on(key, value)))
    if key == "preset":
        options = replace(options, preset=one_of("preset", value, PRESETS))
    elif key == "strategy":
        chosen = one_of("strategy", value, STRATEGIES)
        options = replace(options, strategy=cast("Literal['auto', 'direct', 'fused']", chosen))
    elif key == "intent":
        options = replace(options, intent=cast(IntentName, one_of("intent", value, INTENTS)))
    elif key == "only":
        options = replace(options, only=modalities(value))
    elif key == "weights":
        options = replace(options, weights=weights(value))
    elif key == "k":
        options = replace(options, k=whole("k", value, 1, 1_000_000))
    else:
        options = replace(options, depth=whole("depth", value, 1, 1_000_000))
    return replace(plan, variant=replace(variant, options=options))


def _on(key: str, value: str) -> bool:
    return one_of(key, value, ("on", "off")) == "on"
