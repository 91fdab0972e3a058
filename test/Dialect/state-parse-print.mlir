// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK: amp.variable @fc1.weight : tensor<2x3xf32> kind parameter {source = "fc1.weight", trained}
amp.variable @fc1.weight : tensor<2x3xf32> kind parameter
  {source = "fc1.weight", trained}
// CHECK: amp.variable @table : tensor<2xf32> kind buffer init dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> {reason = "constant table"}
amp.variable @table : tensor<2xf32> kind buffer
  init dense<[1.0, 2.0]> : tensor<2xf32> {reason = "constant table"}
// A scalar fills the variable.
// CHECK: amp.variable @"P.moment exp_avg" : tensor<2x3xf32> kind moment init dense<0.000000e+00> : tensor<f32>
amp.variable @"P.moment exp_avg" : tensor<2x3xf32> kind moment
  init dense<0.0> : tensor<f32>
// CHECK: kind accumulator
amp.variable @P.accumulator : tensor<2x3xf32> kind accumulator
// CHECK: kind scaler
amp.variable @amp.loss_scale : tensor<f32> kind scaler
// CHECK: kind counter
amp.variable @amp.iteration : tensor<i64> kind counter
// CHECK: kind amax
amp.variable @amp.amax : tensor<16xf32> kind amax
// CHECK: amp.variable @P.shadow.bf16 : tensor<2x3xbf16> kind shadow {shadow_of = @fc1.weight}
amp.variable @P.shadow.bf16 : tensor<2x3xbf16> kind shadow
  {shadow_of = @fc1.weight}
// CHECK: kind rng
amp.variable @amp.rng : tensor<2xi64> kind rng

// CHECK-LABEL: @read_and_write
func.func @read_and_write() {
  // CHECK: %[[W:.*]] = amp.read @fc1.weight : tensor<2x3xf32>
  %0 = amp.read @fc1.weight : tensor<2x3xf32>
  // CHECK: amp.write @"P.moment exp_avg", %[[W]] : tensor<2x3xf32>
  amp.write @"P.moment exp_avg", %0 : tensor<2x3xf32>
  return
}
