#!/usr/bin/env python3
"""What the update does: every optimizer with PyTorch's formulas and defaults,
clipping by norm and by value, and the learning-rate schedules.

    update.py --bin FOLDER [--json FILE]
"""

import math
import sys

import harness
import numpy as np
import reference

BATCH, STEPS = 32, 15
# Relative, of a whole tensor, after all steps.
LIMIT = 2e-5

OPTIMIZERS = (
    ("sgd", "lr=0.1", dict(lr=0.1)),
    ("sgd", "lr=0.05,momentum=0.9,nesterov=true,weight_decay=0.01",
     dict(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)),
    ("sgd", "lr=0.05,momentum=0.8,dampening=0.3",
     dict(lr=0.05, momentum=0.8, dampening=0.3)),
    ("adam", "lr=0.01", dict(lr=0.01)),
    ("adam", "lr=0.01,betas=0.8:0.99,weight_decay=0.02,amsgrad=true",
     dict(lr=0.01, betas=(0.8, 0.99), weight_decay=0.02, amsgrad=True)),
    ("adamw", "lr=0.01,eps=1e-06", dict(lr=0.01, eps=1e-6)),
    ("rmsprop", "lr=0.005", dict(lr=0.005)),
    ("rmsprop", "lr=0.005,alpha=0.9,momentum=0.5,centered=true",
     dict(lr=0.005, alpha=0.9, momentum=0.5, centered=True)),
    ("adagrad", "lr=0.05", dict(lr=0.05)),
    ("adagrad", "lr=0.05,lr_decay=0.1,initial_accumulator_value=0.2",
     dict(lr=0.05, lr_decay=0.1, initial_accumulator_value=0.2)),
    ("nadam", "lr=0.01", dict(lr=0.01)),
    ("nadam", "lr=0.01,momentum_decay=0.1,weight_decay=0.02,"
     "decoupled_weight_decay=true",
     dict(lr=0.01, momentum_decay=0.1, weight_decay=0.02, decoupled=True)),
    ("radam", "lr=0.01,weight_decay=0.02", dict(lr=0.01, weight_decay=0.02)),
    ("radam", "lr=0.01,betas=0.8:0.7", dict(lr=0.01, betas=(0.8, 0.7))),
    ("adafactor", "lr=0.05", dict(lr=0.05)),
    ("adafactor", "lr=0.05,beta2_decay=-0.6,eps=0.001:0.02,d=1.5,"
     "weight_decay=0.02",
     dict(lr=0.05, beta2_decay=-0.6, eps=(0.001, 0.02), d=1.5,
          weight_decay=0.02)),
    ("lamb", "lr=0.01", dict(lr=0.01)),
    ("lamb", "lr=0.01,betas=0.8:0.99,bias_correction=false,weight_decay=0",
     dict(lr=0.01, betas=(0.8, 0.99), bias_correction=False,
          weight_decay=0)),
    ("lion", "lr=0.001", dict(lr=0.001)),
    ("lion", "lr=0.001,betas=0.8:0.95,weight_decay=0.1",
     dict(lr=0.001, betas=(0.8, 0.95), weight_decay=0.1)),
)

# What each schedule gives before update number t, of STEPS with lr 0.1.
SCHEDULES = {
    "constant": lambda t: 0.1,
    "constant,warmup=4": lambda t: 0.1 * min(1, (t + 1) / 4),
    "step,period=4,gamma=0.5": lambda t: 0.1 * 0.5 ** (t // 4),
    "cosine": lambda t: 0.1 * (1 + math.cos(math.pi * t / STEPS)) / 2,
    "cosine,warmup=3,total=9,min=0.02": lambda t: 0.1 * (t + 1) / 3 if t < 3
    else 0.02 + 0.08 * (1 + math.cos(math.pi * min(1, (t - 3) / 6))) / 2,
    "linear,min=0.01": lambda t: 0.1 - 0.09 * t / STEPS,
}


def compiled(h, optimizer, *options):
    h.must(h.program("amp-compile"), h.path("model.onnx"), "--batch", BATCH,
           "--loss", "softmax_cross_entropy", "--optimizer", optimizer,
           "-o", h.path("trainer"), *options)


def train(h, *options):
    log, out = h.path("log.jsonl"), h.path("out.onnx")
    h.must(h.path("trainer"), "--data", h.path("data.npz"), "--steps", STEPS,
           "--no-shuffle", "--metrics", log, "--export", out, *options)
    return harness.metrics(log), harness.initializers(out)


def expected(h, before, optimizer, rate=lambda t: None, **clip):
    """Weights, losses and unclipped norms of the same training in float64."""
    data = np.load(h.path("data.npz"))
    net = reference.Network(before)
    losses, norms = [], []
    for step in range(STEPS):
        at = slice(step * BATCH, (step + 1) * BATCH)
        loss, gradients = net.loss(data["x"][at], data["target"][at])
        losses.append(loss)
        norms.append(reference.norm(gradients))
        optimizer.step(net.weights, reference.clipped(gradients, **clip),
                       rate(step))
    return net.weights, np.array(losses), np.array(norms)


def compare(h, name, got, wanted, limit=LIMIT):
    log, weights = got
    expected_weights, losses, norms = wanted
    far = max(float(np.linalg.norm(weights[n] - w) / np.linalg.norm(w))
              for n, w in expected_weights.items())
    loss = np.abs([l["loss"] for l in log] / losses - 1).max()
    norm = np.abs([l["grad_norm"] for l in log] / norms - 1).max()
    h.check(name, max(far, loss, norm) < limit,
            f"weights {far:.1e}, loss {loss:.1e}, norm {norm:.1e}")


def optimizers(h, before):
    for kind, text, options in OPTIMIZERS:
        compiled(h, f"{kind},{text}")
        compare(h, f"{kind},{text}", train(h),
                expected(h, before, reference.Optimizer(kind, **options)))
    code, text = h.run(h.program("amp-compile"), h.path("model.onnx"),
                       "--batch", BATCH, "--loss", "softmax_cross_entropy",
                       "--optimizer", "adam,momentun=0.9", "-o",
                       h.path("none"))
    h.check("an unknown key is an error that lists the known ones",
            code == 2 and "momentun" in text and "betas" in text,
            harness.last_line(text))


def clipping(h, before):
    def sgd():
        return reference.Optimizer("sgd", 0.5)

    compiled(h, "sgd,lr=0.5", "--clip-norm", 0.3)
    wanted = expected(h, before, sgd(), clip_norm=0.3)
    h.check("the bound of the norm matters", (wanted[2] > 0.3).any())
    compare(h, "--clip-norm", train(h), wanted)
    compare(h, "--clip-norm of the run", train(h, "--clip-norm", 0.1),
            expected(h, before, sgd(), clip_norm=0.1))
    code, text = h.run(h.path("trainer"), "--data", h.path("data.npz"),
                       "--clip-value", 1)
    h.check("a program compiled for the norm refuses --clip-value", code == 2,
            harness.last_line(text))
    compiled(h, "sgd,lr=0.5", "--clip-norm", 0.3, "--precision", "fp16",
             "--loss-scaler", "static,scale=1024")
    compare(h, "the norm is clipped after the loss scale is taken out",
            train(h), wanted, limit=0.02)
    compiled(h, "sgd,lr=0.5", "--clip-value", 0.01)
    compare(h, "--clip-value", train(h),
            expected(h, before, sgd(), clip_value=0.01))
    compare(h, "--clip-value of the run", train(h, "--clip-value", 0.002),
            expected(h, before, sgd(), clip_value=0.002))


def schedules(h, before):
    compiled(h, "sgd,lr=0.2")
    for text, rate in SCHEDULES.items():
        got = train(h, "--lr", 0.1, "--lr-schedule", text)
        wanted = [rate(t) for t in range(STEPS)]
        worst = max(abs(l["lr"] - w) for l, w in zip(got[0], wanted))
        h.check(f"rates of {text}", worst < 1e-8, f"{worst:.1e}")
        compare(h, f"training with {text}", got,
                expected(h, before, reference.Optimizer("sgd", 0.1), rate))


def main():
    h = harness.Harness(__doc__)
    before = harness.model_from_text(h.path("model.onnx"), reference.MODEL)
    harness.classifier_data(h.path("data.npz"))
    optimizers(h, before)
    clipping(h, before)
    schedules(h, before)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
