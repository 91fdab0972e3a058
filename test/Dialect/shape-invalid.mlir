// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @reshape_keeps_the_count(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of 6 elements, got [5]}}
  amp.reshape %x
    : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_keeps_the_type(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result with the element type of the operand ('f32'), got 'f16'}}
  amp.reshape %x
    : (tensor<2x3xf32>) -> tensor<6xf16>
  return
}

// -----

func.func @perm_has_every_dimension(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 entries of perm (one per dimension), got 1}}
  amp.transpose %x {perm = array<i64: 0>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @perm_has_no_dimension_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a permutation of the dimensions, got [1, 1]}}
  amp.transpose %x {perm = array<i64: 1, 1>}
    : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @perm_is_in_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a permutation of the dimensions, got [0, 2]}}
  amp.transpose %x {perm = array<i64: 0, 2>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @perm_is_not_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a permutation of the dimensions, got [0, -1]}}
  amp.transpose %x {perm = array<i64: 0, -1>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_moves_the_sizes(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [3, 2], got [2, 3]}}
  amp.transpose %x {perm = array<i64: 1, 0>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_keeps_the_type(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result with the element type of the operand ('f32'), got 'i64'}}
  amp.transpose %x {perm = array<i64: 1, 0>}
    : (tensor<2x3xf32>) -> tensor<3x2xi64>
  return
}

// -----

func.func @broadcast_repeats_ones_only(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result to which [2, 3] broadcasts, got [4, 3]}}
  amp.broadcast %x
    : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_does_not_shrink(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result to which [2, 3] broadcasts, got [1, 3]}}
  amp.broadcast %x
    : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @slice_has_one_start_per_dimension(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected 2 starts (one per dimension), got 1}}
  amp.slice %x {starts = array<i64: 0>, steps = array<i64: 1, 1>}
    : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @slice_has_one_step_per_dimension(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected 2 steps (one per dimension), got 1}}
  amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1>}
    : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @slice_keeps_the_rank(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected 2 result dimensions (as the operand has), got 1}}
  amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>}
    : (tensor<4x6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @slice_steps_move(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a non-zero step in dimension 1}}
  amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1, 0>}
    : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @slice_ends_inside(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a slice within the 6 elements of dimension 1, got 3 from 2 by 2}}
  amp.slice %x {starts = array<i64: 0, 2>, steps = array<i64: 1, 2>}
    : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @slice_starts_inside(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a slice within the 6 elements of dimension 1, got 1 from 6 by 1}}
  amp.slice %x {starts = array<i64: 0, 6>, steps = array<i64: 1, 1>}
    : (tensor<4x6xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @backward_slice_ends_inside(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a slice within the 6 elements of dimension 1, got 4 from 5 by -2}}
  amp.slice %x {starts = array<i64: 0, 5>, steps = array<i64: 1, -2>}
    : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice_starts_are_not_negative(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a slice within the 6 elements of dimension 1, got 1 from -1 by 1}}
  amp.slice %x {starts = array<i64: 0, -1>, steps = array<i64: 1, 1>}
    : (tensor<4x6xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @huge_steps_do_not_overflow(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{expected a slice within the 6 elements of dimension 1, got 2 from 5 by -9223372036854775808}}
  amp.slice %x {starts = array<i64: 0, 5>, steps = array<i64: 1, -9223372036854775808>}
    : (tensor<4x6xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @slice_keeps_the_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result with the element type of the operand ('f32'), got 'f16'}}
  amp.slice %x {starts = array<i64: 0>, steps = array<i64: 1>}
    : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @pad_sizes_add_up(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a result of shape [8], got [7]}}
  amp.pad %x {low = array<i64: 1>, high = array<i64: 2>,
      interior = array<i64: 1>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @pads_are_not_negative(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected pads in [0, 2^31), got -1 in dimension 0}}
  amp.pad %x {low = array<i64: -1>, high = array<i64: 0>,
      interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @huge_pads_do_not_overflow(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected pads in [0, 2^31), got 9223372036854775807 in dimension 0}}
  amp.pad %x {low = array<i64: 0>, high = array<i64: 9223372036854775807>,
      interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_has_one_low_per_dimension(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected 1 low pads (one per dimension), got 2}}
  amp.pad %x {low = array<i64: 0, 0>, high = array<i64: 0>,
      interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_has_one_high_per_dimension(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected 1 high pads (one per dimension), got 0}}
  amp.pad %x {low = array<i64: 0>, high = array<i64>,
      interior = array<i64: 0>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_has_one_interior_per_dimension(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected 1 interior pads (one per dimension), got 2}}
  amp.pad %x {low = array<i64: 0>, high = array<i64: 0>,
      interior = array<i64: 0, 1>, value = 0.0 : f64}
    : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concat_needs_a_part() {
  // expected-error @+1 {{expected at least one part}}
  amp.concat {axis = 0 : i64} : () -> tensor<0xf32>
  return
}

// -----

func.func @concat_axis_is_in_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.concat %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @parts_differ_on_the_axis_only(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error @+1 {{expected parts that differ on axis 1 only, got [2, 3] and [3, 3]}}
  amp.concat %x, %y {axis = 1 : i64}
    : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @parts_have_one_rank(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{expected parts that differ on axis 1 only, got [2, 3] and [2]}}
  amp.concat %x, %y {axis = 1 : i64}
    : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @parts_have_one_type(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error @+1 {{expected a result with the element type of the operand ('f16'), got 'f32'}}
  amp.concat %x, %y {axis = 0 : i64}
    : (tensor<2xf32>, tensor<2xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_adds_the_sizes(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a result of shape [4], got [5]}}
  amp.concat %x, %x {axis = 0 : i64}
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @relayout_keeps_the_shape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 3], got [3, 2]}}
  amp.relayout %x
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @relayout_rounds_floats_only(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result with the element type of the operand ('f32'), got 'i32'}}
  amp.relayout %x
    : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @copy_has_one_stride_per_result_dimension(%x: tensor<6xf32>) {
  // expected-error @+1 {{expected 2 strides (one per result dimension), got 1}}
  amp.strided_copy %x {offset = 0 : i64, strides = array<i64: 1>}
    : (tensor<6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @copy_ends_inside(%x: tensor<6xf32>) {
  // expected-error @+1 {{expected a copy within the 6 elements of the operand, got offset 1 and strides [3, 1]}}
  amp.strided_copy %x {offset = 1 : i64, strides = array<i64: 3, 1>}
    : (tensor<6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @copy_begins_inside(%x: tensor<6xf32>) {
  // expected-error @+1 {{expected a copy within the 6 elements of the operand, got offset 4 and strides [3, -3]}}
  amp.strided_copy %x {offset = 4 : i64, strides = array<i64: 3, -3>}
    : (tensor<6xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @huge_strides_do_not_overflow(%x: tensor<6xf32>) {
  // expected-error @+1 {{expected a copy within the 6 elements of the operand, got offset 0 and strides [9223372036854775807, 0]}}
  amp.strided_copy %x {offset = 0 : i64, strides = array<i64: 9223372036854775807, 0>}
    : (tensor<6xf32>) -> tensor<3x3xf32>
  return
}
