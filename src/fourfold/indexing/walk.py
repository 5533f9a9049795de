"""Which files of a root are indexed: every path gets one decision, with the rule behind it.

Folders are decided before they are entered, so that an ignored tree costs nothing however large it is. Nothing is
read here but ignore files, and the start of what may be fourfold's own output: what else only a file's content can
tell (binary, minified) is decided when it is read.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfold.config import Settings
from fourfold.indexing import gitfiles, ignore
from fourfold.indexing.ignore import Rule, RuleFile
from fourfold.model import LedgerEntry

#: Folders that tools fill and nobody reads. ``scripts``, ``external``, ``vendor``, ``build``, ``dist`` are not among
#: them: people keep sources there, so they are indexed, and stand lower in results.
TOOL_FOLDERS = frozenset(
    """node_modules bower_components jspm_packages __pycache__ .tox .nox .mypy_cache .ruff_cache .pytest_cache
    .hypothesis .pytype .eggs .ipynb_checkpoints .gradle .terraform .parcel-cache .svelte-kit .turbo .nuxt .next
    .angular .dart_tool .bundle .stack-work .cabal-sandbox .cache .ccache .yarn .pnpm-store .vs""".split()
)
VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"})
#: Suffixes of formats that hold no text.
BINARY_SUFFIXES = frozenset(
    """7z a aac aiff apk avi avif bin bmp br bz2 cab class crx db deb dex dll dmg doc docx dylib eot epub exe fla
    flac flv gif gz heic icns ico iso jar jpeg jpg jks keystore lz lz4 lzma m4a m4v mid mkv mov mp3 mp4 mpeg mpg
    msi nib npy npz o odp ods odt ogg ogv onnx otf parquet pdf pickle pkl png ppt pptx psd pyc pyd pyo rar rlib
    rmeta rpm safetensors so sqlite sqlite3 swf tar tflite tgz tif tiff ttc ttf war wasm wav weba webm webp whl wma
    wmv woff woff2 xls xlsx xz zip zst zstd""".split()
)
#: What fourfold writes about its answers, by name and by how it begins: either alone may be somebody else's file.
OUTPUT_NAMES = re.compile(r"fourfold-.*\.(?:json|md|svg)|.*\bsnapshot\b.*\.json", re.DOTALL)
OUTPUT_STARTS: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("fourfold's own snapshot", re.compile(rb'\s*\{\s*"fourfold"\s*:\s*"snapshot"')),
    ("fourfold's own export", re.compile(rb'\s*\{\s*"schema"\s*:\s*\d+,\s*"query"\s*:')),
    ("fourfold's own export", re.compile(rb"# `[^\n]*\n\s*- intent: \w+, score \d")),
    ("fourfold's own export", re.compile(rb'<svg [^>]*font-family="Fira Code, Menlo, Consolas, monospace"')),
)
CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be indexed. ``text_only`` says why its structure is not to be read, or is empty.

    ``path`` is relative to the root with ``/``; ``size`` in bytes.
    """

    path: str
    size: int
    mtime_ns: int
    text_only: str = ""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to enter: its path relative to the root (with a closing ``/``, empty for the root) and its rules."""

    path: str
    git: tuple[RuleFile, ...]
    plain: tuple[RuleFile, ...]
    strong: tuple[RuleFile, ...]
    #: The rule that ignores everything here which is not tracked, for an ignored folder that holds tracked files.
    ignored_by: Rule | None = None


def walk(root: Path, settings: Settings, own: Path | None = None) -> Iterator[Found | LedgerEntry]:
    """Every path below ``root`` with its decision: a `Found` to index, or the `LedgerEntry` of a skipped one.

    A skipped folder is one entry. ``own`` is fourfold's own index file, left out where it lies inside the root. In
    the order of names, the same every time. Raises OSError when the root itself cannot be read.
    """
    yield from _Walk(Path(os.path.realpath(root)), settings, own).run()


class _Walk:
    def __init__(self, root: Path, settings: Settings, own: Path | None) -> None:
        self.root = root
        self.settings = settings
        self.own = (os.path.realpath(own.parent), own.name) if own else None
        repository = gitfiles.repository_of(root)
        self.top = repository.top if repository else root
        self.prefix = _below(self.top, root)
        config = gitfiles.config(repository)
        self.ignore_case = config.get("core.ignorecase", "").lower() in ("true", "yes", "on", "1")
        self.tracked = gitfiles.tracked(repository) if repository else gitfiles.Tracked()
        base: list[RuleFile] = []
        user_file = ignore.global_file(config)
        if user_file is not None:
            base += self._read(user_file, str(user_file), b"")
        if repository:
            exclude = repository.common / "info" / "exclude"
            base += self._read(exclude, self._name(exclude), b"")
        extra = (ignore.from_lines(settings.ignore, "config.toml: ignore"),) if settings.ignore else ()
        self.start = self._outer(_Folder("", tuple(base), (), ()))
        self.extra = tuple(RuleFile(self.prefix, f.rules, f.any_name, f.any_whole) for f in extra)

    def _read(self, path: Path, name: str, base: bytes) -> list[RuleFile]:
        found = ignore.read(path, name, base, self.ignore_case)
        return [found] if found else []

    def _name(self, path: Path) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def _outer(self, start: _Folder) -> _Folder:
        """The rules of the folders between the repository's top and the root.

        A root that these very rules ignore was asked for by name: then none of them holds below it.
        """
        folder, at = start, self.top
        parts = self.root.relative_to(self.top).parts
        inside = b""
        for part in parts:
            folder = self._enter(folder, at, inside, set(ignore.NAMES))
            inside += os.fsencode(part)
            rule = ignore.decide(folder.git + folder.plain + folder.strong, inside, True)
            if rule is not None and not rule.negated and inside not in self.tracked.folders:
                return start
            inside += b"/"
            at = at / part
        return folder

    def _enter(self, folder: _Folder, place: Path, inside: bytes, names: set[str]) -> _Folder:
        """``folder`` with the rules of the ignore files that stand in it."""
        kinds = {}
        for name in ignore.NAMES:
            kinds[name] = self._read(place / name, self._name(place / name), inside) if name in names else []
        git, plain, strong = (tuple(kinds[name]) for name in ignore.NAMES)
        if not (git or plain or strong):
            return folder
        return _Folder(folder.path, folder.git + git, folder.plain + plain, folder.strong + strong, folder.ignored_by)

    def run(self) -> Iterator[Found | LedgerEntry]:
        pending = [self.start]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(self.root / folder.path if folder.path else self.root) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                if not folder.path:
                    raise
                yield _skip(folder.path[:-1], _failure(error))
                continue
            names = {entry.name for entry in entries}
            whole = self._whole(folder, names)
            if whole is not None:
                yield whole
                continue
            place = self.root / folder.path
            folder = self._enter(folder, place, self.prefix + os.fsencode(folder.path), names)
            below: list[_Folder] = []
            for entry in entries:
                decided = self._entry(folder, entry)
                if isinstance(decided, _Folder):
                    below.append(decided)
                elif decided is not None:
                    yield decided
            pending.extend(reversed(below))

    def _whole(self, folder: _Folder, names: set[str]) -> LedgerEntry | None:
        """The entry of a folder that is skipped for what stands in it."""
        if not folder.path:
            return None
        path = folder.path[:-1]
        if ".git" in names:
            if self.prefix + os.fsencode(path) in self.tracked.submodules:
                return _skip(path, "submodule", ".git", "built-in: nested repositories")
            return _skip(path, "nested repository", ".git", "built-in: nested repositories")
        if "pyvenv.cfg" in names:
            return self._unless_wanted(folder, _skip(path, "virtual environment", "pyvenv.cfg", "built-in"))
        if "CACHEDIR.TAG" in names:
            try:
                with (self.root / folder.path / "CACHEDIR.TAG").open("rb") as handle:
                    tagged = handle.read(len(CACHE_TAG)) == CACHE_TAG
            except OSError:
                tagged = False
            if tagged:
                return self._unless_wanted(folder, _skip(path, "cache folder", "CACHEDIR.TAG", "built-in"))
        return None

    def _unless_wanted(self, folder: _Folder, entry: LedgerEntry) -> LedgerEntry | None:
        """None when the user's own files take the folder back in (``!venv/``)."""
        inside = self.prefix + os.fsencode(entry.path)
        rule = ignore.decide(folder.strong + self.extra, inside, True) or ignore.decide(folder.plain, inside, True)
        return None if rule is not None and rule.negated else entry

    def _entry(self, folder: _Folder, entry: os.DirEntry[str]) -> Found | LedgerEntry | _Folder | None:
        path = folder.path + entry.name
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            shown = os.fsencode(path).decode("utf-8", "backslashreplace")
            return _skip(shown, "name is not valid UTF-8")
        try:
            if entry.is_symlink():
                return _skip(path, self._link(entry), "symbolic link", "built-in: links")
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name in VERSION_CONTROL:
                # a ``.git`` file or folder: the root's own, a nested one is met in `_whole`
                return _skip(path, "version control data", entry.name, "built-in: version control")
            ignored = self._ignored(folder, path, entry.name, is_folder)
            if isinstance(ignored, LedgerEntry):
                return ignored
            if is_folder:
                return _Folder(path + "/", folder.git, folder.plain, folder.strong, ignored)
            return self._file(path, entry)
        except FileNotFoundError:
            return None
        except OSError as error:
            return _skip(path, _failure(error))

    def _link(self, entry: os.DirEntry[str]) -> str:
        try:
            target = os.path.realpath(entry.path, strict=True)
        except FileNotFoundError:
            return "broken link"
        except OSError:
            return "link loop"
        place = Path(target)
        if place != self.root and self.root not in place.parents:
            return "link leaves the root"
        if place in Path(entry.path).parents:
            return "link loop"
        return f"link to {_shown(_below(self.root, place)[:-1])}, which is decided there"

    def _ignored(self, folder: _Folder, path: str, name: str, is_folder: bool) -> LedgerEntry | Rule | None:
        """The entry of an ignored path; a rule for a folder of which only tracked files are taken; else None."""
        inside = self.prefix + os.fsencode(path)
        rule = ignore.decide(folder.strong + self.extra, inside, is_folder) or ignore.decide(
            folder.plain, inside, is_folder
        )
        if rule is not None:
            return None if rule.negated else _skip(path, "ignored", rule.text, rule.place)
        if is_folder and name in TOOL_FOLDERS:
            return _skip(path, "filled by a tool", name, "built-in: tool folders")
        if inside in self.tracked.files or inside in self.tracked.submodules:
            return None
        rule = folder.ignored_by or ignore.decide(folder.git, inside, is_folder)
        if rule is None or (rule.negated and rule is not folder.ignored_by):
            return None
        if is_folder and inside in self.tracked.folders:
            return rule
        return _skip(path, "ignored", rule.text, rule.place)

    def _file(self, path: str, entry: os.DirEntry[str]) -> Found | LedgerEntry:
        info = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(info.st_mode):
            return _skip(path, f"special file ({_special(info.st_mode)})")
        if self.own and entry.name.startswith(self.own[1]) and os.path.dirname(entry.path) == self.own[0]:
            return _skip(path, "fourfold's own index", self.own[1], "built-in", info.st_size)
        if OUTPUT_NAMES.fullmatch(entry.name) and (reason := _output(entry.path)):
            return _skip(path, reason, entry.name, "built-in: fourfold's own files", info.st_size)
        stem, _, suffix = entry.name.lower().rpartition(".")
        if stem and suffix in BINARY_SUFFIXES:
            return _skip(path, "binary", f"*.{suffix}", "built-in: binary formats", info.st_size)
        text_only = ""
        if info.st_size > self.settings.max_text_bytes:
            limit = f"max_text_bytes = {self.settings.max_text_bytes}"
            return _skip(path, f"too large ({info.st_size:,} bytes)", limit, "settings", info.st_size)
        if info.st_size > self.settings.max_file_bytes:
            text_only = f"large ({info.st_size:,} bytes): text only"
        return Found(path, info.st_size, info.st_mtime_ns, text_only)


def _output(path: str) -> str:
    """What a file is that fourfold wrote about an answer, by how it begins; empty for any other. Raises OSError."""
    with open(path, "rb") as handle:
        start = handle.read(8192)
    return next((reason for reason, pattern in OUTPUT_STARTS if pattern.match(start)), "")


def _below(top: Path, path: Path) -> bytes:
    """``path`` relative to ``top`` as bytes with ``/`` and a closing one; empty when they are the same."""
    relative = os.fsencode(path.relative_to(top).as_posix())
    return b"" if relative == b"." else relative + b"/"


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")


def _skip(path: str, reason: str, rule: str = "", source: str = "", size: int = 0) -> LedgerEntry:
    return LedgerEntry(path, "skipped", reason, rule, source, size)


def _failure(error: OSError) -> str:
    return "no permission" if isinstance(error, PermissionError) else (error.strerror or "unreadable").lower()


def _special(mode: int) -> str:
    kinds = {stat.S_IFIFO: "fifo", stat.S_IFSOCK: "socket", stat.S_IFBLK: "block device", stat.S_IFCHR: "device"}
    return kinds.get(stat.S_IFMT(mode), "unknown")


def module_names(files: Sequence[str], root_name: str) -> dict[str, str]:
    """Dotted module name of every path. It depends on the neighbours: a Python folder is a package by ``__init__``.

    For Python the name starts at the topmost package folder; outside a package at the root, without a leading
    ``src``. For other languages it is the path without its suffix. ``root_name`` is the root folder's own name, for a
    root that is itself a package.
    """
    packages = {path.rpartition("/")[0] for path in files if path.endswith(("/__init__.py", "/__init__.pyi"))}
    if "__init__.py" in files:
        packages.add("")
    return {path: _module(path, packages, root_name) for path in files}


def _module(path: str, packages: set[str], root_name: str) -> str:
    folder, _, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    stem = stem if dot and stem else name
    parts = folder.split("/") if folder else []
    if suffix not in ("py", "pyi", "pyx", "pxd"):
        return ".".join([*parts, stem])
    start = len(parts)
    while start > 0 and "/".join(parts[:start]) in packages:
        start -= 1
    if start == 0 and "" in packages:
        parts = [root_name, *parts]
    elif start == len(parts):
        parts = parts[1:] if parts[:1] == ["src"] else parts
    else:
        parts = parts[start:]
    if stem == "__init__" and parts:
        return ".".join(parts)
    return ".".join([*parts, stem])
