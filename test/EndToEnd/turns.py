#!/usr/bin/env python3
"""Optimizers that take turns: which statistics a turn moves, turns that are
windows of micro-batches, and what an overflow in one turn leaves of the others.

    turns.py --bin FOLDER [--json FILE]
"""

import sys

import numpy as np

import harness
from gan_float64 import (BATCH, GAN, GAN_LOSSES, GAN_OPTIMIZERS, PAIR, STEPS,
                         TOLERANCE, Gan, away, numbers, pair_data)

# Batch norms before and behind the discriminator's weights; see `statistics`.
NORMS = """
<ir_version: 8, opset_import: ["" : 17]>
norms (float[batch, 4] z, float[batch, 4] x) => (float[batch, 4] real, float[batch, 4] fake)
<float[4,4] gen_w, float[4,4] dis_w, float[4] one, float[4] zero,
 float[4] gen_running_mean, float[4] gen_running_var,
 float[4] dis_running_mean, float[4] dis_running_var> {
  g = MatMul(z, gen_w)
  image = BatchNormalization(g, one, zero, gen_running_mean, gen_running_var)
  r = MatMul(x, dis_w)
  rn = BatchNormalization(r, one, zero, dis_running_mean, dis_running_var)
  real = Mul(rn, x)
  f = MatMul(image, dis_w)
  fn = BatchNormalization(f, one, zero, dis_running_mean, dis_running_var)
  fake = Mul(fn, x)
}
"""
NORM_TURNS = [
    "--freeze", "one", "--freeze", "zero",
    "--loss", "d:mse,output=real,target_value=1",
    "--loss", "d:mse,output=fake,target_value=0",
    "--loss", "g:mse,output=fake,target_value=1",
    "--optimizer", "d:sgd,lr=0.5,params=dis_w,loss=d",
    "--optimizer", "g:sgd,loss=g", "--alternate",
]

PAIR_LOSSES = ["--loss", "a:mse,output=a,target=ta", "--loss",
               "b:mse,output=b,target=tb"]
PAIR_TURNS = [*PAIR_LOSSES, "--optimizer",
              "one:adam,lr=0.05,params=a_*,loss=a", "--optimizer",
              "two:sgd,lr=0.1,momentum=0.9,params=b_*,loss=b", "--freeze",
              "idle_weight", "--alternate", "--precision", "fp16"]
# Of a run in turns: the second optimizer overflows in step 2, the first one in
# step 4.
BAD = {2: "two", 4: "one"}


def compile_(h, name, model, batch, *words):
    trainer = h.path(name)
    h.must(h.program("amp-compile"), h.path(model), "--batch", batch, *words,
           "-o", trainer)
    return trainer


def statistics(h):
    """Turns update a running statistic as often as its value is computed anew:
    the generator's once, the discriminator's for the real and the fake images
    and again for the fake ones once its weights have changed."""
    weights = harness.initializers(h.path("norms.onnx"))
    data = np.load(h.path("norms.npz"))
    trainer = compile_(h, "norms", "norms.onnx", BATCH, *NORM_TURNS)
    _, after = h.train(trainer, "norms.npz", 1, "norms")
    z, x = (data[n][:BATCH].astype(np.float64) for n in "zx")
    image = z @ weights["gen_w"]
    mean, var = image.mean(0), image.var(0)
    fake = (image - mean) / np.sqrt(var + 1e-5)
    passes = [x @ weights["dis_w"], fake @ weights["dis_w"],
              fake @ after["dis_w"]]
    wanted = {"gen": [(mean, var)],
              "dis": [(p.mean(0), p.var(0)) for p in passes]}
    for net, updates in wanted.items():
        for i, kind in enumerate(("mean", "var")):
            name = f"{net}_running_{kind}"
            value = weights[name].astype(np.float64)
            for update in updates:
                value = 0.9 * value + 0.1 * update[i]
            worst = np.abs(after[name] - value).max()
            h.check(f"{name} is updated {len(updates)} times", worst < 1e-6,
                    f"{worst:.1e} away")


def window_statistics(h):
    """In windows each micro-batch updates a statistic where one large batch
    would: the generator's in the first turn only, the discriminator's for both
    images of each, and in the second turn for each fake one again."""
    weights = harness.initializers(h.path("norms.onnx"))
    data = np.load(h.path("norms.npz"))
    trainer = compile_(h, "norms2", "norms.onnx", BATCH // 2, *NORM_TURNS,
                       "--accumulate")
    _, after = h.train(trainer, "norms.npz", 1, "norms2", "--grad-accum", 2)
    micro = [tuple(data[n][rows].astype(np.float64) for n in "zx")
             for rows in (slice(0, BATCH // 2), slice(BATCH // 2, BATCH))]
    images = [z @ weights["gen_w"] for z, _ in micro]
    fakes = [(image - image.mean(0)) / np.sqrt(image.var(0) + 1e-5)
             for image in images]
    passes = []
    for (_, x), fake in zip(micro, fakes):
        passes += [x @ weights["dis_w"], fake @ weights["dis_w"]]
    passes += [fake @ after["dis_w"] for fake in fakes]
    for net, values in (("gen", images), ("dis", passes)):
        for kind in ("mean", "var"):
            name = f"{net}_running_{kind}"
            wanted = weights[name].astype(np.float64)
            for value in values:
                wanted = 0.9 * wanted + 0.1 * getattr(value, kind)(0)
            worst = np.abs(after[name] - wanted).max()
            h.check(f"{name} is updated {len(values)} times in windows",
                    worst < 1e-6, f"{worst:.1e} away")


def window_turns(h, weights, data):
    """A turn is a window: all micro-batches for the discriminator, its update,
    then all of them again for the generator. That is one batch twice as large,
    in float64 NumPy, too."""
    words = [*GAN_LOSSES, *GAN_OPTIMIZERS, "--alternate"]
    halves = compile_(h, "turns2", "gan.onnx", BATCH // 2, *words,
                      "--accumulate")
    whole = compile_(h, "turns1", "gan.onnx", BATCH // 2, *words)
    log, after = h.train(halves, "gan.npz", STEPS, "turns2", "--grad-accum", 2)
    wanted = Gan(weights)
    curve = wanted.train(data, alternate=True)
    worst = max(max(away(l["loss/d"], d), away(l["loss/g"], g))
                for l, (d, g) in zip(log, curve))
    h.check("windows in turn: the losses are NumPy's of the large batch",
            len(log) == STEPS and worst < TOLERANCE, f"{worst:.1e} away")
    worst = max(np.linalg.norm(after[n] - v) / np.linalg.norm(v)
                for n, v in wanted.w.items())
    h.check("windows in turn: the parameters are NumPy's", worst < TOLERANCE,
            f"{worst:.1e} away")
    _, one = h.train(halves, "gan.npz", STEPS, "one")
    _, plain = h.train(whole, "gan.npz", STEPS, "plain1")
    h.check("turns without --grad-accum are those compiled without",
            all(one[n].tobytes() == plain[n].tobytes() for n in one))
    folder = h.path("windows in turn")
    for steps in (5, STEPS):
        _, parts = h.train(halves, "gan.npz", steps, "parts2", "--grad-accum",
                         2, "--checkpoint-dir", folder, "--resume")
    h.check("windows in turn: a resumed run has the same bits",
            all(np.array_equal(after[n], parts[n]) for n in after))


def skipped_turns(h):
    """What an overflow of one turn leaves to the others, alone and in windows
    of two micro-batches: each group for itself, or nothing at all."""
    before = harness.initializers(h.path("pair.onnx"))
    scaler = "pytorch,init_scale=1024,growth_interval=4"
    scales = [1024] * 3 + [512] * 2 + [256] * 4 + [512] * 3
    for parts in (1, 2):
        more = ["--grad-accum", parts]
        window = f"{parts} batches a step" if parts > 1 else "turns"

        def made(name, *words):
            return compile_(h, f"{name}{parts}", "pair.onnx", BATCH // parts,
                            *PAIR_TURNS, *words,
                            *(["--accumulate"] if parts > 1 else []))

        for skip in ("group", "all"):
            name = f"{window}, --skip {skip}"
            trainer = made(skip, "--skip", skip, "--loss-scaler", scaler)
            states = [before]
            for steps in range(1, 7):
                log, after = h.train(trainer, "both.npz", steps, skip, *more)
                states.append(after)
            moved = [{group: not np.array_equal(a[weight], b[weight])
                      for group, weight in (("one", "a_weight"),
                                            ("two", "b_weight"))}
                     for a, b in zip(states, states[1:])]
            wanted = [{group: step not in BAD
                       or (skip == "group" and BAD[step] != group)
                       for group in ("one", "two")} for step in range(6)]
            h.check(f"{name}: who is updated", moved == wanted, moved)
            log, _ = h.train(trainer, "both.npz", STEPS, skip, *more)
            found = {step: [g for g in ("one", "two")
                            if log[step]["found_inf/" + g]]
                     for step in range(STEPS)
                     if log[step]["found_inf"]}
            h.check(f"{name}: who has overflowed",
                    found == {step: [g] for step, g in BAD.items()}, found)
            h.check(f"{name}: one change of the scale a step",
                    [l["loss_scale"] for l in log] == scales,
                    [l["loss_scale"] for l in log])
            h.check(f"{name}: steps that count",
                    [l["applied"] for l in log] ==
                    [s + 1 - sum(b <= s for b in BAD) for s in range(STEPS)])
        own = made("own", "--loss-scaler", "a:" + scaler, "--loss-scaler",
                   "b:" + scaler)
        log, _ = h.train(own, "both.npz", STEPS, "own", *more)
        for loss, wanted in (("a", [1024] * 4 + [2048] + [1024] * 4
                              + [2048] * 3),
                             ("b", [1024] * 3 + [512] * 4 + [1024] * 4
                              + [2048])):
            h.check(f"{window}: the scale of {loss} follows its own overflow",
                    [l["loss_scale/" + loss] for l in log] == wanted,
                    [l["loss_scale/" + loss] for l in log])
        # At one scale a step that is skipped together leaves no trace: moments
        # and counts of updates are those of a run without its rows.
        trainer = made("trace", "--skip", "all", "--loss-scaler",
                       "static,scale=1024")
        _, skipped = h.train(trainer, "both.npz", STEPS, "trace", *more)
        _, clean = h.train(trainer, "clean.npz", STEPS - len(BAD), "clean",
                         *more)
        h.check(f"{window}: a step skipped together leaves no trace",
                all(skipped[n].tobytes() == clean[n].tobytes()
                    for n in skipped)
                and not np.array_equal(skipped["a_weight"],
                                       before["a_weight"]))


def main():
    h = harness.Harness(__doc__)
    weights = harness.model_from_text(h.path("gan.onnx"), GAN)
    random, rows = np.random.default_rng(3), STEPS * BATCH
    data = {"z": numbers(random, rows, 6), "x": numbers(random, rows, 8)}
    np.savez(h.path("gan.npz"), **data)
    harness.model_from_text(h.path("pair.onnx"), PAIR)
    both = pair_data(random)
    both["y"][2 * BATCH, 1] = both["x"][4 * BATCH + 9, 1] = np.inf
    np.savez(h.path("both.npz"), **both)
    clean = np.concatenate([np.arange(step * BATCH, (step + 1) * BATCH)
                            for step in range(STEPS) if step not in BAD])
    np.savez(h.path("clean.npz"), **{k: v[clean] for k, v in both.items()})
    harness.model_from_text(h.path("norms.onnx"), NORMS)
    harness.set_initializers(h.path("norms.onnx"), lambda w: {
        **w, "one": np.ones(4, np.float32), "zero": np.zeros(4, np.float32)})
    np.savez(h.path("norms.npz"), z=numbers(random, rows, 4),
             x=numbers(random, rows, 4))
    statistics(h)
    window_statistics(h)
    window_turns(h, weights, data)
    skipped_turns(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
