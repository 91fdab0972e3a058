#!/usr/bin/env python3
"""KF-62: a checkpoint that was cut off is never taken for the latest one. Each
file of the newer of two is cut at its boundaries and at 100 random places, or
left out; the older one is loaded, byte for byte, and a warning names the newer.
Runs that are killed while they write one checkpoint after the other go on.

    cut_checkpoints.py --bin FOLDER [--json FILE]
"""

import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys

import harness
import injection

OLD, NEW, CUTS, KILLS = 4, 8, 100, 12


def boundaries(path):
    """Where the parts of a file begin, and next to its ends."""
    size = os.path.getsize(path)
    places = {0, 1, size - 1}
    if path.endswith(".safetensors"):
        with open(path, "rb") as file:
            header = struct.unpack("<Q", file.read(8))[0]
            tensors = json.loads(file.read(header))
        places |= {8, 8 + header}
        places |= {8 + header + tensor["data_offsets"][0]
                   for name, tensor in tensors.items()
                   if name != "__metadata__"}
    return sorted(place for place in places if place < size)


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Cutter:
    def __init__(self, h, trainer, data):
        self.h, self.trainer, self.data = h, trainer, data
        self.whole, self.copy = h.path("whole"), h.path("copy")
        self.bad = []

    def resume(self, folder, steps, export):
        return injection.run(self.h, self.trainer, self.data, steps,
                             "--checkpoint-dir", folder, "--resume",
                             "--export", export)

    def cut(self, name, place):
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.whole, self.copy)
        path = os.path.join(self.copy, f"step-{NEW:09}", name)
        if place is None:
            os.remove(path)
        else:
            os.truncate(path, place)
        export = self.h.path("cut.onnx")
        code, text, _ = self.resume(self.copy, OLD, export)
        same = not code and read(export) == read(self.h.path("old.onnx"))
        named = [line for line in text.splitlines()
                 if line.startswith("warning:") and f"step-{NEW:09}" in line]
        if not same or not named:
            self.bad.append(f"{name} at {place}: {harness.last_line(text)}")


def cuts(h, cutter):
    for steps, export in ((OLD, "old.onnx"), (NEW, "new.onnx")):
        code, text, _ = cutter.resume(cutter.whole, steps, h.path(export))
        if code:
            h.check("the run ends", False, harness.last_line(text))
            return
    h.check("the two checkpoints differ",
            read(h.path("old.onnx")) != read(h.path("new.onnx")))
    code, text, _ = cutter.resume(cutter.whole, NEW, h.path("again.onnx"))
    h.check("the newer is taken where it is whole",
            not code and "warning" not in text, harness.last_line(text))
    newer = os.path.join(cutter.whole, f"step-{NEW:09}")
    names = sorted(os.listdir(newer))
    count = 0
    for name in names:
        for place in [None] + boundaries(os.path.join(newer, name)):
            cutter.cut(name, place)
            count += 1
    choice = random.Random(62)
    for _ in range(CUTS):
        name = choice.choice(names)
        size = os.path.getsize(os.path.join(newer, name))
        cutter.cut(name, choice.randrange(size))
    h.check(f"KF-62: {count} boundaries and {CUTS} places", not cutter.bad,
            "; ".join(cutter.bad[:4]))


def kills(h, trainer, data):
    """A checkpoint after each step, so that kills fall into saves."""
    moments = random.Random(63)
    steps = 400
    folder = h.path("killed")

    def words(where):
        return [*h.trainer(trainer), "--data", data, "--steps", str(steps),
                "--last-batch", "wrap", "--no-shuffle", "--checkpoint-dir",
                where, "--checkpoint-every", "1", "--resume", "--export",
                where + ".onnx"]

    h.must(*words(h.path("calm")))
    landed, left = 0, 0
    for _ in range(KILLS):
        process = subprocess.Popen(words(folder), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(moments.uniform(0.03, 0.15))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            landed += 1
        process.wait()
        if os.path.isdir(folder):
            left += any(not name.startswith("step-") and name != ".lock"
                        for name in os.listdir(folder))
    code, text = h.run(*words(folder))
    same = not code and read(folder + ".onnx") == read(h.path("calm.onnx"))
    h.check("KF-62: killed while saving, the run ends with the same bytes",
            same and landed > KILLS // 3,
            f"{landed} kills, {left} of them left half a checkpoint"
            if same else harness.last_line(text))


def main():
    h = harness.Harness(__doc__)
    model = injection.write_model(h)
    data = injection.write_data(h, [0] * NEW)
    trainer = injection.compile_model(h, model, "pytorch,growth_interval=3",
                                      "--optimizer", "adam,lr=0.01")
    cuts(h, Cutter(h, trainer, data))
    kills(h, trainer, data)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
