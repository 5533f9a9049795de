"""Embedders: a local one that ships with the package, and Voyage for who has a key and agrees to send code.

Importing this room imports neither the model's runtime nor any client: both come with the first text.
"""

from __future__ import annotations

from collections.abc import Callable

from fourfold.embedding.base import Embedder, EmbedderUnavailable, QueryVector

__all__ = ["Embedder", "EmbedderUnavailable", "QueryVector", "open_embedder"]


def open_embedder(
    name: str,
    *,
    consented: bool = False,
    model: str = "voyage-code-3",
    bits: int = 512,
    threads: int | None = None,
    sleep: Callable[[float], None] | None = None,
) -> Embedder | None:
    """The embedder called ``name``: ``local``, ``voyage``, ``none`` (None), or ``auto``, which is Voyage when a key is
    set and the user has agreed to send code, else local.

    ``consented`` says that the user agreed to send this root's code to a remote embedder; ``model`` and ``bits`` are
    Voyage's; ``threads`` is how many texts the local one works on at a time (default: two); ``sleep`` is called for
    every wait for a remote service, with the seconds, and may raise to stop.
    Raises `EmbedderUnavailable` with one clear line. Nothing is sent, and no model loaded, by opening.
    """
    if name == "none":
        return None
    if name == "auto":
        from fourfold.embedding.voyage import has_key

        name = "voyage" if consented and has_key() else "local"
    if name == "local":
        from fourfold.embedding.local import LocalEmbedder

        return LocalEmbedder(threads)
    if name == "voyage":
        from fourfold.embedding.voyage import open_voyage

        return open_voyage(consented=consented, model=model, bits=bits, sleep=sleep)
    raise EmbedderUnavailable(f"there is no embedder called {name!r}; there are local, voyage and none")
