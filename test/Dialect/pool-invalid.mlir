// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @size_follows_from_the_window(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected spatial output sizes [4, 4], got [4, 5]}}
  amp.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x5xf32>, tensor<2x4x4x5xui8>)
  return
}

// -----

func.func @gradient_has_the_same_window(%a: tensor<2x4x4x4xf32>, %b: tensor<2x4x4x4xui8>) {
  // expected-error @+1 {{expected spatial output sizes [5, 4], got [4, 4]}}
  amp.max_pool_grad %a, %b {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xui8>) -> tensor<2x4x10x8xf32>
  return
}

// -----

func.func @mean_has_the_same_window(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected spatial output sizes [4, 4], got [3, 4]}}
  amp.avg_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32}
    : (tensor<2x4x8x8xf32>) -> tensor<2x4x3x4xf32>
  return
}

// -----

func.func @gradient_of_the_mean_too(%a: tensor<2x4x4x4xf32>) {
  // expected-error @+1 {{expected spatial output sizes [4, 5], got [4, 4]}}
  amp.avg_pool_grad %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32}
    : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x10xf32>
  return
}

// -----

func.func @channels_stay(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected equal batch and channel sizes, got [2, 4] and [2, 5]}}
  amp.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x5x4x4xf32>, tensor<2x5x4x4xui8>)
  return
}

// -----

func.func @ranks_are_equal(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected tensors of equal rank of at least 3, got 4 and 3}}
  amp.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xui8>)
  return
}

// -----

func.func @one_kernel_size_per_dimension(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected 2 kernel sizes (one per spatial dimension), got 1}}
  amp.max_pool %a {kernel = array<i64: 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xui8>)
  return
}

// -----

func.func @kernel_sizes_are_positive(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected kernel sizes in [1, 2^31), got 0}}
  amp.max_pool %a {kernel = array<i64: 0, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xui8>)
  return
}

// -----

func.func @index_has_the_shape_of_the_result(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected an index of shape [2, 4, 4, 4], got [2, 4, 4, 5]}}
  amp.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x5xui8>)
  return
}

// -----

func.func @small_windows_have_byte_indices(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected an index of ui8 elements for a window of [2, 2], got 'i32'}}
  amp.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
  return
}

// -----

func.func @large_windows_have_wide_indices(%a: tensor<2x4x16x16xf32>) {
  // expected-error @+1 {{expected an index of i32 elements for a window of [16, 16], got 'ui8'}}
  amp.max_pool %a {kernel = array<i64: 16, 16>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x16x16xf32>) -> (tensor<2x4x1x1xf32>, tensor<2x4x1x1xui8>)
  return
}

// -----

func.func @gradient_takes_the_same_indices(%a: tensor<2x4x4x4xf32>, %b: tensor<2x4x4x4xi64>) {
  // expected-error @+1 {{expected an index of ui8 elements for a window of [2, 2], got 'i64'}}
  amp.max_pool_grad %a, %b {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi64>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @mean_accumulates_in_float32(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.avg_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = bf16}
    : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
  return
}

// -----

func.func @gradient_accumulates_in_float32(%a: tensor<2x4x4x4xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.avg_pool_grad %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = bf16}
    : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @maximum_keeps_the_element_type(%a: tensor<2x4x8xf32>) {
  // expected-error @+1 {{expected a result with the element type of the input ('f32'), got 'f16'}}
  amp.max_pool %a {kernel = array<i64: 2>, strides = array<i64: 2>,
      pads = array<i64: 0, 0>, dilations = array<i64: 1>}
    : (tensor<2x4x8xf32>) -> (tensor<2x4x4xf16>, tensor<2x4x4xui8>)
  return
}
