"""Rule 10: what stands in the code as it is written. Quotes, regular expressions, error tokens, paths."""

from __future__ import annotations

import re

from fourfold.search.classify import literals
from fourfold.search.classify.asked import Asked
from fourfold.search.classify.heard import accepts
from fourfold.search.classify.result import Fired

_COMMAND = re.compile(r"(?:rip|e|f)?grep\b|rg\b|ag\b|ack\b|git grep\b", re.IGNORECASE)


def rule_10(asked: Asked) -> Fired | None:
    """A literal, a regular expression, an error token, a path. Quotes that stress a word in a how question are none."""
    parts = [part for part in asked.masked.parts if part.kind == "quoted"]
    if asked.explains and not (asked.core and literals.has_regex_syntax(asked.core) and " " not in asked.core):
        return None
    if parts:
        first, last = parts[0].inner
        subject = asked.text.literal(first, last)
        taken = [(parts[0].start, parts[0].end)]
        if _COMMAND.match(asked.core):
            taken += [(part.start, part.end) for part in asked.masked.parts if part.kind == "literal"]
        alone = len(parts) == 1 and asked.neutral(taken)
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
        span, body, expression = slashed
        direct = asked.neutral([span])
        if direct or span[0] == 0:
            return Fired("10", "exact_match", 0.90, "/…/", expression, *body, direct, pattern="regex")
    for match in re.finditer(r"\S+", asked.core[:400]):
        if not literals.has_regex_syntax(match[0]):
            continue
        first, last = match.span()
        rest = asked.core[last:]
        if first == 0 and re.search(r"[\\^$*+|]", rest) and literals.has_regex_syntax(asked.core):
            last = len(asked.core)  # an expression with spaces in it
        subject, direct = asked.core[first:last], asked.neutral([(first, last)])
        return Fired("10", "exact_match", 0.90, "regular expression", subject, first, last, direct, pattern="regex")
    return None


def _text_cue(asked: Asked) -> Fired | None:
    for pattern, match, language in asked.cues("10"):
        subject = asked.subject(match, language)
        if not accepts(pattern, match, subject) or subject.kind in ("nothing", "pointing") or subject.span is None:
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
        marker, _, rest = word.partition("-")
        if rest.isalpha() and literals.is_error_token(marker) and not literals.is_error_token(word):
            word = marker  # “TODO-Kommentare”
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
