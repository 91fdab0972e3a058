// RUN: amp-opt --amp-kernels-to-cpu %s | FileCheck %s

// Three sweeps: maximum, exponentials with their sum, quotients. The
// exponentials are kept in memory on the stack, so they are computed once.

// CHECK-LABEL: llvm.func internal @softmax.body
// CHECK:         llvm.alloca %{{.*}} x i8 {alignment = 64 : i64}
// CHECK:         scf.for
// Four accumulators of 16 lanes:
// CHECK:           %[[MAX:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// Halves until one lane is left, no vector.reduction:
// CHECK-NOT:       vector.reduction
// CHECK:           vector.extract_strided_slice %{{.*}} {offsets = [8], sizes = [8], strides = [1]}
// CHECK:           vector.extract_strided_slice %{{.*}} {offsets = [2], sizes = [2], strides = [1]}
// CHECK:           vector.extract %{{.*}}[1]
// CHECK:           %[[SUM:.*]]:4 = scf.for
// CHECK:             math.fma
// CHECK:             llvm.store
// CHECK:           scf.for
// CHECK-NOT:         math.fma
// CHECK:             arith.divf
// CHECK:             llvm.store
// CHECK:         llvm.func @softmax(
amp.kernel @softmax {
^bb0(%x: tensor<4x128xf32>):
  %m = amp.reduce_max %x {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<4x128xf32>) -> tensor<4x1xf32>
  %d = amp.sub %x, %m : (tensor<4x128xf32>, tensor<4x1xf32>) -> tensor<4x128xf32>
  %e = amp.exp %d : (tensor<4x128xf32>) -> tensor<4x128xf32>
  %s = amp.reduce_sum %e {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<4x128xf32>) -> tensor<4x1xf32>
  %y = amp.div %e, %s : (tensor<4x128xf32>, tensor<4x1xf32>) -> tensor<4x128xf32>
  amp.yield %y : tensor<4x128xf32>
}

// A row too long for the stack asks for scratch memory.

// CHECK:       amp.kernel @long attributes {scratch_bytes = 80000 : i64
// CHECK-LABEL: llvm.func internal @long.body
// CHECK-NOT:     llvm.alloca
amp.kernel @long {
^bb0(%x: tensor<4x20000xf32>):
  %e = amp.tanh %x : (tensor<4x20000xf32>) -> tensor<4x20000xf32>
  %s = amp.reduce_sum %e {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<4x20000xf32>) -> tensor<4x1xf32>
  %y = amp.div %e, %s : (tensor<4x20000xf32>, tensor<4x1xf32>) -> tensor<4x20000xf32>
  amp.yield %y : tensor<4x20000xf32>
}
