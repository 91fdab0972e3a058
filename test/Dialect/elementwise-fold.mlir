// RUN: amp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @adding_zero_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @adding_zero_is_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<0.0> : tensor<f32>
  %0 = amp.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @zero_may_come_first(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @zero_may_come_first(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<0.0> : tensor<4xf32>
  %0 = amp.add %c, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @subtracting_zero_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
func.func @subtracting_zero_is_nothing(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<0> : tensor<i64>
  %0 = amp.sub %x, %c : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @multiplying_by_one_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @multiplying_by_one_is_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<1.0> : tensor<1xf32>
  %0 = amp.mul %x, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @one_may_come_first(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @one_may_come_first(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.mul %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @dividing_by_one_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
func.func @dividing_by_one_is_nothing(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<1> : tensor<i64>
  %0 = amp.div %x, %c : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @first_power_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @first_power_is_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.pow %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @and_with_true_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
func.func @and_with_true_is_nothing(%x: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<true> : tensor<4xi1>
  %0 = amp.and %x, %c : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @or_with_false_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
func.func @or_with_false_is_nothing(%x: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<false> : tensor<4xi1>
  %0 = amp.or %x, %c : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @xor_with_false_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
func.func @xor_with_false_is_nothing(%x: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK-NEXT: return %[[X]]
  %c = amp.constant dense<false> : tensor<4xi1>
  %0 = amp.xor %c, %x : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @two_negations_are_none(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
func.func @two_negations_are_none(%x: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.not %x : (tensor<4xi1>) -> tensor<4xi1>
  %1 = amp.not %0 : (tensor<4xi1>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: @two_signs_are_none(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @two_signs_are_none(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @maximum_with_itself_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @maximum_with_itself_is_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.max %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @one_term_is_its_own_sum(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @one_term_is_its_own_sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.fan_in_sum %x {acc = f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @select_of_equal_values_is_that_value(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
func.func @select_of_equal_values_is_that_value(%c: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.select %c, %x, %x
    : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// As a branch reads it the value passes gradients only where the branch is taken.
// CHECK-LABEL: @a_branch_input_stays(
// CHECK: amp.select %arg0, %arg1, %arg1 {amp.branch_input}
func.func @a_branch_input_stays(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.select %c, %x, %x {amp.branch_input} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @select_by_a_constant_takes_its_side(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
func.func @select_by_a_constant_takes_its_side(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[Y]]
  %c = amp.constant dense<false> : tensor<i1>
  %0 = amp.select %c, %x, %y
    : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @neutral_element_that_repeats_stays
func.func @neutral_element_that_repeats_stays(%x: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: amp.add
  %c = amp.constant dense<0.0> : tensor<4xf32>
  %0 = amp.add %x, %c : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @neutral_element_that_changes_the_type_stays
func.func @neutral_element_that_changes_the_type_stays(%x: tensor<4xbf16>) -> tensor<4xf32> {
  // CHECK: amp.add
  %c = amp.constant dense<0.0> : tensor<f32>
  %0 = amp.add %x, %c : (tensor<4xbf16>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @zero_minus_x_stays
func.func @zero_minus_x_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.sub
  %c = amp.constant dense<0.0> : tensor<f32>
  %0 = amp.sub %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @one_divided_by_x_stays
func.func @one_divided_by_x_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.div
  %c = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.div %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Loss scaling replaces the constant later.
// CHECK-LABEL: @unscale_by_one_stays
func.func @unscale_by_one_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.unscale
  %c = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.unscale %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @sum_of_constant_gradients_stays
func.func @sum_of_constant_gradients_stays() -> tensor<4xf32> {
  // CHECK: amp.fan_in_sum
  %c = amp.constant dense<1.0> : tensor<4xf32>
  %0 = amp.fan_in_sum %c, %c {acc = f32}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Code generation makes it from the index, for nothing.
// CHECK-LABEL: @iota_stays
func.func @iota_stays() -> tensor<4xi64> {
  // CHECK: amp.iota
  %0 = amp.iota {axis = 0 : i64} : tensor<4xi64>
  return %0 : tensor<4xi64>
}
