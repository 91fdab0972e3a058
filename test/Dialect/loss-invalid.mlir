// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @one_target_per_row(%x: tensor<2x7xf32>, %t: tensor<3xi64>) {
  // expected-error @+1 {{expected a target of shape [2], got [3]}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<3xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @targets_are_no_distributions(%x: tensor<2x7xf32>, %t: tensor<2x7xi64>) {
  // expected-error @+1 {{expected a target of shape [2], got [2, 7]}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2x7xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @one_lse_per_row(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected an lse of shape [2], got [2, 1]}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2x1xf32>, tensor<f32>)
  return
}

// -----

func.func @lse_is_float32(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected an lse with f32 elements, got 'f16'}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2xf16>, tensor<f32>)
  return
}

// -----

func.func @smoothing_is_a_probability(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected a label_smoothing in [0, 1], got 1.500000e+00}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 1.5 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @smoothing_is_a_number(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected a label_smoothing in [0, 1], got nan}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0x7FF8000000000000 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @sums_are_float32(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f16}
    : (tensor<2x7xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @targets_are_integers(%x: tensor<2x7xf32>, %t: tensor<2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped tensor of integer values}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x7xf32>, tensor<2xf32>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @there_is_a_class(%x: tensor<2x0xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected logits [rows..., C] with C >= 1, got [2, 0]}}
  amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>,
      acc = f32}
    : (tensor<2x0xf32>, tensor<2xi64>)
    -> (tensor<f32>, tensor<2xf32>, tensor<f32>)
  return
}

// -----

func.func @gradient_has_the_shape_of_the_logits(%d: tensor<f32>, %x: tensor<2x7xf32>, %t: tensor<2xi64>, %l: tensor<2xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 7], got [7, 2]}}
  amp.softmax_cross_entropy_grad %d, %x, %t, %l, %d {
      ignore_index = -100 : i64, label_smoothing = 0.0 : f64,
      reduction = #amp<loss_reduction mean>, acc = f32}
    : (tensor<f32>, tensor<2x7xf32>, tensor<2xi64>, tensor<2xf32>,
       tensor<f32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @loss_gradient_is_a_float32_scalar(%d: tensor<1xf32>, %x: tensor<2x7xf32>, %t: tensor<2xi64>, %l: tensor<2xf32>) {
  // expected-error @+1 {{operand #0 must be float32 scalar tensor}}
  amp.softmax_cross_entropy_grad %d, %x, %t, %l, %d {
      ignore_index = -100 : i64, label_smoothing = 0.0 : f64,
      reduction = #amp<loss_reduction mean>, acc = f32}
    : (tensor<1xf32>, tensor<2x7xf32>, tensor<2xi64>, tensor<2xf32>,
       tensor<1xf32>) -> tensor<2x7xf32>
  return
}

// -----

func.func @count_takes_one_target_per_row(%x: tensor<2x7xf32>, %t: tensor<7xi64>) {
  // expected-error @+1 {{expected a target of shape [2], got [7]}}
  amp.count_correct %x, %t {ignore_index = -100 : i64}
    : (tensor<2x7xf32>, tensor<7xi64>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @valid_is_a_scalar(%x: tensor<2x7xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{expected valid of shape [], got [2]}}
  amp.count_correct %x, %t, %t {ignore_index = -100 : i64}
    : (tensor<2x7xf32>, tensor<2xi64>, tensor<2xi64>)
    -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @valid_counts_samples(%x: tensor<7xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{expected logits [N, ..., C] beside valid, got rank 1}}
  amp.count_correct %x, %t, %t {ignore_index = -100 : i64}
    : (tensor<7xf32>, tensor<i64>, tensor<i64>)
    -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @seed_is_a_float32_scalar() {
  // expected-error @+1 {{result #0 must be float32 scalar tensor}}
  amp.seed_gradient tensor<f16>
  return
}
