#!/usr/bin/env python3
"""What is trained: --freeze and --train, two copies of a tensor joined by
--tie, and --train-mode eval.

    selection.py --bin FOLDER [--json FILE]
"""

import json
import os
import re
import sys

import harness
import numpy as np
import reference

BATCH, STEPS = 32, 12
LIMIT = 5e-6

# One table at both ends, which the exporter stored twice.
TWINS = """
<ir_version: 8, opset_import: ["" : 17]>
twins (float[batch, 16] x) => (float[batch, 16] y)
<float[24,16] encoder_weight, float[24] bias, float[16,24] val_7> {
  h = Gemm<transB=1>(x, encoder_weight, bias)
  t = Tanh(h)
  y = Gemm<transB=1>(t, val_7)
}
"""


def build(h, model, *options, loss="softmax_cross_entropy",
          optimizer="sgd,lr=0.1"):
    return h.must(h.program("amp-compile"), model, "--batch", BATCH, "--loss",
                  loss, "--optimizer", optimizer, "-o", h.path("trainer"), "-v",
                  *options)


def train(h, data, *options, steps=STEPS):
    log, out = h.path("log.jsonl"), h.path("out.onnx")
    h.must(h.path("trainer"), "--data", data, "--steps", steps, "--no-shuffle",
           "--last-batch", "wrap", "--metrics", log, "--export", out, *options)
    return harness.metrics(log), harness.initializers(out)


def moved(before, after):
    return {n for n in before if before[n].tobytes() != after[n].tobytes()}


def gradients(h, model, *options):
    """Names amp-run gives gradients for."""
    data = np.load(h.path("data.npz"))
    np.savez(h.path("first.npz"), **{k: data[k][:BATCH] for k in data.files})
    h.must(h.program("amp-run"), model, "--batch", BATCH, "--loss",
           "softmax_cross_entropy", "--gradients", "--inputs",
           h.path("first.npz"), "-o", h.path("grads.npz"), *options)
    files = np.load(h.path("grads.npz")).files
    return {name[5:] for name in files if name.startswith("grad/")}


def patterns(h):
    model = h.path("mlp.onnx")
    before = harness.model_from_text(model, reference.MODEL)
    build(h, model, "--freeze", "fc1_*")
    after = train(h, h.path("data.npz"))[1]
    h.check("--freeze keeps what its pattern matches and trains the rest",
            moved(before, after) == {"fc2_weight", "fc2_bias"},
            moved(before, after))
    net = reference.Network(before)
    sgd = reference.Optimizer("sgd", 0.1)
    data = np.load(h.path("data.npz"))
    for step in range(STEPS):
        rows = np.arange(step * BATCH, (step + 1) * BATCH)
        found = net.loss(data["x"][rows], data["target"][rows])[1]
        sgd.step(net.weights, {n: g for n, g in found.items()
                               if n.startswith("fc2")})
    far = max(np.linalg.norm(after[n] - w) / np.linalg.norm(w)
              for n, w in net.weights.items())
    h.check("frozen: the weights of a float64 reference", far < LIMIT,
            f"{far:.1e}")
    h.check("amp-run gives no gradient of what is frozen",
            gradients(h, model, "--freeze", "fc1_*") ==
            {"fc2_weight", "fc2_bias"})
    build(h, model, "--freeze", "*", "--train", "fc1_bias")
    after = train(h, h.path("data.npz"))[1]
    h.check("the more specific pattern wins", moved(before, after) ==
            {"fc1_bias"}, moved(before, after))
    code, text = h.run(h.program("amp-compile"), model, "--batch", BATCH,
                       "--loss", "softmax_cross_entropy", "--freeze", "fc3*",
                       "-o", h.path("none"))
    h.check("a pattern that matches nothing is an error",
            code == 2 and "fc3*" in text, harness.last_line(text))
    code, text = h.run(h.program("amp-compile"), model, "--batch", BATCH,
                       "--loss", "softmax_cross_entropy", "--freeze", "*",
                       "-o", h.path("none"))
    h.check("freezing everything is an error", code in (2, 3),
            f"exit {code}: {harness.last_line(text)}")


def scalar_by_name(h):
    """A scalar is no parameter by the rule; --train makes it one."""
    model = h.path("scalar.onnx")
    before = harness.model_from_text(
        model, reference.MODEL.replace("t = Tanh(h)", "u = Mul(h, factor)\n"
                                       "  t = Tanh(u)")
        .replace("float[24] fc1_bias,", "float[24] fc1_bias, float factor,"))
    build(h, model)
    plain = moved(before, train(h, h.path("data.npz"))[1])
    build(h, model, "--train", "factor")
    forced = moved(before, train(h, h.path("data.npz"))[1])
    h.check("--train trains what the rule takes for a buffer",
            forced - plain == {"factor"}, forced - plain)


def twins(h):
    model = h.path("twins.onnx")
    harness.model_from_text(model, TWINS)
    harness.set_initializers(model, lambda weights: {
        "val_7": np.ascontiguousarray(weights["encoder_weight"].T)})
    data = np.load(h.path("data.npz"))
    np.savez(h.path("twins.npz"), x=data["x"], target=data["x"])
    text = build(h, model, loss="mse")
    h.check("equal tensors are reported with the option that joins them",
            "--tie encoder_weight=val_7" in text)
    apart = train(h, h.path("twins.npz"))[1]
    h.check("apart they become different",
            not np.array_equal(apart["val_7"], apart["encoder_weight"].T))
    before = harness.initializers(model)
    build(h, model, "--tie", "encoder_weight=val_7", loss="mse")
    tied = train(h, h.path("twins.npz"))[1]
    h.check("joined they stay each other's transpose in the export",
            np.array_equal(tied["val_7"], tied["encoder_weight"].T)
            and (tied["val_7"] != before["val_7"]).any())
    weight, bias = (before[n].astype(np.float64)
                    for n in ("encoder_weight", "bias"))
    for step in range(STEPS):
        x = data["x"][step * BATCH:(step + 1) * BATCH].astype(np.float64)
        hidden = np.tanh(x @ weight.T + bias)
        error = 2 * (hidden @ weight - x) / x.size
        inner = error @ weight.T * (1 - hidden**2)
        weight = weight - 0.1 * (inner.T @ x + hidden.T @ error)
        bias = bias - 0.1 * inner.sum(0)
    far = np.linalg.norm(tied["encoder_weight"] - weight)
    h.check("the gradient is the sum over both uses",
            far / np.linalg.norm(weight) < LIMIT, f"{far:.1e}")
    code, text = h.run(h.program("amp-compile"), model, "--batch", BATCH,
                       "--loss", "mse", "--tie", "encoder_weight=bias", "-o",
                       h.path("none"))
    h.check("tensors of other values cannot be joined", code == 2,
            harness.last_line(text))


def frozen_statistics(h):
    """Batch norms that train with their running statistics."""
    model = h.path("classifier.onnx")
    before = harness.model_from_text(model, harness.CLASSIFIER)
    statistics = {"bn_running_mean", "bn_running_var"}
    build(h, model, "--train-mode", "eval")
    log, after = train(h, h.path("data.npz"))
    h.check("--train-mode eval leaves running statistics as they were",
            moved(before, after) == set(before) - statistics,
            moved(before, after))
    told = h.must(h.path("trainer"), "--eval", "--data", h.path("first.npz"))
    loss = float(re.search(r"loss ([\d.]+)", told)[1])
    h.check("its first loss is that of evaluation",
            abs(log[0]["loss"] / loss - 1) < LIMIT,
            f"{log[0]['loss']}, {loss}")
    build(h, model)
    batch = train(h, h.path("data.npz"))[0][0]["loss"]
    h.check("without it batch statistics are used", abs(batch / loss - 1) >
            1e-3, f"{batch}, {loss}")


def real_twins(h, folder):
    """gpt2_tiny of the exporter that stores the tied table twice: joined, it
    trains like the reference, whose table is one."""
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        case = json.load(file)
    with open(os.path.join(folder, "curves.json"), encoding="utf-8") as file:
        wanted = np.array(json.load(file)["fp32"]["loss"])
    given = case["optimizer"]
    betas = ":".join(map(str, given["betas"]))
    optimizer = (f"{given['kind']},lr={given['lr']},betas={betas},"
                 f"eps={given['eps']},weight_decay={given['weight_decay']}")
    options = ["--loss", "softmax_cross_entropy,class_axis=-1", "--optimizer",
               optimizer, "-o", h.path("trainer")]
    gap = {}
    for name, tie in (("tied", ["--tie", "lm_head.weight=val_212"]),
                      ("apart", [])):
        h.must(h.program("amp-compile"),
               os.path.join(folder, "model_dynamo.onnx"), "--batch",
               case["batch"], *options, *tie)
        log, after = train(h, os.path.join(folder, "data.npz"), "--dropout",
                           "off", steps=20)
        losses = np.array([line["loss"] for line in log])
        gap[name] = float(np.abs(losses / wanted[:20] - 1).max())
        if tie:
            h.check("gpt2_tiny: the export has both copies trained",
                    np.array_equal(after["lm_head.weight"].T,
                                   after["val_212"]))
    h.check("gpt2_tiny: --tie gives the curve of the tied reference",
            gap["tied"] < 1e-4 < gap["apart"], gap)


def main():
    h = harness.Harness(__doc__)
    harness.classifier_data(h.path("data.npz"))
    patterns(h)
    scalar_by_name(h)
    twins(h)
    frozen_statistics(h)
    folder = os.path.join(os.environ.get("AMP_REFERENCE_MODELS", ""),
                          "gpt2_tiny")
    if os.path.exists(os.path.join(folder, "model_dynamo.onnx")):
        real_twins(h, folder)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
