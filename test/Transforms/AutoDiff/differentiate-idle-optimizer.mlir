// RUN: amp-opt %s --amp-group-parameters="optimizer=one:sgd,params=w1;two:sgd" --amp-differentiate --amp-build-entries="optimizer=one:sgd,params=w1;two:sgd entries=train_step" --amp-scale-loss=scaler=pytorch --verify-diagnostics | FileCheck %s

// KF-49: an optimizer that no loss reaches has no update and no part in the
// flag that the scale depends on.
// CHECK: amp.variable @w2 {{.*}}reason = "no loss of its optimizer 'two' depends on it"
// CHECK-NOT: trained
// CHECK-NOT: amp.applied.two
// CHECK-LABEL: func.func @train_step(
// CHECK-NOT: two
// CHECK: [[FINITE:%[a-z]+]], %{{.+}} = amp.check_gradients(%{{[0-9]+}}) scale
// CHECK: amp.optimizer_step
// CHECK-NOT: amp.optimizer_step
// CHECK: amp.scaler_update {{.*}}, [[FINITE]] {
// CHECK-NOT: amp.write @w2
amp.variable @w1 : tensor<3xf32> kind parameter {trained}
// expected-warning @below {{parameter 'w2' is not updated: no loss of the optimizer 'two' depends on it}}
amp.variable @w2 : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %p = amp.read @w1 : tensor<3xf32>
  %0 = amp.mul %p, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %l = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
