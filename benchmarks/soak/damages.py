"""Damage an index again and again, and look whether anything wrong is answered and whether the next run heals it.

    python benchmarks/soak/damages.py TREE [--damages N] [--seed N]

Each round takes a copy of a whole index and damages it: some bytes flipped, a run of bytes set to zero or to noise, a
piece overwritten with another piece, or the end cut off. Then, as a user would: the index is opened and asked, which
must give what the undamaged one gives or one clear error; `doctor` must call what is damaged damaged and mend it; and
after that the index must answer as an undamaged one does.
Prints how many damages showed at once, how many only the doctor found, how many changed nothing that anything reads,
how many wrong answers were given, and how many indexes did not heal. Exit code 1 when any of the last two is not 0.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fourfold import paths
from fourfold.cli.doctor import run as doctor
from fourfold.indexing.pipeline import refresh
from fourfold.model import Question
from fourfold.search.engine import Engine
from fourfold.store.reader import SqliteReader
from fourfold.store.schema import StoreError

Answers = list[tuple[object, ...]]
ASKED = 30


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--damages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("CACHE", "CONFIG", "STATE"):
            os.environ[f"FOURFOLD_{name}"] = str(place / name.lower())
        found = soak(options.tree.absolute(), place, options.damages, random.Random(options.seed))
    told = ", ".join(f"{count} {what}" for what, count in found.items())
    print(f"{options.damages} damages, seed {options.seed}: {told}")
    return 1 if found["wrong answers"] or found["not healed"] else 0


def soak(root: Path, place: Path, damages: int, chance: random.Random) -> Counter[str]:
    whole, hurt = place / "whole.db", place / "hurt.db"
    refresh(root, whole, embedder="none", vectors=False)
    questions = ask_about(whole, root, chance)
    right = answers(whole, root, questions)
    found: Counter[str] = Counter({"wrong answers": 0, "not healed": 0})
    for _ in range(damages):
        for path in (*place.glob("hurt.db*"), *place.glob("cache/*")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for ending in ("", ".sum"):
            shutil.copy2(whole.with_name(whole.name + ending), hurt.with_name(hurt.name + ending))
        what = damage(hurt, chance)
        try:
            given = answers(hurt, root, questions)
            outcome = "changed nothing that was asked for" if given == right else "wrong answers"
        except StoreError:
            outcome = "showed at once"
        with contextlib.redirect_stdout(io.StringIO()) as said:
            doctor([str(root), "--index", str(hurt)])
        mended = "mended" in said.getvalue()
        if mended and outcome == "changed nothing that was asked for":
            outcome = "found by the doctor alone"
        if outcome == "wrong answers":
            print(f"wrong answers after {what}; the doctor {'mended it' if mended else 'saw nothing'}", file=sys.stderr)
        found[outcome] += 1
        refresh(root, hurt, embedder="none", vectors=False)
        if answers(paths.current_index(hurt), root, questions) != right:
            found["not healed"] += 1
            print(f"not healed: {what}", file=sys.stderr)
    return found


def damage(index: Path, chance: random.Random) -> str:
    """Damage a file somewhere; returns how."""
    data = bytearray(index.read_bytes())
    start = chance.randrange(len(data))
    size = min(chance.choice((1, 1, 8, 64, 4096, 20_000)), len(data) - start)
    how = chance.choice(("flipped", "zeroed", "noise", "moved", "cut"))
    if how == "flipped":
        for at in range(start, start + size):
            data[at] ^= 1 << chance.randrange(8)
    elif how == "zeroed":
        data[start : start + size] = bytes(size)
    elif how == "noise":
        data[start : start + size] = chance.randbytes(size)
    elif how == "moved":
        other = chance.randrange(len(data) - size)
        data[start : start + size] = data[other : other + size]
    else:
        del data[start:]
    index.write_bytes(data)
    return f"{size} bytes {how} at {start} of {len(data)}"


def ask_about(index: Path, root: Path, chance: random.Random) -> list[str]:
    reader = SqliteReader(index, root)
    try:
        symbols = list(reader.symbols_of_kind(("function", "method", "class"), limit=2_000))
    finally:
        reader.close()
    kinds = ("where is {} defined", "who calls {}", "what breaks if I change {}", "how does {} work", '"{}"')
    return [kinds[i % len(kinds)].format(symbol.name) for i, symbol in enumerate(chance.sample(symbols, ASKED))]


def answers(index: Path, root: Path, questions: Sequence[str]) -> Answers:
    """What is answered, in order. Raises StoreError where the index is found to be damaged."""
    reader = SqliteReader(index, root)
    try:
        engine = Engine(reader)
        given: Answers = []
        for text in questions:
            found = engine.ask(Question(text)).results
            given.append((text, *((r.path, r.start_line, r.end_line, r.symbol, round(r.score, 9)) for r in found)))
        return given
    finally:
        reader.close()


if __name__ == "__main__":
    sys.exit(main())
