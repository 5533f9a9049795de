"""The last name of a written type: what a value of that type can be asked for is defined there."""

from __future__ import annotations

import re
from functools import lru_cache

#: Wrappers whose value behaves as what they wrap.
_THROUGH = frozenset(
    "Optional Annotated Final ClassVar Awaitable Coroutine Promise Readonly Partial Required NonNullable Box Rc Arc Ref"
    " RefMut unique_ptr shared_ptr weak_ptr Type type Mapped NonNull ManagedBuffer Lazy IO Task ValueTask".split()
)
_NOISE = re.compile(
    r"\b(?:const|mut|dyn|impl|volatile|static|final|struct|enum|union|class|unsigned|signed|readonly|typename|async|in|out"
    r"|ref|lateinit|open|inout|some|any|register|extern|inline|constexpr|public|private|protected|override|comptime)\b"
    r"|'[a-z_]\w*|@\w+"
)
_NAME = re.compile(r"[^\W\d]\w*")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\s*(?:\.|::|\\)\s*[^\W\d]\w*)*")
_NOTHING = frozenset(
    "None null undefined void nil Unit unit auto var let where func fn function chan fun decltype typeof keyof"
    " infer".split()
)
_LIMIT = 400


_SEQUENCES = frozenset(
    "List list Sequence MutableSequence Iterable Iterator Generator AsyncIterable AsyncIterator AsyncGenerator Set set"
    " FrozenSet frozenset AbstractSet MutableSet Collection deque Deque Array ReadonlyArray ReadonlySet Vec VecDeque"
    " HashSet BTreeSet ArrayList LinkedList LinkedHashSet TreeSet Queue Stream Stack IEnumerable IList ICollection"
    " IReadOnlyList Slice slice IterableIterator NodeListOf".split()
)
_MAPPINGS = frozenset(
    "Dict dict Mapping MutableMapping defaultdict DefaultDict OrderedDict Map HashMap BTreeMap LinkedHashMap TreeMap"
    " ConcurrentHashMap ConcurrentMap WeakMap ReadonlyMap Record Dictionary IDictionary MutableMap WeakValueDictionary"
    " ChainMap".split()
)


@lru_cache(maxsize=8192)
def last_type_name(text: str) -> str:
    """The last part of `type_path`."""
    return type_path(text).rpartition(".")[2]


def type_path(text: str) -> str:
    """The dotted name of a written type: ``pkg.Foo`` for ``Optional[pkg.Foo]``, ``*pkg.Foo``, ``pkg::Foo | None`` or
    ``Arc<pkg::Foo>``, but ``List`` for ``List<Foo>``; empty if it has none.

    Sequences (``[]Foo``, ``Foo[]``), functions and object types have no name of their own, so they give none.
    """
    text = text[:_LIMIT].strip()
    for _ in range(6):
        text = _NOISE.sub(" ", text.lstrip(":->= \t\"'`").rstrip("\"'` ")).strip(" *&?!\t\n")
        if text.startswith("(") and text.endswith((" error)", ",error)")):
            text = _first(text[1:-1])  # Go: what is of use of a value and an error is the value
            text = text.rpartition(" ")[2] if " " in text.strip() else text
            continue
        if not text or text[0] in "[({" or text.endswith("[]") or "=>" in text or "->" in text or text[:4] == "map[":
            return ""
        parts = [part for part in _split(text) if part.strip() not in _NOTHING]
        if len(parts) != 1:
            return ""
        text = parts[0].strip(" *&?!\t\n\"'`")
        match = _DOTTED.match(text)
        if not match:
            return ""
        path = ".".join(_NAME.findall(match[0]))
        name = path.rpartition(".")[2]
        rest = text[match.end() :].lstrip()
        if name not in _THROUGH or not rest or rest[0] not in "[<":
            return "" if name in _NOTHING else path
        inner = rest[1:].rstrip(" ]>")
        text = _first(inner)
    return ""


@lru_cache(maxsize=8192)
def item_type(text: str) -> tuple[str, str]:
    """The type of what a written container holds, and a mark: ``("Foo", "[]")`` for ``List[Foo]``, ``Foo[]`` or
    ``[]*Foo``; ``("Foo", "{}")`` for the values of ``Map<Key, Foo>`` or ``map[Key]Foo``; two empty texts otherwise.
    """
    if len(text) > _LIMIT or not ("[" in text or "<" in text or "..." in text):
        return "", ""
    text = text.strip()
    for _ in range(6):
        text = _NOISE.sub(" ", text.lstrip(":->= \t\"'`").rstrip("\"'` ")).strip(" *&?!\t\n")
        parts = [part for part in _split(text) if part.strip() not in _NOTHING]
        if len(parts) != 1:
            return "", ""
        text = parts[0].strip(" *&?!\t\n\"'`")
        if text.endswith("[]") and text[:1] != "[":
            return _marked(text[:-2], "[]")
        if text.startswith("..."):
            return _marked(text[3:], "[]")
        if text.startswith("map["):
            return _marked(text.partition("]")[2], "{}")
        if text.startswith("["):  # Go's []T and [3]T; Rust's [T] and [T; 3]
            inner, _, after = text[1:].partition("]")
            return _marked(after or inner.partition(";")[0], "[]")
        match = _DOTTED.match(text)
        rest = text[match.end() :].lstrip() if match else ""
        if match is None or rest[:1] not in ("[", "<"):
            return "", ""
        name = _NAME.findall(match[0])[-1]
        inner = rest[1:].rstrip()[:-1]
        first = _first(inner)
        if name in _SEQUENCES or (name in ("tuple", "Tuple") and inner.replace(" ", "").endswith(",...")):
            return _marked(first, "[]")
        if name in _MAPPINGS:
            return _marked(_first(inner[len(first) + 1 :]), "{}")
        if name not in _THROUGH and name != "Option":
            return "", ""
        text = first
    return "", ""


def _marked(text: str, mark: str) -> tuple[str, str]:
    path = type_path(text)
    return (path, mark) if path else ("", "")


def _split(text: str) -> list[str]:
    """The alternatives of a union type, split outside brackets."""
    parts, depth, last = [], 0, 0
    for place, character in enumerate(text):
        if character in "[<({":
            depth += 1
        elif character in "]>)}":
            depth -= 1
        elif character == "|" and depth == 0:
            parts.append(text[last:place])
            last = place + 1
    return [*parts, text[last:]]


def _first(text: str) -> str:
    """The text before the first comma outside brackets."""
    depth = 0
    for place, character in enumerate(text):
        if character in "[<({":
            depth += 1
        elif character in "]>)}":
            depth -= 1
        elif character == "," and depth == 0:
            return text[:place]
    return text
