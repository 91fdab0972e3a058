#!/usr/bin/env python3
"""--strict-rounding: fused kernels against a kernel per op, bit for bit.

Random graphs (seeds 0 to 23) of products, elementwise ops, norms, softmax,
reductions, views and casts of the model are run forward and backward in bf16
and fp16, fused with strict rounding and with every op in a kernel of its own;
so is a training step of each reference model. Without strict rounding some of
the graphs must differ, or the option would do nothing.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import shared
from harness import Harness, last_line

GRAPHS = 24
ROWS, WIDTH = 6, 24
MODELS = ["mlp_digits", "cnn_fashion", "gpt2_tiny", "layernorm_merged",
          "llama_tiny", "vit_tiny", "resnet18_small", "conv1d_tcn",
          "dlrm_tabular", "unet_small"]


class Graph:
    """A random graph over values [ROWS, WIDTH]; state of it is numpy's."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.initializers, self.values = [], [], ["x"]
        for _ in range(14):
            self.values.append(self.step())
        # Everything counts in the result, so that nothing is dead.
        total = self.values[0]
        for value in self.values[1:]:
            total = self.op("Add", [total, value])
        self.nodes.append(helper.make_node("Identity", [total], ["y"]))

    def op(self, kind, inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, inputs, [name], name=f"{kind}_{name}",
                             **attributes))
        return name

    def weight(self, *shape, scale=0.3, shift=0.0):
        name = f"w{len(self.initializers)}"
        array = self.random.standard_normal(shape) * scale + shift
        self.initializers.append(
            numpy_helper.from_array(array.astype(np.float32), name))
        return name

    def ints(self, *numbers):
        name = f"w{len(self.initializers)}"
        self.initializers.append(
            numpy_helper.from_array(np.array(numbers, np.int64), name))
        return name

    def step(self):
        pick = lambda: self.values[self.random.integers(len(self.values))]
        kind = self.random.integers(13)
        a = pick()
        if kind == 0:
            return self.op("MatMul", [a, self.weight(WIDTH, WIDTH)])
        if kind == 1:
            return self.op("Add", [a, pick()])
        if kind == 2:
            return self.op("Mul", [a, self.op("Tanh", [pick()])])
        if kind == 3:
            return self.op("Relu", [self.op("Add", [a, self.weight(WIDTH)])])
        if kind == 4:
            return self.op("Softmax", [a], axis=-1)
        if kind == 5:
            return self.op("LayerNormalization", [
                a, self.weight(WIDTH, shift=1.0), self.weight(WIDTH)])
        if kind == 6:
            mean = self.op("ReduceMean", [a], axes=[1], keepdims=1)
            return self.op("Sub", [a, mean])
        if kind == 7:
            # Rows in two pieces: a sum over both dimensions of [R, 4, 6], and
            # a value that splits them.
            parts = self.op("Reshape", [a, self.ints(ROWS, 4, 6)])
            sums = self.op("ReduceMean", [parts], axes=[1, 2], keepdims=1)
            scaled = self.op("Mul", [parts, self.weight(4, 1, shift=1.0)])
            both = self.op("Add", [scaled, sums])
            return self.op("Reshape", [both, self.ints(ROWS, WIDTH)])
        if kind == 8:
            to = [TensorProto.FLOAT16, TensorProto.BFLOAT16]
            low = self.op("Cast", [a], to=to[self.random.integers(2)])
            return self.op("Cast", [low], to=TensorProto.FLOAT)
        if kind == 9:
            turned = self.op("Transpose", [a], perm=[1, 0])
            turned = self.op("Sigmoid", [turned])
            return self.op("Transpose", [turned], perm=[1, 0])
        if kind == 10:
            # exp(x - max x) written out: what is known of the exponent must not
            # depend on what shares its kernel.
            most = self.op("ReduceMax", [a], axes=[1], keepdims=1)
            return self.op("Exp", [self.op("Sub", [a, most])])
        if kind == 11:
            square = self.op("Mul", [a, a])
            one = self.weight(1, scale=0.0, shift=1.0)
            return self.op("Div", [pick(), self.op("Add", [square, one])])
        return self.op("Erf", [self.op("Mul", [a, pick()])])

    def save(self, path):
        tensor = lambda name: helper.make_tensor_value_info(
            name, TensorProto.FLOAT, [ROWS, WIDTH])
        graph = helper.make_graph(self.nodes, "random", [tensor("x")],
                                  [tensor("y")], self.initializers)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, path)


def differing(a, b):
    """Names of arrays that differ in any bit."""
    a, b = np.load(a), np.load(b)
    if sorted(a.files) != sorted(b.files) or not a.files:
        return ["(other arrays)"]
    return [name for name in a.files if a[name].tobytes() != b[name].tobytes()]


def compare(t, name, base, precision):
    """True if fused and unfused agree; whether plain fusion does, too."""
    runs = {}
    for way, flags in (("strict", ["--strict-rounding"]),
                       ("unfused", ["--no-fusion"]),
                       ("both", ["--strict-rounding", "--no-fusion"]),
                       ("plain", [])):
        runs[way] = t.path(f"{way}.npz")
        code, text = t.run(t.program("amp-run"), *base, "--precision",
                           precision, "--threads", "2", *flags, "-o", runs[way],
                           limit=300)
        if code:
            return f"{way}: exit {code}: {last_line(text)}", False
    for other in ("unfused", "both"):
        bad = differing(runs["strict"], runs[other])
        if bad:
            return (f"strict and {other} differ in {len(bad)} arrays, such as "
                    f"{bad[0]}"), False
    return "", bool(differing(runs["strict"], runs["plain"]))


def random_graphs(t):
    random = np.random.default_rng(100)
    data = t.path("data.npz")
    np.savez(data, x=random.standard_normal((ROWS, WIDTH)).astype(np.float32),
             target=random.standard_normal((ROWS, WIDTH)).astype(np.float32))
    # In float32 nothing is rounded but sums: it is their order that differs.
    for precision in ("bf16", "fp16", "fp32"):
        faults, moved = [], 0
        for seed in range(GRAPHS):
            model = t.path("graph.onnx")
            Graph(seed).save(model)
            scaler = (["--loss-scaler", "static,scale=128"]
                      if precision == "fp16" else [])
            fault, differs = compare(
                t, f"graph {seed}",
                [model, "--loss", "mse", "--gradients", "--inputs", data,
                 *scaler], precision)
            moved += differs
            if fault:
                faults.append(f"seed {seed}: {fault}")
        t.check(f"{GRAPHS} random graphs in {precision}: fused is unfused",
                not faults, "; ".join(faults[:3]))
        t.check(f"strict rounding changes some of them in {precision}",
                moved >= (1 if precision == "fp32" else GRAPHS // 4),
                f"{moved} of {GRAPHS}")


def models(t, root):
    for name in MODELS:
        case = shared.Case.load(root, name)
        if case is None:
            continue
        data = t.path("first.npz")
        case.first_batch(data)
        for precision in ("bf16", "fp16"):
            fault, _ = compare(
                t, name,
                [*case.compile_words(optimizer=False), "--gradients",
                 "--dropout", "off", "--inputs", data,
                 *(["--loss-scaler", "static,scale=1024"]
                   if precision == "fp16" else [])], precision)
            if "exit 4" in fault:
                continue
            t.check(f"{name} in {precision}: fused is unfused", not fault,
                    fault)


def main():
    t = Harness(__doc__)
    random_graphs(t)
    if shared.root():
        models(t, shared.root())
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
