"""What the registry says about one language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["code", "prose", "data"]


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    ``grammar`` is its name in tree-sitter-language-pack, empty for none; ``query`` the stem of its query file in
    ``queries/``, empty for none. ``extensions`` start with a dot and, like ``file_names``, are in lower case.
    ``separators`` stand between the parts of a dotted name. ``closed`` says that a bare name can only mean what its
    own file defines or imports, so that any other is a local or built in. ``builtins`` are names of the language that
    are never worth a reference when merely read. ``covers`` says in words what the query finds.
    """

    name: str
    grammar: str = ""
    query: str = ""
    family: Family = "code"
    extensions: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    separators: tuple[str, ...] = (".",)
    closed: bool = False
    builtins: frozenset[str] = frozenset()
    covers: tuple[str, ...] = ()
