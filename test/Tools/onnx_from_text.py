#!/usr/bin/env python3
"""Turns the text form of an ONNX model into its bytes.

    onnx_from_text.py IN.onnxtxt OUT.onnx [--no-check] [--random-weights SEED]

--random-weights turns each declared value that no node makes, as w in
`<float[3,4] w>`, into an initializer: normal numbers with deviation 0.1 from a
generator with that seed (zeros for integers).
Lines that start with '#' or '//' are comments.
"""

import argparse
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper


def fill(model, seed):
    """Turns each declared value that no node makes into an initializer."""
    random = np.random.default_rng(seed)
    graph = model.graph
    made = {name for node in graph.node for name in node.output}
    made |= {value.name for value in graph.input}
    made |= {tensor.name for tensor in graph.initializer}
    for value in [v for v in graph.value_info if v.name not in made]:
        tensor_type = value.type.tensor_type
        shape = [dim.dim_value for dim in tensor_type.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor_type.elem_type)
        if np.issubdtype(dtype, np.integer) or dtype == np.bool_:
            values = np.zeros(shape)
        else:
            values = random.standard_normal(shape) * 0.1
        graph.initializer.append(
            numpy_helper.from_array(values.astype(dtype), value.name)
        )
        graph.value_info.remove(value)


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
