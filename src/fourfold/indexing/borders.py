"""Where a long run of lines may be cut: at the start of a statement, the outermost and after a blank line first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tree_sitter import Node

#: A line that only a blank line before it makes a border, and one that nothing does.
_BLANK_ONLY, _NOTHING = 1000, 2000
#: No piece is shorter than this unless the run ends.
_LEAST = 15
#: A run that is longer than the limit by so little is left whole.
_SLACK = 6


class Borders:
    """The statement borders of one file, worked out when first asked for."""

    def __init__(self, data: bytes, starts: Sequence[int], root: Node | None) -> None:
        self._data, self._starts, self._root = data, starts, root
        self._depths: dict[int, int] | None = None

    def is_blank(self, line: int) -> bool:
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._data)
        return not self._data[start : min(end, start + 500)].strip()

    def split(self, first: int, last: int, limit: int) -> list[tuple[int, int]]:
        """Cut the lines ``first`` to ``last`` into pieces of about ``limit`` lines at the most."""
        pieces: list[tuple[int, int]] = []
        while last - first + 1 > limit + _SLACK:
            cut = self._best(first, last, limit)
            pieces.append((first, cut - 1))
            first = cut
        return [*pieces, (first, last)]

    def _best(self, first: int, last: int, limit: int) -> int:
        """The line at which the next piece starts."""
        depths = self._borders()
        best, best_rank = first + limit, (_NOTHING + 1, 0)
        # near the end, leave the last piece enough to stand on
        latest = min(first + limit, max(last - _LEAST // 2, first + _LEAST))
        for line in range(first + _LEAST, latest + 1):
            after_blank = self.is_blank(line - 1)
            depth = depths.get(line, _BLANK_ONLY if after_blank and not self.is_blank(line) else _NOTHING)
            rank = (2 * depth + (not after_blank), -line)
            if rank < best_rank:
                best, best_rank = line, rank
        return best if best_rank[0] < 2 * _NOTHING else first + limit

    def _borders(self) -> dict[int, int]:
        """Line → how deep in long nodes the outermost node that is the first on this line stands."""
        if self._depths is not None:
            return self._depths
        depths: dict[int, int] = {}
        self._depths = depths
        if self._root is None:
            return depths
        work: list[tuple[Node, int]] = [(self._root, 0)]
        while work:
            node, depth = work.pop()
            after_comment = False
            for child in node.named_children:
                start = child.start_byte
                line = bisect_right(self._starts, start)
                is_comment = "comment" in child.type
                if not after_comment and not self._data[self._starts[line - 1] : start].strip():
                    depths[line] = min(depth, depths.get(line, depth))
                after_comment = is_comment
                if self._is_long(child, line):
                    work.append((child, depth + 1))
        return depths

    def _is_long(self, node: Node, line: int) -> bool:
        return bisect_right(self._starts, max(node.end_byte - 1, 0)) - line >= 30 and node.child_count > 0
