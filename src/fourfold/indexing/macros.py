"""Macros that C's grammars cannot read are taken out before parsing, so that what follows them is not lost.

``FMT_EXPORT template <…>`` and ``class API Name {`` are written with a macro that only the preprocessor knows, and so
is a line that is nothing but ``UV_HANDLE_FIELDS``. Each is replaced by as many spaces: every place in the file stays.
"""

from __future__ import annotations

import re

_MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
# Each pattern starts with what is found fast, and looks at nothing else before it.
#: Before a keyword that starts a declaration, or before a type and a function's name: two types never follow another.
_DECLARES = (
    rb"((?:%b[ \t]+)*%b)(?=[ \t\n]+(?:(?:template|class|struct|enum|union|namespace|inline|static|using|constexpr"
    rb"|extern|explicit|virtual|friend|typedef)\b"
    rb"|(?:[a-z_]\w*(?:::\w+)*(?:<[^;{}()\n]{0,100}>)?(?:[ \t]+[*&]*|[*&]+[ \t]*)){1,6}~?\w+[ \t]*\())"
    % (_MACRO, _MACRO)
)
_LEADING = re.compile(rb"\n[ \t]*" + _DECLARES)
_AFTER = re.compile(rb"inline " + _DECLARES)
_NAMED = re.compile(rb"class[ \t]+(%b(?:\([^()\n]*\))?)(?=[ \t]+[A-Za-z_]\w*[^;()]{0,200}?[:{])" % _MACRO)
_STRUCT = re.compile(_NAMED.pattern.replace(b"class", b"struct", 1))
_IF = re.compile(rb"if[ \t]+(%b)(?=[ \t]*\()" % _MACRO)
_ALONE = re.compile(rb"\n[ \t]*(%b)[ \t]*(?=\n)" % _MACRO)


def without_macros(data: bytes) -> bytes:
    """The text of a C, C++ or Objective-C file without them; of the same length, and with the same lines."""
    patterns = (_LEADING, _AFTER, _NAMED, _STRUCT, _IF)
    spans = [match.span(1) for pattern in patterns for match in pattern.finditer(data)]
    spans.extend(match.span(1) for match in _ALONE.finditer(data) if _between(data, match.start(), match.end()))
    if not spans:
        return data
    text = bytearray(data)
    for start, end in spans:
        text[start:end] = b" " * (end - start)
    return bytes(text)


def _between(data: bytes, start: int, end: int) -> bool:
    """Whether a name that has its line to itself stands between declarations, rather than in a list or expression."""
    before = data[max(start - 300, 0) : start].rstrip()
    line = before[before.rfind(b"\n") + 1 :].strip()
    if line.endswith(b"{"):
        opens = before[before.rfind(b";") + 1 :]
        return b"enum" not in opens and b"=" not in opens and b"(" not in opens
    if not (line.endswith((b";", b"}", b"*/")) or line.startswith((b"#", b"//")) or not before):
        return False
    after = data[end : end + 80].lstrip()
    return not after.startswith((b"=", b",", b"(", b")", b"|", b"&", b"+", b"?"))
