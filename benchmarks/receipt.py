"""The receipt: lays out the pinned packages, indexes them, asks every question, and writes RECEIPT.md.

    python benchmarks/receipt.py                       # everything anew, in a folder that is thrown away
    python benchmarks/receipt.py --work FOLDER         # keeps packages and indexes there, for the next time
    python benchmarks/receipt.py --work FOLDER --json receipt.json --no-truth

Needs pip for the packages, ripgrep for the exact strings (left out without it), and nothing else: the local embedder,
the default preset, nothing tuned. The figures are the same on every machine, but for the latencies.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import truth
from lay_out import Package, lay_out, packages, questions

from fourfold.cli.evaluate import today
from fourfold.embedding import Embedder, open_embedder
from fourfold.indexing.pipeline import refresh
from fourfold.lab.evaluate import (
    DECLINES,
    Row,
    Table,
    ablation,
    ablation_variants,
    ask_all,
    rank_all,
    summarise,
    summary,
)
from fourfold.lab.experiment import DEFAULT, Bench, compare
from fourfold.lab.judgements import Judgement
from fourfold.lab.metrics import score
from fourfold.lab.receipt import About, Report, Section, markdown, report_json
from fourfold.lab.rule_accuracy import written
from fourfold.model import INTENTS, MODALITIES
from fourfold.paths import current_index
from fourfold.search.engine import Engine
from fourfold.search.serialise import dumps
from fourfold.store.origin import notes_of
from fourfold.store.reader import SqliteReader

HERE = Path(__file__).resolve().parent
#: What the screen shows of each rule's accuracy.
RULES = HERE.parent / "src" / "fourfold" / "lab" / "rule_accuracy.json"
#: Graded by file: a file that answers in several places counts once.
METRIC = "graded10"
LANGUAGES = {"en": "English", "de": "German", "sv": "Swedish", "ja": "Japanese", "und": "no sentence"}


@dataclass(frozen=True)
class Asked:
    """What came of one package."""

    package: Package
    rows: tuple[Row, ...]
    table: Table
    model: str


def ask(package: Package, root: Path, indexes: Path, source: Callable[[], Embedder | None]) -> Asked:
    base = indexes / f"{package.name}.db"
    refresh(root, base, embedder="local", vectors=True, jobs=1)
    index = current_index(base)
    reader = SqliteReader(index, root)
    try:
        asked = tuple(replace(j, id=f"{package.name}/{j.id}") for j in questions(package))
        known = {file.path for file in reader.files()}
        lost = sorted({t.path for j in asked for t in j.targets} - known)
        if lost:
            raise RuntimeError(f"{package.name}: not in the index: {', '.join(lost[:3])}")
        bench = Bench(Engine(reader, source))
        rows = ask_all(bench, asked, group=package.name)
        table = rank_all(bench, asked, ablation_variants())
        return Asked(package, rows, table, f"{reader.state().embedder}, space {notes_of(index).get('space', '')}")
    finally:
        reader.close()


# --------------------------------------------------------------------------- tables


def grouped(title: str, rows: Sequence[Row], key: Callable[[Row], str], order: Iterable[str], note: str) -> Section:
    """A row for each value of ``key``: the graded figure and the ones beside it."""
    header = ("", "questions", "graded NDCG@10", "by file", "MRR@10", "first", "zero results", "unjudged@10")
    lines = []
    for name in order:
        found = summary(name, [row for row in rows if row.judgement.answerable and key(row) == name])
        if not found.questions:
            continue
        low, high = found.intervals[METRIC]
        rest = (f"{found.means[m]:.3f}" for m in ("file10", "mrr10", "first", "zero", "unjudged10"))
        lines.append((name, str(found.questions), f"{found.means[METRIC]:.3f} [{low:.3f}, {high:.3f}]", *rest))
    return Section(title, header, tuple(lines), note)


def by_variant(asked: Sequence[Judgement], table: Table, rows: Sequence[Row]) -> Section:
    """The graded figure of each intent under each modality alone, and under the presets."""
    shown = [
        DEFAULT.name,
        *(f"{m} alone" for m in MODALITIES),
        *(f"without {m}" for m in MODALITIES),
        "quick",
        "thorough",
    ]
    lines = []
    for intent in INTENTS:
        places = [i for i, row in enumerate(rows) if row.judgement.answerable and row.asked_intent == intent]
        means = (sum(score(asked[i], table[name][i]).graded10 for i in places) / max(1, len(places)) for name in shown)
        lines.append((intent, *(f"{mean:.3f}" for mean in means)))
    note = "Graded NDCG@10. The first column is the plan that each question gets by itself."
    return Section("Each modality, by intent", ("", *shown), tuple(lines), note)


def direct_against_fused(asked: Sequence[Judgement], table: Table, rows: Sequence[Row]) -> Section:
    """The questions that were answered directly, and the same ones fused."""
    lines = []
    for intent in INTENTS:
        places = [
            i for i, row in enumerate(rows)
            if row.judgement.answerable and row.strategy == "direct" and row.intent == intent
        ]  # fmt: skip
        if not places:
            continue
        some = [asked[i] for i in places]
        fused = [table["always fused"][i] for i in places]
        direct = [rows[i].results for i in places]
        cells = []
        for metric in (METRIC, "first"):
            found = compare(some, fused, direct, metric)
            cells += [f"{found.candidate:.3f}", f"{found.baseline:.3f}"]
            if metric == METRIC:
                cells.append(f"{found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}]")
        lines.append((intent, str(len(places)), *cells))
    header = ("", "questions", "direct", "fused", "difference", "direct: first", "fused: first")
    return Section("Direct against fused", header, tuple(lines), "Graded NDCG@10 of the questions answered directly.")


def unanswerable(rows: Sequence[Row]) -> Section:
    """What is said to a question that has no answer."""
    lines = []
    kinds = sorted({row.judgement.kind for row in rows if not row.judgement.answerable})
    for kind in kinds:
        some = [row for row in rows if row.judgement.kind == kind and not row.judgement.answerable]
        said = Counter(code for row in some for code in set(row.notices) & DECLINES)
        doubted = sum(not row.results or bool(DECLINES & set(row.notices)) for row in some)
        codes = "; ".join(f"{code} {count}" for code, count in said.most_common())
        lines.append((kind, str(len(some)), str(doubted), codes or "nothing"))
    note = "An answer to these should begin with a word of doubt; the last column says which were said how often."
    return Section("Asked for what is not there", ("", "questions", "doubted", "said"), tuple(lines), note)


def languages() -> dict[str, str]:
    """The language of each question."""
    spoken = {}
    for package in packages():
        for line in package.questions.read_text("utf-8").splitlines():
            row = json.loads(line)
            spoken[f"{package.name}/{row['query']}"] = LANGUAGES[row["lang"]]
    return spoken


def report_of(found: Sequence[Asked], command: str) -> Report:
    rows = tuple(row for one in found for row in one.rows)
    asked = [row.judgement for row in rows]
    table = {name: tuple(r for one in found for r in one.table[name]) for name in found[0].table}
    spoken = languages()
    pinned = ", ".join(f"{one.package.name} {one.package.version}" for one in found)
    about = About(
        root="eight packages",
        judgements="questions of our own",
        digest=digest(),
        date=today(),
        command=command,
        plan=DEFAULT.name,
        model=found[0].model,
    )
    kinds = dict.fromkeys(judgement.kind for judgement in asked)
    more = (
        grouped("Kinds of question", rows, lambda row: row.judgement.kind, kinds,
                "“By file” is NDCG@10 where the right file is enough, whichever of its lines are shown."),
        grouped("Packages", rows, lambda row: row.group, [one.package.name for one in found], f"Wheels: {pinned}."),
        grouped("Languages", rows, lambda row: spoken[f"{row.group}/{row.judgement.query}"], LANGUAGES.values(),
                "The local embedder's model is English; “no sentence” is a name, a string or code."),
        by_variant(asked, table, rows),
        direct_against_fused(asked, table, rows),
        unanswerable(rows),
    )  # fmt: skip
    return Report(about, summarise(rows), ablation(asked, table, METRIC), None, more)


def digest() -> str:
    """SHA-256 over the pins and the questions."""
    files = [HERE / "packages.toml", *(package.questions for package in packages())]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def truth_lines(roots: Sequence[Path], indexes: Path, options: argparse.Namespace) -> Iterator[str]:
    yield "## Against tools that know"
    yield ""
    yield from truth.table(truth.measure_all(roots, indexes, options))
    yield ""
    yield (
        f"Definitions from Python's `ast`, strings and expressions from ripgrep; drawn with seed {options.seed}, no"
        " vectors. “made-up” is a small root of hard files (CRLF, CJK, long lines). 95% Wilson intervals. See truth.py."
    )


# --------------------------------------------------------------------------- the command


@contextmanager
def folder(given: Path | None) -> Iterator[Path]:
    if given is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
    else:
        given.mkdir(parents=True, exist_ok=True)
        yield given


def run(options: argparse.Namespace) -> int:
    opened: list[Embedder | None] = []

    def source() -> Embedder | None:
        if not opened:
            opened.append(open_embedder("local"))
        return opened[0]

    with folder(options.work) as work:
        indexes = work / "indexes"
        indexes.mkdir(exist_ok=True)
        found = []
        for package in packages():
            root = lay_out(package, work / "packages").resolve()
            found.append(ask(package, root, indexes, source))
            mean = summary("", [row for row in found[-1].rows if row.judgement.answerable]).means[METRIC]
            print(f"{package.name:12} {len(found[-1].rows):4} questions  {mean:.3f}", file=sys.stderr)
        command = "python benchmarks/receipt.py"  # --work and the like change no figure
        report = report_of(found, command)
        text = markdown(report)
        if not options.no_truth:
            roots = [work / "packages" / package.name for package in packages() if package.name in options.truth]
            text += "\n" + "\n".join(truth_lines(roots, indexes, options)) + "\n"
    options.markdown.write_text(text + f"\nMade on {platform.system()} with {platform.machine()}.\n", "utf-8")
    if options.json is not None:
        options.json.write_text(dumps(report_json(report)), "utf-8")
    if options.markdown == HERE / "RECEIPT.md":
        RULES.write_text(written(report.evaluation.rules, command, report.about.date), "utf-8")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog=(__doc__ or "").split("\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep packages and indexes here")
    parser.add_argument("--markdown", type=Path, metavar="FILE", default=HERE / "RECEIPT.md")
    parser.add_argument("--json", type=Path, metavar="FILE", help="everything, with each question's results")
    parser.add_argument("--no-truth", action="store_true", help="only the judged questions")
    truth.add_arguments(parser)
    parser.set_defaults(names=300, literals=100, patterns=60, truth=("networkx", "rich", "werkzeug"))
    try:
        return run(parser.parse_args())
    except RuntimeError as error:
        print(f"receipt: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
