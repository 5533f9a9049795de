"""Rule 4: SQL and code without a declaration."""

from __future__ import annotations

import re
from collections.abc import Container

from fourfold.search.classify.declarations import find_declaration
from fourfold.search.classify.masks import OPERATOR
from fourfold.search.classify.shapes import LINES, WIDTH

_SQL = re.compile(
    r"\s*(?:SELECT\s.*\sFROM\s|SELECT\s+(?:\*|COUNT\(|\d)|INSERT\s+(?:OR\s+\w+\s+)?INTO\s"
    r"|UPDATE\s+[\w.\"`\[\]]+\s+SET\s|DELETE\s+FROM\s"
    r"|MERGE\s+INTO\s|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+|UNIQUE\s+|MATERIALIZED\s+)*(?:TABLE"
    r"|INDEX|VIEW|TRIGGER|DATABASE|SCHEMA"
    r"|FUNCTION|PROCEDURE|SEQUENCE|TYPE|EXTENSION|ROLE|USER)\s|ALTER\s+(?:TABLE|COLUMN|DATABASE|INDEX)\s"
    r"|DROP\s+(?:TABLE|INDEX|VIEW|DATABASE"
    r"|SCHEMA|COLUMN|TRIGGER)\s|TRUNCATE\s+TABLE\s|WITH\s+\w+\s+AS\s*\(|GRANT\s+\w+(?:,\s*\w+)*\s+ON\s"
    r"|PRAGMA\s+\w+|EXPLAIN\s+(?:QUERY|ANALYZE|SELECT)\s"
    r"|(?:LEFT|RIGHT|INNER|OUTER|CROSS)\s+(?:OUTER\s+)?JOIN\s|JOIN\s+\w+\s+ON\s"
    r"|WHERE\s+(?!operator\b)[\w.]+\s*(?:=|<(?![\w, ]*>)|>|LIKE\s"
    r"|IN\s*\(|IS\s+(?:NOT\s+)?NULL)|GROUP\s+BY\s|ORDER\s+BY\s)",
    re.DOTALL,
)
_SQL_LOWER = re.compile(_SQL.pattern, re.DOTALL | re.IGNORECASE)
_SQL_SIGNS = re.compile(
    r"[*=;()'\"<>]|\bfrom\s+\w+\s*(?:\Z|where|join|order|group|limit)|\b(?:varchar|null|primary key"
    r"|where\s+\w+\s*=)\b|\w,\s*\w+\s+from\b",
    re.I,
)

#: Words after which another word may follow in code.
_KEYWORDS = frozenset(
    """return if elif else unless while until for foreach loop match switch case when try except catch finally with
    raise throw throws yield await async assert del print echo puts new let var val const mut auto int char bool
    float double long short void unsigned static public private protected final export default import from as in
    is not and or lambda global nonlocal goto delete typeof instanceof defer go select range chan func fn end do
    then begin pass break continue struct enum string String boolean local function using namespace include
    define ifdef ifndef endif elsif ensure rescue extends implements where unsafe impl ref move""".split()
)
#: Words that begin a statement and hardly ever a question.
_OPENERS = frozenset(
    """return if elif while for try except catch raise throw yield await assert del else switch case with let var
    const val print echo puts defer unless foreach lambda new export""".split()
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`")
_STRONG = re.compile(
    r"[;{]\s*\Z|^\s*[}\])]+[;,)]*\s*\Z|[\w)\]]\s*(?::=|=>|\+=|-=|\*=|/=|\|=|&=|<<=|>>=|==|!=|===|<=|>=|&&|\|\|"
    r"|\?\?|\|>)\s*\S|(?<![\w\]])->\s*\w|\+\+|--(?=\s*[;)]|\s*\Z)"
    r"|[\w\])>]\s*=\s*[\w\"'\[({$&!@\\-]|^\s*(?:@\w[\w.]*\(|#\[|</?[A-Za-z][\w.-]*(?:\s+[\w:@-]+=|\s*/?>)"
    r"|\$\w+\s*=|#(?:ifn?def|if|endif|pragma|undef|elif)\b)"
)
_CALL = re.compile(r"[\w\])$]\((?:[^()]|\([^()]*\))*\)")
_CALL_ARGUMENT = re.compile(r"[\w$]\(\s*(?:[^()\s]|\([^()]*\))")
_BLOCK = re.compile(r"^\s*(?:if|elif|while|for|with|try|except|else|finally|switch|catch|match|case)\b.*:\s*\Z")
_STATEMENT = re.compile(
    r"^\s*(?:return(?:\s+(?:None|True|False|true|false|null|nil|self|this|-?\d[\d.]*|\"\""
    r"|[\w]+[._\[][\w.\[\]\"]*))?\s*;?|return\s+\w+;|raise\s+[A-Z]\w*(?:\(.*\))?"
    r"|throw\s+(?:new\s+)?[A-Z]\w*\(.*|yield\s+\w+[.(\[_].*|await\s+\w+[.(\[_].*|assert\s+.*[=<>(].*"
    r"|del\s+\w+[\[._].*|(?:break|continue);"
    r"|for\s+\w+(?:,\s*\w+)?\s+in\s+[\w.]+(?:\(.*\)|\(.*\)\s*[:{]|\s*[:{])|if\s+(?:not\s+)?[\w.]+(?:\(.*\))?:"
    r"|while\s+(?:True:|true\b.*[{:]|1:|\(.*\).*)"
    r"|return\s+[\w.\[\]()]+\s*[-+*/%<>]=?\s*\S.*|lambda\s+[\w, *=]*:.*"
    r"|return\s+(?:\$\w+|[\w.\[\](){}\"'*&:]+,\s*[\w.\[\](){}\"'*&:, ]+);?"
    r"|(?:if|elseif|elsif|elif|while|until|unless|when|for)\s+.*[.()\[\]=<>_$].*\s(?:then|do)"
    r"|[\w$\"']+\??:\s+(?:[\w.*&?\[\]<>()\"']+,|true|false|null|None|nil|\d+)"
    r"|(?:defer|await|yield|go)\s+[\w.:>-]+\(.*\);?"
    r"|except(?:\s+[\w.]+)?(?:\s+as\s+\w+)?:)\s*\Z"
)
#: Comments, brackets and rows of data: code in the midst of code.
_QUIET = re.compile(r"\s*(?:[\])}]+[;,]?|//.*|#.*|--.*|;;.*|/\*.*|\*.*|\"\"\".*|end|else:?|[{(\[].*[})\]],?)\s*\Z")
_BARE_CALL = re.compile(r"\s*[\w$]+(?:(?:\.|::|->)[\w$]+)*\(.*\);?\s*\Z")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OPERATOR = re.compile(rf"\b{OPERATOR}(?!\s*\([^)])")
_PROSE_RUN = re.compile(r"(?:(?<=\s)|\A)([a-zäöüåß']+) ([a-zäöüåß']+) ([a-zäöüåß']+)(?=\s|[?.,]|\Z)", re.I)
_OPERATOR_NEXT = re.compile(r"\s*\w+\s*(?:[-+*/|&]?=|\(|&&|\|\||\?\?|[<>]=?\s)")
_FIRST = re.compile(r"\s*([^\W\d_]+(?:'[a-z]+)?)(?=\s)")


def is_sql(text: str) -> bool:
    """SQL: keywords in capitals, or in small letters with the signs that a sentence does not have."""
    head = text[:1000]
    if _SQL.match(head):
        return True
    return _SQL_LOWER.match(head) is not None and _SQL_SIGNS.search(head) is not None


def is_code_line(line: str, prose: Container[str]) -> bool:
    """Whether one line is code and not a question that names some. ``prose``: words that begin a question."""
    line = line[:WIDTH].rstrip()
    plain = _STRING.sub('""', line)
    plain = re.sub(r"(?:\s//|\s#\s|/\*).*\Z", "", plain).rstrip()
    if _CJK.search(plain):
        return False  # outside strings and comments only a question has it
    plain = _OPERATOR.sub("operator", plain)
    first = _FIRST.match(plain)
    opener = first[1].lower().partition("'")[0] if first else ""
    if (
        opener
        and opener not in _OPENERS
        and opener in prose
        and not _OPERATOR_NEXT.match(plain)
        and plain[-1:] not in "{};"
    ):
        return False
    if any(
        not {match[1].lower(), match[2].lower(), match[3].lower()} & _KEYWORDS for match in _PROSE_RUN.finditer(plain)
    ):
        return False
    if _STATEMENT.match(plain) and plain.strip() != "return":
        return True
    if _STRONG.search(plain):
        return not _two_words(plain)
    if _BLOCK.match(plain) and re.search(r"[.()\[\]=<>_]|\b(?:in|not|is|as)\b|\A\s*(?:try|else|finally)\s*:", plain):
        return True
    return _CALL_ARGUMENT.search(plain) is not None and not _two_words(plain) and _CALL.search(plain) is not None


def _two_words(plain: str) -> bool:
    """Whether two plain words stand side by side where code has none: no keyword, no type before a name."""
    for match in re.finditer(r"(?<![\w.$@])([^\W\d_]+) +([^\W\d_]+)(?![\w(.])", plain):
        if {match[1], match[2]} & _KEYWORDS or match[1].lower() in _KEYWORDS:
            continue
        if re.match(r"\s*(?:[=;,)\[<:]|\Z)", plain[match.end() :]) and (
            match[1][:1].isupper() or re.match(r"\s*[=;]", plain[match.end() :])
        ):
            continue
        return True
    return False


def code_lines(text: str, prose: Container[str]) -> bool:
    """Whether several lines are code: most of them look it, the first among them, or are indented."""
    lines = [line for line in text.split("\n")[:LINES] if line.strip()]
    if len(lines) < 2:
        return False
    marks = [
        is_code_line(line, prose)
        or any(shape.match(line) for shape in (_BLOCK, _BARE_CALL, _QUIET))
        or find_declaration(line, prose) is not None
        for line in lines
    ]
    indented = sum(line[:1] in " \t" for line in lines[1:])
    looks = sum(marks)
    first = _FIRST.match(lines[0])
    if not marks[0] and first is not None and first[1].lower() in prose and first[1].lower() not in _OPENERS:
        return False
    return (looks >= 2 and looks * 2 >= len(lines)) or (
        looks >= 1 and indented >= 1 and (looks + indented) * 3 >= len(lines) * 2
    )
