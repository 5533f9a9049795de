"""Themes are TOML files: the ones that ship, and a user's own in the ``themes`` folder of their configuration.

A file names every colour that the screen uses. A bad file is reported in one line and left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from rich.color import Color, ColorParseError
from rich.style import Style
from textual.theme import Theme

DEFAULT = "fourfold-dark"
UI = (
    "background", "raised", "cursor", "cursor_blurred", "match", "selection", "text", "bright", "dim", "faint",
    "border", "border_focus", "accent", "warning", "error", "good",
)  # fmt: skip
MODALITY = ("semantic", "text", "structural", "graph", "letter", "boost", "boost_background")
CODE = (
    "keyword", "string", "number", "comment", "function", "type", "constant", "operator", "decorator", "heading",
)  # fmt: skip
_ATTRIBUTES = frozenset({"bold", "italic", "underline", "reverse", "strike"})


class ThemeError(ValueError):
    """One clear line about a theme file that cannot be used."""


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, by role, and the styles made of them.

    A role is words separated by spaces: a colour's name for the text, ``on:NAME`` for the background, and ``bold``,
    ``italic``, ``underline``, ``reverse``. Modalities are ``semantic``, ``textual`` (the modality *text*, whose name
    the colour of plain text has), ``structural``, ``graph``; the code's colours start with ``code.``.
    """

    name: str
    title: str
    dark: bool
    ansi: bool
    colours: Mapping[str, str]
    no_colour: bool = False
    _styles: dict[str, Style] = field(default_factory=dict, repr=False, compare=False)

    def colour(self, name: str) -> str:
        return self.colours[name]

    def style(self, role: str) -> Style:
        style = self._styles.get(role)
        if style is None:
            style = self._styles[role] = self._make(role)
        return style

    def _make(self, role: str) -> Style:
        colour = background = None
        attributes: dict[str, bool] = {}
        for word in role.split():
            if word in _ATTRIBUTES:
                attributes[word] = True
            elif word.startswith("on:"):
                background = self._rich(word[3:], ground=True)
            else:
                colour = self._rich(word, ground=False)
                if word == "bright" or (self.ansi and word in ("code.keyword", "code.function", "code.heading")):
                    attributes.setdefault("bold", True)
                if self.ansi and word in ("dim", "code.comment"):
                    attributes["dim"] = True
        if self.no_colour:
            if background is not None and "on:selection" in role:
                attributes["reverse"] = True
            return Style(**attributes)  # type: ignore[arg-type]
        if self.ansi and "on:selection" in role:
            attributes["reverse"] = True
        return Style(color=colour, bgcolor=background, **attributes)  # type: ignore[arg-type]

    def _rich(self, name: str, *, ground: bool) -> str:
        if not ground and name in ("semantic", "textual", "structural", "graph") and "ink" in self.colours:
            name = "ink"
        value = self.colours[name]
        return value.removeprefix("ansi_")

    @cached_property
    def theme(self) -> Theme:
        """The same as a theme for Textual's own widgets."""
        c = self.colours
        extra = {"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"} if self.ansi else {}
        return Theme(
            name=self.name,
            primary=c["accent"],
            secondary=c["dim"],
            warning=c["warning"],
            error=c["error"],
            success=c["good"],
            accent=c["accent"],
            foreground=c["text"],
            background=c["background"],
            surface=c["background"],
            panel=c["raised"],
            dark=self.dark,
            ansi=self.ansi,
            text_alpha=1.0,
            variables={
                **extra,
                "ff-cursor": c["cursor"] if not self.ansi else "ansi_bright_black",
                "ff-raised": c["raised"],
                "ff-dim": c["dim"],
                "ff-bright": c["bright"],
                "ff-faint": c["faint"],
                "ff-border": c["border"],
                "ff-border-focus": c["border_focus"],
                "ff-selection": c["selection"],
                "block-cursor-background": c["cursor"] if not self.ansi else "ansi_default",
                "block-cursor-foreground": c["bright"],
                "input-cursor-background": c["bright"] if not self.ansi else "ansi_default",
                "input-cursor-foreground": c["background"] if not self.ansi else "ansi_default",
                "input-cursor-text-style": "none" if not self.ansi else "reverse",
                "input-selection-background": c["selection"] if not self.ansi else "ansi_bright_black",
                "scrollbar": c["border"],
                "scrollbar-hover": c["dim"],
                "scrollbar-active": c["dim"],
                "scrollbar-background": c["background"],
                "scrollbar-background-hover": c["background"],
                "scrollbar-background-active": c["background"],
                "scrollbar-corner-color": c["background"],
            },
        )


def parse(text: str, source: str) -> Palette:
    """A palette from the text of a theme file; `ThemeError` names ``source`` and what is wrong."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ThemeError(f"theme {source}: not valid TOML: {error}") from None
    name = data.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ThemeError(f"theme {source}: has no name")
    ansi = bool(data.get("ansi", False))
    colours: dict[str, str] = {}
    for section, keys in (("ui", UI), ("modality", MODALITY), ("code", CODE)):
        table = data.get(section)
        if not isinstance(table, dict):
            raise ThemeError(f"theme {source}: has no [{section}]")
        for key in keys:
            if key not in table:
                raise ThemeError(f"theme {source}: [{section}] has no colour “{key}”")
            colours[_role(section, key)] = _colour(table[key], f"theme {source}: [{section}] {key}")
        if section == "modality" and "ink" in table:
            colours["ink"] = _colour(table["ink"], f"theme {source}: [modality] ink")
    return Palette(name.strip(), str(data.get("title", name)), bool(data.get("dark", True)), ansi, colours)


def _role(section: str, key: str) -> str:
    if section == "code":
        return f"code.{key}"
    return "textual" if (section, key) == ("modality", "text") else key


def _colour(value: object, where: str) -> str:
    if isinstance(value, str):
        if value.startswith("ansi_"):
            try:
                Color.parse(value.removeprefix("ansi_"))
                return value
            except ColorParseError:
                pass
        elif len(value) == 7 and value[0] == "#":
            try:
                int(value[1:], 16)
                return value.lower()
            except ValueError:
                pass
    raise ThemeError(f"{where}: {value!r} is not a colour (#rrggbb or ansi_NAME)")


def shipped() -> Traversable | Path:
    """The folder of the themes that ship: inside the installed package, or at the top of an editable checkout."""
    packaged = resources.files("fourfold") / "themes"
    if packaged.is_dir():
        return packaged
    return Path(__file__).resolve().parents[3] / "themes"


def load(user: Path | None = None) -> tuple[dict[str, Palette], list[str]]:
    """All themes by name (a user's own replace one of the same name), and one line for each file that is bad."""
    palettes: dict[str, Palette] = {}
    problems: list[str] = []
    for source in _files(user):
        try:
            palette = parse(source.read_text(encoding="utf-8"), source.name)
        except ThemeError as error:
            problems.append(str(error))
        except (OSError, UnicodeDecodeError) as error:
            problems.append(f"theme {source.name}: cannot be read: {error}")
        else:
            palettes[palette.name] = palette
    return palettes, problems


def _files(user: Path | None) -> Iterator[Traversable | Path]:
    folders: list[Traversable | Path] = [shipped()]
    if user is not None and user.is_dir():
        folders.append(user)
    for folder in folders:
        yield from sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)


def choose(wanted: str, environ: Mapping[str, str]) -> str:
    """The name of the theme to start with: what was asked for, or a guess from what the terminal says of itself."""
    if wanted and wanted != "auto":
        return wanted
    if "NO_COLOR" in environ:
        return "ansi-16"
    term, deep = environ.get("TERM", ""), environ.get("COLORTERM", "")
    if deep not in ("truecolor", "24bit") and "256" not in term and "direct" not in term and term in ("linux", "xterm"):
        return "ansi-16"
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return "fourfold-light" if background in ("7", "15") else DEFAULT
