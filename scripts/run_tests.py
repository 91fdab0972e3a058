#!/usr/bin/env python3
"""Runs the test suites and counts. Called by test.sh, which builds first.

    run_tests.py [--quick] [--build FOLDER] [--python PROGRAM] [SUITE...]

Suites: lint, unit, lit, mutants, models, endtoend, quickstart, sanitize
(default: all; --quick leaves out mutants, the last three, and the loss curves
of models).
The last line is `N passed, N failed, N skipped`; the exit status is 0 only
if nothing failed and something passed.
"""

import argparse
import os
import sys
import time

import test_suites
from test_suites import FAILED, PASSED, SKIPPED, SUITES

# Models with references that the compiler supports.
CASES = ["mlp_digits", "cnn_fashion", "resnet18_small", "gpt2_tiny"]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(
            f"unknown suite '{unknown[0]}', expected {', '.join(SUITES)}"
        )
    options.root = root
    return options


def run_suite(name, setup):
    """Prints failures as they come and returns (counts, seconds)."""
    counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    reasons = {}
    start = time.monotonic()
    print(f"== {name}", flush=True)
    for result in SUITES[name](setup):
        counts[result.status] += 1
        if result.status == FAILED:
            print(f"FAILED {result.name}")
            for line in result.detail.splitlines():
                print(f"    {line}")
            sys.stdout.flush()
        elif result.status == SKIPPED:
            reason = result.detail or "skipped by the test"
            reasons.setdefault(reason, []).append(result.name)
        elif name in ("models", "endtoend", "quickstart"):
            print(f"passed {result.name}: {result.detail}", flush=True)
    for reason, names in reasons.items():
        print(f"skipped {len(names)} ({reason}): {', '.join(names[:6])}")
    return counts, time.monotonic() - start


def main():
    options = arguments()
    names = options.suites or [
        name
        for name in SUITES
        if not (options.quick and name in test_suites.SLOW)
    ]
    setup = test_suites.Setup(
        root=options.root,
        build=os.path.abspath(options.build),
        python=options.python,
        quick=options.quick,
        models=os.environ.get(
            "AMP_REFERENCE_MODELS",
            os.path.join(os.path.dirname(options.root), "shared", "models"),
        ),
        cases=CASES,
    )
    table = [(name, *run_suite(name, setup)) for name in names]
    print("\nsuite       passed  failed  skipped  minutes")
    for name, counts, seconds in table:
        print(
            f"{name:<11} {counts[PASSED]:>6}  {counts[FAILED]:>6}  "
            f"{counts[SKIPPED]:>7}  {seconds / 60:>7.1f}"
        )
    total = {
        status: sum(counts[status] for _, counts, _ in table)
        for status in (PASSED, FAILED, SKIPPED)
    }
    print(
        f"\n{total[PASSED]} passed, {total[FAILED]} failed, "
        f"{total[SKIPPED]} skipped"
    )
    return 0 if total[PASSED] and not total[FAILED] else 1


if __name__ == "__main__":
    sys.exit(main())
