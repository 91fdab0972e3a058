// RUN: amp-opt %s --amp-raise-patterns --amp-apply-policy="precision=fp16 keep-fp32=inner/Div" | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: amp-opt %s --amp-raise-patterns --amp-apply-policy="precision=fp16 keep-fp32=inner/Erf" | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: amp-opt %s --amp-raise-patterns --amp-apply-policy="precision=fp16 keep-fp32=tail" | FileCheck %s --check-prefixes=CHECK,FREE

// Nodes that a raised op has taken in still name it.
// CHECK: amp.merged_nodes = {"inner/Add" = "inner/Mul", "inner/Div" = "inner/Mul", "inner/Erf" = "inner/Mul", "inner/Half" = "inner/Mul"}
// KEPT: amp.gelu {{.+}}class = "keep"{{.+}}source = "node"
// KEPT: amp.relu {{.+}}source = "preset"
// FREE: amp.gelu {{.+}}source = "preset"
// FREE: amp.relu {{.+}}source = "node"
func.func @gelu(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %half = amp.constant dense<5.000000e-01> : tensor<f32>
  %root = amp.constant dense<1.41421354> : tensor<f32>
  %one = amp.constant dense<1.000000e+00> : tensor<f32>
  %0 = amp.div %x, %root : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32> loc("inner/Div")
  %1 = amp.erf %0 : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("inner/Erf")
  %2 = amp.add %1, %one : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32> loc("inner/Add")
  %3 = amp.mul %x, %half : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32> loc("inner/Half")
  %4 = amp.mul %3, %2 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("inner/Mul")
  %5 = amp.relu %4 : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("tail")
  return %5 : tensor<8x16xf32>
}
