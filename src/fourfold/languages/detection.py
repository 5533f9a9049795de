"""Which language a file is in: by its name, its extension, its first line, its content, in this order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from fourfold.languages.table import LANGUAGES

#: How much of a file's head is looked at.
HEAD = 8192

#: Extensions that say nothing about what is inside: the name before them is looked at again.
_WRAPPERS = frozenset(
    {".in", ".tmpl", ".template", ".tpl", ".dist", ".example", ".sample", ".orig", ".bak", ".cmakein"}
)

_OBJC = re.compile(rb"^\s*(?:@(?:interface|implementation|protocol|class|end|import|property)\b|#import\b)", re.M)
_CPP = re.compile(
    rb"^\s*(?:class\s+\w+[^;]*$|template\s*<|namespace\b|using\s+(?:namespace\b|\w+\s*=)|(?:public|private|protected)\s*:"
    rb"|constexpr\b|enum\s+(?:class|struct)\b|#include\s*<[a-z_]+>\s*$)|\bstd::|\bvirtual\s|\boperator\s*[=+(\[<]|\bnoexcept\b|\bnullptr\b"
    rb"|\w+::\w+\s*\(",
    re.M,
)
_MATLAB = re.compile(rb"^\s*(?:function\b|classdef\b|%|end\s*$|\w+\s*=.*;\s*$)", re.M)
_PERL = re.compile(
    rb"^\s*(?:use\s+(?:strict|warnings|v?5|[A-Z]\w*(?:::\w+)*)|package\s+[\w:]+;|sub\s+\w+|my\s+[$@%])", re.M
)
_MARKUP = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE\s+TS|[A-Za-z]+:)")
_MODELINE = re.compile(
    rb"-\*-(?:[^\n]*?\bmode:)?[ \t]*([A-Za-z+#-]+?)[ \t]*(?:;[^\n]*?)?-\*-"
    rb"|\b(?:vim?|ex):[^\n]*?\b(?:ft|filetype|syntax)=([A-Za-z+]+)",
    re.I,
)
_SHEBANG = re.compile(rb"\A(?:\xef\xbb\xbf)?#![ \t]*(\S+)(?:[ \t]+(.*))?")
_PROLOG = re.compile(rb"^\s*:-|^[a-z]\w*(?:\([^()\n]*\))?\s*(?::-|\.\s*$)", re.M)
_MERCURY = re.compile(rb"^:-\s*(?:module|interface|implementation)\b", re.M)
_RAKU = re.compile(rb"^\s*(?:use\s+v6|my\s+class\b|unit\s+(?:module|class))", re.M)
_COQ = re.compile(rb"^\s*(?:Require|Theorem|Lemma|Definition|Proof|Inductive|Qed|Section)\b[^;]*\.\s*$", re.M)
_VLANG = re.compile(rb"^(?:pub\s+)?fn\s+[\w(]|^module\s+\w+\s*$", re.M)
_RULES = re.compile(rb"\A(?:#[^\n]*\n)*[\w./$()-]+\.\w+[^\n:=]*:\s[^\n]*")
_SHADER = re.compile(rb"^\s*#version\s|\bgl_\w+|^\s*(?:uniform|varying|precision)\s", re.M)
_OPENCL = re.compile(rb"^\s*(?:__)?kernel\b|^\s*#(?:include|define|pragma|if)|\b__global\b", re.M)
_PUPPET = re.compile(rb"^\s*(?:class|node|define)\s+[\w:']+\s*(?:\(|\{)|^\s*\w+\s*\{\s*['\"]", re.M)
_C = re.compile(rb"^\s*#\s*(?:include|define|ifdef|ifndef|if)\b", re.M)
#: What an extension means beside its first meaning, by what the file holds: the first that is found.
_SHARED: Mapping[str, tuple[tuple[re.Pattern[bytes], str], ...]] = MappingProxyType({
    ".v": ((_COQ, "coq"), (_VLANG, "v")),
    ".d": ((_RULES, "make"),),
    ".fs": ((_SHADER, "glsl"),),
    ".cl": ((_OPENCL, "c"),),
    ".pp": ((_PUPPET, "puppet"),),
})  # fmt: skip
#: Programs that start another, which is named after them.
_STARTERS = frozenset({b"env", b"busybox", b"uv", b"run", b"exec", b"sudo"})
_NIX = re.compile(rb"\n#![ \t]*nix-shell[^\n]*[ \t]-i[ \t]*(\S+)")
_VERSION = re.compile(r"[\d.]+\Z")


class _Tables(NamedTuple):
    names: Mapping[str, str]
    extensions: Mapping[str, str]
    shebangs: Mapping[str, str]
    aliases: Mapping[str, str]


@cache
def _tables() -> _Tables:
    names: dict[str, str] = {}
    extensions: dict[str, str] = {}
    shebangs: dict[str, str] = {}
    aliases: dict[str, str] = {}
    for entry in LANGUAGES:
        for found, keys in ((names, entry.file_names), (extensions, entry.extensions), (shebangs, entry.shebangs)):
            for key in keys:
                found.setdefault(key, entry.name)
        for alias in (entry.name, *entry.aliases):
            aliases.setdefault(alias.casefold(), entry.name)
    return _Tables(*(MappingProxyType(table) for table in (names, extensions, shebangs, aliases)))


def detect(path: str, head: bytes) -> str:
    """The language of the file ``path`` that starts with ``head`` (a few kilobytes are enough), or ``text``."""
    head = head[:HEAD]
    name = path.replace("\\", "/").rpartition("/")[2].casefold()
    return _by_modeline(head) or _by_name(name, head) or _by_content(head) or "text"


def _by_name(name: str, head: bytes) -> str:
    tables = _tables()
    if found := tables.names.get(name):
        return found
    stem, dot, suffix = name.rpartition(".")
    if not dot:
        # `Dockerfile-dev`, `Makefile_old`: the well-known name still leads
        lead = re.split(r"[-_]", name, maxsplit=1)[0]
        return tables.names.get(lead, "") if lead in {"dockerfile", "makefile", "jenkinsfile"} else ""
    if stem in {"dockerfile", "makefile", "jenkinsfile", "containerfile"} and "." + suffix not in tables.extensions:
        return tables.names[stem]
    extension = "." + suffix
    if extension in _WRAPPERS and stem:
        return _by_name(stem, head)
    if name.startswith("requirements") and extension == ".txt":
        return "requirements"
    found = tables.extensions.get(extension, "")
    return _settle(extension, found, head)


def _settle(extension: str, found: str, head: bytes) -> str:
    """Extensions that several languages share are settled by what the file holds."""
    if extension == ".h":
        if _OBJC.search(head):
            return "objc"
        return "cpp" if _CPP.search(_without_comments(head)) else "c"
    if extension == ".m":
        if _OBJC.search(head):
            return "objc"
        if _MERCURY.search(head):
            return "text"
        return "matlab" if _MATLAB.search(head) else "objc"
    for pattern, language in _SHARED.get(extension, ()):
        if pattern.search(head):
            return language
    if extension in {".ts", ".mts", ".cts"} and _MARKUP.match(head):
        return "xml"
    if extension in {".pl", ".t", ".pm"} and not head.startswith(b"#!"):
        if _RAKU.search(head):
            return "raku"
        if _PERL.search(head):
            return "perl"
        if extension == ".pl":
            return _by_content(head) or ("prolog" if _PROLOG.search(head) else "perl")
        return found if extension == ".pm" else _by_content(head) or "text"
    if extension == ".inc":
        return _by_content(head) or ("cpp" if _CPP.search(head) else "c" if _C.search(head) else "")
    if extension == ".txt" and head.startswith(b"#!"):
        return "text"
    return found


def _without_comments(head: bytes) -> bytes:
    return re.sub(rb"/\*.*?\*/|//[^\n]*", b"", head, flags=re.S)


def _by_content(head: bytes) -> str:
    tables = _tables()
    if match := _SHEBANG.match(head):
        program = match[1].rpartition(b"/")[2]
        words = (match[2] or b"").split()
        for word in words:
            if program not in _STARTERS:
                break
            if not word.startswith(b"-") and b"=" not in word:
                program = word.rpartition(b"/")[2]
        if program == b"nix-shell" and (inner := _NIX.search(head)):
            program = inner[1].rpartition(b"/")[2]
        if b"uv" in (program, *words):
            program = b"python"
        interpreter = program.decode("utf-8", "replace").casefold()
        return tables.shebangs.get(interpreter) or tables.shebangs.get(_VERSION.sub("", interpreter), "")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    for prefix, language in (
        (b"<?php", "php"), (b"<?xml", "xml"), (b"<!doctype html", "html"), (b"<html", "html"), (b"<svg", "xml"),
        (b"-----begin ", "pem"), (b"diff --git", "diff"), (b"%!ps", "text"),
    ):  # fmt: skip
        if start.startswith(prefix):
            return language
    return ""


def _by_modeline(head: bytes) -> str:
    """What the first or last lines of a file say to an editor."""
    if b"-*-" not in head and b"vi" not in head and b"ex:" not in head:
        return ""
    lines = head.split(b"\n")
    for line in lines[:5] + (lines[5:][-5:] if len(head) < HEAD else []):
        if match := _MODELINE.search(line[:400]):
            mode = (match[1] or match[2]).decode("ascii").casefold()
            if found := _tables().aliases.get(mode, ""):
                return found
    return ""
