#!/usr/bin/env python3
"""What a step reads of a weight is what the update has written: no launch of a
step converts or reorders one, however the parameters are stored, on
the instructions of this machine and on AVX2.

    weights.py --bin FOLDER [--json FILE]

The folder of reference models is AMP_REFERENCE_MODELS.
"""

import json
import os
import re
import sys

import numpy as np

import harness
import shared

# Precision, storage, instructions. AVX2 has no products of bfloat16, so every
# low weight is read in a wider copy there.
STORED = (
    ("bf16", "f32", "native"), ("bf16", "none", "native"),
    ("bf16", "bf16+residual", "native"), ("fp16", "none", "native"),
    ("bf16", "none", "x86-64-v3"), ("bf16", "bf16+residual", "x86-64-v3"),
    ("fp16", "f32", "x86-64-v3"), ("fp16", "none", "x86-64-v3"),
)
# These compile in any state of the compiler; none may drop out.
SPINE = {"mlp_digits", "cnn_fashion", "gpt2_tiny", "resnet18_small"}

# Convolutions of every kind and a product. Frozen is a weight that no update
# writes.
NET = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[batch, 3, 8, 8] x) => (float[batch, 5] logits)
<KIND[24,3,3,3] stem, KIND[24] stem_bias, KIND[24,1,3,3] deep,
 KIND[32,24,1,1] frozen, KIND[20,32,3,3] last, KIND[20,5] head> {
  X
  a = Conv<pads=[1,1,1,1]>(input, stem, stem_bias)
  b = Relu(a)
  c = Conv<pads=[1,1,1,1], group=24>(b, deep)
  d = Conv(c, frozen)
  e = Relu(d)
  f = Conv<strides=[2,2], pads=[1,1,1,1]>(e, last)
  g = GlobalAveragePool(f)
  h = Flatten(g)
  k = MatMul(h, head)
  Y
}
"""


def net(kind):
    """The model with parameters of this type; its input and output stay
    float32."""
    if kind == "float":
        text = NET.replace("X\n", "input = Identity(x)\n").replace(
            "Y\n", "logits = Identity(k)\n")
    else:
        number = {"float16": 10, "bfloat16": 16}[kind]
        text = NET.replace("X\n", f"input = Cast<to={number}>(x)\n").replace(
            "Y\n", "logits = Cast<to=1>(k)\n")
    return text.replace("KIND", kind)


def changed(h, package):
    """The parameters that launches change in each run."""
    text = h.must(h.program("amp-trainer"), "--package", package,
                  "--print-info")
    found = re.search(r"parameters converted .* in each run: (.*)", text)
    return found[1] if found else "no line about it"


def stored_words(precision, master, cpu):
    return ["--precision", precision, "--master-weights", master, "--cpu", cpu]


def check(h, name, *words):
    """Exit code of the compiler; the check is made if it is 0."""
    package = h.path("package")
    code, text = h.run(h.program("amp-compile"), *words, "--accumulate",
                       "--emit=package", "-o", package, limit=300)
    if code:
        return code
    casts = re.search(r"(\d+) parameter \(", text)
    parameters = changed(h, package)
    h.check(name, parameters == "none" and not casts,
            f"changed: {parameters}, casts: {casts[1] if casts else 0}")
    return 0


def models(h):
    folder = shared.root()
    for model in shared.names(folder) if folder else ():
        case = shared.Case.load(folder, model)
        if not case:
            continue
        for stored in STORED:
            name = " ".join((model, *stored))
            code = check(h, name, *case.compile_words(), *stored_words(*stored))
            if code in (2, 4) and model not in SPINE:
                break
            if code:
                h.check(name, False, f"exit {code}")


def words_of(*more):
    return ["--batch", 8, "--loss", "softmax_cross_entropy", "--freeze",
            "frozen", *more]


def presets(h):
    """Other reasons for a low type: presets that make the model low, a file
    that has no other, parameters of several optimizers, no training at all."""
    for preset in ("O2", "O3"):
        for master in ("f32", "none"):
            check(h, f"{preset}, {master}", h.path("float.onnx"),
                  *words_of("--preset", preset),
                  *stored_words("fp16", master, "native"))
    for kind in ("float16", "bfloat16"):
        for precision in ("fp32", "bf16", "fp16"):
            for cpu in ("native", "x86-64-v3"):
                name = f"{kind} in the file, {precision} {cpu}"
                check(h, name, h.path(kind + ".onnx"), *words_of(),
                      "--precision", precision, "--cpu", cpu)
                package = h.path("package")
                h.must(h.program("amp-compile"), h.path(kind + ".onnx"),
                       "--batch", 8, "--precision", precision, "--cpu", cpu,
                       "--emit=package", "-o", package)
                parameters = changed(h, package)
                h.check(name + ", predicting", parameters == "none",
                        parameters)
    check(h, "two optimizers", h.path("float.onnx"),
          *words_of("--optimizer", "one:sgd,params=stem*", "--optimizer",
                    "two:lamb"), *stored_words("bf16", "none", "native"))


def train(h, trainer, tag, *options):
    log = h.path(tag + ".jsonl")
    if os.path.exists(log) and "--resume" not in options:
        os.remove(log)
    h.must(trainer, "--data", h.path("data.npz"), "--no-shuffle", "--metrics",
           log, "--export", h.path(tag + ".onnx"), *options)
    return harness.metrics(log), harness.initializers(h.path(tag + ".onnx"))


def evaluated(h, trainer, *options):
    log = h.path("eval.jsonl")
    if os.path.exists(log):
        os.remove(log)
    h.must(trainer, "--eval", "--val", h.path("data.npz"), "--metrics", log,
           *options)
    with open(log, encoding="utf-8") as file:
        return json.loads(file.readlines()[-1])["val_loss"]


def follows(h):
    """The copies are those of the weights, after steps, after windows of
    micro-batches, after a checkpoint, and where nothing is trained. A program
    compiled from the export has masters, so what it reads is another copy."""
    for stored in STORED[1:]:
        name = " ".join(stored)
        plain = words_of("--accumulate", "--optimizer", "adamw,lr=0.01")
        words = [*plain, *stored_words(*stored)]
        trainer, again = h.path("trainer"), h.path("again")
        h.must(h.program("amp-compile"), h.path("float.onnx"), *words, "-o",
               trainer)
        for window in (1, 2):
            folder = h.path(f"checkpoints {name} {window}")
            more = ["--grad-accum", window]
            whole, after = train(h, trainer, "whole", "--steps", 12, *more)
            more += ["--checkpoint-dir", folder]
            train(h, trainer, "parts", "--steps", 5, *more)
            parts, resumed = train(h, trainer, "parts", "--steps", 12,
                                   "--resume", *more)
            # The copies after the resume are made from what is stored, the
            # others are those that each update has left.
            h.check(f"{name}: {window} batches a step, resumes bit by bit",
                    [l["loss"] for l in parts] == [l["loss"] for l in whole]
                    and all(after[n].tobytes() == resumed[n].tobytes()
                            for n in after))
        h.check(f"{name}: learns", whole[-1]["loss"] < 0.9 * whole[0]["loss"],
                f"{whole[0]['loss']:.3f} to {whole[-1]['loss']:.3f}")
        # With a residual the export is float32, and forward reads its bfloat16.
        h.must(h.program("amp-compile"), h.path("parts.onnx"), *plain,
               *stored_words(stored[0], "f32", stored[2]), "-o", again)
        losses = (evaluated(h, trainer, "--checkpoint-dir", folder, "--resume"),
                  evaluated(h, again))
        h.check(f"{name}: forward reads what is stored",
                losses[0] == losses[1], f"{losses[0]}, {losses[1]}")


def main():
    h = harness.Harness(__doc__)
    for kind in ("float", "float16", "bfloat16"):
        harness.model_from_text(h.path(kind + ".onnx"), net(kind))
    random = np.random.default_rng(4)
    target = random.integers(0, 5, 96)
    centres = random.standard_normal((5, 3, 8, 8))
    x = centres[target] + 0.3 * random.standard_normal((96, 3, 8, 8))
    np.savez(h.path("data.npz"), x=x.astype(np.float32),
             target=target.astype(np.int64))
    presets(h)
    follows(h)
    models(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
