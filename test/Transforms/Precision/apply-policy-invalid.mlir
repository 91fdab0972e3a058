// RUN: split-file %s %t
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="precision=int8" 2>&1 | FileCheck %s --check-prefix=PRECISION
// PRECISION: error: unknown precision 'int8', expected fp32, bf16, fp16 or tf32
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="preset=torch" 2>&1 | FileCheck %s --check-prefix=PRESET
// PRESET: error: unknown preset 'torch', expected default, pytorch-cuda,
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="assign=best" 2>&1 | FileCheck %s --check-prefix=ASSIGN
// ASSIGN: error: unknown assignment 'best', expected
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="range-evidence=perhaps" 2>&1 | FileCheck %s --check-prefix=EVIDENCE
// EVIDENCE: error: range-evidence is on or off, not 'perhaps'
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="preset=keras-mixed_float16 precision=bf16" 2>&1 | FileCheck %s --check-prefix=KERAS
// KERAS: error: preset 'keras-mixed_float16' means fp16, but the precision is bf16
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/none.yaml" 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: precision config {{.+}}none.yaml: No such file
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/key.yaml" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: precision config {{.+}}key.yaml:1: the file has no key 'node'; near are 'nodes'

// Patterns that match nothing, with what is near; float32 or not.
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="keep-fp32=fc3" 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="precision=fp16 keep-fp32=fc3" 2>&1 | FileCheck %s --check-prefix=NODE
// NODE: error: --keep-fp32 fc3: 'fc3' matches no node, op type or value; near are 'fc'
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/op.yaml" 2>&1 | FileCheck %s --check-prefix=OP
// OP: error: {{.+}}op.yaml:1: 'Softmin' matches no op type of the model; near are 'Softmax', 'softmax'
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/tensor.yaml" 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: {{.+}}tensor.yaml:1: 'z' matches no tensor; near are
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/region.yaml" 2>&1 | FileCheck %s --check-prefix=REGION
// REGION: error: {{.+}}region.yaml:2: 'there' matches no value; near are
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/empty.yaml" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: {{.+}}empty.yaml:2: no op lies on a path from 'probs' to 'fc'
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/custom.yaml" 2>&1 | FileCheck %s --check-prefix=CUSTOM
// CUSTOM: error: {{.+}}custom.yaml:1: 'my.op' matches no op from outside the dialect

// Two wishes of one strength.
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="keep-fp32=probs force-low=pro*" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: 'probs': --keep-fp32 probs wants fp32 and --force-low pro* wants low; they are equally strong
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="keep-fp32=probs config=%t/low.yaml" 2>&1 | FileCheck %s --check-prefix=CONFIG
// CONFIG: error: 'probs': {{.+}}low.yaml:1 wants low and --keep-fp32 probs wants fp32
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/types.yaml" 2>&1 | FileCheck %s --check-prefix=TYPES
// TYPES: error: 'probs': {{.+}}types.yaml:1 wants low and {{.+}}types.yaml:1 wants fp32
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="config=%t/mixed.yaml" 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: 'fc': {{.+}}mixed.yaml:1 wants low and {{.+}}mixed.yaml:2 wants fp32

// What is float32 by definition cannot be forced.
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="precision=fp16 force-low=loss" 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: --force-low loss: 'loss' stays float32 under every policy: no result of it may be low

//--- key.yaml
node: []
//--- op.yaml
ops: {Softmin: fp32}
//--- tensor.yaml
tensors: [{match: z, precision: fp32}]
//--- region.yaml
regions:
  - {from: fc, to: there, precision: off}
//--- empty.yaml
regions:
  - {from: probs, to: fc, precision: off}
//--- custom.yaml
custom_ops: {my.op: keep}
//--- low.yaml
nodes: [{match: probs, precision: low}]
//--- types.yaml
ops: {softmax: low, "soft*x": fp32}
//--- mixed.yaml
nodes: [{match: fc, precision: low}]
tensors: [{match: out, precision: fp32}]
//--- net.mlir
func.func @net(%x: tensor<8x16xf32> {amp.name = "x"}, %w: tensor<16x16xf32> {amp.name = "weight"}, %t: tensor<8xi64>) -> (tensor<8x16xf32> {amp.name = "out"}, tensor<8x16xf32>, tensor<f32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("fc")
  %1 = amp.softmax %0 {axis = 1 : i64, acc = f32} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("probs")
  %2:3 = amp.softmax_cross_entropy %0, %t {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>, acc = f32} : (tensor<8x16xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>, tensor<f32>) loc("loss")
  return %0, %1, %2#0 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<f32>
}
