"""From an intent to a plan: which modalities run, with which weights, direct or fused, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from fourfold.model import INTENTS, MODALITIES, Filters, Intent, IntentName, Modality, Plan, PlanOptions

#: The published weights.
WEIGHTS: Mapping[IntentName, Mapping[Modality, float]] = {
    "find_definition": {"semantic": 0.2, "text": 0.1, "structural": 0.6, "graph": 0.1},
    "find_references": {"semantic": 0.1, "text": 0.2, "structural": 0.2, "graph": 0.5},
    "understand_code": {"semantic": 0.5, "text": 0.2, "structural": 0.2, "graph": 0.1},
    "find_similar": {"semantic": 0.4, "text": 0.3, "structural": 0.2, "graph": 0.1},
    "impact_analysis": {"semantic": 0.1, "text": 0.1, "structural": 0.1, "graph": 0.7},
    "exact_match": {"semantic": 0.0, "text": 0.9, "structural": 0.1, "graph": 0.0},
}

#: A direct answer needs this rule score, this weight of the dominant modality, and a question no longer than this.
DIRECT_CONFIDENCE = 0.85
DIRECT_WEIGHT = 0.5
DIRECT_LENGTH = 256


class PlanError(ValueError):
    """Options that make no sense, in one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Preset:
    """How many modalities run at most (None: all with a weight), ``k`` and the depth of each list."""

    name: str
    modalities: int | None
    k: int
    depth: int


PRESETS: Mapping[str, Preset] = {
    "quick": Preset("quick", 1, 40, 200),
    "default": Preset("default", 3, 40, 200),
    "thorough": Preset("thorough", None, 60, 500),
}


def make_plan(intent: Intent, options: PlanOptions, filters: Filters, query: str) -> Plan:
    """The plan for a question. Raises `PlanError` with one clear line for options that make no sense."""
    preset = _preset(options.preset)
    intent = _with_intent(intent, options)
    weights = _weights(intent, options)
    k, depth = _positive("k", options.k, preset.k), _positive("depth", options.depth, preset.depth)
    runs = _runs(intent, preset, options, weights)
    if not any(weights[modality] for modality in runs):
        # chosen by hand although the intent gives it no weight: with weight 0 its list could not be ranked
        weights = {**weights, **dict.fromkeys(runs, 1.0)}
    strategy_direct, reason = _direct(intent, options, preset, weights, query, runs)
    if strategy_direct:
        runs = (_dominant(weights, runs),)
    return Plan(
        intent=intent,
        strategy="direct" if strategy_direct else "fused",
        reason=reason,
        preset=preset.name,
        k=k,
        depth=depth,
        weights=weights,
        runs=runs,
        off=tuple(m for m in MODALITIES if options.only is not None and m not in options.only),
        overrides=_overrides(options),
        filters=filters,
        query=query,
        regex=options.regex,
    )


def fall_back(plan: Plan) -> Plan:
    """The fused plan that follows a direct one which found nothing."""
    runs = _heaviest(plan.weights, PRESETS[plan.preset].modalities)
    return replace(plan, strategy="fused", reason="direct_empty", runs=runs)


def _preset(name: str) -> Preset:
    if name not in PRESETS:
        raise PlanError(_unknown("preset", name, tuple(PRESETS)))
    return PRESETS[name]


def _with_intent(intent: Intent, options: PlanOptions) -> Intent:
    if options.intent is None or options.intent == intent.name:
        return intent
    if options.intent not in INTENTS:
        raise PlanError(_unknown("intent", options.intent, INTENTS))
    subject = intent.subject
    pattern = intent.pattern
    if options.intent == "exact_match" and not pattern:
        pattern = "literal"
    return replace(
        intent,
        name=options.intent,
        rule="given",
        cue="--intent",
        direct_eligible=False,
        subject=subject,
        pattern=pattern,
    )


def _weights(intent: Intent, options: PlanOptions) -> Mapping[Modality, float]:
    published = WEIGHTS[intent.name]
    if options.weights is None:
        return dict(published)
    for name, weight in options.weights.items():
        if name not in MODALITIES:
            raise PlanError(_unknown("modality", name, MODALITIES))
        if not math.isfinite(weight):
            raise PlanError(f"the weight of {name} must be a number of 0 or more, not {weight}")
        if weight < 0:
            raise PlanError(f"the weight of {name} is negative ({weight:g}): give a number of 0 or more")
    weights = {modality: float(options.weights.get(modality, 0.0)) for modality in MODALITIES}
    if not any(weights.values()):
        raise PlanError("all weights are 0, so nothing would be searched: give at least one above 0")
    return weights


def _positive(name: str, given: int | None, default: int) -> int:
    if given is None:
        return default
    if given < 1:
        raise PlanError(f"{name} must be 1 or more, not {given}")
    return given


def _heaviest(weights: Mapping[Modality, float], limit: int | None) -> tuple[Modality, ...]:
    """The modalities of the highest weights, ties in their order, never one of weight 0; listed in their order."""
    some = [modality for modality in MODALITIES if weights[modality] > 0]
    kept = sorted(some, key=lambda modality: -weights[modality])[:limit]
    return tuple(modality for modality in MODALITIES if modality in kept)


def _runs(
    intent: Intent, preset: Preset, options: PlanOptions, weights: Mapping[Modality, float]
) -> tuple[Modality, ...]:
    if options.only is not None:
        for name in options.only:
            if name not in MODALITIES:
                raise PlanError(_unknown("modality", name, MODALITIES))
        if not options.only:
            raise PlanError("--only names no modality: give at least one of " + ", ".join(MODALITIES))
    if intent.pattern in ("ast", "construct"):
        if options.only is not None and "structural" not in options.only:
            raise PlanError("a syntax question is answered by structural alone: leave out --only, or name structural")
        return ("structural",)
    if preset.name == "quick" and options.only is None and options.weights is None:
        return ("semantic",)
    if options.only is not None:
        chosen = tuple(modality for modality in MODALITIES if modality in options.only)
        weighted = tuple(modality for modality in chosen if weights[modality] > 0)
        return weighted or chosen
    if options.weights is not None:
        return _heaviest(weights, None)
    return _heaviest(weights, preset.modalities)


def _dominant(weights: Mapping[Modality, float], runs: tuple[Modality, ...]) -> Modality:
    return max(runs, key=lambda modality: (weights[modality], -MODALITIES.index(modality)))


def _direct(
    intent: Intent,
    options: PlanOptions,
    preset: Preset,
    weights: Mapping[Modality, float],
    query: str,
    runs: tuple[Modality, ...],
) -> tuple[bool, str]:
    """Whether one modality answers alone, and the reason for either."""
    if options.strategy == "direct":
        return True, "strategy direct was asked for"
    if options.strategy == "fused":
        return False, "strategy fused was asked for"
    if options.strategy != "auto":
        raise PlanError(_unknown("strategy", options.strategy, ("auto", "direct", "fused")))
    if intent.pattern in ("ast", "construct"):
        return True, "a syntax question"
    if preset.name == "quick" and options.only is None and options.weights is None:
        return True, "preset_quick"
    if options.weights is not None or options.only is not None:
        return False, "weights or modalities were chosen"
    if preset.name != "default":
        return False, f"preset {preset.name}"
    if intent.confidence < DIRECT_CONFIDENCE:
        return False, f"confidence {intent.confidence:.2f} < {DIRECT_CONFIDENCE:.2f}"
    if not intent.direct_eligible:
        return False, f"rule {intent.rule} is not answered directly"
    if weights[_dominant(weights, runs)] < DIRECT_WEIGHT:
        return False, f"no modality has a weight of {DIRECT_WEIGHT} or more"
    if "\n" in query.strip():
        return False, "more than one line"
    if len(query) > DIRECT_LENGTH:
        return False, f"longer than {DIRECT_LENGTH} characters"
    return True, f"confidence {intent.confidence:.2f} ≥ {DIRECT_CONFIDENCE:.2f}"


def _overrides(options: PlanOptions) -> tuple[str, ...]:
    found = []
    if options.intent is not None:
        found.append(f"intent {options.intent}")
    if options.strategy != "auto":
        found.append(f"strategy {options.strategy}")
    if options.only is not None:
        found.append("only " + ", ".join(options.only))
    if options.weights is not None:
        found.append("weights " + ", ".join(f"{name}={weight:g}" for name, weight in options.weights.items()))
    if options.k is not None:
        found.append(f"k {options.k}")
    if options.depth is not None:
        found.append(f"depth {options.depth}")
    if options.regex:
        found.append("regex")
    return tuple(found)


def _unknown(what: str, given: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(given, known, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"unknown {what} “{given}”{hint}: choose one of {', '.join(known)}"
