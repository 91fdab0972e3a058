// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @result_has_the_shape_of_the_input(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 4, 5], got [2, 5, 4]}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x5x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @scale_is_per_channel(%x: tensor<2x4x5xf32>, %s: tensor<5xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a scale of shape [4], got [5]}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<5xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @bias_is_per_channel(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<2xf32>) {
  // expected-error @+1 {{expected a bias of shape [4], got [2]}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<2xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @mean_is_per_channel(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a mean of shape [4], got [1, 4]}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<1x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @variance_is_float32(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a variance with f32 elements, got 'f64'}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf64>)
  return
}

// -----

func.func @scale_is_float32(%x: tensor<2x4x5xf32>, %s: tensor<4xf64>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a scale with f32 elements, got 'f64'}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf64>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @input_has_channels(%x: tensor<4xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected an input [N, C, ...], got rank 1}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @epsilon_is_not_negative(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a finite, non-negative epsilon}}
  amp.batch_norm %x, %s, %b {epsilon = -1.0e-5 : f64, acc = f32}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @statistics_accumulate_in_float32(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f16}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

amp.variable @mean : tensor<4xf32> kind buffer
func.func @running_statistics_come_in_pairs(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected both running statistics or neither}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32,
      running_mean = @mean}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @running_statistics_are_variables(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a variable named @mean}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32,
      running_mean = @mean, running_variance = @mean}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

amp.variable @mean : tensor<5xf32> kind buffer
func.func @running_statistics_have_the_channels(%x: tensor<2x4x5xf32>, %s: tensor<4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected running statistics of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32,
      running_mean = @mean, running_variance = @mean}
    : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @inference_statistics_are_per_channel(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %m: tensor<2xf32>) {
  // expected-error @+1 {{expected a mean of shape [4], got [2]}}
  amp.batch_norm_inference %x, %s, %s, %m, %s {epsilon = 0.0 : f64}
    : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>,
       tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @inference_keeps_the_shape(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 4], got [4, 2]}}
  amp.batch_norm_inference %x, %s, %s, %s, %s {epsilon = 0.0 : f64}
    : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @batch_gradient_has_the_shape_of_the_input(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected a dx of shape [2, 4], got [4, 2]}}
  amp.batch_norm_grad %x, %x, %s, %s, %s {epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> (tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_parameter_gradients_are_float32(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected a dscale with f32 elements, got 'bf16'}}
  amp.batch_norm_grad %x, %x, %s, %s, %s {epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xbf16>, tensor<4xf32>)
  return
}

// -----

func.func @layer_scale_has_the_dimensions_from_axis_on(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a scale of shape [3, 4], got [4]}}
  amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_bias_has_the_dimensions_from_axis_on(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a bias of shape [3, 4], got [4]}}
  amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_mean_has_ones_from_axis_on(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a mean of shape [2, 1, 1], got [2]}}
  amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_rstd_has_ones_from_axis_on(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a rstd of shape [2, 1, 1], got [2, 3, 1]}}
  amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x3x1xf32>)
  return
}

// -----

func.func @layer_axis_is_in_range(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected an axis in [0, 3), got 3}}
  amp.layer_norm %x, %s, %b {axis = 3 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_axis_is_not_negative(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected an axis in [0, 3), got -1}}
  amp.layer_norm %x, %s, %b {axis = -1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_result_keeps_the_shape(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>,
    %b: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 3, 4], got [2, 12]}}
  amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x12xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @layer_gradient_of_scale_has_its_shape(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %m: tensor<2x1xf32>) {
  // expected-error @+1 {{expected a dscale of shape [4], got [2, 4]}}
  amp.layer_norm_grad %x, %x, %s, %m, %m {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2x1xf32>,
       tensor<2x1xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @softmax_keeps_the_shape(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an operand of shape [4, 2], got [2, 4]}}
  amp.softmax %x {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @softmax_axis_is_in_range(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.softmax %x {axis = 2 : i64, acc = f32}
    : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @softmax_accumulates_in_float32(%x: tensor<2x4xf16>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.softmax %x {axis = 1 : i64, acc = f16}
    : (tensor<2x4xf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @softmax_gradient_has_one_shape(%x: tensor<2x4xf32>, %y: tensor<2x5xf32>) {
  // expected-error @+1 {{expected an operand of shape [2, 4], got [2, 5]}}
  amp.softmax_grad %x, %y {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @log_softmax_axis_is_in_range(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an axis in [0, 2), got -1}}
  amp.log_softmax %x {axis = -1 : i64, acc = f32}
    : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @log_softmax_gradient_accumulates_in_float32(%x: tensor<2x4xf16>) {
  // expected-error @+1 {{expected a float accumulator, got 'i32'}}
  amp.log_softmax_grad %x, %x {axis = 1 : i64, acc = i32}
    : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
  return
}
