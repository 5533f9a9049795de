"""Ignore rules, decided as git decides them, each with the file and line that decided.

Git's own matcher works on bytes, so this one does too: a pattern becomes a regular expression over the bytes of a path
relative to the folder of its file. Sources, from the weakest: the user's global ignore file, ``.git/info/exclude``,
every ``.gitignore`` from the top of the repository down; then what git does not know: the built-in list of folders
that tools fill, ``.ignore`` files, ``.fourfoldignore`` files and the ``ignore`` setting. Within one kind, the last
pattern of the deepest file that matches decides. They hold outside a repository too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

#: The ignore files that are read in every folder, the strongest last.
NAMES = (".gitignore", ".ignore", ".fourfoldignore")
#: An ignore file beyond this is cut: it is data from a stranger.
MAX_BYTES = 4_000_000

_CLASSES = {
    b"alnum": b"0-9A-Za-z", b"alpha": b"A-Za-z", b"blank": b" \\t", b"cntrl": b"\\x00-\\x1f\\x7f", b"digit": b"0-9",
    b"graph": b"!-~", b"lower": b"a-z", b"print": b" -~", b"punct": b"!-/:-@\\[-`{-~", b"space": b" \\t\\n\\r\\f\\v",
    b"upper": b"A-Z", b"xdigit": b"0-9A-Fa-f",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern. ``whole`` patterns see the path from the file's folder, others the last part alone."""

    text: str
    source: str
    line: int
    negated: bool
    folders_only: bool
    whole: bool
    regex: re.Pattern[bytes]

    @property
    def place(self) -> str:
        """``file:line``, as the ledger shows it."""
        return f"{self.source}:{self.line}" if self.line else self.source


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of one file, for paths below ``base`` (bytes, relative to the walk's top, with a closing ``/``)."""

    base: bytes
    rules: tuple[Rule, ...]
    #: All rules that see the last part, and all that see the whole path, as one expression: most paths match none.
    any_name: re.Pattern[bytes]
    any_whole: re.Pattern[bytes]

    def match(self, path: bytes, is_folder: bool) -> Rule | None:
        """The last rule that matches ``path`` (relative to the walk's top, below ``base``)."""
        below = path[len(self.base) :]
        name = below.rsplit(b"/", 1)[-1]
        if not self.any_name.match(name) and not self.any_whole.match(below):
            return None
        for rule in reversed(self.rules):
            if rule.folders_only and not is_folder:
                continue
            if rule.regex.match(below if rule.whole else name):
                return rule
        return None


def translate(pattern: bytes, whole: bool) -> bytes | None:
    """The regular expression (without anchors) of a wildmatch pattern; None for one that can match nothing.

    ``whole``: slashes are kept apart, as git does for patterns that hold one.
    """
    out: list[bytes] = []
    i, n = 0, len(pattern)
    # git compares the part before the first special byte by itself, so ``**`` right after it counts as a beginning
    literal = min((at for at in map(pattern.find, (b"*", b"?", b"[", b"\\")) if at >= 0), default=n)
    while i < n:
        char = pattern[i : i + 1]
        i += 1
        if char == b"\\":
            if i == n:
                return None
            out.append(re.escape(pattern[i : i + 1]))
            i += 1
        elif char == b"?":
            out.append(b"[^/]" if whole else b"(?s:.)")
        elif char == b"*":
            start = i - 1
            while pattern[i : i + 1] == b"*":
                i += 1
            free = start in (0, literal) or pattern[start - 1 : start] == b"/"
            if not whole or (i - start >= 2 and free and i == n):
                out.append(b"(?s:.*)")
            elif i - start >= 2 and free and pattern[i : i + 1] == b"/":
                # ``**/`` also stands for no folder at all
                i += 1
                out.append(b"(?:(?s:.*)/)?")
            elif i - start >= 2 and free and pattern[i : i + 2] == b"\\/":
                out.append(b"(?s:.*)")
            else:
                out.append(b"[^/]*")
        elif char == b"[":
            found = _bracket(pattern, i)
            if found is None:
                return None
            text, i = found
            out.append(b"(?!/)" + text if whole else text)
        else:
            out.append(re.escape(char))
    return b"".join(out)


def _bracket(pattern: bytes, i: int) -> tuple[bytes, int] | None:
    """The character class that starts after a ``[`` at ``i``, and the index after it; None when it never closes."""
    n = len(pattern)
    negated = pattern[i : i + 1] in (b"!", b"^")
    i += negated
    parts: list[bytes] = []
    previous = -1
    first = True
    while True:
        if i >= n:
            return None
        char = pattern[i]
        if char == ord("]") and not first:
            break
        first = False
        if pattern[i : i + 2] == b"[:":
            end = pattern.find(b"]", i + 2)
            if end < 0:
                return None
            if pattern[end - 1 : end] == b":" and end - 1 >= i + 2:
                body = _CLASSES.get(pattern[i + 2 : end - 1])
                if body is None:
                    return None
                parts.append(body)
                i, previous = end + 1, -1
                continue
        if char == ord("-") and previous >= 0 and i + 1 < n and pattern[i + 1] != ord("]"):
            i += 1
            if pattern[i] == ord("\\"):
                i += 1
                if i >= n:
                    return None
            if previous <= pattern[i]:
                parts.append(_hex(previous) + b"-" + _hex(pattern[i]))
            i, previous = i + 1, -1
            continue
        if char == ord("\\"):
            i += 1
            if i >= n:
                return None
            char = pattern[i]
        parts.append(_hex(char))
        i, previous = i + 1, char
    inner = b"".join(parts)
    if not inner:
        return (b"(?s:.)" if negated else b"(?!)"), i + 1
    return b"[" + (b"^" if negated else b"") + inner + b"]", i + 1


def _hex(byte: int) -> bytes:
    return b"\\x%02x" % byte


def parse_line(line: bytes, source: str, number: int, ignore_case: bool = False) -> Rule | None:
    """One line of an ignore file as git reads it; None for a blank, a comment or a pattern that matches nothing."""
    if line.startswith(b"#"):
        return None
    text = _trim(line)
    pattern = text
    negated = pattern.startswith(b"!")
    if negated:
        pattern = pattern[1:]
    folders_only = pattern.endswith(b"/")
    if folders_only:
        pattern = pattern[:-1]
    if not pattern:
        return None
    whole = b"/" in pattern
    if whole and pattern.startswith(b"/"):
        pattern = pattern[1:]
    regex = translate(pattern, whole)
    if regex is None:
        return None
    try:
        compiled = re.compile(rb"(?:" + regex + rb")\Z", re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError):
        return None
    shown = text.decode("utf-8", "replace")
    return Rule(shown, source, number, negated, folders_only, whole, compiled)


def _trim(line: bytes) -> bytes:
    """Without the spaces at the end, unless a backslash keeps them (as git's trim_trailing_spaces)."""
    end: int | None = None
    i = 0
    while i < len(line):
        char = line[i]
        if char == 0x20:
            end = i if end is None else end
        else:
            end = None
            if char == 0x5C:
                i += 1
        i += 1
    return line if end is None else line[:end]


def parse(data: bytes, source: str, base: bytes = b"", ignore_case: bool = False) -> RuleFile:
    """The rules of a file's content. ``source`` is the file's name for the ledger."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    rules = []
    for number, line in enumerate(data.split(b"\n"), 1):
        rule = parse_line(line.removesuffix(b"\r"), source, number, ignore_case)
        if rule is not None:
            rules.append(rule)
    either = [_any_of(rule.regex for rule in rules if rule.whole is whole) for whole in (False, True)]
    return RuleFile(base, tuple(rules), *either)


def _any_of(patterns: Iterable[re.Pattern[bytes]]) -> re.Pattern[bytes]:
    found = list(patterns)
    return re.compile(b"|".join(p.pattern for p in found) or b"(?!)", found[0].flags if found else 0)


def read(path: Path, source: str, base: bytes = b"", ignore_case: bool = False) -> RuleFile | None:
    """The rules of a file on disk; None when it is absent, unreadable, a link or empty of rules."""
    try:
        # git does not follow links here, and neither may a walk that stays inside its root
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES)
    except OSError:
        return None
    found = parse(data, source, base, ignore_case)
    return found if found.rules else None


def from_lines(lines: Iterable[str], source: str) -> RuleFile:
    """Rules that come from a setting instead of a file."""
    return parse("\n".join(lines).encode("utf-8", "surrogateescape"), source)


def decide(files: Sequence[RuleFile], path: bytes, is_folder: bool) -> Rule | None:
    """The rule that decides on ``path``, looking from the last (strongest) file to the first."""
    for rule_file in reversed(files):
        rule = rule_file.match(path, is_folder)
        if rule is not None:
            return rule
    return None


def global_file(config: dict[str, str]) -> Path | None:
    """The user's global ignore file: ``core.excludesFile``, else git's default place."""
    named = config.get("core.excludesfile", "")
    if named:
        return Path(os.path.expanduser(named))
    if "core.excludesfile" in config:
        return None
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return Path(home) / "git" / "ignore"
