#!/usr/bin/env python3
"""Prints how compile time grows with the size of a model.

    scaling.py [--bin FOLDER] [--nodes 4000 8000 16000] [--runs 3]
               [--precision bf16] [--emit schedule]

Chains of linear layers with a residual and a tanh (four nodes each), compiled
to the schedule of a training step. A row has processor seconds (the least of
the runs, user and system together) and the quotient to the row before, which
the design wants below 2.3 for a doubling. Needs numpy and onnx.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH = 16
HERE = os.path.dirname(os.path.abspath(__file__))


def chain(path, nodes):
    """Writes a model of about `nodes` nodes."""
    random = np.random.default_rng(1)
    made, weights, last = [], [], "x"
    for i in range(nodes // 4):
        matrix = random.standard_normal((WIDTH, WIDTH)) * 0.2
        bias = np.full(WIDTH, 0.01 * (i % 100))
        for name, array in ((f"w{i}", matrix), (f"b{i}", bias)):
            weights.append(
                numpy_helper.from_array(array.astype(np.float32), name))
        for op, inputs, output in (
            ("MatMul", [last, f"w{i}"], f"m{i}"),
            ("Add", [f"m{i}", f"b{i}"], f"a{i}"),
            ("Tanh", [f"a{i}"], f"t{i}"),
            ("Add", [f"t{i}", last], f"y{i}"),
        ):
            made.append(helper.make_node(op, inputs, [output], name=output))
        last = f"y{i}"
    tensor = helper.make_tensor_value_info
    graph = helper.make_graph(
        made, "chain",
        [tensor("x", TensorProto.FLOAT, [8, WIDTH])],
        [tensor(last, TensorProto.FLOAT, [8, WIDTH])], weights)
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), path)


def seconds(command):
    """Processor time of a command that has to succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"scaling.py: {' '.join(command)}: {done.stdout.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(getattr(after, key) - getattr(before, key)
               for key in ("ru_utime", "ru_stime"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(HERE, "../build/bin"))
    parser.add_argument("--nodes", type=int, nargs="+",
                        default=[4000, 8000, 16000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--precision", default="bf16")
    parser.add_argument("--emit", default="schedule")
    options = parser.parse_args()
    print(f"{'nodes':>8} {'seconds':>8} {'quotient':>8}")
    with tempfile.TemporaryDirectory() as folder:
        model, before = os.path.join(folder, "chain.onnx"), None
        for nodes in options.nodes:
            chain(model, nodes)
            command = [
                os.path.join(options.bin, "amp-compile"), model, "--loss",
                "mse", "--precision", options.precision,
                f"--emit={options.emit}", "-o", os.path.join(folder, "out")]
            least = min(seconds(command) for _ in range(options.runs))
            quotient = f"{least / before:8.2f}" if before else ""
            print(f"{nodes:8} {least:8.2f} {quotient}", flush=True)
            before = least


if __name__ == "__main__":
    main()
