"""What a filter may name, and what is said of a name that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from fourfold.model import Filters

KINDS = (
    "function", "method", "class", "interface", "enum", "struct", "trait", "type", "constant", "variable", "field",
    "property", "module", "namespace", "macro", "heading", "key", "lines", "prose", "data",
)  # fmt: skip
#: A longer list of known names is left out; where nothing is close, one of up to twice that is shown.
MOST = 12


def unknown_text(what: str, given: str, known: Iterable[str]) -> str:
    """``unknown preset "fats" — did you mean "fast"? (presets: …)`` in one line."""
    names = sorted(set(known))
    close = difflib.get_close_matches(given.lower(), names, n=1, cutoff=0.5)
    hint = f' — did you mean "{close[0]}"?' if close else ""
    rest = f" ({what}s: {', '.join(names)})" if len(names) <= (MOST if close else 2 * MOST) else ""
    return f'unknown {what} "{given}"{hint}{rest}'


def unknown_filter(filters: Filters, here: Iterable[str] = ()) -> tuple[str, str] | None:
    """The first language or kind of ``filters`` that there is not: ``language`` or ``kind``, and what to say of it.

    ``here`` are the languages of the index at hand: they are named when nothing is spelled like what was given.
    """
    if filters.languages:
        from fourfold.languages.registry import known, names

        for name in filters.languages:
            if name != "text" and not known(name):
                said = unknown_text("language", name, names())
                own = sorted(here)
                return "language", said if "—" in said or not own else f"{said} (here: {', '.join(own[: 2 * MOST])})"
    for kind in filters.kinds:
        if kind not in KINDS:
            return "kind", unknown_text("kind", kind, KINDS)
    return None
