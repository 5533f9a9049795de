"""The ordered rules. Each looks at a prepared question and says what it is, or nothing."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from fourfold.search.classify import literals
from fourfold.search.classify.asked import Asked
from fourfold.search.classify.code import code_lines, is_code_line, is_sql
from fourfold.search.classify.cues import Language, Pattern, vocabulary
from fourfold.search.classify.filters import end_of_brackets
from fourfold.search.classify.names import rule_identifier
from fourfold.search.classify.result import Fired
from fourfold.search.classify.shapes import Shape, find_declaration, find_trace
from fourfold.search.classify.subject import Subject
from fourfold.search.classify.topic import about

Rule = Callable[[Asked], Fired | None]

_SYNTAX = re.compile(r"ast:\s*(?=\()", re.IGNORECASE)
_CAPTURE = re.compile(r"\s*(?:@[\w.-]+|[*+?](?=\s*[@(]))*")
_SNIPPET = re.compile(r":\s|:$|\n")


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
    shape = find_trace(asked.norm)
    return _of_shape("2", asked, shape) if shape is not None else None


def rule_3(asked: Asked) -> Fired | None:
    """A declaration or an import, as code has it."""
    shape = find_declaration(asked.norm, vocabulary()) or find_declaration(asked.core, vocabulary())
    return _of_shape("3", asked, shape) if shape is not None else None


def rule_4(asked: Asked) -> Fired | None:
    """SQL, one line of code, several lines of code."""
    text = asked.norm
    many = "\n" in text
    if "\\" in text and " " not in text and not many and literals.has_regex_syntax(asked.core):
        return None
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


# ------------------------------------------------------------------- rules that hear cues


def _accepts(pattern: Pattern, subject: Subject) -> bool:
    if pattern.subject == "symbol":
        return subject.kind == "symbol"
    if pattern.subject == "identifier":
        return subject.kind == "symbol" and subject.shaped
    return True


def _fired(rule: str, asked: Asked, found: tuple[Pattern, re.Match[str], Language], subject: Subject) -> Fired:
    pattern, match, language = found
    start, end = subject.span or (-1, -1)
    return Fired(
        rule,
        "find_references",
        pattern.confidence,
        asked.shown(match),
        subject.text,
        start,
        end,
        direction="out" if pattern.direction == "out" else "in" if pattern.direction == "in" else None,
        language=language.name,
        relation=pattern.relation,
    )


def _with(fired: Fired, **changes: Any) -> Fired:
    from dataclasses import replace

    return replace(fired, **changes)


def _impact(rule: str, asked: Asked) -> Fired | None:
    for found in asked.cues(rule):
        subject = asked.subject(found[1], found[2])
        if not _accepts(found[0], subject):
            continue
        fired = _fired(rule, asked, found, subject)
        symbol = subject.kind == "symbol"
        return _with(
            fired,
            name="impact_analysis",
            confidence=found[0].confidence or 0.90,
            direct=symbol,
            direction="in",
            relation="",
        )
    return None


def rule_5(asked: Asked) -> Fired | None:
    """What breaks, what depends on it."""
    return _impact("5", asked)


def rule_7(asked: Asked) -> Fired | None:
    """The bare word impact; its subject is the name in the question, if there is one."""
    fired = _impact("7", asked)
    if fired is None or fired.subject is not None:
        return fired
    for part in asked.masked.parts:
        subject = asked.finder.of_part(part)
        if subject.kind == "symbol" and subject.span:
            return _with(fired, subject=subject.text, start=subject.span[0], end=subject.span[1], direct=True)
    return fired


def rule_6(asked: Asked) -> Fired | None:
    """Who calls, uses, extends, tests, writes it; what it calls."""
    for found in asked.cues("6"):
        pattern = found[0]
        subject = asked.subject(found[1], found[2])
        if not _accepts(pattern, subject):
            continue
        confidence = pattern.confidence or 0.90
        if subject.kind != "symbol":
            confidence = min(confidence, 0.80)
        fired = _fired("6", asked, found, subject)
        return _with(fired, confidence=confidence, direct=confidence >= 0.85, direction=fired.direction or "in")
    return None


def rule_6_misspelt(asked: Asked) -> Fired | None:
    """Rule 6 with one slip of the keys in its cue; only around a clear name."""
    for other in asked.repaired():
        fired = rule_6(other)
        if (
            fired is not None
            and fired.start >= 0
            and any(part.kind == "identifier" and part.start <= fired.start < part.end for part in asked.masked.parts)
        ):
            return _with(fired, confidence=0.70, direct=False, cue=f"{fired.cue} (misspelt)")
    return None


def rule_8(asked: Asked) -> Fired | None:
    """Similar to, duplicates of; or a snippet after a colon."""
    for found in asked.cues("8"):
        pattern, match, language = found
        subject = asked.subject(match, language)
        if not _accepts(pattern, subject):
            continue
        fired = _with(_fired("8", asked, found, subject), name="find_similar", confidence=0.85, direction=None)
        start = match.start("x") if "x" in match.re.groupindex and match["x"] is not None else match.end()
        snippet = _snippet(asked, start)
        if snippet is not None and subject.kind in ("nothing", "pointing", "phrase", "literal"):
            fired = _with(
                fired, subject=asked.norm[snippet:].strip(), start=snippet, end=len(asked.norm), pattern="code"
            )
        return fired
    return None


def _snippet(asked: Asked, start: int) -> int | None:
    """Where the code begins that a question puts after a colon or on the lines below."""
    place = asked.masked.places[min(start, len(asked.masked.places) - 1)]
    mark = _SNIPPET.search(asked.norm, max(place - 1, 0), min(place + 60, len(asked.norm)))
    if mark is None:
        return None
    rest = asked.norm[mark.end() :]
    begin = mark.end() + len(rest) - len(rest.lstrip())
    return begin if begin < len(asked.norm) else None


@cache
def _find_construct() -> Callable[[str], object | None] | None:
    """The look-up of named constructs, or None when this build has none."""
    try:
        module = importlib.import_module("fourfold.languages.constructs")
    except ImportError:
        return None
    found: Callable[[str], object | None] | None = getattr(module, "find_construct", None)
    return found


def rule_construct(asked: Asked) -> Fired | None:
    """A named construct in words: “abstract classes”, “async functions”."""
    find = _find_construct()
    if find is None or len(asked.core) > 200 or "\n" in asked.core:
        return None
    construct = find(asked.core)
    if construct is None:
        return None
    name = str(getattr(construct, "name", asked.core))
    return Fired(
        "ast",
        "find_definition",
        1.0,
        f"construct: {name}",
        asked.core,
        0,
        len(asked.core),
        True,
        language="en",
        pattern="construct",
    )


def rule_9(asked: Asked) -> Fired | None:
    """Where something is defined; not in a question for how or why."""
    if asked.is_how:
        return None
    for found in asked.cues("9"):
        pattern, match, language = found
        subject = asked.subject(match, language)
        if not _accepts(pattern, subject) or subject.kind in ("path", "literal"):
            continue
        if pattern.mark == "lone" and not _stands_alone(asked, match, subject, language):
            continue
        symbol = subject.kind == "symbol"
        confidence = (pattern.confidence or 0.90) if symbol else 0.75
        return _with(
            _fired("9", asked, found, subject),
            name="find_definition",
            confidence=confidence,
            direct=symbol,
            direction=None,
        )
    return None


_PARTICIPLE = re.compile(
    r"\w{3,}(?:ed|ing)\Z|(?:sent|built|done|read|written|kept|thrown|caught|made|set|run|shown|held|happening|coming|going|used)\Z"
)


def _stands_alone(asked: Asked, match: re.Match[str], subject: Subject, language: Language) -> bool:
    """``where is X`` asks for X itself; with a verb after it (``where is the cache cleared``) it asks what happens."""
    words = match["x"].split()
    if subject.kind == "symbol":
        rest = [word.strip(".,;:") for word in words]
        extra = [
            word for word in rest if word not in language.articles | language.fillers | language.kinds | language.tails
        ]
        return len(extra) <= 1
    if subject.kind == "pointing":
        return True
    return (
        subject.kind == "phrase"
        and len(words) <= 5
        and not (language.name == "en" and len(words) > 1 and _PARTICIPLE.match(words[-1]))
        and not _ends_in_participle(words, language)
    )


def _ends_in_participle(words: list[str], language: Language) -> bool:
    if language.name == "de":
        return (
            len(words) > 1
            and re.search(r"(?:ge\w+(?:t|en)|\w+iert|(?:be|ver|er|zer|ent)\w+(?:t|en)|auf\w+)\Z", words[-1]) is not None
        )
    if language.name == "sv":
        return len(words) > 1 and re.search(r"\w+(?:ad|at|ade|ats|as|dd|tt|en)\Z", words[-1]) is not None
    return False


def rule_10(asked: Asked) -> Fired | None:
    """A literal, a regular expression, an error token, a path. Quotes that stress a word in a how question are none."""
    parts = [part for part in asked.masked.parts if part.kind == "quoted"]
    if asked.explains and not (asked.core and literals.has_regex_syntax(asked.core) and " " not in asked.core):
        return None
    if parts:
        first, last = parts[0].inner
        subject = asked.text.literal(first, last)
        alone = len(parts) == 1 and asked.neutral([(parts[0].start, parts[0].end)])
        cue = next(asked.cues("10"), None)
        language = cue[2].name if cue else "und"
        return Fired(
            "10",
            "exact_match",
            0.90,
            "quotes",
            subject.strip() or subject,
            first,
            last,
            alone,
            language=language,
            pattern="literal",
        )
    return _regex(asked) or _text_cue(asked) or _token(asked) or _path(asked)


def _regex(asked: Asked) -> Fired | None:
    slashed = literals.find_slashed(asked.core)
    if slashed is not None:
        start, end, expression = slashed
        direct = asked.neutral([(start - 1, min(end + 6, len(asked.core)) if end + 1 >= len(asked.core) else end + 1)])
        if direct or asked.core.strip().startswith("/"):
            return Fired("10", "exact_match", 0.90, "/…/", expression, start, end, direct, pattern="regex")
    for match in re.finditer(r"\S+", asked.core[:400]):
        if literals.has_regex_syntax(match[0]):
            if (
                match.start() == 0
                and match.end() < len(asked.core)
                and re.search(r"[\\^$*+|]", asked.core[match.end() :])
            ):
                # An expression with spaces in it.
                if literals.has_regex_syntax(asked.core):
                    return Fired(
                        "10",
                        "exact_match",
                        0.90,
                        "regular expression",
                        asked.core,
                        0,
                        len(asked.core),
                        True,
                        pattern="regex",
                    )
            direct = asked.neutral([match.span()])
            return Fired(
                "10", "exact_match", 0.90, "regular expression", match[0], *match.span(), direct, pattern="regex"
            )
    return None


def _text_cue(asked: Asked) -> Fired | None:
    for pattern, match, language in asked.cues("10"):
        subject = asked.subject(match, language)
        if not _accepts(pattern, subject) or subject.kind in ("nothing", "pointing") or subject.span is None:
            continue
        start, end = subject.span
        return Fired(
            "10", "exact_match", 0.85, asked.shown(match), subject.text, start, end,
            asked.neutral([(start, end)]), language=language.name, pattern="literal",
        )  # fmt: skip
    return None


def _token(asked: Asked) -> Fired | None:
    if literals.is_literal(asked.core):
        return Fired("10", "exact_match", 0.85, "literal", asked.core, 0, len(asked.core), True, pattern="literal")
    words = list(re.finditer(r"[^\s、。「」,;()ぁ-ヿ一-鿿]+", asked.core[:400]))
    quoted = [(part.start, part.end) for part in asked.masked.parts if part.kind == "literal"]
    for match in words:
        word = match[0].strip(".,:;!?'\"")
        start = match.start() + match[0].find(word)
        span = (start, start + len(word))
        certain = literals.is_error_token(word) or any(first <= start < last for first, last in quoted)
        if certain or (literals.is_literal(word) and asked.neutral([span])):
            direct = asked.neutral([span])
            language = _cue_language(asked) if len(words) > 1 or len(word) < len(asked.core) else "und"
            return Fired(
                "10", "exact_match", 0.85, "literal", word, *span, direct, language=language, pattern="literal"
            )
    return None


def _cue_language(asked: Asked) -> str:
    """The language whose words stand around a literal."""
    for language in asked.languages:
        if language.cjk or asked.words & (language.neutral | language.function_words):
            return language.name
    return "und"


def _path(asked: Asked) -> Fired | None:
    for part in asked.masked.parts:
        if part.kind == "path" and asked.neutral([(part.start, part.end)]):
            language = _cue_language(asked) if part.end - part.start < len(asked.core) else "und"
            subject = asked.text.literal(part.start, part.end)
            return Fired(
                "10", "exact_match", 0.80, "path", subject, part.start, part.end, language=language, pattern="path"
            )
    return None


def rule_11(asked: Asked) -> Fired | None:
    """How, why, explain, what does, overview."""
    found = next(asked.cues("11"), None)
    if found is None:
        return None
    pattern, match, language = found
    subject = about(asked, match, language)
    fired = _fired("11", asked, found, subject)
    return _with(fired, name="understand_code", confidence=0.75, direction=None, relation="")


def rule_12(asked: Asked) -> Fired | None:
    """An identifier."""
    return rule_identifier(asked)


def rule_13(asked: Asked) -> Fired | None:
    """Nothing of the above: words."""
    subject = about(asked, None, asked.languages[0])
    start, end = subject.span or (-1, -1)
    return Fired("13", "understand_code", 0.40, "", subject.text, start, end)


RULES: tuple[Rule, ...] = (
    rule_syntax, rule_1, rule_2, rule_3, rule_4, rule_5, rule_6, rule_7, rule_8, rule_construct, rule_9, rule_10,
    rule_11, rule_6_misspelt, rule_12, rule_13,
)  # fmt: skip
