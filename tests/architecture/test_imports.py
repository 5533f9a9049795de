"""The rooms import only what they may: by the contracts, by the standard library, and as seen in a fresh process."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
SOURCE = TOP / "src" / "fourfold"
#: Slow to import or not everyone's business: nothing may load them before they are used.
HEAVY = (
    "textual",
    "voyageai",
    "onnxruntime",
    "networkx",
    "tokenizers",
    "watchfiles",
    "pygments",
    "aiohttp",
    "tree_sitter",
)


def modules_after(code: str) -> set[str]:
    """Top-level names in ``sys.modules`` of a fresh process that ran ``code``."""
    program = f"import sys, json\n{code}\nprint(json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))",
        ],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("room", ["model.py", "lexing"])
def test_the_lowest_rooms_use_the_standard_library_only(room: str) -> None:
    place = SOURCE / room
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
            for name in names:
                top = name.split(".")[0]
                allowed = top in sys.stdlib_module_names or name.startswith(("fourfold.lexing", "fourfold.model"))
                assert allowed, f"{path.name} imports {name}"


def test_the_command_line_starts_light() -> None:
    loaded = modules_after("import fourfold.cli.dispatch")
    assert not loaded & {*HEAVY, "numpy", "sqlite_utils", "platformdirs"}


def test_help_loads_nothing_heavy() -> None:
    loaded = modules_after("from fourfold.cli import main\nmain(['search', '--help'])")
    assert not loaded & {*HEAVY, "numpy"}


def test_a_search_without_vectors_loads_neither_screen_nor_model(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def hello():\n    return 1\n", "utf-8")
    arguments = ["search", "hello", "--root", str(tmp_path), "--index", str(tmp_path / "x.db"), "--embedder", "none"]
    loaded = modules_after(f"from fourfold.cli import main\nassert main({arguments!r}) == 0")
    assert not loaded & {"textual", "voyageai", "onnxruntime", "networkx", "tokenizers", "watchfiles", "pygments"}


def test_asking_needs_no_remote_client(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def hello():\n    return 1\n", "utf-8")
    arguments = ["search", "how does hello work", "--root", str(tmp_path), "--index", str(tmp_path / "x.db")]
    loaded = modules_after(f"from fourfold.cli import main\nmain({arguments!r})")
    assert not loaded & {"textual", "voyageai", "aiohttp", "watchfiles"}
