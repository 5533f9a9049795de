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
#: Between a type and a function's name, at the start of a line: `int CALL main(`.
_MIDDLE = re.compile(rb"\n(?:[a-z_]\w*[ \t*]+){1,5}(%b)(?=[ \t]+\*?\w+[ \t]*\()" % _MACRO)
#: Before a constructor: `LIB_CONSTEXPR Name(`.
_BEFORE = re.compile(
    rb"\n[ \t]+([A-Z]\w*_(?:CONSTEXPR|CONSTEVAL|INLINE|EXPLICIT|API|EXPORT|NODISCARD)[A-Z0-9_]*)"
    rb"(?=[ \t]+(?:explicit[ \t]+)?~?\w+[ \t]*\()"
)
#: How a function that is pointed to is called: `typedef int (CALLBACK *name)(…)`.
_POINTED = re.compile(rb"\n[ \t]*typedef[^;(){}]{1,80}\([ \t]*([A-Za-z_]\w*)(?=[ \t]*\*[ \t]*\w+[ \t]*\))")
_CALL = rb"(?:\((?:[^()\n]|\([^()\n]*\))*\))?"
_ASSUME = re.compile(rb"\b(?:NS|CF)_ASSUME_NONNULL_(?:BEGIN|END)\b")
_BEFORE_AT = re.compile(rb"\n[ \t]*(%b%b)(?=[ \t\n]+@(?:interface|protocol|property)\b)" % (_MACRO, _CALL))
_DECLARED = re.compile(rb"^[-+@][^\n;{]*", re.M)
_MARK = re.compile(rb"(?<=[\s)])(%b%b|__attribute__\(\([^\n]*\)\))(?=\s|\Z)" % (_MACRO, _CALL))
_ENUM = re.compile(rb"(typedef\s+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\s*\([^,(){};]*,\s*)(\w+)\s*\)(?=\s*\{)")


def without_macros(data: bytes) -> bytes:
    """The text of a C, C++ or Objective-C file without them; of the same length, and with the same lines."""
    patterns = (_LEADING, _AFTER, _NAMED, _STRUCT, _IF, _MIDDLE, _BEFORE, _POINTED)
    spans = [match.span(1) for pattern in patterns for match in pattern.finditer(data)]
    last = -1
    for match in _ALONE.finditer(data):
        start, end = match.span()
        if (last >= 0 and not data[last:start].strip()) or _between(data, start, end):
            spans.append(match.span(1))
            last = end
    objc = b"@interface" in data or b"@implementation" in data or b"@protocol" in data
    if objc or b"S_ENUM" in data or b"S_OPTIONS" in data:
        spans.extend(_objective(data))
    if not spans:
        return data
    text = bytearray(data)
    for start, end in spans:
        text[start:end] = b" " * (end - start)
    for match in _ENUM.finditer(data):
        start, end = match.span(1)
        text[start:end] = b"enum".ljust(end - start)
        text[match.end(2) : match.end()] = b" " * (match.end() - match.end(2))
    return bytes(text)


def _objective(data: bytes) -> list[tuple[int, int]]:
    """The marks of availability and nullability before and after Objective-C's declarations."""
    spans = [match.span(1) for match in _BEFORE_AT.finditer(data)]
    spans.extend(match.span() for match in _ASSUME.finditer(data))
    for line in _DECLARED.finditer(data):
        spans.extend(match.span(1) for match in _MARK.finditer(data, line.start(), line.end()))
    spans.extend(match.span(1) for match in _ENUM.finditer(data))
    return spans


def _between(data: bytes, start: int, end: int) -> bool:
    """Whether a name that has its line to itself stands between declarations, rather than in a list or expression."""
    before = data[max(start - 600, 0) : start].rstrip()
    while before.endswith(b"*/") and b"/*" in before:
        before = before[: before.rfind(b"/*")].rstrip()
    line = before[before.rfind(b"\n") + 1 :].strip()
    if line.endswith(b"{"):
        opens = before[max(before.rfind(b";"), before.rfind(b"}")) + 1 :]
        return b"enum" not in opens and b"=" not in opens and b"(" not in opens
    if not (line.endswith((b";", b"}", b"*/")) or line.startswith((b"#", b"//")) or not before):
        return False
    after = data[end : end + 80].lstrip()
    return not after.startswith((b"=", b",", b"(", b")", b"|", b"&", b"+", b"?"))
