"""Bringing an index up to date: walk, parse, write, link, embed; each step committed before the next.

A run may end at any instant. What was committed stays, and the next run finds by size and time which files are left,
by a mark whether the graph is, and by the missing rows which vectors are. An index that cannot be used is rebuilt as
a new file beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold import config, lexing, paths
from fourfold.config import Settings, load_settings
from fourfold.indexing import gitfiles
from fourfold.indexing.jobs import RECORDS_VERSION, Gone, Job, Same, Skipped
from fourfold.indexing.lock import hold
from fourfold.indexing.steps import Reporter, batches, buried, read_tombstones
from fourfold.indexing.walk import Found, module_names, walk
from fourfold.model import File, LedgerEntry, Progress
from fourfold.store.interface import Writer
from fourfold.store.schema import IndexUnusable, StoreError, is_foreign
from fourfold.store.writer import SqliteWriter

if TYPE_CHECKING:
    from fourfold.indexing.delivery import Delivery

Stop = Callable[[], bool]

#: Below both, starting processes costs more than it gains.
POOL_FILES = 30
POOL_BYTES = 300_000
#: A file changed this shortly before the last look may have changed after it within one tick of its clock.
RACY_NS = 2_000_000_000


class IndexingError(Exception):
    """One clear line for the user."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did. Counts are files, save ``embedded`` (chunks); ``seconds`` is by stage.

    ``complete``: every file, the graph and (where wanted) every vector is done. ``index`` is the file that now
    answers. ``notices`` are lines that a person should see.
    """

    index: Path
    generation: int
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    skipped: int = 0
    partial: int = 0
    embedded: int = 0
    missing_vectors: int = 0
    complete: bool = True
    stopped: bool = False
    rebuilt: str = ""
    notices: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)


def refresh(
    root: Path,
    index: Path,
    *,
    embedder: str | None = None,
    jobs: int | None = None,
    rebuild: bool = False,
    vectors: bool = True,
    report: Callable[[Progress], None] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
    settings: Settings | None = None,
) -> Summary:
    """Bring ``index`` up to date with the files below ``root``, holding its lock.

    ``embedder`` is local, voyage or none, and is kept for later runs; None is what was kept, else the setting.
    ``jobs`` is how many processes parse; ``vectors`` False leaves the last stage out; ``stop`` is asked between
    batches. Raises `fourfold.indexing.lock.Busy` while another process indexes, `IndexingError` when the root cannot
    be read or the index not be written.
    """
    root = Path(os.path.realpath(root))
    if not root.is_dir():
        raise IndexingError(f"{root} is not a folder" if root.exists() else f"{root} does not exist")
    chosen = settings if settings is not None else load_settings()[0]
    base = paths.base_of(index)
    if base == paths.base_index(root):
        paths.write_root_note(root)
    options = (chosen, jobs, Reporter(report), stop, embedder, vectors)
    with hold(base):
        _tidy(base)
        try:
            current = paths.current_index(base)
            if rebuild and current.exists():
                return _rebuild(root, base, current, options)
            try:
                return _update(root, base, current, "", options)
            except IndexUnusable as error:
                # it cannot answer any more: the new one takes its place at once, and answers as it grows
                target = paths.next_generation(base)
                SqliteWriter(target, root).close()
                paths.point_to(base, target)
                return _update(root, base, target, error.reason, options)
        except StoreError as error:
            raise IndexingError(str(error)) from error
        except OSError as error:
            raise IndexingError(f"{error.filename or base}: {error.strerror or error}") from error
        finally:
            _tidy(base)


_Options = tuple[Settings, int | None, "Reporter", Stop, str | None, bool]


def _update(root: Path, base: Path, target: Path, reason: str, options: _Options) -> Summary:
    writer = SqliteWriter(target, root)
    try:
        return _Run(root, base, target, writer, options).all(reason)
    finally:
        writer.close()


def _rebuild(root: Path, base: Path, current: Path, options: _Options) -> Summary:
    """A new index from nothing; the old one answers until the new one does, and lends the vectors it has."""
    target = paths.next_generation(base)
    writer = SqliteWriter(target, root)
    older: SqliteWriter | None = None
    try:
        try:
            older = SqliteWriter(current, root)
        except StoreError:
            older = None
        run = _Run(root, base, target, writer, options, older)
        if older is not None:
            run.kept_embedder = older.meta().get("embedder_choice", "")
        return run.all("asked for")
    finally:
        writer.close()
        if older is not None:
            older.close()
        # a rebuild that was cut short points nowhere, and is tidied away


def _tidy(base: Path) -> None:
    """Remove what rebuilds left behind.

    Files that a reader holds open on Windows stay until the next time; one that was somebody else's before the index
    was made beside it stays for good.
    """
    current = paths.current_index(base)
    for other in paths.generations(base):
        if other != current and not is_foreign(other):
            paths.remove_index(other)


@dataclass(frozen=True, slots=True)
class _Changes:
    """What the walk found out. ``jobs`` are the files to read with their sizes; ``held`` is what the index has."""

    found: Mapping[str, Found]
    held: Mapping[str, File]
    skips: Sequence[LedgerEntry]
    jobs: Sequence[tuple[Job, int]]
    removed: Sequence[str]
    racy: bool


class _Run:
    """One run on one open index."""

    def __init__(
        self, root: Path, base: Path, target: Path, writer: Writer, options: _Options, older: Writer | None = None
    ) -> None:
        self.root = root
        self.base = base
        self.target = target
        self.writer = writer
        self.older = older
        self.settings, jobs, self.report, self.stop, self.embedder, self.vectors = options
        self.jobs = jobs or self.settings.jobs or min(os.cpu_count() or 1, 4)
        self.meta = dict(writer.meta())
        self.kept_embedder = self.meta.get("embedder_choice", "")
        self.seconds: dict[str, float] = {}
        self.notices: list[str] = []
        #: content skips: path → [size, mtime_ns, reason, rule, rule source]
        self.tombstones = read_tombstones(self.meta.get("tombstones", ""))
        self.counts = {"added": 0, "changed": 0, "removed": 0, "partial": 0}
        self.touched: dict[str, int] = {}
        self.wanted = ""

    def mark(self, **values: str) -> None:
        """Write those of ``values`` to the index's notes that differ."""
        changed = {key: value for key, value in values.items() if self.meta.get(key, "") != value}
        if changed:
            self.writer.set_meta(changed)
            self.meta.update(changed)

    def all(self, rebuilt: str) -> Summary:
        """Every stage in order; see `refresh`."""
        self.report.generation = int(self.meta.get("generation", "0") or 0)
        started = time.time_ns()
        clock = time.perf_counter()
        crashed = self.meta.get("running") == "1"
        if rebuilt:
            self.report("walk", 0, 0, text=f"the index is made anew: {rebuilt}", now=True)
        changes = self._look()
        clock = self._took("walk", clock)
        if not self.meta.get("looked"):
            # a first run that is cut short need not read again what it wrote
            self.mark(looked=str(started))
        stopped = self.stop()
        if (changes.removed or changes.jobs) and not stopped:
            stopped = self._read(changes, crashed)
        clock = self._took("parse", clock)
        news = not stopped and self._ledger(changes)
        if not stopped and self.meta.get("graph") != "clean":
            self._link()
            news = True
        clock = self._took("graph", clock)
        really = any(self.counts[name] for name in ("added", "changed", "removed"))
        head = gitfiles.head(self.root)
        moved = (self.meta.get("commit", ""), self.meta.get("branch", "")) != head
        if really or news or moved or crashed or self.meta.get("complete") != "1":
            if not stopped:
                self.mark(wanted=str(len(self.writer.files())))
            self._finish(head, complete=not stopped)
        if not stopped:
            if changes.racy or really:
                self.mark(looked=str(started))
            self.mark(recipe=_recipe(self.settings))
            # before the vectors: the new index answers from here on
            if paths.current_index(self.base) != self.target:
                paths.point_to(self.base, self.target)
        self._took("write", clock)
        embedded = missing = 0
        if self.embedder is not None or self.kept_embedder:
            self.mark(embedder_choice=self.embedder or self.kept_embedder)
        if self.vectors and not stopped:
            embedded, missing, stopped = self._embed(head)
        files = len(self.writer.files())
        self.report("done", files, files, text="stopped" if stopped else "", now=True)
        return Summary(
            index=self.target,
            generation=self.report.generation,
            files=files,
            skipped=len(changes.skips) + len(self.tombstones),
            embedded=embedded,
            missing_vectors=missing,
            complete=not stopped and not missing,
            stopped=stopped,
            rebuilt=rebuilt,
            notices=tuple(self.notices),
            seconds=self.seconds,
            **self.counts,
        )

    def _took(self, stage: str, since: float) -> float:
        now = time.perf_counter()
        self.seconds[stage] = round(now - since, 4)
        return now

    def _finish(self, head: tuple[str, str], complete: bool) -> None:
        if complete:
            self.writer.compact()
        self.report.generation = self.writer.finish(*head, complete)
        self.meta.update(commit=head[0], branch=head[1], complete=str(int(complete)), running="")

    # ------------------------------------------------------------------ walk

    def _look(self) -> _Changes:
        """Walk the root and compare it with the index."""
        found: dict[str, Found] = {}
        skips: list[LedgerEntry] = []
        try:
            for item in walk(self.root, self.settings, own=self.base):
                if isinstance(item, Found):
                    found[item.path] = item
                else:
                    skips.append(item)
                self.report("walk", len(found), 0, item.path)
                if self.stop():
                    break
        except OSError as error:
            raise IndexingError(f"{self.root} cannot be read: {error.strerror or error}") from error
        self.report("walk", len(found), len(found), now=True)
        held = self.writer.files()
        names = module_names(list(found), self.root.name)
        outdated = self.meta.get("recipe", "") != _recipe(self.settings)
        if outdated:
            self.tombstones.clear()
        looked = int(self.meta.get("looked", "0") or 0)
        jobs: list[tuple[Job, int]] = []
        racy = False
        for path, item in found.items():
            file = held.get(path)
            buried = self.tombstones.get(path)
            if buried is not None:
                if buried[:2] == [item.size, item.mtime_ns] and item.mtime_ns < looked - RACY_NS:
                    continue
                racy = racy or buried[:2] == [item.size, item.mtime_ns]
            known = ""
            if file is not None and file.module == names[path] and not outdated:
                known = file.digest
                if file.size == item.size and file.mtime_ns == item.mtime_ns:
                    if item.mtime_ns < looked - RACY_NS:
                        continue
                    racy = True
            jobs.append((Job(path, names[path], known, item.text_only), item.size))
        for path in [path for path in self.tombstones if path not in found]:
            del self.tombstones[path]
        removed = [path for path in held if path not in found]
        return _Changes(found, held, skips, jobs, removed, racy)

    # ------------------------------------------------------------------ parse and write

    def _read(self, changes: _Changes, crashed: bool) -> bool:
        """Read and write all changed files; True when it was stopped."""
        self.wanted = str(len(changes.found) - len(self.tombstones))
        if changes.removed:
            self.mark(running="1", graph="", wanted=self.wanted)
            self.writer.remove(list(changes.removed))
            self.counts["removed"] += len(changes.removed)
        total = len(changes.jobs)
        done = 0
        stopped = False
        for delivery in self._deliveries(changes.jobs, crashed):
            self._book(delivery, changes)
            paths = delivery.paths
            done += len(paths)
            self.report("parse", done, total, paths[-1])
            stopped = self.stop()
            if stopped:
                break
        if self.touched:
            self.writer.touch(self.touched)
            self.touched = {}
        if done == total and total:
            self.report("parse", done, total, now=True)
        return stopped or done < total

    def _book(self, delivery: Delivery, changes: _Changes) -> None:
        """Write what a batch came to."""
        parcel = delivery.parcel
        if parcel is not None:
            self.mark(running="1", graph="", wanted=self.wanted)
            self.writer.add_parcel(parcel)
            for file in parcel.files:
                self.tombstones.pop(file.path, None)
                self.counts["changed" if file.path in changes.held else "added"] += 1
                self.counts["partial"] += file.ledger.decision == "partial"
        for outcome in delivery.others:
            if isinstance(outcome, Same):
                if changes.held[outcome.path].mtime_ns != outcome.mtime_ns:
                    self.touched[outcome.path] = outcome.mtime_ns
                continue
            path = outcome.path if isinstance(outcome, Gone) else outcome.entry.path
            if path in changes.held:
                self.mark(running="1", graph="", wanted=self.wanted)
                self.writer.remove([path])
                self.counts["removed"] += 1
            if isinstance(outcome, Skipped):
                entry = outcome.entry
                self.tombstones[path] = [entry.size, outcome.mtime_ns, entry.reason, entry.rule, entry.rule_source]
            else:
                self.tombstones.pop(path, None)

    def _deliveries(self, jobs: Sequence[tuple[Job, int]], crashed: bool) -> Iterator[Delivery]:
        # parsers, resolution and embedders are imported where there is news for them: they take longer than a look at
        # the files of a tree in which nothing has changed
        from fourfold.indexing.delivery import read_batch
        from fourfold.indexing.pool import Pool, PoolFailed
        from fourfold.indexing.words import Vocabulary

        small = len(jobs) < POOL_FILES and sum(size for _, size in jobs) < POOL_BYTES
        left = {job.path for job, _ in jobs}
        # a run that died may have died of a file: then it is read at arm's length
        if self.jobs > 0 and (not small or crashed):
            runs = batches(jobs, self.jobs)
            try:
                with Pool(self.root, self.settings, min(self.jobs, len(runs))) as pool:
                    for delivery in pool.run(runs, self.stop, lambda n, path: self.report("parse", n, len(jobs), path)):
                        left.difference_update(delivery.paths)
                        yield delivery
                return
            except PoolFailed:
                pass
        vocabulary = Vocabulary()
        for batch in batches([(job, size) for job, size in jobs if job.path in left], self.jobs):
            if self.stop():
                return
            yield read_batch(self.root, batch, self.settings, vocabulary)

    def _ledger(self, changes: _Changes) -> bool:
        """Write the entries of paths that are not indexed, if they differ from those written last."""
        entries = [*changes.skips, *buried(self.tombstones)]
        entries.sort(key=lambda entry: entry.path)
        state = hashlib.sha256(repr(entries).encode("utf-8", "surrogatepass")).hexdigest()
        if self.meta.get("ledger") == state:
            return False
        self.writer.set_ledger(entries)
        self.mark(ledger=state, tombstones=json.dumps(self.tombstones))
        return True

    # ------------------------------------------------------------------ graph and vectors

    def _link(self) -> None:
        """Resolve the references that changes concern, or all. A fault of our own in it costs the graph alone; the next
        run tries again."""
        from fourfold.indexing.relink import link
        from fourfold.indexing.resolve import uncollected

        total = self.writer.reference_count()
        self.report("graph", 0, total, now=True)
        with uncollected():
            try:
                graph = link(self.writer)
            except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
                self.notices.append(f"the dependency graph could not be built ({type(error).__name__}: {error})")
                return
            self.report("graph", total, total, now=True)
            self.writer.update_graph(graph.edges, graph.ids, graph.centrality, graph.note)
        self.mark(graph="clean")

    def _embed(self, head: tuple[str, str]) -> tuple[int, int, bool]:
        """(chunks embedded, chunks left without, stopped)."""
        from fourfold.indexing.vectors import embed_missing, open_chosen

        clock = time.perf_counter()
        if self.embedder == "voyage":
            # naming it is consent, which later runs find kept outside the index
            config.remember_consent(self.root, True)
        wanted = self.embedder or self.kept_embedder or self.settings.embedder
        opened, problem = open_chosen(wanted, self.root, self.settings)
        # what readers open for a question: the provider of the vectors that are there, or soon will be
        if opened is not None or wanted == "none":
            self.mark(embedder=opened.provider if opened else "none")
        done = left = 0
        stopped = False
        if opened is not None:
            result = embed_missing(self.writer, self.root, opened, self.report, self.stop, self.older)
            done, left, stopped, problem = result.done, result.left, result.stopped, result.problem
        if problem:
            self.notices.append(problem)
            self.report("vectors", done, done + left, text=problem, now=True)
        if done:
            self._finish(head, complete=True)
        self._took("vectors", clock)
        return done, left, stopped


def _recipe(settings: Settings) -> str:
    """What the rows of an unchanged file depend on beside its content."""
    return json.dumps(
        [RECORDS_VERSION, lexing.DIGEST_VERSION, settings.max_file_bytes, settings.max_text_bytes, settings.generated]
    )
