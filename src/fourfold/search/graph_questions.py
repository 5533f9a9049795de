"""Questions about the dependency graph, over any `Reader`: who uses what, what breaks, how one thing reaches another.

Certainty along a path is that of its weakest edge. Ambiguous edges are reported as the last step back and never
followed further: beyond a guess lie only more guesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields

import numpy as np

from fourfold.model import Certainty, Edge, ReferenceKind, Symbol
from fourfold.search.dead_code import dead_code as dead_code
from fourfold.search.hubs import Hub as Hub
from fourfold.search.hubs import hubs as hubs
from fourfold.search.relations import BASES, CALLS, CONSTRUCTORS, TYPE_KINDS, is_file, is_unnamed
from fourfold.store.graph import Edges
from fourfold.store.interface import Ints, Reader

_PART = 300
_MOST_OF_A_NAME = 2000
_MOST_WAYS = 1000
_WEAKNESS: Mapping[str, int] = {"certain": 0, "likely": 1, "ambiguous": 2}
_GUESS = _WEAKNESS["ambiguous"]
_BY_WEAKNESS: tuple[Certainty, ...] = ("certain", "likely", "ambiguous")


@dataclass(frozen=True, slots=True)
class Reached:
    """A symbol that depends on the targets, at ``distance`` steps. ``path`` leads from it to a target."""

    symbol: int
    distance: int
    certainty: Certainty
    path: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One dependant in an impact tree, under what it refers to: ``edge`` is its reference, ``children`` who uses it."""

    reached: Reached
    children: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """One way from a symbol to another: the edges in order, and the weakest certainty among them."""

    edges: tuple[Edge, ...]
    certainty: Certainty


def weakest(certainties: Iterable[Certainty]) -> Certainty:
    """The weakest of some certainties; of none, `certain`."""
    return _BY_WEAKNESS[max((_WEAKNESS[certainty] for certainty in certainties), default=0)]


# --------------------------------------------------------------------------- what a question's symbol covers


def covered(reader: Reader, targets: Sequence[Symbol]) -> dict[int, Symbol]:
    """The targets with all that they hold: a type its members, a module its definitions. Symbol id → symbol."""
    found = {symbol.id: symbol for symbol in targets}
    holders = [symbol for symbol in targets if symbol.kind in TYPE_KINDS]
    for path in dict.fromkeys(symbol.path for symbol in holders):
        inside = {symbol.id for symbol in holders if symbol.path == path}
        whole = any(symbol.path == path and not symbol.qualified for symbol in holders)
        prefixes = tuple(symbol.qualified + "." for symbol in holders if symbol.path == path and symbol.qualified)
        for symbol in reader.outline(path):
            if whole or symbol.parent in inside or (prefixes and symbol.qualified.startswith(prefixes)):
                inside.add(symbol.id)
                found[symbol.id] = symbol
    return found


def _built_by(symbols: Iterable[Symbol]) -> dict[int, int]:
    """Type → its constructor, for each constructor among the symbols."""
    return {
        symbol.parent: symbol.id
        for symbol in symbols
        if symbol.parent and (symbol.name in CONSTRUCTORS or symbol.qualified.endswith(f"{symbol.name}.{symbol.name}"))
    }


# --------------------------------------------------------------------------- one step


def callers(reader: Reader, targets: Sequence[Symbol], kinds: Sequence[ReferenceKind] | None = CALLS) -> list[Edge]:
    """The edges from whoever calls or builds the targets; building a type calls its constructor."""
    ids = [symbol.id for symbol in targets]
    edges = list(reader.neighbours(ids, "in", kinds)) if ids else []
    built = _built_by(targets)
    built = {type_: method for type_, method in built.items() if type_ not in ids}
    if built:
        edges.extend(edge for edge in reader.neighbours(list(built), "in", ("construct",)))
    types = [*built, *(symbol.id for symbol in targets if symbol.kind in TYPE_KINDS)]
    if types and kinds is CALLS:
        # who writes a class without a name makes one too
        unnamed = (e for e in reader.neighbours(types, "in", BASES) if is_unnamed(e.source_name.rpartition(".")[2]))
        edges.extend(unnamed)
    return sorted(edges, key=_by_trust)


def callees(reader: Reader, targets: Sequence[Symbol], kinds: Sequence[ReferenceKind] | None = CALLS) -> list[Edge]:
    """The edges to what the targets (a type with its members) call or build, outside themselves."""
    own = covered(reader, targets)
    edges = reader.neighbours(list(own), "out", kinds) if own else []
    return sorted((edge for edge in edges if edge.target not in own or len(own) == 1), key=_by_trust)


def importers(reader: Reader, targets: Sequence[Symbol]) -> list[Edge]:
    """The imports of the targets; of a module, also those of single names from it."""
    ids = set(covered(reader, [symbol for symbol in targets if symbol.kind == "module"]))
    own = {symbol.id for symbol in targets}
    edges = reader.neighbours(sorted(ids | own), "in", ("import",)) if ids | own else []
    told = {(edge.source, edge.line) for edge in edges if edge.target in own}
    # ``from a import b`` names the module and something of it: one of the two is enough.
    kept = {
        (edge.source, edge.line, edge.target): edge
        for edge in edges
        if edge.target in own or (edge.source, edge.line) not in told
    }
    return sorted(kept.values(), key=_by_trust)


def _by_trust(edge: Edge) -> tuple[int, str, int, str]:
    return _WEAKNESS[edge.certainty], edge.path, edge.line, edge.target_name


# --------------------------------------------------------------------------- types


def subclasses(reader: Reader, targets: Sequence[Symbol], max_distance: int = 20, limit: int = 1000) -> list[Reached]:
    """All that inherits from or implements the targets, directly or through others.

    A Go type implements an interface by having its methods: such types follow as `likely`, since only names are
    compared.
    """
    start = {symbol.id: symbol for symbol in targets}
    found = _walk(reader, start, max_distance, limit, BASES, constructors=False)
    known = start.keys() | {reached.symbol for reached in found}
    for target in targets:
        if target.language == "go" and target.kind == "interface":
            for edge in _with_methods_of(reader, target):
                if edge.source not in known and len(found) < limit:
                    known |= {edge.source}
                    found.append(Reached(edge.source, 1, edge.certainty, (edge,)))
    return found


def _with_methods_of(reader: Reader, interface: Symbol) -> list[Edge]:
    """An edge from each type that has a method for every one of a Go interface, at the line of the type's name."""
    wanted = {s.name for s in reader.outline(interface.path) if s.parent == interface.id and s.kind == "method"}
    if not wanted:
        return []
    #: (folder, name of the type) → its methods among those
    having: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in sorted(wanted):
        for method in reader.symbols_named(name, "exact", _MOST_OF_A_NAME):
            owner, _, last = method.qualified.rpartition(".")
            if method.language == "go" and method.kind == "method" and last == name and owner:
                having[(method.path.rpartition("/")[0], owner)].add(name)
    found = []
    for (folder, owner), names in sorted(having.items()):
        if names == wanted:
            for symbol in reader.symbols_named(owner, "exact", _MOST_OF_A_NAME):
                own = symbol.path.rpartition("/")[0] == folder and symbol.qualified == owner
                if own and symbol.language == "go" and symbol.kind in ("struct", "type"):
                    found.append(
                        Edge(symbol.id, interface.id, "implement", "likely", symbol.chunk_id, symbol.path,
                             symbol.name_line, symbol.full_name, interface.full_name)
                    )  # fmt: skip
    return found


def overrides(reader: Reader, targets: Sequence[Symbol], limit: int = 1000) -> list[Symbol]:
    """Methods of subclasses that take the place of the target methods, by path and line."""
    methods = [symbol for symbol in targets if symbol.parent and symbol.kind in ("method", "function", "property")]
    types = reader.symbols({symbol.parent for symbol in methods})
    found: dict[int, Symbol] = {}
    for method in methods:
        owner = types.get(method.parent)
        if owner is None or owner.kind not in TYPE_KINDS:
            continue
        below = {reached.symbol for reached in subclasses(reader, [owner], limit=limit)}
        for path in {symbol.path for symbol in reader.symbols(below).values()}:
            for symbol in reader.outline(path):
                if symbol.parent in below and symbol.name == method.name:
                    found[symbol.id] = symbol
    return sorted(found.values(), key=lambda symbol: (symbol.path, symbol.name_line))[:limit]


# --------------------------------------------------------------------------- many steps back


def walk_back(reader: Reader, targets: Sequence[Symbol], max_distance: int = 6, limit: int = 1000) -> list[Reached]:
    """Everything that depends on the targets, nearest first, then by certainty and name.

    A type stands for its members too, a module for its definitions; who builds a type depends on its constructor.
    The distance is the shortest over edges that are not ambiguous; what only an ambiguous edge reaches comes last at
    its distance. A module that is reached (it imports something, or runs it at import) is not followed further, since
    its own functions are reached by themselves.
    """
    return _walk(reader, covered(reader, targets), max_distance, limit, None, constructors=True)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """What a step back starts from, ascending: symbols, the row of the walk that led to each (-1 for a target), and
    how weak the path from it is."""

    ids: Ints
    rows: Ints
    weakness: Ints


@dataclass(frozen=True, slots=True)
class _Rows:
    """Edges that a walk has met, in order: each with the row that the next edge of its path has, and its distance."""

    links: Edges
    following: Ints
    weakness: Ints
    distance: Ints


def _walk(
    reader: Reader,
    start: Mapping[int, Symbol],
    max_distance: int,
    limit: int,
    kinds: Sequence[ReferenceKind] | None,
    constructors: bool,
) -> list[Reached]:
    """All in columns: a hub has ten times as many dependants as are shown."""
    seen = np.array(sorted(start), dtype=np.int64)
    nodes = _Nodes(seen, np.full(seen.size, -1), np.zeros(seen.size, dtype=np.int64))
    frontier: Mapping[int, Symbol] = start
    met: list[_Rows] = []
    found: list[Ints] = []  # rows of the walk: one for each symbol, in order of their first
    count = total = 0
    for distance in range(1, max_distance + 1):
        if not frontier or count >= limit:
            break
        built = _built_by(frontier.values()) if constructors else {}
        built = {type_: method for type_, method in built.items() if type_ not in frontier}
        step: list[_Rows] = []
        for part, by_type in _parts(frontier, nodes, built):
            links = reader.links(part, "in", ("construct",) if by_type else kinds, once=not by_type)
            links = links.take(~np.isin(links.source, seen))
            node = np.array([built[type_] for type_ in links.target.tolist()], np.int64) if by_type else links.target
            at = np.searchsorted(nodes.ids, node)
            weakness = np.maximum(links.certainty, nodes.weakness[at])
            step.append(_Rows(links, nodes.rows[at], weakness, np.full(at.size, distance)))
            sure = [rows.links.source[rows.weakness < _GUESS] for rows in step]
            if count + np.unique(np.concatenate(sure)).size >= limit:
                break
        rows = _joined(step)
        known = np.flatnonzero(rows.weakness < _GUESS)
        ids, first = np.unique(rows.links.source[known], return_index=True)
        surest = known[np.lexsort((rows.weakness[known], rows.links.source[known]))]
        surest = surest[np.flatnonzero(np.diff(rows.links.source[surest], prepend=-1))]
        met.append(rows)
        found.append(total + surest[np.argsort(first)])
        count += ids.size
        seen = np.union1d(seen, ids)
        if count >= limit or distance == max_distance:
            break
        symbols = reader.symbols(ids.tolist())
        frontier = {id_: symbol for id_, symbol in symbols.items() if symbol.kind != "module" or symbol.qualified}
        kept = np.isin(ids, list(frontier))
        nodes = _Nodes(ids[kept], total + surest[kept], rows.weakness[surest[kept]])
        total += rows.weakness.size
    if not met:
        return []
    walk = _joined(met)
    guesses = np.flatnonzero((walk.weakness == _GUESS) & ~np.isin(walk.links.source, seen))
    _, first = np.unique(walk.links.source[guesses], return_index=True)
    return _reached(reader, walk, np.concatenate([*found, guesses[np.sort(first)]]), limit)


def _joined(parts: Sequence[_Rows]) -> _Rows:
    columns = [[getattr(rows.links, field.name) for rows in parts] for field in fields(Edges)]
    return _Rows(
        Edges(*map(np.concatenate, columns)),
        np.concatenate([rows.following for rows in parts]),
        np.concatenate([rows.weakness for rows in parts]),
        np.concatenate([rows.distance for rows in parts]),
    )


def _reached(reader: Reader, walk: _Rows, found: Ints, limit: int) -> list[Reached]:
    """Records of the first of the ``found`` rows, by distance, certainty, name and line."""
    if found.size > limit:
        rank = walk.distance[found] * len(_WEAKNESS) + walk.weakness[found]
        last = np.partition(rank, limit - 1)[limit - 1]
        doubtful = walk.links.source[found[rank == last]]
        named = reader.first_named(doubtful, limit - int(np.sum(rank < last)))
        found = found[(rank < last) | ((rank == last) & np.isin(walk.links.source[found], named))]
    needed = [found]
    while (onward := walk.following[needed[-1]]).size:
        needed.append(onward[onward >= 0])
    rows = np.unique(np.concatenate(needed))
    paths: dict[int, tuple[Edge, ...]] = {-1: ()}
    # A path's next edge was met a step earlier, so its row is the lower one.
    for row, edge, following in zip(
        rows.tolist(), reader.edges(walk.links.take(rows)), walk.following[rows].tolist(), strict=True
    ):
        if edge is not None and following in paths:
            paths[row] = (edge, *paths[following])
    made = [
        Reached(paths[row][0].source, distance, _BY_WEAKNESS[weakness], paths[row])
        for row, distance, weakness in zip(
            found.tolist(), walk.distance[found].tolist(), walk.weakness[found].tolist(), strict=True
        )
        if row in paths
    ]
    made.sort(key=lambda r: (r.distance, _WEAKNESS[r.certainty], r.path[0].source_name, r.path[0].line))
    return made[:limit]


def _parts(frontier: Iterable[int], nodes: _Nodes, built: Mapping[int, int]) -> Iterable[tuple[list[int], bool]]:
    """A step's symbols in parts, so that a limit is noticed before all of a wide step is read, those that sure paths
    lead to first; then the types (True) whose constructors are among them."""
    weakness = dict(zip(nodes.ids.tolist(), nodes.weakness.tolist(), strict=True))
    for wanted in range(_GUESS):
        ids = [id_ for id_ in frontier if weakness[id_] == wanted]
        for begin in range(0, len(ids), _PART):
            yield ids[begin : begin + _PART], False
    if built:
        yield list(built), True


def tree(reached: Sequence[Reached]) -> list[Branch]:
    """An impact as a tree: each dependant hangs under the next step of its path, and the direct ones are the top."""
    below: dict[int, list[Reached]] = defaultdict(list)
    known = {item.symbol for item in reached}
    tops: list[Reached] = []
    for item in reached:
        if item.distance > 1 and item.path[1].source in known:
            below[item.path[1].source].append(item)
        else:
            tops.append(item)
    branches: dict[int, Branch] = {}
    for item in sorted(reached, key=lambda item: -item.distance):
        branches[item.symbol] = Branch(item, tuple(branches[child.symbol] for child in below[item.symbol]))
    return [branches[item.symbol] for item in tops]


def tests_for(
    reader: Reader,
    targets: Sequence[Symbol],
    is_test: Callable[[str], bool],
    max_distance: int = 4,
    limit: int = 200,
) -> list[Reached]:
    """Tests that reach the targets, nearest first: what stands in a test by its path, which ``is_test`` judges, or is
    one by its language's own convention. Helpers within tests are left out when a test calls them."""
    walked = walk_back(reader, targets, max_distance, limit * 10)
    symbols = reader.symbols({item.symbol for item in walked})
    inline = {id_ for id_, symbol in symbols.items() if symbol.test and symbol.kind not in ("module", "namespace")}
    reached = [item for item in walked if item.symbol in inline or is_test(item.path[0].path)]
    through = {edge.source for item in reached for edge in item.path[1:]}
    return [
        item
        for item in reached
        if (symbol := symbols.get(item.symbol)) is not None
        and (symbol.kind != "module" or symbol.qualified)
        and (item.symbol not in through or (symbol.test and symbol.entry) or symbol.name.lower().startswith("test"))
    ][:limit]


# --------------------------------------------------------------------------- from one to another


def routes(
    reader: Reader,
    sources: Sequence[Symbol],
    targets: Sequence[Symbol],
    max_distance: int = 12,
    limit: int = 5,
    admits: Callable[[str], bool] = lambda path: True,
) -> list[Route]:
    """The shortest ways by which the sources reach the targets, the shortest and then the surest first.

    Each source that reaches a target has its ways, up to ``limit``, and each target that is reached some way to it.
    ``admits`` judges the file of each reference on a way.
    """
    goals = [covered(reader, [target]).keys() for target in targets]
    starts = [covered(reader, [source]).keys() for source in sources]
    found: dict[tuple[Edge, ...], Route] = {}
    while goals and len(found) < _MOST_WAYS:
        goal = frozenset().union(*goals)
        apart = [start for start in starts if not goal.isdisjoint(start)]
        together = [start for start in starts if goal.isdisjoint(start)]
        ways = _ways(reader, together, goal, max_distance, limit, admits)
        for start in apart:
            beyond = goal.difference(start)
            found_ways = _ways(reader, [start], beyond, max_distance, limit, admits) if beyond else []
            ways.extend(found_ways or _round(reader, start, max_distance, limit, admits))
        met = {route.edges[-1].target for route in ways}
        found.update((route.edges, route) for route in ways)
        # The nearest target hides those beyond it: what no way has led to is looked for again.
        left = [goal for goal in goals if not met & goal]
        goals = left if met else []
    return sorted(found.values(), key=_by_length)


def _ways(
    reader: Reader,
    starts: Sequence[Set[int]],
    goal: frozenset[int],
    max_distance: int,
    limit: int,
    admits: Callable[[str], bool],
) -> list[Route]:
    """For each start (a definition with its members, none in the goal) its shortest ways there, up to ``limit``."""
    waiting = list(starts)
    steps: dict[int, list[Edge]] = {}
    frontier, seen = set(goal), set(goal)
    found: list[Route] = []
    for _ in range(max_distance):
        if not waiting or not frontier:
            break
        following: dict[int, list[Edge]] = defaultdict(list)
        for edge in reader.neighbours(sorted(frontier), "in"):
            if edge.certainty != "ambiguous" and edge.source not in seen and admits(edge.path):
                following[edge.source].append(edge)
        steps.update(following)
        seen.update(following)
        for start in waiting:
            if met := following.keys() & start:
                found.extend(sorted(_enumerate(met, steps, goal, 20 * limit), key=_by_length)[:limit])
        waiting = [start for start in waiting if not following.keys() & start]
        modules = {id_ for id_, symbol in reader.symbols(following).items() if is_file(symbol)}
        frontier = following.keys() - modules
    return found


def _round(
    reader: Reader, start: Set[int], max_distance: int, limit: int, admits: Callable[[str], bool]
) -> list[Route]:
    """The shortest ways by which something reaches itself."""
    out = [e for e in reader.neighbours(sorted(start), "out") if e.certainty != "ambiguous" and admits(e.path)]
    direct = [Route((edge,), edge.certainty) for edge in sorted(out, key=_by_trust) if edge.target in start]
    if direct or len(start) > 1:
        return direct[:1] if len(start) == 1 else []
    first = {edge.target: edge for edge in sorted(out, key=_by_trust, reverse=True)}
    ways = _ways(reader, [frozenset({target}) for target in first], frozenset(start), max_distance - 1, limit, admits)
    whole = [(first[way.edges[0].source], *way.edges) for way in ways]
    return sorted((Route(w, weakest(e.certainty for e in w)) for w in whole), key=_by_length)[:limit]


def _by_length(route: Route) -> tuple[int, int, list[tuple[str, int]]]:
    return len(route.edges), _WEAKNESS[route.certainty], [(edge.path, edge.line) for edge in route.edges]


def _enumerate(begins: Iterable[int], steps: Mapping[int, list[Edge]], goal: frozenset[int], most: int) -> list[Route]:
    found: list[Route] = []
    work: list[tuple[int, tuple[Edge, ...]]] = [(begin, ()) for begin in sorted(begins, reverse=True)]
    while work and len(found) < most:
        node, edges = work.pop()
        if node in goal:
            found.append(Route(edges, weakest(edge.certainty for edge in edges)))
            continue
        nearest: dict[int, Edge] = {}
        for edge in sorted(steps.get(node, ()), key=_by_trust):
            nearest.setdefault(edge.target, edge)
        work.extend((edge.target, (*edges, edge)) for edge in reversed(nearest.values()))
    return found
