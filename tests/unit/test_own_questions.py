"""The judged questions of benchmarks/ are well formed. Whether their places exist is checked by lay_out.py --check."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fourfold.lab.evaluate import holds_stem
from fourfold.lab.judgements import read_judgements
from fourfold.model import INTENTS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FILES = sorted((BENCHMARKS / "questions").glob("*.jsonl"))
KINDS = {"name", "meaning", "references", "impact", "similar", "exact"}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_package_is_pinned_and_has_questions() -> None:
    packages = tomllib.loads((BENCHMARKS / "packages.toml").read_text("utf-8"))["package"]
    assert [package["name"] for package in packages] == [path.stem for path in FILES]
    assert all(package["version"] and len(package["sha256"]) == 64 for package in packages)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_questions_are_well_formed(path: Path) -> None:
    asked = rows(path)
    assert len(read_judgements(path.read_text("utf-8"), path.name)) == len(asked), "the same question twice"
    for row in asked:
        assert row["kind"] in KINDS and row["lang"] in {"en", "de", "sv", "ja", "und"}, row
        assert set(row["intent"] if isinstance(row["intent"], list) else [row["intent"]]) <= set(INTENTS), row
        if row.get("answerable", True):
            assert max(target["grade"] for target in row["targets"]) == 3, row
        else:
            assert row["reason"], row
        for target in row.get("targets", []):
            assert target["reason"] and 1 <= target["start_line"] <= target["end_line"], target


def test_questions_cover_what_they_should() -> None:
    asked = [row for path in FILES for row in rows(path)]
    judged = [one for path in FILES for one in read_judgements(path.read_text("utf-8"), path.name)]
    intents = Counter(intent for one in judged for intent in one.intents)
    spoken = Counter(row["lang"] for row in asked)
    assert len(asked) >= 200
    assert all(intents[intent] >= 15 for intent in INTENTS)
    assert sum(not one.answerable for one in judged) >= 15
    assert all(spoken[lang] >= 0.1 * (len(asked) - spoken["und"]) for lang in ("de", "sv", "ja"))
    assert sum(holds_stem(one) for one in judged if one.answerable) < len(judged) / 2
