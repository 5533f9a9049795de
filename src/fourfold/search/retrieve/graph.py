"""Dependencies: who refers to the subject, what depends on it, what it uses; for other questions, the neighbourhood."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fourfold.model import Edge, Evidence, Hit, HitList, ReferenceKind, Step, Symbol, Term
from fourfold.search.graph_questions import (
    Reached,
    callees,
    callers,
    importers,
    subclasses,
    tests_for,
    walk_back,
)
from fourfold.search.retrieve import structural
from fourfold.search.retrieve.request import Request, best_first, row_of, total_of
from fourfold.store.interface import NameMatch

#: Tiers of certainty; centrality, which stays below 1, orders within one.
CERTAINTY: Mapping[str, float] = {"certain": 3.0, "likely": 2.0, "ambiguous": 1.0}
#: How many steps back an impact goes, and what one step is worth: more than certainty and centrality together.
MAX_DISTANCE = 6
DISTANCE_TIER = 10.0
FURTHEST = 30
#: The neighbourhood of a question in words: how many symbols it starts from, and how much a step carries on.
SEEDS = 20
CARRY = 0.5
RING = 400

RELATION_KINDS: Mapping[str, tuple[ReferenceKind, ...]] = {
    "call": ("call", "construct", "decorate"),
    "construct": ("construct", "call"),
    "read": ("read",),
    "write": ("write",),
}


def retrieve(request: Request) -> HitList:
    """The graph's list for the question's kind: references, impact, callees, or the neighbourhood of its words."""
    intent = request.intent
    targets = subject_symbols(request)
    if intent.name == "impact_analysis" and targets:
        return find_impact(request, targets)
    if intent.name == "find_references" and intent.direction == "out" and targets:
        return find_callees(request, targets)
    if intent.name == "find_references" and intent.subject:
        return find_references(request, targets)
    return find_neighbourhood(request)


def subject_symbols(request: Request) -> list[Symbol]:
    """The definitions that the subject names: those in the code itself, or if there are none, all."""
    subject = request.intent.subject
    if not subject or not structural.is_one_identifier(subject):
        return []
    name = structural.dotted(subject)
    hows: tuple[NameMatch, ...] = ("exact", "insensitive", "tail")
    for how in hows:
        symbols = request.reader.symbols_named(name, how)
        if symbols:
            own = [symbol for symbol in symbols if not request.is_demoted(symbol.path)]
            return list(own or symbols)
    return []


def centrality_term(request: Request, chunk_id: int) -> Term:
    """Centrality squashed below 1, so that it orders within a tier and never across."""
    row = row_of(request.table, chunk_id)
    value = float(request.table.centrality[row]) if row >= 0 else 0.0
    return Term("centrality", "+", value / (1.0 + value))


def step_of(edge: Edge) -> Step:
    return Step(edge.path, edge.line, edge.kind, edge.certainty, edge.source_name, edge.target_name)


# ------------------------------------------------------------------- references


def find_references(request: Request, targets: Sequence[Symbol]) -> HitList:
    """The chunks that refer to the subject, by certainty, then centrality; one hit a chunk, with all its lines.

    A name that is defined outside the root is found by its unresolved references. When nothing stands in the relation
    that was asked for, other references are listed, and ``how`` says so.
    """
    reader, relation = request.reader, request.intent.relation
    if not targets:
        return _outside(request)
    if relation == "inherit":
        return _reached(request, subclasses(reader, targets), f"what inherits from {targets[0].full_name}")
    if relation == "test":
        return _reached(
            request, tests_for(reader, targets, request.is_test), f"tests that reach {targets[0].full_name}"
        )
    if relation == "import":
        edges = importers(reader, targets)
    else:
        edges = callers(reader, targets, RELATION_KINDS.get(relation))
    how = _count(edges, targets, relation)
    if not edges and relation in RELATION_KINDS:
        edges = callers(reader, targets, None)
        how = f"no {relation}; {_count(edges, targets, '')}"
    hits = _reference_hits(request, edges)
    return HitList("graph", "ran", tuple(hits[: request.depth]), how=how, confident=bool(hits))


def _outside(request: Request) -> HitList:
    """References by name to something that the root does not define."""
    name = structural.dotted(request.intent.subject or "")
    kinds = RELATION_KINDS.get(request.intent.relation)
    edges = request.reader.unresolved(name.rpartition(".")[2])
    hits = _reference_hits(request, [edge for edge in edges if kinds is None or edge.kind in kinds])
    how = f"references by name to {name}, defined outside"
    return HitList("graph", "ran", tuple(hits[: request.depth]), how=how, confident=bool(hits))


def _count(edges: Sequence[Edge], targets: Sequence[Symbol], relation: str) -> str:
    names = targets[0].full_name if len(targets) == 1 else f"{len(targets)} definitions of that name"
    return f"{len(edges)} {relation or 'reference'} edges to {names}"


def _reference_hits(request: Request, edges: Iterable[Edge]) -> list[Hit]:
    by_chunk: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        if request.admits(edge.chunk_id):
            by_chunk[edge.chunk_id].append(edge)
    hits = []
    for chunk, group in by_chunk.items():
        best = min(group, key=lambda edge: (-CERTAINTY[edge.certainty], edge.kind == "import", edge.line))
        terms = (
            Term(f"{best.certainty} {best.kind}", "+", 2.0 * CERTAINTY[best.certainty]),
            # where a name is used says more than where it is brought in
            *((Term("used, not only imported", "+", 1.0),) if best.kind != "import" else ()),
            centrality_term(request, chunk),
        )
        lines = tuple(sorted({edge.line for edge in group}))
        hits.append(Hit(chunk, total_of(terms), Evidence(terms=terms, path=(step_of(best),)), lines=lines))
    hits = best_first(request.table, hits)
    return hits


def find_callees(request: Request, targets: Sequence[Symbol]) -> HitList:
    """The definitions that the subject calls or uses, by certainty, then centrality."""
    kinds = RELATION_KINDS.get(request.intent.relation)
    edges = callees(request.reader, targets, kinds)
    symbols = request.reader.symbols({edge.target for edge in edges})
    hits: dict[int, Hit] = {}
    for edge in edges:
        symbol = symbols.get(edge.target)
        if symbol is None or symbol.chunk_id in hits or not request.admits(symbol.chunk_id):
            continue
        terms = (
            Term(f"{edge.certainty} {edge.kind}", "+", CERTAINTY[edge.certainty]),
            centrality_term(request, symbol.chunk_id),
        )
        evidence = Evidence(terms=terms, path=(step_of(edge),))
        hits[symbol.chunk_id] = Hit(symbol.chunk_id, total_of(terms), evidence, lines=(symbol.name_line,))
    ordered = best_first(request.table, hits.values())
    return HitList("graph", "ran", tuple(ordered[: request.depth]), how="what the subject uses", confident=bool(hits))


# ------------------------------------------------------------------- impact


def find_impact(request: Request, targets: Sequence[Symbol]) -> HitList:
    """Everything that reaches the subject, by distance, certainty, then centrality, each with its path."""
    reached = walk_back(request.reader, targets, max_distance=MAX_DISTANCE, limit=max(1000, request.depth))
    return _reached(request, reached, f"what reaches {targets[0].full_name}, {MAX_DISTANCE} steps back")


def _reached(request: Request, reached: Iterable[Reached], how: str) -> HitList:
    """One hit for each chunk that holds the first reference of a path; the nearest path stands for it."""
    hits: dict[int, Hit] = {}
    for item in reached:
        first = item.path[0]
        if not request.admits(first.chunk_id):
            continue
        terms = (
            Term(f"distance {item.distance}", "+", DISTANCE_TIER * max(1, FURTHEST - item.distance)),
            Term(f"{item.certainty} path", "+", 2.0 * CERTAINTY[item.certainty]),
            *((Term("used, not only imported", "+", 1.0),) if first.kind != "import" else ()),
            centrality_term(request, first.chunk_id),
        )
        evidence = Evidence(terms=terms, path=tuple(step_of(edge) for edge in item.path))
        hit = Hit(first.chunk_id, total_of(terms), evidence, lines=(first.line,))
        other = hits.get(hit.chunk_id)
        if other is None or hit.raw_score > other.raw_score:
            hits[hit.chunk_id] = hit
    ordered = best_first(request.table, hits.values())
    return HitList("graph", "ran", tuple(ordered[: request.depth]), how=how, confident=bool(ordered))


# ------------------------------------------------------------------- neighbourhood


def find_neighbourhood(request: Request) -> HitList:
    """What stands close to the symbols that the question's words name.

    A personalised PageRank cut after two steps: it is linear in where it starts, so each starting symbol's share is a
    term of its own.
    """
    seeds = _seeds(request)
    if not seeds:
        return HitList("graph", "ran", how="no symbol to start from", confident=False)
    near = _neighbours(request, list(seeds))
    ring = sorted({other for others in near.values() for other in others} - seeds.keys())[:RING]
    near = {**_neighbours(request, ring), **near}
    shares: dict[int, dict[int, float]] = defaultdict(dict)
    for seed, weight in seeds.items():
        for symbol, value in _spread(seed, near).items():
            shares[symbol][seed] = weight * value
    symbols = request.reader.symbols(shares)
    hits: dict[int, Hit] = {}
    for number, parts in shares.items():
        found = symbols.get(number)
        if found is None or found.kind == "module" or not request.admits(found.chunk_id):
            continue
        best = sorted(parts.items(), key=lambda part: (-part[1], part[0]))[:8]
        terms = (
            *(Term(f"near {symbols[seed].qualified or symbols[seed].name}", "+", share) for seed, share in best),
            Term("centrality", "+", 0.1 * centrality_term(request, found.chunk_id).value),
        )
        hit = Hit(
            found.chunk_id,
            total_of(terms),
            Evidence(terms=terms, symbol=found.full_name, match="neighbourhood", symbol_line=found.name_line),
        )
        other = hits.get(hit.chunk_id)
        if other is None or hit.raw_score > other.raw_score:
            hits[hit.chunk_id] = hit
    ordered = best_first(request.table, hits.values())
    return HitList(
        "graph", "ran", tuple(ordered[: request.depth]), how=f"neighbourhood of {len(seeds)} symbols", confident=False
    )


def _seeds(request: Request) -> dict[int, float]:
    """Symbols by name, or those of the best chunks by words of names, with weights of at most 1."""
    named = structural.find_named(request, structural.wanted_names(request))[:SEEDS]
    if named:
        return {item.symbol.id: 1.0 for item in named}
    # as many however deep the list is to be, so that a longer list starts with the shorter one
    hits, _ = structural.find_by_words(replace(request, depth=SEEDS), set())
    top = max((hit.raw_score for hit in hits), default=0.0)
    defined = request.reader.symbols_in_chunks([hit.chunk_id for hit in hits[:SEEDS]])
    return {
        symbols[0].id: hit.raw_score / top for hit in hits[:SEEDS] if (symbols := defined.get(hit.chunk_id)) and top > 0
    }


def _neighbours(request: Request, numbers: Sequence[int]) -> dict[int, set[int]]:
    near: dict[int, set[int]] = defaultdict(set)
    wanted = set(numbers)
    for edge in request.reader.neighbours(numbers, "in"):
        if edge.certainty != "ambiguous" and edge.target in wanted:
            near[edge.target].add(edge.source)
    for edge in request.reader.neighbours(numbers, "out"):
        if edge.certainty != "ambiguous" and edge.source in wanted:
            near[edge.source].add(edge.target)
    return near


def _spread(seed: int, near: Mapping[int, set[int]]) -> dict[int, float]:
    """What a walk from ``seed`` leaves at each symbol: all of it at the seed, then `CARRY` of it along each step."""
    value = {seed: 1.0}
    total = dict(value)
    for _ in range(2):
        following: dict[int, float] = defaultdict(float)
        for symbol, amount in value.items():
            others = near.get(symbol, ())
            for other in others:
                following[other] += CARRY * amount / len(others)
        for symbol, amount in following.items():
            total[symbol] = total.get(symbol, 0.0) + amount
        value = following
    return total
