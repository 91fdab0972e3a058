#!/usr/bin/env python3
"""The trained model as an ONNX file: nothing but the weights differs from the
source, and another runtime gives the outputs the program itself predicts.

    export.py --bin FOLDER [--json FILE]
"""

import os
import re
import sys

import harness
import numpy as np
import onnx
import onnxruntime

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "../../examples")
# Largest absolute difference of an output, by precision of the program.
LIMITS = {"fp32": 1e-4, "bf16": 0.1, "fp16": 0.02}
# Rows, which fill no batch of 8.
ROWS = 45


def images(h):
    random = np.random.default_rng(3)
    np.savez(h.path("images.npz"),
             input=random.random((ROWS, 1, 28, 28)).astype(np.float32),
             target=random.integers(0, 10, ROWS))


def text(h):
    random = np.random.default_rng(4)
    tokens = random.integers(0, 128, (ROWS, 33))
    np.savez(h.path("text.npz"), input_ids=tokens[:, :-1],
             target=tokens[:, 1:])


def without_weights(path):
    """The bytes of a model whose initializers hold nothing."""
    model = onnx.load(path, load_external_data=False)
    for tensor in model.graph.initializer:
        for field in ("raw_data", "float_data", "external_data",
                      "data_location"):
            tensor.ClearField(field)
    return model.SerializeToString(deterministic=True)


def outputs(path, data):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        path, options, providers=["CPUExecutionProvider"])
    feeds = {i.name: data[i.name] for i in session.get_inputs()}
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds)))


def round_trip(h, name, model, data, precision, *options):
    trainer, out = h.path("trainer"), h.path("trained.onnx")
    checkpoints = h.path("checkpoints " + name.replace("/", " "))
    h.must(h.program("amp-compile"), model, "--batch", 8, "--loss",
           "softmax_cross_entropy,class_axis=-1", "--optimizer",
           "adamw,lr=0.003",
           "--precision", precision, "-o", trainer, *options)
    h.must(trainer, "--data", h.path(data), "--steps", 12, "--export", out,
           "--checkpoint-dir", checkpoints)
    before, after = harness.initializers(model), harness.initializers(out)
    moved = [n for n in before if before[n].tobytes() != after[n].tobytes()]
    h.check(f"{name}: training moves the weights", len(moved) > 3, len(moved))
    h.check(f"{name}: nothing else in the file changes",
            without_weights(model) == without_weights(out)
            and all(before[n].dtype == after[n].dtype for n in before))

    arrays = np.load(h.path(data))
    h.must(trainer, "--predict", "--data", h.path(data), "-o",
           h.path("predicted.npz"), f"--resume={checkpoints}")
    predicted = np.load(h.path("predicted.npz"))
    wanted = outputs(out, arrays)
    far = max(float(np.abs(predicted[n] - w).max()) if
              predicted[n].shape == w.shape else np.inf
              for n, w in wanted.items())
    h.check(f"{name}: --predict gives what another runtime gives for it",
            far <= LIMITS[precision], f"{far:.1e}")
    untrained = outputs(model, arrays)
    moved = max(float(np.abs(untrained[n] - w).max())
                for n, w in wanted.items())
    h.check(f"{name}: which is not what the source gives", moved > 3 * far,
            f"{moved:.1e}")
    evaluated(h, name, trainer, checkpoints, data, precision,
              next(iter(wanted.values())), arrays["target"])


def evaluated(h, name, trainer, checkpoints, data, precision, logits, target):
    """--eval tells the loss and accuracy of these outputs."""
    told = h.must(trainer, "--eval", "--data", h.path(data),
                  f"--resume={checkpoints}")
    found = re.search(r"loss ([\d.]+) +accuracy [\d.]+ % \((\d+) of (\d+)\)",
                      told)
    logits = logits.reshape(-1, logits.shape[-1]).astype(np.float64)
    target = target.reshape(-1)
    shifted = logits - logits.max(1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    loss = -logs[np.arange(len(target)), target].mean()
    correct = int((logits.argmax(1) == target).sum())
    # Low precision may decide close calls otherwise.
    slack = 0 if precision == "fp32" else len(target) // 20
    h.check(f"{name}: --eval tells its loss and accuracy",
            found and abs(float(found[1]) / loss - 1) < LIMITS[precision]
            and abs(int(found[2]) - correct) <= slack
            and int(found[3]) == len(target),
            f"{harness.last_line(told)}, wanted {loss:.5f}, {correct}")


def external(h):
    """Weights that lay in a file beside the model come to lie inside."""
    os.makedirs(h.path("external"))
    path = h.path("external", "model.onnx")
    onnx.save(onnx.load(os.path.join(EXAMPLES, "fashion_cnn.onnx")), path,
              save_as_external_data=True, location="weights.bin",
              size_threshold=64)
    h.must(h.program("amp-compile"), path, "--batch", 8, "--loss",
           "softmax_cross_entropy", "--optimizer", "sgd,lr=0.01", "-o",
           h.path("trainer"))
    out = h.path("alone.onnx")
    h.must(h.path("trainer"), "--data", h.path("images.npz"), "--steps", 3,
           "--export", out)
    arrays = np.load(h.path("images.npz"))
    h.check("external weights lie inside the export",
            np.isfinite(outputs(out, arrays)["logits"]).all())
    h.check("external weights: nothing else in the file changes",
            without_weights(path) == without_weights(out))


def main():
    h = harness.Harness(__doc__)
    images(h)
    text(h)
    for precision in LIMITS:
        for name, data in (("fashion_cnn", "images.npz"),
                           ("fashion_mlp", "images.npz"),
                           ("tiny_gpt", "text.npz")):
            round_trip(h, f"{name} {precision}",
                       os.path.join(EXAMPLES, name + ".onnx"), data, precision)
    external(h)
    models = os.environ.get("AMP_REFERENCE_MODELS", "")
    for name in ("mlp_digits", "cnn_fashion", "resnet18_small", "gpt2_tiny"):
        folder = os.path.join(models, name)
        if not os.path.exists(os.path.join(folder, "data.npz")):
            continue
        arrays = np.load(os.path.join(folder, "data.npz"))
        np.savez(h.path(name + ".npz"),
                 **{k: arrays[k][:ROWS] for k in arrays.files})
        # Exported in training mode: another runtime has to be told.
        model = h.path(name + ".onnx")
        harness.for_inference(os.path.join(folder, "model.onnx"), model)
        round_trip(h, name, model, name + ".npz", "fp32")
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
