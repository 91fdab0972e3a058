// RUN: split-file %s %t
// RUN: amp-opt %t/model.mlir --amp-attach-ranges="file=%t/ranges.json" | FileCheck %s

// The key names the node, the op, the phase, which of equal ones, the result;
// exponents are sorted, other keys ignored.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: {amp.calibrated = {count = 8 : i64, exponents = array<i64: 0, 8>{{.*}}max = 1.500000e+00 : f64, min = -1.500000e+00 : f64{{.*}}}, amp.name = "x"
// CHECK: amp.relu {{.*}}amp.calibrated = [{count = 10 : i64, exponents = array<i64: -3, 1, 2, 4>, lost_bf16 = 0.000000e+00 : f64, lost_f16 = 2.500000e-01 : f64, max = 4.500000e+00 : f64, min = -5.000000e-01 : f64, nan = 1 : i64, nonfinite = 1 : i64, zeros = 4 : i64}]
// CHECK: amp.tanh %{{[^{]*}} {amp.id
// CHECK: amp.tanh {{.*}}amp.calibrated = [{{.*}}max = 2.0

//--- model.mlir
func.func @forward(%x: tensor<8xf32> {amp.name = "x", amp.role = "input"}) -> tensor<8xf32> {
  %0 = amp.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a|b")
  %1 = amp.tanh %0 : (tensor<8xf32>) -> tensor<8xf32> loc("t")
  %2 = amp.tanh %1 : (tensor<8xf32>) -> tensor<8xf32> loc("t")
  return %2 : tensor<8xf32>
}
//--- ranges.json
{"values": {
  "a|b|relu|forward|0|0": {"min": -0.5, "max": 4.5, "zeros": 4, "nonfinite": 1, "nan": 1, "count": 10, "exponents": {"2": 4, "-3": 1}, "lost_f16": 0.25, "lost_bf16": 0},
  "t|tanh|forward|1|0": {"min": 0, "max": 2, "zeros": 0, "nonfinite": 0, "count": 8, "exponents": {}, "lost_f16": 0, "lost_bf16": 0},
  "x|argument|forward|0|0": {"min": -1.5, "max": 1.5, "zeros": 0, "nonfinite": 0, "count": 8, "exponents": {"0": 8}, "lost_f16": 0, "lost_bf16": 0},
  "t|tanh|backward|0|0": {"min": 0, "max": 2, "zeros": 0, "nonfinite": 0, "count": 8, "exponents": {}, "lost_f16": 0, "lost_bf16": 0}}}
