"""The options that commands share, and how what was typed becomes a Question; every bad value is one clear Problem."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NoReturn, cast

from fourfold.cli.errors import Problem, unknown
from fourfold.model import INTENTS, LETTERS, MODALITIES, Filters, IntentName, Modality, PlanOptions, Question
from fourfold.search.known import KINDS, unknown_filter

PRESETS = ("quick", "default", "thorough")
STRATEGIES = ("auto", "direct", "fused")
EMBEDDERS = ("local", "voyage", "none")
LIMIT_MAX = 10_000


class Parser(argparse.ArgumentParser):
    """An argument parser that fails with a Problem instead of printing its usage and leaving."""

    def __init__(
        self,
        command: str,
        summary: str,
        examples: Sequence[tuple[str, str]],
        usage: str | None = None,
        after: str = "",
    ) -> None:
        super().__init__(
            prog=f"fourfold {command}".rstrip(),
            usage=usage,
            description=summary,
            epilog="\n\n".join(part for part in (after, _examples(examples)) if part),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def parse_mixed(self, argv: Sequence[str], words: str) -> argparse.Namespace:
        """Parse options between words; all that follows ``--`` belongs to the list ``words``, whatever it starts with.

        argparse drops the ``--`` in its first pass over mixed arguments, and then takes what follows for options.
        """
        given = list(argv)
        end = given.index("--") if "--" in given else len(given)
        args = self.parse_intermixed_args(given[:end])
        getattr(args, words).extend(given[end + 1 :])
        return args

    def error(self, message: str) -> NoReturn:
        hint = ""
        if "unrecognized arguments: -" in message:
            hint = "; put -- before a question that starts with a dash"
        raise Problem(f"{_plain(message)}{hint} (see {self.prog} --help)", "usage")


def _examples(examples: Sequence[tuple[str, str]]) -> str:
    width = max((len(command) for command, _ in examples), default=0)
    return "examples:\n" + "\n".join(f"  {command:<{width}}  {what}" for command, what in examples)


def _plain(message: str) -> str:
    return re.sub(r"^the following arguments are required: ", "missing ", message)


# --------------------------------------------------------------------------- arguments


def add_everywhere(parser: argparse.ArgumentParser) -> None:
    from fourfold import __version__

    parser.add_argument(
        "--index", metavar="FILE", type=Path, help="use this index file instead of the one in the cache"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress and no remarks on standard error")
    parser.add_argument("--version", action="version", version=f"fourfold {__version__}")


def add_search(parser: argparse.ArgumentParser) -> None:
    """Every option that shapes a question and its plan."""
    parser.add_argument("query", nargs="*", metavar="QUERY", help="what to look for, in words or by name")
    parser.add_argument("--root", metavar="PATH", type=Path, help="the folder to search (default: the current one)")
    parser.add_argument("--preset", metavar="P", help="quick, default or thorough")
    parser.add_argument("--intent", metavar="I", help="take the question as this kind: " + ", ".join(INTENTS))
    parser.add_argument("--strategy", metavar="S", help="auto (default), direct or fused")
    parser.add_argument("--only", metavar="M,M", help="run these modalities only: semantic, text, structural, graph")
    parser.add_argument("--weights", metavar="M=W,…", help="weights, such as semantic=0.5,text=0.2")
    parser.add_argument("--k", metavar="N", help="the k of 1/(k + rank + 1); 40 by default")
    parser.add_argument("--depth", metavar="N", help="how many hits each modality hands to fusion")
    parser.add_argument("--regex", action="store_true", help="take the question as a regular expression")
    parser.add_argument("--limit", metavar="N", help="how many results to show (default 10)")
    parser.add_argument("--lang", metavar="L", action="append", help="only files in this language; may be repeated")
    parser.add_argument("--kind", metavar="K", action="append", help="only this kind of definition; may be repeated")
    parser.add_argument("--path", metavar="GLOB", action="append", help="only paths that match; may be repeated")
    parser.add_argument("--embedder", metavar="E", help="local, voyage or none; kept for later commands")
    parser.add_argument("--no-update", action="store_true", help="answer from the index as it is")


# --------------------------------------------------------------------------- reading what was given


def question_text(words: Sequence[str]) -> str:
    """The words as one question; bytes that are no UTF-8 are replaced, as nothing could match them."""
    return os.fsencode(" ".join(words)).decode("utf-8", "replace")


def question(
    args: argparse.Namespace, text: str, settings_preset: str = "default", settings_limit: int = 10
) -> Question:
    """The Question that the options and ``text`` ask; raises Problem for the first bad value, also of a filter that
    stands in the text."""
    from fourfold.search.classify import take_filters

    if wrong := unknown_filter(take_filters(text)[1]):
        raise Problem(wrong[1], f"unknown_{wrong[0]}")
    return Question(
        text=text,
        options=plan_options(args, settings_preset),
        filters=filters(args),
        limit=settings_limit if args.limit is None else whole("limit", args.limit, 1, LIMIT_MAX),
    )


def plan_options(args: argparse.Namespace, preset: str) -> PlanOptions:
    options = PlanOptions(
        preset=one_of("preset", args.preset or preset, PRESETS),
        strategy=cast("Literal['auto', 'direct', 'fused']", one_of("strategy", args.strategy or "auto", STRATEGIES)),
        intent=None if args.intent is None else cast(IntentName, one_of("intent", args.intent, INTENTS)),
        regex=args.regex,
    )
    if args.only is not None:
        options = replace(options, only=modalities(args.only))
    if args.weights is not None:
        options = replace(options, weights=weights(args.weights))
    if args.k is not None:
        options = replace(options, k=whole("k", args.k, 1, 1_000_000))
    if args.depth is not None:
        options = replace(options, depth=whole("depth", args.depth, 1, 1_000_000))
    return options


def filters(args: argparse.Namespace) -> Filters:
    return Filters(
        languages=tuple(language_name(name) for name in _listed(args.lang)),
        kinds=tuple(one_of("kind", kind, KINDS) for kind in _listed(args.kind)),
        paths=tuple(args.path or ()),
    )


def embedder_name(given: str | None) -> str | None:
    return None if given is None else one_of("embedder", given, EMBEDDERS)


def one_of(what: str, given: str, known: Sequence[str]) -> str:
    """``given`` in the spelling of ``known``; ``-`` and case are forgiven."""
    spelled = given.strip().lower().replace("-", "_")
    if spelled in known:
        return spelled
    raise unknown(what, given, known, f"unknown_{what}")


def language_name(given: str) -> str:
    """A language's own name, by that name or an alias (``py``, ``c++``)."""
    from fourfold.languages.registry import known, language, names

    spelled = given.strip()
    if known(spelled):
        return language(spelled).name
    if spelled.lower() == "text":
        return "text"
    raise unknown("language", given, names(), "unknown_language")


def modalities(given: str) -> tuple[Modality, ...]:
    """``semantic,text`` (or the letters ``S,T``) in the usual order."""
    chosen = {modality(name) for name in given.split(",") if name.strip()}
    if not chosen:
        raise Problem(f"--only names no modality (modalities: {', '.join(MODALITIES)})", "bad_only")
    return tuple(m for m in MODALITIES if m in chosen)


def modality(given: str) -> Modality:
    spelled = given.strip().lower()
    for name in MODALITIES:
        if spelled in (name, LETTERS[name].lower()):
            return name
    raise unknown("modality", given.strip(), MODALITIES, "unknown_modality")


def weights(given: str) -> dict[Modality, float]:
    """``semantic=0.5,text=0.2``: finite, not negative, at least one above zero."""
    read: dict[Modality, float] = {}
    for part in given.split(","):
        name, equals, number = part.partition("=")
        if not equals:
            raise Problem(f'--weights wants M=W pairs such as semantic=0.5,text=0.2, not "{part}"', "bad_weights")
        which = modality(name)
        try:
            value = float(number)
        except ValueError:
            raise Problem(f'the weight of {which} is no number: "{number}"', "bad_weights") from None
        if not math.isfinite(value):
            raise Problem(f"the weight of {which} must be a finite number, not {number.strip()}", "bad_weights")
        if value < 0:
            raise Problem(f"the weight of {which} is negative ({number.strip()}); weights start at 0", "bad_weights")
        if which in read:
            raise Problem(f"--weights names {which} twice", "bad_weights")
        read[which] = value
    if not any(read.values()):
        raise Problem("all weights are zero, so nothing could be ranked; give at least one above 0", "bad_weights")
    return read


def whole(what: str, given: str, least: int, most: int) -> int:
    """A whole number within its bounds."""
    try:
        value = int(given)
    except ValueError:
        raise Problem(f'--{what} wants a whole number, not "{given}"', f"bad_{what}") from None
    if not least <= value <= most:
        raise Problem(f"--{what} must be from {least} to {most}, not {value}", f"bad_{what}")
    return value


def folder(given: Path | None) -> Path:
    """An existing folder, resolved; the current one when nothing was given."""
    path = given if given is not None else Path()
    try:
        resolved = path.resolve()
        if resolved.is_dir():
            return resolved
        exists = resolved.exists()
    except (OSError, ValueError, RuntimeError) as error:
        raise Problem(f"cannot read the folder {path}: {error}", "bad_root") from None
    if exists:
        raise Problem(f"{path} is a file, not a folder", "not_a_folder")
    raise Problem(f"no such folder: {path}", "no_such_folder")


def _listed(values: Sequence[str] | None) -> list[str]:
    return [part for value in values or () for part in value.split(",") if part.strip()]
