"""Rules 2 to 4: what was pasted rather than asked. Traces and error lines, declarations, SQL, code."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

#: Lines looked at; what follows changes nothing.
LINES = 60
WIDTH = 400

_NAME = r"[A-Za-z_$][\w$]*"
_FILE = r"(?:[A-Za-z]:)?[\w.@+/\\~-]*[\w@+-]\.[A-Za-z]\w{0,9}"
_PLACE = re.compile(rf"\s*(?:-->\s*)?(?P<file>{_FILE})(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?::|\s-)\s*(?P<message>\S.*)")
_FRAME = re.compile(
    r"\s*(?:File \"[^\"]+\", line \d+|at .*\(?[\w./\\<>~ -]+:\d+(?::\d+)?\)?\s*$"
    r"|at [\w.$<>]+\([\w. ]*(?::\d+)?\)|\.\.\. \d+ more"
    r"|from .+:\d+:in |#\d+\s+(?:0x[0-9a-f]+\s+in\s|.+\(\d+\): )|-->\s*\S+:\d+|goroutine \d+ \[)"
)
_ERROR = re.compile(
    rf"\s*(?:Caused by: |Uncaught (?:\(in promise\) )?|Unhandled (?:exception[.:] )?"
    rf"|Exception in thread \"[^\"]*\" |E +)?"
    rf"(?P<name>(?:{_NAME}(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Interrupt|Panic"
    rf"|Violation)|Error|Exception|(?:[A-Z]\w*::)+[A-Z]\w*)"
    r"(?: \[\w+\])?(?: \(.{0,80}\))?:\s*(?P<message>\S.*)"
)
_PREFIXED = re.compile(
    r"\s*(?:panic: |thread '[^']*' panicked at |fatal(?: error)?: |error(?:\[\w+\])?: |error TS\d+: "
    r"|error CS\d+: |warning: "
    r"|Fatal error: |Parse error: |PHP \w+(?: \w+)?: +|npm ERR! |make(?:\[\d+\])?: \*\*\* |npm error "
    r"|ERROR: |FATAL: +|FAILED:? (?=\S+::|\S+\.\w+)|FAILED: |CRITICAL: |WARNING: |WARN: "
    r"|\[(?:ERROR|FATAL|WARN|WARNING|CRITICAL|error|fatal)\] ?:? ?|ERROR in |Error in |ld: "
    r"|undefined reference to |Segmentation fault"
    r"|assertion failed: |Assertion failed: |Fehler: |FEHLER: |fel: |FEL: "
    r"|エラー: ?|例外: ?|致命的エラー: ?|Unhandled exception"
    r"|E[A-Z0-9]{3,20}: (?=[a-z])|(?:ORA|TS|CS|LNK|C|E|SQLSTATE|MSB|NETSDK|RUF|BC)-?\d{3,6}: )"
)
_LOG = re.compile(
    r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\]?[\s,\d]*\W*(?:ERROR|FATAL|WARN|WARNING|CRITICAL|SEVERE|error"
    r"|fatal)\b\W*(?P<message>\S.*)"
)
_ERRNO = re.compile(r"\s*E[A-Z0-9]{3,20}: (?P<message>[a-z].*)")


@dataclass(frozen=True, slots=True)
class Shape:
    """What a paste is, its subject and where that begins; ``body`` says that more than a declaration follows."""

    cue: str
    subject: str | None
    start: int = 0
    body: bool = False
    pattern: str = "code"


def find_trace(text: str) -> Shape | None:
    """Rule 2: a trace, or a line as a compiler, an interpreter or a log writes it. The subject is the message."""
    lines = _lines(text)
    place = None
    seen_frame = False
    for number, (start, line) in enumerate(lines):
        if line.startswith("Traceback (most recent call last)"):
            seen_frame = True
            continue
        if _FRAME.match(line) and (number or len(lines) > 1 or line.lstrip().startswith(("at ", "File ", "#", "--> "))):
            seen_frame = True
            continue
        # Python gives the error last, most others first.
        last_counts = seen_frame and text.lstrip().startswith("Traceback")
        if _is_error(line) and (place is None or last_counts):
            place = (start, line, number)
    if place is not None and (place[2] == 0 or seen_frame or _first_is_quiet(lines)):
        message, offset = _message(place[1])
        return Shape("error line" if len(lines) == 1 else "trace", message, place[0] + offset)
    if seen_frame:
        last = next(((start, line) for start, line in reversed(lines) if not _FRAME.match(line)), lines[-1])
        body = last[1].strip()
        return Shape("trace", body, last[0] + last[1].find(body))
    return None


def _lines(text: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    start = 0
    for line in text.split("\n")[:LINES]:
        if line.strip():
            lines.append((start, line[:WIDTH].rstrip()))
        start += len(line) + 1
    return lines


def _first_is_quiet(lines: list[tuple[int, str]]) -> bool:
    """Nothing but output stands before the error: no code, no question."""
    return (
        not _CODE_END.search(lines[0][1])
        and len(lines) > 1
        and all(_is_error(line) or _FRAME.match(line) for _, line in lines[1:3])
    )


def _is_error(line: str) -> bool:
    return bool(_PLACE.match(line) or _ERROR.match(line) or _PREFIXED.match(line) or _LOG.match(line))


def _message(line: str) -> tuple[str, int]:
    """The part of an error line that the code may hold: no place, no time, no names from this one run."""
    offset = len(line) - len(line.lstrip())
    if match := _PLACE.match(line) or _LOG.match(line) or _ERRNO.match(line):
        offset = match.start("message")
    elif match := _ERROR.match(line):
        offset = match.start("name")
    elif match := re.match(
        r"\s*(?:panic: (?:runtime error: )?|error(?:\[\w+\])?: |npm ERR! |\[?(?:ERROR|FATAL)\]?:? +)(?=\S)", line
    ):
        offset = match.end()
    message = line[offset:]
    cut = re.search(
        r", (?:open|stat|lstat|scandir|mkdir|unlink|rename|access|connect|read|write|rmdir|spawn) '.*\Z"
        r"|\s*\[recovered\]\Z",
        message,
    )
    return (message[: cut.start()] if cut and cut.start() else message).strip(), offset


# ------------------------------------------------------------------- declarations

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|virtual|override|inline"
    r"|extern|unsafe"
    r"|sealed|open|data|partial|readonly|suspend|pub(?:\([\w: ]+\))?|constexpr|consteval|explicit|friend"
    r"|volatile|synchronized|native"
    r"|local|declare|const|mut|let|var|val|lazy|lateinit|infix|operator|tailrec|external|actual|expect|companion"
    r"|annotation|inner"
    r"|case|implicit|fileprivate|mutating|nonisolated|required|convenience|weak|indirect|noinline|crossinline"
    r"|transparent|new"
    r"|register|__inline|__attribute__\(\(\w+\)\)|typename|default|strictfp|transient)\s+)"
)
_SIGNS = r"(?:\(\)|\[\]|\"\"_?\w*|[-+*/%^&|=<>!~]{1,3}|new|delete)"
_DECLARATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "def …",
        re.compile(
            rf"\s*{_MODIFIERS}*(?:def|defp|defmacro|defn-?|defun)\s+(?:self\.|{_NAME}\.)?(?P<name>[A-Za-z_][\w?!]*)"
        ),
    ),
    ("lisp definition", re.compile(r"\s*\((?:def\w*|define)-?\s+\(?(?P<name>[^\s()]+)")),
    ("func …", re.compile(rf"\s*{_MODIFIERS}*func\s*(?:\([^()]*\)\s*)(?P<name>{_NAME})\s*[(\[]")),
    (
        "func …",
        re.compile(rf"\s*{_MODIFIERS}*(?:func|fn|fun)\s+(?:<[^>]*>\s*)?(?:{_NAME}\.)?(?P<name>{_NAME})\s*[(<\[]"),
    ),
    ("fn …", re.compile(rf"\s*{_MODIFIERS}*(?:func|fn)\s+(?P<name>{_NAME})\s*\Z")),
    ("function …", re.compile(r"\s*(?:function|fun)\s+(?P<name>(?=\w*(?:_|[a-z0-9][A-Z]))[A-Za-z]\w*)\s*\Z")),
    ("function …", re.compile(rf"\s*{_MODIFIERS}*function\s*\*?\s+(?:{_NAME}[.:])*(?P<name>{_NAME})\s*[(<{{]")),
    ("sub …", re.compile(rf"\s*sub\s+(?P<name>{_NAME})\s*[{{(]")),
    ("macro …", re.compile(rf"\s*(?:#\s*define\s+|macro_rules!\s*)(?P<name>{_NAME})")),
    ("module …", re.compile(r"\s*defmodule\s+(?P<name>[\w.]+)")),
    ("impl …", re.compile(r"\s*(?:unsafe\s+)?impl\s*(?:<[^>]*>\s*)?(?:[\w:<>, ]+\s+for\s+)(?P<name>[A-Z]\w*)")),
    (
        "type …",
        re.compile(
            rf"\s*{_MODIFIERS}*type\s+(?P<name>{_NAME})\s*(?:<[^=]*>\s*)?(?:=|struct\b|interface\b|func\b|\[|map\b)"
        ),
    ),
    (
        "constant",
        re.compile(
            rf"\s*(?=(?:\w+\s+)*(?:static|final|const|constexpr|readonly|private|public|protected|internal)\s){_MODIFIERS}+"
            rf"[\w.:]+(?:<[\w<>.:, ?&*\[\]]*>)?[?*&\[\]]*\s+[*&]*(?P<name>{_NAME})(?:\[\w*\])?\s*=(?![=>])"
        ),
    ),
    (
        "member",
        re.compile(
            rf"\s*(?=(?:\w+\s+)*(?:private|public|protected|internal)\s){_MODIFIERS}+(?:event\s+)?"
            rf"[\w.:]+(?:<[\w<>.:, ?&*\[\]]*>)?[?*&\[\]]*\s+[*&]*(?P<name>{_NAME})\s*"
            r"(?:;\s*\Z|\{\s*(?:(?:private|protected|internal)\s+)*(?:get|set|init)\b)"
        ),
    ),
    ("using …", re.compile(rf"\s*using\s+(?P<name>{_NAME})\s*=\s*\S")),
    (
        "operator",
        re.compile(
            rf"\s*{_MODIFIERS}*(?:[\w:]+(?:<[^()=;]*>)?[*&]*\s+[*&]*)*(?P<name>(?:{_NAME}::)*operator\s*{_SIGNS})"
            r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)"
        ),
    ),
    ("typedef", re.compile(rf"\s*typedef\s+.*?\b(?P<name>{_NAME})\s*;\s*\Z")),
    (
        "const …",
        re.compile(
            rf"\s*(?:export\s+)?(?:pub(?:\([\w: ]+\))?\s+)?(?:const|static"
            rf"|final)\s+(?:mut\s+)?(?:\w+\s+)?(?P<name>{_NAME})\s*(?::[^=]+)?=(?!=)"
        ),
    ),
    (
        "let …",
        re.compile(rf"\s*(?:export\s+)?(?:let|var|val)\s+(?:mut\s+)?(?P<name>{_NAME})\s*:\s*[\w<>\[\], .?&|]+\Z"),
    ),
)
_TYPES = re.compile(
    rf"\s*(?:template\s*<[^<>]*>\s*)?{_MODIFIERS}*(?P<word>enum class|enum struct|data class|class|struct"
    rf"|interface|trait|enum|protocol|record|object|union"
    rf"|module|namespace|package|mod|impl|contract|actor|extension|annotation|@interface"
    rf"|type)\s+(?P<name>{_NAME}(?:(?:::|\.|\\){_NAME})*)"
    r"(?P<rest>.*)\Z",
    re.DOTALL,
)
_TYPE_REST = re.compile(
    r"\s*(?:[:({<\[;=]|extends\b|implements\b|inherits\b|where\b.*\{|with\b.*\{|for [A-Z]|do\s*\Z|is\s*\Z"
    r"|as\s*\Z|<\s*[A-Z:]|\Z)"
)
_C_FUNCTION = re.compile(
    rf"\s*(?P<before>(?:(?:const|unsigned|signed|long|short|struct|enum|static|inline|extern|public|private"
    rf"|protected|final|abstract"
    rf"|virtual|async|override|explicit|constexpr|synchronized|native|template<[^>]*>"
    rf"|{_NAME}(?:::{_NAME})*(?:<[^()=;]*>)?(?:\[\])*[*&]*)\s+[*&]*){{1,7}})"
    rf"(?P<name>~?{_NAME}(?:::~?{_NAME})*)\s*\((?P<args>[^()=;\"']*(?:\([^()]*\)[^()=;\"']*)?)\)\s*"
    r"(?P<rest>(?:const|noexcept|override|final|throws [\w., ]+)?\s*(?:->\s*[\w:<>&*]+\s*)?[;{]?.*)\Z",
    re.DOTALL,
)
_C_TYPES = frozenset(
    """void int char bool boolean float double long short unsigned signed size_t ssize_t auto string String uint8_t
    uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t byte object var decimal Task List Map Set Optional
    Promise""".split()
)
_C_MODIFIERS = frozenset(
    """static inline extern public private protected final abstract virtual async override explicit constexpr
    const""".split()
)
_NOT_TYPES = frozenset(
    """return new throw else case goto delete await yield in not and or is if while for switch sizeof using
    import""".split()
)

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
_VALUES = frozenset(["constant", "const …", "let …"])
_OPEN_VALUE = re.compile(r"(?:[({\[=,|&+]|=>)\s*\Z")
#: What may stand before a declaration on its own line: annotations, attributes, the parameters of a template.
_BEFORE = re.compile(
    r"\s*(?:@(?!interface\b)[\w.]+(?:\([^()]*\))?\s+|#\[[^\]]*\]\s*|\[[A-Z]\w*(?:\([^()]*\))?\]\s*"
    r"|template\s*<(?:[^<>]|<[^<>]*>)*>\s*(?:requires\s+[\w:]+(?:<[^<>]*>)?\s+)?)+(?=\S)"
)
_CODE_END = re.compile(r"[;{}]\s*\Z")


def find_declaration(text: str, prose: Container[str]) -> Shape | None:
    """Rule 3: a declaration or an import. ``prose`` holds words that no name of a type is likely to be."""
    lines = _lines(text)
    while len(lines) > 1 and _LEADING.match(lines[0][1]):
        lines = lines[1:]
    if not lines:
        return None
    start, line = lines[0]
    more = len(lines) > 1
    for pattern in _IMPORTS:
        if match := pattern.match(line):
            if more and not all(any(other.match(rest) for other in _IMPORTS) for _, rest in lines[1:]):
                return None
            word = line.split()[0]
            if word in ("import", "from", "use", "using") and "as" not in line.split() and _is_sentence(line):
                return None
            return Shape(f"{word} …", match["name"], start + match.start("name"))
    if before := _BEFORE.match(line):
        start, line = start + before.end(), line[before.end() :]
    for cue, pattern in _DECLARATIONS:
        if match := pattern.match(line):
            rest = line[match.end("name") :]
            if more and cue in _VALUES and not _OPEN_VALUE.search(rest):
                return None  # a statement among others
            return Shape(cue, match["name"], start + match.start("name"), more or _has_body(rest))
    if (match := _TYPES.match(line)) and _is_type(match, prose):
        name = (
            re.split(r"::|\.|\\", match["name"])[-1]
            if match["word"] not in ("package", "namespace", "module")
            else match["name"]
        )
        place = match.start("name") + match["name"].rfind(name)
        return Shape(f"{match['word']} …", name, start + place, more or _has_body(match["rest"]))
    if (match := _C_FUNCTION.match(line)) and _is_c_function(match):
        return Shape("signature", match["name"], start + match.start("name"), more or _has_body(match["rest"]))
    return None


def _is_sentence(line: str) -> bool:
    """``import contacts from a file``: more than the names an import can have."""
    words = line.rstrip(" ;").split()
    return len(words) > 4 and not re.search(r"['\"{,(]", line)


def _has_body(rest: str) -> bool:
    """Whether more than the opening of a body stands after a declaration's head."""
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
        return name[:1].isupper() or "_" in name
    if re.search(r"[A-Z_.:\\]", name):
        return True
    return bool(rest.strip() and re.match(r"\s*[:({;]", rest))


def _is_c_function(match: re.Match[str]) -> bool:
    words = re.findall(r"[\w:]+", match["before"])
    if not words or words[0] in _NOT_TYPES or match["name"] in _NOT_TYPES:
        return False
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
