"""Killed at any statement, an index opens, is sound, and comes to the same rows in the next run."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fourfold.config import Settings
from fourfold.indexing.pipeline import refresh
from fourfold.store.reader import SqliteReader

SOAK = Path(__file__).parents[2] / "benchmarks" / "soak"
#: Runs the indexer and kills it, hard, before the given statement of SQL.
KILLED = """
import os, signal, sys
from pathlib import Path
from fourfold.config import Settings
from fourfold.indexing import steps
from fourfold.indexing.pipeline import refresh
from fourfold.store import writer
left = int(sys.argv[3])
steps.BATCH_BYTES = 60_000
opened = writer.open_for_writing
def count(statement):
    global left
    left -= 1
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
def watched(*arguments):
    db = opened(*arguments)
    db.set_trace_callback(count)
    return db
writer.open_for_writing = watched
refresh(Path(sys.argv[1]), Path(sys.argv[2]), embedder="none", vectors=False, settings=Settings())
print("done")
"""


def load(name: str) -> ModuleType:
    if not SOAK.exists():
        pytest.skip("the benchmarks are not part of this copy")
    spec = importlib.util.spec_from_file_location(name, SOAK / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def soak() -> ModuleType:
    return load("kills")


def codebase(root: Path) -> None:
    for number in range(24):
        folder = root / f"p{number % 3}"
        folder.mkdir(parents=True, exist_ok=True)
        body = "".join(f"def alpha_{i}(beta):\n    return alpha_{i + 1}(beta)\n\n\n" for i in range(30))
        (folder / f"m{number}.py").write_text(f"from p0 import m{number // 3 * 3}\n{body}class C{number}: pass\n")


def run_until(root: Path, index: Path, statement: int) -> bool:
    """Whether the run came to its end before it was killed."""
    own = {f"FOURFOLD_{name}": str(root.parent / name) for name in ("CACHE", "CONFIG", "STATE")}
    command = [sys.executable, "-P", "-c", KILLED, str(root), str(index), str(statement)]
    return b"done" in subprocess.run(command, env={**os.environ, **own}, capture_output=True, check=False).stdout


# a whole run is about a thousand: before the first batch, amid it, in and between the next ones, while the graph is
# written, between that and the note that it is, at the very end; then again in the runs that follow
@pytest.mark.parametrize("statements", [(12, 700), (500, 940), (703, 968), (972, 30, 90), (984, 130)])
def test_killed_at_a_statement_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soak: ModuleType, statements: tuple[int, ...]
) -> None:
    for name in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"FOURFOLD_{name}", str(tmp_path / name))
    root, index = tmp_path / "root", tmp_path / "i.db"
    codebase(root)
    for number, statement in enumerate(statements):
        run_until(root, index, statement)
        assert soak.check(root, index, number) == 0
        (root / "p1" / "m4.py").write_text(f"def changed_{number}(): return m1.alpha_0(1)\n")
        (root / "p2" / f"m{5 + 3 * number}.py").unlink()
    for where in (index, tmp_path / "fresh.db"):
        refresh(root, where, embedder="none", vectors=False, settings=Settings())
    assert soak.differ(soak.rows(index, root), soak.rows(tmp_path / "fresh.db", root)) == 0
    reader = SqliteReader(index, root)
    assert reader.state().fresh and reader.problems() == []
    reader.close()


def test_a_damaged_index_answers_nothing_wrong_and_heals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"FOURFOLD_{name}", str(tmp_path / name))
    codebase(tmp_path / "root")
    found = load("damages").soak(tmp_path / "root", tmp_path, 5, random.Random(3))
    assert found["wrong answers"] == found["not healed"] == 0 and found["showed at once"] > 0
