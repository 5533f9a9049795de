"""Each language read on a sample that holds every construct of its row in docs/languages.md.

What is read of each sample stands beside it, in ``data/readings``: every symbol with its kind, lines, qualified name,
parent and documentation, every reference with its kind, every import. ``FOURFOLD_SNAPSHOTS=write`` writes it anew.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest

from fourfold.indexing.embedded import PAGES
from fourfold.indexing.parse import parse, readable
from fourfold.languages import detect
from fourfold.languages.coverage import table
from fourfold.languages.grammar import matched_patterns, parse_tree, query_text
from fourfold.languages.notebook import derive
from fourfold.languages.table import LANGUAGES
from fourfold.model import ParsedFile

SAMPLES = Path(__file__).parents[1] / "data" / "languages"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_file())
#: Captures that a reader of the table relies on.
RELATIONS = re.compile(r"@(?:def\.\w+|(?:call|construct|decorate|write|inherit|implement|import|doc)\b)")


@cache
def sample(name: str) -> ParsedFile:
    data = (SAMPLES / name).read_bytes()
    return parse(name, data, detect(name, data))


@cache
def rows() -> dict[str, list[str]]:
    """Language → the cells of its row."""
    lines = [line.strip("|").split("|") for line in table().splitlines() if line.startswith("| ")][1:]
    return {cells[0].strip(): [cell.strip() for cell in cells] for cells in lines}


def said(found: ParsedFile) -> str:
    """What was read, as text."""
    lines = []
    for symbol in found.symbols:
        parent = found.symbols[symbol.parent].qualified if symbol.parent >= 0 else "-"
        lines.append(
            f"{symbol.start_line}-{symbol.end_line} {symbol.kind} {symbol.qualified} in {parent}"
            + (f": {symbol.type_name}" if symbol.type_name else "")
            + (" (entry)" if symbol.entry else "")
            + (f' "{symbol.doc}"' if symbol.doc else "")
        )
    lines.append("")
    for item in found.references:
        holder = found.symbols[item.holder].qualified if item.holder >= 0 else "-"
        receiver = f"{item.receiver}." if item.receiver else ""
        lines.append(f"{item.line} {item.kind} {receiver}{item.name} in {holder}")
    lines.append("")
    for imported in found.imports:
        alias = f" as {imported.alias}" if imported.alias else ""
        lines.append(f"{imported.line} import {imported.name or '-'} from {imported.module}{alias}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_all_that_is_read_of_a_sample(name: str) -> None:
    path = SAMPLES.parent / "readings" / f"{name}.txt"
    text = said(sample(name))
    if os.environ.get("FOURFOLD_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("language", [entry.name for entry in LANGUAGES if entry.query])
def test_the_table_claims_what_the_sample_shows(language: str) -> None:
    found = [sample(name) for name in NAMES if sample(name).language == language]
    assert found, "no sample"
    cells = rows()[language]
    symbols = [symbol for file in found for symbol in file.symbols]
    # a kind may be made more precise by where it stands: a function in a class is a method
    kinds = {symbol.kind for symbol in symbols}
    references = {item.kind for file in found for item in file.references}
    assert set(filter(None, cells[1].split(", "))) - kinds == set()
    # a type is a read that can be no local
    assert set(filter(None, cells[2].replace("type", "read").split(", "))) - references == set()
    assert bool(cells[3]) == any(file.imports for file in found)
    if language not in PAGES:  # what their scripts inherit is a matter of the script
        assert bool(references & {"inherit", "implement"}) == bool(cells[4])
        assert ("implement" in references) == (cells[4] == "●")
    assert any(symbol.doc for symbol in symbols) == bool(cells[5])
    if cells[6]:
        assert any(symbol.entry for symbol in symbols) or language == "zig"  # there a test is a kind of its own


def test_every_pattern_for_a_relation_occurs_in_some_sample() -> None:
    wanted: set[str] = set()
    seen: set[str] = set()
    for name in NAMES:
        data = (SAMPLES / name).read_bytes()
        entry = next(entry for entry in LANGUAGES if entry.name == sample(name).language)
        tree = parse_tree(entry.name, readable(entry, derive(data) if entry.name == "jupyter" else data), 5.0)
        assert tree is not None
        for text, matched in matched_patterns(entry.name, tree):
            text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(";")).strip()
            if RELATIONS.search(text):
                wanted.add(text)
            if matched:
                seen.add(text)
    assert wanted - seen == set()
    assert len(wanted) > 300
    assert all(re.search(r"@\w", query_text(entry.query)) for entry in LANGUAGES if entry.query)
