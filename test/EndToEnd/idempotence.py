#!/usr/bin/env python3
"""The precision stage on its own output changes nothing.

amp-policy and amp-precision run twice on the IR of every lit test of the
precision stage (each piece that it takes) and of every reference model; the
second run must give the text of the first. In bf16 and in fp16 with a dynamic
scaler, with the default policy and with one that paints.
"""

import glob
import os
import re
import sys

import shared
from harness import Harness, last_line

STAGES = [
    ("bf16", "", "none"),
    ("fp16", "", "pytorch"),
    ("fp16", "tensorflow", "static,scale=64"),
    ("bf16", "", "none accumulation=low master=none moments=bf16"),
]
PRECISION_TESTS = os.path.join(os.path.dirname(__file__), os.pardir,
                               "Transforms", "Precision")


def stage(precision, preset, scaler):
    policy = f"precision={precision}" + (f" preset={preset}" if preset else "")
    return [f"--amp-policy={policy}",
            f"--amp-precision=precision={precision} scaler={scaler}"]


def pieces(path):
    with open(path, encoding="utf-8") as file:
        text = re.split(r"^// -----.*$", file.read(), flags=re.M)
    # Expected errors are those of another pass.
    return [re.sub(r"^\s*//.*$", "", piece, flags=re.M) for piece in text]


def twice(t, source, flags):
    """"" if the second run changes nothing, None if the first takes it not."""
    texts = []
    outputs = [t.path("once.mlir"), t.path("twice.mlir")]
    for before, after in zip([source] + outputs, outputs):
        code, text = t.run(t.program("amp-opt"), before, *flags, "-o", after)
        if code and before == source:
            return None
        if code:
            return f"exit {code}: {last_line(text)}"
        with open(after, encoding="utf-8") as file:
            texts.append(file.read())
    first, second = texts
    if first == second:
        return ""
    for a, b in zip(first.splitlines(), second.splitlines()):
        if a != b:
            return f"{a.strip()[:160]} became {b.strip()[:160]}"
    return "another number of lines"


def lit_inputs(t):
    files = sorted(glob.glob(os.path.join(PRECISION_TESTS, "**", "*.mlir"),
                             recursive=True))
    for flags in (stage(*s) for s in STAGES):
        taken, faults = 0, []
        for path in files:
            for number, text in enumerate(pieces(path)):
                source = t.path("piece.mlir")
                with open(source, "w", encoding="utf-8") as file:
                    file.write(text)
                fault = twice(t, source, flags)
                taken += fault is not None
                if fault:
                    faults.append(f"{os.path.basename(path)} {number}: {fault}")
        t.check(f"lit inputs, {flags[1]}", taken > 20 and not faults,
                f"{taken} pieces; " + "; ".join(faults[:3]))


def models(t, root):
    for name in shared.names(root):
        case = shared.Case.load(root, name)
        if case is None:
            continue
        source = t.path(f"{name}.mlir")
        code, text = t.run(t.program("amp-compile"), *case.compile_words(),
                           "--precision", "fp16", "--emit=autodiff", "-q",
                           "-o", source)
        if code in (2, 4):
            continue
        faults = []
        for flags in (stage(*s) for s in STAGES):
            fault = f"exit {code}: {last_line(text)}" if code else twice(
                t, source, flags)
            if fault != "":
                faults.append(f"{flags}: {fault}")
        t.check(f"{name} twice", not faults, "; ".join(faults))


def main():
    t = Harness(__doc__)
    lit_inputs(t)
    if shared.root():
        models(t, shared.root())
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
