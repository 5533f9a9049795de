"""Reading import statements: one function a language, from a captured node to the names that it brings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node


class Imported(NamedTuple):
    """One imported name, as in `model.ParsedImport`; ``place`` is its byte offset."""

    module: str
    name: str
    alias: str
    place: int
    level: int = 0
    exported: bool = False


Read = Callable[[Node, bytes], Iterator[Imported]]
_SPACE = re.compile(r"\s+")
#: More names than this in one statement is not written by a person.
_MOST = 2000


def read_imports(language: str, node: Node, data: bytes) -> list[Imported]:
    """What the import statement ``node`` brings, in a language of the registry; empty when it is none after all."""
    reader = _READERS.get(language)
    if reader is None:
        return []
    found = []
    for item in reader(node, data):
        found.append(item)
        if len(found) >= _MOST:
            break
    return found


def _text(node: Node | None, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""


def _unquoted(node: Node | None, data: bytes) -> str:
    return _text(node, data).strip("\"'`<> ")


# --------------------------------------------------------------------------- Python


def _python(node: Node, data: bytes) -> Iterator[Imported]:
    if node.type == "import_statement":
        for child in node.children_by_field_name("name"):
            target = child.child_by_field_name("name") if child.type == "aliased_import" else child
            alias = _text(child.child_by_field_name("alias"), data) if child.type == "aliased_import" else ""
            yield Imported(_SPACE.sub("", _text(target, data)), "", alias, child.start_byte)
        return
    written = _SPACE.sub("", _text(node.child_by_field_name("module_name"), data))
    if node.type == "future_import_statement":
        written = "__future__"
    module = written.lstrip(".")
    level = len(written) - len(module)
    for child in node.named_children:
        if child.type == "wildcard_import":
            yield Imported(module, "*", "", child.start_byte, level)
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            alias = _text(child.child_by_field_name("alias"), data)
            yield Imported(module, _text(child.child_by_field_name("name"), data), alias, child.start_byte, level)
        else:
            yield Imported(module, _text(child, data), "", child.start_byte, level)


# --------------------------------------------------------------------------- JavaScript, TypeScript


def _ecma(node: Node, data: bytes) -> Iterator[Imported]:
    if node.type == "import_statement":
        yield from _ecma_import(node, data)
    elif node.type == "export_statement":
        yield from _ecma_export(node, data)
    elif node.type == "variable_declarator":
        yield from _ecma_require(node, data)
    elif node.type == "call_expression":
        module = _require_of(node, data)
        if module:
            yield Imported(module, "", "", node.start_byte)


def _ecma_import(node: Node, data: bytes) -> Iterator[Imported]:
    module = _unquoted(node.child_by_field_name("source"), data)
    clauses = [child for child in node.named_children if child.type == "import_clause"]
    for child in node.named_children:
        if child.type == "import_require_clause":  # import x = require("y")
            name = next((part for part in child.named_children if part.type == "identifier"), None)
            source = _unquoted(child.child_by_field_name("source"), data)
            yield Imported(source, "", _text(name, data), child.start_byte)
            return
    if not clauses:
        if module:
            yield Imported(module, "", "", node.start_byte)
        return
    for child in clauses[0].named_children:
        if child.type == "identifier":
            yield Imported(module, "default", _text(child, data), child.start_byte)
        elif child.type == "namespace_import":
            yield Imported(module, "*", _text(child.named_children[-1], data), child.start_byte)
        elif child.type == "named_imports":
            for part in child.named_children:
                if part.type == "import_specifier":
                    yield _specifier(module, part, data, exported=False)


def _specifier(module: str, part: Node, data: bytes, *, exported: bool) -> Imported:
    name = _unquoted(part.child_by_field_name("name"), data)
    alias = _unquoted(part.child_by_field_name("alias"), data)
    return Imported(module, name, alias, part.start_byte, exported=exported)


def _ecma_export(node: Node, data: bytes) -> Iterator[Imported]:
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = _unquoted(source, data)
    named = False
    for child in node.named_children:
        if child.type == "export_clause":
            named = True
            for part in child.named_children:
                if part.type == "export_specifier":
                    yield _specifier(module, part, data, exported=True)
        elif child.type == "namespace_export":
            named = True
            yield Imported(module, "*", _unquoted(child.named_children[-1], data), child.start_byte, exported=True)
    if not named:
        yield Imported(module, "*", "", node.start_byte, exported=True)


def _require_of(call: Node | None, data: bytes) -> str:
    """The module of ``require("x")`` or ``import("x")``, or empty."""
    if call is not None and call.type == "await_expression":
        call = call.named_children[0] if call.named_children else None
    if call is None or call.type != "call_expression":
        return ""
    if _text(call.child_by_field_name("function"), data) not in ("require", "import", "require.resolve"):
        return ""
    arguments = call.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    return _unquoted(first, data) if first is not None and first.type == "string" else ""


def _ecma_require(node: Node, data: bytes) -> Iterator[Imported]:
    value, name = node.child_by_field_name("value"), node.child_by_field_name("name")
    member = ""
    while value is not None and value.type in ("member_expression", "call_expression") and not _require_of(value, data):
        # require("x").y, and require("debug")("app"), whose value is something else but whose module is known
        if value.type == "member_expression":
            member = _text(value.child_by_field_name("property"), data)
            value = value.child_by_field_name("object")
        else:
            member = ""
            value = value.child_by_field_name("function")
    module = _require_of(value, data)
    if not module or name is None:
        return
    if name.type == "identifier":
        yield Imported(module, member, _text(name, data), name.start_byte)
    elif name.type == "object_pattern":
        for part in name.named_children:
            if part.type == "shorthand_property_identifier_pattern":
                yield Imported(module, _text(part, data), "", part.start_byte)
            elif part.type == "pair_pattern":
                local = _text(part.child_by_field_name("value"), data)
                yield Imported(module, _text(part.child_by_field_name("key"), data), local, part.start_byte)


# --------------------------------------------------------------------------- Go, Rust, Java


def _go(node: Node, data: bytes) -> Iterator[Imported]:
    alias = _text(node.child_by_field_name("name"), data)
    path = node.child_by_field_name("path")
    yield Imported(_unquoted(path, data), "", alias, path.start_byte if path else node.start_byte)


def _rust(node: Node, data: bytes) -> Iterator[Imported]:
    exported = any(child.type == "visibility_modifier" for child in node.named_children)
    if node.type == "mod_item":
        own = _text(node.child_by_field_name("name"), data)
        yield Imported("self::" + own, "", own, node.start_byte, exported=exported)
        return
    if node.type == "extern_crate_declaration":
        crate = _text(node.child_by_field_name("name"), data)
        yield Imported(crate, "", _text(node.child_by_field_name("alias"), data), node.start_byte)
        return
    work = [("", node.child_by_field_name("argument"))]
    while work:
        prefix, part = work.pop()
        if part is None:
            continue
        if part.type == "scoped_use_list":
            path = _join(prefix, _text(part.child_by_field_name("path"), data))
            work.append((path, part.child_by_field_name("list")))
        elif part.type == "use_list":
            work.extend((prefix, child) for child in reversed(part.named_children))
        elif part.type == "use_wildcard":
            inner = part.named_children[0] if part.named_children else None
            yield Imported(_join(prefix, _text(inner, data)), "*", "", part.start_byte, exported=exported)
        elif part.type in ("identifier", "scoped_identifier", "use_as_clause", "self", "crate", "super"):
            alias = ""
            target: Node | None = part
            if part.type == "use_as_clause":
                alias, target = _text(part.child_by_field_name("alias"), data), part.child_by_field_name("path")
            whole = _join(prefix, _SPACE.sub("", _text(target, data)))
            module, _, name = whole.rpartition("::")
            if name == "self":
                module, _, name = module.rpartition("::")
            place = target.end_byte - len(name.encode()) if target else part.start_byte
            yield Imported(module, name, alias, max(place, part.start_byte), exported=exported)


def _join(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _dotted(text: str, place: int, alias: str = "") -> Imported:
    module, _, name = text.rpartition(".")
    return Imported(module, name, alias, place) if module else Imported(text, "", alias, place)


def _java(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip().rstrip(";").strip()
    text = text.removeprefix("import").strip().removeprefix("static ").replace(" ", "")
    if text:
        yield _dotted(text, node.start_byte)


def _kotlin(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip().rstrip(";").removeprefix("import ").strip().replace("`", "")
    path, _, alias = text.partition(" as ")
    if path:
        yield _dotted(path.strip(), node.start_byte, alias.strip())


def _scala(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip().removeprefix("import ").strip()
    for clause in _outside(text, ","):
        path, brace, rest = clause.strip().partition("{")
        path = path.strip().rstrip(".")
        if not brace:
            path, _, alias = path.partition(" as ")
            item = _dotted(path.strip(), node.start_byte, alias.strip())
            yield item._replace(name="*") if item.name in ("_", "*", "given") else item
            continue
        for part in rest.rstrip("} ").split(","):
            name, _, alias = part.strip().replace("=>", " as ").partition(" as ")
            name, alias = name.strip(), alias.strip()
            if name and alias != "_":
                yield Imported(path, "*" if name in ("_", "*", "given") else name, alias, node.start_byte)


def _outside(text: str, mark: str) -> list[str]:
    parts, depth, last = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "{[(") - (character in ")]}")
        if character == mark and depth == 0:
            parts.append(text[last:place])
            last = place + 1
    return [*parts, text[last:]]


# --------------------------------------------------------------------------- C, C++, C#, Swift


def _c(node: Node, data: bytes) -> Iterator[Imported]:
    if node.type == "preproc_include":
        path = node.child_by_field_name("path")
        if path is not None and path.type in ("string_literal", "system_lib_string"):
            yield Imported(_unquoted(path, data), "", "", path.start_byte)
    elif node.type == "module_import":  # @import Foo.Bar;
        text = _text(node, data).removeprefix("@import").strip(" ;")
        yield Imported(text, "", "", node.start_byte)
    elif node.type == "alias_declaration":
        return
    else:
        text = _SPACE.sub(" ", _text(node, data)).strip(" ;").removeprefix("using").strip()
        if text.startswith("namespace "):
            yield Imported(text.removeprefix("namespace ").strip(), "*", "", node.start_byte)
        elif text:
            module, _, name = text.rpartition("::")
            yield Imported(module, name, "", node.start_byte)


def _csharp(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip(" ;").removeprefix("global ").removeprefix("using").strip()
    text = text.removeprefix("static ").removeprefix("unsafe ")
    alias, equals, path = text.partition("=")
    if not equals:
        yield Imported(text, "", "", node.start_byte)
    else:
        yield _dotted(path.strip(), node.start_byte, alias.strip())


_SWIFT_KINDS = re.compile(r"^(?:@\w+ )*import (?:(typealias|struct|class|enum|protocol|let|var|func) )?(.+)$")


def _swift(node: Node, data: bytes) -> Iterator[Imported]:
    match = _SWIFT_KINDS.match(_SPACE.sub(" ", _text(node, data)).strip(" ;"))
    if match:
        yield _dotted(match[2], node.start_byte) if match[1] else Imported(match[2], "", "", node.start_byte)


# --------------------------------------------------------------------------- the dynamic ones


def _php(node: Node, data: bytes) -> Iterator[Imported]:
    if node.type != "namespace_use_declaration":
        text = _text(node, data)
        quoted = re.search(r"['\"]([^'\"]+)['\"]", text)
        if quoted:
            yield Imported(quoted[1].lstrip("/"), "", "", node.start_byte)
        return
    text = _SPACE.sub(" ", _text(node, data)).strip(" ;").removeprefix("use ").strip()
    text = re.sub(r"^(?:function|const) ", "", text)
    prefix, brace, rest = text.partition("{")
    for part in (rest.rstrip("} ") if brace else text).split(","):
        path, _, alias = re.sub(r"^(?:function|const) ", "", part.strip()).partition(" as ")
        whole = (prefix.strip() + path if brace else path).strip().lstrip("\\")
        if not whole:
            continue
        module, _, name = whole.rpartition("\\")
        yield (
            Imported(module, name, alias.strip(), node.start_byte)
            if module
            else Imported(whole, "", alias.strip(), node.start_byte)
        )


_QUOTED = re.compile(r"""(['"])([^'"\n]*)\1|\[\[(.*?)\]\]""")


_LOCAL = re.compile(r"(?:pub\s+)?(?:local\s+|const\s+|var\s+)?(\w+)\s*=\s")
_MEMBER = re.compile(r"\s*\)?\s*\.(\w+)")


def _quoted_call(*names: str, relative: str = "", with_local_name: bool = False) -> Read:
    """Languages whose import is an ordinary call with a text: Ruby, Lua, Zig. ``relative`` names the call whose path
    starts at the file itself; with ``with_local_name`` the line may give the module a name (``local x = require "y"``).
    """

    def read(node: Node, data: bytes) -> Iterator[Imported]:
        start = node.start_byte
        if with_local_name:
            start = max(data.rfind(b"\n", 0, start), data.rfind(b";", 0, start)) + 1
        text = data[start : min(node.end_byte + 80, start + 2000)].decode("utf-8", "replace").lstrip()
        own = _text(node, data)
        called = next((name for name in names if re.search(rf"(?<![\w.@]){re.escape(name)}\b", own)), "")
        match = _QUOTED.search(text, text.find(own[: own.find(called) + len(called)])) if called else None
        if not match:
            return
        module = match[2] or match[3] or ""
        if called == relative and not module.startswith("."):
            module = "./" + module
        local = _LOCAL.match(text) if with_local_name else None
        tail = _MEMBER.match(text, match.end())
        yield Imported(module, tail[1] if tail and local else "", local[1] if local else "", node.start_byte)

    return read


def _elixir(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)[:2000])
    match = re.match(r"(alias|import|use|require)[ (]+([\w.]*\w)(?:\.\{([^}]*)\})?(.*)", text)
    if not match:
        return
    verb, path, inner, rest = match[1], match[2], match[3], match[4]
    renamed = re.search(r"\bas: ([\w.]+)", rest)
    if inner:
        for part in inner.split(","):
            if part.strip():
                yield Imported(f"{path}.{part.strip()}", "", "", node.start_byte)
    elif verb in ("import", "use"):
        yield Imported(path, "*", "", node.start_byte)
    else:
        yield Imported(path, "", renamed[1] if renamed else "", node.start_byte)


_HASKELL = re.compile(r"""import (?:safe )?(?:qualified )?(?:"[^"]*" )?([\w.']+)(?: qualified)?(?: as ([\w.]+))?(.*)""")


def _haskell(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip()
    match = _HASKELL.match(text)
    if not match:
        return
    module, alias, rest = match[1], match[2] or "", match[3].strip()
    if alias or not rest.startswith("("):
        yield Imported(module, "", alias, node.start_byte)
    if rest.startswith("("):
        for part in _outside(rest[1:].rstrip(")"), ","):
            name = re.sub(r"^(?:type|pattern) ", "", part.strip()).partition("(")[0].strip(" ()")
            if name:
                yield Imported(module, name, "", node.start_byte)


_EXPANSION = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|\$\w+|[\"']")


def _bash(node: Node, data: bytes) -> Iterator[Imported]:
    _, _, rest = _text(node, data)[:500].partition(" ")
    # the folder before is usually worked out at run time: "$ROOT/lib/x.sh"
    path = _EXPANSION.sub("", rest).strip().partition(" ")[0].lstrip("/")
    if path:
        yield Imported(path, "", "", node.start_byte)


def _make(node: Node, data: bytes) -> Iterator[Imported]:
    for word in node.named_children[0].named_children if node.named_children else ():
        path = _EXPANSION.sub("", _text(word, data)).lstrip("/")
        if path:
            yield Imported(path, "", "", word.start_byte)


def _julia(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip()
    if text.startswith("include"):
        if match := _QUOTED.search(text):
            yield Imported(match[2], "*", "", node.start_byte)
        return
    body = re.sub(r"^(?:using|import) ", "", text)
    module, colon, names = body.partition(":")
    if colon:
        for part in names.split(","):
            name, _, alias = part.strip().partition(" as ")
            yield Imported(module.strip(), name.strip(), alias.strip(), node.start_byte)
    else:
        for part in body.split(","):
            path, _, alias = part.strip().partition(" as ")
            yield Imported(path, "", alias.strip(), node.start_byte)


def _dart(node: Node, data: bytes) -> Iterator[Imported]:
    text = _SPACE.sub(" ", _text(node, data)).strip()
    match = _QUOTED.search(text)
    if match:
        alias = re.search(r"\bas (\w+)", text)
        shown = re.search(r"\bshow ([\w, ]+)", text)
        exported = text.startswith("export")
        for name in [part.strip() for part in shown[1].split(",")] if shown else ["" if alias else "*"]:
            yield Imported(match[2] or "", name, alias[1] if alias else "", node.start_byte, exported=exported)


def _r(node: Node, data: bytes) -> Iterator[Imported]:
    text = _text(node, data)[:500]
    match = re.match(r"(library|require|requireNamespace|source)\s*\(\s*['\"]?([^'\",)\s]+)", text)
    if match:
        yield Imported(match[2], "*", "", node.start_byte)


def _quoted_path(node: Node, data: bytes) -> Iterator[Imported]:
    if match := _QUOTED.search(_text(node, data)[:500]):
        yield Imported(match[2] or "", "", "", node.start_byte)


_READERS: dict[str, Read] = {
    "python": _python, "jupyter": _python, "javascript": _ecma, "typescript": _ecma, "tsx": _ecma, "go": _go,
    "rust": _rust, "java": _java, "kotlin": _kotlin, "scala": _scala, "c": _c, "cpp": _c, "objc": _c,
    "csharp": _csharp, "swift": _swift, "php": _php, "elixir": _elixir, "haskell": _haskell, "bash": _bash,
    "julia": _julia, "dart": _dart, "r": _r, "css": _quoted_path, "scss": _quoted_path, "protobuf": _quoted_path,
    "html": _quoted_path, "vue": _quoted_path, "svelte": _quoted_path, "astro": _quoted_path, "make": _make,
    "ruby": _quoted_call("require_relative", "require", "load", "autoload", relative="require_relative"),
    "lua": _quoted_call("require", "dofile", "reload", with_local_name=True),
    "zig": _quoted_call("@import", with_local_name=True),
}  # fmt: skip
