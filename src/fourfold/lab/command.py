"""The command line that asks a Question again: what the lab proposes and what people copy."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from fourfold.model import MODALITIES, Question


def as_command(
    question: Question,
    root: str | Path,
    index: str | Path | None = None,
    what_if: Sequence[str] = (),
    compare: str = "",
) -> str:
    """``fourfold search … --root …`` with every option that shapes the answer; works from any folder. Preset and limit
    are always told, as a person's settings may hold others.

    ``what_if`` are changes that only the lab can make (``boost=0``): with them it is ``fourfold explain``,
    as with ``compare``, a plan in words to stand beside.
    """
    words = ["fourfold", "explain" if what_if or compare else "search", *_options(question), "--root", str(root)]
    if what_if:
        words += ["--what-if", " ".join(what_if)]
    if compare:
        words += ["--compare", compare]
    if index is not None:
        words += ["--index", str(index)]
    text = " ".join([question.text, *(f"-path:{glob}" for glob in question.filters.not_paths)])
    return shlex.join([*words, "--", text] if text.startswith("-") else [*words[:2], text, *words[2:]])


def _options(question: Question) -> Iterator[str]:
    options, filters = question.options, question.filters
    yield from ("--preset", options.preset)
    if options.intent is not None:
        yield from ("--intent", options.intent)
    if options.strategy != "auto":
        yield from ("--strategy", options.strategy)
    if options.only is not None:
        yield from ("--only", ",".join(options.only))
    if options.weights is not None:
        given = options.weights
        yield from ("--weights", ",".join(f"{m}={given[m]!r}" for m in MODALITIES if m in given))
    if options.k is not None:
        yield from ("--k", str(options.k))
    if options.depth is not None:
        yield from ("--depth", str(options.depth))
    if options.regex:
        yield "--regex"
    yield from ("--limit", str(question.limit))
    for name, values in (("--lang", filters.languages), ("--kind", filters.kinds), ("--path", filters.paths)):
        for value in values:
            yield from (name, value)
