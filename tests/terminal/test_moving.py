"""Back and forward go through everything seen, to the very line."""

from __future__ import annotations

from pathlib import Path

from driving import driven


async def test_back_returns_to_the_line_that_was_seen_and_forward_to_what_came_after(harbour: Path) -> None:
    async with driven(harbour, (160, 42)) as user:
        screen = user.app.screen_main

        def seen() -> tuple[str, str, int, str]:
            assert screen.preview.source is not None
            return screen.text, screen.preview.source.path, screen.preview.line, screen.focused_pane()

        await user.write("how does a vessel get a berth")
        for key in ("enter", "j", "enter", "j", "j", "j", "j"):
            await user.press(key)
            await user.settle()
        before = seen()
        assert before[3] == "preview"
        await user.press("r")
        await user.settle()
        after = seen()
        assert after[0] != before[0]
        for key, expected in (("H", before), ("L", after), ("H", before)):
            await user.press(key)
            await user.settle()
            assert seen() == expected
