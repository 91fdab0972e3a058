// RUN: amp-opt %s --amp-attach-loss="loss=d:bce_with_logits,output=real,target_value=1;d:bce_with_logits,output=fake,target_value=0;g:bce_with_logits,output=fake,target_value=1,weight=0.5" | FileCheck %s
// RUN: amp-opt %s --amp-attach-loss="loss=mse,output=real;l1,output=fake,target=other" | FileCheck %s --check-prefix=UNNAMED
// RUN: not amp-opt %s --amp-attach-loss="loss=d:mse,output=real;l1,output=fake" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output=real,reduction=sum;l1,output=fake" 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output=real,target=t,target_value=1" 2>&1 | FileCheck %s --check-prefix=BOTH

// Terms of one name are a loss; the sum of all is the first result. A constant
// target is no argument.
// CHECK-LABEL: func.func @loss(
// CHECK-NOT: amp.role = "target"
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<f32> {amp.name = "loss/d", amp.role = "named_loss"}, tensor<f32> {amp.name = "loss/g", amp.role = "named_loss"},
// CHECK-SAME: amp.loss = "d:bce_with_logits,output=real,target_value=1;d:bce_with_logits,output=fake,target_value=0;g:bce_with_logits,output=fake,target_value=1,weight=0.5"
// CHECK: [[REAL:%[0-9]+]] = amp.reduce_mean
// CHECK: [[FAKE:%[0-9]+]] = amp.reduce_mean
// CHECK: [[D:%[0-9]+]] = amp.add [[REAL]], [[FAKE]]
// CHECK: [[MEAN:%[0-9]+]] = amp.reduce_mean
// CHECK: [[HALF:%[0-9]+]] = amp.constant dense<5.000000e-01> : tensor<f32>
// CHECK: [[G:%[0-9]+]] = amp.mul [[MEAN]], [[HALF]]
// CHECK: [[SUM:%[0-9]+]] = amp.add [[D]], [[G]]
// CHECK: return [[SUM]], [[D]], [[G]],

// UNNAMED-LABEL: func.func @loss(
// UNNAMED-SAME: amp.name = "target", amp.role = "target"
// UNNAMED-SAME: amp.name = "other", amp.role = "target"
// UNNAMED-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<4xf32>
// UNNAMED: [[SUM:%[0-9]+]] = amp.add %{{[0-9]+}}, %{{[0-9]+}} : (tensor<f32>, tensor<f32>)
// UNNAMED: return [[SUM]],

// MISSING: either all have a name, NAME:KIND, or none has
// MIXED: means and sums do not mix; give all the same reduction and use weight
// BOTH: target and target_value exclude each other
func.func @forward(%x: tensor<4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<4xf32> {amp.name = "real", amp.role = "output"},
        tensor<4xf32> {amp.name = "fake", amp.role = "output"}) {
  %0 = amp.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %0 : tensor<4xf32>, tensor<4xf32>
}
