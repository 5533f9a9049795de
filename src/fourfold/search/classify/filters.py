"""``lang:`` ``path:`` ``-path:`` ``kind:`` in a question, taken out of it."""

from __future__ import annotations

import re

from fourfold.model import Filters

_QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "「": "」", "`": "`", "‘": "’"}
_FILTER = re.compile(
    r"""(?P<name>lang|language|-path|path|kind):(?!:)(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'`(:][^\s"]*))(?=\s|$)""",
    re.IGNORECASE,
)
_SYNTAX = re.compile(r"ast:\s*\(", re.IGNORECASE)
_SPACES = re.compile(r"[ \t]{2,}")


def take_filters(text: str) -> tuple[str, Filters]:
    """The question without its filters, and the filters. A value may be quoted, or list several with commas
    (``lang:go,rust``; a comma in a quoted value belongs to it). Nothing inside quotes or ``ast:(…)`` is a filter."""
    found: dict[str, list[str]] = {"lang": [], "kind": [], "path": [], "-path": []}
    kept: list[str] = []
    position = start = 0
    while position < len(text):
        letter = text[position]
        begins = position == 0 or text[position - 1].isspace()
        if begins and (syntax := _SYNTAX.match(text, position)):
            position = end_of_brackets(text, syntax.end() - 1)
            continue
        if begins and (match := _FILTER.match(text, position)):
            name = match["name"].lower().replace("language", "lang")
            values = [match["bare"]] if match["bare"] else [match["double"] or match["single"] or ""]
            if match["bare"] and not (name.endswith("path") and "{" in match["bare"]):
                values = match["bare"].split(",")
            wanted = [value.strip() for value in values if value.strip()]
            if wanted:
                if name == "lang":
                    wanted = [_language(value) for value in wanted]
                found[name] += [value.lower() if name == "kind" else value for value in wanted]
                kept.append(text[start:position])
                position = start = match.end()
                continue
        if letter in _QUOTES and (begins or text[position - 1] in "([{=,:" or letter not in "'‘"):
            end = text.find(_QUOTES[letter], position + 1)
            if end > 0:
                position = end + 1
                continue
        position += 1
    kept.append(text[start:])
    if len(kept) == 1:
        return text, Filters()
    body = _SPACES.sub(" ", "".join(kept)).strip() if "\n" not in text else "".join(kept).strip()
    unique = {name: tuple(dict.fromkeys(values)) for name, values in found.items()}
    return body, Filters(unique["lang"], unique["kind"], unique["path"], unique["-path"])


def _language(given: str) -> str:
    """A language's own name, by that name or an alias (``py``); what no language is called stays as it is."""
    from fourfold.languages.registry import known, language  # read only for a question that has such a filter

    return language(given).name if known(given) else given.lower()


def end_of_brackets(text: str, start: int) -> int:
    """Just after the bracket that closes the one at ``start``, strings skipped; the end of the text if none does."""
    depth = 0
    position = start
    while position < len(text):
        letter = text[position]
        if letter == '"':
            position += 1
            while position < len(text) and text[position] != '"':
                position += 2 if text[position] == "\\" else 1
        elif letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
            if depth <= 0:
                return position + 1
        position += 1
    return len(text)
