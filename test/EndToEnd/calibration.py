#!/usr/bin/env python3
"""Calibration: ranges of every value over real float32 steps, against numpy;
streamed over all rows (KF-78), data split along the batch (KF-66).

    calibration.py --bin FOLDER [--json FILE]
"""

import json
import os
import sys

import numpy as np

import harness

# Up to here float16 rounds to zero.
HALF_TO_ZERO = 2.0**-25


class Calibration:
    """Compiles the classifier with --calibrate and reads the ranges."""

    def __init__(self, h):
        self.h = h
        self.model = h.path("model.onnx")
        self.weights = harness.model_from_text(self.model, harness.CLASSIFIER)

    def compile(self, *flags, batch=32, name="out", steps=0):
        ranges = self.h.path(name + ".json")
        code, text = self.h.run(
            self.h.program("amp-compile"), self.model, "--batch", batch,
            "--loss", "softmax_cross_entropy", "--optimizer", "sgd,lr=0.1",
            "--precision", "fp16", "--calibrate-steps", steps,
            "--calibrate-out", ranges, "-o", self.h.path("train_" + name),
            *flags)
        if code:
            return code, text, None
        with open(ranges, encoding="utf-8") as file:
            return code, text, json.load(file)


def forward(w, x):
    """The values of the classifier in float64, batch norm in training form."""
    h = x @ w["fc1_weight"].T + w["fc1_bias"]
    mean, variance = h.mean(0), h.var(0)
    n = (h - mean) / np.sqrt(variance + 1e-5) * w["bn_weight"] + w["bn_bias"]
    r = np.maximum(n, 0)
    logits = r @ w["fc2_weight"].T + w["fc2_bias"]
    return dict(h=h, n=n, r=r, logits=logits)


def check_numbers(h, c):
    """One step without an update before it: every number by numpy."""
    with np.load(h.path("data.npz")) as data:
        x, target = data["x"][:32].astype(float), data["target"][:32]
    code, text, ranges = c.compile("--calibrate", h.path("data.npz"), steps=1)
    if not h.check("calibrates", code == 0, harness.last_line(text)):
        return None
    values = ranges["values"]
    w = {k: v.astype(float) for k, v in c.weights.items()}
    made = forward(w, x)
    p = np.exp(made["logits"] - made["logits"].max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    p[np.arange(32), target] -= 1
    made["dlogits"] = p / 32
    made["dr"] = made["dlogits"] @ w["fc2_weight"]
    made["dw2"] = made["dlogits"].T @ made["r"]
    keys = {
        "x": "x|argument|forward|0|0",
        "w": "fc1_weight|read|forward|0|0",
        "h": "h|matmul|forward|0|0",
        "n": "n|batch_norm|forward|0|0",
        "r": "r|relu|forward|0|0",
        "logits": "logits|matmul|forward|0|0",
        "dlogits": "softmax_cross_entropy|softmax_cross_entropy_grad|backward"
                   "|0|0",
        "dr": "logits|matmul|backward|0|0",
        "dw2": "logits|matmul|backward|1|0",
    }
    made.update(x=x, w=w["fc1_weight"])
    for name, key in keys.items():
        found, wanted = values.get(key), made[name]
        if found is None:
            h.check(f"{key} is there", False)
            continue
        size = np.abs(wanted)
        same = (found["count"] == wanted.size and found["nonfinite"] == 0
                and np.allclose([found["min"], found["max"], found["max_abs"]],
                                [wanted.min(), wanted.max(), size.max()],
                                rtol=1e-4, atol=1e-7))
        # Rounding may move an element across a border; a handful at most.
        exponents = np.floor(np.log2(size[size > 0])).astype(int)
        counts = {int(e): n for e, n in found["exponents"].items()}
        same &= sum(counts.values()) + found["zeros"] == wanted.size
        same &= sum(abs(counts.get(e, 0) - (exponents == e).sum())
                    for e in {*counts, *exponents}) <= 4
        lost = ((size > 0) & (size <= HALF_TO_ZERO)).sum()
        same &= abs(found["zero_in_f16"] - lost) <= 2
        same &= found["inf_in_f16"] == found["inf_in_bf16"] == 0
        same &= found["lost_f16"] == found["zero_in_f16"] / wanted.size
        h.check(f"{name} is as numpy has it", same,
                f"[{found['min']:.6g}, {found['max']:.6g}]")
    # The gradient of a bias in front of a batch norm is rounding noise.
    found = values["h|reduce_sum|backward|0|0"]
    counts = {int(e): n for e, n in found["exponents"].items()}
    below = sum(n for e, n in counts.items() if e < -25)
    h.check("what float16 turns into zero is counted",
            below > 0 and found["zero_in_f16"] in
            range(below, below + counts.get(-25, 0) + 1),
            f"{found['zero_in_f16']} of {found['count']}")
    return ranges


def check_keys(h, c, ranges):
    """The keys are those of the low-precision program, whatever it fuses."""
    text = h.must(h.program("amp-compile"), c.model, "--batch", 32, "--loss",
                  "softmax_cross_entropy", "--precision", "bf16", "--emit",
                  "precision", "-o", "-", "-q")
    start = text.index("amp.keys = [") + len("amp.keys = ")
    known = set(json.loads(text[start:text.index("]", start) + 1]))
    measured = {k.rsplit("|", 1)[0] for k in ranges["values"]
                if "|read|" not in k and "|argument|" not in k}
    h.check("every key is one of the other program",
            measured and measured <= known, ", ".join(measured - known))
    forward_keys = {k for k in known if "|forward|" in k
                    and any(k.split("|")[1] == o for o in
                            ("matmul", "batch_norm", "relu"))}
    h.check("what the update writes is none",
            not any("|update|" in k for k in ranges["values"]))
    h.check("no contraction, norm or activation is missing",
            forward_keys <= measured, ", ".join(forward_keys - measured))


def check_streaming(h, c):
    """KF-78: all samples count, and memory does not grow with them."""
    random = np.random.default_rng(5)
    x = random.standard_normal((500, 16)).astype(np.float32)
    target = random.integers(0, 5, 500)
    x[400, 3] = -1234.5
    np.savez(h.path("many.npz"), x=x, target=target)
    code, text, ranges = c.compile("--calibrate", h.path("many.npz"), batch=1,
                                   name="many")
    found = ranges["values"]["x|argument|forward|0|0"] if not code else {}
    h.check("KF-78: sample 400 of 500 is seen",
            found.get("min") == -1234.5 and ranges["steps"] == 500,
            harness.last_line(text))
    check_decision(h, c, x, target)
    peaks = [peak_memory(h, c, steps) for steps in (20, 500)]
    h.check("KF-78: memory does not grow with the steps",
            peaks[1] < peaks[0] * 1.05,
            f"{peaks[0]} and {peaks[1]} KiB for 20 and 500 steps")


def check_decision(h, c, x, target):
    """An outlier in sample 400 that fp16 does not hold, and the same without."""
    ruled_out = []
    for outlier in (1, 1e5):
        x[400, 3] = outlier
        np.savez(h.path("outlier.npz"), x=x, target=target)
        text = h.must(h.program("amp-compile"), c.model, "--batch", "1",
                      "--loss", "softmax_cross_entropy", "--precision", "fp16",
                      "--assign", "greedy", "-q", "--calibrate",
                      h.path("outlier.npz"), "--emit=precision", "-o", "-")
        step = text.split("@train_step", 1)[1].split("func.func", 1)[0]
        first = next(line for line in step.splitlines() if "amp.matmul" in line)
        ruled_out.append("RG-calibrated" in first and "compute = f32" in first)
    h.check("KF-78: the outlier decides on the product that reads it",
            ruled_out == [False, True], ruled_out)


def peak_memory(h, c, steps):
    """Largest resident set of one compile, in KiB."""
    command = [h.program("amp-compile"), c.model, "--batch", "1", "--loss",
               "softmax_cross_entropy", "-q", "--calibrate",
               h.path("many.npz"), "--calibrate-steps", str(steps), "-o",
               h.path("memory")]
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status):
        h.check("a compile under measurement", False, status)
    return usage.ru_maxrss


def check_splitting(h, c):
    """KF-66: one file of ten rows, or ten files of one row."""
    random = np.random.default_rng(7)
    x = random.standard_normal((10, 16)).astype(np.float32)
    target = random.integers(0, 5, 10)
    np.savez(h.path("ten.npz"), x=x, target=target)
    files = []
    for i in range(10):
        files += ["--calibrate", h.path(f"one{i}.npz")]
        np.savez(files[-1], x=x[i:i + 1], target=target[i:i + 1])
    _, _, whole = c.compile("--calibrate", h.path("ten.npz"), batch=1,
                            name="whole")
    _, _, split = c.compile(*files, batch=1, name="split")
    h.check("KF-66: ten rows are ten runs, in one file or ten",
            whole and whole == split and whole["steps"] == 10)
    _, _, wrapped = c.compile("--calibrate", h.path("ten.npz"), batch=4,
                              name="wrapped")
    _, _, whole = c.compile("--calibrate", h.path("ten.npz"), batch=1,
                            name="whole", steps=3)
    _, _, split = c.compile(*files, batch=1, name="split", steps=3)
    h.check("steps are counted over all files",
            whole == split and split["steps"] == 3)
    _, _, split = c.compile(*files, batch=1, name="split", steps=12)
    h.check("the last file may come again", split["steps"] == 12)
    h.check("KF-66: rows that fill no batch are filled up",
            wrapped and wrapped["steps"] == 3 and wrapped["rows"] == 12)

    np.savez(h.path("wide.npz"), x=np.zeros((8, 17), np.float32),
             target=target[:8])
    code, text, _ = c.compile("--calibrate", h.path("wide.npz"), name="wide")
    line = harness.last_line(text)
    h.check("KF-66: a wrong shape is named with the right one",
            code == 3 and all(p in line for p in
                              ("'x'", "[8, 17]", "[32, 16]", "[rows, 16]")),
            line)
    code, text = h.run(h.program("amp-compile"), c.model, "--batch", 4,
                       "--calibrate", h.path("ten.npz"), "-o", h.path("none"))
    h.check("gradients need a loss", code == 2 and "needs --loss" in text,
            harness.last_line(text))


def check_training(h, c):
    """Updates are made: after some steps the weights have other ranges."""
    _, _, one = c.compile("--calibrate", h.path("data.npz"), steps=1)
    _, _, many = c.compile("--calibrate", h.path("data.npz"), steps=40,
                           name="long")
    _, _, again = c.compile("--calibrate", h.path("data.npz"), steps=40,
                            name="again")
    key = "fc2_weight|read|forward|0|0"
    h.check("ranges follow training",
            many["values"][key]["max_abs"] > one["values"][key]["max_abs"])
    h.check("a calibration can be repeated bit for bit", many == again)
    with open(h.path("train_long"), "rb") as first, \
            open(h.path("train_again"), "rb") as second:
        h.check("and so can the program", first.read() == second.read())


def check_evidence(h, c):
    """What was measured decides: activations beyond float16 stay float32."""
    with np.load(h.path("data.npz")) as data:
        np.savez(h.path("large.npz"), x=data["x"] * 1e5,
                 target=data["target"])
    flags = [c.model, "--batch", 32, "--loss", "softmax_cross_entropy",
             "--precision", "fp16", "--emit", "precision", "-o", "-", "-q"]
    types = []
    for more in ([], ["--calibrate", h.path("large.npz")]):
        text = h.must(h.program("amp-compile"), *flags, *more)
        line = next(l for l in text.splitlines() if "amp.matmul" in l)
        types.append((line.rsplit("x", 1)[-1], "RG-calibrated: measured" in
                      line))
    _, _, ranges = c.compile("--calibrate", h.path("large.npz"), name="large",
                             steps=1)
    found = ranges["values"]["h|matmul|forward|0|0"]
    counts = {int(e): n for e, n in found["exponents"].items()}
    beyond = sum(n for e, n in counts.items() if e >= 16)
    h.check("what float16 turns into inf is counted",
            beyond > 0 and found["inf_in_f16"] in
            range(beyond, beyond + counts.get(15, 0) + 1),
            f"{found['inf_in_f16']} of {found['count']}")
    h.check("without ranges the first product is float16",
            types[0] == ("f16>", False), types[0])
    h.check("a range beyond float16 keeps it in float32",
            types[1] == ("f32>", True), types[1])
    _, text, _ = c.compile("--calibrate", h.path("data.npz"), "--ranges",
                           h.path("out.json"))
    h.check("ranges are made or read, not both",
            "give one" in harness.last_line(text), harness.last_line(text))


def main():
    h = harness.Harness(__doc__)
    harness.classifier_data(h.path("data.npz"))
    c = Calibration(h)
    ranges = check_numbers(h, c)
    if ranges:
        check_keys(h, c, ranges)
        check_streaming(h, c)
        check_splitting(h, c)
        check_training(h, c)
        check_evidence(h, c)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
