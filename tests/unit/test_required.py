"""The trigrams that a regular expression requires occur in everything it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.lexing import trigrams
from fourfold.search.retrieve.required import required_trigrams


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\bretry(_count)?\b", "retry"),
        (r"(foo|bar)baz", "barbaz"),
        (r"(?i)Hello\s+World", "HELLO   world"),
        (r"x{2,}yes", "xxyes"),
        (r"(ab)(cd)ef", "abcdef"),
        (r"connect(?:ion)?\.close", "connect.close"),
        (r"a|bcd", "a"),
        (r"colou?r", "color"),
        (r"^import\s+os$", "import os"),
        (r"(?:abc)*def", "def"),
        (r"[Tt]imeout", "Timeout"),
    ],
)
def test_a_match_holds_what_is_required(pattern: str, text: str) -> None:
    assert re.search(pattern, text)
    assert required_trigrams(pattern) <= trigrams(text.encode())


@given(st.text(alphabet="abc", min_size=0, max_size=8), st.text(alphabet="abc(|)*?+", max_size=8))
def test_nothing_is_required_that_a_match_may_lack(text: str, pattern: str) -> None:
    try:
        match = re.search(pattern, text)
    except re.error:
        return
    if match:
        assert required_trigrams(pattern) <= trigrams(text.encode())


def test_some_text_is_required_where_some_is_certain() -> None:
    assert required_trigrams(r"\bretry(_count)?\b") == trigrams(b"retry")
    assert required_trigrams(r"(foo|bar)baz") == trigrams(b"baz")
