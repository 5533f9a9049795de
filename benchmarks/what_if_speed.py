"""How long a what-if takes on four lists of 500: ``python benchmarks/what_if_speed.py``.

One change re-ranks everything and makes the records that the screen shows. Beside it, in turn, runs the fusion that the
engine does once a question (all records of all results), so that the ratio says the same on a busy machine; and the
16 ms of a screen that is painted sixty times a second.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from fourfold.lab.what_if import Fetched, ranking
from fourfold.model import MODALITIES, Chunk, Evidence, Hit, HitList, Intent, Plan, Question, Term
from fourfold.search.fuse import Demotion, fuse

LISTS, POOL, FILES, ROUNDS = 500, 1500, 400, 60
FRAME = 16.0


def lists() -> Fetched:
    """Four lists of 500 out of 1,500 chunks of 400 files, with boosts and demotions."""
    drawn = random.Random(1)
    chunks = {
        n: Chunk(n, n % FILES, f"src/p{n % 20}/f{n % FILES}.py", "python", n * 9 + 1, n * 9 + 9, f"s{n}", "function", 0,
                 drawn.random() * 3)
        for n in range(POOL)
    }  # fmt: skip
    hits = {
        name: HitList(
            name,
            "ran",
            tuple(
                Hit(c, float(LISTS - at), Evidence((Term("x", "+", float(LISTS - at)),)), (1, 2))
                for at, c in enumerate(drawn.sample(range(POOL), LISTS))
            ),
        )
        for name in MODALITIES
    }
    weights = {"semantic": 0.5, "text": 0.2, "structural": 0.2, "graph": 0.1}
    plan = Plan(Intent("understand_code", 0.75, "11"), "fused", "", "thorough", 60, LISTS, weights, MODALITIES)  # type: ignore[arg-type]
    demotions = {n: Demotion(0.5, "tests") for n in range(0, POOL, 9)}
    return Fetched(Question("x"), plan, hits, {}, chunks, demotions)


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def main() -> int:
    found = lists()
    what_if, engine = [], []
    for number in range(ROUNDS):
        knobs = replace(found.published, k=1 + number)
        what_if.append(timed(lambda knobs=knobs: ranking(found, knobs, 60, under=False)))  # type: ignore[misc]
        engine.append(timed(lambda: fuse(found.plan, found.lists, found.chunks, found.demotions)))
    ratios = [one / other for one, other in zip(what_if, engine, strict=True)]
    ordered = sorted(what_if)
    print(f"what if: median {statistics.median(what_if):.1f} ms, p95 {ordered[int(ROUNDS * 0.95)]:.1f} ms, "
          f"of the {FRAME:.0f} ms of a frame")  # fmt: skip
    print(f"the engine's own fusion beside it: median {statistics.median(engine):.1f} ms")
    print(f"ratio: median {statistics.median(ratios):.2f}")
    return 0 if statistics.median(what_if) < FRAME else 1


if __name__ == "__main__":
    raise SystemExit(main())
