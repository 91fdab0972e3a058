// RUN: amp-opt %s --amp-analyze-ranges --amp-assign-precision="precision=fp16" --amp-insert-casts --amp-simplify-casts | FileCheck %s
// RUN: amp-opt %s --amp-analyze-ranges --amp-assign-precision="precision=bf16" --amp-insert-casts --amp-simplify-casts | FileCheck %s

// Rows that a low product made join a float32 table of 25 times their size: it
// is they that are widened, not the table that is cast down and up.
// CHECK-LABEL: func.func @rows_join_a_table
// CHECK-NOT: amp.cast {{.*}}tensor<100x64x
// CHECK: amp.concat {{.*}}amp.decision = {{.*}}(tensor<100x64xf32>, tensor<4x64xf32>) -> tensor<104x64xf32>
// CHECK-NOT: amp.cast
// CHECK: return
func.func @rows_join_a_table(%buffer: tensor<100x64xf32>, %x: tensor<4x64xf32>, %w: tensor<64x64xf32>) -> tensor<104x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %1 = amp.concat %buffer, %0 {axis = 0 : i64} : (tensor<100x64xf32>, tensor<4x64xf32>) -> tensor<104x64xf32>
  return %1 : tensor<104x64xf32>
}

// The gradient of a lookup adds low rows into a float32 table that the update
// reads: no table in the low type on the way.
// CHECK-LABEL: func.func @rows_are_added_to_a_table
// CHECK: amp.gather_grad {{.*}}amp.decision = {{.*}} -> tensor<1000x64xf32>
// CHECK-NOT: amp.cast {{.*}}tensor<1000x64x
// CHECK: return
func.func @rows_are_added_to_a_table(%x: tensor<4x64xf32>, %w: tensor<64x64xf32>, %i: tensor<4xi64>) -> tensor<1000x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %1 = amp.gather_grad %0, %i {acc = f32, axis = 0 : i64} : (tensor<4x64xf32>, tensor<4xi64>) -> tensor<1000x64xf32>
  return %1 : tensor<1000x64xf32>
}
