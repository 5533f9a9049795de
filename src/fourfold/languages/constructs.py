"""Questions about syntax: raw tree-sitter queries, and constructs named in words ("abstract classes").

What a construct looks like in each language is data (constructs.toml); here is how a phrase is recognised and how a
query's special captures are read.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from tree_sitter import Node, Query, QueryError, Tree

from fourfold.languages.grammar import ParseTimeout, captures, grammar, matches, parse_tree, query
from fourfold.languages.notebook import derive
from fourfold.languages.registry import language as entry_of
from fourfold.languages.registry import parsed_languages

#: (first line, last line, name): what a match is, from 1 and with both ends.
Found = list[tuple[int, int, str]]


class ConstructError(ValueError):
    """A query that no language can run; its text is one clear line."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to ask: a regular expression, and the small letters without which it cannot match."""

    begin: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Construct:
    """One entry of constructs.toml. ``queries`` and ``contains`` go by language; ``rule`` names a further check."""

    name: str
    phrases: tuple[Phrase, ...]
    queries: Mapping[str, str]
    contains: Mapping[str, str]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ConstructMatch:
    """A question that asks for a construct. ``name`` says which, in words; ``x`` and ``n`` are its arguments.

    ``compare`` is one of ``>``, ``>=``, ``==``, ``<`` and says how counts relate to ``n``.
    """

    construct: Construct
    name: str
    x: str = ""
    n: int = 0
    compare: str = ">"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the construct has a meaning."""
        return tuple(sorted(self.construct.queries))


# --------------------------------------------------------------------------- phrases

_LEAD = (
    r"(?:(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:find|list|show|get|give|display|search for|look for|locate|see)(?: me)? |(?:is|are) there |where are |which )?"
    r"(?:(?:all|every|each|any|all of)(?: (?:the|of the))? |the )?"
)
_TAIL = (
    r"(?: (?:in|across|within|inside) (?:the|this|our|my) (?:whole |entire )?(?:code ?base|code|repo(?:sitory)?|project"
    r"|sources?|source code|app(?:lication)?))?(?:,? please)?\s*[.!?]*\Z"
)
_NAME = (
    r"[`'\"“‘]?(?P<x>@?[^\W\d][\w$]*(?:(?:\.|::|->|#)[^\W\d][\w$]*)*(?:[<\[][\w\s,.:*&\[\]<>]*[>\]])?)[`'\"”’]?"
    r"(?:\(\))?"
)
_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "hundred": 100,
}  # fmt: skip
_NUMBER = rf"(?P<n>\d{{1,5}}|{'|'.join(_WORDS)})"
_MORE = r"(?P<more>more than|over|at least|at most|up to|exactly|fewer than|less than|under|longer than|)"
_COMPARE = {
    "more than": ">", "over": ">", "longer than": ">", "at least": ">=", "at most": "<=", "up to": "<=",
    "exactly": "==", "": "==", "fewer than": "<", "less than": "<", "under": "<",
}  # fmt: skip
#: What "long" means for a function when no number is given.
_LONG = 60
_LONGEST_PHRASE = 160


@cache
def _constructs() -> tuple[Construct, ...]:
    text = resources.files("fourfold.languages").joinpath("constructs.toml").read_text("utf-8")
    found = []
    for entry in tomllib.loads(text)["construct"]:
        found.append(
            Construct(
                name=entry["name"],
                phrases=tuple(Phrase(_begin(phrase), phrase) for phrase in entry["phrases"]),
                queries=_by_language(entry["queries"]),
                contains=_by_language(entry.get("contains", {})),
                rule=entry.get("rule", ""),
            )
        )
    return tuple(found)


def _begin(phrase: str) -> str:
    """The plain letters that a phrase begins with, but the last, which may be optional; none for alternatives."""
    if "|" in re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", phrase)):
        return ""
    found = re.match(r"[A-Za-z ]*(?=[A-Za-z ])", phrase)
    return found[0].casefold() if found else ""


@cache
def _phrase(text: str) -> re.Pattern[str]:
    text = text.replace("{X}", _NAME).replace("{N}", _NUMBER).replace("{MORE}", _MORE)
    return re.compile(rf"{_LEAD}{text}{_TAIL}", re.IGNORECASE)


def _by_language(queries: Mapping[str, str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for names, source in queries.items():
        for name in names.split():
            found[name] = f"{found[name]}\n{source}" if name in found else source
    return MappingProxyType(found)


def construct_names() -> list[str]:
    """What can be asked for, in words, as help shows it."""
    return [construct.name.replace("{MORE} ", "more than ") for construct in _constructs()]


def construct_counts() -> Counter[str]:
    """Language → how many constructs have a query in it."""
    return Counter(language for construct in _constructs() for language in construct.queries)


def find_construct(text: str) -> ConstructMatch | None:
    """The construct that the whole of ``text`` asks for ("list all abstract classes"), or None.

    A question that only mentions one ("how do async functions work") is none.
    """
    if len(text) > _LONGEST_PHRASE or "\n" in text:
        return None
    text = " ".join(text.split())
    folded = text.casefold()
    for construct in _constructs():
        for phrase in construct.phrases:
            # compiling all of them takes 0.2 s: only those whose first words occur
            match = _phrase(phrase.pattern).match(text) if phrase.begin in folded else None
            if match:
                return _matched(construct, match)
    return None


def _matched(construct: Construct, match: re.Match[str]) -> ConstructMatch | None:
    groups = match.groupdict()
    x, count = groups.get("x") or "", groups.get("n")
    if x in _NO_NAMES:
        return None
    more = (groups.get("more") or "").casefold()
    n = _LONG if groups.get("long") else 0
    if count:
        n = int(count) if count.isdigit() else _WORDS[count.casefold()]
    compare = ">" if groups.get("long") else _COMPARE[more]
    if "longer than" in match[0].casefold():
        compare = ">"
    name = construct.name
    if "X" in name.split():
        name = " ".join(x if word == "X" else word for word in name.split()) if x else name.partition(" X")[0]
    elif x:
        name = f"{name} of {x}"
    if "{MORE}" in name:
        words = {">": "more than", ">=": "at least", "<=": "at most", "<": "fewer than", "==": "exactly"}
        name = name.replace("{MORE}", words[compare]).replace(" N ", f" {n} ")
    return ConstructMatch(construct, name, x.lstrip("@"), n, compare)


#: Words that stand where a name would, in questions that are no constructs.
_NO_NAMES = frozenset(
    "a an the it them this that these those what which something nothing anything how why value values result results"
    " data".split()
)


# --------------------------------------------------------------------------- running


def run_construct(match: ConstructMatch, language: str, data: bytes) -> Found:
    """Where the construct stands in one file; empty in a language in which it has no meaning."""
    language = entry_of(language).name
    key = "python" if language == "jupyter" else language
    source = match.construct.queries.get(key)
    tree = _tree(language, data) if source else None
    if source is None or tree is None:
        return []
    kept: list[tuple[Node, str]] = []
    seen: set[int] = set()
    for caught in matches(_compiled(key, source), tree):
        node = caught["match"][0]
        if node.id in seen or not _fits(match, caught):
            continue
        seen.add(node.id)
        kept.append((node, _name_of(caught, node)))
    inner = match.construct.contains.get(key)
    if inner:
        kept = _holding(kept, captures(_compiled(key, inner), tree).get("inner", []))
    check = _RULES.get(match.construct.rule)
    if check is not None:
        kept = check(match, key, tree, kept)
    return sorted({(_first_line(node), _last_line(node), name) for node, name in kept})


def run_query(language: str, data: bytes, query_source: str) -> Found:
    """Where a tree-sitter query matches in one file, by its outermost captured node.

    Empty in a language that has no grammar, or whose grammar lacks what the query names. Raises `ConstructError` for
    a query that is not well formed, or that no language of the registry can run.
    """
    source = query_source.strip().removeprefix("ast:").strip()
    if "@" not in source:
        source += " @match"
    name = entry_of(language).name
    compiled = _compiled_or_none(name, source)
    tree = _tree(name, data) if compiled is not None else None
    if compiled is None or tree is None:
        return []
    found: set[tuple[int, int, str]] = set()
    for caught in matches(compiled, tree):
        nodes = [node for capture, group in caught.items() if not capture.startswith("_") for node in group]
        if nodes:
            node = min(nodes, key=lambda node: (node.start_byte, -node.end_byte))
            found.add((_first_line(node), _last_line(node), _name_of(caught, node)))
    return sorted(found)


def check_brackets(query_source: str) -> None:
    """Raises `ConstructError` for a query that lacks a closing bracket or has one too many, outside its strings."""
    depth = 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"?|;[^\n]*|[()\[\]]', query_source):
        depth += 1 if token in ("(", "[") else -1 if token in (")", "]") else 0
        if depth < 0:
            raise ConstructError("the syntax query has a closing bracket too many")
    if depth:
        raise ConstructError(f"the syntax query lacks {depth} closing bracket{'s' if depth > 1 else ''}")


@cache
def _compiled(language: str, source: str) -> Query:
    found = grammar(language)
    if found is None:
        raise ConstructError(f"no grammar for {language}")
    return Query(found, source)


@cache
def _compiled_or_none(language: str, source: str) -> Query | None:
    """The query, or None when only this language cannot run it. Raises `ConstructError` when none can."""
    if grammar(language) is None:
        return None
    try:
        return _compiled(language, source)
    except (QueryError, ValueError, SyntaxError) as error:
        if _runs_somewhere(source):
            return None
        raise ConstructError(f"the syntax query does not compile: {' '.join(str(error).split())}") from None


@cache
def _runs_somewhere(source: str) -> bool:
    for name in parsed_languages():
        if not entry_of(name).query:
            continue
        try:
            _compiled(name, source)
        except (QueryError, ValueError, SyntaxError):
            continue
        return True
    return False


#: A tree with more statements, or loose tokens, side by side than this makes wildcards too slow.
_MOST_CHILDREN, _MOST_TOKENS = 50_000, 10_000


def _tree(language: str, data: bytes) -> Tree | None:
    if language == "jupyter":
        data = derive(data)
    try:
        tree = parse_tree(language, data, 5.0)
    except ParseTimeout:
        return None
    if tree is None:
        return None
    children, named = tree.root_node.child_count, tree.root_node.named_child_count
    return None if children > _MOST_CHILDREN or children - named > _MOST_TOKENS else tree


# --------------------------------------------------------------------------- reading captures

_COMMENTS = re.compile("comment|haddock")
#: Statements that do nothing.
_NOTHING = frozenset({"pass_statement", "empty_statement", "ellipsis", ";"})
#: Members of a parameter list that are no parameters of their own.
_NO_PARAMETERS = frozenset(
    {"self_parameter", "keyword_separator", "positional_separator", "this", "attribute_item", "type_parameter"}
)


def _fits(match: ConstructMatch, caught: Mapping[str, Sequence[Node]]) -> bool:
    if match.x and "x" in caught and not any(_has_word(node, match.x) for node in caught["x"]):
        return False
    if "empty" in caught and not all(_is_empty(node) for node in caught["empty"]):
        return False
    return "count" not in caught or _compared(_count(caught["count"][0]), match)


def _has_word(node: Node, word: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(word)}(?![\w$])", _text(node)) is not None


def _is_empty(node: Node) -> bool:
    for child in node.named_children:
        if _COMMENTS.search(child.type) or child.type in _NOTHING:
            continue
        if child.type in ("expression_statement", "statements") and _is_empty(child):
            continue
        if node.type == "catch_block" and child.type in ("simple_identifier", "user_type", "catch_keyword", "pattern"):
            continue  # the exception's name and type stand in the same node as the block
        return False
    return True


def _count(node: Node) -> int:
    total = 0
    for place, child in enumerate(child for child in node.named_children if not _COMMENTS.search(child.type)):
        if child.type in _NO_PARAMETERS or (place == 0 and child.text in (b"self", b"cls", b"void", b"this")):
            continue
        names = child.children_by_field_name("name") if child.type == "parameter_declaration" else []
        total += max(len(names), 1)  # Go: `a, b int`
    return total


def _compared(value: int, match: ConstructMatch) -> bool:
    return {
        ">": value > match.n,
        ">=": value >= match.n,
        "<=": value <= match.n,
        "<": value < match.n,
        "==": value == match.n,
    }[match.compare]


def _name_of(caught: Mapping[str, Sequence[Node]], node: Node) -> str:
    """What to call a match: its captured name, its name field, or how it starts."""
    named = caught.get("name") or [found for found in [node.child_by_field_name("name")] if found is not None]
    text = ((named[0] if named else node).text or b"")[:400].decode("utf-8", "replace")
    text = " ".join(text.partition("\n")[0].split()).strip("\"'")
    return text if len(text) <= 80 else text[:79] + "…"


def _first_line(node: Node) -> int:
    return node.start_point[0] + 1


def _last_line(node: Node) -> int:
    row, column = node.end_point
    return max(row + (1 if column else 0), _first_line(node))


# --------------------------------------------------------------------------- further checks

Kept = list[tuple[Node, str]]


def _innermost(kept: Kept, node: Node) -> int:
    """The index of the smallest match that holds ``node`` without being it, or -1."""
    best, size = -1, 1 << 62
    for place, (outer, _) in enumerate(kept):
        length = outer.end_byte - outer.start_byte
        if (
            outer.start_byte <= node.start_byte
            and node.end_byte <= outer.end_byte
            and length < size
            and (outer.start_byte, outer.end_byte) != (node.start_byte, node.end_byte)
        ):
            best, size = place, length
    return best


def _holding(kept: Kept, inner: Sequence[Node]) -> Kept:
    holders = {_innermost(kept, node) for node in inner}
    return [item for place, item in enumerate(kept) if place in holders]


def _only_nested(_match: ConstructMatch, language: str, _tree: Tree, kept: Kept) -> Kept:
    if language == "csharp":  # it has a node of its own
        return kept
    return [item for item in kept if _innermost(kept, item[0]) >= 0]


def _only_recursive(_match: ConstructMatch, language: str, tree: Tree, kept: Kept) -> Kept:
    """Functions in which a call by their own name stands."""
    own = query(language)
    if own is None:
        return []
    caught = captures(own, tree)
    wanted = {_last_word(name) for _, name in kept}
    named = [(node, _own_call(node)) for node in (*caught.get("call", ()), *caught.get("call.name", ()))]
    named = [(node, word) for node, word in named if word in wanted]
    recursive = set()
    for node, word in named:
        place = _innermost(kept, node)
        if place >= 0 and _last_word(kept[place][1]) == word:
            recursive.add(place)
    return [item for place, item in enumerate(kept) if place in recursive]


_SELF = frozenset({"self", "this", "cls", "Self", "$this", "static"})


def _own_call(node: Node) -> str:
    """The name that a call names on nothing or on the object itself; empty when it is somebody else's."""
    above = node.parent
    for field in ("object", "receiver", "scope", "expression", "value"):
        owner = above.child_by_field_name(field) if above is not None else None
        if owner is not None and owner != node:
            return _last_word(_text(node)) if _text(owner) in _SELF else ""
    words = re.split(r"\.|::|->|:", _text(node)[-200:])
    return words[-1] if len(words) == 1 or (len(words) == 2 and words[0] in _SELF) else ""


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _last_word(text: str) -> str:
    words = re.findall(r"[\w$]+[!?]?", text)
    return words[-1] if words else ""


def _only_long(match: ConstructMatch, _language: str, _tree: Tree, kept: Kept) -> Kept:
    return [item for item in kept if _compared(_last_line(item[0]) - _first_line(item[0]) + 1, match)]


_RULES: Mapping[str, Callable[[ConstructMatch, str, Tree, Kept], Kept]] = MappingProxyType(
    {"nested": _only_nested, "recursive": _only_recursive, "lines": _only_long}
)
