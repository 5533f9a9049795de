"""The smallest change of a question's options that puts one result first, or why none does.

Asked as it was, then within the target's own file, then within its file and one of its kinds of symbol, then read as
another kind of question, it is changed in order: one weight alone, k alone, several weights, all that can be set. What
is handed back has been asked, and stood first. Where `reach` proves for every way that nothing does, also with other
files let in (they can put rivals beyond the depth), the chunks that bar it are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from fourfold.lab.reach import MOST_K, Barred, Bools, Field, Floats, Setting, reach, stay_above
from fourfold.model import INTENTS, MODALITIES, Chunk, Filters, HitList, Modality, Plan, PlanOptions, Question
from fourfold.search.classify import take_filters
from fourfold.search.engine import Engine
from fourfold.search.fuse import PUBLISHED_BOOST
from fourfold.search.plan import PlanError

#: The values that four weights together are tried at before any others.
TOGETHER = tuple(round(step * 0.1, 1) for step in range(11))
#: Every k to here is tried alone, and some above.
EVERY_K = 2000
#: A change of one weight that is larger than all weights together comes last.
LITTLE = 2.0
#: How many other files are let in beside the target's own, one at a time.
BESIDE = 30
_NONE = HitList("structural", "not_run")
#: How many changes that should do are tried on the engine before the next kind of change is.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Remedy:
    """``question`` puts the target first; ``words`` say in a few words what is changed."""

    question: Question
    words: str


@dataclass(frozen=True, slots=True)
class Barrier:
    """No command line does. ``chunks`` are those of which one stands above the target, whatever is set, in the last
    way of asking that lists it; ``proven`` tells whether that holds for every way, or none was found."""

    chunks: tuple[Chunk, ...]
    proven: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of asking, and its words."""

    question: Question
    words: str
    #: The lists, where they are known already.
    lists: Mapping[Modality, HitList] | None = None
    #: Whether it is tried as it is, before anything is changed within it.
    plain: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """A way with what its changes are computed from. ``base`` are the weights now, in the usual order."""

    way: _Way
    plan: Plan
    field: Field
    #: Whether the structural list holds a wanted chunk by its exact name, as a direct answer wants it.
    named: bool
    #: The number, the file and the boost of each chunk of the field.
    chunks: NDArray[np.uint32]
    files: NDArray[np.uint32]
    boosts: Floats
    base: Floats
    depth: int


def to_first(
    engine: Engine, question: Question, lists: Mapping[Modality, HitList], wanted: Sequence[Chunk]
) -> Remedy | Barrier:
    """The smallest change that was found. ``lists`` are the full ones of the question as it is."""
    own = {chunk.id for chunk in wanted}
    barred: list[int] = []
    proven = True
    readings: dict[tuple[object, ...], PlanOptions] = {}
    ways = list(_ways(engine, question, lists, wanted))
    first, limits = ways[0], [way for way in ways[1:] if way.question.options == question.options]
    for way in (first, *(replace(way, plain=True) for way in limits), *ways[1:]):
        case = _case(engine, way, own)
        if case is None:
            continue
        if way.plain:
            if _is_first(case) and _stands_first(engine, way.question, own):
                return Remedy(way.question, way.words)
            continue
        options = way.question.options
        if way.words and readings.setdefault(_content(case), options) != options:
            continue  # read otherwise, its lists are those of a reading that was tried
        for change in _changes(case):
            if _stands_first(engine, change.question, own):
                return change
        for found, changed in _anything(engine, case):
            if isinstance(found, Setting) and changed is not None and _stands_first(engine, changed.question, own):
                return changed
            if isinstance(found, Barred):
                barred = case.chunks[list(found.rows)].tolist() or barred
            else:
                proven = False
    for tried in _with_others(engine, question, wanted, tuple(readings.values())):
        if isinstance(tried, Remedy):
            if _stands_first(engine, tried.question, own):
                return tried
        else:
            proven = proven and tried
    known = engine.reader.chunks(barred)
    return Barrier(tuple(known[number] for number in barred if number in known), proven)


def _content(case: _Case) -> tuple[object, ...]:
    """What the lists hold, whichever reading gave them."""
    filters = case.way.question.filters
    return (*_parts(filters), case.plan.intent.pattern, case.chunks.tobytes(), case.field.ranks.tobytes())


# --------------------------------------------------------------------------- ways of asking


def _ways(
    engine: Engine, question: Question, lists: Mapping[Modality, HitList], wanted: Sequence[Chunk]
) -> Iterator[_Way]:
    yield _Way(question, "", lists)
    body, own = take_filters(question.text)
    given = question.filters
    asked = Filters(*(tuple(a) + tuple(b) for a, b in zip(_parts(given), _parts(own), strict=True)))
    here = replace(question, text=body, filters=Filters(paths=(_glob(wanted[0].path),)))
    defined = engine.reader.symbols_in_chunks([chunk.id for chunk in wanted])
    kinds = sorted({symbol.kind for symbols in defined.values() for symbol in symbols})
    dropped = " instead of the filters given" if asked.languages or asked.kinds or asked.not_paths else ""
    limits = [_Way(here, f"limited to its file{dropped}")]
    for kind in kinds:
        limited = replace(here, filters=replace(here.filters, kinds=(kind,)))
        limits.append(_Way(limited, f"limited to its file and to kind {kind}{dropped}"))
    yield from limits
    for name, options in _readings(engine, question):
        for way in reversed(limits):
            yield _Way(replace(way.question, options=options), f"{way.words}, read as {name}")


def _with_others(
    engine: Engine, question: Question, wanted: Sequence[Chunk], readings: Sequence[PlanOptions]
) -> Iterator[Remedy | bool]:
    """For each of some readings of the question, whether no set of files that holds the target's own puts it first:
    True where that is proven, False where it is open; before that, what one other file beside it should do."""
    body, _ = take_filters(question.text)
    own = {chunk.id for chunk in wanted}
    file = {chunk.id for chunk in engine.reader.chunks_of_file(wanted[0].file_id)}
    kinds = {
        number: {symbol.kind for symbol in symbols} for number, symbols in engine.reader.symbols_in_chunks(file).items()
    }
    left_open = False
    names = {repr(options): name for name, options in _readings(engine, question)}
    for key, options in {repr(options): options for options in readings}.items():
        name = names.get(key, "")
        asked = replace(question, text=body, filters=Filters(), options=options)
        case = _case(engine, _Way(asked, f"read as {name}" if name else ""), own)
        if case is None:
            continue
        for row in case.field.candidates():
            for kind in sorted(kinds.get(int(case.chunks[row]), ())) or [""]:
                fixed = [number for number in file - own if not kind or kind in kinds.get(number, ())]
                stay = np.isin(case.chunks, sorted(fixed))
                if stay_above(case.field, row, stay):
                    yield True
                    continue
                if not left_open:
                    yield from _beside(engine, case, kind, wanted[0], stay)
                left_open = True
                yield False


def _beside(engine: Engine, case: _Case, kind: str, target: Chunk, stay: Bools) -> Iterator[Remedy]:
    """What limits to the target's file and one other should do."""
    ranks = np.where(case.field.ranks >= 0, case.field.ranks, np.iinfo(np.int64).max).min(axis=0)
    others = dict.fromkeys(case.files[np.argsort(ranks, kind="stable")].tolist())
    nearest = [each for each in others if each != target.file_id][:BESIDE]
    files = engine.reader.files_by_id(set(nearest))
    for other in nearest:
        found = reach(case.field.only(case.field.wanted | stay | (case.files == other)), case.plan.k, case.depth)
        if isinstance(found, Setting):
            path = files[other].path
            filters = Filters(kinds=(kind,) if kind else (), paths=(_glob(target.path), _glob(path)))
            words = f"limited to its file and {path}" + (f" and to kind {kind}" if kind else "")
            told = f"{words}, {case.way.words}" if case.way.words else words
            way = _Way(replace(case.way.question, filters=filters), told)
            yield _weighted(replace(case, way=way), found.weights, found.k, found.depth)


def _glob(path: str) -> str:
    """The glob of one path; signs that a glob reads otherwise stand for any one character."""
    return "/" + re.sub(r"[\[\]*?\\]|\s(?=\s*$)", "?", path)


def _parts(filters: Filters) -> tuple[tuple[str, ...], ...]:
    return filters.languages, filters.kinds, filters.paths, filters.not_paths


def _readings(engine: Engine, question: Question) -> Iterator[tuple[str, PlanOptions]]:
    """The question taken as another kind, or as a regular expression."""
    now = engine.understand(question).plan.intent.name
    for intent in INTENTS:
        if intent != now:
            yield intent, replace(question.options, intent=intent, regex=False)
    if not question.options.regex:
        yield "a regular expression", replace(question.options, intent=None, regex=True)


def _case(engine: Engine, way: _Way, wanted: set[int]) -> _Case | None:
    """What a way's changes are computed from; None when no list holds a wanted chunk, or the way cannot be asked."""
    try:
        plan = engine.understand(way.question).plan
    except PlanError:
        return None
    found = way.lists or engine.lists(way.question)
    if plan.intent.pattern in ("ast", "construct"):
        found = {"structural": found["structural"]}
    ranks = [rank for each in found.values() for rank, hit in enumerate(each.hits) if hit.chunk_id in wanted]
    if not ranks:
        return None
    depth = max(plan.depth, max(ranks) + 1)
    table = engine.reader.chunk_table()
    numbers = np.unique([hit.chunk_id for each in found.values() for hit in each.hits[:depth]]).astype(np.uint32)
    numbers = numbers[np.isin(numbers, table.ids)]
    lines = np.full((len(MODALITIES), len(numbers)), -1, dtype=np.int64)
    for line, modality in enumerate(MODALITIES):
        listed = np.array(
            [hit.chunk_id for hit in found[modality].hits[:depth]] if modality in found else [], np.uint32
        )
        known = np.isin(listed, numbers)
        lines[line, np.searchsorted(numbers, listed[known])] = np.flatnonzero(known)
    rows = np.searchsorted(table.ids, numbers)
    files = table.file_ids[rows]
    places = engine.reader.places(numbers.tolist())
    demotions = engine.demotions(engine.understand(way.question), places)
    boosts = np.array([PUBLISHED_BOOST.at(places[each].centrality) for each in numbers.tolist()])
    factor = boosts * np.array([demotions[each].factor for each in numbers.tolist()])
    field = Field(lines, factor, np.isin(numbers, sorted(wanted)))
    if not field.wanted.any():
        return None
    base = np.array([plan.weights.get(m, 0.0) if _counts(plan, m) else 0.0 for m in MODALITIES])
    named = any(hit.evidence.symbol for hit in found.get("structural", _NONE).hits if hit.chunk_id in wanted)
    return _Case(way, plan, field, named, numbers, files, boosts, base, max(plan.depth, min(ranks) + 1))


def _counts(plan: Plan, modality: Modality) -> bool:
    """Whether a modality would be fused as things are; a direct answer is compared with its fused plan."""
    return modality in plan.runs or plan.strategy == "direct"


# --------------------------------------------------------------------------- small changes


def _changes(case: _Case) -> Iterator[Remedy]:
    """One weight alone, k alone, weights in tenths: the nearest to what is set now first."""
    plan, options = case.plan, case.way.question.options
    if case.way.words and _is_first(case):
        yield Remedy(case.way.question, case.way.words)
    if plan.intent.pattern in ("ast", "construct"):
        return
    if plan.strategy == "direct":
        fused = replace(options, strategy="fused", preset="default" if options.preset == "quick" else options.preset)
        yield _told(case, replace(case.way.question, options=fused), ["fused, not direct"])
    alone = _alone(case)
    little = [weights for weights in alone if abs(weights - case.base).sum() <= LITTLE][:TRIES]
    for weights in little:
        yield _weighted(case, weights, plan.k, case.depth)
    k = _k_alone(case)
    if k is not None:
        yield _weighted(case, case.base, k, case.depth)
    every = np.array([row for row in product(TOGETHER, repeat=len(MODALITIES)) if abs(sum(row) - 1) < 1e-6])
    good = every[case.field.first(plan.k, case.depth, every)]
    nearest = np.argsort(np.abs(good - case.base).sum(axis=1), kind="stable")
    for weights in good[nearest][:TRIES]:
        yield _weighted(case, weights, plan.k, case.depth)
    for weights in alone[len(little) :][:TRIES]:
        yield _weighted(case, weights, plan.k, case.depth)


def _is_first(case: _Case) -> bool:
    """Whether the way may put it first as it is; a direct answer must be asked."""
    plan = case.plan
    return plan.strategy == "direct" or bool(case.field.first(plan.k, plan.depth, case.base[None, :])[0])


def _alone(case: _Case) -> list[Floats]:
    """The weights with one of them changed as little as puts a wanted chunk first, the smallest change first.

    A score is a straight line over one weight, so each rival leaves the chunk a range of it."""
    field, base = case.field, case.base
    values = field.values(case.plan.k, case.depth)
    found: list[tuple[float, Floats]] = []
    for line in range(len(MODALITIES)):
        rest = values @ np.where(np.arange(len(MODALITIES)) == line, 0.0, base)
        for row in field.candidates():
            behind = rest[~field.wanted] * (1 + 1e-9) - rest[row]
            faster = values[row, line] - values[~field.wanted, line] * (1 + 1e-9)
            if bool(np.any((faster == 0) & (behind >= 0))):
                continue
            low = float(np.max(behind[faster > 0] / faster[faster > 0], initial=0.0))
            high = float(np.min(behind[faster < 0] / faster[faster < 0], initial=np.inf))
            weight = _round_between(low, high, float(base[line])) if low < high else None
            if weight is not None:
                changed = base.copy()
                changed[line] = weight
                if changed.any() and field.first(case.plan.k, case.depth, changed[None, :])[0]:
                    found.append((abs(weight - float(base[line])), changed))
    found.sort(key=lambda each: each[0])
    return [weights for _, weights in found]


def _round_between(low: float, high: float, near: float) -> float | None:
    """The roundest number within a range, at the end of it that is nearer to ``near``."""
    if low < near < high:
        return near
    for places in (2, 3, 4, 6, 9):
        step = 10.0**-places
        value = round(low + 0.5001 * step, places) if near <= low else round(high - 0.5001 * step, places)
        if (value > low or value == low == 0.0) and value < high:
            return max(value, 0.0)
    return None


def _k_alone(case: _Case) -> int | None:
    """The nearest k that does with the weights as they are: every one to `EVERY_K`, and some above."""
    field, base = case.field, case.base
    if not base.any():
        return None
    higher = np.unique(np.geomspace(EVERY_K, MOST_K, 60).astype(np.int64))
    every = np.concatenate([np.arange(1, EVERY_K), higher])
    every = every[np.argsort(np.abs(every - case.plan.k), kind="stable")]
    held = (field.ranks >= 0) & (field.ranks < case.depth) & (base > 0)[:, None]
    kept = held.any(axis=0)
    ranks, held, own, factor = field.ranks[:, kept], held[:, kept], field.wanted[kept], field.factor[kept]
    if not own.any():
        return None
    for some in np.array_split(every, max(1, len(every) * len(factor) // 100_000)):
        scores = np.zeros((len(some), len(factor)))
        for line in range(len(MODALITIES)):
            scores += base[line] * np.where(held[line], 1.0 / (some[:, None] + ranks[line] + 1.0), 0.0)
        scores *= factor
        good = scores[:, own].max(axis=1) > scores[:, ~own].max(axis=1, initial=0.0) * (1 + 1e-9)
        if good.any():
            return int(some[int(good.argmax())])
    return None


# --------------------------------------------------------------------------- anything that can be set


def _anything(engine: Engine, case: _Case) -> Iterator[tuple[Setting | Barred | None, Remedy | None]]:
    """What `reach` says of the fused plans of a way, then of the direct ones."""
    found = reach(case.field, case.plan.k, case.depth)
    remedy = _weighted(case, found.weights, found.k, found.depth) if isinstance(found, Setting) else None
    yield found, remedy
    for line, modality in enumerate(MODALITIES):
        alone = _direct(engine, case, line)
        if alone is None:
            continue
        found = reach(alone, case.plan.k, case.depth)
        if isinstance(found, Setting):
            options = replace(case.way.question.options, strategy="direct", only=(modality,), weights=None)
            yield found, _set(case, options, found.k, found.depth, [f"{modality} alone, direct"])


def _direct(engine: Engine, case: _Case, line: int) -> Field | None:
    """One list alone, without boost, as a direct answer has it; None when it does not hold the target."""
    field, modality = case.field, MODALITIES[line]
    ranks = np.full_like(field.ranks, -1)
    ranks[line] = field.ranks[line]
    if modality == "structural":
        if not case.named:
            return None
        options = replace(case.way.question.options, strategy="direct", only=(modality,), weights=None, depth=MOST_K)
        answer = engine.ask(replace(case.way.question, options=options, limit=1))
        if answer.plan.strategy != "direct":
            return None
        at = {number: row for row, number in enumerate(case.chunks.tolist())}
        ranks[line] = -1
        for rank, hit in enumerate(answer.lists[modality].hits):
            if hit.chunk_id in at:
                ranks[line, at[hit.chunk_id]] = rank
    if not (ranks[line, field.wanted] >= 0).any():
        return None
    return Field(ranks, field.factor / case.boosts, field.wanted)


# --------------------------------------------------------------------------- changes as questions


def _weighted(case: _Case, weights: NDArray[np.float64], k: int, depth: int) -> Remedy:
    """Fused with these weights, k and depth."""
    plan, options = case.plan, case.way.question.options
    pairs = list(zip(MODALITIES, case.base.tolist(), weights.tolist(), strict=True))
    changed = [f"{name} {old:g} → {new:g}" for name, old, new in pairs if abs(old - new) > 1e-9]
    words = ["fused, not direct"] if plan.strategy == "direct" else []
    if plan.intent.pattern in ("ast", "construct"):
        return _set(case, replace(options, strategy="fused", weights=None, only=None), k, depth, words)
    if changed or plan.strategy == "direct":
        given = {name: float(new) for name, _, new in pairs if new > 0}
        options = replace(options, weights=given, only=None, strategy="auto")
    if changed:
        words.append("weight of " + ", ".join(changed))
    return _set(case, options, k, depth, words)


def _set(case: _Case, options: PlanOptions, k: int, depth: int, words: list[str]) -> Remedy:
    if k != case.plan.k:
        words.append(f"k {case.plan.k} → {k}")
    if depth != case.plan.depth:
        words.append(f"depth {case.plan.depth} → {depth}")
    options = replace(
        options,
        k=k if k != case.plan.k or options.k is not None else None,
        depth=depth if depth != case.plan.depth or options.depth is not None else None,
    )
    return _told(case, replace(case.way.question, options=options), words)


def _told(case: _Case, question: Question, words: list[str]) -> Remedy:
    return Remedy(question, "; ".join([*([case.way.words] if case.way.words else []), *words]))


def _stands_first(engine: Engine, question: Question, wanted: set[int]) -> bool:
    try:
        answer = engine.ask(replace(question, limit=1))
    except PlanError:
        return False
    return bool(answer.results) and answer.results[0].chunk_id in wanted
