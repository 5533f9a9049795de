"""Chunks follow the syntax and cover every line exactly once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.indexing.chunk import LIMIT
from fourfold.indexing.parse import line_starts, parse
from fourfold.languages import detect
from fourfold.languages import names as all_names
from fourfold.languages.table import LANGUAGES
from fourfold.model import ParsedFile

SAMPLES = sorted((Path(__file__).parents[1] / "data" / "languages").iterdir())
PARSED = sorted(entry.name for entry in LANGUAGES if entry.query)


def assert_tiled(found: ParsedFile, data: bytes) -> None:
    lines = len(line_starts(data))
    assert found.lines == lines
    place = 1
    for chunk in found.chunks:
        assert chunk.start_line == place <= chunk.end_line
        assert -1 <= chunk.symbol < len(found.symbols)
        if chunk.symbol >= 0:
            assert chunk.kind == found.symbols[chunk.symbol].kind
        else:
            assert chunk.kind in ("lines", "prose", "data")
        place = chunk.end_line + 1
    assert place == lines + 1


def shown(found: ParsedFile) -> list[tuple[int, int, str]]:
    return [
        (chunk.start_line, chunk.end_line, found.symbols[chunk.symbol].qualified if chunk.symbol >= 0 else chunk.kind)
        for chunk in found.chunks
    ]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(all_names()), st.binary(max_size=300))
def test_any_bytes_in_any_language_are_tiled(language: str, data: bytes) -> None:
    assert_tiled(parse("x", data, language), data)


_PIECES = st.sampled_from(
    ["def f():", "class A:", "    x = 1", "}", "{", "fn main() {", "func f() {", "# title", "", "  ", "end", "module M",
     "/*", "*/", "// note", "@decorated", "export class B {", "  method() {", ");", '"""', "#if X", "#endif", "- a: 1",
     "{-", "namespace n {", "\tif x {", "x" * 200]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(PARSED), st.lists(st.tuples(_PIECES, st.integers(1, 30)), max_size=25), st.booleans())
def test_any_lines_of_code_are_tiled(language: str, pieces: list[tuple[str, int]], ends: bool) -> None:
    lines = [line for line, times in pieces for _ in range(times)]
    data = "\n".join(lines).encode() + (b"\n" if ends else b"")
    assert_tiled(parse("x", data, language), data)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_are_tiled_however_they_are_cut(path: Path) -> None:
    data = path.read_bytes()
    for whole in (data, data.replace(b"\n", b"\r\n"), data[: len(data) // 2], data[len(data) // 3 :], data * 3):
        assert_tiled(parse(path.name, whole, detect(path.name, whole)), whole)


def test_one_definition_a_chunk_with_what_is_attached() -> None:
    text = b"""import os

LIMIT = 1


# About f.
@decorated(
    1,
)
def f():
    return 1


def g():
    return 2
class Small:
    def one(self): ...
    def two(self): ...

f()
"""
    found = parse("x.py", text, "python")
    assert shown(found) == [(1, 5, "lines"), (6, 13, "f"), (14, 15, "g"), (16, 19, "Small"), (20, 20, "lines")]


def test_a_long_class_is_its_head_and_its_methods() -> None:
    methods = "".join(f"    def m{number}(self):\n" + "        x = 1\n" * 15 + "\n" for number in range(5))
    text = f'class Big:\n    """Doc."""\n\n    field = 1\n\n{methods}'.encode()
    found = parse("x.py", text, "python")
    assert [name for _, _, name in shown(found)] == ["Big", "Big.m0", "Big.m1", "Big.m2", "Big.m3", "Big.m4"]
    assert shown(found)[0] == (1, 5, "Big")


def test_a_long_body_is_split_where_statements_start() -> None:
    body = "".join(f"    if x{number}:\n        y = (\n            1,\n        )\n" for number in range(50))
    found = parse("x.py", f"def long():\n{body}".encode(), "python")
    assert len(found.chunks) > 1
    assert {name for _, _, name in shown(found)} == {"long"}
    for chunk in found.chunks:
        assert chunk.end_line - chunk.start_line < LIMIT + 10
        assert chunk.start_line == 1 or (chunk.start_line - 2) % 4 == 0


def test_a_namespace_is_opened_and_an_implementation_belongs_to_its_type() -> None:
    rust = b"struct A;\n\nimpl A {\n    fn f(&self) {}\n    fn g(&self) {}\n}\n"
    assert shown(parse("x.rs", rust, "rust")) == [(1, 2, "A"), (3, 6, "A")]
    cpp = b"namespace n {\nint f() {\n  return 1;\n}\nint g() {\n  return 2;\n}\n}  // namespace n\n"
    assert shown(parse("x.cc", cpp, "cpp")) == [(1, 1, "n"), (2, 4, "n.f"), (5, 8, "n.g")]


def test_prose_is_cut_at_headings_and_blank_lines() -> None:
    text = b"Intro.\n\n# One\n\ntext\n\n## Two\n\nmore\n\nUnder\n=====\n\nend\n"
    names = [name for _, _, name in shown(parse("x.md", text, "markdown"))]
    assert names == ["prose", "One", "One.Two", "One.Two.Under"]
    paragraphs = ("word\n" * 9 + "\n").encode() * 20
    found = parse("x.txt", paragraphs, "text")
    assert len(found.chunks) == 4
    assert all(chunk.start_line == 1 or (chunk.start_line - 1) % 10 == 0 for chunk in found.chunks)


def test_closing_lines_stay_with_what_they_close() -> None:
    text = "class Big {\n" + "".join(f"  m{n}() {{\n" + "    x();\n" * 30 + "  }\n" for n in range(3)) + "}\n\n\nf();\n"
    found = parse("x.js", text.encode(), "javascript")
    assert [name for _, _, name in shown(found)] == ["Big", "Big.m0", "Big.m1", "Big.m2", "lines"]


def test_two_definitions_on_one_line_do_not_overlap() -> None:
    data = b"function a() {} function b() {}\nfunction c() {}\n"
    found = parse("x.js", data, "javascript")
    assert_tiled(found, data)
    assert [name for _, _, name in shown(found)] == ["a", "c"]
