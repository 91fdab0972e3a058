// RUN: amp-opt %s --amp-mark-regions --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s
// RUN: amp-opt %s --amp-mark-regions --amp-assign-precision="precision=bf16 assign=mincut" --amp-insert-casts --amp-simplify-casts | FileCheck %s --check-prefix=CASTS
// RUN: amp-opt %s --amp-mark-regions --amp-assign-precision="precision=fp16 assign=mincut" | FileCheck %s --check-prefix=FP16
// RUN: amp-opt %s --amp-mark-regions --amp-assign-precision="precision=bf16 assign=promote" | FileCheck %s --check-prefix=PROMOTE

// Predicted bytes of the cut, of the greedy walk and of float32, for each function.
// CHECK: amp.predicted_bytes = {branch_values = array<i64: {{[0-9]+, [0-9]+, [0-9]+}}>,

// Both branch values and their choice are registers of one kernel; only what it
// reads and writes has a price.
// CHECK-LABEL: func.func @branch_values(
// CHECK: amp.select {{.+}}storage = [bf16]
func.func @branch_values(%p: tensor<i1>, %x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.relu %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.tanh %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.select %p, %0, %1 : (tensor<i1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// KF-34: twenty products with an exp between each two. The kernel of exp reads
// bf16 and writes bf16: no cast beside those of the arguments.
// CASTS-LABEL: func.func @kf34_casts_fuse(
// CASTS-COUNT-2: amp.cast
// CASTS-NOT: amp.cast
// CASTS: return
func.func @kf34_casts_fuse(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.exp %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.matmul %1, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.exp %2 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = amp.exp %4 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

// KF-34: one value with several low readers is cast once.
// CASTS-LABEL: func.func @kf34_one_cast_for_all(
// CASTS-COUNT-1: amp.cast %arg0
// CASTS-NOT: amp.cast %arg0
// CASTS: return
func.func @kf34_one_cast_for_all(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.matmul %x, %w {acc = f32, transpose_rhs} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.matmul %x, %w {acc = f32, transpose_lhs} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.matmul %x, %w {acc = f32, transpose_lhs, transpose_rhs} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.add %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = amp.add %2, %3 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = amp.add %4, %5 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %6 : tensor<64x64xf32>
}

// What backward reads of forward has the type backward wants: the product reads
// the bf16 value that forward's product reads, the gradient of relu its own.
// CHECK-LABEL: func.func @saved_values(
// CHECK: amp.relu {{.+}}storage = [bf16]
// CHECK: amp.relu_grad {{.+}}storage = [bf16]
// CHECK: amp.matmul {{.+}}compute = bf16, rule = "WD-only-float32-uses", storage = [f32]
// CASTS-LABEL: func.func @saved_values(
// CASTS: %[[R:.+]] = amp.relu {{.+}} -> tensor<64x64xbf16>
// CASTS: amp.relu_grad %{{.+}}, %[[R]]
func.func @saved_values(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %dy: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32> {amp.role = "gradient"}) {
  %0 = amp.matmul %x, %w {acc = f32, amp.phase = #amp<phase forward>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.relu %0 {amp.phase = #amp<phase forward>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.matmul %1, %w {acc = f32, amp.phase = #amp<phase forward>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = amp.matmul %dy, %w {acc = f32, transpose_rhs, amp.phase = #amp<phase backward>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = amp.relu_grad %3, %1 {amp.phase = #amp<phase backward>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = amp.matmul %x, %4 {acc = f32, transpose_lhs, amp.phase = #amp<phase backward>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %5 : tensor<64x64xf32>, tensor<64x64xf32>
}

// The parts of a sum that a kernel begins are summed in its registers: what it
// reads there is not stored in float32 for that. The 128 partial sums are.
// FP16: amp.predicted_bytes = {{{.*}}scores_of_attention = array<i64: 6656, {{[0-9]+}}, 6144>, sum_in_registers = array<i64: 123648, {{[0-9]+}}, 131840>
func.func @sum_in_registers(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.exp %0 {amp.policy = {class = "keep", rule = "UO-node", source = "node"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<64x64xf32>) -> tensor<64xf32>
  %3 = amp.matmul %1, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3, %2 : tensor<64x64xf32>, tensor<64xf32>
}

// In fp16 scores stay float32 between the products: 256 of them are written and
// read once. Products read copies of their arguments, as others do.
func.func @scores_of_attention(%q: tensor<2x2x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
  %y, %p = amp.attention %q, %k, %v {scale = 0.25 : f64, acc = f32} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x8xf32>)
  return %y : tensor<2x2x8x4xf32>
}

// A narrowing that two products read moves in front of all three views: exp
// writes and the copy reads 8192 bytes each. Were it behind the last of them, the
// prediction would be 204800 bytes, before it alone 172032.
// PROMOTE: two_products_read_a_view = array<i64: 155648,
func.func @two_products_read_a_view(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %v: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = amp.exp %x {amp.policy = {class = "keep", rule = "UO-node", source = "node"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.reshape %0 : (tensor<64x64xf32>) -> tensor<8x8x64xf32>
  %2 = amp.transpose %1 {perm = array<i64: 1, 0, 2>} : (tensor<8x8x64xf32>) -> tensor<8x8x64xf32>
  %3 = amp.reshape %2 : (tensor<8x8x64xf32>) -> tensor<64x64xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = amp.matmul %3, %v {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4, %5 : tensor<64x64xf32>, tensor<64x64xf32>
}

// A product whose result leaves through a view in float32 writes float32: 49152
// bytes for casts of the arguments, 16384 for their copies, 16384 for the result.
// PROMOTE: what_leaves_through_a_view = array<i64: 81920,
func.func @what_leaves_through_a_view(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x8x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.reshape %0 : (tensor<64x64xf32>) -> tensor<8x8x64xf32>
  return %1 : tensor<8x8x64xf32>
}
