#!/usr/bin/env python3
"""amp-run --compare-precision: every value in two precisions, without keeping
any (KF-81).

    compare_precision.py --bin FOLDER [--json FILE]
"""

import os
import sys

import numpy as np

import harness

LAYERS, ROWS, WIDTH = 200, 10240, 256
LIMIT = 500 << 10  # KiB


def chain():
    """200 layers whose values take 2.1 GB together."""
    lines = [f"h{i + 1} = {'MatMul' if i % 2 else 'Tanh'}"
             f"(h{i}{', w' if i % 2 else ''})" for i in range(LAYERS)]
    return f"""
<ir_version: 8, opset_import: ["" : 17]>
chain (float[batch, {WIDTH}] h0) => (float[batch, {WIDTH}] h{LAYERS})
<float[{WIDTH},{WIDTH}] w> {{
  {chr(10).join(lines)}
}}
"""


def rows_of(text):
    """Key -> the first two words of its row."""
    return {line.split()[-1]: line.split()[:2] for line in text.splitlines()
            if "|" in line and not line.startswith("#")}


def check_numbers(h):
    """The distance of the classifier's values, by running twice."""
    model = h.path("model.onnx")
    harness.model_from_text(model, harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"), rows=32)
    flags = [model, "--batch", 32, "--loss", "softmax_cross_entropy",
             "--inputs", h.path("data.npz")]
    text = h.must(h.program("amp-run"), *flags, "--compare-precision", "bf16")
    rows = rows_of(text)
    results = []
    for precision in ("fp32", "bf16"):
        out = h.path(precision + ".npz")
        h.must(h.program("amp-run"), *flags, "--precision", precision, "-o",
               out)
        results.append(np.load(out)["logits"].astype(float))
    wanted = (np.linalg.norm(results[0] - results[1])
              / np.linalg.norm(results[0]))
    found = rows.get("logits|matmul|forward|0|0", ["0", ""])
    h.check("the distance is that of the outputs",
            abs(float(found[0]) / wanted - 1) < 0.25,
            f"{found[0]}, wanted {wanted:.2e}")
    h.check("the stored type is told", found[1] == "bf16", found[1])
    h.check("gradients are among them",
            any("|backward|" in key for key in rows), f"{len(rows)} rows")
    text = h.must(h.program("amp-run"), *flags, "--compare-precision", "fp16")
    found = rows_of(text)["logits|matmul|backward|0|0"]
    h.check("gradients of float16 are compared at one loss scale",
            float(found[0]) < 0.01, found)
    code, text = h.run(h.program("amp-run"), *flags, "--compare-precision",
                       "bf16", "--precision", "fp16")
    h.check("two precisions at once are refused", code == 2,
            harness.last_line(text))


def check_memory(h):
    model = h.path("chain.onnx")
    harness.model_from_text(model, chain())
    np.savez(h.path("in.npz"),
             h0=np.ones((ROWS, WIDTH), np.float32))
    command = [h.program("amp-run"), model, "--batch", str(ROWS), "--inputs",
               h.path("in.npz"), "--compare-precision", "bf16"]
    out = h.path("rows.txt")
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT, 0o644)])
    _, status, usage = os.wait4(pid, 0)
    with open(out, encoding="utf-8") as file:
        rows = rows_of(file.read())
    h.check("KF-81: 200 layers are 200 rows",
            os.waitstatus_to_exitcode(status) == 0 and len(rows) == LAYERS,
            f"{len(rows)} rows")
    h.check("KF-81: in bounded memory", usage.ru_maxrss < LIMIT,
            f"{usage.ru_maxrss} KiB")


def main():
    h = harness.Harness(__doc__)
    check_numbers(h)
    check_memory(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
