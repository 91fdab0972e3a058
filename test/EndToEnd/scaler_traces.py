#!/usr/bin/env python3
"""The loss scale of compiled programs, step by step, under overflows injected
by the data: the traces of docs/LossScaling.md for every preset, and random ones
against small models of the systems. All comparisons are exact.

    scaler_traces.py --bin FOLDER [--json FILE]
"""

import math
import random
import sys

import harness
import injection

FOUND = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]
USUAL = [16, 16, 17, 17, 16, 16, 16, 17, 17, 16,
         16, 15, 14, 14, 14, 15, 15, 15, 16, 16]
MAIN = {
    "pytorch": USUAL, "keras": USUAL, "jmp": USUAL, "apex": USUAL,
    "oneflow": USUAL, "paddle": USUAL, "mindspore": USUAL, "ort": USUAL,
    "flax": [16, 16, 16, 17, 16, 16, 16, 16, 17, 16,
             16, 15, 14, 14, 14, 14, 15, 15, 15, 15],
    "mxnet": [16, 16, 16, 17, 17, 16, 16, 16, 17, 17,
              16, 16, 15, 14, 14, 14, 15, 15, 15, 16],
    "paddle,decr_every_n_nan_or_inf=2":
        [16, 16, 17, 17, 17, 17, 17, 18, 18, 18,
         18, 18, 17, 17, 17, 18, 18, 18, 19, 19],
    "deepspeed,hysteresis=1":
        [16, 16, 16, 17, 16, 16, 16, 16, 17, 16,
         16, 15, 14, 14, 14, 14, 15, 15, 15, 16],
    "deepspeed":
        [16, 16, 16, 17, 17, 17, 17, 17, 18, 18,
         18, 17, 16, 16, 16, 16, 17, 17, 17, 18],
    "deepspeed,hysteresis_mode=consecutive":
        [16, 16, 16, 17, 17, 17, 17, 17, 18, 18,
         18, 18, 17, 17, 17, 17, 18, 18, 18, 19],
    "megatron":
        [16, 16, 17, 17, 17, 17, 17, 18, 18, 18,
         18, 17, 16, 16, 16, 17, 17, 17, 18, 18],
}
FLOOR = {
    "pytorch": [1, 0, -1, -2, -3, -4], "keras": [1, 0, -1, -2, -3, -4],
    "flax": [1, 0, -1, -2, -3, -4], "apex": [1, 0, -1, -2, -3, -4],
    "mxnet": [2, 1, 0, -1, -2, -3],
    "jmp": [1, 0, 0, 0, 0, 0], "oneflow": [1, 0, 0, 0, 0, 0],
    "paddle": [1, 0, 0, 0, 0, 0], "mindspore": [1, 0, 0, 0, 0, 0],
    "ort": [1, 0, 0, 0, 0, 0], "megatron": [2, 1, 0, 0, 0, 0],
}
MOST = 3.4028234663852886e38
CEILING = {
    "pytorch": [2.0**127] * 4, "jmp": [2.0**127] * 4, "paddle": [2.0**127] * 4,
    "oneflow": [2.0**127, MOST, MOST, MOST],
    "flax": [2.0**126, 2.0**127, 2.0**127, MOST],
    # From inf on no step is clean.
    "keras": [2.0**127, math.inf], "megatron": [2.0**127, math.inf],
    "mindspore": [2.0**127, math.inf],
}
CEILING_24 = {"apex": [24] * 4, "ort": [24] * 4, "mxnet": [23, 24, 24, 24]}


def trace(h, model, scaler, found, precision="fp16"):
    """The scale in effect after each step, and what was found."""
    trainer = injection.compile_model(h, model, scaler, precision=precision)
    data = injection.write_data(h, list(found) + [0])
    code, text, log = injection.run(h, trainer, data, len(found) + 1,
                                    "--max-bad-steps", 0)
    return (code, text, injection.scales(log)[1:],
            [int(line["found_inf"]) for line in log][:len(found)])


def expect(h, name, model, scaler, found, wanted, precision="fp16"):
    code, text, got, seen = trace(h, model, scaler, found, precision)
    got = got[:len(wanted)]
    steps = len(wanted) if wanted[-1] != math.inf else len(wanted) - 1
    h.check(f"{name}: {scaler}",
            got == wanted and seen[:steps] == list(found)[:steps],
            "" if got == wanted else
            f"exit {code} {harness.last_line(text)}; {got} for {wanted}")


def with_keys(scaler, keys):
    name, _, rest = scaler.partition(",")
    return ",".join([name, keys] + ([rest] if rest else []))


def golden(h, model):
    for scaler, exponents in MAIN.items():
        expect(h, "main trace", model,
               with_keys(scaler, "init_scale=2^16,growth_interval=3"), FOUND,
               [2.0**e for e in exponents])
    for scaler, exponents in FLOOR.items():
        expect(h, "floor", model, scaler + ",init_scale=4", [1] * 6,
               [2.0**e for e in exponents])
    for scaler, wanted in CEILING.items():
        expect(h, "ceiling", model,
               scaler + ",init_scale=2^126,growth_interval=1", [0] * 4, wanted,
               precision="fp32")
    for scaler, exponents in CEILING_24.items():
        expect(h, "ceiling", model,
               scaler + ",init_scale=2^23,growth_interval=1", [0] * 4,
               [2.0**e for e in exponents], precision="fp32")


# The models, from the rules of the systems: state in the closure, one call a
# step, gives the scale after it.
def pytorch(interval):
    scale, tracker = 2.0**16, 0

    def step(found):
        nonlocal scale, tracker
        tracker = 0 if found else tracker + 1
        if found:
            scale *= 0.5
        elif tracker == interval:
            scale, tracker = scale * 2, 0
        return scale
    return step


def deepspeed(window, hysteresis=2, consecutive=False):
    scale, now, last, left = 2.0**16, 0, -1, hysteresis

    def step(found):
        nonlocal scale, now, last, left
        if found:
            if hysteresis == 1 or left == 1:
                scale = max(scale / 2, 1.0)
            else:
                left -= 1
            last = now
        else:
            if consecutive:
                left = hysteresis
            stable = now - last - 1
            if stable > 0 and stable % window == 0:
                scale *= 2
                left = left if consecutive else hysteresis
        now += 1
        return scale
    return step


def mxnet(window):
    scale, coming, clean = 2.0**16, 2.0**16, 0

    def step(found):
        nonlocal scale, coming, clean
        scale = coming
        clean = 0 if found else clean + 1
        if found:
            coming = scale / 2
        elif clean == window:
            coming, clean = min(2.0**24, scale * 2), 0
        return scale
    return step


def paddle(every, bad_limit):
    scale, good, bad = 2.0**16, 0, 0

    def step(found):
        nonlocal scale, good, bad
        if found:
            good, bad = 0, bad + 1
            if bad == bad_limit:
                scale, bad = max(scale * 0.5, 1.0), 0
        else:
            bad, good = 0, good + 1
            if good == every:
                scale, good = scale * 2, 0
        return scale
    return step


def random_traces(h, model):
    source = random.Random(7)
    found = []
    while len(found) < 500:
        found += [1] * source.randint(1, 2) + [0] * source.randint(1, 7)
    found = found[:500]
    keys = ",init_scale=2^16,growth_interval="
    for scaler, step in [
            ("pytorch" + keys + "2", pytorch(2)),
            ("deepspeed" + keys + "2", deepspeed(2)),
            ("deepspeed,consecutive_hysteresis=1" + keys + "2",
             deepspeed(2, consecutive=True)),
            ("mxnet" + keys + "2", mxnet(2)),
            ("paddle,decr_every_n_nan_or_inf=2" + keys + "3", paddle(3, 2))]:
        expect(h, "random trace", model, scaler, found,
               [step(f) for f in found], precision="fp32")


def known_failures(h, model):
    expect(h, "KF-40 the scale stays finite", model,
           "pytorch,init_scale=2^127,growth_interval=1", [0] * 50 + [1],
           [2.0**127] * 50 + [2.0**126], precision="fp32")
    pattern = [1, 0, 0, 1]
    expect(h, "KF-43 cumulative", model,
           "pytorch,hysteresis=2,hysteresis_mode=cumulative", pattern,
           [2.0**16] * 3 + [2.0**15])
    expect(h, "KF-43 consecutive", model,
           "pytorch,hysteresis=2,hysteresis_mode=consecutive", pattern,
           [2.0**16] * 4)
    expect(h, "KF-44 interval proportional to the scale", model,
           "pytorch,interval_per_scale=2/65536", [0] * 14,
           [2.0**16] + [2.0**17] * 4 + [2.0**18] * 8 + [2.0**19])


def full_gradient(h, model):
    """KF-52: the step of a growth divides by the scale that multiplied."""
    data = injection.write_data(h, [0] * 9)
    weights = []
    for scaler in ("none", "pytorch,growth_interval=1"):
        trainer = injection.compile_model(
            h, model, scaler, "--optimizer", "sgd,lr=0.5", precision="fp32")
        out = h.path("out.onnx")
        injection.run(h, trainer, data, 9, "--export", out)
        weights.append(harness.initializers(out))
    h.check("KF-52 a growth step applies the full gradient",
            all(weights[0][n].tobytes() == weights[1][n].tobytes()
                for n in weights[0]))


def main():
    h = harness.Harness(__doc__)
    model = injection.write_model(h)
    golden(h, model)
    random_traces(h, model)
    known_failures(h, model)
    full_gradient(h, model)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
