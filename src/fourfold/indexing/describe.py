"""Describing one definition: its signature, its documentation's first line, its written type."""

from __future__ import annotations

import re
from bisect import bisect_right

from fourfold.indexing.items import C_FAMILY, CLASSES, FUNCTIONS, SPACES, VALUES, WHITE, Attachable, Item
from fourfold.languages import Language
from fourfold.languages.comments import first_doc_line
from fourfold.languages.entrypoints import is_entry, is_test
from fourfold.languages.grammar import type_fields
from fourfold.languages.types import last_type_name
from fourfold.model import ParsedSymbol

_SPACE = re.compile(r"\s+")
_RETURNS = re.compile(r"\)\s*(?:async |throws |rethrows |const |noexcept |override )*(?::|->)\s*([^={;]+)")
_ARROW = re.compile(r"\)[^{;]*->\s*([^={;]+)")
_ZIG_RETURN = re.compile(r"\)\s*(?:[\w.]*!)?\s*([\w.*?]+)\s*\Z")
_WRITTEN = re.compile(r"[\w`]\s*:\s*([^={;,]+)")
_MARK = re.compile(rb"[\n{;()\[\]]")
_PROPERTY = re.compile(r"@(?:\w+\.)*(?:\w*property|\w+\.(?:setter|getter|deleter))\b")
_ACCESSOR = re.compile(r"(?:(?:public|private|protected|static|override|abstract)\s+)*(?:get|set)\s+[\w$#\[]")
_QUOTED = re.compile(rb"[=:]\s*[\"']([\w@./-]{1,100})[\"']")
#: Languages whose grammars do not mark a written type as such.
_TYPES_IN_TEXT = frozenset({"kotlin", "swift", "zig"})
_LONGEST_SIGNATURE = 240


def describe(
    entry: Language,
    data: bytes,
    starts: list[int],
    item: Item,
    above: Attachable,
    by_qualified: dict[str, int],
) -> tuple[ParsedSymbol, tuple[int, int]]:
    end = item.end
    while end > item.start + 1 and data[end - 1] in WHITE:
        end -= 1
    first, last = bisect_right(starts, item.start), bisect_right(starts, end - 1)
    outer = bisect_right(starts, item.outer)
    attached = outer
    while attached - 1 in above:
        attached = above[attached - 1][0]
    signature = _signature(data, item, end)
    doc = item.doc
    if not doc and attached < outer:
        doc = _comment_above(data, starts, attached, outer, above)
    before = data[starts[attached - 1] : item.start].decode("utf-8", "replace") if attached < first else ""
    if not before and item.outer < item.start:
        before = data[item.outer : item.start].decode("utf-8", "replace")
    if entry.name == "haskell":
        signature = _type_above(before, item.name) or signature
    kind = item.kind
    if kind == "method" and _is_property(entry, before, signature):
        kind = "property"
    symbol = ParsedSymbol(
        name=item.name,
        qualified=item.qualified,
        kind=kind,
        start_line=first,
        end_line=max(last, first),
        name_line=bisect_right(starts, item.name_start),
        parent=_parent(item, by_qualified),
        signature=signature,
        doc=doc,
        type_name=_type_name(entry, data, item, signature),
        entry=item.is_test or _is_of_trait(item) or is_entry(entry.name, item.name, kind, signature, before),
        test=item.is_test or is_test(entry.name, item.name, kind, signature, before),
    )
    return symbol, (attached, max(last, first))


def _parent(item: Item, by_qualified: dict[str, int]) -> int:
    if item.receiver or (item.prefix and item.prefix != "?"):
        owner = item.qualified.rpartition(".")[0]
        found = by_qualified.get(owner, by_qualified.get(item.receiver or item.prefix, -1))
        if found not in (item.index, -1):
            return found
    above = item.above
    while above is not None and above.index < 0:
        above = above.above
    return above.index if above is not None and above.index != item.index else -1


def _type_above(before: str, name: str) -> str:
    """The type signature (``name :: …``, over a few lines) that a Haskell definition has above it, or empty."""
    lines = before.rstrip().split("\n")[-20:]
    for place in range(len(lines) - 1, -1, -1):
        head, mark, _ = lines[place].partition("::")
        if mark and name in head:
            return _SPACE.sub(" ", " ".join(lines[place:])).strip()[:_LONGEST_SIGNATURE]
    return ""


def _is_property(entry: Language, before: str, signature: str) -> bool:
    if entry.name in ("python", "jupyter"):
        return bool(_PROPERTY.search(before))
    if entry.name in ("javascript", "typescript", "tsx"):
        return bool(_ACCESSOR.match(signature))
    return False


def _signature(data: bytes, item: Item, end: int) -> str:
    node = item.node
    if item.kind in ("heading", "key"):
        return ""
    body = None
    if item.kind not in VALUES:
        body = node.child_by_field_name("body")
        if body is None and item.kind in FUNCTIONS:
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            body = value.child_by_field_name("body") if value is not None else None
    stop = body.start_byte if body is not None and body.start_byte >= item.name_end else -1
    if stop < 0:
        stop = _head_end(data, item.name_end, min(end, item.name_end + _LONGEST_SIGNATURE), item.kind)
    start = item.start
    if item.outer < start and b"@" not in data[item.outer : start] and b"\n" not in data[item.outer : start]:
        start = item.outer  # `export`, `type`, `template <...>`
    text = data[start : min(stop, start + 2 * _LONGEST_SIGNATURE)].decode("utf-8", "replace")
    text = " ".join(text.split()).rstrip("{:=; ")
    return text if len(text) <= _LONGEST_SIGNATURE else text[: _LONGEST_SIGNATURE - 1] + "…"


def _head_end(data: bytes, place: int, end: int, kind: str) -> int:
    """Where the head of a definition without a marked body ends: at the line's end or a brace outside brackets."""
    depth = 0
    stops = b"\n" if kind in VALUES or kind == "type" else b"\n{;"
    for found in _MARK.finditer(data, place, end):
        mark = found[0]
        if mark in b"([":
            depth += 1
        elif mark in b")]":
            depth -= 1
        elif depth <= 0 and mark in stops:
            return found.start()
    return end


def _is_of_trait(item: Item) -> bool:
    """Whether it stands in a Rust ``impl Trait for Type``: who asks for the trait calls it."""
    above = item.above
    return (
        above is not None
        and item.kind in FUNCTIONS
        and above.node.type == "impl_item"
        and above.node.child_by_field_name("trait") is not None
    )


def _type_name(entry: Language, data: bytes, item: Item, signature: str) -> str:
    if item.kind == "key" and item.name == "name" and entry.name in ("toml", "json"):
        called = _QUOTED.search(data, item.start, item.end)  # what a package is called is how others import it
        return called[1].decode() if called else ""
    if item.kind in CLASSES or item.kind in SPACES or item.kind in ("macro", "heading", "key"):
        return ""
    node = item.node
    for field in type_fields(entry.name):
        found = node.child_by_field_id(field)
        if found is not None:
            return last_type_name(data[found.start_byte : found.end_byte].decode("utf-8", "replace"))
    if item.kind in FUNCTIONS:
        value = node.child_by_field_name("value")
        found = value.child_by_field_name("return_type") if value is not None else None
        if found is not None:
            return last_type_name(data[found.start_byte : found.end_byte].decode("utf-8", "replace"))
        match = _ARROW.search(signature) if entry.name in C_FAMILY else None
        if entry.name == "zig":
            match = _ZIG_RETURN.search(signature)
        elif entry.name in _TYPES_IN_TEXT:
            match = _RETURNS.search(signature)
    else:
        match = _WRITTEN.search(signature) if entry.name in _TYPES_IN_TEXT and item.kind != "type" else None
    return last_type_name(match[1]) if match else ""


def _comment_above(data: bytes, starts: list[int], attached: int, outer: int, above: Attachable) -> str:
    """The first line that says something in the comments between two lines."""
    pieces: list[str] = []
    line = outer - 1
    while line >= attached:
        first, is_comment = above[line]
        if is_comment:
            text = data[starts[first - 1] : starts[line] if line < len(starts) else len(data)]
            pieces.append(text[:4000].decode("utf-8", "replace"))
        line = first - 1
    return first_doc_line("".join(reversed(pieces)).split("\n", 60))
