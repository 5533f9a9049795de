"""Every theme that ships can be read by everyone: contrast, and the four modalities apart with any colour vision."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from fourfold.tui import themes
from fourfold.tui.themes import CODE, Palette

PALETTES, PROBLEMS = themes.load()
COLOURED = [palette for palette in PALETTES.values() if not palette.ansi]
MODALITIES = ("semantic", "textual", "structural", "graph")
#: Colour vision without one kind of cone: G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for
#: simulation of color vision deficiency", IEEE TVCG 15(6), 2009, severity 1, on linear RGB.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, two: str) -> float:
    """WCAG 2's ratio, 1 to 21."""
    light, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(two))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """OKLab coordinates (B. Ottosson, 2020) of a colour as that kind of eye sees it."""
    rgb = linear(colour)
    r, g, b = (min(1.0, max(0.0, sum(a * c for a, c in zip(row, rgb, strict=True)))) for row in VISIONS[vision])
    l_ = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m_ = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s_ = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l_ + 0.793617785 * m_ - 0.0040720468 * s_,
        1.9779984951 * l_ - 2.428592205 * m_ + 0.4505937099 * s_,
        0.0259040371 * l_ + 0.7827717662 * m_ - 0.808675766 * s_,
    )


def test_the_themes_that_ship_are_all_good() -> None:
    assert PROBLEMS == []
    assert {"fourfold-dark", "fourfold-light", "high-contrast", "ansi-16"} <= set(PALETTES)


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_all_text_can_be_read_on_every_background(palette: Palette) -> None:
    least = 7.0 if palette.name == "high-contrast" else 4.5
    texts = ["text", "bright", "dim", "accent", "warning", "error", "good", *MODALITIES, *(f"code.{n}" for n in CODE)]
    for text, ground in itertools.product(texts, ("background", "raised", "cursor", "cursor_blurred", "match")):
        ratio = contrast(palette.colour(text), palette.colour(ground))
        assert ratio >= least, f"{text} on {ground} is {ratio:.2f}"
    for text, ground in (("bright", "selection"), ("text", "selection"), ("boost", "boost_background")):
        assert contrast(palette.colour(text), palette.colour(ground)) >= 4.5
    for name in MODALITIES:
        assert contrast(palette.colour("letter"), palette.colour(name)) >= 4.5


def words_and_styles(snapshot: str) -> Iterator[tuple[str, str]]:
    """(style, word) for every run of cells with a letter or a digit in it, in each theme of a kept screen."""
    shown, *themed = snapshot.split("\n== ")
    cells = [[char for char in line for _ in range(cell_len(char))] for line in shown.split("\n")]
    for part in themed:
        lines = part.split("\n")[1:]
        runs = next(number for number, line in enumerate(lines) if re.fullmatch(r"(\S\d+ ?)+", line))
        styles = {line[0]: line[2:] for line in lines[:runs]}
        for row, line in zip(cells, lines[runs:], strict=False):
            at = 0
            for run in line.split():
                word, at = "".join(row[at : at + int(run[1:])]), at + int(run[1:])
                if any(char.isalnum() for char in word):
                    yield styles[run[0]], word.strip()


def test_every_word_on_every_kept_screen_can_be_read() -> None:
    """Whatever the tables of a theme say: the colours as they meet on the screens, selected rows and chips too."""
    files = sorted((Path(__file__).parents[1] / "terminal" / "snapshots").glob("*.txt"))
    met = {pair for file in files for pair in words_and_styles(file.read_text("utf-8"))}
    checked = 0
    for style, word in met:
        colours = re.findall("#[0-9a-f]{6}", style)
        if len(colours) == 2:
            checked += 1
            assert contrast(*colours) >= 4.5, f"“{word}” is {style}"
    assert checked > 1000


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
@pytest.mark.parametrize("vision", VISIONS)
def test_modalities_differ_for_every_kind_of_eye(palette: Palette, vision: str) -> None:
    for one, two in itertools.combinations(MODALITIES, 2):
        apart = math.dist(seen(palette.colour(one), vision), seen(palette.colour(two), vision))
        assert apart >= 0.045, f"{one} and {two}: {apart:.3f}"


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_modality_colours_are_used_for_nothing_else(palette: Palette) -> None:
    own = {palette.colour(name) for name in MODALITIES}
    assert len(own) == 4
    assert not own & {colour for role, colour in palette.colours.items() if role not in MODALITIES}


def test_the_sixteen_colour_theme_uses_the_terminals_own_colours_alone() -> None:
    assert all(colour.startswith("ansi_") for colour in PALETTES["ansi-16"].colours.values())


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("text = ", "txet = "), "no colour “text”"),
        (('"#14161d"', '"black-ish"'), "is not a colour"),
        (("[code]", "[cod]"), "[code]"),
        (("name = ", "nam = "), "no name"),
        (("[ui]", "[ui"), "not valid TOML"),
    ],
)
def test_a_bad_theme_is_one_clear_line_and_the_others_stay(tmp_path: Path, change: tuple[str, str], word: str) -> None:
    good = (themes.shipped() / "fourfold-dark.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(good.replace(*change, 1), encoding="utf-8")
    palettes, problems = themes.load(tmp_path)
    assert len(problems) == 1
    assert "mine.toml" in problems[0]
    assert word in problems[0]
    assert "fourfold-dark" in palettes


def test_no_color_leaves_no_colour_in_any_style() -> None:
    palette = themes.Palette("x", "x", True, True, PALETTES["ansi-16"].colours, no_colour=True)
    for role in ("bright", "letter on:semantic bold", "dim", "text on:selection", "code.keyword"):
        style = palette.style(role)
        assert style.color is None
        assert style.bgcolor is None
    assert palette.style("text on:selection").reverse


def test_the_theme_follows_what_the_terminal_says_of_itself() -> None:
    deep = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    assert themes.choose("", deep) == "fourfold-dark"
    assert themes.choose("", {**deep, "COLORFGBG": "0;15"}) == "fourfold-light"
    assert themes.choose("", {"TERM": "linux"}) == "ansi-16"
    assert themes.choose("mine", {"TERM": "linux"}) == "mine"
