"""Where files live: the index of a root, settings, remembered state. Nothing is made on disk by asking.

An index is named by its *base* file: ``<cache>/<name>-<hash>/index.db`` for a root, or the very file that ``--index``
names. A rebuild writes a new file beside it (``index-2.db``; ``FILE.2`` for a named one), because an open file cannot
be replaced everywhere, and a small pointer file names the current one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from pathlib import Path

import platformdirs

APP = "fourfold"
INDEX_NAME = "index.db"
ROOT_NOTE = "root.json"
#: The application id in an index file's header.
APPLICATION_MARK = b"4FOL"
#: The mode of every folder that fourfold makes: an index tells a lot about code.
PRIVATE = 0o700

_GENERATION = re.compile(r"^(?P<stem>.+)-(?P<n>\d+)\.db$")
_NAMED_GENERATION = re.compile(r"^(?P<base>.+)\.(?P<n>\d+)$")


def cache_dir() -> Path:
    """The folder of all indexes: ``$FOURFOLD_CACHE``, else the platform's cache folder for this user."""
    override = os.environ.get("FOURFOLD_CACHE")
    return Path(override).expanduser() if override else Path(platformdirs.user_cache_dir(APP, appauthor=False))


def config_dir() -> Path:
    """The folder of ``config.toml``, own themes and consents: ``$FOURFOLD_CONFIG``, else the platform's."""
    override = os.environ.get("FOURFOLD_CONFIG")
    return Path(override).expanduser() if override else Path(platformdirs.user_config_dir(APP, appauthor=False))


def state_dir() -> Path:
    """The folder of what is remembered between runs (questions, layouts): ``$FOURFOLD_STATE``, else the platform's."""
    override = os.environ.get("FOURFOLD_STATE")
    return Path(override).expanduser() if override else Path(platformdirs.user_state_dir(APP, appauthor=False))


def make_private(folder: Path) -> Path:
    """Make ``folder`` (and those above it) readable by this user alone; an existing one keeps its mode."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    return folder


def root_key(root: Path) -> str:
    """``<name>-<hash of the real path>``: one name a root, safe in every file system."""
    real = os.path.realpath(root)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", os.path.basename(real)).strip("._")[:40] or "root"
    return f"{name}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:16]}"


def root_dir(root: Path) -> Path:
    """The folder in the cache that holds a root's index."""
    return cache_dir() / root_key(root)


def base_index(root: Path) -> Path:
    """The base file of a root's index in the cache (see the module's head)."""
    return root_dir(root) / INDEX_NAME


def index_path(root: Path) -> Path:
    """The current index file of ``root`` in the user's cache folder; it need not exist."""
    return current_index(base_index(root))


def base_of(index: Path) -> Path:
    """The base that ``index`` is a generation of, or ``index`` itself."""
    match = _GENERATION.match(index.name)
    if match and (index.parent / ROOT_NOTE).is_file():
        return index.with_name(f"{match['stem']}.db")
    named = _NAMED_GENERATION.match(index.name)
    if named and pointer_of(index.with_name(named["base"])).is_file():
        return index.with_name(named["base"])
    return index


def pointer_of(base: Path) -> Path:
    """The small file that names the current generation of ``base``; absent while that is ``base`` itself."""
    return base.with_name(base.name + ".current")


def lock_of(base: Path) -> Path:
    return base.with_name(base.name + ".lock")


def current_index(index: Path) -> Path:
    """The file that a reader should open for ``index`` (a base or one of its generations)."""
    base = base_of(index)
    try:
        name = pointer_of(base).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return base
    # The pointer is only ever one of our own names: nothing outside the folder is opened because of it.
    if not _is_generation(base, name) or not (base.parent / name).is_file():
        return base
    return base.parent / name


def _is_generation(base: Path, name: str) -> bool:
    if name == base.name:
        return True
    if base.suffix == ".db" and base.name == INDEX_NAME:
        match = _GENERATION.match(name)
        return bool(match and f"{match['stem']}.db" == base.name)
    named = _NAMED_GENERATION.match(name)
    return bool(named and named["base"] == base.name)


def next_generation(index: Path) -> Path:
    """A name for a rebuilt index that no file has yet."""
    base = base_of(index)
    n = 2
    while True:
        name = f"{base.stem}-{n}.db" if base.name == INDEX_NAME else f"{base.name}.{n}"
        if not (base.parent / name).exists():
            return base.parent / name
        n += 1


def generations(index: Path) -> list[Path]:
    """Every index file of this base that exists and is known to be ours; a stranger's ``FILE.2`` is not."""
    base = base_of(index)
    try:
        names = sorted(os.listdir(base.parent))
    except OSError:
        return []
    ours = base.name == INDEX_NAME and (base.parent / ROOT_NOTE).is_file()
    found = [base.parent / name for name in names if _is_generation(base, name)]
    return [path for path in found if ours or _has_mark(path)]


def _has_mark(path: Path) -> bool:
    """Whether the file is an SQLite database that bears our application id (bytes 68 to 72 of its header)."""
    try:
        with path.open("rb") as handle:
            return handle.read(72)[68:72] == APPLICATION_MARK
    except OSError:
        return False


def point_to(base: Path, index: Path) -> None:
    """Make ``index``, one of its generations, the current one of ``base``, in one step."""
    pointer = pointer_of(base)
    if index == base:
        pointer.unlink(missing_ok=True)
        return
    scratch = pointer.with_name(pointer.name + ".new")
    scratch.write_text(index.name + "\n", "utf-8")
    os.replace(scratch, pointer)


def remove_index(index: Path) -> bool:
    """Remove one index file and what SQLite keeps beside it; False where a reader still holds it open (Windows)."""
    try:
        index.unlink(missing_ok=True)
        for ending in ("-wal", "-shm", "-journal", ".sum"):
            index.with_name(index.name + ending).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def write_root_note(root: Path) -> None:
    """Note in the cache folder which root it belongs to. Makes the folder."""
    folder = make_private(root_dir(root))
    note = folder / ROOT_NOTE
    if not note.exists():
        note.write_text(json.dumps({"root": os.path.realpath(root)}) + "\n", "utf-8")


def indexed_roots() -> list[Path]:
    """Every root that has a folder in the cache and still exists."""
    roots = []
    with contextlib.suppress(OSError):
        for note in sorted(cache_dir().glob(f"*/{ROOT_NOTE}")):
            try:
                root = Path(str(json.loads(note.read_text("utf-8"))["root"]))
            except (OSError, ValueError, KeyError, TypeError):
                continue
            if root.is_dir():
                roots.append(root)
    return roots


def find_root(path: Path) -> Path:
    """The root whose index holds ``path``: the nearest indexed folder at or above it, else the folder itself.

    The search ends at the top of the repository that ``path`` is in, because an index never reaches into a nested
    one. For a file, the search starts at its folder.
    """
    start = Path(os.path.realpath(path))
    if start.is_file():
        start = start.parent
    for folder in (start, *start.parents):
        if (root_dir(folder) / ROOT_NOTE).is_file() and index_path(folder).is_file():
            return folder
        if (folder / ".git").exists():
            break
    return start
