// RUN: amp-opt %s --split-input-file --amp-verify-gradients --verify-diagnostics

// expected-error @below {{'amp.variable' op '@w' is trained and has 0 optimizer steps in @train_step, expected one}}
amp.variable @w : tensor<f32> kind parameter {trained}
func.func @train_step() { return }

// -----

amp.variable @w : tensor<f32> kind parameter {trained}
func.func @train_step(%g: tensor<f32>, %lr: tensor<f32>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<f32>
  %finite, %norm = amp.check_gradients(%g) scale %lr {acc = f32} : (tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  // expected-error @below {{'amp.optimizer_step' op of '@w' in @train_step has a result that is not written back}}
  %p = amp.optimizer_step %w, %g, %lr, %lr, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<f32>
  return
}

// -----

amp.variable @w : tensor<f32> kind parameter {trained}
func.func @apply(%g: tensor<f16>, %lr: tensor<f32>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<f32>
  %finite, %norm = amp.check_gradients(%g) scale %lr {acc = f32} : (tensor<f16>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  // expected-error @below {{'amp.optimizer_step' op of '@w' in @apply takes a gradient of type 'tensor<f16>', expected float32}}
  %p = amp.optimizer_step %w, %g, %lr, %lr, %norm, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<f32>, tensor<f16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<f32>
  amp.write @w, %p : tensor<f32>
  return
}

// -----

amp.variable @mean : tensor<f32> kind buffer
func.func @train_step(%new: tensor<f32>) {
  // expected-error @below {{'amp.write' op of '@mean' in @train_step is not guarded by the flag of amp.check_gradients: a skipped step would change it}}
  amp.write @mean, %new : tensor<f32>
  return
}

// -----

amp.variable @mean : tensor<f32> kind buffer
func.func @train_step(%new: tensor<f32>, %flag: tensor<i1>) {
  %old = amp.read @mean : tensor<f32>
  %0 = amp.select %flag, %new, %old : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{is not guarded by the flag of amp.check_gradients}}
  amp.write @mean, %0 : tensor<f32>
  return
}

// -----

// The old value must be what a skipped step writes, not the other way round.
amp.variable @mean : tensor<f32> kind buffer
func.func @train_step(%new: tensor<f32>, %s: tensor<f32>) {
  %old = amp.read @mean : tensor<f32>
  %finite, %norm = amp.check_gradients (%new) scale %s {acc = f32} : (tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %0 = amp.select %finite, %old, %new : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{is not guarded by the flag of amp.check_gradients}}
  amp.write @mean, %0 : tensor<f32>
  return
}

// -----

amp.variable @mean : tensor<f32> kind buffer
func.func @eval(%new: tensor<f32>) {
  // expected-error @below {{'amp.write' op of '@mean' in @eval: this entry point must not change variables}}
  amp.write @mean, %new : tensor<f32>
  return
}
