#!/usr/bin/env python3
"""Turns the text form of an ONNX model into its bytes.

    onnx_from_text.py IN.onnxtxt OUT.onnx [--no-check] [--random-weights SEED]

--random-weights gives every initializer that has no data normal numbers with
deviation 0.1 (floats) or zeros (integers), drawn from one seeded generator.
Lines that start with '#' or '//' are comments.
"""

import argparse
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper


def fill(model, seed):
    random = np.random.default_rng(seed)
    for tensor in model.graph.initializer:
        has_data = any(
            len(getattr(tensor, field))
            for field in ("raw_data", "float_data", "int32_data", "int64_data")
        )
        if has_data or not np.prod(tensor.dims):
            continue
        dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
        if np.issubdtype(dtype, np.integer) or dtype == np.bool_:
            values = np.zeros(tensor.dims, dtype)
        else:
            values = random.standard_normal(tuple(tensor.dims)) * 0.1
        tensor.CopyFrom(
            numpy_helper.from_array(values.astype(dtype), tensor.name)
        )


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("text")
    arguments.add_argument("output")
    arguments.add_argument("--no-check", action="store_true")
    arguments.add_argument("--random-weights", type=int, metavar="SEED")
    options = arguments.parse_args()
    with open(options.text, encoding="utf-8") as file:
        lines = [
            line
            for line in file
            if not line.lstrip().startswith(("#", "//"))
        ]
    model = onnx.parser.parse_model("".join(lines))
    if options.random_weights is not None:
        fill(model, options.random_weights)
    if not options.no_check:
        onnx.checker.check_model(model)
    with open(options.output, "wb") as file:
        file.write(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    sys.exit(main())
