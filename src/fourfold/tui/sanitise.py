"""Text from a codebase for the screen: harmless (`fourfold.harmless`), and measured in cells."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len

from fourfold.harmless import harmless

TAB = 4


def clean(text: str) -> str:
    """One line of ``text`` with every unsafe character replaced by something visible; tabs become one space."""
    return harmless(text, " ")


def expand(text: str, column: int = 0) -> tuple[str, int]:
    """`clean`, with tabs expanded to stops every four cells, starting at cell ``column``; also the column reached."""
    if text.isascii() and text.isprintable():
        return text, column + len(text)
    parts = []
    for index, piece in enumerate(text.split("\t")):
        if index:
            gap = TAB - column % TAB
            parts.append(" " * gap)
            column += gap
        piece = harmless(piece)
        column += cell_len(piece)
        parts.append(piece)
    return "".join(parts), column


def shorten(text: str, width: int) -> str:
    """``text`` cut to ``width`` cells, with an ellipsis at the end when something was cut."""
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[:width]
    out, used = [], 0
    for char in text:
        cells = cell_len(char)
        if used + cells > width - 1:
            break
        out.append(char)
        used += cells
    return "".join(out) + "…"


def shorten_path(path: str, width: int) -> str:
    """``path`` cut in the middle, so that the file's name stays readable."""
    if cell_len(path) <= width:
        return path
    folder, slash, name = path.rpartition("/")
    room = width - cell_len(name) - 2
    if not slash or room < 2:
        return shorten(path if not slash else name, width)
    kept: list[str] = []
    for char in reversed(folder):
        cells = cell_len(char)
        if cells > room:
            break
        kept.append(char)
        room -= cells
    return "…" + "".join(reversed(kept)) + "/" + name


def shorten_name(name: str, width: int) -> str:
    """A dotted name cut at its front, so that its own part stays readable."""
    if cell_len(name) <= width:
        return name
    kept: list[str] = []
    room = width - 1
    for char in reversed(name):
        cells = cell_len(char)
        if cells > room:
            break
        kept.append(char)
        room -= cells
    return "…" + "".join(reversed(kept)) if width > 0 else ""


def wrap(text: str, width: int) -> list[str]:
    """``text`` broken into lines of at most ``width`` cells, at spaces where it can be."""
    width = max(4, width)
    lines: list[str] = []
    line, used = "", 0
    for word in text.split(" "):
        cells = cell_len(word)
        if line and used + 1 + cells <= width:
            line, used = f"{line} {word}", used + 1 + cells
            continue
        if line:
            lines.append(line)
        while cells > width:
            head = shorten(word, width)[:-1] or word[:1]
            lines.append(head)
            word = word[len(head) :]
            cells = cell_len(word)
        line, used = word, cells
    lines.append(line)
    return lines


def plain_ascii(text: str) -> str:
    """``text`` without marks and in lower case, for loose comparison of names."""
    folded = unicodedata.normalize("NFKD", text)
    return "".join(char for char in folded if not unicodedata.combining(char)).casefold()
