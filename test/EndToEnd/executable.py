#!/usr/bin/env python3
"""The executable: the same bytes from the same input, soon compiled, moved to
another folder it still trains, and it needs no Python, MLIR or framework.

    executable.py --bin FOLDER [--json FILE]
"""

import os
import re
import shutil
import sys
import time

import harness

FORBIDDEN = re.compile(r"python|MLIR|LLVM|torch|onnx|protobuf", re.IGNORECASE)
# Seconds, on two cores; resnet18_small is the largest model of the suite.
LIMIT = 5.0


def compile_to(h, model, folder, *options):
    os.makedirs(h.path(folder))
    out = h.path(folder, "trainer")
    begin = time.monotonic()
    h.must(h.program("amp-compile"), model, "--batch", 32, "--loss",
           "softmax_cross_entropy", "--optimizer", "adamw,lr=0.01",
           "--precision", "bf16", "-o", out, cwd=h.path(folder), *options)
    return out, time.monotonic() - begin


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    h = harness.Harness(__doc__)
    model = h.path("model.onnx")
    before = harness.model_from_text(model, harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"))
    first, _ = compile_to(h, model, "one")
    second, _ = compile_to(h, model, "two")
    h.check("the same input gives the same bytes",
            contents(first) == contents(second))
    h.check("nothing else is left beside it",
            os.listdir(h.path("one")) == ["trainer"], os.listdir(h.path("one")))

    libraries = h.must("ldd", first)
    h.check("no Python, MLIR or framework", not FORBIDDEN.search(libraries),
            ", ".join(sorted(set(FORBIDDEN.findall(libraries)))))

    os.makedirs(h.path("moved"))
    moved = h.path("moved", "renamed")
    shutil.move(first, moved)
    out = h.path("moved", "trained.onnx")
    h.must(moved, "--data", h.path("data.npz"), "--steps", 20, "--export", out,
           cwd="/", env={"PATH": "/usr/bin"})
    after = harness.initializers(out)
    h.check("moved, with an empty environment, it trains",
            all((before[n] != after[n]).any() for n in before))

    models = os.environ.get("AMP_REFERENCE_MODELS", "")
    resnet = os.path.join(models, "resnet18_small", "model.onnx")
    if os.path.exists(resnet):
        _, seconds = compile_to(h, resnet, "resnet")
        h.check(f"resnet18_small compiles in {LIMIT} s", seconds <= LIMIT,
                f"{seconds:.1f} s")
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
