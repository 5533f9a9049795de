"""The offline default: all-MiniLM-L6-v2, a small English transformer that ships with the package.

It is run by onnxruntime with 8-bit weights, and its output is kept as 384 sign bits after a fixed rotation. The vector
of a text depends on that text alone, not on the others in its batch, so that an index built in pieces equals one built
at once; ``tools/build_model.py`` builds the model and says how.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.embedding.base import EmbedderUnavailable, QueryVector, space_identity
from fourfold.lexing import DIGEST_VERSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DATA = Path(__file__).parent / "data"

#: Tokens of a document (its digest) and of a question; the model was trained on up to 256.
DOCUMENT_TOKENS = 64
QUERY_TOKENS = 256
#: More characters than that many tokens ever take; what lies behind is not even looked at.
_DOCUMENT_CHARACTERS = 4_096
_QUERY_CHARACTERS = 16_384
#: Texts in one run of the model (all of one length). Measured: eight are no faster and take 45 MB more.
_RUN = 4
#: Texts in one batch of `LocalEmbedder.batches`: about a second of work.
_BATCH = 256

#: Measured by benchmarks/noise_floor.py on ten codebases in nine languages (14,407 chunks), as the best cosine of any
#: chunk: of 198 questions about the codebase 1% lie below, of 200 about everyday life all, of 100 about other software
#: 87%.
NOISE_FLOOR_COSINE = 0.26
#: The same for a question most of whose words are not in the model's vocabulary. Random letters reach 0.26 to 0.37 in
#: the middle and 0.43 to 0.46 at the 99th percentile (more, the more chunks there are): pieces of words look alike.
UNKNOWN_WORDS_FLOOR_COSINE = 0.45
#: Bits (of 384) that codes of chunks of different codebases differ by, on average (deviation 14); two chunks of one
#: codebase differ by 147.
UNRELATED_BITS = 178.0


@dataclass(frozen=True, slots=True)
class _Model:
    """What is loaded when the first text comes. ``session`` and ``tokenizer`` may be used by several threads."""

    session: Any
    tokenizer: Any
    rotation: NDArray[np.float32]

    def tokens(self, text: str, most: int) -> list[str]:
        """The words and pieces of words of ``text``, between [CLS] and [SEP]; ``most`` of them with these two."""
        found: list[str] = self.tokenizer.encode(text).tokens
        return found if len(found) <= most else [*found[: most - 1], found[-1]]

    def ids(self, text: str, most: int) -> list[int]:
        """The same as numbers of the vocabulary."""
        found: list[int] = self.tokenizer.encode(text).ids
        return found if len(found) <= most else [*found[: most - 1], found[-1]]


class LocalEmbedder:
    """The shipped model. Opening it is cheap (it reads one small file); the model is loaded with the first text.

    ``threads`` is how many texts are worked on at a time; by default two, or one on a machine with one core.
    Raises `EmbedderUnavailable` when the shipped files are missing, damaged or cannot be run.
    """

    provider = "local"
    remote = False
    english_only = True
    noise_floor = NOISE_FLOOR_COSINE
    unrelated_bits = UNRELATED_BITS

    def __init__(self, threads: int | None = None, data: Path = DATA) -> None:
        self._data = data
        self._threads = max(1, threads if threads else min(2, os.cpu_count() or 1))
        self._lock = threading.Lock()
        self._model: _Model | None = None
        try:
            self._about: dict[str, Any] = json.loads((data / "model.json").read_text(encoding="utf-8"))
            self.bits = int(self._about["dimensions"])
            self.name = f"{self._about['name']} (local)"
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EmbedderUnavailable("the local model is missing from this installation: install again") from error

    @cached_property
    def identity(self) -> str:
        files = self._about["files"]
        return space_identity(
            provider=self.provider,
            model=self._about["name"],
            weights=files["model.onnx"]["sha256"],
            vocabulary=files["tokenizer.json"]["sha256"],
            rotation=files["rotation.npy"]["sha256"],
            digest_version=DIGEST_VERSION,
            length=DOCUMENT_TOKENS,
            query_length=QUERY_TOKENS,
            bits=self.bits,
            input_type="document: digest, query: raw",
        )

    def batches(self, texts: Sequence[str]) -> Iterator[slice]:
        for start in range(0, len(texts), _BATCH):
            yield slice(start, min(start + _BATCH, len(texts)))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        import numpy as np

        from fourfold.embedding.binary import rotate, sign_bits

        model = self._loaded()
        tokens = [model.ids(_clean(text[:_DOCUMENT_CHARACTERS]), DOCUMENT_TOKENS) for text in texts]
        vectors = np.empty((len(tokens), self.bits), dtype=np.float32)

        def run(places: list[int]) -> None:
            vectors[places] = _embed(model, [tokens[place] for place in places])

        runs = list(_same_length_runs(tokens))
        if self._threads > 1 and len(runs) > 1:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, runs))
        else:
            for places in runs:
                run(places)
        return sign_bits(rotate(vectors, model.rotation))

    def embed_query(self, text: str) -> QueryVector:
        from fourfold.embedding.binary import query_vector, rotate

        model = self._loaded()
        text = _clean(text[:_QUERY_CHARACTERS])
        known = _known_words(model.tokens(text, QUERY_TOKENS))
        vectors = rotate(_embed(model, [model.ids(text, QUERY_TOKENS)]), model.rotation)
        return query_vector(vectors[0], NOISE_FLOOR_COSINE if known >= 0.5 else UNKNOWN_WORDS_FLOOR_COSINE)

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> _Model:
        weights, tokenizer, rotation = (
            self._checked(name) for name in ("model.onnx", "tokenizer.json", "rotation.npy")
        )
        try:
            import onnxruntime

            options = onnxruntime.SessionOptions()
            # texts run side by side instead of one text on several threads: as fast, and nothing has to wait
            options.intra_op_num_threads = 1
            options.inter_op_num_threads = 1
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            options.enable_cpu_mem_arena = False
            options.log_severity_level = 3
            session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
            return _Model(session, _tokenizer(tokenizer), _array(rotation))
        except Exception as error:
            # whatever onnxruntime or tokenizers raise here (a missing system library, an old version): the other
            # modalities must go on
            raise EmbedderUnavailable(f"the local model cannot be run here ({type(error).__name__})") from error

    def _checked(self, name: str) -> bytes:
        """A shipped file, compared with the checksum that was written when it was built."""
        try:
            content = (self._data / name).read_bytes()
        except OSError as error:
            raise EmbedderUnavailable(f"the local model's {name} cannot be read: install again") from error
        if hashlib.sha256(content).hexdigest() != self._about["files"][name]["sha256"]:
            raise EmbedderUnavailable(f"the local model's {name} is damaged: install again")
        return content


def _tokenizer(source: bytes) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(source.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _array(source: bytes) -> NDArray[np.float32]:
    import io

    import numpy as np

    loaded: NDArray[np.float32] = np.load(io.BytesIO(source), allow_pickle=False)
    return loaded


def _clean(text: str) -> str:
    """Without lone surrogates (they stand for undecodable bytes of a path), which the tokenizer does not take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _known_words(tokens: Sequence[str]) -> float:
    """The share of words that the model's vocabulary has whole and in Latin letters; 1 when there is no word."""
    words: list[bool] = []
    for token in tokens[1:-1]:
        if token.startswith("##") and words:
            words[-1] = False
        elif any(sign.isalpha() for sign in token):
            words.append(len(token) > 1 and token.isascii() and token != "[UNK]")
    return sum(words) / len(words) if words else 1.0


def _same_length_runs(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of texts of the same number of tokens, a few at a time: nothing has to be padded."""

    def length(place: int) -> int:
        return len(tokens[place])

    for _, group in groupby(sorted(range(len(tokens)), key=length), key=length):
        places = list(group)
        for start in range(0, len(places), _RUN):
            yield places[start : start + _RUN]


def _embed(model: _Model, tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Unit vectors (n, d) of token lists of one length."""
    import numpy as np

    vectors: NDArray[np.float32] = model.session.run(None, {"input_ids": np.array(tokens, dtype=np.int64)})[0]
    return vectors
