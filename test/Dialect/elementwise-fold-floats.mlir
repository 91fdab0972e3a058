// RUN: amp-opt %s --canonicalize | FileCheck %s

// The last is NaN.
// CHECK-LABEL: @floats_compare_eq
func.func @floats_compare_eq() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate eq>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// The last is NaN.
// CHECK-LABEL: @floats_compare_ne
func.func @floats_compare_ne() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate ne>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// The last is NaN.
// CHECK-LABEL: @floats_compare_lt
func.func @floats_compare_lt() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate lt>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// The last is NaN.
// CHECK-LABEL: @floats_compare_le
func.func @floats_compare_le() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate le>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// The last is NaN.
// CHECK-LABEL: @floats_compare_gt
func.func @floats_compare_gt() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<false> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate gt>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// The last is NaN.
// CHECK-LABEL: @floats_compare_ge
func.func @floats_compare_ge() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.compare %0, %1 {predicate = #amp<predicate ge>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// 2^24 + 1 is no float32.
// CHECK-LABEL: @float_sum_is_rounded_to_float32
func.func @float_sum_is_rounded_to_float32() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x4B800000, 2.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[16777216.0, 1.0]> : tensor<2xf32>
  %1 = amp.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %r = amp.add %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @float64_keeps_its_precision
func.func @float64_keeps_its_precision() -> tensor<2xf64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x4170000010000000, 2.000000e+00]> : tensor<2xf64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[16777216.0, 1.0]> : tensor<2xf64>
  %1 = amp.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %r = amp.add %0, %1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// CHECK-LABEL: @bfloat16_rounds_to_even
func.func @bfloat16_rounds_to_even() -> tensor<2xbf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.560000e+02, 2.600000e+02]> : tensor<2xbf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[256.0, 256.0]> : tensor<2xbf16>
  %1 = amp.constant dense<[1.0, 3.0]> : tensor<2xbf16>
  %r = amp.add %0, %1 : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: @float16_overflows_to_infinity
func.func @float16_overflows_to_infinity() -> tensor<2xf16> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x7C00, 2.000000e+00]> : tensor<2xf16>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[65504.0, 1.0]> : tensor<2xf16>
  %1 = amp.constant dense<[2.0, 2.0]> : tensor<2xf16>
  %r = amp.mul %0, %1 : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// CHECK-LABEL: @float_quotients
func.func @float_quotients() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x7F800000, -1.500000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, -3.0]> : tensor<2xf32>
  %1 = amp.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %r = amp.div %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @float_mod
func.func @float_mod() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[5.000000e-01, -5.000000e-01]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[-7.5, 7.5]> : tensor<2xf32>
  %1 = amp.constant dense<[2.0, -2.0]> : tensor<2xf32>
  %r = amp.mod %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @float_power
func.func @float_power() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[8.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %1 = amp.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %r = amp.pow %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @nan_wins_a_maximum
func.func @nan_wins_a_maximum() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x7FC00000, 2.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %1 = amp.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = amp.max %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @nan_wins_a_minimum
func.func @nan_wins_a_minimum() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0x7FC00000, 1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %1 = amp.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %r = amp.min %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @round_has_ties_to_even
func.func @round_has_ties_to_even() -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0.000000e+00, 2.000000e+00, 2.000000e+00, -1.000000e+00]> : tensor<4xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[0.5, 1.5, 2.5, -0.7]> : tensor<4xf32>
  %r = amp.round %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @floor_and_ceil_are_not_one
func.func @floor_and_ceil_are_not_one() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.5, -1.5]> : tensor<2xf32>
  %r = amp.floor %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @ceil_rounds_up
func.func @ceil_rounds_up() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.000000e+00, -1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.5, -1.5]> : tensor<2xf32>
  %r = amp.ceil %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @sqrt_folds
func.func @sqrt_folds() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.000000e+00, 1.500000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[4.0, 2.25]> : tensor<2xf32>
  %r = amp.sqrt %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @rsqrt_folds
func.func @rsqrt_folds() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[4.0, 16.0]> : tensor<2xf32>
  %r = amp.rsqrt %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @reciprocal_folds
func.func @reciprocal_folds() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.500000e-01, -5.000000e-01]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[4.0, -2.0]> : tensor<2xf32>
  %r = amp.reciprocal %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @relu_folds
func.func @relu_folds() -> tensor<3xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[-4.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %r = amp.relu %0 : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @relu_gradient_folds
func.func @relu_gradient_folds() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0.000000e+00, 6.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %1 = amp.constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %r = amp.relu_grad %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @is_nan_folds
func.func @is_nan_folds() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %r = amp.is_nan %0 : (tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @exp_of_zero
func.func @exp_of_zero() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<0.0> : tensor<f32>
  %r = amp.exp %0 : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @expm1_keeps_small_numbers
func.func @expm1_keeps_small_numbers() -> tensor<f64> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.00000000005E-10> : tensor<f64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.0e-10> : tensor<f64>
  %r = amp.expm1 %0 : (tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}

// CHECK-LABEL: @log_of_one
func.func @log_of_one() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.0> : tensor<f32>
  %r = amp.log %0 : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @log1p_keeps_small_numbers
func.func @log1p_keeps_small_numbers() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{9.99999996E-13|1.000000e-12}}> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.0e-12> : tensor<f32>
  %r = amp.log1p %0 : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @tanh_is_bounded
func.func @tanh_is_bounded() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[100.0, 0.0]> : tensor<2xf32>
  %r = amp.tanh %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @sigmoid_is_bounded
func.func @sigmoid_is_bounded() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[0.000000e+00, 5.000000e-01]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[-1000.0, 0.0]> : tensor<2xf32>
  %r = amp.sigmoid %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @softplus_does_not_overflow
func.func @softplus_does_not_overflow() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+03, 0.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1000.0, -1000.0]> : tensor<2xf32>
  %r = amp.softplus %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @erf_is_odd_and_bounded
func.func @erf_is_odd_and_bounded() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[10.0, -10.0]> : tensor<2xf32>
  %r = amp.erf %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @sine_of_zero
func.func @sine_of_zero() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<0.0> : tensor<f32>
  %r = amp.sin %0 : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @cosine_of_zero
func.func @cosine_of_zero() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<0.0> : tensor<f32>
  %r = amp.cos %0 : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @gelu_is_the_identity_far_out
func.func @gelu_is_the_identity_far_out() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1.000000e+02, {{-?}}0.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[100.0, -100.0]> : tensor<2xf32>
  %r = amp.gelu %0 {form = #amp<gelu_form erf>}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @gelu_gradient_at_zero_is_half
func.func @gelu_gradient_at_zero_is_half() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<2.0> : tensor<f32>
  %1 = amp.constant dense<0.0> : tensor<f32>
  %r = amp.gelu_grad %0, %1 {form = #amp<gelu_form tanh>}
    : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @gelu_gradient_of_erf_at_zero_is_half
func.func @gelu_gradient_of_erf_at_zero_is_half() -> tensor<f32> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<2.0> : tensor<f32>
  %1 = amp.constant dense<0.0> : tensor<f32>
  %r = amp.gelu_grad %0, %1 {form = #amp<gelu_form erf>}
    : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// Far over the limit of computed floats.
// CHECK-LABEL: @splats_stay_splats
func.func @splats_stay_splats() -> tensor<4096x4096xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<3.000000e+00> : tensor<4096x4096xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.0> : tensor<4096x4096xf32>
  %1 = amp.constant dense<2.0> : tensor<4096x4096xf32>
  %r = amp.add %0, %1
    : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: @empty_tensors_fold
func.func @empty_tensors_fold() -> tensor<0xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<> : tensor<0xf32>
  %1 = amp.constant dense<> : tensor<0xf32>
  %r = amp.add %0, %1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// CHECK-LABEL: @blobs_are_read
func.func @blobs_are_read() -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense_resource<table> : tensor<2xf32>
  %1 = amp.constant dense<1.0> : tensor<f32>
  %2 = amp.add %0, %1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: @large_computed_floats_stay
func.func @large_computed_floats_stay() -> tensor<65537x2xf32> {
  // CHECK: amp.add
  %0 = amp.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = amp.constant dense<1.0> : tensor<65537x1xf32>
  %2 = amp.add %1, %0
    : (tensor<65537x1xf32>, tensor<2xf32>) -> tensor<65537x2xf32>
  return %2 : tensor<65537x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      table: "0x040000000000803F00000040"
    }
  }
#-}
