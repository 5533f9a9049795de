"""What single families of languages need: packages by their manifests, tokens of macros, classes without a name."""

from __future__ import annotations

from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.pipeline import refresh
from fourfold.search import graph_questions as graph
from fourfold.store.reader import SqliteReader
from tests.unit.test_resolve import calls, edges

WORKSPACE = {
    "crates/searcher/Cargo.toml": '[package]\nname = "grep-searcher"\n\n[dependencies]\nregex = "1"\n',
    "crates/searcher/src/lib.rs": """
        mod lines;
        pub use crate::lines::Lines;
        pub struct Searcher;
        impl Searcher { pub fn new() -> Searcher { Searcher } pub fn search(&self) {} }
        use regex::Regex;
        fn own() { Regex::new("x"); }
    """,
    "crates/searcher/src/lines.rs": "pub struct Lines;\nimpl Lines { pub fn count(&self) -> u32 { 1 } }\n",
    "crates/regex/Cargo.toml": '[package]\nname = "grep-regex"\n',
    "crates/regex/src/lib.rs": "pub struct Regex;\nimpl Regex { pub fn new(x: &str) -> Regex { Regex } }\n",
    "crates/grep/Cargo.toml": '[package]\nname = "grep"\n',
    "crates/grep/src/lib.rs": "pub extern crate grep_searcher as searcher;\n",
    "crates/core/main.rs": """
        use grep::searcher::Searcher;
        use grep_searcher::Lines;
        fn main() { let s = Searcher::new(); s.search(); }
        fn count(lines: &Lines) -> u32 { lines.count() }
    """,
}


def test_crates_are_called_what_their_manifests_say() -> None:
    said = calls(WORKSPACE)
    lib, main = "crates/searcher/src/lib.rs", "crates/core/main.rs"
    assert said == {
        (f"{main}:main", f"{lib}:Searcher.new", "call", "certain"),
        (f"{main}:main", f"{lib}:Searcher.search", "call", "certain"),
        (f"{main}:count", "crates/searcher/src/lines.rs:Lines.count", "call", "certain"),
    }  # the folder `regex` is no crate of that name


def test_a_javascript_package_may_import_itself_by_its_name() -> None:
    said = calls({
        "package.json": '{"name": "@acme/view", "version": "1.0.0"}',
        "src/index.js": "export function render() {}\n",
        "hooks/src/index.js": "import { render } from '@acme/view';\nexport function useRender() { render(); }\n",
        "test/a.js": "import { useRender } from '@acme/view/hooks';\nfunction all() { useRender(); }\n",
    })  # fmt: skip
    assert said == {
        ("hooks/src/index.js:useRender", "src/index.js:render", "call", "certain"),
        ("test/a.js:all", "hooks/src/index.js:useRender", "call", "certain"),
    }


def test_what_commonjs_hands_out_is_what_it_defines() -> None:
    said = calls({
        "lib/command.js": """
            class Command {}
            exports.Command = Command;
            exports.useColor = useColor;
            function useColor() {}
        """,
        "index.js": """
            const { Command } = require('./lib/command.js');
            const { useColor } = require('./lib/command.js');
            function main() { new Command(); useColor(); }
        """,
    })  # fmt: skip
    assert said == {
        ("index.js:main", "lib/command.js:Command", "construct", "certain"),
        ("index.js:main", "lib/command.js:useColor", "call", "certain"),
    }


def test_rust_calls_are_seen_among_the_tokens_of_macros() -> None:
    said = edges(
        {
            "src/lib.rs": """
            const LIMIT: u32 = 3;
            struct Foo { size: u32 }
            impl Foo { fn new(size: u32) -> Foo { Foo { size } } fn get(&self) -> u32 { self.size } }
            fn bar() -> u32 { 1 }
            fn pair() -> (u32, u32) { (1, 2) }
            fn checks(other: u32) {
                let foo = Foo::new(1);
                assert_eq!(bar(), foo.get());
                println!("{} {}", LIMIT, vec![Foo::new(2)]);
                assert_eq!(other, (1));
            }
            fn other() {}
        """
        },
        "call",
        "read",
    )
    assert {
        (target.partition(":")[2], kind, certainty) for source, target, kind, certainty in said if "checks" in source
    } == {
        ("Foo.new", "call", "certain"),
        ("Foo", "read", "certain"),
        ("Foo.get", "call", "certain"),
        ("bar", "call", "certain"),
        ("LIMIT", "read", "certain"),
    }


def test_a_case_of_an_enum_is_not_named_on_what_is_unknown() -> None:
    said = edges({
        "src/lib.rs": """
            enum Policy { Eager, Error(usize) }
            trait Sink { type Error; }
            fn alloc(policy: Policy) -> bool { match policy { Policy::Error(_) => true, Policy::Eager => false } }
            fn search<S: Sink>(sink: S) -> Result<(), S::Error> { Ok(()) }
            impl std::error::Error for Policy {}
        """
    })  # fmt: skip
    told = {(source, certainty) for source, target, _, certainty in said if target.endswith("Policy.Error")}
    assert told == {("src/lib.rs:alloc", "certain")}


ANONYMOUS = {
    "p/Task.java": "package p;\npublic interface Task { void run(); }\n",
    "p/Main.java": """
        package p;
        public class Main {
            public static void main(String[] all) { new Main().go(); }
            void go() {
                Task first = new Task() {
                    int steps;
                    @Override public void run() { step(); again(); }
                    void again() { steps = 1; }
                };
                first.run();
                run();
            }
            void step() {}
            void run() {}
            void never() {}
        }
    """,
}


def test_a_java_class_without_a_name_holds_its_methods() -> None:
    said = edges(ANONYMOUS, "call", "construct", "inherit", "write")
    main, unnamed = "p/Main.java:Main", "p/Main.java:Main.go.new Task"
    assert said == {
        (unnamed, "p/Task.java:Task", "inherit", "certain"),
        (f"{unnamed}.run", f"{main}.step", "call", "certain"),
        (f"{unnamed}.run", f"{unnamed}.again", "call", "certain"),
        (f"{unnamed}.again", f"{unnamed}.steps", "write", "certain"),
        (f"{main}.go", "p/Task.java:Task.run", "call", "certain"),
        (f"{main}.go", f"{main}.run", "call", "certain"),
        (f"{main}.main", f"{main}.go", "call", "certain"),
        (f"{main}.main", main, "construct", "certain"),
    }


def test_questions_about_what_has_no_name_or_only_declares(tmp_path: Path) -> None:
    root = tmp_path / "root"
    files = {
        **ANONYMOUS,
        "core.py": "def run():\n    return 1\n\ndef unused():\n    return 2\n\nrun()\n",
        "core.pyi": "def run() -> int: ...\ndef unused() -> int: ...\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    refresh(root, tmp_path / "i.db", embedder="none", vectors=False, settings=Settings())
    reader = SqliteReader(tmp_path / "i.db", root)
    try:
        (task,) = [s for s in reader.symbols_named("Task", "exact", 10) if s.kind == "interface"]
        (run,) = [s for s in reader.symbols_named("run", "exact", 10) if s.qualified == "Task.run"]
        assert [(e.source_name, e.kind) for e in graph.callers(reader, [task])] == [
            ("p.Main.Main.go.new Task", "inherit")
        ]
        assert [s.qualified for s in graph.overrides(reader, [run])] == ["Main.go.new Task.run"]
        dead = [(s.path, s.qualified) for s in graph.dead_code(reader, lambda path: False)]
    finally:
        reader.close()
    assert dead == [("core.py", "unused"), ("p/Main.java", "Main.never")]
