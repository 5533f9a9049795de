"""Following changes in the graph: only those references are resolved again whose answer can have become another.

What a reference means follows from texts alone: its own name and receiver, and step by step the texts of what those
lead to (a variable's type, an import's module, a class's bases). So a changed definition, import or binding can concern
another file only by its name, and `_Spread` follows names through all texts that mention them. Where something acts
that is no name (an include, the set of folders), or very much is concerned, all is resolved anew. Edges of references
that are not concerned are kept, and follow their targets to their new numbers.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import fourfold
from fourfold.indexing.centrality import central
from fourfold.indexing.resolve.columns import edges_of
from fourfold.indexing.resolve.edges import Edges
from fourfold.indexing.resolve.families import family_of
from fourfold.indexing.resolve.tables import CALLABLES, STAR_BY_DEFAULT, TYPES
from fourfold.store.graph import EdgeColumns, kind_code
from fourfold.store.interface import Ints, Writer
from fourfold.store.layout import owners
from fourfold.store.relink import FileRows, GraphNews
from fourfold.store.rows import GraphColumns

#: When a larger share of the files has changed, or of the references is concerned, resolving all is as fast.
_MOST_FILES, _MOST_REFERENCES = 0.2, 0.5
#: After so many times in a row all is resolved anew: should a change ever be followed wrongly, it does not last.
_MOST_TIMES = 50

_WORD = re.compile(r"[\w$@]+")
#: These name the instance or type around them, and so nothing in other files.
_SELVES = frozenset({"self", "this", "cls", "super", "Self", "static", "@", "$this"})
#: Members that are looked up without being named: → what the texts hold that ask for them.
_SILENT = {"__getitem__": "[", "__enter__": "~", "__aenter__": "~", "constructor": "#"}
_CONSTRUCTORS = frozenset({"constructor", "init", "__construct", "initialize"})
_PARTIAL = frozenset({"overload", "setter", "getter", "deleter", "register", "property"})
#: Stems of files that stand for their folder, or are found without being named.
_FOLDER_FILES = frozenset({"__init__", "index", "mod", "lib", "main", "init"})
#: Families whose modules are found by paths in which the import names the file.
_BY_STEM = frozenset({"python", "javascript", "go", "rust", "java", "c"})
_PACKAGES = frozenset({"go", "java"})
#: Families in which an import never goes on from a module into what it defines.
_BY_PATH_ALONE = frozenset({"c", "javascript", "go", "shell"})


class Everything(Exception):
    """The change cannot be followed; the text says why."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A resolved graph by columns; ``note`` is what the next run needs to know of this one."""

    edges: EdgeColumns
    ids: Ints
    centrality: NDArray[np.float64]
    note: str


def link(writer: Writer) -> Graph:
    """Resolve what has changed since the last time, or everything."""
    news = writer.graph_news()
    if news is None:
        return link_all(writer.graph_columns())
    try:
        return link_news(news)
    except Everything:
        return link_all(news.now)


def link_all(columns: GraphColumns) -> Graph:
    """Resolve everything."""
    resolver = Edges(columns.graph)
    edges = edges_of(resolver, columns)
    return Graph(edges, *central(columns.graph, edges), _note(resolver, 0))


def link_news(news: GraphNews) -> Graph:
    """Resolve what changes may concern. Raises `Everything` when that is all, or cannot be told."""
    now = news.now
    if len(news.new) + len(news.old) > 2 * _MOST_FILES * len(now.file_ids) + 4:
        raise Everything("many files changed")
    resolver = Edges(now.graph)
    times = _times(news.note)
    if times >= _MOST_TIMES or news.note != _note(resolver, times):
        raise Everything("what all answers rest on is another")
    chosen = _concerned(news, resolver)
    if np.count_nonzero(chosen) > _MOST_REFERENCES * chosen.size:
        raise Everything("most references are concerned")
    fresh = edges_of(resolver, now, chosen)
    moved = _moved(news)
    edges = _joined(_kept(news, chosen, moved), fresh)
    ids, values = news.central
    new_ids = np.fromiter((moved.get(number, number) for number in ids.tolist()), np.int64, ids.size) if moved else ids
    return Graph(edges, *central(now.graph, edges, (new_ids, values)), _note(resolver, times + 1))


def _joined(*parts: EdgeColumns) -> EdgeColumns:
    columns = [(p.reference, p.source, p.target, p.kind, p.certainty, p.line) for p in parts]
    return EdgeColumns(*map(np.concatenate, zip(*columns, strict=True)))


def _note(resolver: Edges, times: int) -> str:
    """What all resolution rests on that is no name: the program, Go's module paths, what packages are called, and how
    often it was followed."""
    modules = resolver.modules
    packages = sorted((*key, folder) for key, folder in modules.packages.items())
    return json.dumps([fourfold.__version__, list(modules.go_prefixes), packages, times])


def _times(note: str) -> int:
    try:
        return int(json.loads(note)[-1])
    except (ValueError, LookupError, TypeError):
        return _MOST_TIMES


# --------------------------------------------------------------------------- what has changed


@dataclass(frozen=True, slots=True)
class _Side:
    """A file before or after: ``rows`` of all that other files can see of it, and the members of its definitions."""

    rows: Counter[tuple[object, ...]]
    keys: list[tuple[str, int]]
    members: dict[tuple[str, int], list[str]]


def _side(file: FileRows, names: Sequence[str]) -> _Side:
    keys: list[tuple[str, int]] = []
    turns: Counter[object] = Counter()

    def turn(*what: object) -> int:
        # the how-manieth of its like: the order of things of one name tells which of them counts
        turns[what] += 1
        return turns[what]

    for symbol in file.symbols:
        keys.append((symbol[1], turn("symbol", symbol[1])))
    outside = ("", 0)
    key_of = [outside, *keys]
    parts: set[int] = set()
    rows: Counter[tuple[object, ...]] = Counter()
    kinds = {kind_code(kind): kind for kind in ("inherit", "implement", "decorate")}
    for name, kind, line, _column, holder, receiver in file.references.tolist():
        told = kinds.get(kind)
        if told == "decorate":
            if names[name] in _PARTIAL:
                parts.add(holder)
        elif told is not None:
            owner = _owner(file, holder, line)
            rows["base", key_of[owner], names[name], names[receiver], turn("base", owner)] += 1
    family = family_of(file.language)
    members: dict[tuple[str, int], list[str]] = defaultdict(list)
    for number, symbol in enumerate(file.symbols, 1):
        name, _qualified, kind, parent, type_name, _start, extent = symbol
        # how long a definition is tells a body from a declaration, where a language has the two apart
        length = 0 if family == "python" else extent
        key = key_of[number]
        rows["symbol", key, name, kind, key_of[parent], type_name, length, number in parts] += 1
        members[key_of[parent]].append(name)
    for module, name, alias, level, holder, exported, _line in file.imports.tolist():
        local = names[alias] or names[name]
        texts = (names[module], names[name], names[alias])
        rows["import", key_of[holder], *texts, level, exported, turn("import", holder, local)] += 1
    for holder, name, type_name, _line in file.bindings.tolist():
        rows["binding", key_of[holder], names[name], names[type_name], turn("binding", holder, name)] += 1
    return _Side(rows, keys, members)


def _owner(file: FileRows, holder: int, line: int) -> int:
    """The ordinal + 1 of the type that a base at ``line`` is one of, as resolution tells it."""
    if holder and file.symbols[holder - 1][2] in TYPES and file.symbols[holder - 1][1]:
        return holder
    inside = [
        (start, number)
        for number, (_name, qualified, kind, _parent, _type, start, extent) in enumerate(file.symbols, 1)
        if kind in TYPES and qualified and start <= line <= start + extent
    ]
    return max(inside)[1] if inside else 0


def _concerned(news: GraphNews, resolver: Edges) -> NDArray[np.bool_]:
    """Which references are to be resolved again."""
    spread = _Spread(news, resolver)
    old = {file.path: file for file in news.old}
    new = {file.path: file for file in news.new}
    for path in sorted(old.keys() | new.keys()):
        before, after = old.get(path), new.get(path)
        if before is not None and after is not None and before.language != after.language:
            raise Everything("a file is of another language now")
        sides = [_side(file, news.now.names) if file is not None else None for file in (before, after)]
        empty: Counter[tuple[object, ...]] = Counter()
        rows = [side.rows if side is not None else empty for side in sides]
        there = before or after
        assert there is not None
        family = family_of(there.language)
        for row in (rows[0] - rows[1]) + (rows[1] - rows[0]):
            spread.row(row, family, [side for side in sides if side is not None])
        stood = [file is not None and any(not symbol[1] for symbol in file.symbols) for file in (before, after)]
        if stood[0] != stood[1]:
            spread.path(path, family)
    _same_folders(news)
    spread.all()
    references = news.now.references
    concerned: NDArray[np.bool_] = spread.by_name()[references.name] | spread.hot[references.receiver]
    files = np.isin(news.now.file_ids, np.array([*spread.files, *(file.id for file in news.new)], dtype=np.int64))
    return concerned | files[references.file]


def _same_folders(news: GraphNews) -> None:
    """Raise `Everything` when a folder got its first module of a family, or lost its last."""
    old_ids = {file.id for file in news.old}
    new_ids = {file.id for file in news.new}
    changed = {(file.path.rpartition("/")[0], family_of(file.language)) for file in (*news.old, *news.new)}
    modules = {symbol[1] for symbol in news.now.graph.symbols if symbol[4] == "module" and not symbol[3]}
    now: set[tuple[str, str]] = set()
    same: set[tuple[str, str]] = set()
    for file_id, path, language, _module in news.now.graph.files:
        if file_id in modules:
            key = (path.rpartition("/")[0], family_of(language))
            now.add(key)
            if file_id not in new_ids:
                same.add(key)
    then = same | {
        (file.path.rpartition("/")[0], family_of(file.language))
        for file in news.old
        if file.id in old_ids and any(not symbol[1] for symbol in file.symbols)
    }
    if any((key in now) != (key in then) for key in changed):
        raise Everything("a folder of modules came or went")


# --------------------------------------------------------------------------- what that concerns


def words_of(text: str) -> Iterable[str]:
    """The names in a text. One without any letter stands for itself."""
    if text.isidentifier():
        return (text,)
    found = set(_WORD.findall(text))
    found |= {word.strip("$@") for word in found}
    found.discard("")
    return found or ((text,) if text else ())


class _Spread:
    """Follows names through the texts that mention them."""

    def __init__(self, news: GraphNews, resolver: Edges) -> None:
        self._now, self._tables = news.now, resolver.tables
        #: number of a text → whether it mentions a name that may mean something else now
        self.hot: NDArray[np.bool_] = np.zeros(len(news.now.names), dtype=bool)
        #: ids of files all of whose references are concerned
        self.files: set[int] = set()
        self._words: set[str] = set()
        self._next: list[str] = []
        #: words of paths that came or went
        self._paths: set[str] = set()
        self._plain = {text: number for number, text in enumerate(news.now.names) if text.isidentifier()}
        self._mixed: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(news.now.names):
            if text and not text.isidentifier():
                for word in words_of(text):
                    self._mixed[word].append(number)
        self._typed: dict[str, set[str]] = defaultdict(set)
        for symbol, type_name in self._tables.type_name.items():
            for word in words_of(type_name):
                self._typed[word].add(self._tables.name[symbol])
        self._based: dict[str, list[int]] = defaultdict(list)
        for owner, bases in resolver.names.heritage.items():
            for name, receiver in bases:
                for word in (*words_of(name), *words_of(receiver)):
                    self._based[word].append(owner)
        self._orphaned: dict[str, list[int]] = defaultdict(list)
        for symbol, owner_name in self._tables.orphans:
            self._orphaned[owner_name].append(symbol)
        self._heated: set[int] = set()
        self._import_done = np.zeros(len(news.now.graph.imports), dtype=bool)
        self._binding_done = np.zeros(len(news.now.graph.bindings), dtype=bool)

    # ------------------------------------------------------------------ where it starts

    def row(self, row: tuple[object, ...], family: str, sides: Sequence[_Side]) -> None:
        """Something that a file says or said, and does or did not."""
        kind, key, *rest = row
        texts = [str(item) for item in rest]
        if kind == "symbol":
            self._symbol(key, texts, family, sides)  # type: ignore[arg-type]
        elif kind == "import":
            module, name, alias, *_ = texts
            if _is_star(family, name, alias):
                raise Everything("an import of everything came or went")
            self._import(module, name, alias)
        elif kind == "binding":
            self._binding(texts[0], key[0])  # type: ignore[index]
        else:
            self._heat_named(str(key[0]).rpartition(".")[2])  # type: ignore[index]

    def _symbol(self, key: tuple[str, int], texts: Sequence[str], family: str, sides: Sequence[_Side]) -> None:
        name, kind = texts[0], texts[1]
        if not key[0]:
            return  # the module itself
        self.add(words_of(name))
        if kind in TYPES:
            for side in sides:
                for member in side.members.get(key, ()):
                    self.add(words_of(member))
        if family == "javascript" and "." in key[0] and kind in CALLABLES:
            # a function that gets its first method by way of its prototype makes objects from then on
            for part in key[0].split(".")[:-1]:
                self._heat_named(part)

    def path(self, path: str, family: str) -> None:
        """A module that came or went."""
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        if family not in _BY_STEM or stem in _FOLDER_FILES or (family in _PACKAGES and not folder):
            raise Everything("a module came or went that is not found by its name")
        words = [*words_of(stem), *(words_of(folder.rpartition("/")[2]) if family in _PACKAGES else ())]
        self._paths.update(words)
        self.add(words)

    # ------------------------------------------------------------------ how it spreads

    def add(self, words: Iterable[str]) -> None:
        fresh = [word for word in words if word not in self._words and word not in _SELVES]
        self._words.update(fresh)
        self._next += fresh

    def _import(self, module: str, name: str, alias: str) -> None:
        self.add((*words_of(alias), *words_of(name)))
        if not alias and not name:
            self.add(words_of(module))

    def _binding(self, name: str, holder: str) -> None:
        if name[:1] and not (name[0].isalnum() or name[0] in "_$@"):
            # what is kept under no name of its own (what a function gives) is asked for by the holder's
            self.add(words_of(holder.rpartition(".")[2]))
        self.add(words_of(name))

    def _heat_named(self, name: str) -> None:
        self.add(words_of(name))
        for by_name in self._tables.named.values():
            for symbol in by_name.get(name, ()):
                if self._tables.kind[symbol] in TYPES or self._tables.kind[symbol] in CALLABLES:
                    self._heat(symbol)

    def _heat(self, owner: int) -> None:
        """A type whose bases may be others now: all within it, and all its members, may mean something else."""
        if owner in self._heated:
            return
        self._heated.add(owner)
        self.files.add(self._tables.file[owner])
        self.add(words_of(self._tables.name[owner]))
        for member in self._tables.members.get(owner, ()):
            self.add(words_of(member))

    def all(self) -> None:
        """Follow everything to its end. Raises `Everything` when that would not be by names."""
        while self._next:
            batch, self._next = self._next, []
            for word in batch:
                self._mention(word)
            self._through_bindings()
            self._through_imports()

    def _mention(self, word: str) -> None:
        number = self._plain.get(word)
        if number is not None:
            self.hot[number] = True
        for number in self._mixed.get(word, ()):
            self.hot[number] = True
        if word in _SILENT:
            for number, text in enumerate(self._now.names):
                if _SILENT[word] in text:
                    self.hot[number] = True
        for name in self._typed.get(word, ()):
            self.add(words_of(name))
        for owner in self._based.get(word, ()):
            self._heat(owner)
        for symbol in self._orphaned.get(word, ()):
            self.files.add(self._tables.file[symbol])
            self.add(words_of(self._tables.name[symbol]))

    def _through_bindings(self) -> None:
        found = np.flatnonzero(self.hot[self._now.bindings[:, 1]] & ~self._binding_done)
        self._binding_done[found] = True
        for place in found.tolist():
            file_id, holder, name, _type, _line = self._now.graph.bindings[place]
            if name in _SELVES:
                self.files.add(file_id)
            self._binding(name, self._tables.qualified.get(holder, ""))

    def _through_imports(self) -> None:
        hot = self.hot[self._now.imports]
        found = np.flatnonzero(hot.any(axis=1) & ~self._import_done)
        self._import_done[found] = True
        for place in found.tolist():
            file_id, module, name, alias, *_ = self._now.graph.imports[place]
            family = self._tables.family.get(file_id, "")
            if _is_star(family, name, alias) and hot[place, 0]:
                words = set(words_of(module))
                if words & self._paths or (family not in _BY_PATH_ALONE and words & self._words):
                    raise Everything("an import of everything may bring something else")
            self._import(module, name, alias)

    def by_name(self) -> NDArray[np.bool_]:
        """Number of a text → whether a reference of that name is concerned."""
        if not self._words & _CONSTRUCTORS:
            return self.hot
        out = self.hot.copy()
        out[[self._plain[name] for name in ("super", "this", "cls", "self", "Self") if name in self._plain]] = True
        return out


def _is_star(family: str, name: str, alias: str) -> bool:
    """Whether an import brings names that it does not mention."""
    if name == "*":
        return True
    return not name and (family in STAR_BY_DEFAULT or (family == "go" and alias == "."))


# --------------------------------------------------------------------------- what stays


def _moved(news: GraphNews) -> dict[int, int]:
    """Old symbols of files that were replaced → the same ones now."""
    new = {file.path: file for file in news.new}
    moved: dict[int, int] = {}
    for before in news.old:
        after = new.get(before.path)
        if after is None:
            continue
        keys = {key: after.first_symbol + place for place, key in enumerate(_keys(after))}
        for place, key in enumerate(_keys(before)):
            if key in keys:
                moved[before.first_symbol + place] = keys[key]
    return moved


def _keys(file: FileRows) -> list[tuple[str, int]]:
    turns: Counter[str] = Counter()
    keys = []
    for symbol in file.symbols:
        turns[symbol[1]] += 1
        keys.append((symbol[1], turns[symbol[1]]))
    return keys


def _kept(news: GraphNews, chosen: NDArray[np.bool_], moved: dict[int, int]) -> EdgeColumns:
    """The old edges of references that are not ``chosen``, at their targets' new numbers."""
    edges, ids = news.edges, news.now.references.ids
    place = np.minimum(np.searchsorted(ids, edges.reference), max(ids.size - 1, 0))
    there = (ids[place] == edges.reference) & ~chosen[place] if ids.size else np.zeros(edges.reference.size, dtype=bool)
    target = edges.target[there]
    gone = np.flatnonzero(owners(news.first_symbol, news.n_symbols, target) < 0)
    if gone.size:
        known = [moved.get(number, 0) for number in target[gone].tolist()]
        if not all(known):
            raise Everything("a definition went that something still names")
        target[gone] = known
    rest = (edges.kind[there], edges.certainty[there], edges.line[there])
    return EdgeColumns(edges.reference[there], edges.source[there], target, *rest)
