"""Real folders and the real command line: a slice of the standard library, and ``fourfold`` as a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

#: Parts of the standard library that make a codebase of about thirty thousand lines.
SLICE = (
    "asyncio",
    "concurrent",
    "csv.py",
    "http",
    "json",
    "logging",
    "urllib",
    "queue.py",
    "selectors.py",
    "textwrap.py",
)

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment with fourfold's own folders under ``home``, and nothing that changes its output."""
    taken_out = ("NO_COLOR", "FORCE_COLOR", "VOYAGE_API_KEY", "FOURFOLD_DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in taken_out}
    folders = {name: str(home / name.lower()) for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE")}
    return {**kept, **folders, "PYTHONUTF8": "1", **(extra or {})}


def command(
    home: Path,
    *args: str | Path,
    cwd: Path | None = None,
    stdin: str | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run ``fourfold ARGS`` to its end in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fourfold", *map(str, args)],
        cwd=cwd or home,
        env=environment(home, env),
        input=stdin if stdin is not None else "",
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=280,
    )


@pytest.fixture
def fourfold(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The command line with a cache of its own for each test."""
    home = tmp_path_factory.mktemp("home")

    def run(*args: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
        return command(home, *args, **more)  # type: ignore[arg-type]

    return run


@dataclass(frozen=True)
class Indexed:
    """A codebase with its index, and the command line that finds it."""

    root: Path
    home: Path

    def __call__(self, *args: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
        return command(self.home, *args, **{"cwd": self.root, **more})  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """A slice of the standard library, fully indexed (vectors too) by ``fourfold index``."""
    home = tmp_path_factory.mktemp("library")
    root = home / "library"
    root.mkdir()
    source = Path(sysconfig.get_paths()["stdlib"])
    for name in SLICE:
        if (source / name).is_dir():
            shutil.copytree(source / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "test", "tests"))
        else:
            shutil.copy(source / name, root / name)
    made = command(home, "index", root, "--embedder", "local")
    assert made.returncode == 0, made.stderr
    return Indexed(root, home)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A codebase of three files."""
    root = tmp_path / "tiny"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "__init__.py").write_text("", "utf-8")
    (root / "pkg" / "greet.py").write_text(
        'def greet(name):\n    """Say hello to somebody."""\n    return f"hello {name}"\n\n\n'
        "def main():\n    print(greet('world'))\n",
        "utf-8",
    )
    (root / "pkg" / "retry.py").write_text(
        "from pkg.greet import greet\n\n\ndef retry_greeting(times):\n"
        "    for attempt in range(times):\n        greet(str(attempt))\n",
        "utf-8",
    )
    return root
