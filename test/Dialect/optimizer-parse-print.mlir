// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @one_step
func.func @one_step(%p: tensor<4xf32>, %g: tensor<4xbf16>, %m: tensor<4xf32>,
    %v: tensor<4xf32>, %s: tensor<f32>, %clip: tensor<f32>, %n: tensor<i64>,
    %schedule: tensor<8xf32>) {
  // CHECK: amp.check_gradients(%{{.*}}, %{{.*}}) scale %{{.*}} {acc = f32} : (tensor<4xbf16>, tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %finite, %norm = amp.check_gradients (%g, %p) scale %s {acc = f32}
    : (tensor<4xbf16>, tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  // CHECK: amp.learning_rate %{{.*}}, %{{.*}} : (tensor<i64>, tensor<8xf32>) -> tensor<f32>
  %lr = amp.learning_rate %n, %schedule
    : (tensor<i64>, tensor<8xf32>) -> tensor<f32>
  // CHECK: amp.optimizer_step
  // CHECK-SAME: clip_mode = #amp<clip norm>, config = {beta1 = 9.000000e-01 : f64}, kind = #amp<optimizer adamw>
  // CHECK-SAME: resultSegmentSizes = array<i32: 1, 2, 1>
  amp.optimizer_step %p, %g, %lr, %s, %norm, %clip, %finite, %n states(%m, %v) {
      kind = #amp<optimizer adamw>, clip_mode = #amp<clip norm>,
      config = {beta1 = 0.9 : f64},
      resultSegmentSizes = array<i32: 1, 2, 1>}
    : (tensor<4xf32>, tensor<4xbf16>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>)
  // CHECK: amp.advance_counters
  amp.advance_counters %n, %n, %n, %finite
    : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i1>)
    -> (tensor<i64>, tensor<i64>, tensor<i64>)
  return
}

// CHECK-LABEL: @states_of_each_kind
func.func @states_of_each_kind(%p: tensor<4xf32>, %s: tensor<f32>,
    %ok: tensor<i1>, %n: tensor<i64>) {
  // CHECK: kind = #amp<optimizer sgd>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  // A momentum of zero is none.
  // CHECK: kind = #amp<optimizer sgd>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip value>,
      config = {momentum = 0.0 : f64},
      resultSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  // CHECK: kind = #amp<optimizer sgd>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n states(%p) {
      kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>,
      config = {momentum = 0.9 : f64},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: kind = #amp<optimizer adam>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n states(%p, %p, %p) {
      kind = #amp<optimizer adam>, clip_mode = #amp<clip none>,
      config = {amsgrad = true}, resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: kind = #amp<optimizer rmsprop>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n states(%p, %p, %p) {
      kind = #amp<optimizer rmsprop>, clip_mode = #amp<clip none>,
      config = {centered, momentum = 0.5 : f64},
      resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: kind = #amp<optimizer adagrad>
  amp.optimizer_step %p, %p, %s, %s, %s, %s, %ok, %n states(%p) {
      kind = #amp<optimizer adagrad>, clip_mode = #amp<clip none>, config = {},
      resultSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: @scaling
func.func @scaling(%g: tensor<4xf16>, %a: tensor<4xf32>, %s: tensor<f32>,
    %t: tensor<i32>, %ok: tensor<i1>) {
  // CHECK: amp.unscale %{{.*}}, %{{.*}} : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
  amp.unscale %g, %s : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
  // CHECK: amp.scaler_update %{{.*}} {config = {delay = true, finite_guard = "cap", growth_interval = 7 : i64, min_scale = 1.250000e-01 : f64, refill = "clean+backoff"}}
  amp.scaler_update %s, %s, %t, %t, %t, %ok {config = {delay = true,
      finite_guard = "cap", growth_interval = 7 : i64, min_scale = 0.125 : f64,
      refill = "clean+backoff"}}
    : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  // CHECK: amp.accumulate_gradient %{{.*}}, %{{.*}} {acc = f32}
  amp.accumulate_gradient %a, %g {acc = f32}
    : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @what_is_stored_low
func.func @what_is_stored_low(%p: tensor<4x3xbf16>, %g: tensor<4x3xf32>,
    %row: tensor<4x1xf16>, %column: tensor<1x3xf16>, %rest: tensor<4x3xi16>,
    %mu: tensor<f32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>,
    %rng: tensor<2xi64>) {
  // CHECK: amp.optimizer_step %{{.*}}, %{{.*}} rng %{{.*}} states(%{{.*}}, %{{.*}}, %{{.*}}) {
  // CHECK-SAME: kind = #amp<optimizer adafactor>
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n rng %rng states(%row, %column, %rest) {
      kind = #amp<optimizer adafactor>, clip_mode = #amp<clip none>,
      config = {}, resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4x3xbf16>, tensor<4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<2xi64>, tensor<4x1xf16>,
       tensor<1x3xf16>, tensor<4x3xi16>)
    -> (tensor<4x3xbf16>, tensor<4x1xf16>, tensor<1x3xf16>, tensor<4x3xi16>)
  // CHECK: amp.optimizer_step %{{.*}}, %{{.*}} states(%{{.*}}, %{{.*}}, %{{.*}}) {
  // CHECK-SAME: kind = #amp<optimizer nadam>
  amp.optimizer_step %p, %g, %s, %s, %s, %s, %ok, %n states(%p, %g, %mu) {
      kind = #amp<optimizer nadam>, clip_mode = #amp<clip none>,
      config = {}, resultSegmentSizes = array<i32: 1, 3, 0>}
    : (tensor<4x3xbf16>, tensor<4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
       tensor<f32>, tensor<i1>, tensor<i64>, tensor<4x3xbf16>, tensor<4x3xf32>,
       tensor<f32>)
    -> (tensor<4x3xbf16>, tensor<4x3xbf16>, tensor<4x3xf32>, tensor<f32>)
  return
}
