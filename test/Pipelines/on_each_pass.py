#!/usr/bin/env python3
"""Runs every pass and pipeline of amp-opt alone on a file.

    on_each_pass.py AMP-OPT FILE

Each has to end with exit code 0, or with 3 and an error; those with a required
option get one. Fails if fewer than 30 passes are found.
"""

import re
import subprocess
import sys

OPTIONS = {
    "amp-attach-loss": "loss=mse",
    "amp-training": "loss=mse optimizer=sgd",
    "amp-precision": "precision=bf16",
    "amp-assign-precision": "precision=bf16",
}


def main():
    program, path = sys.argv[1:]
    text = subprocess.run(
        [program, "--help"], capture_output=True, text=True, check=True
    ).stdout
    passes = sorted(set(re.findall(r"^ +--(amp-[a-z0-9-]+)", text, re.MULTILINE)))
    if len(passes) < 30:
        sys.exit(f"only {len(passes)} passes found")
    bad = []
    for name in passes:
        option = f"--{name}"
        if name in OPTIONS:
            option += "=" + OPTIONS[name]
        done = subprocess.run(
            [program, option, path, "-o", "/dev/null"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 and (
            done.returncode != 3 or "error:" not in done.stderr
        ):
            bad.append(f"{option}: exit code {done.returncode}")
    sys.exit("\n".join(bad) or 0)


if __name__ == "__main__":
    main()
