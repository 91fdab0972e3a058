#!/usr/bin/env python3
"""Several losses and optimizers: together, in turns, with scales of their own.

A generator and a discriminator of one layer each are trained by the program and
in float64 NumPy; then what an overflow of one loss may change.

    losses.py --bin FOLDER [--json FILE]
"""

import sys

import numpy as np
import onnx

import harness
import reference
from gan_float64 import (BATCH, GAN, GAN_LOSSES, GAN_OPTIMIZERS, PAIR, STEPS,
                         TOLERANCE, Gan, away, numbers, pair_data)


def compile_(h, name, model, *words):
    trainer = h.path(name)
    text = h.must(h.program("amp-compile"), h.path(model), "--batch", BATCH,
                  *words, "-o", trainer)
    return trainer, text


def curves(h, weights, data):
    """Both ways to train, against NumPy."""
    for alternate in (False, True):
        words = ["--alternate"] if alternate else []
        name = "turns" if alternate else "together"
        trainer, _ = compile_(h, name, "gan.onnx", *GAN_LOSSES,
                              *GAN_OPTIMIZERS, *words)
        log, after = h.train(trainer, "gan.npz", STEPS, name)
        wanted = Gan(weights)
        curve = wanted.train(data, alternate)
        worst = max(max(away(l["loss/d"], d), away(l["loss/g"], g),
                        away(l["loss"], d + g))
                    for l, (d, g) in zip(log, curve))
        h.check(f"{name}: the losses are NumPy's",
                len(log) == STEPS and worst < TOLERANCE, f"{worst:.1e} away")
        worst = max(np.linalg.norm(after[n] - v) / np.linalg.norm(v)
                    for n, v in wanted.w.items())
        h.check(f"{name}: the parameters are NumPy's", worst < TOLERANCE,
                f"{worst:.1e} away")
    both = {name: Gan(weights).train(data, name) for name in (False, True)}
    h.check("turns and together differ by more than the tolerance",
            max(away(a[1], b[1]) for a, b in zip(both[False], both[True]))
            > 10 * TOLERANCE)
    _, slow = h.train(h.path("turns"), "gan.npz", 1, "slow", "--lr", "g:0")
    log, _ = h.train(h.path("turns"), "gan.npz", 1, "rate", "--lr", "0.5",
                   "--lr", "g:0.25")
    h.check("--lr NAME:X is the rate of one optimizer",
            (log[0]["lr/d"], log[0]["lr/g"]) == (0.5, 0.25)
            and np.array_equal(slow["gen_w"], weights["gen_w"])
            and not np.array_equal(slow["dis_w"], weights["dis_w"]))
    _, text = compile_(h, "measured", "gan.onnx", *GAN_LOSSES,
                       *GAN_OPTIMIZERS, "--alternate", "--precision", "fp16",
                       "--calibrate", h.path("gan.npz"), "--calibrate-steps",
                       2)
    h.check("ranges are measured over all turns",
            "calibration 2 steps in float32" in text)
    code, text = h.run(*h.trainer(h.path("turns")), "--data",
                       h.path("gan.npz"), "--lr", "e:0.1")
    h.check("--lr of another name is refused",
            code == 2 and "the optimizers are: d, g" in text,
            harness.last_line(text))


def resumed(h):
    """Turns in float16 with scales of their own, stopped and gone on with."""
    trainer, _ = compile_(
        h, "own", "gan.onnx", *GAN_LOSSES, *GAN_OPTIMIZERS, "--alternate",
        "--precision", "fp16", "--loss-scaler",
        "d:pytorch,init_scale=2^40,growth_interval=3", "--loss-scaler",
        "g:static,scale=64")
    log, whole = h.train(trainer, "gan.npz", 40, "whole")
    found = [int(l["found_inf/d"]) for l in log]
    scales = [l["loss_scale/d"] for l in log]
    scale, clean, wanted = 2.0**40, 0, []
    for bad in found:
        wanted.append(scale)
        clean = 0 if bad else clean + 1
        if bad or clean == 3:
            scale, clean = scale * (0.5 if bad else 2), 0
    h.check("the scale of one loss follows its own flags",
            scales == wanted and 0 < sum(found) < 40, f"{sum(found)} found")
    h.check("the scale of the other one stands",
            {l["loss_scale/g"] for l in log} == {64.0}
            and not any(l["found_inf/g"] for l in log))
    h.check("an iteration with a skipped turn counts as skipped",
            [l["skipped"] for l in log] ==
            [sum(found[:i + 1]) for i in range(40)])
    _, first = h.train(trainer, "gan.npz", 1, "first")
    before = harness.initializers(h.path("gan.onnx"))
    same = {n: np.array_equal(before[n], first[n]) for n in before}
    h.check("only the optimizer that overflowed is skipped",
            same == {n: n.startswith("dis_") for n in same},
            ", ".join(n for n in same if same[n]))
    folder = h.path("checkpoints")
    for steps in (17, 40):
        _, parts = h.train(trainer, "gan.npz", steps, "parts",
                         "--checkpoint-dir", folder, "--resume")
    h.check("a resumed run has the same bits",
            all(np.array_equal(whole[n], parts[n]) for n in whole))


def overflow(h):
    """KF-52, second trace, and KF-49."""
    losses = ["--loss", "a:mse,output=a,target=ta", "--loss",
              "b:mse,output=b,target=tb"]
    groups = ["--optimizer", "one:sgd,lr=0.1,params=a_*,loss=a",
              "--optimizer", "two:sgd,lr=0.1,params=b_*,loss=b",
              "--optimizer", "idle:sgd"]
    scaler = ["--precision", "fp16", "--loss-scaler",
              "pytorch,init_scale=1024,growth_interval=4"]
    trainer, text = compile_(h, "pair", "pair.onnx", *losses, *groups, *scaler)
    h.check("an optimizer without gradients is said",
            "'idle_weight' is not updated: no loss of the optimizer 'idle' "
            "depends on it" in text)
    log, after = h.train(trainer, "pair.npz", 10, "pair")
    before = harness.initializers(h.path("pair.onnx"))
    found = [(int(l["found_inf/one"]), int(l["found_inf/two"])) for l in log]
    h.check("only the second group overflows, in step 2",
            found == [(0, 0)] * 2 + [(0, 1)] + [(0, 0)] * 7, found)
    h.check("both groups use one scale afterwards",
            [l["loss_scale"] for l in log] ==
            [1024] * 3 + [512] * 4 + [1024] * 3,
            [l["loss_scale"] for l in log])
    _, two = h.train(trainer, "pair.npz", 2, "two")
    _, three = h.train(trainer, "pair.npz", 3, "three")
    h.check("the group without inf is updated, the other one is not",
            np.array_equal(two["b_weight"], three["b_weight"])
            and not np.array_equal(two["a_weight"], three["a_weight"]))
    h.check("an optimizer without gradients changes nothing",
            np.array_equal(before["idle_weight"], after["idle_weight"]))

    every, _ = compile_(h, "all", "pair.onnx", *losses, *groups, *scaler,
                        "--skip", "all", "--clip-norm", "0.5")
    _, two = h.train(every, "pair.npz", 2, "two")
    _, three = h.train(every, "pair.npz", 3, "three")
    h.check("--skip all skips every group",
            all(np.array_equal(two[n], three[n]) for n in two))
    log, after = h.train(every, "pair.npz", 1, "clip")
    moved = np.sqrt(sum(np.sum((after[n] - before[n])**2) for n in after))
    h.check("--skip all clips by the norm of all groups",
            log[0]["grad_norm"] > 0.5 and abs(moved - 0.05) < 1e-4,
            f"norm {log[0]['grad_norm']}, moved by {moved:.5f}")


def accumulated(h, weights, data):
    """A window of two halves is one batch, also of losses with scales."""
    words = [*GAN_LOSSES, "--optimizer",
             "d:sgd,lr=0.2,momentum=0.9,params=dis_*", "--optimizer",
             "g:sgd,lr=0.1,loss=g"]
    plain, _ = compile_(h, "plain", "gan.onnx", *words)
    _, wanted = h.train(plain, "gan.npz", 6, "plain")
    words += ["--loss-scaler", "d:static,scale=4", "--loss-scaler",
              "g:static,scale=1024"]
    whole, _ = compile_(h, "window1", "gan.onnx", *words)
    _, one = h.train(whole, "gan.npz", 6, "window1")
    worst = max(np.linalg.norm(one[n] - wanted[n]) / np.linalg.norm(one[n])
                for n in one)
    h.check("scales of their own change no sum of gradients",
            worst < TOLERANCE, f"{worst:.1e} away")
    halves = h.path("window2")
    h.must(h.program("amp-compile"), h.path("gan.onnx"), "--batch", BATCH // 2,
           *words, "--accumulate", "-o", halves)
    log, two = h.train(halves, "gan.npz", 6, "window2", "--grad-accum", 2)
    worst = max(np.linalg.norm(one[n] - two[n]) / np.linalg.norm(one[n])
                for n in one)
    h.check("two micro-batches are one batch", worst < TOLERANCE,
            f"{worst:.1e} away")
    wanted, _ = Gan(weights).loss_d(data["z"][:BATCH], data["x"][:BATCH])
    h.check("named losses of a window are means",
            away(log[0]["loss/d"], wanted) < TOLERANCE, log[0]["loss/d"])


def lonely(h, weights, data):
    """One optimizer whose partner is skipped in every step: its own count of
    updates is what Adam's bias correction depends on."""
    trainer, _ = compile_(
        h, "lonely", "gan.onnx", "--loss",
        "d:bce_with_logits,output=real,target_value=1,weight=1e9",
        *GAN_LOSSES[4:], *GAN_OPTIMIZERS, "--loss-scaler",
        "d:static,scale=2^127", "--loss-scaler", "g:none")
    log, after = h.train(trainer, "gan.npz", STEPS, "lonely")
    wanted = Gan(weights)
    adam = reference.Optimizer("adam", 0.02, betas=(0.5, 0.999))
    for step in range(STEPS):
        rows = slice(step * BATCH, (step + 1) * BATCH)
        adam.step(wanted.w, wanted.loss_g(data["z"][rows])[1])
    worst = max(np.linalg.norm(after[n] - v) / np.linalg.norm(v)
                for n, v in wanted.w.items())
    h.check("an optimizer counts its own updates",
            worst < TOLERANCE and log[-1]["skipped"] == STEPS
            and not any(l["found_inf/g"] for l in log), f"{worst:.1e} away")


def main():
    h = harness.Harness(__doc__)
    weights = harness.model_from_text(h.path("gan.onnx"), GAN)
    random, rows = np.random.default_rng(3), STEPS * BATCH
    data = {"z": numbers(random, rows, 6), "x": numbers(random, rows, 8)}
    np.savez(h.path("gan.npz"), **data)
    pair = pair_data(random)
    pair["y"][2 * BATCH, 1] = np.inf
    np.savez(h.path("pair.npz"), **pair)
    harness.model_from_text(h.path("pair.onnx"), PAIR)
    onnx.checker.check_model(h.path("pair.onnx"))
    curves(h, weights, data)
    resumed(h)
    overflow(h)
    accumulated(h, weights, data)
    lonely(h, weights, data)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
