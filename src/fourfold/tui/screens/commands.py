"""Commands by name: every action of the place where the cursor is, the themes, the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.widget import Widget

from fourfold.tui.keymap import Keymap, shown
from fourfold.tui.screens.pick import Choice
from fourfold.tui.themes import Palette

if TYPE_CHECKING:
    from fourfold.tui.app import FourfoldApp

_MOVES = frozenset({"down", "up", "half_down", "half_up", "preview_down", "preview_up", "palette", "commands"})


def commands_of(keymap: Keymap, context: str, palettes: Mapping[str, Palette]) -> list[Choice]:
    choices = []
    for _, keys in keymap.where(context):
        for key in keys:
            if key.name not in _MOVES:
                names = " ".join(shown(each) for each in key.keys)
                choices.append(Choice(f"a:{key.name}", key.help, names, f"{key.help} {key.name}"))
    choices.append(Choice("l:", "compare: the worst losses of an experiment", "", "compare worst losses experiment"))
    choices += [Choice(f"t:{name}", f"theme: {palette.title}") for name, palette in sorted(palettes.items())]
    choices += [Choice(f"p:{name}", f"preset: {name}") for name in ("quick", "default", "thorough")]
    return choices


async def run_command(app: FourfoldApp, focused: Widget | None, key: str) -> None:
    """Do what was chosen, as if its key had been pressed where the focus was."""
    kind, _, name = key.partition(":")
    screen = app.screen_main
    if kind == "t":
        app.use_theme(name)
    elif kind == "l":
        screen.action_losses()
    elif kind == "p":
        screen.options = replace(screen.options, preset=name)
        app.remembered.preset = screen.header.state.preset = name
        screen.header.refresh()
        screen.understand()
        screen.ask()
    else:
        action = app.keymap.named(name).action
        target = focused if focused is not None else screen
        method = action.partition("(")[0]
        if not action.startswith("app.") and not hasattr(target, f"action_{method}"):
            target = screen
        await app.run_action(action, target)
