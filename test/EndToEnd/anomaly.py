#!/usr/bin/env python3
"""Where NaN and inf began: the op is named, forward and backward, with its
inputs, from the executable that trains (KF-41, KF-85).

    anomaly.py --bin FOLDER [--json FILE]
"""

import sys

import numpy as np

import harness

# a and b overflow where h is large; then inf - inf. Both belong to one kernel.
CANCEL = """
<ir_version: 8, opset_import: ["" : 17]>
cancel (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] w1, float[24,5] w2> {
  big = Constant<value_float = 3.0e38>()
  h = MatMul(x, w1)
  a = Mul(h, big)
  e = Exp(h)
  b = Mul(e, big)
  d = Sub(a, b)
  logits = MatMul(d, w2)
}
"""

# The slope of the logarithm is beyond float32 there: forward is finite.
SLOPE = """
<ir_version: 8, opset_import: ["" : 17]>
slope (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] w1, float[24,5] w2> {
  tiny = Constant<value_float = 1.0e-42>()
  h = MatMul(x, w1)
  e = Exp(h)
  m = Mul(e, tiny)
  q = Log(m)
  logits = MatMul(q, w2)
}
"""

# Scores that are infinite on purpose come first, then a real overflow.
MASK = """
<ir_version: 8, opset_import: ["" : 17]>
mask (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] w1, float[24,5] w2> {
  minus = Constant<value_float = -inf>()
  zero = Constant<value_float = 0.0>()
  big = Constant<value_float = 3.0e38>()
  h = MatMul(x, w1)
  below = Less(h, zero)
  s = Where(below, minus, h)
  p = Softmax<axis = 1>(s)
  t = Mul(p, big)
  u = Mul(t, big)
  logits = MatMul(u, w2)
}
"""


# The logarithm of zero, and its slope, are left out; then a real overflow.
LEFT_OUT = """
<ir_version: 8, opset_import: ["" : 17]>
left_out (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] w1, float[24,5] w2> {
  zero = Constant<value_float = 0.0>()
  big = Constant<value_float = 3.0e38>()
  h = MatMul(x, w1)
  r = Relu(h)
  l = Log(r)
  none = Equal(r, zero)
  k = Where(none, zero, l)
  t = Mul(k, big)
  u = Mul(t, big)
  logits = MatMul(u, w2)
}
"""

# Infinite on purpose, up to the output.
MASKED = """
<ir_version: 8, opset_import: ["" : 17]>
masked (float[batch, 16] x) => (float[batch, 24] s)
<float[16,24] w1> {
  minus = Constant<value_float = -inf>()
  zero = Constant<value_float = 0.0>()
  h = MatMul(x, w1)
  below = Less(h, zero)
  s = Where(below, minus, h)
}
"""


class Case:
    """A compiled model and ways to train it."""

    def __init__(self, h, name, text, *flags):
        self.h, self.name = h, name
        self.model = h.path(name + ".onnx")
        self.trainer = h.path("train_" + name)
        harness.model_from_text(self.model, text)
        h.must(h.program("amp-compile"), self.model, "--batch", 32, "--loss",
               "softmax_cross_entropy", "-o", self.trainer, *flags)

    def train(self, *flags, data="data.npz", steps=3):
        return self.h.run(*self.h.trainer(self.trainer), "--data",
                          self.h.path(data), "--steps", steps, "--no-shuffle",
                          *flags)


def named(text, *parts):
    """The last line, and whether it has all parts in this order."""
    line, at = harness.last_line(text), 0
    whole = [l for l in text.splitlines() if l.startswith("error: ")]
    line = whole[-1] if whole else line
    for part in parts:
        at = line.find(part, at)
        if at < 0:
            return False, f"no {part!r} in: {line[:600]}"
    return True, line[:200]


def check_names(h):
    cancel = Case(h, "cancel", CANCEL)
    code, text = cancel.train("--detect-anomaly")
    good, line = named(text, "step 0: forward op 'mul' at '", " inf of 768 ",
                       "input 0", "[", "first NaN after it", "op 'sub' at 'd'",
                       "NaN of 768")
    h.check("KF-85: the overflow and the first NaN are two ops",
            code == 5 and good, line)
    code, text = cancel.train("--detect-anomaly=report")
    h.check("report goes on", code == 0 and text.count("op 'sub' at 'd'") == 3,
            f"exit {code}")
    code, text = cancel.train()
    h.check("without the option nothing is said",
            code == 0 and "'sub'" not in text, f"exit {code}")

    slope = Case(h, "slope", SLOPE)
    code, text = slope.train("--detect-anomaly")
    good, line = named(text, "step 0: backward op '", "at 'q'")
    h.check("a gradient that overflows is named", code == 5 and good, line)

    mask = Case(h, "mask", MASK)
    code, text = mask.train("--detect-anomaly")
    good, line = named(text, "step 0: forward op 'mul' at 'u'")
    h.check("infinity on purpose is no origin", code == 5 and good, line)

    left_out = Case(h, "left_out", LEFT_OUT)
    code, text = left_out.train("--detect-anomaly")
    good, line = named(text, "step 0: forward op 'mul' at '")
    h.check("what a Where leaves out is no origin", code == 5 and good, line)

    bare = Case(h, "bare", CANCEL, "--no-probes")
    code, text = bare.train("--detect-anomaly")
    good, line = named(text, "step 0: forward op")
    h.check("without probes the kernel's outputs are looked at",
            code == 5 and good, line)

    np.savez(h.path("rows.npz"), x=np.load(h.path("data.npz"))["x"][:32],
             target=np.load(h.path("data.npz"))["target"][:32])
    code, text = h.run(h.program("amp-run"), cancel.model, "--batch", 32,
                       "--loss", "softmax_cross_entropy", "--inputs",
                       h.path("rows.npz"), "--detect-anomaly")
    good, line = named(text, "forward op 'mul' at '", "op 'sub' at 'd'")
    h.check("amp-run names it, too", code == 7 and good, line)


    masked, only = h.path("masked.onnx"), h.path("only.npz")
    harness.model_from_text(masked, MASKED)
    np.savez(only, x=np.load(h.path("rows.npz"))["x"])
    code, text = h.run(h.program("amp-run"), masked, "--batch", 32, "--inputs",
                       only, "--detect-anomaly")
    h.check("a mask may reach the output", code == 0, harness.last_line(text))


def check_scaling(h):
    """fp16: a first scale that overflows, and data that always does."""
    scaled = Case(h, "scaled", harness.CLASSIFIER, "--precision", "fp16",
                  "--optimizer", "adamw,lr=0.01", "--loss-scaler",
                  f"pytorch,init_scale={2.0**40:.0f}")
    code, text = scaled.train("--detect-anomaly")
    good, line = named(text, "step 0: backward op '", " inf", "stored as f16")
    h.check("a scaled gradient that does not fit is named",
            code == 5 and good, line)
    # A step that is looked into changes nothing else.
    out = [h.path(n + ".onnx") for n in ("plain", "watched")]
    scaled.train("--export", out[0], steps=30)
    code, text = scaled.train("--export", out[1], "--detect-anomaly=report",
                              steps=30)
    plain, watched = (harness.initializers(o) for o in out)
    moved = [n for n in plain if plain[n].tobytes() != watched[n].tobytes()]
    h.check("looking changes no bit", code == 0 and "warning" in text
            and not moved, ", ".join(moved))

    with np.load(h.path("data.npz")) as data:
        x, target = data["x"].copy(), data["target"]
    x[40, 3] = np.inf
    np.savez(h.path("bad.npz"), x=x, target=target)
    code, text = scaled.train("--detect-anomaly", data="bad.npz", steps=200)
    code, text = Case(h, "single", harness.CLASSIFIER).train(
        "--detect-anomaly", data="bad.npz")
    good, line = named(text, "step 1: 'x' was not finite to begin with", "1 inf")
    h.check("bad data is named, with its step", code == 5 and good, line)

    x[:] = np.inf
    np.savez(h.path("hopeless.npz"), x=x, target=target)
    code, text = scaled.train("--abort-after-skips", 4, data="hopeless.npz",
                              steps=50)
    good, line = named(text, "4 steps in a row were skipped",
                       "'x' was not finite to begin with")
    h.check("KF-41: giving up names the first bad value", code == 5 and good,
            line)


def check_windows(h):
    """Gradient accumulation: the bad rows are in the second micro-batch."""
    window = Case(h, "window", harness.CLASSIFIER, "--accumulate")
    code, text = window.train("--detect-anomaly", "--grad-accum", 4,
                              data="bad.npz")
    good, line = named(text, "step 0: 'x' was not finite to begin with",
                       "of 512, 1 inf")
    h.check("the micro-batch of a window is found", code == 5 and good, line)
    out = [h.path(n + ".onnx") for n in ("window_plain", "window_watched")]
    window.train("--grad-accum", 4, "--export", out[0], data="bad.npz")
    code, text = window.train("--grad-accum", 4, "--export", out[1],
                              "--detect-anomaly=report", data="bad.npz")
    plain, watched = (harness.initializers(o) for o in out)
    moved = [n for n in plain if plain[n].tobytes() != watched[n].tobytes()]
    h.check("looking into a window changes no bit",
            code == 0 and "warning" in text and not moved, ", ".join(moved))
    # The first window leaves running statistics of inf behind, which the
    # second one does not take up.
    rows = np.load(h.path("data.npz"))
    x = rows["x"][:256].copy()
    x[40, 3] = x[168, 5] = np.inf
    np.savez(h.path("both.npz"), x=x, target=rows["target"][:256])
    code, text = window.train("--detect-anomaly=report", "--grad-accum", 4,
                              data="both.npz", steps=2)
    told = [l for l in text.splitlines() if "was not finite to begin" in l]
    h.check("a window is not blamed on the one before", len(told) == 2 and
            all(f"step {i}: 'x' was" in l for i, l in enumerate(told)),
            " | ".join(told)[:300])


def main():
    h = harness.Harness(__doc__)
    harness.classifier_data(h.path("data.npz"))
    check_names(h)
    check_scaling(h)
    check_windows(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
