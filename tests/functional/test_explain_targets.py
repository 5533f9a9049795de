"""``fourfold explain QUERY --target … --json``: the gate of each kind of target, and its remedy carried out; and two
indexes of one root beside each other."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fourfold.cli.dispatch import run

QUERY = "how is a kettle descaled"
Explain = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A codebase with each thing that can happen to a file, indexed without vectors: semantic is not built."""
    top = tmp_path_factory.mktemp("kitchen")
    root = top / "kitchen"
    for path, text in {
        "descale.py": 'def descale_kettle(kettle):\n    """How a kettle is descaled."""\n    kettle.descale()\n'
        '\n\ndef rinse(kettle):\n    """A kettle is rinsed."""\n    kettle.fill()\n'
        '\n\nclass Vinegar:\n    """For a kettle."""\n\n    acid = 5\n',
        "kettle.py": "class Kettle:\n    def descale(self):\n        self.scale = 0\n\n    def fill(self):\n"
        "        self.full = True\n",
        "tea.py": "def brew(leaf):\n    cup = leaf + 1\n"
        "    return cup, 'how a kettle is descaled: how is a kettle descaled'\n",
        "vendor/descaler.py": 'def descale_kettle_fast(kettle):\n    """How a kettle is descaled fast."""\n'
        "    kettle.descale()\n",
        "far.py": "def unrelated(flux):\n    return -2.5 * flux\n",
        "secret.py": "def descale_kettle():\n    pass\n",
        ".gitignore": "secret.py\n",
        **{f"shelf{n}.py": f"def shelf{n}(kettle):\n    # kettle {n}\n    return kettle\n" for n in range(8)},
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    (root / "na\udcffme.py").write_text("def descale(): pass\n")
    (root / "stamp.bin").write_bytes(bytes(range(256)) * 8)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
            patch.setenv(name, str(top / name.lower()))
        assert run(["index", str(root), "--embedder", "none", "--jobs", "1", "--quiet"]) == 0
        yield root


@pytest.fixture
def explain(kitchen: Path, capsys: pytest.CaptureFixture[str]) -> Explain:
    """What is said of a target; its remedy, if there is one, was run and has put the target's file first."""

    def told(target: str, *options: str) -> dict[str, Any]:
        words = ["explain", QUERY, "--target", target, "--root", str(kitchen), "--no-update", "--json", *options]
        capsys.readouterr()
        code = run(words)
        found: dict[str, Any] = json.loads(capsys.readouterr().out)["target"]
        assert code == (0 if found["status"] == "present" else 1)
        if found["remedy"] is None:
            assert found["remedy_reason"].startswith(("none can, because", "it stands first"))
            return found
        assert found["remedy_reason"] is None
        assert found["remedy_change"]
        asked = shlex.split(found["remedy"])
        assert asked[:2] == ["fourfold", "search"]
        assert run([*asked[1:], "--no-update", "--json"]) == 0
        first = json.loads(capsys.readouterr().out)["results"][0]
        path, _, symbol = target.partition(":")
        assert first["path"] == path
        assert not symbol or first["symbol"] == symbol
        return found

    return told


@pytest.mark.parametrize(
    ("target", "options", "gate", "remedy"),
    [
        ("secret.py", (), "skipped", False),
        ("stamp.bin", (), "skipped", False),
        ("nowhere.py", (), "not_found", False),
        ("kettle.py:Teapot", (), "not_found", False),
        ("kettle.py:99", (), "not_found", False),
        ("shelf7.py:shelf7", ("--depth", "3"), "not_retrieved", True),
        ("tea.py", ("--only", "structural"), "off", True),
        ("descale.py:Vinegar", (), "merged", True),
        ("descale.py:rinse", (), "merged", False),
        ("vendor/descaler.py", ("--limit", "4"), "demoted", True),
        ("shelf3.py", ("--limit", "3"), "below_limit", True),
        ("kettle.py", (), "none", True),
        ("descale.py", (), "none", False),
        ("far.py", (), "not_retrieved", False),
    ],
)
def test_each_gate_and_what_puts_the_target_first(
    explain: Explain, target: str, options: tuple[str, ...], gate: str, remedy: bool
) -> None:
    found = explain(target, *options)
    assert (found["gate"], found["remedy"] is not None) == (gate, remedy)
    assert (found["status"] == "present") == (gate in ("none", "demoted", "below_limit"))
    assert (found["position"] is not None) == (found["status"] == "present")


def test_where_none_can_what_stands_above_is_named_and_nothing_tried_gets_past_it(
    kitchen: Path, explain: Explain, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = explain("descale.py:rinse")["remedy_reason"]
    assert reason.endswith(
        "within its own file lines 1-5 (descale_kettle) stands above it, whatever the weights, k and depth"
    )
    for weights, k, depth, more in itertools.product(
        ("text=1", "structural=1", "graph=1", "text=1,graph=1", "text=1,structural=3", "structural=1,graph=4"),
        ("1", "40", "100000"),
        ("1", "2", "200"),
        ([], ["--path", "/descale.py"], ["--path", "/descale.py", "--kind", "function"], ["--intent", "find_similar"]),
    ):
        options = ["--weights", weights, "--k", k, "--depth", depth, "--limit", "1", *more]
        capsys.readouterr()
        run(["search", QUERY, "--root", str(kitchen), "--no-update", "--json", "--quiet", *options])
        assert "rinse" not in [result["symbol"] for result in json.loads(capsys.readouterr().out)["results"]]


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("vendor", "it is a folder: name a file in it"),
        (".", "it is a folder: name a file in it"),
        ("/etc/passwd", "it lies outside"),
        ("kettle.py:0", "the file has no such line"),
        ("kettle.py:²", "the file defines no such symbol"),
        ("kettle.py:" + "9" * 5000, "the file has no such line"),
        ("kettle.py:", "no such file is in the index"),
        ("na\udcffme.py", "not valid UTF-8"),
    ],
)
def test_an_odd_target_is_told_in_one_line(explain: Explain, target: str, told: str) -> None:
    assert told in explain(target)["remedy_reason"]


def test_a_target_without_a_name_is_wrong_use(kitchen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", QUERY, "--target", " ", "--root", str(kitchen), "--no-update"]) == 2
    assert "--target names no file" in capsys.readouterr().err


def test_a_filter_that_shuts_the_target_out_gives_way(explain: Explain) -> None:
    found = explain("kettle.py", "--lang", "go")
    assert found["gate"] == "not_retrieved"
    assert "instead of the filters given" in found["remedy_change"]


def test_the_position_told_is_that_in_the_list(
    kitchen: Path, explain: Explain, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", QUERY, "--root", str(kitchen), "--no-update", "--json", "--limit", "50"]) == 0
    for result in json.loads(capsys.readouterr().out)["results"]:
        assert explain(result["path"], "--limit", "50")["position"] == result["position"]


def test_a_demoted_target_is_told_with_where_it_would_stand(explain: Explain) -> None:
    found = explain("vendor/descaler.py", "--limit", "4")
    assert found["would_be"] <= 4 < found["position"]


def test_a_skipped_target_is_told_with_the_rule(explain: Explain) -> None:
    assert ".gitignore:1: secret.py" in explain("secret.py")["remedy_reason"]
    assert "binary" in explain("stamp.bin")["remedy_reason"]


def test_a_modality_that_is_not_built_is_not_said_to_have_looked(
    kitchen: Path, explain: Explain, capsys: pytest.CaptureFixture[str]
) -> None:
    for target in ("kettle.py", "far.py"):
        found = explain(target)
        assert found["unsearched"] == {"semantic": "not built (no embedder)"}
        assert "semantic" not in found["lists"]
    assert found["remedy_reason"].endswith("semantic not built (no embedder)")
    assert run(["explain", QUERY, "--target", "far.py", "--root", str(kitchen), "--no-update"]) == 1
    lines = capsys.readouterr().out.split("\n")
    assert next(line for line in lines if "semantic" in line and line.startswith("  ")).endswith(
        "not built (no embedder)"
    )
    assert next(line for line in lines if "T text" in line).endswith("not listed at any depth")


def test_two_indexes_of_one_root_side_by_side(
    kitchen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other one was made when ``iron.py`` was there."""
    iron, other = kitchen / "iron.py", tmp_path / "other.db"
    iron.write_text("# how is a kettle descaled\ndef iron(kettle):\n    return kettle\n")
    more = ("--root", str(kitchen), "--no-update", "--json")
    try:
        assert run(["index", str(kitchen), "--index", str(other), "--embedder", "none", "--jobs", "1", "--quiet"]) == 0
    finally:
        iron.unlink()

    def listed(*words: str) -> dict[str, int]:
        capsys.readouterr()
        assert run(["search", QUERY, "--limit", "200", *words, *more]) == 0
        return {r["path"]: r["position"] for r in json.loads(capsys.readouterr().out)["results"]}

    for words, plan in (([], []), (["--k", "3"], []), (["--k", "3"], ["k=9", "only=text"])):
        text = shlex.join([f"index={other}", *plan])
        capsys.readouterr()
        assert run(["explain", QUERY, "--compare", text, *words, *more]) == 0
        found = json.loads(capsys.readouterr().out)["compared"]
        asked = ["--k", "9", "--only", "text"] if plan else words
        before, after = listed(*words), listed(*asked, "--index", str(other))
        assert "iron.py" in after and "iron.py" not in before
        assert {f["path"]: (f["before"], f["after"]) for f in found["files"]} == {
            path: (before.get(path), after.get(path))
            for path in {*before, *after}
            if min(before.get(path, 99), after.get(path, 99)) <= 10
        }
        assert "iron.py" in found["entered"]
    assert run(["explain", QUERY, "--compare", f"index={tmp_path / 'none.db'}", *more]) == 2
    assert "there is no index" in capsys.readouterr().err
    assert not (tmp_path / "none.db").exists()
