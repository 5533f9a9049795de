"""Index files that nobody would write, in every language, and look whether anything crashes, stalls or is lost.

    python benchmarks/soak/fuzz.py [--files N] [--seed N]

Each file is a sample of a language, or random bytes under its name, with pieces cut out, doubled, swapped, overwritten
by noise, nested deeply or joined into one long line. All are indexed as a folder, by child processes, as any codebase
is. Every file must then be in the ledger: indexed, in part, or skipped with the reason. Prints how many were what, the
reasons, and the seconds; exit code 1 when a file is missing from the ledger or a process of the pool was lost for
another reason than its file's time.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.pipeline import refresh
from fourfold.store.reader import SqliteReader

SAMPLES = Path(__file__).parents[2] / "tests" / "data" / "languages"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("CACHE", "CONFIG", "STATE"):
            os.environ[f"FOURFOLD_{name}"] = str(place / name.lower())
        root = place / "root"
        samples = sorted(path for path in SAMPLES.iterdir() if path.is_file())
        names = set()
        for number in range(options.files):
            sample = samples[number % len(samples)]
            path = root / f"d{number % 20}" / f"f{number}{sample.suffix or sample.name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(mangled(sample.read_bytes(), chance))
            names.add(path.relative_to(root).as_posix())
        started = time.perf_counter()
        refresh(root, place / "i.db", embedder="none", vectors=False, jobs=2, settings=Settings())
        seconds = time.perf_counter() - started
        reader = SqliteReader(place / "i.db", root)
        entries = {entry.path: entry for entry in reader.ledger()}
        problems = reader.problems()
        reader.close()
    missing = sorted(names - entries.keys())
    crashed = [e for e in entries.values() if e.rule == "quarantine" or "not parsed" in e.reason]
    counts = Counter(entry.decision for path, entry in entries.items() if path in names)
    print(f"{len(names)} files, seed {options.seed}: {dict(counts)}, {len(missing)} lost, {len(crashed)} crashed")
    print(f"{seconds:.0f} s; {len(problems)} problems inside the index")
    for reason, count in Counter(entry.reason for entry in entries.values() if entry.reason).most_common(12):
        print(f"{count:>7,} {reason}")
    for entry in crashed[:10]:
        print(f"crashed: {entry.path}: {entry.reason}", file=sys.stderr)
    return 1 if missing or crashed or problems else 0


def mangled(data: bytes, chance: random.Random) -> bytes:
    """A file after one to four changes."""
    if chance.random() < 0.1:
        data = chance.randbytes(chance.randrange(1, 20_000))
    for _ in range(chance.randrange(1, 5)):
        a, b = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        piece = data[a:b]
        how = chance.randrange(8)
        if how == 0:
            data = data[:a] + data[b:]
        elif how == 1:
            data = data[:b] + piece * chance.randrange(1, 5) + data[b:]
        elif how == 2:
            data = piece + data[:a] + data[b:]
        elif how == 3:
            data = data[:a] + chance.randbytes(chance.randrange(40)) + data[a:]
        elif how == 4:
            mark = chance.choice((b"(", b"{", b"[", b"<", b'"', b"/*", b"if x:\n\t", b"#if 1\n", b"f(function(){"))
            data = data[:a] + mark * chance.choice((3, 300, 30_000)) + data[a:]
        elif how == 5:
            data = data.replace(b"\n", chance.choice((b" ", b"\r", b"\r\n", b"\x00", b"\x0c")))
        elif how == 6:
            data = data * chance.randrange(1, 30)
        else:
            data = bytes(byte ^ (1 << chance.randrange(8)) if chance.random() < 0.01 else byte for byte in data)
    return data[:2_000_000]


if __name__ == "__main__":
    sys.exit(main())
