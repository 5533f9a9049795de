"""What was measured, with what, as JSON, as Markdown and as lines for a terminal: figures that others can check.

Nothing in a receipt depends on the machine but the latencies, which say so.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from fourfold import __version__
from fourfold.lab.evaluate import Ablated, Evaluation, Group, Row
from fourfold.lab.experiment import Change, Comparison
from fourfold.lab.losses import Side
from fourfold.lab.metrics import LABELS, METRICS, RESAMPLES, SEED
from fourfold.lab.snapshot import to_plain
from fourfold.model import IndexState

SCHEMA = 1
WORST = 10


@dataclass(frozen=True, slots=True)
class About:
    """Where figures come from: ``root`` and ``judgements`` are names, ``digest`` the SHA-256 of the judgements,
    ``date`` YYYY-MM-DD, ``command`` the command line."""

    root: str
    judgements: str
    digest: str
    date: str
    command: str
    plan: str
    #: Whose vectors the index holds: the embedder and the identity of its space.
    model: str = ""
    missing: tuple[str, ...] = ()
    index: IndexState | None = None


@dataclass(frozen=True, slots=True)
class Versus:
    """A comparison, and what its two plans are called."""

    baseline: str
    candidate: str
    comparison: Comparison
    #: The commands that ask a lost question under both plans, by question id.
    commands: Mapping[str, tuple[str, str]]
    #: The command that shows a lost question's two lists side by side, by question id.
    compare: Mapping[str, str] = field(default_factory=dict)
    #: Both plans as they can be asked again, baseline first; none where one cannot.
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A table with a heading; ``note`` stands under it. The first column is text, the others are numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """``more`` are tables that stand after the figures."""

    about: About
    evaluation: Evaluation
    ablation: tuple[Ablated, ...] = ()
    versus: Versus | None = None
    more: tuple[Section, ...] = ()


# --------------------------------------------------------------------------- as tables


def sections(report: Report) -> Iterator[Section]:
    """Every part of a report that has something to say."""
    evaluation = report.evaluation
    yield _figures(evaluation)
    yield from report.more
    if evaluation.rules:
        yield _rules(evaluation)
    if evaluation.declined.questions:
        yield _declined(evaluation)
    if report.ablation:
        yield _ablation(report.ablation)
    if report.versus is not None:
        yield _versus(report.versus)
        if report.versus.comparison.losses:
            yield _losses(report.versus)
    if evaluation.latency:
        yield _latency(evaluation)


def _figures(evaluation: Evaluation) -> Section:
    shown = [m for m in METRICS if m != "file10" and (evaluation.graded or m != "graded10")]
    groups = [evaluation.overall]
    for more in (evaluation.kinds, evaluation.intents, evaluation.stems, evaluation.splits):
        groups += more if len(more) > 1 or more is evaluation.stems else ()
    rows = [_group_row(group, shown) for group in groups]
    return Section(
        "Figures",
        ("", "questions", *(LABELS[metric] for metric in shown)),
        tuple(rows),
        "Means with 95% bootstrap intervals. Unjudged results count as wrong, perhaps unjustly: their share is beside.",
    )


def _group_row(group: Group, metrics: Sequence[str]) -> tuple[str, ...]:
    cells = []
    for metric in metrics:
        low, high = group.intervals[metric]
        spread = f" [{low:.3f}, {high:.3f}]" if metric not in ("zero", "unjudged10", "first") else ""
        cells.append(f"{group.means[metric]:.3f}{spread}")
    return (group.name, str(group.questions), *cells)


def _rules(evaluation: Evaluation) -> Section:
    rows = tuple(
        (f"rule {rule.rule}", str(rule.fired), str(rule.right), f"{rule.accuracy:.3f} [{low:.3f}, {high:.3f}]")
        for rule in evaluation.rules
        for low, high in (rule.interval,)
    )
    note = "How often the intent of a rule was right, where the judgement names it; 95% Wilson intervals."
    return Section("Intent rules", ("", "fired", "right", "accuracy"), rows, note)


def _declined(evaluation: Evaluation) -> Section:
    told = evaluation.declined
    rows = (
        ("without an answer", str(told.questions), str(told.declined)),
        ("with an answer", str(told.answerable), str(told.doubted_wrongly)),
    )
    note = "Doubted: no result, or a notice that nothing was found or matches well. The first row should be high."
    return Section("Questions without an answer", ("", "questions", "doubted"), rows, note)


def _ablation(ablation: Sequence[Ablated]) -> Section:
    first = ablation[0].comparison
    head = ("default", f"{first.baseline:.3f}", "", "", "", "")
    rows = tuple((one.variant, f"{one.comparison.candidate:.3f}", *_paired(one.comparison)) for one in ablation)
    return Section(
        "Ablation",
        ("", LABELS[first.metric], "difference", "95%", "p", "wins/ties/losses"),
        (head, *rows),
        "Each against the default plan, question by question. p is for each row alone: of twenty equal plans, one"
        " falls below 0.05 by chance.",
    )


def _paired(comparison: Comparison) -> tuple[str, ...]:
    counts = f"{comparison.wins}/{comparison.ties}/{comparison.losses}"
    return (
        f"{comparison.difference:+.4f}",
        f"[{comparison.low:+.4f}, {comparison.high:+.4f}]",
        f"{comparison.p:.4f}",
        counts,
    )


def _versus(versus: Versus) -> Section:
    comparison = versus.comparison
    rows = (
        (f"baseline: {versus.baseline}", f"{comparison.baseline:.4f}", "", "", "", ""),
        (f"candidate: {versus.candidate}", f"{comparison.candidate:.4f}", *_paired(comparison)),
    )
    header = ("", LABELS[comparison.metric], "difference", "95%", "p", "wins/ties/losses")
    return Section("Candidate against baseline", header, rows)


def _losses(versus: Versus) -> Section:
    rows = tuple(
        (change.judgement.query, f"{change.difference:+.4f}", f"{change.baseline:.3f}", f"{change.candidate:.3f}",
         f"{_place(change.baseline_rank)} → {_place(change.candidate_rank)}")
        for change in versus.comparison.worst(WORST)
    )  # fmt: skip
    return Section("Worst losses", ("", "difference", "baseline", "candidate", "first answer"), rows)


def _place(rank: int | None) -> str:
    return f"#{rank}" if rank is not None else "none"


def _latency(evaluation: Evaluation) -> Section:
    rows = tuple(
        (part, str(found.questions), f"{found.p50_ms:.1f}", f"{found.p95_ms:.1f}")
        for part, found in evaluation.latency.items()
    )
    note = "Milliseconds, warm, on the machine that made this; direct and fused are whole answers."
    return Section("Latency", ("", "questions", "p50", "p95"), rows, note)


# --------------------------------------------------------------------------- written out


def text_lines(report: Report) -> Iterator[str]:
    """For a terminal."""
    for number, section in enumerate(sections(report)):
        if number:
            yield ""
        yield section.title
        widths = [max(len(row[i]) for row in (section.header, *section.rows)) for i in range(len(section.header))]
        for row in (section.header, *section.rows):
            first, rest = row[0].ljust(widths[0]), (c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))
            yield f"  {'  '.join((first, *rest))}".rstrip()
        if section.title == "Worst losses" and report.versus is not None:
            for change in report.versus.comparison.worst(WORST):
                asked = change.judgement.id
                yield from (f"  {command}" for command in report.versus.commands.get(asked, ()))
                if asked in report.versus.compare:
                    yield f"  {report.versus.compare[asked]}"


def markdown(report: Report) -> str:
    """The receipt."""
    about = report.about
    lines = [f"# Ranking quality: {_cell(about.judgements)} on {_cell(about.root)}", ""]
    lines += [f"- {name}: {_cell(value)}" for name, value in _facts(report)]
    lines += ["", "```", " ".join(about.command.split("\n")).replace("```", "` ` `"), "```", ""]
    for section in sections(report):
        lines += [f"## {section.title}", ""]
        lines.append(_row(section.header))
        lines.append("|---|" + "---:|" * (len(section.header) - 1))
        lines += [_row(row) for row in section.rows]
        lines += ["", section.note, ""] if section.note else [""]
    return "\n".join(lines).rstrip() + "\n"


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    about, declined = report.about, report.evaluation.declined
    yield "date", about.date
    yield "plan", about.plan
    yield "questions", f"{declined.answerable} with an answer, {declined.questions} without"
    yield "judgements", f"SHA-256 {about.digest}"
    if about.missing:
        yield "judged files that the index does not hold", str(len(about.missing))
    yield from versions().items()
    yield "model", about.model or "none"
    state = about.index
    if state is not None:
        yield "commit", state.commit or "not in a repository"
        counts = state.counts
        yield "index", f"{counts.files:,} files, {counts.chunks:,} chunks, {counts.vectors:,} vectors"
    yield "resampling", f"{RESAMPLES:,} draws, seed {SEED}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    """Text that stays in its cell and is no markup."""
    plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))
    for sign in "\\`*_|<":
        plain = plain.replace(sign, f"\\{sign}")
    return plain


def versions() -> dict[str, str]:
    return {"fourfold": __version__, "Python": platform.python_version(), "numpy": np.__version__}


# --------------------------------------------------------------------------- as data


def report_json(report: Report) -> dict[str, Any]:
    """Everything, with every question's results, so that the figures can be made again from it."""
    about, evaluation = report.about, report.evaluation
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "root": about.root,
        "judgements": {"name": about.judgements, "sha256": about.digest, "missing": list(about.missing)},
        "date": about.date,
        "command": about.command,
        "plan": about.plan,
        "versions": versions(),
        "resampling": {"draws": RESAMPLES, "seed": SEED},
        "model": about.model,
        "index": _index(about.index),
        "graded": evaluation.graded,
        "figures": {
            "all": group_json(evaluation.overall),
            "kinds": {group.name: group_json(group) for group in evaluation.kinds},
            "intents": {group.name: group_json(group) for group in evaluation.intents},
            "stems": {group.name: group_json(group) for group in evaluation.stems},
            "splits": {group.name: group_json(group) for group in evaluation.splits},
        },
        "rules": [
            {"rule": r.rule, "fired": r.fired, "right": r.right, "accuracy": r.accuracy, "interval": list(r.interval)}
            for r in evaluation.rules
        ],
        "unanswerable": asdict(evaluation.declined),
        "latency_ms": {part: asdict(found) for part, found in evaluation.latency.items()},
        "questions": [row_json(row) for row in evaluation.rows],
    }
    if report.ablation:
        data["ablation"] = [
            {"group": one.group, "variant": one.variant, **comparison_json(one.comparison)} for one in report.ablation
        ]
    if report.versus is not None:
        versus = report.versus
        data["comparison"] = {
            "plans": {"baseline": versus.baseline, "candidate": versus.candidate},
            **({"sides": [to_plain(side) for side in versus.sides]} if versus.sides else {}),
            **comparison_json(versus.comparison),
            "changes": [_change(change, versus) for change in versus.comparison.changes],
            "worst": [_change(change, versus) for change in versus.comparison.worst(WORST)],
        }
    return data


def group_json(group: Group) -> dict[str, Any]:
    return {
        "questions": group.questions,
        **{metric: {"mean": group.means[metric], "interval": list(group.intervals[metric])} for metric in METRICS},
    }


def row_json(row: Row) -> dict[str, Any]:
    judgement = row.judgement
    return {
        "id": judgement.id,
        **({"codebase": row.group} if row.group else {}),
        "query": judgement.query,
        "kind": judgement.kind,
        "split": judgement.split,
        "answerable": judgement.answerable,
        "intent": row.intent,
        "right_intents": list(judgement.intents),
        "rule": row.rule,
        "strategy": row.strategy,
        "notices": list(row.notices),
        "figures": asdict(row.figures),
        "ms": dict(row.ms),
        "results": [{"path": p.path, "start_line": p.start, "end_line": p.end} for p in row.results],
    }


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "metric": comparison.metric,
        "baseline": comparison.baseline,
        "candidate": comparison.candidate,
        "difference": comparison.difference,
        "interval": [comparison.low, comparison.high],
        "p": comparison.p,
        "wins": comparison.wins,
        "ties": comparison.ties,
        "losses": comparison.losses,
        "regression": comparison.regression,
    }


def _change(change: Change, versus: Versus) -> dict[str, Any]:
    judgement = change.judgement
    data = {
        "id": judgement.id,
        "query": judgement.query,
        "kind": judgement.kind,
        "baseline": change.baseline,
        "candidate": change.candidate,
        "difference": change.difference,
        "first_answer": [change.baseline_rank, change.candidate_rank],
    }
    if judgement.id in versus.commands:
        data["commands"] = list(versus.commands[judgement.id])
    if judgement.id in versus.compare:
        data["compare"] = versus.compare[judgement.id]
    return data


def _index(state: IndexState | None) -> dict[str, Any] | None:
    if state is None:
        return None
    return {
        "commit": state.commit,
        "branch": state.branch,
        "coverage": dict(state.coverage),
        "files": state.counts.files,
        "chunks": state.counts.chunks,
        "vectors": state.counts.vectors,
    }
