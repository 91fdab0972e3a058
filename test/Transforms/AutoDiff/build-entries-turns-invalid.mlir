// RUN: not amp-opt %s --amp-build-entries="optimizer=sgd alternate=true" 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not amp-opt %s --amp-build-entries="optimizer=d:sgd,params=dis;g:sgd" 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not amp-opt %s --amp-verify-gradients 2>&1 | FileCheck %s --check-prefix=MISSING

// NAMES: error: taking turns needs several optimizers with names
// GROUP: error: some trained parameters belong to no optimizer; amp-group-parameters assigns them
// MISSING: error: there is no function @train_step.d, which amp.turns lists
module attributes {amp.turns = ["train_step.d"]} {
  amp.variable @w : tensor<3xf32> kind parameter {trained}
  func.func @forward(%x: tensor<3xf32> {amp.name = "x", amp.role = "input"}) -> (tensor<3xf32> {amp.name = "y", amp.role = "output"}) {
    return %x : tensor<3xf32>
  }
  func.func @backward(%x: tensor<3xf32> {amp.name = "x", amp.role = "input"})
      -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<3xf32> {amp.name = "w", amp.role = "gradient"}) {
    %l = amp.constant dense<1.0> : tensor<f32>
    return %l, %x : tensor<f32>, tensor<3xf32>
  }
}
