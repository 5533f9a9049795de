"""The edges of very many references at once: what asks the same question is answered once.

The questions are told apart by columns of numbers, and only what is left is resolved one by one. A reference that is
named on something is two questions: what the receiver is, from where it stands, and what the name means on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fourfold.indexing.numbers import numbered, paired, spread_out
from fourfold.indexing.resolve.edges import CONSTRUCTORS, OUTSIDE_KINDS, PLAIN_SUPER, SUPER, Edges, Verdict
from fourfold.indexing.resolve.homes import Homes
from fourfold.indexing.resolve.lookups import LIKELY, MAYBE
from fourfold.indexing.resolve.modules import Thing
from fourfold.store.graph import EdgeColumns, edge_columns, kind_code
from fourfold.store.interface import Ints
from fourfold.store.rows import GraphColumns
from fourfold.store.schema import CERTAINTIES, KINDS

#: Questions that are answered at a time: as objects they take ten times the memory.
_AT_A_TIME = 50_000
#: So few are resolved one by one: to tell their questions apart would take longer.
_FEW = 5_000
_CODES = {
    kind: {certainty: place * len(CERTAINTIES) + turn for turn, certainty in enumerate(CERTAINTIES)}
    for place, kind in enumerate(KINDS)
}
_SUPERS = frozenset({*PLAIN_SUPER, *(word for words in SUPER.values() for word in words)})


def edges_of(edges: Edges, columns: GraphColumns, wanted: NDArray[np.bool_] | None = None) -> EdgeColumns:
    """`Edges.of` for all references of ``columns``, or the ``wanted`` ones."""
    r = columns.references
    rows = np.arange(r.ids.size) if wanted is None else np.flatnonzero(wanted)
    if rows.size <= _FEW:
        found = edge_columns(edges.of(columns.tuples(rows)))
        return replace(found, line=r.line[np.searchsorted(r.ids, found.reference)].astype(np.int64))
    return _all_at_once(edges, columns, rows)


def _all_at_once(edges: Edges, columns: GraphColumns, rows: Ints) -> EdgeColumns:
    r = columns.references
    questions = _Questions(edges, columns, rows)
    answers = _Answers()
    number = np.empty(rows.size, dtype=np.int64)
    for some, answer in (
        (questions.on, questions.on_something),
        (questions.bare, questions.in_scope),
        (~questions.bare & ~questions.on, questions.alone),
    ):
        number[some] = answer(np.flatnonzero(some), answers)
    sizes = np.array(answers.sizes, dtype=np.int64)
    times = sizes[number]
    coded = np.repeat(np.array(answers.codes, dtype=np.int64)[number], times)
    targets = np.array(answers.targets, dtype=np.int64)
    return EdgeColumns(
        reference=np.repeat(r.ids[rows].astype(np.int64), times),
        source=np.repeat(questions.holder, times),
        target=targets[spread_out((np.cumsum(sizes) - sizes)[number], times)],
        kind=coded // len(CERTAINTIES),
        certainty=coded % len(CERTAINTIES),
        line=np.repeat(r.line[rows].astype(np.int64), times),
    )


class _Answers:
    """How many edges each answer has, their kind and certainty as one number, and all targets."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.codes: list[int] = []
        self.targets: list[int] = []

    def add(self, verdicts: Iterable[Verdict | None]) -> None:
        given = list(verdicts)
        self.sizes += [0 if verdict is None else len(verdict[2]) for verdict in given]
        self.codes += [0 if verdict is None else _CODES[verdict[0]][verdict[1]] for verdict in given]
        self.targets += chain.from_iterable(verdict[2] for verdict in given if verdict is not None)


class _Questions:
    """What ``rows`` of the references ask, as columns (n,)."""

    def __init__(self, edges: Edges, columns: GraphColumns, rows: Ints) -> None:
        self._edges, self._columns = edges, columns
        self._homes = homes = Homes(edges.names, columns.names)
        r = columns.references
        self.holder = r.holder[rows].astype(np.int64)
        self._file, self._name, self._kind = r.file[rows], r.name[rows], r.kind[rows].astype(np.int32)
        self._line, self._receiver = r.line[rows], r.receiver[rows]
        has_receiver = self._receiver > 0
        self._head = homes.heads[np.where(has_receiver, self._receiver, self._name)]
        in_turn = homes.in_turn(self.holder, self._head, has_receiver)
        #: for which the line is a part of the question
        self._by_line = in_turn | (self._kind == kind_code("import"))
        #: which depend on their very holder
        supers = np.fromiter((text in _SUPERS for text in columns.names), np.bool_, len(columns.names))
        #: which are two questions
        self.on = has_receiver & ~self._by_line & ~supers[self._receiver]
        self._around = homes.around[self.holder]
        self._of_self = homes.selves[self._head]
        #: which ask for no more than what a name means in a scope
        constructors = np.fromiter((text in CONSTRUCTORS for text in columns.names), np.bool_, len(columns.names))
        self.bare = ~has_receiver & ~self._by_line & ~constructors[self._name]

    def alone(self, rows: Ints, answers: _Answers) -> Ints:
        """Answer ``rows`` that depend on their very holder, or line; the number of the answer to each of them."""
        where = paired(self.holder[rows], np.where(self._by_line[rows], self._line[rows], 0))
        said = paired(paired(self._name[rows], self._receiver[rows]), paired(self._file[rows], self._kind[rows]))
        number, first = numbered((where << 32 | said).view(np.uint64))
        number += len(answers.sizes)
        for some in _parts(rows[first]):
            texts = self._texts(self._name[some]), self._texts(self._receiver[some])
            asked = self._file_ids(some), self.holder[some].tolist(), *texts, self._kinds(some)
            answers.add(map(self._edges.answer, *asked, self._line[some].tolist()))
            self._edges.names.forget_receivers()
        return number

    def in_scope(self, rows: Ints, answers: _Answers) -> Ints:
        """As `alone`, for those that ask for no more than what a name means in a scope."""
        scope = self.holder[rows]
        apart = np.zeros(len(KINDS), dtype=bool)
        apart[[kind_code(kind) for kind in OUTSIDE_KINDS]] = True
        moved = np.flatnonzero(apart[self._kind[rows]])
        scope[moved] = list(map(self._edges.seen_from, scope[moved].tolist(), self._kinds(rows[moved])))
        home = self._homes.of(scope, self._head[rows])
        said = paired(self._name[rows], self._kind[rows])
        number, first = numbered((paired(home, self._file[rows]) << 32 | said).view(np.uint64))
        number += len(answers.sizes)
        asker = self._askers(rows, home, scope)
        for part in _parts(first):
            some = rows[part]
            asked = self._file_ids(some), asker[part].tolist(), self._texts(self._name[some]), self._kinds(some)
            answers.add(map(self._edges.bare, *asked))
        return number

    def on_something(self, rows: Ints, answers: _Answers) -> Ints:
        """As `alone`, for those that are named on something."""
        base, owner = self._bases(rows)
        tables = self._edges.tables
        families = {family: number for number, family in enumerate(sorted(set(tables.family.values())))}
        grounds = [
            2 * families[tables.family[file_id]] + (file_id in self._edges.in_tests)
            for file_id in self._columns.file_ids.tolist()
        ]
        ground = np.array(grounds, dtype=np.int64)[self._file[rows]]
        inside = (owner[base >> 1] == self._around[rows]) & (owner[base >> 1] > 0)
        said = paired(self._name[rows], ground << 8 | self._kind[rows])
        number, first = numbered(((base << 1 | inside) << 32 | said).view(np.uint64))
        number += len(answers.sizes)
        things = self._things
        for part in _parts(first):
            some = rows[part]
            bases = [things[place] for place in (base[part] >> 1).tolist()]
            asked = bases, (base[part] & 1 > 0).tolist(), inside[part].tolist(), self._file_ids(some)
            answers.add(map(self._edges.on, *asked, self._texts(self._name[some]), self._kinds(some)))
        return number

    def _bases(self, rows: Ints) -> tuple[Ints, Ints]:
        """Of each row's receiver what it is: a place in ``_things`` × 2, + 1 if unsure; and thing → its type, or 0."""
        around = self._around[rows]
        of_self = self._of_self[rows] & (around > 0)
        home = -around
        free = np.flatnonzero(~of_self)
        home[free] = self._homes.of(self.holder[rows[free]], self._head[rows[free]])
        where = paired(home, self._file[rows])
        number, first = numbered((where << 32 | self._receiver[rows]).view(np.uint64))
        places: dict[Thing, int] = {}
        found: list[int] = []
        holder = self.holder[rows]
        asker = np.where(of_self, holder, self._askers(rows, home, holder))
        for part in _parts(first):
            some = rows[part]
            asked = asker[part].tolist(), self._file_ids(some), self._texts(self._receiver[some])
            for thing, how in map(self._edges.names.receiver, *asked):
                found.append(places.setdefault(thing, len(places)) << 1 | (how in (LIKELY, MAYBE)))
            self._edges.names.forget_receivers()
        self._things = list(places)
        owner = [abs(thing) if isinstance(thing, int) else 0 for thing in self._things]
        return np.array(found, dtype=np.int64)[number], np.array(owner, dtype=np.int64)

    def _askers(self, rows: Ints, home: Ints, holder: Ints) -> Ints:
        """Who asks in each row's place: its home sees the same, and what it sees is arranged once for all."""
        modules = self._edges.tables.module_of
        module = np.array([modules.get(file_id, 0) for file_id in self._columns.file_ids.tolist()], dtype=np.int64)
        outside = module[self._file[rows]]
        return np.where(home > 0, home, np.where(outside > 0, outside, holder))

    def _file_ids(self, rows: Ints) -> list[int]:
        ids: list[int] = self._columns.file_ids[self._file[rows]].tolist()
        return ids

    def _kinds(self, rows: Ints) -> list[str]:
        return [KINDS[code] for code in self._kind[rows].tolist()]

    def _texts(self, numbers: NDArray[np.int32]) -> list[str]:
        names = self._columns.names
        return [names[number] for number in numbers.tolist()]


def _parts(rows: Ints) -> Iterator[Ints]:
    for at in range(0, rows.size, _AT_A_TIME):
        yield rows[at : at + _AT_A_TIME]
