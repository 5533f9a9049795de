"""Press anything at the app for a long time: ``python benchmarks/soak.py [FOLDER] [--steps 2000] [--seeds 1]``.

Walks at random through every screen and key of the real app on a real index, in each of three sizes, with resizing down
to 20 × 5 in between. The folder is indexed first if it has no index; without one, a part of the standard library is
taken. Ends with 1 and the steps that led there as soon as anything breaks.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tests" / "terminal"))
SIZES = ((80, 24), (120, 40), (200, 50))
PARTS = ("asyncio", "email", "http", "json", "logging", "unittest", "urllib")


def lay_out(folder: Path) -> Path:
    root = folder / "library"
    library = Path(sysconfig.get_paths()["stdlib"])
    for name in PARTS:
        shutil.copytree(library / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root


async def soak(root: Path, size: tuple[int, int], seed: int, count: int) -> None:
    from driving import driven, walk

    started = time.monotonic()
    async with driven(root, size) as user:
        overview = user.app.screen_main.overview
        names = [symbol.name for symbol in overview.central] if overview is not None else []
        await walk(user, seed, count, names or ["main"], lambda text: print(f"\r{size[0]}×{size[1]}: {text}", end=""))
        views = len(user.app.screen_main.history.views)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.monotonic() - started
    what = f"{count} steps, {views} things seen, {seconds:.0f} s, {memory:.0f} MB at most"
    print(f"\r{size[0]}×{size[1]} seed {seed}: {what}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=1, help="how many different walks in each size")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("FOURFOLD_STATE", "FOURFOLD_CONFIG", *(("FOURFOLD_CACHE",) if options.folder is None else ())):
            os.environ[name] = str(Path(scratch) / name.lower())
        os.environ.pop("NO_COLOR", None)
        from fourfold import paths
        from fourfold.indexing.pipeline import refresh

        root = lay_out(Path(scratch)) if options.folder is None else paths.find_root(options.folder.resolve())
        refresh(root, paths.base_index(root), embedder="local" if options.folder is None else None)
        here = Path.cwd()
        os.chdir(scratch)  # exports go to the current folder
        try:
            for seed in range(options.first, options.first + options.seeds):
                for size in SIZES:
                    asyncio.run(soak(root, size, seed, options.steps))
        finally:
            os.chdir(here)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
