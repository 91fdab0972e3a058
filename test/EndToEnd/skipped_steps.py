#!/usr/bin/env python3
"""What a skipped step leaves as it was: everything but the scale, its counters
and the iteration, and what --update-on-skip lists.

    skipped_steps.py --bin FOLDER [--json FILE]
"""

import os
import sys

import harness
import injection
import numpy as np

NORMALISED = """
<ir_version: 8, opset_import: ["" : 17]>
normalised (float[batch, 4] x) => (float[batch, 3] y)
<float[4,3] weight, float[3] bn_weight, float[3] bn_bias,
 float[3] bn_running_mean, float[3] bn_running_var> {
  h = MatMul(x, weight)
  y = BatchNormalization(h, bn_weight, bn_bias, bn_running_mean, bn_running_var)
}
"""
RUNNING = ("bn_running_mean", "bn_running_var")


def state_after(h, trainer, data, steps, *options):
    """Every variable after some steps, and the log."""
    folder = h.path(f"state{len(os.listdir(h.work))}")
    code, text, log = injection.run(h, trainer, data, steps,
                                    "--checkpoint-dir", folder, *options)
    if code:
        h.check("a run for its state", False, harness.last_line(text))
        sys.exit(h.finish())
    return injection.checkpoint(folder), log


def running_statistics(h):
    model = injection.write_model(h, NORMALISED, "normalised.onnx")
    data = injection.write_data(h, [0, 1, 0, 0])
    optimizer = ("--optimizer", "adamw,lr=0.01")
    trainer = injection.compile_model(h, model, "pytorch", *optimizer)
    states = [state_after(h, trainer, data, n)[0] for n in (1, 2, 3)]
    moved = injection.changed(states[0], states[1])
    allowed = {"amp.loss_scale", "amp.next_scale", "amp.growth_tracker",
               "amp.bad_steps", "amp.iteration", "amp.skipped"}
    h.check("KF-45 a skipped step changes the scaler and the counters only",
            set(moved) <= allowed and {"amp.loss_scale", "amp.iteration",
                                       "amp.skipped"} <= set(moved), moved)
    later = injection.changed(states[1], states[2])
    h.check("KF-45 the next step moves the statistics, too",
            all(any(n in name for name in later) for n in RUNNING), later)

    # The data are finite, and so are the statistics of the batch: it is the
    # gradients that overflow, at this first scale.
    data = injection.write_data(h, [0, 0])
    trainer = injection.compile_model(h, model, "pytorch,init_scale=2^40", "--policy", "O3",
                                      *optimizer, name="scaled")
    before = harness.initializers(model)
    (state, log) = state_after(h, trainer, data, 1)
    same = all(before[n].tobytes() == next(
        v for k, v in state.items() if k.endswith(n)) for n in RUNNING)
    h.check("KF-45 nor where only the gradients overflow",
            log[0]["found_inf"] == 1 and same, log[0])
    data = injection.write_data(h, [0, 1, 0, 0])
    trainer = injection.compile_model(h, model, "pytorch", "--update-on-skip",
                                      "buffers", *optimizer, name="listed")
    states = [state_after(h, trainer, data, n)[0] for n in (1, 2)]
    moved = set(injection.changed(states[0], states[1])) - allowed
    h.check("--update-on-skip buffers lets the statistics run, and no more",
            len(moved) == 2 and all(any(n in m for m in moved)
                                    for n in RUNNING), sorted(moved))
    code, text = h.run(h.program("amp-compile"), model, "--batch",
                       injection.BATCH, "--loss", "mse", "--update-on-skip",
                       "nothing", "-o", h.path("none"))
    h.check("a pattern without statistics is wrong use",
            code == 2 and "'nothing' matches no state" in text, text[-200:])


def schedule(h):
    """KF-46: neither the learning rate nor Adam's correction counts a skipped
    step."""
    model = injection.write_model(h)
    found = [0, 0, 1, 1, 0, 0, 1, 0]
    trainer = injection.compile_model(h, model, "pytorch", "--optimizer",
                                      "adam,lr=0.01")
    options = ("--lr-schedule", "linear,total=8", "--abort-after-skips", 0)
    _, log = state_after(h, trainer, injection.write_data(h, found), 8, *options)
    rates = [line["lr"] for line in log]
    clean, count = [], 0
    for bad in found:
        clean.append(np.float32(0.01 * (1 - count / 8)))
        count += not bad
    h.check("KF-46 the learning rate follows the updates",
            all(abs(a - float(b)) <= 1e-9 for a, b in zip(rates, clean)), rates)
    h.check("KF-46 the flag of each step is in the log",
            [line["found_inf"] for line in log] == found)
    # The same clean batches without the skipped ones give the same weights.
    data = dict(np.load(h.path("data.npz")))
    keep = np.repeat(np.array(found) == 0, injection.BATCH)
    np.savez(h.path("clean.npz"), **{k: v[keep] for k, v in data.items()})
    outs = []
    for source, steps in ((h.path("data.npz"), 8), (h.path("clean.npz"), 5)):
        injection.run(h, trainer, source, steps, "--export", h.path("o.onnx"),
                      *options)
        outs.append(harness.initializers(h.path("o.onnx")))
    h.check("KF-46 skipped steps leave no trace in the weights",
            not injection.changed(*outs), injection.changed(*outs))


def window(h):
    """KF-47: an inf in the second of four micro-batches skips the window."""
    model = injection.write_model(h)
    trainer = injection.compile_model(
        h, model, "pytorch,growth_interval=1", "--accumulate", "--optimizer",
        "adam,lr=0.01", name="windows")
    data = injection.write_data(h, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    four = ("--grad-accum", 4)
    states = [state_after(h, trainer, data, n, *four) for n in (1, 2, 3)]
    moved = injection.changed(states[0][0], states[1][0])
    kept = [m for m in moved if not m.startswith("amp.")]
    h.check("KF-47 the window is one skipped step", states[2][1][1]["found_inf"]
            == 1 and not kept, kept)
    h.check("KF-47 the scale is halved once, at its end",
            injection.scales(states[2][1]) == [2.0**16, 2.0**17, 2.0**16])
    h.check("KF-47 the next window is updated",
            any(not m.startswith("amp.")
                for m in injection.changed(states[1][0], states[2][0])))


def empty_optimizer(h):
    """KF-49: an optimizer that no loss reaches neither updates nor counts."""
    model = injection.write_model(h, injection.TWO_OUTPUTS, "two.onnx")
    trainer = h.path("two")
    h.must(h.program("amp-compile"), model, "--batch", injection.BATCH,
           "--loss", "mse,output=y", "--optimizer", "a:sgd,params=w1",
           "--optimizer", "b:adam,params=w2", "--precision", "fp16",
           "--loss-scaler", "pytorch,growth_interval=2", "-o", trainer)
    data = injection.write_data(h, [0, 0, 1, 0, 0, 0])
    code, text, log = injection.run(h, trainer, data, 6, "--export",
                                    h.path("o.onnx"))
    h.check("KF-49 its parameters stay, the others move", code == 0 and
            injection.changed(harness.initializers(model),
                              harness.initializers(h.path("o.onnx")))
            == ["w1"], harness.last_line(text))
    h.check("KF-49 each step counts once for the scale",
            injection.scales(log) == [2.0**16, 2.0**16, 2.0**17, 2.0**16,
                                      2.0**16, 2.0**17], injection.scales(log))


def main():
    h = harness.Harness(__doc__)
    running_statistics(h)
    schedule(h)
    window(h)
    empty_optimizer(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
