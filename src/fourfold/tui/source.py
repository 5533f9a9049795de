"""A file's text for the preview: read once, cut into lines, coloured block by block. No widget is touched here."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.lexer import Lexer

BLOCK = 200
#: Longer lines are shown plain and cut: one of a megabyte would cost seconds to colour.
MAX_LINE = 16_384
#: A larger file is shown up to here.
MAX_BYTES = 32_000_000
#: Up to this size a file is coloured from its first line, so that a block never starts inside a string unnoticed.
EXACT_BYTES = 400_000

Tokens = list[tuple[str, str]]

_CELL = re.compile(rb'^\s*"cell_type":\s*"(\w{1,20})"')
_WORD = re.compile(r"[^\W\d]\w*")
_KEYWORDS = frozenset(
    "and as assert async await break case catch class const continue def default del do elif else enum export extends "
    "false final finally fn for from func function go goto if impl implements import in instanceof int interface is "
    "lambda let match mod mut new nil none not null or package pass private protected pub public raise return self "
    "static struct super switch template this throw throws trait true try type typedef union unsafe use using var void "
    "where while with yield bool str float char double long short unsigned".split()
)


@dataclass
class Source:
    """One file as it stands now. ``note`` says in a line why there is nothing to show (vanished, binary, …)."""

    path: str
    lines: list[str] = field(default_factory=list)
    note: str = ""
    #: Marked in the preview's title: bytes that are not UTF-8, or a file cut at `MAX_BYTES`.
    remark: str = ""
    stamp: tuple[int, int] = (0, 0)
    size: int = 0
    _tokens: dict[int, Tokens] = field(default_factory=dict, repr=False)
    exact_to: int = 0
    _lexer: Any = field(default=None, repr=False)

    def tokens(self, index: int) -> Tokens | None:
        """The coloured pieces of line ``index`` (from 0); None when it has not been coloured yet."""
        return self._tokens.get(index)

    def has_block(self, index: int) -> bool:
        return (index - index % BLOCK) in self._tokens or index >= len(self.lines)

    # ------------------------------------------------------------------ colouring (in a worker thread)

    def colour_block(self, index: int) -> None:
        """Colour the block that holds line ``index``, starting at the block."""
        start = index - index % BLOCK
        if start in self._tokens or start >= len(self.lines):
            return
        self._colour(start, self.lines[start : start + BLOCK], lambda: False)

    def colour_exactly(self, stop: Callable[[], bool]) -> bool:
        """Colour a file of moderate size from its first line on; False when ``stop`` ended it early."""
        if self.size > EXACT_BYTES or self.exact_to >= len(self.lines):
            return True
        return self._colour(0, self.lines, stop)

    def _colour(self, start: int, lines: Sequence[str], stop: Callable[[], bool]) -> bool:
        lexer = self._find_lexer()
        if lexer is None:
            for offset, text in enumerate(lines):
                self._tokens[start + offset] = [(text[:MAX_LINE], "text")]
            return True
        fed = [text if len(text) <= MAX_LINE else "" for text in lines]
        done = 0
        for done, pieces in enumerate(_by_line(lexer.get_tokens("\n".join(fed) + "\n")), 1):
            number = start + done - 1
            if done > len(lines):
                break
            cut = lines[done - 1]
            self._tokens[number] = pieces if len(cut) <= MAX_LINE else [(cut[:MAX_LINE], "text")]
            if done % BLOCK == 0 and stop():
                return False
        for offset in range(done, len(lines)):
            self._tokens[start + offset] = [(lines[offset][:MAX_LINE], "text")]
        if start == 0 and len(lines) == len(self.lines):
            self.exact_to = len(self.lines)
        return True

    def _find_lexer(self) -> Lexer | None:
        if self._lexer is None:
            self._lexer = find_lexer(self.path)
        return self._lexer or None


def find_lexer(path: str) -> Lexer | bool:
    """A lexer by the file's name; False when there is none."""
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    name = os.path.basename(path)
    if name.endswith(".ipynb"):
        name += ".py"
    try:
        lexer: Lexer = get_lexer_for_filename(name, stripnl=False, ensurenl=False)
        return lexer
    except ClassNotFound:
        return False


def _by_line(tokens: Iterable[tuple[Any, str]]) -> Iterator[Tokens]:
    line: Tokens = []
    for kind, text in tokens:
        role = role_of(kind)
        first = True
        for piece in text.split("\n"):
            if not first:
                yield line
                line = []
            first = False
            if piece:
                line.append((piece, role))
    if line:
        yield line


_ROLES: dict[Any, str] = {}


def role_of(kind: Any) -> str:
    """The palette's role for a pygments token type."""
    role = _ROLES.get(kind)
    if role is None:
        role = _ROLES[kind] = _role_of(str(kind).removeprefix("Token."))
    return role


def _role_of(kind: str) -> str:
    table = (
        ("Comment.Preproc", "code.decorator"), ("Comment", "code.comment italic"),
        ("Literal.String.Doc", "code.string"), ("Literal.String", "code.string"), ("Literal.Number", "code.number"),
        ("Keyword.Constant", "code.constant"), ("Keyword.Type", "code.type"), ("Keyword", "code.keyword"),
        ("Name.Function", "code.function bold"), ("Name.Class", "code.function bold"),
        ("Name.Namespace", "code.type"), ("Name.Decorator", "code.decorator"), ("Name.Builtin.Pseudo", "code.keyword"),
        ("Name.Builtin", "code.type"), ("Name.Exception", "code.type"), ("Name.Tag", "code.keyword"),
        ("Name.Attribute", "code.type"), ("Name.Constant", "code.constant"), ("Operator.Word", "code.keyword"),
        ("Operator", "code.operator"), ("Punctuation", "code.operator"), ("Generic.Heading", "code.heading bold"),
        ("Generic.Subheading", "code.heading bold"), ("Generic.Strong", "code.heading bold"),
    )  # fmt: skip
    return next((role for prefix, role in table if kind.startswith(prefix)), "text")


# --------------------------------------------------------------------------- reading


def read(root: Path, path: str) -> Source:
    """The file at ``path`` below ``root``. Nothing outside the root is read, nor anything but a regular file."""
    full = root / path
    try:
        real = full.resolve(strict=True)
        if not real.is_relative_to(root.resolve()):
            return Source(path, note="leads out of this codebase; not shown")
        if not real.is_file():
            return Source(path, note="is no regular file")
        stat = real.stat()
        with real.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Source(path, note="is gone: it was deleted or moved after it was indexed")
    except (OSError, ValueError, RuntimeError) as error:
        return Source(path, note=f"cannot be read: {getattr(error, 'strerror', None) or error}")
    stamp = (stat.st_mtime_ns, stat.st_size)
    if b"\0" in data[:8192]:
        return Source(path, note=f"is binary ({stat.st_size:,} bytes)", stamp=stamp, size=len(data))
    remark = ""
    if len(data) > MAX_BYTES:
        data, remark = data[:MAX_BYTES], f"the first {MAX_BYTES // 1_000_000} MB"
    if path.endswith(".ipynb"):
        data, remark = cells(data), remark or "notebook"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text, remark = data.decode("utf-8", "replace"), "not all UTF-8"
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    lines = [line.removesuffix("\r").replace("\r", "␍") if "\r" in line else line for line in lines]
    return Source(path, lines, "" if lines else "is empty", remark, stamp, len(data))


def cells(data: bytes) -> bytes:
    """A notebook's cells as they are indexed, on the lines where they stand in the file, each with a rule above it."""
    from fourfold.languages.notebook import derive

    derived = derive(data)
    if derived is data:
        return data
    lines = derived.split(b"\n")
    for index, line in enumerate(data.split(b"\n")):
        if index < len(lines) and not lines[index].strip() and (cell := _CELL.match(line)):
            lines[index] = b"# \xe2\x94\x80\xe2\x94\x80 " + cell[1] + b" \xe2\x94\x80\xe2\x94\x80"
    return b"\n".join(lines)


class Shelf:
    """The files read last, so that going back and forth costs nothing; a changed file is read again."""

    def __init__(self, root: Path, size: int = 12) -> None:
        self.root = root
        self._size = size
        self._kept: OrderedDict[str, Source] = OrderedDict()

    def get(self, path: str) -> Source:
        kept = self._kept.get(path)
        if kept is not None and kept.stamp == self._stamp(path):
            self._kept.move_to_end(path)
            return kept
        source = read(self.root, path)
        self._kept[path] = source
        self._kept.move_to_end(path)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return source

    def _stamp(self, path: str) -> tuple[int, int]:
        try:
            stat = os.stat(self.root / path)
        except (OSError, ValueError):
            return (-1, -1)
        return (stat.st_mtime_ns, stat.st_size)


# --------------------------------------------------------------------------- names on a line


def words(line: str) -> list[tuple[int, int, str]]:
    """The names on a line that a pivot could act on: (start, end, name), keywords left out."""
    return [
        (match.start(), match.end(), match.group())
        for match in _WORD.finditer(line[:MAX_LINE])
        if len(match.group()) > 1 and match.group().lower() not in _KEYWORDS
    ]


def best_word(line: str, prefer: Sequence[str] = ()) -> int:
    """Which of `words` to start on: one that is asked about, else the first called or defined, else the first."""
    found = words(line)
    wanted = {name.rpartition(".")[2] for name in prefer if name}
    for index, (_, _, name) in enumerate(found):
        if name in wanted:
            return index
    for index, (_, end, _) in enumerate(found):
        if line[end : end + 1] == "(":
            return index
    return 0 if found else -1
