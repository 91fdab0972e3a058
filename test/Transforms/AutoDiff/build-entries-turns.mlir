// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g" --amp-differentiate --amp-build-entries="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g alternate=true entries=train_step" --amp-verify-gradients --amp-scale-loss=scaler=pytorch --amp-verify-precision | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g" --amp-differentiate=separate=true --amp-build-entries="optimizer=d:sgd,params=dis,loss=d;g:sgd,loss=g alternate=true entries=train_step" --amp-verify-gradients --amp-scale-loss="scaler=d:pytorch;g:pytorch" --amp-verify-precision | FileCheck %s --check-prefix=OWN

// An entry point a turn, in the order of the optimizers.
// CHECK: amp.turns = ["train_step.d", "train_step.g"]
// CHECK-NOT: func.func @train_step(

// The first turn evaluates all three norms, so each updates its statistics; it
// keeps its flag and leaves the scale and the counters alone.
// CHECK-LABEL: func.func @train_step.d(
// CHECK-SAME: amp.name = "schedule/d"
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss/d", amp.role = "named_loss"}, tensor<f32> {amp.name = "found_inf"
// CHECK-COUNT-3: amp.batch_norm %
// CHECK-NOT: loss = "g"
// CHECK: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// CHECK: amp.optimizer_step
// CHECK-NOT: amp.optimizer_step
// CHECK: amp.select [[F]], {{.*}} tensor<i64>
// CHECK: [[MORE:%[0-9]+]] = amp.select [[F]], {{.*}} tensor<i64>
// CHECK-NOT: amp.scaler_update
// CHECK-NOT: amp.advance_counters
// CHECK: amp.write @gen.mean
// CHECK: amp.write @dis.mean
// CHECK: amp.write @dis,
// CHECK: amp.write @amp.applied.d
// CHECK: amp.write @amp.skipped_turns, [[MORE]]

// The second one sees the new @dis. The generator's norm is the one that the
// first turn has evaluated, the real images are not looked at, and the norm
// behind @dis is another one: only it updates statistics, from where the first
// turn left them.
// CHECK-LABEL: func.func @train_step.g(
// CHECK: [[OLD:%[0-9]+]] = amp.read @dis.mean
// CHECK: [[BEFORE:%[0-9]+]] = amp.read @amp.skipped_turns
// CHECK: amp.batch_norm %
// CHECK: %{{.+}}, [[MEAN:%mean[_0-9]*]], %{{.+}} = amp.batch_norm %
// CHECK-NOT: amp.batch_norm %
// CHECK: [[KEPT:%[0-9]+]] = amp.mul [[OLD]],
// CHECK: [[NEW:%[0-9]+]] = amp.mul [[MEAN]],
// CHECK: [[BLEND:%[0-9]+]] = amp.add [[KEPT]], [[NEW]]
// CHECK-NOT: loss = "d"
// CHECK: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// CHECK: amp.optimizer_step
// CHECK: amp.select [[F]], [[BLEND]], [[OLD]]
// CHECK: [[CLEAN:%[0-9]+]] = amp.compare [[BEFORE]], %{{[0-9]+}}
// CHECK: [[ALL:%[0-9]+]] = amp.and [[F]], [[CLEAN]]
// CHECK: amp.scaler_update {{.*}}, [[ALL]] {
// CHECK: amp.advance_counters {{.*}}, [[ALL]] {
// CHECK-NOT: amp.write @gen.mean
// CHECK: amp.write @dis.mean
// CHECK: amp.write @amp.skipped_turns

// A scale of d alone waits for the end of the iteration, too, with a flag of
// its own; that of g is known then.
// OWN-LABEL: func.func @train_step.d(
// OWN: [[WAS:%[0-9]+]] = amp.read @amp.found_inf.d : tensor<i32>
// OWN: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// OWN: [[IS:%[0-9]+]] = amp.select [[F]], [[WAS]],
// OWN-NOT: amp.scaler_update
// OWN: amp.write @amp.found_inf.d, [[IS]]
// OWN-LABEL: func.func @train_step.g(
// OWN-DAG: [[G:%[0-9]+]] = amp.read @amp.loss_scale.g
// OWN-DAG: [[D:%[0-9]+]] = amp.read @amp.loss_scale.d
// OWN-DAG: [[WAS:%[0-9]+]] = amp.read @amp.found_inf.d
// OWN: amp.seed_gradient [[G]]
// OWN: [[F:%finite[_0-9]*]], %{{.+}} = amp.check_gradients
// OWN: amp.scaler_update [[G]], {{.*}}, [[F]] {
// OWN: [[CLEAN:%[0-9]+]] = amp.compare [[WAS]],
// OWN: amp.scaler_update [[D]], {{.*}}, [[CLEAN]] {
// OWN: amp.write @amp.found_inf.d,
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
