"""The screen's pure parts: bars, harmless text, keys, editors, what is remembered, the indexer's lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fourfold.model import MODALITIES, PlanOptions
from fourfold.tui import bars, clipboard, editor, fuzzy, indexer, keymap, sanitise, source, state
from fourfold.tui.history import History, View
from fourfold.tui.paint import Row, compose, counted, width_of
from fourfold.tui.screens.plan import changed, toggled
from fourfold.tui.widgets.header import HeaderState, footer_row, header_row

# --------------------------------------------------------------------------- bars


@given(st.lists(st.floats(0, 10), min_size=1, max_size=6), st.floats(0.1, 60), st.integers(1, 120))
def test_widths_add_up_to_the_rounded_length(values: list[float], full: float, width: int) -> None:
    cells = bars.widths(values, full, width)
    length = min(width, round(sum(value / full * width for value in values)))
    if any(values):
        length = min(width, max(1, length))
    assert sum(cells) == length
    assert all(cell >= 0 for cell in cells)
    if length >= len(values):
        assert all(cell >= 1 for cell, value in zip(cells, values, strict=True) if value > 0)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=4), st.floats(0, 2), st.integers(1, 60), st.booleans())
def test_a_bar_fills_its_width_exactly(values: list[float], boost: float, width: int, plain: bool) -> None:
    parts = [bars.Piece(name, value) for name, value in zip(MODALITIES, values, strict=False)]
    parts.append(bars.Piece("boost", boost))
    drawn = bars.bar(parts, sum(part.value for part in parts), width, plain=plain)
    assert sum(cell_len(text) for text, _ in drawn) == width


def test_a_piece_shows_its_letter_with_and_without_colour() -> None:
    parts = [bars.Piece("semantic", 2.0), bars.Piece("graph", 1.0)]
    assert "".join(text for text, _ in bars.bar(parts, 3.0, 9)) == "S     G  "
    assert "".join(text for text, _ in bars.bar(parts, 3.0, 9, plain=True)) == "SSSSSSGGG"


def test_partial_coverage_never_looks_complete_or_empty() -> None:
    assert [len(text) for text, _ in bars.meter("text", 0.999, 4)] == [3, 1]
    assert [len(text) for text, _ in bars.meter("text", 0.001, 4)] == [1, 3]


# --------------------------------------------------------------------------- harmless text


@given(st.text())
def test_shown_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    for shown in (sanitise.clean(text), sanitise.expand(text)[0]):
        assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in shown)
        assert not any(char in shown for char in "\u202e\u2066\u200b\ufeff\u2028")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31m", "␛[31m"), ("a\u202eb", "a‹202E›b"), ("a\tb", "a   b"), ("[bold]x", "[bold]x"), ("\x9b2J", "‹9B›2J")],
)
def test_substitutes_are_visible(text: str, shown: str) -> None:
    assert sanitise.expand(text)[0] == shown


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=80), st.integers(1, 40))
def test_shortened_text_fits(text: str, width: int) -> None:
    text = sanitise.clean(text)
    assert cell_len(sanitise.shorten(text, width)) <= width
    assert cell_len(sanitise.shorten_path(text, max(width, 4))) <= max(width, 4)
    assert all(cell_len(line) <= max(4, width) for line in sanitise.wrap(text, width))


@given(st.text(max_size=30), st.text(max_size=10), st.integers(2, 60))
def test_a_row_is_exactly_as_wide_as_asked(left: str, right: str, width: int) -> None:
    line = Row(((sanitise.clean(left), "text"),), ((sanitise.clean(right), "dim"),))
    assert width_of(compose(line, width)) == width


# --------------------------------------------------------------------------- keys


def test_no_two_actions_of_a_place_share_a_key() -> None:
    assert keymap.clashes(keymap.TABLE) == []


def test_no_default_key_is_one_that_terminals_swallow() -> None:
    used = {each for key in keymap.TABLE for each in key.keys}
    assert not used & keymap.NEVER
    assert not used & {"[", "]", "\\", "{", "}", "ctrl+l", "ctrl+b"}


def test_own_keys_replace_defaults_and_show_in_footer_and_help() -> None:
    own, problems = keymap.load({"open_plan": "P", "definition": "d,ctrl+g"})
    assert problems == []
    assert ("P", "plan") in own.footer("results")
    assert own.named("definition").keys == ("d", "ctrl+g")
    assert own.textual()["definition"] == "d,ctrl+g"


@pytest.mark.parametrize(
    ("own", "word"),
    [({"fly": "x"}, "no such action"), ({"open_plan": "ctrl+h"}, "ctrl+h"), ({"open_plan": "d"}, "both")],
)
def test_a_bad_key_is_one_clear_line(own: dict[str, str], word: str) -> None:
    _, problems = keymap.load(own)
    assert len(problems) == 1
    assert word in problems[0]


def test_every_place_of_the_help_has_keys_and_every_key_a_place() -> None:
    shown = {place for places in keymap.WHERE.values() for place in places}
    assert {key.place for key in keymap.TABLE} == shown
    assert len({key.name for key in keymap.TABLE}) == len(keymap.TABLE)


@given(st.integers(1, 200))
def test_the_footer_fits_and_names_help_first_of_all(width: int) -> None:
    line = footer_row(keymap.Keymap().footer("results"), width)
    text = "".join(words for words, _ in line.spans)
    assert "help" in text
    assert cell_len(text) <= max(width, 8)


@given(st.integers(1, 250))
def test_the_header_never_overflows(width: int) -> None:
    line = header_row(HeaderState(root="some-project", changed=3), width)
    assert width_of(compose(line, width)) == width


# --------------------------------------------------------------------------- editor and clipboard


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("vim", ("+12", "--", "/x/a b.py")),
        ("nano", ("+12", "--", "/x/a b.py")),
        ("micro", ("+12", "/x/a b.py")),
        ("hx", ("--", "/x/a b.py:12")),
        ("code", ("--reuse-window", "--goto", "--", "/x/a b.py:12")),
        ("/usr/bin/emacs", ("+12", "--", "/x/a b.py")),
        ("ed", ("/x/a b.py",)),
    ],
)
def test_each_editor_gets_its_own_words(program: str, words: tuple[str, ...]) -> None:
    assert editor.arguments(program, Path("/x/a b.py"), 12) == words


def test_an_editor_with_arguments_keeps_them() -> None:
    made = editor.launch(Path("/x/a.py"), 3, {"VISUAL": "vim -u NONE", "EDITOR": "ed"})
    assert made == editor.Launch(("vim", "-u", "NONE", "+3", "--", "/x/a.py"), terminal=True)


def test_a_window_editor_leaves_the_terminal_alone_and_the_setting_wins() -> None:
    made = editor.launch(Path("/x/a.py"), 3, {"VISUAL": "vim"}, wanted="code --wait")
    assert isinstance(made, editor.Launch)
    assert not made.terminal
    assert made.command[:2] == ("code", "--wait")


def test_without_an_editor_one_line_says_what_to_do() -> None:
    assert "EDITOR" in str(editor.launch(Path("/x/a.py"), 3, {"PATH": ""}))
    assert "cannot be read" in str(editor.launch(Path("/x/a.py"), 3, {"EDITOR": "vim 'x"}))


def test_over_ssh_the_terminal_is_asked_to_copy() -> None:
    asked: list[str] = []
    assert clipboard.tool({"SSH_TTY": "/dev/pts/1", "DISPLAY": ":0"}) is None
    assert clipboard.copy("x", {"SSH_TTY": "/dev/pts/1"}, asked.append) == "copied by the terminal"
    assert asked == ["x"]


# --------------------------------------------------------------------------- remembered, history, indexer, plan


def test_what_is_remembered_survives_and_a_broken_file_is_as_none(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "root.json"
    kept = state.Remembered(preset="thorough", wide=[30, 40, 30])
    kept.asked("one")
    kept.asked("two")
    kept.asked("one")
    state.save(path, kept)
    assert state.load(path) == kept
    assert kept.questions == ["two", "one"]
    path.write_text(json.dumps({"wide": [1, 2], "preset": 7, "questions": ["x"]}))
    assert state.load(path) == state.Remembered(questions=["x"])
    path.write_text("{")
    assert state.load(path) == state.Remembered()


def test_history_goes_back_and_forward_and_forgets_what_lay_ahead() -> None:
    history = History()
    for text in "abc":
        history.visit(View(text))
    assert history.step(-1) == View("b")
    assert history.step(-1) == View("a")
    assert history.step(-1) is None
    assert history.step(1) == View("b")
    history.visit(View("d"))
    assert history.step(1) is None
    assert [view.text for view in history.views] == ["a", "b", "d"]


@given(st.binary(max_size=60))
def test_any_line_from_the_child_is_progress_or_nothing(line: bytes) -> None:
    indexer.parse(line)


def test_progress_lines_are_read() -> None:
    progress = indexer.parse(b'{"stage": "parse", "done": 3, "total": 9, "path": "a.py", "extra": 1}')
    assert progress is not None
    assert (progress.stage, progress.done, progress.total, progress.path) == ("parse", 3, 9, "a.py")
    assert indexer.parse(b'{"stage": "parse", "done": "many"}') is None


def test_the_last_modality_cannot_be_switched_off() -> None:
    options = PlanOptions()
    for name in MODALITIES:
        options = toggled(options, None, f"m:{name}")
    assert options.only == ("graph",)
    assert toggled(options, None, "m:semantic").only == ("semantic", "graph")


def test_the_plan_steps_through_presets_and_k() -> None:
    assert changed(PlanOptions(), None, "preset", 1).preset == "thorough"
    assert changed(PlanOptions(), None, "k", 1).k == 60
    assert changed(PlanOptions(), None, "k", -1).k == 20


def test_the_first_paint_waits_for_nothing_heavy() -> None:
    script = "import sys, fourfold.tui.app; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = ["numpy", "sqlite3", "pygments", "tree_sitter", "networkx", "onnxruntime", "voyageai"]
    done = subprocess.run([sys.executable, "-c", script, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --------------------------------------------------------------------------- files for the preview


def test_what_cannot_be_shown_says_why(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\0\1")
    (tmp_path / "empty").write_bytes(b"")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.write_text("secret")
    (tmp_path / "link").symlink_to(outside)
    assert "binary" in source.read(tmp_path, "binary").note
    assert "empty" in source.read(tmp_path, "empty").note
    assert "gone" in source.read(tmp_path, "nothing").note
    assert source.read(tmp_path, "link").lines == []
    assert source.read(tmp_path, "../" + outside.name).lines == []


def test_lines_are_those_of_the_file_and_coloured_text_is_the_line(tmp_path: Path) -> None:
    text = 'def f():\r\n    """A doc\r\n    string"""\r\n\r\n    return "x"  # ä\r\n'
    (tmp_path / "a.py").write_bytes(text.encode())
    shown = source.read(tmp_path, "a.py")
    assert shown.lines == text.replace("\r\n", "\n").splitlines()
    shown.colour_block(0)
    for index, line in enumerate(shown.lines):
        assert "".join(piece for piece, _ in shown.tokens(index) or []) == line


def test_a_huge_line_is_cut_and_left_plain(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("var a=1;" * 40_000 + "\nvar b = 2;\n")
    shown = source.read(tmp_path, "a.js")
    shown.colour_block(0)
    assert shown.tokens(0) == [(shown.lines[0][: source.MAX_LINE], "text")]
    assert "".join(piece for piece, _ in shown.tokens(1) or []) == "var b = 2;"


def test_names_on_a_line_leave_out_keywords() -> None:
    line = "    return self.runner.run_all(first, if_empty)"
    assert [name for _, _, name in source.words(line)] == ["runner", "run_all", "first", "if_empty"]
    assert source.words(line)[source.best_word(line)][2] == "run_all"
    assert source.words(line)[source.best_word(line, ["pkg.first"])][2] == "first"


def test_fuzzy_choice_prefers_the_name_over_the_folder() -> None:
    paths = ["tests/unit/test_parser.py", "src/parser/other.py", "src/app/parser.py"]
    assert paths[fuzzy.best("parser", paths)[0]] == "src/app/parser.py"
    assert [paths[index] for index in fuzzy.best("app prs", paths)] == ["src/app/parser.py"]
    assert fuzzy.best("zzz", paths) == []


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_keys_pressed_while_the_program_starts_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty
    import termios

    from fourfold.tui.typeahead import keep_keys

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r") as terminal:
        monkeypatch.setattr("sys.__stdin__", terminal)
        before = termios.tcgetattr(theirs)
        put_back = keep_keys()
        os.write(ours, b"\x11q\r")  # the first would start the output again, the last one end a line
        assert os.read(theirs, 10) == b"\x11q\r"
        put_back()
        assert termios.tcgetattr(theirs) == before
    os.close(ours)


def test_one_of_a_thing_takes_no_s() -> None:
    assert [counted(n, "line") for n in (0, 1, 2, 200_000)] == ["0 lines", "1 line", "2 lines", "200,000 lines"]
