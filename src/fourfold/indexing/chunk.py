"""Cutting a file into chunks: runs of whole lines that follow the syntax and cover every line exactly once.

One function, one method, one small class, or a run of lines between them. Small chunks are not merged with their
neighbours, and what is longer than `LIMIT` lines is split where a statement starts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from fourfold.indexing.borders import Borders
from fourfold.languages import Family
from fourfold.model import ParsedChunk, ParsedSymbol

#: About as many lines as a chunk may have.
LIMIT = 60
#: A function inside a longer one gets a chunk of its own from this length on; a shorter one is part of the body.
_NESTED = 15
_CLASSES = frozenset({"class", "interface", "struct", "trait", "enum"})
_FUNCTIONS = frozenset({"function", "method"})
_SPACES = frozenset({"namespace", "module"})
#: Kinds that make a chunk whatever their length.
_ALONE = _CLASSES | _FUNCTIONS | _SPACES | {"heading"}
#: Kinds that make a chunk of their own when they have several lines.
_LONG_ALONE = frozenset({"type", "macro", "property", "key", "constant", "variable"})
_LONG = 12
#: A run of nothing but these belongs to what stands before it.
_CLOSING = re.compile(rb"[\s)\]};,]*(?:end\b[\s.;]*|#endif\b[^\n]*|fi\b|esac\b|done\b)?(?://[^\n]*)?\s*\Z")


@dataclass(slots=True)
class _Region:
    """Lines that one symbol (or scope, or the file) covers, and the regions inside them."""

    first: int
    last: int
    symbol: int
    kind: str
    inner: list[_Region] = field(default_factory=list)


def chunk(
    data: bytes,
    starts: Sequence[int],
    symbols: Sequence[ParsedSymbol] = (),
    spans: Sequence[tuple[int, int]] = (),
    scopes: Sequence[tuple[int, int, int]] = (),
    root: Node | None = None,
    family: Family = "code",
) -> tuple[ParsedChunk, ...]:
    """The chunks of a file of ``len(starts)`` lines.

    ``spans`` are the symbols' first and last lines with attached comments and decorators; ``scopes`` are (first, last,
    symbol or -1) of containers that are no symbols; ``root`` is the tree's root, for statement borders.
    """
    if not starts:
        return ()
    whole = _Region(1, len(starts), -1, "file")
    _nest(whole, _regions(symbols, spans, scopes))
    return tuple(_Cutter(data, starts, symbols, Borders(data, starts, root), family).cut(whole))


def _regions(
    symbols: Sequence[ParsedSymbol], spans: Sequence[tuple[int, int]], scopes: Sequence[tuple[int, int, int]]
) -> list[_Region]:
    holding = {symbol.parent for symbol in symbols if symbol.kind in _FUNCTIONS}
    found = [
        _Region(first, last, index, symbol.kind)
        for index, (symbol, (first, last)) in enumerate(zip(symbols, spans, strict=True))
        if symbol.kind in _ALONE
        or (symbol.kind in _LONG_ALONE and last > first and (last - first + 1 >= _LONG or index in holding))
    ]
    found.extend(_Region(first, last, symbol, "scope") for first, last, symbol in scopes)
    found.sort(key=lambda region: (region.first, -region.last, region.kind != "scope"))
    return found


def _nest(whole: _Region, regions: list[_Region]) -> None:
    """Put each region inside the smallest one that holds it; one that straddles another's end is cut there."""
    stack = [whole]
    for region in regions:
        while len(stack) > 1 and stack[-1].last < region.first:
            stack.pop()
        above = stack[-1]
        region.first = max(region.first, above.inner[-1].last + 1 if above.inner else above.first)
        region.last = min(region.last, above.last)
        if region.first > region.last:
            continue
        above.inner.append(region)
        stack.append(region)


class _Cutter:
    """Walks the regions and hands out chunks in the order of lines."""

    def __init__(
        self, data: bytes, starts: Sequence[int], symbols: Sequence[ParsedSymbol], borders: Borders, family: Family
    ) -> None:
        self.data, self.starts, self.symbols, self.borders = data, starts, symbols, borders
        self.plain = {"code": "lines", "prose": "prose", "data": "data"}[family]
        self.lines = len(starts)
        values = sorted(
            (symbol.start_line, index)
            for index, symbol in enumerate(symbols)
            if symbol.kind not in _ALONE and symbol.kind != "field"
        )
        self.value_lines = [line for line, _ in values]
        self.values = [index for _, index in values]

    def cut(self, whole: _Region) -> list[ParsedChunk]:
        lasts: list[int] = []
        found: list[tuple[int, int]] = []
        for first, last, symbol in self._pieces(whole):
            if lasts:
                if self._belongs_to_previous(first, last):
                    lasts[-1] = last
                    continue
                while first < last and self.borders.is_blank(first):
                    first += 1
                lasts[-1] = first - 1
            found.append((first, symbol))
            lasts.append(last)
        symbols, plain = self.symbols, self.plain
        return [
            ParsedChunk(first, last, symbol, symbols[symbol].kind if symbol >= 0 else plain)
            for (first, symbol), last in zip(found, lasts, strict=True)
        ] or [ParsedChunk(1, self.lines, -1, plain)]

    def _pieces(self, whole: _Region) -> list[tuple[int, int, int]]:
        """(first, last, symbol) in order; together they cover all lines."""
        found: list[tuple[int, int, int]] = []
        work: list[tuple[_Region | None, int, int, int]] = [(whole, whole.first, whole.last, -1)]
        while work:
            region, first, last, symbol = work.pop()
            if region is None:
                found.extend(self._run(first, last, symbol))
                continue
            if not self._opens(region):
                if region.last - region.first < LIMIT:  # most of them
                    found.append((region.first, region.last, region.symbol))
                    continue
                found.extend(self._split(region.first, region.last, region.symbol))
                continue
            parts: list[tuple[_Region | None, int, int, int]] = []
            place = region.first
            for inner in self._inner(region):
                if inner.first > place:
                    parts.append((None, place, inner.first - 1, region.symbol))
                parts.append((inner, inner.first, inner.last, inner.symbol))
                place = inner.last + 1
            if place <= region.last:
                parts.append((None, place, region.last, region.symbol))
            work.extend(reversed(parts))
        return found

    def _opens(self, region: _Region) -> bool:
        """Whether a region is cut into what it holds, rather than being a chunk whole."""
        if not region.inner:
            return False
        if region.kind in ("file", "namespace", "heading"):
            return True
        if region.kind == "module":
            return region.last - region.first + 1 > LIMIT or any(inner.kind in _CLASSES for inner in region.inner)
        return region.last - region.first + 1 > LIMIT

    def _inner(self, region: _Region) -> list[_Region]:
        if region.kind in _FUNCTIONS:
            return [inner for inner in region.inner if inner.last - inner.first + 1 >= _NESTED]
        return region.inner

    def _run(self, first: int, last: int, symbol: int) -> list[tuple[int, int, int]]:
        """Lines between definitions: whole, or split when they are many."""
        pieces = self._split(first, last, symbol)
        if symbol >= 0:
            return pieces
        return [(start, end, self._only_value(start, end)) for start, end, _ in pieces]

    def _only_value(self, first: int, last: int) -> int:
        """The one value that a run outside all definitions holds, when it is most of the run; else -1."""
        low, high = bisect_left(self.value_lines, first), bisect_right(self.value_lines, last)
        if high - low != 1:
            return -1
        index = self.values[low]
        symbol = self.symbols[index]
        covered = min(symbol.end_line, last) - symbol.start_line + 1
        written = sum(1 for line in range(first, last + 1) if not self.borders.is_blank(line))
        return index if 2 * covered > written else -1

    def _belongs_to_previous(self, first: int, last: int) -> bool:
        """Whether a piece is only blank lines and closing brackets: they are part of what they end."""
        if last - first > LIMIT:
            return False
        start = self.starts[first - 1]
        end = self.starts[last] if last < self.lines else len(self.data)
        return end - start < 2000 and bool(_CLOSING.match(self.data, start, end))

    def _split(self, first: int, last: int, symbol: int) -> list[tuple[int, int, int]]:
        return [(start, end, symbol) for start, end in self.borders.split(first, last, LIMIT)]
