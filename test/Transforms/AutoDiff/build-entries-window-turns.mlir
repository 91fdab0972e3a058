// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g" --amp-differentiate --amp-build-entries="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g alternate=true accumulate=true entries=accumulate,apply" --amp-verify-gradients --amp-scale-loss=scaler=pytorch --amp-verify-precision | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g" --amp-differentiate --amp-build-entries="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g alternate=true skip-all=true entries=train_step" --amp-verify-gradients --amp-scale-loss=scaler=pytorch --amp-verify-precision | FileCheck %s --check-prefix=SKIP

// A turn is a window: its micro-batches, then its update.
// CHECK: amp.window_turns = ["apply.d", "apply.g"]
// CHECK-NOT: func.func @train_step
// CHECK-NOT: func.func @accumulate(

// The first window sums what the discriminator wants, under the scale, and
// keeps the statistics of all three norms apart.
// CHECK-LABEL: func.func @accumulate.d(
// CHECK-SAME: amp.role = "micro_batches"
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss/d", amp.role = "named_loss"})
// CHECK: [[SCALE:%[0-9]+]] = amp.read @amp.loss_scale
// CHECK: amp.seed_gradient [[SCALE]]
// CHECK: amp.accumulate_gradient
// CHECK-NOT: amp.accumulate_gradient
// CHECK-NOT: amp.scaler_update
// CHECK-DAG: amp.write @gen.mean.pending
// CHECK-DAG: amp.write @dis.mean.pending
// CHECK-DAG: amp.write @dis.accumulator
// CHECK-DAG: amp.write @amp.micro_batch
// CHECK-NOT: amp.write @gen.accumulator

// CHECK-LABEL: func.func @apply.d(
// CHECK-SAME: amp.name = "schedule/d"
// CHECK: [[SUM:%[0-9]+]] = amp.read @dis.accumulator
// CHECK: amp.check_gradients([[SUM]])
// CHECK: amp.optimizer_step
// CHECK-NOT: amp.scaler_update
// CHECK-NOT: amp.advance_counters
// CHECK-DAG: amp.write @dis.accumulator
// CHECK-DAG: amp.write @gen.mean,
// CHECK-DAG: amp.write @dis.mean,
// CHECK-DAG: amp.write @amp.micro_batch
// CHECK-DAG: amp.write @amp.skipped_turns

// The second one begins with the first micro-batch and the new discriminator;
// only the norm behind that is another one.
// CHECK-LABEL: func.func @accumulate.g(
// CHECK-NOT: amp.write @gen.mean.pending
// CHECK: amp.write @dis.mean.pending
// CHECK: amp.write @gen.accumulator

// The scale and the counters change at the end, by the flags of both windows.
// CHECK-LABEL: func.func @apply.g(
// CHECK: [[BEFORE:%[0-9]+]] = amp.read @amp.skipped_turns
// CHECK: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// CHECK: [[ALL:%[0-9]+]] = amp.and [[F]],
// CHECK: amp.scaler_update {{.*}}, [[ALL]] {
// CHECK: amp.advance_counters {{.*}}, [[ALL]] {
// CHECK-NOT: amp.write @gen.mean,
// CHECK: amp.write @dis.mean,

// With skip-all the second turn updates nothing behind a skipped first one.
// SKIP-LABEL: func.func @train_step.d(
// SKIP: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// SKIP: amp.optimizer_step {{.*}}, [[F]], %
// SKIP-LABEL: func.func @train_step.g(
// SKIP: [[BEFORE:%[0-9]+]] = amp.read @amp.skipped_turns
// SKIP: [[CLEAN:%[0-9]+]] = amp.compare [[BEFORE]],
// SKIP: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// SKIP: [[BOTH:%[0-9]+]] = amp.and [[F]], [[CLEAN]]
// SKIP: amp.optimizer_step {{.*}}, [[BOTH]], %
// SKIP: amp.scaler_update {{.*}}, [[BOTH]] {
// SKIP: amp.advance_counters {{.*}}, [[BOTH]] {
amp.variable @gen : tensor<3xf32> kind parameter {trained}
amp.variable @dis : tensor<3xf32> kind parameter {trained}
amp.variable @gen.mean : tensor<3xf32> kind buffer
amp.variable @gen.var : tensor<3xf32> kind buffer
amp.variable @dis.mean : tensor<3xf32> kind buffer
amp.variable @dis.var : tensor<3xf32> kind buffer
func.func @loss(%z: tensor<4x3xf32> {amp.name = "z", amp.role = "input"},
                %x: tensor<4x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"},
        tensor<f32> {amp.name = "loss/d", amp.role = "named_loss"},
        tensor<f32> {amp.name = "loss/g", amp.role = "named_loss"})
    attributes {amp.loss = "d:graph_output;g:graph_output"} {
  %gen = amp.read @gen : tensor<3xf32>
  %dis = amp.read @dis : tensor<3xf32>
  %gm = amp.read @gen.mean : tensor<3xf32>
  %dm = amp.read @dis.mean : tensor<3xf32>
  %one = amp.constant dense<1.0> : tensor<3xf32>
  %k = amp.constant dense<0.9> : tensor<f32>
  %r = amp.constant dense<0.1> : tensor<f32>
  %y = amp.mul %z, %gen : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %f, %fm, %fv = amp.batch_norm %y, %one, %one {acc = f32, epsilon = 1.0e-05 : f64, running_mean = @gen.mean, running_variance = @gen.var} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %g0 = amp.mul %gm, %k : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %g1 = amp.mul %fm, %r : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %g2 = amp.add %g0, %g1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %a = amp.mul %x, %dis : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %real, %am, %av = amp.batch_norm %a, %one, %one {acc = f32, epsilon = 1.0e-05 : f64, running_mean = @dis.mean, running_variance = @dis.var} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %d0 = amp.mul %dm, %k : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %d1 = amp.mul %am, %r : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %d2 = amp.add %d0, %d1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %b = amp.mul %f, %dis : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %fake, %bm, %bv = amp.batch_norm %b, %one, %one {acc = f32, epsilon = 1.0e-05 : f64, running_mean = @dis.mean, running_variance = @dis.var} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %d3 = amp.mul %d2, %k : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %d4 = amp.mul %bm, %r : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %d5 = amp.add %d3, %d4 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %q = amp.mul %real, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %s = amp.mul %fake, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %lr = amp.reduce_sum %q {axes = array<i64: 0, 1>, acc = f32} : (tensor<4x3xf32>) -> tensor<f32>
  %lf = amp.reduce_sum %s {axes = array<i64: 0, 1>, acc = f32} : (tensor<4x3xf32>) -> tensor<f32>
  %d = amp.sub %lr, %lf : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %l = amp.add %d, %lf : (tensor<f32>, tensor<f32>) -> tensor<f32>
  amp.write @gen.mean, %g2 : tensor<3xf32>
  amp.write @dis.mean, %d5 : tensor<3xf32>
  return %l, %d, %lf : tensor<f32>, tensor<f32>, tensor<f32>
}
