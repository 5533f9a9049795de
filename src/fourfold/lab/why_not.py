"""Why a file, a line or a symbol stands where it stands for a question, or at which gate it dropped out.

The gates, in order: not in the index (``not_found``, or ``skipped`` by a rule of the ledger) · not listed by any
modality that ran (``not_retrieved``) · listed only by ones that did not run (``off``) · merged under a better chunk of
its file (``merged``) · pushed down by the path factor (``demoted``) · below the limit (``below_limit``) · ``none``.

Every change that is proposed was tried with the real engine first. Nothing here moves the ranking that it explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fourfold.model import MODALITIES, Answer, Chunk, Modality, Question, Result
from fourfold.search.engine import Engine
from fourfold.search.fuse import position_without
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

    ``ranks`` are its ranks (from 0) in the full lists of all four modalities; ``remedy`` is the question, changed,
    that brings it among the results, or None with ``reason``.
    """

    target: Target
    gate: Gate
    words: str
    position: int | None = None
    would_be: int | None = None
    ranks: Mapping[Modality, int] | None = None
    remedy: Question | None = None
    reason: str | None = None

    @property
    def present(self) -> bool:
        """Whether it has a place in the final list, shown or below the limit."""
        return self.gate in ("none", "demoted", "below_limit")


def why_not(engine: Engine, question: Question, target: Target) -> WhyNot:
    """Where ``target`` stands for ``question``, and the first gate that it failed."""
    missing = _missing(engine.reader, target)
    if missing is not None:
        return missing
    wanted = {chunk.id for chunk in _chunks(engine.reader, target)}
    full = engine.ask(replace(question, limit=EVERYTHING))
    ranks = _ranks(engine, question, wanted)
    for result in full.results:
        if result.chunk_id in wanted:
            return _placed(question, target, full, result, ranks)
        if any(other.chunk_id in wanted for other in result.others):
            return _merged(engine, question, target, wanted, result, ranks)
    return _unlisted(engine, question, target, wanted, full, ranks)


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
            return WhyNot(target, "skipped", words, reason=f"none can, because {entry.reason}")
        words = f"no file {target.path} is known to the index"
        return WhyNot(target, "not_found", words, reason="none can, because no such file is in the index")
    if target.line is not None and not 1 <= target.line <= max(file.lines, 1):
        words = f"{target.path} has {file.lines} lines, not {target.line}"
        return WhyNot(target, "not_found", words, reason="none can, because the file has no such line")
    if target.symbol is not None and not _chunks(reader, target):
        words = f"{target.path} defines no {target.symbol}"
        return WhyNot(target, "not_found", words, reason="none can, because the file defines no such symbol")
    return None


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


def _ranks(engine: Engine, question: Question, wanted: set[int]) -> dict[Modality, int]:
    """The best rank of the wanted chunks in each modality's full list."""
    lists = engine.lists(question)
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
        words = f"{target} stands at position {position}"
        return WhyNot(
            target, "none", words, position, position, ranks, reason=f"it already stands at position {position}"
        )
    remedy = replace(question, limit=position)
    undemoted = position_without(full, result.path, "demotion")
    if result.demotion < 1.0 and undemoted is not None and undemoted <= question.limit:
        why = result.demotion_reason or "its path"
        words = f"{target} stands at position {position}; without the demotion for {why} it would be at {undemoted}"
        return WhyNot(target, "demoted", words, position, undemoted, ranks, remedy)
    words = f"{target} stands at position {position}, below the limit of {question.limit}"
    return WhyNot(target, "below_limit", words, position, position, ranks, remedy)


def _merged(
    engine: Engine,
    question: Question,
    target: Target,
    wanted: set[int],
    head: Result,
    ranks: Mapping[Modality, int],
) -> WhyNot:
    words = (
        f"{target} is listed under a better chunk of its file, lines {head.start_line}-{head.end_line} "
        f"at position {head.position}"
    )
    tried = _first_that_helps(engine, question, wanted, _one_modality(question, ranks))
    reason = None if tried else "none can, because a better chunk of the same file stands for it with every modality"
    position = tried[1] if tried else None
    return WhyNot(target, "merged", words, None, position, ranks, tried[0] if tried else None, reason)


def _unlisted(
    engine: Engine,
    question: Question,
    target: Target,
    wanted: set[int],
    full: Answer,
    ranks: Mapping[Modality, int],
) -> WhyNot:
    ran = [modality for modality in full.plan.runs if modality in ranks]
    reason: str | None
    if not ranks:
        if full.intent.rule == "1":
            reason = "none can, because the question holds nothing to search for"
        elif full.plan.filters:
            reason = "none can within these filters, which no part of it passes or which leave nothing that matches"
        else:
            reason = "none can, because no modality finds anything of the question in it"
        return WhyNot(target, "not_retrieved", f"no modality lists {target} at any depth", ranks=ranks, reason=reason)
    if ran:
        depth = 1 + min(ranks[modality] for modality in ran)
        shown = ", ".join(f"{modality} #{ranks[modality] + 1}" for modality in ran)
        words = f"{target} stands at {shown} of the full list, deeper than the {full.plan.depth} that are fused"
        changes: list[Question] = _deeper(question, depth)
    else:
        shown = ", ".join(f"{modality} #{rank + 1}" for modality, rank in ranks.items())
        words = f"{target} is only in lists that the plan does not run: {shown}"
        changes = list(_wider(question, full))
    tried = _first_that_helps(engine, question, wanted, [*changes, *_one_modality(question, ranks)])
    reason = None if tried else "none can, because other results of every change that was tried stand above it"
    gate: Gate = "not_retrieved" if ran else "off"
    would_be = tried[1] if tried else None
    return WhyNot(target, gate, words, None, would_be, ranks, tried[0] if tried else None, reason)


# --------------------------------------------------------------------------- changes, smallest first


def _deeper(question: Question, depth: int) -> list[Question]:
    return [replace(question, options=replace(question.options, depth=depth))]


def _wider(question: Question, full: Answer) -> Iterator[Question]:
    options = question.options
    if full.plan.strategy == "direct" and options.preset != "quick":
        yield replace(question, options=replace(options, strategy="fused"))
    yield replace(question, options=replace(options, preset="thorough", strategy="auto", only=None))
    yield replace(question, options=replace(options, preset="thorough", strategy="fused", only=None))


def _one_modality(question: Question, ranks: Mapping[Modality, int]) -> Iterator[Question]:
    """Each modality alone, the one that ranks the target best first."""
    for modality in sorted(ranks, key=lambda name: (ranks[name], MODALITIES.index(name))):
        options = replace(
            question.options,
            preset="default",
            strategy="fused",
            only=(modality,),
            weights=None,
            depth=ranks[modality] + 1,
        )
        yield replace(question, options=options)


def _first_that_helps(
    engine: Engine, question: Question, wanted: set[int], changes: Iterator[Question] | Sequence[Question]
) -> tuple[Question, int] | None:
    """The first change that brings a wanted chunk within the limit, else the one that brings it highest."""
    best: tuple[Question, int] | None = None
    for change in changes:
        position = _position(engine, change, wanted)
        if position is None:
            continue
        if position <= question.limit:
            return change, position
        if best is None or position < best[1]:
            best = (replace(change, limit=position), position)
    return best


def _position(engine: Engine, question: Question, wanted: set[int]) -> int | None:
    answer = engine.ask(replace(question, limit=EVERYTHING))
    return next((result.position for result in answer.results if result.chunk_id in wanted), None)
