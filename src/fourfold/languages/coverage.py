"""What is read of each language, as one table: made from the query files, the constructs and the rules of tests.

``python -m fourfold.languages.coverage > docs/languages.md`` writes it anew; a test holds the two together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from fourfold.languages.constructs import construct_counts
from fourfold.languages.entry import Language
from fourfold.languages.entrypoints import is_entry
from fourfold.languages.grammar import query_text
from fourfold.languages.table import LANGUAGES

_CAPTURE = re.compile(r"@([\w.]+)")
_KINDS = ("call", "construct", "decorate", "read", "write")
_HEAD = """\
# Languages

What fourfold reads of each language that it has a grammar and a query for. It is made from the code:
`python -m fourfold.languages.coverage > docs/languages.md`.

- **definitions**: the kinds of symbols, each with its qualified name, signature, lines and parent;
- **references**: calls, constructions, decorators, reads and writes, types;
- **imports** and **inheritance** (◐: inherits, ●: and implements); **doc**: the first line of what documents a symbol
  (above: a comment; inside: a text in the body); **tests**: told by their names or marks, beside the folders and file
  names that are tests everywhere;
- **constructs**: how many named constructs ("abstract classes") can be asked for;
- **beside ctags**: where symbols differ from those of Universal Ctags by more than 2% of a kind, and why
  (`benchmarks/ctags_agreement.py`).

| language | definitions | references | imports | inheritance | doc | tests | constructs | beside ctags |
|---|---|---|---|---|---|---|---:|---|
"""
#: (name, kind, signature, what stands above) of tests as some language writes them.
_TESTS = (
    ("test_it", "function", "", ""), ("testIt", "method", "", ""), ("TestIt", "function", "", ""),
    ("it", "method", "", "@Test"), ("it", "function", "", "#[test]"), ("it", "method", "", "[Fact]"),
)  # fmt: skip
#: Why symbols differ from those of ctags, looked at one by one.
NOTES: Mapping[str, str] = MappingProxyType({
    "python": "agrees; `import a as b` is an import here, a namespace there",
    "javascript": "ctags takes an object with methods for a class, lists the keys of object literals as properties, and"
    " some local variables; a property that is defined by a call (`defineGetter(req, 'ip', …)`) is none here",
    "typescript": "ctags lists local constants and variables, and the names of imports as aliases",
    "go": "agrees",
    "rust": "an `impl` is no symbol but part of its type, `mod x;` is an import; what ctags calls a variable is mostly"
    " a word in a type",
    "java": "ctags takes the annotations of enum constants for constants",
    "c": "a macro without a value (an include guard) is no symbol; ctags takes each `TEST(name) {` for a function"
    " `TEST`, and each `OPTION(name, 1)` in an enum for a constant; a `#define` with comments inside can hide what"
    " follows it",
    "cpp": "as C; a conversion operator's name is written with its brackets; some members are lost where macros stand"
    " for syntax",
    "csharp": "ctags takes assignments in constructors and parameters on their own lines for fields",
    "kotlin": "ctags lists local values, parameters of lambdas and unnamed companions",
    "php": "a file's namespace is its module and no symbol; ctags lists local variables",
    "ruby": "ctags has `x` and `x=` for an accessor, drops `?` from aliases, and takes keys of hashes for constants",
    "elixir": "ctags reads the examples inside documentation, and lists each `defimpl`, which is part of its protocol",
    "haskell": "a file's module is no symbol, nor are data families and their instances; ctags takes splices for"
    " functions",
    "lua": "ctags reads the examples inside documentation, and functions under keys in brackets (`[\"x\"] = function`)",
    "bash": "ctags takes `name=( … )` for a function",
    "css": "selectors here are classes, ids and at-rules; ctags lists elements too, and whole selectors",
    "markdown": "agrees; ctags cuts a heading at `#` and takes text between two lines of dashes for one",
    "julia": "not compared: no repository at hand",
    "r": "not compared: no repository at hand",
    "objc": "not compared: no repository at hand",
})  # fmt: skip


def table() -> str:
    """The whole page, in Markdown."""
    constructs = construct_counts()
    rows = [_row(entry, constructs) for entry in LANGUAGES if entry.query]
    only = sorted(entry.name for entry in LANGUAGES if entry.grammar and not entry.query)
    text = sorted(entry.name for entry in LANGUAGES if not entry.grammar)
    return (
        _HEAD
        + "\n".join(rows)
        + "\n\nWith a grammar only (syntax queries `ast:…`, text and meaning, no symbols): "
        + ", ".join(only)
        + ".\n\nTold apart by name, and found by text and meaning: "
        + ", ".join(text)
        + ".\n\nA language that is not here is `text`: it is found by text and meaning, and the ledger says so.\n"
    )


def _row(entry: Language, constructs: Counter[str]) -> str:
    source = re.sub(r"^;.*$", "", query_text(entry.query), flags=re.M)
    captured = {
        name.removesuffix(".name") if not name.startswith("bind") else name for name in _CAPTURE.findall(source)
    }
    kinds = sorted({name[4:] for name in captured if name.startswith("def.")} - {"test"})
    references = [kind for kind in _KINDS if kind in captured] + (["type"] if "type" in captured else [])
    docs = [word for word, there in (("above", "comment" in captured), ("inside", "doc" in captured)) if there]
    inherits = "●" if "implement" in captured else "◐" if "inherit" in captured else ""
    tests = "def.test" in captured or any(is_entry(entry.name, *told) for told in _TESTS)
    cells = (
        entry.name,
        ", ".join(kinds),
        ", ".join(references),
        "●" if "import" in captured else "",
        inherits,
        ", ".join(docs) if kinds else "",
        "●" if tests else "",
        str(constructs[entry.name] or ""),
        NOTES.get(entry.name, ""),
    )
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print(table(), end="")
