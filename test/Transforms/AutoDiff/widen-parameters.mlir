// RUN: amp-opt %s --amp-widen-parameters | FileCheck %s

// Values are kept exactly, the smallest float16 and a NaN among them.
// CHECK: amp.variable @half : tensor<3xf32> kind parameter init dense<[1.000000e+00, 5.96046448E-8, -6.550400e+04]> : tensor<3xf32> {trained}
// CHECK: amp.variable @brain : tensor<2xf32> kind parameter init dense<0xFFC00000> : tensor<f32> {trained}
// CHECK: amp.variable @frozen : tensor<2xf16>
// CHECK: amp.variable @single : tensor<2xf32> kind parameter {trained}
amp.variable @half : tensor<3xf16> kind parameter init dense<[1.0, 5.9604645e-08, -65504.0]> : tensor<3xf16> {trained}
amp.variable @brain : tensor<2xbf16> kind parameter init dense<0xFFC0> : tensor<bf16> {trained}
amp.variable @frozen : tensor<2xf16> kind parameter init dense<1.0> : tensor<f16>
amp.variable @single : tensor<2xf32> kind parameter {trained}

// CHECK-LABEL: func.func @the_model_goes_on_in_its_type
func.func @the_model_goes_on_in_its_type() -> (tensor<3xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>) {
  // CHECK: %[[A:.*]] = amp.read @half : tensor<3xf32>
  // CHECK-NEXT: %[[HALF:.*]] = amp.cast %[[A]] : (tensor<3xf32>) -> tensor<3xf16>
  // CHECK: %[[B:.*]] = amp.read @brain : tensor<2xf32>
  // CHECK-NEXT: %[[BRAIN:.*]] = amp.cast %[[B]] : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: %[[C:.*]] = amp.read @frozen : tensor<2xf16>
  // CHECK: %[[D:.*]] = amp.read @single : tensor<2xf32>
  %a = amp.read @half : tensor<3xf16>
  %b = amp.read @brain : tensor<2xbf16>
  %c = amp.read @frozen : tensor<2xf16>
  %d = amp.read @single : tensor<2xf32>
  // CHECK: %[[E:.*]] = amp.add %[[HALF]], %[[HALF]]
  %e = amp.add %a, %a : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  // CHECK: return %[[E]], %[[BRAIN]], %[[C]], %[[D]]
  return %e, %b, %c, %d : tensor<3xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>
}
