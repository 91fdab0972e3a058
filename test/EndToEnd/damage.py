#!/usr/bin/env python3
"""Damaged inputs: models, .npz and IDX files and checkpoints with bytes cut
off, flipped, inserted or deleted. Each run ends with an exit code of the
documented ones and, if it is not 0, with a message and no file left behind. 0
is right only where the altered file is still well formed; an altered
checkpoint never is.

    damage.py --bin FOLDER [--json FILE] [--stub PROGRAM] [--importer PROGRAM]
"""

import gzip
import io
import os
import random
import shutil
import sys
import zipfile

import harness
import numpy as np
import onnx

EACH = 50
CODES = (0, 2, 3, 4, 5, 6)


def damaged(data, choice):
    """What was done, and the bytes after it."""
    kind = choice.choice(("truncated", "flipped", "inserted", "deleted"))
    at = choice.randrange(len(data))
    count = choice.choice((1, 1, 2, 8, 64))
    if kind == "truncated":
        return f"truncated to {at}", data[:at]
    if kind == "flipped":
        bit = 1 << choice.randrange(8)
        altered = bytearray(data)
        altered[at] ^= bit
        return f"flipped {bit} at {at}", bytes(altered)
    if kind == "inserted":
        extra = bytes(choice.randrange(256) for _ in range(count))
        return f"inserted {count} at {at}", data[:at] + extra + data[at:]
    return f"deleted {count} at {at}", data[:at] + data[at + count :]


def model_well_formed(data):
    try:
        onnx.load_model_from_string(data)
        return True
    except Exception:
        return False


def npz_well_formed(data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.testzip():
                return False
        arrays = np.load(io.BytesIO(data))
        return all(arrays[name] is not None for name in arrays.files)
    except Exception:
        return False


def gzip_well_formed(data):
    try:
        gzip.decompress(data)
        return True
    except Exception:
        return False


def idx(array, code):
    head = bytes((0, 0, code, array.ndim))
    sizes = b"".join(d.to_bytes(4, "big") for d in array.shape)
    return head + sizes + array.tobytes()


def verdict(code, text, well_formed, left):
    if code not in CODES:
        return f"exit {code}: {harness.last_line(text)}"
    if "Sanitizer" in text or "runtime error:" in text:
        return "sanitizer report"
    if code == 0 and not well_formed:
        return "accepted, but not well formed"
    if code and not text.strip():
        return f"exit {code} without a message"
    if code and left:
        return f"exit {code}, but left {', '.join(left)}"
    return ""


class Damage:
    """Damages one file again and again and runs one command on it."""

    def __init__(self, h, name, seed):
        self.h, self.name = h, name
        self.choice = random.Random(seed)
        self.out = h.path("out")
        self.codes = {}
        self.bad = []

    def try_one(self, what, command, well_formed):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        code, text = self.h.run(*command, limit=60)
        left = os.listdir(self.out)
        self.codes[code] = self.codes.get(code, 0) + 1
        problem = verdict(code, text, well_formed, left)
        if problem:
            self.bad.append(f"{what}: {problem}")

    def finish(self):
        codes = ", ".join(f"{n} x exit {c}" for c, n in
                          sorted(self.codes.items()))
        self.h.check(f"{self.name}: {EACH} damaged files", not self.bad,
                     codes + "".join(f"\n    {b}" for b in self.bad[:8]))


def compile_command(h, model):
    if h.importer:
        return [h.importer, "--onnx-to-amp", "--batch=8", model, "-o",
                h.path("out", "model.mlir")]
    return [h.program("amp-compile"), model, "--batch", 8, "--loss",
            "softmax_cross_entropy", "--optimizer", "sgd,lr=0.1",
            "-o", h.path("out", "trainer")]


def train_command(h, *data):
    return [*h.trainer(h.path("trainer")), *data, "--steps", 3, "--export",
            h.path("out", "trained.onnx")]


def damage_files(h, name, seed, data, well_formed, command):
    path = h.path("damaged." + name)
    damage = Damage(h, name, seed)
    for _ in range(EACH):
        what, altered = damaged(data, damage.choice)
        with open(path, "wb") as file:
            file.write(altered)
        good = altered == data or well_formed(altered)
        damage.try_one(what, command(path), good)
    damage.finish()


def damage_checkpoints(h):
    h.must(h.path("trainer"), "--data", h.path("data.npz"), "--steps", 4,
           "--checkpoint-dir", h.path("checkpoints"))
    whole = max(
        folder for folder, _, names in os.walk(h.path("checkpoints"))
        if any(name.endswith(".safetensors") for name in names))
    damage = Damage(h, "checkpoint", 4)
    copy = h.path("damaged-checkpoint")
    for number in range(EACH):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(whole, copy)
        names = sorted(os.listdir(copy))
        path = os.path.join(copy, names[number % len(names)])
        with open(path, "rb") as file:
            data = file.read()
        what, altered = damaged(data, damage.choice)
        with open(path, "wb") as file:
            file.write(altered)
        command = train_command(h, "--data", h.path("data.npz"))
        command[command.index("--steps") + 1] = 6
        damage.try_one(f"{os.path.basename(path)} {what}",
                       [*command, f"--resume={copy}"], altered == data)
    damage.finish()


def main():
    h = harness.Harness(__doc__)
    model = h.path("model.onnx")
    harness.model_from_text(model, harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"), rows=40)
    h.must(h.program("amp-compile"), model, "--batch", 8, "--loss",
           "softmax_cross_entropy", "--optimizer", "sgd,lr=0.1",
           "-o", h.path("trainer"))
    data = np.load(h.path("data.npz"))
    images = idx(data["x"].astype(">f4"), 0x0D)
    labels = h.path("labels.idx")
    with open(labels, "wb") as file:
        file.write(idx(data["target"].astype(np.uint8), 0x08))

    with open(model, "rb") as file:
        damage_files(h, "onnx", 1, file.read(), model_well_formed,
                     lambda path: compile_command(h, path))
    with open(h.path("data.npz"), "rb") as file:
        damage_files(h, "npz", 2, file.read(), npz_well_formed,
                     lambda path: train_command(h, "--data", path))
    damage_files(h, "idx.gz", 3, gzip.compress(images, mtime=0),
                 gzip_well_formed,
                 lambda path: train_command(h, "--data", f"x={path}",
                                            "--data", f"target={labels}"))
    damage_checkpoints(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
