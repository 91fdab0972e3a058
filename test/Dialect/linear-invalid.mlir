// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @inner_dimensions_agree(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) {
  // expected-error @+1 {{expected equal inner dimensions, got 3 and 4}}
  amp.matmul %x, %w {acc = f32}
    : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @transposes_exchange_the_last_two(%x: tensor<2x3xf32>, %w: tensor<3x5xf32>) {
  // expected-error @+1 {{expected equal inner dimensions, got 2 and 3}}
  amp.matmul %x, %w {acc = f32, transpose_lhs}
    : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @right_transpose_counts_too(%x: tensor<2x3xf32>, %w: tensor<3x5xf32>) {
  // expected-error @+1 {{expected equal inner dimensions, got 3 and 5}}
  amp.matmul %x, %w {acc = f32, transpose_rhs}
    : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @ranks_are_equal(%x: tensor<7x2x3xf32>, %w: tensor<3x5xf32>) {
  // expected-error @+1 {{expected operands of equal rank of at least 2, got 3 and 2}}
  amp.matmul %x, %w {acc = f32}
    : (tensor<7x2x3xf32>, tensor<3x5xf32>) -> tensor<7x2x5xf32>
  return
}

// -----

func.func @ranks_are_at_least_two(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected operands of equal rank of at least 2, got 1 and 1}}
  amp.matmul %x, %x {acc = f32} : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @batches_are_equal_or_one(%x: tensor<5x2x3xf32>, %w: tensor<4x3x5xf32>) {
  // expected-error @+1 {{expected batch dimensions that are equal or 1, got [5] and [4]}}
  amp.matmul %x, %w {acc = f32}
    : (tensor<5x2x3xf32>, tensor<4x3x5xf32>) -> tensor<5x2x5xf32>
  return
}

// -----

func.func @result_shape_follows(%x: tensor<2x3xf32>, %w: tensor<3x5xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 5], got [5, 2]}}
  amp.matmul %x, %w {acc = f32}
    : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @bias_has_the_columns(%x: tensor<2x3xf32>, %w: tensor<3x5xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{expected a bias of shape [5], got [2]}}
  amp.matmul %x, %w bias %b {acc = f32}
    : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @scales_need_eight_bits(%x: tensor<2x3xbf16>, %w: tensor<3x5xbf16>, %s: tensor<f32>) {
  // expected-error @+1 {{expected 8-bit float operands beside scales, got 'bf16' and 'bf16'}}
  amp.matmul %x, %w scale(%s, %s) {acc = f32}
    : (tensor<2x3xbf16>, tensor<3x5xbf16>, tensor<f32>, tensor<f32>)
    -> tensor<2x5xbf16>
  return
}

// -----

func.func @amax_histories_need_eight_bits(%x: tensor<2x3xf8E4M3FN>, %w: tensor<3x5xbf16>, %a: tensor<8xf32>) {
  // expected-error @+1 {{expected 8-bit float operands beside scales, got 'f8E4M3FN' and 'bf16'}}
  amp.matmul %x, %w amax(%a, %a) {acc = f32}
    : (tensor<2x3xf8E4M3FN>, tensor<3x5xbf16>, tensor<8xf32>, tensor<8xf32>)
    -> tensor<2x5xbf16>
  return
}

// -----

func.func @scales_are_float32(%x: tensor<2x3xf8E4M3FN>, %w: tensor<3x5xf8E4M3FN>, %s: tensor<f16>) {
  // expected-error @+1 {{expected scales and amax histories with f32 elements, got 'f16'}}
  amp.matmul %x, %w scale(%s, %s) {acc = f32}
    : (tensor<2x3xf8E4M3FN>, tensor<3x5xf8E4M3FN>, tensor<f16>, tensor<f16>)
    -> tensor<2x5xbf16>
  return
}

// -----

func.func @accumulator_is_float32(%x: tensor<2x3xf16>, %w: tensor<3x5xf16>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.matmul %x, %w {acc = f16}
    : (tensor<2x3xf16>, tensor<3x5xf16>) -> tensor<2x5xf16>
  return
}

// -----

func.func @accumulator_is_a_float(%x: tensor<2x3xf16>, %w: tensor<3x5xf16>) {
  // expected-error @+1 {{expected a float accumulator, got 'i64'}}
  amp.matmul %x, %w {acc = i64}
    : (tensor<2x3xf16>, tensor<3x5xf16>) -> tensor<2x5xf16>
  return
}

// -----

func.func @operands_are_floats(%x: tensor<2x2xi8>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of floating-point values}}
  amp.matmul %x, %x {acc = f32}
    : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xf32>
  return
}
