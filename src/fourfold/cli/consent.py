"""Whether code may be sent to a remote embedder: asked once a root, kept in the settings, never assumed.

Naming ``--embedder voyage`` where nobody can be asked is consent. On a terminal the number of chunks, the tokens and
the price are shown first.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fourfold.cli.errors import Problem
from fourfold.cli.session import Place, remark
from fourfold.cli.terminal import is_terminal
from fourfold.harmless import harmless

if TYPE_CHECKING:
    from fourfold.config import Settings
    from fourfold.embedding.voyage import Estimate

#: A chunk is about this many bytes of source (620 in Python's standard library, 830 in redis), and its digest about so
#: many tokens; rather too many chunks and tokens than too few.
BYTES_A_CHUNK = 600
TOKENS_A_CHUNK = 110


def settle(place: Place, embedder: str | None, settings: Settings) -> None:
    """Make sure that it is known whether this root's code may be sent, if the embedder would send it. Raises Problem
    when voyage is named but not agreed to."""
    from fourfold import config

    if embedder not in (None, "voyage"):
        return
    agreed = config.agreed_to_send(place.root)
    if embedder is None and (agreed is not None or settings.embedder not in ("auto", "voyage")):
        return
    if agreed:
        return
    from fourfold.embedding.voyage import KEY_VARIABLE, has_key

    if not has_key():
        if embedder is None:
            return
        raise Problem(f"voyage needs a key: set {KEY_VARIABLE}, or use --embedder local", "no_key")
    answerable = is_terminal(sys.stdin) and is_terminal(sys.stderr)
    if not answerable:
        if embedder == "voyage":
            config.remember_consent(place.root, True)
            remark(f"code of {place.root} and questions about it are now sent to Voyage, as --embedder voyage says")
        return
    yes = _ask(place, settings)
    config.remember_consent(place.root, yes)
    if embedder == "voyage" and not yes:
        raise Problem("nothing is sent; --embedder local keeps everything on this machine", "no_consent")


def expected(place: Place, settings: Settings) -> Estimate:
    """What embedding this root will take: counted from its index, or guessed from the sizes of its files."""
    from fourfold.cli.session import open_reader

    try:
        reader = open_reader(place)
        try:
            chunks = reader.state().counts.chunks
        finally:
            reader.close()
    except Problem:
        from fourfold.indexing.walk import Found, walk

        sizes = [item.size for item in walk(place.root, settings, own=place.index) if isinstance(item, Found)]
        chunks = max(len(sizes), sum(sizes) // BYTES_A_CHUNK)
    return estimate(chunks, settings)


def estimate(chunks: int, settings: Settings) -> Estimate:
    """What embedding so many chunks with Voyage will take."""
    from fourfold.embedding.voyage import PRICES, Estimate

    tokens = chunks * TOKENS_A_CHUNK
    price = PRICES.get(settings.voyage_model)
    return Estimate(chunks, tokens, None if price is None else tokens * price / 1e6)


def _ask(place: Place, settings: Settings) -> bool:
    print(
        f"A key for Voyage is set. May code of {harmless(str(place.root))} and your questions about it be sent there?\n"
        f"{expected(place, settings)}; files that look like secrets are left out. Asked once; without it, a model on\n"
        f"this machine does the work. Send code to Voyage? [y/N] ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() in ("y", "yes")
