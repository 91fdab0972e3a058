// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut explain" | FileCheck %s
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=greedy explain" | FileCheck %s --check-prefix=GREEDY
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: amp.cost
// PLAIN: amp.decision

// The kernel writes what the product reads: stored in float32 (in a register)
// it rounds once more, which weighs 16.
// CHECK-LABEL: func.func @kernel_before_product(
// CHECK: amp.exp {{.*}} {amp.cost = {store = {f32 = array<i64: 16, 1>}},
// GREEDY: amp.exp {{.*}} {amp.cost = {store = {f32 = array<i64: 16, 1>}},
// In float32 the product does 2 * 64 * 128 * 64 operations, a fourth in bytes,
// its operand is written and read in 4 bytes (2 * 16384) and rounded once more;
// that is not to be had with a bf16 result. Its result alone: 2 * 8192.
// CHECK: amp.matmul {{.*}}amp.cost = {compute = {f32 = array<i64: 294928, 0>}, store = {f32 = array<i64: 16384, 1>}}
// CHECK-SAME: rule = "AL-contraction"
func.func @kernel_before_product(%x: tensor<64x128xf32>, %w: tensor<128x64xbf16>) -> tensor<64x64xf32> {
  %0 = amp.exp %x : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<64x128xf32>, tensor<128x64xbf16>) -> tensor<64x64xf32>
  %2 = amp.exp %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// What a rule fixes has its bytes all the same, here 2 * 16384 less, and is not
// free.
// CHECK-LABEL: func.func @ruled_out(
// CHECK: amp.exp {{.*}} {amp.cost = {store = {bf16 = array<i64: -32768, 0>}},
// CHECK-SAME: rule = "RG-overflow"
func.func @ruled_out(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = amp.exp %x {amp.forbid = {bf16 = "RG-overflow: |x| <= 1e39"}} : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = amp.exp %0 : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
