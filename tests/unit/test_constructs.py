"""Questions about syntax: named constructs and raw tree-sitter queries."""

from __future__ import annotations

import textwrap

import pytest

from fourfold.languages.constructs import (
    ConstructError,
    _compiled,
    _constructs,
    construct_names,
    find_construct,
    run_construct,
    run_query,
)


def ask(question: str, language: str, text: str) -> list[tuple[int, str]]:
    """(first line, name) of what the question finds in a dedented text."""
    match = find_construct(question)
    assert match is not None, question
    return [(first, name) for first, _, name in run_construct(match, language, textwrap.dedent(text).encode())]


def test_every_query_of_the_table_compiles() -> None:
    for construct in _constructs():
        for language, source in (*construct.queries.items(), *construct.contains.items()):
            _compiled(language, source)
    assert len(construct_names()) == len(set(construct_names())) >= 40


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("abstract classes", "abstract classes"),
        ("list all abstract classes", "abstract classes"),
        ("Find every abstract class.", "abstract classes"),
        ("show me the async functions", "async functions"),
        ("functions that return models.User", "functions that return models.User"),
        ("methods returning Optional[User]", "functions that return Optional[User]"),
        ("functions which take a `Request`", "functions that take Request"),
        ("methods decorated with @app.get", "definitions decorated with app.get"),
        ("functions with the `Override` annotation", "definitions decorated with Override"),
        ("empty except blocks", "empty except blocks"),
        ("empty catch clauses", "empty except blocks"),
        ("functions with more than five parameters", "functions with more than 5 parameters"),
        ("functions with at least 3 arguments", "functions with at least 3 parameters"),
        ("methods without parameters", "functions with exactly 0 parameters"),
        ("functions longer than 100 lines", "functions of more than 100 lines"),
        ("long functions", "functions of more than 60 lines"),
        ("struct literals of Config", "struct literals of Config"),
        ("raises of ValueError", "raise statements of ValueError"),
        ("TODO comments", "todo comments"),
        ("interfaces", "interfaces"),
    ],
)
def test_phrases_that_are_constructs(question: str, name: str) -> None:
    match = find_construct(question)
    assert match is not None
    assert match.name == name


@pytest.mark.parametrize(
    "question",
    [
        "how do async functions work",
        "where are the abstract classes tested",
        "why is there an empty except block in the parser",
        "interface",
        "enum",
        "test",
        "generator",
        "AsyncFunction",
        "functions that return",
        "functions that return it",
        "functions that return the user to the login page",
        "struct literals",
        "who calls the constructor",
        "abstract classes in src/models and their subclasses",
        "",
        "abstract classes\nasync functions",
        "abstract " * 100 + "classes",
    ],
)
def test_phrases_that_are_none(question: str) -> None:
    assert find_construct(question) is None


PYTHON = """
import abc

@dataclass
class Point:
    x: int

class Base(abc.ABC):
    @abc.abstractmethod
    def run(self, a, b, c, d): ...
    @staticmethod
    def make(): return Base()
    @property
    def size(self) -> int: return 1
    @size.setter
    def size(self, value): ...
    def __init__(self): ...
    def __eq__(self, other): ...

async def fetch(items=[]) -> Point:
    async with a as b:
        await c
    try:
        raise ValueError("no")
    except Exception:
        pass  # TODO: say so
    while True:
        yield 1

def fact(n):
    def inner(): return [x for x in n]
    assert n
    return fact(n - 1) if n else other.inner()

@deprecated("old")
def test_fact(): return lambda: Point(1)
COUNT = 0
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("abstract classes", ["Base"]),
        ("abstract methods", ["run"]),
        ("data classes", ["Point"]),
        ("async functions", ["fetch"]),
        ("generators", ["fetch"]),
        ("functions that return Point", ["fetch"]),
        ("methods decorated with abc.abstractmethod", ["run"]),
        ("functions decorated with deprecated", ["test_fact"]),
        ("functions with more than 3 parameters", ["run"]),
        ("functions with exactly 2 parameters", []),
        ("functions of at least 9 lines", ["fetch"]),
        ("static methods", ["make"]),
        ("getters", ["size"]),
        ("setters", ["size"]),
        ("constructors", ["__init__"]),
        ("overloaded operators", ["__eq__"]),
        ("nested functions", ["inner"]),
        ("recursive functions", ["fact"]),
        ("test functions", ["test_fact"]),
        ("deprecated functions", ["test_fact"]),
        ("mutable default arguments", ["fetch"]),
        ("global variables", ["COUNT"]),
        ("interfaces", []),
    ],
)
def test_python_definitions(question: str, found: list[str]) -> None:
    assert [name for _, name in ask(question, "python", PYTHON)] == found


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("empty except blocks", [25]),
        ("bare excepts", [25]),
        ("try blocks", [23]),
        ("raise statements", [24]),
        ("raises of ValueError", [24]),
        ("raises of KeyError", []),
        ("todo comments", [26]),
        ("infinite loops", [27]),
        ("with statements", [21]),
        ("await expressions", [22]),
        ("list comprehensions", [31]),
        ("assertions", [32]),
        ("conditional expressions", [33]),
        ("lambdas", [36]),
        ("instantiations of Point", [36]),
    ],
)
def test_python_statements(question: str, lines: list[int]) -> None:
    assert [line for line, _ in ask(question, "python", PYTHON)] == lines


@pytest.mark.parametrize(
    ("question", "language", "text", "found"),
    [
        ("empty catch blocks", "javascript", "try { a() } catch (e) { /* why */ }\ntry {} catch { b() }", [1]),
        ("empty catch blocks", "java", "class A { void f() { try { a(); } catch (E e) { } } }", [1]),
        ("empty catch blocks", "kotlin", "fun f() { try { a() } catch (e: E) { } }", [1]),
        ("empty catch blocks", "csharp", "class A { void F() { try { A(); } catch (E e) { } } }", [1]),
        ("arrow functions", "typescript", "const a = (x: number) => x;", [1]),
        ("abstract classes", "typescript", "abstract class A {}\nclass B {}", [1]),
        ("generators", "javascript", "function* a() {}\nfunction b() {}", [1]),
        ("exported functions", "typescript", "export function a() {}\nfunction b() {}", [1]),
        ("struct literals of Config", "go", "package a\nvar x = Config{A: 1}\nvar y = Other{}", [2]),
        ("functions with more than 2 parameters", "go", "package a\nfunc f(a, b, c int) {}\nfunc g(a int) {}", [2]),
        ("interfaces", "go", "package a\ntype I interface{}\ntype S struct{}", [2]),
        ("goroutines", "go", "package a\nfunc f() {\n\tgo g()\n}", [3]),
        ("infinite loops", "go", "package a\nfunc f() {\n\tfor {\n\t}\n}", [3]),
        ("unsafe blocks", "rust", "fn f() {\n    unsafe { g() }\n}", [2]),
        ("traits", "rust", "trait T {}\nstruct S;", [1]),
        ("test functions", "rust", "#[test]\nfn t() {}\nfn u() {}", [2]),
        ("struct literals of Bar", "rust", "fn f() {\n    let x = Bar { a: 1 };\n}", [2]),
        ("switch statements", "c", "int f(int a) {\n  switch (a) { case 1: return 1; }\n}", [2]),
        ("gotos", "c", "void f() {\n  goto end;\nend: return;\n}", [2]),
        ("macros", "c", "#define A 1\n#define B(x) x", [1, 2]),
        ("overloaded operators", "cpp", "struct A {\n  bool operator==(const A&) const;\n};", [2]),
        ("abstract classes", "cpp", "class A {\n  virtual void f() = 0;\n};\nclass B {};", [1]),
        ("generic functions", "cpp", "template <class T>\nT f(T a) { return a; }", [1]),
        ("enums", "java", "enum E { A }", [1]),
        ("deprecated methods", "java", "class A {\n  @Deprecated void f() {}\n  void g() {}\n}", [2]),
        ("private methods", "java", "class A {\n  private void f() {}\n  public void g() {}\n}", [2]),
        ("suspend functions", "kotlin", "suspend fun f() {}\nfun g() {}", [1]),
        ("protocols", "swift", "protocol P {}\nclass C {}", [1]),
        ("traits", "php", "<?php\ntrait T {}\nclass C {}", [2]),
        ("recursive functions", "ruby", "def a(n) = a(n - 1)\ndef b(n) = x.b(n)", [1]),
        ("raises of NotFound", "ruby", "def a\n  raise NotFound, 'x'\nend", [2]),
        ("macros", "elixir", "defmodule A do\n  defmacro m(x), do: x\nend", [2]),
        ("todo comments", "rust", "// TODO: more\nfn f() {} // fine", [1]),
    ],
)
def test_other_languages(question: str, language: str, text: str, found: list[int]) -> None:
    assert [line for line, _ in ask(question, language, text)] == found


def test_a_language_without_the_construct_has_none() -> None:
    match = find_construct("goroutines")
    assert match is not None and match.languages == ("go",)
    assert run_construct(match, "python", b"go()") == []
    assert run_construct(match, "text", b"go x()") == []


def test_notebooks_are_asked_as_python() -> None:
    source = b'  "source": [\n   "async def f():\\n",\n   "    pass"\n  ]\n'
    notebook = b'{\n "cells": [{\n  "cell_type": "code",\n' + source + b" }]\n}"
    match = find_construct("async functions")
    assert match is not None
    assert run_construct(match, "jupyter", notebook) == [(5, 6, "f")]


@pytest.mark.parametrize("query", ["(function_definition)", "ast:(function_definition)", "(function_definition) @f"])
def test_a_raw_query_names_what_it_finds(query: str) -> None:
    assert run_query("python", b"x = 1\ndef f():\n    pass\n", query) == [(2, 3, "f")]


def test_a_raw_query_with_captures_and_predicates() -> None:
    query = '(call function: (identifier) @name (#eq? @name "f")) @call'
    assert run_query("python", b"f(1)\ng(2)\nh(f(3))\n", query) == [(1, 1, "f"), (3, 3, "f")]


def test_a_raw_query_finds_nothing_in_languages_that_lack_its_nodes() -> None:
    assert run_query("go", b"package a\n", "(function_definition)") == []
    assert run_query("text", b"a\n", "(function_definition)") == []
    assert run_query("diff", b"a\n", "(function_definition)") == []


@pytest.mark.parametrize("query", ["(function_definition", "(no_such_node_anywhere)", "(()", "(call foo: (_))", "@x"])
def test_a_bad_raw_query_is_one_clear_line(query: str) -> None:
    with pytest.raises(ConstructError, match=r"\Athe syntax query does not compile: [^\n]+\Z"):
        run_query("python", b"x\n", query)


@pytest.mark.parametrize("query", ["(_) @x", "((_) @a (_) @b)", "(_ (_ (_)))"])
def test_hostile_files_and_wildcards_end(query: str) -> None:
    for data in (b"(" * 50_000, b"[" * 3000 + b"]" * 3000, b"x=1\n" * 300, b"\0\xff" * 100, b""):
        run_query("python", data, query)
