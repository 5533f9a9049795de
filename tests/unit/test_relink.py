"""Following changes in the graph gives what resolving everything gives, whatever the changes were."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.config import Settings
from fourfold.indexing import relink
from fourfold.indexing.pipeline import refresh
from fourfold.indexing.resolve.columns import _all_at_once
from fourfold.indexing.resolve.edges import Edges as Resolver
from fourfold.store.graph import Edges, edge_columns, read_centrality, read_edges
from fourfold.store.writer import SqliteWriter

FILES = {
    "app/main.py": """from app.models import User, make_user as build
from app import tools
import app.store

class Service(tools.Base):
    def __init__(self):
        self.store = app.store.Store()
        self.user = build()

    def run(self):
        self.begin()
        self.user.greet()
        self.store.find(1).greet()
        for item in self.store.items():
            item.greet()

def start():
    service = Service()
    service.run()
    tools.helper(service)
""",
    "app/models.py": """from app.tools import Base, helper

class User(Base):
    def greet(self):
        return helper(self)

class Admin(User):
    def greet(self):
        return super().greet()

def make_user() -> User:
    return User()
""",
    "app/tools.py": """class Base:
    def begin(self):
        self.end()

    def end(self):
        pass

def helper(it):
    return it.begin()
""",
    "app/store.py": """from app.models import Admin

class Store:
    def find(self, number) -> Admin:
        return Admin()

    def items(self):
        yield self.find(2)
""",
    "app/__init__.py": "from app.tools import *\n",
    "web/shape.ts": """import { area } from './area'
export interface Shape { size(): number }
export class Box implements Shape {
  constructor(private side: number) {}
  size() { return area(this.side) }
}
""",
    "web/area.ts": "export function area(n: number) { return twice(n) }\nfunction twice(n: number) { return n * 2 }\n",
    "web/index.ts": "import { Box } from './shape'\nexport const box = new Box(2)\nbox.size()\n",
    "go/a/a.go": "package a\n\ntype Tree struct{ left *Tree }\n\nfunc (t *Tree) Walk() { t.left.Walk(); Visit(t) }\n",
    "go/a/b.go": "package a\n\nfunc Visit(t *Tree) { t.Walk() }\n",
    "c/list.h": "int push(int value);\nint pop(void);\n",
    "c/list.c": '#include "list.h"\nint push(int value) {\n  return pop();\n}\nint pop(void) {\n  return 0;\n}\n',
    "c/use.c": '#include "list.h"\nint use(void) {\n  return push(pop());\n}\n',
}
PATHS = sorted(FILES)
NAMES = sorted({word for text in FILES.values() for word in re.findall(r"\b[A-Za-z_]{3,}\b", text)})
EDIT = st.one_of(
    st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(NAMES), st.sampled_from([*NAMES, "zz"])),
    st.tuples(st.just("cut"), st.sampled_from(PATHS), st.integers(0, 20), st.integers(1, 4)),
    st.tuples(st.just("take"), st.sampled_from(PATHS), st.sampled_from(PATHS), st.integers(0, 20)),
    st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(["copy", "away", "gone"]), st.just(0)),
)


def change(root: Path, what: str, name: str, one: Any, two: Any) -> None:
    """Make one random change; a file that is not there is made anew."""
    path = root / name
    if not path.exists():
        path.write_text(FILES[name])
        return
    lines = path.read_text().splitlines(keepends=True)
    if what == "rename":
        path.write_text(re.sub(rf"\b{one}\b", two, "".join(lines)))
    elif what == "cut":
        path.write_text("".join(lines[:one] + lines[one + two :]))
    elif what == "take":
        other = FILES[one].splitlines(keepends=True)
        path.write_text("".join([*lines, "\n", *other[two : two + 5]]))
    elif one == "gone":
        path.unlink()
    else:
        other = path.with_name(f"{one}_{path.name}")
        shutil.copy(path, other)
        if one == "away":
            path.unlink()


def rows(edges: Any) -> list[tuple[int, ...]]:
    columns = (edges.reference, edges.source, edges.target, edges.kind, edges.certainty)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def held(writer: SqliteWriter) -> tuple[Edges, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    layout = writer._live()
    return read_edges(writer._db, layout, current=True), *read_centrality(writer._db, "symbols")


@pytest.fixture(scope="module")
def followed() -> Iterator[list[str]]:
    """What became of each attempt to follow a change: nothing, or why all was resolved."""
    found: list[str] = []
    link_news = relink.link_news

    def told(news: Any) -> Any:
        try:
            graph = link_news(news)
        except relink.Everything as reason:
            found.append(str(reason))
            raise
        found.append("")
        return graph

    patch = pytest.MonkeyPatch()
    patch.setattr(relink, "link_news", told)
    # one file of thirteen is a twelfth already
    patch.setattr(relink, "_MOST_FILES", 1.0)
    patch.setattr(relink, "_MOST_REFERENCES", 1.0)
    yield found
    patch.undo()


def make(root: Path) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def index(root: Path, where: Path) -> None:
    refresh(root, where, embedder="none", vectors=False, settings=Settings())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds=st.lists(st.lists(EDIT, min_size=1, max_size=3), min_size=1, max_size=4))
def test_following_changes_equals_resolving_everything(
    tmp_path_factory: pytest.TempPathFactory, followed: list[str], rounds: list[list[Any]]
) -> None:
    base = tmp_path_factory.mktemp("edits")
    root = make(base / "root")
    index(root, base / "i.db")
    for edits in rounds:
        for edit in edits:
            change(root, *edit)
        index(root, base / "i.db")
        writer = SqliteWriter(base / "i.db", root)
        try:
            edges, ids, values = held(writer)
            whole = relink.link_all(writer.graph_columns())
        finally:
            writer.close()
        assert rows(edges) == rows(whole.edges)
        assert ids.tolist() == whole.ids.tolist()
        assert np.abs(values - whole.centrality).max() * 10 / len(ids) < 1e-10


@pytest.mark.parametrize("tree", ["languages", "own", "made"])
def test_questions_asked_once_for_all_have_the_answer_of_each(tmp_path: Path, tree: str) -> None:
    tests = Path(__file__).parents[1]
    own = tests.parent / "src" / "fourfold" / "indexing"
    root = make(tmp_path / "made") if tree == "made" else {"languages": tests / "data" / "languages", "own": own}[tree]
    index(root, tmp_path / "i.db")
    writer = SqliteWriter(tmp_path / "i.db", root)
    try:
        columns = writer.graph_columns()
    finally:
        writer.close()
    at_once = _all_at_once(Resolver(columns.graph), columns, np.arange(columns.references.ids.size))
    one_by_one = edge_columns(Resolver(columns.graph).of(columns.tuples(slice(None))))
    assert at_once.reference.size > 0
    for name in ("reference", "source", "target", "kind", "certainty"):
        assert getattr(at_once, name).tolist() == getattr(one_by_one, name).tolist()


def test_most_changes_are_followed(tmp_path: Path, followed: list[str]) -> None:
    root = make(tmp_path / "root")
    index(root, tmp_path / "i.db")
    followed.clear()
    steps = [
        ("app/models.py", "return User()", "user = User()\n    user.greet()\n    return user"),  # a body
        ("app/tools.py", "def end(self):", "def finish(self):"),  # a method that others call
        ("app/store.py", "-> Admin", "-> int"),  # a type on the way to an attribute
        ("app/models.py", "class User(Base)", "class User"),  # a base of bases
        ("go/a/b.go", "Visit", "Look"),
        ("c/list.c", "return 0;", "return 1;"),
    ]
    for name, old, new in steps:
        text = (root / name).read_text()
        assert old in text
        (root / name).write_text(text.replace(old, new))
        index(root, tmp_path / "i.db")
    (root / "app/more.py").write_text("from app.tools import helper\nhelper(1)\n")
    index(root, tmp_path / "i.db")
    (root / "app/more.py").unlink()
    index(root, tmp_path / "i.db")
    assert followed == [""] * (len(steps) + 2)
    text = (root / "c/use.c").read_text()
    (root / "c/use.c").write_text(text.replace('#include "list.h"\n', ""))
    index(root, tmp_path / "i.db")
    assert followed[-1] == "an import of everything came or went"
