// RUN: amp-opt %s --amp-attach-loss="loss=softmax_cross_entropy" --amp-differentiate --amp-build-entries="optimizer=adamw,lr=0.01,amsgrad=true clip=norm" --amp-verify-gradients | FileCheck %s

// Variables: moments beside their parameter's name, counters, random state.
// CHECK: amp.optimizer = "adamw,lr=0.01,betas=0.9:0.999,eps=1e-08,weight_decay=0.01,amsgrad=true"
// CHECK: amp.variable @amp.iteration : tensor<i64> kind counter init dense<0>
// CHECK: amp.variable @amp.rng : tensor<2xi64> kind rng
// CHECK: amp.variable @amp.applied : tensor<i64> kind counter init dense<0>
// CHECK: amp.variable @amp.skipped : tensor<i64> kind counter init dense<0>
// CHECK: amp.variable @w.exp_avg : tensor<3x4xf32> kind moment init dense<0.000000e+00> : tensor<f32>
// CHECK: amp.variable @w.exp_avg_sq :
// CHECK: amp.variable @w.max_exp_avg_sq :
// CHECK-NOT: func.func @forward
// CHECK-NOT: func.func @loss
// CHECK-NOT: func.func @backward

// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: tensor<8x3xf32> {amp.name = "x", amp.role = "input"}
// CHECK-SAME: tensor<8xi64> {amp.name = "target", amp.role = "target"}
// CHECK-SAME: [[SCHEDULE:%[a-zA-Z0-9_]+]]: tensor<8xf32> {amp.name = "schedule", amp.role = "schedule"}
// CHECK-SAME: [[CLIP:%[a-zA-Z0-9_]+]]: tensor<f32> {amp.name = "clip", amp.role = "clip"})
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<f32> {amp.name = "grad_norm", amp.role = "metric"}, tensor<f32> {amp.name = "found_inf", amp.role = "metric"}, tensor<f32> {amp.name = "loss_scale", amp.role = "metric"}, tensor<f32> {amp.name = "lr", amp.role = "metric"})
// CHECK-DAG: [[W:%[a-zA-Z0-9_]+]] = amp.read @w {
// CHECK-DAG: [[G:%[a-zA-Z0-9_]+]] = amp.read @gamma {
// CHECK-DAG: [[OLD:%[a-zA-Z0-9_]+]] = amp.read @running_mean {
// CHECK-DAG: [[APPLIED:%[a-zA-Z0-9_]+]] = amp.read @amp.applied {
// CHECK-DAG: [[M:%[a-zA-Z0-9_]+]] = amp.read @w.exp_avg {
// CHECK: amp.batch_norm
// CHECK: amp.dropout
// CHECK: [[NEW:%[a-zA-Z0-9_]+]] = amp.add {{.+}} tensor<4xf32>
// CHECK: %loss, %lse, %count = amp.softmax_cross_entropy
// CHECK: amp.batch_norm_grad
// CHECK: [[ONE:%[a-zA-Z0-9_]+]] = amp.constant {{.+}} dense<1.000000e+00> : tensor<f32>
// CHECK: [[FINITE:%[a-zA-Z0-9_]+]], [[NORM:%[a-zA-Z0-9_]+]] = amp.check_gradients([[DW:%[a-zA-Z0-9_]+]], [[DG:%[a-zA-Z0-9_]+]], {{%.+}}) scale [[ONE]]
// CHECK: [[LR:%[a-zA-Z0-9_]+]] = amp.learning_rate [[APPLIED]], [[SCHEDULE]]
// CHECK: [[P:%[a-zA-Z0-9_]+]], [[S:%[a-zA-Z0-9_]+]]:3 = amp.optimizer_step [[W]], [[DW]], [[LR]], [[ONE]], [[NORM]], [[CLIP]], [[FINITE]], [[APPLIED]] states([[M]],
// CHECK-SAME: clip_mode = #amp<clip norm>
// CHECK-SAME: config = {amsgrad = 1.000000e+00 : f64, beta1 = 9.000000e-01 : f64
// CHECK: amp.optimizer_step [[G]], [[DG]], [[LR]]
// CHECK: [[FOUND:%[a-zA-Z0-9_]+]] = amp.cast
// CHECK: amp.advance_counters {{.+}}, [[APPLIED]], {{.+}}, [[FINITE]]
// CHECK: [[KEPT:%[a-zA-Z0-9_]+]] = amp.select [[FINITE]], [[NEW]], [[OLD]]
// CHECK: amp.write @running_mean, [[KEPT]]
// CHECK: amp.write @w, [[P]]
// CHECK: amp.write @w.exp_avg, [[S]]#0
// CHECK: amp.write @amp.iteration
// CHECK: return %loss, [[NORM]], [[FOUND]], [[ONE]], [[LR]]

// Inference form; padded rows get the target that does not count.
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: [[VALID:%[a-zA-Z0-9_]+]]: tensor<i64> {amp.name = "valid_rows", amp.role = "valid_rows"})
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<f32> {amp.name = "correct", amp.role = "correct"}, tensor<f32> {amp.name = "counted", amp.role = "counted"}, tensor<8x4xf32> {amp.name = "y", amp.role = "output"})
// CHECK-NOT: amp.dropout
// CHECK: amp.batch_norm_inference
// CHECK-NOT: amp.dropout
// CHECK: [[I:%[a-zA-Z0-9_]+]] = amp.iota {{.+}} tensor<8xi64>
// CHECK: [[IN:%[a-zA-Z0-9_]+]] = amp.compare [[I]], [[VALID]]
// CHECK: [[T:%[a-zA-Z0-9_]+]] = amp.select [[IN]], %arg1
// CHECK: amp.count_correct [[Y:%[a-zA-Z0-9_]+]], [[T]], [[VALID]]
// CHECK: amp.softmax_cross_entropy [[Y]], [[T]]
// CHECK-NOT: amp.write

// CHECK-LABEL: func.func @predict(
// CHECK-SAME: %arg0: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
// CHECK-SAME: -> (tensor<8x4xf32> {amp.name = "y", amp.role = "output"})
// CHECK: [[R:%[a-zA-Z0-9_]+]] = amp.read @running_mean
// CHECK: amp.batch_norm_inference {{.+}}, [[R]],
// CHECK-NOT: amp.softmax_cross_entropy
// CHECK-NOT: amp.write
// CHECK: return

// CHECK-LABEL: func.func @gradients(
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<8x4xf32> {amp.name = "y", amp.role = "output"}, tensor<3x4xf32> {amp.name = "w", amp.role = "gradient"}
// CHECK-SAME: tensor<4xf32> {amp.name = "running_mean", amp.role = "state"}
// CHECK: amp.dropout
// CHECK: amp.unscale
// CHECK-NOT: amp.write
// CHECK-NOT: amp.optimizer_step
// CHECK: return

amp.variable @w : tensor<3x4xf32> kind parameter {trained}
amp.variable @gamma : tensor<4xf32> kind parameter {trained}
amp.variable @beta : tensor<4xf32> kind parameter {trained}
amp.variable @running_mean : tensor<4xf32> kind buffer
amp.variable @running_var : tensor<4xf32> kind buffer
amp.variable @amp.iteration : tensor<i64> kind counter init dense<0> : tensor<i64>
amp.variable @amp.rng : tensor<2xi64> kind rng init dense<[0, 1]> : tensor<2xi64>
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x4xf32> {amp.name = "y", amp.role = "output"}) {
  %w = amp.read @w : tensor<3x4xf32>
  %g = amp.read @gamma : tensor<4xf32>
  %b = amp.read @beta : tensor<4xf32>
  %old = amp.read @running_mean : tensor<4xf32>
  %it = amp.read @amp.iteration : tensor<i64>
  %rng = amp.read @amp.rng : tensor<2xi64>
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %1, %mean, %var = amp.batch_norm %0, %g, %b {epsilon = 1.0e-5 : f64, running_mean = @running_mean, running_variance = @running_var, acc = f32} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %2 = amp.dropout %1, %rng, %it {ratio = 0.5 : f64, node = 0 : i64} : (tensor<8x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<8x4xf32>
  %new = amp.add %mean, %old : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  amp.write @running_mean, %new : tensor<4xf32>
  return %2 : tensor<8x4xf32>
}
