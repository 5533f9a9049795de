"""Where references stand, as far as it matters to what they name: many references ask the same question.

A function that binds nothing of the name asks what the scope around it would ask. So the home of a reference is the
innermost scope it sees that may know the first part of its name; references of one home and one text mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from fourfold.indexing.resolve.families import IMPLICIT_MEMBERS, LEXICAL
from fourfold.indexing.resolve.names import SELVES, Names
from fourfold.indexing.resolve.scopes import CLOSED, MEMBERS_APART
from fourfold.indexing.resolve.tables import TYPES, VALUES
from fourfold.store.interface import Ints

#: The first name in a text, without marks before and after it: two texts with the same first name have the same head.
_HEAD = re.compile(r"[$@.:\\>-]*(\w*)")
#: No scope is sought further out than that; what lies deeper is a home of its own.
_DEEPEST = 100


class Homes:
    """The scopes of one root by number, and the heads of the names that each of them knows."""

    def __init__(self, names: Names, texts: Sequence[str]) -> None:
        tables = names.tables
        number: dict[str, int] = {}
        heads = [number.setdefault(_head(text), len(number)) for text in texts]
        #: number of a text → number of its head
        self.heads: Ints = np.array(heads, dtype=np.int64)
        #: number of a head → whether it is that of a name for the instance or type around
        self.selves: NDArray[np.bool_] = np.zeros(len(heads) + 1, dtype=bool)
        self.selves[[number.get(_head(name), -1) for name in SELVES]] = True
        self.selves[-1] = False
        number.update(zip(texts, heads, strict=True))
        self._count = len(heads) + 1
        knowing = (tables.members, tables.imported, tables.binds)
        self._known = np.sort(np.concatenate([self._pairs(number, scopes) for scopes in knowing]))
        self._turned = np.sort(self._pairs(number, tables.turns))
        self._up, self._enter, self.around = _ways(names)
        #: scopes that cannot be passed: what they know is not told by their own names alone
        self._stops: NDArray[np.bool_] = np.zeros(self._up.size, dtype=bool)
        self._stops[list(tables.owner)] = True
        for scope in names.heritage:
            family = tables.family.get(tables.file.get(scope, 0), "")
            self._stops[scope] |= family in IMPLICIT_MEMBERS and tables.kind[scope] in TYPES

    def _pairs(self, number: dict[str, int], scopes: Mapping[int, Collection[str]]) -> Ints:
        """Every scope with the head of each of its names that any text has, as one number."""
        found: list[str] = []
        for known in scopes.values():
            found += known
        heads = np.fromiter(map(number.get, found, repeat(-1)), np.int64, len(found))
        for place in np.flatnonzero(heads < 0).tolist():
            if not (found[place].isascii() and found[place].isidentifier()):
                heads[place] = number.get(_head(found[place]), -1)
        sizes = np.fromiter(map(len, scopes.values()), np.int64, len(scopes))
        keys = np.repeat(np.fromiter(scopes, np.int64, len(scopes)) * self._count, sizes)
        told: Ints = (keys + heads)[heads >= 0]
        return told

    def in_turn(self, holder: Ints, head: Ints, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which heads (of those ``asked`` about) may be local names of their holder that are bound to several types in
        turn."""
        out = np.zeros(holder.size, dtype=bool)
        turning = np.zeros(self._up.size, dtype=bool)
        turning[self._turned // self._count] = True
        some = np.flatnonzero(asked & turning[holder])
        out[some] = _among(self._turned, holder[some] * self._count + head[some])
        return out

    def of(self, holder: Ints, head: Ints) -> Ints:
        """The innermost scope seen from each holder (n,) that may know the head (n,); 0 where none of its file does."""
        home = np.zeros(holder.size, dtype=np.int64)
        left = np.arange(holder.size)
        scope = self._enter[holder]
        for _ in range(_DEEPEST):
            stopped = self._stops[scope]
            here = stopped | _among(self._known, scope * self._count + head[left])
            home[left[here]] = np.where(stopped, holder[left], scope)[here]
            onward = self._up[scope]
            there = ~here & (onward > 0)
            left, scope = left[there], onward[there]
            if not left.size:
                return home
        home[left] = holder[left]
        return home


def _head(text: str) -> str:
    if text.isascii() and text.isidentifier():
        return text
    found = _HEAD.match(text)
    return found.group(1) if found else ""


def _among(sorted_keys: Ints, wanted: Ints) -> NDArray[np.bool_]:
    if not sorted_keys.size:
        return np.zeros(wanted.size, dtype=bool)
    place = np.minimum(np.searchsorted(sorted_keys, wanted), sorted_keys.size - 1)
    found: NDArray[np.bool_] = sorted_keys[place] == wanted
    return found


def _ways(names: Names) -> tuple[Ints, Ints, Ints]:
    """Symbol → the next scope outside that its code sees, the first one that it sees (see `Scopes.chain`), and the type
    that it is or that is around it, or 0 (see `Tables.enclosing_type`)."""
    tables = names.tables
    closed: dict[int, frozenset[str]] = {}
    apart: dict[int, bool] = {}
    for file_id, family in tables.family.items():
        closed[file_id] = (
            frozenset() if family in IMPLICIT_MEMBERS else CLOSED | VALUES if family in LEXICAL else CLOSED
        )
        apart[file_id] = family in MEMBERS_APART
    ids = np.fromiter(tables.kind, np.int64, len(tables.kind))
    kinds, files = tables.kind.values(), tables.file.values()
    size = int(ids.max(initial=0)) + 1

    def flags(values: list[bool]) -> NDArray[np.bool_]:
        out = np.zeros(size, dtype=bool)
        out[ids] = values
        return out

    parent = np.zeros(size, dtype=np.int64)
    parent[np.fromiter(tables.parent, np.int64, len(tables.parent))] = list(tables.parent.values())
    up = _first(parent, flags([kind not in closed[file] for kind, file in zip(kinds, files, strict=True)]))
    outside = flags([kind in CLOSED and apart[file] for kind, file in zip(kinds, files, strict=True)])
    types = flags([kind in TYPES and q != "" for kind, q in zip(kinds, tables.qualified.values(), strict=True)])
    types[list(tables.makers)] = True
    types[list(tables.owner)] = True
    inside = np.where(types, np.arange(size), _first(parent, types))
    if tables.owner:
        adopted = np.arange(size)
        adopted[list(tables.owner)] = list(tables.owner.values())
        inside = adopted[inside]
    return up, np.where(outside, up, np.arange(size)), inside


def _first(parent: Ints, good: NDArray[np.bool_]) -> Ints:
    """The nearest symbol above each one that is good, or 0."""
    up = parent.copy()
    for _ in range(_DEEPEST):
        passed = np.flatnonzero(~good[up] & (up > 0))
        if not passed.size:
            break
        up[passed] = parent[up[passed]]
    return up
