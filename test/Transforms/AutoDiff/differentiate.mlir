// RUN: amp-opt %s --split-input-file --amp-differentiate --mlir-print-debuginfo | FileCheck %s

// A trained weight under a frozen one: the backward passes through the frozen
// matrix but makes no gradient for it.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}
// CHECK-SAME: tensor<8x3xf32> {amp.name = "y", amp.role = "output"}
// CHECK-SAME: tensor<4x5xf32> {amp.name = "w1", amp.role = "gradient"}
// CHECK-SAME: tensor<5xf32> {amp.name = "b1", amp.role = "gradient"})
// CHECK: [[W2:%[a-zA-Z0-9_]+]] = amp.read @w2
// CHECK: [[H:%[a-zA-Z0-9_]+]] = amp.relu {{.+}}amp.phase = #amp<phase forward>
// CHECK: [[LOSS:%[a-zA-Z0-9_]+]], [[LSE:%[a-zA-Z0-9_]+]], [[N:%[a-zA-Z0-9_]+]] = amp.softmax_cross_entropy
// CHECK: [[SEED:%[a-zA-Z0-9_]+]] = amp.seed_gradient {amp.phase = #amp<phase backward>}
// CHECK: [[DY:%[a-zA-Z0-9_]+]] = amp.softmax_cross_entropy_grad [[SEED]], {{.+}}, [[LSE]], [[N]]
// CHECK: [[DH:%[a-zA-Z0-9_]+]] = amp.matmul [[DY]], [[W2]] {acc = f32, amp.phase = #amp<phase backward>, transpose_rhs} {{.+}} loc([[FC2:#.+]])
// CHECK-NEXT: [[DR:%[a-zA-Z0-9_]+]] = amp.relu_grad [[DH]], [[H]]
// CHECK-NEXT: [[DB:%[a-zA-Z0-9_]+]] = amp.reduce_sum [[DR]] {acc = f32, {{.*}}axes = array<i64: 0>}
// CHECK-NEXT: [[DW:%[a-zA-Z0-9_]+]] = amp.matmul %arg0, [[DR]] {acc = f32, {{.*}}transpose_lhs}
// CHECK-NEXT: amp.write @seen
// CHECK-NEXT: return [[LOSS]], {{.+}}, [[DW]], [[DB]]
// CHECK: [[PLAIN:#.+]] = loc("fc2")
// CHECK: [[FC2]] = loc(fused<"backward">[[[PLAIN]]])
amp.variable @w1 : tensor<4x5xf32> kind parameter {trained}
amp.variable @b1 : tensor<5xf32> kind parameter {trained}
amp.variable @w2 : tensor<5x3xf32> kind parameter
amp.variable @seen : tensor<8x5xf32> kind buffer
func.func @loss(%x: tensor<8x4xf32>, %t: tensor<8xi64>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"},
        tensor<8x3xf32> {amp.name = "y", amp.role = "output"}) {
  %w1 = amp.read @w1 : tensor<4x5xf32>
  %b1 = amp.read @b1 : tensor<5xf32>
  %w2 = amp.read @w2 : tensor<5x3xf32>
  %0 = amp.matmul %x, %w1 {acc = f32} : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  %1 = amp.add %0, %b1 : (tensor<8x5xf32>, tensor<5xf32>) -> tensor<8x5xf32>
  %2 = amp.relu %1 : (tensor<8x5xf32>) -> tensor<8x5xf32>
  %3 = amp.matmul %2, %w2 {acc = f32} : (tensor<8x5xf32>, tensor<5x3xf32>) -> tensor<8x3xf32> loc("fc2")
  %l, %lse, %n = amp.softmax_cross_entropy %3, %t {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>, acc = f32} : (tensor<8x3xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>, tensor<f32>)
  amp.write @seen, %2 : tensor<8x5xf32>
  return %l, %3 : tensor<f32>, tensor<8x3xf32>
}

// -----

// One weight used twice (tied): its gradients meet in one sum in float32. A
// batch of rows against one matrix is one product.
// CHECK-LABEL: func.func @backward(
// CHECK: amp.seed_gradient
// CHECK: [[A:%[a-zA-Z0-9_]+]] = amp.matmul {{.+}} : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK: [[A1:%[a-zA-Z0-9_]+]] = amp.reshape [[A]] {{.+}} -> tensor<1x4x4xf32>
// CHECK: [[B:%[a-zA-Z0-9_]+]] = amp.matmul {{.+}} : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK: [[B1:%[a-zA-Z0-9_]+]] = amp.reshape [[B]] {{.+}} -> tensor<1x4x4xf32>
// CHECK: [[S:%[a-zA-Z0-9_]+]] = amp.fan_in_sum [[A1]], [[B1]] {acc = f32,
// CHECK: return %{{.+}}, [[S]]
amp.variable @w : tensor<1x4x4xf32> kind parameter {trained}
func.func @loss(%x: tensor<2x3x4xf32>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %w = amp.read @w : tensor<1x4x4xf32>
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<2x3x4xf32>, tensor<1x4x4xf32>) -> tensor<2x3x4xf32>
  %1 = amp.matmul %0, %w {acc = f32, transpose_rhs} : (tensor<2x3x4xf32>, tensor<1x4x4xf32>) -> tensor<2x3x4xf32>
  %2 = amp.reduce_mean %1 {axes = array<i64: 0, 1, 2>, acc = f32} : (tensor<2x3x4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// What a branch on data reads: its gradient leaves the branch only where it is
// taken. No product: the derivative may be infinite where it is not.
// CHECK-LABEL: func.func @backward(
// CHECK: [[G:%[a-zA-Z0-9_]+]] = amp.div {{.+}}amp.phase = #amp<phase backward>
// CHECK: [[Z:%[a-zA-Z0-9_]+]] = amp.constant {{.*}}dense<0.000000e+00> : tensor<f32>
// CHECK: [[M:%[a-zA-Z0-9_]+]] = amp.select %arg0, [[G]], [[Z]]
// CHECK-NOT: amp.fan_in_sum
// CHECK: return %{{.+}}, [[M]]
amp.variable @w : tensor<4xf32> kind parameter {trained}
func.func @loss(%p: tensor<i1>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %w = amp.read @w : tensor<4xf32>
  %0 = amp.select %p, %w, %w {amp.branch_input} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.log %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
