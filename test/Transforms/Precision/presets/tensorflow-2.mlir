// RUN: amp-opt %s --amp-apply-policy="preset=tensorflow precision=fp16" --amp-assign-precision=precision=fp16 | FileCheck %s

// A residual block with a classifier, and pooling of volumes.
// All between the convolution and the product is infer or clear, so painted.
// The infer op AvgPool3D has no painted op after it.
// CHECK-LABEL: func.func @block(
// CHECK: amp.conv {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.batch_norm {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16, f32, f32]}
// CHECK: amp.relu {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.add {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.max_pool {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16, ui8]}
// CHECK: amp.avg_pool {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.reshape {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.softmax_cross_entropy {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f32, f32, f32]}
// CHECK: amp.conv {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.avg_pool {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f32]}
func.func @block(%x: tensor<2x16x8x8xf32>, %w: tensor<16x16x3x3xf32>, %s: tensor<16xf32>, %fc: tensor<64x4xf32>, %t: tensor<2xi64>, %v: tensor<2x16x4x4x4xf32>, %wv: tensor<16x16x3x3x3xf32>) -> (tensor<f32>, tensor<2x16x2x2x2xf32>) {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x8x8xf32>
  %1:3 = amp.batch_norm %0, %s, %s {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>)
  %2 = amp.relu %1#0 : (tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %3 = amp.add %2, %x : (tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %4:2 = amp.max_pool %3 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x16x8x8xf32>) -> (tensor<2x16x4x4xf32>, tensor<2x16x4x4xui8>)
  %5 = amp.avg_pool %4#0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32} : (tensor<2x16x4x4xf32>) -> tensor<2x16x2x2xf32>
  %6 = amp.reshape %5 : (tensor<2x16x2x2xf32>) -> tensor<2x64xf32>
  %7 = amp.matmul %6, %fc {acc = f32} : (tensor<2x64xf32>, tensor<64x4xf32>) -> tensor<2x4xf32>
  %8:3 = amp.softmax_cross_entropy %7, %t {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>, acc = f32} : (tensor<2x4xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  %9 = amp.conv %v, %wv {strides = array<i64: 1, 1, 1>, pads = array<i64: 1, 1, 1, 1, 1, 1>, dilations = array<i64: 1, 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4x4xf32>, tensor<16x16x3x3x3xf32>) -> tensor<2x16x4x4x4xf32>
  %10 = amp.avg_pool %9 {kernel = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, acc = f32} : (tensor<2x16x4x4x4xf32>) -> tensor<2x16x2x2x2xf32>
  return %8#0, %10 : tensor<f32>, tensor<2x16x2x2x2xf32>
}
