"""Reading a batch of files: what became of each, and all that is to be written of them as one parcel."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing.jobs import Gone, Job, Same, Skipped
from fourfold.indexing.records import Outcome, Read, build
from fourfold.indexing.words import Vocabulary, Words
from fourfold.model import LedgerEntry
from fourfold.store.parcel import Packer, Parcel


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a batch of files came to: ``parcel`` holds those to be written, ``others`` tells of the rest.

    After the ``last`` one the process that made it ends.
    """

    others: tuple[Same | Skipped | Gone, ...]
    parcel: Parcel | None = None
    last: bool = False

    @property
    def paths(self) -> list[str]:
        """The files that it is about, in no order."""
        others = [item.entry.path if isinstance(item, Skipped) else item.path for item in self.others]
        return others + (self.parcel.paths if self.parcel is not None else [])


def read_batch(
    root: Path,
    jobs: Sequence[Job],
    settings: Settings,
    vocabulary: Vocabulary,
    done: Callable[[int], object] = lambda count: None,
) -> Delivery:
    """Read ``jobs``; ``done`` is told after each how many are done."""
    packer, words = Packer(), Words(vocabulary)
    others: list[Same | Skipped | Gone] = []
    for count, job in enumerate(jobs, 1):
        outcome = build_safely(root, job, settings)
        if isinstance(outcome, Read):
            packer.add(outcome.file)
            words.add(job.path, outcome.texts)
        else:
            others.append(outcome)
        done(count)
    parcel = packer.done(*words.terms()) if len(packer) else None
    vocabulary.trim()
    return Delivery(tuple(others), parcel)


def build_safely(root: Path, job: Job, settings: Settings) -> Outcome:
    """`build`, and for a fault of our own in reading the structure: the file as text, else skipped, with the reason."""
    try:
        return build(root, job, settings)
    except Exception as error:
        reason = f"not parsed ({type(error).__name__})"
    if not job.text_only:
        return build_safely(root, replace(job, known="", text_only=f"{reason}: text only"), settings)
    return quarantined(root, job, reason)


def quarantined(root: Path, job: Job, reason: str) -> Skipped:
    """The outcome of a file that could not be read even as text."""
    try:
        info = os.stat(root / job.path)
        size, mtime_ns = info.st_size, info.st_mtime_ns
    except OSError:
        size = mtime_ns = 0
    return Skipped(LedgerEntry(job.path, "skipped", reason, "quarantine", "built-in", size), mtime_ns)
