// RUN: amp-opt %s --amp-add-probes | FileCheck %s
// A kernel that has its probe gets no other one.
// RUN: amp-opt %s --amp-add-probes --amp-add-probes | FileCheck %s

// The example of the description: a value that stays in a register is shown.
// CHECK-LABEL: amp.kernel @k0 attributes {amp.probed = array<i64: 0>}
// CHECK: amp.yield %{{.*}} : tensor<4xf32>
// CHECK-LABEL: amp.kernel @k0.probe
// CHECK: %[[E:.*]] = amp.exp
// CHECK-NEXT: amp.yield %[[E]] : tensor<4xf32>
amp.kernel @k0 {
^bb0(%x: tensor<4xbf16>):
  %0 = amp.exp %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = amp.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  amp.yield %1 : tensor<4xf32>
}

// A value whose storage type is narrow is a float32 register all the same; a
// cast by policy passes it on. A cast by the user rounds: its value is shown.
// CHECK-LABEL: amp.kernel @narrow attributes {amp.probed = array<i64: 0, 2, 3>}
// CHECK-LABEL: amp.kernel @narrow.probe
// CHECK: %[[E:.*]] = amp.exp
// CHECK: %[[U:.*]] = amp.cast {{.*}} {user}
// CHECK: %[[N:.*]] = amp.neg
// CHECK-DAG: %[[E32:.*]] = amp.cast %[[E]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-DAG: %[[U32:.*]] = amp.cast %[[U]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: amp.yield %[[E32]], %[[U32]], %[[N]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
amp.kernel @narrow {
^bb0(%x: tensor<4xf32>):
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf16>
  %1 = amp.cast %0 : (tensor<4xf16>) -> tensor<4xf32>
  %2 = amp.cast %1 {user} : (tensor<4xf32>) -> tensor<4xf16>
  %3 = amp.neg %2 : (tensor<4xf16>) -> tensor<4xf32>
  %4 = amp.abs %3 : (tensor<4xf32>) -> tensor<4xf32>
  amp.yield %4 : tensor<4xf32>
}

// Outputs, constants and integers need no probe; nor do column sums, which a
// probe leaves out.
// CHECK-LABEL: amp.kernel @plain {
// CHECK-NOT: @plain.probe
amp.kernel @plain {
^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
  %c = amp.constant dense<2.0> : tensor<f32>
  %0 = amp.compare %x, %y {predicate = #amp<predicate lt>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = amp.select %0, %x, %c : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  amp.yield %1 : tensor<4xf32>
}

// CHECK-LABEL: amp.kernel @columns attributes {amp.probed = array<i64: 0>}
// CHECK-LABEL: amp.kernel @columns.probe
// CHECK: amp.mul
// CHECK-NOT: amp.column_partials
// CHECK: amp.yield %{{.*}} : tensor<256x4xf32>
amp.kernel @columns {
^bb0(%x: tensor<256x4xf32>):
  %0 = amp.mul %x, %x : (tensor<256x4xf32>, tensor<256x4xf32>) -> tensor<256x4xf32>
  %1 = amp.column_partials %0 {chunk = 128 : i64, acc = f32} : (tensor<256x4xf32>) -> tensor<2x4xf32>
  amp.yield %1 : tensor<2x4xf32>
}

// The state of the random numbers is told from other inputs by the dropout
// that reads it, so that stays.
// CHECK-LABEL: amp.kernel @dropout.probe
// CHECK: amp.dropout
// CHECK: amp.yield %{{.*}} : tensor<8x4xf32>
amp.kernel @dropout {
^bb0(%x: tensor<8x4xf32>, %rng: tensor<2xi64>, %step: tensor<i64>):
  %0 = amp.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = amp.dropout %0, %rng, %step {ratio = 5.0e-01 : f64, node = 0 : i64} : (tensor<8x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<8x4xf32>
  amp.yield %1 : tensor<8x4xf32>
}

// A cast of policy to a narrower type may be what an op's result is called.
// CHECK-LABEL: amp.kernel @rounded attributes {amp.probed = array<i64: 0, 1>}
amp.kernel @rounded {
^bb0(%x: tensor<4xf32>):
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.cast %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = amp.neg %1 : (tensor<4xbf16>) -> tensor<4xf32>
  amp.yield %2 : tensor<4xf32>
}
