"""Which definitions are called by the language or a framework, so that nobody in the code seems to call them."""

from __future__ import annotations

import re

_MAIN = frozenset({"main", "init", "wmain", "WinMain", "DllMain", "TestMain"})
_DUNDER = re.compile(r"__\w+__\Z")
#: Decorators and attributes that only describe a definition; any other hands it to somebody who calls it.
_PLAIN_DECORATOR = re.compile(
    r"@(?:\w+\.)*(?:staticmethod|classmethod|property|abstractmethod|abc|cached_property|cache|lru_cache|wraps|dataclass"
    r"|overload|override|final|contextmanager|asynccontextmanager|total_ordering|deprecated|singledispatch|setter|getter"
    r"|typing|runtime_checkable|no_type_check|attrs?|define|frozen|dataclass_transform|doc|spec|moduledoc|type|impl)\b"
)
_DECORATOR = re.compile(r"^\s*@[\w.]+", re.M)
_TEST_NAMES = {
    "python": re.compile(r"test_|setUp|tearDown"),
    "go": re.compile(r"(?:Test|Benchmark|Example|Fuzz)(?:[A-Z_]|$)"),
    "ruby": re.compile(r"test_"),
    "php": re.compile(r"test[A-Z_]|__\w+"),
}
#: Methods that Go's libraries call on whatever has them.
_GO_CONTRACTS = frozenset(
    "String GoString Error Unwrap Is As Format Scan ServeHTTP RoundTrip MarshalJSON UnmarshalJSON MarshalText"
    " UnmarshalText MarshalBinary UnmarshalBinary MarshalXML UnmarshalXML MarshalYAML UnmarshalYAML GobEncode GobDecode"
    " Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo WriteString ReadByte WriteByte ReadRune Len Less Swap Push"
    " Pop Value Lock Unlock WriteHeader Flush Hijack CloseNotify LogValue Accept Timeout Temporary".split()
)
_MARKED = {
    "rust": re.compile(
        r"#\[(?:\w+::)*(?:test|main|no_mangle|bench|wasm_bindgen|export_name|proc_macro\w*|get|post|put)\b"
    ),
    "java": re.compile(
        r"@(?:Test|Before\w*|After\w*|Parameterized\w*|PostConstruct|PreDestroy|Bean|EventListener|Scheduled|Override"
        r"|\w*Mapping|GET|POST|PUT|DELETE|Inject|Provides)\b"
    ),
    "kotlin": re.compile(r"@(?:Test|Before\w*|After\w*|Bean|Composable|\w*Mapping)\b|\boverride\b"),
    "csharp": re.compile(r"\[(?:Fact|Theory|Test\w*|SetUp|TearDown|Http\w+|Benchmark)\b|\boverride\b"),
    "swift": re.compile(r"@(?:main|objc|IBAction|Test)\b|\boverride\b"),
    "elixir": re.compile(r"@impl\b"),
    "scala": re.compile(r"\boverride\b|@(?:Test|main)\b"),
}
#: Marks of a test, of what runs around one, or of a module that is compiled for tests only.
_TEST_MARKED = {
    "rust": re.compile(
        r"#\[(?:\w+::)*(?:test|bench|rstest|test_case|test_log|quickcheck|wasm_bindgen_test)\b|#\[cfg\((?:all\()?test\b"
    ),
    "java": re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|(?:Before|After)(?:Each|All|Class)?)\b"),
    "csharp": re.compile(r"\[(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|SetUp|TearDown)\b"),
    "swift": re.compile(r"@(?:Test|Suite)\b"),
}
#: Languages in which a name makes a test, in whatever file. Go runs those of test files only.
_NAMED_TESTS = {
    "python": re.compile(r"test_\w|setUp(?:Class|Module)?\Z|tearDown(?:Class|Module)?\Z"),
    "ruby": re.compile(r"test_\w"),
    "php": re.compile(r"test[A-Z_]"),
}
_SAME_TESTS = {"kotlin": "java", "scala": "java", "jupyter": "python"}


def is_test(language: str, name: str, kind: str, signature: str, before: str) -> bool:
    """Whether the language's own convention makes a definition a test, or a module one for tests. ``before`` is as for
    `is_entry`."""
    language = _SAME_TESTS.get(language, language)
    named, marked = _NAMED_TESTS.get(language), _TEST_MARKED.get(language)
    if named is not None:
        return kind in ("function", "method") and bool(named.match(name))
    return marked is not None and bool(marked.search(before) or marked.search(signature))


def is_entry(language: str, name: str, kind: str, signature: str, before: str) -> bool:
    """Whether a definition is an entry point. ``before`` is the text of its decorators, attributes and comments."""
    if kind not in ("function", "method", "class", "property"):
        return False
    if name in _MAIN and kind in ("function", "method"):
        return True
    if language in ("python", "jupyter"):
        if kind != "class" and _DUNDER.match(name):
            return True
        if kind == "property":
            return False
        for found in _DECORATOR.finditer(before):
            if not _PLAIN_DECORATOR.match(found[0].strip()):
                return True
        language = "python"
    names = _TEST_NAMES.get(language)
    if names and kind != "class" and names.match(name):
        return True
    if language == "go" and kind == "method" and name in _GO_CONTRACTS:
        return True
    marked = _MARKED.get(language)
    return bool(marked and (marked.search(before) or marked.search(signature)))
