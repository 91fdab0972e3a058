// RUN: amp-opt %s -split-input-file --amp-raise-patterns | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK: %[[Y:.*]] = amp.softmax %[[X]] {acc = f32, axis = 1 : i64}
// CHECK-NOT: amp.exp
// CHECK: return %[[Y]]
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = amp.reduce_max %x {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %s = amp.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %e = amp.exp %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = amp.reduce_sum %e {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %y = amp.div %e, %t : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @log_softmax
// CHECK: amp.log_softmax %{{.*}} {acc = f32, axis = 1 : i64}
// CHECK-NOT: amp.log %
func.func @log_softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = amp.reduce_max %x {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %s = amp.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %e = amp.exp %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = amp.reduce_sum %e {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %l = amp.log %t : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = amp.sub %s, %l : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Without the maximum the formula overflows earlier than the op.
// CHECK-LABEL: func @no_maximum
// CHECK-NOT: amp.softmax
func.func @no_maximum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = amp.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = amp.reduce_sum %e {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %y = amp.div %e, %t : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The sum goes over another dimension than the maximum.
// CHECK-LABEL: func @two_axes
// CHECK-NOT: amp.softmax
func.func @two_axes(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = amp.reduce_max %x {acc = f32, axes = array<i64: 0>, keepdims} : (tensor<8x8xf32>) -> tensor<1x8xf32>
  %s = amp.sub %x, %m : (tensor<8x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %e = amp.exp %s : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = amp.reduce_sum %e {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %y = amp.div %e, %t : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// The exponentials are read elsewhere.
// CHECK-LABEL: func @second_use
// CHECK-NOT: amp.softmax
func.func @second_use(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %m = amp.reduce_max %x {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %s = amp.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %e = amp.exp %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = amp.reduce_sum %e {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %y = amp.div %e, %t : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %y, %e : tensor<4x8xf32>, tensor<4x8xf32>
}
