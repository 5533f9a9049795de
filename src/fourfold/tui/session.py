"""What the screen asks of the rooms behind it: open the index, understand a question, answer it. Knows no widget.

Everything but `understand` may take long and is called in worker threads.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold import paths
from fourfold.config import Settings
from fourfold.model import (
    MODALITIES,
    Answer,
    Chunk,
    Direction,
    Edge,
    File,
    Filters,
    IndexState,
    Intent,
    Notice,
    Plan,
    PlanOptions,
    Question,
    Symbol,
)
from fourfold.tui.explain import Without

if TYPE_CHECKING:
    from fourfold.embedding.base import Embedder
    from fourfold.lab.lesson import Lesson
    from fourfold.lab.snapshot import Snapshot
    from fourfold.lab.what_if import Fetched
    from fourfold.lab.why_not import WhyNot
    from fourfold.search.engine import Engine
    from fourfold.store.interface import Reader


#: Questions of each kind: their rules are compiled when they are first needed.
WARM = ("where is warm defined", "who calls warm", "what breaks if warm changes", '"warm up"', "how does warm work")


class NotReady(Exception):
    """There is no index to ask yet; the text says so in one line."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What the first screen shows of a codebase."""

    state: IndexState
    languages: tuple[tuple[str, int, int], ...] = ()  # name, files, lines
    folders: tuple[tuple[str, int, int], ...] = ()  # folder, files, lines
    central: tuple[Symbol, ...] = ()
    changed: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()  # question, what it shows
    affected: tuple[tuple[str, int], ...] = ()  # full name of a changed symbol, how many symbols refer to it


class Session:
    """One root, its index and the engine over it.

    A folder inside an indexed root is asked through that root's index, limited to the folder (``inside``).
    ``root`` is found when it is not given.
    """

    def __init__(
        self, asked: Path, index: Path | None, embedder: str | None, settings: Settings, root: Path | None = None
    ) -> None:
        asked = Path(os.path.realpath(asked))
        self.root = root or (asked if index is not None else paths.find_root(asked))
        self.inside = "" if asked == self.root else asked.relative_to(self.root).as_posix()
        self.settings = settings
        self.index = paths.base_index(self.root) if index is None else index.absolute()
        self.embedder_name = embedder
        self._lock = threading.Lock()
        self._opened: Path | None = None
        self.reader: Reader | None = None
        self.engine: Engine | None = None

    # ------------------------------------------------------------------ opening

    def open(self) -> bool:
        """Open the index, or the file that took its place after a rebuild; False while there is none.

        Raises the store's errors (one clear line) for an index that cannot be used.
        """
        from fourfold.search.demotion import own_rules
        from fourfold.search.engine import Engine
        from fourfold.store.reader import SqliteReader
        from fourfold.store.schema import IndexMissing

        with self._lock:
            path = paths.current_index(self.index)
            if not path.is_file():
                return False
            if path == self._opened:
                return True
            try:
                reader = SqliteReader(path, self.root)
            except IndexMissing:
                return False
            old = self.reader
            demotions = own_rules(self.settings.demotions)
            self.engine = Engine(reader, lambda: self._open_embedder(path), demotions=demotions)
            self.reader, self._opened = reader, path
        if old is not None:
            old.close()
        return True

    def close(self) -> None:
        if self.reader is not None:
            self.reader.close()

    def _open_embedder(self, path: Path) -> Embedder | None:
        """The embedder whose vectors the index holds: a question in another space would be compared with noise."""
        from fourfold.embedding.base import EmbedderUnavailable
        from fourfold.indexing.vectors import open_chosen
        from fourfold.store.origin import notes_of

        notes = notes_of(path)
        wanted = self.embedder_name or notes.get("embedder_choice") or self.settings.embedder
        opened, problem = open_chosen(wanted, self.root, self.settings)
        if opened is None and problem:
            raise EmbedderUnavailable(problem)
        space = notes.get("space")
        if opened is not None and space and space != opened.identity:
            raise EmbedderUnavailable(f"the vectors of this index are not those of {opened.name}; new ones are made")
        return opened

    def warm(self) -> None:
        """Load what the first question and the first preview will need. Nothing is sent anywhere; a failure is told
        with that question."""
        with contextlib.suppress(Exception):
            for text in WARM:
                self.understand(Question(text))
            from fourfold.tui.source import find_lexer

            find_lexer("warm.py")
            if self.engine is not None and self._opened is not None:
                embedder = self._open_embedder(self._opened)
                near = embedder is not None and not embedder.remote
                options = PlanOptions(only=None if near else ("text", "structural", "graph"))
                self.engine.ask(Question("warm", options, limit=1))

    def state(self) -> IndexState | None:
        return self.reader.state() if self.reader is not None else None

    # ------------------------------------------------------------------ questions

    def understand(self, question: Question) -> tuple[str, Intent, Plan]:
        """The question without its filters, the intent and the plan; about a millisecond."""
        question = self.scoped(question)
        if self.engine is not None:
            understood = self.engine.understand(question)
            return understood.body, understood.intent, understood.plan
        from fourfold.search.classify import classify, take_filters
        from fourfold.search.plan import make_plan

        body, filters = take_filters(question.text)
        intent = classify(body)
        return body, intent, make_plan(intent, question.options, filters, body)

    def ask(self, question: Question) -> Answer:
        if self.engine is None:
            raise NotReady("nothing is indexed yet; the question is asked again as soon as something is")
        answer = self.engine.ask(self.scoped(question))
        return replace(answer, question=question, notices=self._wrong(answer) or answer.notices)

    def _wrong(self, answer: Answer) -> tuple[Notice, ...]:
        """What is said in place of all else when a filter names what there is not: so nothing can be found."""
        if not (answer.plan.filters.languages or answer.plan.filters.kinds):
            return ()
        from fourfold.search.known import unknown_filter

        reader = self._ready()
        wrong = unknown_filter(answer.plan.filters, {file.language for file in reader.files() if file.language})
        return (Notice("unknown_filter", wrong[1]),) if wrong else ()

    def ask_index(self, question: Question, index: Path) -> Answer:
        """What another index of this root answers, as it is: looking does not bring it up to date."""
        if paths.current_index(index) == self._opened:
            return self.ask(question)
        other = Session(self.root / self.inside, index, None, self.settings, self.root)
        try:
            if not other.open():
                raise NotReady(f"there is no index {index}")
            return other.ask(question)
        finally:
            other.close()

    def other_indexes(self, folder: Path) -> list[Path]:
        """Indexes of this root beside the one that is open: its own in the cache, and files in ``folder``."""
        found = [paths.current_index(paths.base_index(self.root))]
        with contextlib.suppress(OSError):
            found += sorted(path for path in folder.iterdir() if path.is_file())
        return [path for path in dict.fromkeys(found) if path != self._opened and is_index_of(path, self.root)]

    def scoped(self, question: Question) -> Question:
        """The question within the folder that was opened; its own globs are read from that folder."""
        if not self.inside:
            return question
        from fourfold.search.classify import take_filters

        body, own = take_filters(question.text)
        # signs that a glob reads otherwise stand for any one character
        base = "/" + re.sub(r"[\[\]*?\\]", "?", self.inside)
        limited = Filters(
            languages=own.languages,
            kinds=own.kinds,
            paths=tuple(below(base, each) for each in own.paths) or (f"{base}/**",),
            not_paths=tuple(below(base, each) for each in own.not_paths),
        )
        return replace(question, text=body, filters=limited)

    def without(self, answer: Answer) -> Without:
        """Where each result would stand without a modality, the boost, the demotion."""
        return without(answer)

    def why_not(self, question: Question, target: str) -> WhyNot:
        """``target`` is a path, or one followed by ``:120`` (a line) or ``:name`` (a symbol)."""
        from fourfold.lab.why_not import Target, why_not

        if self.engine is None:
            raise NotReady("nothing is indexed yet")
        path, _, rest = target.rpartition(":")
        if not path or self._ready().file(target) is not None:
            wanted = Target(target)
        else:
            wanted = Target(path, int(rest)) if rest.isdecimal() else Target(path, symbol=rest)
        return why_not(self.engine, self.scoped(question), wanted)

    def fetch(self, question: Question, answer: Answer) -> Fetched:
        from fourfold.lab.what_if import fetch

        if self.engine is None:
            raise NotReady("nothing is indexed yet")
        return fetch(self.engine, self.scoped(question), answer)

    def snapshot(self, question: Question) -> Snapshot:
        """The question asked now, deep enough that what falls out of those shown can be followed."""
        from fourfold.lab.snapshot import DEEP, take

        answer = self.ask(replace(question, limit=max(DEEP, question.limit)))
        return take(replace(answer, question=question), self._ready())

    def lesson(self, question: Question) -> Lesson:
        """The walk through the list of a `lesson_question`. Raises ValueError where there is none."""
        from fourfold.lab.lesson import lesson

        if self.engine is None:
            raise NotReady("nothing is indexed yet")
        return lesson(self.engine, self.scoped(question))

    @property
    def judgements(self) -> Path:
        """The file that grades of this root are kept in."""
        return paths.state_dir() / "judgements" / f"{paths.root_key(self.root)}.jsonl"

    def command(self, question: Question, what_if: Sequence[str] = ()) -> str:
        """The command line that asks ``question`` again, from any folder."""
        from fourfold.lab.command import as_command

        own = self.index if self.index != paths.base_index(self.root) else None
        return as_command(self.scoped(replace(question, limit=10)), self.root, own, what_if)

    # ------------------------------------------------------------------ moving through code

    def _ready(self) -> Reader:
        if self.reader is None:
            raise NotReady("nothing is indexed yet")
        return self.reader

    def outline(self, path: str) -> Sequence[Symbol]:
        return self.reader.outline(path) if self.reader is not None else ()

    def chunk_at(self, path: str, line: int) -> Chunk | None:
        from fourfold.search.engine import chunk_at

        return chunk_at(self._ready(), path, line)

    def chunks(self, ids: Sequence[int]) -> dict[int, Chunk]:
        return dict(self._ready().chunks(ids))

    def files(self) -> Sequence[File]:
        return self._ready().files()

    def skipped(self) -> list[str]:
        """Files that were seen and left out of the index."""
        return [entry.path for entry in self._ready().ledger() if entry.decision == "skipped"]

    def find_symbols(self, name: str) -> list[Symbol]:
        """Symbols of that name (exact, then by the tail of a qualified name), most central first."""
        reader = self._ready()
        found = list(reader.symbols_named(name, "exact", 50)) or list(reader.symbols_named(name, "tail", 50))
        return sorted(found, key=lambda symbol: (-symbol.centrality, symbol.full_name))

    def neighbours(self, symbol: int, direction: Direction) -> list[tuple[Edge, Symbol | None]]:
        """Each edge into (``in``) or out of a symbol, with the symbol at its other end; one a neighbour and kind."""
        reader = self._ready()
        edges = reader.neighbours([symbol], direction)
        seen: set[tuple[int, str]] = set()
        kept = []
        for edge in edges:
            other = edge.source if direction == "in" else edge.target
            if (other, edge.kind) not in seen:
                seen.add((other, edge.kind))
                kept.append((edge, other))
        symbols = reader.symbols([other for _, other in kept])
        pairs = [(edge, symbols.get(other)) for edge, other in kept]
        sure = {"certain": 0, "likely": 1, "ambiguous": 2}
        quiet = ("read", "write", "import")
        pairs.sort(
            key=lambda pair: (
                pair[0].kind in quiet, sure[pair[0].certainty], -(pair[1].centrality if pair[1] else 0.0),
                pair[0].path, pair[0].line,
            )
        )  # fmt: skip
        return pairs

    # ------------------------------------------------------------------ the first screen

    def overview(self) -> Overview:
        from fourfold.search.demotion import default_rules, demotion_of
        from fourfold.tui.examples import example_questions

        reader = self._ready()
        state = reader.state()
        languages: dict[str, list[int]] = {}
        folders: dict[str, list[int]] = {}
        for file in reader.files():
            for table, name in ((languages, file.language), (folders, top_folder(file.path))):
                entry = table.setdefault(name, [0, 0])
                entry[0] += 1
                entry[1] += file.lines
        rules = default_rules()
        central = [
            symbol
            for symbol in reader.central_symbols(160)
            if symbol.kind in WORTH_READING and demotion_of(symbol.path, rules).factor >= 1
        ]
        changed = tuple(changed_files(self.root))
        return Overview(
            state,
            _largest(languages),
            _largest(folders),
            tuple(central[:40]),
            changed,
            example_questions(reader, central, reader.state().embedder != "none"),
            tuple(self._affected(changed)),
        )

    def _affected(self, changed: Sequence[str]) -> list[tuple[str, int]]:
        """The definitions in changed files that most other code refers to, and by how many symbols."""
        reader = self._ready()
        symbols = [s for path in changed[:40] for s in reader.outline(path) if s.kind != "module"]
        symbols.sort(key=lambda symbol: -symbol.centrality)
        counts = []
        for symbol in symbols[:40]:
            users = {edge.source for edge in reader.neighbours([symbol.id], "in")}
            if users:
                counts.append((symbol.full_name, len(users)))
        return sorted(counts, key=lambda pair: (-pair[1], pair[0]))[:8]


def is_index_of(path: Path, root: Path) -> bool:
    """Whether a file is an index that was made for ``root``."""
    from fourfold.store.origin import notes_of
    from fourfold.store.schema import StoreError

    try:
        with path.open("rb") as handle:
            if handle.read(16) != b"SQLite format 3\0":
                return False
        return notes_of(path).get("root") == str(root)
    except (OSError, StoreError):
        return False


def without(answer: Answer) -> Without:
    """Where each result would stand without a modality, the boost, the demotion."""
    from fourfold.search.fuse import positions

    if answer.plan.strategy == "direct":
        return {}
    out: dict[str, Mapping[str, int]] = {}
    for name in MODALITIES:
        if name in answer.plan.runs:
            out[name] = positions(answer.results, without=name)
    out["boost"] = positions(answer.results, boost=False)
    out["demotion"] = positions(answer.results, demotion=False)
    return out


#: Kinds of definitions that make a map of a codebase.
WORTH_READING = frozenset(
    {"function", "method", "class", "interface", "enum", "struct", "trait", "type", "macro", "namespace"}
)


def top_folder(path: str) -> str:
    """The folder that a file is counted under: two levels at the most, ``.`` for the top."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2]) or "."


def below(base: str, pattern: str) -> str:
    """A glob read from the folder ``base``: without a slash it holds at any depth, as in an ignore file."""
    plain = pattern.strip("/")
    anchored = pattern.startswith("/") or "/" in plain
    end = "/" if pattern.endswith("/") else ""
    return f"{base}/{plain}{end}" if anchored else f"{base}/**/{plain}{end}"


def _largest(table: Mapping[str, list[int]]) -> tuple[tuple[str, int, int], ...]:
    rows = [(name, files, lines) for name, (files, lines) in table.items()]
    return tuple(sorted(rows, key=lambda row: (-row[2], row[0]))[:12])


def changed_files(root: Path) -> list[str]:
    """Paths that differ from the last commit, by git; none outside a repository.

    A codebase is never trusted: whatever its own configuration could start (a file system monitor, hooks, an external
    diff) is switched off.
    """
    command = [
        "git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
        "-C", str(root), "status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames",
        "--ignore-submodules=all", "--", ".",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=True)
        prefix = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "--show-prefix"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=5, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return []
    inside = prefix.stdout.decode("utf-8", "replace").strip()
    names = [entry[3:].decode("utf-8", "replace") for entry in done.stdout.split(b"\0") if len(entry) > 3]
    return [name.removeprefix(inside) for name in names if not name.endswith("/")]


def options_from(preset: str, options: PlanOptions) -> PlanOptions:
    """``options`` with a preset that is known."""
    return replace(options, preset=preset if preset in ("quick", "default", "thorough") else "default")
