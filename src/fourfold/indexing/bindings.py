"""Bindings: local names and attributes whose type is written, or plain from what is assigned to them.

What a name is bound to is written as in `model.ParsedBinding`: ``pkg.T`` an instance of a type, ``f()`` what a call
gives, and after ``=`` an expression whose value is taken over: ``=self.x``, with the marks ``[]`` for an item of it
(``=f()[]``), ``[*]`` for what a loop over it yields, ``{}`` for a value of a mapping and ``~`` for what ``with`` gives.
``?T`` is a type that the code only asks for. ``=f#0#1`` is the second parameter of the function that ``f`` takes first.
The types of items are bindings too: ``x[]`` and ``x{}`` for those of ``x``, ``()[]`` for those of a function's result,
``()`` for a result that only a comment tells, ``#0#1`` for a parameter of a function that is a parameter itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import lru_cache

from tree_sitter import Node

from fourfold.indexing.definitions import Definitions
from fourfold.indexing.items import C_FAMILY, FUNCTIONS, Captures
from fourfold.indexing.names import receiver_of, split_name
from fourfold.languages import Language
from fourfold.languages.types import item_type, type_path
from fourfold.model import ParsedBinding

#: Names of the object or type that the code belongs to.
SELF = frozenset({"self", "this", "cls", "super", "super()", "@", "$this", "Self", "parent", "static", "base"})
#: An expression longer than this ends in a name on an unknown receiver.
_LONGEST = 300
#: Captures of what a name is bound to, those that say most first.
_SOURCES = ("bind.type", "bind.call", "bind.value", "bind.each", "bind.item", "bind.with", "bind.maybe")
_WRITTEN, _CALL, _VALUE, _EACH, _ITEM, _WITH, _MAYBE = range(7)
_MARKS = {_VALUE: "", _EACH: "[*]", _ITEM: "[]", _WITH: "~"}
_ECMA = frozenset({"javascript", "typescript", "tsx"})
_FUNCTION_NODES = frozenset({"arrow_function", "function_expression"})
#: Methods that hand each item of their object to the function they are given.
_EACH_METHODS = frozenset("forEach map filter find findIndex findLast some every flatMap".split())
_MOST_ARGUMENTS = 8
_DOC_TAG = re.compile(r"@(param|arg|argument|type|returns?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}(?:\s+\[?([\w$]+))?")
_DOC_SUBJECT = re.compile(r"\s*(?:export\s+)?(?:(?:const|let|var|static)\s+|this\.)?(#?[\w$]+)\s*[=;]")


def read_bindings(
    entry: Language, data: bytes, caught: Captures, starts: list[int], definitions: Definitions
) -> tuple[list[ParsedBinding], frozenset[str]]:
    """Names with a known type, and the set of those names that are worth following (the first part of dotted ones)."""
    binder = _Binder(entry, data, starts, definitions)
    later = []
    for whole, node, start, end, how in _bound_pairs(caught):
        if how in (_WRITTEN, _CALL, _MAYBE):
            binder.take(whole, node, start, end, how)
        else:
            later.append((node, start, end, how))
    for node in caught.get("returns", ()):
        binder.take_result(node)
    for node in caught.get("first", ()):
        binder.take_first(node)
    if entry.name in _ECMA:
        if entry.name == "javascript" and b"@" in data:
            binder.take_comments(caught.get("comment", ()))
        for node in caught.get("callback", ()):
            binder.take_callback(node)
        for node in caught.get("hook", ()):
            binder.take_hook(node)
    # What is taken over counts where something is known of it: of most names nothing is.
    known = {item.name for item in binder.found} | SELF | definitions.outer_names
    for node, start, end, how in later:
        binder.take_over(node, start, end, how, known)
    return binder.found, frozenset(binder.bound)


class _Binder:
    def __init__(self, entry: Language, data: bytes, starts: list[int], definitions: Definitions) -> None:
        self.entry, self.data, self.starts, self.definitions = entry, data, starts, definitions
        self.found: list[ParsedBinding] = []
        self.bound: set[str] = set()
        self._seen: set[tuple[str, str, int]] = set()
        self._told: set[int] = set()

    def _text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _name(self, node: Node) -> str:
        """The bound name, with its object when that is the code's own; empty for anything else."""
        name = self._text(node)
        if name.isidentifier():
            return name
        receiver, last = split_name(name, self.entry.separators)
        if receiver and receiver not in SELF:
            return ""
        return f"{receiver}.{last}" if receiver else last

    def _add(self, name: str, type_name: str, place: int, holder: int) -> bool:
        key = (name, type_name, holder)
        if key in self._seen:
            return False
        self._seen.add(key)
        self.found.append(ParsedBinding(name, type_name, bisect_right(self.starts, place), holder))
        return True

    def _is_local(self, holder: int) -> bool:
        return holder >= 0 and self.definitions.symbols[holder].kind in FUNCTIONS

    def take(self, whole: Node, node: Node, start: int, end: int, how: int) -> None:
        """A name with a written type, or bound to what a call gives."""
        place = node.start_byte
        if end - start > _LONGEST or (how == _CALL and place in self._told):
            return
        name = self._name(node)
        written = self.data[start:end].decode("utf-8", "replace")
        if how == _CALL:
            path = _called(written, self.entry.separators)
        else:
            path = _type(written)
            path = "?" + path if path and how == _MAYBE else path
        items = item_type(written) if how == _WRITTEN and name else ("", "")
        if not name or not (path or items[0]):
            return
        holder = self.definitions.holder_at(place)
        is_local = self._is_local(holder)
        if not is_local and self.entry.name in C_FAMILY and "parameter" in whole.type:
            return  # of a prototype or a function's type
        if items[0]:
            self._add(name + items[1], items[0], place, holder)
        if path and self._add(name, path, place, holder):
            self._told.add(place)
            if how != _MAYBE:
                self.bound.add(name)
                if is_local:
                    self.definitions.locals.setdefault(holder, set()).add(name)

    def take_over(self, node: Node, start: int, end: int, how: int, known: set[str]) -> None:
        """A name bound to another's value, or to a part of it."""
        if end - start > _LONGEST or node.start_byte in self._told:
            return
        name = self._name(node)
        path = _path(self.data[start:end].decode("utf-8", "replace"), self.entry.separators)
        if not name or not path or path == name:
            return
        head = path.partition(".")[0].partition("[")[0].removesuffix("()")
        if head not in known and not (how in (_EACH, _WITH) and path.endswith("()")):
            return
        holder = self.definitions.holder_at(node.start_byte)
        outside = holder >= 0 and head in self.definitions.outer_names and head not in self.bound
        if outside and head in self.definitions.locals_of(holder):
            return  # a parameter that only shares its name with something outside
        mark = _MARKS[how]
        if how == _EACH and path.endswith(".values()"):
            path, mark = path.removesuffix(".values()"), "{}"
        elif how == _EACH and path.endswith((".items()", ".keys()", ".entries()")):
            return
        if self._add(name, f"={path}{mark}", node.start_byte, holder):
            known.add(name)
            if how == _WITH:
                self.bound.add(name)

    def take_result(self, node: Node) -> None:
        """The items of what a function returns, by its written type."""
        if node.end_byte - node.start_byte > _LONGEST:
            return
        kind, mark = item_type(self._text(node))
        holder = self.definitions.holder_at(node.start_byte)
        if kind and self._is_local(holder):
            self._add("()" + mark, kind, node.start_byte, holder)

    def take_first(self, node: Node) -> None:
        """The first parameter of a Python method is its object, whatever it is called."""
        holder = self.definitions.holder_at(node.start_byte)
        if holder < 0 or self.definitions.symbols[holder].kind != "method":
            return
        function = node.parent.parent if node.parent is not None else None
        around = function.parent if function is not None else None
        if function is None or function.child_by_field_name("name") is None:
            return
        if around is not None and around.type == "decorated_definition":
            decorators = self.data[around.start_byte : function.start_byte]
            if b"staticmethod" in decorators or b"classmethod" in decorators:
                return
        name = self._text(node)
        if self._add(name, "Self", node.start_byte, holder):
            self.bound.add(name)

    # ------------------------------------------------------------------ functions that are handed over

    def take_callback(self, arguments: Node) -> None:
        """Parameters without a type, of functions that stand among the arguments of a call."""
        call = arguments.parent
        function = call and (call.child_by_field_name("function") or call.child_by_field_name("constructor"))
        if function is None or function.end_byte - function.start_byte > _LONGEST:
            return
        path = _path(self._text(function), self.entry.separators)
        if not path:
            return
        receiver, _, method = path.rpartition(".")
        for turn, argument in enumerate(arguments.named_children[:_MOST_ARGUMENTS]):
            if argument.type not in _FUNCTION_NODES:
                continue
            holder = self.definitions.holder_at(argument.start_byte)
            for place, (name, node) in enumerate(self._parameters(argument)):
                if method in _EACH_METHODS and receiver:
                    type_name = f"={receiver}[*]" if place == 0 else ""
                else:
                    type_name = f"={path}#{turn}#{place}"
                if type_name and name and node.start_byte not in self._told:
                    self._add(name, type_name, node.start_byte, holder)

    def _parameters(self, function: Node) -> Iterator[tuple[str, Node]]:
        """(name, node) of each parameter; the name is empty for one that has a type of its own or is no name."""
        single = function.child_by_field_name("parameter")
        if single is not None:
            yield self._text(single), single
            return
        parameters = function.child_by_field_name("parameters")
        for node in parameters.named_children[:_MOST_ARGUMENTS] if parameters is not None else ():
            name: Node | None = node
            if node.type in ("required_parameter", "optional_parameter"):
                name = None if node.child_by_field_name("type") else node.child_by_field_name("pattern")
            if name is not None and name.text == b"this":
                continue
            yield (self._text(name) if name is not None and name.type == "identifier" else "", node)

    def take_hook(self, parameter: Node) -> None:
        """The written parameters of a parameter that is a function: a ``formal_parameters`` in a function's type."""
        outer = parameter
        while outer.parent is not None and outer.type not in ("required_parameter", "optional_parameter"):
            outer = outer.parent
        above = outer.parent
        if above is None or above.type != "formal_parameters":
            return
        turn = 0
        for node in above.named_children:
            if node.start_byte == outer.start_byte:
                break
            pattern = node.child_by_field_name("pattern")
            turn += pattern is not None and pattern.text != b"this"
        holder = self.definitions.holder_at(outer.start_byte)
        if not self._is_local(holder):
            return
        place = 0
        for node in parameter.named_children[:_MOST_ARGUMENTS]:
            pattern, written = node.child_by_field_name("pattern"), node.child_by_field_name("type")
            if pattern is not None and pattern.text == b"this":
                continue
            path = _type(self._text(written)) if written is not None else ""
            if path:
                self._add(f"#{turn}#{place}", path, node.start_byte, holder)
            place += 1

    # ------------------------------------------------------------------ comments that tell types

    def take_comments(self, comments: Collection[Node]) -> None:
        """JSDoc: ``@param {T} name`` and ``@returns {T}`` above a function, ``@type {T}`` above a name."""
        functions = {
            symbol.start_line: index
            for index, symbol in reversed(list(enumerate(self.definitions.symbols)))
            if symbol.kind in FUNCTIONS
        }
        for node in comments:
            text = self._text(node)
            if not text.startswith("/**") or "@" not in text or len(text) > 10_000:
                continue
            line = bisect_right(self.starts, node.end_byte) + 1
            place = node.end_byte
            holder = functions.get(line, -1)
            for tag in _DOC_TAG.finditer(text):
                what, written, name = tag[1], tag[2].strip().strip("=."), tag[3] or ""
                path, items = _doc_type(written), item_type(written)
                if what == "type":
                    if line <= len(self.starts):
                        self._take_subject(line, path, items)
                    continue
                if holder < 0:
                    continue
                subject = "()" if what.startswith("return") else name
                if not subject:
                    continue
                if path and self._add(subject, path, place, holder) and subject != "()":
                    self.bound.add(subject)
                    self.definitions.locals.setdefault(holder, set()).add(subject)
                if items[0]:
                    self._add(subject + items[1], items[0], place, holder)

    def _take_subject(self, line: int, path: str, items: tuple[str, str]) -> None:
        """The name that the code on a line gives a value to has the type that a comment above it tells."""
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.data)
        code = self.data[start:end].decode("utf-8", "replace")
        found = _DOC_SUBJECT.match(code)
        if not found:
            return
        place = start + len(code[: found.start(1)].encode())
        holder = self.definitions.holder_at(place)
        name = ("this." if code[: found.start(1)].endswith("this.") else "") + found[1]
        if path:
            self._told.add(start + len(code) - len(code.lstrip()))
            self._add(name, path, place, holder)
        if items[0]:
            self._add(name + items[1], items[0], place, holder)


@lru_cache(maxsize=8192)
def _doc_type(written: str) -> str:
    if written.startswith("import("):
        written = written.partition(").")[2]
    return type_path(written) if written not in ("*", "any", "Object", "object", "Function") else ""


def _bound_pairs(caught: Captures) -> list[tuple[Node, Node, int, int, int]]:
    """(whole, name, start and end of its source, how it is bound) for each name and source in one ``bind`` node."""
    events: list[tuple[int, int, int, int, Node]] = []
    for node in caught.get("bind", ()):
        events.append((node.start_byte, 0, -node.end_byte, -2, node))
    for node in caught.get("bind.name", ()):
        events.append((node.start_byte, 1, node.end_byte, -1, node))
    for how, capture in enumerate(_SOURCES):
        for node in caught.get(capture, ()):
            events.append((node.start_byte, 1, node.end_byte, how, node))
    events.sort(key=lambda event: event[:4])
    open_nodes: list[tuple[int, list[Node], list[tuple[int, int, int]]]] = []
    groups: list[tuple[Node, list[Node], list[tuple[int, int, int]]]] = []
    for start, turn, end, how, node in events:
        if turn == 0:
            group: tuple[list[Node], list[tuple[int, int, int]]] = ([], [])
            groups.append((node, *group))
            open_nodes.append((-end, *group))
            continue
        while open_nodes and open_nodes[-1][0] < end:
            open_nodes.pop()
        if not open_nodes:
            continue
        if how < 0:
            open_nodes[-1][1].append(node)
        else:
            open_nodes[-1][2].append((start, end, how))
    found: list[tuple[Node, Node, int, int, int]] = []
    for whole, names, sources in groups:
        sources.sort(key=lambda item: item[2])  # a written type says more than what a call gives, and comes first
        found.extend((whole, name, *item) for name in names for item in sources)
    return found


@lru_cache(maxsize=8192)
def _type(written: str) -> str:
    return type_path(written)


@lru_cache(maxsize=8192)
def _called(written: str, separators: tuple[str, ...]) -> str:
    if written.endswith(")"):
        found = receiver_of(written, separators)
        return found if found != "?" else ""
    receiver, name = split_name(written, separators)
    if receiver == "?" or not name:
        return ""
    return f"{receiver}.{name}()" if receiver else f"{name}()"


@lru_cache(maxsize=8192)
def _path(written: str, separators: tuple[str, ...]) -> str:
    """A value's name as a dotted path, with calls and items emptied; empty for any other expression."""
    found = receiver_of(written, separators)
    return found if found != "?" else ""
