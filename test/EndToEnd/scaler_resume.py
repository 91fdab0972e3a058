#!/usr/bin/env python3
"""A run that is stopped and resumed keeps the whole state of its scaler: scales,
learning rates and losses are bit for bit those of a run left alone.

    scaler_resume.py --bin FOLDER [--json FILE]
"""

import shutil
import sys

import harness
import injection

TIMINGS = ("step_ms", "samples_per_s", "peak_bytes")


def untimed(log):
    return [{k: v for k, v in line.items() if k not in TIMINGS} for line in log]


def resumed(h, trainer, data, stop, steps, *options):
    """The log of a run stopped after `stop` steps and resumed by another
    process, and the state it ended with."""
    folder = h.path("checkpoints")
    shutil.rmtree(folder, ignore_errors=True)
    injection.run(h, trainer, data, stop, "--checkpoint-dir", folder, *options,
                  log="parts.jsonl")
    code, text, log = injection.run(h, trainer, data, steps, "--checkpoint-dir",
                                    folder, "--resume", *options,
                                    log="parts.jsonl")
    if code:
        h.check("the resumed run ends", False, harness.last_line(text))
        return [], {}
    return untimed(log), injection.checkpoint(folder)


def whole(h, trainer, data, steps, *options):
    folder = h.path("whole")
    shutil.rmtree(folder, ignore_errors=True)
    _, _, log = injection.run(h, trainer, data, steps, "--checkpoint-dir",
                              folder, *options, log="whole.jsonl")
    return untimed(log), injection.checkpoint(folder)


def at_every_step(h, name, model, scaler, found, stops, *options):
    trainer = injection.compile_model(h, model, scaler, "--optimizer",
                                      "adam,lr=0.01")
    data = injection.write_data(h, found)
    steps = len(found)
    wanted = whole(h, trainer, data, steps, *options)
    moves = len(set(injection.scales(wanted[0]))) > 1
    bad = [stop for stop in stops
           if resumed(h, trainer, data, stop, steps, *options) != wanted]
    h.check(name, moves and not bad,
            f"differs when stopped after {bad}" if bad else
            f"{len(stops)} stops" if moves else "the scale never moved")


def floor_survives(h, model):
    """KF-59: the minimum is part of the program, not of the state."""
    trainer = injection.compile_model(h, model,
                                      "jmp,init_scale=4,min_loss_scale=2^-3")
    data = injection.write_data(h, [1] * 10)
    log, _ = resumed(h, trainer, data, 2, 10)
    h.check("KF-59 overflows after a resume end at the configured floor",
            injection.scales(log) == [4, 2, 1, 0.5, 0.25] + [0.125] * 5,
            injection.scales(log))


def no_hidden_step(h, model):
    """KF-63: loading a checkpoint runs nothing."""
    trainer = injection.compile_model(h, model, "deepspeed,loss_scale_window=2",
                                      "--optimizer", "adam,lr=0.01")
    data = injection.write_data(h, [0, 0, 1, 0, 0])
    folder = h.path("still")
    injection.run(h, trainer, data, 4, "--checkpoint-dir", folder)
    before = injection.checkpoint(folder)
    code, _, _ = injection.run(h, trainer, data, 4, "--checkpoint-dir", folder,
                               "--resume")
    h.check("KF-63 a resume without a step leaves every byte of the state",
            code == 0 and injection.checkpoint(folder) == before)


def main():
    h = harness.Harness(__doc__)
    model = injection.write_model(h)
    at_every_step(h, "KF-58 every scale and loss after a resume", model,
                  "pytorch,growth_interval=3",
                  [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0], range(1, 12))
    floor_survives(h, model)
    # Stopped at scale 256, and the step after the resume overflows.
    at_every_step(h, "KF-61 an overflow at the resumed step", model,
                  "pytorch,init_scale=256", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
                  [4], "--lr-schedule", "cosine,total=12,warmup=3")
    no_hidden_step(h, model)
    # Four of the five clean steps of the first growth; then with one unit of
    # hysteresis used up.
    deepspeed = "deepspeed,loss_scale_window=4,hysteresis=2"
    at_every_step(h, "KF-64 stopped just before a growth", model, deepspeed,
                  [0] * 12, [4])
    at_every_step(h, "KF-64 stopped with one overflow counted", model, deepspeed,
                  [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0], range(1, 12))
    at_every_step(h, "a change that waits for its step is kept", model,
                  "mxnet,scale_window=2", [0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
                  range(1, 10))
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
