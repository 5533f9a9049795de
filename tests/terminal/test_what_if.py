"""What if in the smallest size that is fully usable: the list, its arithmetic and its bars, and nothing cut off."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from driving import Driven, driven

from fourfold.tui.paint import width_of
from fourfold.tui.screens.what_if import WhatIfScreen, knob_rows


async def opened(user: Driven) -> WhatIfScreen:
    await user.write("how does a vessel get a berth")
    await user.settle()
    await user.press("enter")
    await user.settle()
    await user.press("w")
    await user.until(lambda: isinstance(user.app.screen, WhatIfScreen))
    screen = user.app.screen
    assert isinstance(screen, WhatIfScreen)
    return screen


async def test_list_scores_and_bars_are_together_at_80_by_24_and_no_line_is_cut(harbour: Path) -> None:
    async with driven(harbour, (80, 24)) as user:
        screen = await opened(user)
        await user.until(lambda: screen.closer.flips is not None)
        for lines in (screen.left, screen.right):
            for each in lines.rows:
                assert width_of(each.spans) + width_of(each.right) < lines.line_width, each
        shown = user.text().splitlines()
        for result in screen.ranking.results:
            line = next(line for line in shown if re.search(rf"│.  ?{result.position} [=▲▼]", line))
            assert f"{result.score:.4f}" in line
            assert any(letter in line.rpartition("  ")[0] for letter in "STAG")
        assert "…" not in shown[-1], shown[-1]
        assert "SMALLEST CHANGE: #2 ABOVE #1" in user.text()


async def test_the_values_have_room_for_full_lists(harbour: Path) -> None:
    async with driven(harbour, (80, 24)) as user:
        screen = await opened(user)
        fetched = screen.fetched
        many = {name: replace(hits, hits=(hits.hits * 1000)[:1000]) for name, hits in fetched.lists.items()}
        rows = knob_rows(replace(fetched, lists=many), screen.knobs, 30)
        assert [each.right[0][0] for each in rows if each.key == "m:semantic"] == ["1000 hits"]
        assert all(width_of(each.spans) + width_of(each.right) < 30 for each in rows)
