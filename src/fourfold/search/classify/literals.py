"""The parts of rule 10: regular expressions, error tokens and other literals, paths."""

from __future__ import annotations

import errno
import re
import warnings

_SLASHES = re.compile(r"(?<![\w/])/(?P<body>(?:[^/\s\\]|\\.)(?:[^/\\\n]|\\.)*)/(?P<flags>[gimsuxy]*)(?![\w/])")
_SIGNS = re.compile(r"[][(){}\\+?|^$]")
#: Syntax that only a regular expression has. A plain ``|`` counts between words without spaces.
_SYNTAX = re.compile(
    r"\\[bBdDwWsS](?![\\/\w])|\\[bBdDwWsS](?=[\w\\+*{(\[])|\(\?[:=!<iPmsx]|(?<!\w)\^(?=[\w\\(\[.])"
    r"|[\w)\].]\$(?=\Z|[|)])|\.[*+](?![\w]*\Z(?<=\w))|\.[*+]\??(?=[\w\\(\[.$]|\Z)"
    r"|\[(?:\^?[^\]\s]-[^\]\s]|\^)[^\]]*\]|\[[^\]\s]+\][+*?{]|[\w)\]]\{\d+(?:,\d*)?\}|\\[.()\[\]{}+*?$^|]"
    r"|[\w)\]]\)[*+?](?=\W|\Z)|\(\w+(?:\|\w+)+\)|\A\w{2,}(?:\|\w{2,})+\Z|\A\w+\w\?\w+\Z"
)
_ERRNOS = frozenset(errno.errorcode.values()) | {
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNRESET",
    "ECONNABORTED",
    "EOF",
    "ENOTSUP",
    "ESOCKETTIMEDOUT",
}
_SIGNAL = r"SIG(?:ABRT|ALRM|BUS|CHLD|CONT|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|STOP|TERM|TRAP|TSTP|USR1|USR2|WINCH)"
_MARKERS = r"TODO|FIXME|XXX|HACK|WIP|NOSONAR|NOLINT"
_CODES = re.compile(
    rf"(?:{_SIGNAL}|{_MARKERS}|ERR_[A-Z0-9_]+|E[A-Z]{{2,}}_[A-Z_]+(?<=ERR)|WSAE[A-Z]+|NS_ERROR_\w+|NT_STATUS_\w+"
    rf"|STATUS_[A-Z_]+_?(?:ERROR|VIOLATION)|HRESULT|0x[0-9a-fA-F]+[uUlL]*|0b[01]+|0o[0-7]+"
    r"|ORA-\d{3,6}|(?:TS|CS|LNK|MSB|NETSDK|RUF|BC|CVE|RFC|PEP|ISO|KB)-?\d{3,6}(?:-\d+)?|E\d{3,4}"
    r"|SQLSTATE\[?\w*\]?|#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?|#[0-9a-fA-F]{3}"
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\d+)?|localhost:\d+\S*|[0-9a-f]{32,64}|[0-9a-f]{7,40}(?<=\d[a-f0-9]{6}))",
)
_WHOLE = re.compile(
    r"(?:[+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?[fFlLuU%]?|v?\d+\.\d+(?:\.\d+)*(?:[-+.][\w.]+)?"
    r"|\d{4}-\d\d-\d\d(?:T\S+)?|\d{1,2}:\d\d(?::\d\d)?|\d+(?:px|em|rem|ms|s|kb|mb|gb|%)"
    r"|--?[A-Za-z][\w-]*(?:=\S*)?|\$\{\w+\}|\$\(\w+\)|%[sdifxr%]|\{\{.*\}\}|<[/!]?[A-Za-z][^>]*>|&\w+;"
    r"|[.#][A-Za-z_][\w]*-[\w-]*|[a-z0-9]+(?:-[a-z0-9]+){2,}|\.[a-z][\w-]*-[\w-]+"
    r"|[\w.+-]+@[\w-]+\.[\w.]+|\[\w+(?:=\S*)?\]|@[\w-]+/[\w.-]+|\w+/\w+;\S+|(?:application|text|image|audio"
    r"|video)/[\w.+-]+|:[\w-]+:|[A-Z]{2,}-\d+|\d+[A-Za-z]\w*)",
    re.IGNORECASE,
)
_OPERATORS = re.compile(r"[-+*/%=<>&|^~@#$\\:.,;?!(){}\[\]`_]+")
OPERATOR_LETTERS = frozenset("+-*/%=<>&|^~@#$\\:_")
_STATUS = re.compile(r"(?:HTTP|http|status|Status|code)(?:/\d\.\d)?[ :](?:code )?\d{3}")


def find_slashed(text: str) -> tuple[tuple[int, int], tuple[int, int], str] | None:
    """A ``/regex/``: its place, that of its body, and the expression with its flags. A path is none.

    A whole question between slashes that has the signs of an expression is one even if it is broken: so it can be
    told what is wrong with it.
    """
    for match in _SLASHES.finditer(text[:400]):
        body = match["body"]
        if re.fullmatch(r"[\w.@-]+", body) and (match.start() > 0 or match["flags"]) and not match["flags"]:
            continue
        flags = "".join(sorted(set(match["flags"]) & set("imsx")))
        expression = f"(?{flags}){body}" if flags else body
        if is_regex(expression) or (match.span() == (0, len(text)) and _SIGNS.search(body)):
            return match.span(), match.span("body"), expression
    return None


def is_regex(text: str) -> bool:
    """Whether ``text`` can be read as a regular expression at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, OverflowError, RecursionError):
        # Some dialects have more than ours: named groups, possessive repetition, properties.
        return re.search(r"\\[pPKRhHGAzZ]|\(\?<\w+>|[*+?]\+", text) is not None and text.count("(") == text.count(")")
    return True


def has_regex_syntax(token: str) -> bool:
    """Whether a bare token is a regular expression by its signs."""
    if _OPERATORS.fullmatch(token) or "://" in token or re.match(r"[A-Za-z]:\\|\\\\\w", token):
        return False
    return _SYNTAX.search(token) is not None and is_regex(token)


def is_error_token(word: str) -> bool:
    """An error code, a hexadecimal number, a work marker, an address: looked for as it is written."""
    return word in _ERRNOS or _CODES.fullmatch(word) is not None


def is_literal(text: str) -> bool:
    """What is a literal when nothing else is asked: numbers, flags, versions, tags, operators, as well."""
    if is_error_token(text) or _WHOLE.fullmatch(text) or _STATUS.fullmatch(text):
        return True
    return bool(text) and _OPERATORS.fullmatch(text) is not None and any(letter in OPERATOR_LETTERS for letter in text)
