#!/usr/bin/env python3
"""Loss scaling in float16: an absurd first scale changes nothing but itself
until it has come down, and every later scale is PyTorch's.

    scaler.py --bin FOLDER [--json FILE]
"""

import sys

import harness

FIRST = 2.0**40
INTERVAL = 6
STEPS = 80


def trace(found, scale, growth=2.0, backoff=0.5):
    """The scales torch.cuda.amp.GradScaler uses, given what it found."""
    scales, tracker = [], 0
    for bad in found:
        scales.append(scale)
        if bad:
            scale, tracker = scale * backoff, 0
        else:
            tracker += 1
            if tracker == INTERVAL:
                scale, tracker = scale * growth, 0
    return scales


def main():
    h = harness.Harness(__doc__)
    model, trainer = h.path("model.onnx"), h.path("trainer")
    before = harness.model_from_text(model, harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"))
    h.must(h.program("amp-compile"), model, "--batch", 32, "--loss",
           "softmax_cross_entropy", "--optimizer", "adamw,lr=0.01",
           "--precision", "fp16", "--loss-scaler",
           f"pytorch,init_scale={FIRST:.0f},growth_interval={INTERVAL}",
           "-o", trainer)

    log, _ = h.train(trainer, "data.npz", STEPS, "whole")
    h.check("one line a step", [l["step"] for l in log] == list(range(STEPS)),
            f"{len(log)} lines")
    found = [int(l["found_inf"]) for l in log]
    down = found.index(0) if 0 in found else STEPS
    h.check("the first scale overflows, a later one does not",
            0 < down < STEPS, f"{down} steps skipped first")
    scales = [float(l["loss_scale"]) for l in log]
    wanted = trace(found, FIRST)
    differ = [i for i in range(STEPS) if scales[i] != wanted[i]]
    h.check("every scale is PyTorch's", not differ,
            f"step {differ[0]}: {scales[differ[0]]}, wanted "
            f"{wanted[differ[0]]}" if differ else f"last {scales[-1]:g}")
    h.check("the scale also grows", any(b > a for a, b in
                                        zip(scales, scales[1:])))
    h.check("skips are counted",
            [l["skipped"] for l in log] ==
            [sum(found[:i + 1]) for i in range(STEPS)])
    h.check("updates are counted",
            [l["applied"] for l in log] ==
            [i + 1 - sum(found[:i + 1]) for i in range(STEPS)])

    _, after = h.train(trainer, "data.npz", down, "skipped")
    moved = [n for n in before if before[n].tobytes() != after[n].tobytes()]
    h.check("a skipped step leaves every initializer as it was", not moved,
            ", ".join(moved))
    _, after = h.train(trainer, "data.npz", down + 1, "applied")
    still = [n for n in before if before[n].tobytes() == after[n].tobytes()]
    h.check("the first step that counts moves every initializer", not still,
            ", ".join(still))
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
