#!/usr/bin/env python3
"""Runs an ONNX model in ONNX Runtime, as the second opinion of a test.

    onnx_run.py MODEL.onnx --inputs IN.npz -o OUT.npz

Graph optimisations are off, so that the file is taken as it is.
"""

import argparse
import sys

import numpy as np
import onnxruntime


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("model")
    arguments.add_argument("--inputs", required=True)
    arguments.add_argument("-o", dest="output", required=True)
    options = arguments.parse_args()
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        options.model, settings, providers=["CPUExecutionProvider"]
    )
    data = np.load(options.inputs)
    feeds = {i.name: data[i.name] for i in session.get_inputs()}
    names = [o.name for o in session.get_outputs()]
    np.savez(options.output, **dict(zip(names, session.run(names, feeds))))


if __name__ == "__main__":
    sys.exit(main())
