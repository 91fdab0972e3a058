// RUN: amp-opt %s --amp-seed-regions --amp-form-regions | FileCheck %s
// RUN: amp-opt %s --amp-seed-regions --amp-form-regions="max-ops=3" | FileCheck %s --check-prefix=OPS
// RUN: amp-opt %s --amp-seed-regions --amp-form-regions="max-operands=6" | FileCheck %s --check-prefix=OPERANDS

// The example of the description: a producer joins its consumer.
// CHECK-LABEL: func.func @producer(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.region(%arg0, %arg1) : {{.+}} attributes {amp.phase = #amp<phase backward>} {
// CHECK-NEXT: ^bb0([[A:%[a-z0-9]+]]: tensor<8xf32>, [[B:%[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[A]]
// CHECK-NEXT: [[M:%[0-9]+]] = amp.mul [[E]], [[B]]
// CHECK-NEXT: amp.yield [[M]] :
// CHECK-NEXT: }
// CHECK-NEXT: return [[R]]
func.func @producer(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = amp.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.mul %0, %y {amp.phase = #amp<phase backward>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A value that others read, too, leaves the kernel as well.
// CHECK-LABEL: func.func @producer_with_other_users(
// CHECK-NEXT: [[R:%[0-9]+]]:2 = amp.region(%arg0)
// CHECK: amp.yield
// CHECK-NEXT: }
// CHECK-NEXT: amp.transpose [[R]]#0
// CHECK-NOT: amp.region
// CHECK: return
func.func @producer_with_other_users(%x: tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>) {
  %0 = amp.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = amp.relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %2, %1 : tensor<4x2xf32>, tensor<2x4xf32>
}

// Two readers of one tensor are one kernel.
// CHECK-LABEL: func.func @siblings(
// CHECK-NEXT: [[R:%[0-9]+]]:2 = amp.region(%arg0)
// CHECK-NEXT: ^bb0([[A:%[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[A]]
// CHECK-NEXT: [[N:%[0-9]+]] = amp.neg [[A]]
// CHECK-NEXT: amp.yield [[E]], [[N]]
// CHECK-NEXT: }
// CHECK-NEXT: return [[R]]#0, [[R]]#1
func.func @siblings(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = amp.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.neg %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Not where an op in between needs the first result.
// CHECK-LABEL: func.func @use_in_between(
// CHECK: [[A:%[0-9]+]] = amp.region(%arg0)
// CHECK: [[M:%[0-9]+]] = amp.matmul [[A]], [[A]]
// CHECK: amp.region([[A]], [[M]])
func.func @use_in_between(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.matmul %0, %0 {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.add %0, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// Kernels over different numbers of elements stay apart.
// CHECK-LABEL: func.func @different_domains(
// CHECK: [[A:%[0-9]+]] = amp.region(%arg0)
// CHECK: amp.region([[A]], %arg1)
func.func @different_domains(%x: tensor<4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.mul %0, %y : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Elementwise work takes the shape of the rows it feeds; a scalar of several
// dimensions becomes one of none.
// CHECK-LABEL: func.func @flexible_domain(
// CHECK: amp.region({{.+}}) :
// CHECK-NEXT: ^bb0({{.+}}: tensor<{{[a-z0-9]*}}f32>
// CHECK-DAG: amp.mul {{.+}} : (tensor<6x4xf32>, tensor<f32>) -> tensor<6x4xf32>
// CHECK-DAG: amp.reduce_max {{.+}} : (tensor<6x4xf32>) -> tensor<6x1xf32>
// CHECK: amp.yield
// CHECK-NOT: amp.reduce_max
// CHECK: return
func.func @flexible_domain(%x: tensor<2x3x4xf32>, %c: tensor<1x1x1xf32>, %t: tensor<2x3xi64>) -> tensor<2x3xf32> {
  %0 = amp.mul %x, %c : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
  %loss, %lse, %count = amp.softmax_cross_entropy %0, %t {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction sum>, acc = f32} : (tensor<2x3x4xf32>, tensor<2x3xi64>) -> (tensor<f32>, tensor<2x3xf32>, tensor<f32>)
  return %lse : tensor<2x3xf32>
}

// The same rows of 4 under two shapes, with a vector along them.
// CHECK-LABEL: func.func @collapsed_rows(
// CHECK: amp.region(%arg0, %arg1, %arg2)
// CHECK-NEXT: ^bb0({{%[a-z0-9]+}}: tensor<6x4xf32>, {{%[a-z0-9]+}}: tensor<4xf32>, {{%[a-z0-9]+}}: tensor<6x4xf32>):
// CHECK-NOT: amp.region
// CHECK: return
func.func @collapsed_rows(%x: tensor<2x3x4xf32>, %b: tensor<4xf32>, %y: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = amp.add %x, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = amp.reshape %0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = amp.softmax %1 {axis = 1 : i64, acc = f32} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %3 = amp.mul %2, %y : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %3 : tensor<6x4xf32>
}

// A single row is one, too: its sum has both dimensions.
// CHECK-LABEL: func.func @single_row(
// CHECK: amp.reduce_sum {{.+}} : (tensor<1x5xf32>) -> tensor<1x1xf32>
// CHECK-NOT: amp.region
// CHECK: return
func.func @single_row(%x: tensor<1x1x5xf32>, %y: tensor<1x5xf32>) -> tensor<1x5xf32> {
  %0 = amp.softmax %x {axis = 2 : i64, acc = f32} : (tensor<1x1x5xf32>) -> tensor<1x1x5xf32>
  %1 = amp.reshape %0 : (tensor<1x1x5xf32>) -> tensor<1x5xf32>
  %2 = amp.log_softmax %1 {axis = 1 : i64, acc = f32} : (tensor<1x5xf32>) -> tensor<1x5xf32>
  return %2 : tensor<1x5xf32>
}

// A kernel has an end: of ops, or of operands.
// CHECK-LABEL: func.func @limits(
// CHECK-COUNT-1: amp.region(
// CHECK-NOT: amp.region(
// OPS-LABEL: func.func @limits(
// OPS-COUNT-2: amp.region(
// OPS-NOT: amp.region(
// OPS: return
// OPERANDS-LABEL: func.func @limits(
// OPERANDS-COUNT-2: amp.region(
// OPERANDS-NOT: amp.region(
// OPERANDS: return
// CHECK: return
func.func @limits(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %0 = amp.mul %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.mul %0, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.mul %1, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = amp.exp %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// A result nobody reads is not stored.
// CHECK-LABEL: func.func @unused_results(
// CHECK: amp.region(%arg0, %arg1) : {{.+}} -> tensor<8x64xf32>
// CHECK: return
func.func @unused_results(%x: tensor<8x64xf32>, %s: tensor<64xf32>) -> tensor<8x64xf32> {
  %0, %mean, %rstd = amp.layer_norm %x, %s {axis = 1 : i64, epsilon = 1.0e-5 : f64, acc = f32} : (tensor<8x64xf32>, tensor<64xf32>) -> (tensor<8x64xf32>, tensor<8x1xf32>, tensor<8x1xf32>)
  return %0 : tensor<8x64xf32>
}

// Random numbers follow the place of an element, whatever the shape; the two
// words of the generator are not reshaped.
// CHECK-LABEL: func.func @generator_of_two_elements(
// CHECK: ^bb0({{.+}}: tensor<2xi64>, {{.+}}: tensor<i64>
// CHECK: amp.dropout {{.+}} : (tensor<2x1xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x1xf32>
func.func @generator_of_two_elements(%x: tensor<2xf32>, %rng: tensor<2xi64>, %i: tensor<i64>, %r: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0 = amp.dropout %x, %rng, %i {ratio = 0.1 : f64, node = 3 : i64} : (tensor<2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2xf32>
  %1 = amp.reshape %0 : (tensor<2xf32>) -> tensor<2x1xf32>
  %2 = amp.softmax %1 {axis = 1 : i64, acc = f32} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %2 : tensor<2x1xf32>
}

// Column sums that nobody needs yet do not keep another reader of the same
// values out of the kernel; they are finished behind it.
// CHECK-LABEL: func.func @late_column_sums(
// CHECK-NEXT: [[R:%[0-9]+]]:2 = amp.region(%arg0, %arg1)
// CHECK: amp.column_partials
// CHECK: amp.exp
// CHECK: [[S:%[0-9]+]] = amp.combine_partials [[R]]#0
// CHECK-NEXT: return [[S]], [[R]]#1
func.func @late_column_sums(%x: tensor<512x64xf32>, %y: tensor<512x64xf32>) -> (tensor<64xf32>, tensor<512x64xbf16>) {
  %0 = amp.mul %x, %y : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  %1 = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<512x64xf32>) -> tensor<64xf32>
  %2 = amp.exp %0 : (tensor<512x64xf32>) -> tensor<512x64xbf16>
  return %1, %2 : tensor<64xf32>, tensor<512x64xbf16>
}

// The cast that a routine reads joins the kernel that makes its operand, though
// another routine needs that before.
// CHECK-LABEL: func.func @cast_beside_another_reader(
// CHECK: [[R:%[0-9]+]]:2 = amp.region(%arg0) : {{.+}} -> (tensor<8x8xf32>, tensor<8x8xbf16>)
// CHECK-NOT: amp.region
// CHECK: [[G:%[0-9]+]] = amp.gather [[R]]#0
// CHECK-NEXT: [[M:%[0-9]+]] = amp.matmul [[R]]#1, [[R]]#1
// CHECK-NEXT: return [[G]], [[M]]
func.func @cast_beside_another_reader(%x: tensor<8x8xf32>, %i: tensor<3xi64>) -> (tensor<3x8xf32>, tensor<8x8xbf16>) {
  %0 = amp.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = amp.gather %0, %i {axis = 0 : i64} : (tensor<8x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  %2 = amp.cast %0 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %3 = amp.matmul %2, %2 {acc = f32} : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %1, %3 : tensor<3x8xf32>, tensor<8x8xbf16>
}

// Sums that the later kernel reads are finished before it.
// CHECK-LABEL: func.func @needed_column_sums(
// CHECK: amp.region(
// CHECK: amp.combine_partials
// CHECK-NEXT: amp.region(
func.func @needed_column_sums(%x: tensor<512x64xf32>, %y: tensor<512x64xf32>) -> tensor<512x64xbf16> {
  %0 = amp.mul %x, %y : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  %1 = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<512x64xf32>) -> tensor<64xf32>
  %2 = amp.sub %0, %1 : (tensor<512x64xf32>, tensor<64xf32>) -> tensor<512x64xf32>
  %3 = amp.cast %2 : (tensor<512x64xf32>) -> tensor<512x64xbf16>
  return %3 : tensor<512x64xbf16>
}
