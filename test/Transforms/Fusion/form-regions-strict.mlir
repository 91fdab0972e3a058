// RUN: amp-opt %s --split-input-file --amp-seed-regions --amp-form-regions | FileCheck %s

// A sum over two dimensions keeps its order where rounding is strict: what
// splits its rows stays in a kernel of its own, what does not may join.
module attributes {amp.strict_rounding} {
// CHECK-LABEL: func.func @rows_in_pieces(
// CHECK-COUNT-2: amp.region
// CHECK-NOT: amp.region
// CHECK: return
func.func @rows_in_pieces(%x: tensor<8x4x6xf32>, %f: tensor<4x1xf32>) -> tensor<8x1x1xf32> {
  %0 = amp.mul %x, %f : (tensor<8x4x6xf32>, tensor<4x1xf32>) -> tensor<8x4x6xf32>
  %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1, 2>, keepdims} : (tensor<8x4x6xf32>) -> tensor<8x1x1xf32>
  return %1 : tensor<8x1x1xf32>
}
// CHECK-LABEL: func.func @whole_rows(
// CHECK-COUNT-1: amp.region
// CHECK-NOT: amp.region
// CHECK: return
func.func @whole_rows(%x: tensor<8x4x6xf32>, %f: tensor<8x1x1xf32>) -> tensor<8x1x1xf32> {
  %0 = amp.mul %x, %f : (tensor<8x4x6xf32>, tensor<8x1x1xf32>) -> tensor<8x4x6xf32>
  %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1, 2>, keepdims} : (tensor<8x4x6xf32>) -> tensor<8x1x1xf32>
  return %1 : tensor<8x1x1xf32>
}
// What is known of the exponents of a softmax is written down.
// CHECK-LABEL: func.func @softmax(
// CHECK: amp.exp {{.+}} {amp.shifted}
func.func @softmax(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = amp.softmax %x {acc = f32, axis = 1 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
}

// -----

// Without it the pieces share a kernel.
// CHECK-LABEL: func.func @plain(
// CHECK-COUNT-1: amp.region
// CHECK-NOT: amp.region
// CHECK: return
func.func @plain(%x: tensor<8x4x6xf32>, %f: tensor<4x1xf32>) -> tensor<8x1x1xf32> {
  %0 = amp.mul %x, %f : (tensor<8x4x6xf32>, tensor<4x1xf32>) -> tensor<8x4x6xf32>
  %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1, 2>, keepdims} : (tensor<8x4x6xf32>) -> tensor<8x1x1xf32>
  return %1 : tensor<8x1x1xf32>
}

// -----

// A kernel for every op.
module attributes {amp.unfused} {
// CHECK-LABEL: func.func @unfused(
// CHECK-COUNT-2: amp.region
// CHECK: return
func.func @unfused(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = amp.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.neg %0 : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
}
