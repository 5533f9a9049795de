"""Voyage, against a real server on loopback that answers like its embeddings endpoint, and misbehaves when told to."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fourfold.embedding import EmbedderUnavailable, open_embedder
from fourfold.embedding.binary import sign_bits
from fourfold.embedding.pace import backoff
from fourfold.embedding.voyage import Patience, VoyageEmbedder, estimate, tokens_of

KEY = "pa-loopback-key-0123456789"
FREE_TIER = (
    "You have not yet added your payment method in the billing page and will have reduced rate limits of "
    "3 RPM and 10K TPM."
)


def vector_of(text: str, kind: str, size: int) -> NDArray[np.float32]:
    """What the server answers: unit length, the same for the same text; documents and queries differ a little."""
    base = np.random.default_rng(list(hashlib.sha256(text.encode()).digest()))
    values = base.standard_normal(size)
    if kind == "query":
        values = values + 0.1 * base.standard_normal(size)
    return (values / np.linalg.norm(values)).astype(np.float32)


class Voyage:
    """``script`` holds what to do with the next requests, in order; afterwards everything is answered well."""

    def __init__(self) -> None:
        self.script: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.lists = False
        self.url = ""

    def answer(self, body: dict[str, Any], do: str) -> bytes:
        size = body["output_dimension"] // (2 if do == "small" else 1)
        rows = [vector_of(text, body["input_type"], size) for text in body["input"]]
        if do == "few":
            rows = rows[:-1]
        data = []
        for index, row in enumerate(rows):
            out: NDArray[Any] = np.packbits(row > 0) if body["output_dtype"] == "ubinary" else row
            shown: Any = out.tolist()
            if body.get("encoding_format") == "base64" and not self.lists:
                shown = base64.b64encode(out.tobytes()).decode()
            data.append({"object": "embedding", "embedding": shown, "index": index})
        usage = {"total_tokens": sum(len(text) // 5 + 1 for text in body["input"])}
        return json.dumps({"object": "list", "data": data, "model": body["model"], "usage": usage}).encode()


def _handler(voyage: Voyage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def refuse(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
            self.reply(status, json.dumps({"detail": detail}).encode(), headers)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            voyage.requests.append(body)
            do = voyage.script.pop(0) if voyage.script else "ok"
            if self.headers["Authorization"] != f"Bearer {KEY}":
                self.refuse(401, f"Provided API key {self.headers['Authorization']} is invalid.")
            elif do == "403":
                self.refuse(403, f"Forbidden for {KEY}.")
            elif do == "400":
                self.refuse(400, f"The request body of {KEY}\x1b[31m is not valid.")
            elif do == "404":
                self.refuse(404, "Model not found.")
            elif do == "429":
                self.refuse(429, "Too many requests.", {"Retry-After": "7"})
            elif do == "429 free":
                self.refuse(429, FREE_TIER)
            elif do == "500":
                self.refuse(500, "internal")
            elif do == "503":
                self.refuse(503, "busy")
            elif do == "slow":
                time.sleep(1.0)
                self.close_connection = True
            elif do == "drip":
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "1000")
                self.end_headers()
                for _ in range(10):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.1)
                self.close_connection = True
            elif do == "cut off":
                answer = voyage.answer(body, "ok")
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer[: len(answer) // 2])
                self.close_connection = True
            elif do == "hang up":
                self.close_connection = True
            elif do == "not json":
                self.reply(200, b"<html>a proxy's page</html>")
            else:
                self.reply(200, voyage.answer(body, do))

    return Handler


@contextmanager
def running() -> Iterator[Voyage]:
    voyage = Voyage()

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # a client that gave up is no news

    server = Server(("127.0.0.1", 0), _handler(voyage))
    voyage.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield voyage
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def voyage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Voyage]:
    for name in list(os.environ):
        if name.lower() in ("http_proxy", "https_proxy", "all_proxy") or name.startswith("VOYAGE_"):
            monkeypatch.delenv(name)
    with running() as server:
        yield server


class Waits:
    """Stands for sleeping: keeps what was waited for, and moves the clock on instead."""

    def __init__(self) -> None:
        self.all: list[float] = []
        self.now = 0.0

    def __call__(self, seconds: float) -> None:
        self.all.append(seconds)
        self.now += seconds


def embedder(
    voyage: Voyage, waits: Waits | None = None, *, key: str = KEY, bits: int = 256, url: str = "", **patience: Any
) -> VoyageEmbedder:
    waits = waits or Waits()
    made = VoyageEmbedder(
        key, bits=bits, address=url or voyage.url, patience=Patience(**patience), sleep=waits, clock=lambda: waits.now
    )
    return made


def failure(work: Callable[[], object]) -> str:
    """The line that `EmbedderUnavailable` gives; whatever hangs on the exception holds no key."""
    with pytest.raises(EmbedderUnavailable) as caught:
        work()
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown
    assert KEY not in repr(caught.value.__context__) + repr(caught.value.__cause__)
    line = str(caught.value)
    assert "\n" not in line and "\x1b" not in line and len(line) < 300
    return line


def codes_of(texts: Sequence[str], bits: int = 256) -> NDArray[np.uint8]:
    return np.stack([np.packbits(vector_of(text, "document", bits) > 0) for text in texts])


@pytest.mark.parametrize("lists", [False, True], ids=["base64", "lists"])
def test_documents_come_back_as_bits_in_order(voyage: Voyage, lists: bool) -> None:
    voyage.lists = lists
    texts = ["one", "two", "three"]
    codes = embedder(voyage).embed_documents(texts)
    assert codes.dtype == np.uint8
    assert np.array_equal(codes, codes_of(texts))
    (request,) = voyage.requests
    assert request["model"] == "voyage-code-3"
    assert (request["input_type"], request["output_dtype"], request["output_dimension"]) == ("document", "ubinary", 256)


def test_a_question_is_asked_for_as_floats_and_its_bits_are_their_signs(voyage: Voyage) -> None:
    query = embedder(voyage).embed_query("where are redirects followed")
    expected = vector_of("where are redirects followed", "query", 256)
    assert np.allclose(query.values, expected, atol=1e-6)
    assert np.array_equal(query.code, np.packbits(expected > 0))
    assert (voyage.requests[0]["input_type"], voyage.requests[0]["output_dtype"]) == ("query", "float")


def test_bits_of_documents_are_packed_as_the_service_documents_it() -> None:
    # the example in Voyage's guide to quantisation: these eight values are the byte 77
    example = [-0.03955078, 0.006214142, -0.07446289, -0.039001465, 0.0046463013, 0.00030612946, -0.08496094, 0.039947]
    assert sign_bits(np.array(example, dtype=np.float32)).tolist() == [77]


def test_nothing_is_sent_for_no_texts_and_what_cannot_be_sent_is_replaced(voyage: Voyage) -> None:
    assert embedder(voyage).embed_documents([]).shape == (0, 32)
    assert voyage.requests == []
    embedder(voyage).embed_documents(["", "a\udcffb"])
    assert voyage.requests[0]["input"] == ["-", "a?b"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("403", "403"),
        ("400", "The request body of"),
        ("404", "does not know the model"),
        ("small", "of 128 dimensions, not 256"),
        ("few", "1 vectors for 2 texts"),
        ("not json", "cannot be read"),
    ],
)
def test_what_will_not_pass_is_said_at_once(voyage: Voyage, script: str, said: str) -> None:
    voyage.script = [script]
    waits = Waits()
    assert said in failure(lambda: embedder(voyage, waits).embed_documents(["one", "two"]))
    assert len(voyage.requests) == 1 and waits.all == []
    voyage.script = [script]
    if script != "few":
        assert said in failure(lambda: embedder(voyage).embed_query("one"))


def test_a_wrong_key_is_refused_in_one_line_without_the_key(voyage: Voyage) -> None:
    wrong = "pa-wrong-key-abcdefgh"
    for work in (
        lambda: embedder(voyage, key=wrong).embed_documents(["x"]),
        lambda: embedder(voyage, key=wrong).embed_query("x"),
    ):
        line = failure(work)
        assert "refused the key (401)" in line and wrong not in line


@pytest.mark.parametrize("script", ["500", "503", "cut off", "hang up", "slow", "drip"])
def test_what_may_pass_is_tried_again(voyage: Voyage, script: str) -> None:
    voyage.script = [script]
    waits = Waits()
    patience = {"document": 0.4, "query": 5.0} if script in ("slow", "drip") else {}
    codes = embedder(voyage, waits, **patience).embed_documents(["one", "two"])
    assert np.array_equal(codes, codes_of(["one", "two"]))
    assert len(voyage.requests) == 2 and len(waits.all) == 1 and waits.all[0] <= 1.0


@pytest.mark.parametrize(
    ("script", "said"), [("500", "a fault (500)"), ("cut off", "connection was lost"), ("429", "limits the rate (429)")]
)
def test_patience_ends(voyage: Voyage, script: str, said: str) -> None:
    voyage.script = [script] * 20
    waits = Waits()
    line = failure(lambda: embedder(voyage, waits, attempts=4).embed_documents(["one"]))
    assert said in line and "after 4 attempts" in line
    assert len(voyage.requests) == 4 and len(waits.all) == 3


def test_all_waits_of_one_batch_are_capped(voyage: Voyage) -> None:
    voyage.script = ["429"] * 20
    waits = Waits()
    failure(lambda: embedder(voyage, waits, document_total=20.0).embed_documents(["one"]))
    assert sum(waits.all) <= 20.0


def test_a_retry_waits_as_long_as_the_service_asks(voyage: Voyage) -> None:
    voyage.script = ["429"]
    waits = Waits()
    assert np.array_equal(embedder(voyage, waits).embed_documents(["one"]), codes_of(["one"]))
    assert waits.all == [7.0]


def test_waits_grow_and_are_never_the_same_for_all() -> None:
    for attempt, ceiling in ((1, 1.0), (2, 2.0), (3, 4.0), (7, 60.0), (30, 60.0)):
        waits = {backoff(attempt) for _ in range(20)}
        assert all(ceiling / 2 <= wait <= ceiling for wait in waits) and len(waits) > 1


def test_an_account_without_a_payment_method_is_paced(voyage: Voyage) -> None:
    """3 requests and 10,000 tokens a minute: what was planned is cut smaller, and no minute holds more."""
    voyage.script = ["429 free"]
    waits = Waits()
    asked = embedder(voyage, waits)
    texts = [f"text {number} " + "word " * 300 for number in range(40)]
    sent_at: list[float] = []
    codes = []
    for part in asked.batches(texts):
        codes.append(asked.embed_documents(texts[part]))
        sent_at.append(waits.now)
    assert np.array_equal(np.concatenate(codes), codes_of(texts))
    calls = voyage.requests[1:]
    assert all(sum(tokens_of(text) for text in call["input"]) <= 3_333 for call in calls)
    # twenty thousand tokens at ten thousand a minute
    assert waits.now >= 60.0
    assert len(calls) <= 3 * (waits.now / 60.0 + 1)


def test_a_question_never_hangs(voyage: Voyage) -> None:
    for script in ("slow", "drip"):
        voyage.script = [script] * 9
        start = time.monotonic()
        assert "did not answer" in failure(lambda: embedder(voyage, query=0.4).embed_query("x"))
        assert time.monotonic() - start < 1.4
    voyage.script = ["429"]
    waits = Waits()
    assert "limits the rate" in failure(lambda: embedder(voyage, waits).embed_query("x"))
    assert waits.all == [], "a wait of seven seconds is no use to a search"


def test_after_a_call_that_hung_the_next_one_works(voyage: Voyage) -> None:
    voyage.script = ["drip"]
    asked = embedder(voyage, query=0.4)
    failure(lambda: asked.embed_query("x"))
    voyage.script = []
    assert len(asked.embed_query("x").values) == 256


def test_a_question_is_tried_again_within_its_time(voyage: Voyage) -> None:
    voyage.script = ["500", "hang up"]
    assert len(embedder(voyage).embed_query("x").values) == 256


def test_nobody_there() -> None:
    with running() as gone:
        pass
    line = failure(lambda: embedder(gone, attempts=2).embed_documents(["x"]))
    assert "cannot be reached" in line
    assert "cannot be reached" in failure(lambda: embedder(gone, attempts=2).embed_query("x"))


def test_batches_keep_to_the_limits_and_miss_nothing(voyage: Voyage) -> None:
    asked = embedder(voyage)
    short = ["x"] * 2_500
    assert [part.stop - part.start for part in asked.batches(short)] == [1_000, 1_000, 500]
    long = ["word " * 20_000] * 7
    for part in asked.batches(long):
        assert part.stop - part.start in (1, 2)
    assert [index for part in asked.batches(long) for index in range(7)[part]] == list(range(7))
    giant = ["word " * 200_000, "x"]
    assert [(part.start, part.stop) for part in asked.batches(giant)] == [(0, 1), (1, 2)]
    assert list(asked.batches([])) == []


def test_what_was_stored_before_a_failure_need_not_be_sent_again(voyage: Voyage) -> None:
    texts = [f"text {number} " + "word " * 9_000 for number in range(20)]
    stored: dict[int, bytes] = {}
    voyage.script = ["ok", "ok", "403"]

    def run() -> None:
        missing = [number for number in range(20) if number not in stored]
        asked = embedder(voyage)
        for part in asked.batches([texts[number] for number in missing]):
            numbers = missing[part]
            for number, code in zip(numbers, asked.embed_documents([texts[n] for n in numbers]), strict=True):
                stored[number] = code.tobytes()

    failure(run)
    assert 0 < len(stored) < 20
    run()
    assert [stored[number] for number in range(20)] == [code.tobytes() for code in codes_of(texts)]
    sent = [text for request in voyage.requests for text in request["input"]]
    assert len(sent) <= 20 + 6, "only the refused batch went out twice"


def test_the_price_is_known_before(voyage: Voyage) -> None:
    texts = ["connection pool : retry timeout adapter"] * 1_000
    guess = estimate(texts, "voyage-code-3")
    assert guess.texts == 1_000 and guess.tokens == sum(tokens_of(text) for text in texts)
    assert guess.dollars == pytest.approx(guess.tokens * 0.18 / 1e6)
    assert "1,000 chunks" in str(guess) and "$" in str(guess)
    assert estimate(texts, "voyage-99").dollars is None
    assert voyage.requests == []


def test_opening_asks_for_a_key_and_for_consent(voyage: Voyage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_VOYAGE_URL", voyage.url)
    assert "VOYAGE_API_KEY" in failure(lambda: open_embedder("voyage", consented=True))
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    assert "--embedder voyage" in failure(lambda: open_embedder("voyage"))
    opened = open_embedder("voyage", consented=True, bits=1024)
    assert opened is not None and opened.remote and not opened.english_only and opened.bits == 1024
    assert opened.embed_documents(["x"]).shape == (1, 128)
    assert KEY not in repr(opened) and KEY not in opened.identity and KEY not in opened.name
    auto = open_embedder("auto", consented=True)
    assert auto is not None and auto.provider == "voyage"
    unasked = open_embedder("auto")
    assert unasked is not None and unasked.provider == "local"


@pytest.mark.parametrize(
    "address", ["http://example.org/v1", "ftp://127.0.0.1/", "127.0.0.1:80", "https://", "http://["]
)
def test_the_key_goes_nowhere_in_the_clear(voyage: Voyage, address: str) -> None:
    assert "FOURFOLD_VOYAGE_URL" in failure(lambda: embedder(voyage, url=address))


@pytest.mark.parametrize("key", ["two words here", "line\nbreak-in-a-key", "schlüssel-für-alles", "short"])
def test_what_cannot_be_a_key_is_not_sent(voyage: Voyage, key: str) -> None:
    line = failure(lambda: embedder(voyage, key=key))
    assert "VOYAGE_API_KEY" in line and key not in line


def test_spaces_differ_by_model_and_size(voyage: Voyage) -> None:
    made = [embedder(voyage), embedder(voyage, bits=512), VoyageEmbedder(KEY, model="voyage-4", bits=256)]
    assert len({one.identity for one in made}) == 3


def test_the_client_prints_and_traces_nothing(voyage: Voyage) -> None:
    """Not even when its debug log is asked for: it would hold every text that is sent."""
    program = (
        "import logging, sys; logging.basicConfig(level=logging.DEBUG)\n"
        "import os; from fourfold.embedding import open_embedder\n"
        "e = open_embedder('voyage', consented=True)\n"
        "assert 'voyageai' not in sys.modules\n"
        "e.embed_documents(['a text that stays private'])\n"
        "e.embed_query('a question that stays private')\n"
        "assert 'voyageai' in sys.modules and os.environ['LANGSMITH_TRACING'] == 'false'\n"
    )
    surroundings = {**os.environ, "VOYAGE_LOG": "debug", "VOYAGE_API_KEY": KEY, "FOURFOLD_VOYAGE_URL": voyage.url}
    surroundings["LANGSMITH_TRACING"] = "true"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=surroundings, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "private" not in done.stdout + done.stderr and KEY not in done.stdout + done.stderr
    assert len(voyage.requests) == 2
