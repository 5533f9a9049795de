"""What is read from one file: symbols, references, imports, bindings, in every language with a query."""

from __future__ import annotations

import ast
import dataclasses
import textwrap
import typing
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.indexing.parse import line_starts, parse
from fourfold.languages import detect
from fourfold.languages.table import LANGUAGES
from fourfold.model import ParsedFile

SAMPLES = Path(__file__).parents[1] / "data" / "languages"
PARSED = sorted(entry.name for entry in LANGUAGES if entry.query)


def sample(name: str) -> ParsedFile:
    data = (SAMPLES / name).read_bytes()
    return parse(name, data, detect(name, data))


def read(language: str, text: str) -> ParsedFile:
    return parse("x", textwrap.dedent(text).encode(), language)


def symbols(found: ParsedFile) -> set[str]:
    return {f"{symbol.kind} {symbol.qualified}" for symbol in found.symbols}


def references(found: ParsedFile) -> set[str]:
    """``kind receiver.name < holder`` of each."""
    return {
        f"{item.kind} {item.receiver + '.' if item.receiver else ''}{item.name}"
        f" < {found.symbols[item.holder].qualified if item.holder >= 0 else '-'}"
        for item in found.references
    }


def imports(found: ParsedFile) -> set[tuple[str, str, str]]:
    return {(item.module, item.name, item.alias) for item in found.imports}


def bindings(found: ParsedFile) -> set[str]:
    return {
        f"{item.name}: {item.type_name} < {found.symbols[item.holder].qualified if item.holder >= 0 else '-'}"
        for item in found.bindings
    }


# --------------------------------------------------------------------------- every language

EXPECTED: dict[str, tuple[set[str], set[str]]] = {
    "sample.py": (
        {"constant LIMIT", "variable app", "function hello", "class A", "field A.x", "constant A.KIND",
         "method A.__init__", "field A.n", "property A.size", "function A.outer.inner", "type T"},
        {"decorate app.get < hello", "construct Bar < hello", "call lock.acquire < hello", "read hello < hello",
         "inherit B < A", "inherit m.C < A", "call super().foo < hello", "read Color.RED < hello",
         "call os.path.join().strip < hello", "write LIMIT < A.outer", "import a.b.c < -", "read App < -"},
    ),
    "sample.js": (
        {"function createApplication", "function app.use", "function Foo.prototype.bar", "class Q", "field Q.#p",
         "method Q.go", "property Q.size", "method Q.handler", "variable K", "function arrow", "method obj.run",
         "function helper", "function gen"},
        {"inherit D.Base < Q", "construct Map < createApplication", "call app.use < createApplication",
         "write this.stack < app.use", "call ns.z < Foo.prototype.bar", "import ns.ns < -"},
    ),
    "sample.tsx": (
        {"class Foo", "field Foo.items", "field Foo.svc", "method Foo.run", "property Foo.size", "interface I",
         "property I.a", "method I.m", "enum E", "constant E.A", "constant CE.X", "type U", "namespace NS",
         "function NS.f", "function over"},
        {"decorate Component < Foo", "inherit Base < Foo", "implement IFace < Foo", "implement ns.Other < Foo",
         "call this.svc.go < Foo.handle", "construct Foo < over", "construct ns.Bar < over", "inherit IFace < I"},
    ),
    "sample.ts": ({"class Foo", "interface I", "enum E", "namespace NS"}, {"implement IFace < Foo"}),
    "sample.go": (
        {"constant A", "constant B", "variable ErrX", "struct Engine", "field Engine.Name", "field Engine.Other",
         "interface I", "method I.Do", "type HandlerFunc", "method Engine.ServeHTTP", "function New"},
        {"inherit RouterGroup < Engine", "inherit x.Pool < Engine", "inherit fmt.Stringer < I",
         "construct Engine < New", "construct x.Pool < New", "read handler < New", "call e.pool.Get < Engine.ServeHTTP",
         "construct Thing < New", "call Generic < New", "write e.Name < Engine.ServeHTTP"},
    ),
    "sample.rs": (
        {"module inner", "struct inner.Thing", "struct Router", "field Router.inner", "enum E", "constant E.C",
         "trait Service", "method Service.d", "method Router.call", "method Router.new", "constant MAX", "macro my",
         "function helper", "type R"},
        {"implement Service < Router", "inherit Base < Service", "implement Clone < Router",
         "call Foo.new < Router.call",
         "construct Bar < Router.call", "call y.inner.go < Router.call", "call crate.a.go < Router.call",
         "decorate test < tests.t_works", "write self.name < Router.call", "call my < helper"},
    ),
    "sample.java": (
        {"class A", "constant A.MAX", "field A.items", "method A.A", "method A.get", "enum A.E", "constant A.E.ONE",
         "interface A.I", "class A.R", "field A.R.a", "interface A.Ann"},
        {"inherit B < A", "implement C < A", "implement D < A", "decorate Override < A.get", "call m.get().foo < A.get",
         "call helper < A.get", "construct ArrayList < A.A", "inherit J < A.I", "read A.conv < A.get"},
    ),
    "sample.c": (
        {"macro MAX", "macro SQ", "type foo_t", "struct bar_t", "field bar_t.cb", "struct node", "type nd2_t",
         "type handler_fn", "enum color", "constant color.RED", "constant table", "variable counter", "variable ptr",
         "function my_open", "function main"},
        {"read my_open < -", "call helper < my_open", "call b.cb < my_open", "call f.ops.run < my_open",
         "read compare < my_open", "write counter < my_open", "read RED < my_open", "call SQ < main"},
    ),
    "sample.cpp": (
        {"namespace a.b", "class a.b.Foo", "method a.b.Foo.Foo", "method a.b.Foo.~Foo", "method a.b.Foo.run",
         "method a.b.Foo.operator=", "field a.b.Foo.x_", "enum a.b.Mode", "struct a.b.P", "type a.b.Alias",
         "method a.b.Bar.Bar", "constant a.b.kMax", "function a.b.trailing"},
        {"inherit Base < a.b.Foo", "inherit ns.Other < a.b.Foo", "call std.make_unique < a.b.Foo.run",
         "call helper < a.b.Foo.run", "construct Thing < a.b.Bar.Bar", "call z.go < a.b.Bar.Bar"},
    ),
    "sample.cs": (
        {"interface IPayable", "property IPayable.Total", "enum State", "class Line", "struct Point", "type Paid",
         "class Invoice", "constant Invoice.Limit", "field Invoice._basket", "method Invoice.LoadAsync"},
        {"inherit Document < Invoice", "implement IPayable < Invoice", "call Store.Find < Invoice.LoadAsync",
         "construct Line < Invoice.Pay", "call OnPaid.Invoke < Invoice.Pay", "decorate Serializable < Invoice"},
    ),
    "sample.kt": (
        {"constant LIMIT", "variable shared", "interface Payable", "enum State", "constant State.OPEN", "class Item",
         "property Item.price", "class Registry", "type Handler", "class Invoice", "property Invoice.total",
         "method Invoice.load", "method String.shout", "function main"},
        {"inherit Document < Invoice", "implement Payable < Invoice", "construct Row < Invoice.pay",
         "call Registry.find < Invoice.load", "call basket.add < Invoice.pay"},
    ),
    "sample.scala": (
        {"trait Payable", "method Payable.total", "class Item", "class Registry", "property Registry.Limit",
         "method Registry.Ops.twice", "class Invoice", "type Invoice.Alias", "method Invoice.pay"},
        {"inherit Document < Invoice", "inherit Payable < Invoice", "inherit Serializable < Item",
         "construct mutable.ArrayBuffer < Invoice", "call lines.map().foreach < Invoice.pay"},
    ),
    "sample.swift": (
        {"variable limit", "interface Payable", "enum State", "constant State.late", "struct Item", "class Invoice",
         "property Invoice.total", "method Invoice.init", "method Invoice.pay", "method Invoice.encode",
         "function helper"},
        {"inherit Document < Invoice", "inherit Codable < Invoice", "construct Item < Invoice.pay",
         "call Registry.shared.store < Invoice.pay", "write self.basket < Invoice.init"},
    ),
    "sample.m": (
        {"macro LIMIT", "interface Payable", "class Invoice", "property Invoice.basket",
         "method Invoice.initWithBasket",
         "method Invoice.extra", "constant kName", "function helper"},
        {"inherit Document < Invoice", "implement Payable < Invoice", "construct Line < Invoice.initWithBasket",
         "call Registry.find < Invoice.load", "call helper < Invoice.initWithBasket"},
    ),
    "sample.php": (
        {"constant LIMIT", "interface Payable", "enum State", "trait Logs", "class Invoice", "constant Invoice.MAX",
         "property Invoice.basket", "field Invoice.first", "method Invoice.pay", "function helper"},
        {"inherit Document < Invoice", "implement Payable < Invoice", "implement Logs < Invoice",
         "construct Item < Invoice.pay", "call $basket.add < Invoice.pay", "call Registry.store < Invoice.pay",
         "decorate Entity < Invoice"},
    ),
    "sample.rb": (
        {"module Shop", "constant Shop.LIMIT", "method Shop.Payable.total", "class Shop.Invoice",
         "property Shop.Invoice.state", "method Shop.Invoice.build", "method Shop.Invoice.pay!", "class Shop.Point",
         "method Shop.Invoice.settle", "class Shop.Invoice.Error"},
        {"inherit Document < Shop.Invoice", "implement Payable < Shop.Invoice", "construct Item < Shop.Invoice.pay!",
         "call Registry.find < Shop.Invoice.load", "call @basket.clear < Shop.Invoice.pay!"},
    ),
    "sample.ex": (
        {"module Shop.Invoice", "constant Shop.Invoice.limit", "type Shop.Invoice.t", "function Shop.Invoice.pay",
         "macro Shop.Invoice.debug", "module Shop.Invoice.Error", "interface Shop.Payable",
         "method Shop.Invoice.total"},
        {"implement GenServer < Shop.Invoice", "construct Line < Shop.Invoice.pay",
         "call Basket.add < Shop.Invoice.pay",
         "call Reg.store < Shop.Invoice.pay", "call helper < Shop.Invoice.pay", "read limit < Shop.Invoice.pay"},
    ),
    "sample.hs": (
        {"type Invoice", "constant Invoice.Invoice", "field Invoice.basket", "interface Payable",
         "method Payable.total",
         "method Invoice.total", "function limit", "function pay", "function helper", "function <+>"},
        {"implement Payable < Invoice", "inherit Show < Payable", "construct Line < pay", "call addLine < pay",
         "call Map.findWithDefault < helper"},
    ),
    "sample.lua": (
        {"constant LIMIT", "variable M", "function M.new", "function M.pay", "function helper.inner",
         "function M.handlers.open"},
        {"call Line.new < M.pay", "call basket.store < M.pay", "call helper < M.handlers.open"},
    ),
    "sample.zig": (
        {"constant limit", "variable counter", "struct Invoice", "field Invoice.basket", "enum Invoice.Error",
         "method Invoice.init", "enum State", "struct Value", "function helper", "field List.items",
         "function paying works"},
        {"call Line.init < Invoice.pay", "call basket.add < Invoice.pay", "call helper < Invoice.pay",
         "call invoice.pay < main"},
    ),
    "sample.sh": (
        {"constant LIMIT", "variable name", "function pay", "function helper", "function ll"},
        {"call basket_add < pay", "call helper < pay", "call pay < -", "read LIMIT < pay"},
    ),
    "sample.r": ({"constant LIMIT", "function pay", "function helper"}, {"call make_line < pay", "call helper < pay"}),
    "sample.jl": (
        {"module Shop", "constant Shop.LIMIT", "interface Shop.Payable", "struct Shop.Invoice", "function Shop.helper",
         "macro Shop.debug"},
        {"inherit Payable < Shop.Invoice", "call Base.show < Shop.pay"},
    ),
    "sample.dart": (
        {"constant limit", "class Payable", "trait Logs", "enum State", "class Invoice", "field Invoice.basket",
         "method Invoice.load", "property Invoice.total", "method Invoice.pay", "function helper"},
        {"inherit Document < Invoice", "implement Logs < Invoice", "construct Line < Invoice.pay",
         "call basket.add < Invoice.pay"},
    ),
    "sample.sql": ({"struct invoice", "field invoice.total", "struct paid", "function pay"}, {"call pay < -"}),
    "sample.html": ({"key invoice", "key invoice.pay"}, {"import app.js.app < -"}),
    "sample.css": ({"key .invoice", "key #pay", "key .invoice > h1", "key fade"}, {"import base.css.base < -"}),
    "sample.scss": ({"variable $limit", "function rounded", "function twice"}, {"call rounded < -"}),
    "sample.md": ({"heading The shop", "heading The shop.Paying", "heading The shop.Paying.Later.Another one"}, set()),
    "sample.json": ({"key scripts", "key scripts.build"}, set()),
    "sample.yml": ({"key jobs", "key jobs.test", "key jobs.lint"}, set()),
    "sample.toml": ({"key name", "key tool.pay", "key tool.pay.limit", "key lines"}, set()),
    "Makefile": ({"constant LIMIT", "function pay"}, {"read build < pay"}),
    "sample.proto": ({"struct Invoice", "enum Invoice.State", "method Payer.Pay"}, {"read Basket < Invoice"}),
    "sample.tcl": ({"function pay", "variable limit"}, {"call make_line < pay"}),
    "sample.ipynb": ({"function pay"}, {"call shop.total < pay", "call pay < -"}),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_each_language(name: str) -> None:
    found = sample(name)
    wanted_symbols, wanted_references = EXPECTED[name]
    assert not found.partial
    assert wanted_symbols - symbols(found) == set()
    assert wanted_references - references(found) == set()


def test_every_language_with_a_query_has_a_sample() -> None:
    covered = {detect(path.name, path.read_bytes()) for path in SAMPLES.iterdir()}
    assert set(PARSED) - covered == set()


def test_locals_are_no_symbols_and_no_references() -> None:
    found = read(
        "python",
        """
        def helper(): ...
        def outer(helper, other):
            count = 1
            for item in other:
                print(item, count)
            return helper()
        """,
    )
    assert symbols(found) == {"function helper", "function outer"}
    assert not {text for text in references(found) if text.startswith(("read item", "read count"))}
    assert "helper:  < outer" in bindings(found)


# --------------------------------------------------------------------------- details


def test_signature_documentation_and_types() -> None:
    found = sample("sample.py")
    hello = next(symbol for symbol in found.symbols if symbol.name == "hello")
    assert hello.signature == 'async def hello(a, b: "Foo" = 1, *c: int, **d) -> Optional[m.Foo]'
    assert (hello.doc, hello.type_name, hello.entry) == ("Doc of hello.", "Foo", True)
    assert (hello.start_line, hello.end_line, hello.name_line) == (17, 26, 17)
    engine = next(symbol for symbol in sample("sample.go").symbols if symbol.name == "Engine")
    assert (engine.signature, engine.doc) == ("type Engine struct", "Engine runs.")
    pay = next(symbol for symbol in sample("sample.hs").symbols if symbol.name == "pay")
    assert (pay.signature, pay.doc) == ("pay :: Invoice -> Basket -> IO Invoice", "Pays it.")
    invoice = next(symbol for symbol in sample("sample.cs").symbols if symbol.qualified == "Invoice")
    assert invoice.doc == "One invoice."
    mapping = next(symbol for symbol in sample("sample.java").symbols if symbol.name == "get")
    assert (mapping.start_line, mapping.type_name) == (12, "List")


def test_parents_are_the_enclosing_symbols() -> None:
    for name in EXPECTED:
        found = sample(name)
        for symbol in found.symbols:
            if symbol.parent >= 0:
                assert symbol.qualified.startswith(found.symbols[symbol.parent].qualified + "."), (name, symbol)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("sample.py", {("a.b.c", "", ""), ("", "x", ""), ("a.b", "c", "d"), ("m", "*", ""), ("sys", "", "s")}),
        ("sample.js", {("debug", "", "debug"), ("./x", "b", "c"), ("utils", "merge", "merge"), ("./d.js", "default",
         "D"),
                       ("ns", "*", "ns"), ("./all", "*", ""), ("side", "", "")}),
        ("sample.go", {("fmt", "", ""), ("github.com/z/y", "", "x"), ("dot", "", ".")}),
        ("sample.rs", {("std::collections", "HashMap", ""), ("std::collections::hash_map", "Entry", ""),
                       ("crate::a", "b", "c"), ("super", "*", ""), ("self::sub", "", "sub")}),
        ("sample.java", {("java.util", "List", ""), ("a.C", "*", "")}),
        ("sample.c", {("stdio.h", "", ""), ("a/b.h", "", "")}),
        ("sample.cpp", {("std", "*", ""), ("std", "vector", "")}),
        ("sample.cs", {("System", "", ""), ("Shop.Models", "Basket", "Alias")}),
        ("sample.kt", {("shop.models", "Line", "Row"), ("shop.util", "*", "")}),
        ("sample.scala", {("shop.models", "Line", "Row"), ("shop.util", "*", ""), ("scala.collection", "mutable", "")}),
        ("sample.php", {("Shop\\Models", "Basket", ""), ("Shop\\Models", "Line", "Row"), ("helpers.php", "", "")}),
        ("sample.rb", {("json", "", ""), ("./models/basket", "", ""), ("shop/line", "", "")}),
        ("sample.ex", {("GenServer", "*", ""), ("Shop.Models.Line", "", ""), ("Shop.Registry", "", "Reg")}),
        ("sample.hs", {("Data.Map", "", "Map"), ("Data.List", "foldl'", ""), ("Shop.Models", "", "")}),
        ("sample.lua", {("shop.basket", "", "basket"), ("shop.config", "values", "config")}),
        ("sample.zig", {("std", "", "std"), ("basket.zig", "Basket", "Basket")}),
        ("sample.sh", {("lib/basket.sh", "", ""), ("./config.sh", "", "")}),
    ],
)  # fmt: skip
def test_imports(name: str, wanted: set[tuple[str, str, str]]) -> None:
    found = sample(name)
    assert wanted - imports(found) == set()
    referred = Counter((item.line, item.receiver) for item in found.references if item.kind == "import")
    assert referred == Counter((item.line, item.module) for item in found.imports)


def test_relative_imports_and_reexports() -> None:
    relative = {(item.module, item.name): item.level for item in sample("sample.py").imports}
    assert relative[("", "x")] == 1 and relative[("a.b", "c")] == 2
    assert {item.module for item in sample("sample.js").imports if item.exported} == {"./h", "./all"}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("sample.py", {"app: App < -", "b: Foo < hello", "y: Bar() < hello", "lock: =Lock()~ < hello",
                       "self.child: Child() < A.__init__"}),
        ("sample.tsx", {"svc: Service < Foo.constructor", "z: Base < over"}),
        ("sample.go", {"e: Engine < Engine.ServeHTTP", "req: http.Request < Engine.ServeHTTP", "engine: Engine < New",
                       "r: x.Pool < New", "y: x.NewPool() < New", "c: Context < Engine.ServeHTTP"}),
        ("sample.rs", {"x: Foo.new() < Router.call", "y: Bar < Router.call", "inner: RouterInner < Router"}),
        ("sample.java", {"m: Map < A.get", "f: m.get().foo() < A.get"}),
        ("sample.c", {"f: foo < my_open", "b: bar_t < my_open"}),
        ("sample.cpp", {"b: Bar < a.b.Foo.run", "g: Foo < a.b.trailing"}),
        ("sample.php", {"$basket: Basket < Invoice.pay", "$item: Item < Invoice.pay"}),
        ("sample.kt", {"row: Row() < Invoice.pay", "invoice: Invoice < main"}),
    ],
)  # fmt: skip
def test_bindings(name: str, wanted: set[str]) -> None:
    assert wanted - bindings(sample(name)) == set()


# --------------------------------------------------------------------------- odd input


def test_python_definitions_are_those_of_the_compiler() -> None:
    for module in (ast, textwrap, typing, dataclasses):
        data = Path(module.__file__ or "").read_bytes()
        wanted = Counter(
            (node.name, node.lineno)
            for node in ast.walk(ast.parse(data))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        )
        kinds = ("function", "method", "class", "property")
        found = parse("x.py", data, "python")
        assert Counter((item.name, item.start_line) for item in found.symbols if item.kind in kinds) == wanted


@pytest.mark.parametrize("name", ["sample.py", "sample.go", "sample.rb", "sample.c"])
@pytest.mark.parametrize("change", ["crlf", "bom", "no newline", "nul", "latin", "form feed"])
def test_odd_bytes_leave_the_structure_alone(name: str, change: str) -> None:
    data = (SAMPLES / name).read_bytes()
    changed = {
        "crlf": data.replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + data,
        "no newline": data.rstrip(b"\n"),
        "nul": data.replace(b"Doc", b"D\0c"),
        "latin": data.replace(b"Opens", b"\xd6ffnet"),
        "form feed": data.replace(b"\n\n", b"\n\x0c\n"),
    }[change]
    plain, odd = parse(name, data, detect(name, data)), parse(name, changed, detect(name, changed))
    assert symbols(odd) == symbols(plain)
    assert [item.start_line for item in odd.symbols] == [item.start_line for item in plain.symbols]
    assert odd.lines == plain.lines and not odd.partial


def test_lines_end_with_newline_only() -> None:
    assert line_starts(b"") == []
    assert line_starts(b"a") == [0]
    assert line_starts(b"a\n") == [0]
    assert line_starts(b"a\rb\x0cc\n\nd") == [0, 6, 7]


def test_an_empty_file_has_no_chunks() -> None:
    for language in ("python", "text", "markdown", "json", "jupyter"):
        assert parse("x", b"", language) == ParsedFile(language=language, chunks=())


def test_an_unknown_language_is_read_as_text() -> None:
    assert parse("x", b"a\n\nb\n", "klingon").language == "text"


def test_what_parses_is_kept_beside_what_does_not() -> None:
    found = read("python", "def good(): pass\n\nclass (:\n  +\n\ndef also(): pass\n")
    assert {"function good", "function also"} <= symbols(found)
    broken = parse("x.py", b"def good(): pass\n" + b"if ( [ {\n" * 200, "python")
    assert broken.partial == "syntax errors"


HOSTILE = {
    "open brackets": b"(" * 50_000,
    "nested lists": b"[" * 20_000 + b"]" * 20_000,
    "nested calls": b"x(" * 5_000,
    "braces": b"{" * 5_000,
    "a chain of members": b"a." * 30_000,
    "a chain of calls": b"f(x)." * 10_000,
    "many statements": b"x=1\n" * 10_000,
    "one long name": b"x" * 100_000,
    "NUL": b"\0" * 1000,
    "no UTF-8": b"\xff\xfe" * 1000,
    "comments": b"#\n" * 10_000,
    "quotes": b'"' * 999,
    "unfinished blocks": b"if x:\n" * 2000,
    "blank lines": b"a\n\n" * 5000,
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("language", ["python", "javascript", "c"])
def test_hostile_files_end_and_raise_nothing(what: str, language: str) -> None:
    data = HOSTILE[what]
    found = parse("x", data, language, timeout=1.0)
    assert found.lines == len(line_starts(data))
    assert found.chunks[0].start_line == 1 and found.chunks[-1].end_line == found.lines


def test_a_parse_that_takes_too_long_leaves_chunks() -> None:
    found = parse("x.py", b"x = f(1)\n" * 50_000, "python", timeout=0.0)
    assert found.partial.startswith("parsing took over") and not found.symbols
    assert found.chunks[-1].end_line == 50_000


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_damaged_sample_raises(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(EXPECTED)))
    text = (SAMPLES / name).read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    changed = text[:start] + data.draw(st.binary(max_size=12)) + text[end:]
    found = parse(name, changed, detect(name, changed))
    assert not found.partial.startswith("structure could not be read")
    for symbol in found.symbols:
        assert 1 <= symbol.start_line <= symbol.name_line <= symbol.end_line <= found.lines
        assert symbol.name and symbol.parent < len(found.symbols)
    for item in found.references:
        assert item.name and 1 <= item.line <= found.lines and item.column >= 0


def test_an_import_within_an_import_is_read() -> None:
    text = b"defmodule A do\n  alias Shop.Registry,\x01g\n  require Logger\n\n  def f, do: g()\nend\n"
    found = parse("x.ex", text, "elixir")
    assert not found.partial.startswith("structure could not be read") and "function A.f" in symbols(found)


def test_a_line_that_the_grammar_does_not_know_does_not_cost_what_follows() -> None:
    functions = "".join(f"f{number}() {{\n  echo {number}\n}}\n" for number in range(4))
    strange = '  while (($# > 0)) && [[ "$1" != -- ]]; do\n    a=("${@:1:$(($#-1)}")\n  done\n'
    found = parse("x.sh", (functions + "odd() {\n" + strange + "}\n" + functions.replace("f", "g")).encode(), "bash")
    assert {"function f0", "function f3", "function odd", "function g0", "function g3"} <= symbols(found)
    assert not found.partial


# --------------------------------------------------------------------------- C: declarators and macros


def test_what_a_c_declarator_declares() -> None:
    found = symbols(
        read(
            "c",
            """
            char *names[] = {"a", "b"};
            int (*callback)(void), **deep, table[2][3];
            void (*handler(int number))(int) { return 0; }
            struct s { struct t *(*rows)[4]; int (*run)(void); };
            typedef int *(*maker)(void);
            int announced(void);
            """,
        )
    )
    assert found == {
        "variable names", "variable callback", "variable deep", "variable table", "function handler", "struct s",
        "field s.rows", "field s.run", "type maker",
    }  # fmt: skip


def test_macros_that_only_the_preprocessor_knows_lose_nothing() -> None:
    text = """
        LIB_BEGIN_NAMESPACE
        namespace lib {
        LIB_EXPORT template <typename T>
        class store {
         public:
          LIB_CONSTEXPR LIB_INLINE auto size() const -> int { return size_; }
         private:
          int size_;
        };
        class LIB_API(export) error : public base {
          LIB_FIELDS
          int code;
        };
        enum level {
          LEVEL_LOW,
          LEVEL_HIGH
        };
        }
        """
    found = read("cpp", text)
    assert symbols(found) >= {
        "namespace lib", "class lib.store", "method lib.store.size", "field lib.store.size_", "class lib.error",
        "field lib.error.code", "enum lib.level", "constant lib.level.LEVEL_LOW", "constant lib.level.LEVEL_HIGH",
    }  # fmt: skip
    assert not found.partial
    (size,) = (symbol for symbol in found.symbols if symbol.name == "size")
    assert size.signature == "auto size() const -> int"


def test_a_prime_belongs_to_a_haskell_name() -> None:
    assert symbols(read("haskell", "json' :: Int\njson' = 1\njson = json'\n")) == {"function json'", "function json"}


def test_ruby_aliases_are_methods() -> None:
    assert "method A.store" in symbols(read("ruby", "class A\n  def put; end\n  alias store put\nend\n"))


def test_the_scripts_of_a_page_are_read_where_they_stand() -> None:
    found = read(
        "html",
        """
        <main id="cart">
        <script type="application/json">{"no": function () {}}</script>
        <script>
          class Cart { add(item) { return price(item); } }
        </script>
        <script type="module">
          import { tax } from "./tax.js";
          function price(item) { return tax(item); }
        </script>
        </main>
        """,
    )
    assert symbols(found) == {"key cart", "class Cart", "method Cart.add", "function price"}
    assert references(found) >= {"call price < Cart.add", "call tax < price"}
    assert ("./tax.js", "tax", "") in imports(found)
    assert {symbol.name: symbol.name_line for symbol in found.symbols}["price"] == 9
