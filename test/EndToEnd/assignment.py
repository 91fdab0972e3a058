#!/usr/bin/env python3
"""The assignment by a minimum cut on real models: what it predicted of the
bytes that launches move, and the greedy assignment beside it.

    assignment.py --bin FOLDER [--json FILE]
"""

import os
import sys

import shared
from harness import Harness

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, os.pardir, "bench"))
import assignment as bench  # noqa: E402


def check_model(t, name, case, precision):
    """Bytes saved by the cut, or None where the model does not compile."""
    greedy, cut = [
        bench.measure(t.program("amp-compile"), case, precision, assign, t.work)
        for assign in ("greedy", "mincut")
    ]
    if isinstance(greedy, str) or isinstance(cut, str):
        return None
    off = cut["predicted"] / cut["moved"] - 1
    t.check(f"{name} {precision}: bytes are as predicted",
            abs(off) <= bench.TOLERANCE,
            f"{cut['moved']} bytes moved, {cut['predicted']} predicted, "
            f"{off:+.2%}")
    saved = 1 - cut["moved"] / greedy["moved"]
    t.check(f"{name} {precision}: the cut moves no more",
            saved >= -bench.WORSE, f"{saved:.2%} less than the greedy one")
    return greedy["moved"] - cut["moved"]


def main():
    t = Harness(__doc__)
    root = shared.root()
    saved = []
    for name in shared.names(root) if root else []:
        case = shared.Case.load(root, name)
        for precision in ("bf16", "fp16") if case else ():
            saved.append(check_model(t, name, case, precision))
    measured = [one for one in saved if one is not None]
    if root:
        t.check("at least four models compile", len(measured) >= 8,
                f"{len(measured) // 2} do")
        t.check("somewhere the cut is strictly better",
                any(one > 0 for one in measured),
                f"in {sum(one > 0 for one in measured)} of {len(measured)}")
    else:
        t.check("nothing to measure", True, "no reference models")
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
