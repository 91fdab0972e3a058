// RUN: amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=p,loss=u;b:adam" --amp-differentiate --amp-build-entries="optimizer=a:sgd,params=p,loss=u;b:adam entries=train_step" --amp-verify-gradients --amp-scale-loss=scaler=pytorch --amp-verify-precision | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=p,loss=u;b:adam" --amp-differentiate --amp-build-entries="optimizer=a:sgd,params=p,loss=u;b:adam entries=train_step skip-all=true" --amp-verify-gradients | FileCheck %s --check-prefix=ALL
// RUN: amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=p,loss=u;b:adam" --amp-differentiate=separate=true --amp-build-entries="optimizer=a:sgd,params=p,loss=u;b:adam entries=train_step,gradients accumulate=true" --amp-verify-gradients --amp-scale-loss="scaler=u:pytorch;v:static,scale=8" --amp-verify-precision | FileCheck %s --check-prefix=OWN

// A check, a schedule and a count of updates for each optimizer. Each is
// skipped alone; counters and the scale depend on both flags (KF-52: one scale
// for both afterwards).
// CHECK-DAG: amp.variable @amp.applied.a : tensor<i64> kind counter
// CHECK-DAG: amp.variable @amp.applied.b : tensor<i64> kind counter
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[SA:%arg[0-9]+]]: tensor<8xf32> {amp.name = "schedule/a", amp.role = "schedule"}
// CHECK-SAME: [[SB:%arg[0-9]+]]: tensor<8xf32> {amp.name = "schedule/b", amp.role = "schedule"}
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<f32> {amp.name = "loss/u", amp.role = "named_loss"}, tensor<f32> {amp.name = "loss/v", amp.role = "named_loss"}, tensor<f32> {amp.name = "found_inf", amp.role = "metric"}, tensor<f32> {amp.name = "loss_scale", amp.role = "metric"}, tensor<f32> {amp.name = "grad_norm/a", amp.role = "metric"}, tensor<f32> {amp.name = "found_inf/a", amp.role = "metric"}, tensor<f32> {amp.name = "lr/a", amp.role = "metric"}, tensor<f32> {amp.name = "grad_norm/b", amp.role = "metric"}
// CHECK-DAG: [[S:%[0-9]+]] = amp.read @amp.loss_scale : tensor<f32>
// CHECK-DAG: [[NA:%[0-9]+]] = amp.read @amp.applied.a
// CHECK-DAG: [[NB:%[0-9]+]] = amp.read @amp.applied.b
// CHECK: amp.seed_gradient [[S]] : tensor<f32> -> {{.*}}loss = "u"
// CHECK: amp.seed_gradient [[S]] : tensor<f32> -> {{.*}}loss = "v"
// CHECK: [[FA:%finite[_0-9]*]], [[MA:%norm[_0-9]*]] = amp.check_gradients([[GA:%[0-9]+]]) scale [[S]]
// CHECK: [[FB:%finite[_0-9]*]], [[MB:%norm[_0-9]*]] = amp.check_gradients([[GB:%[0-9]+]]) scale [[S]]
// CHECK: [[BOTH:%[0-9]+]] = amp.and [[FA]], [[FB]]
// CHECK: [[LA:%[0-9]+]] = amp.learning_rate [[NA]], [[SA]]
// CHECK: amp.optimizer_step %{{.+}}, [[GA]], [[LA]], [[S]], [[MA]], %{{.+}}, [[FA]], [[NA]] {
// CHECK: amp.select [[FA]], %{{.+}}, [[NA]]
// CHECK: [[LB:%[0-9]+]] = amp.learning_rate [[NB]], [[SB]]
// CHECK: amp.optimizer_step %{{.+}}, [[GB]], [[LB]], [[S]], [[MB]], %{{.+}}, [[FB]], [[NB]] states
// CHECK: amp.scaler_update [[S]], {{.*}}, [[BOTH]] {
// CHECK: amp.advance_counters {{.*}}, [[BOTH]] {
// CHECK: amp.write @amp.applied.a
// CHECK: amp.write @amp.applied.b
// CHECK: amp.write @amp.loss_scale

// One flag and one norm; each norm is still told.
// ALL-LABEL: func.func @train_step(
// ALL: [[FA:%finite[_0-9]*]], [[MA:%norm[_0-9]*]] = amp.check_gradients
// ALL: [[FB:%finite[_0-9]*]], [[MB:%norm[_0-9]*]] = amp.check_gradients
// ALL: [[BOTH:%[0-9]+]] = amp.and [[FA]], [[FB]]
// ALL: [[QA:%[0-9]+]] = amp.mul [[MA]], [[MA]]
// ALL: [[QB:%[0-9]+]] = amp.mul [[MB]], [[MB]]
// ALL: [[Q:%[0-9]+]] = amp.add [[QA]], [[QB]]
// ALL: [[N:%[0-9]+]] = amp.sqrt [[Q]]
// ALL: amp.optimizer_step {{.*}}, [[N]], %{{.+}}, [[BOTH]],
// ALL: amp.optimizer_step {{.*}}, [[N]], %{{.+}}, [[BOTH]],
// ALL: return {{.*}}[[MA]], {{.*}}[[MB]],

// Scales of their own: what b minimises is unscaled loss by loss, then added;
// the scale of u sees the flags of u's gradients only.
// OWN-DAG: amp.variable @amp.loss_scale.u {{.*}}dense<6.553600e+04>
// OWN-DAG: amp.variable @amp.loss_scale.v {{.*}}dense<8.000000e+00>
// OWN-LABEL: func.func @train_step(
// OWN-SAME: amp.name = "loss_scale/u", amp.role = "metric"}, tensor<f32> {amp.name = "loss_scale/v", amp.role = "metric"}
// OWN-DAG: [[U:%[0-9]+]] = amp.read @amp.loss_scale.u : tensor<f32>
// OWN-DAG: [[V:%[0-9]+]] = amp.read @amp.loss_scale.v : tensor<f32>
// OWN: amp.seed_gradient [[U]] : tensor<f32> -> {{.*}}loss = "u"
// OWN: amp.seed_gradient [[V]] : tensor<f32> -> {{.*}}loss = "v"
// OWN: [[FA:%finite[_0-9]*]], [[MA:%norm[_0-9]*]] = amp.check_gradients([[P:%[0-9]+]]) scale [[U]]
// OWN: [[FU:%finite[_0-9]*]], %{{.+}} = amp.check_gradients([[QU:%[0-9]+]]) scale [[U]]
// OWN: [[FV:%finite[_0-9]*]], %{{.+}} = amp.check_gradients([[QV:%[0-9]+]]) scale [[V]]
// OWN: [[XU:%[0-9]+]] = amp.unscale [[QU]], [[U]]
// OWN: [[XV:%[0-9]+]] = amp.unscale [[QV]], [[V]]
// OWN: [[X:%[0-9]+]] = amp.fan_in_sum [[XU]], [[XV]]
// OWN: [[FX:%finite[_0-9]*]], [[MX:%norm[_0-9]*]] = amp.check_gradients([[X]]) scale [[ONE:%[0-9]+]]
// OWN: amp.optimizer_step %{{.+}}, [[P]], %{{.+}}, [[U]], [[MA]], %{{.+}}, [[FA]],
// OWN: amp.optimizer_step %{{.+}}, [[X]], %{{.+}}, [[ONE]], [[MX]],
// OWN: [[UP:%[0-9]+]] = amp.and [[FA]], [[FU]]
// OWN: amp.scaler_update [[U]], {{.*}}, [[UP]] {
// OWN-NOT: amp.scaler_update
// OWN-LABEL: func.func @gradients(
// OWN: amp.unscale %{{.+}}, [[V:%[0-9]+]]
// OWN-LABEL: func.func @accumulate(
// OWN: amp.write @p.accumulator.u
// OWN: amp.write @q.accumulator.u
// OWN: amp.write @q.accumulator.v
// OWN-LABEL: func.func @apply(
// OWN: amp.unscale %{{.+}}
// OWN: amp.scaler_update
amp.variable @p : tensor<3xf32> kind parameter {trained}
amp.variable @q : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32> {amp.name = "x", amp.role = "input"})
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
