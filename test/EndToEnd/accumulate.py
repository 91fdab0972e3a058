#!/usr/bin/env python3
"""Gradient accumulation: N micro-batches train like one batch N times as
large, and a window whose gradients are not finite changes nothing.

    accumulate.py --bin FOLDER [--json FILE]
"""

import os
import sys

import harness
import numpy as np
import reference

STEPS, MICRO, WINDOW = 12, 8, 4
# Relative, of the whole tensor: float32 sums in another order.
LIMIT = 2e-6


def compiled(h, name, model, *options):
    out = h.path(name)
    h.must(h.program("amp-compile"), model, "-o", out, *options)
    return out


def train(h, trainer, *options, data="data.npz", steps=STEPS):
    log, out = h.path("log.jsonl"), h.path("out.onnx")
    h.must(trainer, "--data", h.path(data), "--steps", steps, "--no-shuffle",
           "--last-batch", "wrap", "--metrics", log, "--export", out, *options)
    lines = harness.metrics(log)
    os.remove(log)
    return lines, harness.initializers(out)


def distance(a, b):
    """Largest relative difference of a tensor."""
    return max(
        float(np.linalg.norm((a[n] - b[n]).ravel())
              / max(np.linalg.norm(b[n].ravel()), 1e-30))
        for n in b)


def same_as_large(h, name, model, loss, optimizer, data="data.npz"):
    options = ["--loss", loss, "--optimizer", optimizer]
    micro = compiled(h, "micro", model, "--batch", MICRO, "--accumulate",
                     *options)
    large = compiled(h, "large", model, "--batch", MICRO * WINDOW, *options)
    got, weights = train(h, micro, "--grad-accum", WINDOW, data=data)
    wanted, expected = train(h, large, data=data)
    h.check(f"{name}: one line an update", len(got) == STEPS, len(got))
    worst = max(abs(a["loss"] - b["loss"]) / abs(b["loss"])
                for a, b in zip(got, wanted))
    h.check(f"{name}: the loss of the large batch", worst < 1e-5,
            f"{worst:.1e}")
    worst = max(abs(a["grad_norm"] - b["grad_norm"]) / b["grad_norm"]
                for a, b in zip(got, wanted))
    h.check(f"{name}: its gradient norm", worst < 1e-5, f"{worst:.1e}")
    far = distance(weights, expected)
    h.check(f"{name}: its weights", far < LIMIT, f"{far:.1e}")
    return weights


def against_reference(h, before, weights):
    """The same training in float64."""
    data = np.load(h.path("data.npz"))
    net = reference.Network(before)
    sgd = reference.Optimizer("sgd", 0.1, momentum=0.9)
    rows = np.arange(len(data["target"]))
    for step in range(STEPS):
        at = np.take(rows, np.arange(MICRO * WINDOW) + step * MICRO * WINDOW,
                     mode="wrap")
        sgd.step(net.weights, net.loss(data["x"][at], data["target"][at])[1])
    far = distance(weights, net.weights)
    h.check("the weights of a float64 reference", far < LIMIT, f"{far:.1e}")


def one_is_plain(h, model):
    options = ["--loss", "softmax_cross_entropy", "--optimizer", "adamw",
               "--batch", MICRO]
    plain = train(h, compiled(h, "plain", model, *options))[1]
    window = train(h, compiled(h, "window", model, "--accumulate", *options))[1]
    h.check("without --grad-accum it trains as if compiled without",
            all(plain[n].tobytes() == window[n].tobytes() for n in plain))
    code, text = h.run(h.path("plain"), "--data", h.path("data.npz"),
                       "--grad-accum", 2)
    h.check("a program compiled without refuses --grad-accum",
            code == 2 and "--accumulate" in text, f"exit {code}")


def skipped_window(h):
    """Batch norms and float16 with a scale that overflows for a while."""
    model = h.path("classifier.onnx")
    before = harness.model_from_text(model, harness.CLASSIFIER)
    trainer = compiled(
        h, "half", model, "--batch", MICRO, "--accumulate", "--loss",
        "softmax_cross_entropy", "--optimizer", "adamw", "--precision", "fp16",
        "--loss-scaler", "pytorch,init_scale=1099511627776,growth_interval=4")
    log, _ = train(h, trainer, "--grad-accum", 3, steps=40)
    found = [line["found_inf"] for line in log]
    down = found.index(0) if 0 in found else 0
    if not h.check("the first windows overflow", down > 0, down):
        return
    scales = [line["loss_scale"] for line in log]
    h.check("the scale is halved once a window",
            scales[:down + 1] == [2.0**(40 - i) for i in range(down + 1)])
    h.check("it grows after four good windows",
            all(scales[i + 4] == 2 * scales[i] for i in range(down, 36, 4)
                if not any(found[i:i + 4]) and (i == down or found[i - 1]
                                                or scales[i] != scales[i - 1])))
    for steps, moves in ((down, False), (down + 1, True)):
        _, after = train(h, trainer, "--grad-accum", 3, steps=steps)
        moved = [n for n in before if before[n].tobytes() != after[n].tobytes()]
        h.check("the first good window moves every initializer" if moves else
                "a skipped window leaves every initializer as it was",
                len(moved) == (len(before) if moves else 0), ", ".join(moved))


def odd_names(h):
    """The names of the arguments that are no data, for inputs and targets."""
    random = np.random.default_rng(5)
    x = random.standard_normal((4 * MICRO, 4)).astype(np.float32)
    y = random.standard_normal((4 * MICRO, 3)).astype(np.float32)
    runs = {}
    for names in (("x", "y"), ("clip", "schedule"), ("schedule", "amp.schedule"),
                  ("valid_rows", "clip"), ("micro_batches", "valid_rows")):
        model = h.path("odd.onnx")
        harness.model_from_text(model, f"""
            <ir_version: 8, opset_import: ["" : 17]>
            odd (float[batch, 4] {names[0]}) => (float[batch, 3] out)
            <float[4,3] weight> {{ out = MatMul({names[0]}, weight) }}""")
        np.savez(h.path("odd.npz"), **dict(zip(names, (x, y))))
        trainer = compiled(h, "odd", model, "--batch", MICRO, "--accumulate",
                           "--clip-norm", 0.5, "--optimizer", "sgd,lr=0.1",
                           "--loss", f"mse,target={names[1]}")
        lines, weights = [], []
        for window in (1, 2):
            got, after = train(h, trainer, "--grad-accum", window, "--val",
                               h.path("odd.npz"), data="odd.npz", steps=2)
            lines += [line.get("loss", line.get("val_loss")) for line in got]
            weights.append(after["weight"].tobytes())
        runs[names] = lines, weights
    wanted = runs[("x", "y")]
    for names, run in runs.items():
        h.check(f"input {names[0]}, target {names[1]}: same bits",
                run == wanted and len(set(run[1])) == 2, run[0])


def main():
    h = harness.Harness(__doc__)
    model = h.path("model.onnx")
    before = harness.model_from_text(model, reference.MODEL)
    harness.classifier_data(h.path("data.npz"))
    momentum = "sgd,lr=0.1,momentum=0.9"
    weights = same_as_large(h, "mean", model, "softmax_cross_entropy", momentum)
    against_reference(h, before, weights)
    same_as_large(h, "sum", model, "softmax_cross_entropy,reduction=sum",
                  "sgd,lr=0.003,momentum=0.9")
    one_is_plain(h, model)
    skipped_window(h)
    odd_names(h)
    models = os.environ.get("AMP_REFERENCE_MODELS", "")
    digits = os.path.join(models, "mlp_digits")
    if os.path.exists(os.path.join(digits, "model.onnx")):
        same_as_large(h, "mlp_digits", os.path.join(digits, "model.onnx"),
                      "softmax_cross_entropy", "sgd,lr=0.1",
                      data=os.path.join(digits, "data.npz"))
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
