"""The stacked bar of a score: whole cells, one piece a modality, the boost apart, what a demotion took at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfold.model import LETTERS, MODALITIES, Result

Span = tuple[str, str]
#: The palette's role of each modality; *text* has another name there, for ``text`` is the colour of plain text.
ROLES: Mapping[str, str] = {"semantic": "semantic", "text": "textual", "structural": "structural", "graph": "graph"}


@dataclass(frozen=True, slots=True)
class Piece:
    """``role`` is a modality's name, ``boost`` or ``lost``; ``value`` is in units of score."""

    role: str
    value: float


def pieces(result: Result) -> list[Piece]:
    """The pieces of one result: contributions and boost add up to its score; ``lost`` is what the demotion took."""
    by_name = {c.modality: c.contribution for c in result.contributions}
    total = sum(by_name.values())
    out = [Piece(name, by_name[name] * result.demotion) for name in MODALITIES if by_name.get(name, 0.0) > 0]
    out.append(Piece("boost", total * (result.boost - 1.0) * result.demotion))
    out.append(Piece("lost", total * result.boost * (1.0 - result.demotion)))
    return [piece for piece in out if piece.value > 1e-12]


def scale(results: Iterable[Result]) -> float:
    """The value that a full bar stands for: the first result's score. What a demotion took from one further down may
    have been more than that; its piece ends with the bar."""
    return next((result.score for result in results), 0.0)


def widths(values: Sequence[float], full: float, width: int) -> list[int]:
    """Whole cells for ``values`` on a bar of ``width`` cells that stands for ``full``.

    The cells add up to the rounded length of the sum (largest remainder), and every value has at least one cell as
    long as the bar's length allows it.
    """
    if full <= 0 or width <= 0 or not values:
        return [0] * len(values)
    exact = [max(0.0, value) / full * width for value in values]
    length = min(width, round(sum(exact)))
    if any(value > 0 for value in values):
        length = min(width, max(length, 1))
    cells = [int(value) for value in exact]
    by_remainder = sorted(range(len(values)), key=lambda i: (int(exact[i]) - exact[i], i))
    for index in by_remainder * 2:
        if sum(cells) >= length:
            break
        cells[index] += 1
    while sum(cells) > length:
        cells[cells.index(max(cells))] -= 1
    if length >= len(values):
        for index, value in enumerate(values):
            if value > 0 and cells[index] == 0:
                cells[cells.index(max(cells))] -= 1
                cells[index] = 1
    return cells


def bar(parts: Sequence[Piece], full: float, width: int, *, plain: bool = False, track: bool = True) -> list[Span]:
    """Spans of exactly ``width`` cells. ``plain`` draws without any colour: a modality is a run of its letter."""
    spans: list[Span] = []
    used = 0
    given = [part for part in parts if part.role != "lost"]
    cells_of = dict(zip(given, widths([part.value for part in given], full, width), strict=True))
    lost = next((part for part in parts if part.role == "lost"), None)
    if lost is not None and full > 0:
        cells_of[lost] = min(width - sum(cells_of.values()), max(1, round(lost.value / full * width)))
    for piece, cells in cells_of.items():
        if not cells:
            continue
        used += cells
        if piece.role == "boost":
            spans.append(("▒" * cells, "boost" if plain else "boost on:boost_background"))
        elif piece.role == "lost":
            spans.append(("╌" * cells, "dim"))
        else:
            letter = LETTERS[piece.role]  # type: ignore[index]
            text = letter * cells if plain else letter + " " * (cells - 1)
            spans.append((text, f"letter on:{ROLES[piece.role]} bold"))
    if used < width:
        spans.append((("·" if track else " ") * (width - used), "faint"))
    return spans


def meter(name: str, share: float, width: int, *, plain: bool = False) -> list[Span]:
    """A coverage bar: ``width`` cells, ``share`` from 0 to 1 of them filled in the colour of modality ``name``."""
    filled = min(width, max(0, round(share * width)))
    if 0 < share < 1:
        filled = min(width - 1, max(1, filled))
    return [("━" * filled, ROLES[name]), (("┄" if plain else "─") * (width - filled), "faint")]
