"""Opening a place in the user's editor: which program, with which words, and whether it needs the terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Programs that draw in a window of their own; every other one is taken for a terminal program.
_WINDOWS = frozenset({"code", "code-insiders", "codium", "cursor", "subl", "zed", "zeditor", "gedit", "kate", "gvim"})
_PLUS = frozenset({"vim", "nvim", "vi", "view", "gvim", "nano", "kak", "emacs", "emacsclient", "pico", "ne", "joe"})
_QUICKFIX = frozenset({"vim", "nvim", "gvim", "vi"})
_COLON = frozenset({"hx", "helix", "zed", "zeditor", "subl"})
_GOTO = frozenset({"code", "code-insiders", "codium", "cursor"})


@dataclass(frozen=True, slots=True)
class Launch:
    """``terminal`` says that the program takes over this terminal, so the app must step aside."""

    command: tuple[str, ...]
    terminal: bool


def launch(path: Path, line: int, environ: Mapping[str, str], *, wanted: str = "", split: bool = False) -> Launch | str:
    """How to open ``path`` at ``line``, or one line that says why it cannot be.

    Inside a nvim terminal the file opens in that nvim; with ``split``, inside tmux, in a new pane; otherwise
    ``wanted`` (the settings' editor), $VISUAL, $EDITOR, or the first of a few common ones.
    """
    if environ.get("NVIM") and shutil.which("nvim", path=environ.get("PATH")):
        remote = ("nvim", "--server", environ["NVIM"], "--remote", str(path))
        keys = ("nvim", "--server", environ["NVIM"], "--remote-send", f"<C-\\><C-n>:{max(1, line)}<CR>")
        return Launch(("sh", "-c", f"{shlex.join(remote)} && {shlex.join(keys)}"), terminal=False)
    words = _words(environ, wanted)
    if isinstance(words, str):
        return words
    command = (*words, *arguments(words[0], path, line))
    windowed = os.path.basename(words[0]) in _WINDOWS
    if split and environ.get("TMUX") and not windowed:
        return Launch(("tmux", "split-window", "-h", "-c", str(path.parent), shlex.join(command)), terminal=False)
    return Launch(command, terminal=not windowed)


def launch_many(
    places: Sequence[tuple[Path, int]], errorfile: Path, environ: Mapping[str, str], *, wanted: str = ""
) -> Launch | str:
    """How to open several places: as the quickfix list that ``errorfile`` holds where the editor has one, else each
    file at its line as far as the editor can be told."""
    if not places:
        return "nothing is marked"
    if environ.get("NVIM") and shutil.which("nvim", path=environ.get("PATH")):
        escaped = str(errorfile).replace("\\", "\\\\").replace(" ", "\\ ").replace("<", "<lt>")
        keys = f"<C-\\><C-n>:cfile {escaped}<CR>:copen<CR>"
        return Launch(("nvim", "--server", environ["NVIM"], "--remote-send", keys), terminal=False)
    words = _words(environ, wanted)
    if isinstance(words, str):
        return words
    name = os.path.basename(words[0])
    if name in _QUICKFIX:
        return Launch((*words, "-q", str(errorfile)), terminal=name not in _WINDOWS)
    rest: list[str] = []
    for path, line in places:
        told = [word for word in arguments(words[0], path, line) if word != "--"]
        rest += [word for word in told if word != "--reuse-window"]
    if name in _GOTO:
        rest = ["--reuse-window", *rest]
    return Launch((*words, *rest), terminal=name not in _WINDOWS)


def _words(environ: Mapping[str, str], wanted: str) -> list[str] | str:
    """The editor's command, split as a shell would; one line that says why there is none."""
    editor = find(environ, wanted)
    if not editor:
        return "no editor: set $VISUAL or $EDITOR, or editor in the settings"
    try:
        words = shlex.split(editor)
    except ValueError:
        return f"the editor's command cannot be read: {editor}"
    return words or "no editor: set $VISUAL or $EDITOR, or editor in the settings"


def find(environ: Mapping[str, str], wanted: str = "") -> str:
    """The editor's command line, or empty."""
    for candidate in (wanted, environ.get("VISUAL", ""), environ.get("EDITOR", "")):
        if candidate.strip():
            return candidate
    for name in ("nvim", "vim", "hx", "micro", "nano", "vi"):
        if shutil.which(name, path=environ.get("PATH")):
            return name
    return ""


def arguments(program: str, path: Path, line: int) -> tuple[str, ...]:
    """How ``program`` is told a file and a line. An unknown program is given the file alone."""
    name = os.path.basename(program)
    line, file = max(1, line), str(path)
    if name in _GOTO:
        return ("--reuse-window", "--goto", "--", f"{file}:{line}")
    if name in _COLON:
        return ("--", f"{file}:{line}")
    if name == "micro":
        return (f"+{line}", file)
    if name in _PLUS:
        return (f"+{line}", "--", file)
    return (file,)


def quickfix(places: Sequence[tuple[str, int, str]]) -> str:
    """An errorfile for the editor's quickfix list: (path, line, text) as ``path:line:1:text``.

    A path with a line break cannot stand in one, and is left out.
    """
    return "".join(f"{path}:{line}:1:{text}\n" for path, line, text in places if "\n" not in path)


def run(launch: Launch, environ: Mapping[str, str], folder: Path) -> str:
    """Start it (waiting when it is a terminal program); one line when it failed, else empty."""
    try:
        if launch.terminal:
            code = subprocess.run(launch.command, env=dict(environ), cwd=folder, check=False).returncode
            return f"{launch.command[0]} ended with code {code}" if code else ""
        subprocess.Popen(
            launch.command,
            env=dict(environ),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"cannot start {launch.command[0]}: {error.strerror or error}"
    return ""
