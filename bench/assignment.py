#!/usr/bin/env python3
"""Prints what the assignment by a minimum cut saves over the greedy one.

    assignment.py --bin BUILD/bin --models FOLDER [--only NAME,...]
                  [--precision bf16,fp16] [--json OUT.json] [--check]

For each model of FOLDER (laid out as the reference models are: NAME/model.onnx
and NAME/case.json) that compiles: stand-alone casts, bytes the launches of a
training step move, what was predicted of them, and the arena; by the greedy
assignment and by the cut. With --check the exit status is 1 where a prediction
is off by more than 5 %, the cut moves more than the greedy assignment does
(beyond 0.5 %, for what both predict differs from what they move), or it is
strictly better nowhere. Needs numpy.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "test", "EndToEnd"))
import shared  # noqa: E402

# Predictions are made before casts are placed and regions are formed again.
TOLERANCE = 0.05
WORSE = 0.005


def measure(program, case, precision, assign, work):
    """Figures of one compile, or the last line of what went wrong."""
    command = [program, *case.compile_words()]
    command += ["--precision", precision, "--assign", assign]
    command += ["--emit", "schedule", "-o", os.path.join(work, "out.mlir")]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        lines = (run.stderr or run.stdout).strip().splitlines() or ["nothing"]
        return lines[-1]
    text = run.stdout
    traffic = re.search(
        r"^traffic +train_step moves (\d+) bytes a run; predicted (\d+), "
        r"greedily (\d+), in f32 (\d+)$", text, re.M)
    casts = re.search(r"^casts +(\d+) (?:launch(?:es)? )?of their own", text, re.M)
    arena = re.search(r"^train_step +.*arena ([\d.]+) (B|KiB|MiB),", text, re.M)
    if not (traffic and casts and arena):
        return "no training step"
    unit = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[arena.group(2)]
    return {
        "casts": int(casts.group(1)),
        "moved": int(traffic.group(1)),
        "predicted": int(traffic.group(2)),
        "arena": float(arena.group(1)) * unit,
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--models", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--precision", default="bf16,fp16")
    parser.add_argument("--json", default="")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = os.path.join(options.bin, "amp-compile")
    wanted = [name for name in options.only.split(",") if name]
    rows, bad = [], []
    print("%-16s %-5s %13s %25s %8s %7s %19s" % (
        "model", "type", "casts", "KiB moved", "saved", "off", "arena KiB"))
    with tempfile.TemporaryDirectory() as work:
        for name in shared.names(options.models):
            if wanted and name not in wanted:
                continue
            case = shared.Case.load(options.models, name)
            if not case:
                continue
            for precision in options.precision.split(","):
                pair = [
                    measure(program, case, precision, assign, work)
                    for assign in ("greedy", "mincut")
                ]
                failed = [one for one in pair if isinstance(one, str)]
                if failed:
                    print("%-16s %-5s %s" % (name, precision, failed[0][:80]))
                    continue
                greedy, cut = pair
                saved = 1 - cut["moved"] / greedy["moved"]
                off = cut["predicted"] / cut["moved"] - 1
                print("%-16s %-5s %5d -> %4d %11.1f -> %10.1f %7.2f%% %6.2f%% "
                      "%8.1f -> %7.1f" % (
                          name, precision, greedy["casts"], cut["casts"],
                          greedy["moved"] / 1024, cut["moved"] / 1024,
                          100 * saved, 100 * off, greedy["arena"] / 1024,
                          cut["arena"] / 1024))
                rows.append({"model": name, "precision": precision,
                             "greedy": greedy, "mincut": cut})
                if abs(off) > TOLERANCE:
                    bad.append(f"{name} {precision}: prediction off by "
                               f"{off:.1%}")
                if saved < -WORSE:
                    bad.append(f"{name} {precision}: the cut moves more")
    better = sum(row["mincut"]["moved"] < row["greedy"]["moved"]
                 for row in rows)
    print(f"{better} of {len(rows)} strictly better")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if options.check and (bad or not rows or not better) else 0


if __name__ == "__main__":
    sys.exit(main())
