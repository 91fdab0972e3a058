// RUN: amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=p,loss=u;b:sgd" --amp-differentiate | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=p,loss=u;b:sgd" --amp-differentiate=separate=true | FileCheck %s --check-prefix=SEPARATE

// Each parameter gets the gradient of what its optimizer minimises: @p that of
// u, @q that of u + v in one pass.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: tensor<3xf32> {amp.name = "p", amp.role = "gradient"}, tensor<3xf32> {amp.name = "q", amp.role = "gradient"})
// CHECK: [[U:%[0-9]+]] = amp.seed_gradient {amp.phase = #amp<phase backward>, loss = "u"} tensor<f32>
// CHECK: [[V:%[0-9]+]] = amp.seed_gradient {amp.phase = #amp<phase backward>, loss = "v"} tensor<f32>
// CHECK-NOT: amp.seed_gradient
// CHECK: amp.fan_in_sum

// With scales of their own the losses are differentiated one by one.
// SEPARATE-LABEL: func.func @backward(
// SEPARATE-SAME: tensor<3xf32> {amp.name = "p", amp.role = "gradient", amp.scale_of = "u"}, tensor<3xf32> {amp.name = "q", amp.role = "gradient", amp.scale_of = "u"}, tensor<3xf32> {amp.name = "q", amp.role = "gradient", amp.scale_of = "v"})
// SEPARATE: loss = "u"
// SEPARATE: loss = "v"
// SEPARATE-NOT: amp.fan_in_sum
amp.variable @p : tensor<3xf32> kind parameter {trained}
amp.variable @q : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"},
        tensor<f32> {amp.name = "loss/u", amp.role = "named_loss"},
        tensor<f32> {amp.name = "loss/v", amp.role = "named_loss"})
    attributes {amp.loss = "u:graph_output;v:graph_output"} {
  %p = amp.read @p : tensor<3xf32>
  %q = amp.read @q : tensor<3xf32>
  %0 = amp.mul %p, %q : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %u = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  %1 = amp.mul %0, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %v = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  %l = amp.add %u, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l, %u, %v : tensor<f32>, tensor<f32>, tensor<f32>
}
