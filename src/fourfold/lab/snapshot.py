"""A snapshot: an Answer with all its lists and the texts shown, as one file that opens without the codebase.

The file is JSON: ``{"fourfold": "snapshot", "schema": 1, "answer": …, "chunks": …, "lines": …}``. Records are written
as objects by their fields, so that nothing of what the explanation shows is lost; numbers keep every digit.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from fourfold import model
from fourfold.model import Answer, Chunk
from fourfold.search.serialise import dumps
from fourfold.store.interface import Reader

SCHEMA = 1
#: How many results a snapshot keeps, so that a file that falls out of those shown is followed further.
DEEP = 200
#: Larger files are not read: no answer is that large.
MOST_BYTES = 200_000_000


class SnapshotError(ValueError):
    """A file that is no snapshot, or a damaged one; the text says so in one line."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``chunks`` are those of every hit in every list; ``lines`` the text of the results shown, by chunk id."""

    answer: Answer
    chunks: Mapping[int, Chunk]
    lines: Mapping[int, str]


def take(answer: Answer, reader: Reader) -> Snapshot:
    """The snapshot of an answer, with the texts of its results (and of the hits under them) as they stand now."""
    ids = {hit.chunk_id for found in answer.lists.values() for hit in found.hits}
    chunks = dict(reader.chunks(ids))
    shown = [each for result in answer.results for each in (result, *result.others)]
    wanted = {each.chunk_id: chunks[each.chunk_id] for each in shown if each.chunk_id in chunks}
    texts = {text.file_id: text.data for text in reader.texts(sorted({chunk.file_id for chunk in wanted.values()}))}
    lines = {}
    for number, chunk in wanted.items():
        all_lines = texts.get(chunk.file_id, b"").decode("utf-8", "replace").split("\n")
        lines[number] = "\n".join(all_lines[chunk.start_line - 1 : chunk.end_line])
    return Snapshot(answer, chunks, lines)


def shown(answer: Answer) -> Answer:
    """The answer of a snapshot as it was shown: its results up to the question's limit."""
    return dataclasses.replace(answer, results=answer.results[: answer.question.limit])


def write(snapshot: Snapshot) -> str:
    """The snapshot as text."""
    data = {
        "fourfold": "snapshot",
        "schema": SCHEMA,
        "answer": to_plain(snapshot.answer),
        "chunks": [to_plain(chunk) for chunk in snapshot.chunks.values()],
        "lines": {str(number): text for number, text in snapshot.lines.items()},
    }
    return dumps(data) + "\n"


def read(text: str, name: str = "the file") -> Snapshot:
    """The snapshot in a text. Raises `SnapshotError`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise SnapshotError(f"{name} is no snapshot: it is not JSON") from None
    if not isinstance(data, dict) or data.get("fourfold") != "snapshot":
        raise SnapshotError(f"{name} is no snapshot of fourfold")
    if data.get("schema") != SCHEMA:
        raise SnapshotError(f"{name} is a snapshot of another version (schema {data.get('schema')}, not {SCHEMA})")
    try:
        chunks = [from_plain(Chunk, each) for each in data["chunks"]]
        lines = {int(number): str(lines) for number, lines in data["lines"].items()}
        return Snapshot(from_plain(Answer, data["answer"]), {chunk.id: chunk for chunk in chunks}, lines)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise SnapshotError(f"{name} is a damaged snapshot: {' '.join(str(error).split())[:120]}") from None


def load(path: Path) -> Snapshot:
    """The snapshot in a file. Raises `SnapshotError`, also for one that cannot be read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SnapshotError(f"{path} is too large for a snapshot")
        return read(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError:
        raise SnapshotError(f"{path} is no snapshot: it is not UTF-8") from None
    except OSError as error:
        raise SnapshotError(f"cannot read {path}: {error.strerror or error}") from None


def is_snapshot(path: Path) -> bool:
    """Whether a file begins as snapshots do."""
    try:
        with path.open("rb") as handle:
            return handle.read(40).replace(b" ", b"").startswith(b'{"fourfold":"snapshot"')
    except OSError:
        return False


# --------------------------------------------------------------------------- records as objects and back


def to_plain(value: Any) -> Any:
    """A record as JSON can hold it: an object by its fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(each) for each in value]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind, {**vars(model), **vars(sys.modules[kind.__module__])})


def from_plain(kind: Any, value: Any) -> Any:
    """``value`` as the type ``kind`` of a record's field. Raises TypeError or ValueError where it is none."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError(f"{kind.__name__} is no object")
        hints = _hints(kind)
        return kind(**{name: from_plain(hints[name], each) for name, each in value.items() if name in hints})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        if value not in inner:
            raise ValueError(f"{str(value)[:40]} is none of {inner}")
        return value
    if origin in (Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        return from_plain(next(each for each in inner if each is not type(None)), value)
    if origin is tuple:
        items = value if isinstance(value, list) else _no(value)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(from_plain(inner[0], each) for each in items)
        return tuple(from_plain(each, item) for each, item in zip(inner, items, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {from_plain(inner[0], key): from_plain(inner[1], each) for key, each in value.items()}
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind in (int, float, str, bool) and type(value) is not kind:
        raise TypeError(f"{str(value)[:40]} is no {kind.__name__}")
    return value


def _no(value: Any) -> list[Any]:
    raise TypeError(f"{str(value)[:40]} is no list")


# --------------------------------------------------------------------------- what moved, and why


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that differs for a result: ``what`` (weight of text, k, rank in text, boost, demotion), before and
    after in words, and what the score would have gained by it alone."""

    what: str
    before: str
    after: str
    effect: float


@dataclass(frozen=True, slots=True)
class Moved:
    """A file that stands elsewhere in ``new`` (None: not among its results). ``factors`` are its own, the largest
    effect first; none: it stayed as it was, and others passed it (``passed``) or fell behind."""

    path: str
    before: int | None
    after: int | None
    factors: tuple[Factor, ...]
    passed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """``about`` says what differs for the whole question (plan, index); ``moved`` which files, in their new order."""

    about: tuple[Factor, ...]
    moved: tuple[Moved, ...]
    same: int


def diff(old: Answer, new: Answer, depth: int = 10) -> Difference:
    """What moved among the first ``depth`` of either, from ``old`` to ``new``, and which factors moved it; by files.
    A file further down is followed as far as the answers carry results."""
    before = {result.path: result for result in old.results}
    after = {result.path: result for result in new.results}
    moved, same = [], 0
    last = DEEP + 1
    order = sorted({*after, *before}, key=lambda p: (after[p].position if p in after else last, p))
    for path in order:
        one, two = before.get(path), after.get(path)
        if min(each.position for each in (one, two) if each is not None) > depth:
            continue
        if one is not None and two is not None and one.position == two.position:
            same += 1
            continue
        moved.append(
            Moved(
                path,
                one.position if one else None,
                two.position if two else None,
                _factors(old, new, one, two),
                _passed(before, after, one, two),
            )
        )
    return Difference(_about(old, new), tuple(moved), same)


def _about(old: Answer, new: Answer) -> tuple[Factor, ...]:
    plan, other = old.plan, new.plan
    pairs: list[tuple[str, object, object]] = [
        ("question", old.question.text, new.question.text),
        ("intent", plan.intent.name, other.intent.name),
        ("strategy", plan.strategy, other.strategy),
        ("preset", plan.preset, other.preset),
        ("modalities", ", ".join(plan.runs), ", ".join(other.runs)),
        ("k", plan.k, other.k),
        ("depth", plan.depth, other.depth),
        *((f"weight of {m}", f"{_weight(old, m):g}", f"{_weight(new, m):g}") for m in model.MODALITIES),
        ("filters", plan.filters, other.filters),
        ("index generation", old.index.generation, new.index.generation),
        ("commit", old.index.commit[:12], new.index.commit[:12]),
        ("embedder", old.index.embedder, new.index.embedder),
    ]
    return tuple(Factor(what, str(one), str(two), 0.0) for what, one, two in pairs if one != two)


def _weight(answer: Answer, modality: model.Modality) -> float:
    if modality not in answer.plan.runs:
        return 0.0
    return 1.0 if answer.plan.strategy == "direct" else answer.plan.weights.get(modality, 0.0)


def _factors(old: Answer, new: Answer, one: model.Result | None, two: model.Result | None) -> tuple[Factor, ...]:
    """Each factor that differs, with the effect of that change alone on the old score."""
    if one is None or two is None:
        return ()
    state = _State.of(old, one)
    target = _State.of(new, two)
    found = []
    if state.k != target.k:
        found.append(Factor("k", str(state.k), str(target.k), state.with_(k=target.k).score - state.score))
    for m in model.MODALITIES:
        if state.weights[m] != target.weights[m]:
            changed = state.with_(weights={**state.weights, m: target.weights[m]})
            words = (f"{state.weights[m]:g}", f"{target.weights[m]:g}")
            found.append(Factor(f"weight of {m}", *words, changed.score - state.score))
        if state.ranks.get(m) != target.ranks.get(m) and m in old.plan.runs and m in new.plan.runs:
            changed = state.with_(ranks={**state.ranks, m: target.ranks.get(m)})
            words = (_place(state.ranks.get(m)), _place(target.ranks.get(m)))
            found.append(Factor(f"rank in {m}", *words, changed.score - state.score))
    if state.boost != target.boost:
        effect = state.with_(boost=target.boost).score - state.score
        found.append(Factor("boost", f"{state.boost:.4f}", f"{target.boost:.4f}", effect))
    if state.demotion != target.demotion:
        effect = state.with_(demotion=target.demotion).score - state.score
        found.append(Factor("demotion", f"{state.demotion:g}", f"{target.demotion:g}", effect))
    return tuple(sorted(found, key=lambda factor: -abs(factor.effect)))


@dataclass(frozen=True, slots=True)
class _State:
    """All that makes one score."""

    ranks: Mapping[model.Modality, int | None]
    weights: Mapping[model.Modality, float]
    k: int
    boost: float
    demotion: float

    @staticmethod
    def of(answer: Answer, result: model.Result) -> _State:
        ranks: dict[model.Modality, int | None] = {part.modality: part.rank for part in result.contributions}
        weights = {m: _weight(answer, m) for m in model.MODALITIES}
        return _State(ranks, weights, answer.plan.k, result.boost, result.demotion)

    def with_(self, **changes: Any) -> _State:
        return dataclasses.replace(self, **changes)

    @property
    def score(self) -> float:
        parts = [self.weights[m] / (self.k + rank + 1) for m, rank in self.ranks.items() if rank is not None]
        return self.demotion * self.boost * sum(parts)


def _place(rank: int | None) -> str:
    return "—" if rank is None else f"#{rank + 1}"


def _passed(
    before: Mapping[str, model.Result],
    after: Mapping[str, model.Result],
    one: model.Result | None,
    two: model.Result | None,
) -> tuple[str, ...]:
    """Files that stand above it now and did not before."""
    if two is None:
        return ()
    was = one.position if one is not None else len(before) + 1
    return tuple(
        path
        for path, other in after.items()
        if other.position < two.position and (path not in before or before[path].position > was)
    )
