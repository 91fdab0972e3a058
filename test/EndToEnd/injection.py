"""Training with overflows where a test wants them: a model whose gradients stay
finite at any loss scale, and data whose rows hold an inf where a step is to be
skipped."""

import json
import os
import struct

import harness
import numpy as np

BATCH = 4

# Its gradients are about 2^-18, so that they are finite from a scale of 2^-100
# in float32 up to the largest one, and up to 2^30 in float16.
LINEAR = """
<ir_version: 8, opset_import: ["" : 17]>
linear (float[batch, 4] x) => (float[batch, 3] y)
<float[4,3] weight, float[3] bias> {
  h = MatMul(x, weight)
  y = Add(h, bias)
}
"""


TWO_OUTPUTS = """
<ir_version: 8, opset_import: ["" : 17]>
two (float[batch, 4] x) => (float[batch, 3] y, float[batch, 3] z)
<float[4,3] w1, float[4,3] w2> {
  y = MatMul(x, w1)
  z = MatMul(x, w2)
}
"""


def write_model(h, text=LINEAR, name="model.onnx"):
    path = h.path(name)
    harness.model_from_text(path, text)
    harness.set_initializers(path, lambda values: {
        n: v * np.float32(2.0**-6) for n, v in values.items()
        if "running" not in n})
    return path


def write_data(h, found, name="data.npz", batch=BATCH, inputs=4, outputs=3):
    """A batch a flag; inf in the first row of those that are to be skipped."""
    random = np.random.default_rng(11)
    rows = len(found) * batch
    x = (random.standard_normal((rows, inputs)) * 2.0**-6).astype(np.float32)
    for step, bad in enumerate(found):
        if bad:
            x[step * batch, step % inputs] = np.inf
    target = random.standard_normal((rows, outputs)).astype(np.float32)
    np.savez(h.path(name), x=x, target=target * np.float32(2.0**-6))
    return h.path(name)


def compile_model(h, model, scaler, *options, name="trainer", batch=BATCH,
                  precision="fp16"):
    h.must(h.program("amp-compile"), model, "--batch", batch, "--loss", "mse",
           "--precision", precision, "--loss-scaler", scaler, "-o",
           h.path(name), *options)
    return h.path(name)


def run(h, trainer, data, steps, *options, log="log.jsonl"):
    """Exit code, output and the log of a run in the order of the file."""
    code, text = h.run(*h.trainer(trainer), "--data", data, "--steps", steps,
                       "--no-shuffle", "--last-batch", "wrap", "--metrics",
                       h.path(log), *options)
    return code, text, harness.metrics(h.path(log))


def checkpoint(folder):
    """Every variable of the newest checkpoint, as bytes."""
    newest = max(name for name in os.listdir(folder)
                 if name.startswith("step-"))
    path = os.path.join(folder, newest, "weights.safetensors")
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    return {
        name: data[begin + tensor["data_offsets"][0]:
                   begin + tensor["data_offsets"][1]]
        for name, tensor in json.loads(data[8:begin]).items()
        if name != "__metadata__"
    }


def changed(before, after):
    """Names whose bytes differ."""
    as_bytes = lambda v: v if isinstance(v, bytes) else v.tobytes()
    return sorted(n for n in before if as_bytes(before[n]) != as_bytes(after[n]))


def scales(log):
    """Scales as they are: the log has the digits that a float32 needs."""
    return [float(np.float32(line["loss_scale"])) for line in log]
