// RUN: amp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @integers_add_with_broadcast
func.func @integers_add_with_broadcast() -> tensor<2x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}11, 22], [13, 24{{\]\]}}> : tensor<2x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %1 = amp.constant dense<[10, 20]> : tensor<2xi64>
  %r = amp.add %0, %1 : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: @integers_subtract
func.func @integers_subtract() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[-2, 1]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<[3, 1]> : tensor<2xi64>
  %r = amp.sub %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integers_multiply
func.func @integers_multiply() -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[18, -7]> : tensor<2xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[6, 7]> : tensor<2xi32>
  %1 = amp.constant dense<[3, -1]> : tensor<2xi32>
  %r = amp.mul %0, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: @integers_wrap
func.func @integers_wrap() -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = amp.constant dense<[-2147483648, 2]> : tensor<2xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[2147483647, 1]> : tensor<2xi32>
  %1 = amp.constant dense<[1, 1]> : tensor<2xi32>
  %r = amp.add %0, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: @integer_quotients_truncate
func.func @integer_quotients_truncate() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[3, -3]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[7, -7]> : tensor<2xi64>
  %1 = amp.constant dense<[2, 2]> : tensor<2xi64>
  %r = amp.div %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @mod_has_the_sign_of_the_divisor
func.func @mod_has_the_sign_of_the_divisor() -> tensor<4xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 2, -2, -1]> : tensor<4xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[7, -7, 7, -7]> : tensor<4xi64>
  %1 = amp.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %r = amp.mod %0, %1 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// CHECK-LABEL: @fmod_has_the_sign_of_the_dividend
func.func @fmod_has_the_sign_of_the_dividend() -> tensor<4xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, -1, 1, -1]> : tensor<4xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[7, -7, 7, -7]> : tensor<4xi64>
  %1 = amp.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %r = amp.fmod %0, %1 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// CHECK-LABEL: @integers_raise_to_powers
func.func @integers_raise_to_powers() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1024, -27]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[2, -3]> : tensor<2xi64>
  %1 = amp.constant dense<[10, 3]> : tensor<2xi64>
  %r = amp.pow %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integer_maximum
func.func @integer_maximum() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[3, 5]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 5]> : tensor<2xi64>
  %1 = amp.constant dense<[3, -2]> : tensor<2xi64>
  %r = amp.max %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integer_minimum
func.func @integer_minimum() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, -2]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 5]> : tensor<2xi64>
  %1 = amp.constant dense<[3, -2]> : tensor<2xi64>
  %r = amp.min %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @unsigned_integers_compare_without_sign
func.func @unsigned_integers_compare_without_sign() -> tensor<2xui8> {
  // CHECK: %[[C:.*]] = amp.constant dense<[200, 2]> : tensor<2xui8>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[200, 1]> : tensor<2xui8>
  %1 = amp.constant dense<[100, 2]> : tensor<2xui8>
  %r = amp.max %0, %1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: @integers_negate
func.func @integers_negate() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[-1, 2]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, -2]> : tensor<2xi64>
  %r = amp.neg %0 : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integers_lose_their_sign
func.func @integers_lose_their_sign() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, -2]> : tensor<2xi64>
  %r = amp.abs %0 : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @integers_have_a_sign
func.func @integers_have_a_sign() -> tensor<3xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, -1, 0]> : tensor<3xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[7, -2, 0]> : tensor<3xi64>
  %r = amp.sign %0 : (tensor<3xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// CHECK-LABEL: @division_by_zero_stays
func.func @division_by_zero_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.div
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<[1, 0]> : tensor<2xi64>
  %r = amp.div %0, %1
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @mod_of_zero_stays
func.func @mod_of_zero_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.mod
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<[1, 0]> : tensor<2xi64>
  %r = amp.mod %0, %1
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @fmod_of_zero_stays
func.func @fmod_of_zero_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.fmod
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<0> : tensor<i64>
  %r = amp.fmod %0, %1
    : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @quotient_that_does_not_fit_stays
func.func @quotient_that_does_not_fit_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.div
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[-9223372036854775808, 4]> : tensor<2xi64>
  %1 = amp.constant dense<-1> : tensor<i64>
  %r = amp.div %0, %1
    : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @negative_integer_power_stays
func.func @negative_integer_power_stays() -> tensor<2xi64> {
  // CHECK: %[[R:.*]] = amp.pow
  // CHECK-NEXT: return %[[R]]
  %0 = amp.constant dense<[2, 3]> : tensor<2xi64>
  %1 = amp.constant dense<[-1, 1]> : tensor<2xi64>
  %r = amp.pow %0, %1
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @truth_values_negate
func.func @truth_values_negate() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %r = amp.not %0 : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @conjunction
func.func @conjunction() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, true, false]> : tensor<3xi1>
  %1 = amp.constant dense<[true, false, false]> : tensor<3xi1>
  %r = amp.and %0, %1 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @disjunction
func.func @disjunction() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, true, false]> : tensor<3xi1>
  %1 = amp.constant dense<[true, false, false]> : tensor<3xi1>
  %r = amp.or %0, %1 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @exclusive_disjunction
func.func @exclusive_disjunction() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, true, false]> : tensor<3xi1>
  %1 = amp.constant dense<[true, false, false]> : tensor<3xi1>
  %r = amp.xor %0, %1 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_eq
func.func @integers_compare_eq() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate eq>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_ne
func.func @integers_compare_ne() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate ne>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_lt
func.func @integers_compare_lt() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate lt>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_le
func.func @integers_compare_le() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, true, false]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate le>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_gt
func.func @integers_compare_gt() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, false, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate gt>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @integers_compare_ge
func.func @integers_compare_ge() -> tensor<3xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true, true]> : tensor<3xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = amp.constant dense<2> : tensor<i64>
  %r = amp.compare %0, %1 {predicate = #amp<predicate ge>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @unsigned_bytes_compare_without_sign
func.func @unsigned_bytes_compare_without_sign() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[200, 3]> : tensor<2xui8>
  %1 = amp.constant dense<100> : tensor<ui8>
  %r = amp.compare %0, %1 {predicate = #amp<predicate gt>}
    : (tensor<2xui8>, tensor<ui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @select_chooses_by_element
func.func @select_chooses_by_element() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 9]> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %1 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %2 = amp.constant dense<9> : tensor<i64>
  %r = amp.select %0, %1, %2
    : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @select_broadcasts_its_condition
func.func @select_broadcasts_its_condition() -> tensor<2x2xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00{{\]\]}}> : tensor<2x2xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %1 = amp.constant dense<1.0> : tensor<f32>
  %2 = amp.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %r = amp.select %0, %1, %2
    : (tensor<2x1xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: @select_of_truth_values
func.func @select_of_truth_values() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false]> : tensor<2xi1>
  %1 = amp.constant dense<[false, false]> : tensor<2xi1>
  %2 = amp.constant dense<[true, true]> : tensor<2xi1>
  %r = amp.select %0, %1, %2
    : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @splats_broadcast_as_splats
func.func @splats_broadcast_as_splats() -> tensor<1000x1000x1000xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<6> : tensor<1000x1000x1000xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<3> : tensor<1000x1x1000xi64>
  %1 = amp.constant dense<2> : tensor<1000x1xi64>
  %r = amp.mul %0, %1
    : (tensor<1000x1x1000xi64>, tensor<1000x1xi64>) -> tensor<1000x1000x1000xi64>
  return %r : tensor<1000x1000x1000xi64>
}

// CHECK-LABEL: @equal_results_become_a_splat
func.func @equal_results_become_a_splat() -> tensor<2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<1> : tensor<2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[3, 4]> : tensor<2xi64>
  %1 = amp.constant dense<[2, 3]> : tensor<2xi64>
  %r = amp.sub %0, %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @large_index_tables_fold
func.func @large_index_tables_fold() -> tensor<65537x2xi64> {
  // CHECK-NOT: amp.add
  // CHECK: amp.constant
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<1> : tensor<65537x1xi64>
  %2 = amp.add %1, %0
    : (tensor<65537x1xi64>, tensor<2xi64>) -> tensor<65537x2xi64>
  return %2 : tensor<65537x2xi64>
}
