"""What a working tree's difference to a revision changed, asked of git, with nothing of the repository's run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from fourfold.cli.errors import Problem

_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
#: A repository's own settings could name programs to run; none of these is obeyed.
_SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external=",
    "-c", "core.quotePath=false",
)  # fmt: skip
Ranges = list[tuple[int, int]]


def changed_lines(root: Path, revision: str = "") -> dict[str, Ranges]:
    """Path (relative to ``root``) → ranges of changed lines in the working tree, untracked files whole.

    A removal counts as the line that now stands in its place. ``revision`` is HEAD when empty. Raises Problem.
    """
    if revision.startswith("-"):
        raise Problem(f"no such revision: {revision}", "bad_revision")
    if not _inside(root):
        raise Problem(f"--diff needs a git repository, and {root} is in none", "no_git")
    if not revision and not _inside(root, "HEAD"):
        raise Problem("--diff compares with a commit, and this repository has none yet", "bad_revision")
    plain = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-prefix", "--unified=0", "--relative", "--no-renames")
    found = parse_diff(_git(root, "diff", *plain, revision or "HEAD", "--", "."))
    for name in _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".").split("\0"):
        if name:
            found[name] = [(1, 1 << 30)]
    return found


def parse_diff(text: str) -> dict[str, Ranges]:
    """Ranges of lines on the new side of a unified diff without context and prefixes, by path."""
    found: dict[str, Ranges] = {}
    path = ""
    for line in text.split("\n"):
        if line.startswith("+++ "):
            path = line[4:].rstrip("\t\r")
            if path.startswith('"') and path.endswith('"'):
                path = (
                    path[1:-1].encode().decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace")
                )
            if path == "/dev/null":
                path = ""
        hunk = _HUNK.match(line)
        if hunk and path:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.setdefault(path, []).append((max(first, 1), max(first + count - 1, first, 1)))
    return found


def _inside(root: Path, revision: str = "") -> bool:
    """Whether ``root`` is in a work tree, and the revision is a commit of it."""
    words = ("--verify", "--quiet", f"{revision}^{{commit}}") if revision else ("--is-inside-work-tree",)
    return _run(root, "rev-parse", *words).returncode == 0


def _run(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            ["git", *_SAFE, *words], cwd=root, env=env, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
    except FileNotFoundError:
        raise Problem("--diff needs git, which is not installed", "no_git") from None


def _git(root: Path, *words: str) -> str:
    done = _run(root, *words)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0].removeprefix("fatal: ")
        raise Problem(f"git cannot tell what changed: {said}", "git")
    return done.stdout.decode("utf-8", "replace")
