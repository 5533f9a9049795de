"""How central each symbol is: PageRank over the resolved references.

Source of the method: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking", 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from fourfold.store.interface import EdgeRow, GraphInput

#: The published scale: an average symbol stands at 0.1.
_SCALE = 10.0
_STATE = frozenset({"field", "property"})
_TOUCHES = frozenset({"read", "write"})


def centrality(
    graph: GraphInput,
    edges: Sequence[EdgeRow],
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
    most_steps: int = 500,
) -> dict[int, float]:
    """Symbol id → PageRank × number of symbols / 10, over every symbol of the root.

    Each pair of symbols counts once, however often the one names the other, and a symbol does not vouch for itself.
    Ambiguous references are left out: a name that a dozen types share would lend all of them its weight. So are reads
    and writes of fields, which mostly come from their own type's methods and would make hubs of its inner state.
    """
    ids = np.fromiter((symbol[0] for symbol in graph.symbols), np.int64, len(graph.symbols))
    if not len(ids):
        return {}
    count = len(edges)
    sources = np.fromiter(map(itemgetter(1), edges), np.int64, count)
    targets = np.fromiter(map(itemgetter(2), edges), np.int64, count)
    guesses = np.fromiter(map("ambiguous".__eq__, map(itemgetter(4), edges)), np.bool_, count)
    touches = np.fromiter(map(_TOUCHES.__contains__, map(itemgetter(3), edges)), np.bool_, count)
    fields = np.array([symbol[0] for symbol in graph.symbols if symbol[4] in _STATE], np.int64)
    counts = ~guesses & (sources != targets)
    counts[touches] &= ~np.isin(targets[touches], fields)
    sources, targets = sources[counts], targets[counts]
    ranks = pagerank(ids, sources, targets, damping=damping, tolerance=tolerance, most_steps=most_steps)
    return dict(zip(ids.tolist(), (ranks * (len(ids) / _SCALE)).tolist(), strict=True))


def pagerank(
    ids: NDArray[np.int64],
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
    most_steps: int = 500,
) -> NDArray[np.float64]:
    """PageRank of ``ids`` (n,), summing to 1, over the distinct edges ``sources`` → ``targets`` (m,).

    Edges whose ends are not among ``ids`` are left out. What nodes without outgoing edges hold is spread evenly over
    all nodes. Iterates until the ranks change by less than ``tolerance`` in sum.
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
    ranks = np.full(count, 1.0 / count)
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
