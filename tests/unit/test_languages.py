"""The registry, and how a file's language is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fourfold.languages import detect, known, language, names, parsed_languages
from fourfold.languages.coverage import table
from fourfold.languages.grammar import compiled, grammar, query, query_text
from fourfold.languages.table import LANGUAGES
from fourfold.languages.types import last_type_name, type_path


def test_every_grammar_loads_and_every_query_compiles() -> None:
    for entry in LANGUAGES:
        if entry.grammar:
            assert grammar(entry.name) is not None, entry.name
        if entry.query:
            assert query(entry.name) is not None, entry.name


def test_nothing_in_the_registry_is_claimed_twice() -> None:
    for part in ("extensions", "file_names", "aliases", "shebangs"):
        claims = Counter(key for entry in LANGUAGES for key in getattr(entry, part))
        assert [key for key, count in claims.items() if count > 1] == []
    assert len(names()) == len(set(names())) == len(LANGUAGES)


def test_languages_are_found_by_alias_in_any_case() -> None:
    assert language("TS").name == "typescript"
    assert language("C++").name == "cpp"
    assert language("c#").name == "csharp"
    assert known("golang") and not known("klingon")
    with pytest.raises(KeyError):
        language("klingon")


def test_languages_with_a_grammar_are_listed() -> None:
    assert {"python", "jupyter", "haskell", "perl"} <= set(parsed_languages())
    assert "text" not in parsed_languages()


def test_inherited_query_files_come_first() -> None:
    assert query_text("tsx").index("What JavaScript, TypeScript and TSX share") < query_text("tsx").index("jsx")


def test_a_bad_query_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z"):
        compiled("python", "(no_such_node) @x")


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("a/b.py", b"", "python"),
        ("a/B.PY", b"", "python"),
        ("a.d.ts", b"", "typescript"),
        ("a.tsx", b"", "tsx"),
        ("a.mjs", b"", "javascript"),
        ("Makefile", b"", "make"),
        ("Dockerfile.dev", b"", "dockerfile"),
        ("Dockerfile-prod", b"", "dockerfile"),
        ("CMakeLists.txt", b"", "cmake"),
        ("requirements-dev.txt", b"", "requirements"),
        ("notes.txt", b"#!/bin/sh\n", "text"),
        ("go.mod", b"", "gomod"),
        ("x.ipynb", b"{}", "jupyter"),
        ("x.bats", b"", "bash"),
        ("x.h", b"int f(void);\n", "c"),
        ("x.h", b"/* class A */\nint f(void);\n", "c"),
        ("x.h", b"namespace a {\n", "cpp"),
        ("x.h", b"template <typename T>\nstruct A;\n", "cpp"),
        ("x.h", b"#import <Foundation/Foundation.h>\n@interface A\n", "objc"),
        ("x.m", b"@implementation A\n", "objc"),
        ("x.m", b"function y = f(x)\n  y = x;\nend\n", "matlab"),
        ("x.ts", b'<?xml version="1.0"?><!DOCTYPE TS><TS>', "xml"),
        ("config.h.in", b"", "c"),
        ("page.html.tmpl", b"", "html"),
        ("run", b"#!/usr/bin/env python3.12\n", "python"),
        ("run", b"#!/usr/bin/env -S node --flag\n", "javascript"),
        ("run", b"#! /bin/bash -e\n", "bash"),
        ("run", b"\xef\xbb\xbf#!/usr/bin/ruby\n", "ruby"),
        ("run", b"#!/opt/strange\n", "text"),
        ("script", b"# -*- mode: ruby -*-\n", "ruby"),
        ("script", b"/* vim: set ft=cpp: */\n", "cpp"),
        ("thing", b"<?php echo 1;", "php"),
        ("thing", b"<!DOCTYPE html>", "html"),
        ("x.pl", b"use strict;\n", "perl"),
        ("x.t", b"nothing of the kind\n", "text"),
        ("LICENSE", b"Permission is hereby granted", "text"),
        ("x.unknown", b"\x00\xff", "text"),
        ("", b"", "text"),
        (".gitignore", b"", "gitignore"),
        (".bashrc", b"", "bash"),
        ("noext.", b"", "text"),
    ],
)
def test_detect(path: str, head: bytes, expected: str) -> None:
    assert detect(path, head) == expected


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("Foo", "Foo"),
        ("models.User", "models.User"),
        ("Optional[models.User]", "models.User"),
        ("User | None", "User"),
        ("None | 'User'", "User"),
        ("Foo | Bar", ""),
        ("*gin.Context", "gin.Context"),
        ("[]Foo", ""),
        ("map[string]Foo", ""),
        ("&'a mut Foo<T>", "Foo"),
        ("Arc<Mutex<Foo>>", "Mutex"),
        ("Box<dyn Handler>", "Handler"),
        ("std::unique_ptr<ns::Bar>", "ns.Bar"),
        ("const struct foo *", "foo"),
        (": Promise<Foo | null>", "Foo"),
        ("-> Result<Foo, Error>", "Result"),
        ("List<Foo>", "List"),
        ("(a: Foo) => Bar", ""),
        ("{ a: Foo }", ""),
        ("void", ""),
        ("?Basket", "Basket"),
        ("", ""),
        ("[" * 500, ""),
    ],
)
def test_the_name_of_a_written_type(written: str, path: str) -> None:
    assert type_path(written) == path
    assert last_type_name(written) == path.rpartition(".")[2]


def test_the_page_on_languages_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "languages.md"
    assert page.read_text(encoding="utf-8") == table(), "python -m fourfold.languages.coverage > docs/languages.md"
    rows = [line.split(" | ")[0].strip("| ") for line in table().splitlines() if line.startswith("| ")][1:]
    assert set(rows) >= {entry.name for entry in LANGUAGES if entry.query}
