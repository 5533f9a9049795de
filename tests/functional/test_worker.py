"""The indexing process as others run it: JSON lines out, gone when its input closes, one at a time, resumable."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fourfold.store.reader import SqliteReader


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Any]:
    """Start a worker on ``tmp_path/root`` with options; all are ended at the end."""
    children: list[subprocess.Popen[str]] = []
    environment = {**os.environ, **{f"FOURFOLD_{name}": str(tmp_path / name) for name in ("CACHE", "CONFIG", "STATE")}}

    def start(*options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "fourfold.indexing.worker", str(tmp_path / "root")]
        child = subprocess.Popen(
            [*command, "--index", str(tmp_path / "i.db"), "--embedder", "none", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.wait()


def codebase(root: Path, files: int) -> None:
    root.mkdir()
    body = "".join(f"def alpha_{i}(beta):\n    return alpha_{i + 1}(beta)\n\n\n" for i in range(25))
    for i in range(files):
        (root / f"m{i}.py").write_text(body)


def until(child: subprocess.Popen[str], stage: str) -> list[dict[str, Any]]:
    """The records up to the first one of ``stage``."""
    found = []
    assert child.stdout is not None
    for line in child.stdout:
        found.append(json.loads(line))
        assert line.isascii()
        if found[-1]["stage"] == stage:
            return found
    raise AssertionError(f"ended before {stage}: {found}")


def test_it_reports_every_stage_and_ends(tmp_path: Path, started: Any) -> None:
    codebase(tmp_path / "root", 40)
    child = started()
    records = until(child, "done")
    assert {"walk", "parse", "graph", "done"} <= {record["stage"] for record in records}
    assert set(records[-1]) == {"stage", "done", "total", "path", "text", "generation"}
    assert records[-1]["done"] == 40 and records[-1]["generation"] == 1
    assert child.wait(10) == 0


def descendants(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(entry.parent.name))
    return found


def gone(pids: list[int]) -> bool:
    for _ in range(100):
        left = [pid for pid in pids if Path(f"/proc/{pid}").exists()]
        if not left:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("how", ["close", "kill"])
def test_it_ends_with_its_children_when_its_input_closes_or_it_is_killed_and_resumes(
    tmp_path: Path, started: Any, how: str
) -> None:
    codebase(tmp_path / "root", 500)
    child = started()
    until(child, "parse")
    children = descendants(child.pid) if Path("/proc/self/stat").exists() else []
    if how == "close":
        child.stdin.close()
        child.wait(10)
    else:
        os.kill(child.pid, signal.SIGKILL)
        child.wait(10)
    assert gone(children)
    second = started()
    last = until(second, "done")[-1]
    assert (last["done"], last["text"]) == (500, "")
    reader = SqliteReader(tmp_path / "i.db", tmp_path / "root")
    state = reader.state()
    assert state.counts.files == 500 and state.fresh
    assert [state.coverage[name] for name in ("text", "structural", "graph")] == [1.0, 1.0, 1.0]  # type: ignore[index]
    reader.close()


def test_a_second_one_waits_for_the_first_and_says_so(tmp_path: Path, started: Any) -> None:
    codebase(tmp_path / "root", 300)
    first = started()
    until(first, "parse")
    second = started()
    told = until(second, "error")[-1]
    assert told["text"] == f"another process is indexing (process {first.pid})"
    assert until(second, "done")[-1]["done"] == 300
    assert until(first, "done")


def test_it_follows_the_files(tmp_path: Path, started: Any) -> None:
    codebase(tmp_path / "root", 3)
    child = started("--watch")
    generation = until(child, "done")[-1]["generation"]
    for _ in range(20):
        # a change before the watch stands would be found by the next burst only
        (tmp_path / "root" / "new.py").write_text(f"def brand_new(): pass  # {time.time()}\n")
        time.sleep(0.5)
        reader = SqliteReader(tmp_path / "i.db", tmp_path / "root")
        found = reader.symbols_named("brand_new")
        reader.close()
        if found:
            break
    assert found
    assert until(child, "done")[-1]["generation"] > generation
    child.stdin.close()
    assert child.wait(10) == 0


def test_a_missing_root_is_one_line_and_no_traceback(tmp_path: Path, started: Any) -> None:
    child = started()
    assert "does not exist" in until(child, "error")[-1]["text"]
    assert child.wait(10) == 2
