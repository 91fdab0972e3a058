#!/usr/bin/env python3
"""Runs whose steps are skipped for ever: they end with exit code 5, and say why.

    scaler_limits.py --bin FOLDER [--json FILE]
"""

import re
import sys

import harness
import injection
import numpy as np

# The loss is 0. The slope of the root is inf there, and the gradient NaN at any
# scale; that of a norm is 0 by definition.
ROOT = """
<ir_version: 8, opset_import: ["" : 17]>
root (float[batch, 8] x) => (float loss)
<float[8,8] weight> {
  h = MatMul(x, weight)
  q = Mul(h, h)
  s = ReduceSum<keepdims=0>(q)
  loss = Sqrt(s)
}
"""
NORM = ROOT.replace("""q = Mul(h, h)
  s = ReduceSum<keepdims=0>(q)
  loss = Sqrt(s)""", "loss = ReduceL2<keepdims=0>(h)")

# The gradient of h is a million times the scale.
MILLION = """
<ir_version: 8, opset_import: ["" : 17]>
million (float[batch, 1] x) => (float loss)
<float[1,1] weight> {
  h = MatMul(x, weight)
  f = Constant<value = float {1000000.0}>()
  m = Mul(h, f)
  loss = ReduceSum<keepdims=0>(m)
}
"""


def constant_data(h, name, inputs, value, rows=8):
    np.savez(h.path(name), x=np.full((rows, inputs), value, np.float32))
    return h.path(name)


def compile_own_loss(h, model, scaler, batch, *options):
    return h.must(h.program("amp-compile"), model, "--batch", batch, "--loss",
                  "graph_output", "--precision", "fp16", "--loss-scaler",
                  scaler, *options, "-o", h.path("trainer")) and h.path(
                      "trainer")


def gives_up(h, name, code, text, *wanted):
    last = harness.last_line(text)
    missing = [w for w in wanted if not re.search(w, text)]
    h.check(name, code == 5 and not missing,
            f"exit {code}, misses {missing}: {last}" if missing or code != 5
            else last[:120])


def deepspeed(h, model):
    trainer = injection.compile_model(h, model, "deepspeed,init_scale=4")
    data = injection.write_data(h, [1] * 8)
    code, text, log = injection.run(h, trainer, data, 8)
    gives_up(h, "DeepSpeed raises an error at its minimum", code, text,
             "not finite at step 3", "minimum 1 already", "error_at_min")
    h.check("DeepSpeed's scale until then",
            injection.scales(log) == [4, 4, 2, 1], injection.scales(log))
    trainer = injection.compile_model(
        h, model, "deepspeed,init_scale=4,raise_error_at_min_scale=false")
    code, _, log = injection.run(h, trainer, data, 8)
    h.check("without the error it stays at the minimum",
            code == 0 and injection.scales(log)[4:] == [1] * 4, f"exit {code}")


def abort_after(h, model):
    found = [0, 1, 1, 0, 1, 1, 1, 0]
    data = injection.write_data(h, found)
    trainer = injection.compile_model(h, model, "pytorch,abort_after=3")
    code, text, log = injection.run(h, trainer, data, 8)
    gives_up(h, "abort_after=3 ends at the third skipped step in a row", code,
             text, "3 steps in a row were skipped, up to step 6",
             "abort_after of the loss scaler",
             "65536 at step 0, 32768 at 2, 16384 at 3, 8192 at 5, 4096 at 6")
    h.check("the log has that step", len(log) == 7, len(log))
    code, _, log = injection.run(h, trainer, data, 8, "--abort-after-skips", 0)
    h.check("--abort-after-skips 0 lets it run", code == 0 and len(log) == 8)
    code, text, log = injection.run(h, trainer, data, 8,
                                    "--abort-after-skips", 2)
    gives_up(h, "--abort-after-skips 2 is stronger than what was compiled",
             code, text, "2 steps in a row were skipped, up to step 2",
             "--abort-after-skips")
    for scaler, precision in (("static,scale=8", "fp16"), ("none", "bf16")):
        trainer = injection.compile_model(h, model, scaler,
                                          precision=precision)
        code, text, _ = injection.run(h, trainer, data, 8,
                                      "--abort-after-skips", 3)
        gives_up(h, f"it works with scaler {scaler}", code, text,
                 "3 steps in a row were skipped, up to step 6")


def hopeless_gradient(h):
    """KF-41: no scale helps, so the scale stays at its floor and the run ends
    with the op whose gradient it is."""
    data = constant_data(h, "zero.npz", 8, 0)
    model = injection.write_model(h, NORM, "norm.onnx")
    trainer = compile_own_loss(h, model, "pytorch,min_scale=1", 4)
    code, text, log = injection.run(h, trainer, data, 4)
    h.check("KF-41 a norm of 0 skips no step",
            code == 0 and log[-1]["applied"] == 4, f"exit {code}")
    model = injection.write_model(h, ROOT, "root.onnx")
    trainer = compile_own_loss(h, model, "pytorch,min_scale=1", 4)
    code, text, log = injection.run(h, trainer, data, 200, "--max-bad-steps", 0)
    wanted = [2.0**max(16 - i, 0) for i in range(200)]
    h.check("KF-41 the scale reaches the floor after 16 steps and stays",
            code == 0 and injection.scales(log) == wanted, f"exit {code}")
    h.check("KF-41 one warning at the floor",
            text.count("warning: the loss scale has come down to its minimum 1 "
                       "at step 15") == 1 and text.count("come down") == 1)
    code, text, log = injection.run(h, trainer, data, 200,
                                    "--abort-after-skips", 30)
    gives_up(h, "KF-41 the run stops and names the op", code, text,
             "30 steps in a row were skipped, up to step 29",
             "backward op '[a-z]*' at 'loss'")
    code, text, log = injection.run(h, trainer, data, 200)
    gives_up(h, "KF-41 it also ends by itself", code, text,
             "20 steps were skipped at the minimal loss scale 1, up to step 35")


def low_floor(h):
    """KF-42: a gradient of a million times the scale needs a scale below 1."""
    model = h.path("million.onnx")
    harness.model_from_text(model, MILLION)
    harness.set_initializers(model, lambda values: {
        "weight": np.ones((1, 1), np.float32)})
    data = constant_data(h, "one.npz", 1, 1)
    # A product of one number would gain nothing in float16 and stay float32.
    low = ("--policy", "O3")
    trainer = compile_own_loss(h, model, "pytorch,min_scale=2^-14", 1, *low)
    code, text, log = injection.run(h, trainer, data, 30)
    h.check("KF-42 with a minimum of 2^-14 the scale settles at 2^-4",
            code == 0 and injection.scales(log)[20:] == [2.0**-4] * 10
            and log[-1]["applied"] == 10,
            f"exit {code}, {injection.scales(log)[-1:]}")
    trainer = compile_own_loss(h, model, "pytorch,min_scale=1", 1, *low)
    code, text, log = injection.run(h, trainer, data, 100)
    gives_up(h, "KF-42 with a minimum of 1 the run ends as diverged", code,
             text, "warning: the loss scale has come down to its minimum 1",
             "steps were skipped at the minimal loss scale 1")
    h.check("KF-42 no step was taken", log and log[-1]["applied"] == 0)


def scaler_of_each_loss(h):
    model = injection.write_model(h, injection.TWO_OUTPUTS, "two.onnx")
    trainer = h.path("two")
    h.must(h.program("amp-compile"), model, "--batch", injection.BATCH,
           "--loss", "a:mse,output=y,target=ty", "--loss",
           "b:mse,output=z,target=tz", "--precision", "fp16", "--loss-scaler",
           "a:pytorch;b:pytorch,min_scale=2^14", "--policy", "O3", "-o",
           trainer)
    random = np.random.default_rng(3)
    x = random.standard_normal((8, 4)).astype(np.float32)
    target = random.standard_normal((8, 3)).astype(np.float32)
    # The gradient of b overflows float16 at any scale above 4.
    np.savez(h.path("two.npz"), x=x, ty=target, tz=target * np.float32(1e4))
    code, text, _ = injection.run(h, trainer, h.path("two.npz"), 60)
    gives_up(h, "each loss has its own minimum", code, text,
             "warning: the loss scale of the loss 'b' has come down to its "
             "minimum 16384 at step 1",
             "20 steps were skipped at the minimal loss scale 16384 of the "
             "loss 'b', up to step 21", "65536 for 'a'", "16384 for 'b'")
    for scaler, end in (
            ("a:pytorch,abort_after=2;b:pytorch,abort_after=5", 4),
            ("a:pytorch,abort_after=2;b:pytorch", None)):
        h.must(h.program("amp-compile"), model, "--batch", injection.BATCH,
               "--loss", "a:mse,output=y,target=ty", "--loss",
               "b:mse,output=z,target=tz", "--precision", "fp16",
               "--loss-scaler", scaler, "--policy", "O3", "-o", trainer)
        code, text, log = injection.run(h, trainer, h.path("two.npz"), 8)
        if end is None:
            h.check("overflows of one loss are none of the other's "
                    "abort_after", code == 0 and len(log) == 8,
                    f"exit {code}, {len(log)} steps")
        else:
            gives_up(h, "each loss has its own abort_after", code, text,
                     f"5 steps in a row were skipped, up to step {end} "
                     "\\(abort_after of the loss scaler of the loss 'b'\\)")


def main():
    h = harness.Harness(__doc__)
    model = injection.write_model(h)
    deepspeed(h, model)
    abort_after(h, model)
    hopeless_gradient(h)
    low_floor(h)
    scaler_of_each_loss(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
