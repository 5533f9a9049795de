"""Rule 2: traces and error lines, and what rules 2 and 3 say of a paste."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Lines looked at; what follows changes nothing.
LINES = 60
WIDTH = 400

NAME = r"[A-Za-z_$][\w$]*"
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
    rf"(?P<name>(?:{NAME}(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Interrupt|Panic"
    rf"|Violation)|Error|Exception|(?:[A-Z]\w*::)+[A-Z]\w*(?=:\s*\S+\s))"
    r"(?: \[\w+\])?(?: \(.{0,80}\))?:\s*(?P<message>\S.*)"
)
_PREFIXED = re.compile(
    r"\s*(?:panic: |thread '[^']*' panicked at |fatal(?: error)?: |error(?:\[\w+\])?: |error TS\d+: "
    r"|error CS\d+: |warning: "
    r"|Fatal error: |Parse error: |PHP \w+(?: \w+)?: +|npm ERR! |make(?:\[\d+\])?: \*\*\* |npm error "
    r"|ERROR: |FATAL: +|FAILED:? (?=\S+::|\S+\.\w+)|FAILED: |CRITICAL: |WARNING: |WARN: "
    r"|\[(?:ERROR|FATAL|WARN|WARNING|CRITICAL|error|fatal)\] ?:? ?|ERROR in |Error in |ld: "
    r"|(?:-?(?:ba|z|da|k|c|fi)?sh|fish|cmd): .*(?:not found|[Nn]o such file|[Pp]ermission denied|[Ss]yntax error)"
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

CODE_END = re.compile(r"[;{}]\s*\Z")


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
    lines = lines_of(text)
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


def lines_of(text: str) -> list[tuple[int, str]]:
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
        not CODE_END.search(lines[0][1])
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
