"""How far symbols agree with Universal Ctags, kind for kind.

    python benchmarks/ctags_agreement.py ROOT… [--languages python,go] [--show 10] [--markdown agreement.md]

Every file of a language that both know is read by both. For each kind of ctags the share of its tags is printed that
stand among ours with the same name, on a line of theirs (ctags has a tag for each clause of a function, and for the
name at the end of a typedef) and with a kind that means the same, and beside it the share that
is there with another kind. ``ours only`` counts symbols of ours of those kinds that ctags has not. What ctags writes in
other words (a method's class before its name, quotes) is taken off first. Universal Ctags has to be installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fourfold.indexing.parse import parse
from fourfold.languages import detect
from fourfold.model import ParsedSymbol

#: Our language → how ctags calls it.
NAMES = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "go": "Go", "rust": "Rust",
    "java": "Java", "kotlin": "Kotlin", "c": "C", "cpp": "C++", "csharp": "C#", "objc": "ObjectiveC", "php": "PHP",
    "ruby": "Ruby", "elixir": "Elixir", "haskell": "Haskell", "lua": "Lua", "bash": "Sh", "r": "R", "julia": "Julia",
    "css": "CSS", "markdown": "Markdown", "tcl": "Tcl",
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
    ("python", "member"): _CALLED, ("ruby", "alias"): _CALLED, ("elixir", "macro"): frozenset({"macro"}),
    ("haskell", "function"): _CALLED | {"field"}, ("haskell", "constructor"): frozenset({"constant"}),
    ("haskell", "type"): _TYPES | {"constant"},
    ("c", "macro"): frozenset({"macro"}), ("kotlin", "method"): _CALLED,
    ("javascript", "property"): _VALUES | _CALLED, ("javascript", "variable"): _VALUES | _CALLED | _TYPES,
    ("javascript", "constant"): _VALUES | _CALLED | _TYPES, ("typescript", "constant"): _VALUES | _CALLED | _TYPES,
    ("typescript", "variable"): _VALUES | _CALLED | _TYPES, ("bash", "alias"): frozenset(),
    ("css", "class"): frozenset({"key"}), ("css", "id"): frozenset({"key"}), ("css", "selector"): frozenset({"key"}),
    # an import under another name is none of ours: it is kept as an import
    ("python", "namespace"): frozenset(), ("php", "alias"): frozenset(),
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
    text = _table(rows, extra, total, roots)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    for (language, kind), row in sorted(rows.items()):
        for line in row.missed[: options.show] if row.share < 0.98 else ():
            print(f"{language} {kind}: {line}")
    return 0


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
            ours[symbol.name].append(symbol)
        theirs = set()
        for name, kind, line in tags[path]:
            theirs.add(name)
            meant = SPECIAL.get((language, kind), KINDS.get(kind, frozenset()))
            if not meant:
                continue
            row = rows[language, kind]
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
            yield Path(tag["path"]), _plain(language, tag["name"]), tag["kind"], int(tag["line"])


def _plain(language: str, name: str) -> str:
    if language in ("javascript", "typescript"):
        return name.strip("\"'").lstrip("#")
    if language == "lua":
        return name.replace(":", ".").rpartition(".")[2]
    if language == "markdown":
        return name.removesuffix("{").rstrip()
    if language == "cpp":
        return name.replace("operator ", "operator", 1) if not name[9:].strip().isidentifier() else name
    if language in ("csharp", "ruby"):
        return name.rpartition(".")[2]
    return name


def _table(
    rows: dict[tuple[str, str], Row],
    extra: dict[str, Counter[str]],
    total: Counter[str],
    roots: dict[str, set[str]],
) -> str:
    lines = [
        "| language | repositories | kind (ctags) | tags | same | there, other kind |",
        "|---|---|---|---:|---:|---:|",
    ]
    for language in sorted(NAMES):
        mine = sorted(key for key in rows if key[0] == language)
        if not mine:
            continue
        for _, kind in mine:
            row = rows[language, kind]
            other = row.other_kind / row.tags
            lines.append(
                f"| {language} | {len(roots[language])} | {kind} | {row.tags:,} | {row.share:.1%} | {other:.1%} |"
            )
        tags, same = sum(rows[key].tags for key in mine), sum(rows[key].same for key in mine)
        more = sum(extra[language].values()) / total[language] if total[language] else 0.0
        lines.append(
            f"| **{language}** | {', '.join(sorted(roots[language]))} | all; ours only {more:.1%} | {tags:,}"
            f" | {same / tags:.1%} | |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
