#!/usr/bin/env python3
"""A run that is stopped and resumed keeps the whole state of its scaler: scales,
learning rates and losses are bit for bit those of a run left alone.

    scaler_resume.py --bin FOLDER [--json FILE]
"""

import hashlib
import itertools
import json
import os
import shutil
import struct
import sys

import harness
import injection
import versions

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


def part_of(name):
    """Parameters, optimizer, scaler, schedule, random state."""
    if name == "amp.rng":
        return 4
    if name in ("amp.iteration", "amp.applied", "amp.skipped"):
        return 3
    return 2 if name.startswith("amp.") else int("exp_avg" in name)


def reorder(folder, order):
    """Writes the tensors of a checkpoint in another order of their parts."""
    path = os.path.join(folder, "weights.safetensors")
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = json.loads(data[8:begin])
    header, body = {"__metadata__": tensors.pop("__metadata__")}, b""
    for name in sorted(tensors, key=lambda n: (order.index(part_of(n)), n)):
        first, last = tensors[name]["data_offsets"]
        header[name] = dict(tensors[name], data_offsets=[
            len(body), len(body) + last - first])
        body += data[begin + first:begin + last]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    text = struct.pack("<Q", len(text)) + text
    with open(path, "wb") as file:
        file.write(text + body)
    root = versions.manifest(folder)
    root["weights_header"] = hashlib.sha256(text).hexdigest()
    versions.sign(root, os.path.join(folder, "manifest.json"))


def any_order(h, model):
    """KF-63: the parts of the state may be restored in any order."""
    trainer = injection.compile_model(h, model, "deepspeed,loss_scale_window=2",
                                      "--optimizer", "adam,lr=0.01")
    data = injection.write_data(h, [0, 0, 1, 0, 0])
    wanted = whole(h, trainer, data, 5)
    saved, folder = h.path("saved"), h.path("ordered")
    injection.run(h, trainer, data, 4, "--checkpoint-dir", saved,
                  log="first.jsonl")
    bad = []
    for order in itertools.permutations(range(5)):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(saved, folder)
        reorder(versions.step_folder(folder, 4), order)
        shutil.copy(h.path("first.jsonl"), h.path("ordered.jsonl"))
        code, text, log = injection.run(h, trainer, data, 5, "--checkpoint-dir",
                                        folder, "--resume", log="ordered.jsonl")
        got = (untimed(log), injection.checkpoint(folder))
        if code or "warning" in text or got != wanted:
            bad.append(f"{order}: {harness.last_line(text)}")
    h.check("KF-63 restored in all 120 orders, the next step is the same",
            not bad, "; ".join(bad[:2]))


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
    any_order(h, model)
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
