"""Words, stems, trigrams and digests: what indexing and searching must do alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.lexing import (
    body_counts,
    body_terms,
    digest,
    light_stem,
    name_terms,
    porter,
    query_terms,
    question_words,
    split_identifier,
    trigrams,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parseConfig", ("parse", "config")),
        ("HTTPServer", ("http", "server")),
        ("get_event_loop", ("get", "event", "loop")),
        ("__init__", ("init",)),
        ("utf8Decoder", ("utf", "8", "decoder")),
        ("größeÄndern", ("größe", "ändern")),
        ("X", ("x",)),
        ("", ()),
    ],
)
def test_identifiers_fall_into_their_parts(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


@pytest.mark.parametrize(
    ("word", "stem"),
    [  # from Porter's paper
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
        ("relational", "relat"), ("conditional", "condit"), ("vietnamization", "vietnam"), ("triplicate", "triplic"),
        ("hopeful", "hope"), ("goodness", "good"), ("revival", "reviv"), ("adjustment", "adjust"),
        ("adoption", "adopt"), ("probate", "probat"), ("controll", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_porter_stems(word: str, stem: str) -> None:
    assert porter(word) == stem


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=30))
def test_stems_are_never_longer_and_never_empty(word: str) -> None:
    assert 0 < len(porter(word)) <= len(word) + 1
    assert 0 < len(light_stem(word)) <= len(word)


@given(st.text(max_size=300))
def test_any_text_gives_terms_without_fail(text: str) -> None:
    assert all(term for term in body_terms(text))
    assert all(count > 0 for count in body_counts("a/b.py", text).values())
    digest("a/b.py", text)
    question_words(text)


@given(st.text(alphabet="abcXYZ_ 09\n", max_size=200))
def test_what_a_question_asks_for_is_what_the_text_holds(text: str) -> None:
    """Every word that a question would look for in a text is among the text's terms."""
    held = set(body_terms(text))
    assert all(term in held for term in query_terms(text))


def test_a_path_counts_like_a_word_that_occurs_often() -> None:
    counts = body_counts("net/http/client.py", "client")
    assert counts["client"] == 9 and counts["http"] == 3


def test_a_package_file_stands_for_its_folder() -> None:
    assert name_terms("pkg/json/__init__.py", [])["json"] >= 150


@given(st.binary(max_size=200))
def test_trigrams_are_those_of_the_lines_without_case(data: bytes) -> None:
    expected = set()
    for line in data.lower().split(b"\n"):
        expected |= {(line[i] << 16) | (line[i + 1] << 8) | line[i + 2] for i in range(len(line) - 2)}
    assert trigrams(data) == expected


def test_pairs_of_cjk_letters_are_terms() -> None:
    assert "認証" in body_terms("認証に失敗しました")
    assert set(query_terms("認証")) <= set(body_terms("認証に失敗しました"))


def test_a_digest_is_the_path_and_the_different_words() -> None:
    text = "def create_task(self, coro):\n    return self._task_factory(coro)"
    assert digest("asyncio/base_events.py", text) == "asyncio base events py : create task coro factory"
