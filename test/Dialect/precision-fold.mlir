// RUN: amp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @float_rounds_to_even_in_bfloat16
func.func @float_rounds_to_even_in_bfloat16() -> tensor<2xbf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.560000e+02, 2.600000e+02]> : tensor<2xbf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[257.0, 259.0]> : tensor<2xf32>
  %r = amp.cast %0 : (tensor<2xf32>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// Through float32 the second would become a tie.
// CHECK-LABEL: @float64_rounds_once
func.func @float64_rounds_once() -> tensor<2xbf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, 1.007810e+00]> : tensor<2xbf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.00390625000000001, 1.003906250001]> : tensor<2xf64>
  %r = amp.cast %0 : (tensor<2xf64>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: @large_floats_become_infinite
func.func @large_floats_become_infinite() -> tensor<2xf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x7C00, 1.000000e+00]> : tensor<2xf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0e6, 1.0]> : tensor<2xf32>
  %r = amp.cast %0 : (tensor<2xf32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// CHECK-LABEL: @small_floats_stay_subnormal
func.func @small_floats_stay_subnormal() -> tensor<2xf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[5.960460e-08, 1.000000e+00]> : tensor<2xf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[5.9604645e-8, 1.0]> : tensor<2xf32>
  %r = amp.cast %0 : (tensor<2xf32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// CHECK-LABEL: @floats_truncate_to_integers
func.func @floats_truncate_to_integers() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, -1]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.9, -1.9]> : tensor<2xf32>
  %r = amp.cast %0 : (tensor<2xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integers_become_floats
func.func @integers_become_floats() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, -3.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, -3]> : tensor<2xi64>
  %r = amp.cast %0 : (tensor<2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Just above a tie of float32, and a tie itself once rounded to float64.
// CHECK-LABEL: @large_integers_round_once
func.func @large_integers_round_once() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[9.007200e+15, 1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[9007199791611905, 1]> : tensor<2xi64>
  %r = amp.cast %0 : (tensor<2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @unsigned_integers_become_positive_floats
func.func @unsigned_integers_become_positive_floats() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.550000e+02, 1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[255, 1]> : tensor<2xui8>
  %r = amp.cast %0 : (tensor<2xui8>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @numbers_become_truth_values
func.func @numbers_become_truth_values() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[0.0, 0.5, -2.0]> : tensor<3xf32>
  %r = amp.cast %0 : (tensor<3xf32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_become_truth_values
func.func @integers_become_truth_values() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[0, 2, 256]> : tensor<3xi64>
  %r = amp.cast %0 : (tensor<3xi64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @truth_values_become_numbers
func.func @truth_values_become_numbers() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %r = amp.cast %0 : (tensor<2xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @truth_values_become_integers
func.func @truth_values_become_integers() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 0]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %r = amp.cast %0 : (tensor<2xi1>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integers_narrow_by_wrapping
func.func @integers_narrow_by_wrapping() -> tensor<2xi8> {
  // CHECK: %[[C:.*]] = amp.constant dense<[44, -1]> : tensor<2xi8>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[300, -1]> : tensor<2xi64>
  %r = amp.cast %0 : (tensor<2xi64>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @signed_integers_widen_with_sign
func.func @signed_integers_widen_with_sign() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[-1, 5]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[-1, 5]> : tensor<2xi8>
  %r = amp.cast %0 : (tensor<2xi8>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @user_cast_of_a_constant_folds
func.func @user_cast_of_a_constant_folds() -> tensor<2xf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %r = amp.cast %0 {user} : (tensor<2xf32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// CHECK-LABEL: @splat_casts_stay_splats
func.func @splat_casts_stay_splats() -> tensor<4096x4096xf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.500000e+00> : tensor<4096x4096xf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.5> : tensor<4096x4096xf32>
  %r = amp.cast %0 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// CHECK-LABEL: @eight_bit_floats
func.func @eight_bit_floats() -> tensor<2xf8E4M3FN> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, 1.600000e+01]> : tensor<2xf8E4M3FN>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 17.0]> : tensor<2xf32>
  %r = amp.cast %0 : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  return %r : tensor<2xf8E4M3FN>
}

// CHECK-LABEL: @integer_from_nan_stays
func.func @integer_from_nan_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.cast
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %r = amp.cast %0
    : (tensor<2xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integer_from_far_outside_stays
func.func @integer_from_far_outside_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.cast
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[1.0e30, 1.0]> : tensor<2xf32>
  %r = amp.cast %0
    : (tensor<2xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @unsigned_from_negative_stays
func.func @unsigned_from_negative_stays() -> tensor<2xui8> {
  // CHECK: %[[R:.*]] = amp.cast
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %r = amp.cast %0
    : (tensor<2xf32>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: @cast_to_the_same_type_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @cast_to_the_same_type_is_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.cast %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @user_cast_is_a_barrier
func.func @user_cast_is_a_barrier(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.cast %{{.*}} {user}
  %0 = amp.cast %x {user} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @pairs_of_casts_are_not_folded_here
func.func @pairs_of_casts_are_not_folded_here(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.cast
  // CHECK: amp.cast
  %0 = amp.cast %x : (tensor<4xf32>) -> tensor<4xf16>
  %1 = amp.cast %0 : (tensor<4xf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
