"""Other people's text, made harmless to show: file names, source text, questions, names of an index.

A codebase is data: a control sequence, a bidirectional mark or an invisible character in it is seen, never obeyed, so
that nothing can move the cursor, set a title, hide a line or make it read differently from what it says.
"""

from __future__ import annotations

import re

# C0 (but tab), DEL, C1, soft hyphen, Arabic letter mark, fillers, zero-width and bidi marks, line and paragraph
# separators, variation selectors, byte-order mark, interlinear marks, lone surrogates, tag characters.
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def harmless(text: str, tab: str = "\u2409") -> str:
    """``text`` as one line in which every unsafe character is a visible sign (``␛`` for escape); a tab is ``tab``."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_sign, text.replace("\t", tab))


def harmless_code(text: str) -> str:
    """The same for a line of source: a tab is four spaces, and a line's end is dropped."""
    return harmless(text.rstrip("\r\n"), "    ")


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xFE00 <= code <= 0xFE0F:
        return ""  # only asks for another width, on which terminals disagree
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"‹{code:02X}›"
