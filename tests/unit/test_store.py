"""The index file: what is written is what is read, for any history of changes, and damage is called by its name."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.model import (
    LedgerEntry,
    ParsedBinding,
    ParsedChunk,
    ParsedFile,
    ParsedImport,
    ParsedReference,
    ParsedSymbol,
)
from fourfold.store import compact, schema, sums, vectors
from fourfold.store.interface import EdgeRow, IndexedFile
from fourfold.store.reader import SqliteReader
from fourfold.store.schema import IndexMissing, IndexUnusable
from fourfold.store.writer import SqliteWriter

SOURCE = b"import os\n\nclass Cart:\n    def total(self):\n        return add(self.items)\n\ndef add(x): ...\n"


def entry(path: str) -> LedgerEntry:
    return LedgerEntry(path, "indexed", "", size=1)


def text_file(path: str, chunks: list[Mapping[str, int]], grams: set[int], digest: str = "") -> IndexedFile:
    """A plain text of one line a chunk; the names of a chunk are its words, tripled in weight."""
    parsed = ParsedFile(
        "text", tuple(ParsedChunk(i + 1, i + 1, -1, "prose") for i in range(len(chunks))), lines=len(chunks)
    )
    names = tuple({term: 3 * n for term, n in chunk.items()} for chunk in chunks)
    trigrams = np.array(sorted(grams), dtype=np.uint32)
    return IndexedFile(path, 10, 5, digest or "00" * 20, path, parsed, trigrams, tuple(chunks), names, entry(path))


def code_file(path: str = "shop/cart.py", module: str = "shop.cart", data: bytes = SOURCE) -> IndexedFile:
    parsed = ParsedFile(
        "python",
        (
            ParsedChunk(1, 2),
            ParsedChunk(3, 3, 0, "class"),
            ParsedChunk(4, 6, 1, "method"),
            ParsedChunk(7, 7, 2, "function"),
        ),
        (
            ParsedSymbol("Cart", "Cart", "class", 3, 5, 3, signature="class Cart:", doc="What is bought."),
            ParsedSymbol("total", "Cart.total", "method", 4, 5, 4, 0, "def total(self):", type_name="int"),
            ParsedSymbol("add", "add", "function", 7, 7, 7, signature="def add(x): ...", entry=True),
        ),
        (
            ParsedReference("add", "call", 5, 15, 1),
            ParsedReference("items", "read", 5, 19, 1, "self"),
            ParsedReference("os", "import", 1, 7),
        ),
        (ParsedImport("os", "", "os", 1),),
        (ParsedBinding("x", "Item", 7, 2),),
        7,
    )
    body = ({"os": 1}, {"cart": 1}, {"total": 1, "add": 2}, {"add": 1})
    digest = hashlib.sha1(data).hexdigest()
    return IndexedFile(
        path,
        len(data),
        5,
        digest,
        module,
        parsed,
        np.array([7, 9], dtype=np.uint32),
        body,
        ({}, {}, {}, {}),
        entry(path),
    )


@dataclass
class Index:
    path: Path
    root: Path
    writer: SqliteWriter
    reader: SqliteReader


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    path = tmp_path / "cache" / "index.db"
    writer = SqliteWriter(path, tmp_path)
    reader = SqliteReader(path, tmp_path)
    yield Index(path, tmp_path, writer, reader)
    reader.close()
    writer.close()


def symbol_ids(index: Index) -> dict[str, int]:
    return {row[3]: row[0] for row in index.writer.graph_input().symbols}


def link(index: Index) -> dict[str, int]:
    """Resolve the call of `add`, and give each symbol a centrality."""
    ids = symbol_ids(index)
    graph = index.writer.graph_input()
    edges: list[EdgeRow] = [(r[0], r[6], ids["add"], r[3], "certain") for r in graph.references if r[2] == "add"]
    index.writer.set_graph(edges, {ids["Cart"]: 0.5, ids["Cart.total"]: 0.25, ids["add"]: 2.0, ids[""]: 9.0})
    return ids


# --------------------------------------------------------------------------- code


def test_symbols_chunks_and_outline_of_a_file(index: Index) -> None:
    index.writer.add([code_file()])
    ids = link(index)
    outline = index.reader.outline("shop/cart.py")
    assert [(s.full_name, s.kind, s.name_line) for s in outline] == [
        ("shop.cart", "module", 1),
        ("shop.cart.Cart", "class", 3),
        ("shop.cart.Cart.total", "method", 4),
        ("shop.cart.add", "function", 7),
    ]
    module, cart, total, add = outline
    assert (cart.signature, cart.doc, total.parent, add.parent) == ("class Cart:", "What is bought.", cart.id, 0)
    chunks = index.reader.chunks_of_file(cart.file_id)
    assert [(c.start_line, c.end_line, c.symbol, c.kind, c.symbol_line) for c in chunks] == [
        (1, 2, "", "lines", 0), (3, 3, "Cart", "class", 3), (4, 6, "Cart.total", "method", 4),
        (7, 7, "add", "function", 7),
    ]  # fmt: skip
    assert [c.centrality for c in chunks] == [0.0, 0.5, 0.25, 2.0]  # the module's own does not count
    assert [s.chunk_id for s in outline] == [chunks[0].id, chunks[1].id, chunks[2].id, chunks[3].id]
    held = index.reader.symbols_in_chunks(c.id for c in chunks)
    assert {chunk: [s.id for s in some] for chunk, some in held.items()} == {
        chunks[1].id: [ids["Cart"]], chunks[2].id: [ids["Cart.total"]], chunks[3].id: [ids["add"]],
    }  # fmt: skip
    table = index.reader.chunk_table()
    assert table.ids.tolist() == [c.id for c in chunks]
    assert table.lengths.tolist() == [1, 1, 3, 1]
    assert table.centrality.tolist() == [0.0, 0.5, 0.25, 2.0]
    assert [s.id for s in index.reader.central_symbols(2)] == [module.id, add.id]
    assert [s.name for s in index.reader.symbols_of_kind(["method", "class"])] == ["Cart", "total"]
    for kinds in (["method", "class"], ["function"], ["module"], []):
        chunks = {symbol.chunk_id for symbol in index.reader.symbols_of_kind(kinds)} - {0}
        assert index.reader.chunks_of_kind(kinds).tolist() == sorted(chunks)
    assert (
        index.reader.chunks([10**6]) == {} and index.reader.symbols([10**6]) == {} and index.reader.outline("no") == []
    )


@pytest.mark.parametrize(
    ("name", "how", "found"),
    [
        ("total", "exact", ["Cart.total"]),
        ("Cart.total", "exact", ["Cart.total"]),
        ("shop.cart.Cart.total", "exact", ["Cart.total"]),
        ("cart.total", "exact", []),
        ("CART.TOTAL", "insensitive", ["Cart.total"]),
        ("cart", "insensitive", ["", "Cart"]),
        ("cart.Cart", "tail", ["Cart"]),
        ("art.Cart", "tail", []),
        ("total", "tail", ["Cart.total"]),
        ("shop.cart", "exact", [""]),
        ("cart", "exact", [""]),
        ("", "exact", []),
        ("nothing", "insensitive", []),
    ],
)
def test_symbols_by_name(index: Index, name: str, how: str, found: list[str]) -> None:
    index.writer.add([code_file()])
    link(index)
    assert [s.qualified for s in index.reader.symbols_named(name, how)] == found  # type: ignore[arg-type]


def test_case_is_folded_as_unicode_does(index: Index) -> None:
    file = code_file()
    symbol = ParsedSymbol("Straße", "Straße", "class", 3, 5, 3)
    parsed = ParsedFile("python", file.parsed.chunks[:1], (symbol,), lines=7)
    index.writer.add([IndexedFile("a.py", 1, 1, "00", "a", parsed, file.trigrams, ({},), ({},), entry("a.py"))])
    assert [s.name for s in index.reader.symbols_named("STRASSE", "insensitive")] == ["Straße"]


@pytest.mark.parametrize(
    ("path", "module", "name"),
    [("pkg/__init__.py", "pkg", "pkg"), ("src/util/index.ts", "src/util/index", "util"),
     ("a/b.test.js", "a/b.test", "b"), ("__init__.py", "", "__init__")],
)  # fmt: skip
def test_a_module_is_named_after_its_file_or_folder(index: Index, path: str, module: str, name: str) -> None:
    index.writer.add([code_file(path, module)])
    first = index.reader.outline(path)[0]
    assert (first.name, first.kind, first.qualified, first.full_name) == (name, "module", "", module)


def test_prose_and_data_have_no_module_symbol(index: Index) -> None:
    heading = ParsedSymbol("Usage", "Usage", "heading", 1, 3, 1)
    parsed = ParsedFile("markdown", (ParsedChunk(1, 3, 0, "prose"),), (heading,), lines=3)
    index.writer.add(
        [IndexedFile("R.md", 1, 1, "00", "R", parsed, np.zeros(0, np.uint32), ({},), ({},), entry("R.md"))]
    )
    assert [s.kind for s in index.reader.outline("R.md")] == ["heading"]
    assert index.reader.symbols_in_chunks([1])[1][0].name == "Usage"


def test_what_resolution_reads_is_what_was_parsed(index: Index) -> None:
    index.writer.add([text_file("a.txt", [{"x": 1}], {1}), code_file()])
    graph = index.writer.graph_input()
    ids = symbol_ids(index)
    assert graph.files == [(1, "a.txt", "text", "a.txt"), (2, "shop/cart.py", "python", "shop.cart")]
    assert [row[1:] for row in graph.symbols] == [
        (2, "cart", "", "module", 0, "", 1, 7, 0),
        (2, "Cart", "Cart", "class", 0, "", 3, 5, 0),
        (2, "total", "Cart.total", "method", ids["Cart"], "int", 4, 5, 0),
        (2, "add", "add", "function", 0, "", 7, 7, 1),
    ]
    assert [row[1:] for row in graph.references] == [
        (2, "add", "call", 5, 15, ids["Cart.total"], ""),
        (2, "items", "read", 5, 19, ids["Cart.total"], "self"),
        (2, "os", "import", 1, 7, ids[""], ""),
    ]
    assert graph.imports == [(2, "os", "", "os", 0, ids[""], 0, 1)]
    assert graph.bindings == [(2, ids["add"], "x", "Item", 7)]


def test_edges_both_ways_and_what_stays_unresolved(index: Index) -> None:
    index.writer.add([code_file()])
    ids = link(index)
    (edge,) = index.reader.neighbours([ids["add"]], "in")
    assert (edge.source, edge.target, edge.kind, edge.certainty) == (ids["Cart.total"], ids["add"], "call", "certain")
    assert (edge.path, edge.line, edge.source_name, edge.target_name) == (
        "shop/cart.py", 5, "shop.cart.Cart.total", "shop.cart.add",
    )  # fmt: skip
    assert index.reader.chunks([edge.chunk_id])[edge.chunk_id].symbol == "Cart.total"
    assert index.reader.neighbours([ids["Cart.total"]], "out") == [edge]
    assert index.reader.neighbours([ids["add"]], "in", ["import"]) == []
    assert index.reader.neighbours([], "in") == index.reader.neighbours([10**7, 0, -1], "out") == []
    (open_end,) = index.reader.unresolved("items")
    assert (open_end.source, open_end.target, open_end.target_name, open_end.line) == (ids["Cart.total"], 0, "items", 5)
    assert index.reader.unresolved("add") == index.reader.unresolved("nothing") == index.reader.unresolved("") == []


def test_edges_of_removed_files_are_gone_at_once(index: Index) -> None:
    user = code_file("b.py", "b")
    index.writer.add([code_file(), user])
    graph = index.writer.graph_input()
    add = next(row[0] for row in graph.symbols if row[1] == 1 and row[2] == "add")
    index.writer.set_graph([(r[0], r[6], add, "call", "likely") for r in graph.references if r[2] == "add"], {})
    assert {e.path for e in index.reader.neighbours([add], "in")} == {"shop/cart.py", "b.py"}
    assert index.reader.state().coverage["graph"] == 1.0
    index.writer.remove(["b.py"])
    assert {e.path for e in index.reader.neighbours([add], "in")} == {"shop/cart.py"}
    index.writer.add([user])
    assert index.reader.state().coverage["graph"] == 0.5
    index.writer.remove(["shop/cart.py"])
    assert index.reader.neighbours([add], "in") == []
    assert [e.path for e in index.reader.unresolved("add")] == ["b.py"]


def test_an_edge_from_a_reference_that_is_gone_is_left_out(index: Index) -> None:
    index.writer.add([code_file()])
    index.writer.set_graph([(10**6, 1, 2, "call", "likely")], {})
    assert index.reader.state().counts.edges == 0


# --------------------------------------------------------------------------- any history of changes

terms_of_chunk = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 300), max_size=4)
file_content = st.tuples(st.lists(terms_of_chunk, max_size=3), st.sets(st.integers(0, 12), max_size=8))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.dictionaries(st.sampled_from("uvwxyz"), file_content, max_size=3)),
        st.tuples(st.just("remove"), st.lists(st.sampled_from("uvwxyz"), max_size=3)),
        st.tuples(st.just("compact"), st.just({})),
    ),
    max_size=12,
)


@dataclass
class Model:
    """The naive index: what each path holds."""

    files: dict[str, tuple[list[dict[str, int]], set[int]]] = field(default_factory=dict)

    def postings(self, term: str, weight: int) -> list[tuple[str, int, int]]:
        found = [(p, i, weight * c[term]) for p, (cs, _) in self.files.items() for i, c in enumerate(cs) if term in c]
        return sorted(found)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_postings_and_candidates_equal_a_naive_model(
    tmp_path_factory: pytest.TempPathFactory, steps: list[object]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    writer = SqliteWriter(folder / "i.db", folder)
    reader = SqliteReader(folder / "i.db", folder)
    model, many = Model(), compact.MANY
    compact.MANY = 2
    try:
        for what, value in steps:  # type: ignore[misc]
            if what == "add":
                writer.add([text_file(path, *content) for path, content in value.items()])
                model.files.update(value)
            elif what == "remove":
                writer.remove(value)
                for path in value:
                    model.files.pop(path, None)
            else:
                writer.compact()
            compare(reader, model)
    finally:
        compact.MANY = many
        reader.close()
        writer.close()


def compare(reader: SqliteReader, model: Model) -> None:
    files = {f.id: f.path for f in reader.files()}
    assert sorted(files.values()) == sorted(model.files)
    places = {c.id: (files[n], i) for n in files for i, c in enumerate(reader.chunks_of_file(n))}
    assert reader.chunk_table().ids.tolist() == sorted(places)
    for name, weight in (("body", 1), ("name", 3)):
        found = reader.postings(name, [*"abcdefgh", "none", "a"])  # type: ignore[arg-type]
        for term in "abcdefgh":
            expected = model.postings(term, weight)
            got = found.get(term)
            assert (got is None) == (not expected)
            if got is not None:
                assert np.all(np.diff(got.chunk_ids.astype(int)) > 0)
                rows = zip(got.chunk_ids.tolist(), got.counts.tolist(), strict=True)
                assert sorted((*places[chunk], count) for chunk, count in rows) == expected
        assert reader.vocabulary(name, "") == sorted(found)  # type: ignore[arg-type]
    for grams in ([], [3], [3, 5], [1, 2, 3], [99]):
        holds = [path for path, (_, has) in model.files.items() if has >= set(grams)]
        got_files = reader.candidates(grams)
        assert np.all(np.diff(got_files.astype(int)) > 0)
        assert sorted(files[n] for n in got_files.tolist()) == sorted(holds)


def test_many_batches_are_merged_and_the_file_shrinks(index: Index) -> None:
    words = [f"word{i}" for i in range(800)]
    for batch in range(20):
        chunks: list[Mapping[str, int]] = [{w: 1 + i % 3 for i, w in enumerate(words) if i % 20 != batch}]
        index.writer.add([text_file(f"{batch}.txt", chunks, set(range(batch, 5000)))])
    before, small = index.reader.postings("body", ["word3"])["word3"], index.reader.candidates([10])
    index.writer.compact()
    after = index.reader.postings("body", ["word3"])["word3"]
    assert after.chunk_ids.tolist() == before.chunk_ids.tolist() and after.counts.tolist() == before.counts.tolist()
    assert index.reader.candidates([10]).tolist() == small.tolist() == list(range(1, 12))
    with sqlite3.connect(index.path) as db:
        assert db.execute("SELECT count(*) FROM packs").fetchone()[0] < compact.MANY
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
    db.close()


def test_names_of_many_small_runs_keep_their_numbers(index: Index) -> None:
    for i in range(70):
        reference = ParsedReference(f"name{i}", "call", 1, 1)
        parsed = ParsedFile("python", (), (), (reference,), lines=1)
        none = np.zeros(0, np.uint32)
        index.writer.add([IndexedFile(f"{i:02}.py", 1, 1, "00", "m", parsed, none, (), (), entry(f"{i:02}.py"))])
    before = index.writer.graph_input().references
    index.writer.compact()
    assert index.writer.graph_input().references == before
    assert [row[2] for row in before] == [f"name{i}" for i in range(70)]
    assert [e.path for e in index.reader.unresolved("name7")] == ["07.py"]


def test_ids_are_never_used_again(index: Index) -> None:
    index.writer.add([code_file()])
    old = {s.id for s in index.reader.outline("shop/cart.py")}
    old_file, old_chunks = index.reader.files()[0].id, set(index.reader.chunk_table().ids.tolist())
    index.writer.remove(["shop/cart.py"])
    index.writer.add([code_file()])
    index.writer.add([code_file()])
    assert len(index.reader.files()) == 1
    assert index.reader.files()[0].id > old_file
    assert not old & {s.id for s in index.reader.outline("shop/cart.py")}
    assert not old_chunks & set(index.reader.chunk_table().ids.tolist())
    assert index.reader.symbols(old) == {} and index.reader.chunks(old_chunks) == {}


def test_of_many_bearers_of_a_name_the_most_central_are_given(index: Index) -> None:
    index.writer.add([code_file(f"{i}.py", f"m{i}") for i in range(9)])
    adds = [row[0] for row in index.writer.graph_input().symbols if row[2] == "add"]
    index.writer.set_graph([], {number: 1.0 + (i % 5) for i, number in enumerate(adds)})
    got = index.reader.symbols_named("add", limit=3)
    assert [(s.centrality, s.full_name) for s in got] == [(5.0, "m4.add"), (4.0, "m3.add"), (4.0, "m8.add")]
    assert index.reader.symbols_named("add", limit=0) == []


def test_long_lists_spread_over_many_blocks(index: Index) -> None:
    vocabulary = {f"t{n:05}": 1 + n % 7 for n in range(9000)}
    index.writer.add([text_file(f"{i}", [vocabulary] * 5, set()) for i in range(4)])
    got = index.reader.postings("body", ["t00000", "t04567", "t08999", "t9"])
    assert sorted(got) == ["t00000", "t04567", "t08999"]
    assert got["t04567"].counts.tolist() == [1 + 4567 % 7] * 20
    assert index.reader.vocabulary("body", "t012", 1000) == [f"t{n:05}" for n in range(1200, 1300)]
    assert index.reader.vocabulary("body", "t", 3) == ["t00000", "t00001", "t00002"]


# --------------------------------------------------------------------------- vectors


def codes(n: int, width: int = 48, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (n, width), dtype=np.uint8)


@pytest.mark.parametrize("width", [48, 32, 5])
def test_nearest_is_by_distance_then_id(index: Index, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "SEGMENT", 16)
    index.writer.add([text_file(f"{i}", [{"a": 1}] * 5, set()) for i in range(10)])
    packed = codes(50, width)
    packed[20:25] = packed[0]
    for start in (0, 7, 30):
        part = range(start, {0: 7, 7: 30, 30: 50}[start])
        index.writer.set_vectors("s", [(i + 1, bytes([i]), packed[i].tobytes()) for i in part])
    ids, distances = index.reader.nearest(packed[0], 12)
    naive = sorted((int(np.unpackbits(packed[0] ^ packed[i]).sum()), i + 1) for i in range(50))
    naive = [pair for pair in naive if pair[0] <= naive[11][0]]  # with all that are as near as the twelfth
    assert list(zip(distances.tolist(), ids.tolist(), strict=True)) == naive
    index.writer.remove(["0", "4"])
    live = set(index.reader.chunk_table().ids.tolist())
    ids, _ = index.reader.nearest(packed[0], 100)
    assert set(ids.tolist()) == live
    known, kept = index.reader.codes([21, 22, 30, 999])
    assert known.tolist() == [30] and kept.tolist() == [packed[29].tolist()]
    assert index.reader.nearest(np.zeros(width + 1, np.uint8), 5)[0].size == 0
    index.writer.remove([str(i) for i in range(1, 8)])
    index.writer.compact()
    assert set(index.reader.nearest(packed[0], 100)[0].tolist()) == set(range(41, 51))


def test_a_file_s_centroid_is_the_mean_of_its_codes_one_unit_long(index: Index) -> None:
    index.writer.add([text_file(f"t{i}.txt", [{"w": 1}] * (i + 1), set()) for i in range(4)])
    table, packed = index.reader.chunk_table(), codes(10)
    index.writer.set_vectors("s", [(int(n), b"%d" % n, packed[n].tobytes()) for n in table.ids[:-1] if n != 4])
    files = np.unique(table.file_ids)

    def expected(file: int) -> np.ndarray:
        own = [n for n in table.ids[:-1] if n != 4 and table.file_ids[table.rows[n]] == file]
        total = sum((2.0 * np.unpackbits(packed[n]) - 1.0 for n in own), np.zeros(384))
        return total / max(float(np.linalg.norm(total)), 1e-9)

    for asked in (files[::-1], files[:1], np.array([*files, 999], dtype=np.uint32)):  # the second time from memory
        found = index.reader.centroids(asked)
        assert np.allclose(found[: len(files)], [expected(f) for f in asked[: len(files)]], atol=1e-6)
    assert not found[-1].any()


def test_places_and_lines_agree_with_the_chunks(index: Index) -> None:
    index.writer.add([code_file(), text_file("t.txt", [{"w": 1}] * 3, set())])
    table = index.reader.chunk_table()
    chunks = index.reader.chunks(table.ids.tolist())
    places = index.reader.places([*chunks, 999])
    assert {n: (p.path, p.start_line, p.centrality) for n, p in places.items()} == {
        n: (c.path, c.start_line, c.centrality) for n, c in chunks.items()
    }
    for file in index.reader.files():
        lines = range(file.lines + 2)
        at = {n: c for c in index.reader.chunks_of_file(file.id) for n in range(c.start_line, c.end_line + 1)}
        assert index.reader.chunks_at(file.id, lines) == {n: c for n, c in at.items() if n in lines}
    assert [int(table.rows[n]) for n in table.ids] == list(range(len(table.ids))) and table.rows[-1] == -1
    assert index.reader.chunks_at(999, [1]) == {}


def test_what_is_missing_comes_most_central_first(index: Index) -> None:
    index.writer.add([code_file()])
    link(index)
    missing = index.writer.vectors_missing(10)
    assert [(path, start, end) for _, path, start, end in missing] == [
        ("shop/cart.py", 7, 7), ("shop/cart.py", 3, 3), ("shop/cart.py", 4, 6), ("shop/cart.py", 1, 2),
    ]  # fmt: skip
    assert index.writer.vectors_missing(1) == missing[:1]
    index.writer.set_vectors("s", [(missing[0][0], b"h", b"\1" * 48)])
    assert index.writer.vectors_missing(10) == missing[1:]
    assert index.reader.state().coverage["semantic"] == 0.25


def test_spaces_are_never_mixed_and_the_cache_outlives_the_chunk(index: Index) -> None:
    index.writer.add([text_file("a", [{"a": 1}], set())])
    index.writer.set_vectors("one", [(1, b"h", b"\1" * 48)])
    index.writer.add([text_file("a", [{"a": 1}], set())])
    assert index.writer.cached_codes("one", [b"h", b"g"]) == {b"h": b"\1" * 48}
    assert index.writer.cached_codes("two", [b"h"]) == {}
    index.writer.set_vectors("two", [(2, b"h", b"\2" * 32)])
    assert index.reader.state().embedder == "two"
    assert index.reader.nearest(np.zeros(48, np.uint8), 5)[0].size == 0
    assert index.reader.nearest(np.zeros(32, np.uint8), 5)[0].tolist() == [2]
    index.writer.set_meta({"space": "three"})
    assert index.reader.state().coverage["semantic"] == 0.0
    assert index.writer.cached_codes("two", [b"h"]) == {b"h": b"\2" * 32}
    with pytest.raises(ValueError, match="lengths"):
        index.writer.set_vectors("three", [(2, b"h", b"\2" * 32), (2, b"h", b"\2" * 31)])


# --------------------------------------------------------------------------- state, ledger, names, tree


def test_state_counts_what_is_there(index: Index) -> None:
    assert set(index.reader.state().coverage.values()) == {0.0}
    index.writer.set_meta({"wanted": "4", "running": "1"})
    index.writer.add([code_file()])
    state = index.reader.state()
    assert (state.coverage["text"], state.coverage["graph"], state.fresh, state.generation) == (0.25, 0.0, False, 0)
    link(index)
    index.writer.set_meta({"wanted": "1"})
    assert index.writer.finish("abc", "main", True) == 1
    assert index.writer.finish("abc", "main", True) == 2
    state = index.reader.state()
    assert (state.generation, state.commit, state.branch, state.fresh) == (2, "abc", "main", True)
    assert state.coverage == {"semantic": 0.0, "text": 1.0, "structural": 1.0, "graph": 1.0}
    counts = state.counts
    assert (counts.files, counts.chunks, counts.symbols, counts.references, counts.edges) == (1, 4, 4, 3, 1)
    assert counts.bytes == os.path.getsize(index.path) or counts.bytes > 0
    index.writer.set_meta({"running": "1", "wanted": "2"})
    assert (index.reader.state().fresh, index.reader.state().coverage["text"]) == (False, 0.5)
    with pytest.raises(ValueError, match="next_file"):
        index.writer.set_meta({"next_file": "1"})


def test_ledger_holds_every_path_with_its_reason(index: Index) -> None:
    index.writer.add([text_file("a", [], set()), text_file("b", [], set())])
    skipped = LedgerEntry("x/log", "skipped", "ignored", "*.log", ".gitignore:3", 7)
    index.writer.set_ledger([skipped, LedgerEntry("y", "skipped", "binary")])
    assert [e.path for e in index.reader.ledger()] == ["a", "b", "x/log", "y"]
    index.writer.set_ledger([skipped])
    assert index.reader.ledger() == [entry("a"), entry("b"), skipped]
    index.writer.remove(["a"])
    assert [e.path for e in index.reader.ledger()] == ["b", "x/log"]


AWKWARD = ["with space.py", "new\nline.py", "日本.py", "\udcff\udc80raw.py", "a'b\"c.py", "-x.py", "tab\t.py"]


def test_awkward_names_come_back_as_they_were(index: Index) -> None:
    index.writer.add([code_file(path, path) for path in AWKWARD])
    assert sorted(index.writer.files()) == sorted(AWKWARD) == [f.path for f in index.reader.files()]
    for path in AWKWARD:
        found = index.reader.file(path)
        assert found is not None and index.reader.outline(path)[1].path == path
    assert sorted(e.path for e in index.reader.ledger()) == sorted(AWKWARD)
    index.writer.touch({"\udcff\udc80raw.py": 77})
    assert index.writer.files()["\udcff\udc80raw.py"].mtime_ns == 77


def test_undecodable_names_and_nul_in_code_do_no_harm(index: Index) -> None:
    symbol = ParsedSymbol("a\0b\udcff", "K.a\0b\udcff", "class", 1, 1, 1, signature="x\ny\x1fz\udcff")
    reference = ParsedReference("n\nm\0\udcfe", "call", 1, 1, 0)
    parsed = ParsedFile("python", (ParsedChunk(1, 1, 0, "class"),), (symbol,), (reference,), lines=1)
    body = ({"ok": 1, "bad\udcff": 2, "nul\0": 1, "line\nbreak": 1},)
    index.writer.add([IndexedFile("a.py", 1, 1, "zz", "a", parsed, np.zeros(0, np.uint32), body, body, entry("a.py"))])
    (found,) = index.reader.symbols_of_kind(["class"])
    assert found.signature == "x y z\\udcff"
    assert index.reader.vocabulary("body", "")[-1] == "ok"
    assert "\n" not in index.writer.graph_input().references[0][2]
    assert index.reader.files()[0].digest == "zz"


def test_terms_must_be_given_for_each_chunk(index: Index) -> None:
    broken = text_file("a", [{"x": 1}], set())
    with pytest.raises(ValueError, match="each chunk"):
        index.writer.add([IndexedFile(**{**{k: getattr(broken, k) for k in broken.__slots__}, "body": ()})])
    assert index.reader.files() == []


def test_a_failed_batch_leaves_nothing(index: Index) -> None:
    index.writer.add([code_file()])
    bad = ParsedFile("python", (), (), (ParsedReference("x", "eat", 1, 1),))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="eat"):
        index.writer.add([IndexedFile("b.py", 1, 1, "00", "b", bad, np.zeros(0, np.uint32), (), (), entry("b.py"))])
    assert [f.path for f in index.reader.files()] == ["shop/cart.py"]
    index.writer.add([code_file("b.py", "b")])
    assert len(index.writer.graph_input().references) == 6


def test_texts_come_from_the_tree_and_never_from_outside(index: Index) -> None:
    root, outside = index.root / "tree", index.root / "secret"
    reader = SqliteReader(index.path, root)
    outside.write_bytes(SOURCE)
    paths = ["same.py", "changed.py", "grown.py", "gone.py", "link.py", "../secret", "pipe.py"]
    (root / "sub").mkdir(parents=True)
    for path in paths[:3]:
        (root / path).write_bytes(SOURCE)
    (root / "changed.py").write_bytes(SOURCE.replace(b"add", b"sum"))
    (root / "grown.py").write_bytes(SOURCE + b"#")
    os.symlink(outside, root / "link.py")
    os.mkfifo(root / "pipe.py")
    index.writer.add([code_file(path, path) for path in paths])
    ids = {f.path: f.id for f in reader.files()}
    texts = list(reader.texts([ids[path] for path in paths] + [10**6]))
    assert [(t.path, t.stale) for t in texts] == [("same.py", False), ("changed.py", True), ("grown.py", True)]
    assert texts[0].data == SOURCE
    reader.close()


# --------------------------------------------------------------------------- opening, damage, several at once


def test_no_index_is_missing(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing):
        SqliteReader(tmp_path / "none.db", tmp_path)
    (tmp_path / "empty.db").touch()
    with pytest.raises(IndexMissing):
        SqliteReader(tmp_path / "empty.db", tmp_path)


def test_foreign_older_and_damaged_files_are_unusable(index: Index, tmp_path: Path) -> None:
    index.writer.add([text_file(f"{i}", [{f"w{n}": 1 for n in range(3000)}], set(range(3000))) for i in range(9)])
    index.writer.finish("", "", True)
    index.writer.close()
    index.reader.close()
    good = index.path.read_bytes()
    other = tmp_path / "other.db"

    def refuse(data: bytes, words: str) -> None:
        other.write_bytes(data)
        with pytest.raises(IndexUnusable, match=words):
            SqliteReader(other, tmp_path)
        with pytest.raises(IndexUnusable, match=words):
            SqliteWriter(other, tmp_path)

    refuse(b"not a database at all" * 500, "damaged")
    older = bytearray(good)
    older[60:64] = (schema.SCHEMA_VERSION + 1).to_bytes(4, "big")
    refuse(bytes(older), "schema 2")
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    refuse(foreign.read_bytes(), "not an index")
    other.write_bytes(good[: len(good) // 2])
    with pytest.raises(IndexUnusable):
        use(other, tmp_path)
    noise = np.random.default_rng(5)
    for start in range(8192, len(good) - 8192, 8192):
        other.write_bytes(good[:start] + noise.bytes(8192) + good[start + 8192 :])
        try:
            use(other, tmp_path)
        except IndexUnusable:
            pass


def use(path: Path, root: Path) -> None:
    reader = SqliteReader(path, root)
    try:
        reader.state()
        reader.postings("body", [f"w{n}" for n in range(3000)])
        reader.candidates([5])
        reader.ledger()
    finally:
        reader.close()


def test_problems_are_found_by_reading_everything(index: Index) -> None:
    index.writer.add([code_file()])
    link(index)
    assert index.reader.problems() == []
    index.writer.close()
    index.reader.close()
    with sqlite3.connect(index.path) as db:
        db.execute("UPDATE code SET refs = x'00'")
    db.close()
    with pytest.raises(IndexUnusable, match="damaged"):
        SqliteReader(index.path, index.root)
    sums.forget(index.path)  # as after a crash, when nobody knows what the file should be
    reader = SqliteReader(index.path, index.root)
    assert "damaged" in reader.problems()[0]
    reader.close()
    with pytest.raises(IndexUnusable, match="damaged"):  # once met, remembered: the next run makes it anew
        SqliteReader(index.path, index.root)


def test_an_index_without_its_side_files_can_be_read(index: Index, tmp_path: Path) -> None:
    index.writer.add([code_file()])
    index.writer.close()
    index.reader.close()
    copy = tmp_path / "readonly" / "index.db"
    copy.parent.mkdir()
    copy.write_bytes(index.path.read_bytes())
    copy.chmod(0o444)
    copy.parent.chmod(0o555)
    try:
        reader = SqliteReader(copy, tmp_path)
        assert [s.name for s in reader.symbols_named("total")] == ["total"]
        reader.close()
    finally:
        copy.parent.chmod(0o755)


def test_readers_beside_a_writer_always_see_whole_batches(index: Index) -> None:
    failures: list[BaseException] = []
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        try:
            while not done.is_set():
                files = index.reader.files()
                posting = index.reader.postings("body", ["every"]).get("every")
                held = 0 if posting is None else posting.chunk_ids.size
                assert len(files) % 3 == 0 and held % 6 == 0 and held >= 2 * len(files)
                assert index.reader.candidates([1]).size % 3 == 0
                seen.append(len(files))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for batch in range(30):
        chunk = {"every": 1, f"w{batch}": 2}
        index.writer.add([text_file(f"{batch}-{i}", [chunk, chunk], {1, batch}) for i in range(3)])
        if batch % 10 == 9:
            index.writer.compact()
    done.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert seen and len(index.reader.files()) == 90


def test_a_second_process_worth_of_writers_and_readers(index: Index) -> None:
    """Opening again finds what was committed, and goes on counting where it stopped."""
    index.writer.add([code_file()])
    index.writer.close()
    again = SqliteWriter(index.path, index.root)
    again.add([code_file("b.py", "b")])
    assert len(again.graph_input().references) == 6
    assert [f.id for f in index.reader.files()] == [2, 1]
    again.close()
    again.close()
