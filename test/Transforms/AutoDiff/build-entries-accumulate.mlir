// RUN: amp-opt %s --amp-attach-loss="loss=mse" --amp-differentiate --amp-build-entries="optimizer=sgd accumulate=true entries=predict" --amp-verify-gradients | FileCheck %s

// CHECK-DAG: amp.variable @w.accumulator : tensor<3x4xf32> kind accumulator
// CHECK-DAG: amp.variable @seen.pending : tensor<4xf32> kind accumulator
// CHECK-DAG: amp.variable @amp.micro_batch : tensor<i64> kind counter init dense<0>
// CHECK-LABEL: func.func @predict(
// CHECK-NOT: func.func @train_step

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: [[K:%[a-zA-Z0-9_]+]]: tensor<f32> {amp.name = "micro_batches", amp.role = "micro_batches"})
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"})
// CHECK-DAG: [[OLD:%[a-zA-Z0-9_]+]] = amp.read @seen {
// CHECK-DAG: [[PENDING:%[a-zA-Z0-9_]+]] = amp.read @seen.pending
// CHECK-DAG: [[MICRO:%[a-zA-Z0-9_]+]] = amp.read @amp.micro_batch
// CHECK-DAG: [[SUM:%[a-zA-Z0-9_]+]] = amp.read @w.accumulator
// Each micro-batch has masks of its own.
// CHECK: [[FIRST:%[a-zA-Z0-9_]+]] = amp.mul %{{.+}}, %{{.+}} : (tensor<i64>, tensor<i64>)
// CHECK: [[DRAW:%[a-zA-Z0-9_]+]] = amp.add [[FIRST]], [[MICRO]]
// CHECK: [[IS:%[a-zA-Z0-9_]+]] = amp.compare [[MICRO]], {{.+}} predicate = #amp<predicate eq>
// CHECK: [[NOW:%[a-zA-Z0-9_]+]] = amp.select [[IS]], [[OLD]], [[PENDING]]
// CHECK: amp.dropout {{%.+}}, {{%.+}}, [[DRAW]]
// CHECK: [[NEXT:%[a-zA-Z0-9_]+]] = amp.add {{%.+}}, [[NOW]]
// CHECK: [[SEED:%[a-zA-Z0-9_]+]] = amp.seed_gradient
// CHECK-NEXT: amp.div [[SEED]], [[K]] {amp.phase = #amp<phase backward>}
// CHECK: amp.dropout {{%.+}}, {{%.+}}, [[DRAW]]
// CHECK: [[ACC:%[a-zA-Z0-9_]+]] = amp.accumulate_gradient [[SUM]],
// CHECK: amp.write @seen.pending, [[NEXT]]
// CHECK: amp.write @w.accumulator, [[ACC]]
// CHECK: amp.write @amp.micro_batch
// CHECK-NOT: amp.write @seen,
// CHECK: return

// CHECK-LABEL: func.func @apply(
// CHECK-SAME: %arg0: tensor<8xf32> {amp.name = "schedule", amp.role = "schedule"}, %arg1: tensor<f32> {amp.name = "clip", amp.role = "clip"})
// CHECK-SAME: -> (tensor<f32> {amp.name = "grad_norm", amp.role = "metric"}
// CHECK-DAG: [[G:%[a-zA-Z0-9_]+]] = amp.read @w.accumulator
// CHECK-DAG: [[B:%[a-zA-Z0-9_]+]] = amp.read @seen {
// CHECK-DAG: [[P:%[a-zA-Z0-9_]+]] = amp.read @seen.pending
// CHECK: [[FINITE:%[a-zA-Z0-9_]+]], %{{.+}} = amp.check_gradients([[G]])
// CHECK: amp.optimizer_step {{%.+}}, [[G]]
// CHECK: [[ANY:%[a-zA-Z0-9_]+]] = amp.compare {{.+}} predicate = #amp<predicate gt>
// CHECK: [[BOTH:%[a-zA-Z0-9_]+]] = amp.and [[FINITE]], [[ANY]]
// CHECK: [[KEPT:%[a-zA-Z0-9_]+]] = amp.select [[BOTH]], [[P]], [[B]]
// CHECK: amp.write @w.accumulator, %{{.+}}
// CHECK: amp.write @seen, [[KEPT]]
// CHECK: amp.write @amp.micro_batch

amp.variable @w : tensor<3x4xf32> kind parameter {trained}
amp.variable @seen : tensor<4xf32> kind buffer
amp.variable @amp.iteration : tensor<i64> kind counter init dense<0> : tensor<i64>
amp.variable @amp.rng : tensor<2xi64> kind rng init dense<[0, 1]> : tensor<2xi64>
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x4xf32> {amp.name = "y", amp.role = "output"}) {
  %w = amp.read @w : tensor<3x4xf32>
  %old = amp.read @seen : tensor<4xf32>
  %it = amp.read @amp.iteration : tensor<i64>
  %rng = amp.read @amp.rng : tensor<2xi64>
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %1 = amp.dropout %0, %rng, %it {ratio = 0.5 : f64, node = 0 : i64} : (tensor<8x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<8x4xf32>
  %mean = amp.reduce_mean %1 {axes = array<i64: 0>, acc = f32} : (tensor<8x4xf32>) -> tensor<4xf32>
  %new = amp.add %mean, %old : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  amp.write @seen, %new : tensor<4xf32>
  return %1 : tensor<8x4xf32>
}
