"""Voyage: a remote, multilingual embedder, for who has a key and agrees to send code.

What is sent is each chunk's digest (words of its path and of its identifiers, not the code as it stands) and each
question. The key comes from ``VOYAGE_API_KEY`` alone, and stands in no message, log or index. The client library is
heavy and is imported with the first call.
"""

from __future__ import annotations

import ipaddress
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fourfold.embedding.base import EmbedderUnavailable, QueryVector, space_identity
from fourfold.embedding.pace import Caller, Pace, TookTooLong, backoff, limits_in
from fourfold.lexing import DIGEST_VERSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEY_VARIABLE = "VOYAGE_API_KEY"
#: Another address than Voyage's own, for a proxy or a test: https, or http on this machine.
ADDRESS_VARIABLE = "FOURFOLD_VOYAGE_URL"

#: US dollars for a million tokens, for models whose vectors can be had as bits.
PRICES: Mapping[str, float] = MappingProxyType(
    {"voyage-4-lite": 0.02, "voyage-4": 0.06, "voyage-4-large": 0.12, "voyage-code-3": 0.18, "voyage-code-4": 0.18}
)
BITS = (256, 512, 1024, 2048)

#: A request holds at most 1,000 texts and about 120,000 tokens; ours are estimates, hence the distance.
TEXTS_PER_CALL = 1_000
TOKENS_PER_CALL = 100_000


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: how long one call may take, and how long one batch or question may take with all its retries."""

    document: float = 30.0
    document_total: float = 300.0
    query: float = 3.0
    attempts: int = 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """What embedding some texts will take. ``tokens`` is rather too high; ``dollars`` is None for a model whose price
    is not known."""

    texts: int
    tokens: int
    dollars: float | None

    def __str__(self) -> str:
        price = "at a price not known here" if self.dollars is None else f"about ${self.dollars:.2f}"
        return f"{self.texts:,} chunks, about {self.tokens:,} tokens, {price}"


def has_key() -> bool:
    return bool(os.environ.get(KEY_VARIABLE, "").strip())


def open_voyage(
    *, consented: bool, model: str, bits: int, sleep: Callable[[float], None] | None = None
) -> VoyageEmbedder:
    """Raises `EmbedderUnavailable` without a key or consent; nothing is sent yet."""
    if not has_key():
        raise EmbedderUnavailable(f"Voyage needs a key: set {KEY_VARIABLE}, or use --embedder local")
    if not consented:
        raise EmbedderUnavailable(
            "Voyage would be sent code from this folder, which you have not agreed to: "
            "`fourfold index --embedder voyage` agrees, --embedder local keeps everything on this machine"
        )
    address = os.environ.get(ADDRESS_VARIABLE, "").strip() or None
    return VoyageEmbedder(os.environ[KEY_VARIABLE], model=model, bits=bits, address=address, sleep=sleep or time.sleep)


def tokens_of(text: str) -> int:
    """A high guess at a text's tokens: one for every three bytes (the model's own count would need the network)."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


def estimate(texts: Sequence[str], model: str) -> Estimate:
    """Tokens and price of embedding ``texts``, before anything is sent."""
    tokens = sum(tokens_of(text) for text in texts)
    price = PRICES.get(model)
    return Estimate(len(texts), tokens, None if price is None else tokens * price / 1e6)


class VoyageEmbedder:
    """Voyage's embeddings as bits. ``sleep`` (seconds) is called for every wait, and may raise to stop; ``clock``
    (seconds) is the one that it moves on.

    Raises `EmbedderUnavailable` when the key, the model, the number of bits or the address cannot be used.
    """

    provider = "voyage"
    remote = True
    english_only = False
    #: Not measured: no claim that nothing matches is made on its strength.
    noise_floor = -1.0

    def __init__(
        self,
        key: str,
        *,
        model: str = "voyage-code-3",
        bits: int = 512,
        address: str | None = None,
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        key = key.strip()
        if not re.fullmatch(r"[!-~]{8,512}", key):
            raise EmbedderUnavailable(f"what {KEY_VARIABLE} holds cannot be a key")
        if bits not in BITS:
            raise EmbedderUnavailable(f"Voyage has no vectors of {bits} bits; it has {', '.join(map(str, BITS))}")
        if not re.fullmatch(r"[\w.-]{1,80}", model):
            raise EmbedderUnavailable("the name of Voyage's model (voyage_model) cannot be one")
        if address is not None and not _safe_address(address):
            raise EmbedderUnavailable(f"{ADDRESS_VARIABLE} must be an https address, or an http one on this machine")
        self.model = model
        self.bits = bits
        self.name = f"{model} (Voyage)"
        self.unrelated_bits = bits / 2.0
        self._key = key
        self._address = address
        self._patience = patience or Patience()
        self._sleep = sleep
        self._pace = Pace(sleep, clock)
        self._lock = threading.Lock()
        self._documents = Caller()
        self._queries = Caller()

    def __repr__(self) -> str:
        return f"VoyageEmbedder({self.model!r}, bits={self.bits})"

    @cached_property
    def identity(self) -> str:
        return space_identity(
            provider=self.provider,
            model=self.model,
            weights="the service's own",
            vocabulary="the service's own",
            rotation="none",
            digest_version=DIGEST_VERSION,
            length=32_000,
            bits=self.bits,
            input_type="document: digest, query: raw",
        )

    # -- documents

    def batches(self, texts: Sequence[str]) -> Iterator[slice]:
        start = 0
        while start < len(texts):
            room = self._room()
            end, tokens = start, 0
            while end < len(texts) and end - start < TEXTS_PER_CALL:
                tokens += tokens_of(texts[end])
                if tokens > room and end > start:
                    break
                end += 1
            yield slice(start, end)
            start = end

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        import numpy as np

        sent = [_sendable(text) for text in texts]
        codes = np.empty((len(sent), self.bits // 8), dtype=np.uint8)
        with self._lock:
            start = 0
            while start < len(sent):
                # planned again for every call, since a refusal on the way may have told a lower limit
                part = next(self.batches(sent[start:]))
                codes[start : start + part.stop] = self._batch(sent[start : start + part.stop])
                start += part.stop
        return codes

    def _room(self) -> int:
        """Tokens that one call may hold: a minute's allowance spread over its requests."""
        limits = self._pace.limits
        if limits.tokens is None:
            return TOKENS_PER_CALL
        return max(1, min(TOKENS_PER_CALL, limits.tokens // (limits.requests or 1)))

    def _batch(self, texts: list[str]) -> NDArray[np.uint8]:
        """Codes of one batch, with as many attempts as `Patience` has. A wait that the service asks for, or that its
        limits demand, is not counted as failure."""
        patience = self._patience
        waited = 0.0
        for attempt in range(1, patience.attempts + 1):
            self._pace.wait(sum(tokens_of(text) for text in texts))
            try:
                return self._codes(texts)
            except _Again as error:
                known = self._pace.limits
                told = limits_in(error.detail)
                if error.status == 429 and (told.requests or told.tokens):
                    self._pace.limits = told
                pause = error.after if error.after is not None else backoff(attempt)
                if self._pace.limits != known and self._too_much(texts):
                    half = len(texts) // 2
                    self._sleep(pause)
                    return self._in_two(texts, half)
                waited += pause
                if attempt == patience.attempts or waited > patience.document_total:
                    raise EmbedderUnavailable(f"{error.line}; gave up after {attempt} attempts") from None
                self._sleep(pause)
        raise AssertionError("there is at least one attempt")

    def _too_much(self, texts: Sequence[str]) -> bool:
        return len(texts) > 1 and sum(tokens_of(text) for text in texts) > self._room()

    def _in_two(self, texts: list[str], half: int) -> NDArray[np.uint8]:
        import numpy as np

        return np.concatenate([self._pieces(texts[:half]), self._pieces(texts[half:])])

    def _pieces(self, texts: list[str]) -> NDArray[np.uint8]:
        return self._in_two(texts, len(texts) // 2) if self._too_much(texts) else self._batch(texts)

    def _codes(self, texts: list[str]) -> NDArray[np.uint8]:
        import numpy as np

        rows = self._ask(texts, "document", "ubinary", self._documents, self._patience.document)
        return np.array(self._checked(rows, len(texts), self.bits // 8, 8), dtype=np.uint8)

    # -- questions

    def embed_query(self, text: str) -> QueryVector:
        """Within `Patience.query` seconds, whatever happens: a search must not hang."""
        import numpy as np

        from fourfold.embedding.binary import query_vector

        end = time.monotonic() + self._patience.query
        _client_module()
        for attempt in range(1, self._patience.attempts + 1):
            left = max(0.1, end - time.monotonic())
            try:
                rows = self._ask([_sendable(text)], "query", "float", self._queries, left)
                values = np.array(self._checked(rows, 1, self.bits, 1)[0], dtype=np.float32)
                if not np.isfinite(values).all():
                    raise EmbedderUnavailable("Voyage answered a vector that is none")
                return query_vector(values)
            except _Again as error:
                pause = error.after if error.after is not None else backoff(attempt, first=0.2)
                if attempt == self._patience.attempts or time.monotonic() + pause >= end:
                    raise EmbedderUnavailable(error.line) from None
                self._sleep(pause)
        raise AssertionError("there is at least one attempt")

    # -- one call

    def _ask(self, texts: list[str], kind: str, dtype: str, caller: Caller, seconds: float) -> list[Any]:
        """The rows of one call. Raises `_Again` for what may pass, `EmbedderUnavailable` for what will not."""
        module = _client_module()

        def work() -> list[Any]:
            # one attempt: the client retries neither a 500 nor a lost connection, so all retries are ours
            client = module.Client(
                api_key=self._key, max_retries=1, timeout=seconds, base_url=self._address and self._address.rstrip("/")
            )
            answer = client.embed(
                texts, model=self.model, input_type=kind, output_dtype=dtype, output_dimension=self.bits
            )
            rows: list[Any] = answer.embeddings
            return rows

        try:
            return caller.call(work, seconds)
        except TookTooLong:
            failure: Exception = _Again(_late(seconds))
        except Exception as error:
            failure = self._meaning(error, seconds)
        # raised here, so that it does not carry the client's exception, which may hold the request and with it the key
        raise failure

    def _meaning(self, error: Exception, seconds: float) -> Exception:
        """What a client's exception means to a person, without anything that it may quote."""
        status = getattr(error, "http_status", None)
        detail = self._harmless(str(getattr(error, "user_message", "") or ""))
        kind = type(error).__name__
        if status == 401:
            return EmbedderUnavailable(f"Voyage refused the key (401): check {KEY_VARIABLE}")
        if status == 403:
            return EmbedderUnavailable(f"Voyage forbids this (403): the key may not use {self.model} from here")
        if status == 404:
            return EmbedderUnavailable(f"Voyage does not know the model {self.model} (404)")
        if status == 429:
            return _Again("Voyage limits the rate (429)", status, detail, _seconds(getattr(error, "headers", None)))
        if isinstance(status, int) and status >= 500:
            return _Again(f"Voyage has a fault ({status})", status)
        if isinstance(status, int) and status >= 400:
            return EmbedderUnavailable(f"Voyage did not take the request ({status})" + (detail and f": {detail}"))
        if kind == "Timeout":
            return _Again(_late(seconds))
        if kind == "APIConnectionError":
            return _Again("Voyage cannot be reached, or the connection was lost")
        return EmbedderUnavailable("Voyage's answer cannot be read")

    def _harmless(self, text: str) -> str:
        """One short line of a service's message: no key, no control signs."""
        text = text.replace(self._key, "…")
        return re.sub(r"\s+", " ", re.sub(r"[^\s!-~]", "", text)).strip()[:160]

    def _checked(self, rows: list[Any], count: int, length: int, scale: int) -> list[Any]:
        """The rows, when there are as many and as long as asked; ``scale`` is how many bits one number holds."""
        if len(rows) != count:
            raise EmbedderUnavailable(f"Voyage answered {len(rows)} vectors for {count} texts")
        for row in rows:
            if not isinstance(row, list) or len(row) != length:
                size = f"{len(row) * scale}" if isinstance(row, list) else "no"
                raise EmbedderUnavailable(f"Voyage answered vectors of {size} dimensions, not {self.bits}")
            low, high = (0, 255) if scale == 8 else (-1e6, 1e6)
            for value in row:
                if not isinstance(value, int if scale == 8 else int | float) or not low <= value <= high:
                    raise EmbedderUnavailable("Voyage answered a vector that is none")
        return rows


class _Again(Exception):
    """A failure that may pass. ``after``: seconds that the service asks to wait for; ``detail``: what it said."""

    def __init__(self, line: str, status: int = 0, detail: str = "", after: float | None = None) -> None:
        super().__init__(line)
        self.line = line
        self.status = status
        self.detail = detail
        self.after = after


def _late(seconds: float) -> str:
    return f"Voyage did not answer in {round(seconds, 1):g} s"


def _seconds(headers: Any) -> float | None:
    """``Retry-After`` in seconds, at most two minutes; None when there is none that can be used."""
    try:
        return min(120.0, max(0.0, float(headers.get("Retry-After") or headers.get("retry-after"))))
    except (AttributeError, TypeError, ValueError):
        return None


def _sendable(text: str) -> str:
    """Without lone surrogates, and never blank: the service takes neither."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return clean if clean.strip() else "-"


def _safe_address(address: str) -> bool:
    """Whether a key may be sent there: over https, or to this machine itself."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(host)
    if parts.scheme != "http":
        return False
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _client_module() -> Any:
    """The client library, imported now if it was not before, with its logs, tracing and telemetry off.

    Its debug log would print every text that is sent; the libraries that it brings along know tracing and telemetry.
    """
    if "voyageai" not in sys.modules:
        os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import voyageai
        import voyageai.util
    except ImportError:
        raise EmbedderUnavailable("Voyage's client is missing from this installation: install voyageai") from None
    voyageai.util.VOYAGE_LOG = None
    voyageai.util.logger.disabled = True
    return voyageai
