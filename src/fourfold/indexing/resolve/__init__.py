"""From references to edges: which definition of the root each one means, and how sure that is.

Trust falls in this order: the same scope, the same file, an import, the receiver's type, inheritance, and a name that
is unique in the root for its kind (`likely`). What is left is `ambiguous` with all its candidates, or outside the root
and without an edge. A guess is never `certain`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from fourfold.indexing.resolve.edges import Edges
from fourfold.store.interface import EdgeRow, GraphInput


def resolve(graph: GraphInput) -> list[EdgeRow]:
    """All edges of a root, in the order of its references.

    A reference has no edge when it names something outside the root, one when it is resolved, two or more when it
    names a module and a symbol of it (``from a import b``), several overloads, or is ambiguous.
    """
    with uncollected():
        return Edges(graph).all()


@contextmanager
def uncollected() -> Iterator[None]:
    """Hundreds of thousands of small tuples that live to the end: the cycle collector only walks over them in vain."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


__all__ = ["resolve", "uncollected"]
