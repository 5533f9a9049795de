"""What an embedder is, whoever provides it; nothing heavy is imported here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EmbedderUnavailable(Exception):
    """An embedder cannot be used, now or at all. The message is one clear line for a person, and never holds a key."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryVector:
    """A question's vector: ``values`` float32 (bits,), in the same axes as the bits; ``code`` uint8 (bits / 8,), the
    signs of the values, packed.

    ``noise_floor`` is the best `bit_cosine` in an index below which nothing there is about this question; -1 where no
    such claim can be made.
    """

    values: NDArray[np.float32]
    code: NDArray[np.uint8]
    noise_floor: float = -1.0


class Embedder(Protocol):
    """Turns texts into sign bits. Methods raise `EmbedderUnavailable`; they are safe to call from several threads."""

    @property
    def identity(self) -> str:
        """The space: vectors of another identity must never be compared with these. 64 hexadecimal digits."""

    @property
    def name(self) -> str:
        """For a person: the model and who runs it."""

    @property
    def provider(self) -> str:
        """``local`` or ``voyage``: what `open_embedder` is asked for."""

    @property
    def bits(self) -> int:
        """Bits of a code; a multiple of 64."""

    @property
    def english_only(self) -> bool: ...

    @property
    def remote(self) -> bool:
        """Whether texts leave this machine; then files for which `secrets.is_secret` holds must be left out."""

    @property
    def noise_floor(self) -> float:
        """`QueryVector.noise_floor` of an ordinary question; -1 where not measured."""

    @property
    def unrelated_bits(self) -> float:
        """How many bits two unrelated codes differ by, on average."""

    def batches(self, texts: Sequence[str]) -> Iterator[slice]:
        """Consecutive slices of ``texts`` that suit one `embed_documents` call each, so that a caller can store every
        batch before it asks for the next. Lazy: a remote embedder makes them smaller once it learns of a limit."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """Packed codes, uint8 (n, bits / 8), in the order of ``texts`` (digests, see `fourfold.lexing.digest`)."""

    def embed_query(self, text: str) -> QueryVector:
        """The vector of a question as it was typed."""


def space_identity(**parts: str | int) -> str:
    """SHA-256 over everything that makes two vectors comparable: provider, model, weights, vocabulary, digest version,
    length, bits, rotation and input type."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
