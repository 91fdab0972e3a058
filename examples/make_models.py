#!/usr/bin/env python3
"""Writes the ONNX files of this folder. Needs numpy and onnx.

    make_models.py [FOLDER]       (default: the folder of this script)

The files are committed; running this again writes the same bytes.
"""

import os
import sys

import numpy as np
from onnx import TensorProto

import gpt
from graph_builder import GraphBuilder


def fashion_cnn():
    """Images [batch, 1, 28, 28] to ten logits: two convolutions with
    normalisation and pooling, then a linear layer."""
    g = GraphBuilder("fashion_cnn", seed=1)
    x = g.input("input", TensorProto.FLOAT, "batch", 1, 28, 28)
    size = 1
    for index, channels in ((1, 16), (2, 32)):
        x = g.conv(x, f"conv{index}", size, channels, kernel=3, pad=1)
        x = g.batch_norm(x, f"bn{index}", channels)
        x = g.relu(x, f"/relu{index}/Relu")
        x = g.max_pool(x, f"/pool{index}/MaxPool", 2)
        size = channels
    x = g.op("Flatten", [x], "/Flatten", axis=1)
    x = g.linear(x, "fc", 32 * 7 * 7, 10, last=True)
    g.output(x, "logits", "batch", 10)
    return g


def fashion_mlp():
    """Images [batch, 1, 28, 28] to ten logits: two linear layers with
    dropout between them."""
    g = GraphBuilder("fashion_mlp", seed=2)
    x = g.input("input", TensorProto.FLOAT, "batch", 1, 28, 28)
    x = g.op("Flatten", [x], "/Flatten", axis=1)
    x = g.linear(x, "fc1", 784, 64)
    x = g.relu(x, "/relu/Relu")
    ratio = g.constant("dropout_ratio", 0.1, np.float32)
    x = g.op("Dropout", [x, ratio], "/drop/Dropout")
    x = g.linear(x, "fc2", 64, 10, last=True)
    g.output(x, "logits", "batch", 10)
    return g


def tiny_gpt():
    """Bytes [batch, 32] to the logits of each next byte."""
    g = GraphBuilder("tiny_gpt", seed=3)
    gpt.build(g, gpt.Sizes(128, 32, 48, layers=1, heads=4))
    return g


def tiny_encoder():
    """Tokens [batch, 16], some of them hidden, to the logits of all 16."""
    g = GraphBuilder("tiny_encoder", seed=4)
    gpt.build(g, gpt.Sizes(64, 16, 32, layers=2, heads=2, causal=False))
    return g


MODELS = (fashion_cnn, fashion_mlp, tiny_gpt, tiny_encoder)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else here
    os.makedirs(folder, exist_ok=True)
    for make in MODELS:
        make().save(os.path.join(folder, make.__name__ + ".onnx"))


if __name__ == "__main__":
    main()
