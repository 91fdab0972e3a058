// RUN: amp-opt %s --amp-accumulate-f32 | FileCheck %s
// RUN: amp-opt %s --amp-accumulate-f32=accumulation=low | FileCheck %s --check-prefix=LOW
// RUN: amp-opt %s --amp-accumulate-f32=accumulation=low --amp-verify-precision
// RUN: amp-opt %s --amp-accumulate-f32=accumulation=low --amp-accumulate-f32 | FileCheck %s

// The example of the description.
// CHECK-LABEL: func.func @low_sum(
// CHECK: amp.reduce_sum %arg0 {acc = f32, axes = array<i64: 0>}
func.func @low_sum(%x: tensor<8x4xbf16>) -> tensor<4xbf16> {
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = bf16, amp.low_accumulation} : (tensor<8x4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @low_product(
// CHECK: amp.matmul %arg0, %arg0 {acc = f32}
func.func @low_product(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = amp.matmul %x, %x {acc = f16, amp.low_accumulation} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// A wider sum stays.
// CHECK-LABEL: func.func @wide_sum(
// CHECK: acc = f64
func.func @wide_sum(%x: tensor<8xf64>) -> tensor<f64> {
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = f64} : (tensor<8xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// On request what is low is summed low, by whatever op; sums of float32 are
// not, nor is a loss, a norm of everything or what micro-batches add up.
// LOW: module attributes {amp.accumulation = "low"}
// LOW-LABEL: func.func @low_sum(
// LOW: amp.reduce_sum %arg0 {acc = bf16, amp.low_accumulation, axes
// LOW-LABEL: func.func @low_product(
// LOW: amp.matmul %arg0, %arg0 {acc = f16, amp.low_accumulation}
// LOW-LABEL: func.func @wide_sum(
// LOW: acc = f64
// CHECK-LABEL: func.func @families(
// CHECK-NOT: amp.low_accumulation
// CHECK: return
// LOW-LABEL: func.func @families(
// LOW: amp.conv {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.avg_pool {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.softmax {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.layer_norm {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.fan_in_sum {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.gather_grad {{.+}}acc = bf16, amp.low_accumulation
// LOW: amp.reduce_sum {{.+}}acc = f32, axes
// LOW: amp.reduce_mean {{.+}}acc = f32, axes
// LOW: amp.accumulate_gradient {{.+}}acc = f32}
// LOW: return
func.func @families(%x: tensor<2x4x4x4xbf16>, %w: tensor<4x4x1x1xbf16>, %h: tensor<2x8xbf16>, %s: tensor<8xf32>, %i: tensor<2xi64>, %f: tensor<2x8xf32>) {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x4x4x4xbf16>, tensor<4x4x1x1xbf16>) -> tensor<2x4x4x4xbf16>
  %1 = amp.avg_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32} : (tensor<2x4x4x4xbf16>) -> tensor<2x4x2x2xbf16>
  %2 = amp.softmax %h {axis = 1 : i64, acc = f32} : (tensor<2x8xbf16>) -> tensor<2x8xbf16>
  %3:3 = amp.layer_norm %h, %s {axis = 1 : i64, epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x8xbf16>, tensor<8xf32>) -> (tensor<2x8xbf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  %4 = amp.fan_in_sum %h, %h {acc = f32} : (tensor<2x8xbf16>, tensor<2x8xbf16>) -> tensor<2x8xbf16>
  %5 = amp.gather_grad %h, %i {axis = 0 : i64, acc = f32} : (tensor<2x8xbf16>, tensor<2xi64>) -> tensor<4x8xf32>
  %6 = amp.reduce_sum %f {axes = array<i64: 1>, acc = f32} : (tensor<2x8xf32>) -> tensor<2xf32>
  %7 = amp.reduce_mean %h {axes = array<i64: 0, 1>, acc = f32} : (tensor<2x8xbf16>) -> tensor<f32>
  %8 = amp.accumulate_gradient %f, %f {acc = f32} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}
