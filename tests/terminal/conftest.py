"""The real program on a pseudo-terminal, its screen kept by the emulator pyte."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import sysconfig
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyte
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # tests are imported by file, so that a helper beside them is not found

KEYS = {
    "esc": "\x1b", "enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "f1": "\x1bOP", "ctrl+c": "\x03", "ctrl+q": "\x11", "ctrl+n": "\x0e",
    "alt+up": "\x1b[1;3A", "space": " ",
}  # fmt: skip


class Terminal:
    """A terminal of ``width`` × ``height`` cells in which ``fourfold`` runs."""

    def __init__(self, arguments: list[str], environ: Mapping[str, str], width: int, height: int) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.pid, self._fd = pty.fork()
        if not self.pid:
            os.execve(sys.executable, [sys.executable, "-m", "fourfold", *arguments], dict(environ))
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.screen.resize(height, width)

    def pump(self, seconds: float) -> bytes:
        """Take what the program writes for ``seconds``."""
        end = time.monotonic() + seconds
        got = b""
        while (left := end - time.monotonic()) > 0:
            if not select.select([self._fd], [], [], left)[0]:
                break
            try:
                data = os.read(self._fd, 1 << 16)
            except OSError:
                break
            if not data:
                break
            got += data
            self._stream.feed(data)
        self.raw += got
        return got

    def press(self, *keys: str) -> None:
        """Keys by name, or text as it is."""
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())
            # an escape is told from the start of another key by the pause after it
            self.pump(0.5 if key == "esc" else 0.15)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def wait(self, wanted: str | Callable[[str], bool], seconds: float = 60.0) -> str:
        """The screen once it shows ``wanted`` (or satisfies it); fails with the screen in the message."""
        shows = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if shows(self.text):
                return self.text
            self.pump(0.1)
        raise AssertionError(f"never shown: {wanted}\n{self.text}")

    def ended(self, seconds: float = 20.0) -> int | None:
        """The exit code once the program has ended; None when it has not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pump(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        return None

    def close(self) -> None:
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)


Open = Callable[..., Terminal]

#: What the program must not see of the tests' surroundings. Running side by side sets COLUMNS and LINES, which would
#: hide the real size.
HIDDEN = {"NO_COLOR", "VOYAGE_API_KEY", "NVIM", "TMUX", "VISUAL", "EDITOR", "COLORFGBG", "COLUMNS", "LINES"}


def lay_out(folder: Path) -> Path:
    """Real code of a size that is indexed in a moment: a package of the standard library."""
    root = folder / "json-parser"
    library = Path(sysconfig.get_paths()["stdlib"])
    for name in ("json", "logging"):
        shutil.copytree(library / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(library / "textwrap.py", root)
    return root


@pytest.fixture
def codebase(tmp_path: Path) -> Path:
    """The code, without an index."""
    return lay_out(tmp_path)


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same code with its index, and the cache folder that holds it: to look at, not to change."""
    top = tmp_path_factory.mktemp("indexed")
    root, cache = lay_out(top), top / "cache"
    environ = {**os.environ, "FOURFOLD_CACHE": str(cache), "FOURFOLD_CONFIG": str(top / "c")}
    command = [sys.executable, "-m", "fourfold", "index", str(root), "--quiet"]
    subprocess.run(command, env=environ, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return root, cache


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    """Opens `Terminal`s that remember nothing from elsewhere, and ends them."""
    opened: list[Terminal] = []

    def start(*arguments: str | Path, width: int = 160, height: int = 42, **extra: str) -> Terminal:
        kept = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        own = ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE")
        folders = {name: str(tmp_path / name.lower()) for name in own}
        environ = {**kept, **folders, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONUTF8": "1", **extra}
        terminal = Terminal([str(each) for each in arguments], environ, width, height)
        opened.append(terminal)
        return terminal

    yield start
    for terminal in opened:
        terminal.close()


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small codebase that is always the same, with a real index of it.

    Its vectors come from words alone, by arithmetic that gives the same bits on every machine.
    """
    from still import Still

    from fourfold import paths
    from fourfold.indexing import pipeline, vectors

    top = tmp_path_factory.mktemp("harbour")
    root = top / "harbour"
    shutil.copytree(Path(__file__).parents[1] / "data" / "harbour", root)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
            patch.setenv(name, str(top / name.lower()))
        patch.delenv("NO_COLOR", raising=False)
        patch.setattr(vectors, "open_chosen", lambda *_: (Still(), ""))
        pipeline.refresh(root, paths.base_index(root), jobs=1)
        yield root
