#!/usr/bin/env python3
"""The bytes that the precision stage predicts are those that the launches of
the final schedule move, within 5 %: every entry point of small networks under
every policy and however state is stored, and of the reference models under the
default and three policies that decide differently, in both low types.

    predictions.py --bin FOLDER [--json FILE]
"""

import os
import sys

import shared
from harness import Harness

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, os.pardir, "bench"))
import predictions as bench  # noqa: E402

# Types are promoted, painted, and all low.
THREE = ["default", "pytorch-cuda", "tensorflow", "ort"]


# How parameters and moments are stored, and the types that may be.
STORED = (("--master-weights none --moments bf16", ("bf16", "fp16")),
          ("--master-weights bf16+residual", ("bf16",)),
          ("--moments fp16", ("bf16", "fp16")))


def check(t, words, policies, most_refused=0, precisions=("bf16", "fp16"),
          stored=""):
    """One row for each subject and policy: the worst of its entry points."""
    rows, refused = {}, {}
    for name, policy, precision, found in bench.measure_all(
            t.program("amp-compile"), words, policies, precisions,
            stored.split()):
        if isinstance(found, str):
            refused[name] = found
            continue
        for entry, (moved, predicted) in found.items():
            rows.setdefault((name, policy), []).append(
                (abs(predicted / moved - 1), f"{precision} {entry}: {moved} "
                 f"bytes moved, {predicted} predicted"))
    for (name, policy), offs in rows.items():
        worst, where = max(offs)
        t.check(f"{name}, {policy} {stored}".rstrip(), worst <= bench.BOUND,
                f"{worst:.2%} at most, {where}")
    t.check(f"{len(words)} networks compile", len(refused) <= most_refused,
            "; ".join(f"{name}: {why[:80]}" for name, why in refused.items()))


def main():
    t = Harness(__doc__)
    small = bench.subjects(t.work)
    check(t, small, bench.POLICIES)
    for stored, precisions in STORED:
        check(t, small, ["default"], precisions=precisions, stored=stored)
    root = shared.root()
    if root:
        models = {name: words for name, words in
                  bench.subjects(t.work, root).items() if name not in small}
        # Some of the models have ops that are not supported yet.
        check(t, models, THREE, most_refused=len(models) // 4)
    else:
        t.check("no reference models to measure", True)
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
