#!/usr/bin/env python3
"""Loops, scans and branches: an RNN cell in a Loop, a gated cell in a Scan and an
If on data give the outputs of ONNX Runtime, the gradients of central
differences in float64, and curves of float64 training in every precision.
A branch that is not taken gives no gradient, however singular it is there.

    control_flow.py --bin FOLDER [--json FILE]
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

import harness

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
SCALER = ("--loss-scaler", "static,scale=1024")
BATCH, TIME, IN, HIDDEN, OUT = 4, 6, 5, 8, 3

# Inputs step by step by the number of the iteration; the states of all steps
# are a scan output.
RNN = HEAD + """
rnn (float[batch, 6, 5] x) => (float[batch, 3] y)
<float[5,8] wx, float[8,8] wh, float[8] b, float[8,3] v, float[3] c,
 int64 steps = {6}, bool go = {1}, float[1,8] h0 = {0,0,0,0,0,0,0,0}> {
  shape = Shape<start = 0, end = 1>(x)
  width = Constant<value_ints = [8]>()
  full = Concat<axis = 0>(shape, width)
  start = Expand(h0, full)
  last, all = Loop (steps, go, start) <
    body = step (int64 i, bool g, float[batch, 8] h)
        => (bool g1, float[batch, 8] h1, float[batch, 8] s) {
      xi = Gather<axis = 1>(x, i)
      a = MatMul(xi, wx)
      r = MatMul(h, wh)
      t = Add(a, r)
      u = Add(t, b)
      h1 = Tanh(u)
      s = Identity(h1)
      g1 = Identity(g)
    }
  >
  mean = ReduceMean<axes = [0], keepdims = 0>(all)
  m = Add(mean, last)
  o = MatMul(m, v)
  y = Add(o, c)
}
"""

# The recurrent weights are initializers of the body, shared by all steps.
GATED = HEAD + """
gated (float[batch, 6, 5] x) => (float[batch, 3] y)
<float[5,8] wz, float[5,8] wc, float[8,3] v,
 float[1,8] h0 = {0,0,0,0,0,0,0,0}> {
  shape = Shape<start = 0, end = 1>(x)
  width = Constant<value_ints = [8]>()
  full = Concat<axis = 0>(shape, width)
  start = Expand(h0, full)
  last, all = Scan <num_scan_inputs = 1, scan_input_axes = [1],
                    scan_output_axes = [1], scan_input_directions = [1],
    body = step (float[batch, 8] h, float[batch, 5] xi)
        => (float[batch, 8] h1, float[batch, 8] s)
        <float[8,8] uz, float[8,8] uc> {
      az = MatMul(xi, wz)
      rz = MatMul(h, uz)
      tz = Add(az, rz)
      z = Sigmoid(tz)
      ac = MatMul(xi, wc)
      gated = Mul(z, h)
      rc = MatMul(gated, uc)
      tc = Add(ac, rc)
      n = Tanh(tc)
      d = Sub(n, h)
      e = Mul(z, d)
      h1 = Add(h, e)
      s = Identity(h1)
    }
  >(start, x)
  sum = ReduceSum<keepdims = 0>(all, axis)
  m = Add(sum, last)
  y = MatMul(m, v)
}
""".replace("h0 = {", "h0 = {").replace("<float[5,8] wz", "<int64[1] axis = {1}, float[5,8] wz")

BRANCH = HEAD + """
branch (float[batch, 5] x) => (float[batch, 3] y)
<float[5,8] w, float[8,3] a, float[8,3] b, float zero = {0}> {
  h = MatMul(x, w)
  mean = ReduceMean<keepdims = 0>(x)
  positive = Greater(mean, zero)
  y = If (positive) <
    then_branch = yes () => (float[batch, 3] t) {
      squares = Mul(h, h)
      root = Sqrt(squares)
      t = MatMul(root, a)
    },
    else_branch = no () => (float[batch, 3] e) {
      bent = Tanh(h)
      e = MatMul(bent, b)
    }
  >
}
"""

# At zeros the branch that is not taken has an infinite derivative, inside of
# which a weight stands, too.
SINGULAR = HEAD + """
singular (float[batch, 5] x) => (float[batch, 3] y)
<float[5] w, float[5,3] v, float zero = {0}> {
  h = Mul(x, w)
  mean = ReduceMean<keepdims = 0>(x)
  positive = Greater(mean, zero)
  y = If (positive) <
    then_branch = yes () => (float[batch, 3] t) {
      l = Log(h)
      t = MatMul(l, v)
    },
    else_branch = no () => (float[batch, 3] e) { e = MatMul(h, v) }
  >
}
"""


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def rnn(p, x):
    h, states = np.zeros((len(x), HIDDEN)), []
    for i in range(TIME):
        h = np.tanh(x[:, i] @ p["wx"] + h @ p["wh"] + p["b"])
        states.append(h)
    return (np.mean(states, 0) + h) @ p["v"] + p["c"]


def gated(p, x):
    h, total = np.zeros((len(x), HIDDEN)), 0
    for i in reversed(range(TIME)):
        z = sigmoid(x[:, i] @ p["wz"] + h @ p["uz"])
        n = np.tanh(x[:, i] @ p["wc"] + (z * h) @ p["uc"])
        h = h + z * (n - h)
        total = total + h
    return (total + h) @ p["v"]


def branch(p, x):
    h = x @ p["w"]
    return np.abs(h) @ p["a"] if x.mean() > 0 else np.tanh(h) @ p["b"]


def singular(p, x):
    h = x * p["w"]
    return (np.log(h) if x.mean() > 0 else h) @ p["v"]


def loss(forward, p, x, target):
    return np.mean((forward(p, x) - target) ** 2)


def differences(forward, p, x, target, step=1e-5):
    """Gradients by central differences; exact to about 1e-9 here."""
    gradients = {}
    for name, value in p.items():
        gradients[name] = np.zeros_like(value)
        for at in np.ndindex(value.shape):
            moved = dict(p, **{name: value.copy()})
            ends = []
            for sign in (1, -1):
                moved[name][at] = value[at] + sign * step
                ends.append(loss(forward, moved, x, target))
            gradients[name][at] = (ends[0] - ends[1]) / (2 * step)
    return gradients


def nested_weights(model, seed):
    """Gives the values that a body declares and no node makes numbers."""
    random = np.random.default_rng(seed)
    for node in model.graph.node:
        for attribute in node.attribute:
            if not attribute.HasField("g"):
                continue
            graph = attribute.g
            made = {name for inner in graph.node for name in inner.output}
            for value in [v for v in graph.value_info if v.name not in made]:
                shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
                array = random.standard_normal(shape).astype(np.float32) * 0.3
                graph.initializer.append(
                    numpy_helper.from_array(array, value.name))
                graph.value_info.remove(value)


def weights_of(path):
    """Float initializers of a file, those inside of nodes included."""
    found, graphs = {}, [onnx.load(path).graph]
    while graphs:
        graph = graphs.pop()
        for tensor in graph.initializer:
            array = numpy_helper.to_array(tensor)
            if array.dtype == np.float32 and array.ndim:
                found[tensor.name] = array.astype(np.float64)
        graphs += [a.g for node in graph.node for a in node.attribute
                   if a.HasField("g")]
    return {name: w for name, w in found.items() if name != "h0"}


class Case:
    """A network, its float64 twin and data."""

    def __init__(self, h, name, text, forward, rate, mean=0.3):
        self.h, self.name, self.forward, self.rate = h, name, forward, rate
        self.path = h.path(name + ".onnx")
        model = onnx.parser.parse_model(text)
        nested_weights(model, seed=3)
        # The text of a model cannot be given numbers twice.
        harness.model_from_text(self.path, onnx.printer.to_text(model), seed=4)
        random = np.random.default_rng(5)
        shape = [d.dim_value
                 for d in model.graph.input[0].type.tensor_type.shape.dim][1:]
        self.x = (random.standard_normal((16 * BATCH, *shape)) * 0.7 +
                  mean * np.resize([1, -1], 16).repeat(BATCH).reshape(
                      -1, *[1] * len(shape))).astype(np.float32)
        self.target = random.standard_normal(
            (16 * BATCH, OUT)).astype(np.float32)
        np.savez(h.path(name + ".npz"), x=self.x, target=self.target)
        self.p = weights_of(self.path)

    def rows(self, step):
        at = slice(step % 16 * BATCH, step % 16 * BATCH + BATCH)
        return self.x[at].astype(np.float64), self.target[at].astype(np.float64)

    def outputs(self, *options):
        session = onnxruntime.InferenceSession(
            self.path, providers=["CPUExecutionProvider"])
        for step in (0, 1):
            x = self.rows(step)[0].astype(np.float32)
            wanted = session.run(["y"], {"x": x})[0]
            np.savez(self.h.path("in.npz"), x=x)
            self.h.must(self.h.program("amp-run"), self.path, "--batch", BATCH,
                        "--inputs", self.h.path("in.npz"), "-o",
                        self.h.path("out.npz"), *options)
            got = np.load(self.h.path("out.npz"))["y"]
            far = np.abs(got - wanted).max() / np.abs(wanted).max()
            self.h.check(f"{self.name}{' '.join(options)}: outputs of data "
                         f"{step} are ONNX Runtime's", far < 2e-6, f"{far:.1e}")

    def gradients(self, precision, bound, *options, step=0, bits=""):
        x, target = self.rows(step)
        np.savez(self.h.path("in.npz"), x=x.astype(np.float32),
                 target=target.astype(np.float32))
        self.h.must(self.h.program("amp-run"), self.path, "--batch", BATCH,
                    "--loss", "mse", "--gradients", "--precision", precision,
                    "--inputs", self.h.path("in.npz"), "-o",
                    self.h.path("out.npz"), *options,
                    *(SCALER if precision == "fp16" else []))
        out = np.load(self.h.path("out.npz"))
        got = {k[5:]: out[k] for k in out if k.startswith("grad/")}
        wanted = differences(self.forward, self.p, x, target)
        self.h.check(f"{self.name}: every weight has one gradient",
                     set(got) == set(wanted), sorted(got))
        far = max(np.linalg.norm(got[name] - exact) /
                  max(np.linalg.norm(exact), 1e-6 * np.linalg.norm(got[name]),
                      1e-30) for name, exact in wanted.items()
                  if np.linalg.norm(exact) > 0)
        none = [name for name, exact in wanted.items()
                if not np.linalg.norm(exact)]
        good = all(not got[name].any() for name in none)
        self.h.check(f"{self.name}: {precision}{' '.join(options)}, gradients "
                     f"of data {step}", good and far < bound,
                     f"largest relative distance {far:.1e}, bound {bound:g}")

    def exact_curve(self, steps):
        p, curve = dict(self.p), []
        for step in range(steps):
            x, target = self.rows(step)
            curve.append(loss(self.forward, p, x, target))
            for name, g in differences(self.forward, p, x, target).items():
                p[name] = p[name] - self.rate * g
        return np.array(curve), p

    def train(self, precision, bound, steps, exact, *options):
        trainer, log = self.h.path("trainer"), self.h.path("log.jsonl")
        trained = self.h.path("trained.onnx")
        self.h.must(self.h.program("amp-compile"), self.path, "--batch", BATCH,
                    "--loss", "mse", "--optimizer", f"sgd,lr={self.rate}",
                    "--precision", precision, "-o", trainer, *options,
                    *(SCALER if precision == "fp16" else []))
        self.h.must(trainer, "--data", self.h.path(self.name + ".npz"),
                    "--steps", steps, "--no-shuffle", "--metrics", log,
                    "--export", trained)
        lines = harness.metrics(log)
        curve = np.array([line["loss"] for line in lines])
        skipped = sum(line["found_inf"] for line in lines)
        far = np.abs(curve - exact[0]).max() / exact[0].max()
        self.h.check(f"{self.name}: {precision}{' '.join(options)}, {steps} "
                     "losses are those of float64", far < bound and not skipped,
                     f"largest distance {far:.1e} of the largest loss, bound "
                     f"{bound:g}, {skipped} skipped")
        self.h.check(f"{self.name}: it learns",
                     np.mean(exact[0][-16:]) < 0.9 * np.mean(exact[0][:16]),
                     f"{np.mean(exact[0][:16]):.3f} to "
                     f"{np.mean(exact[0][-16:]):.3f}")
        return trained

    def exported(self, trained, exact, bound):
        """The trained weights in the model as it was, loops intact."""
        before, after = onnx.load(self.path), onnx.load(trained)
        same = [n.op_type for n in before.graph.node] == [
            n.op_type for n in after.graph.node]
        got = weights_of(trained)
        far = max(np.abs(got[k] - exact[k]).max() for k in exact)
        moved = min(np.abs(exact[k] - self.p[k]).max() for k in exact)
        self.h.check(f"{self.name}: --export keeps the loop and writes every "
                     "weight", same and far < bound and moved > 10 * bound,
                     f"distance {far:.1e}, moved by {moved:.1e} or more")


def singular_branch(h):
    case = Case(h, "singular", SINGULAR, singular, 0.1, mean=0)
    x = np.zeros((BATCH, 5), np.float32)
    x[1] = [-1, 0, -2, 0, -0.5]
    case.x[:BATCH] = x
    for precision, bound in (("fp32", 1e-6), ("bf16", 2e-2), ("fp16", 2e-3)):
        case.gradients(precision, bound)


def main():
    h = harness.Harness(__doc__)
    avx2 = ("--cpu", "x86-64-v3")
    for name, text, forward, rate in (("rnn", RNN, rnn, 0.05),
                                      ("gated", GATED, gated, 0.02),
                                      ("branch", BRANCH, branch, 0.2)):
        case = Case(h, name, text, forward, rate)
        case.outputs()
        case.outputs(*avx2)
        for precision, bound in (("fp32", 1e-5), ("bf16", 5e-2),
                                 ("fp16", 5e-3)):
            for step in (0, 1):
                case.gradients(precision, bound, step=step)
            case.gradients(precision, bound, *avx2)
        steps = 96
        exact = case.exact_curve(steps)
        for precision, bound in (("fp32", 1e-5), ("bf16", 3e-2),
                                 ("fp16", 3e-3)):
            trained = case.train(precision, bound, steps, exact)
            if precision == "fp32":
                case.exported(trained, exact[1], 1e-4)
        case.train("bf16", 3e-2, steps, exact, *avx2)
    singular_branch(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
