"""An index that follows its files: incremental equals full, a cut run equals a whole one, a fault costs one file."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold import config, lexing, paths
from fourfold.config import Settings, default_file, load_settings
from fourfold.indexing import lock, pool, steps, vectors
from fourfold.indexing.pipeline import IndexingError, Summary, refresh
from fourfold.indexing.records import Gone, Job, Read, Same, Skipped, build, trigrams
from fourfold.indexing.words import Texts, Vocabulary, Words
from fourfold.model import Question
from fourfold.search.engine import Engine
from fourfold.store.parcel import Parcel
from fourfold.store.reader import SqliteReader
from fourfold.store.writer import SqliteWriter


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("own")
    for name in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"FOURFOLD_{name}", str(home / name.lower()))
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)


def make(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return root


def index(root: Path, where: Path, **more: Any) -> Summary:
    more.setdefault("settings", Settings())
    return refresh(root, where, embedder="none", vectors=False, **more)


def rows(where: Path, root: Path) -> dict[str, object]:
    """All that an index answers from, with ids replaced by what they stand for."""
    reader = SqliteReader(paths.current_index(where), root)
    try:
        files = reader.files()
        chunks = {chunk.id: chunk for file in files for chunk in reader.chunks_of_file(file.id)}
        key = {number: (chunk.path, chunk.start_line) for number, chunk in chunks.items()}
        table = reader.chunk_table()
        out: dict[str, object] = {
            "files": [(f.path, f.language, f.size, f.digest, f.lines, f.module) for f in files],
            "chunks": sorted(
                (c.path, c.start_line, c.end_line, c.symbol, c.kind, c.symbol_line) for c in chunks.values()
            ),
            "lengths": sorted(zip((key[int(i)] for i in table.ids), table.lengths.tolist(), strict=True)),
            "central": {
                key[int(i)]: pytest.approx(v, abs=1e-6) for i, v in zip(table.ids, table.centrality, strict=True)
            },
        }
        symbols = [symbol for file in files for symbol in reader.outline(file.path)]
        names = {symbol.id: (symbol.path, symbol.start_line, symbol.full_name, symbol.kind) for symbol in symbols}
        names[0] = ("", 0, "", "")
        out["symbols"] = sorted(
            (names[s.id], s.qualified, s.signature, s.doc, names.get(s.parent), key.get(s.chunk_id, ("", 0)))
            for s in symbols
        )
        edges = reader.neighbours([symbol.id for symbol in symbols], "out")
        out["edges"] = sorted((names[e.source], names[e.target], e.kind, e.certainty, e.path, e.line) for e in edges)
        for field in ("body", "name"):
            terms = reader.vocabulary(field, "", 100_000)
            found = reader.postings(field, terms)
            out[field] = {
                term: sorted(zip((key[int(i)] for i in p.chunk_ids), p.counts.tolist(), strict=True))
                for term, p in found.items()
            }
        by_id = {file.id: file.path for file in files}
        grams = lexing.trigrams(b"def alpha(beta): return gamma_1 import class # x")
        out["trigrams"] = {gram: sorted(by_id[int(i)] for i in reader.candidates([gram])) for gram in sorted(grams)}
        out["ledger"] = list(reader.ledger())
        out["coverage"] = dict(reader.state().coverage)
        return out
    finally:
        reader.close()


QUESTIONS = [
    "where is gamma defined", "who calls gamma", "what breaks if I change gamma", "what does alpha call", "Alpha",
    "how does alpha run beta and gamma", "what inherits from Base", '"return"', "/gam+a/", "notes.md", "broken class",
]  # fmt: skip


def answers(where: Path, root: Path) -> dict[str, object]:
    """What is answered to some questions of every kind, in order, with the scores."""
    reader = SqliteReader(paths.current_index(where), root)
    try:
        engine = Engine(reader)
        asked = {text: engine.ask(Question(text, limit=50)) for text in QUESTIONS}
        return {
            text: [
                (
                    r.path,
                    r.start_line,
                    pytest.approx(r.score, abs=1e-9),
                    [(c.modality, c.rank) for c in r.contributions],
                )
                for r in answer.results
            ]
            for text, answer in asked.items()
        }
    finally:
        reader.close()


NAMES = ["a.py", "b.py", "pkg/__init__.py", "pkg/m.py", "pkg/n.py", "web/x.ts", "notes.md", "data.bin", ".gitignore"]
TEXTS: list[str | bytes] = [
    "",
    "import pkg.m\nfrom pkg import n\n\ndef alpha():\n    return pkg.m.beta(n.gamma)\n",
    "from .n import gamma\n\ndef beta(x):\n    return gamma(x)\n\nclass Alpha:\n    def run(self):\n        beta(1)\n",
    "def gamma(x):\n    return x\n\n\nclass Base:\n    pass\n\n\nclass Alpha(Base):\n    x = gamma(2)\n",
    "export function gamma(x: number) { return x }\n",
    "# Title\n\nAbout gamma and beta.\n",
    "binary\0data",
    "b.py\n*.md\n",
    "def broken(:\n  class ][\n",
]
EDITS = st.lists(
    st.tuples(st.sampled_from(["write", "write", "delete", "rename"]), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds=st.lists(EDITS, min_size=2, max_size=3))
def test_incremental_equals_full(tmp_path_factory: pytest.TempPathFactory, rounds: list[Any]) -> None:
    base = tmp_path_factory.mktemp("edits")
    root = make(base / "root", dict(zip(NAMES, TEXTS, strict=True)))
    grown = base / "grown.db"
    index(root, grown)
    for edits in rounds:
        for what, name, text in edits:
            path = root / name
            if what == "write":
                make(root, {name: text})
            elif path.exists() and what == "delete":
                path.unlink()
            elif path.exists():
                path.rename(path.with_name("moved_" + path.name))
        index(root, grown)
    index(root, base / "full.db")
    found = rows(grown, root)
    assert found == rows(base / "full.db", root)
    assert answers(grown, root) == answers(base / "full.db", root)
    assert {found["coverage"][name] for name in ("text", "structural", "graph")} == {1.0}  # type: ignore[index]


def test_a_fault_in_resolution_costs_the_graph_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(writer: SqliteWriter) -> None:
        raise KeyError(7)

    root = big(tmp_path / "root", 5, 2)
    with monkeypatch.context() as patched:
        patched.setattr("fourfold.indexing.relink.link", fail)
        done = index(root, tmp_path / "i.db")
    assert done.complete and done.notices == ("the dependency graph could not be built (KeyError: 7)",)
    reader = SqliteReader(tmp_path / "i.db", root)
    assert reader.symbols_named("alpha_1") and reader.state().coverage["graph"] < 1.0
    reader.close()
    assert not index(root, tmp_path / "i.db").notices
    reader = SqliteReader(tmp_path / "i.db", root)
    assert reader.state().coverage["graph"] == 1.0
    reader.close()


def test_scripts_of_pages_do_not_meet(tmp_path: Path) -> None:
    script = "var {0} = makeBox();\n{1}.shut(list);\nlist.map((item) => item.open({1}));"
    page = f"<html><body><script>\n{script}\n</script></html>"
    root = make(tmp_path / "root", {"a.html": page.format("box", "box"), "b.html": page.format("tin", "box")})
    make(root, {"box.js": "class Box { shut() {} open() {} }\nfunction makeBox() { return new Box() }\n"})
    index(root, tmp_path / "i.db")
    reader = SqliteReader(tmp_path / "i.db", root)
    try:
        assert reader.state().coverage["graph"] == 1.0
        symbols = [symbol for file in reader.files() for symbol in reader.outline(file.path)]
        edges = reader.neighbours([symbol.id for symbol in symbols], "in")
        files = {symbol.id: symbol.path for symbol in symbols}
        assert not [edge for edge in edges if edge.path == "b.html" and files[edge.target] == "a.html"]
    finally:
        reader.close()


def big(root: Path, files: int = 60, size: int = 20) -> Path:
    body = "".join(f"def alpha_{i}(beta):\n    return alpha_{i + 1}(beta)\n\n\n" for i in range(size))
    return make(root, {f"p{i % 5}/m{i}.py": f"import p0.m{i}\n" + body for i in range(files)})


def test_a_run_that_was_stopped_resumes_to_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = big(tmp_path / "root", 420, 2)
    where = tmp_path / "cut.db"
    written: list[int] = []
    add = SqliteWriter.add_parcel

    def counted(writer: SqliteWriter, parcel: Parcel) -> None:
        add(writer, parcel)
        written.append(len(parcel.files))

    monkeypatch.setattr(SqliteWriter, "add_parcel", counted)
    monkeypatch.setattr(steps, "BATCH_BYTES", 100_000)
    first = index(root, where, stop=lambda: len(written) > 1)
    assert first.stopped and not first.complete and 0 < first.added == sum(written) < 420
    again = index(root, where)
    assert again.complete and again.added + first.added == 420
    index(root, tmp_path / "whole.db")
    assert rows(where, root) == rows(tmp_path / "whole.db", root)


def test_nothing_changed_is_nothing_done(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": "x = 1\n", "b.bin": b"a\0b", "c.txt": "text\n"})
    os.utime(root / "a.py", ns=(1, 1))
    first = index(root, tmp_path / "i.db")
    assert (first.added, first.files, first.skipped) == (2, 2, 1)
    for _ in range(2):
        again = index(root, tmp_path / "i.db")
        assert (again.added, again.changed, again.removed, again.generation) == (0, 0, 0, first.generation)


def test_a_touched_file_is_known_by_its_content(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": "x = 1\n"})
    index(root, tmp_path / "i.db")
    os.utime(root / "a.py", ns=(5, 5))
    assert index(root, tmp_path / "i.db").changed == 0
    reader = SqliteReader(tmp_path / "i.db", root)
    assert reader.files()[0].mtime_ns == 5
    reader.close()


def test_a_change_within_one_tick_of_the_clock_is_found(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": "x = 1\n"})
    index(root, tmp_path / "i.db")
    before = (root / "a.py").stat()
    make(root, {"a.py": "x = 2\n"})
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index(root, tmp_path / "i.db").changed == 1


def test_another_package_file_renames_the_modules_of_its_neighbours(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"lib/pkg/m.py": "def f(): pass\n"})
    index(root, tmp_path / "i.db")
    make(root, {"lib/pkg/__init__.py": ""})
    index(root, tmp_path / "i.db")
    reader = SqliteReader(tmp_path / "i.db", root)
    assert [file.module for file in reader.files()] == ["pkg", "pkg.m"]
    reader.close()


def test_content_decides_what_a_name_cannot(tmp_path: Path) -> None:
    wide = "var a=1;" * 2000
    files: dict[str, str | bytes] = {
        "latin.py": "# caf\xe9\ndef f(): pass\n".encode("latin-1"),
        "nul.txt": b"a\0b",
        "wide.txt": "\ufeffhello".encode("utf-16"),
        "lib.min.js": wide,
        "big.py": "def g(): pass\n" * 100,
        "made.py": "# Code generated by hand. DO NOT EDIT.\ndef made(): pass\n",
        "empty.py": "",
    }
    root = make(tmp_path / "root", files)
    summary = index(root, tmp_path / "i.db", settings=Settings(max_file_bytes=1000))
    reader = SqliteReader(tmp_path / "i.db", root)
    ledger = {entry.path: (entry.decision, entry.reason) for entry in reader.ledger()}
    assert summary.partial == 2 and summary.files == 5
    assert ledger["nul.txt"] == ("skipped", "binary") and ledger["wide.txt"][0] == "skipped"
    assert ledger["lib.min.js"][0] == ledger["big.py"][0] == "partial"
    assert ledger["made.py"] == ("indexed", "generated (line 1)")
    assert [symbol.name for symbol in reader.outline("latin.py")][-1:] == ["f"]
    assert [symbol.kind for symbol in reader.outline("big.py")] in ([], ["module"])
    assert len(reader.candidates(sorted(lexing.trigrams(b"def g()")))) == 1
    reader.close()
    index(root, tmp_path / "i.db", settings=Settings(max_file_bytes=1000, generated="skip"))
    reader = SqliteReader(tmp_path / "i.db", root)
    assert {entry.path: entry.reason for entry in reader.ledger()}["made.py"] == "generated (line 1)"
    assert reader.file("made.py") is None
    reader.close()


@given(st.binary(max_size=300))
def test_trigrams_are_those_of_lexing(data: bytes) -> None:
    assert trigrams(data).tolist() == sorted(lexing.trigrams(data))


WORDY = st.one_of(
    st.text("abcXYZ_ 09.\n日本é\udc80", max_size=60),
    st.lists(st.sampled_from(["parse", "parse_all_the_files", "x" * 70, "x" * 71, "a-b"]), max_size=6).map(" ".join),
)
NAMED = st.lists(st.sampled_from(["getHTTPResponse", "run", "日本語", "parse_all", "_", "Box2d"]), max_size=3)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.py", "net/http/client.py", "lib/x/__init__.py"]),
            st.lists(st.tuples(WORDY, NAMED, NAMED, st.lists(WORDY, max_size=2)), max_size=3),
        ),
        max_size=3,
    )
)
def test_terms_of_a_batch_are_those_of_lexing(files: list[Any]) -> None:
    vocabulary = Vocabulary()
    for _ in range(2):  # what is remembered changes nothing
        words = Words(vocabulary)
        for path, chunks in files:
            data = [text.encode("utf-8", "surrogateescape") + b"\n" for text, *_ in chunks]
            starts = np.cumsum([0, *map(len, data)], dtype=np.int64)[:-1]
            names = [[" ".join(chunk[source]) for chunk in chunks] for source in (1, 2, 3)]
            words.add(path, Texts(b"".join(data), starts, [(chunk[1] or [""])[0] for chunk in chunks], *names))
        for field, found in zip(("body", "names"), words.terms(), strict=True):
            wanted = [
                lexing.body_counts(path, text) if field == "body" else lexing.name_terms(path, *names)
                for path, chunks in files
                for text, *names in chunks
            ]
            held: list[dict[str, int]] = [{} for _ in wanted]
            at = 0
            for word, size in zip(found.words, found.sizes.tolist(), strict=True):
                chunk_numbers = found.chunks[at : at + size].tolist()
                assert chunk_numbers == sorted(set(chunk_numbers)) != []
                for chunk, count in zip(chunk_numbers, found.counts[at : at + size].tolist(), strict=True):
                    held[chunk][word] = count
                at += size
            assert held == wanted
            assert list(found.words) == sorted(set(found.words))
            assert found.lengths.tolist() == [sum(counts.values()) for counts in wanted]


def test_a_file_that_vanishes_or_becomes_a_pipe_stops_nothing(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": "x = 1\n"})
    os.mkfifo(tmp_path / "pipe")
    assert build(tmp_path, Job("gone.py", "gone"), Settings()) == Gone("gone.py")
    assert isinstance(build(tmp_path, Job("pipe", "pipe"), Settings()), Skipped)
    built = build(tmp_path, Job("a.py", "a"), Settings())
    assert isinstance(built, Read)
    assert isinstance(build(tmp_path, Job("a.py", "a", built.file.digest), Settings()), Same)


# --------------------------------------------------------------------------- a parser that dies or hangs

FAULTY = """
import os, sys, time
from fourfold.indexing import pool, records
parse = records.parse
def faulty(path, data, language):
    if b"KILLS" in data and (language != "text" or b"ALWAYS" in data):
        os.kill(os.getpid(), 9)
    if b"HANGS" in data and language != "text":
        time.sleep(60)
    if b"RAISES" in data and language != "text":
        raise KeyError("fault")
    return parse(path, data, language)
records.parse = faulty
pool.main()
"""


def test_a_parser_that_dies_hangs_or_raises_costs_its_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = big(tmp_path / "root")
    bad = {"k.py": "# KILLS\ndef k(): pass\n", "z.py": "# KILLS ALWAYS\n", "h.py": "# HANGS\n", "r.py": "# RAISES\n"}
    make(root, bad)  # type: ignore[arg-type]
    real = pool.subprocess.Popen

    def faulty(command: list[str], **more: Any) -> Any:
        return real([command[0], "-c", FAULTY], **more)

    monkeypatch.setattr(pool.subprocess, "Popen", faulty)
    monkeypatch.setattr(pool.Pool.__init__, "__defaults__", (4.0,))
    summary = index(root, tmp_path / "i.db", jobs=2)
    assert summary.complete and summary.files == 63
    reader = SqliteReader(tmp_path / "i.db", root)
    ledger = {entry.path: (entry.decision, entry.reason) for entry in reader.ledger()}
    assert ledger["k.py"] == ("partial", "its parser died (signal 9): text only")
    assert ledger["h.py"] == ("partial", "no answer in 4 seconds: text only")
    assert ledger["r.py"] == ("partial", "not parsed (KeyError): text only")
    assert ledger["z.py"] == ("skipped", "its parser died (signal 9)")
    assert len(reader.candidates(sorted(lexing.trigrams(b"KILLS")))) == 1
    reader.close()
    again = index(root, tmp_path / "i.db", jobs=2)
    assert (again.added, again.changed, again.generation) == (0, 0, summary.generation)


def test_children_that_retire_are_followed_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = big(tmp_path / "root")
    started: list[object] = []
    real = pool.subprocess.Popen
    tired = "from fourfold.indexing import pool; pool.RETIRE_BYTES = 1; pool.main()"

    def popen(command: list[str], **more: Any) -> Any:
        started.append(command)
        return real([command[0], "-c", tired], **more)

    monkeypatch.setattr(pool.subprocess, "Popen", popen)
    monkeypatch.setattr(steps, "BATCH_BYTES", 30_000)
    summary = index(root, tmp_path / "i.db", jobs=2)
    assert summary.complete and (summary.files, summary.partial) == (60, 0)
    assert len(started) > 3


def test_children_that_cannot_start_leave_the_work_to_the_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = big(tmp_path / "root", 40)
    real = pool.subprocess.Popen
    monkeypatch.setattr(pool.subprocess, "Popen", lambda command, **more: real([sys.executable, "-c", ""], **more))
    assert index(root, tmp_path / "i.db").files == 40


def test_a_codebase_in_the_current_folder_is_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = big(tmp_path / "root", 40)
    make(root, {"numpy.py": "open('ran', 'w')\n", "fourfold/__init__.py": "open('ran', 'w')\n"})
    monkeypatch.chdir(root)
    index(root, tmp_path / "i.db")
    assert not (root / "ran").exists()


# --------------------------------------------------------------------------- rebuilt, damaged, locked, elsewhere


def test_a_damaged_index_is_rebuilt_beside_itself(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": "def f(): pass\n"})
    where = paths.index_path(root)
    index(root, where)
    where.write_bytes(b"damaged" * 2000)
    summary = index(root, where)
    assert summary.rebuilt and summary.complete and summary.index == paths.index_path(root) != where
    assert paths.base_of(summary.index) == where and not where.exists()
    assert index(root, where).index == index(root, summary.index).index == summary.index
    assert paths.find_root(root / "sub") == root and paths.find_root(tmp_path) == tmp_path


def test_a_rebuild_switches_when_it_is_done_and_removes_no_strangers_file(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": "def f(): pass\n"})
    where = tmp_path / "named"
    make(tmp_path, {"named.7": "not ours"})
    index(root, where)
    cut = index(root, where, rebuild=True, stop=lambda: True)
    assert cut.stopped and paths.current_index(where) == where and where.exists()
    done = index(root, where, rebuild=True)
    assert done.rebuilt and done.index == paths.current_index(where) == tmp_path / "named.2"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "named.2", "named.2.sum", "named.7", "named.current", "named.lock",
    ]  # fmt: skip
    third = index(root, done.index, rebuild=True)
    assert paths.current_index(where) == third.index != done.index


@pytest.mark.parametrize("rebuild", [False, True])
def test_an_index_is_made_beside_a_file_that_is_none_and_that_stays(tmp_path: Path, rebuild: bool) -> None:
    root = big(tmp_path / "root", 3, 2)
    notes, other = tmp_path / "notes.txt", tmp_path / "other.db"
    notes.write_text("years of work\n")
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE mine (x)")
        db.commit()
    for file in (notes, other):
        before = file.read_bytes()
        made = index(root, file, rebuild=rebuild)
        assert made.complete and made.index == paths.current_index(file) != file
        assert index(root, file).changed == 0
        assert file.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    assert index(root, empty).complete


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": ""})
    with lock.hold(tmp_path / "i.db"):
        assert lock.is_held(tmp_path / "i.db")
        with pytest.raises(lock.Busy, match=str(os.getpid())):
            index(root, tmp_path / "i.db")
    assert not lock.is_held(tmp_path / "i.db")
    index(root, tmp_path / "i.db")


def test_a_root_that_is_none_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match="does not exist"):
        index(tmp_path / "absent", tmp_path / "i.db")


def test_an_index_inside_its_root_is_not_indexed(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": "x = 1\n"})
    index(tmp_path, tmp_path / "my.index")
    assert index(tmp_path, tmp_path / "my.index", rebuild=True).files == 1


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no mode there")
def test_the_cache_is_private(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a.py": ""})
    index(root, paths.index_path(root))
    assert paths.root_dir(root).stat().st_mode & 0o077 == 0


# --------------------------------------------------------------------------- vectors


def test_vectors_resume_and_survive_a_rebuild_without_embedding_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = big(tmp_path / "root", 12)
    where = tmp_path / "i.db"
    monkeypatch.setattr(vectors, "COMMIT_CHUNKS", 100)
    seen: list[str] = []

    def refreshed(**more: Any) -> Summary:
        return refresh(
            root, where, embedder="local", settings=Settings(), report=lambda p: seen.append(p.stage), **more
        )

    first = refreshed(stop=lambda: seen.count("vectors") > 1)
    assert first.stopped and first.embedded > 0
    second = refreshed()
    reader = SqliteReader(where, root)
    state = reader.state()
    assert state.coverage["semantic"] == 1.0 and state.embedder == "local" and state.fresh
    assert first.embedded + second.embedded == state.counts.chunks
    reader.close()
    monkeypatch.setattr("fourfold.embedding.local.LocalEmbedder.embed_documents", None)
    assert refreshed(rebuild=True).missing_vectors == 0


def test_voyage_without_consent_sends_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "root", {"a.py": "x = 1\n"})
    monkeypatch.setenv("VOYAGE_API_KEY", "key")
    chosen = Settings(embedder="voyage")
    summary = refresh(root, tmp_path / "i.db", settings=chosen)
    assert "agreed" in summary.notices[0] and summary.embedded == 0
    config.remember_consent(root, True)
    assert config.agreed_to_send(root) is True
    config.remember_consent(root, None)
    assert config.agreed_to_send(root) is None
    assert vectors.open_chosen("voyage", root, chosen)[0] is None


# --------------------------------------------------------------------------- settings


def test_settings_name_each_problem_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert load_settings(path) == (Settings(), ())
    path.write_text('limit = 5\nthem = "x"\njobs = "four"\npreset = "fast"\n[demotions]\n"a/**" = 0.5\n"b/**" = 7\n')
    found, problems = load_settings(path)
    assert (found.limit, found.jobs, dict(found.demotions)) == (5, 0, {"a/**": 0.5})
    lines = [problem.removeprefix(f"{path}:").split(":", 1) for problem in problems]
    assert [number for number, _ in lines] == ["2", "3", "4", "7"]
    assert 'did you mean "theme"' in lines[0][1]
    path.write_text("limit = \n")
    assert f"{path}:1:" in load_settings(path)[1][0]


def test_the_default_file_is_complete_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(default_file())
    assert load_settings(path) == (Settings(), ())
    bare = "\n".join(line.removeprefix("# ") if " = " in line else line for line in default_file().splitlines())
    path.write_text(bare)
    assert load_settings(path)[1] == ()
