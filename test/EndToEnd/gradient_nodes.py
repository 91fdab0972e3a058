#!/usr/bin/env python3
"""Gradient nodes of ai.onnx.preview.training in forward programs: matrix
products, softmax, convolutions, norms, branches, other points of evaluation,
values in the middle, second order and loops that descend give what central
differences of the model without these nodes give in float64; in bf16 and fp16
too, within what the types resolve. A loss that holds a gradient trains.

    gradient_nodes.py --bin FOLDER [--json FILE]
"""

import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

import harness

HEAD = '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.preview.training" : 1]>\n'
DOMAIN = "ai.onnx.preview.training"
# Relative to the largest element: what a product of ten terms in the type
# loses, and float32's own rounding.
BOUNDS = {"fp32": 2e-6, "fp16": 4e-3, "bf16": 3e-2}

SOFTMAX = """
softmax (float[4,10] x, float[4,6] c) => (float y, float[4,10] dx, float[10,6] dw)
<float[10,6] w, float[6] b> {
  h = MatMul(x, w)
  a = Add(h, b)
  p = Softmax<axis = -1>(a)
  m = Mul(p, c)
  y = ReduceSum<keepdims = 0>(m)
  dx, dw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], zs = ["c"], y = "y">(x, w, c)
}
"""

CONV = """
conv (float[2,3,8,8] x) => (float[2,4,3,3] y, float[4,3,3,3] dw, float[4] db)
<float[4,3,3,3] w, float[4] b> {
  h = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(x, w, b)
  r = Softplus(h)
  q = AveragePool<kernel_shape = [2,2], strides = [2,2]>(r)
  s = Mul(q, q)
  y = MaxPool<kernel_shape = [2,2]>(s)
  , dw, db = ai.onnx.preview.training.Gradient<xs = ["x", "w", "b"], y = "y">(x, w, b)
}
"""

NORM = """
norm (float[4,12] x) => (float y, float[4,12] dx, float[12] ds)
<float[12] s, float[12] b, float[12,5] v> {
  n = LayerNormalization<axis = -1>(x, s, b)
  t = Tanh(n)
  h = MatMul(t, v)
  e = Exp(h)
  y = ReduceMean<keepdims = 0>(e)
  dx, ds = ai.onnx.preview.training.Gradient<xs = ["x", "s"], y = "y">(x, s)
}
"""

# Evaluated at another point than forward, with another batch.
ELSEWHERE = """
elsewhere (float[4,6] x, float[3,6] x1, float[6,5] w1) => (float[4,5] y, float[3,6] dx, float[6,5] dw)
<float[6,5] w> {
  h = MatMul(x, w)
  y = Tanh(h)
  dx, dw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], y = "y">(x1, w1)
}
"""

# Targets that run float64 do so in arithmetic and reductions.
FLOAT64 = """
plain (float[4,6] x, float[6] c) => (float[4] y, float[4,6] dx, float[6] dw)
<float[6] w> {
  h = Mul(x, w)
  t = Sigmoid(h)
  a = Add(t, c)
  e = Exp(a)
  y = ReduceSum<keepdims = 0>(e, axes)
  dx, dw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], zs = ["c"], y = "y">(x, w, c)
}
""".replace("<float[6] w>", "<int64[1] axes = {1}, float[6] w>")

FLOAT16 = ELSEWHERE.replace("elsewhere", "half").replace("float", "float16")

# h cuts y off from x: dy/dh, at h and at another point.
MIDDLE = """
middle (float[4,6] x, float[4,6] h1) => (float y, float[4,6] dh, float[4,6] dh1)
<float[6,6] w, float[6,1] v> {
  p = MatMul(x, w)
  h = Sigmoid(p)
  q = Mul(h, h)
  r = MatMul(q, v)
  y = ReduceSum<keepdims = 0>(r)
  dh = ai.onnx.preview.training.Gradient<xs = ["h"], y = "y">(h)
  dh1 = ai.onnx.preview.training.Gradient<xs = ["h"], zs = ["v"], y = "y">(h1, v)
}
"""

# The gradient of the sum of dy/dx: second order through products and tanh.
SECOND = """
second (float[4,6] x) => (float[4,1] y, float[4,6] dx, float[4,6] ddx, float[6,5] ddw)
<float[6,5] w, float[5,1] v> {
  h = MatMul(x, w)
  t = Tanh(h)
  y = MatMul(t, v)
  dx = ai.onnx.preview.training.Gradient<xs = ["x"], y = "y">(x)
  ddx, ddw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], y = "dx">(x, w)
}
"""

# Twenty steps of descent, each with a gradient node of its own.
DESCENT = """
descent (float[6] x0, float[8,6] a, float[8] b) => (float[6] x)
<int64 n = {20}, bool go = {1}, float rate = {0.02}> {
  x = Loop (n, go, x0) <
    body = step (int64 i, bool g, float[6] z) => (bool g1, float[6] z1) {
      p = MatMul(a, z)
      e = Sub(p, b)
      s = Mul(e, e)
      f = ReduceSum<keepdims = 0>(s)
      d = ai.onnx.preview.training.Gradient<xs = ["z"], zs = ["a", "b"], y = "f">(z, a, b)
      k = Mul(d, rate)
      z1 = Sub(z, k)
      g1 = Identity(g)
    }
  >
}
"""

# Both branches are computed, and each has its own derivative.
BRANCH = """
branch (float[4,6] x) => (float[4,5] y, float[4,6] dx, float[6,5] dw)
<float[6,5] w, float zero = {0}> {
  h = MatMul(x, w)
  s = ReduceSum<keepdims = 0>(h)
  p = Greater(s, zero)
  y = If (p) <
    then_branch = yes () => (float[4,5] a) { a = Tanh(h) },
    else_branch = no () => (float[4,5] b) { b = Mul(h, h) }
  >
  dx, dw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], y = "y">(x, w)
}
"""

# A loop in what is differentiated.
RECURRENT = """
recurrent (float[4,6] x) => (float[4,6] y, float[4,6] dx, float[6,6] dw)
<float[6,6] w, int64 n = {3}, bool go = {1}> {
  y = Loop (n, go, x) <
    body = b (int64 i, bool c, float[4,6] v) => (bool c1, float[4,6] u) {
      m = MatMul(v, w)
      u = Tanh(m)
      c1 = Identity(c)
    }
  >
  dx, dw = ai.onnx.preview.training.Gradient<xs = ["x", "w"], y = "y">(x, w)
}
"""

# Running statistics and no dropout: what predict computes is differentiated.
INFERENCE = """
inference (float[4,6] x) => (float[4,6] y, float[4,6] dx, float[6] ds)
<float[6] s, float[6] b, float[6] running_mean, float[6] running_var,
 float ratio = {0.5}, bool training = {1}> {
  n = BatchNormalization(x, s, b, running_mean, running_var)
  d = Dropout(n, ratio, training)
  y = Exp(d)
  dx, ds = ai.onnx.preview.training.Gradient<xs = ["x", "s"], zs = ["b"], y = "y">(x, s, b)
}
"""

# A gradient penalty, as critics have one.
PENALTY = """
penalty (float[8,6] x) => (float loss)
<float[6,16] w, float[16,1] v> {
  h = MatMul(x, w)
  t = Tanh(h)
  y = MatMul(t, v)
  dx = ai.onnx.preview.training.Gradient<xs = ["x"], y = "y">(x)
  s = Mul(dx, dx)
  p = ReduceSum<keepdims = 0>(s)
  q = Mul(y, y)
  m = ReduceSum<keepdims = 0>(q)
  loss = Add(m, p)
}
"""


def float64_model(path, outputs):
    """The model without gradient nodes, in float64."""
    model = onnx.load(path)
    graph = model.graph
    keep = [node for node in graph.node if node.domain != DOMAIN]
    del graph.node[:]
    graph.node.extend(keep)
    del graph.output[:]
    double = onnx.TensorProto.DOUBLE
    for name in outputs:
        graph.output.append(onnx.helper.make_tensor_value_info(name, double, None))
    for tensor in graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            array = onnx.numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))
    for info in graph.input:
        if info.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            info.type.tensor_type.elem_type = double
    for node in graph.node:
        if node.op_type == "Dropout":
            del node.input[2:]
    return ReferenceEvaluator(model)


def differences(function, values, name, step=1e-5):
    """Gradient of the sum of the function's result, exact to about 1e-9."""
    value = values[name]
    gradient = np.zeros_like(value)
    for at in np.ndindex(value.shape):
        ends = []
        for sign in (1, -1):
            moved = value.copy()
            moved[at] += sign * step
            ends.append(np.sum(function(dict(values, **{name: moved}))))
        gradient[at] = (ends[0] - ends[1]) / (2 * step)
    return gradient


class Model:
    """A model, its weights and its data."""

    def __init__(self, h, text, seed, double=False):
        self.h = h
        self.name = text.split("(")[0].strip()
        if double:
            self.name += "64"
            text = text.replace("float", "double")
        self.path = h.path(self.name + ".onnx")
        self.weights = harness.model_from_text(self.path, HEAD + text, seed)
        random = np.random.default_rng(seed + 100)
        self.inputs = {}
        for info in onnx.load(self.path).graph.input:
            kind = info.type.tensor_type
            shape = [d.dim_value for d in kind.shape.dim]
            dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
            self.inputs[info.name] = random.standard_normal(shape).astype(dtype)
        np.savez(h.path(self.name + ".npz"), **self.inputs)
        self.values = {name: value.astype(np.float64) for name, value in
                       (self.weights | self.inputs).items()
                       if value.dtype in (np.float16, np.float32, np.float64)}

    def run(self, *options):
        out = self.h.path(self.name + "-out.npz")
        self.h.must(self.h.program("amp-run"), self.path, "--inputs",
                    self.h.path(self.name + ".npz"), "-o", out, *options)
        return dict(np.load(out))

    def forward(self, output):
        """The model's value `output` as a function of inputs and weights."""
        model = float64_model(self.path, [output])
        names = [info.name for info in model.proto_.graph.input]

        def evaluate(values):
            for tensor in model.proto_.graph.initializer:
                if tensor.name in values:
                    model.rt_inits_[tensor.name] = values[tensor.name]
            return model.run(None, {name: values[name] for name in names})[0]

        return evaluate

    def check(self, wanted, precisions=("fp32", "fp16", "bf16"), low=(),
              bounds=None):
        """`low` are nodes whose products are lowered, small as they are."""
        for precision in precisions:
            force = [word for node in low for word in ("--force-low", node)]
            out = self.run("--precision", precision,
                           *(force if precision != "fp32" else []))
            for name, exact in wanted.items():
                got = out[name].astype(np.float64)
                far = np.abs(got - exact).max() / np.abs(exact).max()
                bound = (bounds or BOUNDS)[precision]
                self.h.check(f"{self.name}, {precision}: {name} is that of "
                             "central differences", far < bound,
                             f"{far:.1e}, allowed {bound:g}")


def first_order(h):
    for text, names, low in ((SOFTMAX, ("x", "w"), ("h", "dx")),
                             (CONV, ("w", "b"), ()), (NORM, ("x", "s"), ()),
                             (INFERENCE, ("x", "s"), ("y",))):
        m = Model(h, text, seed=1)
        f = m.forward("y")
        m.check({"d" + name: differences(f, m.values, name) for name in names},
                low=low)
    for text, seed in ((BRANCH, 1), (BRANCH, 2), (RECURRENT, 1)):
        m = Model(h, text, seed)
        f = m.forward("y")
        m.check({"d" + name: differences(f, m.values, name)
                 for name in ("x", "w")}, low=("dx",))
    m = Model(h, ELSEWHERE, seed=2)
    f = m.forward("y")
    there = dict(m.values, x=m.values["x1"], w=m.values["w1"])
    m.check({"dx": differences(f, there, "x"), "dw": differences(f, there, "w")},
            low=("h", "dx"))
    m = Model(h, MIDDLE, seed=3)

    def tail(values):
        return values["h"] ** 2 @ values["v"]

    here = 1 / (1 + np.exp(-m.values["x"] @ m.values["w"]))
    m.check({"dh": differences(tail, dict(m.values, h=here), "h"),
             "dh1": differences(tail, dict(m.values, h=m.values["h1"]), "h")})


def float64(h):
    m = Model(h, FLOAT64, seed=1, double=True)
    f = m.forward("y")
    m.check({"d" + name: differences(f, m.values, name) for name in ("x", "w")},
            ("fp32",), bounds={"fp32": 1e-8})


def float16(h):
    """A model of float16, its weights as well: rounded to that in the end."""
    m = Model(h, FLOAT16, seed=3)

    def f(values):
        return np.tanh(values["x"] @ values["w"])

    there = dict(x=m.values["x1"], w=m.values["w1"])
    m.check({"d" + name: differences(f, there, name) for name in ("x", "w")},
            bounds={"fp32": 2e-3, "fp16": 4e-3, "bf16": 3e-2})


def higher_order(h):
    m = Model(h, SECOND, seed=4)

    def slope(values):
        t = np.tanh(values["x"] @ values["w"])
        return (1 - t * t) * values["v"].T @ values["w"].T

    m.check({"dx": slope(m.values), "ddx": differences(slope, m.values, "x"),
             "ddw": differences(slope, m.values, "w")}, low=("h", "dx", "ddx"))
    m = Model(h, DESCENT, seed=5)
    x, a, b = (m.values[name] for name in ("x0", "a", "b"))
    for _ in range(20):
        x = x - np.float64(np.float32(0.02)) * 2 * a.T @ (a @ x - b)
    m.check({"x": x}, bounds={"fp32": 1e-5, "fp16": 2e-2, "bf16": 1e-1})


def tanh(x):
    y = np.tanh(x)
    return y, 1 - y * y


def relu(x):
    return np.maximum(x, 0), (x > 0).astype(np.float64)


def training(h):
    for text, bend, bounds in (
        (PENALTY, tanh, (("fp32", 1e-5), ("bf16", 5e-2))),
        (PENALTY.replace("Tanh", "Relu"), relu, (("fp32", 1e-5),)),
    ):
        m = Model(h, text, seed=6)

        def loss(values):
            t, bent = bend(values["x"] @ values["w"])
            slope = bent * values["v"].T @ values["w"].T
            return np.sum((t @ values["v"]) ** 2) + np.sum(slope ** 2)

        for precision, bound in bounds:
            out = m.run("--loss", "graph_output", "--gradients", "--precision",
                        precision)
            what = f"penalty, {bend.__name__}, {precision}"
            far = abs(out["loss"] / loss(m.values) - 1)
            h.check(f"{what}: the loss", far < bound, f"{far:.1e}")
            for name in ("w", "v"):
                exact = differences(loss, m.values, name)
                far = np.abs(out["grad/" + name] - exact).max()
                far /= np.abs(exact).max()
                h.check(f"{what}: gradient of {name} through a gradient",
                        far < bound, f"{far:.1e}")


def main():
    h = harness.Harness(__doc__)
    first_order(h)
    float64(h)
    float16(h)
    higher_order(h)
    training(h)
    sys.exit(h.finish())


if __name__ == "__main__":
    main()
