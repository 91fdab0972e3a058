// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut" --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut" --amp-insert-casts --amp-simplify-casts | FileCheck %s --check-prefix=CASTS
// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut cost-model" | FileCheck %s --check-prefix=COST

// Costs by hand, in bytes, n elements a tensor: a launch that only casts
// weighs 1024 + 16, a copy that a kernel writes beside its value 16. Without
// amp-mark-regions every op is a kernel or a routine of its own.

// An argument that two contractions read: one cast, 4n + 2n, not two. The
// reshape in front of the second is a view, so it takes the low type for
// nothing; float32 would cost it a cast of its own.
// CHECK-LABEL: func.func @shared_cast_is_charged_once(
// CHECK: amp.reshape {{.+}}rule = "TR-cast-hoisted", storage = [bf16]
// CASTS-LABEL: func.func @shared_cast_is_charged_once(
// CASTS-COUNT-1: amp.cast %arg0
// CASTS-NOT: amp.cast %arg0
// CASTS: return
func.func @shared_cast_is_charged_once(%x: tensor<64x64xf32>, %w: tensor<64x64xbf16>) -> (tensor<64x64xf32>, tensor<32x64xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  %1 = amp.reshape %x : (tensor<64x64xf32>) -> tensor<32x128xf32>
  %2 = amp.constant dense<0.5> : tensor<128x64xf32>
  %3 = amp.matmul %1, %2 {acc = f32} : (tensor<32x128xf32>, tensor<128x64xf32>) -> tensor<32x64xf32>
  %4 = amp.relu %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = amp.relu %3 : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return %4, %5 : tensor<64x64xf32>, tensor<32x64xf32>
}

// A value that two contractions and an op of class keep read: low, 2n to write
// and 2n for each reader; float32 beside a low copy would be 4n more to write
// and 2n more to read. The keep op reads bf16 into float32 registers.
// CHECK-LABEL: func.func @low_and_keep_readers(
// CHECK: amp.relu {{.+}}rule = "AL-feeds-contraction", storage = [bf16]
// CHECK: amp.exp {{.+}}rule = "KP-range-sensitive", storage = [f32]
func.func @low_and_keep_readers(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) {
  %0 = amp.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.matmul %0, %w {acc = f32, transpose_rhs} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.reduce_sum %3 {axes = array<i64: 1>, acc = f32} : (tensor<64x64xf32>) -> tensor<64xf32>
  %5 = amp.relu %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = amp.relu %2 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5, %6, %4 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>
}

// Painting leaves float32 what reads float32 and feeds no contraction itself.
// Two more kernels lie between, so low saves 2n to write and 2n to read of each
// of them: 3 n 2 against nothing.
// CHECK-LABEL: func.func @chain_of_float32_goes_low(
// CHECK: amp.relu {{.+}}evidence = "f32 would cost {{[0-9]+}} bytes more", rule = "CU-fewer-bytes", storage = [bf16]
// CHECK: amp.sqrt {{.+}}rule = "CU-fewer-bytes", storage = [bf16]
// CHECK: amp.tanh {{.+}}rule = "AL-feeds-contraction", storage = [bf16]
func.func @chain_of_float32_goes_low(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.sqrt %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.tanh %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.relu %3 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// Padding makes a tensor larger: cast before it, 4n + 2n, and move 2m; after it
// would be 8m to pad and 6m to cast.
// CHECK-LABEL: func.func @cast_before_padding(
// CHECK: amp.pad {{.+}}rule = "CU-fewer-bytes", storage = [bf16]
// CASTS-LABEL: func.func @cast_before_padding(
// CASTS: %[[LOW:.+]] = amp.cast %arg0
// CASTS: amp.pad %[[LOW]]
func.func @cast_before_padding(%x: tensor<64x60xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.pad %x {low = array<i64: 0, 2>, high = array<i64: 0, 2>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<64x60xf32>) -> tensor<64x64xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.relu %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// KF-05: of a large float32 table few rows are read. Casting the table would
// read and write all of it, casting the rows only these.
// CHECK-LABEL: func.func @kf05_table_is_not_cast_for_few_rows(
// CHECK: amp.gather {{.+}}storage = [f32]
// CASTS-LABEL: func.func @kf05_table_is_not_cast_for_few_rows(
// CASTS: %[[ROWS:.+]] = amp.gather %arg0
// CASTS: amp.cast %[[ROWS]]
func.func @kf05_table_is_not_cast_for_few_rows(%t: tensor<10000x64xf32>, %i: tensor<64xi64>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<10000x64xf32>, tensor<64xi64>) -> tensor<64x64xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.relu %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// Both branches of an If on data and their choice are one type: a select of
// a low and a float32 branch would move 6n, of two low ones 4n.
// CHECK-LABEL: func.func @branches_agree(
// CHECK: amp.matmul {{.+}}storage = [bf16]
// CHECK: amp.relu {{.+}}storage = [bf16]
// CHECK: amp.select {{.+}}storage = [bf16]
func.func @branches_agree(%p: tensor<i1>, %x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.select %p, %0, %1 : (tensor<i1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.relu %3 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// KF-36: class keep is about registers. Between two contractions a norm reads
// and writes bf16; nothing of its size is float32.
// CHECK-LABEL: func.func @kf36_keep_is_no_storage(
// CHECK: amp.matmul {{.+}}storage = [bf16]
// CHECK: amp.layer_norm {{.+}}compute = f32, rule = "AL-feeds-contraction", storage = [bf16, f32, f32]
func.func @kf36_keep_is_no_storage(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %s: tensor<64xf32>) -> tensor<64x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y, %m, %r = amp.layer_norm %0, %s {axis = 1 : i64, epsilon = 1.0e-05 : f64, acc = f32} : (tensor<64x64xf32>, tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64x1xf32>, tensor<64x1xf32>)
  %1 = amp.matmul %y, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.relu %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// Positions are whole numbers; bf16 holds those up to 256.
// CHECK-LABEL: func.func @positions_stay(
// CHECK: amp.cast {{.+}}storage = [f32]
func.func @positions_stay(%i: tensor<1024xi64>, %x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = amp.cast %i : (tensor<1024xi64>) -> tensor<1024xf32>
  %1 = amp.mul %0, %x : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %2 = amp.sqrt %1 : (tensor<1024xf32>) -> tensor<1024xf32>
  return %2 : tensor<1024xf32>
}

// What ranges forbid stays float32, and so does a contraction that reads it.
// CHECK-LABEL: func.func @forbidden(
// CHECK: amp.relu {{.+}}evidence = "RG-overflow: 1e39 > 3.4e38", rule = "RG-overflow", storage = [f32]
// CHECK: amp.matmul {{.+}}compute = f32
func.func @forbidden(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.relu %x {amp.forbid = {bf16 = "RG-overflow: 1e39 > 3.4e38"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.relu %1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// KF-38: float32 moves 64 + 1024 + 64 bytes and counts 512 / 4 for the
// arithmetic, 1280; low moves half of it, but casts x (96) and y (96) by two
// launches of 1024 each. A product of real size pays for them.
// COST-LABEL: func.func @kf38_not_profitable(
// COST: amp.matmul {{.+}}compute = f32, evidence = "not profitable: 512 operations do not pay for the casts", rule = "PF-not-profitable", storage = [f32]
func.func @kf38_not_profitable(%x: tensor<1x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x16xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
// COST-LABEL: func.func @profitable(
// COST: amp.matmul {{.+}}compute = bf16
func.func @profitable(%x: tensor<32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
