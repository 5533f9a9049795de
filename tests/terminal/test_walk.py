"""Anything may be pressed at any moment, at any size: nothing breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import driven, walk


@pytest.mark.parametrize(("seed", "size"), [(1, (80, 24)), (2, (120, 40)), (3, (200, 50))])
async def test_fifty_steps_of_somebody_who_presses_anything(
    harbour: Path, seed: int, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # exports go to the current folder
    async with driven(harbour, size) as user:
        await walk(user, seed, 50, ["Berth", "allocate_berth", "tide", "Vessel", "nowhere_at_all"])
        await user.press("f1", "escape", "escape", "escape", "/")
        await user.until(lambda: user.app.screen_main.focused_pane() == "query")
