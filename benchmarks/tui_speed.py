"""How fast the screen is, measured from outside: the real program on a pseudo-terminal, its screen kept by pyte.

    python benchmarks/tui_speed.py [--work FOLDER] [--megabytes 60] [--runs 7] [--keys 200] [--idle 30]

The code is copied from this Python's standard library and from what pip installed beside it, until there is enough.
*First paint* is the time from the start of the process to the first screen with the line to type in, on a folder that
was never indexed; beside it stand a textual app that shows one word, and a bare import of textual. *Key to paint* is
the time from a key to the screen that shows what it did: letters in the question, `j` and `k` in the results and in the
preview; on a finished index, and while the same code is being indexed from nothing in the background. *Results* is the
time from the end of the pause in the typing to the last change of the list. *Idle* is the CPU time of the program with
its indexer, and the bytes written, while nothing happens, beside the same textual app. What comes after a key is read
at once and emulated afterwards: the emulator takes longer than a terminal, and its time is no part of a figure.

With ``--work`` the code and its index are kept for the next run. Vectors of 60 MB take some minutes: ``--no-vectors``
does without. CPU time is that of /proc (Linux only). The machine's load is shown, since every figure depends on it.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import sysconfig
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyte

HERE = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT = 160, 42
PAUSE = 0.12
SOURCES = frozenset({".py", ".pyi", ".c", ".h", ".cpp", ".js", ".ts", ".md", ".rst"})
MINIMAL = """
from textual.app import App, ComposeResult
from textual.widgets import Static
class Small(App):
    def compose(self) -> ComposeResult:
        yield Static("ready")
Small().run()
"""
LINE = """
from textual.app import App, ComposeResult
from textual.widgets import Input
class Line(App):
    def compose(self) -> ComposeResult:
        yield Input(placeholder="ready")
Line().run()
"""
QUESTIONS = (
    "where is BaseEventLoop defined", "how are tasks scheduled on the event loop", "who calls ensure_future",
    "what breaks if I change urlsplit", '"Expecting property name"', "parse an email header", "ThreadPoolExecutor",
    "/def \\w+_handler/", "retry after a failed request", "how does the csv module guess the dialect",
    "abstract classes", "connection pool timeout", "subclasses of BaseHandler", "render markdown to html",
    "sorting a dataframe by column", "kind:class path:**/http/** server", "code like textwrap", "def read_text",
    "where is the default encoding chosen", "tokenize source code", "who calls shlex.split", "unittest mock patch",
    "how are signals handled", '"No module named"', "compress a stream", "queue with priorities", "logging formatter",
    "what breaks if I change Path.resolve", "is_relative_to", "how does argparse format its help",
)  # fmt: skip


# --------------------------------------------------------------------------- the terminal


class Terminal:
    """A program on a pseudo-terminal. ``shown`` is called after everything that was read, with the time it came."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.ByteStream(self.screen)
        self.bytes = 0
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
            os.execve(command[0], list(command), dict(environ))

    def read(self, seconds: float) -> float | None:
        """Take what there is; the time at which it came, None when nothing did."""
        if not select.select([self._fd], [], [], max(0.0, seconds))[0]:
            return None
        try:
            data = os.read(self._fd, 1 << 18)
        except OSError:
            return None
        came = time.perf_counter()
        self.bytes += len(data)
        self._stream.feed(data)
        return came

    def record(self, seconds: float, quiet: float = 60.0) -> list[tuple[float, bytes]]:
        """What comes within ``seconds``, or until nothing has come for ``quiet``, each piece with its time. Nothing is
        emulated meanwhile: the emulator is slow, and what is measured would wait for it."""
        pieces: list[tuple[float, bytes]] = []
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._fd], [], [], min(left, quiet if pieces else left))[0]:
                pieces.append((time.perf_counter(), os.read(self._fd, 1 << 18)))
            elif pieces:
                break
        return pieces

    def replay(self, pieces: Sequence[tuple[float, bytes]], looks: Callable[[], object]) -> list[float]:
        """Emulate what was recorded: the times at which ``looks`` changed."""
        before, times = looks(), []
        for came, data in pieces:
            self.bytes += len(data)
            self._stream.feed(data)
            if (now := looks()) != before:
                before = now
                times.append(came)
        return times

    def write(self, keys: str) -> float:
        os.write(self._fd, keys.encode())
        return time.perf_counter()

    def rest(self, quiet: float = 0.4, most: float = 20.0) -> None:
        """Read until nothing has come for ``quiet`` seconds."""
        end = time.perf_counter() + most
        while time.perf_counter() < end and self.read(quiet) is not None:
            pass

    def until(self, shows: Callable[[], bool], seconds: float = 30.0) -> float:
        """The time at which the screen first satisfied ``shows``; the screen in the error when it never does."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            came = self.read(0.05)
            if came is not None and shows():
                return came
        raise SystemExit("never shown:\n" + "\n".join(self.screen.display))

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def part(self, rows: slice, columns: slice) -> str:
        return "\n".join(line[columns] for line in self.screen.display[rows])

    def close(self) -> None:
        for pid in family(self.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.pid, 0)
        os.close(self._fd)


def family(pid: int) -> list[int]:
    """A process and those it started."""
    found = [pid]
    for parent in found:
        try:
            found += [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
        except OSError:
            continue
    return found


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process and those it started have taken so far."""
    total = 0
    for each in family(pid):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


# --------------------------------------------------------------------------- the code


def lay_out(root: Path, size: float) -> tuple[int, int, int]:
    """Copy source files to ``root`` until there are ``size`` bytes: files, bytes, lines."""
    files = total = lines = 0
    paths = sysconfig.get_paths()
    for top in (Path(paths["stdlib"]), Path(paths["purelib"])):
        for source in walk(top):
            if total >= size:
                return files, total, lines
            data = source.read_bytes()
            if len(data) > 500_000:
                continue
            target = root / source.relative_to(top.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            files, total, lines = files + 1, total + len(data), lines + data.count(b"\n")
    return files, total, lines


def walk(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", "site-packages", "node_modules"))
        yield from (Path(folder) / name for name in sorted(names) if Path(name).suffix in SOURCES)


# --------------------------------------------------------------------------- what is measured


def environ_of(folder: Path) -> dict[str, str]:
    hidden = {"NO_COLOR", "VOYAGE_API_KEY", "COLUMNS", "LINES", "OPENBLAS_CORETYPE", "PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    own = {name: str(folder / name.lower()) for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE")}
    return {**kept, **own, "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def first_paint(command: Sequence[str], environ: Mapping[str, str], word: str) -> tuple[float, float]:
    """Seconds, and seconds of CPU, from the start of a process to the screen that shows ``word``."""
    terminal = Terminal(command, environ)
    seconds = terminal.until(lambda: word in terminal.text) - terminal.started
    cpu = cpu_of(terminal.pid)
    terminal.close()
    return seconds, cpu


def bare(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def press(terminal: Terminal, key: str, looks: Callable[[], object]) -> float:
    """Seconds from a key to the first screen on which ``looks`` is another."""
    started = terminal.write(key)
    for _ in range(100):
        if times := terminal.replay(terminal.record(0.1, 0.05), looks):
            return times[0] - started
    raise SystemExit("never shown:\n" + terminal.text)


def typed(terminal: Terminal, count: int, clear: str = "\x03") -> list[float]:
    """Letters in the question's line, one after the other, as somebody types who types fast."""
    times: list[float] = []
    while len(times) < count:
        for letter in "how are tasks of the event loop scheduled":
            if letter == " ":  # seen with the next letter
                terminal.write(letter)
                terminal.rest(0.06, 0.06)
                continue
            times.append(press(terminal, letter, lambda: terminal.part(slice(1, 3), slice(0, 90))))
            terminal.rest(0.08, 0.08)
        terminal.write(clear)
        terminal.rest(1.1, 1.1)
    return times[:count]


def moved(terminal: Terminal, count: int, columns: slice) -> list[float]:
    """`j` and `k`: until the cursor's mark stands elsewhere in these columns."""
    times = []
    for number in range(count):
        times.append(press(terminal, "jjjjkkkk"[number % 8], lambda: marks(terminal, columns)))
        terminal.rest(0.08, 0.08)
    return times


def marks(terminal: Terminal, columns: slice) -> list[int]:
    """The lines on which the cursor's mark stands."""
    return [index for index, line in enumerate(terminal.screen.display) if "▌" in line[columns]]


def results(terminal: Terminal, questions: Sequence[str]) -> list[float]:
    """From the end of the pause to the last change of the list."""
    times = []
    area = (slice(5, HEIGHT - 2), slice(0, 41))  # without the scroll bar, which tells of what is below
    for question in questions:
        terminal.rest(0.5)
        terminal.write(question[:-1])
        terminal.rest(0.04, PAUSE * 0.8)
        started = terminal.write(question[-1])
        changes = terminal.replay(terminal.record(2.0), lambda: terminal.part(*area))
        if changes:
            times.append(max(0.0, changes[-1] - started - PAUSE))
        terminal.write("\x03")
        terminal.rest(1.1, 1.1)
    return times


def idle(terminal: Terminal, seconds: float) -> tuple[float, int]:
    """CPU seconds and bytes while nothing happens."""
    cpu, size = cpu_of(terminal.pid), terminal.bytes
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        terminal.read(left)
    return cpu_of(terminal.pid) - cpu, terminal.bytes - size


# --------------------------------------------------------------------------- the table


def spread(times: Sequence[float]) -> str:
    ordered = sorted(times)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"p50 {statistics.median(ordered) * 1000:.0f} ms, p95 {high * 1000:.0f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep the code and its index here")
    parser.add_argument("--megabytes", type=float, default=60)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--idle", type=float, default=30)
    parser.add_argument("--no-vectors", action="store_true")
    parser.add_argument("--only", nargs="*", default=["paint", "quiet", "indexing", "results", "idle"])
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp())
    try:
        measure(options, options.work or scratch / "work", scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


def measure(options: argparse.Namespace, work: Path, scratch: Path) -> None:
    program = [sys.executable, "-m", "fourfold"]
    root = work / "tree"
    if not root.is_dir():
        files, size, lines = lay_out(root, options.megabytes * 1e6)
        (work / "tree.json").write_text(json.dumps({"files": files, "bytes": size, "lines": lines}))
    told = json.loads((work / "tree.json").read_text())
    print(f"{told['files']:,} files, {told['bytes'] / 1e6:.0f} MB, {told['lines']:,} lines; {os.cpu_count()} cores")
    whole = environ_of(work)
    vectors = ["--embedder", "none"] if options.no_vectors else []
    if {"quiet", "results", "idle"} & set(options.only):
        subprocess.run([*program, "index", str(root), "--quiet", *vectors], env=whole, check=True, stdout=sys.stderr)
    told_load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{WIDTH}×{HEIGHT}, {told_load} at the start\n")
    placeholder, word_app = "sk in words, by name", "textual app of one word"

    if "paint" in options.only:
        small = [sys.executable, "-c", MINIMAL]
        fresh = environ_of(scratch / "paint")
        ours, theirs, imported = [], [], []
        for _ in range(options.runs):  # side by side, so that they meet the same load
            ours.append(first_paint([*program, str(HERE / "src")], fresh, placeholder))
            theirs.append(first_paint(small, fresh, "ready"))
            imported.append(bare("import textual.app"))
        row("first paint", spread([wall for wall, _ in ours]), f"{word_app} {spread([wall for wall, _ in theirs])}")
        row("", "", f"python -c 'import textual.app' {spread(imported)}")
        cpu = [statistics.median(each) for each in ([cpu for _, cpu in ours], [cpu for _, cpu in theirs])]
        row("first paint, CPU time", f"p50 {cpu[0] * 1000:.0f} ms", f"{word_app} p50 {cpu[1] * 1000:.0f} ms")

    if {"quiet", "results", "idle"} & set(options.only):
        terminal = Terminal([*program, str(root), *vectors], whole)
        terminal.until(lambda: placeholder in terminal.text and "A ━━━━" in terminal.text)
        time.sleep(3)  # the model is loaded, the tree looked at
        terminal.rest(2.0)
        if "quiet" in options.only:
            line = Terminal([sys.executable, "-c", LINE], whole)
            line.until(lambda: "ready" in line.text)
            beside = typed(line, options.keys, "\x15")
            line.close()
            row("key to paint, typing", spread(typed(terminal, options.keys)), f"textual line {spread(beside)}")
            terminal.write("parse an email header")
            terminal.rest(1.0)
            terminal.write("\x1b")
            terminal.rest(0.8)
            row("key to paint, results", spread(moved(terminal, options.keys, slice(0, 4))), "j and k")
            terminal.write("\tg")  # at the top of the file, where no matched line has a mark of its own
            terminal.rest(0.8)
            edge = next(index for index, sign in enumerate(terminal.screen.display[5][2:], 2) if sign in "│╮")
            row("key to paint, preview", spread(moved(terminal, options.keys, slice(edge, edge + 8))), "j and k")
            terminal.write("/\x1b/")
            terminal.rest(0.8)
            terminal.write("\x03")
            terminal.rest(0.8)
        if "results" in options.only:
            terminal.write("\x1b/")
            terminal.rest(1.0)
            row("results after the pause", spread(results(terminal, QUESTIONS)), f"{len(QUESTIONS)} questions")
        if "idle" in options.only:
            terminal.write("parse an email header")
            terminal.rest(3.0)
            cpu, size = idle(terminal, options.idle)
            other = Terminal([sys.executable, "-c", MINIMAL], whole)
            other.until(lambda: "ready" in other.text)
            other.rest(1.0)
            small_cpu, small_size = idle(other, options.idle)
            other.close()
            row(f"idle for {options.idle:.0f} s", f"{cpu:.2f} s CPU, {size} bytes",
                f"{word_app} {small_cpu:.2f} s, {small_size} bytes")  # fmt: skip
        terminal.close()

    if "indexing" in options.only:
        terminal = Terminal([*program, str(root), *vectors], environ_of(scratch / "indexing"))
        terminal.until(lambda: "reading" in terminal.text, 60)
        line = Terminal([sys.executable, "-c", LINE], whole)
        line.until(lambda: "ready" in line.text)
        ours, theirs = [], []
        for _ in range(0, options.keys, 25):  # side by side, so that they meet the same load
            ours += typed(terminal, 25)
            theirs += typed(line, 25, "\x15")
        still = next((word for word in ("reading", "linking", "embedding") if word in terminal.text), "done")
        row("key to paint while indexing", spread(ours), f"textual line {spread(theirs)}; from the first file on")
        row("", "", f"at the end: {still}")
        line.close()
        terminal.close()
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


def row(what: str, ours: str, beside: str) -> None:
    print(f"{what:<28} {ours:<28} {beside}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
