"""Settings: documented keys with defaults, read from ``config.toml`` in the user's config folder.

A bad file never stops a run: each problem becomes one clear line with the line's number, and the default holds.
What a person decided for one root (consent to send code to a remote embedder) is kept beside it, outside every index.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourfold import paths

CONFIG_NAME = "config.toml"
ROOTS_NAME = "roots.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its default. The keys of ``config.toml`` are the names of these fields; see `DOCS`."""

    # what is indexed
    max_file_bytes: int = 1_000_000
    max_text_bytes: int = 8_000_000
    generated: str = "structure"
    ignore: tuple[str, ...] = ()
    jobs: int = 0
    # embedding
    embedder: str = "auto"
    voyage_model: str = "voyage-code-3"
    voyage_dimensions: int = 512
    # asking
    preset: str = "default"
    limit: int = 10
    # the screen
    theme: str = ""
    editor: str = ""
    # tables
    demotions: Mapping[str, float] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)


#: What each key means, for the default file and the documentation.
DOCS: Mapping[str, str] = {
    "max_file_bytes": "A larger file is searchable as text, but its symbols are not read.",
    "max_text_bytes": "A file larger than this is skipped.",
    "generated": 'Files that say they are generated: "structure" (read like others), "text" (no symbols) or "skip".',
    "ignore": "More patterns to leave out, as in a .gitignore at the root; a pattern with ! takes a path back in.",
    "jobs": "Processes that parse; 0 is one a core, at most four.",
    "embedder": '"auto" (voyage with a key and your consent to send code, else local), "local", "voyage" or "none".',
    "voyage_model": "The model that voyage embeds with; the key is read from VOYAGE_API_KEY alone.",
    "voyage_dimensions": "Bits a chunk of that model: 256, 512, 1024 or 2048.",
    "preset": 'What a question runs without further word: "quick", "default" or "thorough".',
    "limit": "How many results a search prints.",
    "theme": "The screen's theme; empty is the default one.",
    "editor": "The command that opens a file, for example nvim or code; empty is $VISUAL, then $EDITOR.",
    "demotions": "Globs of paths, and the factor (0 to 1) that their results' scores are multiplied by.",
    "keys": "Actions of the screen and the keys that start them; the help (?) names every action.",
}

_CHOICES: Mapping[str, tuple[Any, ...]] = {
    "generated": ("structure", "text", "skip"),
    "embedder": ("auto", "local", "voyage", "none"),
    "preset": ("quick", "default", "thorough"),
    "voyage_dimensions": (256, 512, 1024, 2048),
}
_RANGES: Mapping[str, tuple[int, int]] = {
    "max_file_bytes": (1, 64_000_000),
    "max_text_bytes": (1, 256_000_000),
    "jobs": (0, 64),
    "limit": (1, 1000),
}
_EXAMPLES: Mapping[str, str] = {
    "demotions": '# "**/migrations/**" = 0.5',
    "keys": '# open_plan = "p"',
}


def config_path() -> Path:
    return paths.config_dir() / CONFIG_NAME


def load_settings(path: Path | None = None) -> tuple[Settings, tuple[str, ...]]:
    """The settings, and one line for each thing in the file that cannot be used.

    ``path`` is the file to read, by default `config_path`; a missing file is no problem.
    """
    source = path or config_path()
    try:
        text = source.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return Settings(), ()
    except (OSError, UnicodeDecodeError) as error:
        return Settings(), (f"{source}: cannot be read ({_reason(error)}); the defaults hold",)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        number = line[1] if line else str(text.count("\n") + 1)
        return Settings(), (f"{source}:{number}: not valid TOML ({error}); the defaults hold",)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in table.items():
        try:
            values[key] = _check(key, value)
        except ValueError as error:
            problems.append(f"{source}:{_line_of(text, key)}: {error}")
    for name in ("demotions", "keys"):
        if name in values:
            values[name], bad = _check_table(name, values[name])
            problems += [f"{source}:{_line_of(text, key)}: {what}" for key, what in bad]
    return Settings(**values), tuple(problems)


def _reason(error: Exception) -> str:
    return error.strerror or "unreadable" if isinstance(error, OSError) else "not UTF-8"


def _check(key: str, value: Any) -> Any:
    """The value as `Settings` holds it; ValueError with one line otherwise."""
    fields = {entry.name: entry for entry in dataclasses.fields(Settings)}
    if key not in fields:
        near = difflib.get_close_matches(key, list(fields), n=1, cutoff=0.6)
        raise ValueError(f'unknown key "{key}"' + (f' (did you mean "{near[0]}"?)' if near else "") + "; it is ignored")
    if key in ("demotions", "keys"):
        if not isinstance(value, dict):
            raise ValueError(f'"{key}" must be a table [{key}]')
        return value
    default = getattr(Settings(), key)
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError(f'"{key}" must be a list of strings')
        return tuple(value)
    if isinstance(value, bool) or not isinstance(value, type(default)):
        kind = "a whole number" if isinstance(default, int) else "a string"
        raise ValueError(f'"{key}" must be {kind}, not {json.dumps(value, default=str)}; {default!r} holds')
    if key in _CHOICES and value not in _CHOICES[key]:
        known = ", ".join(json.dumps(choice) for choice in _CHOICES[key])
        raise ValueError(f'"{key}" must be one of {known}, not {json.dumps(value)}; {json.dumps(default)} holds')
    if key in _RANGES and not _RANGES[key][0] <= value <= _RANGES[key][1]:
        low, high = _RANGES[key]
        raise ValueError(f'"{key}" must be {low} to {high}, not {value}; {default} holds')
    return value


def _check_table(name: str, table: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[tuple[str, str]]]:
    good: dict[str, Any] = {}
    bad: list[tuple[str, str]] = []
    valid: Callable[[Any], bool]
    if name == "demotions":
        what = "a number from 0 to 1"

        def valid(value: Any) -> bool:
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    else:
        what = "a key's name"

        def valid(value: Any) -> bool:
            return isinstance(value, str) and bool(value)

    for key, value in table.items():
        if valid(value):
            good[key] = float(value) if name == "demotions" else value
        else:
            shown = json.dumps(value, default=str)
            bad.append((key, f'"{key}" in [{name}] must be {what}, not {shown}; it is ignored'))
    return good, bad


def _line_of(text: str, key: str) -> int:
    """The line on which ``key`` (or its table) stands, for a message; 1 when it cannot be told."""
    quoted = re.escape(key)
    pattern = re.compile(rf"""^\s*(?:\[\s*)?(?:"{quoted}"|'{quoted}'|{quoted})\s*(?:=|\]|\.)""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1


def default_file() -> str:
    """A ``config.toml`` with every key, its default and what it means; everything is commented out."""
    lines = ["# Settings of fourfold. Take away the # before a key to change it.", ""]
    tables = []
    for entry in dataclasses.fields(Settings):
        default = getattr(Settings(), entry.name)
        if isinstance(default, Mapping):
            tables += [f"# {DOCS[entry.name]}", f"[{entry.name}]", _EXAMPLES[entry.name], ""]
            continue
        shown = json.dumps(list(default) if isinstance(default, tuple) else default)
        lines += [f"# {DOCS[entry.name]}", f"# {entry.name} = {shown}", ""]
    return "\n".join(lines + tables)


# --------------------------------------------------------------------------- what was decided for one root


def agreed_to_send(root: Path, provider: str = "voyage") -> bool | None:
    """Whether the user agreed to send this root's code and questions to ``provider``; None when never asked."""
    answer = _roots().get(os.path.realpath(root), {}).get(provider)
    return answer if isinstance(answer, bool) else None


def remember_consent(root: Path, agreed: bool | None, provider: str = "voyage") -> None:
    """Keep the answer (None forgets it, so that it is asked again). Raises OSError when it cannot be written."""
    roots = _roots()
    entry = dict(roots.get(os.path.realpath(root), {}))
    if agreed is None:
        entry.pop(provider, None)
    else:
        entry[provider] = agreed
    roots[os.path.realpath(root)] = entry
    folder = paths.make_private(paths.config_dir())
    scratch = folder / (ROOTS_NAME + ".new")
    scratch.write_text(json.dumps({key: value for key, value in roots.items() if value}, indent=1) + "\n", "utf-8")
    os.replace(scratch, folder / ROOTS_NAME)


def _roots() -> dict[str, dict[str, Any]]:
    try:
        found = json.loads((paths.config_dir() / ROOTS_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(key): value for key, value in found.items() if isinstance(value, dict)}
