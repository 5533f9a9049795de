"""Names: symbols by exact name first, then chunks by the words of the names that stand for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.lexing import FILE_NAME, OWN_NAME, light_stem, name_words, path_words, question_words
from fourfold.model import Evidence, Hit, HitList, Symbol, Term
from fourfold.search.retrieve.request import (
    Floats,
    Request,
    best_first,
    best_of_file,
    inverse_document_frequency,
    rows_and_counts,
    top_rows,
    total_of,
)
from fourfold.store.interface import ChunkTable, NameMatch, Posting

#: Exact tiers; the distance between them is more than all that is added within one.
EXACT = 1000.0
SIGIL = 950.0
INSENSITIVE = 900.0
TAIL = 800.0
IMPORTED = 700.0
#: Files that speak for their folder.
FACADES = frozenset({"__init__", "index", "mod", "lib"})
#: Signs that stand before a name and are not asked for.
SIGNS = ("$", "_", "__", "@")
#: A test, an example or the like that bears the name stands below every definition in the code itself.
ASIDE = -20.0
#: The share of the mean of the file's three best chunks.
FILE_SHARE = 1.0
#: What a name's word is worth when only the beginning agrees (``auth`` and ``authenticate``), times the shared part.
PREFIX = 0.8
#: Shortest beginning that counts.
PREFIX_LENGTH = 3
#: Beginnings of a word are looked up to this length; no name has a longer part.
LONGEST_WORD = 64
#: How much it counts that a question asks for the whole of a name, not for a word of it. Measured on 22 repositories:
#: NDCG@10 of this modality alone .841 with it, .812 without.
COMPLETE = 2.0
#: How much more a word counts that stands in the question's head. Measured on 22 repositories: NDCG@10 of this modality
#: alone .863 with it, .845 without.
HEAD = 2.5
#: A list is trusted when its best hit covers at least this share of the question's weight.
COVERED = 0.35

#: A definition of a type or a function is what people look for by name; a field that shares the name is not.
KIND_WEIGHT: Mapping[str, float] = {
    "class": 5.0, "interface": 5.0, "struct": 5.0, "trait": 5.0, "enum": 5.0, "type": 4.5, "function": 4.5,
    "macro": 4.0, "method": 4.0, "module": 3.5, "namespace": 3.0, "constant": 3.0, "property": 2.0, "variable": 2.0,
    "field": 1.5, "heading": 1.0, "key": 0.5,
}  # fmt: skip

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*")
_SEPARATOR = re.compile(r"::|#|->|/")


@dataclass(frozen=True, slots=True)
class Found:
    symbol: Symbol
    tier: float
    match: str


def retrieve(request: Request) -> HitList:
    """Exact names first; for a question in words, the chunks whose names share its words below them."""
    if request.intent.pattern in ("ast", "construct"):
        # imported here: the grammars are needed by no other question, and cost the command line its start
        from fourfold.search.retrieve.syntax import find_syntax

        return find_syntax(request)
    names = used_names(request) if request.intent.direction == "out" else wanted_names(request)
    found = find_named(request, names)
    exact = [_exact_hit(request, item) for item in _per_chunk(found)]
    direct = request.plan.strategy == "direct"
    if direct or (exact and is_one_identifier(request.query)):
        exact = best_first(request.table, exact)
        how = f"symbol name, {found[0].match}" if found else "symbol name"
        return HitList("structural", "ran", tuple(exact[: request.depth]), how=how, confident=bool(exact))
    exact += find_imported(request, names, found)
    by_words, covered = find_by_words(request, {hit.chunk_id for hit in exact})
    hits = best_first(request.table, [*exact, *by_words])
    how = f"{len(exact)} by exact name, then by words of names" if exact else "words of names"
    return HitList(
        "structural", "ran", tuple(hits[: request.depth]), how=how, confident=bool(exact) or covered >= COVERED
    )


def is_one_identifier(query: str) -> bool:
    """Whether the question is a single name, however it is qualified and with or without call parentheses."""
    return _IDENTIFIER.fullmatch(query.strip().strip("`?!.").removesuffix("()")) is not None


def looks_like_identifier(token: str) -> bool:
    """Whether a word has the shape of a name in code rather than of one in prose: a hump, an underscore, a dot."""
    inner = token.strip("_")
    return (
        "_" in inner
        or token.startswith("_")
        or _SEPARATOR.search(token) is not None
        or "." in inner
        or re.search(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]", token) is not None
    )


def wanted_names(request: Request) -> list[str]:
    """The names that the question asks for, dotted, each once: its one-name subject, and identifiers in prose."""
    names: dict[str, None] = {}
    subject = request.intent.subject
    if subject and is_one_identifier(subject) and request.intent.name != "understand_code":
        names.setdefault(dotted(subject))
    if is_one_identifier(request.query):
        names.setdefault(dotted(request.query.strip().strip("`?!.")))
    for token in _IDENTIFIER.findall(request.query):
        if looks_like_identifier(token):
            names.setdefault(dotted(token))
    return list(names)


def used_names(request: Request) -> list[str]:
    """For “what does X call”: the full names of what X refers to; the question is about them and not about X."""
    subjects = [item.symbol.id for item in find_named(request, wanted_names(request))]
    edges = request.reader.neighbours(subjects, "out") if subjects else []
    return list(dict.fromkeys(edge.target_name for edge in edges if edge.certainty != "ambiguous"))


def dotted(name: str) -> str:
    return _SEPARATOR.sub(".", name.strip().strip("`").removesuffix("()"))


def find_named(request: Request, names: Sequence[str]) -> list[Found]:
    """Symbols by exact name: case-sensitive, else insensitive, else by the tail of the qualified name."""
    found: list[Found] = []
    for name in names:
        exact = [Found(symbol, EXACT, "exact") for symbol in _admitted(request, name, "exact")]
        if not any(not request.is_demoted(item.symbol.path) for item in exact):
            known = {item.symbol.id for item in exact}
            exact += [
                Found(symbol, INSENSITIVE, "ignoring case")
                for symbol in _admitted(request, name, "insensitive")
                if symbol.id not in known
            ]
        exact += [Found(symbol, SIGIL, "but for a sign") for symbol in _with_sigil(request, name)]
        if not exact and "." in name:
            exact = [Found(symbol, TAIL, "qualified tail") for symbol in _admitted(request, name, "tail")]
        found += exact
    return found


def find_imported(request: Request, names: Sequence[str], found: Sequence[Found]) -> list[Hit]:
    """For names that nothing in the root defines: the chunks that import them, those of a façade first."""
    defined = {item.symbol.name.lstrip("".join(SIGNS)).casefold() for item in found}
    hits: dict[int, Hit] = {}
    for name in names:
        last = name.rpartition(".")[2]
        if last.casefold() in defined:
            continue
        lines: dict[int, list[int]] = {}
        for edge in request.reader.unresolved(last):
            if edge.kind == "import" and request.admits(edge.chunk_id):
                lines.setdefault(edge.chunk_id, []).append(edge.line)
        chunks = request.reader.chunks(lines)
        for number, places in lines.items():
            path = chunks[number].path
            terms = [Term("imports the name", "+", IMPORTED)]
            if path.rpartition("/")[2].split(".")[0] in FACADES:
                terms.append(Term("the face of its folder", "+", 1.0))
            if request.is_demoted(path):
                terms.append(Term("outside the code itself", "+", ASIDE))
            parts = tuple(terms)
            evidence = Evidence(terms=parts, match="import")
            hits.setdefault(number, Hit(number, total_of(parts), evidence, lines=tuple(sorted(set(places)))))
    return list(hits.values())


def _with_sigil(request: Request, name: str) -> list[Symbol]:
    """Symbols that are called the same but for a leading sign that a custom adds (``$Name``, ``_name``)."""
    if request.plan.strategy == "direct":
        return []
    return [symbol for sign in SIGNS for symbol in _admitted(request, sign + name, "exact")]


def _admitted(request: Request, name: str, how: NameMatch) -> list[Symbol]:
    return [symbol for symbol in request.reader.symbols_named(name, how) if request.admits(symbol.chunk_id)]


def _per_chunk(found: Sequence[Found]) -> list[Found]:
    """The best symbol of each chunk: a chunk stands in a list once."""
    best: dict[int, Found] = {}
    for item in found:
        other = best.get(item.symbol.chunk_id)
        if other is None or _rank(item) > _rank(other):
            best[item.symbol.chunk_id] = item
    return list(best.values())


def _rank(item: Found) -> tuple[float, float, int]:
    return (item.tier, KIND_WEIGHT.get(item.symbol.kind, 1.0), -item.symbol.id)


def _exact_hit(request: Request, item: Found) -> Hit:
    symbol = item.symbol
    stem, folder, _ = path_words(symbol.path)
    words = set(name_words(symbol.name))
    terms = [
        Term(f"name, {item.match}", "+", item.tier),
        Term(f"kind {symbol.kind}", "+", KIND_WEIGHT.get(symbol.kind, 1.0)),
    ]
    if symbol.path.rpartition("/")[2].rpartition(".")[0] == symbol.name:
        terms.append(Term("its file bears its name", "+", 1.0))
    elif words & {light_stem(word) for word in (*stem, *folder)}:
        terms.append(Term("named like its file", "+", 0.5))
    depth = symbol.qualified.count(".")
    terms.append(Term(f"depth {depth}", "+", 1.0 / (1 + depth)))
    others = {light_stem(word) for word in request.words} - words
    around = {*name_words(symbol.full_name), *name_words(symbol.signature)}
    shared = sorted(others & around)
    if shared:
        terms.append(Term(f"also says {', '.join(shared)}", "+", 2.0 * len(shared) / len(others)))
    if request.is_demoted(symbol.path):
        terms.append(Term("outside the code itself", "+", ASIDE))
    parts = tuple(terms)
    evidence = Evidence(terms=parts, symbol=symbol.full_name, match=item.match, symbol_line=symbol.name_line)
    return Hit(symbol.chunk_id, total_of(parts), evidence, lines=(symbol.name_line,))


# ------------------------------------------------------------------- by words


@dataclass(frozen=True, slots=True)
class Matches:
    """Where one word of the question stands among names: one entry a chunk and name word (e,), name word by name word.

    ``rows`` in the chunk table; ``match`` 1 for the same word, less where only the beginning agrees; ``value`` is match
    × place (the name that stands for the chunk itself counts most); ``which`` numbers the ``names``.
    """

    names: tuple[str, ...]
    which: NDArray[np.intp]
    rows: NDArray[np.int32]
    match: Floats
    value: Floats


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the question: among all names that stand for a chunk, in the chunk's ``own``, in its ``file``'s.

    ``weight`` is its rarity (idf), times `HEAD` when the question is mostly about it.
    """

    word: str
    weight: float
    names: Matches
    own: Matches
    file: Matches

    def shares(self, places: NDArray[np.int32]) -> list[tuple[int, float, str]]:
        """(place, share, the name word that gives it, the first of equal ones) for each chunk with one, by place.

        ``places`` has one entry a row of the chunk table: its place in a list, or -1.
        """
        place = places[self.names.rows]
        chosen = np.flatnonzero(place >= 0)
        place, value, which = place[chosen], self.names.value[chosen], self.names.which[chosen]
        order = np.lexsort((which, -value, place))
        best = order[np.r_[True, np.diff(place[order]) != 0]] if len(order) else order
        shares = (self.weight * value[best]).tolist()
        named = [self.names.names[number] for number in which[best].tolist()]
        return list(zip(place[best].tolist(), shares, named, strict=True))


def find_by_words(request: Request, known: set[int]) -> tuple[list[Hit], float]:
    """Hits below every exact one, and the share of the question's weight that the best one covers."""
    words = question_matches(request)
    table = request.table
    base = np.zeros(len(table.ids))
    for word in words:
        _add_best(base, word.names.rows, word.names.value, word.weight)
    own = _completeness(len(base), [(word.weight, word.own) for word in words])
    file = _completeness(len(base), [(word.weight, word.file) for word in words])
    base = request.drop_filtered(base + own + file)
    coherence = FILE_SHARE * best_of_file(table, base)
    rows = top_rows(np.where(base > 0, base + coherence, 0.0), table, request.depth + len(known))
    places = np.full(len(base), -1, dtype=np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    parts: list[list[Term]] = [[] for _ in rows]
    covered = [0.0] * len(rows)
    for word in words:
        for place, share, name in word.shares(places):
            label = word.word if name == word.word else f"{word.word} ~ {name}"
            parts[place].append(Term(label, "+", share))
            covered[place] += word.weight
    columns = (table.ids[rows].tolist(), own[rows].tolist(), file[rows].tolist(), coherence[rows].tolist())
    hits = []
    for found, chunk, own_name, file_name, together in zip(parts, *columns, strict=True):
        if chunk not in known:
            if own_name > 0:
                found.append(Term("its name asked for", "+", own_name))
            if file_name > 0:
                found.append(Term("its file's name asked for", "+", file_name))
            terms = (*found, Term("file coherence", "+", together))
            hits.append(Hit(chunk, total_of(terms), Evidence(terms=terms, match="words")))
    total = sum(word.weight for word in words)
    return hits, max(covered[:10], default=0.0) / total if total else 0.0


def _completeness(chunks: int, words: Sequence[tuple[float, Matches]]) -> Floats:
    """What a chunk gains when the words of its own name (or of its file's) are asked for: `COMPLETE` × the rarity of
    those that are × the share of the name that they make up. 0 for every chunk without such a word."""
    rarity, part = np.zeros(chunks), np.zeros(chunks)
    for weight, found in words:
        _add_best(rarity, found.rows, found.match, weight)
        _add_best(part, found.rows, found.value, 1.0)
    return COMPLETE * rarity * np.minimum(part, 1.0)


def _add_best(total: Floats, rows: NDArray[np.int32], values: Floats, weight: float) -> None:
    """Add ``weight`` × the highest of a row's values to ``total``. Only rows that are named are touched: they are few
    of very many."""
    best = np.zeros(len(total))
    np.maximum.at(best, rows, values)
    # assigned, not added to: a row that stands here twice gets the same sum twice
    total[rows] = total[rows] + best[rows] * weight


def question_matches(request: Request) -> list[Word]:
    """The question's words with what they match, rarest spelling first; all postings are read at once."""
    stems = list(dict.fromkeys(light_stem(word) for word in request.words if "_" not in word))
    head = {light_stem(word) for word in question_words(request.head)}
    alike = {stem: _alike(request, stem) for stem in stems}
    signs = ("", OWN_NAME, FILE_NAME)
    asked = [sign + name for names in alike.values() for name in names for sign in signs]
    postings = request.reader.postings("name", asked)
    return [_word(request, stem, names, postings, HEAD if stem in head else 1.0) for stem, names in alike.items()]


def _alike(request: Request, stem: str) -> dict[str, float]:
    """A word and the vocabulary words that begin alike, each with its match."""
    matches = {stem: 1.0}
    if len(stem) >= PREFIX_LENGTH:
        for longer in request.reader.vocabulary("name", stem):
            matches.setdefault(longer, PREFIX * len(stem) / len(longer))
        for cut in range(PREFIX_LENGTH, min(len(stem), LONGEST_WORD)):
            matches.setdefault(stem[:cut], PREFIX * cut / len(stem))
    return matches


def _word(
    request: Request, stem: str, alike: Mapping[str, float], postings: Mapping[str, Posting], emphasis: float
) -> Word:
    """A word with its postings; its rarity is that of the word itself, or of the commonest of those like it."""

    def held(sign: str) -> Matches:
        found = {name: postings[sign + name] for name in alike if sign + name in postings}
        return _matches(request.table, {name: (alike[name], posting) for name, posting in found.items()})

    frequency = len(postings[stem].chunk_ids) if stem in postings else 0
    if not frequency:
        frequency = max((len(postings[name].chunk_ids) for name in alike if name in postings), default=0)
    idf = inverse_document_frequency(len(request.table.ids), frequency)
    return Word(stem, emphasis * idf, held(""), held(OWN_NAME), held(FILE_NAME))


def _matches(table: ChunkTable, found: Mapping[str, tuple[float, Posting]]) -> Matches:
    """The postings of name words, each with its match, as one list of entries."""
    parts = [rows_and_counts(table, posting) for _, posting in found.values()]
    if not parts:
        none = np.zeros(0)
        return Matches((), none.astype(np.intp), none.astype(np.int32), none, none)
    which = np.repeat(np.arange(len(parts)), [len(rows) for rows, _ in parts])
    match = np.array([match for match, _ in found.values()])[which]
    counts = np.concatenate([counts for _, counts in parts])
    return Matches(tuple(found), which, np.concatenate([rows for rows, _ in parts]), match, match * counts / 100.0)
