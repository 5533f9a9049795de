"""The last stage: a vector for every chunk that has none, in small committed steps, so that a run can end anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fourfold import config, lexing
from fourfold.config import Settings
from fourfold.embedding import EmbedderUnavailable, open_embedder
from fourfold.embedding.base import Embedder
from fourfold.embedding.secrets import is_secret
from fourfold.indexing.records import chunk_text, lines_of
from fourfold.languages.notebook import derive
from fourfold.store.interface import Writer

#: Chunks a transaction: a kill loses at most these.
COMMIT_CHUNKS = 256
#: Chunks whose order is asked for at a time: what people search for meanwhile comes up soon.
ORDER_CHUNKS = 4096


class Tell(Protocol):
    def __call__(
        self, stage: str, done: int, total: int, path: str = "", text: str = "", now: bool = False
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    """``done`` chunks got a vector, ``left`` still have none; ``problem`` is one line when the embedder gave up."""

    done: int
    left: int
    stopped: bool = False
    problem: str = ""


def open_chosen(wanted: str, root: Path, settings: Settings) -> tuple[Embedder | None, str]:
    """The embedder that ``wanted`` (auto, local, voyage, none) means for this root, or None and why.

    Code is sent to a remote embedder only with the user's consent: given before and kept.
    """
    consented = config.agreed_to_send(root) is True
    if wanted == "voyage" and not consented:
        return None, "voyage is chosen for this root, but you have not agreed to send its code: no vectors are made"
    try:
        embedder = open_embedder(
            wanted, consented=consented, model=settings.voyage_model, bits=settings.voyage_dimensions
        )
    except EmbedderUnavailable as error:
        return None, str(error)
    return embedder, ""


def embed_missing(
    writer: Writer,
    root: Path,
    embedder: Embedder,
    tell: Tell,
    stop: Callable[[], bool],
    older: Writer | None = None,
) -> Embedded:
    """Embed every chunk without a vector in the embedder's space; vectors of another space are dropped first.

    Texts that were embedded before are taken from the cache of ``writer`` or ``older`` (the index that is being
    replaced). Files that look like secrets are left out where the embedder is remote.
    """
    space = embedder.identity
    if writer.meta().get("space") != space:
        writer.set_meta({"space": space})
    total = len(writer.vectors_missing(1 << 40))
    done = 0
    passed_over: set[int] = set()
    written: set[int] = set()
    texts = _Texts(root, embedder.remote)
    if total:
        tell("vectors", 0, total, now=True)
    while True:
        rows = [row for row in writer.vectors_missing(ORDER_CHUNKS + len(passed_over)) if row[0] not in passed_over]
        if not rows or rows[0][0] in written:
            break
        for start in range(0, len(rows), COMMIT_CHUNKS):
            batch = rows[start : start + COMMIT_CHUNKS]
            found = [(row[0], texts.digest(*row[1:])) for row in batch]
            passed_over.update(chunk for chunk, text in found if text is None)
            wanted = [(chunk, text) for chunk, text in found if text is not None]
            try:
                codes = _codes(writer, older, embedder, [text for _, text in wanted], stop)
            except EmbedderUnavailable as error:
                return Embedded(done, total - done - len(passed_over), problem=str(error))
            if codes is None:
                return Embedded(done, total - done - len(passed_over), stopped=True)
            if wanted:
                writer.set_vectors(space, [(chunk, *code) for (chunk, _), code in zip(wanted, codes, strict=True)])
            written.update(chunk for chunk, _ in wanted)
            done += len(wanted)
            tell("vectors", done, total, batch[-1][1])
            if stop():
                return Embedded(done, max(0, total - done), stopped=True)
    if total:
        tell("vectors", done, total, now=True)
    return Embedded(done, 0)


def _codes(
    writer: Writer, older: Writer | None, embedder: Embedder, texts: Sequence[str], stop: Callable[[], bool]
) -> list[tuple[bytes, bytes]] | None:
    """(hash, packed code) of every text; None when stopped meanwhile. Equal texts are embedded once."""
    hashes = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    known = dict(writer.cached_codes(embedder.identity, hashes))
    if older is not None:
        known.update(older.cached_codes(embedder.identity, [key for key in hashes if key not in known]))
    fresh = {key: text for key, text in zip(hashes, texts, strict=True) if key not in known}
    keys = list(fresh)
    for part in embedder.batches([fresh[key] for key in keys]):
        codes = embedder.embed_documents([fresh[key] for key in keys[part]])
        known.update((key, code.tobytes()) for key, code in zip(keys[part], codes, strict=True))
        if stop():
            return None
    return [(key, known[key]) for key in hashes]


class _Texts:
    """The digests of chunks, with the files that were read last at hand."""

    def __init__(self, root: Path, remote: bool) -> None:
        self._root = root
        self._remote = remote
        self._files: dict[str, list[bytes] | None] = {}

    def digest(self, path: str, start_line: int, end_line: int) -> str | None:
        """What is embedded for a chunk; of a vanished file its path alone; None for what must not be sent."""
        if path not in self._files:
            if len(self._files) >= 64:
                self._files.clear()
            self._files[path] = self._read(path)
        lines = self._files[path]
        return None if lines is None else lexing.digest(path, chunk_text(lines, start_line, end_line))

    def _read(self, path: str) -> list[bytes] | None:
        try:
            place = self._root / path
            data = b"" if place.is_symlink() else place.read_bytes()
        except OSError:
            data = b""
        if self._remote and is_secret(path, data):
            return None
        return lines_of(derive(data) if path.endswith(".ipynb") else data)
