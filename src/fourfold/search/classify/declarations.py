"""Rule 3: declarations and imports, as code has them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from fourfold.search.classify.shapes import NAME, Shape, lines_of

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|virtual|override|inline"
    r"|extern|unsafe"
    r"|sealed|open|data|partial|readonly|suspend|pub(?:\([\w: ]+\))?|constexpr|consteval|explicit|friend"
    r"|volatile|synchronized|native|(?:private|protected)\[\w+\]"
    r"|local|declare|const|mut|let|var|val|lazy|lateinit|infix|operator|tailrec|external|actual|expect|companion"
    r"|annotation|inner"
    r"|case|implicit|fileprivate|mutating|nonisolated|required|convenience|weak|indirect|noinline|crossinline"
    r"|transparent|new"
    r"|register|__inline|__attribute__\(\(\w+\)\)|typename|default|strictfp|transient)\s+)"
)
_SIGNS = r"(?:\(\)|\[\]|\"\"_?\w*|[-+*/%^&|=<>!~]{1,3}|new|delete)"
_PARAMETERS = r"<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
#: The same without what no argument of a type holds, so that two of them cannot be taken for one.
_ARGUMENTS = r"<(?:[^<>()=;]|<(?:[^<>()=;]|<[^<>()=;]*>)*>)*>"
#: One word for a type, with what may stand around its name.
_TYPE = rf"[\w.:]+(?:{_ARGUMENTS})?[?*&\[\]]*"
_DECLARATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "def …",
        re.compile(
            rf"\s*{_MODIFIERS}*(?:def|defp|defmacro|defn-?|defun)\s+(?:self\.|{NAME}\.)?"
            rf"(?P<name>[A-Za-z_][\w?!]*|\[\]=?|[-+*/%<>=!~^&|:@#]{{1,4}}(?=[\s(\[]))"
        ),
    ),
    ("lisp definition", re.compile(r"\s*\((?:def\w*|define)-?\s+\(?(?P<name>[^\s()]+)")),
    ("func …", re.compile(rf"\s*{_MODIFIERS}*func\s*(?:\([^()]*\)\s*)(?P<name>{NAME})\s*[(\[]")),
    (
        "func …",
        re.compile(rf"\s*{_MODIFIERS}*(?:func|fn|fun)\s+(?:{_PARAMETERS}\s*)?(?:{NAME}\.)?(?P<name>{NAME})\s*[(<\[]"),
    ),
    ("fn …", re.compile(rf"\s*{_MODIFIERS}*(?:func|fn)\s+(?P<name>{NAME})\s*\Z")),
    ("function …", re.compile(r"\s*(?:function|fun)\s+(?P<name>(?=\w*(?:_|[a-z0-9][A-Z]))[A-Za-z]\w*)\s*\Z")),
    ("function …", re.compile(rf"\s*{_MODIFIERS}*function\s*\*?\s+(?:{NAME}[.:])*(?P<name>{NAME})\s*[(<{{]")),
    ("sub …", re.compile(rf"\s*sub\s+(?P<name>{NAME})\s*[{{(]")),
    ("macro …", re.compile(rf"\s*(?:#\s*define\s+|macro_rules!\s*)(?P<name>{NAME})")),
    ("module …", re.compile(r"\s*defmodule\s+(?P<name>[\w.]+)")),
    ("impl …", re.compile(r"\s*(?:unsafe\s+)?impl\s*(?:<[^>]*>\s*)?(?:[\w:<>, ]+\s+for\s+)(?P<name>[A-Z]\w*)")),
    (
        "type …",
        re.compile(
            rf"\s*{_MODIFIERS}*type\s+(?P<name>{NAME})\s*(?:<[^=]*>\s*)?(?:=|struct\b|interface\b|func\b|\[|map\b)"
        ),
    ),
    (
        "function value",
        re.compile(
            rf"\s*{_MODIFIERS}*(?:[\w$]+[.:])*(?P<name>{NAME})\s*(?::[^=(]*=|[:=])\s*(?:async\s+)?"
            rf"(?:function\b|(?:{_PARAMETERS})?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=>{{]*)?=>|{NAME}\s*=>)"
        ),
    ),
    (
        "constant",
        re.compile(
            r"\s*(?=(?:\w+\s+)*(?:static|final|const|constexpr|readonly|private|public|protected|internal)\s)"
            rf"{_MODIFIERS}+(?:(?:struct|enum|union|unsigned|signed|long|short)\s+)*{_TYPE}\s+[*&]*"
            rf"(?P<name>{NAME})(?:\[\w*\])?\s*=(?![=>])"
        ),
    ),
    (
        "member",
        re.compile(
            rf"\s*(?=(?:\w+\s+)*(?:private|public|protected|internal)\s){_MODIFIERS}+(?:event\s+)?"
            rf"{_TYPE}\s+[*&]*(?P<name>{NAME})\s*"
            r"(?:;\s*\Z|\{\s*(?:(?:private|protected|internal)\s+)*(?:get|set|init)\b)"
        ),
    ),
    ("using …", re.compile(rf"\s*using\s+(?P<name>{NAME})\s*=\s*\S")),
    (
        "operator",
        re.compile(
            rf"\s*{_MODIFIERS}*(?:[\w:]+(?:{_ARGUMENTS})?[*&]*\s+[*&]*)*(?P<name>(?:{NAME}::)*operator\s*{_SIGNS})"
            r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)"
        ),
    ),
    ("typedef", re.compile(rf"\s*typedef\s+[^;]*?\(\s*\*\s*(?P<name>{NAME})\s*\)\s*\(")),
    ("typedef", re.compile(rf"\s*typedef\s+.*?\b(?P<name>{NAME})\s*;\s*\Z")),
    (
        "const …",
        re.compile(
            rf"\s*(?:export\s+)?(?:pub(?:\([\w: ]+\))?\s+)?(?:const|static"
            rf"|final)\s+(?:mut\s+)?(?:\w+\s+)?(?P<name>{NAME})\s*(?::[^=]+)?=(?!=)"
        ),
    ),
    (
        "static …",
        re.compile(rf"\s*(?:pub(?:\([\w: ]+\))?\s+)?(?:static|const)\s+(?:mut\s+)?(?P<name>{NAME})\s*:\s*\S"),
    ),
    ("module …", re.compile(r"\s*declare\s+module\s+['\"](?P<name>[^'\"]+)['\"]")),
    (
        "method …",
        re.compile(
            rf"\s*(?!(?:if|for|while|switch|catch|with|function|return|else|do|try|elif|match|when|unless|until)\b)"
            rf"{_MODIFIERS}*(?:get\s+|set\s+)?\*?#?(?P<name>{NAME})\s*(?:{_PARAMETERS})?\s*"
            r"\((?:[^()\"']|\([^()]*\))*\)\s*(?::\s*[\w.<>\[\]|&, ?]+)?\s*\{\s*(?:(?:#|//)\s.*)?\Z"
        ),
    ),
    ("val …", re.compile(rf"\s*{_MODIFIERS}*(?:val|var)\s+(?:{NAME}\.)?(?P<name>{NAME})\s*:\s*[\w.<>?, ]+?\s*=(?!=)")),
    (
        "init …",
        re.compile(
            rf"\s*(?:{_MODIFIERS}+|(?=\w+[?!]?\s*\(\w+\s*(?:\w+\s*)?:))(?P<name>init|subscript)[?!]?\s*(?:{_PARAMETERS})?\("
        ),
    ),
    ("@spec …", re.compile(r"\s*@(?:type|typep|opaque|callback|macrocallback|spec)\s+(?P<name>[a-z_]\w*[?!]?)")),
    ("associated type", re.compile(rf"\s*(?:associatedtype|typealias)\s+(?P<name>{NAME})")),
    ("data …", re.compile(r"\s*(?:data|newtype)\s+(?P<name>[A-Z][\w']*)[^=:]*(?:=|::|\bwhere\b)")),
    ("… :: …", re.compile(r"\s*(?P<name>[a-z_][\w']*)\s+::\s+(?=[A-Z(\[{]|[a-z]\w*\s+->|forall\b)")),
    (
        "let …",
        re.compile(rf"\s*(?:export\s+)?(?:let|var|val)\s+(?:mut\s+)?(?P<name>{NAME})\s*:\s*[\w<>\[\], .?&|]+\Z"),
    ),
)
_TYPES = re.compile(
    rf"\s*(?:template\s*<[^<>]*>\s*)?{_MODIFIERS}*(?P<word>enum class|enum struct|data class|class|struct"
    rf"|interface|trait|enum|protocol|record|object|union"
    rf"|module|namespace|package|mod|impl|contract|actor|extension|annotation|@interface"
    rf"|type)\s+(?P<name>{NAME}(?:(?:::|\.|\\){NAME})*)"
    r"(?P<rest>.*)\Z",
    re.DOTALL,
)
_TYPE_REST = re.compile(
    r"\s*(?:[:({<\[;=]|(?:final|sealed)\s*[:{]|permits\b|extends\b"
    r"|(?:(?:@\w+|private|internal|public|protected)\s+)*constructor\b|implements\b|inherits\b"
    r"|where\b.*\{|with\b.*\{|for [A-Z]|do\s*\Z|is\s*\Z|as\s*\Z|<\s*[A-Z:]|\Z)"
)
_C_FUNCTION = re.compile(
    rf"\s*(?P<before>(?:(?:{_ARGUMENTS}|{NAME}(?:(?:::|\.){NAME})*(?:{_ARGUMENTS})?(?:\[\])*[*&?]*)\s+[*&]*){{1,7}})"
    rf"(?P<name>~?{NAME}(?:(?:::|\.)~?{NAME})*)(?:{_PARAMETERS})?\s*"
    r"\((?P<args>(?:[^()=;\"']|=(?![=>])|\"[^\"]*\"|'[^']*')*(?:\([^()]*\)(?:[^()=;\"']|=(?![=>]))*)?)\)\s*"
    r"(?P<rest>(?:const|noexcept|override|final|throws [\w., ]+)?\s*(?:->\s*[\w:<>&*]+\s*)?[;{]?.*)\Z",
    re.DOTALL,
)
_C_TYPES = frozenset(
    """void int char bool boolean float double long short unsigned signed size_t ssize_t auto string String uint8_t
    uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t byte object decimal Task List Map Set Optional
    Promise""".split()
)
_C_MODIFIERS = frozenset(
    """static inline extern public private protected final abstract virtual async override explicit constexpr
    const internal unsafe sealed partial""".split()
)
_NOT_TYPES = frozenset(
    """return new throw else case goto delete await yield in not and or is if while for switch sizeof using
    import""".split()
)
_STATEMENTS = frozenset("with if while for in not and or is return else elif assert raise await yield".split())

_IMPORTS: tuple[re.Pattern[str], ...] = (
    re.compile(r"\s*from\s+(?P<module>\.*[\w.]*)\s+import\s+\(?\s*(?P<name>[\w*]+)(?P<rest>.*)", re.DOTALL),
    re.compile(
        r"\s*(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{\s*(?:type\s+)?(?P<name>[\w$]+)[^}]*\}\s*from\s*['\"](?P<module>[^'\"]+)['\"]"
    ),
    re.compile(
        r"\s*(?:import|export)\s+(?:type\s+)?(?:\*\s+as\s+)?(?P<name>[\w$*]+)\s+from\s*['\"](?P<module>[^'\"]+)['\"]"
    ),
    re.compile(r"\s*import\s+(?:\w+\s+|\.\s+|_\s+)?['\"](?P<name>[^'\"]+)['\"]"),
    re.compile(
        r"\s*(?:import\s+static|import\s+qualified|import\s+type|import)\s+(?P<name>[A-Za-z_]\w*(?:(?:\."
        r"|::)\w+)*(?:\.\*)?)(?P<rest>(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*;?)\s*\Z"
    ),
    re.compile(
        r"\s*import\s+(?:qualified\s+)?(?P<name>[A-Z]\w*(?:\.\w+)*)(?:\s+qualified)?(?:\s+as\s+\w+)?(?:\s+hiding)?"
        r"\s*\(.*\)\s*\Z"
    ),
    re.compile(r"\s*(?:alias|require|use)\s+(?P<name>[A-Z]\w*(?:\.[A-Z]\w*)+)(?:,?\s.*)?\Z"),
    re.compile(r"\s*(?:pub\s+)?use\s+(?P<name>\\?\w+(?:(?:::|\\)\w+)+)(?P<rest>.*)"),
    re.compile(
        r"\s*using\s+(?:static\s+|namespace\s+)?(?P<name>[A-Z]\w*(?:\.\w+)+|(?<=namespace )\w+(?:::\w+)*"
        r"|std::\w+)\s*;?\s*\Z"
    ),
    re.compile(r"\s*#\s*(?:include|import)\s*[<\"](?P<name>[^>\"]+)[>\"]"),
    re.compile(r"\s*(?:const|let|var|local)\s+(?:\{\s*)?(?P<name>[\w$]+)[^=]*=\s*require\s*\(?\s*['\"][^'\"]+['\"]"),
    re.compile(
        r"\s*(?:require|require_relative|require_once|include|include_once|load"
        r"|source)\s*\(?\s*['\"](?P<name>[^'\"]+)['\"]\s*\)?\s*;?\s*\Z"
    ),
    re.compile(r"\s*extern\s+crate\s+(?P<name>\w+)"),
)
_LEADING = re.compile(
    r"\s*(?:@[\w.]+(?:\(.*\))?|#\[.*\]|//.*|#(?!\s*(?:include|define|import)\b).*|/\*.*|\*.*|\"\"\".*"
    r"|template\s*<.*>|\[\w+(?:\(.*\))?\])\s*\Z"
)
#: Declarations that a value ends; one that goes on in the next line ends in an open bracket or an operator.
_VALUES = frozenset(["constant", "const …", "let …", "val …", "static …"])
_OPEN_VALUE = re.compile(r"(?:[({\[=,|&+]|=>)\s*\Z")
#: What may stand before a declaration on its own line: annotations, attributes, the parameters of a template.
_BEFORE = re.compile(
    r"\s*(?:@(?!(?:interface|type|typep|opaque|callback|macrocallback|spec)\b)[\w.]+(?:\([^()]*\))?\s+|#\[[^\]]*\]\s*|\[[A-Z]\w*(?:\([^()]*\))?\]\s*"
    r"|template\s*<(?:[^<>]|<[^<>]*>)*>\s*(?:requires\s+[\w:]+(?:<[^<>]*>)?\s+)?)+(?=\S)"
)


def find_declaration(text: str, prose: Container[str]) -> Shape | None:
    """Rule 3: a declaration or an import. ``prose`` holds words that no name of a type is likely to be."""
    lines = lines_of(text)
    while len(lines) > 1 and _LEADING.match(lines[0][1]):
        lines = lines[1:]
    if not lines:
        return None
    start, line = lines[0]
    whole, used = _import_of(lines)
    for pattern in _IMPORTS:
        if match := pattern.match(whole):
            if not all(any(other.match(rest) for other in _IMPORTS) for _, rest in lines[used:]):
                return None
            word = line.split()[0]
            if word in ("import", "from", "use", "using") and "as" not in line.split() and _is_sentence(line):
                return None
            place = start + match.start("name") if used == 1 else text.find(match["name"], start)
            return Shape(f"{word} …", match["name"], place)
    if before := _BEFORE.match(line):
        start, line = start + before.end(), line[before.end() :]
    line, more = _closed(line, lines[1:])
    for cue, pattern in _DECLARATIONS:
        if match := pattern.match(line):
            rest = line[match.end("name") :]
            if more and cue in _VALUES and not _OPEN_VALUE.search(rest):
                return None  # a statement among others
            if cue == "function value":
                body = _follows(line[: match.end()], line[match.end() :])
            else:
                body = cue not in _VALUES and _has_body(rest)
            return Shape(cue, match["name"], start + match.start("name"), more or body)
    if (match := _TYPES.match(line)) and _is_type(match, prose):
        name = (
            re.split(r"::|\.|\\", match["name"])[-1]
            if match["word"] not in ("package", "namespace", "module")
            else match["name"]
        )
        place = match.start("name") + match["name"].rfind(name)
        return Shape(f"{match['word']} …", name, start + place, more or _has_body(match["rest"]))
    if (match := _C_FUNCTION.match(line)) and _is_c_function(match, prose):
        return Shape("signature", match["name"], start + match.start("name"), more or _has_body(match["rest"]))
    return None


def _import_of(lines: Sequence[tuple[int, str]]) -> tuple[str, int]:
    """An import with the lines that its open bracket goes on over, and how many lines that are."""
    whole, used = lines[0][1], 1
    if re.match(r"\s*(?:import|from|use|export|pub use)\b", whole):
        while used < min(len(lines), 30) and max(map(whole.rfind, "({")) > max(map(whole.rfind, ")}")):
            whole, used = f"{re.sub(r'  #.*', '', whole)} {lines[used][1].strip()}", used + 1
    return whole, used


def _closed(line: str, rest: Sequence[tuple[int, str]]) -> tuple[str, bool]:
    """A head with the lines that its open bracket goes on over, and whether more follows; closed if nothing does."""
    used = 0
    while (open_ := line.count("(") - line.count(")")) > 0 and used < min(len(rest), 12) and line[-1:] in "(,":
        line, used = f"{line} {rest[used][1].strip()}", used + 1
    if open_ > 0 and line[-1:] in "(,":
        line += ")" * open_
    return line, used < len(rest)


def _is_sentence(line: str) -> bool:
    """``import contacts from a file``: more than the names an import can have."""
    words = line.rstrip(" ;").split()
    return len(words) > 4 and not re.search(r"['\"{,(]", line)


def _follows(head: str, rest: str) -> bool:
    """Whether a body stands after the head of a function that a name is given."""
    return bool(rest.strip(" {;,")) if head.endswith("=>") else _has_body(rest)


def _has_body(rest: str) -> bool:
    """Whether more than the opening of a body stands after a declaration's head."""
    rest = re.sub(r"\s(?://|#)\s.*\Z", "", rest)
    opening = re.search(r"(?:\{|:(?!:)|=>|(?<![=<>!])=(?!=))\s*(?P<body>.*)\Z", _outside_brackets(rest), re.DOTALL)
    if opening is None:
        return False
    body = opening["body"].strip(" ;{}")
    if opening[0].startswith(":") and not opening[0].startswith(":="):
        return bool(re.match(r"(?:return|pass\b|raise|yield|\.\.\.|\w+\s*\(|\w+\s*=|\"\"\")", body))
    return bool(body) and not opening[0].startswith("=")


def _outside_brackets(text: str) -> str:
    depth = 0
    out = []
    for letter in text.replace("->", "  "):
        depth += (letter in "([<") - (letter in ")]>")
        if depth <= 0 and letter not in ")]>":
            depth = max(depth, 0)
            out.append(letter)
    return "".join(out)


def _is_type(match: re.Match[str], prose: Container[str]) -> bool:
    name, rest, word = match["name"], match["rest"], match["word"]
    if not _TYPE_REST.match(rest):
        return False
    if word == "type" and not rest.strip():
        return False
    if rest.strip() and not re.match(r"\s*(?:[({<\[;=]|:)", rest):
        return (
            re.match(r"\$*[A-Z]", name) is not None or "_" in name or re.match(r"\s*extends\s+[A-Z$]", rest) is not None
        )
    if re.search(r"[A-Z_.:\\]", name):
        return True
    return bool(rest.strip() and re.match(r"\s*[:({;]", rest))


def _is_c_function(match: re.Match[str], prose: Container[str]) -> bool:
    words = re.findall(r"[\w:]+", match["before"])
    if not words or words[0] in _NOT_TYPES or not _STATEMENTS.isdisjoint(words) or match["name"] in _NOT_TYPES:
        return False
    asked = words[0].islower() and words[0] in prose and words[0] not in _C_MODIFIERS | _C_TYPES
    if asked and not match["args"].strip():
        return False  # “which methods override parse()”
    if any(word in _C_TYPES for word in words) or any(sign in match["before"] for sign in "*&<["):
        return True
    typed = [word for word in words if word not in _C_MODIFIERS]
    if any(word in _C_MODIFIERS for word in words):
        return True
    return (
        len(typed) == 1
        and typed[0][:1].isupper()
        and bool(re.match(r"\s*[A-Z\w<>\[\]]+[\s*&]+\w", match["args"]) or match["rest"].strip()[:1] == "{")
    )
