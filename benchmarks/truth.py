"""Definitions, exact strings and regular expressions against other tools that know the answer.

    python benchmarks/truth.py ROOT… [--indexes FOLDER] [--names 400] [--literals 150] [--patterns 100] [--seed 7]
    python benchmarks/truth.py ROOT… --markdown truth.md --json truth.json --show 20

- **Definitions**: names that a root defines exactly once, at the top level, by Python's own ``ast`` or, for other
  languages, by Universal Ctags where it is installed. “where is X defined” is asked, and some in other words and other
  languages. Right: the first result is the file, and its lines hold the definition.
- **Exact strings and regular expressions**: taken from the files themselves, short ones, non-ASCII ones and those with
  signs among them. The text list must name the same files and lines as ripgrep does, which has to be installed. Each
  is also asked as a person would, and the first result must be one of ripgrep's.

Each question is asked as the plan says (direct) and fused. Indexes hold no vectors: nothing here is about meaning. A
small root is made up and measured as well: CRLF, CJK, no newline at the end, long lines. Everything is drawn with a
seed, so that the same files give the same questions.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fourfold.indexing.pipeline import refresh
from fourfold.lab.metrics import wilson
from fourfold.model import Answer, HitList, PlanOptions, Question
from fourfold.paths import current_index
from fourfold.search.engine import Engine
from fourfold.store.reader import SqliteReader

#: (path within the root, line)
Place = tuple[str, int]
#: Deep enough for every chunk of a root.
EVERYTHING = 10_000_000
#: How a definition is asked for; the first is asked of every name, of the others one a name in turn.
ASKED = (
    "where is {} defined",
    "definition of {}",
    "wo ist {} definiert",
    "var definieras {}",
    "{}はどこで定義されていますか",
)
#: A string with more lines than this tells little and costs much.
MANY = 20_000


# --------------------------------------------------------------------------- what is true


@dataclass(frozen=True)
class Named:
    """A name and the one place that defines it; ``end`` is where the definition ends, if known."""

    name: str
    path: str
    line: int
    kind: str


def python_definitions(root: Path, paths: Iterable[str]) -> Iterator[tuple[Named, bool]]:
    """Every class and function in Python files, and whether it stands at the top level of its file."""
    for path in paths:
        if not path.endswith(".py"):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                yield Named(node.name, path, node.lineno, f"python {kind}"), id(node) in top


#: Kinds of Universal Ctags that are definitions of their own, by language.
TAG_KINDS = {
    "C": {"function", "struct", "enum", "union", "typedef", "macro"},
    "C++": {"function", "class", "struct", "enum", "union", "typedef", "macro"},
    "Go": {"func", "struct", "interface", "type", "talias"},
    "Java": {"class", "interface", "enum"},
    "JavaScript": {"function", "class"},
    "TypeScript": {"function", "class", "interface", "enum", "alias"},
    "Ruby": {"class", "module"},
    "Rust": {"function", "struct", "enum", "interface", "typedef", "macro"},
}


def tagged_definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Named, bool]]:
    """The same from ctags for languages other than Python; nothing when it is not there. Fields, methods of interfaces
    and the like are told too, as not at the top level: a name that they share is not unique."""
    program = shutil.which("ctags") or shutil.which("universal-ctags")
    if program is None:
        return
    command = [program, "--output-format=json", "--fields=+nKlS", "--extras=F", "-f", "-", "-L", "-"]
    listed = "\n".join(path for path in paths if "\n" not in path and not path.endswith(".py"))
    made = subprocess.run(
        command, cwd=root, input=listed, capture_output=True, text=True, errors="replace", check=False
    )
    for line in made.stdout.splitlines():
        try:
            tag = json.loads(line)
        except ValueError:
            continue
        language = tag.get("language", "")
        if language in TAG_KINDS and "line" in tag and tag.get("kind") not in ("package", "packageName"):
            named = Named(tag["name"], tag["path"], tag["line"], f"{language.lower()} {tag['kind']}")
            if tag["kind"] == "macro" and _is_guard(root, named):
                continue
            yield named, tag["kind"] in TAG_KINDS[language] and ("scope" not in tag or language == "Go")


def _is_guard(root: Path, macro: Named) -> bool:
    """Whether a macro only guards a header against being included twice, so that nobody asks where it is defined."""
    lines = (root / macro.path).read_text("utf-8", "replace").splitlines()[: macro.line]
    above = [line for line in lines[:-1] if line.strip()][-1:]
    return bool(above and re.fullmatch(rf"\s*#\s*ifndef\s+{macro.name}\s*", above[0])) and lines[-1].split()[2:] == []


def unique_names(root: Path, paths: Sequence[str], wanted: int, draw: random.Random) -> list[Named]:
    """Some names that the root defines once, at the top level."""
    found: dict[str, list[tuple[Named, bool]]] = defaultdict(list)
    for named, top in (*python_definitions(root, paths), *tagged_definitions(root, paths)):
        found[named.name].append((named, top))
    single = [places[0][0] for _, places in sorted(found.items()) if len(places) == 1 and places[0][1]]
    single = [named for named in single if re.fullmatch(r"\w{3,}", named.name) and not named.name.startswith("__anon")]
    return sorted(draw.sample(single, min(wanted, len(single))), key=lambda named: named.name)


def ripgrep(root: Path, what: str, known: frozenset[str], fixed: bool) -> frozenset[Place]:
    """Where ripgrep finds a string or an expression, in the files that the index holds. Raises ValueError for an
    expression that it does not take."""
    program = shutil.which("rg")
    assert program is not None
    command = [program, "--no-config", "-uuu", "--text", "--encoding=none", "--line-number", "--null", "--no-heading"]
    command += [
        "--only-matching",
        "--replace=",
        "--threads=1",
        *(["--fixed-strings"] if fixed else []),
        "-e",
        what,
        ".",
    ]
    made = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if made.returncode == 2 and made.stderr and not made.stdout:
        raise ValueError(made.stderr.decode("utf-8", "replace").splitlines()[0])
    places = set()
    for row in made.stdout.split(b"\n"):
        path, nul, rest = row.partition(b"\0")
        if nul:
            number = int(rest.partition(b":")[0])
            places.add((path.decode("utf-8", "surrogateescape").removeprefix("./"), number))
    return frozenset(place for place in places if place[0] in known)


# --------------------------------------------------------------------------- strings to look for


@dataclass(frozen=True)
class Wanted:
    """A string or expression, and what sort of one it is."""

    text: str
    sort: str


def lines_of(root: Path, paths: Sequence[str], draw: random.Random) -> dict[str, list[str]]:
    """Lines of the files: of any, of those that are not ASCII, and of files that end them with CRLF."""
    found: dict[str, list[str]] = {"any": [], "not ascii": [], "crlf": []}
    for path in paths:
        try:
            data = (root / path).read_bytes()
            text = data.decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        lines = [line.strip() for line in text.split("\n") if line.strip() and len(line) < 400]
        if not lines:
            continue
        found["any"] += draw.sample(lines, min(12, len(lines)))
        found["not ascii"] += [line for line in lines if not line.isascii()][:20]
        if b"\r\n" in data:
            found["crlf"] += draw.sample(lines, min(6, len(lines)))
    return found


def literals(lines: dict[str, list[str]], wanted: int, draw: random.Random) -> list[Wanted]:
    """Strings of every sort that the lines can give."""

    def part(line: str, least: int, most: int) -> str:
        size = draw.randint(min(least, len(line)), min(most, len(line)))
        start = draw.randint(0, len(line) - size)
        return line[start : start + size].strip()

    def word(line: str) -> str:
        words = re.findall(r"\w{3,}", line)
        return draw.choice(words) if words else ""

    def far(line: str) -> str:
        places = [i for i, letter in enumerate(line) if not letter.isascii()]
        at = draw.choice(places)
        return line[max(0, at - draw.randint(0, 3)) : at + draw.randint(1, 4)].strip()

    sorts = {
        "part of a line": ("any", lambda line: part(line, 4, 30)),
        "word": ("any", word),
        "three letters": ("any", lambda line: part(line, 3, 3)),
        "one or two letters": ("any", lambda line: part(line, 1, 2)),
        "signs": ("any", lambda line: next(iter(re.findall(r"[^\w\s]{2,}", line)), "")),
        "not ASCII": ("not ascii", far),
        "in a CRLF file": ("crlf", lambda line: part(line, 4, 20)),
        "absent": ("any", lambda line: f"{word(line)} {word(line)[::-1]}qz"),
    }
    share = {"part of a line": 0.3, "word": 0.2, "three letters": 0.1, "one or two letters": 0.1, "signs": 0.1}
    found: dict[str, Wanted] = {}
    for sort, (source, make) in sorts.items():
        left = max(1, int(wanted * share.get(sort, 0.1)))
        for _ in range(left * 4):
            if not lines[source] or left == 0:
                break
            text = make(draw.choice(lines[source]))
            if text and text not in found and not any(sign in text for sign in QUOTES[0] + "\\"):
                found[text] = Wanted(text, sort)
                left -= 1
    return list(found.values())


def patterns(lines: dict[str, list[str]], wanted: int, draw: random.Random) -> list[Wanted]:
    """Regular expressions that match somewhere, of every sort."""

    def words(line: str, count: int) -> list[str]:
        found = re.findall(r"[A-Za-z_]{3,}", line)
        return found[:count] if len(found) >= count else []

    made = {
        "whole word": lambda line: [rf"\b{w}\b" for w in words(line, 1)],
        "end of a line": lambda line: [rf"{re.escape(line[-6:])}$"],
        "start of a line": lambda line: [rf"^\s*{re.escape(line[:6])}"],
        "call": lambda line: [rf"{w}\s*\(" for w in words(line, 1)],
        "two words": lambda line: [".*".join(words(line, 2))] if words(line, 2) else [],
        "two words, spaces": lambda line: [r"\s+".join(words(line, 2))] if words(line, 2) else [],
        "either": lambda line: ["|".join(words(line, 2))] if words(line, 2) else [],
        "any case": lambda line: [rf"(?i){w}" for w in words(line, 1)],
        "letters between": lambda line: [rf"{w[0]}\w+{w[-1]}_{'x?'}" for w in words(line, 1)],
        "class of letters": lambda line: [rf"[{w[0]}{w[0].upper()}]{w[1:]}" for w in words(line, 1)],
        "counted": lambda line: [rf"{w[:2]}[a-z]{{{max(1, len(w) - 3)}}}{w[-1]}" for w in words(line, 1) if len(w) > 4],
        "optional": lambda line: [rf"{w}s?\." for w in words(line, 1)],
        "digits": lambda line: [r"\b" + n + r"\d*\b" for n in re.findall(r"\d{2,}", line)[:1]],
        "not ASCII": lambda line: [re.escape(c) + r"\w*" for c in line if not c.isascii()][:1],
    }
    found: dict[str, Wanted] = {}
    for sort, make in made.items():
        source = lines["not ascii"] if sort == "not ASCII" else lines["any"] + lines["crlf"]
        left = max(1, wanted // len(made))
        for _ in range(left * 6):
            if not source or left == 0:
                break
            for text in make(draw.choice(source)):
                if text and text not in found and left and not any(c in text for c in "\n\r"):
                    found[text] = Wanted(text, sort)
                    left -= 1
    return list(found.values())


# --------------------------------------------------------------------------- asking


@dataclass
class Count:
    """How many of how many were right."""

    right: int = 0
    asked: int = 0

    def add(self, right: bool) -> None:
        self.right += right
        self.asked += 1

    def __str__(self) -> str:
        if not self.asked:
            return "none asked"
        low, high = wilson(self.right, self.asked)
        return f"{self.right}/{self.asked} = {self.right / self.asked:.3f} [{low:.3f}, {high:.3f}]"


@dataclass
class Findings:
    """What came of one root: counts by a name in words, and what went wrong."""

    root: str
    files: int
    counts: dict[str, Count] = field(default_factory=dict)
    wrong: list[dict[str, Any]] = field(default_factory=list)

    def count(self, name: str, right: bool) -> None:
        self.counts.setdefault(name, Count()).add(right)

    def add(self, name: str, right: bool, **what: Any) -> None:
        self.count(name, right)
        if not right:
            self.wrong.append({"what": name, **what})


def ask_definitions(engine: Engine, names: Sequence[Named], found: Findings) -> None:
    for number, named in enumerate(names):
        other = ASKED[1 + number % (len(ASKED) - 1)]
        for strategy, form in (("auto", ASKED[0]), ("fused", ASKED[0]), ("auto", other)):
            options = PlanOptions() if strategy == "auto" else PlanOptions(strategy="fused")
            answer = engine.ask(Question(form.format(named.name), options, limit=10))
            ranks = [at for at, result in enumerate(answer.results, 1) if _holds(result, named)]
            label = f"definition, first of ten, {strategy if strategy == 'fused' else 'as planned'}"
            label += "" if form is ASKED[0] else ", in other words"
            first = answer.results[0] if answer.results else None
            found.add(
                label,
                ranks[:1] == [1],
                query=answer.question.text,
                wanted=f"{named.path}:{named.line} ({named.kind})",
                got=f"{first.path}:{first.start_line}-{first.end_line}" if first else "nothing",
                place=ranks[0] if ranks else None,
                plan=f"{answer.plan.strategy}, rule {answer.intent.rule}, subject {answer.intent.subject}",
            )
            if strategy == "auto":
                found.count("definition question answered directly", answer.plan.strategy == "direct")
                found.count(f"{named.kind}, first", ranks[:1] == [1])


def _holds(result: Any, named: Named) -> bool:
    return bool(result.path == named.path and result.start_line <= named.line <= result.end_line)


QUOTES = ('"', "`", "'", "“”")


def ask_text(
    engine: Engine, root: Path, wanted: Sequence[Wanted], known: frozenset[str], found: Findings, regex: bool
) -> None:
    label = "regular expression" if regex else "exact string"
    for one in wanted:
        try:
            truth = ripgrep(root, one.text, known, fixed=not regex)
        except ValueError:
            continue
        if len(truth) > MANY:
            continue
        if not truth:  # a string whose spaces were trimmed away, a pattern that matches nothing: nothing must be found
            ours, cut, answer = _text_lines(engine, one, regex)
            told = regex or "literal_absent" in {notice.code for notice in answer.notices}
            found.add(f"{label}, absent: nothing found, and said so", told and not ours, query=answer.question.text,
                      regex=regex, got=sorted(ours)[:3], notices=[notice.code for notice in answer.notices],
                      intent=answer.intent.name, rule=answer.intent.rule)  # fmt: skip
            continue
        ours, cut, answer = _text_lines(engine, one, regex)
        more, less = sorted(ours - truth), sorted(truth - ours)
        what = {"sort": one.sort, "query": answer.question.text, "regex": regex, "intent": answer.intent.name,
                "subject": answer.intent.subject, "rule": answer.intent.rule, "truth": len(truth),
                "too many": more[:3], "missing": less[:3], "cut": cut}  # fmt: skip
        if cut:  # depends on the machine: what was found so far must be right all the same
            found.add(f"{label}, cut by the time budget: all that is listed is right", not more, **what)
        else:
            found.add(f"{label}, same files and lines", not more and not less, **what)
            found.count(f"{label}, {one.sort}", not more and not less)
        for strategy in ("auto", "fused"):
            plain = engine.ask(_question(one, regex, PlanOptions(strategy=strategy, regex=regex)))  # type: ignore[arg-type]
            first = plain.results[0] if plain.results else None
            hit = first is not None and any(
                (first.path, n) in truth for n in range(first.start_line, first.end_line + 1)
            )
            what = {"sort": one.sort, "query": plain.question.text, "regex": regex, "truth": len(truth),
                    "got": f"{first.path}:{first.start_line}-{first.end_line}" if first else "nothing",
                    "plan": f"{plain.plan.strategy}, {plain.intent.rule}, {plain.intent.subject}"}  # fmt: skip
            found.add(f"{label}, first result holds it, {'as planned' if strategy == 'auto' else 'fused'}", hit, **what)


def _question(one: Wanted, regex: bool, options: PlanOptions) -> Question:
    return Question(one.text if regex else f'"{one.text}"', options, limit=10)


def _text_lines(engine: Engine, one: Wanted, regex: bool) -> tuple[frozenset[Place], bool, Answer]:
    """All files and lines of the text list; none when it is only a list of words."""
    options = PlanOptions(only=("text",), depth=EVERYTHING, regex=regex)
    answer = engine.ask(_question(one, regex, options))
    hits = answer.lists.get("text", HitList("text", "not_run"))
    if not hits.how.startswith(("exact text “", "regular expression")):
        return frozenset(), hits.partial, answer
    chunks = engine.reader.chunks({hit.chunk_id for hit in hits.hits})
    return (
        frozenset((chunks[hit.chunk_id].path, line) for hit in hits.hits for line in hit.lines),
        hits.partial,
        answer,
    )


# --------------------------------------------------------------------------- a root of hard files

MADE_UP = {
    "windows.py": "import os\r\n\r\n\r\ndef crlf(path):\r\n    return open(path, newline='')  # liest Zeilen\r\n",
    "日本語.py": '"""文字列を検索する。"""\n\n\ndef 検索(語):\n    """語を探す"""\n    return 語.strip()  # 終わり\n',
    "tail.txt": "first line\nthe last line has no end: Größe ändern",
    "wide.txt": "x" * 20_000 + " needle_far_away " + "y" * 20_000 + "\nneedle_far_away once more\n",
    "signs.c": "int a = b ? c : d;\nreturn a->b[(i + 1) % n] && !(x ^ y);\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n",
    "marks.txt": "naïve café, Ångström, ﬁle, Ｆｕｌｌ, x² and \u00b5s\u200btail\nnai\u0308ve again\n",
    "deep/er/file.md": "# Titel\n\nEin Absatz mit `code` und 100 % Inhalt.\n",
    "tabs.mk": "all:\n\tcc -o main main.c\n\t@echo $(FLAGS) $$HOME\n",
}


def make_up(folder: Path) -> Path:
    for name, text in MADE_UP.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


# --------------------------------------------------------------------------- all of it


def measure(root: Path, index: Path, options: argparse.Namespace) -> Findings:
    refresh(root, index, embedder="none", vectors=False, jobs=1)
    reader = SqliteReader(current_index(index), root)
    try:
        engine = Engine(reader)
        paths = sorted(file.path for file in reader.files())
        draw = random.Random(options.seed)
        found = Findings(root.name, len(paths))
        ask_definitions(engine, unique_names(root, paths, options.names, draw), found)
        if shutil.which("rg"):
            known, lines = frozenset(paths), lines_of(root, paths, draw)
            ask_text(engine, root, literals(lines, options.literals, draw), known, found, regex=False)
            ask_text(engine, root, patterns(lines, options.patterns, draw), known, found, regex=True)
        return found
    finally:
        reader.close()


#: What the tables show, in this order; the rest is by kind and sort, in the JSON.
SHOWN = (
    "definition, first of ten, as planned",
    "definition, first of ten, fused",
    "definition, first of ten, as planned, in other words",
    "definition question answered directly",
    "exact string, same files and lines",
    "exact string, cut by the time budget: all that is listed is right",
    "exact string, first result holds it, as planned",
    "exact string, first result holds it, fused",
    "exact string, absent: nothing found, and said so",
    "regular expression, same files and lines",
    "regular expression, cut by the time budget: all that is listed is right",
    "regular expression, first result holds it, as planned",
    "regular expression, first result holds it, fused",
    "regular expression, absent: nothing found, and said so",
)


def table(findings: Sequence[Findings]) -> Iterator[str]:
    """Markdown: a row a measure, a column a root."""
    yield "| | " + " | ".join(f"{found.root} ({found.files:,} files)" for found in findings) + " |"
    yield "|---|" + "---:|" * len(findings)
    for name in SHOWN:
        yield f"| {name} | " + " | ".join(str(found.counts.get(name, Count())) for found in findings) + " |"


def measure_all(roots: Sequence[Path], indexes: Path, options: argparse.Namespace) -> list[Findings]:
    found = []
    with tempfile.TemporaryDirectory() as made:
        hard = make_up(Path(made) / "made-up")
        for root in (*roots, hard):
            base = (indexes if root != hard else Path(made)) / f"{root.name}.truth.db"
            found.append(measure(root.resolve(), base, options))
            print(f"{root.name}: done", file=sys.stderr)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much is drawn, and with which seed."""
    parser.add_argument("--names", type=int, default=400, help="definitions to ask for, a root")
    parser.add_argument("--literals", type=int, default=150, help="exact strings, a root")
    parser.add_argument("--patterns", type=int, default=100, help="regular expressions, a root")
    parser.add_argument("--seed", type=int, default=7)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog=(__doc__ or "").split("\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("roots", nargs="+", type=Path, metavar="ROOT")
    parser.add_argument("--indexes", type=Path, help="keep the index files here, for the next time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all counts and all that went wrong")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table")
    parser.add_argument("--show", type=int, default=10, help="how many failures to print, of each kind and root")
    add_arguments(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as thrown_away:
        indexes = options.indexes or Path(thrown_away)
        indexes.mkdir(parents=True, exist_ok=True)
        findings = measure_all(options.roots, indexes, options)
    print("\n".join(table(findings)))
    for found in findings:
        shown: Counter[str] = Counter()
        for wrong in found.wrong:
            if wrong["what"].endswith("fused"):  # what the direct path is there for; all of it is in the JSON
                continue
            shown[wrong["what"]] += 1
            if shown[wrong["what"]] <= options.show:
                print(f"{found.root}: {json.dumps(wrong, ensure_ascii=False)}")
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(found) for found in findings], indent=1), "utf-8")
    if options.markdown is not None:
        options.markdown.write_text("\n".join(table(findings)) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
