"""A transformer, decoder or encoder, written out as exporters write it:
attention and GELU decomposed, the causal mask an initializer, shapes by
Reshape."""

import numpy as np
from onnx import TensorProto

SQRT2 = np.float32(np.sqrt(2.0))


class Sizes:
    """The five numbers that fix a model. An encoder is not causal: each
    position sees all others."""

    def __init__(self, vocabulary, context, width, layers, heads, causal=True):
        self.vocabulary = vocabulary
        self.context = context
        self.width = width
        self.layers = layers
        self.heads = heads
        self.causal = causal


def gelu(g, x, name):
    """x * (1 + erf(x / sqrt(2))) / 2 out of five nodes."""
    y = g.op("Div", [x, "sqrt_two"], f"{name}/Div")
    y = g.op("Erf", [y], f"{name}/Erf")
    y = g.op("Add", [y, "one"], f"{name}/Add")
    y = g.op("Mul", [x, y], f"{name}/Mul")
    return g.op("Mul", [y, "half"], f"{name}/Mul_1")


def attention(g, x, module, sizes):
    width, heads = sizes.width, sizes.heads
    packed = g.token_linear(x, f"{module}.c_attn", width, 3 * width, 0.02)
    parts = g.op(
        "Split", [packed, "qkv_sizes"], f"/{module}/Split", outputs=3, axis=2
    )
    split = []
    for name, part, order in zip(
        "qkv", parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
    ):
        y = g.op("Reshape", [part, "head_shape"], f"/{module}/Reshape_{name}")
        y = g.op("Transpose", [y], f"/{module}/Transpose_{name}", perm=order)
        split.append(y)
    query, key, value = split
    scores = g.op("MatMul", [query, key], f"/{module}/MatMul")
    scores = g.op("Mul", [scores, "attention_scale"], f"/{module}/Mul")
    if sizes.causal:
        scores = g.op("Add", [scores, "causal_mask"], f"/{module}/Add")
    weights = g.op("Softmax", [scores], f"/{module}/Softmax", axis=-1)
    y = g.op("MatMul", [weights, value], f"/{module}/MatMul_1")
    y = g.op("Transpose", [y], f"/{module}/Transpose_3", perm=[0, 2, 1, 3])
    y = g.op("Reshape", [y, "model_shape"], f"/{module}/Reshape_3")
    # Residual branches start small, so that depth does not grow the sum.
    deviation = 0.02 / np.sqrt(2.0 * sizes.layers)
    return g.token_linear(y, f"{module}.c_proj", width, width, deviation)


def block(g, x, module, sizes):
    width = sizes.width
    y = g.layer_norm(x, f"{module}.ln_1", width)
    y = attention(g, y, f"{module}.attn", sizes)
    x = g.op("Add", [x, y], f"/{module}/Add")
    y = g.layer_norm(x, f"{module}.ln_2", width)
    y = g.token_linear(y, f"{module}.mlp.c_fc", width, 4 * width, 0.02)
    y = gelu(g, y, f"/{module}/mlp/act")
    deviation = 0.02 / np.sqrt(2.0 * sizes.layers)
    y = g.token_linear(
        y, f"{module}.mlp.c_proj", 4 * width, width, deviation
    )
    return g.op("Add", [x, y], f"/{module}/Add_1")


def head(g, x, sizes, tied):
    """Logits: by the table of the embedding, as in GPT-2, or by one more."""
    if tied:
        table = g.op(
            "Transpose", ["wte.weight"], "/lm_head/Transpose", perm=[1, 0]
        )
    else:
        shape = (sizes.width, sizes.vocabulary)
        table = g.normal("lm_head.weight", shape, 0.02)
    return g.op("MatMul", [x, table], "/lm_head/MatMul")


def build(g, sizes, tied=True):
    """Token ids [batch, context] to logits [batch, context, vocabulary]."""
    head_width = sizes.width // sizes.heads
    steps = sizes.context
    g.constant("sqrt_two", SQRT2, np.float32)
    g.constant("one", 1.0, np.float32)
    g.constant("half", 0.5, np.float32)
    g.constant("attention_scale", 1.0 / np.sqrt(head_width), np.float32)
    g.constant("qkv_sizes", [sizes.width] * 3)
    g.constant("head_shape", [0, 0, sizes.heads, head_width])
    g.constant("model_shape", [0, 0, sizes.width])
    g.constant("positions", np.arange(steps))
    if sizes.causal:
        mask = np.triu(np.full((steps, steps), -3.4e38, np.float32), 1)
        g.tensor("causal_mask", mask[None, None])

    ids = g.input("input_ids", TensorProto.INT64, "batch", steps)
    g.normal("wte.weight", (sizes.vocabulary, sizes.width), 0.02)
    g.normal("wpe.weight", (steps, sizes.width), 0.02)
    tokens = g.op("Gather", ["wte.weight", ids], "/wte/Gather")
    places = g.op("Gather", ["wpe.weight", "positions"], "/wpe/Gather")
    x = g.op("Add", [tokens, places], "/Add")
    for layer in range(sizes.layers):
        x = block(g, x, f"h.{layer}", sizes)
    x = g.layer_norm(x, "ln_f", sizes.width)
    logits = head(g, x, sizes, tied)
    g.output(logits, "logits", "batch", steps, sizes.vocabulary)
