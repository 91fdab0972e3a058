// RUN: amp-opt %s --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s

// Parameters that no contraction reads stay float32, also behind ops that move
// elements and where low ones would move fewer bytes.

amp.variable @table : tensor<64x64xf32> kind parameter init dense<0.5> : tensor<64x64xf32> {trained, source = "table"}
amp.variable @scale : tensor<64xf32> kind parameter init dense<1.0> : tensor<64xf32> {trained, source = "scale"}
amp.variable @mean : tensor<64x64xf32> kind buffer init dense<0.0> : tensor<64x64xf32> {source = "mean"}

// Rows of a table, and the scale of a group norm, which comes with more
// dimensions than it has. What is computed from them is free.
// CHECK-LABEL: func.func @rows_and_scales(
// CHECK: amp.gather {{.+}}rule = "TR-as-operand", storage = [f32]
// CHECK: amp.reshape {{.+}}rule = "TR-as-operand", storage = [f32]
// CHECK: amp.relu {{.+}}storage = [bf16]
// CHECK: amp.mul {{.+}}storage = [bf16]
func.func @rows_and_scales(%i: tensor<256xi64>, %w: tensor<64x64xf32>) -> tensor<256x64xf32> {
  %t = amp.read @table : tensor<64x64xf32>
  %s = amp.read @scale : tensor<64xf32>
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x64xf32>, tensor<256xi64>) -> tensor<256x64xf32>
  %1 = amp.reshape %s : (tensor<64xf32>) -> tensor<1x64xf32>
  %2 = amp.relu %0 : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %3 = amp.mul %2, %1 : (tensor<256x64xf32>, tensor<1x64xf32>) -> tensor<256x64xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %5 = amp.relu %4 : (tensor<256x64xf32>) -> tensor<256x64xf32>
  return %5 : tensor<256x64xf32>
}

// A contraction that reads the rows, through a view, rounds them anyway.
// CHECK-LABEL: func.func @rows_for_a_product(
// CHECK: amp.gather {{.+}}rule = "CU-fewer-bytes", storage = [bf16]
// CHECK: amp.reshape {{.+}}storage = [bf16]
func.func @rows_for_a_product(%i: tensor<256xi64>, %w: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %t = amp.read @table : tensor<64x64xf32>
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x64xf32>, tensor<256xi64>) -> tensor<256x64xf32>
  %1 = amp.reshape %0 : (tensor<256x64xf32>) -> tensor<128x128xf32>
  %2 = amp.matmul %1, %w {acc = f32} : (tensor<128x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  %3 = amp.relu %2 : (tensor<128x64xf32>) -> tensor<128x64xf32>
  return %3 : tensor<128x64xf32>
}

// A buffer is no parameter, and a join with an activation is an activation.
// CHECK-LABEL: func.func @others_are_free(
// CHECK: amp.gather {{.+}}storage = [bf16]
// CHECK: amp.concat {{.+}}storage = [bf16]
func.func @others_are_free(%i: tensor<256xi64>, %w: tensor<64x64xf32>) -> tensor<320x64xf32> {
  %m = amp.read @mean : tensor<64x64xf32>
  %t = amp.read @table : tensor<64x64xf32>
  %0 = amp.gather %m, %i {axis = 0 : i64} : (tensor<64x64xf32>, tensor<256xi64>) -> tensor<256x64xf32>
  %1 = amp.relu %0 : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %2 = amp.concat %1, %t {axis = 0 : i64} : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<320x64xf32>
  %3 = amp.relu %2 : (tensor<320x64xf32>) -> tensor<320x64xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<320x64xf32>, tensor<64x64xf32>) -> tensor<320x64xf32>
  return %4 : tensor<320x64xf32>
}
