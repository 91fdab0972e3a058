// RUN: amp-opt %s --amp-scale-loss="scaler=pytorch" | FileCheck %s
// RUN: amp-opt %s --amp-scale-loss="scaler=pytorch" --amp-scale-loss="scaler=pytorch" | FileCheck %s
// RUN: amp-opt %s --amp-scale-loss="scaler=pytorch,init_scale=1024,growth_factor=4,backoff_factor=0.25,growth_interval=7" | FileCheck %s --check-prefix=KEYS
// RUN: amp-opt %s --amp-scale-loss="scaler=deepspeed" | FileCheck %s --check-prefix=DEEPSPEED
// RUN: amp-opt %s --amp-scale-loss="scaler=static,scale=128" | FileCheck %s --check-prefix=STATIC
// RUN: amp-opt %s --amp-scale-loss="scaler=none" | FileCheck %s --check-prefix=NONE

// CHECK-DAG: amp.variable @amp.loss_scale : tensor<f32> kind scaler init dense<6.553600e+04> : tensor<f32>
// CHECK-DAG: amp.variable @amp.next_scale : tensor<f32> kind scaler init dense<6.553600e+04> : tensor<f32>
// CHECK-DAG: amp.variable @amp.growth_tracker : tensor<i32> kind scaler init dense<0> : tensor<i32>
// CHECK-DAG: amp.variable @amp.hysteresis : tensor<i32> kind scaler init dense<1> : tensor<i32>
// CHECK-DAG: amp.variable @amp.bad_steps : tensor<i32> kind scaler init dense<0> : tensor<i32>
// KEYS: amp.variable @amp.loss_scale : tensor<f32> kind scaler init dense<1.024000e+03>
// STATIC: amp.variable @amp.loss_scale : tensor<f32> kind scaler init dense<1.280000e+02>
// STATIC-NOT: kind scaler
// DEEPSPEED-DAG: amp.variable @amp.growth_tracker : tensor<i32> kind scaler init dense<-1> : tensor<i32>
// DEEPSPEED-DAG: amp.variable @amp.hysteresis : tensor<i32> kind scaler init dense<2> : tensor<i32>
// NONE-NOT: kind scaler
amp.variable @w : tensor<4xf32> kind parameter {trained}
amp.variable @sum : tensor<4xf32> kind accumulator

// The seed, the check and the update use one scale; it is adjusted after the
// update; the scale that is reported multiplied this step's loss.
// CHECK-LABEL: func.func @train_step(
// CHECK-DAG: [[S:%[0-9]+]] = amp.read @amp.loss_scale : tensor<f32>
// CHECK-DAG: [[N:%[0-9]+]] = amp.read @amp.next_scale : tensor<f32>
// CHECK-DAG: [[T:%[0-9]+]] = amp.read @amp.growth_tracker : tensor<i32>
// CHECK-DAG: [[H:%[0-9]+]] = amp.read @amp.hysteresis : tensor<i32>
// CHECK-DAG: [[B:%[0-9]+]] = amp.read @amp.bad_steps : tensor<i32>
// CHECK: amp.seed_gradient [[S]] : tensor<f32> -> tensor<f32>
// CHECK: [[F:%[a-z0-9]+]], %{{.+}} = amp.check_gradients(%{{.+}}) scale [[S]]
// CHECK: amp.optimizer_step %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, [[S]],
// CHECK: [[NS:%[a-z_]+]], [[NN:%[a-z_]+]], [[NT:%[a-z_]+]], [[NH:%[a-z_]+]], [[NB:%[a-z_]+]] = amp.scaler_update [[S]], [[N]], [[T]], [[H]], [[B]], [[F]] {amp.phase = #amp<phase update>, config = {backoff_factor = 5.000000e-01 : f64, growth_factor = 2.000000e+00 : f64, growth_interval = 2000 : i64}}
// CHECK: amp.write @w,
// CHECK: amp.write @amp.loss_scale, [[NS]] {amp.phase = #amp<phase update>}
// CHECK: amp.write @amp.next_scale, [[NN]] {amp.phase = #amp<phase update>}
// CHECK: amp.write @amp.growth_tracker, [[NT]] {amp.phase = #amp<phase update>}
// CHECK: amp.write @amp.hysteresis, [[NH]] {amp.phase = #amp<phase update>}
// CHECK: amp.write @amp.bad_steps, [[NB]] {amp.phase = #amp<phase update>}
// CHECK: return %{{.+}}, [[S]] :
// KEYS-LABEL: func.func @train_step(
// KEYS: amp.scaler_update {{.+}}backoff_factor = 2.500000e-01 : f64, growth_factor = 4.000000e+00 : f64, growth_interval = 7 : i64
// DEEPSPEED-LABEL: func.func @train_step(
// DEEPSPEED: amp.scaler_update {{.+}}config = {after_found = -1 : i64, backoff_factor = 5.000000e-01 : f64, error_at_min = true, finite_guard = "none", growth_factor = 2.000000e+00 : f64, growth_interval = 1000 : i64, hysteresis = 2 : i64, min_scale = 1.000000e+00 : f64, refill = "growth", start = -1 : i64}
// STATIC-LABEL: func.func @train_step(
// STATIC: [[S:%[0-9]+]] = amp.read @amp.loss_scale
// STATIC: amp.seed_gradient [[S]]
// STATIC: amp.check_gradients(%{{.+}}) scale [[S]]
// STATIC: amp.optimizer_step %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, [[S]],
// STATIC-NOT: amp.scaler_update
// STATIC-NOT: amp.write @amp.loss_scale
// STATIC: return %{{.+}}, [[S]] :
// NONE-LABEL: func.func @train_step(
// NONE: [[ONE:%[a-z0-9]+]] = amp.constant
// NONE: amp.seed_gradient tensor<f32>
// NONE: amp.check_gradients(%{{.+}}) scale [[ONE]]
// NONE: return %{{.+}}, [[ONE]] :
func.func @train_step(%x: tensor<4xf32>, %lr: tensor<f32>, %n: tensor<i64>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<f32> {amp.name = "loss_scale", amp.role = "metric"}) {
  %w = amp.read @w : tensor<4xf32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %l = amp.reduce_sum %w {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  %seed = amp.seed_gradient tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %finite, %norm = amp.check_gradients (%g) scale %one {acc = f32} : (tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %p = amp.optimizer_step %w, %g, %lr, %one, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  amp.write @w, %p : tensor<4xf32>
  return %l, %one : tensor<f32>, tensor<f32>
}

// Sums of micro-batches stay scaled; nothing is adjusted before they are
// applied.
// CHECK-LABEL: func.func @accumulate(
// CHECK: [[S:%[0-9]+]] = amp.read @amp.loss_scale
// CHECK: amp.seed_gradient [[S]]
// CHECK-NOT: amp.scaler_update
// CHECK: return
func.func @accumulate(%x: tensor<4xf32>) {
  %a = amp.read @sum : tensor<4xf32>
  %seed = amp.seed_gradient tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.accumulate_gradient %a, %g {acc = f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  amp.write @sum, %0 : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @apply(
// CHECK: [[S:%[0-9]+]] = amp.read @amp.loss_scale
// CHECK: amp.check_gradients(%{{.+}}) scale [[S]]
// CHECK: amp.optimizer_step
// CHECK: amp.scaler_update [[S]]
// CHECK: amp.write @amp.loss_scale
func.func @apply(%lr: tensor<f32>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<4xf32>
  %a = amp.read @sum : tensor<4xf32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %finite, %norm = amp.check_gradients (%a) scale %one {acc = f32} : (tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %p = amp.optimizer_step %w, %a, %lr, %one, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  amp.write @w, %p : tensor<4xf32>
  return
}

// Gradients that leave the program are unscaled by the same value.
// CHECK-LABEL: func.func @gradients(
// CHECK: [[S:%[0-9]+]] = amp.read @amp.loss_scale
// CHECK: [[G:%[0-9]+]] = amp.seed_gradient [[S]]
// CHECK: amp.unscale [[G]], [[S]]
// CHECK-NOT: amp.scaler_update
// CHECK: return
func.func @gradients() -> tensor<f32> {
  %one = amp.constant dense<1.0> : tensor<f32>
  %seed = amp.seed_gradient tensor<f32>
  %0 = amp.unscale %seed, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What has no gradients reads no scale.
// CHECK-LABEL: func.func @predict(
// CHECK-NOT: amp.read
// CHECK: return
func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
