// RUN: amp-opt %s --split-input-file --amp-update-on-skip=variables=bn.mean --verify-diagnostics

// expected-error @below {{update-on-skip: 'bn.mean' matches no state that steps write besides parameters and their moments, expected 'buffers' or a pattern of names such as 'bn.running_mean'}}
module {
  amp.variable @mean : tensor<3xf32> kind buffer {source = "bn.running_mean"}
  func.func @train_step(%g: tensor<3xf32>, %m: tensor<3xf32>, %s: tensor<f32>) {
    %0 = amp.read @mean : tensor<3xf32>
    %finite, %norm = amp.check_gradients (%g) scale %s {acc = f32} : (tensor<3xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
    %2 = amp.select %finite, %m, %0 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    amp.write @mean, %2 : tensor<3xf32>
    return
  }
}

// -----

// Parameters are never written by a skipped step.
// expected-error @below {{update-on-skip: 'bn.mean' matches no state that steps write besides parameters and their moments, expected 'buffers'}}
module {
  amp.variable @w : tensor<3xf32> kind parameter {source = "bn.mean"}
}
