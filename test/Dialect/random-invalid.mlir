// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @dropout_keeps_the_shape(%x: tensor<4xf32>, %r: tensor<2xi64>, %i: tensor<i64>) {
  // expected-error @+1 {{expected a result of shape [4], got [5]}}
  amp.dropout %x, %r, %i {ratio = 0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<5xf32>
  return
}

// -----

func.func @rng_has_two_words(%x: tensor<4xf32>, %r: tensor<3xi64>, %i: tensor<i64>) {
  // expected-error @+1 {{expected an rng of shape [2], got [3]}}
  amp.dropout %x, %r, %i {ratio = 0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<3xi64>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_is_i64(%x: tensor<4xf32>, %r: tensor<2xi32>, %i: tensor<i64>) {
  // expected-error @+1 {{expected rng and iteration of i64, got 'i32'}}
  amp.dropout %x, %r, %i {ratio = 0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi32>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @iteration_is_a_scalar(%x: tensor<4xf32>, %r: tensor<2xi64>, %i: tensor<1xi64>) {
  // expected-error @+1 {{expected an iteration of shape [], got [1]}}
  amp.dropout %x, %r, %i {ratio = 0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @iteration_is_i64(%x: tensor<4xf32>, %r: tensor<2xi64>, %i: tensor<i32>) {
  // expected-error @+1 {{expected rng and iteration of i64, got 'i32'}}
  amp.dropout %x, %r, %i {ratio = 0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi64>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @ratio_is_below_one(%x: tensor<4xf32>, %r: tensor<2xi64>, %i: tensor<i64>) {
  // expected-error @+1 {{expected a ratio in [0, 1), got 1}}
  amp.dropout %x, %r, %i {ratio = 1.0 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @ratio_is_not_negative(%x: tensor<4xf32>, %r: tensor<2xi64>, %i: tensor<i64>) {
  // expected-error @+1 {{expected a ratio in [0, 1), got -5.000000e-01}}
  amp.dropout %x, %r, %i {ratio = -0.5 : f64, node = 0 : i64}
    : (tensor<4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4xf32>
  return
}
