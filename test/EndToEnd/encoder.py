#!/usr/bin/env python3
"""KF-32: a change of the code must not change loss scaling. The small encoder of
examples/ is trained for 200 steps with Adam; in fp16 its scales and skipped
steps are those stored (test/EndToEnd/Inputs/encoder.json), and in every precision
its losses and the norms of its gradients are those of float64 arithmetic that
skips the same steps.

    encoder.py --bin FOLDER [--json FILE]
    encoder.py --bin FOLDER --store     # writes the stored numbers anew
"""

import json
import os
import sys

import numpy as np

import encoder_float64
import harness

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../examples/tiny_encoder.onnx")
STORED = os.path.join(HERE, "Inputs", "encoder.json")
STEPS, BATCH, SEED = 200, 16, 32
# An epsilon of the size of the gradients: Adam then notices if they are scaled.
RATE, EPSILON = 0.003, 1e-2
SCALER = "pytorch,growth_interval=20"
# Largest relative distances of a loss and of the norm of a step's gradients.
BOUNDS = {"fp32": (1e-5, 1e-4), "bf16": (1e-2, 1e-1), "fp16": (2e-3, 2e-2)}


def tokens():
    """Progressions modulo 63; a quarter of their tokens is hidden by a 0."""
    random = np.random.default_rng(SEED)
    rows = 16 * BATCH
    start, step = (random.integers(1, n, (rows, 1)) for n in (64, 8))
    target = (start + step * np.arange(16)) % 63 + 1
    ids = np.where(random.random(target.shape) < 0.25, 0, target)
    return ids.astype(np.int64), target.astype(np.int64)


def exact(skipped=(), steps=STEPS):
    ids, target = tokens()
    rows = [slice(i % 16 * BATCH, i % 16 * BATCH + BATCH) for i in range(steps)]
    return encoder_float64.curve(
        harness.initializers(MODEL), [(ids[r], target[r]) for r in rows], RATE,
        EPSILON, skipped=skipped)


def train(h, precision, *options):
    trainer, log = h.path("trainer"), h.path("log.jsonl")
    h.must(h.program("amp-compile"), MODEL, "--batch", BATCH, "--loss",
           "softmax_cross_entropy,class_axis=-1", "--optimizer",
           f"adam,lr={RATE},eps={EPSILON}", "--precision", precision,
           "--loss-scaler", SCALER if precision == "fp16" else "none", "-o",
           trainer, *options)
    if os.path.exists(log):
        os.remove(log)
    h.must(trainer, "--data", h.path("data.npz"), "--steps", STEPS,
           "--no-shuffle", "--last-batch", "wrap", "--metrics", log)
    return harness.metrics(log)


def skips(log):
    return [line["step"] for line in log if line["found_inf"]]


def distance(log, key, wanted):
    pairs = [(line[key], w) for line, w in zip(log, wanted)
             if not line["found_inf"]]
    return max(abs(got - w) / w for got, w in pairs)


def compare(h, precision, log, wanted):
    for key, reference, bound in zip(("loss", "grad_norm"), wanted,
                                     BOUNDS[precision]):
        far = distance(log, key, reference)
        h.check(f"KF-32: {precision}, {key} of {STEPS} steps",
                len(log) == STEPS and far < bound,
                f"largest relative distance {far:.2e}, bound {bound:g}")


def main():
    storing = "--store" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--store"]
    h = harness.Harness(__doc__)
    ids, target = tokens()
    np.savez(h.path("data.npz"), input_ids=ids, target=target)
    half = train(h, "fp16")
    if storing:
        stored = dict(scales=[line["loss_scale"] for line in half],
                      skipped=skips(half), plain=exact(),
                      with_skips=exact(skips(half)))
        with open(STORED, "w", encoding="utf-8") as file:
            json.dump(stored, file)
            file.write("\n")
    with open(STORED, encoding="utf-8") as file:
        stored = json.load(file)
    first = exact(steps=3)
    h.check("the stored losses are those of float64 arithmetic",
            np.allclose(first[0], stored["plain"][0][:3], 1e-12) and
            np.allclose(first[1], stored["plain"][1][:3], 1e-12))
    h.check("the stored run learns, grows and skips",
            stored["plain"][0][-1] < 0.3 * stored["plain"][0][0] and
            len(stored["skipped"]) > 2 and len(set(stored["scales"])) > 3)
    for precision in ("fp32", "bf16"):
        compare(h, precision, train(h, precision), stored["plain"])
    for name, options in (("", ()), (" unfused", ("--no-fusion",)),
                          (" for AVX2", ("--cpu", "x86-64-v3"))):
        log = train(h, "fp16", *options) if options else half
        h.check(f"KF-32: fp16{name}, the scale of every step",
                [line["loss_scale"] for line in log] == stored["scales"] and
                skips(log) == stored["skipped"], f"skipped {skips(log)}")
    compare(h, "fp16", half, stored["with_skips"])
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
