// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @gather_axis_is_in_range(%d: tensor<9x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.gather %d, %i {axis = 2 : i64}
    : (tensor<9x4xf32>, tensor<2xi64>) -> tensor<9x4x2xf32>
  return
}

// -----

func.func @gather_replaces_the_axis(%d: tensor<9x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{expected a result of shape [9, 2, 3], got [2, 3, 4]}}
  amp.gather %d, %i {axis = 1 : i64}
    : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @gather_rounds_floats_only(%d: tensor<9xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{expected a result with the element type of the data ('f32'), got 'i32'}}
  amp.gather %d, %i {axis = 0 : i64}
    : (tensor<9xf32>, tensor<2xi64>) -> tensor<2xi32>
  return
}

// -----

func.func @indices_are_integers(%d: tensor<9xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped tensor of integer values}}
  amp.gather %d, %i {axis = 0 : i64}
    : (tensor<9xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @scalars_have_no_axis(%d: tensor<f32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{expected an axis in [0, 0), got 0}}
  amp.gather %d, %i {axis = 0 : i64}
    : (tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_gradient_has_the_shape_of_the_slices(%d: tensor<2x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{expected a dy of shape [3, 4], got [2, 4]}}
  amp.gather_grad %d, %i {axis = 0 : i64, acc = f32}
    : (tensor<2x4xf32>, tensor<3xi64>) -> tensor<9x4xf32>
  return
}

// -----

func.func @gather_gradient_accumulates_in_float32(%d: tensor<3x4xbf16>, %i: tensor<3xi64>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.gather_grad %d, %i {axis = 0 : i64, acc = bf16}
    : (tensor<3x4xbf16>, tensor<3xi64>) -> tensor<9x4xbf16>
  return
}
