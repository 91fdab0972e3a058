// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @spatial_size_follows_from_the_window(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected spatial output sizes [8, 8], got [8, 7]}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x7xf32>
  return
}

// -----

func.func @input_gradient_inverts_the_same_window(
    %a: tensor<2x6x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected spatial output sizes [9, 8], got [8, 8]}}
  amp.conv_input_grad %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x4x9x8xf32>
  return
}

// -----

func.func @weight_gradient_has_the_same_window(
    %a: tensor<2x6x8x8xf32>, %b: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{expected spatial output sizes [8, 6], got [8, 8]}}
  amp.conv_weight_grad %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x6x8x8xf32>, tensor<2x4x8x8xf32>)
    -> tensor<6x4x3x5xf32>
  return
}

// -----

func.func @weight_has_channels_per_group(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected a weight of 2 input channels per group, got 4}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 2 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @group_divides_input_channels(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected channels divisible by group 3, got 4 input and 6 output channels}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 3 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @group_divides_output_channels(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x1x3x3xf32>) {
  // expected-error @+1 {{expected channels divisible by group 4, got 4 input and 6 output channels}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 4 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x1x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @group_is_positive(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected a group of at least 1, got 0}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 0 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @output_channels_are_those_of_the_weight(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected 6 output channels, got 5}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x5x8x8xf32>
  return
}

// -----

func.func @batch_sizes_agree(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected equal batch sizes, got 2 and 3}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<3x6x8x8xf32>
  return
}

// -----

func.func @bias_has_the_output_channels(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected a bias of shape [6], got [4]}}
  amp.conv %a, %b, %c {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @one_stride_per_dimension(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected 2 strides (one per spatial dimension), got 1}}
  amp.conv %a, %b {strides = array<i64: 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @two_pads_per_dimension(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected 4 pads (begins, then ends), got 2}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @one_dilation_per_dimension(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected 2 dilations (one per spatial dimension), got 3}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @strides_are_positive(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected strides in [1, 2^31), got 0}}
  amp.conv %a, %b {strides = array<i64: 0, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @dilations_are_positive(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected dilations in [1, 2^31), got -1}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: -1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @pads_are_not_negative(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected pads in [0, 2^31), got -1}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: -1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @huge_pads_do_not_overflow(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected pads in [0, 2^31), got 9223372036854775807}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 9223372036854775807, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @window_fits_the_padded_input(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected a window within the padded input, got a window of 21 over 10 elements in spatial dimension 0}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 10, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @ranks_are_equal(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error @+1 {{expected tensors of equal rank of at least 3, got input rank 4, weight rank 3, output rank 4}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}

// -----

func.func @needs_a_spatial_dimension(
    %a: tensor<2x4xf32>, %b: tensor<6x4xf32>) {
  // expected-error @+1 {{expected tensors of equal rank of at least 3, got input rank 2, weight rank 2, output rank 2}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4xf32>, tensor<6x4xf32>)
    -> tensor<2x6xf32>
  return
}

// -----

func.func @accumulator_is_float32(
    %a: tensor<2x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.conv %a, %b {strides = array<i64: 1, 1>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f16}
    : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>)
    -> tensor<2x6x8x8xf32>
  return
}
