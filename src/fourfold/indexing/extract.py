"""From the captures of a language's query to symbols, references, imports and bindings.

The query files use these captures: ``def.<kind>`` a whole definition, ``name`` its name (perhaps dotted), ``scope`` a
container that is no symbol itself (a Rust impl), ``outer`` what wraps a definition (decorators, export, template),
``receiver`` the type before a method's name, ``doc`` documentation inside, ``opaque`` a nameless function whose
variables are locals, ``comment`` and ``attribute`` what may be attached above, ``local`` names that are local,
``import`` a whole import statement, ``bind.name`` with ``bind.type`` or ``bind.call``, and references by their kind
(``type`` is a read that cannot be a local). A reference captures the whole dotted expression.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from operator import attrgetter

from tree_sitter import Tree

from fourfold.indexing.bindings import read_bindings
from fourfold.indexing.declarators import reach_names
from fourfold.indexing.definitions import Definitions, read_definitions
from fourfold.indexing.items import Captures
from fourfold.indexing.references import read_references
from fourfold.languages import Language
from fourfold.languages.grammar import captures, query
from fourfold.languages.imports import read_imports
from fourfold.model import ParsedBinding, ParsedImport, ParsedReference, ParsedSymbol

_SUFFIXES = frozenset("h hpp hh js sh bash rb zig php lua py r R jl css scss proto mk dart".split())


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one file's tree yields; ``spans`` are the symbols' lines with all that is attached to them."""

    symbols: tuple[ParsedSymbol, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    scopes: tuple[tuple[int, int, int], ...] = ()
    references: tuple[ParsedReference, ...] = ()
    imports: tuple[ParsedImport, ...] = ()
    bindings: tuple[ParsedBinding, ...] = ()
    #: how many lines the parser could make nothing of and that no symbol covers
    damaged: int = 0
    #: lines of the small errors among them, which may have led the parser astray
    faults: tuple[int, ...] = ()


def extract(entry: Language, data: bytes, tree: Tree, starts: list[int]) -> Extracted:
    """Read a tree. ``starts`` holds the byte offset of each line's start."""
    found = query(entry.name)
    if found is None:
        return Extracted()
    caught = captures(found, tree)
    reach_names(caught)
    definitions = read_definitions(entry, data, caught, starts)
    imports = _imports(entry, data, caught, starts, definitions)
    bindings, bound = read_bindings(entry, data, caught, starts, definitions)
    references, hidden = read_references(entry, data, caught, starts, definitions, imports, bound)
    references.extend(_import_references(imports, starts))
    references.sort(key=attrgetter("line", "column"))
    return Extracted(
        symbols=definitions.symbols,
        spans=definitions.spans,
        scopes=definitions.scopes,
        references=tuple(references),
        imports=tuple(item for item, _ in imports),
        bindings=tuple(sorted((*bindings, *hidden), key=attrgetter("line"))),
        damaged=_damaged_lines(tree, caught, starts, definitions),
        faults=_faults(caught, starts),
    )


def _imports(
    entry: Language, data: bytes, caught: Captures, starts: list[int], definitions: Definitions
) -> list[tuple[ParsedImport, int]]:
    found: list[tuple[ParsedImport, int]] = []
    for node in caught.get("import", ()):
        for item in read_imports(entry.name, node, data):
            line = bisect_right(starts, item.place)
            holder = definitions.holder_at(item.place)
            imported = ParsedImport(item.module, item.name, item.alias, line, item.level, holder, item.exported)
            found.append((imported, item.place))
    found.sort(key=lambda pair: pair[1])
    return found


def _import_references(imports: list[tuple[ParsedImport, int]], starts: list[int]) -> list[ParsedReference]:
    found = []
    for item, place in imports:
        name = item.name if item.name not in ("", "*") else _last_part(item.module)
        column = place - starts[item.line - 1]
        found.append(ParsedReference(name, "import", item.line, column, item.holder, item.module))
    return found


def _last_part(module: str) -> str:
    """The name that a whole module goes by: the last part of its path, without a suffix of a file."""
    module = module.rstrip("/")
    if "/" in module:
        return module.rpartition("/")[2].partition(".")[0] or module
    for mark in ("::", "\\"):
        module = module.replace(mark, ".")
    parts = [part for part in module.split(".") if part]
    if len(parts) > 1 and parts[-1] in _SUFFIXES:
        return parts[-2]
    return parts[-1] if parts else module


def _damaged_lines(tree: Tree, caught: Captures, starts: list[int], definitions: Definitions) -> int:
    """How many lines stand in what the parser could make nothing of, and in no symbol that it kept all the same."""
    damaged = bytearray(len(starts) + 1)
    if tree.root_node.type == "ERROR":
        damaged = bytearray(b"\1") * len(damaged)
    for node in caught.get("error", ()):
        first, last = bisect_right(starts, node.start_byte), bisect_right(starts, max(node.end_byte - 1, 0))
        damaged[first : last + 1] = b"\1" * (last + 1 - first)
    if not any(damaged):
        return 0
    for first, last in definitions.spans:
        damaged[first : last + 1] = bytes(last + 1 - first)
    return sum(damaged[1:])


def _faults(caught: Captures, starts: list[int]) -> tuple[int, ...]:
    found: set[int] = set()
    for node in caught.get("error", ()):
        first, last = bisect_right(starts, node.start_byte), bisect_right(starts, max(node.end_byte - 1, 0))
        if last - first < 2:
            found.update(range(first, last + 1))
    return tuple(sorted(found))
