"""The copy of a question in which cues are looked for: lower case, single spaces, identifiers and quotes masked.

A name such as ``show_progress`` holds the letters of a cue without being one. So each identifier, quoted part, path and
literal is replaced by a run of one private-use letter, of the same length: `IDENTIFIER`, `QUOTED` or `LITERAL`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

from fourfold.search.classify.normalise import Text, without_closing

IDENTIFIER = "\ue000"
QUOTED = "\ue001"
LITERAL = "\ue002"
MASKS = IDENTIFIER + QUOTED + LITERAL

#: Cues are looked for in so many characters from the start; a longer text has said what it asks by then.
HEAD = 400

PartKind = Literal["identifier", "quoted", "path", "literal"]

#: Letters of identifiers: no kana or ideographs, since particles follow a name without a space.
LETTER = r"A-Za-z0-9_$À-ÖØ-öø-ɏͰ-ϿЀ-ӿ"
_QUOTED = re.compile(
    r""""([^"\n]*)"|“([^“”„"\n]*)[”“"]|„([^“”„"\n]*)[“”"]|«([^«»\n]*)»|»([^«»\n]*)«|‹([^‹›\n]*)›|「([^「」\n]*)」|『([^『』\n]*)』"""
    r"""|〝([^〝〟\n]*)〟|`+([^`\n]+)`+|”([^”\n]*)”"""
    # An apostrophe stands within a word, or after one: neither opens a quote.
    rf"""|(?<![{LETTER}'])'([^'\n]*(?:'\w[^'\n]*)*)'(?![{LETTER}])"""
    rf"""|(?<![{LETTER}‘’])[‘‚]([^‘’\n]*(?:’\w[^‘’\n]*)*)[’‘](?![{LETTER}])|(?<![{LETTER}’])’([^’\n]*)’(?![{LETTER}])"""
)
#: File endings that make a dotted word a file name and not a qualified name.
ENDINGS = """py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro html htm css scss sass less json jsonc
json5 jsonl yaml yml toml ini cfg conf xml xsd xsl svg md mdx rst txt adoc tex csv tsv sql go rs java kt kts scala
sc groovy gradle rb erb rake gemspec php phtml c h cc cpp cxx hpp hh hxx cs fs fsx vb swift mm pl pm lua
dart ex exs erl hrl hs elm clj cljs cljc edn jl sh bash zsh fish ps1 bat cmd proto thrift graphql gql tf
tfvars hcl nix zig nim cmake mk bazel bzl dockerfile lock sln csproj vcxproj pdf png jpg jpeg gif ico webp
woff ttf zip tar gz jar war whl exe dll wasm patch diff plist properties log pem crt env asm nim v sv vhd
tcl sol cu cuh ejs hbs pug j2 jinja tmpl tpl service""".split()
_FILE_NAME = re.compile(
    rf"(?<![{LETTER}./\\:@-])\.?[\w$@+-]+(?:\.[\w$@+-]+)*\.(?:{'|'.join(sorted(ENDINGS, key=len, reverse=True))})"
    r"(?![\w(]|\.\w)(?::\d+(?::\d+)?)?",
    re.ASCII | re.IGNORECASE,
)
_WELL_KNOWN = re.compile(
    r"(?<![\w./-])(?:Dockerfile|Makefile|GNUmakefile|Jenkinsfile|Procfile|Gemfile|Rakefile|Vagrantfile|Brewfile"
    r"|Justfile"
    r"|go\.mod|go\.sum|LICENSE\.\w+|\.(?:git\w+|env(?:\.\w+)?|\w{2,16}rc|editorconfig|dockerignore|npmignore|prettierrc"
    r"|eslintrc|babelrc|bashrc|zshrc|profile|flake8|pylintrc))(?![\w/])",
    re.ASCII,
)
_PATH = re.compile(
    rf"(?<![{LETTER}:/\\<.-])(?:(?:[A-Za-z]:[\\/]|~/|\.{{1,2}}/|/|\\\\)?(?:[\w.@+*{{}},-]+[\\/])+[\w.@+*{{}},-]*"
    r"|(?:~|\.{1,2})?/[\w.@+-]+(?:\.\w+)?|\*\*?[\w.*-]*\.\w+)(?::\d+(?::\d+)?)?",
    re.ASCII,
)
_URL = re.compile(
    r"(?<!\w)(?:https?|wss?|ftp|file|ssh|git|redis|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?"
    r"|jdbc:\w+)://[^\s\"'<>「」]+",
    re.I,
)
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s\"'?!]+)?(?![\w-])", re.ASCII)
#: The parameters of a type, right after its name.
GENERIC = r"(?:<(?:[\w:.,&*?|()\[\]' ]|<[\w:.,&*?|()\[\]' ]*>){1,60}>)"
#: The name of an operator as C++, C# and Swift define them.
OPERATOR = r"operator(?:\(\)|\[\]|\"\"_?\w*|[-+*/%^&|=<>!~]{1,3})"
_PART = rf"[A-Za-z_$À-ÖØ-öø-ɏ][{LETTER}]*{GENERIC}?"
_NAME = re.compile(
    rf"(?<![{LETTER}])(?:(?:{_PART}::)*{OPERATOR}|[@$#]?{_PART}(?:(?:\?\.|\.|::|->|#)[A-Za-z_$][{LETTER}]*{GENERIC}?)*"
    r"[?!]?(?:\(\)|\([^\s()]{0,60}\))?)",
)
_OPERATOR_NAME = re.compile(rf"(?:.*::)?{OPERATOR}")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s\Z")
_NO_NAME = frozenset(["e.g", "i.e", "z.b", "d.h", "u.a", "t.ex", "bl.a", "o.d", "m.m", "a.k.a", "and/or", "i/o"])


@dataclass(frozen=True, slots=True)
class Part:
    """A masked range of the normalised text. For a quote, ``inner`` is the range between the marks."""

    kind: PartKind
    start: int
    end: int
    inner: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Masked:
    """``cue`` is the copy for cue tests; ``places`` maps it to the normalised text; ``parts`` in order of place."""

    cue: str
    places: tuple[int, ...]
    parts: tuple[Part, ...]


def names_operator(word: str) -> bool:
    """Whether a word is the name of an operator: ``operator==``, ``Point::operator+``."""
    return _OPERATOR_NAME.fullmatch(word) is not None


def is_identifier(word: str) -> bool:
    """Whether a word looks like an identifier: an underscore, a hump, a qualifier, a sigil, brackets after it."""
    bare = word.rstrip("?!")
    if bare.endswith((")", ">")) or names_operator(word):
        return True
    if bare[:1] in "@$#" and len(bare) > 1:
        return True
    if re.search(r"[\w>](?:\.|::|->|#|\?\.)\w", bare):
        return bare.lower() not in _NO_NAME
    return ("_" in bare and bare.strip("_") != "") or (
        _HUMP.search(bare) is not None and not _PLURAL_ACRONYM.search(bare)
    )


def mask(text: Text, vocabulary: Container[str]) -> Masked:
    """The head of ``text`` masked. A word of the ``vocabulary`` of the cues is no name, however it is written."""
    whole = text.text[: without_closing(text.text)]
    head = whole[:HEAD]
    parts = find_parts(head, vocabulary)
    letters: list[str] = []
    places: list[int] = []
    position = 0
    for part in parts:
        _copy(head, position, part.start, letters, places)
        sign = {"identifier": IDENTIFIER, "quoted": QUOTED}.get(part.kind, LITERAL)
        letters.extend(sign * (part.end - part.start))
        places.extend(range(part.start, part.end))
        position = part.end
    _copy(head, position, len(head), letters, places)
    places.append(len(head))
    return Masked("".join(letters), tuple(places), tuple(parts))


def _copy(head: str, start: int, end: int, letters: list[str], places: list[int]) -> None:
    for place in range(start, end):
        letter = head[place]
        if letter.isspace():
            if letters and letters[-1] == " ":
                continue
            letter = " "
        elif letter in "’‘´ʼ":
            letter = "'"
        else:
            lower = letter.lower()
            letter = lower if len(lower) == 1 else letter
        letters.append(letter)
        places.append(place)


def find_parts(head: str, vocabulary: Container[str]) -> list[Part]:
    """Quoted parts, URLs, flags, paths, file names and identifiers, none inside another, in order of place."""
    parts: list[Part] = []
    taken = bytearray(len(head))

    def take(kind: PartKind, start: int, end: int, inner: tuple[int, int] | None = None) -> None:
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            parts.append(Part(kind, start, end, inner or (start, end)))

    for match in _QUOTED.finditer(head):
        group = match.lastindex or 0
        if group and match[group].strip():
            take("quoted", match.start(), match.end(), match.span(group))
    if "://" in head:
        for match in _URL.finditer(head):
            take("literal", match.start(), match.start() + len(match[0].rstrip(".,;:)")))
    if "-" in head:
        for match in _FLAG.finditer(head):
            take("literal", *match.span())
    if "." in head or "file" in head.lower():
        for pattern in (_FILE_NAME, _WELL_KNOWN):
            for match in pattern.finditer(head):
                take("path", *match.span())
    if "/" in head or "\\" in head or "*" in head:
        for match in _PATH.finditer(head):
            if match[0].lower() not in _NO_NAME and _is_path(match[0]):
                take("path", *match.span())
    for match in _NAME.finditer(head):
        word = match[0]
        if word.lower().rstrip("?!") not in vocabulary and is_identifier(word):
            take("identifier", match.start(), match.start() + len(word.rstrip("?!")))
    parts.sort(key=lambda part: part.start)
    return parts


def _is_path(word: str) -> bool:
    """Whether a word with slashes is a path: two plain words with one slash between them are not (``read/write``)."""
    if re.search(r"\\[bdwsBDWS](?![\w])|\\[bdws][+*{(]", word):
        return False
    parts = [part for part in re.split(r"[\\/]", word) if part]
    return not (
        len(parts) == 2 and word[:1] not in "/.~*" and all(part.isalpha() for part in parts) and word[-1] not in "/\\"
    ) or (len(parts) == 2 and parts[0].lower() in _FOLDERS)


_FOLDERS = frozenset(
    """src lib app pkg cmd test tests spec docs bin api core utils internal include vendor config scripts packages
    server client""".split()
)
