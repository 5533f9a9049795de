"""Rules that hear a cue: impact, references, similarity, definition, meaning (5 to 9 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fourfold.search.classify.asked import Asked
from fourfold.search.classify.cues import Language, Pattern
from fourfold.search.classify.result import Fired
from fourfold.search.classify.subject import Subject
from fourfold.search.classify.topic import about

_SNIPPET = re.compile(r":\s|:$|\n")
_PARTICIPLE = re.compile(
    r"\w{3,}(?:ed|ing)\Z|(?:sent|built|done|read|written|kept|thrown|caught|made|set|run|shown|held|happening"
    r"|coming|going|used)\Z"
)


def accepts(pattern: Pattern, match: re.Match[str], subject: Subject) -> bool:
    """Whether the words in the subject's place are what the cue needs there."""
    if subject.kind == "nothing" and "x" in match.re.groupindex and match["x"] is not None:
        return False  # the words in the subject's place mean nothing by themselves: the cue is another one
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


def _best(asked: Asked, found: Iterable[Fired]) -> Fired | None:
    """The first of ``found``; in a question that has an identifier the first whose subject is one, if any is."""
    first: Fired | None = None
    for fired in found:
        if not asked.has_identifier or _is_masked(asked, fired):
            return fired
        first = first or fired
    return first


def _is_masked(asked: Asked, fired: Fired) -> bool:
    return any(part.start <= fired.start < part.end for part in asked.masked.parts)


def _impact(rule: str, asked: Asked) -> Iterator[Fired]:
    for found in asked.cues(rule):
        subject = asked.subject(found[1], found[2])
        if not accepts(found[0], found[1], subject):
            continue
        fired = _fired(rule, asked, found, subject)
        yield replace(
            fired,
            name="impact_analysis",
            confidence=found[0].confidence or 0.90,
            direct=subject.kind == "symbol",
            direction="in",
            relation="",
        )


def rule_5(asked: Asked) -> Fired | None:
    """What breaks, what depends on it."""
    return _named(asked, _best(asked, _impact("5", asked)))


def rule_7(asked: Asked) -> Fired | None:
    """The bare word impact; its subject is the name in the question, if there is one."""
    return _named(asked, _best(asked, _impact("7", asked)))


def _named(asked: Asked, fired: Fired | None) -> Fired | None:
    """An impact cue without a subject is about the name in the question: “parse_row goes away. What breaks?”"""
    if fired is None or fired.subject is not None:
        return fired
    for part in asked.masked.parts:
        subject = asked.finder.of_part(part)
        if subject.kind == "symbol" and subject.span:
            return replace(fired, subject=subject.text, start=subject.span[0], end=subject.span[1], direct=True)
    return fired


def rule_6(asked: Asked) -> Fired | None:
    """Who calls, uses, extends, tests, writes it; what it calls."""
    return _best(asked, _references(asked))


def _references(asked: Asked) -> Iterator[Fired]:
    for found in asked.cues("6"):
        pattern, match, language = found
        subject = asked.subject(match, language)
        if not accepts(pattern, match, subject) or asked.after_how(match, language):
            continue
        if _is_quotation(asked, subject, language):
            continue
        if asked.is_how and subject.kind in ("symbol", "phrase") and not _has_form_of_name(asked, subject):
            continue  # “how does the indexer find all callers of a function” asks for what finds them
        said_before = subject.span is not None and subject.span[0] < asked.masked.places[match.start()]
        if (subject.kind in ("pointing", "nothing") or said_before) and asked.how_before(match):
            continue  # “how does the export work, and who starts it”
        confidence = pattern.confidence or 0.90
        if subject.kind != "symbol":
            confidence = min(confidence, 0.80)
        fired = _fired("6", asked, found, subject)
        yield replace(fired, confidence=confidence, direct=confidence >= 0.85, direction=fired.direction or "in")


def _has_form_of_name(asked: Asked, subject: Subject) -> bool:
    """Whether a subject is written as names in code are; a plain word that is one in this index may be just a word."""
    if subject.span is None or not subject.text:
        return False
    masked = any(part.start <= subject.span[0] < part.end for part in asked.masked.parts)
    return masked or (subject.shaped and not subject.text.islower())


def _is_quotation(asked: Asked, subject: Subject, language: Language) -> bool:
    """Whether the subject stands in quotes and is text: no name could be written so, or the question calls it text."""
    if subject.span is None:
        return False
    quoted = [
        part for part in asked.masked.parts if part.kind == "quoted" and part.inner[0] <= subject.span[0] < part.end
    ]
    if not quoted:
        return False
    before = asked.norm[: quoted[0].start].split()
    return subject.kind == "literal" or bool(before and before[-1].lower() in language.texts)


def rule_6_misspelt(asked: Asked) -> Fired | None:
    """Rule 6 with one slip of the keys in its cue; only around a clear name."""
    for other in asked.repaired():
        fired = rule_6(other)
        if (
            fired is not None
            and fired.start >= 0
            and any(part.kind == "identifier" and part.start <= fired.start < part.end for part in asked.masked.parts)
        ):
            return replace(fired, confidence=0.70, direct=False, cue=f"{fired.cue} (misspelt)")
    return None


def rule_8(asked: Asked) -> Fired | None:
    """Similar to, duplicates of; or a snippet after a colon."""
    for found in asked.cues("8"):
        pattern, match, language = found
        subject = asked.subject(match, language)
        if not accepts(pattern, match, subject):
            continue
        if asked.is_how and subject.kind == "phrase":
            continue  # “why do the entries repeat”
        fired = replace(_fired("8", asked, found, subject), name="find_similar", confidence=0.85, direction=None)
        start = match.start("x") if "x" in match.re.groupindex and match["x"] is not None else match.end()
        snippet = _snippet(asked, start)
        if snippet is not None and subject.kind in ("nothing", "pointing", "phrase", "literal"):
            fired = replace(
                fired, subject=asked.core[snippet:].strip(), start=snippet, end=len(asked.core), pattern="code"
            )
        return fired
    return None


def _snippet(asked: Asked, start: int) -> int | None:
    """Where the code begins that a question puts after a colon or on the lines below."""
    place = asked.masked.places[min(start, len(asked.masked.places) - 1)]
    mark = _SNIPPET.search(asked.core, max(place - 1, 0), min(place + 60, len(asked.core)))
    if mark is None:
        return None
    rest = asked.core[mark.end() :]
    begin = mark.end() + len(rest) - len(rest.lstrip())
    return begin if begin < len(asked.core) else None


def rule_9(asked: Asked) -> Fired | None:
    """Where something is defined; not in a question for how or why."""
    return None if asked.is_how else _best(asked, _definitions(asked))


def _definitions(asked: Asked) -> Iterator[Fired]:
    for found in asked.cues("9"):
        pattern, match, language = found
        subject = asked.subject(match, language)
        if not accepts(pattern, match, subject) or subject.kind in ("path", "literal"):
            continue
        if _is_quotation(asked, subject, language):
            continue
        if pattern.mark == "lone" and not _stands_alone(asked, match, subject, language):
            continue
        symbol = subject.kind == "symbol"
        confidence = (pattern.confidence or 0.90) if symbol else 0.75
        fired = _fired("9", asked, found, subject)
        yield replace(fired, name="find_definition", confidence=confidence, direct=symbol, direction=None)


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


def rule_11(asked: Asked) -> Fired | None:
    """How, why, explain, what does, overview."""
    found = next(asked.cues("11"), None)
    if found is None:
        return None
    _, match, language = found
    subject = about(asked, match, language)
    fired = _fired("11", asked, found, subject)
    return replace(fired, name="understand_code", confidence=0.75, direction=None, relation="")
