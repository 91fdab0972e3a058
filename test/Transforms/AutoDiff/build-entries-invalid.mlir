// RUN: not amp-opt %s --amp-build-entries="optimizer=lars" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not amp-opt %s --amp-build-entries="optimizer=adam,momentum=0.9" 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not amp-opt %s --amp-build-entries="optimizer=adam,betas=0.9" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not amp-opt %s --amp-build-entries="optimizer=sgd entries=fit" 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not amp-opt %s --amp-build-entries="optimizer=sgd entries=eval" 2>&1 | FileCheck %s --check-prefix=EVAL
// RUN: not amp-opt %s --amp-build-entries="optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=BACKWARD

// KIND: error: unknown optimizer 'lars', expected one of sgd, adam, adamw, rmsprop, adagrad, lamb, adafactor, lion, nadam, radam
// KEY: error: unknown key 'momentum' of the optimizer adam, known are lr, betas, eps, weight_decay, amsgrad
// VALUE: error: value '0.9' of betas: expected two numbers in [0, 1) separated by ':'
// ENTRY: error: unknown entry point 'fit', expected one of train_step, accumulate, apply, eval, predict, gradients
// EVAL: error: entry point eval needs a function @loss, which is missing
// BACKWARD: error: entry point train_step needs a function @backward, which is missing
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x3xf32> {amp.name = "y", amp.role = "output"}) {
  return %x : tensor<8x3xf32>
}
