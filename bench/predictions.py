#!/usr/bin/env python3
"""Prints how far the predicted bytes are from those the schedule moves.

    predictions.py --bin BUILD/bin [--models FOLDER] [--only NAME,...]
                   [--policy NAME,...] [--precision bf16,fp16] [--dynamo]
                   [--bound PERCENT] [--json OUT.json] [--check]
                   [-- OPTION OF AMP-COMPILE...]

For the networks of test/EndToEnd/networks.py, and each model of FOLDER (laid
out as the reference models are) that compiles, also as its other exporter wrote
it with --dynamo: every entry point under every policy in each low type. Prints
those that are off by more than the bound, and the median and worst of all. With
--check the exit status is 1 where one is. Needs numpy and onnx.
"""

import argparse
import concurrent.futures
import copy
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "test", "EndToEnd"))
import networks  # noqa: E402
import shared  # noqa: E402

BOUND = 0.05
POLICIES = ("default pytorch-cuda pytorch-cpu tensorflow keras-mixed_float16 "
            "keras-mixed_bfloat16 mxnet ort autocast O0 O1 O2 O3").split()
ONLY = {"keras-mixed_float16": "fp16", "keras-mixed_bfloat16": "bf16"}
TRAFFIC = re.compile(r"^traffic +(\S+) moves (\d+) bytes a run; predicted (\d+),"
                     r" greedily (\d+), in f32 (\d+)$", re.M)


def subjects(work, models="", dynamo=False):
    """Name -> the words that compile each."""
    words = networks.write(work)
    for name in shared.names(models) if models else ():
        case = shared.Case.load(models, name)
        if not case:
            continue
        words[name] = case.compile_words()
        other = case.model.replace("model.onnx", "model_dynamo.onnx")
        if dynamo and os.path.exists(other):
            twin = copy.copy(case)
            twin.model = other
            words[name + "+dynamo"] = twin.compile_words()
    return words


def measure(program, words):
    """{entry: (moved, predicted)} of one compile, or why there is none."""
    with tempfile.TemporaryDirectory() as work:
        run = subprocess.run(
            [program, *words, "--emit", "schedule", "-o",
             os.path.join(work, "out.mlir")], capture_output=True, text=True)
    if run.returncode:
        lines = (run.stderr or run.stdout).strip().splitlines()
        return lines[-1] if lines else f"exit {run.returncode}"
    found = {name: (int(moved), int(predicted)) for name, moved, predicted, _, _
             in TRAFFIC.findall(run.stdout)}
    return found or "no predictions"


def measure_all(program, words, policies, precisions, more=()):
    """(subject, policy, precision, what `measure` gives), as they are done."""
    jobs = [(name, policy, precision) for name in words for policy in policies
            for precision in precisions
            if ONLY.get(policy, precision) == precision]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from ((*job, result) for job, result in zip(jobs, pool.map(
            lambda job: measure(program, [
                *words[job[0]], "--policy", job[1], "--precision", job[2],
                *more]), jobs)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--models", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--policy", default=",".join(POLICIES))
    parser.add_argument("--precision", default="bf16,fp16")
    parser.add_argument("--dynamo", action="store_true")
    parser.add_argument("--bound", type=float, default=100 * BOUND)
    parser.add_argument("--json", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("more", nargs="*")
    options = parser.parse_args()
    program = os.path.join(options.bin, "amp-compile")
    wanted = [name for name in options.only.split(",") if name]
    rows, refused = [], {}
    with tempfile.TemporaryDirectory() as work:
        words = {name: own for name, own in subjects(
            work, options.models, options.dynamo).items()
            if not wanted or name in wanted}
        for name, policy, precision, found in measure_all(
                program, words, options.policy.split(","),
                options.precision.split(","), options.more):
            if isinstance(found, str):
                refused.setdefault((name, found[:100]), []).append(
                    f"{policy} {precision}")
                continue
            for entry, (moved, predicted) in found.items():
                off = predicted / moved - 1
                rows.append({"subject": name, "policy": policy,
                             "precision": precision, "entry": entry,
                             "moved": moved, "predicted": predicted})
                if 100 * abs(off) > options.bound:
                    print(f"{name:<22}{policy:<22}{precision:<6}{entry:<12}"
                          f"{moved:>10}{predicted:>10}{off:>+8.2%}", flush=True)
    for (name, why), of in refused.items():
        print(f"{name}: {why} ({len(of)}: {of[0]}, ..)")
    offs = [abs(row["predicted"] / row["moved"] - 1) for row in rows]
    beyond = sum(100 * off > options.bound for off in offs)
    if offs:
        print(f"{len(offs)} measured, median {statistics.median(offs):.2%}, "
              f"worst {max(offs):.2%}, {beyond} beyond {options.bound:g} %")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if options.check and (beyond or not rows) else 0


if __name__ == "__main__":
    sys.exit(main())
