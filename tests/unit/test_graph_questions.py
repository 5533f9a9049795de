"""Questions about the graph, on a real index of a small project."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import numpy as np
import pytest

from fourfold.indexing.pipeline import refresh
from fourfold.model import Edge, Symbol
from fourfold.search import graph_questions as graph
from fourfold.store.reader import SqliteReader

PROJECT = {
    "app/__init__.py": "",
    "app/core.py": """
        class Engine:
            def __init__(self):
                self.start()
            def start(self):
                return low()
            def idle(self): ...

        class Diesel(Engine):
            def start(self):
                return super().start()

        def low():
            return 1

        def forgotten():
            return also_forgotten()

        def also_forgotten(): ...

        class Unused:
            def method(self): ...
    """,
    "app/use.py": """
        from app.core import Engine, low

        def drive():
            return Engine()

        def travel():
            return drive()

        def guess(thing):
            thing.idle_guess()
            thing.refuel()

        def main():
            travel()
            guess(1)
    """,
    "app/fuel.py": """
        from app.use import travel

        class A:
            def refuel(self):
                return travel()
        class B:
            def refuel(self): ...
    """,
    "tests/test_use.py": """
        from app.use import travel

        def helper():
            return travel()

        def test_travel():
            helper()
    """,
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteReader]:
    root = tmp_path_factory.mktemp("project")
    for path, text in PROJECT.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"))
    index = tmp_path_factory.mktemp("index") / "index.db"
    refresh(root, index, embedder=None, jobs=1, vectors=False, report=lambda _: None, stop=lambda: False)
    reader = SqliteReader(index, root)
    yield reader
    reader.close()


def is_test(path: str) -> bool:
    return path.startswith("tests/")


def find(reader: SqliteReader, name: str) -> Symbol:
    (symbol,) = reader.symbols_named(name)
    return symbol


def said(edges: list[Edge]) -> set[tuple[str, str, str, str]]:
    return {(edge.source_name, edge.target_name, edge.kind, edge.certainty) for edge in edges}


def reached(reader: SqliteReader, items: list[graph.Reached]) -> dict[str, tuple[int, str]]:
    names = reader.symbols(item.symbol for item in items)
    return {names[item.symbol].full_name: (item.distance, item.certainty) for item in items}


def test_callers_of_a_constructor_are_those_who_build_its_type(reader: SqliteReader) -> None:
    edges = graph.callers(reader, [find(reader, "app.core.Engine.__init__")])
    assert said(edges) == {("app.use.drive", "app.core.Engine", "construct", "certain")}
    assert [(edge.path, edge.line) for edge in edges] == [("app/use.py", 4)]


def test_callees_leave_a_type_itself_out(reader: SqliteReader) -> None:
    assert said(graph.callees(reader, [find(reader, "app.core.Engine")])) == {
        ("app.core.Engine.start", "app.core.low", "call", "certain")
    }


def test_importers_of_a_module_include_those_of_its_names(reader: SqliteReader) -> None:
    edges = graph.importers(reader, [find(reader, "app.use")])
    assert {(edge.path, edge.source_name) for edge in edges} == {
        ("app/fuel.py", "app.fuel"),
        ("tests/test_use.py", "tests.test_use"),
    }


def test_subclasses_and_overrides(reader: SqliteReader) -> None:
    assert reached(reader, graph.subclasses(reader, [find(reader, "Engine")])) == {"app.core.Diesel": (1, "certain")}
    methods = graph.overrides(reader, [find(reader, "Engine.start")])
    assert [method.full_name for method in methods] == ["app.core.Diesel.start"]


def test_impact_goes_by_distance_and_ends_at_a_guess(reader: SqliteReader) -> None:
    items = graph.walk_back(reader, [find(reader, "low")])
    found = reached(reader, items)
    assert found["app.core.Engine.start"] == (1, "certain")
    assert found["app.core.Engine.__init__"] == (2, "certain")
    assert found["app.use.drive"] == (3, "certain")
    assert found["app.use.travel"] == (4, "certain")
    assert found["app.fuel.A.refuel"][1] == "certain"
    assert found["app.use.guess"] == (found["app.fuel.A.refuel"][0] + 1, "ambiguous")
    assert "app.core.low" not in found
    assert [item.distance for item in items] == sorted(item.distance for item in items)


def test_paths_lead_from_what_is_reached_to_the_target(reader: SqliteReader) -> None:
    target = find(reader, "low")
    for item in graph.walk_back(reader, [target]):
        assert len(item.path) == item.distance
        assert item.path[0].source == item.symbol
        assert item.path[-1].target == target.id
        assert item.certainty == graph.weakest(edge.certainty for edge in item.path)
        for edge in item.path:
            assert any(edge == other for other in reader.neighbours([edge.target], "in"))


def test_impact_of_a_type_is_also_that_of_its_members(reader: SqliteReader) -> None:
    found = reached(reader, graph.walk_back(reader, [find(reader, "Engine")]))
    assert found["app.core.Diesel"] == (1, "certain")
    assert found["app.use.drive"] == (1, "certain")
    assert "app.core.Engine.start" not in found
    module = reached(reader, graph.walk_back(reader, [find(reader, "app.core")]))
    assert module["app.use.drive"] == (1, "certain")


def test_limits_of_distance_and_number_hold(reader: SqliteReader) -> None:
    target = [find(reader, "low")]
    assert all(item.distance <= 2 for item in graph.walk_back(reader, target, max_distance=2))
    assert len(graph.walk_back(reader, target, limit=3)) == 3
    assert graph.walk_back(reader, []) == []


def test_the_first_by_name_are_found_without_all_names(reader: SqliteReader) -> None:
    names = {s.id: s.full_name for file in reader.files() for s in reader.outline(file.path)}
    ids = np.array(sorted(names), dtype=np.int64)
    for most in range(1, len(names) + 1):
        last = sorted(names.values())[most - 1]
        found = reader.first_named(ids, most).tolist()
        assert sorted(found) == [number for number, name in sorted(names.items()) if name <= last]


def test_what_a_limit_shows_of_a_step_comes_first_of_all(reader: SqliteReader) -> None:
    target = [find(reader, "Engine")]
    every = graph.walk_back(reader, target, max_distance=1)
    for limit in range(1, len(every)):
        assert graph.walk_back(reader, target, max_distance=1, limit=limit) == every[:limit]


def test_the_tree_holds_everything_once_under_what_it_uses(reader: SqliteReader) -> None:
    items = graph.walk_back(reader, [find(reader, "low")])
    seen: list[int] = []

    def visit(branch: graph.Branch, depth: int) -> None:
        assert branch.reached.distance == depth
        seen.append(branch.reached.symbol)
        for child in branch.children:
            assert child.reached.path[1].source == branch.reached.symbol
            visit(child, depth + 1)

    for branch in graph.tree(items):
        visit(branch, 1)
    assert sorted(seen) == sorted(item.symbol for item in items)


def test_tests_for_a_symbol_are_tests_and_not_their_helpers(reader: SqliteReader) -> None:
    assert reached(reader, graph.tests_for(reader, [find(reader, "drive")], is_test)) == {
        "tests.test_use.test_travel": (3, "certain")
    }


def test_routes_are_the_shortest_ways(reader: SqliteReader) -> None:
    (route,) = graph.routes(reader, [find(reader, "travel")], [find(reader, "Engine")])
    assert [edge.target_name for edge in route.edges] == ["app.use.drive", "app.core.Engine"]
    assert route.certainty == "certain"
    assert graph.routes(reader, [find(reader, "low")], [find(reader, "travel")]) == []
    assert graph.routes(reader, [find(reader, "low")], [find(reader, "low")]) == []


def test_hubs_are_definitions_with_their_dependants(reader: SqliteReader) -> None:
    hubs = graph.hubs(reader, 5)
    assert hubs and all(hub.symbol.qualified for hub in hubs)
    by_name = {hub.symbol.full_name: hub.dependants for hub in graph.hubs(reader, 50)}
    assert by_name["app.use.travel"] == 5  # three functions, and two files that import it
    assert [hub.symbol.centrality for hub in hubs] == sorted((h.symbol.centrality for h in hubs), reverse=True)


def test_dead_code_is_what_nothing_reaches(reader: SqliteReader) -> None:
    dead = [symbol.full_name for symbol in graph.dead_code(reader, is_test)]
    assert dead == [
        "app.core.Engine.idle", "app.core.Diesel", "app.core.forgotten", "app.core.also_forgotten", "app.core.Unused",
    ]  # fmt: skip
