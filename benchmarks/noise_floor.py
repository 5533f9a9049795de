"""How similar the best chunk of a codebase is to questions about it, about something else, and about nothing.

    python benchmarks/noise_floor.py                                    # Python's standard library
    python benchmarks/noise_floor.py FOLDER --questions QUESTIONS.json  # a list of {"query": "…"} about that folder

From these distributions come the constants of ``fourfold.embedding.local``: the floors are about where one real
question in a hundred would fall below, and nearly everything off topic does. The second floor is for questions that
the model's vocabulary does not know (random letters, other languages, bare identifiers). It also prints how many bits
codes of unrelated chunks differ by, and how fast the embedder is here.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourfold.config import Settings
from fourfold.embedding.binary import bit_cosine
from fourfold.embedding.local import LocalEmbedder
from fourfold.indexing.parse import parse
from fourfold.indexing.walk import Found, walk
from fourfold.languages import detect
from fourfold.lexing import digest

#: Folders of the standard library, and questions about what they hold.
STANDARD_LIBRARY = (
    "asyncio", "collections", "concurrent", "ctypes", "curses", "email", "encodings", "html", "http", "importlib",
    "json", "logging", "multiprocessing", "re", "sqlite3", "tomllib", "unittest", "urllib", "wsgiref", "xml",
    "zoneinfo",
)  # fmt: skip
REAL = """how does the event loop run callbacks
cancel a task and wait for it
queue with priorities for coroutines
start a subprocess and read its output
thread pool executor submit and shutdown
share memory between processes
parse a multipart email message
encode headers of a mail with a character set
decode json numbers and strings
pretty print json
rotate log files when they get too big
format a log record with the time
send a http request and read the response headers
store cookies and their expiry
serve files of a folder over http
quote special characters in a url
follow redirects and handle proxies
escape html entities
parse html tags and attributes
read a toml file
compile a regular expression to code
import a module from a path
load a shared library and call a function with pointers
run unit tests and report failures
replace an object with a mock for a test
parse xml incrementally with sax
time zone transitions and daylight saving
convert rows of a database to objects
validate a wsgi application
draw a text box in a terminal window""".splitlines()
EVERYDAY = """how to cook spaghetti carbonara
best hiking trails in the alps
symptoms of a broken ankle
who won the world cup in 1998
when was the eiffel tower built
recipe for chocolate cake
train a puppy to sit
capital gains tax in germany
how do bees make honey
history of the roman empire
guitar chords for beginners
migratory birds of scandinavia
how to knit a sweater
what is photosynthesis
the plot of hamlet
yoga poses for back pain
causes of the french revolution
how far is the moon
planting tomatoes in spring
a good red wine for dinner""".splitlines()
ELSEWHERE = """kubernetes pod autoscaling policy
render a 3d mesh with shadows
train a neural network on images
bluetooth pairing on android
parse a pdf invoice
blockchain wallet balance
audio equalizer for a music player
satellite orbit propagation
payroll tax calculation
medical image viewer""".splitlines()
QUANTILES = (0.0, 0.01, 0.05, 0.5, 0.95, 0.99, 1.0)


def letters(count: int, seed: int = 5) -> list[str]:
    """Questions of random letters."""
    rng = random.Random(seed)

    def word() -> str:
        return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 9)))

    return [" ".join(word() for _ in range(rng.randint(1, 5))) for _ in range(count)]


def digests(root: Path) -> list[str]:
    """The digests of all chunks under ``root``, as an index of it would hold them."""
    found: list[str] = []
    for entry in walk(root, Settings()):
        if not isinstance(entry, Found):
            continue
        data = (root / entry.path).read_bytes()
        parsed = parse(entry.path, data, detect(entry.path, data[:4096]))
        lines = data.decode("utf-8", "replace").split("\n")
        found += [digest(entry.path, "\n".join(lines[c.start_line - 1 : c.end_line])) for c in parsed.chunks]
    return found


def best(embedder: LocalEmbedder, codes: NDArray[np.uint8], questions: Iterable[str]) -> NDArray[np.float32]:
    return np.array([bit_cosine(embedder.embed_query(text).values, codes).max() for text in questions])


def show(name: str, values: Sequence[float] | NDArray[np.float32]) -> None:
    row = "  ".join(f"{np.quantile(values, part):.3f}" for part in QUANTILES)
    print(f"{name:24s} {len(values):5d}  {row}")


def measure(root: Path, questions: Sequence[str], texts: list[str]) -> None:
    embedder = LocalEmbedder()
    start = time.perf_counter()
    embedder.embed_query("warm up")
    print(f"cold start {time.perf_counter() - start:.2f} s; {len(texts):,} chunks under {root}")
    sample = texts[:1500]
    for threads in (2, 1):
        timed = LocalEmbedder(threads)
        timed.embed_query("warm up")
        start = time.perf_counter()
        timed.embed_documents(sample)
        print(f"{len(sample) / (time.perf_counter() - start):.0f} chunks/s on {threads} thread(s)")
    codes = embedder.embed_documents(texts)
    start = time.perf_counter()
    for text in questions:
        embedder.embed_query(text)
    print(f"{(time.perf_counter() - start) / len(questions) * 1000:.1f} ms a question\n")

    kinds = {"about it": questions, "everyday life": EVERYDAY, "other software": ELSEWHERE, "letters": letters(40)}
    found = {name: best(embedder, codes, texts) for name, texts in kinds.items()}
    print(f"{'best cosine by kind':24s} count  " + "  ".join(f"{part:5.0%}" for part in QUANTILES))
    for name, values in found.items():
        show(name, values)
    floors = {name: np.array([embedder.embed_query(text).noise_floor for text in kinds[name]]) for name in kinds}
    print("\nbelow the floor: " + ", ".join(f"{name} {np.mean(found[name] < floors[name]):.0%}" for name in kinds))

    rng = np.random.default_rng(1)
    off_topic = np.stack([embedder.embed_query(text).code for text in (*EVERYDAY, *ELSEWHERE)])
    pairs = rng.integers(0, len(codes), (2, 20_000))
    within = np.bitwise_count(codes[pairs[0]] ^ codes[pairs[1]]).sum(axis=1)
    across = np.bitwise_count(off_topic[:, None] ^ codes[None, :2000]).sum(axis=2)
    print(f"bits that differ, of {embedder.bits}: two chunks of it {within.mean():.0f}, ", end="")
    print(f"a chunk and a question that is not about it {across.mean():.0f} (deviation {across.std():.0f})")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--questions", type=Path, help='a JSON list of {"query": "…"} about the folder')
    options = parser.parse_args()
    if options.folder is None:
        root = Path(sysconfig.get_paths()["stdlib"])
        texts = [f"{name} {text}" for name in STANDARD_LIBRARY for text in digests(root / name)]
        measure(root, REAL, texts)
    else:
        asked = json.loads(options.questions.read_text(encoding="utf-8")) if options.questions else []
        measure(options.folder, [entry["query"] for entry in asked] or REAL, digests(options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
