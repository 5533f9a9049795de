"""From question to intent: our own cases in four languages, and what must never change an intent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model import Intent
from fourfold.search.classify import classify, decide, take_filters
from fourfold.search.classify.asked import Asked
from fourfold.search.classify.cues import languages
from fourfold.search.classify.head import head_of

DATA = Path(__file__).parent.parent / "data"
CASES: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "intents.jsonl").read_text("utf-8").splitlines()]


def is_heard(intent: Intent) -> bool:
    """Whether a cue decided, and none with a slip of the keys in it."""
    return intent.rule in {"5", "6", "7", "8", "9", "11"} and "misspelt" not in intent.cue


#: Questions in one line whose words are a cue and not code: their case and quotes may change.
ASKED = [case["query"] for case in CASES if is_heard(decide(case["query"]))]


def is_direct(intent: Intent) -> bool:
    return intent.direct_eligible and intent.confidence >= 0.85


@pytest.mark.parametrize("case", CASES, ids=[case["query"][:40] or "empty" for case in CASES])
def test_our_cases(case: dict[str, Any]) -> None:
    intent = decide(case["query"])
    assert intent.name == case["intent"]
    assert is_direct(intent) == case["direct"]
    if not case.get("any_subject"):
        assert intent.subject == case["subject"]
    for part in ("relation", "direction", "pattern"):
        if part in case:
            assert getattr(intent, part) == case[part]


def test_many_more_ways_to_ask() -> None:
    """Questions written by someone who knew only the rules; all that go wrong are listed at once."""
    wrong = []
    for line in (DATA / "intents_more.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        intent = decide(case["query"])
        if intent.name in case.get("alt", ()):
            continue
        subject = case.get("subject", intent.subject)
        if (intent.name, is_direct(intent), intent.subject) != (case["intent"], case["direct"], subject):
            wrong.append((case["query"], intent.name, is_direct(intent), intent.subject))
    assert not wrong


def test_the_cases_cover_all_rules_and_languages() -> None:
    intents = [decide(case["query"]) for case in CASES]
    assert {intent.rule for intent in intents} == {"ast", *(str(number) for number in range(1, 14))}
    assert {intent.language for intent in intents} == {"en", "de", "sv", "ja", "und"}
    assert len(CASES) >= 200


# ------------------------------------------------------------------- what never changes an intent


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(CASES), st.text(" \t\u00a0\u200b", max_size=4), st.text("?!. \t\u3000？！", max_size=4))
def test_padding_and_closing_marks_change_nothing(case: dict[str, Any], before: str, after: str) -> None:
    plain, padded = decide(case["query"]), decide(before + case["query"] + after)
    assert (padded.name, padded.rule, is_direct(padded)) == (plain.name, plain.rule, is_direct(plain))
    if plain.rule not in {"2", "3", "4"}:
        assert padded.subject == plain.subject


def recased(question: str, change: list[bool]) -> str:
    """The words of a question outside its names and quotes in another case, letter by letter."""
    asked = Asked(question, None)
    kept = {place for part in asked.masked.parts for place in range(part.start, part.end)}
    letters = list(asked.norm)
    for place, letter in enumerate(letters):
        if place not in kept and change[place % len(change)]:
            letters[place] = letter.upper() if letter.islower() and len(letter.upper()) == 1 else letter.lower()
    return "".join(letters)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ASKED), st.lists(st.booleans(), min_size=1, max_size=12))
def test_the_case_of_cue_words_changes_nothing(question: str, change: list[bool]) -> None:
    if not decide(question).spans:  # with no subject the whole question is a cue
        assert decide(recased(question, change)).name == decide(question).name
        return
    start, _ = decide(question).spans[0]
    asked = Asked(question, None)
    if any(part.start <= start < part.end for part in asked.masked.parts) and asked.norm == question:
        assert decide(recased(question, change)).name == decide(question).name


QUOTES = ['"{}"', "'{}'", "“{}”", "„{}“", "”{}”", "«{}»", "»{}«", "‘{}’", "‚{}‘", "「{}」", "『{}』", "`{}`"]
QUOTED = [
    "{}",
    "find {}",
    "where is {} defined",
    "who calls {}",
    "how do {} work",
    "search the code for {}",
    "wer ruft {} auf",
    "var används {}",
    "{}を呼び出している関数",
    "suche nach {}",
    "what is meant by {} here",
    "what breaks if I change {}",
    "explain {}",
    "{} in the scheduler",
    "code similar to {}",
]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(QUOTED), st.sampled_from(["permission denied", "parseConfig", "can't open file", "x"]))
def test_the_style_of_quotes_changes_nothing(question: str, quoted: str) -> None:
    styles = [style for style in QUOTES if "'" not in quoted or style not in ("'{}'", "‘{}’", "‚{}‘")]
    found = [decide(question.format(style.format(quoted))) for style in styles]
    assert len({(intent.name, intent.rule, is_direct(intent), intent.subject) for intent in found}) == 1


NAMED = [
    "where is {} defined",
    "who calls {}?",
    "wer ruft {} auf",
    "var används {}",
    "{}はどこから呼ばれていますか",
    "what breaks if I change {}",
    "{} is going away. What breaks?",
    "{}を削除しても大丈夫ですか",
    "code similar to {}",
    "explain {}",
    "which methods override {}",
]
NAMES = ["pkg.mod.parse", "Foo::bar", "Array#each", "Node->next", "Vec<T>", "Map<K, V>", "Stack<T>::push", "parse()"]
NAMES += [
    "operator==",
    "Point::operator+",
    "__init__",
    "MAX_SIZE",
    "`find`",
    "`use`",
    "`where`",
    "`import`",
    "whoCalls",
]


@pytest.mark.parametrize("question", NAMED)
def test_the_shape_of_the_name_changes_nothing(question: str) -> None:
    found = {name: decide(question.format(name)) for name in ["parseConfig", *NAMES]}
    assert len({(intent.name, intent.rule, is_direct(intent)) for intent in found.values()}) == 1


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=300),
        st.lists(st.sampled_from(list("\\/'\"`()[]{}<>.:;=-_ab \n見をの")), max_size=200).map("".join),
    )
)
def test_no_text_at_all_raises(text: str) -> None:
    intent = decide(text)
    assert 0.0 < intent.confidence <= 1.0
    for start, end in intent.spans:
        assert 0 <= start <= end <= len(text)
    take_filters(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ASKED), st.sampled_from(ASKED))
def test_what_stands_far_behind_changes_nothing(question: str, other: str) -> None:
    rest = " lorem ipsum dolor" * 40
    assert decide(question + ", " + rest + other).name == decide(question + ", " + rest).name


def test_cues_leave_no_pattern_unfound() -> None:
    """The index of needed words never hides a pattern that matches."""
    for case in CASES:
        asked = Asked(case["query"], None)
        for language in languages():
            candidates = {id(pattern) for pattern in language.candidates(asked.masked.cue, asked.words)}
            for pattern in language.patterns:
                if language.cjk and not any("\u3040" <= letter <= "\u9fff" for letter in asked.norm):
                    continue
                assert id(pattern) in candidates or not pattern.regex.search(asked.masked.cue), pattern.source


# ------------------------------------------------------------------- the subject


def test_a_plain_word_in_the_place_of_a_symbol_is_one() -> None:
    assert is_direct(decide("who calls connect"))
    assert is_direct(decide("what breaks if I change urlsplit"))
    assert not is_direct(decide("where are the routes declared"))
    assert not is_direct(decide("where is the route declared"))


def test_what_is_known_is_a_symbol() -> None:
    assert is_direct(decide("where is the parser defined", {"parser"}.__contains__))
    assert not is_direct(decide("where is the parser defined", {"lexer"}.__contains__))
    assert decide("parser", {"parser"}.__contains__).rule == "12"
    assert decide("parser").rule == "13"


def test_an_index_that_fails_does_not_matter() -> None:
    def broken(word: str) -> bool:
        raise OSError("disk")

    assert decide("parser", broken).rule == "13"


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("  where is  ｐａｒｓｅＣｏｎｆｉｇ defined？", "ｐａｒｓｅＣｏｎｆｉｇ"),
        ("who \u200bcalls parse\u200bConfig", "parse\u200bConfig"),
        ("\u202awer ruft Größe_berechnen() auf", "Größe_berechnen"),
        ("ﾊﾟｰｻのparseConfigの定義", "parseConfig"),
    ],
)
def test_spans_mark_the_subject_in_the_text_given(question: str, subject: str) -> None:
    (span,) = decide(question).spans
    assert question[slice(*span)] == subject


def test_a_literal_is_what_was_typed() -> None:
    assert decide("「保存しました！」").subject == "保存しました！"
    assert decide('find "ﬁle not found…"').subject == "ﬁle not found…"


def test_later_rules_that_would_have_fired_are_told() -> None:
    intent = decide("which callers break if I change parseConfig")
    assert intent.rule == "5"
    assert [fired.rule for fired in intent.also] == sorted({fired.rule for fired in intent.also}, key=int)
    assert "12" in {fired.rule for fired in intent.also}


def test_the_cue_reads_as_people_write_it() -> None:
    assert decide("where is parseConfig defined").cue == "where is … defined"
    assert decide("wer ruft parseConfig auf").cue == "wer ruft … auf"


def test_constructs_go_to_structural_alone() -> None:
    intent = decide("abstract classes")
    assert (intent.name, intent.rule, intent.pattern, intent.confidence) == ("find_definition", "ast", "construct", 1.0)
    assert intent.direct_eligible


def test_a_guard_stands_before_the_rules() -> None:
    assert classify("where is parseConfig defined") == decide("where is parseConfig defined")
    assert classify("a" * 100_000).rule == "13"


# ------------------------------------------------------------------- filters


@pytest.mark.parametrize(
    ("text", "body", "filters"),
    [
        ("retry lang:go", "retry", {"languages": ("go",)}),
        ("lang:Go path:src/** -path:vendor retry kind:function", "retry",
         {"languages": ("go",), "paths": ("src/**",), "not_paths": ("vendor",), "kinds": ("function",)}),
        ('path:"my folder/*.py" retry', "retry", {"paths": ("my folder/*.py",)}),
        ("lang:go,rust retry", "retry", {"languages": ("go", "rust")}),
        ('find "lang:go" please', 'find "lang:go" please', {}),
        ("http://example.org", "http://example.org", {}),
        ("std::path::Path", "std::path::Path", {}),
        ("path::join a::b kind: x", "path::join a::b kind: x", {}),
        ("ast:(call function: (identifier) @f) lang:python", "ast:(call function: (identifier) @f)",
         {"languages": ("python",)}),
        ("what's the lang:ruby don't", "what's the don't", {"languages": ("ruby",)}),
        ("lang:go", "", {"languages": ("go",)}),
    ],
)  # fmt: skip
def test_filters_are_taken_out(text: str, body: str, filters: dict[str, tuple[str, ...]]) -> None:
    left, found = take_filters(text)
    assert left == body
    assert {name: getattr(found, name) for name in ("languages", "paths", "not_paths", "kinds")} == {
        "languages": (), "paths": (), "not_paths": (), "kinds": (), **filters,
    }  # fmt: skip


# ------------------------------------------------------------------- the head of a question


@pytest.mark.parametrize(
    ("question", "language", "head"),
    [
        ("cookie store for sessions", "en", "cookie store"),
        ("how does the router match a path with parameters", "en", "router match a path"),
        ("in which module are cookies read from headers", "en", "module are cookies read"),
        ("wie wird der Speicher für Sitzungen angelegt", "de", "Speicher"),
        ("hur skapas lagret för sessioner", "sv", "skapas lagret"),
        ("authentication", "en", ""),
        ("how does it work", "en", ""),
        ("セッションの保存先", "ja", ""),
        ("for x in y:\n    pass", "und", ""),
    ],
)
def test_a_question_is_mostly_about_what_stands_before_its_first_joining_word(
    question: str, language: str, head: str
) -> None:
    assert head_of(question, language) == head


@given(st.text(max_size=60), st.sampled_from(["en", "de", "sv", "ja", "und"]))
def test_a_head_is_a_part_of_its_question(question: str, language: str) -> None:
    assert head_of(question, language) in question


def test_a_plain_word_in_a_question_for_how_is_no_name() -> None:
    """…though a symbol of this index bears it."""
    asked = "how does the server find all references to a symbol"
    assert classify(asked, lambda word: word == "symbol").name == "understand_code"
    assert classify("find all references to symbol", lambda word: word == "symbol").name == "find_references"
