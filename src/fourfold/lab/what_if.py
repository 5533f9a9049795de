"""What if: the lists of one question fused again with other weights, k, boost, demotion, or by another rule.

All four lists are fetched once, for the lab only; after that every change is fused from them in milliseconds and
nothing is retrieved. The ranking that the engine gives does not move by looking. `rank` gives what `search.fuse` would,
to the last bit; it is quicker because it makes records only for the results that are shown.

CombSUM and CombMNZ are those of E. Fox and J. Shaw, "Combination of multiple searches", TREC-2 1993, over each list's
raw scores scaled to 0 … 1; they are here to show why ranks are fused and not scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from fourfold.model import MODALITIES, Answer, Chunk, Contribution, Hit, HitList, Modality, Plan, Question, Result
from fourfold.search.engine import Engine
from fourfold.search.fuse import NO_DEMOTION, PUBLISHED_BOOST, BoostCurve, Demotion, score_chunk

Rule = Literal["weighted", "plain", "sum", "mnz"]
#: weighted: as published; plain: RRF with every weight 1; sum, mnz: of scores, see above.
RULES: tuple[Rule, ...] = ("weighted", "plain", "sum", "mnz")
RULE_NAMES: Mapping[Rule, str] = {
    "weighted": "weighted ranks", "plain": "plain RRF", "sum": "CombSUM of scores", "mnz": "CombMNZ of scores",
}  # fmt: skip
#: Lists are fetched to this depth, or to the plan's if that is deeper.
FETCHED = 1000
#: The values of k that a curve is drawn over.
CURVE = (1, 2, 3, 5, 8, 12, 20, 30, 40, 60, 80, 120, 200, 350, 600, 1000)


@dataclass(frozen=True, slots=True)
class Knobs:
    """All that can be turned. ``demotion`` is the factor of every demoted path, None as published; ``direct`` takes
    the list of the one modality in ``on`` as it is, without weights and boost."""

    on: tuple[Modality, ...]
    weights: Mapping[Modality, float]
    k: int
    depth: int
    boost: float = PUBLISHED_BOOST.factor
    cap: float = PUBLISHED_BOOST.cap
    demotion: float | None = None
    rule: Rule = "weighted"
    direct: bool = False

    @property
    def runs(self) -> tuple[Modality, ...]:
        """The modalities whose lists are fused: as in a plan, one of weight 0 is not."""
        if self.direct or self.rule == "plain":
            return self.on
        return tuple(name for name in self.on if self.weights.get(name, 0.0) > 0) or self.on

    def weight(self, name: Modality) -> float:
        return 1.0 if self.direct or self.rule == "plain" else self.weights.get(name, 0.0)


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk that some list holds: (modality, rank, hit) for each, in the usual order."""

    chunk: Chunk
    demotion: Demotion
    parts: tuple[tuple[Modality, int, Hit], ...]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one question's changes are made from. ``lists`` holds all four, ``direct`` the list of a direct answer."""

    question: Question
    plan: Plan
    lists: Mapping[Modality, HitList]
    direct: Mapping[Modality, HitList]
    chunks: Mapping[int, Chunk]
    demotions: Mapping[int, Demotion]
    rows: tuple[Row, ...] = field(init=False, repr=False)
    direct_rows: tuple[Row, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", _rows(self.lists, self.chunks, self.demotions))
        object.__setattr__(self, "direct_rows", _rows(self.direct, self.chunks, self.demotions))

    @property
    def published(self) -> Knobs:
        """The knobs that give the answer's own list."""
        plan = self.plan
        return Knobs(plan.runs, dict(plan.weights), plan.k, plan.depth, direct=plan.strategy == "direct")


def _rows(
    lists: Mapping[Modality, HitList], chunks: Mapping[int, Chunk], demotions: Mapping[int, Demotion]
) -> tuple[Row, ...]:
    parts: dict[int, list[tuple[Modality, int, Hit]]] = {}
    for name in MODALITIES:
        for rank, hit in enumerate(lists[name].hits if name in lists else ()):
            parts.setdefault(hit.chunk_id, []).append((name, rank, hit))
    return tuple(
        Row(chunks[number], demotions.get(number, NO_DEMOTION), tuple(found))
        for number, found in parts.items()
        if number in chunks
    )


@dataclass(frozen=True, slots=True)
class Move:
    """A result and where it stood before (None: nowhere)."""

    result: Result
    before: int | None

    @property
    def by(self) -> int:
        """How many places it went up; 0 for one that has come."""
        return self.before - self.result.position if self.before is not None else 0


def fetch(engine: Engine, question: Question, answer: Answer) -> Fetched:
    """Retrieve all four lists of the question that ``answer`` answers."""
    lists = engine.lists(question, max(FETCHED, answer.plan.depth))
    direct = answer.lists if answer.plan.strategy == "direct" else {}
    ids = {hit.chunk_id for table in (lists, direct) for found in table.values() for hit in found.hits}
    chunks = engine.reader.chunks(ids)
    demotions = engine.demotions(engine.understand(question), chunks)
    return Fetched(question, answer.plan, lists, direct, chunks, demotions)


# --------------------------------------------------------------------------- scoring

#: (modality, rank, hit, weight, contribution)
Part = tuple[Modality, int, Hit, float, float]
#: What results are ordered by: score (negative), lists (negative), best rank, path, line.
Key = tuple[float, int, int, str, int]


class Scorer:
    """Scores single rows under one setting of the knobs; as `search.fuse` does, in the same order of operations."""

    def __init__(self, fetched: Fetched, knobs: Knobs) -> None:
        self.knobs = knobs
        self.fetched = fetched
        self.rows = fetched.direct_rows if knobs.direct else fetched.rows
        self.curve = BoostCurve(knobs.boost, max(1.0, knobs.cap))
        self._weights = {name: knobs.weight(name) for name in knobs.runs}
        self._ranges = self._scales() if knobs.rule in ("sum", "mnz") and not knobs.direct else None

    def _scales(self) -> dict[Modality, tuple[float, float]]:
        """Lowest and highest raw score of each list."""
        found = {}
        for name in self.knobs.runs:
            hits = self.fetched.lists[name].hits[: self.knobs.depth] if name in self.fetched.lists else ()
            if hits:
                scores = [hit.raw_score for hit in hits]
                found[name] = (min(scores), max(scores))
        return found

    def parts(self, row: Row) -> list[Part]:
        """What each list gives to a chunk; none when no list that counts holds it."""
        weights, depth = self._weights, self.knobs.depth
        kept = [part for part in row.parts if part[1] < depth and part[0] in weights]
        if self._ranges is None:
            k = self.knobs.k + 1
            return [(m, rank, hit, weights[m], weights[m] * (1.0 / (k + rank))) for m, rank, hit in kept]
        times = len(kept) if self.knobs.rule == "mnz" else 1
        return [(m, rank, hit, float(times), times * _share(hit.raw_score, *self._ranges[m])) for m, rank, hit in kept]

    def demotion(self, row: Row) -> Demotion:
        factor = self.knobs.demotion
        return row.demotion if factor is None or row.demotion.factor >= 1 else replace(row.demotion, factor=factor)

    def factor(self, row: Row) -> float:
        """Demotion times boost."""
        own = self.knobs.demotion
        demotion = row.demotion.factor if own is None or row.demotion.factor >= 1 else own
        return demotion * (1.0 if self.knobs.direct else self.curve.at(row.chunk.centrality))

    def key(self, row: Row) -> Key | None:
        parts = self.parts(row)
        if not parts:
            return None
        score = self.factor(row) * sum([part[4] for part in parts])
        return (-score, -len(parts), min([part[1] for part in parts]), row.chunk.path, row.chunk.start_line)

    def result(self, row: Row, plan: Plan, position: int, others: Sequence[Row]) -> Result:
        parts = self.parts(row)
        contributions = tuple(
            Contribution(m, r, hit.raw_score, w, value, hit.evidence) for m, r, hit, w, value in parts
        )
        lines = {line for part in parts for line in part[2].lines}
        made = score_chunk(row.chunk, contributions, self.demotion(row), lines, plan, self.curve)
        below = tuple(self.result(each, plan, 0, ()) for each in others)
        return replace(made, position=position, others=below, more_in_file=len(below))


def _share(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 1.0


def _files(scorer: Scorer) -> dict[str, list[Row]]:
    """The rows of each file, best first, files in the order of the final list."""
    keyed = [(key, index) for index, row in enumerate(scorer.rows) if (key := scorer.key(row)) is not None]
    keyed.sort()
    files: dict[str, list[Row]] = {}
    for _, index in keyed:
        row = scorer.rows[index]
        files.setdefault(row.chunk.path, []).append(row)
    return files


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first results under some knobs, and the position of every file."""

    results: tuple[Result, ...]
    positions: Mapping[str, int]


def ranking(fetched: Fetched, knobs: Knobs, limit: int | None = None, *, under: bool = True) -> Ranking:
    """The final list under ``knobs``, one result a file; records are made for the first ``limit``, and for what stands
    under them if ``under``."""
    scorer = Scorer(fetched, knobs)
    files = _files(scorer)
    plan = replace(
        fetched.plan, runs=knobs.runs, k=knobs.k, depth=knobs.depth, strategy="direct" if knobs.direct else "fused",
        weights={name: knobs.weight(name) for name in MODALITIES},
    )  # fmt: skip
    groups = list(files.values())[:limit]
    results = tuple(scorer.result(group[0], plan, at, group[1:] if under else ()) for at, group in enumerate(groups, 1))
    return Ranking(results, {path: at for at, path in enumerate(files, 1)})


def rank(fetched: Fetched, knobs: Knobs, limit: int | None = None) -> list[Result]:
    """The final list under ``knobs``, one result a file, with positions from 1."""
    return list(ranking(fetched, knobs, limit).results)


def positions(fetched: Fetched, knobs: Knobs) -> dict[str, int]:
    """The position of every file under ``knobs``."""
    return {path: at for at, path in enumerate(_files(Scorer(fetched, knobs)), 1)}


def leave_out(knobs: Knobs, name: Modality) -> Knobs | None:
    """``knobs`` without one modality; None when nothing would be left."""
    on = tuple(each for each in knobs.on if each != name)
    return replace(knobs, on=on) if on and not knobs.direct and any(knobs.weight(each) for each in on) else None


def moves(before: Mapping[str, int], after: Sequence[Result]) -> list[Move]:
    """``after``, each with the position that its file had in ``before``."""
    return [Move(result, before.get(result.path)) for result in after]


def left(before: Sequence[Result], after: Mapping[str, int], depth: int) -> list[Result]:
    """Results among the first ``depth`` before that no list holds any more."""
    return [result for result in before[:depth] if result.path not in after]


def curve(
    fetched: Fetched, knobs: Knobs, path: str, going: Callable[[], bool] = lambda: True
) -> list[tuple[int, int | None]]:
    """(k, position of the file) over `CURVE`; None where no list holds it. Ends early when ``going`` says so."""
    if knobs.direct or knobs.rule in ("sum", "mnz"):
        return []
    return [(k, positions(fetched, replace(knobs, k=k)).get(path)) for k in _while(going, CURVE)]


def _while(going: Callable[[], bool], values: Sequence[int]) -> Iterator[int]:
    for value in values:
        if not going():
            return
        yield value


# --------------------------------------------------------------------------- the same as a command


def as_question(fetched: Fetched, knobs: Knobs) -> tuple[Question, tuple[str, ...]]:
    """The question whose plan has these knobs, and the words of those that no plan has (boost, demotion, the rule), as
    ``fourfold explain --what-if`` takes them."""
    published, options = fetched.published, fetched.question.options
    if knobs.direct:
        changes = replace(options, strategy="direct" if not published.direct else options.strategy)
    else:
        weights = dict.fromkeys(MODALITIES, 1.0) if knobs.rule == "plain" else dict(knobs.weights)
        same = weights == dict(published.weights) and not published.direct
        changes = replace(
            options,
            strategy="fused" if published.direct else options.strategy,
            weights=options.weights if same and options.weights is None else {m: weights[m] for m in knobs.on},
            only=options.only if knobs.on == published.on and not published.direct else knobs.on,
        )
    changes = replace(
        changes,
        k=knobs.k if knobs.k != published.k else options.k,
        depth=knobs.depth if knobs.depth != published.depth else options.depth,
    )
    words = []
    if not knobs.direct:
        words += [f"boost={knobs.boost:g}"] if knobs.boost != published.boost else []
        words += [f"cap={knobs.cap:g}"] if knobs.cap != published.cap else []
        words += [f"rule={knobs.rule}"] if knobs.rule in ("sum", "mnz") else []
    words += [f"demotion={knobs.demotion:g}"] if knobs.demotion is not None else []
    return replace(fetched.question, options=changes), tuple(words)


def with_words(knobs: Knobs, text: str) -> Knobs:
    """``boost=0 cap=1 demotion=1 rule=mnz`` (spaces or commas between). Raises ValueError with one clear line."""
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name == "rule":
            rule = next((each for each in RULES if each == value), None)
            if rule is None:
                raise ValueError(f'rule is one of {", ".join(RULES)}, not "{value}"')
            knobs = replace(knobs, rule=rule)
            continue
        bounds = {"boost": (0.0, 10.0), "cap": (1.0, 10.0), "demotion": (0.0, 1.0)}.get(name)
        if bounds is None:
            raise ValueError(f'what if knows boost=, cap=, demotion= and rule=, not "{word}"')
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f'{name} wants a number, not "{value}"') from None
        if not bounds[0] <= number <= bounds[1]:
            raise ValueError(f"{name} must be from {bounds[0]:g} to {bounds[1]:g}, not {value}")
        if name == "boost":
            knobs = replace(knobs, boost=number)
        elif name == "cap":
            knobs = replace(knobs, cap=number)
        else:
            knobs = replace(knobs, demotion=number)
    return knobs
