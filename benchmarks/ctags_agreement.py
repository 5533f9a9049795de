"""How far symbols agree with Universal Ctags, kind for kind.

    python benchmarks/ctags_agreement.py ROOT… [--languages python,go] [--show 10] [--markdown agreement.md]

Every file of a language that both know is read by both. For each kind of ctags the share of its tags is printed that
stand among ours with the same name, on a line of theirs (ctags has a tag for each clause of a function, and for the
name at the end of a typedef) and with a kind that means the same, and beside it the share that is there with another
kind. ``ours only`` counts symbols of ours of those kinds that ctags has not. What ctags writes in other words (a
method's class before its name, quotes) is taken off first. Universal Ctags has to be installed.

Some tags are left out on both sides, whether or not we have them, and counted with the reason (`left_out`): those that
are no definition by the grammar's own tree at that place (a word in a comment, a local variable, a parameter, a key of
a literal, an import), and kinds that name a thing once more (an ``impl`` of a Rust type). Our queries have no say in
it. Where less than 98% of a kind agrees, the table says why (`REMAINS`); a row without a reason fails the run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node, Tree

from fourfold.indexing.parse import parse
from fourfold.languages import detect
from fourfold.languages.grammar import ParseTimeout, parse_tree
from fourfold.model import ParsedSymbol

#: Our language → how ctags calls it.
NAMES = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "go": "Go", "rust": "Rust",
    "java": "Java", "kotlin": "Kotlin", "c": "C", "cpp": "C++", "csharp": "C#", "objc": "ObjectiveC", "php": "PHP",
    "ruby": "Ruby", "elixir": "Elixir", "haskell": "Haskell", "lua": "Lua", "bash": "Sh", "r": "R", "julia": "Julia",
    "css": "CSS", "markdown": "Markdown", "tcl": "Tcl",
    "scss": "SCSS", "html": "HTML", "make": "Make", "protobuf": "Protobuf", "sql": "SQL",
}  # fmt: skip
_VALUES = frozenset({"variable", "constant", "field", "property"})
_CALLED = frozenset({"function", "method", "property"})
_TYPES = frozenset({"class", "interface", "struct", "trait", "enum", "type"})
#: Kind of ctags → our kinds that mean the same. A kind that is not here has no counterpart and is left out.
KINDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("function", "func", "method", "generator", "getter", "setter", "singletonMethod", "methodSpec",
                     "delegate", "guard", "callback"), _CALLED),
    **dict.fromkeys(("class", "interface", "struct", "union", "trait", "protocol", "object", "annotation", "exception",
                     "implementation", "enum"), _TYPES),
    **dict.fromkeys(("typedef", "type", "typealias", "talias", "alias"), _TYPES | _CALLED),
    **dict.fromkeys(("variable", "var", "constant", "const", "member", "field", "enumerator", "enumConstant",
                     "globalVar", "define"), _VALUES),
    "property": _VALUES | {"method"}, "accessor": frozenset({"property", "method"}), "macro": frozenset({"macro"}),
    **dict.fromkeys(("namespace", "module"), frozenset({"module", "namespace"})),
    **dict.fromkeys(("chapter", "section", "subsection", "subsubsection", "l4subsection", "l5subsection"),
                    frozenset({"heading"})),
}  # fmt: skip
#: Where a kind means something else in one language.
SPECIAL: dict[tuple[str, str], frozenset[str]] = {
    ("python", "member"): _CALLED, ("ruby", "alias"): _CALLED,
    ("ruby", "constant"): _VALUES | {"class"},  # X = Struct.new
    ("csharp", "method"): _CALLED | {"class", "struct"},  # a primary constructor is its class
    ("objc", "class"): _CALLED, ("objc", "enum"): _TYPES | {"constant"}, ("elixir", "macro"): frozenset({"macro"}),
    ("haskell", "function"): _CALLED | {"field"}, ("haskell", "constructor"): frozenset({"constant"}),
    ("haskell", "type"): _TYPES | {"constant"},
    ("c", "macro"): frozenset({"macro"}), ("kotlin", "method"): _CALLED,
    ("javascript", "property"): _VALUES | _CALLED,
    # a function with a prototype, or an object with methods
    ("javascript", "class"): _TYPES | _CALLED | _VALUES, ("javascript", "variable"): _VALUES | _CALLED | _TYPES,
    ("javascript", "constant"): _VALUES | _CALLED | _TYPES, ("typescript", "constant"): _VALUES | _CALLED | _TYPES,
    ("typescript", "variable"): _VALUES | _CALLED | _TYPES, ("bash", "alias"): frozenset(),
    ("css", "class"): frozenset({"key"}), ("css", "id"): frozenset({"key"}), ("css", "selector"): frozenset({"key"}),
    ("scss", "class"): frozenset({"key"}), ("scss", "id"): frozenset({"key"}),
    ("scss", "placeholder"): frozenset({"key"}), ("scss", "mixin"): _CALLED, ("html", "id"): frozenset({"key"}),
    ("html", "anchor"): frozenset({"key"}), ("make", "target"): _CALLED, ("make", "macro"): _VALUES | {"macro"},
    ("protobuf", "message"): _TYPES, ("protobuf", "service"): _TYPES, ("protobuf", "rpc"): _CALLED,
    ("protobuf", "oneof"): _VALUES, ("sql", "table"): _TYPES, ("sql", "view"): _TYPES, ("sql", "procedure"): _CALLED,
    ("sql", "index"): _VALUES | {"key"}, ("sql", "trigger"): _CALLED | {"key"}, ("sql", "domain"): _TYPES,
    ("sql", "subtype"): _TYPES, ("sql", "field"): _VALUES,
    # an import under another name is none of ours: it is kept as an import
    ("python", "namespace"): frozenset(), ("php", "alias"): frozenset(),
}  # fmt: skip
#: Kinds of ctags that are left out as a whole, with the reason; an empty name stands for any.
KINDS_OUT: dict[tuple[str, str], str] = {
    ("rust", "implementation"): "an `impl` is part of its type", ("elixir", "implementation"): "a `defimpl` is part of"
    " its protocol", ("haskell", "module"): "names the file", ("php", "namespace"): "names the file's place",
    ("python", "namespace"): "an import", ("php", "alias"): "an import",
    ("csharp", "typedef"): "an import under a name",
    ("objc", "typedef"): "the last word of a statement", ("objc", "category"): "part of its class",
    ("bash", "alias"): "an alias of a command",
    ("bash", "script"): "an import", ("julia", "unknown"): "defined elsewhere", ("r", "library"): "an import",
    ("r", "source"): "an import", ("html", "script"): "an import", ("html", "stylesheet"): "an import",
    ("make", "makefile"): "an import", ("protobuf", "package"): "names the file's place",
    ("protobuf", "protodef"): "names the file",
}  # fmt: skip
#: Where a name stands that is no definition, by the types of the nodes around it, the nearest first.
_TEXT = re.compile(
    r"comment|regex|string(?!_key)|quoted_content|haddock|heredoc|fenced_code|metadata|html_block|template_content|pod"
)
_IMPORTS = re.compile(r"import|using_directive|export_clause|use_declaration|namespace_use")
_PARAMETERS = re.compile(
    r"(?<!class_)parameter|patterns$|(?<!macro_)argument_list|^arguments?$|(?<!e_)argument$|type_arguments|splice"
)
_KEYS = re.compile(
    r"^(?:pair|computed_property_name|object|object_assignment|keyword|keywords|hash|table_constructor|hash_key_symbol)$"
)
_TYPES_AROUND = re.compile(
    r"^(?:class|interface|object|enum|struct|record|trait|protocol)_(?:body|declaration|definition|item|specifier|type)$"
    r"|^(?:class|module|companion_object|declaration_list|field_declaration_list|internal_module)$"
)
_FUNCTIONS_AROUND = re.compile(
    r"function|method|lambda|closure|constructor|getter|setter|accessor|anonymous_initializer|static_block"
    r"|arrow|do_block|^def$|local_binds|^let$|^let_in$|macro_invocation|property_delegate"
)
_VALUE_KINDS = frozenset(
    "enumerator enumConstant variable constant const field member property globalVar var value function method class"
    " getter setter".split()
)
#: Languages whose definitions are calls with arguments in their grammars.
_TEXT_ONLY = frozenset({"elixir", "tcl", "make", "css", "scss"})
_TYPE_NAMES = frozenset({"primitive_type", "predefined_type"}) | frozenset(
    {"type_identifier", "satisfies", "readonly", "as", "instanceof"}
)
#: Nodes with a field ``name`` that define no function and no class.
_NAMES_NONE = re.compile(_PARAMETERS.pattern + "|variable_declarator")
_UPPER = re.compile(r"[A-Z]+_[A-Z_]+\Z")
_KEYWORDS = frozenset("class deriving infix infixl infixr instance family pattern where data type newtype".split())
#: Kinds of ctags that may be nested in a function and still are definitions.
_NESTING = frozenset("class function method getter setter generator".split())
#: Why less than 98% of what is compared agrees, each looked at.
REMAINS: dict[tuple[str, str], str] = {
    ("c", "union"): "one union of lines that are macros (`XX(…)`)",
    ("c", "variable"): "a value that stands between `#ifdef` and `#else` after the `=`",
    ("cpp", "function"): "constructors after a macro with arguments, and members of classes whose head is a macro",
    ("cpp", "typedef"): "`typedef typename …` over several lines, and members of classes whose head is a macro",
    ("haskell", "function"): "what stands in the `#else` of a file that imports there",
    ("julia", "type"): "a word of a sentence",
    ("objc", "function"): "ctags takes methods after a macro that begins a class for functions",
    ("objc", "implementation"): "three implementations with `#if` between their methods",
    ("objc", "property"): "ctags takes the type of a block for its name",
    ("ruby", "alias"): "two of 97: ctags cuts a name at its first sign",
    ("make", "macro"): "what stands with a tab in a condition is a recipe to the grammar",
    ("make", "target"): "targets with signs in their names, and several rules of one target",
    ("protobuf", "field"): "ctags takes words of options for fields",
    ("scss", "class"): "ctags takes numbers and nested selectors with `&` for classes",
    ("scss", "mixin"): "mixins whose parameters have defaults that the grammar does not know",
    ("scss", "placeholder"): "one of 21, in a file that does not parse",
    ("scss", "variable"): "parameters, and variables in files that do not parse",
    ("sql", "domain"): "the grammar has no domains",
    ("sql", "field"): "columns in dialects that the grammar does not know",
    ("sql", "index"): "indexes in dialects that the grammar does not know",
    ("sql", "procedure"): "the grammar has no procedures",
    ("sql", "table"): "tables in dialects that the grammar does not know",
    ("sql", "variable"): "ctags takes words inside quoted bodies for variables",
    ("tcl", "namespace"): "namespaces in files that do not parse",
    ("javascript", "class"): "ctags takes a variable in a function for a class when it holds an object",
    ("typescript", "alias"): "words after a cast or a type without a semicolon",
    ("typescript", "constant"): "words of the line after a type that has no semicolon",
    ("typescript", "enum"): "one word after a property that is called enum",
    ("cpp", "member"): "members of local classes and of classes whose head is a macro",
    ("rust", "variable"): "one type after a lifetime",
    ("javascript", "property"): "two keys that are spaces",
}  # fmt: skip
#: How many lines above a definition ctags may put its tag: at the type signature.
SIGNATURES = {"haskell": 12}
LARGEST = 1_000_000


@dataclass
class Row:
    """Counts for one kind of one language."""

    tags: int = 0
    same: int = 0
    other_kind: int = 0
    missed: list[str] = field(default_factory=list)
    out: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.same / self.tags if self.tags else 1.0


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    program = shutil.which("ctags") or shutil.which("universal-ctags")
    if program is None:
        print("Universal Ctags is not installed", file=sys.stderr)
        return 2
    wanted = set(options.languages.split(",")) if options.languages else set(NAMES)
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    extra: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    roots: dict[str, set[str]] = defaultdict(set)
    for root in options.roots:
        for language, files in _files(root).items():
            if language in wanted:
                roots[language].add(root.name)
                _compare(program, root, language, files, rows, extra[language], total)
    text, unexplained = _table(rows, extra, total, roots)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    for (language, kind), row in sorted(rows.items()):
        for line in row.missed[: options.show] if row.share < 0.98 else ():
            print(f"{language} {kind}: {line}")
    for what in unexplained:
        print(f"no reason is given for {what}", file=sys.stderr)
    return 1 if unexplained else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--languages", default="")
    parser.add_argument(
        "--show", type=int, default=0, help="print so many tags of each kind that agrees less than 98%%"
    )
    parser.add_argument("--markdown", type=Path)
    return parser.parse_args(arguments)


def _files(root: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_symlink() or not 0 < path.stat().st_size <= LARGEST:
                continue
            with path.open("rb") as stream:
                head = stream.read(8192)
            language = detect(str(path), head)
            if language in NAMES and b"\0" not in head and "\n" not in str(path):
                found[language].append(path)
    return found


def _compare(
    program: str,
    root: Path,
    language: str,
    files: list[Path],
    rows: dict[tuple[str, str], Row],
    extra: Counter[str],
    total: Counter[str],
) -> None:
    tags: dict[Path, list[tuple[str, str, int]]] = defaultdict(list)
    for path, name, kind, line in _ctags(program, language, files):
        tags[path].append((name, kind, line))
    for path in files:
        data = path.read_bytes().replace(b"\r\n", b"\n")
        ours: dict[str, list[ParsedSymbol]] = defaultdict(list)
        for symbol in parse(str(path), data, language).symbols:
            ours[_bare(language, symbol.name)].append(symbol)
        theirs = set()
        lines = data.split(b"\n")
        tree = _tree(language, data)
        for written, kind, line in tags[path]:
            name = _plain(language, written)
            theirs.add(name)
            meant = SPECIAL.get((language, kind), KINDS.get(kind, frozenset()))
            if not meant and (language, kind) not in KINDS_OUT:
                continue
            row = rows[language, kind]
            reason = left_out(language, kind, written, name, line, lines, tree)
            if reason:
                row.out[reason] += 1
                continue
            row.tags += 1
            above = SIGNATURES.get(language, 0)
            kinds = {s.kind for s in ours.get(name, ()) if s.start_line - above <= line <= s.end_line}
            if kinds & meant:
                row.same += 1
            else:
                row.other_kind += bool(kinds)
                row.missed.append(f"{path.relative_to(root)}:{line} {name} {'as ' + ', '.join(kinds) if kinds else ''}")
        for name, symbols in ours.items():
            for symbol in symbols:
                total[language] += 1
                extra[symbol.kind] += name not in theirs


def _ctags(program: str, language: str, files: Iterable[Path]) -> Iterator[tuple[Path, str, str, int]]:
    command = [
        program, f"--language-force={NAMES[language]}", "--output-format=json", "--fields=+Kn", "--sort=no",
        "--extras=-{anonymous}{pseudo}", "-f", "-", "-L", "-",
    ]  # fmt: skip
    run = subprocess.run(
        command, input="\n".join(map(str, files)), capture_output=True, text=True, errors="replace", check=False
    )
    for line in run.stdout.splitlines():
        try:
            tag = json.loads(line)
        except ValueError:
            continue
        if (
            tag.get("_type") == "tag"
            and tag.get("kind")
            and "line" in tag
            and not tag["name"].startswith(("__anon", "<"))
        ):
            yield Path(tag["path"]), tag["name"], tag["kind"], int(tag["line"])


def _tree(language: str, data: bytes) -> Tree | None:
    try:
        return parse_tree(language, data, 10.0)
    except ParseTimeout:
        return None


def left_out(
    language: str, kind: str, written: str, name: str, line: int, lines: list[bytes], tree: Tree | None
) -> str:
    """Why a tag is no definition, by the tree alone; empty when it may be one."""
    if reason := KINDS_OUT.get((language, kind), ""):
        return reason
    if language == "bash" and written.endswith("="):
        return "an array, taken for a function"
    if tree is None or line > len(lines):
        return ""
    text = lines[line - 1]
    reasons: set[str] = set()
    needle = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    row = line - 1
    if language == "make" and written.startswith("$("):
        return "a use of a variable"
    if language == "scss" and (
        kind == "id" or (b":" in text.partition(b"//")[0] and kind == "class" and b"{" not in text)
    ):
        return "a value"
    if language in ("css", "scss") and b"[" in text:
        return "cut at a bracket"
    if language == "objc" and _UPPER.match(name) and kind in ("class", "method", "property", "function"):
        return "a macro that is called"
    if language == "haskell" and name in _KEYWORDS:
        return "a keyword"
    if language == "haskell" and kind == "function" and name[:1].isupper():
        return "a type's name"
    if language == "lua" and not re.search(
        rb"function\s+[\w.:]*" + needle.pattern + rb"|" + needle.pattern + rb"\s*=\s*function", text
    ):
        return "a value made with a function in it"
    if language == "objc" and kind == "protocol" and text.rstrip().endswith(b";"):
        return "a forward declaration"
    for match in needle.finditer(text):
        if language in ("c", "cpp", "objc") and kind == "function" and _call_like(name, text, match.start()):
            reasons.add("a macro that is called")
            continue
        if kind == "singletonMethod" and text[match.end() : match.end() + 1] == b".":
            return "the receiver of a method"
        node = tree.root_node.descendant_for_point_range((row, match.start()), (row, match.end()))
        reasons.add(_place(node, kind, language) if node is not None else "")
    if not reasons:
        return "" if language in ("ruby", "objc", "css", "scss", "make") else "a word that is not there"
    if len(reasons) > 1:
        reasons.discard("in a text")
    return reasons.pop() if len(reasons) == 1 else "" if "" in reasons else sorted(reasons)[0]


def _place(node: Node, kind: str, language: str) -> str:
    """What the nodes around a name say of it: in a text, an import, a parameter, a key, a local; empty for nothing."""
    child, above = node, node.parent
    if _TEXT.search(node.type):
        return "in a text"
    if kind in _VALUE_KINDS and kind not in _NESTING and node.type in _TYPE_NAMES:
        return "a type's name"
    if language == "scss" and kind == "variable" and node.type != "property_name":
        return "a use of a variable"
    if language == "scss" and kind == "class" and "value" in node.type:
        return "a value"
    steps = 0
    looks = (
        kind in _VALUE_KINDS
        and (kind not in _NESTING or (language, kind) == ("javascript", "class"))
        and language not in _TEXT_ONLY
    )
    while above is not None and steps < 60:
        steps += 1
        if _TEXT.search(above.type) and "interpolat" not in child.type and "substitution" not in child.type:
            return "in a text"
        bare_module = above.type == "mod_item" and above.child_by_field_name("body") is None
        if bare_module or _IMPORTS.search(above.type):
            return "an import"
        if language == "kotlin" and kind == "method":
            return "" if above.type == "function_declaration" else "a parameter or argument"
        if language == "r" and kind == "globalVar" and above.type == "argument":
            return "a parameter or argument" if steps == 1 else "a local"
        if kind == "typedef" and above.type == "type_definition" and _same(above, node):
            return "a type under its own name"
        if steps == 1 and "annotation" in above.type and kind == "enumConstant":
            return "an annotation"
        if language == "csharp" and "constraint" in above.type and kind == "struct":
            return "a type's name"
        if above.type == "top_splice":
            return "a splice"
        objc_class = steps == 1 and above.type in ("class_interface", "class_implementation")
        if objc_class and above.child_by_field_name("category"):
            return "a category, part of its class"
        if kind == "function" and above.type in ("declaration", "method_declaration") and language == "objc":
            return "a prototype"
        if kind == "macro" and above.type in ("preproc_def",) and _guards(above, node):
            return "an include guard"
        if (
            steps == 1
            and kind in ("function", "class")
            and language in ("c", "cpp", "objc")
            and above.type == "call_expression"
        ):
            return "a macro that is called"
        own = above.child_by_field_name("name")
        if own is not None and own.id == child.id and kind in _NESTING and not _NAMES_NONE.search(above.type):
            return ""  # the definition that the tag is of
        if looks:
            if steps <= 4 and _PARAMETERS.search(above.type):
                if any(part.type in ("accessibility_modifier", "binding_pattern_kind") for part in above.children):
                    return ""
                return "a parameter or argument"
            if above.type in _TYPE_NAMES:
                return "a type's name"
            if steps <= 2 and _KEYS.match(above.type):
                return "a key of a literal"
            if "object_literal" in (above.type, above.parent.type if above.parent else ""):
                return "a member of an unnamed object"
            if _TYPES_AROUND.search(above.type) and not (kind == "enumerator" and above.type == "enum_specifier"):
                return ""
            if _FUNCTIONS_AROUND.search(above.type):
                return "a local"
        child, above = above, above.parent
    return ""


def _call_like(name: str, text: bytes, start: int) -> bool:
    """Whether a name in capitals starts its line and has arguments: `TEST(name) {`."""
    return name.isupper() and not text[:start].strip() and text[start + len(name) :].lstrip()[:1] == b"("


def _same(node: Node, name: Node) -> bool:
    written = node.child_by_field_name("type")
    tag = written.child_by_field_name("name") if written is not None else None
    return tag is not None and tag.text == name.text


def _guards(node: Node, name: Node) -> bool:
    around = node.parent
    if around is None or around.type != "preproc_ifdef" or node.child_by_field_name("value") is not None:
        return False
    guarded = around.child_by_field_name("name")
    return guarded is not None and guarded.text == name.text and (around.next_named_sibling is None)


def _bare(language: str, name: str) -> str:
    """Our name without what ctags leaves out of its own."""
    if language in ("javascript", "typescript"):
        return name.lstrip("#")
    if language == "scss":
        return name.lstrip("$")
    return name.rstrip("?!=") or name if language == "ruby" else name


def _plain(language: str, name: str) -> str:
    if language in ("javascript", "typescript"):
        return name.strip("\"'").lstrip("#")
    if language == "lua":
        return name.replace(":", ".").rpartition(".")[2]
    if language == "markdown":
        return name.removesuffix("{").rstrip()
    if language == "cpp":
        return name.replace("operator ", "operator", 1) if not name[9:].strip().isidentifier() else name
    if language == "objc":
        return name.partition(":")[0]
    if language == "scss":
        return name
    if language == "tcl":
        return name.rpartition("::")[2]
    if language == "julia":
        return name.partition("{")[0]
    if language == "r":
        return name.strip("`\"'")
    if language == "ruby":
        return name.rpartition(".")[2].rstrip("?!=") or name
    if language == "csharp":
        return name.rpartition(".")[2]
    return name


def _table(
    rows: dict[tuple[str, str], Row],
    extra: dict[str, Counter[str]],
    total: Counter[str],
    roots: dict[str, set[str]],
) -> tuple[str, list[str]]:
    """The page, and what is under 98% without a reason."""
    summary = [
        "| language | repositories | tags | left out | compared | same | ours only |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines = [
        "| language | kind (ctags) | tags | left out | compared | same | there, other kind | why |",
        "|---|---|---:|---|---:|---:|---:|---|",
    ]
    unexplained = []
    for language in sorted(NAMES):
        mine = sorted(key for key in rows if key[0] == language)
        if not mine:
            continue
        for _, kind in mine:
            row = rows[language, kind]
            why = REMAINS.get((language, kind), "") if row.share < 0.98 else ""
            if row.share < 0.98 and not why:
                unexplained.append(f"{language} {kind}")
            out = "; ".join(f"{reason} {count:,}" for reason, count in row.out.most_common())
            other = f"{row.other_kind / row.tags:.1%}" if row.tags else ""
            same = f"{row.share:.1%}" if row.tags else ""
            lines.append(
                f"| {language} | {kind} | {row.tags + row.out.total():,} | {out} | {row.tags:,} | {same} | {other}"
                f" | {why} |"
            )
        tags, same_tags = sum(rows[key].tags for key in mine), sum(rows[key].same for key in mine)
        left = sum(rows[key].out.total() for key in mine)
        more = sum(extra[language].values()) / total[language] if total[language] else 0.0
        summary.append(
            f"| {language} | {', '.join(sorted(roots[language]))} | {tags + left:,} | {left:,} | {tags:,}"
            f" | {same_tags / max(tags, 1):.1%} | {more:.1%} |"
        )
    return "\n".join(summary) + "\n\n" + "\n".join(lines) + "\n", unexplained


if __name__ == "__main__":
    sys.exit(main())
