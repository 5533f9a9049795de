"""Notebooks: the text of their cells, with every line where it stands in the file.

A notebook as Jupyter saves it is JSON with one line of source a line. So the derived text has as many lines as the
file: a source line in place of the JSON that quotes it, text cells as comments, and blank lines elsewhere. Line numbers
then mean the same in both.
"""

from __future__ import annotations

import json
import re

_LINE = re.compile(rb'^\s*("(?:[^"\\]|\\.)*")(,?)\s*$')
_CELL = re.compile(rb'^\s*"cell_type":\s*"(\w+)"')
_SOURCE = re.compile(rb'^(\s*)"source":\s*\[\s*$')
_ONE_LINE = re.compile(rb'^\s*"source":\s*\[?\s*("(?:[^"\\]|\\.)*")\s*\]?,?\s*$')
_MAGIC = re.compile(r"^\s*[%!?]")


def derive(data: bytes) -> bytes:
    """The derived text of a notebook; the file itself when it does not look like one."""
    lines = data.split(b"\n")
    derived: list[bytes] = []
    inside = False
    kind = ""
    found = False
    for line in lines:
        text = b""
        if cell := _CELL.match(line):
            kind = cell[1].decode()
        if inside:
            quoted = _LINE.match(line)
            if quoted:
                text = _decoded(quoted[1], kind)
            else:
                inside = False
        elif _SOURCE.match(line):
            inside = found = True
        elif one := _ONE_LINE.match(line):
            text, found = _decoded(one[1], kind), True
        derived.append(text)
    if lines[-1] and not derived[-1]:
        derived[-1] = b" "  # a last line without an end is a line all the same
    return b"\n".join(derived) if found else data


def _decoded(quoted: bytes, kind: str) -> bytes:
    try:
        text = str(json.loads(quoted)).rstrip("\n")
    except ValueError:
        return b""
    text = text.replace("\n", "; ").replace("\0", " ")
    if kind != "code" or _MAGIC.match(text):
        text = "# " + text if text.strip() else ""
    return text.encode("utf-8", "replace")
