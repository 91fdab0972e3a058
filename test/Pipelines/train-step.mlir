// RUN: amp-opt %s --amp-training="loss=mse optimizer=sgd,momentum=0.9 entries=train_step" --amp-precision="precision=bf16 cost-model=false" --amp-optimise --amp-schedule | FileCheck %s
// RUN: amp-opt %s --amp-training="loss=mse optimizer=sgd,momentum=0.9 entries=train_step" --amp-precision="precision=fp16 scaler=pytorch cost-model=false" --amp-optimise --amp-schedule | FileCheck %s --check-prefixes=CHECK,SCALED

// From the model to a list of launches: no weight is cast, the update is one
// launch after the check of the gradients.
// CHECK-DAG: amp.variable @w : tensor<3x4xf32> kind parameter
// CHECK-DAG: amp.variable @w.shadow.{{bf16|f16}} : tensor<3x4x{{bf16|f16}}> kind shadow {shadow_of = @w}
// CHECK-DAG: amp.variable @w.{{.+}} : tensor<3x4xf32> kind moment
// CHECK-LABEL: amp.entry @train_step
// CHECK: amp.launch builtin "matmul" [{{.+}}] outputs 1 phase forward attrs {has_bias = 1 : i64,
// CHECK: amp.launch builtin "reduce" {{.+}}kind = "mean"
// CHECK: phase backward
// CHECK-NOT: phase forward
// CHECK: amp.launch builtin "matmul" {{.+}}tensor<3x4xf32>, []>] outputs 1 phase backward attrs {{{.+}}transpose_lhs = 1 : i64
// CHECK: amp.launch builtin "check_gradients"
// CHECK: amp.launch builtin "update" {{.+}}shadows = array<i64: 0, {{[0-9]+}}>, states = 1 : i64, tensors = 2 : i64
// CHECK-NOT: amp.launch builtin "update"
// SCALED: amp.launch builtin "scaler_update"
// CHECK: amp.kernel @k0

amp.variable @w : tensor<3x4xf32> kind parameter {trained}
amp.variable @b : tensor<4xf32> kind parameter {trained}
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x4xf32> {amp.name = "y", amp.role = "output"}) {
  %w = amp.read @w : tensor<3x4xf32>
  %b = amp.read @b : tensor<4xf32>
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %1 = amp.add %0, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %2 = amp.relu %1 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
