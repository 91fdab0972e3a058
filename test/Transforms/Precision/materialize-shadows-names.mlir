// RUN: amp-opt %s --amp-materialize-shadows | FileCheck %s

// A parameter of the model may have the name a copy would have.
// CHECK: amp.variable @w : tensor<4xf32> kind parameter
// CHECK-NEXT: amp.variable @[[COPY:w.shadow.bf16[^ ]+]] : tensor<4xbf16> kind shadow {shadow_of = @w}
// CHECK: amp.variable @w.shadow.bf16 : tensor<2xf32> kind parameter
amp.variable @w : tensor<4xf32> kind parameter {trained}
amp.variable @w.shadow.bf16 : tensor<2xf32> kind parameter {trained}

// CHECK-LABEL: func.func @predict(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.read @[[COPY]] : tensor<4xbf16>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relu [[C]]
// CHECK-NEXT: return [[R]]
func.func @predict() -> tensor<4xbf16> {
  %w = amp.read @w : tensor<4xf32>
  %0 = amp.cast %w : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = amp.relu %0 : (tensor<4xbf16>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @eval(
// CHECK-NEXT: amp.read @[[COPY]] : tensor<4xbf16>
func.func @eval() -> tensor<4xbf16> {
  %w = amp.read @w : tensor<4xf32>
  %0 = amp.cast %w : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = amp.neg %0 : (tensor<4xbf16>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}
