// RUN: amp-opt %s --amp-accumulate-f32 | FileCheck %s

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
