"""``fourfold graph``: questions about who refers to what, each edge with the place of the reference itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fourfold.cli.dispatch import FOUND, NOTHING
from fourfold.cli.errors import Problem, unknown
from fourfold.cli.options import Parser, add_everywhere, question_text, whole
from fourfold.cli.session import Session, open_session, remark
from fourfold.harmless import harmless
from fourfold.model import Edge, Symbol

if TYPE_CHECKING:
    from fourfold.search.graph_questions import Reached

#: Question → how many symbols it takes (at least, at most).
QUESTIONS: Mapping[str, tuple[int, int]] = {
    "callers": (1, 1), "callees": (1, 1), "importers": (1, 1), "subclasses": (1, 1), "overrides": (1, 1),
    "tests": (1, 1), "impact": (0, 1), "path": (2, 2), "dead": (0, 0), "hubs": (0, 0),
}  # fmt: skip
LIMIT = 200
#: Of a folder within the root: all are asked for, and those outside then left out.
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """What a question found: edges with their distance, or symbols with what is known of each."""

    subjects: tuple[Symbol, ...] = ()
    edges: tuple[tuple[Edge, int], ...] = ()
    symbols: tuple[tuple[Symbol, Mapping[str, Any]], ...] = ()
    routes: tuple[tuple[Edge, ...], ...] = ()
    nothing: str = ""
    lists_symbols: bool = False
    remarks: tuple[str, ...] = field(default=())


def parser() -> Parser:
    made = Parser(
        "graph",
        "Ask the dependency graph. SYMBOL is a name, a qualified name, PATH:LINE or the PATH of a file.",
        [
            ("fourfold graph callers ensure_future", "the places that call it"),
            ("fourfold graph impact urllib.parse.urlsplit", "everything that depends on it"),
            ("fourfold graph impact --diff", "what the working tree's changes reach"),
            ("fourfold graph impact --diff main", "the same against a revision"),
            ("fourfold graph path src/app.py:40 Store.save", "how one thing reaches another"),
            ("fourfold graph tests Store.save", "tests that reach it"),
            ("fourfold graph overrides Store.save", "methods of derived types that take its place"),
            ("fourfold graph hubs --limit 10 --json", "the most depended-on symbols"),
        ],
    )
    made.add_argument("question", metavar="QUESTION", help=", ".join(QUESTIONS))
    made.add_argument("symbols", nargs="*", metavar="SYMBOL", help="a name, a qualified name, PATH:LINE or PATH")
    made.add_argument("--diff", nargs="?", const="", metavar="REV", help="impact of what changed since REV (HEAD)")
    made.add_argument("--root", metavar="PATH", type=Path, help="the folder (default: the current one)")
    made.add_argument("--limit", metavar="N", help=f"how many are shown (default {LIMIT})")
    made.add_argument("--no-update", action="store_true", help="answer from the index as it is")
    made.add_argument("--json", action="store_true", help="as JSON, schema 1")
    add_everywhere(made)
    return made


def run(argv: Sequence[str]) -> int:
    args = parser().parse_mixed(argv, "symbols")
    args.embedder = None
    if args.question not in QUESTIONS:
        raise unknown("question", args.question, QUESTIONS, "unknown_question")
    least, most = QUESTIONS[args.question]
    if args.diff is not None and (args.question != "impact" or args.symbols):
        raise Problem("--diff goes with impact, and takes no symbol", "usage")
    if args.question == "impact" and args.diff is None:
        least = 1
    if not least <= len(args.symbols) <= most:
        wanted = {0: "no symbol", 1: "one symbol", 2: "two symbols"}[most]
        raise Problem(f"graph {args.question} takes {wanted}, not {len(args.symbols)}", "usage")
    limit = LIMIT if args.limit is None else whole("limit", args.limit, 1, 1_000_000)
    with open_session(args) as session:
        named = [resolve(session, question_text([given])) for given in args.symbols]
        told = ask(session, args, named, limit)
        for text in () if args.quiet else told.remarks:
            remark(text)
        if args.json:
            from fourfold.search.serialise import dumps

            print(dumps(as_json(told)))
        else:
            for line in lines(told):
                print(line)
    found = bool(told.edges or told.symbols)
    if not found and not args.quiet and not args.json:
        remark(told.nothing)
    return FOUND if found else NOTHING


def resolve(session: Session, given: str) -> list[Symbol]:
    """The symbols that a name, qualified name, ``PATH:LINE`` or ``PATH`` (of a file: the module that it is) means
    within the folder that was asked about, the most central first; none if unknown."""
    place = session.place
    head, colon, tail = given.rpartition(":")
    if colon and tail.isdigit():
        for path in filter(place.holds, (_below(session, head), head)):
            around = [s for s in session.reader.outline(path) if s.start_line <= int(tail) <= s.end_line]
            inner = [s for s in around if s.kind != "module" or s.qualified] or around
            if inner:
                return [max(inner, key=lambda s: (s.start_line, -s.end_line))]
        return []
    for path in filter(place.holds, (_below(session, given), given)):
        outline = session.reader.outline(path)
        whole = [s for s in outline if s.kind == "module" and not s.qualified]
        if outline:
            return whole or [s for s in outline if not s.parent]
    name = given.strip().removesuffix("()").replace("::", ".").replace("#", ".")
    for how in ("exact", "insensitive", "tail"):
        found = _named(session, name, how)
        if found:
            return _definitions_first(_without_files_of(found))
    return []


def _named(session: Session, name: str, how: Literal["exact", "insensitive", "tail"]) -> list[Symbol]:
    """What bears a name within the folder that was asked about."""
    found = session.reader.symbols_named(name, how, _ALL if session.place.inside else 500)
    return [symbol for symbol in found if session.place.holds(symbol.path)]


def _without_files_of(found: Sequence[Symbol]) -> list[Symbol]:
    """Without the files that only bear the name of what stands in them, as Java's do."""
    from fourfold.search.relations import is_file

    inside = {symbol.path for symbol in found if not is_file(symbol)}
    return [symbol for symbol in found if not is_file(symbol) or symbol.path not in inside]


def _below(session: Session, given: str) -> str:
    try:
        return (session.place.folder / given).resolve().relative_to(session.place.root).as_posix()
    except (ValueError, OSError, RuntimeError):
        return given


def _definitions_first(found: Sequence[Symbol]) -> list[Symbol]:
    """Definitions in the code itself if there are any, else all; the most central first."""
    from fourfold.search.demotion import default_rules, demotion_of

    rules = default_rules()
    plain = [symbol for symbol in found if demotion_of(symbol.path, rules).factor == 1.0]
    return sorted(plain or found, key=lambda s: (-s.centrality, s.path, s.name_line))


# --------------------------------------------------------------------------- asking


def ask(session: Session, args: argparse.Namespace, named: Sequence[Sequence[Symbol]], limit: int) -> Told:
    from fourfold.search import graph_questions as graph
    from fourfold.search.relations import TYPE_KINDS

    reader, question, holds = session.reader, args.question, session.place.holds
    nothing_known: Mapping[str, Any] = {}
    if question == "hubs":
        hubs = [(hub.symbol, {"dependants": hub.dependants}) for hub in graph.hubs(reader, limit, holds)]
        return Told(symbols=tuple(hubs), nothing="no symbol is referred to", lists_symbols=True)
    if question == "dead":
        unreached = graph.dead_code(reader, is_test(), limit=_ALL if session.place.inside else limit)
        dead = [(symbol, nothing_known) for symbol in unreached if holds(symbol.path)]
        return Told(symbols=tuple(dead[:limit]), nothing="no definition is unreachable", lists_symbols=True)
    if args.diff is not None:
        return _impact_of_diff(session, args.diff, limit)
    for given, targets in zip(args.symbols, named, strict=True):
        if not targets:
            return Told(nothing=_unknown(session, given))
    if question == "subclasses":
        # Of all that bears the name, only types can be derived from.
        named = [[symbol for symbol in found if symbol.kind in TYPE_KINDS] or found for found in named]
    targets = named[0]
    remarks = [_many(given, found) for given, found in zip(args.symbols, named, strict=True) if len(found) > 1]
    whose = [_called(given, found) for given, found in zip(args.symbols, named, strict=True)]
    if question == "overrides":
        taking = [(symbol, nothing_known) for symbol in graph.overrides(reader, targets) if holds(symbol.path)]
        nothing = f"nothing overrides {whose[0]}"
        return Told(tuple(targets), symbols=tuple(taking[:limit]), nothing=nothing, lists_symbols=True,
                    remarks=tuple(remarks))  # fmt: skip
    if question == "path":
        routes = graph.routes(reader, named[0], named[1], admits=holds)
        return Told(
            tuple(targets),
            edges=tuple((edge, step) for step, edge in enumerate(routes[0].edges, 1)) if routes else (),
            routes=tuple(route.edges for route in routes[:limit]),
            nothing=f"no way leads from {whose[0]} to {whose[1]} (ambiguous references are not followed)",
            remarks=tuple(remarks),
        )
    most = _ALL if session.place.inside else 1000
    edges: Iterable[tuple[Edge, int]]
    if question == "callers":
        edges = [(edge, 1) for edge in graph.callers(reader, targets)]
    elif question == "callees":
        edges = [(edge, 1) for edge in graph.callees(reader, targets)]
    elif question == "importers":
        edges = [(edge, 1) for edge in graph.importers(reader, targets)]
    elif question == "subclasses":
        edges = _reached(graph.subclasses(reader, targets, limit=most))
    elif question == "tests":
        edges = _reached(graph.tests_for(reader, targets, is_test(), limit=most // 5))
    else:
        edges = _reached(graph.walk_back(reader, targets, limit=most))
    kept = tuple((edge, distance) for edge, distance in edges if holds(edge.path))
    nothing = f"nothing found: {question} of {whose[0]}"
    return Told(tuple(targets), kept[:limit], nothing=nothing, remarks=tuple(remarks))


def _called(given: str, found: Sequence[Symbol]) -> str:
    return found[0].full_name if len(found) == 1 else f"the {len(found)} definitions called {given}"


def is_test() -> Callable[[str], bool]:
    """Whether a path is a test by the conventions that demotion knows."""
    from fourfold.search.demotion import default_rules, demotion_of

    rules = tuple(rule for rule in default_rules() if rule.reason == "test")
    return lambda path: demotion_of(path, rules).factor < 1.0


def _reached(found: Iterable[Reached]) -> list[tuple[Edge, int]]:
    return [(reached.path[0], reached.distance) for reached in found]


def _impact_of_diff(session: Session, revision: str, limit: int) -> Told:
    from fourfold.cli.changes import changed_lines
    from fourfold.search.graph_questions import walk_back

    changes = changed_lines(session.place.root, revision)
    changed: dict[int, Symbol] = {}
    inside = {path: ranges for path, ranges in changes.items() if session.place.holds(path)}
    for path, ranges in inside.items():
        for symbol in touched(session.reader.outline(path), ranges):
            changed[symbol.id] = symbol
    if not changed:
        what = "changes no definition" if inside else "is empty"
        return Told(nothing=f"the difference to {revision or 'HEAD'} {what}", lists_symbols=True)
    symbols = sorted(changed.values(), key=lambda s: (s.path, s.name_line))
    reached = walk_back(session.reader, symbols, limit=_ALL if session.place.inside else 1000)
    edges = [(edge, distance) for edge, distance in _reached(reached) if session.place.holds(edge.path)]
    return Told(
        edges=tuple(edges[:limit]),
        symbols=tuple((symbol, {}) for symbol in symbols),
        nothing="nothing depends on what changed",
    )


def touched(outline: Sequence[Symbol], ranges: Iterable[tuple[int, int]]) -> list[Symbol]:
    """The innermost definitions that hold a changed line; the file's own symbol for lines outside any."""
    found: dict[int, Symbol] = {}
    spans = list(ranges)
    for first, last in spans:
        around = [s for s in outline if s.start_line <= last and s.end_line >= first]
        around = [s for s in around if s.qualified] or around
        holders = {s.parent for s in around}
        for symbol in around:
            if symbol.id not in holders:
                found[symbol.id] = symbol
    return list(found.values())


def _unknown(session: Session, given: str) -> str:
    """Why a symbol that was asked for is none, in one line."""
    inside = session.place.inside
    path, colon, line = given.rpartition(":")
    if not (colon and line.isdigit()):
        return f"no symbol {given} is known{f' in {inside}' if inside else ''}{_nearest(session, given)}"
    for known in (_below(session, path), path):
        if session.reader.outline(known):
            return f"{known} has no line {line}" if session.place.holds(known) else f"{known} is not in {inside}"
    return f"no code file {path} is in the index"


def _nearest(session: Session, given: str) -> str:
    import difflib

    name = given.rpartition(".")[2]
    words = session.reader.vocabulary("name", name[:2].lower(), 500) if len(name) > 1 else ()
    names = {word: found for word in words if (found := _named(session, word, "insensitive"))}
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    return f" (did you mean {names[close[0]][0].name}?)" if close else ""


def _many(given: str, found: Sequence[Symbol]) -> str:
    return f"{len(found)} definitions are called {given}; all are taken (PATH:LINE names one)"


# --------------------------------------------------------------------------- printing


def as_json(told: Told) -> dict[str, Any]:
    data: dict[str, Any] = {
        "schema": 1,
        "subject": symbol_json(told.subjects[0]) if told.subjects else None,
        "subjects": [symbol_json(subject) for subject in told.subjects],
        "edges": [edge_json(edge, distance) for edge, distance in told.edges],
    }
    if told.routes:
        data["routes"] = [[edge_json(edge, step) for step, edge in enumerate(route, 1)] for route in told.routes]
    if told.symbols or told.lists_symbols:
        data["symbols"] = [
            {**symbol_json(symbol), "kind": symbol.kind, "centrality": symbol.centrality, **more}
            for symbol, more in told.symbols
        ]
    return data


def symbol_json(symbol: Symbol) -> dict[str, Any]:
    return {"symbol": symbol.full_name, "path": symbol.path, "line": symbol.name_line}


def edge_json(edge: Edge, distance: int) -> dict[str, Any]:
    return {
        "path": edge.path,
        "line": edge.line,
        "kind": edge.kind,
        "certainty": edge.certainty,
        "from": edge.source_name,
        "to": edge.target_name,
        "distance": distance,
    }


def lines(told: Told) -> Iterable[str]:
    for subject in told.subjects if told.edges else ():
        yield f"{harmless(subject.full_name)} ({subject.kind}) {harmless(subject.path)}:{subject.name_line}"
    for symbol, more in told.symbols:
        extra = "".join(f"  {value:,} {name}" for name, value in more.items())
        yield f"{harmless(symbol.path)}:{symbol.name_line}  {harmless(symbol.full_name)} ({symbol.kind}){extra}"
    if told.routes:
        for number, route in enumerate(told.routes, 1):
            yield f"way {number}:"
            for edge in route:
                yield f"  {edge_line(edge, 1)}"
        return
    for edge, distance in told.edges:
        yield f"  {edge_line(edge, distance)}"


def edge_line(edge: Edge, distance: int) -> str:
    far = f", {distance} steps" if distance > 1 else ""
    return (
        f"{harmless(edge.path)}:{edge.line}  {harmless(edge.source_name)} → {harmless(edge.target_name)}"
        f"  ({edge.kind}, {edge.certainty}{far})"
    )
