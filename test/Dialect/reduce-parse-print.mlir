// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<2x3x4xf32>) {
  // CHECK: amp.reduce_sum %{{.*}} {acc = f32, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  amp.reduce_sum %x {axes = array<i64: 0, 2>, acc = f32}
    : (tensor<2x3x4xf32>) -> tensor<3xf32>
  // CHECK: amp.reduce_mean %{{.*}} {acc = f32, axes = array<i64: 2>, keepdims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  amp.reduce_mean %x {axes = array<i64: 2>, keepdims, acc = f32}
    : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK: amp.reduce_prod %{{.*}} -> tensor<f32>
  amp.reduce_prod %x {axes = array<i64: 0, 1, 2>, acc = f32}
    : (tensor<2x3x4xf32>) -> tensor<f32>
  // CHECK: amp.reduce_max
  amp.reduce_max %x {axes = array<i64: 1>, acc = f32}
    : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  // CHECK: amp.reduce_min
  amp.reduce_min %x {axes = array<i64>, acc = f32}
    : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: @integers_accumulate_in_integers
func.func @integers_accumulate_in_integers(%x: tensor<4xi32>) {
  // CHECK: {acc = i64, axes = array<i64: 0>} : (tensor<4xi32>) -> tensor<i32>
  amp.reduce_sum %x {axes = array<i64: 0>, acc = i64}
    : (tensor<4xi32>) -> tensor<i32>
  return
}

// CHECK-LABEL: @float_result_types_are_free
func.func @float_result_types_are_free(%x: tensor<4xbf16>) {
  // CHECK: (tensor<4xbf16>) -> tensor<f32>
  amp.reduce_sum %x {axes = array<i64: 0>, acc = f32}
    : (tensor<4xbf16>) -> tensor<f32>
  return
}

// CHECK-LABEL: @running_sums
func.func @running_sums(%x: tensor<2x3xf32>, %i: tensor<4xi64>) {
  // CHECK: amp.cum_sum %{{.*}} {acc = f32, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  amp.cum_sum %x {axis = 1 : i64, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: {acc = f32, axis = 0 : i64, exclusive} : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  amp.cum_sum %x {axis = 0 : i64, exclusive, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  // CHECK: {acc = i64, axis = 0 : i64, reverse} : (tensor<4xi64>) -> tensor<4xi64>
  amp.cum_sum %i {axis = 0 : i64, reverse, acc = i64}
    : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// CHECK-LABEL: @arg_max
func.func @arg_max(%x: tensor<2x3xf32>) {
  // CHECK: amp.arg_max %{{.*}} {axis = 1 : i64, keepdims, select_last} : (tensor<2x3xf32>) -> tensor<2x1xi64>
  amp.arg_max %x {axis = 1 : i64, keepdims, select_last}
    : (tensor<2x3xf32>) -> tensor<2x1xi64>
  // CHECK: (tensor<2x3xf32>) -> tensor<3xi64>
  amp.arg_max %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<3xi64>
  return
}

// CHECK-LABEL: @sums_of_rows_in_two_halves
func.func @sums_of_rows_in_two_halves(%x: tensor<5x2x4xbf16>) {
  // CHECK: amp.column_partials %{{.*}} {acc = f32, chunk = 4 : i64} : (tensor<5x2x4xbf16>) -> tensor<3x4xf32>
  %0 = amp.column_partials %x {chunk = 4 : i64, acc = f32}
    : (tensor<5x2x4xbf16>) -> tensor<3x4xf32>
  // CHECK: amp.combine_partials %{{.*}} {acc = f32} : (tensor<3x4xf32>) -> tensor<4xf32>
  amp.combine_partials %0 {acc = f32} : (tensor<3x4xf32>) -> tensor<4xf32>
  return
}
