"""Evidence in words: what a modality saw in a result, and its raw score as the sum of its named terms."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.model import Chunk, Contribution, Evidence, Hit, HitList, Modality, Term
from fourfold.tui.bars import ROLES
from fourfold.tui.paint import Row, row
from fourfold.tui.sanitise import clean, shorten_path, wrap

_MATCHES = {
    "exact": "exact name",
    "insensitive": "name, but for case",
    "qualified tail": "tail of a qualified name",
    "tail": "tail of a qualified name",
    "words": "words of the name",
    "path": "words of the path",
    "syntax": "syntax",
}


def lines_in_words(lines: Sequence[int], limit: int = 4) -> str:
    """“12, 14, 20 and 7 more”."""
    shown = ", ".join(str(line) for line in lines[:limit])
    return shown + (f" and {len(lines) - limit} more" if len(lines) > limit else "")


def sentences(modality: Modality, evidence: Evidence) -> list[str]:
    """What can be checked, in words, most telling first; never empty."""
    out: list[str] = []
    if evidence.bits_differ is not None and evidence.bits:
        cosine = f", cosine {evidence.cosine:.3f}".replace("0.", ".", 1) if evidence.cosine is not None else ""
        out.append(f"{evidence.bits_differ} of {evidence.bits} bits differ{cosine}")
        if evidence.bits_unrelated is not None:
            out.append(f"unrelated code differs in about {evidence.bits_unrelated:.0f}")
    elif evidence.cosine is not None:
        out.append(f"cosine {evidence.cosine:.3f}".replace("0.", ".", 1))
    if evidence.symbol:
        where = f", line {evidence.symbol_line}" if evidence.symbol_line else ""
        how = _MATCHES.get(evidence.match, evidence.match) or "named"
        out.append(f"{clean(evidence.symbol)}: {how}{where}")
    elif evidence.match:
        out.append(_MATCHES.get(evidence.match, clean(evidence.match)))
    for matched in evidence.matched:
        if matched.lines:
            times = f" ×{len(matched.lines)}" if len(matched.lines) > 1 else ""
            out.append(f"“{clean(matched.term)}”{times}: line {lines_in_words(matched.lines)}")
        else:
            out.append(f"“{clean(matched.term)}”")
    for step in evidence.path:
        sure = "" if step.certainty == "certain" else f" ({step.certainty})"
        out.append(f"{_tail(step.source)} → {_tail(step.target)} {step.kind}{sure}, {clean(step.path)}:{step.line}")
    if not out:
        out.append("raw score " + sum_of(evidence.terms))
    return out


def _tail(name: str) -> str:
    """The last two parts of a dotted name: enough to recognise it."""
    return clean(".".join(name.split(".")[-2:]))


def sum_of(terms: Sequence[Term]) -> str:
    """“12 exact name + 1.5 path stem”, folded from the left as the raw score is."""
    text = ""
    for index, term in enumerate(terms):
        value = figure(abs(term.value) if index and term.op == "+" else term.value)
        if not index:
            text = f"{value} {clean(term.name)}"
        elif term.op == "*":
            text = (
                f"({text}) × {value} {clean(term.name)}"
                if " + " in text or " − " in text
                else (f"{text} × {value} {clean(term.name)}")
            )
        else:
            text += f" {'−' if term.value < 0 else '+'} {value} {clean(term.name)}"
    return text or "0"


def figure(value: float) -> str:
    """A raw score or term: at most four significant decimals, whole numbers without any."""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.001 else f"{value:.3g}"


def aligned(values: Sequence[float]) -> list[str]:
    """Figures for a column: all with as many decimals as the longest has."""
    texts = [figure(value) for value in values]
    if any("e" in text for text in texts):
        return texts
    places = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [f"{value:.{places}f}" for value in values]


def why_below(above: Hit, below: Hit) -> str:
    """Which term puts ``below`` under the hit above it: the one that differs the most in its disfavour."""
    if above.raw_score <= below.raw_score:
        return "same raw score as the one above; ties keep a fixed order"
    names: dict[str, float] = {}
    for sign, hit in ((1.0, above), (-1.0, below)):
        for term in hit.evidence.terms:
            names[term.name] = names.get(term.name, 0.0) + sign * term.value
    if not names:
        return ""
    name, difference = max(names.items(), key=lambda item: (item[1], item[0]))
    if difference <= 0:
        return f"{figure(above.raw_score - below.raw_score)} below the one above"
    return f"below the one above by “{clean(name)}” (−{figure(difference)})"


def evidence_rows(contributions: Sequence[Contribution], width: int) -> list[Row]:
    """One block a modality: its name in its colour, then its sentences, wrapped."""
    rows: list[Row] = []
    for part in contributions:
        first = True
        for sentence in sentences(part.modality, part.evidence)[:8]:
            for text in wrap(sentence, width - 12):
                label = part.modality if first else ""
                rows.append(row((f"{label:<12}", ROLES[part.modality]), (text, "text" if first else "dim")))
                first = False
    return rows


def raw_rows(contributions: Sequence[Contribution], width: int) -> list[Row]:
    """Each modality's raw score as the sum of its named terms."""
    rows: list[Row] = []
    for part in contributions:
        text = f"{figure(part.raw_score)} = {sum_of(part.evidence.terms)}"
        for index, line in enumerate(wrap(text, width - 12)):
            label = part.modality if not index else ""
            rows.append(row((f"{label:<12}", ROLES[part.modality]), (line, "text" if not index else "dim")))
    return rows


def list_rows(hits: HitList, chunks: dict[int, Chunk], selected: int, depth: int, width: int) -> list[Row]:
    """A modality's whole list: rank, place, raw score, its terms, and why each stands below the one above."""
    rows: list[Row] = []
    role = ROLES[hits.modality]
    scores = aligned([hit.raw_score for hit in hits.hits[:depth]])
    for rank, hit in enumerate(hits.hits[:depth]):
        chunk = chunks.get(hit.chunk_id)
        key = f"c{hit.chunk_id}"
        here = hit.chunk_id == selected
        name = clean(chunk.symbol) if chunk and chunk.symbol else "lines"
        place = f"{clean(chunk.path)}:{chunk.start_line}" if chunk else f"chunk {hit.chunk_id}, no longer there"
        rows.append(
            row(
                (f"#{rank + 1:<4}", role if here else "dim"),
                (name, "bright" if here else "text"),
                ("  ", "text"),
                (shorten_path(place, max(12, width - len(name) - 24)), "dim"),
                right=[(f"{scores[rank]} ", "text")],
                key=key,
            )
        )
        for text in wrap("= " + sum_of(hit.evidence.terms), width - 8)[:3]:
            rows.append(row(("     ", "text"), (text, "dim"), key=key))
        if rank and (here or hits.hits[rank - 1].chunk_id == selected):
            reason = why_below(hits.hits[rank - 1], hit)
            if reason:
                rows.append(row(("     ", "text"), (reason, "text"), key=key))
    return rows
