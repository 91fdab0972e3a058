// RUN: amp-opt %s --amp-simplify-gradients | FileCheck %s

// The example of the description, with the parts in the other order.
// CHECK-LABEL: func.func @sum_of_pads(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.concat %arg1, %arg0, %arg1 {amp.phase = #amp<phase backward>, axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x11xf32>
// CHECK-NEXT: return [[C]]
func.func @sum_of_pads(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x11xf32> {
  %0 = amp.pad %a {low = array<i64: 0, 4>, high = array<i64: 0, 4>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<2x3xf32>) -> tensor<2x11xf32>
  %1 = amp.pad %b {low = array<i64: 0, 0>, high = array<i64: 0, 7>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<2x4xf32>) -> tensor<2x11xf32>
  %2 = amp.pad %b {low = array<i64: 0, 7>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<2x4xf32>) -> tensor<2x11xf32>
  %3 = amp.fan_in_sum %0, %1, %2 {acc = f32, amp.phase = #amp<phase backward>} : (tensor<2x11xf32>, tensor<2x11xf32>, tensor<2x11xf32>) -> tensor<2x11xf32>
  return %3 : tensor<2x11xf32>
}

// Ranges that overlap, leave a gap, or another value than 0: still a sum.
// CHECK-LABEL: func.func @no_concat(
// CHECK-COUNT-3: amp.fan_in_sum
// CHECK-NOT: amp.concat
// CHECK: return
func.func @no_concat(%a: tensor<3xf32>) -> (tensor<5xf32>, tensor<7xf32>, tensor<6xf32>) {
  %0 = amp.pad %a {low = array<i64: 0>, high = array<i64: 2>, interior = array<i64: 0>, value = 0.0 : f64} : (tensor<3xf32>) -> tensor<5xf32>
  %1 = amp.pad %a {low = array<i64: 2>, high = array<i64: 0>, interior = array<i64: 0>, value = 0.0 : f64} : (tensor<3xf32>) -> tensor<5xf32>
  %2 = amp.fan_in_sum %0, %1 {acc = f32} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %3 = amp.pad %a {low = array<i64: 0>, high = array<i64: 4>, interior = array<i64: 0>, value = 0.0 : f64} : (tensor<3xf32>) -> tensor<7xf32>
  %4 = amp.pad %a {low = array<i64: 4>, high = array<i64: 0>, interior = array<i64: 0>, value = 0.0 : f64} : (tensor<3xf32>) -> tensor<7xf32>
  %5 = amp.fan_in_sum %3, %4 {acc = f32} : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  %6 = amp.pad %a {low = array<i64: 0>, high = array<i64: 3>, interior = array<i64: 0>, value = 1.0 : f64} : (tensor<3xf32>) -> tensor<6xf32>
  %7 = amp.pad %a {low = array<i64: 3>, high = array<i64: 0>, interior = array<i64: 0>, value = 0.0 : f64} : (tensor<3xf32>) -> tensor<6xf32>
  %8 = amp.fan_in_sum %6, %7 {acc = f32} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %2, %5, %8 : tensor<5xf32>, tensor<7xf32>, tensor<6xf32>
}

// A piece that was read twice is added first, what is no piece last; nothing was
// cut out at the ends.
// CHECK-LABEL: func.func @pieces_and_more(
// CHECK-NEXT: [[S:%[0-9]+]] = amp.fan_in_sum %arg0, %arg1 {acc = f32, amp.phase = #amp<phase backward>} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: [[C:%[0-9]+]] = amp.concat [[S]], %arg2 {amp.phase = #amp<phase backward>, axis = 0 : i64} : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: [[P:%[0-9]+]] = amp.pad [[C]] {amp.phase = #amp<phase backward>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, low = array<i64: 2, 0>, {{.*}}} : (tensor<3x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT: amp.fan_in_sum %arg3, [[P]]
func.func @pieces_and_more(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>, %c: tensor<2x3xf32>, %d: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %0 = amp.pad %a {low = array<i64: 2, 0>, high = array<i64: 3, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<1x3xf32>) -> tensor<6x3xf32>
  %1 = amp.pad %c {low = array<i64: 3, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<2x3xf32>) -> tensor<6x3xf32>
  %2 = amp.pad %b {low = array<i64: 2, 0>, high = array<i64: 3, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : (tensor<1x3xf32>) -> tensor<6x3xf32>
  %3 = amp.fan_in_sum %0, %1, %d, %2 {acc = f32, amp.phase = #amp<phase backward>} : (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  return %3 : tensor<6x3xf32>
}

// What a branch reads is the value itself, now that its gradient is made.
// CHECK-LABEL: func.func @branch_input(
// CHECK-NEXT: return %arg1
func.func @branch_input(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.select %p, %x, %x {amp.branch_input} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An op repeats its operands by itself, unless the shape comes from the
// broadcast alone.
// CHECK-LABEL: func.func @implicit_broadcast(
// CHECK-NEXT: [[M:%[0-9]+]] = amp.mul %arg0, %arg1 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: [[B:%[0-9]+]] = amp.broadcast %arg0
// CHECK-NEXT: amp.relu [[B]]
func.func @implicit_broadcast(%x: tensor<4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = amp.broadcast %x : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = amp.mul %0, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = amp.broadcast %x : (tensor<4xf32>) -> tensor<2x4xf32>
  %3 = amp.relu %2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}

// The terms of a sum of gradients have its shape.
// CHECK-LABEL: func.func @broadcast_term(
// CHECK-DAG: [[B:%[0-9]+]] = amp.broadcast %arg0 : (tensor<1x1xf32>) -> tensor<2x2xf32>
// CHECK-DAG: [[C:%[a-z0-9]+]] = amp.constant {{.+}} : tensor<2x2xf32>
// CHECK: amp.fan_in_sum [[B]], %arg1, [[C]] {acc = f32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
func.func @broadcast_term(%x: tensor<1x1xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = amp.broadcast %x : (tensor<1x1xf32>) -> tensor<2x2xf32>
  %1 = amp.constant dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %2 = amp.fan_in_sum %0, %y, %1 {acc = f32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = amp.broadcast %x : (tensor<1x1xf32>) -> tensor<2x2xf32>
  %4 = amp.mul %3, %2 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2, %4 : tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @matmul_bias(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape %arg3 {amp.phase = #amp<phase forward>} : (tensor<1x5xf32>) -> tensor<5xf32>
// CHECK-NEXT: [[A:%[0-9]+]] = amp.matmul %arg0, %arg1 bias [[R]] {acc = f32, amp.phase = #amp<phase forward>}
// CHECK-NEXT: [[B:%[0-9]+]] = amp.matmul %arg0, %arg1 bias %arg2 {acc = f32}
// CHECK-NEXT: return [[A]], [[B]]
func.func @matmul_bias(%x: tensor<2x4xf32>, %w: tensor<4x5xf32>, %b: tensor<5xf32>, %c: tensor<1x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xf32>) {
  %0 = amp.matmul %x, %w {acc = f32, amp.phase = #amp<phase forward>} : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %1 = amp.add %0, %c {amp.phase = #amp<phase forward>} : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
  %2 = amp.matmul %x, %w {acc = f32} : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %3 = amp.add %b, %2 : (tensor<5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return %1, %3 : tensor<2x5xf32>, tensor<2x5xf32>
}

// CHECK-LABEL: func.func @conv_bias(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape %arg2 : (tensor<4x1x1xf32>) -> tensor<4xf32>
// CHECK-NEXT: [[A:%[0-9]+]] = amp.conv %arg0, %arg1, [[R]] {acc = f32, amp.phase = #amp<phase forward>, {{.*}}group = 1 : i64
// CHECK-NEXT: return [[A]]
func.func @conv_bias(%x: tensor<2x3x4x4xf32>, %w: tensor<4x3x1x1xf32>, %b: tensor<4x1x1xf32>) -> tensor<2x4x4x4xf32> {
  %0 = amp.conv %x, %w {amp.phase = #amp<phase forward>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %1 = amp.add %0, %b : (tensor<2x4x4x4xf32>, tensor<4x1x1xf32>) -> tensor<2x4x4x4xf32>
  return %1 : tensor<2x4x4x4xf32>
}

// Not a second bias, not into a product that others read, not along another
// dimension.
// CHECK-LABEL: func.func @no_bias(
// CHECK-COUNT-4: amp.add
func.func @no_bias(%x: tensor<4x4xf32>, %b: tensor<4xf32>, %r: tensor<4x1xf32>, %i: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4x4x4xf32>) {
  %0 = amp.matmul %x, %x bias %b {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %1 = amp.add %0, %b : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = amp.matmul %x, %x {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = amp.add %2, %b : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %4 = amp.matmul %x, %x {acc = f32, transpose_lhs} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = amp.add %4, %r : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %6 = amp.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %7 = amp.add %6, %b : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  return %1, %2, %3, %5, %7 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4x4x4xf32>
}

// The transpose of a product is the product of the transposes.
// CHECK-LABEL: func.func @transposed_product(
// CHECK-NEXT: [[A:%[0-9]+]] = amp.matmul %arg1, %arg0 {acc = f32, transpose_lhs} : (tensor<8x5xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
// CHECK-NEXT: return [[A]]
func.func @transposed_product(%x: tensor<8x4xf32>, %dy: tensor<8x5xf32>) -> tensor<5x4xf32> {
  %0 = amp.matmul %x, %dy {acc = f32, transpose_lhs} : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// A constant that repeats is stored once.
// CHECK-LABEL: func.func @repeated_constant(
// CHECK: [[C:%[0-9]+]] = amp.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00{{\]\]}}> : tensor<1x2xf32>
// CHECK: amp.add %arg0, [[C]] : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
func.func @repeated_constant(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = amp.constant dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %1 = amp.add %x, %0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// So are the masks of attention.
// CHECK-LABEL: func.func @repeated_masks(
// CHECK: [[C:%[0-9]+]] = amp.constant dense<{{\[\[\[}}0.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00{{\]\]\]}}> : tensor<1x2x2xf32>
// CHECK: amp.attention %arg0, %arg0, %arg0 mask [[C]]
// CHECK: amp.attention %arg0, %arg0, %arg0 mask %arg1
func.func @repeated_masks(%x: tensor<2x2x4xf32>, %m: tensor<2x2xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xf32>) {
  %0 = amp.constant dense<[[[0.0, -1.0], [0.0, 0.0]], [[0.0, -1.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  %y, %p = amp.attention %x, %x, %x mask %0 {scale = 1.0 : f64, acc = f32} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>, tensor<2x2x4xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x2xf32>)
  %1 = amp.broadcast %m : (tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %z, %q = amp.attention %x, %x, %x mask %1 {scale = 1.0 : f64, acc = f32} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>, tensor<2x2x4xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x2xf32>)
  return %y, %z : tensor<2x2x4xf32>, tensor<2x2x4xf32>
}
