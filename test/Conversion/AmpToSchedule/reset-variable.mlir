// RUN: amp-opt %s --amp-plan-memory --amp-to-schedule | FileCheck %s

// A variable that is reset is filled.
// CHECK: amp.launch builtin "fill" [#amp.buffer<variable, 0, 0, tensor<64x64xf32>, []>] outputs 1 phase {{.+}} attrs {value = 0.000000e+00 : f64}
// CHECK: amp.launch builtin "copy" [#amp.buffer<constant, {{.+}}, 0, tensor<2xf32>, []>, #amp.buffer<variable, 1, 0, tensor<2xf32>, []>]
amp.variable @a : tensor<64x64xf32> kind accumulator
amp.variable @b : tensor<2xf32> kind accumulator
func.func @apply() {
  %0 = amp.constant dense<0.0> : tensor<64x64xf32>
  %1 = amp.constant dense<[1.0, 2.0]> : tensor<2xf32>
  amp.write @a, %0 : tensor<64x64xf32>
  amp.write @b, %1 : tensor<2xf32>
  return
}
