"""How central each symbol is: PageRank over the resolved references.

Source of the method: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", 1999.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fourfold.store.graph import EdgeColumns, edge_columns
from fourfold.store.interface import EdgeRow, GraphInput
from fourfold.store.schema import CERTAINTIES, KINDS

#: The error of the result is at most damping / (1 - damping) = 6 times this: so two runs from different starts agree to
#: 1e-10.
TOLERANCE = 5e-12
#: The published scale: an average symbol stands at 0.1.
_SCALE = 10.0
_STATE = frozenset({"field", "property"})
_TOUCHES = frozenset({"read", "write"})


def centrality(
    graph: GraphInput,
    edges: Sequence[EdgeRow],
    *,
    damping: float = 0.85,
    tolerance: float = TOLERANCE,
    most_steps: int = 500,
) -> dict[int, float]:
    """Symbol id → PageRank × number of symbols / 10, over every symbol of the root.

    Each pair of symbols counts once, however often the one names the other, and a symbol does not vouch for itself.
    Ambiguous references are left out: a name that a dozen types share would lend all of them its weight. So are reads
    and writes of fields, which mostly come from their own type's methods and would make hubs of its inner state.
    """
    columns = edge_columns(edges)
    ids, values = central(graph, columns, damping=damping, tolerance=tolerance, most_steps=most_steps)
    return dict(zip(ids.tolist(), values.tolist(), strict=True))


def central(
    graph: GraphInput,
    edges: EdgeColumns,
    before: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None,
    *,
    damping: float = 0.85,
    tolerance: float = TOLERANCE,
    most_steps: int = 500,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """`centrality` by columns: ids (ascending) and values. ``before`` are those of a like graph, to start from: the
    result is the same within the tolerance, after fewer steps."""
    ids = np.fromiter((symbol[0] for symbol in graph.symbols), np.int64, len(graph.symbols))
    if not len(ids):
        return ids, np.zeros(0)
    fields = np.array([symbol[0] for symbol in graph.symbols if symbol[4] in _STATE], np.int64)
    counts = (edges.certainty != CERTAINTIES.index("ambiguous")) & (edges.source != edges.target)
    touches = np.isin(edges.kind, [KINDS.index(kind) for kind in _TOUCHES])
    counts[touches] &= ~np.isin(edges.target[touches], fields)
    sources, targets = edges.source[counts], edges.target[counts]
    start = None
    if before is not None and len(before[0]):
        known = _places(before[0], ids)
        start = np.where(known >= 0, before[1][known], before[1].mean())
    ranks = pagerank(ids, sources, targets, start=start, damping=damping, tolerance=tolerance, most_steps=most_steps)
    order = np.argsort(ids, kind="stable")
    return ids[order], ranks[order] * (len(ids) / _SCALE)


def pagerank(
    ids: NDArray[np.int64],
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    *,
    start: NDArray[np.float64] | None = None,
    damping: float = 0.85,
    tolerance: float = TOLERANCE,
    most_steps: int = 500,
) -> NDArray[np.float64]:
    """PageRank of ``ids`` (n,), summing to 1, over the distinct edges ``sources`` → ``targets`` (m,).

    Edges whose ends are not among ``ids`` are left out. What nodes without outgoing edges hold is spread evenly over
    all nodes. Iterates from ``start`` (n,), or equal ranks, until they change by less than ``tolerance`` in sum.
    """
    count = len(ids)
    left, right = _places(ids, sources), _places(ids, targets)
    known = (left >= 0) & (right >= 0)
    pairs = left[known] * count + right[known]
    pairs.sort()  # several times faster than np.unique
    if len(pairs):
        pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))]
    left, right = pairs // count, pairs % count
    outgoing = np.bincount(left, minlength=count).astype(np.float64)
    share = np.divide(damping, outgoing, out=np.zeros(count), where=outgoing > 0)
    dangling = outgoing == 0
    ranks = np.full(count, 1.0 / count) if start is None else start / start.sum()
    for _ in range(most_steps):
        spread = (1.0 - damping + damping * ranks[dangling].sum()) / count
        following = np.bincount(right, weights=(ranks * share)[left], minlength=count) + spread
        change = float(np.abs(following - ranks).sum())
        ranks = following
        if change < tolerance:
            break
    result: NDArray[np.float64] = ranks / ranks.sum()
    return result


def _places(ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of ``wanted`` stands in ``ids``, or -1."""
    count, highest = len(ids), int(ids.max())
    if int(ids.min()) >= 0 and highest < 8 * count + 1_000_000:
        table = np.full(highest + 2, -1, np.int64)
        table[ids] = np.arange(count)
        return table[np.where((wanted >= 0) & (wanted <= highest), wanted, highest + 1)]
    order = np.argsort(ids, kind="stable")
    at = np.minimum(np.searchsorted(ids, wanted, sorter=order), count - 1)
    return np.where(ids[order][at] == wanted, order[at], -1)
