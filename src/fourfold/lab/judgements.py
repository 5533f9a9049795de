"""Judgements: questions with the places that answer them, as people keep them in files.

Three forms are read, told apart by how the text begins:

- a JSON list (``[``): ``{"query", "category", "relevant": [path or {path, start_line, end_line}], "secondary": […]}``;
  all targets count the same;
- JSON Lines (``{``): one line a judgement, ``{"query", "path", "grade"}`` with ``line`` or ``start_line`` and
  ``end_line`` if only some lines answer; or one line a question, ``{"query", "targets": [{path, grade, …}]}``. Both
  take ``kind``, ``intent`` (one, or a list of those that are right), ``split`` (tune, test) and ``answerable`` (false
  for a question without an answer). Grades are 0 (looked at, no answer) to 3; without one it is 1;
- TREC qrels (``1 0 path grade``), see `fourfold.lab.trec`.

Paths lead from the root, or from further up: `locate` finds out which leading folders to leave away.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn, cast

from fourfold.model import INTENTS

Split = Literal["tune", "test"]
SPLITS: tuple[Split, ...] = ("tune", "test")
BEST_GRADE = 3


class JudgementError(ValueError):
    """A bad line of a file of judgements: one clear line, with file and line number."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place that was judged for a question. Without ``start`` and ``end`` the whole file was meant."""

    path: str
    grade: int = 1
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One question and what was judged for it.

    ``intents`` are the intents that are right for it (none when the file does not say). A question that is not
    ``answerable`` has no target with a grade above 0.
    """

    id: str
    query: str
    targets: tuple[Target, ...]
    split: Split
    kind: str = ""
    intents: tuple[str, ...] = ()
    answerable: bool = True

    @property
    def counts(self) -> bool:
        """Whether figures can be had: not when places were looked at and none of them answers."""
        return bool(self.answers) or not self.answerable

    @property
    def answers(self) -> tuple[Target, ...]:
        return tuple(target for target in self.targets if target.grade > 0)


def split_of(query: str) -> Split:
    """The half that a question belongs to, by the hash of its words: the same on every machine, for ever."""
    return SPLITS[hashlib.sha256(" ".join(query.split()).encode("utf-8", "replace")).digest()[0] & 1]


def read_judgements(text: str, name: str) -> tuple[Judgement, ...]:
    """The questions of a JSON list or of JSON Lines, in order. Raises `JudgementError`; ``name`` is the file's."""
    if text.lstrip()[:1] == "[":
        found = tuple(_annotated(text, name))
    else:
        found = _graded(text, name)
    if not found:
        raise JudgementError(f"{name}: no judgements in it")
    return found


def is_qrels(text: str) -> bool:
    """Whether the text is neither form of JSON, so that it can only be TREC qrels."""
    return text.lstrip()[:1] not in ("[", "{", "")


# --------------------------------------------------------------------------- a JSON list


def _annotated(text: str, name: str) -> Iterator[Judgement]:
    for number, (line, item) in enumerate(_items(text, name), 1):
        where = f"{name}:{line}"
        row = _object(item, where)
        targets = []
        for key in ("relevant", "secondary"):
            for given in _list(row.get(key) or [], where, key):
                given = {"path": given} if isinstance(given, str) else _object(given, where)
                start, end = _line(given, "start_line", where), _line(given, "end_line", where)
                targets.append(Target(_path(given, where), 1, start, end))
        query = _query(row, where)
        kind = _text(row, "category", where) or _text(row, "kind", where)
        yield Judgement(str(number), query, tuple(targets), _split(row, query, where), kind, _intents(row, where),
                        _answerable(row, tuple(targets), where))  # fmt: skip


def _items(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """The items of a JSON list with the line on which each begins."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    at = _after(text, text.index("[") + 1)
    while text[at : at + 1] != "]":
        line = text.count("\n", 0, at) + 1
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _no_json(error, name, text, at) from None
        yield line, item
        at = _after(text, end)
        if text[at : at + 1] == ",":
            at = _after(text, at + 1)
        elif text[at : at + 1] != "]":
            raise JudgementError(f"{name}:{text.count(chr(10), 0, at) + 1}: a comma or ] is missing here")


def _after(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t", "\n", "\r"):
        at += 1
    return at


# --------------------------------------------------------------------------- JSON Lines


@dataclass(slots=True)
class _Asked:
    """A question as its lines are read; the later grade of a place stands."""

    targets: dict[tuple[str, int | None, int | None], Target]
    kind: str = ""
    intents: tuple[str, ...] = ()
    split: Split | None = None
    answerable: bool = True
    line: int = 0


def _graded(text: str, name: str) -> tuple[Judgement, ...]:
    asked: dict[str, _Asked] = {}
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    for line, source in enumerate(text.split("\n"), 1):
        if not source.strip():
            continue
        where = f"{name}:{line}"
        try:
            row = _object(decoder.decode(source.strip()), where)
        except (json.JSONDecodeError, RecursionError) as error:
            raise JudgementError(f"{where}: no JSON object: {_reason(error)}") from None
        except ValueError as error:
            raise error if isinstance(error, JudgementError) else JudgementError(f"{where}: {error}") from None
        query = _query(row, where)
        _take(asked.setdefault(query, _Asked({}, line=line)), row, where)
    found = []
    for number, (query, one) in enumerate(asked.items(), 1):
        targets = tuple(one.targets.values())
        where = f"{name}:{one.line}"
        if one.answerable and not targets:
            raise JudgementError(f'{where}: nothing answers "{_short(query)}"; say so with "answerable": false')
        if not one.answerable and any(target.grade > 0 for target in targets):
            raise JudgementError(f'{where}: "{_short(query)}" has no answer and yet a grade above 0')
        split = one.split or split_of(query)
        found.append(Judgement(str(number), query, targets, split, one.kind, one.intents, one.answerable))
    return tuple(found)


def _take(asked: _Asked, row: dict[str, Any], where: str) -> None:
    """Add what one line says about its question."""
    kind, intents = _text(row, "kind", where) or _text(row, "category", where), _intents(row, where)
    for what, old, new in (("kind", asked.kind, kind), ("intent", asked.intents, intents)):
        if old and new and old != new:
            raise JudgementError(f"{where}: another {what} than on an earlier line of the same question")
    asked.kind, asked.intents = kind or asked.kind, intents or asked.intents
    if "split" in row:
        asked.split = _split(row, "", where)
    if "answerable" in row:
        asked.answerable = _flag(row, "answerable", where)
    given = _list(row["targets"], where, "targets") if "targets" in row else [row] if "path" in row else []
    if not given and asked.answerable and "targets" not in row:
        raise JudgementError(f'{where}: neither "path" nor "targets"')
    for one in given:
        item = _object(one, where)
        start, end = _span(item, where)
        target = Target(_path(item, where), _grade(item, where), start, end)
        asked.targets[(target.path, start, end)] = target


def _span(row: dict[str, Any], where: str) -> tuple[int | None, int | None]:
    line = _line(row, "line", where)
    start, end = _line(row, "start_line", where), _line(row, "end_line", where)
    if line is not None:
        if start is not None or end is not None:
            raise JudgementError(f'{where}: either "line", or "start_line" and "end_line"')
        return line, line
    if (start is None) != (end is None):
        raise JudgementError(f'{where}: "start_line" and "end_line" belong together')
    if start is not None and end is not None and end < start:
        raise JudgementError(f"{where}: the lines end ({end}) before they start ({start})")
    return start, end


# --------------------------------------------------------------------------- single values


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise JudgementError(f"{where}: an object is wanted here, not {_kind_of(value)}")
    return value


def _list(value: Any, where: str, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise JudgementError(f'{where}: "{key}" must be a list, not {_kind_of(value)}')
    return value


def _text(row: dict[str, Any], key: str, where: str) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise JudgementError(f'{where}: "{key}" must be text, not {_kind_of(value)}')
    return value.strip()


def _flag(row: dict[str, Any], key: str, where: str) -> bool:
    if not isinstance(row[key], bool):
        raise JudgementError(f'{where}: "{key}" must be true or false')
    return cast(bool, row[key])


def _query(row: dict[str, Any], where: str) -> str:
    query = _text(row, "query", where)
    if not query:
        raise JudgementError(f'{where}: no "query"')
    return query


def _path(row: dict[str, Any], where: str) -> str:
    given = _text(row, "path", where)
    if not given:
        raise JudgementError(f'{where}: no "path"')
    path = posixpath.normpath(given.replace("\\", "/"))
    if path.startswith(("/", "../")) or path == ".." or path[1:3] == ":/":
        raise JudgementError(f"{where}: the path must lead from the root or the repository's top: {given}")
    return path


def _line(row: dict[str, Any], key: str, where: str) -> int | None:
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise JudgementError(f'{where}: "{key}" must be a line number from 1, not {json.dumps(value)[:40]}')
    return value


def _grade(row: dict[str, Any], where: str) -> int:
    value = row.get("grade", 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= BEST_GRADE:
        raise JudgementError(f'{where}: "grade" must be 0, 1, 2 or 3, not {json.dumps(value)[:40]}')
    return value


def _intents(row: dict[str, Any], where: str) -> tuple[str, ...]:
    value = row.get("intent") or []
    names = [value] if isinstance(value, str) else _list(value, where, "intent")
    for name in names:
        if name not in INTENTS:
            raise JudgementError(f'{where}: "intent" must be one of {", ".join(INTENTS)}')
    return tuple(names)


def _split(row: dict[str, Any], query: str, where: str) -> Split:
    value = row.get("split")
    if value is None:
        return split_of(query)
    if value not in SPLITS:
        raise JudgementError(f'{where}: "split" must be tune or test')
    return cast(Split, value)


def _answerable(row: dict[str, Any], targets: tuple[Target, ...], where: str) -> bool:
    answerable = _flag(row, "answerable", where) if "answerable" in row else True
    if answerable != bool(targets):
        what = "no target" if answerable else "has no answer and yet a target"
        raise JudgementError(f'{where}: {what}; a question without an answer says "answerable": false')
    return answerable


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _no_json(error: Exception, name: str, text: str, at: int) -> JudgementError:
    position = error.pos if isinstance(error, json.JSONDecodeError) else at
    return JudgementError(f"{name}:{text.count(chr(10), 0, position) + 1}: no JSON: {_reason(error)}")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _kind_of(value: Any) -> str:
    names = {type(None): "null", bool: "true or false", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


# --------------------------------------------------------------------------- where the paths lead


@dataclass(frozen=True, slots=True)
class Located:
    """Judgements whose paths lead from the index's root.

    ``prefix`` was left away from paths that began with it; ``missing`` are judged files that the index does not hold:
    nothing can find them, and they count all the same.
    """

    judgements: tuple[Judgement, ...]
    prefix: str
    missing: tuple[str, ...]


def locate(
    judgements: Sequence[Judgement], known: Iterable[str], root: str, prefix: str | None = None, inside: str = ""
) -> Located:
    """Turn judged paths into paths from the root.

    ``known`` are the indexed files' paths, ``root`` the root's own path with ``/``, and ``inside`` the folder within it
    that is asked about. Without ``prefix``, that one is taken with which the most targets are known files; among equals
    the one with which the root's path ends, then the shortest.
    """
    files = frozenset(known)
    paths = [target.path for judgement in judgements for target in judgement.targets]
    chosen = _best_prefix(paths, files, root, inside) if prefix is None else prefix.strip("/")
    missing: dict[str, None] = {}

    def moved(target: Target) -> Target:
        path = _resolve(target.path, chosen, files, inside)
        if path not in files:
            missing[target.path] = None
        return replace(target, path=path)

    found = tuple(replace(j, targets=tuple(moved(target) for target in j.targets)) for j in judgements)
    return Located(found, chosen, tuple(missing))


def _resolve(path: str, prefix: str, files: frozenset[str], inside: str) -> str:
    """The reading of a path that is a known file, else the path without its prefix."""
    stripped = path[len(prefix) + 1 :] if prefix and path.startswith(prefix + "/") else path
    if stripped in files:
        return stripped
    below = f"{inside}/{stripped}" if inside else stripped
    return below if below in files else stripped


def _best_prefix(paths: Sequence[str], files: frozenset[str], root: str, inside: str) -> str:
    prefixes, counts = {""}, Counter(paths)
    for path in counts:
        parts = path.split("/")[:-1]
        prefixes.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))

    def worth(prefix: str) -> tuple[int, bool, int, str]:
        hits = sum(n for path, n in counts.items() if _resolve(path, prefix, files, inside) in files)
        return (-hits, not (prefix and f"/{root.strip('/')}/".endswith(f"/{prefix}/")), len(prefix), prefix)

    return min(prefixes, key=worth)
