"""``fourfold index --plan``: what there is to index, and what it will take, before any of it is done.

Time and chunks are projected from a sample of the files, which is read and parsed here and now: so they hold for this
machine and this code. Nothing is written.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.walk import Found, module_names

#: The sample: at most so many bytes, in files that are at most a quarter of it.
SAMPLE_BYTES = 800_000
#: What linking the graph takes beside reading and parsing, which the processes share, and the bytes of an index a byte
#: of its files: as benchmarks/index_speed.py gave them for the standard library, rather more than fewer.
LINKING = 0.2
BYTES_A_BYTE = 0.55
#: Seconds that starting the processes takes.
START = 0.5
#: Chunks that the model of the package embeds in a second on two cores.
CHUNKS_A_SECOND = 350
#: Reasons to stand lower in results that mostly say: nobody wrote this here.
JUNK = frozenset({"vendored code", "build output", "generated code", "archived code"})


@dataclass(frozen=True, slots=True)
class Part:
    """Files of one kind: how many, and their bytes."""

    name: str
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """``seconds`` until all can be asked but by meaning, ``vector_seconds`` more until that can, with the model
    of the package; ``index_bytes`` without vectors. ``sampled`` bytes were read to tell."""

    files: int
    bytes: int
    languages: tuple[Part, ...]
    junk: tuple[Part, ...]
    largest: tuple[Found, ...]
    chunks: int
    seconds: float
    vector_seconds: float
    index_bytes: int
    sampled: int


def forecast(root: Path, found: Sequence[Found], settings: Settings, jobs: int | None, shown: int) -> Forecast:
    """What indexing ``found`` comes to; reads the heads of all files whose name does not tell their language."""
    from fourfold.languages import detect
    from fourfold.search.demotion import default_rules, demotion_of

    languages: Counter[str] = Counter()
    language_bytes: Counter[str] = Counter()
    junk: Counter[str] = Counter()
    junk_bytes: Counter[str] = Counter()
    rules = tuple(rule for rule in default_rules() if rule.reason in JUNK)
    for item in found:
        name = detect(item.path, b"")
        if name == "text":
            name = detect(item.path, _head(root / item.path))
        languages[name] += 1
        language_bytes[name] += item.size
        reason = demotion_of(item.path, rules).reason or item.text_only
        if reason:
            junk[reason] += 1
            junk_bytes[reason] += item.size
    total = sum(language_bytes.values())
    sample = _sample(found)
    sampled = sum(item.size for item in sample)
    seconds, chunks = _tried(root, sample, settings)
    scale = total / sampled if sampled else 0.0
    processes = jobs or settings.jobs or min(os.cpu_count() or 1, 4)
    return Forecast(
        files=len(found),
        bytes=total,
        languages=_parts(languages, language_bytes),
        junk=_parts(junk, junk_bytes),
        largest=tuple(sorted(found, key=lambda item: (-item.size, item.path))[:shown]),
        chunks=round(chunks * scale),
        seconds=START + seconds * scale * (1 / processes + LINKING),
        vector_seconds=chunks * scale / CHUNKS_A_SECOND,
        index_bytes=round(total * BYTES_A_BYTE),
        sampled=sampled,
    )


def _parts(files: Counter[str], sizes: Counter[str]) -> tuple[Part, ...]:
    order = sorted(files, key=lambda name: (-sizes[name], name))
    return tuple(Part(name, files[name], sizes[name]) for name in order)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(1024)
    except OSError:
        return b""


def _sample(found: Sequence[Found]) -> list[Found]:
    """Files from all over the tree, as far as they fit."""
    fitting = [item for item in found if item.size <= SAMPLE_BYTES // 4]
    size = sum(item.size for item in fitting)
    step = max(1, size // SAMPLE_BYTES)
    return fitting[::step]


def _tried(root: Path, sample: Sequence[Found], settings: Settings) -> tuple[float, int]:
    """CPU seconds that a sample takes, and its chunks."""
    from fourfold.indexing.delivery import read_batch
    from fourfold.indexing.jobs import Job
    from fourfold.indexing.words import Vocabulary
    from fourfold.languages import detect
    from fourfold.languages.grammar import query

    names = module_names([item.path for item in sample], root.name)
    jobs = [Job(item.path, names[item.path], "", item.text_only) for item in sample]
    for language in {detect(item.path, b"") for item in sample}:
        query(language)  # compiled once a process, whatever the size of the tree
    started = time.process_time()
    parcel = read_batch(root, jobs, settings, Vocabulary()).parcel
    return time.process_time() - started, int(parcel.chunks.counts.sum()) if parcel is not None else 0
