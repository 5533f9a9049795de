"""The ordered rules. Each looks at a prepared question and says what it is, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from fourfold.search.classify import literals
from fourfold.search.classify.asked import Asked
from fourfold.search.classify.code import code_lines, is_code_line, is_sql
from fourfold.search.classify.cues import vocabulary
from fourfold.search.classify.declarations import find_declaration
from fourfold.search.classify.exact import rule_10
from fourfold.search.classify.filters import end_of_brackets
from fourfold.search.classify.heard import rule_5, rule_6, rule_6_misspelt, rule_7, rule_8, rule_9, rule_11
from fourfold.search.classify.names import rule_identifier
from fourfold.search.classify.result import Fired
from fourfold.search.classify.shapes import Shape, find_trace
from fourfold.search.classify.topic import about

Rule = Callable[[Asked], Fired | None]

_SYNTAX = re.compile(r"ast:\s*(?=\()", re.IGNORECASE)
_CAPTURE = re.compile(r"\s*(?:@[\w.-]+|[*+?](?=\s*[@(]))*")
_QUALIFIED = re.compile(r"[\w$]+(?:(?:\.|::|->|#)[\w$]+)+")


def rule_syntax(asked: Asked) -> Fired | None:
    """``ast:(…)``: a tree-sitter query, with what follows it if that belongs to it."""
    opening = _SYNTAX.match(asked.norm)
    if opening is None:
        return None
    start = end = opening.end()
    while end < len(asked.norm) and asked.norm[end] == "(":
        end = end_of_brackets(asked.norm, end)
        capture = _CAPTURE.match(asked.norm, end)
        following = capture.end() if capture else end
        if following > end and not asked.norm[end:following].isspace():
            end = following
        beyond = len(asked.norm) - len(asked.norm[end:].lstrip())
        if asked.norm[beyond : beyond + 1] != "(":
            break
        end = beyond
    subject = asked.norm[start:end].strip()
    return Fired("ast", "find_definition", 1.0, "ast:(…)", subject, start, end, True, pattern="ast")


def rule_1(asked: Asked) -> Fired | None:
    """Nothing to search for."""
    if any(letter.isalnum() or letter in literals.OPERATOR_LETTERS for letter in asked.core):
        return None
    if any(part.kind == "quoted" and part.inner and part.inner[0] < part.inner[1] for part in asked.masked.parts):
        return None  # signs in quotes are a literal like any other
    return Fired("1", "understand_code", 0.40, "nothing to search for")


def _of_shape(rule: str, asked: Asked, shape: Shape) -> Fired:
    name, confidence = ("exact_match", 0.90) if rule == "2" else ("find_definition", 0.95)
    start, end = (shape.start, shape.start + len(shape.subject)) if shape.subject else (-1, -1)
    return Fired(
        rule,
        "exact_match" if name == "exact_match" else "find_definition",
        confidence,
        shape.cue,
        shape.subject,
        start,
        end,
        direct=rule == "3" and not shape.body and shape.subject is not None,
        pattern="code" if rule == "2" else "",
    )


def rule_2(asked: Asked) -> Fired | None:
    """A pasted trace or error line."""
    shape = find_trace(asked.core)
    return _of_shape("2", asked, shape) if shape is not None else None


def rule_3(asked: Asked) -> Fired | None:
    """A declaration or an import, as code has it."""
    shape = find_declaration(asked.core, vocabulary())
    return _of_shape("3", asked, shape) if shape is not None else None


def rule_4(asked: Asked) -> Fired | None:
    """SQL, one line of code, several lines of code."""
    text = asked.core
    many = "\n" in text
    if _QUALIFIED.fullmatch(asked.core):
        return None
    if "\\" in text and " " not in text and not many and literals.has_regex_syntax(asked.core):
        return None
    slashed = literals.find_slashed(text)
    if slashed is not None and slashed[0] == (0, len(text)):
        return None  # a regular expression may have the shape of code
    if is_sql(text):
        return Fired("4", "exact_match", 0.85, "SQL", text, 0, len(text), pattern="code")
    if many and code_lines(text, vocabulary()):
        return Fired("4", "find_similar", 0.70, "lines of code", text, 0, len(text), pattern="code")
    if not many and not _quoted_whole(asked) and not _is_call(text) and is_code_line(text, vocabulary()):
        return Fired("4", "exact_match", 0.85, "line of code", text, 0, len(text), pattern="code")
    return None


def _quoted_whole(asked: Asked) -> bool:
    parts = asked.masked.parts
    return (
        len(parts) == 1
        and parts[0].kind in ("quoted", "literal", "path")
        and parts[0].end - parts[0].start >= len(asked.core)
    )


def _is_call(text: str) -> bool:
    """One name with brackets and plain names in them: a question for the name (rule 12)."""
    return re.fullmatch(r"[\w.:$>-]+\((?:[\w$.]+(?:,\s*[\w$.]+)*)?\)[?!.]*", text) is not None and not re.search(
        r"\(\s*\d|,\s*\d", text
    )


def rule_construct(asked: Asked) -> Fired | None:
    """A named construct in words: “abstract classes”, “async functions”."""
    from fourfold.languages.constructs import find_construct  # brings the grammars: not before a question needs it

    construct = find_construct(asked.norm)
    if construct is None:
        return None
    return Fired(
        "ast",
        "find_definition",
        1.0,
        f"construct: {construct.name}",
        asked.core,
        0,
        len(asked.core),
        True,
        language="en",
        pattern="construct",
    )


def rule_13(asked: Asked) -> Fired | None:
    """Nothing of the above: words."""
    subject = about(asked, None, asked.languages[0])
    start, end = subject.span or (-1, -1)
    return Fired("13", "understand_code", 0.40, "", subject.text, start, end)


RULES: tuple[Rule, ...] = (
    rule_syntax, rule_1, rule_2, rule_3, rule_4, rule_5, rule_6, rule_7, rule_8, rule_construct, rule_9, rule_10,
    rule_11, rule_6_misspelt, rule_identifier, rule_13,
)  # fmt: skip
