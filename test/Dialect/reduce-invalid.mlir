// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @axes_are_in_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.reduce_sum %x {axes = array<i64: 2>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_are_not_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got -1}}
  amp.reduce_mean %x {axes = array<i64: -1>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_rise(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected rising axes, got [1, 0]}}
  amp.reduce_max %x {axes = array<i64: 1, 0>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_are_distinct(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected rising axes, got [1, 1]}}
  amp.reduce_prod %x {axes = array<i64: 1, 1>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduced_dimensions_go(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [2], got [3]}}
  amp.reduce_min %x {axes = array<i64: 1>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduced_dimensions_stay_as_one(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 1], got [2]}}
  amp.reduce_sum %x {axes = array<i64: 1>, keepdims, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_has_the_class_of_the_input(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'f32' and 'i64'}}
  amp.reduce_sum %x {axes = array<i64: 1>, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @sum_accumulates_in_float32(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.reduce_sum %x {axes = array<i64: 1>, acc = bf16}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @maximum_declares_float32_too(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.reduce_max %x {axes = array<i64: 1>, acc = bf16}
    : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @integers_need_an_integer_accumulator(%x: tensor<2x3xi64>) {
  // expected-error @+1 {{expected an integer accumulator of at least 64 bits, got 'f32'}}
  amp.reduce_sum %x {axes = array<i64: 1>, acc = f32}
    : (tensor<2x3xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @integers_need_a_wide_accumulator(%x: tensor<2x3xi64>) {
  // expected-error @+1 {{expected an integer accumulator of at least 64 bits, got 'i32'}}
  amp.reduce_sum %x {axes = array<i64: 1>, acc = i32}
    : (tensor<2x3xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @truth_values_have_no_sum(%x: tensor<2x3xi1>) {
  // expected-error @+1 {{expected numbers, got i1 elements}}
  amp.reduce_sum %x {axes = array<i64: 1>, acc = i1}
    : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @arg_max_axis_is_in_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.arg_max %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @arg_max_drops_the_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [2], got [2, 1]}}
  amp.arg_max %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x1xi64>
  return
}

// -----

func.func @arg_max_gives_integers(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{result #0 must be statically shaped tensor of integer values}}
  amp.arg_max %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @partials_have_one_row_per_chunk(%x: tensor<5x2x4xf32>) {
  // expected-error @+1 {{expected a result of shape [3, 4], got [2, 4]}}
  amp.column_partials %x {chunk = 4 : i64, acc = f32}
    : (tensor<5x2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @partials_are_float32(%x: tensor<5x4xbf16>) {
  // expected-error @+1 {{expected a result with f32 elements, got 'bf16'}}
  amp.column_partials %x {chunk = 5 : i64, acc = f32}
    : (tensor<5x4xbf16>) -> tensor<1x4xbf16>
  return
}

// -----

func.func @chunks_are_positive(%x: tensor<5x4xf32>) {
  // expected-error @+1 {{expected a chunk of at least 1, got 0}}
  amp.column_partials %x {chunk = 0 : i64, acc = f32}
    : (tensor<5x4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @partials_need_columns(%x: tensor<f32>) {
  // expected-error @+1 {{expected an input [rows..., C], got a scalar}}
  amp.column_partials %x {chunk = 1 : i64, acc = f32}
    : (tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @combined_partials_are_a_row(%x: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a result of shape [4], got [3]}}
  amp.combine_partials %x {acc = f32} : (tensor<3x4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @partials_are_a_matrix(%x: tensor<3x2x4xf32>) {
  // expected-error @+1 {{expected partial sums [U, C], got rank 3}}
  amp.combine_partials %x {acc = f32} : (tensor<3x2x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @running_sum_of_an_axis_that_is_not_there(%x: tensor<2x3xf32>) {
  // expected-error @below {{'amp.cum_sum' op expected an axis in [0, 2), got 2}}
  amp.cum_sum %x {axis = 2 : i64, acc = f32}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @running_sum_of_another_shape(%x: tensor<2x3xf32>) {
  // expected-error @below {{'amp.cum_sum' op expected a result of shape [2, 3], got [2]}}
  amp.cum_sum %x {axis = 1 : i64, acc = f32} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @running_sum_in_a_low_type(%x: tensor<2x3xbf16>) {
  // expected-error @below {{'amp.cum_sum' op expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute}}
  amp.cum_sum %x {axis = 1 : i64, acc = bf16}
    : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}

// -----

func.func @running_sum_of_floats_is_no_integer(%x: tensor<3xf32>) {
  // expected-error @below {{'amp.cum_sum' op expected equal element types or floats only, got 'f32' and 'i64'}}
  amp.cum_sum %x {axis = 0 : i64, acc = f32} : (tensor<3xf32>) -> tensor<3xi64>
  return
}
