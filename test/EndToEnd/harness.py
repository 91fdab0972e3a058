"""What the end-to-end scripts share: running programs, small models, rows.

A script gets `--bin FOLDER [--json FILE]`, prints one row per check, and exits
with 1 if a check failed or none was made. With --stub PROGRAM trainers are run
by that program, with --importer PROGRAM models are read by that amp-translate
(both built with sanitizers).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

# A small classifier with everything whose state a step moves: two linear
# layers and batch normalisation with running statistics.
CLASSIFIER = """
<ir_version: 8, opset_import: ["" : 17]>
classifier (float[batch, 16] x) => (float[batch, 5] logits)
<float[24,16] fc1_weight, float[24] fc1_bias,
 float[24] bn_weight, float[24] bn_bias,
 float[24] bn_running_mean, float[24] bn_running_var,
 float[5,24] fc2_weight, float[5] fc2_bias> {
  h = Gemm<transB=1>(x, fc1_weight, fc1_bias)
  n = BatchNormalization(h, bn_weight, bn_bias, bn_running_mean, bn_running_var)
  r = Relu(n)
  logits = Gemm<transB=1>(r, fc2_weight, fc2_bias)
}
"""


class Harness:
    """One run of a script: its folder, its programs, its rows."""

    def __init__(self, description):
        parser = argparse.ArgumentParser(
            description=description,
            formatter_class=argparse.RawTextHelpFormatter,
        )
        parser.add_argument("--bin", required=True)
        parser.add_argument("--json")
        parser.add_argument("--stub")
        parser.add_argument("--importer")
        options = parser.parse_args()
        self.bin = os.path.abspath(options.bin)
        self.json = options.json
        self.stub = options.stub
        self.importer = options.importer
        self.rows = []
        self.folder = tempfile.TemporaryDirectory()
        self.work = self.folder.name

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def program(self, name):
        return os.path.join(self.bin, name)

    def trainer(self, path):
        """The words that run a trainer."""
        return [self.stub, "--package", path] if self.stub else [path]

    def run(self, *command, limit=120, **options):
        """Exit code (negative for a signal, 124 for no end) and output."""
        try:
            done = subprocess.run(
                [str(word) for word in command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                timeout=limit,
                **options,
            )
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            return 124, f"no end after {limit} s"
        except FileNotFoundError as missing:
            return 127, f"no program '{missing.filename}'"

    def must(self, *command, **options):
        """Runs a command other checks stand on; ends the script if it fails."""
        code, text = self.run(*command, **options)
        if code:
            self.check(f"{os.path.basename(str(command[0]))} runs", False,
                       f"exit {code}: {last_line(text)}")
            sys.exit(self.finish())
        return text

    def train(self, trainer, data, steps, name, *words):
        """The log and the initializers after some steps in file order."""
        log, out = self.path(name + ".jsonl"), self.path(name + ".onnx")
        self.must(*self.trainer(trainer), "--data", self.path(data), "--steps",
                  steps, "--no-shuffle", "--last-batch", "wrap", "--metrics",
                  log, "--export", out, *words)
        return metrics(log), initializers(out)

    def check(self, name, good, detail=""):
        self.rows.append(dict(name=name, ok=bool(good), detail=str(detail)))
        mark = "ok    " if good else "FAILED"
        print(f"{mark} {name}{': ' if detail else ''}{detail}", flush=True)
        return bool(good)

    def finish(self):
        if self.json:
            with open(self.json, "w", encoding="utf-8") as file:
                json.dump(self.rows, file)
        bad = sum(not row["ok"] for row in self.rows)
        print(f"{len(self.rows) - bad} passed, {bad} failed")
        return 1 if bad or not self.rows else 0


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "printed nothing"


def model_from_text(path, text, seed=1):
    """Writes a model whose declared values get random numbers (variances
    ones, biases small), and returns name -> array."""
    random = np.random.default_rng(seed)
    model = onnx.parser.parse_model(text)
    graph = model.graph
    made = {name for node in graph.node for name in node.output}
    for value in [v for v in graph.value_info if v.name not in made]:
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        if value.name.endswith("running_var"):
            array = np.ones(shape)
        else:
            array = random.standard_normal(shape) * 0.3
        kind = value.type.tensor_type.elem_type
        if kind == onnx.TensorProto.FLOAT:
            array = array.astype(np.float32)
            tensor = numpy_helper.from_array(array, value.name)
        else:
            tensor = onnx.helper.make_tensor(value.name, kind, shape,
                                             array.ravel().tolist())
        graph.initializer.append(tensor)
        graph.value_info.remove(value)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return initializers(path)


def initializers(path):
    return {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in onnx.load(path).graph.initializer
    }


def set_initializers(path, change):
    """Gives initializers of a file the values `change` returns for them."""
    model = onnx.load(path)
    values = change(initializers(path))
    for tensor in model.graph.initializer:
        if tensor.name in values:
            tensor.CopyFrom(
                numpy_helper.from_array(values[tensor.name], tensor.name))
    onnx.save(model, path)


def classifier_data(path, rows=640, seed=2):
    """Separable rows, so that training has something to find."""
    random = np.random.default_rng(seed)
    target = random.integers(0, 5, rows)
    centres = random.standard_normal((5, 16))
    x = centres[target] + 0.5 * random.standard_normal((rows, 16))
    np.savez(path, x=x.astype(np.float32), target=target.astype(np.int64))


def metrics(path):
    """The steps of a log, in order."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [line for line in lines if "step" in line and "loss" in line]


def for_inference(source, target):
    """Copies a model and turns its batch norms and dropouts to inference."""
    model = onnx.load(source)
    for node in model.graph.node:
        if node.op_type == "BatchNormalization":
            for attribute in node.attribute:
                if attribute.name == "training_mode":
                    attribute.i = 0
            del node.output[1:]
        elif node.op_type == "Dropout" and len(node.input) > 2:
            del node.input[2:]
    onnx.save(model, target)
