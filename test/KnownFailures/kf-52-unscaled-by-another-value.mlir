// RUN: amp-opt %s --split-input-file --amp-verify-precision --verify-diagnostics
// RUN: amp-opt %S/../Pipelines/train-step.mlir --amp-training="loss=mse optimizer=sgd entries=train_step" --amp-precision="precision=fp16 scaler=pytorch" | FileCheck %s --check-prefix=MADE

// The scaler is updated first, and the update divides by the new scale.
amp.variable @amp.loss_scale : tensor<f32> kind scaler
amp.variable @w : tensor<4xf32> kind parameter {trained}
func.func @train_step(%x: tensor<4xf32>, %lr: tensor<f32>, %n: tensor<i64>, %c: tensor<i32>) {
  %w = amp.read @w : tensor<4xf32>
  %s = amp.read @amp.loss_scale : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %seed = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %finite, %norm = amp.check_gradients (%g) scale %s {acc = f32} : (tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %new:5 = amp.scaler_update %s, %s, %c, %c, %c, %finite {config = {}} : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  // expected-error @below {{'amp.optimizer_step' op unscales by a value that did not scale the loss}}
  %p = amp.optimizer_step %w, %g, %lr, %new#0, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  amp.write @w, %p : tensor<4xf32>
  return
}

// -----

// s' = grow(s); u = g / s', written out.
func.func @division(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %two = amp.constant dense<2.0> : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %seed = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %grown = amp.mul %s, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{'amp.div' op unscales by a value that did not scale the loss}}
  %u = amp.div %g, %grown : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}

// What the compiler makes divides by the value that multiplied.
// MADE-LABEL: func.func @train_step
// MADE: [[S:%[0-9a-z_]+]] = amp.read @amp.loss_scale
// MADE: amp.seed_gradient [[S]]
// MADE: amp.check_gradients({{.+}}) scale [[S]]
// MADE: amp.optimizer_step {{%[^,]+, %[^,]+, %[^,]+}}, [[S]],
// MADE: amp.scaler_update [[S]]
