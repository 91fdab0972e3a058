// RUN: amp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @reshape_of_integers
func.func @reshape_of_integers() -> tensor<3x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6{{\]\]}}> : tensor<3x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.reshape %0 : (tensor<2x3xi64>) -> tensor<3x2xi64>
  return %r : tensor<3x2xi64>
}

// CHECK-LABEL: @reshape_of_a_splat
func.func @reshape_of_a_splat() -> tensor<6xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<1.000000e+00> : tensor<6xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<1.0> : tensor<2x3xf32>
  %r = amp.reshape %0 : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @reshape_of_truth_values
func.func @reshape_of_truth_values() -> tensor<4xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false, false, true]> : tensor<4xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %r = amp.reshape %0 : (tensor<2x2xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @reshape_of_nothing
func.func @reshape_of_nothing() -> tensor<3x0xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<> : tensor<3x0xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<> : tensor<0x3xi64>
  %r = amp.reshape %0 : (tensor<0x3xi64>) -> tensor<3x0xi64>
  return %r : tensor<3x0xi64>
}

// CHECK-LABEL: @reshape_of_a_blob_shares_it
func.func @reshape_of_a_blob_shares_it() -> tensor<1x2xf32> {
  // CHECK: amp.constant dense_resource<table> : tensor<1x2xf32>
  %0 = amp.constant dense_resource<table> : tensor<2xf32>
  %1 = amp.reshape %0 : (tensor<2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// CHECK-LABEL: @transpose_of_integers
func.func @transpose_of_integers() -> tensor<3x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6{{\]\]}}> : tensor<3x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.transpose %0 {perm = array<i64: 1, 0>}
    : (tensor<2x3xi64>) -> tensor<3x2xi64>
  return %r : tensor<3x2xi64>
}

// CHECK-LABEL: @transpose_of_truth_values
func.func @transpose_of_truth_values() -> tensor<2x2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}true, true], [false, true{{\]\]}}> : tensor<2x2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %r = amp.transpose %0 {perm = array<i64: 1, 0>}
    : (tensor<2x2xi1>) -> tensor<2x2xi1>
  return %r : tensor<2x2xi1>
}

// CHECK-LABEL: @transpose_of_three_dimensions
func.func @transpose_of_three_dimensions() -> tensor<2x2x2xi8> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[\[}}1, 3], [5, 7{{\]\], \[\[}}2, 4], [6, 8{{\]\]\]}}> : tensor<2x2x2xi8>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %r = amp.transpose %0 {perm = array<i64: 2, 0, 1>}
    : (tensor<2x2x2xi8>) -> tensor<2x2x2xi8>
  return %r : tensor<2x2x2xi8>
}

// CHECK-LABEL: @broadcast_repeats_rows
func.func @broadcast_repeats_rows() -> tensor<3x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1, 2], [1, 2], [1, 2{{\]\]}}> : tensor<3x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %r = amp.broadcast %0 : (tensor<2xi64>) -> tensor<3x2xi64>
  return %r : tensor<3x2xi64>
}

// CHECK-LABEL: @broadcast_repeats_columns
func.func @broadcast_repeats_columns() -> tensor<2x2xi32> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1, 1], [2, 2{{\]\]}}> : tensor<2x2xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %r = amp.broadcast %0 : (tensor<2x1xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CHECK-LABEL: @broadcast_of_a_splat_is_a_splat
func.func @broadcast_of_a_splat_is_a_splat() -> tensor<4096x4096xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<2.000000e+00> : tensor<4096x4096xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<2.0> : tensor<f32>
  %r = amp.broadcast %0 : (tensor<f32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: @slice_with_a_step
func.func @slice_with_a_step() -> tensor<3xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 3, 5]> : tensor<3xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %r = amp.slice %0 {starts = array<i64: 1>, steps = array<i64: 2>}
    : (tensor<6xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// CHECK-LABEL: @slice_backwards
func.func @slice_backwards() -> tensor<2x2xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}6, 4], [3, 1{{\]\]}}> : tensor<2x2xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %r = amp.slice %0 {starts = array<i64: 1, 2>, steps = array<i64: -1, -2>}
    : (tensor<2x3xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: @slice_of_truth_values
func.func @slice_of_truth_values() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true, false, true]> : tensor<3xi1>
  %r = amp.slice %0 {starts = array<i64: 1>, steps = array<i64: 1>}
    : (tensor<3xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// No element is read, so the start is free.
// CHECK-LABEL: @slice_of_nothing
func.func @slice_of_nothing() -> tensor<0xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<> : tensor<0xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %r = amp.slice %0 {starts = array<i64: 9223372036854775807>, steps = array<i64: 1>}
    : (tensor<2xi64>) -> tensor<0xi64>
  return %r : tensor<0xi64>
}

// CHECK-LABEL: @pad_all_around
func.func @pad_all_around() -> tensor<6xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[7, 1, 7, 2, 7, 7]> : tensor<6xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %r = amp.pad %0 {low = array<i64: 1>, high = array<i64: 2>, interior = array<i64: 1>, value = 7.0 : f64}
    : (tensor<2xi64>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// CHECK-LABEL: @pad_of_floats
func.func @pad_of_floats() -> tensor<2x3xf32> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}5.000000e-01, 5.000000e-01, 5.000000e-01], [1.000000e+00, 2.000000e+00, 5.000000e-01{{\]\]}}> : tensor<2x3xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %r = amp.pad %0 {low = array<i64: 1, 0>, high = array<i64: 0, 1>, interior = array<i64: 0, 0>, value = 0.5 : f64}
    : (tensor<1x2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @pad_of_a_splat_with_its_value
func.func @pad_of_a_splat_with_its_value() -> tensor<4xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<0> : tensor<4xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<0> : tensor<2xi64>
  %r = amp.pad %0 {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<2xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// CHECK-LABEL: @concat_of_vectors
func.func @concat_of_vectors() -> tensor<3xi64> {
  // CHECK: %[[C:.*]] = amp.constant dense<[1, 2, 3]> : tensor<3xi64>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.constant dense<3> : tensor<1xi64>
  %2 = amp.constant dense<> : tensor<0xi64>
  %r = amp.concat %0, %1, %2 {axis = 0 : i64}
    : (tensor<2xi64>, tensor<1xi64>, tensor<0xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// CHECK-LABEL: @concat_of_columns
func.func @concat_of_columns() -> tensor<2x3xi32> {
  // CHECK: %[[C:.*]] = amp.constant dense<{{\[\[}}1, 3, 4], [2, 5, 6{{\]\]}}> : tensor<2x3xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = amp.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %r = amp.concat %0, %1 {axis = 1 : i64}
    : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: @concat_of_truth_values
func.func @concat_of_truth_values() -> tensor<2xi1> {
  // CHECK: %[[C:.*]] = amp.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-NEXT: return %[[C]]
  %0 = amp.constant dense<[true]> : tensor<1xi1>
  %1 = amp.constant dense<[false]> : tensor<1xi1>
  %r = amp.concat %0, %1 {axis = 0 : i64}
    : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @growing_floats_stay
func.func @growing_floats_stay() -> tensor<65537x2xf32> {
  // CHECK: amp.broadcast
  %0 = amp.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = amp.broadcast %0 : (tensor<2xf32>) -> tensor<65537x2xf32>
  return %1 : tensor<65537x2xf32>
}

// CHECK-LABEL: @growing_padding_stays
func.func @growing_padding_stays() -> tensor<100000xf32> {
  // CHECK: amp.pad
  %0 = amp.constant dense<1.0> : tensor<50000xf32>
  %1 = amp.pad %0 {low = array<i64: 25000>, high = array<i64: 25000>,
      interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<50000xf32>) -> tensor<100000xf32>
  return %1 : tensor<100000xf32>
}

// CHECK-LABEL: @reshape_to_the_same_shape_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @reshape_to_the_same_shape_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @reshape_and_back_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @reshape_and_back_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = amp.reshape %0 : (tensor<6xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @two_reshapes_are_one
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @two_reshapes_are_one(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = amp.reshape %[[X]] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = amp.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = amp.reshape %0 : (tensor<6xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @identity_permutation_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @identity_permutation_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.transpose %x {perm = array<i64: 0, 1>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @square_transpose_is_something
func.func @square_transpose_is_something(%x: tensor<2x2xf32>)
    -> tensor<2x2xf32> {
  // CHECK: amp.transpose
  %0 = amp.transpose %x {perm = array<i64: 1, 0>}
    : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: @transpose_and_back_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @transpose_and_back_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.transpose %x {perm = array<i64: 1, 0>}
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>}
    : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @two_transposes_are_one
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
func.func @two_transposes_are_one(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = amp.transpose %[[X]] {perm = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = amp.transpose %x {perm = array<i64: 1, 2, 0>}
    : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0, 2>}
    : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: @broadcast_to_the_same_shape_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @broadcast_to_the_same_shape_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.broadcast %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @two_broadcasts_are_one
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x3xf32>
func.func @two_broadcasts_are_one(%x: tensor<1x3xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: %[[R:.*]] = amp.broadcast %[[X]] : (tensor<1x3xf32>) -> tensor<4x2x3xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = amp.broadcast %x : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = amp.broadcast %0 : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @whole_slice_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @whole_slice_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @reversing_slice_is_something
func.func @reversing_slice_is_something(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: amp.slice
  %0 = amp.slice %x {starts = array<i64: 2>, steps = array<i64: -1>}
    : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @pad_by_nothing_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @pad_by_nothing_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      interior = array<i64: 0, 0>, value = 1.0 : f64}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @concat_of_one_part_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
func.func @concat_of_one_part_is_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.concat %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @relayout_and_back_is_nothing(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4x5xf32>
func.func @relayout_and_back_is_nothing(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.relayout %x
    : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  %1 = amp.relayout %0
    : (tensor<2x3x4x5xf32, #amp.channels_last>) -> tensor<2x3x4x5xf32>
  return %1 : tensor<2x3x4x5xf32>
}

{-#
  dialect_resources: {
    builtin: {
      table: "0x040000000000803F00000040"
    }
  }
#-}
