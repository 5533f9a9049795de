"""An Answer as plain data, schema 1: what ``--json`` prints, what the lab keeps and what the screen exports.

Nothing is computed and nothing is rounded here: every number is the Answer's own. The text is ASCII only, so that it
survives any pipe and any terminal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fourfold.model import (
    MODALITIES,
    Answer,
    Contribution,
    Evidence,
    Filters,
    HitList,
    IndexState,
    Intent,
    Modality,
    Plan,
    Result,
    Step,
)

SCHEMA = 1


def dumps(value: Mapping[str, Any], indent: int | None = None) -> str:
    """JSON text of ``value``: ASCII only, numbers with every digit; raises ValueError for NaN or infinity."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent, default=_plain)


def answer_json(answer: Answer) -> dict[str, Any]:
    """The whole Answer as a schema 1 object."""
    return {
        "schema": SCHEMA,
        "query": answer.question.text,
        "root": answer.root,
        "intent": intent_json(answer.intent),
        "plan": plan_json(answer.plan, answer.lists),
        "notices": [{"code": notice.code, "text": notice.text} for notice in answer.notices],
        "lists": {m: list_json(answer.lists[m]) for m in MODALITIES if m in answer.lists and _listed(answer.lists[m])},
        "timings_ms": dict(answer.timings_ms),
        "index": index_json(answer.index),
        "results": [result_json(result) for result in answer.results],
    }


def error_json(query: str, code: str, text: str) -> dict[str, Any]:
    """What stands in for an Answer, in a batch, when a question could not be asked."""
    return {"schema": SCHEMA, "query": query, "error": {"code": code, "text": text}}


def intent_json(intent: Intent) -> dict[str, Any]:
    return {
        "name": intent.name,
        "confidence": intent.confidence,
        "rule": intent.rule,
        "cue": intent.cue,
        "subject": intent.subject,
        "direction": intent.direction,
        "language": intent.language,
        "direct_eligible": intent.direct_eligible,
    }


def plan_json(plan: Plan, lists: Mapping[Modality, HitList]) -> dict[str, Any]:
    return {
        "fusion_strategy": plan.strategy,
        "reason": plan.reason,
        "preset": plan.preset,
        "k": plan.k,
        "depth": plan.depth,
        "weights": {m: plan.weights.get(m, 0.0) for m in MODALITIES},
        "modalities": {m: modality_status(plan, lists, m) for m in MODALITIES},
        "overrides": list(plan.overrides),
        "filters": filters_json(plan.filters),
    }


def modality_status(plan: Plan, lists: Mapping[Modality, HitList], modality: Modality) -> str:
    """What became of one modality: ran, off, not_run, not_built or failed."""
    if modality in lists:
        return lists[modality].status
    if modality in plan.off:
        return "off"
    return "not_run"


def filters_json(filters: Filters) -> dict[str, list[str]]:
    """Only the filters that are set, under the names they have in a question."""
    named = {
        "lang": filters.languages,
        "kind": filters.kinds,
        "path": filters.paths,
        "-path": filters.not_paths,
    }
    return {name: list(values) for name, values in named.items() if values}


def list_json(hits: HitList) -> dict[str, Any]:
    data: dict[str, Any] = {"hits": len(hits.hits), "ms": hits.ms, "how": hits.how, "partial": hits.partial}
    if hits.error:
        data["error"] = hits.error
    return data


def index_json(state: IndexState) -> dict[str, Any]:
    return {
        "generation": state.generation,
        "commit": state.commit,
        "branch": state.branch,
        "fresh": state.fresh,
        "coverage": {m: state.coverage.get(m, 0.0) for m in MODALITIES},
        "embedder": state.embedder,
    }


def result_json(result: Result) -> dict[str, Any]:
    return {
        "position": result.position,
        "path": result.path,
        "start_line": result.start_line,
        "end_line": result.end_line,
        "symbol": result.symbol,
        "kind": result.kind,
        "language": result.language,
        "score": result.score,
        "boost": result.boost,
        "centrality": result.centrality,
        "demotion": result.demotion,
        "demotion_reason": result.demotion_reason,
        "contributions": [contribution_json(part) for part in result.contributions],
        "matched_lines": list(result.matched_lines),
        "more_in_file": result.more_in_file,
        "stale": result.stale,
        "snippet": result.snippet,
    }


def contribution_json(part: Contribution) -> dict[str, Any]:
    return {
        "modality": part.modality,
        "rank": part.rank,
        "raw_score": part.raw_score,
        "weight": part.weight,
        "contribution": part.contribution,
        "evidence": evidence_json(part.evidence),
    }


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """The terms of the raw score, and beside them only what the modality recorded."""
    data: dict[str, Any] = {"terms": [{"name": t.name, "op": t.op, "value": t.value} for t in evidence.terms]}
    if evidence.matched:
        data["matched"] = [{"term": match.term, "lines": list(match.lines)} for match in evidence.matched]
    if evidence.bits_differ is not None:
        data["bits_differ"] = evidence.bits_differ
        data["bits"] = evidence.bits
        data["bits_unrelated"] = evidence.bits_unrelated
    if evidence.cosine is not None:
        data["cosine"] = evidence.cosine
    if evidence.symbol:
        data["symbol"] = evidence.symbol
    if evidence.match:
        data["match"] = evidence.match
    if evidence.symbol_line:
        data["symbol_line"] = evidence.symbol_line
    if evidence.path:
        data["path"] = [step_json(step) for step in evidence.path]
    return data


def step_json(step: Step) -> dict[str, Any]:
    return {
        "path": step.path,
        "line": step.line,
        "kind": step.kind,
        "certainty": step.certainty,
        "from": step.source,
        "to": step.target,
    }


def _listed(hits: HitList) -> bool:
    return hits.status in ("ran", "failed")


def _plain(value: object) -> Any:
    """numpy's numbers, which fusion may hand through, as Python's own with every digit."""
    item = getattr(value, "item", None)
    if callable(item):
        return item()
    raise TypeError(f"{type(value).__name__} has no place in an answer")
