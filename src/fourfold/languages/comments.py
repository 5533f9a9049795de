"""What a comment says, without its marks."""

from __future__ import annotations

import re

_LONGEST = 200
_MARKS = re.compile(r"^[\s/*#;%!<>|{}\-=^~\"']+|(?:-->|[\s*/\-=#}\"'])+$")
_STRING = re.compile(r"^(?:[rRbBuUfF]{0,2}(?:\"{3}|'{3}|\"|')|~[sS]\"{3})")
_XML = re.compile(r"</?(?:summary|para|remarks|returns|inheritdoc|see|c|p|b|i|code)\b[^>]*>")
_DOC = re.compile(r"^@doc\s")
_SAYS = re.compile(r"[^\W\d_].*[^\W\d_]")
_TAG = re.compile(r"^(?:@|\\)(?:brief|file|fn|summary|short)\s+|^eslint-|^type:|^noqa")


def first_doc_line(lines: list[str]) -> str:
    """The first line of a comment or a documentation text that says something, or empty."""
    for line in lines:
        text = line.strip()
        if not text:
            continue
        text = _TAG.sub("", _MARKS.sub("", _STRING.sub("", _DOC.sub("", _XML.sub("", text))))).strip()
        if _SAYS.search(text):
            return text[:_LONGEST]
    return ""
