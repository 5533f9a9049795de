"""How fast the graph is resolved, ranked and asked, each beside something known that runs in the same process.

    python benchmarks/graph_speed.py [TREE] [--index FILE] [--jobs N] [--runs N] [--json FILE]

TREE (by default Python's standard library with its tests: about 100,000 symbols and 500,000 references) is indexed
without vectors first, into FILE or a folder that is thrown away. Then, in CPU time of this process, the best of the
runs: *resolve* reads all that resolution needs from the index and finds all edges; *rank* computes the centralities;
*callers* asks for the callers of symbols as they come (the middle of fifty that have some, evenly spread); *impact*
goes three steps back from the hub with the most edges. Beside them: a sort of the references' columns, networkx's
pagerank on the same edges, its predecessors of the same symbols, and its search three steps back from the hub.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import networkx as nx
import numpy as np

from fourfold.config import Settings
from fourfold.indexing.centrality import central
from fourfold.indexing.pipeline import refresh
from fourfold.indexing.resolve import uncollected
from fourfold.indexing.resolve.columns import edges_of
from fourfold.indexing.resolve.edges import Edges
from fourfold.search import graph_questions
from fourfold.store.graph import EdgeColumns
from fourfold.store.reader import SqliteReader
from fourfold.store.rows import GraphColumns
from fourfold.store.schema import CERTAINTIES
from fourfold.store.writer import SqliteWriter

T = TypeVar("T")
ASKED = 50
STEPS = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({f"FOURFOLD_{part}": folder for part in ("CACHE", "CONFIG", "STATE")})
        tree, index = options.tree, options.index or Path(folder) / "graph.db"
        if tree is None:
            tree = Path(folder) / "library"
            left_out = shutil.ignore_patterns("site-packages", "__pycache__")
            shutil.copytree(sysconfig.get_path("stdlib"), tree, ignore=left_out)
        refresh(tree, index, embedder="none", vectors=False, jobs=options.jobs, settings=Settings())
        table = measure(tree, index, options.runs)
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))
    return 0


def measure(tree: Path, index: Path, runs: int) -> dict[str, tuple[float, float]]:
    """Name → (ours, what runs beside it), in seconds of CPU."""
    writer = SqliteWriter(index, tree)
    with uncollected():
        columns = writer.graph_columns()
        resolve, edges = best(lambda: _resolve(writer), runs)
        rank, _ = best(lambda: central(columns.graph, edges), runs)
    writer.close()
    count = f"{len(columns.graph.symbols):,} symbols, {columns.references.ids.size:,} references"
    print(f"{tree.name}: {count}, {edges.reference.size:,} edges", flush=True)
    sort, _ = best(lambda: _sorted(columns), runs)
    pairs, network = _network(columns, edges)
    with uncollected():
        pagerank, _ = best(lambda: nx.pagerank(network, alpha=0.85, tol=1e-9, max_iter=500), 1)
    table = {"resolve": (resolve, sort), "rank": (rank, pagerank)}
    reader = SqliteReader(index, tree)
    targets = np.unique(pairs[:, 1])
    asked = list(reader.symbols(targets[:: max(1, targets.size // ASKED)][:ASKED].tolist()).values())
    graph_questions.callers(reader, asked[:1])  # loads the graph, once for all questions
    ours = [best(lambda symbol=symbol: graph_questions.callers(reader, [symbol]), runs)[0] for symbol in asked]
    theirs = [best(lambda symbol=symbol: list(network.predecessors(symbol.id)), runs)[0] for symbol in asked]
    table["callers"] = statistics.median(ours), statistics.median(theirs)
    hub = list(reader.symbols([int(np.bincount(pairs[:, 1]).argmax())]).values())
    impact, reached = best(lambda: graph_questions.walk_back(reader, hub, max_distance=STEPS), runs)
    backwards = network.reverse(copy=False)
    search, near = best(lambda: nx.single_source_shortest_path_length(backwards, hub[0].id, cutoff=STEPS), runs)
    table["impact"] = impact, search
    reader.close()
    beside = {
        "resolve": "a sort of the references by holder, name and receiver", "rank": "networkx.pagerank",
        "callers": "networkx, predecessors of the same", "impact": "networkx, shortest paths of at most three steps",
    }  # fmt: skip
    print(f"{'':8} {'CPU ms':>9} {'beside':>9} {'ratio':>7}")
    for name, (own, other) in table.items():
        print(f"{name:8} {own * 1e3:9.2f} {other * 1e3:9.2f} {own / max(other, 1e-9):7.2f}   {beside[name]}")
    print(f"hub: {hub[0].full_name}; {len(reached):,} shown of {len(near) - 1:,} within {STEPS} steps")
    return table


def best(work: Callable[[], T], runs: int) -> tuple[float, T]:
    """The least CPU seconds of some runs, and what the last gave."""
    times = []
    for _ in range(runs):
        started = time.process_time()
        found = work()
        times.append(time.process_time() - started)
    return min(times), found


def _resolve(writer: SqliteWriter) -> EdgeColumns:
    columns = writer.graph_columns()
    return edges_of(Edges(columns.graph), columns)


def _sorted(columns: GraphColumns) -> object:
    r = columns.references
    return np.lexsort((r.receiver, r.name, r.holder))


def _network(columns: GraphColumns, edges: EdgeColumns) -> tuple[np.ndarray, nx.DiGraph]:
    """The distinct pairs of edges that are not ambiguous (n, 2), and the graph of them."""
    sure = (edges.certainty != CERTAINTIES.index("ambiguous")) & (edges.source != edges.target) & (edges.source > 0)
    pairs = np.unique(np.stack([edges.source[sure], edges.target[sure]], axis=1), axis=0)
    network = nx.DiGraph()
    network.add_nodes_from(symbol[0] for symbol in columns.graph.symbols)
    network.add_edges_from(pairs.tolist())
    return pairs, network


if __name__ == "__main__":
    sys.exit(main())
