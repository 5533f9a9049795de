"""Back and forward go through everything seen, to the very line."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import driven

from fourfold import paths
from fourfold.indexing.pipeline import refresh
from fourfold.tui.screens import asking


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


@pytest.mark.parametrize(
    ("question", "said"),
    [("berth lang:pythn", '— did you mean "python"?'), ("berth kind:klass", '— did you mean "class"?'),
     ("berth lang:qqq", "(here: "), ("berth kind:qqq", "(kinds: class, ")],
)  # fmt: skip
async def test_a_filter_that_names_nothing_is_said_with_what_there_is(harbour: Path, question: str, said: str) -> None:
    async with driven(harbour, (200, 50), query=question) as user:
        await user.until("unknown ")
        flat = " ".join(user.text().replace("│", " ").split())
        assert f'"{question.rpartition(":")[2]}"' in flat
        assert all(word in flat for word in said.split())
        assert "nothing found" not in flat


async def test_a_newer_answer_with_the_same_list_leaves_the_preview_where_it_is(harbour: Path) -> None:
    async with driven(harbour, (160, 40), query="berth") as user:
        screen = user.app.screen_main
        await user.until(lambda: screen.preview.source is not None)
        await user.settle()
        for key in ("enter", "enter", "j", "j", "j"):
            await user.press(key)
        await user.settle()
        line = screen.preview.line
        assert line != 1 and screen.focused_pane() == "preview"
        screen.ask(quietly=True)
        await user.settle()
        assert screen.preview.line == line


async def test_the_rest_of_a_list_follows_and_moves_nothing(harbour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "FIRST", 3)
    async with driven(harbour, (160, 40)) as user:
        screen = user.app.screen_main
        for letter in "berth":
            await user.press(letter)
        await user.until(lambda: screen.answer is not None and len(screen.answer.results) == 3)
        first = [result.path for result in screen.answer.results]
        assert screen.answer.total > 3
        await user.until(lambda: len(screen.answer.results) == screen.answer.total)
        assert [result.path for result in screen.answer.results[:3]] == first
        assert screen.without  # and with it what each part gives


async def test_a_definition_further_down_in_its_chunk_is_named_and_shown_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    root = tmp_path / "root"
    root.mkdir()
    inner = "    def inner_two():\n        return keep\n\n    return inner_two\n"
    (root / "a.py").write_text(f"def outer_one(first):\n    keep = first\n\n{inner}")
    refresh(root, paths.base_index(root), embedder="none", jobs=1, vectors=False)
    async with driven(root, (160, 40), query="where is inner_two defined") as user:
        await user.until("a.py:4")
        await user.settle()
        assert user.app.screen_main.preview.line == 4
        assert "inner_two" in next(line for line in user.text().splitlines() if "  1  " in line)


async def test_a_question_of_nothing_blames_no_weight_for_what_did_not_run(harbour: Path) -> None:
    async with driven(harbour, (120, 40)) as user:
        await user.write("?")
        await user.until("not run: nothing to search for")
        assert "outside the top three" not in user.text()


@pytest.mark.parametrize("opener", ["w", "T", "J", "p", "O", "X", "c"])
async def test_what_works_everywhere_works_in_the_windows_too(harbour: Path, opener: str) -> None:
    async with driven(harbour, (80, 24)) as user:
        main = user.app.screen_main
        await user.write("where is Ferry defined")
        await user.settle()
        await user.press("enter")
        await user.settle()
        await user.press(opener)
        await user.until(lambda: user.app.screen is not main)
        window = user.app.screen
        await user.handled()
        for key in ("f1",) if opener in "Oc" else ("f1", "?"):
            await user.press(key)
            await user.until("Keys: ")
            await user.press("G")
            await user.until("close a window")
            await user.press(key)
            await user.until(lambda: user.app.screen is window)
        await user.press("ctrl+c")
        await user.until(lambda: user.app.screen is main)
        assert main.text == "where is Ferry defined"
