// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @plain_sgd_has_no_state(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 0 states (sgd), got 1}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @momentum_is_a_state(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 1 states (sgd), got 0}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {momentum = 0.9 : f64},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @adam_has_two_states(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 2 states (adam), got 1}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer adam>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @amsgrad_is_a_state(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 3 states (adamw), got 2}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m, %m) {
      kind = #amp<optimizer adamw>, clip_mode = #amp<clip none>,
      config = {amsgrad = true},
      resultSegmentSizes = array<i32: 1, 2, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @no_amsgrad_is_no_state(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 2 states (adamw), got 3}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m, %m, %m) {
      kind = #amp<optimizer adamw>, clip_mode = #amp<clip none>,
      config = {amsgrad = false},
      resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @centered_rmsprop_has_a_mean(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 2 states (rmsprop), got 1}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer rmsprop>, clip_mode = #amp<clip none>,
      config = {centered = 1 : i64},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adagrad_has_one_state(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 1 states (adagrad), got 0}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @every_state_is_renewed(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected 1 new states (adagrad), got 0}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @parameter_keeps_its_type(%p: tensor<4xbf16>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected parameter and states to keep their type 'tensor<4xbf16>', got 'tensor<4xf32>'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xbf16>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @parameters_are_floats_of_32_or_16_bits(%p: tensor<4xf64>, %g: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a parameter in f32, f16 or bf16, got 'f64'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf64>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf64>)
  return
}

// -----

func.func @a_residual_is_the_rest_of_a_bfloat16(%p: tensor<4xf32>, %g: tensor<4xf32>, %r: tensor<4xi16>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a parameter in bf16 beside a residual, got 'f32'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%r) {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xi16>)
    -> (tensor<4xf32>, tensor<4xi16>)
  return
}

// -----

func.func @a_residual_has_the_shape_of_the_parameter(%p: tensor<4xbf16>, %g: tensor<4xf32>, %r: tensor<5xi16>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a residual of shape [4], got [5]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%r) {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xbf16>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<5xi16>)
    -> (tensor<4xbf16>, tensor<5xi16>)
  return
}

// -----

func.func @the_random_state_is_a_pair(%p: tensor<4xbf16>, %g: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected rng of shape [2], got []}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n rng %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xbf16>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<i64>)
    -> (tensor<4xbf16>)
  return
}

// -----

func.func @adafactor_keeps_rows_and_columns(%p: tensor<4x3xf32>, %g: tensor<4x3xf32>,
    %r: tensor<4x1xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected the state col_var of shape [1, 3], got [4, 1]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%r, %r) {
      kind = #amp<optimizer adafactor>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 2, 0>}
    : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4x1xf32>, tensor<4x1xf32>)
    -> (tensor<4x3xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @a_product_of_factors_stays_float32(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xbf16>,
    %mu: tensor<bf16>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected the state mu_product in f32, got 'bf16'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m, %m, %mu) {
      kind = #amp<optimizer nadam>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>)
    -> (tensor<4xf32>, tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>)
  return
}

// -----

func.func @gradient_has_the_shape_of_the_parameter(%p: tensor<4xf32>, %g: tensor<5xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a gradient of shape [4], got [5]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @states_have_the_shape_of_the_parameter(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<5xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected the state sum of shape [4], got [5]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<5xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @states_are_floats_of_32_or_16_bits(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf64>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected the state sum in f32, f16 or bf16, got 'f64'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf64>)
    -> (tensor<4xf32>, tensor<4xf64>)
  return
}

// -----

func.func @states_keep_their_type(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected parameter and states to keep their type 'tensor<4xf32>', got 'tensor<4xf16>'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%m) {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf16>)
  return
}

// -----

func.func @new_parameter_keeps_its_shape(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected parameter and states to keep their type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<5xf32>)
  return
}

// -----

func.func @shadows_have_the_shape_of_the_parameter(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a shadow of shape [4], got [5]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 2>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>)
    -> (tensor<4xf32>, tensor<4xbf16>, tensor<5xbf16>)
  return
}

// -----

func.func @finite_is_a_scalar(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<1xi1>, %n: tensor<i64>) {
  // expected-error @+1 {{expected finite of shape [], got [1]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<1xi1>, tensor<i64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @applied_is_a_scalar(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>,
    %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<1xi64>) {
  // expected-error @+1 {{expected applied of shape [], got [1]}}
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<1xi64>)
    -> (tensor<4xf32>)
  return
}

// -----

func.func @check_gives_a_scalar(%g: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected finite of shape [], got [4]}}
  amp.check_gradients (%g) scale %s {acc = f32}
    : (tensor<4xf32>, tensor<f32>) -> (tensor<4xi1>, tensor<f32>)
  return
}

// -----

func.func @norm_accumulates_in_float32(%g: tensor<4xf16>, %s: tensor<f32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.check_gradients (%g) scale %s {acc = f16}
    : (tensor<4xf16>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  return
}

// -----

func.func @tracker_is_a_scalar(%s: tensor<f32>, %t: tensor<1xi32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{expected tracker of shape [], got [1]}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {}}
    : (tensor<f32>, tensor<f32>, tensor<1xi32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<1xi32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @new_tracker_is_a_scalar(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{expected a new tracker of shape [], got [1]}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<1xi32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @tracker_keeps_its_type(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{expected counters to keep their type 'tensor<i32>', got 'tensor<i64>'}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i64>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @scaler_takes_one_truth_value(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<2xi1>) {
  // expected-error @+1 {{expected finite of shape [], got [2]}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2xi1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @growth_does_not_shrink(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: growth_factor must be a finite number of at least 1}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {growth_factor = 0.5 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @backoff_does_not_grow(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: backoff_factor must be above 0 and at most 1}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {backoff_factor = 1.5 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @backoff_is_not_zero(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: backoff_factor must be above 0 and at most 1}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {backoff_factor = 0.0 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @interval_is_positive(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: growth_interval must be a whole number from 1 to 2147483647}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {growth_interval = 0 : i64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @interval_is_no_float(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: growth_interval must be an i64}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {growth_interval = 3.0 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @hysteresis_is_positive(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: hysteresis must be a whole number from 1 to 2147483647}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {hysteresis = 0 : i64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @maximum_is_above_minimum(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: max_scale must be above 0 and at least min_scale}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {min_scale = 4.0 : f64, max_scale = 2.0 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @refill_is_a_set_of_events(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: refill must be "none" or clean, backoff and growth joined by '+'}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {refill = "clean+overflow"}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @guard_is_known(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: finite_guard must be "keep", "cap" or "none"}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {finite_guard = "never"}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @delay_is_a_truth_value(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: delay must be true or false}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {delay = 1 : i64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @key_is_known(%s: tensor<f32>, %t: tensor<i32>, %c: tensor<i32>, %ok: tensor<i1>) {
  // expected-error @+1 {{config: unknown key 'growth', expected one of growth_factor, backoff_factor, growth_interval, interval_per_scale, start, after_found, after_growth, hysteresis, refill, min_scale, max_scale, finite_guard, delay, error_at_min, abort_after}}
  amp.scaler_update %s, %s, %t, %c, %c, %ok {config = {growth = 2.0 : f64}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @schedule_has_eight_numbers(%n: tensor<i64>, %s: tensor<7xf32>) {
  // expected-error @+1 {{expected a schedule of shape [8], got [7]}}
  amp.learning_rate %n, %s : (tensor<i64>, tensor<7xf32>) -> tensor<f32>
  return
}

// -----

func.func @schedule_is_float32(%n: tensor<i64>, %s: tensor<8xf16>) {
  // expected-error @+1 {{expected a schedule with f32 elements, got 'f16'}}
  amp.learning_rate %n, %s : (tensor<i64>, tensor<8xf16>) -> tensor<f32>
  return
}

// -----

func.func @rate_follows_one_counter(%n: tensor<2xi64>, %s: tensor<8xf32>) {
  // expected-error @+1 {{expected applied of shape [], got [2]}}
  amp.learning_rate %n, %s : (tensor<2xi64>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @counters_keep_their_type(%n: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{expected counters to keep their type 'tensor<i64>', got 'tensor<i32>'}}
  amp.advance_counters %n, %n, %n, %ok
    : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i1>)
    -> (tensor<i64>, tensor<i32>, tensor<i64>)
  return
}

// -----

func.func @counters_are_scalars(%n: tensor<1xi64>, %ok: tensor<i1>) {
  // expected-error @+1 {{expected iteration of shape [], got [1]}}
  amp.advance_counters %n, %n, %n, %ok
    : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<i1>)
    -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  return
}

// -----

func.func @accumulator_is_float32(%a: tensor<4xbf16>) {
  // expected-error @+1 {{expected an accumulator with f32 elements, got 'bf16'}}
  amp.accumulate_gradient %a, %a {acc = f32}
    : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @accumulated_gradient_has_its_shape(%a: tensor<4xf32>, %g: tensor<5xf32>) {
  // expected-error @+1 {{expected a gradient of shape [4], got [5]}}
  amp.accumulate_gradient %a, %g {acc = f32}
    : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @accumulation_is_float32(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'f16'; less needs the attribute amp.low_accumulation}}
  amp.accumulate_gradient %a, %a {acc = f16}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unscale_keeps_the_shape(%g: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a result of shape [4], got [5]}}
  amp.unscale %g, %s : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}
