"""From the patterns of the cue files to regular expressions.

A pattern is written as the words of the question, one space between them:

=============  ==========================================================================
``{x}``        the subject, up to the next word of the pattern or the end of the clause
``{w}``        a subject of one word
``{i}``        a subject that is an identifier or stands in quotes
``<name>``     one of the words of the class ``name``
``[a|b]``      an optional word, with the space after it
``(a|b)``      one of these
``~``          up to four words that do not matter (in Japanese: up to twelve letters)
``^`` ``$``    the start and the end of the question
=============  ==========================================================================

``calls?`` stands for ``call`` and ``calls``; a word's last ``*`` for any ending. All else is a regular expression; none
may nest repetitions. The words of a class may use all of this but slots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fourfold.search.classify.masks import IDENTIFIER, MASKS, QUOTED

_WORD = r"[\w'-]"
_TOKEN = re.compile(
    r"\{[xwi]\}|\{\d+,\d*\}\??|\(\?(?:[!=:]|<[!=])|<\w+>|\[|\] ?|~ ?|\(|\)|\||\^|\$| |\*|[^\s{<\[\]~()|^$*]+"
)
_OPTIONAL_END = re.compile(r"(?: \[[^\]]*\])+\Z")


class Translator:
    """Translates the patterns of one language. ``classes`` maps a name to its alternatives."""

    def __init__(self, classes: Mapping[str, tuple[str, ...]], cjk: bool) -> None:
        self.classes = classes
        self.cjk = cjk
        self._regexes: dict[str, str] = {}
        self._firsts: dict[str, frozenset[str]] = {}
        self._known: dict[str, frozenset[str]] = {}

    def regex(self, pattern: str) -> str:
        """The regular expression of a pattern, with the group ``x`` for its subject."""
        body = self._body(pattern)
        if self.cjk:
            return body
        begins = "" if pattern.startswith(("^", "{x}", "{i}")) else rf"(?<!{_WORD})"
        ends = "" if pattern.endswith(("$", "{x}", "{i}", "*")) else rf"(?!{_WORD})"
        return begins + body + ends

    def _body(self, pattern: str) -> str:
        out: list[str] = []
        ending = None if self.cjk else _OPTIONAL_END.search(pattern)
        if ending:
            # Optional words at the end bring the space before them; after a subject they belong to its tail.
            tail = "" if pattern[: ending.start()].endswith("{x}") else ending[0]
            pattern = pattern[: ending.start()]
            if tail:
                inner = (self._body(word) for word in re.findall(r" \[([^\]]*)\]", tail))
                return self._body(pattern) + "".join(f"(?: (?:{word}))?" for word in inner)
        tokens = _TOKEN.findall(pattern)
        if "".join(tokens) != pattern:
            raise ValueError(f"not a pattern: {pattern}")
        for place, token in enumerate(tokens):
            if token == "{x}":
                out.append(self._subject(place == 0, not any(later.strip(" )$") for later in tokens[place + 1 :])))
            elif token == "{i}":
                out.append(rf"(?P<x>[{IDENTIFIER}{QUOTED}]+)")
            elif token == "{w}":
                out.append(rf"(?P<x>[{MASKS}]+|[\w.-]+?)" if self.cjk else r"(?P<x>[^\s,;:?!、。]+)")
            elif token.startswith("<"):
                out.append(self._class_regex(token[1:-1]))
            elif token.startswith("~"):
                out.append(r".{0,12}?" if self.cjk else r"(?:[^ ?!;]+ ){0,4}?")
            elif token == "[":
                out.append("(?:(?:")
            elif token.startswith("]"):
                out.append(")" + (" " if token.endswith(" ") and not self.cjk else "") + ")?")
            elif token == "(":
                out.append("(?:")
            elif token == " ":
                out.append(" ?" if self.cjk else " ")
            elif token == "*":
                out.append(r"\w*")
            else:  # a ß in capitals is SS
                out.append(token.replace("ß", "(?:ß|ss)"))
        return "".join(out)

    def _subject(self, first: bool, last: bool) -> str:
        if self.cjk:
            return r"(?P<x>.{1,60})" if last else r"(?P<x>[^、。,;\n]{1,60}?)"
        if last:
            return r"(?P<x>[^ ].{0,200})"
        if first:
            return r"(?:^|(?<=[,:;] ))(?P<x>[^ ,;:?!][^,;:?!]{0,80}?)"
        return r"(?P<x>[^ ,;:?!][^,?!;]{0,80}?)"

    def _class_regex(self, name: str) -> str:
        if name not in self._regexes:
            words = sorted(self.classes[name], key=lambda word: (-len(word), word))
            self._regexes[name] = "(?:" + "|".join(self._body(word) for word in words) + ")"
        return self._regexes[name]

    def needs(self, pattern: str) -> tuple[frozenset[str], ...]:
        """For each part of the pattern that must be there, words of which a text must hold one. Rarest part first.

        The rarest, by the look of it, is the one whose shortest word is longest. No compiled pattern is needed to see
        that a text lacks one of these.
        """
        found = [self._needs_of_part(part) for part in self._parts(pattern)]
        useful = {words for words in found if words and "" not in words}
        return tuple(sorted(useful, key=lambda words: (-min(map(len, words)), len(words), sorted(words))))

    def _parts(self, pattern: str) -> list[str]:
        """What stands one after another in a pattern: cut at spaces, or in Japanese around groups and classes."""
        parts = [""]
        depth = 0
        for token in _TOKEN.findall(pattern):
            opens = token == "[" or token.startswith("(")
            if depth == 0 and (token == " " or (self.cjk and (opens or token.startswith(("<", "{", "~"))))):
                parts.append("")
            if depth or token != " ":
                parts[-1] += token
            depth += opens - (token == ")" or token.startswith("]"))
            if (self.cjk and depth == 0 and token == ")") or (token.startswith(("]", "<", "~")) and depth == 0):
                parts.append("")
        for number, part in enumerate(parts):
            if part[:1] in ("?", "{") and number and self.cjk:
                parts[number - 1] = ""  # a group that may be missing, or a repetition
        return [part for part in parts if part]

    def _needs_of_part(self, part: str) -> frozenset[str]:
        if part.startswith(("[", "~", "(?", "{")) or part in ("^", "$"):
            return frozenset([""])
        if re.fullmatch(r"<\w+>", part):
            return self._class_first(part[1:-1])
        group = _whole_group(part)
        if group is None:
            return self._first(part.strip("^$"))
        found: set[str] = set()
        for option in group:
            found |= self._rarest(option)
        return frozenset(found)

    def _rarest(self, pattern: str) -> frozenset[str]:
        if pattern not in self._known:
            if pattern.isalpha():
                self._known[pattern] = self._first(pattern)
            else:
                self._known[pattern] = next(iter(self.needs(pattern)), frozenset([""]))
        return self._known[pattern]

    def _class_first(self, name: str) -> frozenset[str]:
        if name not in self._firsts:
            found: set[str] = set()
            for word in self.classes[name]:
                found |= self._rarest(word)
            self._firsts[name] = frozenset(found)
        return self._firsts[name]

    def _first(self, word: str) -> frozenset[str]:
        """The first word of ``word`` in each of its forms; {""} when that cannot be told."""
        if word.isalpha():
            return frozenset([word]) if "ß" not in word else frozenset([word, word.replace("ß", "ss")])
        if self.cjk:
            return frozenset([word]) if not re.search(r"[\\?*+.()\[\]{}<~ ]", word) else frozenset([""])
        forms: set[str] = set()
        for variant in variants(word):
            start = re.match(r"([^\W\d_]+)(\?)?(?=[\s':-]|$)", variant)
            if start is None:
                return frozenset([""])
            forms |= {start[1], start[1][:-1]} if start[2] else {start[1]}
        return frozenset(form.replace("ß", other) for form in forms for other in ("ß", "ss"))


def _whole_group(part: str) -> list[str] | None:
    """The options of ``(a|b)``; None when the part is more or less than one such group."""
    if not part.startswith("(") or not part.endswith(")") or part.startswith("(?"):
        return None
    options, depth = [""], 0
    for place, letter in enumerate(part):
        if letter in "([":
            depth += 1
            if depth == 1:
                continue
        elif letter in ")]":
            depth -= 1
            if depth == 0:
                return options if place == len(part) - 1 else None
        if letter == "|" and depth == 1:
            options.append("")
        else:
            options[-1] += letter
    return None


def variants(word: str) -> list[str]:
    """``call(-| )?site`` → callsite, call-site, call site: the groups of a word written out, if they are not nested."""
    group = re.search(r"\(([^()]*)\)(\?)?", word)
    if group is None:
        return [word]
    options = [*group[1].split("|"), *([""] if group[2] else [])]
    return [form for option in options for form in variants(word[: group.start()] + option + word[group.end() :])]
