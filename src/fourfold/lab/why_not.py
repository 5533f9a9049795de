"""Why a file, a line or a symbol stands where it stands for a question, or at which gate it dropped out.

The gates, in order: not in the index (``not_found``, or ``skipped`` by a rule of the ledger) · not listed by any
modality that ran (``not_retrieved``) · listed only by ones that did not run (``off``) · merged under a better chunk of
its file (``merged``) · pushed down by the path factor (``demoted``) · below the limit (``below_limit``) · ``none``.

Every change that is proposed was tried with the real engine first. Nothing here moves the ranking that it explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from fourfold.lab.remedy import Barrier, Remedy, to_first
from fourfold.model import MODALITIES, Answer, Chunk, HitList, Modality, PlanOptions, Question, Result
from fourfold.search.engine import Engine
from fourfold.search.fuse import position_without
from fourfold.search.plan import PlanError
from fourfold.store.interface import Reader

Gate = Literal["not_found", "skipped", "not_retrieved", "off", "merged", "demoted", "below_limit", "none"]
#: A limit that no list reaches.
EVERYTHING = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """What was asked about: a file, or one line or symbol (name or qualified name) of it."""

    path: str
    line: int | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        rest = self.line if self.line is not None else self.symbol
        return self.path if rest is None else f"{self.path}:{rest}"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """``position`` is the target's place in the final list, ``would_be`` the one it has once the gate is lifted.

    ``ranks`` are its ranks (from 0) in the full lists of all four modalities; ``remedy`` is the question, changed as
    ``change`` says, that puts it first, or None with ``reason``.
    """

    target: Target
    gate: Gate
    words: str
    position: int | None = None
    would_be: int | None = None
    ranks: Mapping[Modality, int] | None = None
    remedy: Question | None = None
    change: str = ""
    reason: str | None = None
    #: Modalities that could not look, or not at everything, and why: no rank there says nothing of the target.
    unsearched: Mapping[Modality, str] = field(default_factory=dict)

    @property
    def present(self) -> bool:
        """Whether it has a place in the final list, shown or below the limit."""
        return self.gate in ("none", "demoted", "below_limit")


def why_not(engine: Engine, question: Question, target: Target) -> WhyNot:
    """Where ``target`` stands for ``question``, the first gate that it failed, and what puts it first."""
    missing = _missing(engine.reader, target)
    if missing is not None:
        return missing
    wanted = {chunk.id for chunk in _chunks(engine.reader, target)}
    full = engine.ask(replace(question, limit=EVERYTHING))
    lists = engine.lists(question)
    found = _gate(engine, question, target, wanted, full, _ranks(lists, wanted))
    found = _with_unsearched(found, _unsearched(engine.reader, lists))
    if found.position == 1:
        return replace(found, reason="it stands first already")
    remedy = to_first(engine, question, lists, _chunks(engine.reader, target))
    if isinstance(remedy, Remedy):
        return replace(found, remedy=remedy.question, change=remedy.words, reason=None)
    if remedy.chunks or found.reason is None:
        return replace(found, reason=_barrier(remedy, target))
    return found


def _barrier(found: Barrier, target: Target) -> str:
    """Why no command line puts the target first."""
    own = [chunk for chunk in found.chunks if chunk.path == target.path]
    names = [_name(chunk, chunk.path != target.path) for chunk in own or found.chunks]
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    if not names:
        return "none was found; not every k and depth was ruled out"
    one = shown if len(names) == 1 else f"one of {shown}"
    some = "" if found.proven else " (some other files let in beside it might cut that off by the depth)"
    return f"none can, because even within its own file {one} stands above it, whatever the weights, k and depth{some}"


def _name(chunk: Chunk, with_path: bool) -> str:
    lines = (
        f"line {chunk.start_line}"
        if chunk.start_line == chunk.end_line
        else (f"lines {chunk.start_line}-{chunk.end_line}")
    )
    return f"{f'{chunk.path}, ' if with_path else ''}{lines}{f' ({chunk.symbol})' if chunk.symbol else ''}"


def _gate(
    engine: Engine,
    question: Question,
    target: Target,
    wanted: set[int],
    full: Answer,
    ranks: Mapping[Modality, int],
) -> WhyNot:
    for result in full.results:
        if result.chunk_id in wanted:
            return _placed(question, target, full, result, ranks)
        for other in result.others:
            if other.chunk_id in wanted:
                return _merged(target, full, result, other, ranks)
    return _unlisted(engine, question, target, wanted, full, ranks)


def _unsearched(reader: Reader, lists: Mapping[Modality, HitList]) -> dict[Modality, str]:
    """Why a modality could not look at everything: not built, built in part, or failed."""
    coverage = reader.state().coverage
    why: dict[Modality, str] = {}
    for modality, found in lists.items():
        covered = coverage.get(modality, 1.0)
        if found.status == "not_built":
            why[modality] = f"not built ({found.how})" if found.how else "not built"
        elif found.status == "failed":
            why[modality] = f"failed ({found.error})"
        elif covered < 1.0:
            why[modality] = f"not listed so far (built for {covered:.0%})"
    return why


def _with_unsearched(found: WhyNot, unsearched: Mapping[Modality, str]) -> WhyNot:
    """Where nothing lists the target, that some modality could not look is said with it."""
    if found.ranks or not unsearched:
        return replace(found, unsearched=unsearched)
    told = ", ".join(f"{modality} {why}" for modality, why in unsearched.items())
    reason = f"{found.reason}; {told}" if found.reason else None
    return replace(found, unsearched=unsearched, words=f"{found.words}; {told}", reason=reason)


# --------------------------------------------------------------------------- finding the target


def _missing(reader: Reader, target: Target) -> WhyNot | None:
    file = reader.file(target.path)
    if file is None:
        entry = next(
            (e for e in reader.ledger() if e.path == target.path or target.path.startswith(f"{e.path}/")), None
        )
        if entry is not None and entry.decision == "skipped":
            source = f" ({entry.rule_source}: {entry.rule})" if entry.rule else ""
            words = f"{target.path} is not indexed: {entry.reason}{source}"
            reason = f"none can, because it is not in the index: {entry.reason}{source}"
            return WhyNot(target, "skipped", words, reason=reason)
        words, reason = _unknown(reader, target.path)
        return WhyNot(target, "not_found", words, reason=f"none can, because {reason}")
    if target.line is not None and not 1 <= target.line <= max(file.lines, 1):
        words = f"{target.path} has {file.lines} lines, not {target.line}"
        return WhyNot(target, "not_found", words, reason="none can, because the file has no such line")
    if target.symbol is not None and not _chunks(reader, target):
        words = f"{target.path} defines no {target.symbol}"
        return WhyNot(target, "not_found", words, reason="none can, because the file defines no such symbol")
    return None


def _unknown(reader: Reader, path: str) -> tuple[str, str]:
    """What is said of a path that the index does not know, and why nothing can put it first."""
    if path == "." or any(file.path.startswith(f"{path.rstrip('/')}/") for file in reader.files()):
        return f"{path} is a folder, and no result", "it is a folder: name a file in it"
    if path.startswith(("/", "../")):
        return f"{path} lies outside {reader.root}", f"it lies outside {reader.root}"
    return f"no file {path} is known to the index", "no such file is in the index"


def _chunks(reader: Reader, target: Target) -> Sequence[Chunk]:
    file = reader.file(target.path)
    if file is None:
        return ()
    chunks = reader.chunks_of_file(file.id)
    if target.symbol is not None:
        named = {s.chunk_id for s in reader.outline(target.path) if target.symbol in (s.name, s.qualified, s.full_name)}
        return [chunk for chunk in chunks if chunk.id in named]
    if target.line is not None:
        return [chunk for chunk in chunks if chunk.start_line <= target.line <= chunk.end_line]
    return chunks


def _ranks(lists: Mapping[Modality, HitList], wanted: set[int]) -> dict[Modality, int]:
    """The best rank of the wanted chunks in each modality's full list."""
    ranks: dict[Modality, int] = {}
    for modality in MODALITIES:
        hits = lists[modality].hits if modality in lists else ()
        place = next((rank for rank, hit in enumerate(hits) if hit.chunk_id in wanted), None)
        if place is not None:
            ranks[modality] = place
    return ranks


# --------------------------------------------------------------------------- the gates


def _placed(question: Question, target: Target, full: Answer, result: Result, ranks: Mapping[Modality, int]) -> WhyNot:
    position = result.position
    if position <= question.limit:
        return WhyNot(target, "none", f"{target} stands at position {position}", position, position, ranks)
    undemoted = position_without(full, result.path, "demotion")
    if result.demotion < 1.0 and undemoted is not None and undemoted <= question.limit:
        why = result.demotion_reason or "its path"
        words = f"{target} stands at position {position}; without the demotion for {why} it would be at {undemoted}"
        return WhyNot(target, "demoted", words, position, undemoted, ranks)
    words = f"{target} stands at position {position}, below the limit of {question.limit}"
    return WhyNot(target, "below_limit", words, position, position, ranks)


def _merged(target: Target, full: Answer, head: Result, own: Result, ranks: Mapping[Modality, int]) -> WhyNot:
    """``would_be`` is where the chunk would stand, spoke it for its file."""
    words = (
        f"{target} is listed under a better chunk of its file, lines {head.start_line}-{head.end_line} "
        f"at position {head.position}"
    )
    above = sum(other.score > own.score for other in full.results if other.path != head.path)
    return WhyNot(target, "merged", words, None, above + 1, ranks)


def _unlisted(
    engine: Engine,
    question: Question,
    target: Target,
    wanted: set[int],
    full: Answer,
    ranks: Mapping[Modality, int],
) -> WhyNot:
    """``would_be`` is where it stands once the lists are deep enough, or once every modality runs."""
    ran = [modality for modality in full.plan.runs if modality in ranks]
    if not ranks:
        if full.intent.rule == "1":
            reason = "none can, because the question holds nothing to search for"
        elif full.plan.filters:
            reason = "none can, because no modality finds anything of the question in it, with these filters or without"
        else:
            reason = "none can, because no modality finds anything of the question in it"
        return WhyNot(target, "not_retrieved", f"no modality lists {target} at any depth", ranks=ranks, reason=reason)
    options = question.options
    if full.plan.strategy == "direct" and ran:
        alone = full.plan.runs[0]
        shown = ", ".join(f"{modality} #{rank + 1}" for modality, rank in ranks.items())
        words = (
            f"the question is answered by {alone} alone, directly, and so asked it leaves out {target}; "
            f"asked for a fused answer, the lists hold it: {shown}"
        )
        lifted = replace(options, strategy="fused", preset="default" if options.preset == "quick" else options.preset)
        return WhyNot(target, "off", words, None, _position(engine, replace(question, options=lifted), wanted), ranks)
    if ran:
        depth = 1 + min(ranks[modality] for modality in ran)
        shown = ", ".join(f"{modality} #{ranks[modality] + 1}" for modality in ran)
        words = f"{target} stands at {shown} of the full list, deeper than the {full.plan.depth} that are fused"
        lifted = replace(options, depth=max(depth, full.plan.depth))
        would_be = _position(engine, replace(question, options=lifted), wanted)
        return WhyNot(target, "not_retrieved", words, None, would_be, ranks)
    shown = ", ".join(f"{modality} #{rank + 1}" for modality, rank in ranks.items())
    words = f"{target} is only in lists that the plan does not run: {shown}"
    lifted = _all_on(options, full, ranks)
    return WhyNot(target, "off", words, None, _position(engine, replace(question, options=lifted), wanted), ranks)


def _all_on(options: PlanOptions, full: Answer, ranks: Mapping[Modality, int]) -> PlanOptions:
    """The plan as it is with the modalities that list the target fused too, at their published weights (0.1 where
    that is 0)."""
    weights = {m: full.plan.weights.get(m, 0.0) for m in MODALITIES if m in full.plan.runs or m in ranks}
    weights = {m: weight or 0.1 for m, weight in weights.items()}
    depth = max(full.plan.depth, min(ranks.values()) + 1)
    return replace(options, strategy="fused", only=None, weights=weights, depth=depth)


def _position(engine: Engine, question: Question, wanted: set[int]) -> int | None:
    try:
        answer = engine.ask(replace(question, limit=EVERYTHING))
    except PlanError:
        return None
    return next((result.position for result in answer.results if result.chunk_id in wanted), None)
