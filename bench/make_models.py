#!/usr/bin/env python3
"""Writes the three models the benchmark trains, as ONNX files.

    make_models.py FOLDER [mlp|gpt|resnet18 ...]

mlp       784-2048-2048-10, 5.8 million parameters, meant for batch 512
gpt       6 layers, width 384, 6 heads, 256 tokens, 8192 words, 17.1 million
          parameters, meant for batch 4
resnet18  11.2 million parameters, 3 x 32 x 32 images, meant for
          batch 32

Weights are random with a fixed seed. Needs numpy and onnx.
"""

import os
import sys

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples")
)

from onnx import TensorProto  # noqa: E402

import gpt as transformer  # noqa: E402
from graph_builder import GraphBuilder  # noqa: E402


def mlp():
    g = GraphBuilder("mlp", seed=11)
    x = g.input("input", TensorProto.FLOAT, "batch", 784)
    for index, (size, width) in enumerate(((784, 2048), (2048, 2048))):
        x = g.linear(x, f"fc{index + 1}", size, width)
        x = g.relu(x, f"/relu{index + 1}/Relu")
    x = g.linear(x, "fc3", 2048, 10, last=True)
    g.output(x, "logits", "batch", 10)
    return g


def gpt():
    g = GraphBuilder("gpt", seed=12)
    sizes = transformer.Sizes(8192, 256, 384, layers=6, heads=6)
    transformer.build(g, sizes, tied=False)
    return g


def basic_block(g, x, module, size, width, stride):
    """Two 3x3 convolutions around a shortcut."""
    y = g.conv(x, f"{module}.conv1", size, width, 3, stride, 1)
    y = g.batch_norm(y, f"{module}.bn1", width)
    y = g.relu(y, f"/{module}/relu/Relu")
    y = g.conv(y, f"{module}.conv2", width, width, 3, 1, 1)
    y = g.batch_norm(y, f"{module}.bn2", width)
    if stride != 1 or size != width:
        x = g.conv(x, f"{module}.downsample.0", size, width, 1, stride)
        x = g.batch_norm(x, f"{module}.downsample.1", width)
    y = g.op("Add", [y, x], f"/{module}/Add")
    return g.relu(y, f"/{module}/relu_1/Relu")


def resnet18():
    g = GraphBuilder("resnet18", seed=13)
    x = g.input("input", TensorProto.FLOAT, "batch", 3, 32, 32)
    x = g.conv(x, "conv1", 3, 64, 3, 1, 1)
    x = g.batch_norm(x, "bn1", 64)
    x = g.relu(x, "/relu/Relu")
    size = 64
    for stage, width in enumerate((64, 128, 256, 512), 1):
        for index in range(2):
            stride = 2 if stage > 1 and index == 0 else 1
            module = f"layer{stage}.{index}"
            x = basic_block(g, x, module, size, width, stride)
            size = width
    x = g.op("GlobalAveragePool", [x], "/avgpool/GlobalAveragePool")
    x = g.op("Flatten", [x], "/Flatten", axis=1)
    x = g.linear(x, "fc", 512, 10, last=True)
    g.output(x, "logits", "batch", 10)
    return g


MODELS = {"mlp": mlp, "gpt": gpt, "resnet18": resnet18}


def main():
    names = sys.argv[2:] or list(MODELS)
    unknown = [name for name in names if name not in MODELS]
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or unknown:
        if unknown:
            print(f"unknown model '{unknown[0]}'", file=sys.stderr)
        print(__doc__, file=sys.stderr)
        return 2
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in names:
        MODELS[name]().save(os.path.join(sys.argv[1], name + ".onnx"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
