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
_TOKEN = re.compile(r"\{[xwi]\}|<\w+>|\[|\] ?|~ ?|\(|\)|\||\^|\$| |\*|[^\s{<\[\]~()|^$*]+")


class Translator:
    """Translates the patterns of one language. ``classes`` maps a name to its alternatives."""

    def __init__(self, classes: Mapping[str, tuple[str, ...]], cjk: bool) -> None:
        self.classes = classes
        self.cjk = cjk
        self._regexes: dict[str, str] = {}
        self._firsts: dict[str, frozenset[str]] = {}

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
        tokens = _TOKEN.findall(pattern)
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
        return r"(?P<x>[^ ,;:?!][^?!;]{0,80}?)"

    def _class_regex(self, name: str) -> str:
        if name not in self._regexes:
            words = sorted(self.classes[name], key=lambda word: (-len(word), word))
            self._regexes[name] = "(?:" + "|".join(self._body(word) for word in words) + ")"
        return self._regexes[name]

    def needs(self, pattern: str) -> frozenset[str]:
        """Words of which a text must hold one for the pattern to match; empty: it must always be tried.

        Only what stands outside brackets counts; of several such words or classes the one whose shortest word is
        longest is taken, being the rarest by the look of it.
        """
        best: frozenset[str] = frozenset()
        depth = 0
        tokens = _TOKEN.findall(pattern)
        for place, token in enumerate(tokens):
            depth += (token in ("(", "[")) - (token == ")" or token.startswith("]"))
            if depth or token in ")|^$ *" or token.startswith(("{", "~", "]")):
                continue
            if place + 1 < len(tokens) and tokens[place + 1] == "*":
                continue
            found = self._class_first(token[1:-1]) if token.startswith("<") else self._first(token)
            if found and "" not in found and (not best or min(map(len, found)) > min(map(len, best))):
                best = found
        return best

    def _class_first(self, name: str) -> frozenset[str]:
        if name not in self._firsts:
            firsts: set[str] = set()
            for word in self.classes[name]:
                inner = re.match(r"<(\w+)>", word)
                firsts |= self._class_first(inner[1]) if inner else self._first(word)
            self._firsts[name] = frozenset(firsts)
        return self._firsts[name]

    def _first(self, word: str) -> frozenset[str]:
        """The first word of ``word`` in each of its forms; {""} when that cannot be told."""
        if self.cjk:
            return frozenset([word]) if not re.search(r"[\\?*+.()\[\]{}<~ ]", word) else frozenset([""])
        forms: set[str] = set()
        for variant in _variants(word):
            start = re.match(r"([^\W\d_]+)(\?)?(?=[\s'-]|$)", variant)
            if start is None:
                return frozenset([""])
            forms |= {start[1], start[1][:-1]} if start[2] else {start[1]}
        return frozenset(form.replace("ß", other) for form in forms for other in ("ß", "ss"))


def _variants(word: str) -> list[str]:
    """``call(-| )?site`` → callsite, call-site, call site: the groups of a word written out, if they are not nested."""
    group = re.search(r"\(([^()]*)\)(\?)?", word)
    if group is None:
        return [word]
    options = [*group[1].split("|"), *([""] if group[2] else [])]
    return [form for option in options for form in _variants(word[: group.start()] + option + word[group.end() :])]
