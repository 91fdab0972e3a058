#!/usr/bin/env python3
"""Which rows a step sees: the order with and without --shuffle, the three ends
of an epoch, and evaluation, which counts each row once.

    batching.py --bin FOLDER [--json FILE]
"""

import json
import sys

import harness
import numpy as np
import reference

BATCH, ROWS, EPOCHS, RATE = 32, 100, 3, 0.05
LIMIT = 5e-6


def rows_of_steps(mode, order):
    """For each step its rows; `order` gives the rows of an epoch."""
    if mode == "wrap":
        stream = np.concatenate([order(e) for e in range(EPOCHS + 1)])
        return [stream[at:at + BATCH]
                for at in range(0, EPOCHS * ROWS, BATCH)]
    end = ROWS if mode == "pad" else ROWS - ROWS % BATCH
    return [order(e)[at:min(at + BATCH, ROWS)]
            for e in range(EPOCHS) for at in range(0, end, BATCH)]


def compare(h, name, data, before, steps, *options):
    log, out = h.path("log.jsonl"), h.path("out.onnx")
    h.must(h.path("trainer"), "--data", h.path("train.npz"), "--epochs",
           EPOCHS, "--metrics", log, "--export", out, *options)
    got = harness.metrics(log)
    if not h.check(f"{name}: steps", len(got) == len(steps),
                   f"{len(got)}, wanted {len(steps)}"):
        return
    net = reference.Network(before)
    sgd = reference.Optimizer("sgd", RATE)
    worst = 0
    for line, rows in zip(got, steps):
        loss, gradients = net.loss(data["x"][rows], data["target"][rows])
        worst = max(worst, abs(line["loss"] / loss - 1))
        sgd.step(net.weights, gradients)
    weights = harness.initializers(out)
    far = max(float(np.linalg.norm(weights[n] - w) / np.linalg.norm(w))
              for n, w in net.weights.items())
    h.check(f"{name}: the rows of each step", max(worst, far) < LIMIT,
            f"loss {worst:.1e}, weights {far:.1e}")


def orders(h, data, before):
    for mode in ("drop", "wrap", "pad"):
        plain = rows_of_steps(mode, lambda e: np.arange(ROWS))
        compare(h, f"{mode}, file order", data, before, plain, "--no-shuffle",
                "--last-batch", mode)
        for seed in (0, 7):
            mixed = rows_of_steps(
                mode, lambda e: np.array(reference.shuffled(ROWS, seed, e)))
            compare(h, f"{mode}, shuffled by seed {seed}", data, before, mixed,
                    "--shuffle", "--seed", seed, "--last-batch", mode)


def evaluations(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [line for line in lines if "eval_step" in line]


def evaluation(h, data, before):
    """The rows of the evaluation fill no batch."""
    log = h.path("eval.jsonl")
    h.must(h.path("trainer"), "--data", h.path("train.npz"), "--val",
           h.path("val.npz"), "--epochs", 2, "--no-shuffle", "--metrics", log)
    per_epoch = ROWS // BATCH
    lines = evaluations(log)
    h.check("one evaluation an epoch", [l["eval_step"] for l in lines] ==
            [per_epoch, 2 * per_epoch], lines)
    val = np.load(h.path("val.npz"))
    net = reference.Network(before)
    sgd = reference.Optimizer("sgd", RATE)
    for epoch, line in enumerate(lines):
        for rows in rows_of_steps("drop", lambda e: np.arange(ROWS))[
                :per_epoch]:
            sgd.step(net.weights,
                     net.loss(data["x"][rows], data["target"][rows])[1])
        loss = net.loss(val["x"], val["target"])[0]
        correct = round(net.accuracy(val["x"], val["target"]) * 77)
        h.check(f"evaluation {epoch}: loss, accuracy and rows",
                abs(line["val_loss"] / loss - 1) < LIMIT
                and line["val_correct"] == correct
                and line["val_rows"] == line["val_counted"] == 77,
                f"{line['val_loss']:.6f}, {line['val_correct']}, wanted "
                f"{loss:.6f}, {correct}")
    h.must(h.path("trainer"), "--data", h.path("train.npz"), "--val",
           h.path("val.npz"), "--steps", 5, "--eval-every", 2, "--metrics", log)
    h.check("--eval-every",
            [l["eval_step"] for l in evaluations(log)] == [2, 4, 5])
    text = h.must(h.path("trainer"), "--eval", "--data", h.path("val.npz"))
    net = reference.Network(before)
    loss = net.loss(val["x"], val["target"])[0]
    h.check("--eval prints the loss of the untrained model",
            f"{loss:.5g}" in text, harness.last_line(text))


def other_arrays(h, data):
    """Arrays that the model does not take are left alone, whatever they hold."""
    fields = np.zeros(2, [("a", "<f4"), ("b", "<i8", (2,))])
    np.savez(h.path("more.npz"), **data, note=np.array("a text"),
             spectrum=np.ones((3, 2), np.complex64), fields=fields,
             things=np.array([None, "x"], dtype=object))
    losses = []
    for name in ("train.npz", "more.npz"):
        h.must(h.path("trainer"), "--data", h.path(name), "--steps", 3,
               "--metrics", h.path("log.jsonl"))
        losses.append([l["loss"]
                       for l in harness.metrics(h.path("log.jsonl"))])
    h.check("arrays of other types beside the model's", losses[0] == losses[1])
    code, text = h.run(h.path("trainer"), "--data", h.path("more.npz"),
                       "--map", "spectrum=x", "--map", "x=none", "--steps", 1)
    h.check("one of them as an input is an error that names its type",
            code == 3 and "'spectrum': element type '<c8' is not supported"
            in text, harness.last_line(text))


def nothing_counts(h, data):
    """A mean over no target is NaN, in training and evaluation."""
    np.savez(h.path("none.npz"), x=data["x"][:BATCH],
             target=np.full(BATCH, -100))
    h.must(h.path("trainer"), "--data", h.path("none.npz"), "--val",
           h.path("none.npz"), "--steps", 1, "--metrics", h.path("log.jsonl"))
    with open(h.path("log.jsonl"), encoding="utf-8") as file:
        step, val = [json.loads(line) for line in file]
    h.check("the loss where no target counts", step["loss"] == "nan"
            and val["val_loss"] == "nan" and val["val_counted"] == 0,
            f"{step['loss']}, {val['val_loss']}")


def main():
    h = harness.Harness(__doc__)
    before = harness.model_from_text(h.path("model.onnx"), reference.MODEL)
    harness.classifier_data(h.path("train.npz"), rows=ROWS)
    harness.classifier_data(h.path("val.npz"), rows=77, seed=5)
    h.must(h.program("amp-compile"), h.path("model.onnx"), "--batch", BATCH,
           "--loss", "softmax_cross_entropy", "--optimizer", f"sgd,lr={RATE}",
           "-o", h.path("trainer"))
    data = np.load(h.path("train.npz"))
    orders(h, data, before)
    evaluation(h, data, before)
    other_arrays(h, data)
    nothing_counts(h, data)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
