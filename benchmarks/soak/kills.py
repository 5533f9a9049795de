"""Kill the indexer again and again at random points, and compare what is there in the end with an undisturbed index.

    python benchmarks/soak/kills.py TREE [--kills N] [--seed N]

Each round starts the indexing process on a copy of the tree and kills it, and with it all its children, after a random
part of the time that a whole run takes; now and then some files are changed, removed or added in between, or one byte
of the write-ahead log is not there any more (as after a power cut). After each kill the index must open, answer, pass
SQLite's own check and hold nothing that is not in the tree; in the end, after one undisturbed run, it must equal an
index made from nothing: the same rows when ids are replaced by what they stand for, and centralities to 1e-6.
Prints the number of kills and of rows lost. Exit code 1 when anything is.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from fourfold.indexing.pipeline import refresh
from fourfold.store.reader import SqliteReader
from fourfold.store.schema import StoreError

Rows = dict[str, set[tuple[object, ...]]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("CACHE", "CONFIG", "STATE"):
            os.environ[f"FOURFOLD_{name}"] = str(place / name.lower())
        lost = soak(options.tree, place, options.kills, random.Random(options.seed))
    print(f"{options.kills} kills, seed {options.seed}: {lost} rows lost or wrong")
    return 1 if lost else 0


def soak(tree: Path, place: Path, kills: int, chance: random.Random) -> int:
    """How many rows are lost or wrong after ``kills`` kills."""
    root, killed, whole = place / "tree", place / "killed.db", place / "whole.db"
    shutil.copytree(tree, root, symlinks=True, ignore_dangling_symlinks=True)
    started = time.perf_counter()
    subprocess.run(command(root, whole), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    length = time.perf_counter() - started
    wrong = 0
    for number in range(kills):
        if number % 4 == 3:
            disturb(root, chance)
        if number % 7 == 6:
            # start from nothing once more, or the later kills would all hit runs with little to do
            for path in place.glob("killed.db*"):
                path.unlink()
        kill(root, killed, chance.uniform(0.0, length), chance)
        wrong += check(root, killed, number)
    for index in (killed, place / "fresh.db"):
        refresh(root, index, embedder="none", vectors=False)
    return wrong + differ(rows(killed, root), rows(place / "fresh.db", root))


def command(root: Path, index: Path) -> list[str]:
    worker = [sys.executable, "-P", "-m", "fourfold.indexing.worker", str(root)]
    return [*worker, "--index", str(index), "--embedder", "none"]


def kill(root: Path, index: Path, after: float, chance: random.Random) -> None:
    """Run the indexer for ``after`` seconds, then end it, and its children or not, by SIGKILL."""
    child = subprocess.Popen(
        command(root, index), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        child.wait(after)
    except subprocess.TimeoutExpired:
        if chance.random() < 0.5:
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()
    log = index.with_name(index.name + "-wal")
    if log.exists() and log.stat().st_size and chance.random() < 0.2:
        os.truncate(log, chance.randrange(log.stat().st_size))


def disturb(root: Path, chance: random.Random) -> None:
    """Change, remove and add some files."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    for path in chance.sample(files, min(6, len(files))):
        if chance.random() < 0.3:
            path.rename(path.with_name(f"moved_{chance.randrange(1000)}_{path.name}"))
        elif chance.random() < 0.3:
            path.unlink()
        else:
            with path.open("a", errors="replace") as file:
                file.write(f"\n# {chance.random()}\n")


def check(root: Path, index: Path, number: int) -> int:
    """1 when a killed index does not open, is damaged, or cannot answer; 0 else (also for one that never began)."""
    if not index.exists() or not index.stat().st_size:
        return 0
    try:
        reader = SqliteReader(index, root)
        try:
            problems = reader.problems()
            reader.central_symbols(5)
            reader.postings("body", ["self", "return"])
        finally:
            reader.close()
    except StoreError as error:
        # killed before the first transaction was committed
        problems = [] if "not been built" in str(error) else [str(error)]
    for problem in problems:
        print(f"after kill {number + 1}: {problem}", file=sys.stderr)
    return 1 if problems else 0


def rows(index: Path, root: Path) -> Rows:
    """What an index answers from, with ids replaced by what they stand for."""
    reader = SqliteReader(index, root)
    try:
        files = reader.files()
        chunks = {chunk.id: chunk for file in files for chunk in reader.chunks_of_file(file.id)}
        symbols = [symbol for file in files for symbol in reader.outline(file.path)]
        place = {number: (chunk.path, chunk.start_line) for number, chunk in chunks.items()}
        found: Rows = {
            "files": {(f.path, f.language, f.size, f.digest, f.lines, f.module) for f in files},
            "chunks": {(c.path, c.start_line, c.end_line, c.symbol, c.kind) for c in chunks.values()},
            "symbols": {(s.path, s.start_line, s.full_name, s.kind, s.signature, s.doc) for s in symbols},
            # rounded so that what two ways of computing differ by does not show
            "central": {(s.path, s.start_line, s.full_name, float(f"{s.centrality:.4g}")) for s in symbols},
            "ledger": {(e.path, e.decision, e.reason) for e in reader.ledger()},
            "edges": {
                (e.path, e.line, e.kind, e.certainty, e.source_name, e.target_name)
                for e in reader.neighbours([symbol.id for symbol in symbols], "out")
            },
        }
        for field in ("body", "name"):
            words = reader.vocabulary(field, "", 1_000_000)
            found[field] = {
                (word, place[int(chunk)], int(count))
                for word, posting in reader.postings(field, words).items()
                for chunk, count in zip(posting.chunk_ids, posting.counts, strict=True)
            }
        return found
    finally:
        reader.close()


def differ(left: Rows, right: Rows) -> int:
    total = 0
    for name in left:
        if different := left[name] ^ right[name]:
            total += len(different)
            print(f"{name}: {len(different)} rows differ, such as {sorted(different, key=repr)[:3]}", file=sys.stderr)
    return total


if __name__ == "__main__":
    sys.exit(main())
