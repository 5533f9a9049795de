"""An explanation as a picture: the list with its stacked bars, and the arithmetic of one result. Plain SVG text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from fourfold.harmless import harmless
from fourfold.model import LETTERS, MODALITIES, Answer, Modality, Result

#: Told apart with any colour vision; at least 4.5:1 on white, and white on them.
COLOURS: dict[Modality, str] = {"semantic": "#7b4b94", "text": "#8a5300", "structural": "#0b62a4", "graph": "#1f7a4d"}
INK, GREY, WHITE = "#111111", "#555555", "#ffffff"
WIDTH, LINE, LEFT, SIZE = 1000, 22, 24, 13
#: Where the columns begin; the pixels of the longest bar, and of a character.
NAME, PLACE, BARS, BAR, CHARACTER = 54, 290, 590, 310, 7.8
SHOWN = 15

#: Draws one line whose text stands on the given height.
Line = Callable[[float], str]


def as_svg(answer: Answer, chosen: Result | None = None, command: str = "") -> str:
    """The picture as text. ``chosen`` is the result whose arithmetic stands below (the first by default)."""
    lines = list(_lines(answer, chosen or next(iter(answer.results), None), command))
    height = LINE * (len(lines) + 2)
    drawn = "\n".join(line(LINE * (number + 1.5)) for number, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="Fira Code, Menlo, Consolas, monospace" font-size="{SIZE}">\n'
        f'<rect width="100%" height="100%" fill="{WHITE}"/>\n{drawn}\n</svg>\n'
    )


def _lines(answer: Answer, chosen: Result | None, command: str) -> Iterator[Line]:
    intent, plan = answer.intent, answer.plan
    yield _line((LEFT, answer.question.text, INK, True))
    facts = f"{intent.name} {intent.confidence:.2f}, rule {intent.rule} · {plan.strategy} · k {plan.k}"
    yield _line((LEFT, f"{facts} · {', '.join(plan.runs)}", GREY, False))
    yield _line()
    full = max((result.score for result in answer.results[:SHOWN]), default=0.0)
    for result in answer.results[:SHOWN]:
        yield _listed(result, full)
    yield _line()
    if chosen is not None:
        yield from _arithmetic(chosen, plan.k)
    if command:
        yield _line((LEFT, _cut(command, 120), GREY, False))


def _listed(result: Result, full: float) -> Line:
    words = _line(
        (LEFT, f"{result.position:>2}", GREY, False),
        (NAME, _cut(result.symbol or "lines", 29), INK, False),
        (PLACE, _cut(f"{result.path}:{result.start_line}", 37), GREY, False),
        (BARS + BAR + 10, f"{result.score:.4f}", INK, False),
    )
    return lambda y: words(y) + "".join(_bar(result, full, y))


def _arithmetic(result: Result, k: int) -> Iterator[Line]:
    yield _line((LEFT, f"Why #{result.position}: {result.symbol or result.path}", INK, True))
    for part in result.contributions:
        text = (
            f"{LETTERS[part.modality]} {part.modality:<11}#{part.rank + 1:<4}"
            f"{part.weight:g} × 1/({k} + {part.rank + 1}) = {part.contribution:.5f}"
        )
        yield _line((LEFT, text, COLOURS[part.modality], False))
    total = sum(part.contribution for part in result.contributions)
    reason = f" ({result.demotion_reason})" if result.demotion_reason else ""
    text = f"Σ {total:.5f} × boost {result.boost:.3f} × demotion {result.demotion:g}{reason} = {result.score:.5f}"
    yield _line((LEFT, text, INK, False))


def _bar(result: Result, full: float, y: float) -> Iterator[str]:
    """One piece a modality, its letter in it; the boost as a dashed piece at the end."""
    x, scale = float(BARS), BAR / full if full > 0 else 0.0
    by_name = {part.modality: part.contribution for part in result.contributions}
    for name in MODALITIES:
        wide = by_name.get(name, 0.0) * result.demotion * scale
        if wide > 0:
            yield _box(x, y, wide, f'fill="{COLOURS[name]}"')
            if wide > CHARACTER + 2:
                yield _text(x + (wide - CHARACTER) / 2, y, LETTERS[name], WHITE, True)
        x += wide
    boost = sum(by_name.values()) * (result.boost - 1) * result.demotion * scale
    if boost > 0.5:
        yield _box(x, y, boost, f'fill="{WHITE}" stroke="{GREY}" stroke-dasharray="2 2"')


def _box(x: float, y: float, wide: float, how: str) -> str:
    return f'<rect x="{x:.1f}" y="{y - 13:.1f}" width="{wide:.1f}" height="17" {how}/>'


def _line(*pieces: tuple[float, str, str, bool]) -> Line:
    """A line of texts: where each begins, the text, its colour, whether bold."""
    return lambda y: "".join(_text(x, y, text, colour, bold) for x, text, colour, bold in pieces)


def _text(x: float, y: float, text: str, colour: str, bold: bool) -> str:
    weight = ' font-weight="bold"' if bold else ""
    shown = escape(harmless(text))
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{weight} xml:space="preserve">{shown}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
