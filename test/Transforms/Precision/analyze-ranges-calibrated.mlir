// RUN: amp-opt %s --amp-analyze-ranges | FileCheck %s
// RUN: amp-opt %s --amp-analyze-ranges="headroom=1 gradient-scale=1 most-lost=0.7" | FileCheck %s --check-prefix=LOOSE
// RUN: amp-opt %s --amp-analyze-ranges="allow-bf16" | FileCheck %s --check-prefix=MIXED

// MIXED: module attributes {amp.allow_bf16}

// Twice what was measured must fit; gradients are judged at the largest scale
// at which none overflows, here 2^15.
// CHECK-LABEL: func.func @measured(
// CHECK-SAME: amp.calibrated
// CHECK: amp.relu {{.*}}amp.forbid = {f16 = "RG-calibrated: measured up to 40000, times 2 > 65504"}, amp.range = [{hi = 4.000000e+04 : f64, lo = 0.000000e+00 : f64, src = "calibrated"}]
// CHECK: amp.matmul {{.*}}amp.forbid = {f16 = "RG-calibrated: measured up to 60000, times 2 > 65504, read by operand 0"}
// CHECK: amp.neg {{.*}}amp.forbid = {bf16 = "RG-calibrated: measured in [1000, 1010], only 2.5 steps of bf16"}
// CHECK: amp.tanh {{.*}}f16 = "RG-calibrated: nothing above 1e-07 < 6.10352e-05 was measured, 30 % would become 0"
// CHECK: amp.mul {{.*}}f16 = "RG-calibrated: 75 % of the gradient would become 0 at scale 32768"
// CHECK: amp.add %{{[^{]*}} {amp.calibrated = {{[^}]*}}}], amp.phase
// LOOSE-LABEL: func.func @measured(
// LOOSE: amp.relu
// LOOSE-NOT: measured up to
// LOOSE: amp.mul {{.*}}75 % of the gradient would become 0 at scale 1"
func.func @measured(%x: tensor<4x4xf32> {amp.calibrated = {min = -60000.0 : f64, max = 0.0 : f64}}) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = amp.relu %x {amp.calibrated = [{min = 0.0 : f64, max = 40000.0 : f64}]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.matmul %x, %x {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.neg %x {amp.calibrated = [{min = 1000.0 : f64, max = 1010.0 : f64}]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = amp.tanh %x {amp.calibrated = [{min = -1.0e-7 : f64, max = 1.0e-8 : f64, lost_f16 = 0.3 : f64, lost_bf16 = 0.0 : f64}]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = amp.mul %x, %x {amp.phase = #amp<phase backward>, amp.calibrated = [{min = 0.0 : f64, max = 1.0e-3 : f64, exponents = array<i64: -50, 300, -10, 100>}]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = amp.add %x, %x {amp.phase = #amp<phase backward>, amp.calibrated = [{min = 0.0 : f64, max = 1.5 : f64, exponents = array<i64: -30, 100, 0, 100>}]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
