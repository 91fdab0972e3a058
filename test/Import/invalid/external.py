#!/usr/bin/env python3
"""Imports models whose weights lie outside the file, by good and bad paths.

    external.py FOLDER TRANSLATE
"""

import os
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper


def model(location, offset=None, length=None):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3])
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (
        ("location", location),
        ("offset", offset),
        ("length", length),
    ):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"], "product")],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 3])],
        [tensor],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )


def main():
    folder, translate = sys.argv[1:]
    inside = os.path.join(folder, "model")
    values = np.arange(8, dtype=np.float32)
    for place in ("model/weights.bin", "other/weights.bin"):
        values.tofile(os.path.join(folder, place))
    os.makedirs(os.path.join(inside, "sub"), exist_ok=True)
    values.tofile(os.path.join(inside, "sub", "weights.bin"))
    os.symlink("../other/weights.bin", os.path.join(inside, "link.bin"))
    os.symlink("../other", os.path.join(inside, "away"))
    os.mkfifo(os.path.join(inside, "pipe"))
    cases = [
        (model("weights.bin"), 0, ""),
        (model("./sub/weights.bin", 8, 24), 0, ""),
        (model("../other/weights.bin"), 3, "below the model's folder"),
        (model("sub/../../other/weights.bin"), 3, "below the model's folder"),
        (
            model(os.path.abspath(os.path.join(folder, "other/weights.bin"))),
            3,
            "below the model's folder",
        ),
        (model("link.bin"), 3, "links are not followed"),
        (model("away/weights.bin"), 3, "links are not followed"),
        (model("pipe"), 3, "is not a regular file"),
        (model("missing.bin"), 3, "cannot be opened"),
        (model("weights.bin", 16), 3, "ends at byte 32"),
        (model("weights.bin", -4), 3, "expected a number of bytes"),
        (model("weights.bin", 2**63), 3, "ends at byte 32"),
        (model("weights.bin", 0, 12), 3, "has length 12"),
        (model(None), 3, "has no location"),
    ]
    failures = 0
    for number, (case, code, text) in enumerate(cases):
        path = os.path.join(inside, f"case{number}.onnx")
        with open(path, "wb") as file:
            file.write(case.SerializeToString())
        run = subprocess.run(
            [translate, "--onnx-to-amp", path],
            capture_output=True,
            text=True,
            timeout=60,
        )
        if run.returncode != code or text not in run.stderr:
            failures += 1
            print(f"case {number}: exit {run.returncode}: {run.stderr}")
    if failures:
        sys.exit(f"{failures} of {len(cases)} failed")


if __name__ == "__main__":
    main()
