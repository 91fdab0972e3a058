#!/usr/bin/env python3
"""Runs two ONNX models on equal random inputs and compares their outputs.

    compare_models.py A.onnx B.onnx --batch N --tolerance T

Symbolic dimensions are N. Integers are drawn below 2, floats from a normal
distribution (seed 0). The largest difference, relative to the largest output
of A, has to stay within T.
"""

import argparse
import sys

import numpy as np
import onnxruntime


def session(path):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    settings.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )
    return onnxruntime.InferenceSession(
        path, settings, providers=["CPUExecutionProvider"]
    )


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("first")
    arguments.add_argument("second")
    arguments.add_argument("--batch", type=int, required=True)
    arguments.add_argument("--tolerance", type=float, required=True)
    options = arguments.parse_args()
    first, second = session(options.first), session(options.second)
    random = np.random.default_rng(0)
    feeds = {}
    for value in first.get_inputs():
        shape = [d if isinstance(d, int) else options.batch for d in value.shape]
        if "float" in value.type:
            feeds[value.name] = random.standard_normal(shape).astype("float32")
        else:
            feeds[value.name] = random.integers(0, 2, shape)
    names = [value.name for value in first.get_outputs()]
    worst = 0.0
    for name, a, b in zip(
        names, first.run(names, feeds), second.run(names, feeds)
    ):
        if a.shape != b.shape:
            sys.exit(f"{name}: shapes {a.shape} and {b.shape}")
        scale = max(1e-30, float(np.abs(a).max(initial=0)))
        difference = float(np.abs(a - b).max(initial=0)) / scale
        if not difference <= options.tolerance:
            sys.exit(f"{name}: difference {difference}")
        worst = max(worst, difference)
    print(f"largest difference {worst:.2e}")


if __name__ == "__main__":
    sys.exit(main())
