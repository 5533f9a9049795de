"""The pure parts of the command line: harmless text, options that survive a round trip, bars, differences."""

from __future__ import annotations

import shlex
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.cli.changes import changed_lines, parse_diff
from fourfold.cli.errors import Problem
from fourfold.cli.options import modalities, question, weights
from fourfold.cli.results import BAR_CELLS, bar, column
from fourfold.cli.search import decoded, parser
from fourfold.cli.session import Place
from fourfold.cli.terminal import Paint
from fourfold.harmless import harmless, harmless_code
from fourfold.lab.command import as_command
from fourfold.model import MODALITIES, Contribution, Evidence, Filters, PlanOptions, Question, Result
from fourfold.search.filters import path_filter


@given(st.text())
def test_harmless_text_is_one_line_without_control(text: str) -> None:
    for shown in (harmless(text), harmless_code(text)):
        assert all(unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp") for char in shown)
        assert not set(shown) & set("\u202a\u202e\u2066\u2069\u200b\ufeff")
        shown.encode("utf-8")


def test_harmless_text_leaves_what_is_harmless() -> None:
    assert harmless("naïve 日本語 🙂 — ok") == "naïve 日本語 🙂 — ok"
    assert harmless("\x1b[31m\n") == "␛[31m␊"
    assert harmless_code("\tx = 1\r\n") == "    x = 1"


questions = st.builds(
    Question,
    text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(lambda t: t.strip()),
    options=st.builds(
        PlanOptions,
        preset=st.sampled_from(["quick", "default", "thorough"]),
        strategy=st.sampled_from(["auto", "direct", "fused"]),
        intent=st.none() | st.sampled_from(["find_definition", "exact_match"]),
        only=st.none() | st.sampled_from([("text",), ("semantic", "graph")]),
        weights=st.none()
        | st.dictionaries(
            st.sampled_from(MODALITIES), st.floats(1e-9, 1e9, allow_nan=False, allow_infinity=False), min_size=1
        ),
        k=st.none() | st.integers(1, 10_000),
        depth=st.none() | st.integers(1, 10_000),
        regex=st.booleans(),
    ),
    filters=st.builds(
        Filters,
        languages=st.sampled_from([(), ("python",), ("go", "rust")]),
        kinds=st.sampled_from([(), ("class",)]),
        paths=st.sampled_from([(), ("src/**", "a b/*.py")]),
    ),
    limit=st.integers(1, 10_000),
)


@given(questions)
@settings(deadline=None)
def test_a_command_line_asks_the_same_question_again(asked: Question) -> None:
    """Whatever the settings of the person who runs it say."""
    words = shlex.split(as_command(asked, "/some where", "/in dex"))
    assert words[:2] == ["fourfold", "search"]
    args = parser().parse_mixed(words[2:], "query")
    assert (args.root, args.index) == (Path("/some where"), Path("/in dex"))
    again = question(args, " ".join(args.query), "quick", 77)
    assert again.text == asked.text
    assert (again.filters, again.limit) == (asked.filters, asked.limit)
    assert again.options == asked.options


def test_weights_and_modalities_are_read_by_name_or_letter() -> None:
    assert weights("semantic=0.5,T=1,a=0") == {"semantic": 0.5, "text": 1.0, "structural": 0.0}
    assert modalities("graph, s") == ("semantic", "graph")
    with pytest.raises(Problem, match="zero"):
        weights("text=0")


def _result(contributions: list[tuple[str, float]], boost: float, demotion: float) -> Result:
    parts = tuple(
        Contribution(name, 0, 1.0, 1.0, value, Evidence(()))  # type: ignore[arg-type]
        for name, value in contributions
    )
    score = demotion * boost * sum(part.contribution for part in parts)
    return Result(1, 1, "a", 1, 1, "", "", "", score, boost, 0.0, demotion, None, parts)


@given(
    st.lists(st.floats(1e-6, 0.1), min_size=1, max_size=4),
    st.floats(1.0, 1.5),
    st.sampled_from([0.5, 1.0]),
    st.floats(1.0, 10.0),
)
def test_a_bar_is_as_long_as_its_share_of_the_best(
    values: list[float], boost: float, demotion: float, times: float
) -> None:
    result = _result(list(zip(MODALITIES, values, strict=False)), boost, demotion)
    drawn = bar(result, result.score * times, Paint(False))
    # to the nearest cell; at half a cell rounding of the floats decides which
    assert len(drawn) >= 1 and abs(len(drawn) - max(1.0, BAR_CELLS / times)) <= 0.5 + 1e-9
    assert set(drawn) <= set("STAG+")
    assert drawn == "".join(sorted(drawn, key="STAG+".index))


def test_columns_are_bytes_from_one() -> None:
    assert column("é = greet()", ["Greet"]) == 6
    assert column("é = greet()", ["other", "é"]) == 1
    assert column("nothing", ["greet"]) == column("nothing", []) == 1


def test_a_complete_json_string_is_decoded_and_nothing_else() -> None:
    assert decoded('"\\"foo bar\\""') == '"foo bar"'
    assert decoded('"foo" bar "baz"') == '"foo" bar "baz"'
    assert decoded('"') == '"'
    assert decoded("12") == "12"


def test_globs_are_read_from_the_folder_that_was_asked_about() -> None:
    place = Place(Path("/r"), Path("/i"), Path("/r/a[b]/c"), "a[b]/c")

    def matches(glob: str | None, path: str) -> bool:
        limited = place.limited(Filters(paths=(glob,) if glob else ()))
        return path_filter(limited.paths).match_file(path)

    assert matches(None, "a[b]/c/d/x.py") and not matches(None, "ab/c/x.py") and not matches(None, "x.py")
    assert matches("*.py", "a[b]/c/d/x.py") and not matches("*.py", "x.py")
    assert matches("d/*.py", "a[b]/c/d/x.py") and not matches("d/*.py", "a[b]/c/e/d/x.py")


def test_a_difference_is_read_by_lines_of_the_new_side() -> None:
    text = (
        "diff --git a.py a.py\n--- a.py\n+++ a.py\n@@ -1,0 +2,3 @@\n+x\n@@ -9,2 +13,0 @@\n-y\n"
        'diff --git gone.py gone.py\n--- gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n--- "\\303\\244.py"\n'
        '+++ "\\303\\244.py"\n@@ -1 +1 @@\n-a\n+b\n'
    )
    assert parse_diff(text) == {"a.py": [(2, 4), (13, 13)], "ä.py": [(1, 1)]}


def test_a_revision_cannot_be_an_option(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no such revision"):
        changed_lines(tmp_path, "--output=/tmp/x")
