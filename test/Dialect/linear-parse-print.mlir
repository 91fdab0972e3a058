// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @plain_product
func.func @plain_product(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>)
    -> tensor<2x4xf32> {
  // CHECK: amp.matmul %{{.*}}, %{{.*}} {acc = f32} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %0 = amp.matmul %x, %w {acc = f32}
    : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @both_transposed_with_bias
func.func @both_transposed_with_bias(%x: tensor<3x2xbf16>,
    %w: tensor<4x3xbf16>, %b: tensor<4xf32>) -> tensor<2x4xbf16> {
  // CHECK: amp.matmul %{{.*}}, %{{.*}} bias %{{.*}} {acc = f32, transpose_lhs, transpose_rhs}
  %0 = amp.matmul %x, %w bias %b {acc = f32, transpose_lhs, transpose_rhs}
    : (tensor<3x2xbf16>, tensor<4x3xbf16>, tensor<4xf32>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// CHECK-LABEL: @batches_broadcast
func.func @batches_broadcast(%x: tensor<5x1x2x3xf32>, %w: tensor<1x6x3x4xf32>)
    -> tensor<5x6x2x4xf32> {
  // CHECK: -> tensor<5x6x2x4xf32>
  %0 = amp.matmul %x, %w {acc = f32}
    : (tensor<5x1x2x3xf32>, tensor<1x6x3x4xf32>) -> tensor<5x6x2x4xf32>
  return %0 : tensor<5x6x2x4xf32>
}

// CHECK-LABEL: @scaled_eight_bit_product
func.func @scaled_eight_bit_product(%x: tensor<2x3xf8E4M3FN>,
    %w: tensor<3x4xf8E5M2>, %s: tensor<f32>, %a: tensor<16xf32>)
    -> tensor<2x4xbf16> {
  // CHECK: amp.matmul %{{.*}}, %{{.*}} scale(%[[S:.*]], %[[S]]) amax(%[[A:.*]], %[[A]]) {acc = f32}
  %0 = amp.matmul %x, %w scale(%s, %s) amax(%a, %a) {acc = f32}
    : (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E5M2>, tensor<f32>, tensor<f32>,
       tensor<16xf32>, tensor<16xf32>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}
