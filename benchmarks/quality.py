"""Ranking quality on many judged repositories: one table, each repository a row, and everything pooled.

    python benchmarks/quality.py --corpora DIR --judgements DIR
    python benchmarks/quality.py --corpora DIR --judgements DIR --ablate --markdown receipt.md
    python benchmarks/quality.py --corpora DIR --judgements DIR --only click,gin --set 'preset=thorough'

``--judgements`` holds ``repos.json`` (a list of {"name", "language", "revision", "benchmark_root"}) and
``annotations/NAME.json``; ``--corpora`` holds each repository as NAME, whose folder ``benchmark_root`` is searched. An
index a repository is made in ``--indexes`` (default: a folder that is thrown away); nothing is tuned per repository.

Figures are those of ``fourfold evaluate`` (strict NDCG@10, one result a file, local embedder). Intervals of the pooled
figures resample questions; that of the mean over repositories resamples repositories, which is wider and the fairer
guess for a repository that nobody looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fourfold.cli.errors import Problem
from fourfold.cli.evaluate import portable, read, today
from fourfold.cli.plans import PlanInWords, plan_in_words
from fourfold.embedding import Embedder, open_embedder
from fourfold.indexing.pipeline import refresh
from fourfold.lab.evaluate import Row, Table, ablation, ablation_variants, ask_all, rank_all, summarise, summary
from fourfold.lab.experiment import DEFAULT, Bench, compare
from fourfold.lab.judgements import locate
from fourfold.lab.metrics import bootstrap
from fourfold.lab.receipt import About, Report, Section, Versus, markdown, report_json, text_lines
from fourfold.paths import current_index
from fourfold.search.engine import Engine
from fourfold.search.serialise import dumps
from fourfold.store.origin import notes_of
from fourfold.store.reader import SqliteReader


@dataclass(frozen=True)
class Repository:
    """One repository of ``repos.json``, and its folder that is searched."""

    name: str
    language: str
    root: Path


@dataclass(frozen=True)
class Measured:
    """All that came of one repository; ``table`` is empty unless plans are compared."""

    repository: Repository
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    table: Table
    model: str


def repositories(corpora: Path, judgements: Path, only: str | None) -> list[Repository]:
    """Those of ``repos.json`` that are there, in its order; raises Problem when there is none, or no such name."""
    listed: list[dict[str, Any]] = json.loads((judgements / "repos.json").read_text("utf-8"))
    wanted = only.split(",") if only else [row["name"] for row in listed]
    unknown = set(wanted) - {row["name"] for row in listed}
    if unknown:
        raise Problem(f"no such repository in repos.json: {', '.join(sorted(unknown))}")
    found = []
    for row in listed:
        root = corpora / row["name"] / (row.get("benchmark_root") or "")
        if row["name"] in wanted and root.is_dir():
            found.append(Repository(row["name"], row["language"], root.resolve()))
        elif row["name"] in wanted:
            print(f"{row['name']}: not in {corpora}, left out", file=sys.stderr)
    if not found:
        raise Problem(f"none of the repositories is in {corpora}")
    return found


class Embedders:
    """The local model, opened once for all repositories."""

    def __init__(self) -> None:
        self._opened: Embedder | None = None

    def __call__(self) -> Embedder | None:
        if self._opened is None:
            self._opened = open_embedder("local")
        return self._opened


def measure(
    repository: Repository, judgements: Path, indexes: Path, embedder: Embedders, plan: PlanInWords, ablate: bool
) -> Measured:
    """Index one repository, ask its questions, and rank them under every variant that is to be compared."""
    base = indexes / f"{repository.name}.db"
    refresh(repository.root, base, embedder="local", vectors=True, report=lambda progress: None)
    index = current_index(base)
    reader = SqliteReader(index, repository.root)
    try:
        asked, _ = read(questions_of(judgements, repository.name), None, "all")
        located = locate(asked, (file.path for file in reader.files()), repository.root.as_posix())
        numbered = tuple(replace(j, id=f"{repository.name}/{j.id}") for j in located.judgements)
        bench = Bench(Engine(reader, embedder))
        rows = ask_all(bench, numbered, plan.variant.options, group=repository.name)
        variants = ablation_variants() if ablate else (DEFAULT,) if plan.variant != DEFAULT else ()
        table = rank_all(bench, numbered, variants)
        model = f"{reader.state().embedder}, space {notes_of(index).get('space', '')}"
        return Measured(repository, rows, located.missing, table, model)
    finally:
        reader.close()


def questions_of(judgements: Path, name: str) -> Path:
    return judgements / "annotations" / f"{name}.json"


# --------------------------------------------------------------------------- tables


def by_repository(measured: Sequence[Measured]) -> Section:
    """One row a repository, then the mean over them."""
    rows = []
    means = []
    for one in measured:
        found = summary(one.repository.name, [row for row in one.rows if row.judgement.answerable])
        low, high = found.intervals["ndcg10"]
        means.append(found.means["ndcg10"])
        figures = (f"{found.means[metric]:.3f}" for metric in ("mrr10", "recall10", "first", "zero", "unjudged10"))
        name = f"{one.repository.name} ({one.repository.language})"
        rows.append((name, str(found.questions), f"{means[-1]:.3f} [{low:.3f}, {high:.3f}]", *figures))
    low, high = bootstrap(np.array(means)[:, None])[:, 0]
    rows.append(("mean over repositories", "", f"{np.mean(means):.3f} [{low:.3f}, {high:.3f}]", *[""] * 5))
    header = ("", "questions", "NDCG@10", "MRR@10", "recall@10", "first", "zero results", "unjudged@10")
    return Section("Repositories", header, tuple(rows), "The last interval is over repositories, not questions.")


def report_of(measured: Sequence[Measured], plan: PlanInWords, ablate: bool, digest: str) -> Report:
    """Everything pooled, each question once."""
    rows = tuple(row for one in measured for row in one.rows)
    asked = tuple(row.judgement for row in rows)
    names = measured[0].table
    table = {name: tuple(ranking for one in measured for ranking in one.table[name]) for name in names}
    ablated = ablation(asked, table, "ndcg10") if ablate else ()
    versus = None
    if plan.variant != DEFAULT:
        found = compare(asked, table[DEFAULT.name], [row.results for row in rows], "ndcg10")
        versus = Versus(DEFAULT.name, plan.name, found, {})
    about = About(
        root=f"{len(measured)} repositories",
        judgements="judged questions",
        digest=digest,
        date=today(),
        command=shlex.join(["python", "benchmarks/quality.py", *map(portable, sys.argv[1:])]),
        plan=plan.name,
        model=measured[0].model,
        missing=tuple(f"{one.repository.name}/{path}" for one in measured for path in one.missing),
    )
    return Report(about, summarise(rows), ablated, versus, (by_repository(measured),))


def digest_of(judgements: Path, found: Sequence[Repository]) -> str:
    """SHA-256 over repos.json (which pins the revisions) and the questions of the repositories used."""
    files = [judgements / "repos.json", *(questions_of(judgements, repository.name) for repository in found)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@contextmanager
def folder(given: Path | None) -> Iterator[Path]:
    if given is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
    else:
        given.mkdir(parents=True, exist_ok=True)
        yield given


def main() -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog=(__doc__ or "").split("\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--corpora", type=Path, required=True, help="the repositories, each in a folder of its name")
    parser.add_argument("--judgements", type=Path, required=True, help="repos.json and annotations/")
    parser.add_argument("--indexes", type=Path, help="keep the index files here, for the next time")
    parser.add_argument("--only", metavar="NAME,NAME", help="only these repositories")
    parser.add_argument("--set", metavar="PLAN", default="", help="measure this plan, against the default one")
    parser.add_argument("--ablate", action="store_true", help="compare modalities, factors, presets and strategies")
    parser.add_argument("--json", action="store_true", help="everything as JSON on standard output")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a receipt")
    options = parser.parse_args()
    try:
        return run(options)
    except Problem as problem:
        print(f"quality: {problem.text}", file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> int:
    plan = plan_in_words(options.set)
    if plan.variant.options == DEFAULT.options and plan.plain:
        plan = PlanInWords(DEFAULT)
    if not plan.plain:
        raise Problem("--set takes only what a search takes: preset, strategy, intent, only, weights, k, depth")
    found = repositories(options.corpora, options.judgements, options.only)
    embedder, measured = Embedders(), []
    with folder(options.indexes) as indexes:
        for repository in found:
            measured.append(measure(repository, options.judgements, indexes, embedder, plan, options.ablate))
            mean = summary("", measured[-1].rows).means["ndcg10"]
            print(f"{repository.name:24} {len(measured[-1].rows):4} questions  NDCG@10 {mean:.3f}", file=sys.stderr)
    report = report_of(measured, plan, options.ablate, digest_of(options.judgements, found))
    if options.markdown is not None:
        options.markdown.write_text(markdown(report), "utf-8")
    if options.json:
        print(dumps(report_json(report)))
    else:
        print("\n".join(text_lines(report)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
