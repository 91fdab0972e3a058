// RUN: amp-opt %s --canonicalize | FileCheck %s

// A negative index counts from the end.
// CHECK-LABEL: @gather_rows
func.func @gather_rows() -> tensor<3x3xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}4, 5, 6], [1, 2, 3], [4, 5, 6{{\]\]}}> : tensor<3x3xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = amp.constant dense<[1, 0, -1]> : tensor<3xi64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// CHECK-LABEL: @gather_columns
func.func @gather_columns() -> tensor<2x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}3, 1], [6, 4{{\]\]}}> : tensor<2x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = amp.constant dense<[2, 0]> : tensor<2xi32>
  %r = amp.gather %0, %1 {axis = 1 : i64}
    : (tensor<2x3xi64>, tensor<2xi32>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: @gather_one_size_of_a_shape
func.func @gather_one_size_of_a_shape() -> tensor<i64> {
  // CHECK: %[[C:.*]] = amp.constant dense<64> : tensor<i64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[8, 64, 768]> : tensor<3xi64>
  %1 = amp.constant dense<1> : tensor<i64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @gather_from_a_splat
func.func @gather_from_a_splat() -> tensor<2x1000xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<2.500000e+00> : tensor<2x1000xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<2.5> : tensor<1000x1000xf32>
  %1 = amp.constant dense<[3, 4]> : tensor<2xi64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<1000x1000xf32>, tensor<2xi64>) -> tensor<2x1000xf32>
  return %r : tensor<2x1000xf32>
}

// CHECK-LABEL: @gather_truth_values
func.func @gather_truth_values() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %1 = amp.constant dense<[1, 0]> : tensor<2xi64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<2xi1>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @gather_outside_stays
func.func @gather_outside_stays() -> tensor<2x3xi64> {
  // CHECK: %[[R:.*]] = amp.gather
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = amp.constant dense<[0, 2]> : tensor<2xi64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// CHECK-LABEL: @gather_before_the_start_stays
func.func @gather_before_the_start_stays() -> tensor<2x3xi64> {
  // CHECK: %[[R:.*]] = amp.gather
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = amp.constant dense<[0, -3]> : tensor<2xi64>
  %r = amp.gather %0, %1 {axis = 0 : i64}
    : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}
