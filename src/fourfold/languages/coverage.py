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
- **beside ctags**: what Universal Ctags tells another way, or what is lost; `benchmarks/ctags_agreement.py` gives the
  figures, kind for kind, with the reason for each kind of which less than 98% agrees.

| language | definitions | references | imports | inheritance | doc | tests | constructs | beside ctags |
|---|---|---|---|---|---|---|---:|---|
"""
#: (name, kind, signature, what stands above) of tests as some language writes them.
_TESTS = (
    ("test_it", "function", "", ""), ("testIt", "method", "", ""), ("TestIt", "function", "", ""),
    ("it", "method", "", "@Test"), ("it", "function", "", "#[test]"), ("it", "method", "", "[Fact]"),
)  # fmt: skip
#: What is told another way than ctags tells it, or lost. The benchmark has the figures.
NOTES: Mapping[str, str] = MappingProxyType({
    "javascript": "an object in a variable is that variable, not a class; keys of literals are no symbols",
    "typescript": "ctags takes words of the line after a type without a semicolon for constants",
    "rust": "an `impl` is part of its type, `mod x;` is an import",
    "c": "an include guard is no symbol; a value between `#ifdef` and `#else` after its `=` is lost",
    "cpp": "as C; members of a class whose head is a macro with arguments are lost",
    "csharp": "a primary constructor is its class; `using X = …` is an import",
    "kotlin": "an unnamed companion is part of its class",
    "objc": "a method goes by the first part of its selector; a category is part of its class",
    "php": "a file's namespace is its module and no symbol",
    "ruby": "`x` and `x=` are one accessor",
    "elixir": "a `defimpl` is part of its protocol",
    "haskell": "a file's module is no symbol; the `#else` of a file that imports there is lost",
    "sql": "no procedures and domains, which the grammar does not know",
    "scss": "parameters are no symbols; files whose mixins have defaults with signs do not parse",
    "make": "targets made of variables are no symbols; what stands with a tab in a condition is a recipe",
    "html": "classes are uses; headings are text",
    "tcl": "what follows a brace that the grammar cannot pair is lost",
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
