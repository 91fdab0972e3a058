#!/usr/bin/env python3
"""A run that is killed at random moments and resumed ends with the same
parameters and the same log, bit for bit, as one that was left alone.

    resume.py --bin FOLDER [--json FILE]
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import harness

KILLS = 20
STEPS = 1500
# What depends on the clock or the machine and not on the training.
TIMINGS = ("step_ms", "samples_per_s", "peak_bytes")


def command(h, trainer, name):
    return [trainer, "--data", h.path("data.npz"), "--steps", str(STEPS),
            "--shuffle", "--seed", "9", "--checkpoint-dir", h.path(name),
            "--checkpoint-every", "25", "--resume",
            "--metrics", h.path(name + ".jsonl"),
            "--export", h.path(name + ".onnx")]


def untimed(path):
    return [{k: v for k, v in line.items() if k not in TIMINGS}
            for line in harness.metrics(path)]


def start(words):
    return subprocess.Popen(words, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def compare(h, name):
    with open(h.path("whole.onnx"), "rb") as a, open(
            h.path(name + ".onnx"), "rb") as b:
        same = a.read() == b.read()
    h.check(f"{name}: the same parameters", same)
    wanted, got = untimed(h.path("whole.jsonl")), untimed(
        h.path(name + ".jsonl"))
    differ = next((i for i, (a, b) in enumerate(zip(wanted, got)) if a != b),
                  None)
    h.check(f"{name}: the same log", differ is None and len(wanted) == len(got),
            f"{len(got)} of {len(wanted)} lines" if differ is None
            else f"first difference at line {differ}")


def killed_runs(h, trainer, seconds):
    """Kills at random moments; a run that ends by itself is compared, and the
    next one begins anew, until there were enough kills."""
    moments = random.Random(5)
    kills, runs = 0, 0
    while kills < KILLS:
        name, runs = f"killed {runs}", runs + 1
        done = False
        while not done:
            process = start(command(h, trainer, name))
            if kills < KILLS:
                try:
                    process.wait(moments.uniform(0.05, 0.5) * seconds)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
            _, errors = process.communicate(timeout=300)
            if process.returncode not in (0, -signal.SIGKILL):
                h.check(f"{name}: resumes", False, f"exit {process.returncode}"
                        f": {harness.last_line(errors.decode(errors='replace'))}")
                return
            done = process.returncode == 0
        compare(h, name)
        shutil.rmtree(h.path(name), ignore_errors=True)
    h.check("kills", kills == KILLS, f"{kills} in {runs} runs")


def interrupted(h, trainer, seconds):
    for number in (signal.SIGINT, signal.SIGTERM):
        name = f"interrupted by {signal.Signals(number).name}"
        process = start(command(h, trainer, name))
        time.sleep(0.4 * seconds)
        process.send_signal(number)
        process.communicate(timeout=60)
        h.check(f"{name}: exit 75", process.returncode == 75,
                f"exit {process.returncode}")
        h.must(*command(h, trainer, name))
        compare(h, name)


def main():
    h = harness.Harness(__doc__)
    model, trainer = h.path("model.onnx"), h.path("trainer")
    harness.model_from_text(model, harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"))
    h.must(h.program("amp-compile"), model, "--batch", 32, "--loss",
           "softmax_cross_entropy", "--optimizer", "adamw,lr=0.002",
           "--precision", "fp16", "--loss-scaler",
           "pytorch,init_scale=1099511627776,growth_interval=50",
           "-o", trainer)
    begin = time.monotonic()
    h.must(*command(h, trainer, "whole"), limit=300)
    seconds = time.monotonic() - begin
    h.check("the run has its steps",
            len(harness.metrics(h.path("whole.jsonl"))) == STEPS)
    h.check("checkpoints are there", os.listdir(h.path("whole")))
    killed_runs(h, trainer, seconds)
    interrupted(h, trainer, seconds)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
