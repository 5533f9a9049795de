"""PageRank against networkx, on random graphs."""

from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.indexing.centrality import centrality
from fourfold.store.interface import EdgeRow, GraphInput

scipy_free_pagerank = nx.algorithms.link_analysis.pagerank_alg._pagerank_python


def graph_of(ids: list[int]) -> GraphInput:
    symbols = [(id_, 1, f"s{id_}", f"s{id_}", "function", 0, "", 1, 1, 0) for id_ in ids]
    return GraphInput([(1, "a.py", "python", "a")], symbols, [], [], [])


def edges_of(pairs: list[tuple[int, int]], certainty: str = "certain") -> list[EdgeRow]:
    return [(i, a, b, "call", certainty) for i, (a, b) in enumerate(pairs, 1)]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_equals_networkx_on_distinct_edges(data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.integers(1, 10_000) | st.integers(1, 2**40), min_size=1, max_size=40, unique=True))
    node = st.sampled_from(ids)
    pairs = data.draw(st.lists(st.tuples(node, node), max_size=150))
    ours = centrality(graph_of(ids), edges_of(pairs), tolerance=1e-13)
    oracle = nx.DiGraph()
    oracle.add_nodes_from(ids)
    oracle.add_edges_from((a, b) for a, b in pairs if a != b)
    theirs = scipy_free_pagerank(oracle, alpha=0.85, tol=1e-13 / len(ids), max_iter=2000)
    for id_ in ids:
        assert math.isclose(ours[id_], theirs[id_] * len(ids) / 10, abs_tol=1e-9)
    assert math.isclose(sum(ours.values()), len(ids) / 10, rel_tol=1e-9)


def test_every_symbol_has_a_rank_and_an_average_one_stands_at_a_tenth() -> None:
    assert centrality(graph_of([3, 1, 2]), []) == pytest.approx({1: 0.1, 2: 0.1, 3: 0.1})
    assert centrality(GraphInput([], [], [], [], []), []) == {}


def test_how_often_and_ambiguous_references_do_not_count() -> None:
    graph = graph_of([1, 2, 3, 4])
    once = centrality(graph, edges_of([(1, 2), (3, 4)]))
    often = centrality(graph, [*edges_of([(1, 2)] * 50 + [(3, 4)]), *edges_of([(1, 3), (2, 3)], "ambiguous")])
    assert often == pytest.approx(once)


def test_what_is_used_by_many_is_central() -> None:
    ids = list(range(1, 51))
    ranks = centrality(graph_of(ids), edges_of([(i, 50) for i in range(1, 40)] + [(1, 49)]))
    assert max(ranks, key=ranks.__getitem__) == 50


def test_edges_to_symbols_that_are_gone_are_left_out() -> None:
    assert centrality(graph_of([1, 2]), edges_of([(1, 99), (99, 2)])) == pytest.approx({1: 0.1, 2: 0.1})
