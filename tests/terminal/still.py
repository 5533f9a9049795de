"""What makes a screen the same on every machine: vectors by plain arithmetic, answers without their time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fourfold.embedding.base import QueryVector
from fourfold.lexing import body_terms
from fourfold.model import Answer, Question
from fourfold.tui.session import Session

BITS = 384


class Still:
    """An embedder over words: each has its own signs, and a text has the sum of those of its words."""

    identity = "0" * 64
    name = "signs of words (test)"
    provider = "local"
    bits = BITS
    english_only = False
    remote = False
    noise_floor = -1.0
    unrelated_bits = 192.0

    def batches(self, texts: Sequence[str]) -> Iterator[slice]:
        yield slice(0, len(texts))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        return np.stack([np.packbits(self._sum(text) > 0) for text in texts])

    def embed_query(self, text: str) -> QueryVector:
        values = self._sum(text).astype(np.float32)
        return QueryVector(values, np.packbits(values > 0))

    def _sum(self, text: str) -> NDArray[np.int64]:
        total = np.zeros(BITS, dtype=np.int64)
        for word in body_terms(text):
            digest = hashlib.shake_256(word.encode()).digest(BITS // 8)
            total += np.unpackbits(np.frombuffer(digest, np.uint8)).astype(np.int64) * 2 - 1
        return total


class StillSession(Session):
    """Answers take a millisecond, whatever they took."""

    def ask(self, question: Question) -> Answer:
        answer = super().ask(question)
        lists = {name: replace(found, ms=1.0) for name, found in answer.lists.items()}
        return replace(answer, lists=lists, timings_ms=dict.fromkeys(answer.timings_ms, 1.0))
