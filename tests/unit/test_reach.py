"""Whether anything puts a chunk first: against another library's linear programmes, and against trying it all."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from fourfold.lab.reach import LEVEL, Barred, Field, Setting, play, reach, stay_above

KS = (1, 2, 3, 5, 9, 17, 40, 60, 200, 1000, 20_000, 1_000_000)


@dataclass(frozen=True)
class Case:
    """Four lists of chunk numbers, a factor and a file for each chunk; chunk ``target`` is the one wanted."""

    lists: tuple[tuple[int, ...], ...]
    factors: tuple[float, ...]
    files: tuple[int, ...]
    target: int

    def field(self, kept: set[int]) -> tuple[Field, list[int]]:
        """The lists within some files, and the numbers of its rows."""
        rows = [number for number, file in enumerate(self.files) if file in kept]
        ranks = np.full((len(self.lists), len(rows)), -1)
        for line, found in enumerate(self.lists):
            for rank, number in enumerate([each for each in found if each in rows]):
                ranks[line, rows.index(number)] = rank
        return Field(ranks, np.array([self.factors[n] for n in rows]), np.array([n == self.target for n in rows])), rows


@st.composite
def cases(draw: st.DrawFn) -> Case:
    files = tuple(sorted(draw(st.lists(st.integers(0, 2), min_size=4, max_size=10))))
    numbers = range(len(files))
    lists = tuple(tuple(draw(st.lists(st.sampled_from(numbers), unique=True))) for _ in range(4))
    halved = draw(st.sets(st.integers(0, 2)))
    boosts = [draw(st.sampled_from([1.0, 1.05, 1.2, 1.5])) for _ in numbers]
    factors = tuple(boost * (0.5 if file in halved else 1.0) for boost, file in zip(boosts, files, strict=True))
    return Case(lists, factors, files, draw(st.sampled_from(numbers)))


def best_margin(case: Case, kept: set[int], k: int, depth: int) -> float:
    """By how much the best weights put the target above the best rival: another library's linear programme."""

    def part(number: int) -> list[float]:
        return [
            case.factors[number] / (k + found.index(number) + 1) if number in found[:depth] else 0.0 for found in within
        ]

    within = [[each for each in found if case.files[each] in kept] for found in case.lists]
    rivals = {each for found in within for each in found[:depth]} - {case.target}
    own = np.array(part(case.target)) * (k + 1)
    if not rivals:
        return float(own.max())
    apart = np.array([np.array(part(each)) * (k + 1) - own for each in rivals])
    found = linprog(
        [0, 0, 0, 0, -1],
        A_ub=np.c_[apart, np.ones(len(apart))],
        b_ub=np.zeros(len(apart)),
        A_eq=[[1, 1, 1, 1, 0]],
        b_eq=[1],
        bounds=[(0, None)] * 4 + [(None, None)],
    )
    return float(-found.fun)


def scores(case: Case, setting: Setting) -> dict[int, float]:
    """By the published formula, one chunk after the other."""
    made: dict[int, float] = {}
    for weight, found in zip(setting.weights.tolist(), case.lists, strict=True):
        for rank, number in enumerate(found[: setting.depth]):
            made[number] = made.get(number, 0.0) + case.factors[number] * weight / (setting.k + rank + 1)
    return made


@given(cases())
@settings(max_examples=150, deadline=None)
def test_what_is_found_puts_it_first_and_where_nothing_is_no_linear_programme_finds_any(case: Case) -> None:
    field, rows = case.field(set(case.files))
    found = reach(field, 40, 6)
    if isinstance(found, Setting):
        made = scores(case, found)
        assert all(score < made[case.target] for number, score in made.items() if number != case.target)
    elif isinstance(found, Barred):
        assert case.target not in {rows[row] for row in found.rows}
        for k, depth in itertools.product(KS[::2], range(1, len(rows) + 1)):
            assert best_margin(case, set(case.files), k, depth) < 1e-6
    else:
        assert not any(case.target in each for each in case.lists)


@given(cases())
@settings(max_examples=150, deadline=None)
def test_rivals_that_stay_above_do_so_in_every_set_of_files(case: Case) -> None:
    field, rows = case.field(set(case.files))
    own = case.files[case.target]
    stay = np.array([case.files[n] == own and n != case.target for n in rows])
    if not any(case.target in found for found in case.lists) or not stay_above(field, rows.index(case.target), stay):
        return
    others = sorted(set(case.files) - {own})
    for many in range(len(others) + 1):
        for some in itertools.combinations(others, many):
            assert not isinstance(reach(case.field({own, *some})[0], 40, 6), Setting)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 4))
@settings(max_examples=80, deadline=None)
def test_a_game_has_the_value_that_another_library_gives(seed: int, rivals: int, lists: int) -> None:
    random = np.random.default_rng(seed)
    k = int(random.integers(1, 100))
    places: NDArray[np.float64] = k + random.integers(1, 30, (rivals, lists)).astype(np.float64)
    parts = random.choice([0.5, 1.0, 1.5], (rivals, 1)) * (k + random.integers(1, 30, lists)) / places
    parts *= random.random((rivals, lists)) < 0.7
    played = play(parts)
    assert float(played.weights.sum()) == pytest.approx(1.0)
    found = linprog(
        [*[0.0] * lists, 1.0],
        A_ub=np.c_[parts, -np.ones(rivals)],
        b_ub=np.zeros(rivals),
        A_eq=[[*[1.0] * lists, 0.0]],
        b_eq=[1],
        bounds=[(0, None)] * lists + [(None, None)],
    )
    if played.rivals:
        assert played.most == pytest.approx(found.fun, abs=1e-8)
        assert played.least == pytest.approx(found.fun, abs=1e-8)
    else:  # one list alone does, and is as good as any
        assert found.fun <= played.most + 1e-9
        assert played.most < 1 - LEVEL


def test_a_chunk_beyond_the_depth_comes_first_where_its_rivals_are_cut_off() -> None:
    """Second in two lists, each headed by another that is third in the other: first at depth 2 and no deeper."""
    case = Case(((1, 0, 2), (2, 0, 1), (), ()), (1.0, 1.5, 1.5), (0, 1, 2), 0)
    field, _ = case.field({0, 1, 2})
    assert isinstance(found := reach(field, 40, 3), Setting)
    assert found.depth == 2
    assert best_margin(case, {0, 1, 2}, found.k, 3) < 1e-9
    assert best_margin(case, {0, 1, 2}, found.k, 2) > 1e-3


def test_a_chunk_under_another_in_every_list_is_barred_by_that_one() -> None:
    case = Case(((1, 0), (1, 0, 2), (), ()), (1.0, 1.0, 1.0), (0, 0, 1), 0)
    field, _ = case.field({0, 1})
    assert reach(field, 40, 200) == Barred((1,))
