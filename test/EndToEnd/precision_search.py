#!/usr/bin/env python3
"""amp-bisect finds the nodes that were planted to be spoiled by float16, in the
number of runs that it promises, and what it writes compiles as is.

    precision_search.py --bin FOLDER [--json FILE]
"""

import json
import math
import sys

import harness
import numpy as np

# Each planted node alone ruins float16; what follows takes it back.
#   scaled     beyond the largest number, then scaled down
#   summed     a sum beyond the largest number
#   exp        e^x beyond the largest number, then its logarithm
#   cancelled  a large offset, then taken away: the bits in between are lost
PERCEPTRON = """
<ir_version: 8, opset_import: ["" : 17]>
one (float[batch, 16] x) => (float[batch, 5] logits)
<float[24,16] w1, float[24] b1, float[24,24] w2, float[24] b2,
 float[5,24] w3, float[5] b3, float up = {1e6}, float down = {1e-6}> {
  [fc1] h1 = Gemm<transB=1>(x, w1, b1)
  [relu1] r1 = Relu(h1)
  [fc2] h2 = Gemm<transB=1>(r1, w2, b2)
  [PLANTED_scaled] big = Mul(h2, up)
  [back] small = Mul(big, down)
  [tanh] t = Tanh(small)
  [neg] n = Neg(t)
  [sigmoid] s = Sigmoid(n)
  [fc3] logits = Gemm<transB=1>(s, w3, b3)
}
"""

CONVOLUTION = """
<ir_version: 8, opset_import: ["" : 17]>
two (float[batch, 1, 8, 8] x) => (float[batch, 5] logits)
<float[8,1,3,3] k1, float[8,8,3,3] k2, float[5,128] w, float[5] b,
 float c400 = {400}, float c1em5 = {1e-5}, float three = {3}, float ten = {10},
 int64[1] axes = {1}> {
  [conv1] h1 = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(x, k1)
  [relu1] r1 = Relu(h1)
  [pool1] p1 = MaxPool<kernel_shape=[2,2], strides=[2,2]>(r1)
  [conv2] h2 = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(p1, k2)
  [tanh2] t2 = Tanh(h2)
  [flat] f = Flatten(t2)
  [square] q = Mul(f, f)
  [weight] v = Mul(q, c400)
  [lift] u = Add(v, c400)
  [PLANTED_summed] sum = ReduceSum<keepdims=1>(u, axes)
  [down] d = Mul(sum, c1em5)
  [mix] m = Mul(f, d)
  [widen] e0 = Mul(m, three)
  [shift] e1 = Add(e0, ten)
  [PLANTED_exp] e = Exp(e1)
  [log] l = Log(e)
  [unshift] z = Sub(l, ten)
  [fc] logits = Gemm<transB=1>(z, w, b)
}
"""


def five():
    """36 nodes, five of them planted, of two kinds."""
    planted = {4: "scaled", 10: "cancelled", 17: "scaled", 24: "cancelled",
               31: "scaled"}
    lines, names = ["[in] g0 = MatMul(x, w0)"], []
    takes_back = {}
    for i in range(1, 35):
        kind, done = planted.get(i), takes_back.get(i)
        if kind:
            name = f"PLANTED_{kind}_{i}"
            names.append(name)
            takes_back[i + 1] = kind
            op = "Mul(g%d, up)" if kind == "scaled" else "Add(g%d, far)"
        elif done:
            name = f"back_{i}"
            op = "Mul(g%d, down)" if done == "scaled" else "Sub(g%d, far)"
        else:
            name = f"n{i}"
            op = ("Tanh(g%d)", "Neg(g%d)", "Abs(g%d)")[i % 3]
        lines.append(f"[{name}] g{i} = " + op % (i - 1))
    lines.append("[out] logits = MatMul(g34, w1)")
    return """
<ir_version: 8, opset_import: ["" : 17]>
five (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,16] w0, float[16,5] w1, float up = {1e6}, float down = {1e-6},
 float far = {4000}> {
  %s
}
""" % "\n  ".join(lines)


def chain(length, bad):
    """A chain in which the nodes of these numbers have to be kept."""
    lines = ["[first] g0 = MatMul(x, w0)"]
    for i in range(1, length + 1):
        op = "Tanh" if i % 2 else "Neg"
        if i in bad:
            lines.append(f"[n{i}] g{i} = Mul(g{i - 1}, up)")
        elif i - 1 in bad:
            lines.append(f"[n{i}] g{i} = Mul(g{i - 1}, down)")
        else:
            lines.append(f"[n{i}] g{i} = {op}(g{i - 1})")
    lines.append(f"[last] logits = MatMul(g{length}, w1)")
    return """
<ir_version: 8, opset_import: ["" : 17]>
chain (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,16] w0, float[16,5] w1, float up = {1e6}, float down = {1e-6}> {
  %s
}
""" % "\n  ".join(lines)


TRAINING = ["--batch", 32, "--loss", "softmax_cross_entropy", "--optimizer",
            "sgd,lr=0.005"]
STEPS, TOLERANCE = 12, 0.0025


def data(path, shape, rows=320, seed=2):
    random = np.random.default_rng(seed)
    target = random.integers(0, 5, rows)
    centres = random.standard_normal((5, *shape))
    x = 0.3 * centres[target] + 0.5 * random.standard_normal((rows, *shape))
    np.savez(path, x=x.astype(np.float32), target=target.astype(np.int64))


def search(h, name, *options, expect=0):
    """Runs amp-bisect; what it says as JSON, and everything it printed."""
    code, text = h.run(h.program("amp-bisect"), h.path(name + ".onnx"),
                       *TRAINING, "--data", h.path(name + ".npz"), "--steps",
                       STEPS, "-o", h.path(name + ".yaml"), "--json",
                       h.path(name + ".json"), *options, limit=300)
    if code != expect:
        h.check(f"{name}: exit code {expect}", False,
                f"{code}: {harness.last_line(text)}")
        sys.exit(h.finish())
    with open(h.path(name + ".json"), encoding="utf-8") as file:
        return json.load(file), text


def names_of(result):
    return [node["name"] for node in result["fp32"]]


def losses(h, name, *options):
    trainer, log = h.path("train"), h.path("log.jsonl")
    h.must(h.program("amp-compile"), h.path(name + ".onnx"), *TRAINING,
           *options, "-q", "-o", trainer)
    h.must(trainer, "--data", h.path(name + ".npz"), "--steps", STEPS,
           "--metrics", log, "-q")
    return np.array([float(line["loss"]) for line in harness.metrics(log)])


def check_planted(h, name, text, shape=(16,)):
    harness.model_from_text(h.path(name + ".onnx"), text)
    data(h.path(name + ".npz"), shape)
    planted = [word.strip("[]") for word in text.split()
               if word.startswith("[PLANTED")]
    result, log = search(h, name, "--precision", "fp16", "--tolerance", "0.25%")
    bound = 4 * len(planted) * math.log2(result["nodes"])
    h.check(f"{name}: the planted nodes are found", names_of(result) == planted,
            f"{names_of(result)} of {result['nodes']}")
    h.check(f"{name}: in at most 4 k log2 n runs", result["runs"] <= bound,
            f"{result['runs']} of {bound:.0f}")
    h.check(f"{name}: the set is minimal, and passes",
            result["minimal"] and result["passes"]
            and result["gap"] <= TOLERANCE < float(result["gap_before"]),
            f"{float(result['gap_before']):.1e} to {result['gap']:.1e}")
    wide = losses(h, name, "--precision", "fp32")
    kept = losses(h, name, "--precision", "fp16", "--precision-config",
                  h.path(name + ".yaml"))
    half = STEPS // 2
    gap = np.mean(np.abs(kept[half:] / wide[half:] - 1))
    h.check(f"{name}: the config alone passes", gap <= TOLERANCE, f"{gap:.1e}")
    return log


def check_chains(h):
    for length, bad, name in ((30, (7, 23), "KF-84"), (60, (41,), "KF-76")):
        file = f"chain{length}"
        harness.model_from_text(h.path(file + ".onnx"), chain(length, bad))
        data(h.path(file + ".npz"), (16,))
        result, log = search(h, file, "--precision", "fp16")
        h.check(f"{name}: nodes {bad} of {length} by name",
                names_of(result) == [f"n{i}" for i in bad], names_of(result))
        bound = 2 * len(bad) * math.log2(length)
        bound = 12 if len(bad) == 1 else math.floor(bound)
        h.check(f"{name}: at most {bound} runs", result["runs"] <= bound,
                result["runs"])
        wide = losses(h, file, "--precision", "fp32")
        kept = losses(h, file, "--precision", "fp16", "--precision-config",
                      h.path(file + ".yaml"))
        gap = np.mean(np.abs(kept[STEPS // 2:] / wide[STEPS // 2:] - 1))
        h.check(f"{name}: the config alone passes", gap <= TOLERANCE,
                f"{gap:.1e}")
        lines = log.splitlines()
        h.check(f"{name}: a short log with the time that is left",
                len(lines) <= length and any("more for this node" in line
                                             for line in lines), len(lines))


def check_metrics(h):
    """Gradients of one evaluation, outputs without loss, and bf16."""
    planted = ["PLANTED_scaled"]
    result, _ = search(h, "one", "--metric", "gradient", "--tolerance", "2%")
    h.check("gradients tell the same", names_of(result) == planted,
            names_of(result))
    code, text = h.run(h.program("amp-bisect"), h.path("one.onnx"), "--batch",
                       32, "--metric", "output", "--tolerance", "0.02",
                       "--data", h.path("one.npz"), "--steps", 3, "-q")
    h.check("outputs need no loss; the config is printed",
            code == 0 and '- {match: "PLANTED_scaled", precision: fp32}' in text,
            harness.last_line(text))
    result, _ = search(h, "one", "--precision", "bf16", "--tolerance", "1%")
    h.check("bf16 has the range", names_of(result) == [], names_of(result))


def check_ends(h):
    result, text = search(h, "one", "--start", "policy")
    h.check("the default policy needs no help", names_of(result) == [],
            harness.last_line(text))
    # At 2^36 every gradient overflows, whatever is kept.
    result, _ = search(h, "one", "--loss-scaler", "pytorch,init_scale=2^36")
    h.check("a loss scale settles before it counts",
            names_of(result) == ["PLANTED_scaled"], names_of(result))
    for options, wanted in (
            (["--data", h.path("one.yaml"), "-o", h.path("k.yaml")], 3),
            (["--data", h.path("one.npz"), "-o", h.path("none/k.yaml")], 6)):
        code, text = h.run(h.program("amp-bisect"), h.path("one.onnx"),
                           *TRAINING, *options)
        h.check(f"exit code {wanted} before any run",
                code == wanted and "run " not in text, harness.last_line(text))
    # No node helps a parameter that has no float32 value.
    result, text = search(h, "one", "--master-weights", "none", "--tolerance",
                          "1e-7", expect=7)
    h.check("no set passes: exit code 7", "no set of nodes" in text
            and not result["passes"], harness.last_line(text))
    result, text = search(h, "five", "--max-runs", 9)
    h.check("--max-runs bounds the search", result["runs"] <= 9
            and not result["minimal"] and len(names_of(result)) > 5,
            f"{result['runs']} runs, {len(names_of(result))} nodes")
    result, text = search(h, "five", "--keep-fp32", "PLANTED_scaled_*")
    h.check("what the user keeps is not searched",
            names_of(result) == ["PLANTED_cancelled_10",
                                 "PLANTED_cancelled_24"], names_of(result))


def main():
    h = harness.Harness(__doc__)
    check_planted(h, "one", PERCEPTRON)
    check_planted(h, "two", CONVOLUTION, (1, 8, 8))
    check_planted(h, "five", five())
    check_chains(h)
    check_metrics(h)
    check_ends(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
