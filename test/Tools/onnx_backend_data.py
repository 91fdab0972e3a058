#!/usr/bin/env python3
"""Writes node tests of the onnx package as folders for amp-run --vectors.

    onnx_backend_data.py OUT [PATTERN...]

PATTERN is a glob over the names of the tests ("test_conv_*"); without one, all
are written. Tests of whole graphs, whose data the package carries, are copied
where a pattern asks for them. The layout is that of ONNX's own backend test data: model.onnx and
test_data_set_N/{input,output}_K.pb. Prints how many folders it wrote.
"""

import fnmatch
import os
import shutil
import sys
import warnings

import numpy as np
import onnx
from onnx import numpy_helper


def to_proto(value, info):
    """A value of a test in the form its type asks for."""
    kind = info.type.WhichOneof("value")
    if isinstance(value, (onnx.TensorProto, onnx.SequenceProto)):
        return value
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    return numpy_helper.from_array(np.asarray(value), info.name)


def write(folder, case):
    os.makedirs(folder, exist_ok=True)
    onnx.save(case.model, os.path.join(folder, "model.onnx"))
    graph = case.model.graph
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = os.path.join(folder, f"test_data_set_{number}")
        os.makedirs(data, exist_ok=True)
        for what, values, infos in (
            ("input", inputs, graph.input),
            ("output", outputs, graph.output),
        ):
            for k, (value, info) in enumerate(zip(values, infos)):
                with open(os.path.join(data, f"{what}_{k}.pb"), "wb") as file:
                    file.write(to_proto(value, info).SerializeToString())


def copy(out, patterns):
    """Copies tests of graphs that the package has as files."""
    data = os.path.join(os.path.dirname(onnx.__file__), "backend", "test",
                        "data", "simple")
    names = os.listdir(data) if os.path.isdir(data) else []
    chosen = [name for name in names
              if any(fnmatch.fnmatchcase(name, p) for p in patterns)]
    for name in chosen:
        shutil.copytree(os.path.join(data, name), os.path.join(out, name),
                        dirs_exist_ok=True)
    return len(chosen)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    from onnx.backend.test.case.node import collect_testcases

    patterns = sys.argv[2:] or ["*"]
    written = 0
    for case in collect_testcases(None):
        if any(fnmatch.fnmatchcase(case.name, p) for p in patterns):
            write(os.path.join(sys.argv[1], case.name), case)
            written += 1
    written += copy(sys.argv[1], sys.argv[2:])
    print(f"wrote {written} folders")
    if not written:
        sys.exit("no test has such a name")


if __name__ == "__main__":
    main()
