"""Which files are indexed, and the rule behind each decision."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.config import Settings
from fourfold.indexing import gitfiles, ignore
from fourfold.indexing.walk import Found, module_names, walk
from fourfold.model import LedgerEntry

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not at hand")


@pytest.fixture(autouse=True)
def no_user_config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)


def make(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def git(root: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    command = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def found(root: Path, chosen: Settings | None = None, own: Path | None = None) -> dict[str, Found]:
    return {item.path: item for item in walk(root, chosen or Settings(), own) if isinstance(item, Found)}


def skipped(root: Path, chosen: Settings | None = None, own: Path | None = None) -> dict[str, LedgerEntry]:
    return {item.path: item for item in walk(root, chosen or Settings(), own) if isinstance(item, LedgerEntry)}


def test_every_path_has_one_decision_and_names_are_kept_as_they_are(tmp_path: Path) -> None:
    names = ["a b.py", "new\nline.py", "日本/語.py", "***/x.py", "scripts/run.sh", "external/e.c", "vendor/v.go"]
    names.append("-q.py")
    make(tmp_path, dict.fromkeys(names, "x = 1\n"))
    items = list(walk(tmp_path, Settings()))
    assert sorted(item.path for item in items) == sorted(names)
    assert all(isinstance(item, Found) for item in items)


def test_a_folder_is_pruned_before_it_is_entered_and_is_one_entry(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "# built\n\nout/\n", "out/a.py": "", "out/b/c.py": "", "src/out.py": ""})
    assert set(found(tmp_path)) == {".gitignore", "src/out.py"}
    entry = skipped(tmp_path)["out"]
    assert (entry.reason, entry.rule, entry.rule_source) == ("ignored", "out/", ".gitignore:3")
    assert list(skipped(tmp_path)) == ["out"]


def test_ignore_files_nest_and_negate_outside_a_repository_too(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".gitignore": "*\n!*/\n!*.go\n!.gitignore\n",
            "main.go": "",
            "pkg/a.go": "",
            "pkg/a.txt": "",
            "pkg/.gitignore": "!*.txt\n",
            "node_modules/x.go": "",
        },
    )
    assert set(found(tmp_path)) == {".gitignore", "main.go", "pkg/.gitignore", "pkg/a.go", "pkg/a.txt"}
    assert skipped(tmp_path)["node_modules"].reason == "filled by a tool"


def test_own_ignore_files_are_stronger_than_gits_and_take_paths_back(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".gitignore": "*.gen\nlocal/\n",
            ".ignore": "docs/\n!a.gen\n",
            ".fourfoldignore": "!docs/\n!node_modules/\n",
            ".dockerignore": "*\n",
            "a.gen": "",
            "b.gen": "",
            "docs/d.md": "",
            "local/l.py": "",
            "node_modules/n.js": "",
        },
    )
    assert {"a.gen", "docs/d.md", "node_modules/n.js"} < set(found(tmp_path))
    assert set(skipped(tmp_path)) == {"b.gen", "local"}
    assert "local/l.py" in found(tmp_path, Settings(ignore=("!local/",)))
    assert skipped(tmp_path, Settings(ignore=("*.md",)))["docs/d.md"].rule_source == "config.toml: ignore:1"


def test_what_is_no_source_is_skipped_with_a_reason(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(root, {"a.png": "x", "src/m.py": "x", "env/pyvenv.cfg": "", "env/lib/p.py": "", "nested/.git/HEAD": "ref: x"})
    make(root, {"nested/n.py": "", "tree/.git": "gitdir: /nowhere", "tree/t.py": "", "big.txt": "x" * 500})
    make(root, {"cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n", "cache/c.py": ""})
    make(tmp_path, {"outside.py": ""})
    os.symlink(tmp_path / "outside.py", root / "leaves.py")
    os.symlink("m.py", root / "src" / "twin.py")
    os.symlink("..", root / "src" / "loop")
    os.symlink("nowhere", root / "broken")
    os.symlink("self", root / "self")
    os.mkfifo(root / "pipe")
    reasons = {path: entry.reason for path, entry in skipped(root, Settings(max_text_bytes=400)).items()}
    assert set(found(root, Settings(max_text_bytes=400))) == {"src/m.py"}
    assert reasons == {
        "a.png": "binary",
        "big.txt": "too large (500 bytes)",
        "broken": "broken link",
        "cache": "cache folder",
        "env": "virtual environment",
        "leaves.py": "link leaves the root",
        "nested": "nested repository",
        "pipe": "special file (fifo)",
        "self": "link loop",
        "src/loop": "link loop",
        "src/twin.py": "link to src/m.py, which is decided there",
        "tree": "nested repository",
    }
    assert found(root, Settings(max_file_bytes=400))["big.txt"].text_only


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode there")
def test_undecodable_names_and_sockets_do_not_stop_a_walk(tmp_path: Path) -> None:
    (tmp_path / "ok.py").write_text("")
    with open(os.fsencode(tmp_path) + b"/bad\xff.py", "w"):
        pass
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "sock"))
        assert set(found(tmp_path)) == {"ok.py"}
        reasons = {path: entry.reason for path, entry in skipped(tmp_path).items()}
    assert reasons == {"bad\\xff.py": "name is not valid UTF-8", "sock": "special file (socket)"}


def test_the_index_itself_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": "", "my.index": "", "my.index-wal": "", "sub/my.index": ""})
    assert set(found(tmp_path, own=tmp_path / "my.index")) == {"a.py", "sub/my.index"}


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(walk(tmp_path / "absent", Settings()))


@needs_git
def test_tracked_files_are_taken_though_ignored_and_submodules_are_named(tmp_path: Path) -> None:
    make(tmp_path, {"keep/a.py": "", "keep/deep/b.py": "", "sub/s.py": ""})
    git(tmp_path, "init", "-q")
    git(tmp_path / "sub", "init", "-q")
    git(tmp_path / "sub", "add", ".")
    git(tmp_path / "sub", "commit", "-qm", "x")
    git(tmp_path, "-c", "advice.addEmbeddedRepo=false", "add", ".")
    make(tmp_path, {".gitignore": "keep/\n", "keep/new.py": "", "keep/other/o.py": ""})
    for version in ("2", "4"):
        git(tmp_path, "update-index", "--index-version", version)
        assert set(found(tmp_path)) == {".gitignore", "keep/a.py", "keep/deep/b.py"}
        reasons = {path: entry.reason for path, entry in skipped(tmp_path).items()}
        assert reasons == {
            ".git": "version control data", "keep/new.py": "ignored", "keep/other": "ignored", "sub": "submodule",
        }  # fmt: skip


@needs_git
def test_a_root_inside_a_repository_obeys_the_files_above_it_unless_it_is_ignored_itself(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*.log\n/scratch/\n/pkg/tmp/\n", "pkg/a.py": "", "pkg/a.log": "", "pkg/tmp/t.py": ""})
    make(tmp_path, {"scratch/s.py": "", "scratch/s.log": ""})
    git(tmp_path, "init", "-q")
    assert set(found(tmp_path / "pkg")) == {"a.py"}
    assert skipped(tmp_path / "pkg")["a.log"].rule_source == "../.gitignore:1"
    assert set(found(tmp_path / "scratch")) == {"s.py", "s.log"}


@needs_git
def test_global_and_info_exclude_files_hold(tmp_path: Path) -> None:
    make(tmp_path, {"a.swp": "", "b.bak": "", "c.py": "", "d.tmp": ""})
    git(tmp_path, "init", "-q")
    (tmp_path / ".git/info/exclude").write_text("*.bak\n")
    make(Path.home(), {".config/git/ignore": "*.swp\n", "mine": "*.tmp\n"})
    assert set(found(tmp_path)) == {"c.py", "d.tmp"}
    assert skipped(tmp_path)["b.bak"].rule_source == ".git/info/exclude:1"
    (Path.home() / ".gitconfig").write_text('[core]\n\texcludesFile = "~/mine" ; a comment\n')
    assert set(found(tmp_path)) == {"a.swp", "c.py"}


@needs_git
def test_head_is_read_without_git(tmp_path: Path) -> None:
    assert gitfiles.head(tmp_path) == ("", "")
    git(tmp_path, "init", "-q", "-b", "feature/x")
    make(tmp_path, {"a": ""})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x")
    commit = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    assert gitfiles.head(tmp_path) == (commit, "feature/x")
    git(tmp_path, "pack-refs", "--all")
    assert gitfiles.head(tmp_path) == (commit, "feature/x")
    git(tmp_path, "worktree", "add", "-q", str(tmp_path / "w"), "-b", "other")
    assert gitfiles.head(tmp_path / "w") == (commit, "other")


ATOMS = ["a", "b", "ab", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "\\a", "\\*"]
ATOMS += [".", "]"]
PATTERN = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=5).map("".join)
LINE = st.tuples(st.sampled_from(["", "", "", "!", "\\!", "#"]), PATTERN, st.sampled_from(["", "", "/", " ", "\\ "]))
FILE = st.lists(LINE.map("".join), max_size=4).map("\n".join)
PATHS = ["a", "b", "ab", "a*", "c", "ab]", "a ", ".a"]
TREE = [f"{x}{y}" for x in ("", "d/", "a/", "a/b/", "b/ab/a/") for y in PATHS if f"{x}{y}" not in ("a", "b")]


@needs_git
@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(top=FILE, nested=FILE, extra=FILE)
def test_decisions_equal_gits(tmp_path: Path, top: str, nested: str, extra: str) -> None:
    root = tmp_path / "tree"
    if not root.exists():
        make(root, {name: "" for name in TREE if name not in ("a/b", "b/ab")})
        git(root, "init", "-q")
    (root / ".gitignore").write_text(top)
    (root / "a/.gitignore").write_text(nested)
    (root / ".git/info/exclude").write_text(extra)
    listed = git(root, "ls-files", "-co", "--exclude-standard", "-z").split(b"\0")
    expected = {os.fsdecode(name) for name in listed if name}
    assert set(found(root)) == expected
    entries = [entry for entry in skipped(root).values() if entry.reason == "ignored"]
    names = b"".join(os.fsencode(entry.path) + b"\0" for entry in entries)
    fields = git(root, "check-ignore", "-v", "-z", "--no-index", "--stdin", stdin=names).split(b"\0")
    rows = [[field.decode() for field in fields[at : at + 4]] for at in range(0, len(fields) - 3, 4)]
    decided = {path: f"{source}:{line}" for source, line, _, path in rows}
    assert {entry.path: entry.rule_source for entry in entries} == decided


@pytest.mark.parametrize("line", ["[", "a[b", "\\", "[[:nope:]]", "[]", "[z-a]", "a" * 5000, "\x00", "**/" * 200 + "x"])
def test_broken_patterns_match_nothing_and_raise_nothing(line: str) -> None:
    rules = ignore.parse(line.encode() + b"\n", "x")
    assert ignore.decide([rules], b"some/file", False) is None


def test_module_names() -> None:
    files = ["src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/m.py", "src/pkg/data/x.py", "src/one.py"]
    files += ["setup.py", "web/src/index.ts", "Makefile", ".bashrc", "lib/p/__init__.py"]
    assert module_names(files, "root") == {
        "src/pkg/__init__.py": "pkg",
        "src/pkg/sub/__init__.py": "pkg.sub",
        "src/pkg/sub/m.py": "pkg.sub.m",
        "src/pkg/data/x.py": "pkg.data.x",
        "src/one.py": "one",
        "setup.py": "setup",
        "web/src/index.ts": "web.src.index",
        "Makefile": "Makefile",
        ".bashrc": ".bashrc",
        "lib/p/__init__.py": "p",
    }
    inside = module_names(["__init__.py", "decoder.py", "sub/__init__.py", "tool/x.py"], "json")
    assert list(inside.values()) == ["json", "json.decoder", "json.sub", "tool.x"]
