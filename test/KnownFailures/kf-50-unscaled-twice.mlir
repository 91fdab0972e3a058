// RUN: amp-opt %s --amp-verify-precision --verify-diagnostics

// g -> unscale -> clip -> unscale -> update: refused at the second unscale,
// whether that is the update itself or an op written by hand.
amp.variable @amp.loss_scale : tensor<f32> kind scaler
amp.variable @w : tensor<4xf32> kind parameter {trained}
func.func @train_step(%x: tensor<4xf32>, %most: tensor<4xf32>, %lr: tensor<f32>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<4xf32>
  %s = amp.read @amp.loss_scale : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %seed = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %finite, %norm = amp.check_gradients (%g) scale %s {acc = f32} : (tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %u = amp.unscale %g, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = amp.min %u, %most : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.optimizer_step' op unscales a gradient a second time}}
  %p = amp.optimizer_step %w, %c, %lr, %s, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4xf32>
  amp.write @w, %p : tensor<4xf32>
  return
}
