"""Back and forward through everything seen, as in a browser."""

from __future__ import annotations

from dataclasses import dataclass, field

from fourfold.model import Answer, PlanOptions

LIMIT = 200


@dataclass(frozen=True, slots=True)
class View:
    """One thing seen: a question with its answer and selected result, or a place in a file (or both)."""

    text: str = ""
    options: PlanOptions = field(default_factory=PlanOptions)
    similar_to: int | None = None
    answer: Answer | None = None
    current: str = ""
    path: str = ""
    line: int = 0
    focus: str = "results"

    def same_place(self, other: View) -> bool:
        return (self.text, self.similar_to, self.path, self.line) == (
            other.text, other.similar_to, other.path, other.line,
        )  # fmt: skip


class History:
    def __init__(self) -> None:
        self.views: list[View] = []
        self.at = -1

    def visit(self, view: View) -> None:
        """``view`` is seen now; what lay ahead is forgotten."""
        if self.at >= 0 and self.views[self.at].same_place(view):
            self.views[self.at] = view
            return
        self.views = self.views[: self.at + 1][-LIMIT:] + [view]
        self.at = len(self.views) - 1

    def update(self, view: View) -> None:
        """The present view has changed in itself (another result selected)."""
        if self.at >= 0:
            self.views[self.at] = view

    def step(self, by: int) -> View | None:
        """The view before (-1) or after (1) the present one; None at the ends."""
        target = self.at + by
        if not 0 <= target < len(self.views):
            return None
        self.at = target
        return self.views[target]
