#!/usr/bin/env python3
"""Every policy trains, in both low types: ten steps of a convolution, a batch
norm and an attention-like product under each preset and assignment stay within
2 % of the float32 losses (seeds 1 and 5), and policies that differ in what they
lower differ in their bits. Kernels round at every op, since what stays in a
register has no type that a policy could choose.
"""

import json
import sys

import numpy as np

import harness
from harness import Harness, last_line

MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[batch, 16, 8, 8] x) => (float[batch, 5] logits)
<float[16,16,3,3] w, float[16] scale, float[16] bias,
 float[16] bn_running_mean, float[16] bn_running_var,
 float[16,16] q, float[16,5] fc, float[5] fc_bias,
 int64[3] rows = {0, 16, 64}, float root = {0.125}> {
  [conv] c = Conv <pads: ints = [1, 1, 1, 1]> (x, w)
  [norm] n = BatchNormalization (c, scale, bias, bn_running_mean,
                                 bn_running_var)
  [act] a = Relu (n)
  [flat] f = Reshape (a, rows)
  [turn] t = Transpose <perm: ints = [0, 2, 1]> (f)
  [scores] s = MatMul (f, t)
  [scale] d = Mul (s, root)
  [probs] p = Softmax <axis: int = -1> (d)
  [mix] m = MatMul (p, f)
  [pool] g1 = ReduceMean <axes: ints = [2], keepdims: int = 0> (m)
  [query] h = MatMul (g1, q)
  [exp] e = Exp (h)
  [log] l = Log (e)
  [head] logits = Gemm (l, fc, fc_bias)
}
"""
PRESETS = ("default pytorch-cuda pytorch-cpu tensorflow keras-mixed_float16 "
           "keras-mixed_bfloat16 mxnet ort autocast O0 O1 O2 O3").split()
ONLY = {"keras-mixed_float16": "fp16", "keras-mixed_bfloat16": "bf16"}


def losses(t, model, data, name, *flags):
    exe, log = t.path("train_" + name), t.path(name + ".jsonl")
    code, text = t.run(
        t.program("amp-compile"), model, "--batch", 8, "--loss",
        "softmax_cross_entropy", "--optimizer", "sgd,lr=0.05", *flags, "-o",
        exe)
    if code:
        return None, f"exit {code}: {last_line(text)}"
    code, text = t.run(*t.trainer(exe), "--data", data, "--steps", 10,
                       "--no-shuffle", "--metrics", log)
    if code:
        return None, f"exit {code}: {last_line(text)}"
    with open(log, encoding="utf-8") as file:
        return np.array([json.loads(line)["loss"] for line in file]), ""


def main():
    t = Harness(__doc__)
    model, data = t.path("model.onnx"), t.path("data.npz")
    harness.model_from_text(model, MODEL)
    random = np.random.default_rng(5)
    np.savez(data,
             x=random.standard_normal((80, 16, 8, 8)).astype(np.float32),
             target=random.integers(0, 5, 80))
    wide, error = losses(t, model, data, "fp32", "--precision", "fp32",
                         "--strict-rounding")
    if wide is None:
        t.check("float32 trains", False, error)
        return t.finish()
    seen = {}
    runs = [(preset, []) for preset in PRESETS]
    runs += [("default", ["--assign", name])
             for name in ("greedy", "paint", "promote", "all-low")]
    runs += [("ort", ["--range-evidence", "on"]),
             ("pytorch-cuda", ["--assign", "mincut"])]
    for preset, more in runs:
        for precision in ("bf16", "fp16"):
            if ONLY.get(preset, precision) != precision:
                continue
            name = " ".join([preset, *more, precision])
            got, error = losses(t, model, data, name.replace(" ", "_"),
                                "--precision", precision, "--policy", preset,
                                "--loss-scaler", "none", "--strict-rounding",
                                *more)
            if got is None:
                t.check(name, False, error)
                continue
            gap = np.max(np.abs(got - wide) / wide)
            t.check(name, gap < 0.02, f"largest gap {gap:.2%}")
            seen[name] = got
    for one, other in (("O0 bf16", "O1 bf16"), ("O2 bf16", "O3 bf16"),
                       ("pytorch-cuda bf16", "pytorch-cpu bf16"),
                       ("tensorflow bf16", "ort bf16")):
        if one in seen and other in seen:
            t.check(f"{one} is not {other}",
                    np.any(seen[one] != seen[other]))
    if "O0 bf16" in seen:
        t.check("O0 has the bits of float32", np.all(seen["O0 bf16"] == wide))
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
