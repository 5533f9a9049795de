"""Make the pictures in screenshots/ from the real app on real code: ``python benchmarks/screenshots.py [FOLDER]``.

The code is a part of Python's standard library, copied and indexed in a temporary folder. Each picture is an SVG; with
``--png FOLDER`` they are turned into PNG too (needs rsvg-convert and the font Fira Code).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PARTS = (
    "asyncio", "concurrent", "email", "http", "importlib", "json", "logging", "multiprocessing", "unittest", "urllib",
    "xml", "argparse.py", "configparser.py", "csv.py", "dataclasses.py", "functools.py", "heapq.py", "pathlib.py",
    "queue.py", "sched.py", "selectors.py", "shutil.py", "socketserver.py", "subprocess.py", "tarfile.py",
    "textwrap.py", "threading.py", "typing.py", "zipfile.py",
)  # fmt: skip
CELL = 12.2  # width of a character in an exported SVG


@dataclass(frozen=True, slots=True)
class Picture:
    """``keys`` are pressed one after the other; ``~`` waits for what is going on to settle."""

    name: str
    width: int
    height: int
    theme: str
    question: str = ""
    keys: tuple[str, ...] = ()
    #: The lesson on the codebase that ships, instead of a question.
    lesson: bool = False


PICTURES = (
    Picture("overview", 160, 42, "fourfold-dark"),
    Picture("wide", 160, 42, "fourfold-dark", "how are tasks scheduled on the event loop", ("escape",)),
    Picture("definition", 120, 40, "fourfold-dark", "where is BaseEventLoop defined", ("escape", "tab")),
    Picture("impact", 120, 40, "fourfold-light", "what breaks if I change urlsplit", ("escape", "j")),
    Picture("literal", 120, 40, "fourfold-dark", '"Expecting property name"', ("escape",)),
    Picture("narrow", 80, 24, "fourfold-dark", "how are tasks scheduled on the event loop", ("escape", "j")),
    Picture("narrow-why", 80, 24, "fourfold-light", "how are tasks scheduled on the event loop", ("escape", "x")),
    Picture("why", 120, 40, "fourfold-dark", "who calls ensure_future", ("escape", "x")),
    Picture("list", 120, 40, "fourfold-dark", "parse an email header", ("escape", "tab", "tab", "enter")),
    Picture("plan", 160, 42, "high-contrast", "parse an email header", ("escape", "p", "j", "j", "j")),
    Picture("tree", 120, 40, "fourfold-dark", "where is ensure_future defined", ("escape", "T", "~", "j", "l")),
    Picture(
        "lab-explain", 120, 40, "fourfold-light", "how are tasks scheduled on the event loop", ("escape", "x", "~")
    ),
    Picture(
        "lab-what-if",
        120,
        40,
        "fourfold-dark",
        "how are tasks scheduled on the event loop",
        ("escape", "w", "~", "j", "l", "l", "l", "l", "j", "l", "l", "n", "~"),
    ),
    Picture(
        "lab-why-not",
        100,
        30,
        "fourfold-dark",
        "where is ensure_future defined",
        ("escape", "exclamation_mark", "~", *"futures.py", "~", "enter", "~", "~"),
    ),
    Picture(
        "lab-compare",
        140,
        34,
        "fourfold-light",
        "parse an email header",
        ("escape", "c", "~", *"thorough", "~", "enter", "~"),
    ),
    Picture("lab-lesson", 80, 24, "fourfold-light", "", ("~", *("right",) * 14, "1", "~"), lesson=True),
    Picture("help", 120, 40, "fourfold-light", "where is ensure_future defined", ("escape", "question_mark")),
)


def make_codebase(folder: Path) -> Path:
    """A copy of the parts, committed once (where there is git) and changed a little since."""
    root = folder / "cpython-lib"
    root.mkdir()
    library = Path(sysconfig.get_paths()["stdlib"])
    for name in PARTS:
        if (library / name).is_dir():
            shutil.copytree(library / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "*.exe"))
        elif (library / name).exists():
            shutil.copy(library / name, root)
    when = {"GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z"}
    user = ("-c", "user.name=fourfold", "-c", "user.email=fourfold@example.org", "-c", "commit.gpgsign=false")
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "The library")):
            subprocess.run(["git", *user, *words], cwd=root, env={**os.environ, **when}, check=True)
        target = root / "asyncio" / "tasks.py"
        target.write_text(target.read_text().replace("def ensure_future(", "\ndef ensure_future(", 1))
    return root


def index(root: Path) -> None:
    from fourfold import paths
    from fourfold.indexing.pipeline import refresh

    refresh(root, paths.index_path(root), embedder="local", jobs=None, vectors=True, report=lambda _: None)


async def settle(pilot: object, app: object) -> None:
    """Wait until nothing is asked, read or coloured any more."""
    from fourfold.tui.app import FourfoldApp

    assert isinstance(app, FourfoldApp)
    for _ in range(200):
        await pilot.pause(0.05)  # type: ignore[attr-defined]
        screen = app.screen_main
        if not screen.busy and (screen.answer is not None or not screen.text):
            break
    await pilot.pause(0.2)  # type: ignore[attr-defined]


async def take(picture: Picture, root: Path) -> str:
    from fourfold.config import Settings
    from fourfold.tui.app import FourfoldApp
    from fourfold.tui.session import Session

    lesson = None
    if picture.lesson:
        from fourfold.lab.lesson import DEPTH, QUESTION, lesson_question
        from fourfold.lab.lesson_code import lay_out

        root, lesson = lay_out(), lesson_question(QUESTION, DEPTH)
        index(root)
    session = Session(root, None, None, Settings(theme=picture.theme))
    session.open()
    made = (session.lesson(lesson), lesson) if lesson is not None else None
    session.warm()  # the first question would show the time that loading the model takes
    app = FourfoldApp(session, query=picture.question, environ={}, index_in_background=False, lesson=made)
    async with app.run_test(size=(picture.width, picture.height)) as pilot:
        await settle(pilot, app)
        for key in picture.keys:
            if key != "~":
                await pilot.press(key)
            await settle(pilot, app)
        svg = app.export_screenshot(title=f"fourfold · {root.name}")
    session.close()
    return tidy(svg)


def tidy(svg: str) -> str:
    """No font from elsewhere, and no text that starts with a space (some programs leave those out)."""
    svg = re.sub(r"@font-face \{[^}]*\}", "", svg)

    def shift(match: re.Match[str]) -> str:
        head, x, tail, text = match.groups()
        spaces = 0
        while text.startswith("&#160;"):
            text, spaces = text[6:], spaces + 1
        if not text:
            return ""
        tail = re.sub(r'textLength="([\d.]+)"', lambda m: f'textLength="{float(m[1]) - spaces * CELL:.1f}"', tail)
        return f"{head}{float(x) + spaces * CELL:.1f}{tail}{text}</text>"

    svg = re.sub(r'(<text class="[^"]*"[^>]*? x=")([\d.]+)("[^>]*>)((?:&#160;)+[^<]*)</text>', shift, svg)
    return re.sub(r"terminal-\d+-", "t-", "\n".join(line.rstrip() for line in svg.splitlines() if line.strip())) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    project = Path(__file__).resolve().parents[1]
    parser.add_argument("folder", nargs="?", type=Path, default=project / "screenshots")
    parser.add_argument("--png", type=Path, help="also PNG files, into this folder")
    parser.add_argument("--only", nargs="*", help="names of pictures")
    options = parser.parse_args(arguments)
    options.folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
            os.environ[name] = str(Path(scratch) / name.lower())
        os.environ.pop("NO_COLOR", None)
        root = make_codebase(Path(scratch))
        index(root)
        for picture in PICTURES:
            if options.only and picture.name not in options.only:
                continue
            shutil.rmtree(os.environ["FOURFOLD_STATE"], ignore_errors=True)
            target = options.folder / f"{picture.name}.svg"
            # where the throw-away folder lies is no part of the picture; of the same width, so that nothing moves
            here = str(root)
            drawn = asyncio.run(take(picture, root)).replace(here, f"~/{root.name}".ljust(len(here), "\u00a0"))
            target.write_text(drawn, encoding="utf-8")
            print(target)
            if options.png:
                options.png.mkdir(exist_ok=True)
                png = options.png / f"{picture.name}.png"
                subprocess.run(["rsvg-convert", "-w", "1600", str(target), "-o", str(png)], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
