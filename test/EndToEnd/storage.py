#!/usr/bin/env python3
"""How parameters and moments are stored: --master-weights, --moments and
--stochastic-rounding, each resumed, exported and read back; parameters that the
source model stores in 16 bits.

    storage.py --bin FOLDER [--json FILE]
"""

import json
import os
import struct
import sys

import harness
import numpy as np
import onnx
import reference

BATCH, STEPS = 32, 24

# Options of amp-compile, and the type of a weight and of a moment in a
# checkpoint. The weights are read in the low type, the biases in float32.
MODES = (
    ("float32 masters", ["--precision", "bf16"], "F32", "F32"),
    ("no master, bf16",
     ["--precision", "bf16", "--master-weights", "none"], "BF16", "F32"),
    ("no master, fp16, moments in bf16",
     ["--precision", "fp16", "--master-weights", "none", "--moments", "bf16"],
     "F16", "BF16"),
    ("no master, stochastic",
     ["--precision", "bf16", "--master-weights", "none", "--moments", "bf16",
      "--stochastic-rounding"], "BF16", "BF16"),
    ("residual",
     ["--precision", "bf16", "--master-weights", "bf16+residual"],
     "BF16", "F32"),
    ("moments in fp16",
     ["--precision", "bf16", "--moments", "fp16"], "F32", "F16"),
)
OPTIMIZERS = ("adamw,lr=0.01", "lamb,lr=0.01", "adafactor,lr=0.05",
              "lion,lr=0.001", "nadam,lr=0.01", "radam,lr=0.01",
              "sgd,lr=0.1,momentum=0.9")


def compiled(h, name, optimizer, *options, model="model.onnx"):
    return h.must(h.program("amp-compile"), h.path(model), "--batch", BATCH,
                  "--loss", "softmax_cross_entropy", "--optimizer", optimizer,
                  "-o", h.path(name), *options)


def train(h, trainer, tag, *options, steps=STEPS):
    log = h.path(tag + ".jsonl")
    if os.path.exists(log) and "--resume" not in options:
        os.remove(log)
    h.must(h.path(trainer), "--data", h.path("data.npz"), "--steps", steps,
           "--shuffle", "--seed", 3, "--metrics", log,
           "--export", h.path(tag + ".onnx"), *options)
    return [l["loss"] for l in harness.metrics(log)]


def exported(h, tag):
    return harness.initializers(h.path(tag + ".onnx"))


def same(a, b):
    return all(np.array_equal(a[n].view(np.uint32), b[n].view(np.uint32))
               for n in b)


def checkpoint(h, folder):
    """Name -> (type, bytes) of the newest checkpoint."""
    newest = sorted(d for d in os.listdir(h.path(folder))
                    if d.startswith("step-"))[-1]
    with open(h.path(folder, newest, "weights.safetensors"), "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    body = data[8 + length:]
    return {n: (t["dtype"], body[slice(*t["data_offsets"])])
            for n, t in header.items()}


def widened(kind, data):
    if kind == "F32":
        return np.frombuffer(data, np.float32)
    if kind == "F16":
        return np.frombuffer(data, np.float16).astype(np.float32)
    return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(
        np.float32)


def modes(h):
    for name, options, weight, moment in MODES:
        compiled(h, "trainer", "adamw,lr=0.01", *options)
        whole = train(h, "trainer", "whole")
        train(h, "trainer", "part", "--checkpoint-dir", h.path("ckpt " + name),
              steps=STEPS // 2)
        stored = checkpoint(h, "ckpt " + name)
        h.check(f"{name}: types in the checkpoint",
                stored["fc1_weight"][0] == weight
                and stored["fc1_weight.exp_avg"][0] == moment
                and stored["fc1_weight.exp_avg_sq"][0] == moment,
                f"{stored['fc1_weight'][0]}, "
                f"{stored['fc1_weight.exp_avg'][0]}")
        if name != "residual":
            after = exported(h, "part")
            h.check(f"{name}: the export is what the checkpoint holds",
                    all(np.array_equal(after[n].ravel(), widened(*stored[n]))
                        for n in after))
        resumed = train(h, "trainer", "part", "--checkpoint-dir",
                        h.path("ckpt " + name), "--resume")
        h.check(f"{name}: resumes bit by bit",
                whole == resumed and same(exported(h, "whole"),
                                          exported(h, "part")))
        h.check(f"{name}: learns", whole[-1] < 0.8 * whole[0],
                f"{whole[0]:.3f} to {whole[-1]:.3f}")
        h.must(h.path("trainer"), "--threads", 1, "--data", h.path("data.npz"),
               "--steps", STEPS, "--shuffle", "--seed", 3, "--export",
               h.path("one.onnx"))
        h.check(f"{name}: as many threads as you like",
                same(exported(h, "whole"), exported(h, "one")))


def residual(h):
    """A split parameter has the bits of a float32 one. The copy that forward
    reads differs where a value lies half way between two bfloat16, which these
    runs do not meet."""
    for optimizer in OPTIMIZERS:
        results = []
        for master in ("f32", "bf16+residual"):
            compiled(h, "trainer", optimizer, "--precision", "bf16",
                     "--master-weights", master)
            losses = train(h, "trainer", master)
            results.append((losses, exported(h, master)))
        h.check(f"{optimizer}: the residual keeps every bit of a master",
                results[0][0] == results[1][0]
                and same(results[0][1], results[1][1]))


def reads(h):
    """What forward reads is what is stored: a program compiled from the export,
    whose masters hold low values, has the same losses to the last bit."""
    for precision in ("bf16", "fp16"):
        options = ["--precision", precision]
        compiled(h, "trainer", "adamw,lr=0.01", *options, "--master-weights",
                 "none")
        train(h, "trainer", "low", "--checkpoint-dir",
              h.path("ckpt reads " + precision))
        compiled(h, "again", "adamw,lr=0.01", *options, model="low.onnx")
        records = []
        for trainer, more in (("trainer", ["--resume", "--checkpoint-dir",
                                           h.path("ckpt reads " + precision)]),
                              ("again", [])):
            log = h.path(trainer + ".eval")
            h.must(h.path(trainer), "--eval", "--val", h.path("data.npz"),
                   "--metrics", log, *more)
            with open(log, encoding="utf-8") as file:
                records.append(json.loads(file.readlines()[-1])["val_loss"])
        h.check(f"no master, {precision}: forward reads what is stored",
                records[0] == records[1], f"{records[0]}, {records[1]}")


def small_steps(h):
    """Weight 1, gradient 1, rate 6e-4, 100 steps: the weight moves by 0.06
    with a master or a residual, by about as much when rounded by chance, and
    not at all without. y = x * w with one column of ones and a sum as loss has
    the gradient 1 everywhere."""
    text = """
        <ir_version: 8, opset_import: ["" : 17]>
        small (float[batch, 256] x) => (float[batch, 256] y)
        <float[256,256] weight> { y = MatMul(x, weight) }"""
    harness.model_from_text(h.path("small.onnx"), text)
    harness.set_initializers(
        h.path("small.onnx"),
        lambda values: {"weight": np.ones((256, 256), np.float32)})
    # The mean of y - t over 256 outputs of one row has the gradient x / 256.
    x = np.full((1, 256), 256, np.float32)
    np.savez(h.path("ones.npz"), x=x,
             target=np.zeros((1, 256), np.float32) - 1e6)
    moved = {}
    for name, options in (("f32", []), ("none", ["--master-weights", "none"]),
                          ("stochastic", ["--master-weights", "none",
                                          "--stochastic-rounding"]),
                          ("residual", ["--master-weights", "bf16+residual"])):
        h.must(h.program("amp-compile"), h.path("small.onnx"), "--batch", 1,
               "--loss", "l1", "--optimizer", "sgd,lr=6e-4", "--precision",
               "bf16", "-o", h.path("trainer"), *options)
        h.must(h.path("trainer"), "--data", h.path("ones.npz"), "--steps", 100,
               "--no-shuffle", "--export", h.path("moved.onnx"))
        moved[name] = float(
            np.mean(1 - harness.initializers(h.path("moved.onnx"))["weight"]))
    h.check("small updates: a master keeps them",
            abs(moved["f32"] - 0.06) < 1e-4, f"{moved['f32']:.5f}")
    h.check("small updates: a residual keeps them",
            moved["residual"] == moved["f32"])
    h.check("small updates: bf16 alone loses all of them", moved["none"] == 0)
    h.check("small updates: chance keeps them on average",
            abs(moved["stochastic"] - 0.06) < 5 * 5 / 256 / 256,
            f"{moved['stochastic']:.5f}")


def moments_in_half(h, before):
    """Gradients of 1e4 and of 1e-3, whose squares float16 does not hold, make
    the steps that float64 makes; the loss has that weight."""
    data = np.load(h.path("data.npz"))
    for weight in (3e4, 1, 3e-2):
        for text, kind, options in (
                ("adam,lr=0.01", "adam", dict(lr=0.01)),
                ("lamb,lr=0.01", "lamb", dict(lr=0.01)),
                ("nadam,lr=0.01", "nadam", dict(lr=0.01)),
                ("radam,lr=0.01", "radam", dict(lr=0.01)),
                ("adagrad,lr=0.05,initial_accumulator_value=0.2", "adagrad",
                 dict(lr=0.05, initial_accumulator_value=0.2)),
                ("rmsprop,lr=0.005,momentum=0.5", "rmsprop",
                 dict(lr=0.005, momentum=0.5)),
                ("adafactor,lr=0.05", "adafactor", dict(lr=0.05))):
            h.must(h.program("amp-compile"), h.path("model.onnx"), "--batch",
                   BATCH, "--loss", f"softmax_cross_entropy,weight={weight}",
                   "--optimizer", text, "--moments", "fp16", "-q", "-o",
                   h.path("trainer"))
            h.must(h.path("trainer"), "--data", h.path("data.npz"), "--steps",
                   STEPS // 2, "--no-shuffle", "--export", h.path("half.onnx"))
            after = harness.initializers(h.path("half.onnx"))
            net = reference.Network(before)
            optimizer = reference.Optimizer(kind, **options)
            largest = 0
            for step in range(STEPS // 2):
                at = slice(step * BATCH, (step + 1) * BATCH)
                _, gradients = net.loss(data["x"][at], data["target"][at])
                gradients = {n: weight * g for n, g in gradients.items()}
                largest = max(largest, *(np.abs(g).max()
                                         for g in gradients.values()))
                optimizer.step(net.weights, gradients)
            far = max(float(np.linalg.norm(after[n] - w)
                            / np.linalg.norm(w - before[n]))
                      for n, w in net.weights.items())
            h.check(f"moments in fp16, {text}, gradients up to {largest:.1e}",
                    far < 0.01, f"{far:.1e} of the way")
    # What the identity of a program covers, and so a checkpoint's.
    info = h.must(h.path("trainer"), "--print-info")
    h.check("the program says that fp16 holds roots",
            "moments = fp16, squares as their roots" in info, "")


# Biases that are no part of a product, one of them under another shape.
ADDED = """
<ir_version: 8, opset_import: ["" : 17]>
added (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] fc1_weight, float[24,1] fc1_bias, float[24] gain,
 float[24,5] fc2_weight, float[1,5] fc2_bias> {
  shape = Constant<value_ints = [1, 24]>()
  row = Reshape(fc1_bias, shape)
  h = MatMul(x, fc1_weight)
  b = Add(h, row)
  t = Tanh(b)
  g = Mul(t, gain)
  p = MatMul(g, fc2_weight)
  logits = Add(p, fc2_bias)
}
"""


# Norms, whose parameters and statistics have the type of the data.
NORMALISED = """
<ir_version: 8, opset_import: ["" : 17]>
normalised (float[batch, 16] x) => (float[batch, 5] logits)
<float[16,24] fc1_weight, float[24] bn_weight, float[24] bn_bias,
 float[24] bn_running_mean, float[24] bn_running_var,
 float[24] ln_weight, float[24] ln_bias, float[24,5] fc2_weight> {
  h = MatMul(x, fc1_weight)
  n = BatchNormalization(h, bn_weight, bn_bias, bn_running_mean, bn_running_var)
  t = Tanh(n)
  m = LayerNormalization(t, ln_weight, ln_bias)
  logits = MatMul(m, fc2_weight)
}
"""


def one_step(h, model):
    h.must(h.program("amp-run"), h.path(model), "--batch", BATCH, "--loss",
           "softmax_cross_entropy", "--gradients", "--inputs",
           h.path("rows.npz"), "-o", h.path("g.npz"))
    return {n: v for n, v in np.load(h.path("g.npz")).items() if "/" in n}


def gradients_in_sixteen_bits(h):
    """Gradients and running statistics: as those of the same model in float32,
    but for the rounding of the activations."""
    data = dict(np.load(h.path("data.npz")))
    np.savez(h.path("rows.npz"), **{n: v[:BATCH] for n, v in data.items()})
    for name, text in (("sums", ADDED), ("norms", NORMALISED)):
        before = harness.model_from_text(h.path("exact.onnx"), text)
        wanted = one_step(h, "exact.onnx")
        h.check(f"{name}: every initializer has one of the two",
                len(wanted) == len(before), sorted(wanted))
        for kind, code, limit in (("float16", 10, 5e-3), ("bfloat16", 16, 5e-2)):
            low = text.replace("float[", kind + "[").replace(
                kind + "[batch, 16]", "float[batch, 16]")
            low = low.replace("MatMul(x,", "MatMul(low,").replace(
                "  h = ", f"  low = Cast<to={code}>(x)\n  h = ")
            harness.model_from_text(h.path("half.onnx"), low)
            got = one_step(h, "half.onnx")
            far = {n: float(np.linalg.norm(got[n] - v) / np.linalg.norm(v))
                   for n, v in wanted.items()}
            h.check(f"{name} of a {kind} model", max(far.values()) < limit,
                    ", ".join(f"{n} {e:.1e}" for n, e in far.items()))


def sixteen_bits(h):
    """A model whose parameters are float16 or bfloat16."""
    for kind in ("float16", "bfloat16"):
        before = harness.model_from_text(
            h.path("half.onnx"), reference.MODEL.replace("float[", kind + "["))
        for precision in ("fp32", "fp16", "bf16"):
            name = f"{kind} model in {precision}"
            compiled(h, "trainer", "sgd,lr=0.1", "--precision", precision,
                     model="half.onnx")
            losses = train(h, "trainer", "after", "--checkpoint-dir",
                           h.path("ckpt " + name))
            stored = checkpoint(h, "ckpt " + name)
            h.check(f"{name}: masters are float32",
                    all(stored[n][0] == "F32" for n in before))
            model = onnx.load(h.path("after.onnx"))
            kinds = {t.data_type for t in model.graph.initializer}
            h.check(f"{name}: the export keeps the type",
                    kinds == {getattr(onnx.TensorProto, kind.upper())})
            h.check(f"{name}: learns", losses[-1] < 0.5 * losses[0],
                    f"{losses[0]:.3f} to {losses[-1]:.3f}")


def refusals(h):
    def refused(name, code, words, *options, model="model.onnx"):
        got, text = h.run(h.program("amp-compile"), h.path(model), "--batch",
                          BATCH, "--loss", "softmax_cross_entropy", "-o",
                          h.path("none"), *options)
        h.check(name, got == code and all(w in text for w in words),
                f"exit {got}: {harness.last_line(text)}")

    refused("no master needs a low type", 2, ["--precision bf16 or fp16"],
            "--master-weights", "none")
    refused("a residual needs bf16", 2, ["needs --precision bf16"],
            "--master-weights", "bf16+residual", "--precision", "fp16")
    refused("nothing to round is an error", 2, ["nothing to round"],
            "--stochastic-rounding", "--precision", "bf16")
    refused("an unknown type of moments", 2, ["f32, bf16 or fp16"],
            "--moments", "fp8")
    harness.set_initializers(
        h.path("model.onnx"),
        lambda v: {"fc1_weight": np.full(v["fc1_weight"].shape, 1e5,
                                         np.float32)})
    refused("what the low type does not hold is not stored in it", 3,
            ["fc1_weight", "1.000000e+05", "--master-weights f32"],
            "--precision", "fp16", "--master-weights", "none")


def warnings(h):
    text = compiled(h, "trainer", "adam", "--precision", "bf16", "--moments",
                    "fp16")
    h.check("the range of moments in fp16 is warned of", "underflow" in text)
    text = compiled(h, "trainer", "adam", "--precision", "bf16", "--moments",
                    "bf16")
    h.check("there is no warning of those in bf16",
            "underflow" not in text and "moments     bf16" in text)
    text = compiled(h, "trainer", "rmsprop,centered=true", "--precision",
                    "bf16", "--moments", "fp16")
    h.check("a variance that is a difference stays float32",
            "underflow" not in text and "stores nothing" in text)
    text = compiled(h, "trainer", "sgd", "--precision", "bf16", "--moments",
                    "bf16")
    h.check("without any state there is nothing to store",
            "--moments bf16 stores nothing" in text)
    text = compiled(h, "trainer", "adam", "--precision", "bf16",
                    "--master-weights", "none")
    h.check("the rounding of initial values is reported",
            "initial values rounded, by at most 0." in text,
            next(l for l in text.splitlines() if l.startswith("masters")))


def main():
    h = harness.Harness(__doc__)
    before = harness.model_from_text(h.path("model.onnx"), reference.MODEL)
    harness.classifier_data(h.path("data.npz"))
    moments_in_half(h, before)
    modes(h)
    residual(h)
    reads(h)
    small_steps(h)
    sixteen_bits(h)
    gradients_in_sixteen_bits(h)
    warnings(h)
    refusals(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
