#!/usr/bin/env python3
"""Gradients below float16's range: a network that cannot learn in float16
without loss scaling, and follows float32 to 0.25 % with it.

The output is multiplied by 1e-3 and the targets are as small. The mean squared
error of 32 x 4 outputs then has gradients near 1e-5, and behind the product
near 1e-8: below 2^-25 = 3e-8, what float16 rounds to zero. Adam does not mind
how small a gradient is, as long as it is not zero.

    underflow.py --bin FOLDER [--json FILE]
"""

import sys

import harness
import numpy as np

NETWORK = """
<ir_version: 8, opset_import: ["" : 17]>
small (float[batch, 16] x) => (float[batch, 4] y)
<float[32,16] fc1_weight, float[32] fc1_bias,
 float[4,32] fc2_weight, float[4] fc2_bias> {
  h = Gemm<transB=1>(x, fc1_weight, fc1_bias)
  t = Tanh(h)
  o = Gemm<transB=1>(t, fc2_weight, fc2_bias)
  c = Constant<value_float = 0.001>()
  y = Mul(o, c)
}
"""
STEPS = 120
LIMIT = 0.0025


def data(path, rows=320, seed=3):
    """Targets of 1e-3 that a network can learn in part: there is noise."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, 16))
    target = np.tanh(x @ random.standard_normal((16, 4)) / 4)
    target = 1e-3 * (target + 0.3 * random.standard_normal((rows, 4)))
    np.savez(path, x=x.astype(np.float32), target=target.astype(np.float32))


def losses(h, name, *options):
    trainer, log = h.path(name), h.path(name + ".jsonl")
    h.must(h.program("amp-compile"), h.path("model.onnx"), "--batch", 32,
           "--loss", "mse", "--optimizer", "adam,lr=0.003,eps=1e-15",
           *options, "-o", trainer)
    h.must(trainer, "--data", h.path("data.npz"), "--steps", STEPS,
           "--no-shuffle", "--last-batch", "wrap", "--metrics", log)
    return np.array([line["loss"] for line in harness.metrics(log)])


def gap(curve, reference):
    half = len(curve) // 2
    return np.mean(np.abs(curve[half:] / reference[half:] - 1))


def main():
    h = harness.Harness(__doc__)
    harness.model_from_text(h.path("model.onnx"), NETWORK)
    data(h.path("data.npz"))
    wide = losses(h, "fp32", "--precision", "fp32")
    h.check("float32 learns", wide[-1] < 0.7 * wide[0],
            f"{wide[0]:.3e} to {wide[-1]:.3e}")
    low = ("--precision", "fp16", "--loss-scaler")
    bare = losses(h, "bare", *low, "none")
    h.check("float16 without scaling does not", gap(bare, wide) > 0.2,
            f"{100 * gap(bare, wide):.1f} % from float32")
    for scaler in ("pytorch", "static,scale=65536"):
        scaled = losses(h, scaler.split(",")[0], *low, scaler)
        h.check(f"with {scaler} it follows float32",
                gap(scaled, wide) <= LIMIT,
                f"{100 * gap(scaled, wide):.3f} % from float32")
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
