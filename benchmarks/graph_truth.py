"""How true is the dependency graph? Resolved Python references against jedi, and against calls traced at run time;
TypeScript and JavaScript against the TypeScript compiler.

    python benchmarks/graph_truth.py jedi FOLDER... [--sample 400] [--show 20]
    python benchmarks/graph_truth.py trace FOLDER[=TEST,TEST...]... [--show 20]
    python benchmarks/graph_truth.py tsc FOLDER... --typescript node_modules/typescript [--sample 400]

A FOLDER is a package (its parent counts as the root) or a folder of sources. A TEST is a module or file that pytest
runs while calls are traced, by default all tests in the FOLDER. Precision: of the references with an edge
of this certainty that the oracle can judge, how many name the definition that the oracle names. Recall: of those that
the oracle finds in the folder, how many have the right edge; for `likely` together with `certain`. Ambiguous
references never count. What the oracle says nothing about is left out, and counted. Several folders are pooled twice:
`all` counts every reference alike, `mean` every folder. With --keep FOLDER the oracle's answers are kept there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import threading
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import FrameType
from typing import Any, NamedTuple

from fourfold.indexing.parse import parse
from fourfold.indexing.resolve import resolve
from fourfold.languages import detect
from fourfold.store.interface import EdgeRow, GraphInput

#: (path within the root, line of the definition)
Place = tuple[str, int]
GROUPS = {
    "call": "calls", "construct": "calls", "decorate": "decorators", "inherit": "bases", "implement": "bases",
    "read": "reads", "write": "reads",
}  # fmt: skip


@dataclass
class Project:
    """A folder read and resolved, with what is needed to compare it."""

    root: Path
    graph: GraphInput
    texts: dict[str, list[bytes]]
    edges: dict[int, list[EdgeRow]] = field(default_factory=dict)
    place: dict[int, Place] = field(default_factory=dict)
    symbol_at: dict[Place, int] = field(default_factory=dict)
    _values: dict[tuple[str, str], list[tuple[list[str], int]]] = field(default_factory=lambda: defaultdict(list))

    def value_named(self, path: str, full_name: str | None) -> Place | None:
        """Where the variable or field stands whose assignments jedi lists each (``pkg.mod.Class.method.field``)."""
        parts = (full_name or "").split(".")
        if not self._values:
            paths = {file_id: path for file_id, path, _language, _module in self.graph.files}
            for symbol in self.graph.symbols:
                if symbol[4] in ("variable", "constant", "field", "property"):
                    self._values[(paths[symbol[1]], symbol[2])].append((symbol[3].split(".")[:-1], symbol[0]))
        for owner, id_ in self._values.get((path, parts[-1]), ()):
            if not owner or owner[-1] in parts:
                return self.place[id_]
        return None


def read_project(folder: Path, languages: Iterable[str] = ("python",)) -> Project:
    folder = folder.resolve()
    root = folder.parent if (folder / "__init__.py").exists() else folder
    wanted = set(languages)
    files, symbols, references, imports, bindings = [], [], [], [], []
    texts: dict[str, list[bytes]] = {}
    place: dict[int, Place] = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(root).as_posix()
        parts = set(Path(relative).parts[:-1])
        if not path.is_file() or parts & {"__pycache__", "node_modules", "dist"} or path.stat().st_size > 1_000_000:
            continue
        data = path.read_bytes()
        language = detect(relative, data[:8192])
        if language not in wanted and path.name != "package.json":
            continue
        parsed = parse(relative, data, language, 30.0)
        file_id = len(files) + 1
        files.append((file_id, relative, language, relative.rpartition(".")[0].replace("/", ".")))
        if language not in wanted:  # a manifest says only what the package is called
            first = len(symbols) + 1
            place.update((first + index, (relative, item.name_line)) for index, item in enumerate(parsed.symbols))
            symbols.extend(
                (first + index, file_id, item.name, item.qualified, item.kind, 0, item.type_name, 1, 1, 0)
                for index, item in enumerate(parsed.symbols)
            )
            continue
        module = len(symbols) + 1
        symbols.append((module, file_id, PurePosixPath(relative).stem, "", "module", 0, "", 1, parsed.lines, 0))
        ids = [module + 1 + index for index in range(len(parsed.symbols))]
        for id_, item in zip(ids, parsed.symbols, strict=True):
            parent = ids[item.parent] if item.parent >= 0 else 0
            symbols.append((id_, file_id, item.name, item.qualified, item.kind, parent, item.type_name,
                            item.start_line, item.end_line, int(item.entry)))  # fmt: skip
            place[id_] = (relative, item.name_line)
        place[module] = (relative, 0)
        for item in parsed.references:
            holder = ids[item.holder] if item.holder >= 0 else module
            references.append((len(references) + 1, file_id, item.name, item.kind, item.line, item.column, holder,
                               item.receiver))  # fmt: skip
        for item in parsed.imports:
            holder = ids[item.holder] if item.holder >= 0 else module
            imports.append((file_id, item.module, item.name, item.alias, item.level, holder, int(item.exported),
                            item.line))  # fmt: skip
        for item in parsed.bindings:
            holder = ids[item.holder] if item.holder >= 0 else module
            bindings.append((file_id, holder, item.name, item.type_name, item.line))
        texts[relative] = data.split(b"\n")
    graph = GraphInput(files, symbols, references, imports, bindings)
    project = Project(root, graph, texts, place=place)
    for edge in resolve(graph):
        project.edges.setdefault(edge[0], []).append(edge)
    project.symbol_at = {spot: id_ for id_, spot in reversed(place.items())}
    return project


class Tally:
    """Counts of right and wrong by group and certainty, with examples of the wrong ones."""

    def __init__(self) -> None:
        self.right: Counter[tuple[str, str]] = Counter()
        self.wrong: Counter[tuple[str, str]] = Counter()
        self.known: Counter[str] = Counter()
        self.unjudged = 0
        self.examples: dict[tuple[str, str], list[str]] = defaultdict(list)

    def judge(self, group: str, certainty: str, truth: set[Place], found: set[Place], what: str) -> None:
        """``truth`` is where the oracle says that the definition is; empty when it is outside the folder."""
        if truth:
            self.known[group] += 1
        good = bool(found & truth)
        if certainty in ("certain", "likely"):
            (self.right if good else self.wrong)[(group, certainty)] += 1
        if certainty in ("certain", "likely") and not good:
            self.examples[(group, "wrong " + certainty)].append(what)
        elif truth and not good:
            self.examples[(group, "missed, " + certainty)].append(what)

    def add(self, other: Tally) -> None:
        for mine, theirs in ((self.right, other.right), (self.wrong, other.wrong), (self.known, other.known)):
            mine.update(theirs)  # type: ignore[arg-type]
        self.unjudged += other.unjudged

    def lines(self) -> Iterator[str]:
        for group in sorted(set(self.known) | {group for group, _ in self.right}):
            right = wrong = 0
            parts = []
            for certainty in ("certain", "likely"):
                good, bad = self.right[(group, certainty)], self.wrong[(group, certainty)]
                right, wrong = right + good, wrong + bad
                own = f"{good / (good + bad):.3f}" if good + bad else "  -  "
                both = f"{right / (right + wrong):.3f}" if right + wrong else "  -  "
                recall = f"{right / self.known[group]:.3f}" if self.known[group] else "  -  "
                label = certainty if certainty == "certain" else "with likely"
                parts.append(f"{label}: precision {both if certainty == 'likely' else own} recall {recall}"
                             + (f" (likely alone {own})" if certainty == "likely" else ""))  # fmt: skip
            yield f"  {group:<10} n={self.known[group]:<6} {' | '.join(parts)}"


class Kept:
    """An oracle's answers by place, kept in a file when a folder is given for it; the texts' digest is in its name."""

    def __init__(self, keep: Path | None, oracle: str, project: Project) -> None:
        digest = hashlib.sha256()
        for path, lines in sorted(project.texts.items()):
            digest.update(path.encode() + b"\n".join(lines))
        self._file = keep / f"{oracle}-{digest.hexdigest()[:16]}.json" if keep else None
        self.known: dict[str, Any] = {}
        if self._file and self._file.exists():
            self.known = json.loads(self._file.read_text())

    def save(self) -> None:
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(self.known))


def sampled(project: Project, sample: int, seed: int, groups: list[str]) -> Iterator[tuple[Any, ...]]:
    """At most ``sample`` references of each group; which ones depends on their places and the seed alone."""
    paths = {file_id: path for file_id, path, _language, _module in project.graph.files}
    rows = [row for row in project.graph.references if GROUPS.get(row[3]) in groups]
    rows.sort(key=lambda row: zlib.crc32(f"{seed}:{paths[row[1]]}:{row[4]}:{row[5]}:{row[2]}".encode()))
    taken: Counter[str] = Counter()
    for row in rows:
        taken[GROUPS[row[3]]] += 1
        if taken[GROUPS[row[3]]] <= sample:
            yield row


# --------------------------------------------------------------------------- jedi


class Definition(NamedTuple):
    """One of jedi's answers; ``path`` is empty for one outside the root."""

    name: str
    type: str
    path: str
    line: int
    full_name: str


def against_jedi(folder: Path, sample: int, seed: int, groups: list[str], keep: Path | None) -> Tally:
    import jedi  # type: ignore[import-untyped,import-not-found,unused-ignore]

    project = read_project(folder)
    tally = Tally()
    sources = [project.root / name for name in ("src", "lib") if (project.root / name).is_dir()]
    oracle = jedi.Project(str(project.root), added_sys_path=[str(path) for path in [*sources, project.root]])
    paths = {file_id: path for file_id, path, _language, _module in project.graph.files}
    names = {symbol[0]: symbol[3] for symbol in project.graph.symbols}
    scripts: dict[str, object] = {}
    kept = Kept(keep, "jedi", project)

    def definitions(path: str, line: int, column: int) -> list[Any]:
        if path not in scripts:
            scripts[path] = jedi.Script(path=str(project.root / path), project=oracle)
        characters = len(project.texts[path][line - 1][:column].decode("utf-8", "replace"))
        try:
            answers = scripts[path].goto(line, characters, follow_imports=True)  # type: ignore[attr-defined]
        except Exception:  # jedi fails on some code in many ways of its own
            return []
        found = []
        for answer in answers:
            where = Path(answer.module_path) if answer.module_path else None
            inside = where is not None and where.is_relative_to(project.root)
            own = where.relative_to(project.root).as_posix() if where is not None and inside else ""
            found.append((answer.name, answer.type, own, answer.line or 0, answer.full_name))
        return found

    for row in sampled(project, sample, seed, groups):
        id_, file_id, name, kind, line, column, holder, receiver = row
        path = paths[file_id]
        key = f"{path}:{line}:{column}"
        if key not in kept.known:
            kept.known[key] = definitions(path, line, column)
        answers = [Definition(*answer) for answer in kept.known[key]]
        answers = [answer for answer in answers if answer.name == name or answer.type in ("module", "import")]
        if not answers:  # or only what stands for it, such as the `classmethod` that wraps a method
            tally.unjudged += 1
            continue
        truth = set()
        for answer in answers:
            if answer.path:
                spot = (answer.path, answer.line)
                if answer.type == "module":
                    spot = (spot[0], 0)
                if spot in project.symbol_at:
                    truth.add(spot)
                elif answer.type == "statement" and (value := project.value_named(spot[0], answer.full_name)):
                    truth.add(value)
                elif answer.type in ("param", "statement", "instance", "import"):
                    truth.add(("", 0))
        if truth == {("", 0)}:
            # A local variable or parameter: it has no symbol, so an edge to anything is wrong.
            truth = set()
        truth.discard(("", 0))
        edges = project.edges.get(id_, [])
        certainty = edges[0][4] if edges else "outside"
        found = {project.place[edge[2]] for edge in edges} if certainty != "ambiguous" else set()
        what = (f"{path}:{line} {receiver + '.' if receiver else ''}{name} in {names[holder] or 'module'}"
                f" · ours {sorted(project.place[e[2]] for e in edges)[:3]} · jedi "
                f"{[(a.full_name, a.type, a.line) for a in answers][:3]}")  # fmt: skip
        tally.judge(GROUPS[kind], certainty, truth, found, what)
    kept.save()
    return tally


# --------------------------------------------------------------------------- TypeScript's compiler


def against_compiler(
    folder: Path, sample: int, seed: int, groups: list[str], typescript: Path, keep: Path | None
) -> Tally:
    project = read_project(folder, ("typescript", "tsx", "javascript"))
    paths = {file_id: path for file_id, path, _language, _module in project.graph.files}
    names = {symbol[0]: symbol[3] for symbol in project.graph.symbols}
    chosen = list(sampled(project, sample, seed, groups))
    kept = Kept(keep, "tsc", project)

    def column(row: tuple[Any, ...]) -> int:
        before = project.texts[paths[row[1]]][row[4] - 1][: row[5]]
        return len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2

    keys = [f"{paths[row[1]]}:{row[4]}:{row[5]}" for row in chosen]
    fresh = {key: row for key, row in zip(keys, chosen, strict=True) if key not in kept.known}
    questions = [{"path": paths[row[1]], "line": row[4], "column": column(row)} for row in fresh.values()]
    # An imported name that the compiler cannot follow ends at the import: that is outside the folder.
    brought = {(paths[row[0]], row[7], row[3] or row[2]) for row in project.graph.imports}
    same: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for symbol in project.graph.symbols:
        same[(paths[symbol[1]], symbol[3])].add(project.place[symbol[0]])
    script = Path(__file__).with_name("graph_truth_ts.cjs")
    if fresh:
        run = subprocess.run(
            ["node", "--max-old-space-size=4096", str(script), str(typescript.resolve()), str(project.root)],
            input=json.dumps(questions), capture_output=True, text=True, check=True,
        )  # fmt: skip
        kept.known.update(zip(fresh, json.loads(run.stdout), strict=True))
        kept.save()
    tally = Tally()
    for key, row in zip(keys, chosen, strict=True):
        answer = kept.known[key]
        id_, file_id, name, kind, line, _column, holder, receiver = row
        spots = [tuple(spot) for spot in answer or () if spot]
        truth = {spot for spot in spots if spot in project.symbol_at and (*spot, name) not in brought}
        for spot in list(truth):  # one overload is as good as another
            truth |= same[(spot[0], names[project.symbol_at[spot]])]
        if not answer or (spots and not truth and any(path.endswith(".d.ts") for path, _ in spots)):
            tally.unjudged += 1
            continue
        edges = project.edges.get(id_, [])
        certainty = edges[0][4] if edges else "outside"
        found = {project.place[edge[2]] for edge in edges} if certainty != "ambiguous" else set()
        what = (f"{paths[file_id]}:{line} {receiver + '.' if receiver else ''}{name} in {names[holder] or 'module'}"
                f" · ours {sorted(project.place[e[2]] for e in edges)[:3]} · compiler {answer[:3]}")  # fmt: skip
        tally.judge(GROUPS[kind], certainty, truth, found, what)
    return tally


# --------------------------------------------------------------------------- traced calls


def traced_calls(root: Path, run: object) -> dict[Place, set[tuple[str, Place]]]:
    """(file, line) of each executed call → (name, definition) of the Python functions under ``root`` that it called."""
    prefix = str(root) + "/"
    seen: dict[tuple[object, int, object], None] = {}

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        caller = frame.f_back
        if caller is not None and code.co_filename.startswith(prefix):
            seen[(caller.f_code, caller.f_lineno, code)] = None

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        run()  # type: ignore[operator]
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    calls: dict[Place, set[tuple[str, Place]]] = defaultdict(set)
    for caller_code, line, code in seen:
        source = caller_code.co_filename  # type: ignore[attr-defined]
        if source.startswith(prefix):
            target = (code.co_filename.removeprefix(prefix), code.co_firstlineno)  # type: ignore[attr-defined]
            calls[(source.removeprefix(prefix), line)].add((code.co_name, target))  # type: ignore[attr-defined]
    return calls


def record(root: Path, tests: list[str]) -> None:
    """Run the tests with pytest in this process, and print the traced calls as JSON on the last line."""
    sys.path.insert(0, str(root))

    def run() -> None:
        import pytest

        pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--continue-on-collection-errors", "--pyargs", *tests]
        )

    calls = traced_calls(root, run)
    print(json.dumps([[*place, sorted((name, *target) for name, target in found)] for place, found in calls.items()]))


def against_trace(folder: Path, tests: list[str], keep: Path | None) -> Tally:
    project = read_project(folder)
    kept = Kept(keep, "trace", project)
    key = ",".join(tests)
    if key not in kept.known:
        run = subprocess.run(
            [sys.executable, __file__, "record", str(project.root), *(tests or [str(folder)])],
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        kept.known[key] = json.loads(run.stdout.rstrip().rpartition("\n")[2])
        kept.save()
    calls = {
        (path, line): {(name, (own, first)) for name, own, first in found}
        for path, line, found in kept.known[key]
    }  # fmt: skip
    tally = Tally()
    paths = {file_id: path for file_id, path, _language, _module in project.graph.files}
    info = {symbol[0]: symbol for symbol in project.graph.symbols}
    # A function's first line is that of its first decorator; a symbol starts at its name.
    functions: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for symbol in project.graph.symbols:
        if symbol[4] in ("function", "method", "property"):
            functions[paths[symbol[1]]].append((symbol[7], symbol[8], symbol[0]))

    bases: dict[int, list[int]] = defaultdict(list)
    for rows in project.edges.values():
        for _reference, source, target_id, kind, _certainty in rows:
            if kind in ("inherit", "implement"):
                bases[source].append(target_id)

    def overrides(symbol: int, wanted: set[int]) -> bool:
        """Whether a method takes the place of one of ``wanted``: then a call by that contract ran it."""
        queue, seen = [info[symbol][5]], set()
        while queue:
            type_ = queue.pop()
            if type_ in seen:
                continue
            seen.add(type_)
            queue.extend(bases[type_])
        return any(info[w][5] in seen and info[w][2] == info[symbol][2] for w in wanted if info[w][5])

    named: Counter[tuple[int, int, str]] = Counter(
        (row[1], row[4], row[2]) for row in project.graph.references if row[3] in ("call", "construct")
    )

    def symbol_of(name: str, target: Place) -> int | None:
        best = None
        for start, end, id_ in functions.get(target[0], ()):
            if info[id_][2] == name and target[1] <= start <= target[1] + 30 and end >= target[1]:
                best = id_ if best is None or start < info[best][7] else best
        return best

    for row in project.graph.references:
        id_, file_id, name, kind, line, _column, holder, receiver = row
        if kind not in ("call", "construct"):
            continue
        path = paths[file_id]
        happened = calls.get((path, line))
        if not happened or named[(file_id, line, name)] > 1:  # two calls by one name cannot be told apart
            continue
        edges = project.edges.get(id_, [])
        wanted = {edge[2] for edge in edges if edge[2] in info}
        truth: set[Place] = set()
        for called, target in happened:
            symbol = symbol_of(called, target)
            if symbol is None:
                continue
            if called == name:
                truth.add(project.place[symbol])
                if overrides(symbol, wanted):
                    truth.update(project.place[w] for w in wanted)
            elif called in ("__init__", "__new__", "__call__") and info[symbol][5]:
                owner = info[symbol][5]
                if info[owner][2] == name or name in ("cls", "__class__"):
                    truth.add(project.place[owner])
        certainty = edges[0][4] if edges else "outside"
        # No truth: the call went elsewhere, into C, or did not happen on this line. A variable that holds a function
        # is what the code names, whichever function that is.
        if not truth or any(info[w][4] in ("variable", "constant", "field") for w in wanted):
            tally.unjudged += 1
            continue
        found = {project.place[edge[2]] for edge in edges} if certainty != "ambiguous" else set()
        what = (f"{path}:{line} {receiver + '.' if receiver else ''}{name} in {info[holder][3] or 'module'}"
                f" · ours {sorted(project.place[e[2]] for e in edges)[:3]} · ran {sorted(truth)[:3]}")  # fmt: skip
        tally.judge("calls", certainty, truth, found, what)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracle", choices=("jedi", "trace", "tsc", "record"))
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--typescript", type=Path, default=Path("node_modules/typescript"), help="the npm package")
    parser.add_argument("--sample", type=int, default=400, help="references a group and folder (default %(default)s)")
    parser.add_argument("--groups", default="calls,bases,decorators,reads", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many mistakes of each sort")
    parser.add_argument("--keep", type=Path, help="a folder for the oracle's answers")
    options = parser.parse_args()
    if options.oracle == "record":
        record(Path(options.folders[0]), options.folders[1:])
        return 0
    total = Tally()
    tallies = []
    groups = options.groups.split(",")
    for text in options.folders:
        name, _, tests = text.partition("=")
        folder = Path(name)
        if options.oracle == "jedi":
            tally = against_jedi(folder, options.sample, options.seed, groups, options.keep)
        elif options.oracle == "tsc":
            tally = against_compiler(folder, options.sample, options.seed, groups, options.typescript, options.keep)
        else:
            tally = against_trace(folder, [test for test in tests.split(",") if test], options.keep)
        print(f"{name} ({tally.unjudged} unjudged)")
        print("\n".join(tally.lines()))
        for (group, sort), examples in sorted(tally.examples.items()):
            for example in examples[: options.show]:
                print(f"    {group}, {sort}: {example}")
        sys.stdout.flush()
        total.add(tally)
        tallies.append(tally)
    if len(tallies) > 1:
        print(f"all ({total.unjudged} unjudged)")
        print("\n".join(total.lines()))
        print("\n".join(means(tallies)))
    return 0


def means(tallies: list[Tally]) -> Iterator[str]:
    """Recall when every folder that has a group counts alike."""
    for group in sorted({group for tally in tallies for group in tally.known}):
        own = [tally for tally in tallies if tally.known[group]]
        certain = sum(tally.right[(group, "certain")] / tally.known[group] for tally in own) / len(own)
        both = sum(
            (tally.right[(group, "certain")] + tally.right[(group, "likely")]) / tally.known[group] for tally in own
        ) / len(own)
        yield f"  {group:<10} mean of {len(own)}: recall of certain {certain:.3f}, with likely {both:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
