#!/usr/bin/env python3
"""Imports every model of a folder and compares the message it ends with.

    each.py FOLDER TRANSLATE PYTHON ONNX_FROM_TEXT

Each .txt of FOLDER is a model with a line `# EXPECT: TEXT`; importing it with
a batch of 2 must exit with code 3 and a message that contains TEXT.
"""

import glob
import os
import subprocess
import sys


def main():
    folder, translate, *from_text = sys.argv[1:]
    failures = 0
    paths = sorted(glob.glob(os.path.join(folder, "*.txt")))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            marks = [l for l in file if l.startswith("# EXPECT: ")]
        expected = marks[0][len("# EXPECT: ") :].strip()
        model = path[: -len(".txt")] + ".onnx"
        subprocess.run([*from_text, path, model, "--no-check"], check=True)
        run = subprocess.run(
            [translate, "--onnx-to-amp", model, "--batch", "2"],
            capture_output=True,
            text=True,
        )
        if run.returncode != 3 or expected not in run.stderr:
            failures += 1
            print(
                f"{os.path.basename(path)}: exit {run.returncode}, expected 3 "
                f"and '{expected}', got: {run.stderr.strip()}"
            )
    if failures or not paths:
        sys.exit(f"{failures} of {len(paths)} failed")


if __name__ == "__main__":
    main()
