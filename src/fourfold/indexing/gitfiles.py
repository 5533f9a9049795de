"""What git keeps on disk, read without running it: the repository's top, its index, HEAD, and ignore settings.

A repository is data from a stranger: nothing here follows what it says to places outside it, save the folders that
git itself uses for worktrees and submodules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_GITLINK = 0o160000
_SECTION = re.compile(r'^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')


@dataclass(frozen=True, slots=True)
class Repository:
    """``top``: the working tree; ``git``: its own git folder; ``common``: the folder that all worktrees share."""

    top: Path
    git: Path
    common: Path


def repository_of(folder: Path) -> Repository | None:
    """The repository whose working tree holds ``folder`` (a real path), or None."""
    for top in (folder, *folder.parents):
        git = _git_folder(top / ".git")
        if git is not None:
            return Repository(top, git, _common(git))
    return None


def _git_folder(entry: Path) -> Path | None:
    try:
        if entry.is_dir():
            return entry if (entry / "HEAD").exists() else None
        if entry.is_file():
            text = entry.read_text("utf-8", "surrogateescape")[:4096].strip()
            if text.startswith("gitdir:"):
                target = Path(os.path.join(entry.parent, text[len("gitdir:") :].strip()))
                return target if target.is_dir() else None
    except OSError:
        return None
    return None


def _common(git: Path) -> Path:
    try:
        text = (git / "commondir").read_text("utf-8", "surrogateescape").strip()
    except OSError:
        return git
    return Path(os.path.normpath(git / text))


def config(repository: Repository | None) -> dict[str, str]:
    """The settings ``section.key`` (lower case; no subsections) of the user's and the repository's config files."""
    home = os.path.expanduser("~")
    xdg = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    files = [] if os.environ.get("GIT_CONFIG_NOSYSTEM") else [Path("/etc/gitconfig")]
    files += [Path(named)] if named is not None else [Path(xdg, "git", "config"), Path(home, ".gitconfig")]
    if repository is not None:
        files.append(repository.common / "config")
    found: dict[str, str] = {}
    for path in files:
        try:
            found.update(_parse_config(path.read_text("utf-8", "replace")))
        except OSError:
            continue
    return found


def _parse_config(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for raw in text.splitlines():
        line = raw.strip()
        header = _SECTION.match(line)
        if header:
            section = "" if header[2] is not None else header[1].lower()
            line = line[header.end() :].strip()
        if not section or not line or line[0] in "#;":
            continue
        key, _, value = line.partition("=")
        value = re.split(r"\s[#;]", value, maxsplit=1)[0].strip()
        if len(value) >= 2 and value[0] == value[-1] == '"':
            value = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        yield f"{section}.{key.strip().lower()}", value


@dataclass(frozen=True, slots=True)
class Tracked:
    """What the repository's index lists, relative to the repository's top (bytes): files, their folders, submodules."""

    files: frozenset[bytes] = frozenset()
    folders: frozenset[bytes] = frozenset()
    submodules: frozenset[bytes] = frozenset()


def tracked(repository: Repository) -> Tracked:
    """Read the index file; an absent, damaged or unknown one lists nothing."""
    try:
        data = (repository.git / "index").read_bytes()
        hash_length = 32 if config(repository).get("extensions.objectformat", "") == "sha256" else 20
        entries = list(_index_entries(data, hash_length))
    except (OSError, ValueError, IndexError):
        return Tracked()
    files, submodules, folders = set(), set(), set()
    for mode, path in entries:
        if mode & 0o170000 == _GITLINK:
            submodules.add(path)
        else:
            files.add(path)
        folder = path.rpartition(b"/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition(b"/")[0]
    return Tracked(frozenset(files), frozenset(folders), frozenset(submodules))


def _index_entries(data: bytes, hash_length: int) -> Iterator[tuple[int, bytes]]:
    """(mode, path) of each entry of an index file of version 2, 3 or 4. Raises ValueError for another."""
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index file")
    at, previous = 12, b""
    fixed = 40 + hash_length + 2
    for _ in range(int.from_bytes(data[8:12], "big")):
        start = at
        mode = int.from_bytes(data[start + 24 : start + 28], "big")
        flags = int.from_bytes(data[start + fixed - 2 : start + fixed], "big")
        at = start + fixed + (2 if flags & 0x4000 else 0)
        if version == 4:
            strip, at = _varint(data, at)
            end = data.index(b"\0", at)
            path = previous[: len(previous) - strip] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            path = data[at:end]
            # entries are padded with 1 to 8 NULs to a multiple of eight bytes
            at = start + ((end - start + 8) & ~7)
        previous = path
        yield mode, path


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Git's offset encoding: seven bits a byte, one added at each continuation."""
    byte = data[at]
    at += 1
    value = byte & 0x7F
    while byte & 0x80:
        byte = data[at]
        at += 1
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at


def head(root: Path) -> tuple[str, str]:
    """(commit, branch) of the repository that holds ``root``; empty where there is none (no repository, detached)."""
    repository = repository_of(Path(os.path.realpath(root)))
    if repository is None:
        return "", ""
    try:
        text = (repository.git / "HEAD").read_text("utf-8", "replace").strip()
    except OSError:
        return "", ""
    if not text.startswith("ref:"):
        return text[:64], ""
    ref = text[len("ref:") :].strip()
    return _resolve(repository, ref), ref.removeprefix("refs/heads/")


def _resolve(repository: Repository, ref: str) -> str:
    if ".." in ref or not ref.startswith("refs/"):
        return ""
    for folder in (repository.git, repository.common):
        try:
            return (folder / ref).read_text("utf-8", "replace").strip()[:64]
        except OSError:
            continue
    try:
        packed = (repository.common / "packed-refs").read_text("utf-8", "replace")
    except OSError:
        return ""
    for line in packed.splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit[:64]
    return ""
