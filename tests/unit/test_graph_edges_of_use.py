"""The graph's questions where code is odd: recursion, what is defined in a branch, traits, what a library shows."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.pipeline import refresh
from fourfold.model import Symbol
from fourfold.search import graph_questions as graph
from fourfold.store.reader import SqliteReader


def made(base: Path, files: Mapping[str, str]) -> SqliteReader:
    root = base / "root"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text).lstrip("\n"))
    refresh(root, base / "i.db", embedder="none", vectors=False, settings=Settings())
    return SqliteReader(base / "i.db", root)


def find(reader: SqliteReader, qualified: str) -> Symbol:
    name = qualified.rpartition(".")[2]
    return next(s for s in reader.symbols_named(name, "exact", 50) if s.qualified == qualified)


def dead(reader: SqliteReader) -> list[str]:
    return [symbol.qualified for symbol in graph.dead_code(reader, lambda path: "test" in path)]


def test_what_calls_itself_reaches_itself(tmp_path: Path) -> None:
    reader = made(tmp_path, {"a.py": """
        def fact(n):
            return n * fact(n - 1) if n else 1
        def even(n):
            return n == 0 or odd(n - 1)
        def odd(n):
            return n and even(n - 1)
        def once():
            return fact(3), even(4)
        once()
    """})  # fmt: skip
    with_itself = {
        name: [[edge.target_name for edge in route.edges] for route in graph.routes(reader, [symbol], [symbol])]
        for name in ("fact", "even", "once")
        if (symbol := find(reader, name))
    }
    assert with_itself == {"fact": [["a.fact"]], "even": [["a.odd", "a.even"]], "once": []}
    hubs = {hub.symbol.name: hub.dependants for hub in graph.hubs(reader)}
    assert hubs == {"even": 2, "fact": 1, "odd": 1, "once": 1}  # so few that there is no other
    reader.close()


def test_what_most_only_seem_to_call_is_no_hub(tmp_path: Path) -> None:
    users = "\n".join(f"def user_{n}(link):\n    link.transmit()\n    base()\n" for n in range(12))
    reader = made(tmp_path, {
        "a.py": "from base import base\n" + users,
        "base.py": "def base():\n    return 1\n",
        "proxy.py": "class Proxy:\n    def transmit(self): ...\n    def more(self):\n        self.transmit()\n",
    })  # fmt: skip
    hubs = {hub.symbol.full_name: hub.dependants for hub in graph.hubs(reader)}
    assert hubs == {"base.base": 13}  # twelve functions, and the file that imports it
    reader.close()


def test_dead_code_knows_branches_distant_bases_and_traits(tmp_path: Path) -> None:
    reader = made(tmp_path, {
        "app.py": """
            import sys
            if sys.platform == "win32":
                from windows import console
            else:
                def console(): ...

            class Base:
                def info(self): ...
            class Middle(Base):
                pass
            class Last(Middle):
                def info(self): ...
                def never(self): ...

            console()
            Last()
            def show(thing: Base):
                thing.info()
            show(Last())
        """,
        "windows.py": "def console(): ...\n",
        "src/main.rs": """
            use serde::Visitor;
            struct Reader;
            impl Visitor for Reader { fn visit_text(&self) {} }
            impl Reader { fn unused(&self) {} fn used(&self) {} }
            fn main() { let r = Reader; r.used(); }
        """,
    })  # fmt: skip
    assert dead(reader) == ["Last.never", "Reader.unused"]
    reader.close()


def test_what_a_java_library_shows_is_not_dead_unless_it_is_a_program(tmp_path: Path) -> None:
    files = {
        "p/Api.java": """
            package p;
            public class Api {
                public void offered() { helper(); }
                private void helper() {}
                void own() {}
                public void plain() {}
            }
            class Inner { public void shown() {} }
        """,
        "p/Use.java": "package p; class Use { void all(Api api) { api.offered(); } }\n",
    }
    library = made(tmp_path / "library", files)
    assert dead(library) == ["Api.own", "Inner", "Use"]
    library.close()
    main = "package p; class Main { public static void main(String[] a) { new Use().all(null); } }"
    program = made(tmp_path / "program", {**files, "p/Main.java": main})
    assert dead(program) == ["Api.own", "Api.plain", "Inner"]
    program.close()
