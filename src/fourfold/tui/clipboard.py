"""Copying: the desktop's own tool first; over SSH (or without one) the terminal is asked with OSC 52."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping

_TOOLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
    ("", ("termux-clipboard-set",)),
)


def tool(environ: Mapping[str, str]) -> tuple[str, ...] | None:
    """The command that takes text on standard input for this desktop's clipboard; None over SSH or without one."""
    if environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"):
        return None
    for variable, command in _TOOLS:
        if (not variable or environ.get(variable)) and shutil.which(command[0], path=environ.get("PATH")):
            return command
    return None


def copy(text: str, environ: Mapping[str, str], terminal: Callable[[str], None]) -> str:
    """Copy ``text`` and say how (“copied”, or that the terminal was asked). ``terminal`` sends OSC 52."""
    command = tool(environ)
    if command is not None:
        try:
            subprocess.run(
                command,
                input=text.encode("utf-8", "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=2,
                check=True,
            )
            return "copied"
        except (OSError, subprocess.SubprocessError):
            pass
    terminal(text)
    return "copied by the terminal"
