"""From a folder that was typed to an index that can be asked: which root, which file, refreshed or as it is."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.cli.errors import Problem
from fourfold.cli.options import embedder_name, folder
from fourfold.cli.progress import ProgressLine
from fourfold.harmless import harmless
from fourfold.model import Answer, Filters, Question

if TYPE_CHECKING:
    from fourfold.config import Settings
    from fourfold.embedding.base import Embedder
    from fourfold.indexing.pipeline import Summary
    from fourfold.search.engine import Engine
    from fourfold.store.reader import SqliteReader


@dataclass(frozen=True, slots=True)
class Place:
    """The root whose index answers, its index file, and the folder that was asked about.

    ``inside`` is that folder within the root (empty when it is the root); ``named`` tells an ``--index FILE``.
    """

    root: Path
    index: Path
    folder: Path
    inside: str = ""
    named: bool = False

    def holds(self, path: str) -> bool:
        """Whether a file of the index is within the folder that was asked about."""
        return not self.inside or path.startswith(self.inside + "/")

    def limited(self, filters: Filters) -> Filters:
        """``filters`` within the folder that was asked about; their globs are read from that folder."""
        if not self.inside:
            return filters
        # signs that a glob reads otherwise stand for any one character
        base = "/" + re.sub(r"[\[\]*?\\]", "?", self.inside)
        paths = tuple(_below(base, glob) for glob in filters.paths) or (f"{base}/**",)
        return replace(filters, paths=paths, not_paths=tuple(_below(base, glob) for glob in filters.not_paths))


def _below(base: str, glob: str) -> str:
    """A glob that is read from ``base``: without a slash it holds at any depth, as in an ignore file."""
    plain = glob.strip("/")
    anchored = glob.startswith("/") or "/" in plain
    folder_only = "/" if glob.endswith("/") else ""
    return f"{base}/{plain}{folder_only}" if anchored else f"{base}/**/{plain}{folder_only}"


def find_place(given: Path | None, index: Path | None) -> Place:
    """Where the index of a folder is: that of an indexed folder above it when there is one, or the file named."""
    from fourfold import paths

    asked = folder(given)
    if index is None:
        root = paths.find_root(asked)
        file = paths.index_path(root)
    else:
        file = paths.current_index(index.absolute())
        if file.is_dir():
            raise Problem(f"{index} is a folder, not an index file", "bad_index")
        root = _root_of(file) or asked
        if not asked.is_relative_to(root):
            raise Problem(f"{index} is the index of {root}, which does not hold {asked}", "bad_index")
    inside = "" if asked == root else asked.relative_to(root).as_posix()
    return Place(root, file, asked, inside, index is not None)


def _root_of(index: Path) -> Path | None:
    """The root that an index file was made for; None when it is new or cannot be read (which is told later)."""
    from fourfold.store.origin import notes_of
    from fourfold.store.schema import StoreError

    try:
        found = notes_of(index).get("root")
    except (StoreError, OSError):
        return None
    root = Path(found) if found else None
    return root if root is not None and root.is_dir() else None


@dataclass(frozen=True, slots=True)
class Session:
    """An open index with its engine."""

    place: Place
    reader: SqliteReader
    engine: Engine
    settings: Settings
    #: Another process is writing the index now, so the last generation answers.
    busy: bool = False

    def scoped(self, question: Question) -> Question:
        """The question within the folder that was asked about; its own filters are taken along."""
        if not self.place.inside:
            return question
        from fourfold.search.classify import take_filters

        body, own = take_filters(question.text)
        given = question.filters
        merged = Filters(
            languages=(*given.languages, *own.languages),
            kinds=(*given.kinds, *own.kinds),
            paths=(*given.paths, *own.paths),
            not_paths=(*given.not_paths, *own.not_paths),
        )
        return replace(question, text=body, filters=self.place.limited(merged))

    def ask(self, question: Question) -> Answer:
        """The answer, with the question as it was typed. Raises Problem for options that make no sense."""
        from fourfold.search.engine import broken
        from fourfold.search.plan import PlanError

        try:
            answer = self.engine.ask(self.scoped(question))
        except PlanError as error:
            raise Problem(str(error), "bad_plan") from None
        if wrong := broken(answer.plan, answer.lists):
            raise Problem(wrong, "bad_syntax" if answer.intent.pattern == "ast" else "bad_regex")
        state = replace(answer.index, fresh=False) if self.busy else answer.index
        return replace(answer, question=replace(answer.question, text=question.text), index=state)

    def lines_of(self, path: str) -> Sequence[str]:
        """The lines of an indexed file as it stands now; none when it vanished."""
        file = self.reader.file(path)
        text = next(iter(self.reader.texts([file.id])), None) if file is not None else None
        return text.data.decode("utf-8", "replace").split("\n") if text is not None else ()

    def command(self, question: Question, what_if: Sequence[str] = ()) -> str:
        """A command line that asks ``question`` again, from any folder."""
        from fourfold.lab.command import as_command

        return as_command(question, self.place.root, self.place.index if self.place.named else None, what_if)


@contextmanager
def open_session(args: argparse.Namespace, vectors: bool = False) -> Iterator[Session]:
    """Find, refresh (unless ``--no-update``) and open the index that ``args`` mean; clear Problems all the way.

    With ``vectors`` it waits for those too.
    """
    with clear_problems():
        settings = settings_of(args.quiet)
        embedder = embedder_name(args.embedder)
        place = find_place(args.root, args.index)
        busy = False
        if embedder == "voyage":
            from fourfold.cli.consent import settle

            settle(place, embedder, settings)
        if not args.no_update:
            place, busy = refreshed(place, embedder, args.quiet, settings, vectors)
        reader = open_reader(place, busy)
        try:
            yield Session(place, reader, _engine(place, reader, settings, embedder), settings, busy)
        finally:
            reader.close()


@contextmanager
def clear_problems() -> Iterator[None]:
    """Turn what the rooms raise into Problems with one clear line."""
    try:
        yield
    except (Problem, BrokenPipeError):
        raise
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        raise Problem(f"{error.strerror or error}{where}", "system") from error
    except Exception as error:
        if _is_told(error):
            raise Problem(str(error), "index") from error
        raise


def _is_told(error: Exception) -> bool:
    """Whether an error's text is meant for people; its module is loaded, or it could not have been raised."""
    told = (("fourfold.store.schema", "StoreError"), ("fourfold.indexing.pipeline", "IndexingError"))
    loaded = [(sys.modules[module], name) for module, name in told if module in sys.modules]
    return any(isinstance(error, getattr(module, name)) for module, name in loaded)


def open_reader(place: Place, busy: bool = False) -> SqliteReader:
    from fourfold.store.reader import SqliteReader
    from fourfold.store.schema import IndexMissing, IndexUnusable

    try:
        return SqliteReader(place.index, place.root)
    except IndexMissing:
        if busy:
            text = f"another process has just begun to index {place.root}; ask again in a moment"
        else:
            text = f"no index of {place.root} yet; fourfold index {place.root} makes one"
        raise Problem(text, "no_index") from None
    except IndexUnusable as error:
        raise Problem(f"{place.index}: {error}; fourfold index --rebuild makes a new one", "damaged_index") from None


def refreshed(
    place: Place, embedder: str | None, quiet: bool, settings: Settings, vectors: bool = False
) -> tuple[Place, bool]:
    """Text, structure and graph (and ``vectors``) brought up to date: the place with the index file that is current
    then, and whether another process is at it (then the last generation answers)."""
    from fourfold.indexing.lock import Busy
    from fourfold.indexing.pipeline import refresh

    try:
        with ProgressLine(quiet) as progress:
            summary = refresh(
                place.root, place.index, embedder=embedder, vectors=vectors, report=progress, settings=settings
            )
    except Busy:
        return place, True
    if not quiet:
        tell(summary)
    return replace(place, index=summary.index), False


def tell(summary: Summary) -> None:
    """What a person should know about a run, on standard error."""
    if summary.rebuilt and summary.rebuilt != "asked for":
        remark(f"the index was made anew: {summary.rebuilt}")
    for notice in summary.notices:
        remark(notice)


def _engine(place: Place, reader: SqliteReader, settings: Settings, embedder: str | None) -> Engine:
    from fourfold.search.demotion import own_rules
    from fourfold.search.engine import Engine

    def source() -> Embedder | None:
        """The embedder whose vectors the index holds: a question in another space would be compared with noise."""
        from fourfold.embedding.base import EmbedderUnavailable
        from fourfold.indexing.vectors import open_chosen
        from fourfold.store.origin import notes_of

        notes = notes_of(place.index)
        wanted = embedder or notes.get("embedder_choice") or settings.embedder
        opened, problem = open_chosen(wanted, place.root, settings)
        if opened is None and problem:
            raise EmbedderUnavailable(problem)
        space = notes.get("space")
        if opened is not None and space and space != opened.identity:
            raise EmbedderUnavailable(
                f"the vectors of this index are not those of {opened.name}; fourfold index makes new ones"
            )
        return opened

    return Engine(reader, source, demotions=own_rules(settings.demotions))


def settings_of(quiet: bool) -> Settings:
    """The person's settings; what is wrong in their file is said once on standard error."""
    from fourfold.config import load_settings

    settings, problems = load_settings()
    if not quiet:
        for problem in problems:
            remark(problem)
    return settings


def remark(text: str) -> None:
    print(f"fourfold: {harmless(text)}", file=sys.stderr)
