"""The local embedder that ships, bits and their cosine, what is a secret, and patience."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from fourfold.embedding import Embedder, EmbedderUnavailable, open_embedder
from fourfold.embedding.base import space_identity
from fourfold.embedding.binary import bit_cosine, query_vector, rotate, sign_bits
from fourfold.embedding.local import DATA, DOCUMENT_TOKENS, LocalEmbedder
from fourfold.embedding.pace import Caller, Pace, TookTooLong, limits_in
from fourfold.embedding.secrets import is_secret
from fourfold.lexing import digest

DIGESTS = [
    digest("http/client/retry.py", "def retry_request(session, url, attempts): backoff sleep status connection error"),
    digest("http/client/pool.py", "class ConnectionPool: acquire release socket timeout keep alive host port"),
    digest("render/svg/path.py", "def draw_curve(points, stroke, fill): bezier control point canvas polygon"),
    digest("auth/tokens.py", "def refresh_access_token(user, expires): oauth bearer login password session"),
    digest("db/migrate.py", "def apply_migration(database, version): schema table column transaction rollback"),
    digest("cli/arguments.py", "def parse_arguments(argv): option flag help usage command line"),
]
#: The code of the first digest.
EXPECTED_CODE = "bf4327f0478147c0335f5b9d156505ec33419d6edb9ddd661dc98453d933cdb3cc41a2428487e9926381638e31d78803"


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


def differing(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.bitwise_count(a ^ b).sum(axis=-1)


# --------------------------------------------------------------------------- the local model


def test_the_shipped_files_are_the_ones_that_were_built() -> None:
    about = json.loads((DATA / "model.json").read_text(encoding="utf-8"))
    assert set(about["files"]) == {"model.onnx", "tokenizer.json", "rotation.npy"}
    for name, entry in about["files"].items():
        content = (DATA / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert about["source"]["tokenizer.json"] == about["files"]["tokenizer.json"]["sha256"]
    assert about["cosine_to_float"]["mean"] > 0.996 and about["cosine_to_float"]["least"] > 0.99
    assert "Apache License" in (DATA / "LICENSE").read_text(encoding="utf-8")


def test_a_vector_depends_on_its_text_alone(local: LocalEmbedder) -> None:
    """Not on its neighbours in a batch, their order, or the number of threads: or an index built in pieces differs."""
    texts = [f"{DIGESTS[number % 6]} {'extra ' * (number % 9)}{number}" for number in range(60)]
    together = local.embed_documents(texts)
    assert together.dtype == np.uint8 and together.shape == (60, 48)
    assert np.array_equal(together, LocalEmbedder(threads=1).embed_documents(texts))
    assert np.array_equal(together[::-1], local.embed_documents(texts[::-1]))
    for number in (0, 7, 31):
        assert np.array_equal(together[number], local.embed_documents([texts[number]])[0])
        assert np.array_equal(together[number], local.embed_query(texts[number]).code)


def test_the_model_is_the_one_that_quality_was_measured_with(local: LocalEmbedder) -> None:
    # processors may differ in the last digit of a float, so in a bit or two; another model differs in dozens
    code = local.embed_documents([DIGESTS[0]])[0]
    expected = np.frombuffer(bytes.fromhex(EXPECTED_CODE), dtype=np.uint8)
    assert differing(code, expected) <= 6


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how are failed requests tried again", 0),
        ("where are connections reused", 1),
        ("draw a bezier curve", 2),
        ("how does a user log in", 3),
        ("change the database schema", 4),
        ("which command line options are there", 5),
    ],
)
def test_what_is_about_the_question_is_nearest(local: LocalEmbedder, question: str, answer: int) -> None:
    codes = local.embed_documents(DIGESTS)
    query = local.embed_query(question)
    cosines = bit_cosine(query.values, codes)
    assert int(cosines.argmax()) == answer
    assert float(differing(codes, query.code).mean()) == pytest.approx(local.unrelated_bits, abs=30)


def test_questions_about_nothing_here_stay_under_the_floor(local: LocalEmbedder) -> None:
    codes = local.embed_documents(DIGESTS)
    for question in ("how to cook spaghetti carbonara", "who won the world cup", "qwxzv blorf zzkt", "xkcdq"):
        query = local.embed_query(question)
        assert bit_cosine(query.values, codes).max() < query.noise_floor
    ordinary = local.embed_query("where are connections reused").noise_floor
    assert ordinary == local.noise_floor < local.embed_query("qwxzv blorf zzkt").noise_floor
    assert local.embed_query("wo werden Verbindungen wiederverwendet").noise_floor > ordinary
    assert local.embed_query("再利用される接続").noise_floor > ordinary


def test_two_digests_about_one_thing_are_nearer_than_two_about_two(local: LocalEmbedder) -> None:
    codes = local.embed_documents(DIGESTS)
    assert differing(codes[0], codes[1]) < min(int(differing(codes[0], codes[other])) for other in (2, 3, 4, 5))


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "a\udcffb", "検索エンジン", "x" * 300_000, "w " * 50_000, "\x1b[31m"]
)
def test_any_text_has_a_vector(local: LocalEmbedder, text: str) -> None:
    query = local.embed_query(text)
    assert query.values.shape == (384,) and query.values.dtype == np.float32
    assert float(np.linalg.norm(query.values)) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(query.code, sign_bits(query.values))
    assert local.embed_documents([text]).shape == (1, 48)


def test_no_texts_have_no_vectors(local: LocalEmbedder) -> None:
    assert local.embed_documents([]).shape == (0, 48)
    assert list(local.batches([])) == []


def test_only_the_first_tokens_of_a_document_count(local: LocalEmbedder) -> None:
    words = " ".join(["word"] * (DOCUMENT_TOKENS - 2))
    one, other = local.embed_documents([words, words + " something else entirely"])
    assert np.array_equal(one, other)
    assert not np.array_equal(local.embed_query(words).code, local.embed_query(words + " something else").code)


def test_batches_cover_all_texts_once(local: LocalEmbedder) -> None:
    covered = [place for part in local.batches(["x"] * 1_000) for place in range(1_000)[part]]
    assert covered == list(range(1_000))


def test_several_threads_may_ask_one_embedder() -> None:
    shared = LocalEmbedder()
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(shared.embed_query("x y z").code.tobytes())) for _ in "abcd"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    yield folder


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "rotation.npy"])
def test_a_damaged_or_missing_file_is_said_in_one_line(damaged: Path, name: str) -> None:
    content = bytearray((damaged / name).read_bytes())
    content[len(content) // 2] ^= 1
    (damaged / name).write_bytes(content)
    with pytest.raises(EmbedderUnavailable, match=f"{name} is damaged"):
        LocalEmbedder(data=damaged).embed_query("x")
    (damaged / name).unlink()
    with pytest.raises(EmbedderUnavailable, match=f"{name} cannot be read"):
        LocalEmbedder(data=damaged).embed_documents(["x"])


def test_no_model_at_all_is_said_when_it_is_opened(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="missing"):
        LocalEmbedder(data=tmp_path)
    (tmp_path / "model.json").write_text("{", encoding="utf-8")
    with pytest.raises(EmbedderUnavailable, match="missing"):
        LocalEmbedder(data=tmp_path)


def test_opening_by_name() -> None:
    opened: Embedder | None = open_embedder("local", threads=1)
    assert opened is not None and opened.provider == "local" and opened.bits == 384
    assert opened.english_only and not opened.remote
    assert open_embedder("none") is None
    with pytest.raises(EmbedderUnavailable, match="no embedder called 'lokal'"):
        open_embedder("lokal")


def test_the_space_changes_with_anything_that_changes_vectors(local: LocalEmbedder, damaged: Path) -> None:
    assert local.identity == LocalEmbedder().identity and len(local.identity) == 64
    about = json.loads((damaged / "model.json").read_text(encoding="utf-8"))
    about["files"]["rotation.npy"]["sha256"] = "0" * 64
    (damaged / "model.json").write_text(json.dumps(about), encoding="utf-8")
    assert LocalEmbedder(data=damaged).identity != local.identity
    assert space_identity(model="a", bits=1) == space_identity(bits=1, model="a") != space_identity(model="a", bits=2)


def test_importing_and_opening_load_nothing_heavy() -> None:
    program = (
        "import sys, fourfold.embedding as room\n"
        "heavy = {'onnxruntime', 'voyageai', 'tokenizers', 'numpy', 'requests', 'aiohttp'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "local = room.open_embedder('local'); local.identity\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "local.embed_query('x')\n"
        "assert 'voyageai' not in sys.modules and 'requests' not in sys.modules\n"
    )
    surroundings = {**os.environ, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=surroundings, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == done.stderr == ""


# --------------------------------------------------------------------------- bits


def floats(size: int) -> st.SearchStrategy[NDArray[np.float32]]:
    return arrays.arrays(np.float32, size, elements=st.floats(-1, 1, width=32))


@given(values=floats(64), codes=arrays.arrays(np.uint8, (5, 8)))
@settings(deadline=None)
def test_the_bit_cosine_is_the_cosine_with_plus_and_minus_one(
    values: NDArray[np.float32], codes: NDArray[np.uint8]
) -> None:
    signs = np.unpackbits(codes, axis=1).astype(np.float64) * 2 - 1
    wide = values.astype(np.float64)
    length = np.linalg.norm(wide) * np.sqrt(64)
    expected = signs @ wide / length if length else np.zeros(5)
    assert np.allclose(bit_cosine(values, codes), expected, atol=1e-6)
    assert np.array_equal(bit_cosine(values, codes)[2:3], bit_cosine(values, codes[2:3]))


@given(values=floats(64))
@settings(deadline=None)
def test_a_vector_is_nearest_to_its_own_bits(values: NDArray[np.float32]) -> None:
    query = query_vector(values)
    other = np.random.default_rng(1).integers(0, 256, (20, 8), dtype=np.uint8)
    own = bit_cosine(query.values, query.code[None])[0]
    assert own >= bit_cosine(query.values, other).max() - 1e-6
    assert own <= 1.0 + 1e-6


def test_many_codes_are_scored_like_few() -> None:
    rng = np.random.default_rng(2)
    values = rng.standard_normal(384).astype(np.float32)
    codes = rng.integers(0, 256, (40_000, 48), dtype=np.uint8)
    cosines = bit_cosine(values, codes)
    assert cosines.shape == (40_000,) and cosines.dtype == np.float32
    assert np.array_equal(cosines[39_990:], bit_cosine(values, codes[39_990:]))
    assert bit_cosine(values, codes[:0]).shape == (0,)


def test_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="384 values"):
        bit_cosine(np.ones(384, dtype=np.float32), np.zeros((1, 32), dtype=np.uint8))


def test_the_rotation_keeps_lengths_and_angles() -> None:
    rotation = np.load(DATA / "rotation.npy")
    assert np.allclose(rotation @ rotation.T, np.eye(384), atol=1e-5)
    vectors = np.random.default_rng(3).standard_normal((4, 384)).astype(np.float32)
    turned = rotate(vectors, rotation)
    assert np.allclose(turned @ turned.T, vectors @ vectors.T, atol=1e-3)
    assert np.array_equal(turned[2], rotate(vectors[2:3], rotation)[0])


# --------------------------------------------------------------------------- secrets

PEM = b"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + b"MIIEowIBAAKCAQEAx" * 4 + b"\n"


@pytest.mark.parametrize(
    "path",
    [
        ".env", "app/.env.production", "deploy/prod.env", ".envrc", "keys/id_rsa", "id_ed25519", "certs/server.pem",
        "tls/server.key", "android/release.keystore", "store.p12", ".netrc", ".npmrc", ".pypirc",
        "home/.aws/credentials",
        ".ssh/config", "config/credentials.json", "config/secrets.yml", "infra/terraform.tfstate", "prod.tfvars",
        "gcp/service-account-prod.json", ".docker/config.json", ".git-credentials", "ID_RSA", "Config/Secrets.YAML",
        "config/master.key", ".kube/config", "client_secret_123.json",
    ],
)  # fmt: skip
def test_files_that_are_secret_by_name(path: str) -> None:
    assert is_secret(path, b"")


@pytest.mark.parametrize(
    "path",
    [
        "src/environment.py", ".env.example", "config/.env.sample", "src/secrets.py", "lib/credentials.go", "keys.md",
        "docs/secrets.md", "id_rsa.pub", "src/key.ts", "app/settings.toml", "environments/dev.yaml", "Keyboard.java",
        "tests/test_pem.py", "config.json", "kube/config", "monkey.rb", "package.json",
    ],
)  # fmt: skip
def test_files_that_only_sound_like_it(path: str) -> None:
    assert not is_secret(path, b"def load(path):\n    return open(path).read()\n")


@pytest.mark.parametrize(
    "content",
    [
        PEM,
        b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n",
        b"-----BEGIN OPENSSH PRIVATE KEY-----\r\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB\r\n",
        b"aws_key = 'AKIA" + b"Q3EGRZ7WXN5LMT2P'",
        b"token: ghp_" + b"a1B2c3D4e5F6g7H8i9J0" + b"k1L2m3N4o5P6q7R8",
        b"GOOGLE = AIza" + b"SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        b"stripe.api_key = 'sk_" + b"live_4eC39HqLyjWDarjtT1zdp7dc'",
        b'{"type": "service_account", "project_id": "x"}',
    ],
)
def test_files_that_hold_a_key_whatever_their_name(content: bytes) -> None:
    assert is_secret("src/settings.py", b"# settings\n" + content)


def test_code_about_keys_is_code() -> None:
    source = (
        b'MARK = "-----BEGIN PRIVATE KEY-----"\nif text.startswith(MARK):\n    raise ValueError("a private key")\n'
        b"AWS_PREFIX = 'AKIA'\ntoken = os.environ['GITHUB_TOKEN']\npassword = getpass()\n"
    )
    assert not is_secret("src/pem.py", source)


@given(path=st.text(max_size=40), head=st.binary(max_size=200))
def test_any_name_and_content_can_be_asked_about(path: str, head: bytes) -> None:
    assert is_secret(path, head) in (True, False)


# --------------------------------------------------------------------------- patience


def test_limits_are_read_from_what_a_service_says() -> None:
    told = limits_in("you will have reduced rate limits of 3 RPM and 10K TPM. To unlock")
    assert (told.requests, told.tokens) == (3, 10_000)
    assert limits_in("2,000 RPM; 1.5M TPM").tokens == 1_500_000
    assert limits_in("Too many requests").requests is None


@given(sizes=st.lists(st.integers(1, 6_000), max_size=30))
@settings(deadline=None)
def test_no_minute_holds_more_than_allowed(sizes: list[int]) -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(sleep, lambda: now[0])
    pace.limits = limits_in("3 RPM and 10K TPM")
    sent: list[tuple[float, int]] = []
    for size in sizes:
        pace.wait(size)
        sent.append((now[0], size))
    for moment, _ in sent:
        minute = [size for at, size in sent if moment - 60.0 < at <= moment]
        assert len(minute) <= 3 and sum(minute) <= 10_000


def test_a_call_that_hangs_is_left_behind() -> None:
    caller, free = Caller(), threading.Event()
    with pytest.raises(TookTooLong):
        caller.call(free.wait, 0.05)
    assert caller.call(lambda: 7, 5.0) == 7
    with pytest.raises(ZeroDivisionError):
        caller.call(lambda: 1 / 0, 5.0)
    free.set()
