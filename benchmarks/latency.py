"""How long a question takes on a warm index, by kind and by modality, beside `rg` in the same run.

    python benchmarks/latency.py TREE… [--questions N] [--vectors] [--json FILE]

Each tree is indexed into a folder that is thrown away (``--vectors`` embeds it too: minutes for a large one; without,
the fused questions run text and structural only, and say so). The questions are made from the tree itself, with a
fixed seed: *definition* and *callers* of symbols in it, *literal*: long words that stand in at most five files,
*words*: the first line of a documentation after "how". Each is asked twice, the second time counts. `rg -n -F` looks
for the same literals. *command line* is the whole of `fourfold search … --no-update` for a definition, the interpreter
included. Milliseconds of wall time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fourfold.config import Settings
from fourfold.embedding import open_embedder
from fourfold.indexing.pipeline import refresh
from fourfold.model import Question
from fourfold.search.engine import Engine
from fourfold.store.reader import SqliteReader

SEED = 7
RARE = 5
LONG = re.compile(rb"[A-Za-z_]\w{11,39}")
Row = tuple[str, int, float, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=60, help="of each kind (default %(default)s)")
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ.pop("OPENBLAS_CORETYPE", None)  # some machines' setting slows numpy by a third
    table = {}
    for tree in options.trees:
        with tempfile.TemporaryDirectory() as folder:
            os.environ.update({f"FOURFOLD_{part}": folder for part in ("CACHE", "CONFIG", "STATE")})
            table[tree.name] = measure(tree.absolute(), Path(folder) / "latency.db", options)
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))
    return 0


def measure(tree: Path, index: Path, options: argparse.Namespace) -> list[Row]:
    """(what, how many, p50, p95) in milliseconds."""
    embedder = "local" if options.vectors else "none"
    refresh(tree, index, embedder=embedder, vectors=options.vectors, jobs=2, settings=Settings())
    reader = SqliteReader(index, tree)
    engine = Engine(reader, lambda: open_embedder("local") if options.vectors else None)
    size = sum(file.size for file in reader.files())
    chosen = random.Random(SEED)
    asked = questions(reader, tree, chosen, options.questions)
    print(f"\n{tree.name}: {len(reader.files()):,} files, {size / 1e6:.1f} MB, {embedder} embedder")
    rows, parts = [], {}
    for kind, texts in asked.items():
        for text in texts:
            engine.ask(Question(text))
        times = []
        for text in texts:
            started = time.perf_counter()
            answer = engine.ask(Question(text))
            times.append((time.perf_counter() - started) * 1000)
            if answer.plan.strategy == "fused":
                for name, found in answer.lists.items():
                    parts.setdefault(f"  of it {name}", []).append(found.ms)
        rows.append(row(kind, times))
        if kind == "literal" and shutil.which("rg"):
            rows.append(row("  rg -n -F", [rg(tree, text.strip('"')) for text in texts]))
    rows += [row(name, times) for name, times in parts.items()]
    if asked["definition"]:
        text = asked["definition"][0]
        rows.append(row("command line", [command_line(tree, index, text) for _ in range(7)]))
    for name, count, middle, high in rows:
        print(f"{name:<18}{count:>6}{middle:>10.1f}{high:>10.1f}")
    reader.close()
    return rows


def row(name: str, times: Sequence[float]) -> Row:
    best_first = sorted(times) or [float("nan")]
    return (
        name,
        len(times),
        best_first[len(best_first) // 2],
        best_first[min(len(best_first) - 1, len(best_first) * 95 // 100)],
    )


def questions(reader: SqliteReader, tree: Path, chosen: random.Random, n: int) -> dict[str, list[str]]:
    symbols = reader.symbols_of_kind(("function", "method", "class", "struct"), limit=20_000)
    plain = sorted({symbol.name for symbol in symbols if re.fullmatch(r"[A-Za-z]\w{4,}", symbol.name)})
    names = chosen.sample(plain, min(n, len(plain)))
    docs = sorted({symbol.doc for symbol in symbols if len(symbol.doc.split()) >= 4 and symbol.doc.isascii()})
    phrases = [" ".join(doc.split()[:9]).rstrip(".:,") for doc in chosen.sample(docs, min(n, len(docs)))]
    return {
        "definition": [f"where is {name} defined" for name in names],
        "callers": [f"who calls {name}" for name in names],
        "literal": [f'"{word}"' for word in rare_words(reader, tree, chosen, n)],
        "words": [f"how {phrase[:1].lower()}{phrase[1:]}" for phrase in phrases],
    }


def rare_words(reader: SqliteReader, tree: Path, chosen: random.Random, n: int) -> list[str]:
    """Long words of some files that stand in at most `RARE` of those looked at."""
    files = chosen.sample(list(reader.files()), min(len(reader.files()), 2_000))
    where: dict[bytes, int] = {}
    for file in files:
        for word in set(LONG.findall((tree / file.path).read_bytes())):
            where[word] = where.get(word, 0) + 1
    rare = sorted(word.decode() for word, count in where.items() if count <= RARE)
    return chosen.sample(rare, min(n, len(rare)))


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def rg(tree: Path, literal: str) -> float:
    return timed(lambda: subprocess.run(["rg", "-n", "-F", "-e", literal, str(tree)], stdout=subprocess.DEVNULL))


def command_line(tree: Path, index: Path, question: str) -> float:
    command = [sys.executable, "-m", "fourfold", "search", question, "--root", tree, "--index", index, "--no-update"]
    return timed(lambda: subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))


if __name__ == "__main__":
    raise SystemExit(main())
