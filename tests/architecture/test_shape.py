"""What the project must look like: files of a readable size, and a wheel that carries everything it needs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
LONGEST = 500


def test_no_source_file_holds_two_things() -> None:
    long = {
        path.relative_to(TOP).as_posix(): lines
        for path in sorted((TOP / "src").rglob("*.py"))
        if (lines := path.read_text("utf-8").count("\n")) > LONGEST
    }
    assert not long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)],
        cwd=TOP,
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    return zipfile.ZipFile(next(place.glob("*.whl")))


@pytest.mark.parametrize(
    "suffix", [".py", ".scm", ".toml", ".onnx", ".json", ".npz", ".npy", ".typed", ".txt", ".md", ".bin"]
)
def test_every_data_file_of_the_package_travels_in_the_wheel(wheel: zipfile.ZipFile, suffix: str) -> None:
    carried = set(wheel.namelist())
    for path in (TOP / "src").rglob(f"*{suffix}"):
        if "__pycache__" not in path.parts:
            assert path.relative_to(TOP / "src").as_posix() in carried


def test_themes_and_licences_travel_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    carried = set(wheel.namelist())
    themes = sorted((TOP / "themes").glob("*.toml"))
    assert themes
    assert all(f"fourfold/themes/{theme.name}" in carried for theme in themes)
    assert any(name.endswith("licenses/LICENSE") for name in carried)
    assert any(name.endswith("licenses/NOTICE") for name in carried)


def test_nothing_else_travels_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    version = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    assert all(top == version or top.endswith(".dist-info") for top in tops)
