#!/usr/bin/env python3
"""Dropout keeps the share it should, the backward uses the forward's mask, and
the same seed gives the same mask.

    dropout.py --bin FOLDER [--json FILE]
"""

import sys

import harness
import numpy as np

RATIO = 0.3
MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
dropout (float[batch, 1000] x) => (float[batch, 1000] y, float mean)
<float[1000,1000] table_weight, float ratio = {0.3}, bool on = {1}> {
  h = Add(x, table_weight)
  y = Dropout(h, ratio, on)
  mean = ReduceMean<keepdims=0>(y)
}
"""


def run(h, name, *options):
    out = h.path(name + ".npz")
    h.must(h.program("amp-run"), h.path("model.onnx"), "--batch", 1000,
           "--loss", "graph_output,output=mean", "--gradients", "--inputs",
           h.path("in.npz"), "-o", out, *options)
    return np.load(out)


def main():
    h = harness.Harness(__doc__)
    harness.model_from_text(h.path("model.onnx"), MODEL)
    # Nothing is zero before dropout, so what is zero after it was dropped.
    np.savez(h.path("in.npz"), x=np.full((1000, 1000), 5, np.float32))
    on = run(h, "on", "--dropout", "on", "--precision", "fp32")
    kept = on["y"] != 0
    h.check("the share kept is 1 - p within 0.5 points",
            abs(kept.mean() - (1 - RATIO)) <= 0.005, f"{kept.mean():.4f}")
    h.check("rows and columns are as likely to be kept",
            np.ptp(kept.mean(0)) < 0.15 and np.ptp(kept.mean(1)) < 0.15,
            f"{np.ptp(kept.mean(0)):.3f}, {np.ptp(kept.mean(1)):.3f}")
    gradient = on["grad/table_weight"]
    h.check("the backward uses the mask of the forward",
            np.array_equal(gradient != 0, kept))
    scale = gradient[kept] * gradient.size * (1 - RATIO)
    h.check("what is kept is scaled by 1 / (1 - p)",
            np.allclose(scale, 1, rtol=1e-5), f"{scale.min()}..{scale.max()}")
    again = run(h, "again", "--dropout", "on", "--precision", "fp32")
    h.check("the same seed gives the same mask",
            np.array_equal(on["y"], again["y"]))
    other = run(h, "other", "--dropout", "on", "--seed", 12)
    h.check("another seed gives another mask",
            not np.array_equal(kept, other["y"] != 0))
    low = run(h, "low", "--dropout", "on", "--precision", "bf16")
    h.check("the precision does not change the mask",
            np.array_equal(kept, low["y"] != 0))
    off = run(h, "off", "--dropout", "off")
    h.check("off keeps everything", (off["y"] != 0).all())
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
