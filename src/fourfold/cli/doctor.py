"""``fourfold doctor``: check this installation and the index of a folder, one line a part; mend a damaged index."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from fourfold.cli.dispatch import FAILED, FOUND
from fourfold.cli.errors import Problem
from fourfold.cli.options import Parser, add_everywhere
from fourfold.cli.session import Place, clear_problems, find_place
from fourfold.harmless import harmless


@dataclass(frozen=True, slots=True)
class Finding:
    """``good`` is None for what is only to be known."""

    part: str
    good: bool | None
    text: str


def parser() -> Parser:
    made = Parser(
        "doctor",
        "Check this installation and the index of a folder; an index that is damaged is made anew.",
        [("fourfold doctor", "the current folder"), ("fourfold doctor ~/src/django", "another one")],
    )
    made.add_argument("folder", nargs="?", metavar="PATH", type=Path, help="the folder (default: the current one)")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_args(argv)
    with clear_problems():
        bad: set[str] = set()
        for finding in chain(installation(), _index(args.folder, args.index)):
            sign = {True: "ok", False: "BAD", None: "--"}[finding.good]
            print(f"{sign:<4}{finding.part:<10} {harmless(finding.text)}", flush=True)
            if finding.good is False:
                bad.add(finding.part)
            elif finding.part == "mended":
                bad.discard("index")
    return FAILED if bad else FOUND


def installation() -> Iterator[Finding]:
    """Everything that travels with the package or stands around it."""
    from fourfold import __version__

    yield Finding("fourfold", True, f"{__version__} in {Path(__file__).resolve().parents[1]}")
    yield Finding("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()}")
    for part, check in (("grammars", _grammars), ("model", _model), ("themes", _themes), ("cues", _cues)):
        yield _checked(part, check)
    yield from _places()
    key = "a key is set; code is sent only where you agreed" if os.environ.get("VOYAGE_API_KEY") else "no key is set"
    yield Finding("voyage", None, key)
    yield Finding("git", None, shutil.which("git") or "not installed (only graph impact --diff needs it)")
    yield Finding(
        "editor", None, os.environ.get("VISUAL") or os.environ.get("EDITOR") or "neither VISUAL nor EDITOR is set"
    )


def _checked(part: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(part, True, check())
    except Exception as error:
        return Finding(part, False, " ".join(str(error).split()) or type(error).__name__)


def _grammars() -> str:
    from fourfold.languages import language, names
    from fourfold.languages.grammar import grammar, query

    wanted = [name for name in names() if language(name).grammar]
    missing = [name for name in wanted if grammar(name) is None]
    if missing:
        raise Problem(f"{len(missing)} do not load: {', '.join(missing)}")
    queries = sum(query(name) is not None for name in wanted)
    return f"{len(wanted)} load, {queries} with queries that compile"


def _model() -> str:
    from fourfold.embedding import open_embedder

    embedder = open_embedder("local")
    if embedder is None:
        raise Problem("there is no local embedder")
    vector = embedder.embed_query("where is the parser")
    return f"{embedder.name} answers with {len(vector.values)} dimensions"


def _themes() -> str:
    from importlib import resources

    shipped = resources.files("fourfold").joinpath("themes")
    beside = Path(__file__).resolve().parents[3] / "themes"
    folder = shipped if shipped.is_dir() else beside
    names = sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))
    if not names:
        raise Problem("none found")
    return ", ".join(names)


def _cues() -> str:
    from fourfold.search.classify import classify

    asked = {
        "en": "where is x_y defined",
        "de": "wo ist x_y definiert",
        "sv": "var definieras x_y",
        "ja": "x_y はどこで定義",
    }
    dumb = [language for language, question in asked.items() if classify(question).name != "find_definition"]
    if dumb:
        raise Problem(f"questions are not understood in {', '.join(dumb)}")
    return f"questions are understood in {', '.join(asked)}"


def _places() -> Iterator[Finding]:
    from fourfold import paths
    from fourfold.config import load_settings

    for part, folder in (("cache", paths.cache_dir()), ("config", paths.config_dir()), ("state", paths.state_dir())):
        above = next((place for place in (folder, *folder.parents) if place.exists()), folder)
        good = above.is_dir() and os.access(above, os.W_OK)
        yield Finding(part, good, f"{folder}{'' if good else ' cannot be written'}")
    _, problems = load_settings()
    yield Finding("settings", not problems, "; ".join(problems) or "no problem")


def _index(folder: Path | None, index: Path | None) -> Iterator[Finding]:
    """What is there, all of it read; what is damaged is made anew at once: an index holds nothing that the code does
    not."""
    from fourfold.store.schema import IndexMissing, IndexUnusable, StoreError

    place = find_place(folder, index)
    try:
        yield Finding("index", True, _examined(place))
    except IndexMissing:
        yield Finding("index", None, f"no index of {place.root} yet; fourfold index {place.root} makes one")
    except StoreError as error:
        yield Finding("index", False, f"{place.index}: {' '.join(str(error).split())}")
        if isinstance(error, IndexUnusable):
            yield _mended(place)


def _examined(place: Place) -> str:
    """What an index holds, after reading all of it. Raises `StoreError` for what is wrong with it."""
    from fourfold.store.reader import SqliteReader
    from fourfold.store.schema import IndexUnusable
    from fourfold.store.sums import is_damaged

    reader = SqliteReader(place.index, place.root)
    try:
        problems = reader.problems()
        if not problems and is_damaged(place.index, thorough=True):
            problems = ["the file is not what was written"]
        if problems:
            raise IndexUnusable(problems[0])
        counts = reader.state().counts
    finally:
        reader.close()
    return f"{place.index}, {counts.files:,} files, {counts.chunks:,} chunks, {counts.bytes / 1e6:,.1f} MB"


def _mended(place: Place) -> Finding:
    from fourfold.config import load_settings
    from fourfold.indexing.lock import Busy
    from fourfold.indexing.pipeline import IndexingError, refresh
    from fourfold.store.sums import condemn

    try:
        condemn(place.index)
        done = refresh(place.root, place.index, embedder=None, vectors=False, settings=load_settings()[0])
    except (Busy, IndexingError, OSError) as error:
        return Finding("mended", False, f"not mended: {' '.join(str(error).split())}")
    return Finding("mended", True, f"made anew: {done.index}, {done.files:,} files; vectors come with the next run")
