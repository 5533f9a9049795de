"""The way of a question: classify → plan → retrieve → fuse → cite → Answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from fourfold.embedding.base import Embedder, EmbedderUnavailable, QueryVector
from fourfold.lexing import question_words
from fourfold.model import (
    MODALITIES,
    Answer,
    Chunk,
    Filters,
    HitList,
    IndexState,
    Intent,
    Modality,
    Notice,
    Plan,
    Question,
    Result,
)
from fourfold.search import cite
from fourfold.search.classify import classify, take_filters
from fourfold.search.classify.head import head_of
from fourfold.search.demotion import Rule, demoter, is_test_file, older_versions
from fourfold.search.filters import allowed_chunks
from fourfold.search.fuse import Demotion, Placed, make_results, rank_chunks
from fourfold.search.plan import fall_back, make_plan
from fourfold.search.retrieve import graph, semantic, structural, text
from fourfold.search.retrieve.request import Request
from fourfold.search.similar import Subject, find_subject
from fourfold.store.interface import ChunkTable, Reader

#: Seconds that a scan of files may take before it hands over what it has.
SCAN_BUDGET = 2.0

#: How a notice ends that a direct answer found nothing, so that a list follows which was not asked for.
FOLLOWS = "; related code follows"

#: Opens the embedder when it is first needed; returns None when there is none.
EmbedderSource = Callable[[], Embedder | None]
#: The embedder and the question's vector, once they are there, and how many milliseconds they took.
Vector = Future[tuple[Embedder | None, QueryVector | None, float]]
Demoter = Callable[[str], Demotion]


@dataclass(frozen=True, slots=True)
class Understood:
    """A question after classify and plan, before anything is retrieved."""

    body: str
    filters: Filters
    intent: Intent
    plan: Plan


class Engine:
    """Answers questions over one index. Safe to use from several threads.

    ``embedder`` is called at most once, on the first question that needs meaning; when it raises
    `EmbedderUnavailable`, every answer says so and the other modalities go on.
    """

    def __init__(
        self, reader: Reader, embedder: EmbedderSource | None = None, *, demotions: tuple[Rule, ...] | None = None
    ) -> None:
        self.reader = reader
        self._source = embedder
        self._embedder: Embedder | None = None
        self._demotions = demotions
        self._older: tuple[ChunkTable, frozenset[str]] | None = None

    # -- the parts, each usable alone

    def understand(self, question: Question) -> Understood:
        """Intent and plan; nothing is retrieved. Raises `PlanError` for options that make no sense."""
        body, own = take_filters(question.text)
        filters = _merge(question.filters, own)
        if question.options.regex and body.strip():
            intent = Intent(
                "exact_match", 0.9, "10", cue="--regex", subject=body, direct_eligible=True, pattern="regex"
            )
        else:
            intent = classify(body, self.is_known)
        if question.similar_to is not None:
            intent = replace(intent, name="find_similar", direct_eligible=False, rule="8", cue="similar")
        return Understood(body, filters, intent, make_plan(intent, question.options, filters, body))

    def is_known(self, word: str) -> bool:
        """Whether a word is the exact name of a symbol outside demoted paths."""
        demote = self._demoter("", Intent("find_definition", 0.0, ""))
        return any(demote(symbol.path).factor == 1.0 for symbol in self.reader.symbols_named(word, "exact", 50))

    def ask(self, question: Question) -> Answer:
        """The Answer to a question. Raises `PlanError` for options that make no sense; nothing else by design."""
        started = time.perf_counter()
        understood = self.understand(question)
        classified = time.perf_counter()
        intent, plan = understood.intent, understood.plan
        state = self.reader.state()
        if intent.rule == "1":
            notice = Notice("nothing_to_search", "there is nothing to search for: type a name, a phrase or a question")
            timings = {"classify": _ms(started, classified), "retrieve": 0.0, "fuse": 0.0}
            return self._answer(question, intent, plan, {}, [], 0, (notice,), timings, started, state)
        demote = self._demoter(understood.body, intent)
        subject = find_subject(self.reader, intent, question)
        request = self._request(understood, plan, demote, subject)
        lists = self._run(request, plan, state)
        notices: list[Notice] = []
        if plan.strategy == "direct" and not any(found.hits for found in lists.values()) and not broken(plan, lists):
            notices.append(Notice("direct_empty", _empty_text(intent)))
            notices += [notice for found in lists.values() for notice in found.notices]
            plan = fall_back(plan)
            request = self._request(understood, plan, demote, subject)
            lists = {**self._run(request, plan, state, already=lists)}
        retrieved = time.perf_counter()
        places = self.reader.places({hit.chunk_id for found in lists.values() for hit in found.hits})
        demotions = self.demotions(understood, places)
        ranking = rank_chunks(plan, lists, places, demotions)
        chunks = self.reader.chunks(ranking.first(max(question.limit, 0)))
        results = make_results(plan, ranking, chunks, demotions)
        fused = time.perf_counter()
        timings = {
            "classify": _ms(started, classified),
            "retrieve": _ms(classified, retrieved),
            "fuse": _ms(retrieved, fused),
        }
        notices += _notices(plan, lists, state, bool(ranking.files), notices)
        total, told = len(ranking.files), tuple(notices)
        return self._answer(question, intent, plan, lists, results, total, told, timings, started, state, request)

    def lists(self, question: Question, depth: int | None = None) -> dict[Modality, HitList]:
        """All four lists to ``depth`` (every chunk by default), whatever the plan runs: for the lab only."""
        understood = self.understand(question)
        plan = replace(
            understood.plan, runs=MODALITIES, strategy="fused", depth=depth or len(self.reader.chunk_table().ids)
        )
        demote = self._demoter(understood.body, understood.intent)
        subject = find_subject(self.reader, understood.intent, question)
        return self._run(self._request(understood, plan, demote, subject), plan, self.reader.state())

    def demotions(self, understood: Understood, chunks: Mapping[int, Placed]) -> dict[int, Demotion]:
        """The path factor of each chunk for a question, by chunk id: the person's own rules, then those that ship."""
        demote = self._demoter(understood.body, understood.intent)
        return {number: demote(chunk.path) for number, chunk in chunks.items()}

    # -- helpers

    def _demoter(self, question: str, intent: Intent) -> Demoter:
        table = self.reader.chunk_table()
        if self._older is None or self._older[0] is not table:
            # the table is the same object for as long as no file changes
            self._older = (table, older_versions(file.path for file in self.reader.files()))
        return demoter(question, intent, self._older[1], self._demotions)

    def _request(self, understood: Understood, plan: Plan, demote: Demoter, subject: Subject | None) -> Request:
        table = self.reader.chunk_table()
        words = subject.words if subject is not None else tuple(question_words(understood.body))
        return Request(
            plan=plan,
            reader=self.reader,
            table=table,
            query=subject.text if subject is not None else understood.body,
            words=words,
            allowed=allowed_chunks(self.reader, table, understood.filters),
            is_demoted=lambda path: demote(path).factor < 1.0,
            is_test=lambda path: is_test_file(path, self._demotions),
            depth=plan.depth,
            deadline=time.monotonic() + SCAN_BUDGET,
            head="" if subject is not None else head_of(understood.body, understood.intent.language),
            similar_to=subject.chunk if subject is not None else None,
        )

    def _run(
        self, request: Request, plan: Plan, state: IndexState, already: Mapping[Modality, HitList] | None = None
    ) -> dict[Modality, HitList]:
        """Each modality of the plan, one after the other: they share the interpreter. Only the question's vector is
        made beside them, in a thread: a model or a network needs no interpreter, and most of meaning's time goes there.
        """
        lists = {modality: found for modality, found in (already or {}).items() if found.hits and modality in plan.runs}
        due = [modality for modality in plan.runs if modality not in lists]
        if "semantic" in due and len(request.table.ids) and state.coverage["semantic"] > 0.0:
            with ThreadPoolExecutor(1) as beside:
                vector = beside.submit(self._embed, request)
                for modality in sorted(due, key="semantic".__eq__):
                    lists[modality] = self._timed(modality, request, state, vector)
        else:
            for modality in due:
                lists[modality] = self._timed(modality, request, state, None)
        return {modality: lists[modality] for modality in plan.runs}

    def _timed(self, modality: Modality, request: Request, state: IndexState, vector: Vector | None) -> HitList:
        started = time.perf_counter()
        found = self._retrieve(modality, request, state, vector)
        return replace(found, ms=found.ms + _ms(started, time.perf_counter()))

    def _retrieve(self, modality: Modality, request: Request, state: IndexState, vector: Vector | None) -> HitList:
        if not len(request.table.ids):
            return HitList(modality, "not_built", how="nothing is indexed yet", confident=False)
        if modality == "text":
            return text.retrieve(request)
        if modality == "structural":
            return structural.retrieve(request)
        if modality == "graph":
            if state.coverage["graph"] <= 0.0:
                return HitList("graph", "not_built", how="the graph is not built yet", confident=False)
            return graph.retrieve(request)
        try:
            if vector is None:
                how = "no embedder" if self._open_embedder() is None else "no vectors yet"
                return HitList("semantic", "not_built", how=how, confident=False)
            embedder, query, ms = vector.result()
            if embedder is None or query is None:
                return HitList("semantic", "not_built", how="no embedder", confident=False)
            return replace(semantic.retrieve(request, embedder, query), ms=ms)
        except EmbedderUnavailable as error:
            return HitList("semantic", "failed", error=str(error), confident=False)

    def _embed(self, request: Request) -> tuple[Embedder | None, QueryVector | None, float]:
        started = time.perf_counter()
        embedder = self._open_embedder()
        query = None if embedder is None else semantic.embed(request, embedder)
        return embedder, query, _ms(started, time.perf_counter())

    def _open_embedder(self) -> Embedder | None:
        if self._embedder is None and self._source is not None:
            self._embedder = self._source()
        return self._embedder

    def _answer(
        self,
        question: Question,
        intent: Intent,
        plan: Plan,
        lists: Mapping[Modality, HitList],
        results: Sequence[Result],
        total: int,
        notices: tuple[Notice, ...],
        timings: Mapping[str, float],
        started: float,
        state: IndexState,
        request: Request | None = None,
    ) -> Answer:
        """``results`` are those that are shown, ``total`` counts all."""
        if request is not None:
            results = cite.cite(self.reader, request.words, results)
            if any(result.stale for result in results):
                notices = (
                    *notices,
                    Notice("stale", "some results stand in files that changed since they were indexed"),
                )
        return Answer(
            question=question,
            root=self.reader.root,
            intent=intent,
            plan=plan,
            lists=lists,
            results=tuple(results),
            total=total,
            notices=notices,
            timings_ms={**timings, "total": _ms(started, time.perf_counter())},
            index=state,
        )


def broken(plan: Plan, lists: Mapping[Modality, HitList]) -> str:
    """What is wrong with a regular expression or a syntax query that was written as one and cannot be read; or empty.

    Other code is no answer to it. What only looks like an expression may have been meant as words.
    """
    intent = plan.intent
    asked: Modality | None = "structural" if intent.pattern == "ast" else None
    if plan.regex or (intent.pattern == "regex" and intent.cue == "/…/"):
        asked = "text"
    found = lists.get(asked) if asked is not None else None
    return found.error if found is not None and found.status == "failed" else ""


def _merge(given: Filters, own: Filters) -> Filters:
    return Filters(
        languages=(*given.languages, *own.languages),
        kinds=(*given.kinds, *own.kinds),
        paths=(*given.paths, *own.paths),
        not_paths=(*given.not_paths, *own.not_paths),
    )


def _empty_text(intent: Intent) -> str:
    subject = intent.subject or ""
    if intent.name == "find_definition":
        return f"no definition of {subject}{FOLLOWS}"
    if intent.name == "exact_match":
        return f"“{subject}” is nowhere{FOLLOWS}"
    what = "nothing depends on" if intent.name == "impact_analysis" else "no reference to"
    return f"{what} {subject} was found{FOLLOWS}"


def _notices(
    plan: Plan, lists: Mapping[Modality, HitList], state: IndexState, results: bool, known: list[Notice]
) -> list[Notice]:
    """What must be said about an answer before its list."""
    notices: dict[str, Notice] = {}
    seen = {notice.code for notice in known}
    for found in lists.values():
        for notice in found.notices:
            notices.setdefault(notice.code, notice)
        if found.partial:
            notices.setdefault("time", Notice("partial", f"{found.modality} list cut by its time budget"))
        if found.status == "failed":
            notices.setdefault(
                f"{found.modality}_failed", Notice("embedder_unavailable", found.error)
            ) if found.modality == "semantic" else notices.setdefault(
                "failed", Notice("failed", f"{found.modality}: {found.error}")
            )
    # an index without an embedder waits for no vectors
    due = [m for m in plan.runs if m != "semantic" or state.embedder != "none"]
    waiting = [m for m in due if state.coverage.get(m, 1.0) < 1.0]
    if waiting:
        shown = ", ".join(f"{modality} {state.coverage[modality]:.0%}" for modality in waiting)
        notices.setdefault("provisional", Notice("provisional", f"{shown}, order provisional"))
    ran = [found for found in lists.values() if found.status == "ran"]
    if results and ran and not any(found.confident and found.hits for found in ran):
        notices.setdefault("nothing_matches_well", Notice("nothing_matches_well", "nothing matches well"))
    return [notice for code, notice in notices.items() if code not in seen]


def _ms(start: float, end: float) -> float:
    return (end - start) * 1000.0


def chunk_at(reader: Reader, path: str, line: int) -> Chunk | None:
    """The chunk of a file that holds a line."""
    file = reader.file(path)
    if file is None:
        return None
    return next((c for c in reader.chunks_of_file(file.id) if c.start_line <= line <= c.end_line), None)
