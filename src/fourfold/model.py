"""The frozen records that the rooms hand to one another: plain data, no behaviour.

Lines are counted from 1 and ranges include both ends; ranks are counted from 0, positions from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

Modality = Literal["semantic", "text", "structural", "graph"]
IntentName = Literal[
    "find_definition", "find_references", "understand_code", "find_similar", "impact_analysis", "exact_match"
]
Certainty = Literal["certain", "likely", "ambiguous"]
ReferenceKind = Literal["call", "construct", "import", "inherit", "implement", "decorate", "read", "write"]
Direction = Literal["in", "out"]
Strategy = Literal["direct", "fused"]
ModalityStatus = Literal["ran", "not_run", "off", "not_built", "failed"]
Decision = Literal["indexed", "partial", "skipped"]

#: The order in which modalities are always listed, and which settles ties.
MODALITIES: tuple[Modality, ...] = get_args(Modality)
INTENTS: tuple[IntentName, ...] = get_args(IntentName)
LETTERS: Mapping[Modality, str] = {"semantic": "S", "text": "T", "structural": "A", "graph": "G"}


# --------------------------------------------------------------------------- what parsing a file yields


@dataclass(frozen=True, slots=True)
class ParsedSymbol:
    """A named definition in one file. ``qualified`` is within the file and dotted in every language
    (``Class.method``); ``parent`` is the index of the enclosing symbol in the file's list, or -1. ``kind`` is one of
    function, method, class, interface, enum, struct, trait, type, constant, variable, field, property, module,
    namespace, macro, heading, key. ``start_line`` to ``end_line`` is the whole definition, decorators and attached doc
    comment lines excluded; ``name_line`` holds the name. ``signature`` is one line; ``doc`` is the first line of the
    documentation, or empty. ``type_name`` is the written return or variable type's last name, or empty. ``entry``
    marks what a framework or the language calls by itself (``main``, ``__init__``, a decorated handler), ``test`` a
    test by the language's own convention, or what stands in a module of tests.
    """

    name: str
    qualified: str
    kind: str
    start_line: int
    end_line: int
    name_line: int
    parent: int = -1
    signature: str = ""
    doc: str = ""
    type_name: str = ""
    entry: bool = False
    test: bool = False


class ParsedReference(NamedTuple):
    """A place that names a symbol: ``receiver.name`` at ``line``:``column`` (bytes), in symbol ``holder`` (-1: module).

    ``receiver`` is the text before the last dot when it is a plain dotted name (``self``, ``os.path``), ``?`` when it
    is a longer expression, and empty when there is none. A call in it may stand as ``name()`` without its arguments
    (``super()``, ``app.make()``), so that its type can be followed. One reference of kind ``import`` stands for each
    imported name (or whole module), on the line of its `ParsedImport`, with that module as receiver.
    """

    name: str
    kind: ReferenceKind
    line: int
    column: int
    holder: int = -1
    receiver: str = ""


@dataclass(frozen=True, slots=True)
class ParsedImport:
    """One imported name. ``name`` is empty for a whole module and ``*`` for everything; ``alias`` is the local name.

    ``level`` counts leading dots of a Python relative import; ``exported`` marks a re-export (``export {x} from``).
    """

    module: str
    name: str
    alias: str
    line: int
    level: int = 0
    holder: int = -1
    exported: bool = False


class ParsedBinding(NamedTuple):
    """A local name or attribute (``x``, ``self.x``) whose type is written or plainly assigned.

    ``type_name`` is dotted as written (``models.User``); ``name()`` for what a call gives where the language cannot
    tell a constructor from a function. Empty: the name is a parameter or local variable of unknown type, which hides
    an outer definition of that name.
    """

    name: str
    type_name: str
    line: int
    holder: int = -1


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """A run of whole lines. ``symbol`` is the index of the symbol that the chunk belongs to, or -1.

    ``kind`` is that symbol's kind, or ``lines`` (code between definitions), ``prose``, ``data``.
    """

    start_line: int
    end_line: int
    symbol: int = -1
    kind: str = "lines"


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that the indexer learns from the text of one file. Chunks cover every line exactly once, in order."""

    language: str
    chunks: tuple[ParsedChunk, ...]
    symbols: tuple[ParsedSymbol, ...] = ()
    references: tuple[ParsedReference, ...] = ()
    imports: tuple[ParsedImport, ...] = ()
    bindings: tuple[ParsedBinding, ...] = ()
    lines: int = 0
    #: Why only part of the file's structure was read (``syntax errors``, ``parse timeout``, …), or empty.
    partial: str = ""


# --------------------------------------------------------------------------- what the index holds


@dataclass(frozen=True, slots=True)
class File:
    """One indexed file. ``path`` is relative to the root with ``/``; ``digest`` is the hex content hash; ``module`` is
    the dotted module name (also for languages that have none: the path without its suffix)."""

    id: int
    path: str
    language: str
    size: int
    mtime_ns: int
    digest: str
    lines: int
    module: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in the index. ``full_name`` is module and qualified name, dotted; ``parent`` a symbol id or 0.
    ``entry`` and ``test`` are as in `ParsedSymbol`; neither is ever dead code.
    """

    id: int
    file_id: int
    chunk_id: int
    path: str
    language: str
    name: str
    qualified: str
    full_name: str
    kind: str
    start_line: int
    end_line: int
    name_line: int
    signature: str
    doc: str
    parent: int
    centrality: float
    entry: bool = False
    test: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk in the index. ``symbol`` is the qualified name of the symbol it belongs to (empty for none).

    ``symbol_line`` is where that symbol's name stands when the chunk holds it, else 0. ``centrality`` is that of the
    most central symbol which the chunk defines, already scaled (PageRank times number of nodes over 10).
    """

    id: int
    file_id: int
    path: str
    language: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    symbol_line: int
    centrality: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved reference: symbol ``source`` refers to symbol ``target`` at ``path``:``line``. Code outside any
    definition belongs to its file's module symbol. ``chunk_id`` is the chunk that holds the reference. Names are full
    names for people to read.
    """

    source: int
    target: int
    kind: ReferenceKind
    certainty: Certainty
    chunk_id: int
    path: str
    line: int
    source_name: str
    target_name: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """What became of a path, and the rule that decided; ``rule_source`` is a file with a line, or a built-in's name."""

    path: str
    decision: Decision
    reason: str
    rule: str = ""
    rule_source: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    files: int = 0
    chunks: int = 0
    symbols: int = 0
    references: int = 0
    edges: int = 0
    vectors: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class IndexState:
    """Where the index stands. Coverage is 0 to 1 for each modality, counted from the tables."""

    generation: int
    coverage: Mapping[Modality, float]
    counts: Counts
    commit: str = ""
    branch: str = ""
    embedder: str = ""
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """One line of progress from the indexing process. ``stage`` is one of walk, parse, graph, vectors, done, error;
    ``done`` and ``total`` count files (walk, parse), references (graph) or chunks (vectors). ``path`` is the file just
    finished, if any.
    """

    stage: str
    done: int
    total: int
    path: str = ""
    text: str = ""
    generation: int = 0


# --------------------------------------------------------------------------- question, intent, plan


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on which chunks may be results; they act inside each modality. Paths are globs relative to the root."""

    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    not_paths: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.languages or self.kinds or self.paths or self.not_paths)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What a person set explicitly; None is "as the intent and the preset say"."""

    preset: str = "default"
    strategy: Literal["auto", "direct", "fused"] = "auto"
    intent: IntentName | None = None
    only: tuple[Modality, ...] | None = None
    weights: Mapping[Modality, float] | None = None
    k: int | None = None
    depth: int | None = None
    regex: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    options: PlanOptions = field(default_factory=PlanOptions)
    filters: Filters = field(default_factory=Filters)
    limit: int = 10
    #: For the *similar* key: the chunk whose stored code is the query and which is left out of the results.
    similar_to: int | None = None


@dataclass(frozen=True, slots=True)
class FiredRule:
    """A rule that matches a question, whether or not an earlier one won."""

    rule: str
    name: IntentName
    confidence: float
    cue: str


@dataclass(frozen=True, slots=True)
class Intent:
    """What kind of question it is. ``confidence`` is the rule's hand-set score, not a probability; ``relation``
    narrows references (call, construct, import, inherit, test, read, write, use, unused); ``also`` holds the later
    rules that would have fired; ``pattern`` says how an exact match is to be read; ``spans`` are the character ranges
    of the subject in the question, for the query bar to mark.
    """

    name: IntentName
    confidence: float
    rule: str
    cue: str = ""
    subject: str | None = None
    direction: Direction | None = None
    language: str = "und"
    direct_eligible: bool = False
    relation: str = ""
    pattern: Literal["", "literal", "regex", "path", "code", "ast", "construct"] = ""
    also: tuple[FiredRule, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Which modalities run, with which weights, and why. ``weights`` holds all four; ``runs`` those that run."""

    intent: Intent
    strategy: Strategy
    reason: str
    preset: str
    k: int
    depth: int
    weights: Mapping[Modality, float]
    runs: tuple[Modality, ...]
    off: tuple[Modality, ...] = ()
    overrides: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    query: str = ""
    regex: bool = False


# --------------------------------------------------------------------------- hits, results, answers


@dataclass(frozen=True, slots=True)
class Term:
    """One named part of a raw score; terms fold left to right from 0 by their ``op``."""

    name: str
    op: Literal["+", "*"]
    value: float


def fold(terms: tuple[Term, ...]) -> float:
    """The raw score that ``terms`` make: folded left to right, starting at 0."""
    score = 0.0
    for term in terms:
        score = score + term.value if term.op == "+" else score * term.value
    return score


@dataclass(frozen=True, slots=True)
class MatchedTerm:
    """A query term and the lines of the chunk's file on which it occurs, ignoring case."""

    term: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path through the graph, with the place of the reference itself."""

    path: str
    line: int
    kind: ReferenceKind
    certainty: Certainty
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a modality lists a chunk: the terms of the raw score, and beside them what can be checked."""

    terms: tuple[Term, ...]
    matched: tuple[MatchedTerm, ...] = ()
    #: semantic: bits that differ, of how many; how many do in unrelated code; the re-scored cosine
    bits_differ: int | None = None
    bits: int | None = None
    bits_unrelated: float | None = None
    cosine: float | None = None
    #: structural: the symbol and how it matched (exact, insensitive, qualified tail, words, path, syntax)
    symbol: str = ""
    match: str = ""
    symbol_line: int = 0
    #: graph: the edges from the result to the subject
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk in one modality's list; its rank is its index there. ``lines`` are the matched lines, if known."""

    chunk_id: int
    raw_score: float
    evidence: Evidence
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HitList:
    """What one modality returned, best first. ``how`` says in a few words what it did; ``partial`` that a time budget
    cut it; ``confident`` that at least one hit's evidence passes the modality's measured noise floor.
    """

    modality: Modality
    status: ModalityStatus
    hits: tuple[Hit, ...] = ()
    how: str = ""
    partial: bool = False
    confident: bool = True
    ms: float = 0.0
    error: str = ""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """``code`` is one of literal_absent, direct_empty, partial, provisional, english_only_model, nothing_matches_well,
    nothing_to_search, stale, target_absent, embedder_unavailable, unknown_filter."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Contribution:
    modality: Modality
    rank: int
    raw_score: float
    weight: float
    contribution: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Result:
    """score = demotion × boost × Σ contribution, to 1e-9. ``others`` are the file's other hits, best first."""

    position: int
    chunk_id: int
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    language: str
    score: float
    boost: float
    centrality: float
    demotion: float
    demotion_reason: str | None
    contributions: tuple[Contribution, ...]
    matched_lines: tuple[int, ...] = ()
    others: tuple[Result, ...] = ()
    more_in_file: int = 0
    stale: bool = False
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """All that is known about one question: what the screen and the JSON show is read from here."""

    question: Question
    root: str
    intent: Intent
    plan: Plan
    lists: Mapping[Modality, HitList]
    results: tuple[Result, ...]
    total: int  # results before the limit
    notices: tuple[Notice, ...]
    timings_ms: Mapping[str, float]
    index: IndexState
