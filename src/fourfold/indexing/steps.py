"""Small parts of a run: progress at a bearable rate, batches of files, and the memory of files without text."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from fourfold.indexing.jobs import Job
from fourfold.model import LedgerEntry, Progress

Report = Callable[[Progress], None]

#: One batch of a child, which is one transaction, holds about so many bytes of source: at the end of a run, and before.
BATCH_BYTES = 1_000_000
MOST_BYTES = 3_000_000
#: What a file costs beside its bytes, in bytes.
FILE_BYTES = 2_000
#: Seconds between two reports of the same stage.
REPORT_EVERY = 0.05


class Reporter:
    """Passes on progress at a rate that costs nothing; the first and last report of a stage always."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last = 0.0
        self._stage = ""
        self.generation = 0

    def __call__(self, stage: str, done: int, total: int, path: str = "", text: str = "", now: bool = False) -> None:
        clock = time.monotonic()
        if now or stage != self._stage or clock - self._last >= REPORT_EVERY:
            self._last, self._stage = clock, stage
            self._report(Progress(stage, done, total, path, text, self.generation))


def batches(jobs: Sequence[tuple[Job, int]], workers: int) -> list[list[Job]]:
    """Jobs (with their sizes) in runs for ``workers`` processes: large ones first, as each makes a pack of postings
    that is to be merged one day; small ones last, so that all processes end at about the same time."""
    left = sum(size + FILE_BYTES for _, size in jobs)
    runs: list[list[Job]] = []
    batch: list[Job] = []
    weight = 0
    target = _target(left, workers)
    for job, size in jobs:
        batch.append(job)
        weight += size + FILE_BYTES
        if weight >= target:
            runs.append(batch)
            left -= weight
            batch, weight, target = [], 0, _target(left, workers)
    if batch:
        runs.append(batch)
    return runs


def _target(left: int, workers: int) -> int:
    return min(max(left // (2 * workers), BATCH_BYTES), MOST_BYTES)


def buried(tombstones: Mapping[str, list[object]]) -> Iterator[LedgerEntry]:
    """The ledger's entries of files whose content is not indexed: path → [size, mtime_ns, reason, rule, source]."""
    for path, (size, _, reason, rule, source) in tombstones.items():
        yield LedgerEntry(path, "skipped", str(reason), str(rule), str(source), int(str(size)))


def read_tombstones(text: str) -> dict[str, list[object]]:
    """What an earlier run kept as JSON of the files without text; empty for anything else."""
    try:
        table = json.loads(text) if text else {}
    except ValueError:
        return {}
    if not isinstance(table, dict):
        return {}
    return {path: row for path, row in table.items() if isinstance(row, list) and len(row) == 5}
