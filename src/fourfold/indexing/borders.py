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
#: Children of a node that spans more lines than this are borders too.
_LONG = 30


class Borders:
    """The statement borders of one file, worked out when first asked for."""

    def __init__(self, data: bytes, starts: Sequence[int], root: Node | None) -> None:
        self._data, self._starts = data, starts
        self._depths: dict[int, int] = {}
        #: (first line, last line, node, depth) of long nodes whose children have not been looked at yet
        self._closed: list[tuple[int, int, Node, int]] = [] if root is None else [(1, len(starts), root, 0)]

    def is_blank(self, line: int) -> bool:
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._data)
        return self._data[start : min(end, start + 500)].isspace()

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
        # near the end, leave the last piece enough to stand on
        latest = min(first + limit, max(last - _LEAST // 2, first + _LEAST))
        depths = self._borders(first + _LEAST, latest)
        best, best_rank = first + limit, 2 * _NOTHING + 2
        after_blank = self.is_blank(first + _LEAST - 1)
        for line in range(first + _LEAST, latest + 1):
            blank = self.is_blank(line)
            depth = depths.get(line)
            if depth is None:
                depth = _BLANK_ONLY if after_blank and not blank else _NOTHING
            rank = 2 * depth + (not after_blank)
            if rank <= best_rank:  # of equals the last
                best, best_rank = line, rank
            after_blank = blank
        return best if best_rank < 2 * _NOTHING else first + limit

    def _borders(self, first: int, last: int) -> dict[int, int]:
        """Line → how deep in long nodes the outermost node that is the first on this line stands.

        It holds the lines ``first`` to ``last`` for certain: nodes are opened when a line of theirs is asked for.
        """
        depths, starts, data = self._depths, self._starts, self._data
        work = [item for item in self._closed if item[0] <= last and item[1] >= first]
        if not work:
            return depths
        self._closed = [item for item in self._closed if item[0] > last or item[1] < first]
        while work:
            _, _, node, depth = work.pop()
            after_comment = False
            for child in node.named_children:
                start = child.start_byte
                line = bisect_right(starts, start)
                if not after_comment and (starts[line - 1] == start or not data[starts[line - 1] : start].strip()):
                    known = depths.get(line)
                    if known is None or depth < known:
                        depths[line] = depth
                after_comment = "comment" in child.type
                end = bisect_right(starts, max(child.end_byte - 1, 0))
                if end - line >= _LONG and child.child_count > 0:
                    near = line <= last and end >= first
                    (work if near else self._closed).append((line, end, child, depth + 1))
        return depths
