// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=greedy" | FileCheck %s
// RUN: amp-opt %s --amp-assign-precision="precision=fp16 assign=greedy" | FileCheck %s --check-prefix=FP16
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=greedy" --amp-assign-precision="precision=bf16 assign=greedy" | FileCheck %s
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=greedy" --amp-assign-precision="precision=fp32" | FileCheck %s

// The example of the description: types stay, the decision is an attribute.
// CHECK: module attributes {amp.precision = bf16}
// FP16: module attributes {amp.precision = f16}
// CHECK-LABEL: func.func @contraction(
// CHECK: amp.matmul {{.+}}amp.decision = {compute = bf16, rule = "AL-contraction", storage = [bf16]}} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
// FP16-LABEL: func.func @contraction(
// FP16: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "AL-contraction", storage = [f16]}} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
func.func @contraction(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = amp.relu %0 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// A constant is stored as it is.
// CHECK-LABEL: func.func @wide_slot(
// CHECK: amp.constant {amp.decision = {compute = f32, rule = "WD-float32-slot", storage = [f32]}}
func.func @wide_slot(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = amp.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = amp.add %x, %0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// What the model casts, and float64, stays as the model has it.
// CHECK-LABEL: func.func @source_type(
// CHECK: amp.cast {{.+}}rule = "US-source-type", storage = [f32]{{.+}}user
// CHECK: amp.add {{.+}}rule = "US-source-type", storage = [f64]
func.func @source_type(%x: tensor<8x4xf16>, %w: tensor<4x3xf32>, %d: tensor<4xf64>) -> (tensor<8x3xf32>, tensor<4xf64>) {
  %0 = amp.cast %x {user} : (tensor<8x4xf16>) -> tensor<8x4xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %2 = amp.add %d, %d : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %1, %2 : tensor<8x3xf32>, tensor<4xf64>
}

// A scalar costs nothing in float32.
// CHECK-LABEL: func.func @scalar(
// CHECK: amp.matmul {{.+}}rule = "SC-scalar", storage = [f32]
func.func @scalar(%x: tensor<1x4xf32>, %w: tensor<4x1xf32>) -> tensor<1x1xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  %1 = amp.relu %0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// A transparent op writes what it reads; average pooling is one of them.
// CHECK-LABEL: func.func @transparent(
// CHECK: amp.reshape {{.+}}rule = "TR-as-operand", storage = [f32]
// CHECK: amp.conv
// CHECK: amp.avg_pool {{.+}}rule = "TR-as-operand", storage = [bf16]
// CHECK: amp.transpose {{.+}}rule = "TR-as-operand", storage = [bf16]
func.func @transparent(%x: tensor<2x256xf32>, %w: tensor<16x16x1x1xf32>) -> tensor<2x2x2x16xf32> {
  %0 = amp.reshape %x : (tensor<2x256xf32>) -> tensor<2x16x4x4xf32>
  %1 = amp.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<2x16x4x4xf32>
  %2 = amp.avg_pool %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32} : (tensor<2x16x4x4xf32>) -> tensor<2x16x2x2xf32>
  %3 = amp.transpose %2 {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x16x2x2xf32>) -> tensor<2x2x2x16xf32>
  %4 = amp.relu %3 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
  return %4 : tensor<2x2x2x16xf32>
}

// The gradient of a parameter is read by the update alone: float32, also
// through a transpose.
// CHECK-LABEL: func.func @only_wide_uses(
// CHECK: amp.matmul {{.+}}compute = bf16, rule = "WD-only-float32-uses", storage = [f32]
// CHECK: amp.transpose {{.+}}rule = "TR-as-operand", storage = [f32]
// CHECK: amp.unscale {{.+}}storage = [f32]
func.func @only_wide_uses(%x: tensor<8x4xf32>, %dy: tensor<8x3xf32>, %s: tensor<f32>) -> tensor<3x4xf32> {
  %0 = amp.matmul %x, %dy {acc = f32, transpose_lhs} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %2 = amp.unscale %1, %s : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// What a contraction reads is stored low, whoever makes it.
// CHECK-LABEL: func.func @feeds_contraction(
// CHECK: amp.exp {{.+}}compute = f32, rule = "AL-feeds-contraction", storage = [bf16]
// CHECK: amp.relu {{.+}}rule = "AL-feeds-contraction", storage = [bf16]
func.func @feeds_contraction(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %0 = amp.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = amp.relu %w : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = amp.matmul %0, %1 {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// Ops sensitive to range write float32; what they read does, too, unless a
// contraction made it.
// CHECK-LABEL: func.func @keep(
// CHECK: amp.matmul {{.+}}rule = "AL-contraction", storage = [bf16]
// CHECK: amp.exp {{.+}}rule = "KP-range-sensitive", storage = [f32]
// CHECK: amp.relu {{.+}}rule = "KP-feeds-range-sensitive", storage = [f32]
// CHECK: amp.log {{.+}}rule = "KP-range-sensitive", storage = [f32]
// CHECK: amp.relu
func.func @keep(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>, tensor<8x3xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = amp.exp %0 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %2 = amp.relu %0 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = amp.log %2 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %4 = amp.relu %1 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %5 = amp.add %4, %3 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  return %3, %5 : tensor<8x3xf32>, tensor<8x3xf32>
}

// So does what goes into the mean of everything, a loss as a rule.
// CHECK-LABEL: func.func @mean_of_everything(
// CHECK: amp.sub {{.+}}rule = "FO-reads-low", storage = [bf16]
// CHECK: amp.mul {{.+}}rule = "KP-feeds-range-sensitive", storage = [f32]
// CHECK: amp.reduce_mean {{.+}}rule = "SC-scalar", storage = [f32]
// CHECK: amp.reduce_mean {{.+}}rule = "FO-reads-low", storage = [bf16]
func.func @mean_of_everything(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>, %t: tensor<8x3xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = amp.sub %0, %t : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %2 = amp.mul %1, %1 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = amp.reduce_mean %2 {axes = array<i64: 0, 1>, acc = f32} : (tensor<8x3xf32>) -> tensor<f32>
  %4 = amp.reduce_mean %1 {axes = array<i64: 1>, acc = f32} : (tensor<8x3xf32>) -> tensor<8xf32>
  %5 = amp.relu %4 : (tensor<8xf32>) -> tensor<8xf32>
  return %3, %5 : tensor<f32>, tensor<8xf32>
}

// A convolution of few channels gains nothing from the low type: before a batch
// norm, which amplifies rounding, it stays float32, and so do gradients.
// CHECK-LABEL: func.func @narrow_convolution_and_norm(
// CHECK: amp.conv {{.+}}compute = f32, rule = "NW-narrow-convolution", storage = [f32]
// CHECK: amp.conv {{.+}}compute = bf16, rule = "AL-contraction", storage = [bf16]
// CHECK: amp.conv_input_grad {{.+}}compute = bf16, rule = "NW-gradient-into-norm", storage = [f32]
func.func @narrow_convolution_and_norm(%x: tensor<2x3x4x4xf32>, %w: tensor<16x3x1x1xf32>, %v: tensor<32x16x1x1xf32>, %s: tensor<16xf32>) -> tensor<2x16x4x4xf32> {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<16x3x1x1xf32>) -> tensor<2x16x4x4xf32>
  %1:3 = amp.batch_norm %0, %s, %s {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
  %2 = amp.conv %1#0, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xf32>, tensor<32x16x1x1xf32>) -> tensor<2x32x4x4xf32>
  %3 = amp.relu %2 : (tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
  %4 = amp.conv_input_grad %3, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x32x4x4xf32>, tensor<32x16x1x1xf32>) -> tensor<2x16x4x4xf32>
  %5 = amp.relu %4 : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  return %5 : tensor<2x16x4x4xf32>
}

// Without a norm it is a contraction like any other.
// CHECK-LABEL: func.func @narrow_convolution_alone(
// CHECK: amp.conv {{.+}}compute = bf16, rule = "AL-contraction", storage = [bf16]
func.func @narrow_convolution_alone(%x: tensor<2x3x4x4xf32>, %w: tensor<16x3x1x1xf32>) -> tensor<2x16x4x4xf32> {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<16x3x1x1xf32>) -> tensor<2x16x4x4xf32>
  %1 = amp.relu %0 : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  return %1 : tensor<2x16x4x4xf32>
}

// Others follow what they read.
// CHECK-LABEL: func.func @follow(
// CHECK: amp.relu {{.+}}rule = "FO-reads-low", storage = [bf16]
// CHECK: amp.relu {{.+}}rule = "FO-reads-float32", storage = [f32]
func.func @follow(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = amp.relu %0 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %2 = amp.relu %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = amp.slice %2 {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<8x3xf32>
  %4 = amp.neg %3 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %5 = amp.sub %1, %4 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %6 = amp.neg %5 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  return %6 : tensor<8x3xf32>
}

// Integers get no decision.
// CHECK-LABEL: func.func @integers(
// CHECK-NOT: amp.decision
// CHECK: return
func.func @integers(%i: tensor<4xi64>) -> tensor<4xi64> {
  %0 = amp.add %i, %i : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
