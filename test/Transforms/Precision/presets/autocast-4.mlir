// RUN: amp-opt %s --amp-apply-policy="preset=autocast precision=fp16" --amp-assign-precision=precision=fp16 | FileCheck %s
// RUN: amp-opt %s --amp-apply-policy="preset=autocast precision=fp16 config-text='data_max: 511'" | FileCheck %s --check-prefix=LOWER
// RUN: amp-opt %s --amp-apply-policy="preset=autocast precision=fp16 config-text='data_max: 600'" | FileCheck %s --check-prefix=HIGHER
// RUN: amp-opt %s --amp-apply-policy="preset=autocast precision=fp16 config-text='data_max: off'" | FileCheck %s --check-prefix=OFF
// RUN: amp-opt %s --amp-apply-policy="preset=autocast precision=fp16" --mlir-print-debuginfo > %t.once
// RUN: amp-opt %t.once --amp-apply-policy="preset=autocast precision=fp16" --mlir-print-debuginfo | diff %t.once -

// A layer whose values were measured: what is beyond 512, read or given, keeps
// its node float32, and the gradients of the node with it. 512 itself is not
// beyond; the square inside of the norm is no value of the node.
// CHECK-LABEL: func.func @step(
// CHECK: amp.mul {{.+}}amp.decision = {compute = f32, rule = "LO-everything", storage = [f16]}
// CHECK: amp.reduce_mean {{.+}}amp.decision = {compute = f32, rule = "LO-everything", storage = [f16]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "LO-everything", storage = [f16]}
// CHECK: amp.tanh {{.+}}amp.decision = {compute = f32, rule = "LO-everything", storage = [f16]}
// CHECK: amp.exp {{.+}}amp.decision = {compute = f32, rule = "PS-autocast.io-range gives 600 > 512", storage = [f32]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f32, rule = "PS-autocast.io-range reads 600 > 512", storage = [f32]}
// CHECK: amp.neg {{.+}}amp.decision = {compute = f32, rule = "LO-everything", storage = [f16]}
// CHECK: amp.relu {{.+}}amp.decision = {compute = f32, rule = "PS-autocast.io-range gives inf > 512", storage = [f32]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f32, rule = "PS-autocast.io-range reads 600 > 512", storage = [f32]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f32, rule = "ST-state", storage = [f32]}
// CHECK: amp.mul {{.+}}amp.decision = {compute = f32, rule = "PS-autocast.io-range gives 600 > 512", storage = [f32]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "LO-everything", storage = [f16]}
// LOWER: amp.matmul {{.+}}io-range gives 512 > 511
// LOWER: amp.tanh {{.+}}io-range reads 512 > 511
// LOWER: amp.exp {{.+}}io-range gives 600 > 511
// HIGHER: amp.exp {{.+}}PS-autocast.unlisted
// HIGHER: amp.matmul {{.+}}PS-autocast.unlisted
// HIGHER: amp.relu {{.+}}gives inf > 600
// OFF-NOT: io-range
amp.variable @big : tensor<16x16xf32> kind parameter init dense<1000.0> : tensor<16x16xf32>
func.func @step(%x: tensor<8x16xf32> {amp.calibrated = {min = -500.0 : f64, max = 3.0 : f64}}, %dy: tensor<8x16xf32>) -> (tensor<8x16xf32> {amp.role = "output"}, tensor<8x16xf32> {amp.role = "output"}, tensor<16x16xf32> {amp.role = "gradient"}, tensor<8x1xf32> {amp.role = "output"}, tensor<8x16xf32> {amp.role = "output"}) {
  %w = amp.read @big {amp.calibrated = [{min = 0.0 : f64, max = 1000.0 : f64}]} : tensor<16x16xf32> loc("big")
  %s = amp.mul %x, %x {amp.calibrated = [{min = 0.0 : f64, max = 262144.0 : f64}]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("power")
  %m = amp.reduce_mean %s {axes = array<i64: 1>, keepdims, acc = f32, amp.calibrated = [{min = 0.0 : f64, max = 30.0 : f64}]} : (tensor<8x16xf32>) -> tensor<8x1xf32> loc("power")
  %0 = amp.matmul %x, %w {acc = f32, amp.calibrated = [{min = -5.0 : f64, max = 512.0 : f64}]} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("fc")
  %1 = amp.tanh %0 {amp.calibrated = [{min = -1.0 : f64, max = 1.0 : f64}]} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("bend")
  %2 = amp.exp %1 {amp.calibrated = [{min = 0.0 : f64, max = 600.0 : f64}]} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("grow")
  %3 = amp.matmul %2, %w {acc = f32, amp.calibrated = [{min = -3.0 : f64, max = 4.0 : f64}]} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("head")
  %n = amp.neg %3 {amp.calibrated = [{min = 0.0 : f64, max = 0.0 : f64, nonfinite = 2 : i64, nan = 2 : i64}]} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("undefined")
  %r = amp.relu %3 {amp.calibrated = [{min = 0.0 : f64, max = 1.0 : f64, nonfinite = 2 : i64, nan = 1 : i64}]} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("infinite")
  %4 = amp.matmul %dy, %w {amp.phase = #amp<phase backward>, transpose_rhs, acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["head"])
  %5 = amp.matmul %2, %dy {amp.phase = #amp<phase backward>, transpose_lhs, acc = f32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32> loc(fused<"backward">["head"])
  %6 = amp.mul %4, %2 {amp.phase = #amp<phase backward>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["grow"])
  %7 = amp.matmul %6, %w {amp.phase = #amp<phase backward>, transpose_rhs, acc = f32, amp.calibrated = [{min = -1.0e3 : f64, max = 1.0e3 : f64}]} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["fc"])
  return %n, %7, %5, %m, %r : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>, tensor<8x1xf32>, tensor<8x16xf32>
}
