"""Builds ONNX graphs node by node, with the names exporters give.

Used by the make_*.py scripts here and by bench/make_models.py. Weights are
drawn from one seeded generator, so a script always writes the same bytes.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17


class GraphBuilder:
    """Collects nodes, initializers and the borders of one graph."""

    def __init__(self, name, seed):
        self.name = name
        self.random = np.random.default_rng(seed)
        self.nodes = []
        self.initializers = []
        self.inputs = []
        self.outputs = []

    # Borders

    def input(self, name, dtype, *shape):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, value, name, *shape):
        """Renames the last node's result; outputs keep their own names."""
        assert self.nodes[-1].output[0] == value
        self.nodes[-1].output[0] = name
        self.outputs.append(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        )

    # Values

    def tensor(self, name, array):
        self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def constant(self, name, values, dtype=np.int64):
        return self.tensor(name, np.array(values, dtype))

    def normal(self, name, shape, deviation):
        values = self.random.standard_normal(shape) * deviation
        return self.tensor(name, values.astype(np.float32))

    def kaiming(self, name, shape):
        """He's initialisation for a layer followed by ReLU."""
        fan_in = int(np.prod(shape[1:]))
        return self.normal(name, shape, np.sqrt(2.0 / fan_in))

    def zeros(self, name, size):
        return self.tensor(name, np.zeros(size, np.float32))

    def ones(self, name, size):
        return self.tensor(name, np.ones(size, np.float32))

    # Nodes

    def op(self, op_type, inputs, name, outputs=1, **attributes):
        results = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(
            helper.make_node(op_type, inputs, results, name=name, **attributes)
        )
        return results[0] if outputs == 1 else results

    # Layers

    def linear(self, x, module, fan_in, fan_out, last=False):
        """y = x W^T + b on rows, as exporters write a linear layer. The last
        one starts small, so that the first loss is near log(classes)."""
        shape = (fan_out, fan_in)
        if last:
            deviation = 1.0 / np.sqrt(3.0 * fan_in)
            weight = self.normal(f"{module}.weight", shape, deviation)
        else:
            weight = self.kaiming(f"{module}.weight", shape)
        bias = self.zeros(f"{module}.bias", fan_out)
        return self.op("Gemm", [x, weight, bias], f"/{module}/Gemm", transB=1)

    def token_linear(self, x, module, fan_in, fan_out, deviation):
        """y = x W + b on the last of three dimensions."""
        weight = self.normal(f"{module}.weight", (fan_in, fan_out), deviation)
        bias = self.zeros(f"{module}.bias", fan_out)
        y = self.op("MatMul", [x, weight], f"/{module}/MatMul")
        return self.op("Add", [y, bias], f"/{module}/Add")

    def conv(self, x, module, fan_in, fan_out, kernel, stride=1, pad=0):
        weight = self.kaiming(
            f"{module}.weight", (fan_out, fan_in, kernel, kernel)
        )
        return self.op(
            "Conv",
            [x, weight],
            f"/{module}/Conv",
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[pad] * 4,
            dilations=[1, 1],
            group=1,
        )

    def batch_norm(self, x, module, channels):
        return self.op(
            "BatchNormalization",
            [
                x,
                self.ones(f"{module}.weight", channels),
                self.zeros(f"{module}.bias", channels),
                self.zeros(f"{module}.running_mean", channels),
                self.ones(f"{module}.running_var", channels),
            ],
            f"/{module}/BatchNormalization",
            epsilon=1e-5,
            momentum=0.9,
        )

    def relu(self, x, name):
        return self.op("Relu", [x], name)

    def max_pool(self, x, name, kernel):
        return self.op(
            "MaxPool",
            [x],
            name,
            kernel_shape=[kernel, kernel],
            strides=[kernel, kernel],
        )

    def layer_norm(self, x, module, size):
        return self.op(
            "LayerNormalization",
            [
                x,
                self.ones(f"{module}.weight", size),
                self.zeros(f"{module}.bias", size),
            ],
            f"/{module}/LayerNormalization",
            axis=-1,
            epsilon=1e-5,
        )

    # Files

    def model(self):
        graph = helper.make_graph(
            self.nodes, self.name, self.inputs, self.outputs, self.initializers
        )
        model = helper.make_model(
            graph,
            producer_name="graph_builder",
            opset_imports=[helper.make_opsetid("", OPSET)],
        )
        model.ir_version = 8
        onnx.checker.check_model(model, full_check=True)
        return model

    def save(self, path):
        model = self.model()
        with open(path, "wb") as file:
            file.write(model.SerializeToString(deterministic=True))
        count = sum(int(np.prod(t.dims)) for t in self.initializers)
        print(f"{path}: {len(self.nodes)} nodes, {count} numbers")
