// RUN: amp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @sum_of_an_axis
func.func @sum_of_an_axis() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[6, 15]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.reduce_sum %0 {axes = array<i64: 1>, acc = i64}
    : (tensor<2x3xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @sum_keeps_dimensions
func.func @sum_keeps_dimensions() -> tensor<1x3xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}5, 7, 9{{\]\]}}> : tensor<1x3xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.reduce_sum %0 {axes = array<i64: 0>, keepdims, acc = i64}
    : (tensor<2x3xi64>) -> tensor<1x3xi64>
  return %r : tensor<1x3xi64>
}

// CHECK-LABEL: @product_of_a_shape
func.func @product_of_a_shape() -> tensor<i64> {
  // CHECK: %[[C:.*]] = amp.constant dense<24> : tensor<i64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[2, 3, 4]> : tensor<3xi64>
  %r = amp.reduce_prod %0 {axes = array<i64: 0>, acc = i64}
    : (tensor<3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @maximum_of_integers
func.func @maximum_of_integers() -> tensor<i64> {
  // CHECK: %[[C:.*]] = amp.constant dense<6> : tensor<i64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.reduce_max %0 {axes = array<i64: 0, 1>, acc = i64}
    : (tensor<2x3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @minimum_of_negative_integers
func.func @minimum_of_negative_integers() -> tensor<i32> {
  // CHECK: %[[C:.*]] = amp.constant dense<-7> : tensor<i32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[-3, -7]> : tensor<2xi32>
  %r = amp.reduce_min %0 {axes = array<i64: 0>, acc = i32}
    : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: @maximum_of_bytes_has_no_sign
func.func @maximum_of_bytes_has_no_sign() -> tensor<ui8> {
  // CHECK: %[[C:.*]] = amp.constant dense<200> : tensor<ui8>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[200, 3]> : tensor<2xui8>
  %r = amp.reduce_max %0 {axes = array<i64: 0>, acc = i8}
    : (tensor<2xui8>) -> tensor<ui8>
  return %r : tensor<ui8>
}

// CHECK-LABEL: @maximum_of_truth_values
func.func @maximum_of_truth_values() -> tensor<i1> {
  // CHECK: %[[C:.*]] = amp.constant dense<true> : tensor<i1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[false, true]> : tensor<2xi1>
  %r = amp.reduce_max %0 {axes = array<i64: 0>, acc = i1}
    : (tensor<2xi1>) -> tensor<i1>
  return %r : tensor<i1>
}

// CHECK-LABEL: @mean_of_floats
func.func @mean_of_floats() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<3.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 6.0]> : tensor<3xf32>
  %r = amp.reduce_mean %0 {axes = array<i64: 0>, acc = f32}
    : (tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @sum_of_half_floats_does_not_overflow_on_the_way
func.func @sum_of_half_floats_does_not_overflow_on_the_way() -> tensor<f16> {
  // CHECK: %[[C:.*]] = amp.constant dense<6.000000e+04> : tensor<f16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[60000.0, 60000.0, -60000.0]> : tensor<3xf16>
  %r = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32}
    : (tensor<3xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// CHECK-LABEL: @nan_wins
func.func @nan_wins() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<0x7FC00000> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %r = amp.reduce_max %0 {axes = array<i64: 0>, acc = f32}
    : (tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @sum_of_nothing_is_zero
func.func @sum_of_nothing_is_zero() -> tensor<3xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<0.000000e+00> : tensor<3xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<> : tensor<0x3xf32>
  %r = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32}
    : (tensor<0x3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @product_of_nothing_is_one
func.func @product_of_nothing_is_one() -> tensor<i64> {
  // CHECK: %[[C:.*]] = amp.constant dense<1> : tensor<i64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<> : tensor<0xi64>
  %r = amp.reduce_prod %0 {axes = array<i64: 0>, acc = i64}
    : (tensor<0xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @maximum_of_nothing_stays
func.func @maximum_of_nothing_stays() -> tensor<i64> {
  // CHECK: %[[R:.*]] = amp.reduce_max
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<> : tensor<0xi64>
  %r = amp.reduce_max %0 {axes = array<i64: 0>, acc = i64}
    : (tensor<0xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @running_sums
func.func @running_sums() -> (tensor<2x3xi64>, tensor<2x3xi64>, tensor<3xf32>) {
  // CHECK-DAG: amp.constant dense<{{\[\[}}1, 3, 6], [4, 9, 15]]> : tensor<2x3xi64>
  // CHECK-DAG: amp.constant dense<{{\[\[}}5, 3, 0], [11, 6, 0]]> : tensor<2x3xi64>
  // CHECK-DAG: amp.constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<3xf32>
  // CHECK-NOT: amp.cum_sum
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = amp.constant dense<2.0> : tensor<3xf32>
  %a = amp.cum_sum %0 {axis = 1 : i64, acc = i64}
    : (tensor<2x3xi64>) -> tensor<2x3xi64>
  %b = amp.cum_sum %0 {axis = 1 : i64, exclusive, reverse, acc = i64}
    : (tensor<2x3xi64>) -> tensor<2x3xi64>
  %c = amp.cum_sum %1 {axis = 0 : i64, acc = f32}
    : (tensor<3xf32>) -> tensor<3xf32>
  return %a, %b, %c : tensor<2x3xi64>, tensor<2x3xi64>, tensor<3xf32>
}

// CHECK-LABEL: @mean_of_integers_stays
func.func @mean_of_integers_stays() -> tensor<i64> {
  // CHECK: %[[R:.*]] = amp.reduce_mean
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %r = amp.reduce_mean %0 {axes = array<i64: 0>, acc = i64}
    : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @large_float_sums_stay
func.func @large_float_sums_stay() -> tensor<f32> {
  // CHECK: %[[R:.*]] = amp.reduce_sum
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<1.0> : tensor<65537xf32>
  %r = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32}
    : (tensor<65537xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @no_axes_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @no_axes_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.reduce_sum %x {axes = array<i64>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
