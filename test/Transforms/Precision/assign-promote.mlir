// RUN: amp-opt %s -split-input-file --amp-apply-policy="preset=pytorch-cuda precision=bf16" --amp-assign-precision="precision=bf16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=bf16" --amp-assign-precision="precision=bf16 assign=promote" | FileCheck %s --check-prefix=MIXED

// Beside tensors a scalar does not count, nor does the constant of one element
// that an exporter writes for a number; a tensor does.
// CHECK-LABEL: func.func @scalars(
// CHECK: amp.mul {{.+}}rule = "PM-all-operands-low", storage = [bf16]
// CHECK: amp.mul {{.+}}rule = "PM-all-operands-low", storage = [bf16]
// CHECK: amp.mul {{.+}}rule = "PM-float32-operand", storage = [f32]
// CHECK: amp.iota {{.+}}rule = "PM-no-float-operand", storage = [f32]
func.func @scalars(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %s: tensor<f32>, %v: tensor<1x1xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = amp.mul %0, %s : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  %c = amp.constant dense<2.0> : tensor<1x1xf32>
  %2 = amp.mul %1, %c : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %3 = amp.mul %2, %v : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  %4 = amp.iota {axis = 1 : i64} : tensor<8x16xf32>
  return %1, %2, %3, %4 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The bias of a linear layer is cast with it: one node, or two nodes of one
// module. Elsewhere an add of a vector promotes.
// CHECK-LABEL: func.func @bias(
// CHECK: amp.add {{.+}}rule = "PM-bias-of-contraction", storage = [bf16]
// CHECK: amp.add {{.+}}rule = "PM-bias-of-contraction", storage = [bf16]
// CHECK: amp.add {{.+}}rule = "PM-float32-operand", storage = [f32]
func.func @bias(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("gemm")
  %1 = amp.add %0, %b : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> loc("gemm")
  %2 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("/fc/MatMul")
  %3 = amp.add %b, %2 : (tensor<16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("/fc/Add")
  %4 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("/MatMul")
  %5 = amp.add %4, %b : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> loc("/Add")
  return %1, %3, %5 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// A loss of several ops is one op of the list; a running statistic is state.
// CHECK-LABEL: func.func @loss_and_state(
// CHECK: amp.sub {{.+}}rule = "PS-pytorch.cuda.fp32", storage = [f32]
// CHECK: amp.mul {{.+}}rule = "PS-pytorch.cuda.fp32", storage = [f32]
// CHECK: amp.reduce_mean {{.+}}storage = [f32]
// CHECK: amp.mul {{.+}}rule = "ST-state", storage = [f32]
amp.variable @running : tensor<16xf32> kind buffer
func.func @loss_and_state(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %t: tensor<8x16xf32>, %m: tensor<f32>) -> tensor<f32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = amp.sub %0, %t : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("mse")
  %2 = amp.mul %1, %1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("mse")
  %3 = amp.reduce_mean %2 {axes = array<i64: 0, 1>, acc = f32} : (tensor<8x16xf32>) -> tensor<f32> loc("mse")
  %4 = amp.reduce_max %0 {axes = array<i64: 0>, acc = f32} : (tensor<8x16xf32>) -> tensor<16xf32>
  %5 = amp.mul %4, %m : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  amp.write @running, %5 : tensor<16xf32>
  return %3 : tensor<f32>
}

// -----

// The algorithm goes with any policy: by default exp is of class keep.
// MIXED-LABEL: func.func @mixed(
// MIXED: amp.relu {{.+}}rule = "PM-all-operands-low", storage = [bf16]
// MIXED: amp.exp {{.+}}rule = "PS-default", storage = [f32]
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = amp.relu %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = amp.exp %1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}
