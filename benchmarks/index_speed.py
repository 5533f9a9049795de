"""How fast the index is made and kept up, beside the least that parsing takes, and beside ctags and rg.

    python benchmarks/index_speed.py TREE… [--jobs N] [--runs N] [--json FILE]

For each tree: *parse only* reads the same files and parses them with tree-sitter in as many processes, and does nothing
with the trees; *index* makes a whole index without vectors; *again* looks for changes where there are none; *10 edited*
follows a line added to ten files, and *10 with a function* a new function in each (both on a copy of the tree). ctags
and rg are references, where they are installed. The best of the runs counts. Start-up of the interpreter is included.

Wall time says little on a machine with other work to do; CPU time is that of all processes summed. Memory is the peak
of the proportional set sizes of all processes summed, looked at twenty times a second (Linux only).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.walk import Found, walk

EDITED = 10
LOOK_EVERY = 0.05


@dataclass(frozen=True, slots=True)
class Cost:
    """``wall`` and ``cpu`` in seconds, ``memory`` in MB (0: not known)."""

    wall: float
    cpu: float
    memory: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--step", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    # settings of some machines: one slows numpy by a third, the other has all code compiled at each start, which an
    # installed package is not
    for name in ("OPENBLAS_CORETYPE", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(name, None)
    if options.step:
        step(*options.step)
        return 0
    table = {}
    for tree in options.trees:
        found = list(files_of(tree))
        size = sum(item.size for item in found)
        print(f"\n{tree.name}: {len(found):,} files, {size / 1e6:.1f} MB", flush=True)
        costs, index_bytes = measure(tree, options.jobs, options.runs)
        show(costs, index_bytes, size)
        table[str(tree)] = {
            "files": len(found), "bytes": size, "index_bytes": index_bytes,
            "costs": {name: asdict(cost) for name, cost in costs.items()},
        }  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))
    return 0


def files_of(tree: Path) -> Iterator[Found]:
    for item in walk(tree.resolve(), Settings(), own=tree / "nothing"):
        if isinstance(item, Found):
            yield item


def measure(tree: Path, jobs: int, runs: int) -> tuple[dict[str, Cost], int]:
    """The cost of each step, and the bytes of the whole index."""
    costs: dict[str, Cost] = {}
    index_bytes = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        copy = place / "tree"
        shutil.copytree(tree, copy, symlinks=True, ignore_dangling_symlinks=True)
        own = {f"FOURFOLD_{name}": str(place / name.lower()) for name in ("CACHE", "CONFIG", "STATE")}

        def best(name: str, command: Sequence[str]) -> None:
            cost = run(command, place, own)
            costs[name] = min(costs.get(name, cost), cost, key=lambda item: item.wall)

        def ours(name: str, *more: str) -> None:
            best(name, [sys.executable, "-P", __file__, "--step", *more])

        for turn in range(runs):
            index = place / f"{turn}.db"
            ours("parse only", "floor", str(copy), str(jobs))
            ours("index", "index", str(copy), str(index), str(jobs))
            index_bytes = sum(path.stat().st_size for path in place.glob(f"{turn}.db*"))
            ours("again", "index", str(copy), str(index), str(jobs))
            for name, line in (("10 edited", "# {}\n"), ("10 with a function", "def added_{}(it):\n    return it\n")):
                edit(copy, f"\n{line}")
                ours(name, "index", str(copy), str(index), str(jobs))
            if shutil.which("ctags"):
                best("ctags -R", ["ctags", "-R", "-f", str(place / "tags"), str(copy)])
            if shutil.which("rg"):
                best("rg of a word", ["rg", "--count", "--no-messages", r"\bparse\b", str(copy)])
    return costs, index_bytes


def edit(tree: Path, text: str) -> None:
    """Add ``text`` to ten files of the commonest suffix, spread over the tree."""
    paths = sorted(item.path for item in files_of(tree) if not item.text_only)
    suffixes = [os.path.splitext(path)[1] for path in paths]
    common = max(set(suffixes), key=suffixes.count)
    chosen = [path for path, suffix in zip(paths, suffixes, strict=True) if suffix == common]
    for number, path in enumerate(chosen[:: max(1, len(chosen) // EDITED)][:EDITED]):
        with (tree / path).open("a") as file:
            file.write(text.format(f"{number}_{time.time_ns()}"))


def run(command: Sequence[str], folder: Path, variables: dict[str, str]) -> Cost:
    """Run to the end; rg's "found nothing" is no failure."""
    peak = [0.0]
    done = threading.Event()
    started = time.perf_counter()
    child = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    watcher = threading.Thread(target=watch, args=(child.pid, peak, done))
    watcher.start()
    assert child.stderr is not None
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    watcher.join()
    if child.returncode > 1:
        raise SystemExit(f"{' '.join(command)} failed: {said.decode(errors='replace')[-2000:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, peak[0])


def watch(pid: int, peak: list[float], done: threading.Event) -> None:
    while not done.wait(LOOK_EVERY):
        peak[0] = max(peak[0], sum(map(memory_of, descendants(pid))) / 1e3)


def descendants(pid: int) -> set[int]:
    """``pid`` and all processes below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def memory_of(pid: int) -> float:
    """The proportional set size of a process in kB; shared pages are shared out."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) for line in lines if line.startswith("Pss:"))


def show(costs: dict[str, Cost], index_bytes: int, size: int) -> None:
    floor, whole = costs["parse only"], costs["index"]
    print(f"{'':20} {'wall s':>8} {'CPU s':>8} {'MB':>6}   to the floor (wall, CPU), to the whole index (wall)")
    for name, cost in costs.items():
        ratios = f"{cost.wall / floor.wall:7.2f} {cost.cpu / floor.cpu:7.2f} {cost.wall / whole.wall:8.3f}"
        print(f"{name:20} {cost.wall:8.2f} {cost.cpu:8.2f} {cost.memory:6.0f}   {ratios}")
    print(f"index: {index_bytes / 1e6:.1f} MB, {index_bytes / max(size, 1):.3f} bytes a source byte", flush=True)


# --------------------------------------------------------------------------- what runs in a process of its own


def step(name: str, tree: str, *more: str) -> None:
    if name == "index":
        from fourfold.indexing.pipeline import refresh

        refresh(Path(tree), Path(more[0]), embedder="none", vectors=False, jobs=int(more[1]), settings=Settings())
    elif name == "floor":
        jobs = int(more[0])
        found = sorted(files_of(Path(tree)), key=lambda item: -item.size)
        parts = [[item.path for item in found if not item.text_only][start::jobs] for start in range(jobs)]
        command = [sys.executable, "-P", __file__, "--step", "parse", tree]
        children = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in parts]
        for child, part in zip(children, parts, strict=True):
            assert child.stdin is not None
            child.stdin.write("\0".join(part))
            child.stdin.close()
        codes = [child.wait() for child in children]
        if any(codes):
            raise SystemExit("the floor could not be measured")
    elif name == "parse":
        parse_only(Path(tree), sys.stdin.read().split("\0"))


def parse_only(tree: Path, paths: Sequence[str]) -> None:
    """Read and parse files, each with the grammar that the index would take, and keep nothing."""
    from tree_sitter import Parser

    from fourfold.languages import detect, language
    from fourfold.languages.grammar import grammar

    parsers: dict[str, Parser] = {}
    for path in paths:
        data = (tree / path).read_bytes()
        name = detect(path, data[:8192])
        found = grammar(name) if language(name).query else None
        if found is None or b"\0" in data[:8192]:
            continue
        if name not in parsers:
            parsers[name] = Parser(found)
        parsers[name].parse(data)


if __name__ == "__main__":
    sys.exit(main())
