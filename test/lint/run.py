#!/usr/bin/env python3
"""Runs the lint checks and, for each, the test that it can fail.

    run.py [NAME...]       (default: all)
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import clang_format  # noqa: E402
import docs_fresh  # noqa: E402
import file_size  # noqa: E402
import layers  # noqa: E402
import own_words  # noqa: E402
import rule_ids  # noqa: E402

CHECKS = (layers, file_size, own_words, rule_ids, docs_fresh, clang_format)
ROOT = os.path.dirname(os.path.dirname(HERE))


def results(names=()):
    """(name, problems or None if skipped, reason) of each check and its test."""
    for module in CHECKS:
        if names and module.NAME not in names:
            continue
        reason = getattr(module, "unavailable", lambda: "")()
        for label, run in (
            (module.NAME, lambda: module.check(ROOT)),
            (f"{module.NAME} finds what it should", module.self_test),
        ):
            yield label, None if reason else run(), reason


def main():
    failed = 0
    for label, problems, reason in results(sys.argv[1:]):
        if problems is None:
            print(f"skipped  {label}: {reason}")
        elif problems:
            failed += 1
            print(f"FAILED   {label}")
            for problem in problems:
                print(f"    {problem}")
        else:
            print(f"passed   {label}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
