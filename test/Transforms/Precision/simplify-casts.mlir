// RUN: amp-opt %s --amp-simplify-casts | FileCheck %s

// CHECK-LABEL: func.func @share(
// CHECK: [[C:%[0-9]+]] = amp.cast %arg0
// CHECK-NEXT: amp.matmul [[C]], [[C]]
func.func @share(%x: tensor<4x4xf32>) -> tensor<4x4xbf16> {
  %0 = amp.cast %x : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %1 = amp.cast %x : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %2 = amp.matmul %0, %1 {acc = f32} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %2 : tensor<4x4xbf16>
}

// Two types of one value are two casts.
// CHECK-LABEL: func.func @not_shared_between_types(
// CHECK-DAG: amp.cast %arg0 : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-DAG: amp.cast %arg0 : (tensor<4xf32>) -> tensor<4xf16>
func.func @not_shared_between_types(%x: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xbf16>) {
  %0 = amp.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = amp.cast %x : (tensor<4xf32>) -> tensor<4xf16>
  %2 = amp.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  return %0, %1, %2 : tensor<4xbf16>, tensor<4xf16>, tensor<4xbf16>
}

// Widening and back is the source.
// CHECK-LABEL: func.func @fold_widening(
// CHECK-NOT: amp.cast
// CHECK: return %arg0
func.func @fold_widening(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = amp.cast %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = amp.cast %0 : (tensor<4xf32>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// Widening and then another type is one cast.
// CHECK-LABEL: func.func @fold_through_float32(
// CHECK: [[C:%[0-9]+]] = amp.cast %arg0 : (tensor<4xbf16>) -> tensor<4xf16>
// CHECK-NEXT: return [[C]]
func.func @fold_through_float32(%x: tensor<4xbf16>) -> tensor<4xf16> {
  %0 = amp.cast %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = amp.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// Rounding and widening again changes the value: both casts stay, only the
// second copy of the pair goes.
// CHECK-LABEL: func.func @rounding_stays(
// CHECK: [[L:%[0-9]+]] = amp.cast %arg0 : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: [[W:%[0-9]+]] = amp.cast [[L]] : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: return [[W]], [[W]]
func.func @rounding_stays(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = amp.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = amp.cast %0 : (tensor<4xbf16>) -> tensor<4xf32>
  %2 = amp.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = amp.cast %2 : (tensor<4xbf16>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// Casts of the model are not ours, on either side.
// CHECK-LABEL: func.func @user_casts_stay(
// CHECK: [[A:%[0-9]+]] = amp.cast %arg0 {user}
// CHECK-NEXT: [[B:%[0-9]+]] = amp.cast [[A]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: [[D:%[0-9]+]] = amp.cast [[C]] {user}
// CHECK-NEXT: [[E:%[0-9]+]] = amp.cast [[C]] {user}
// CHECK-NEXT: return [[B]], [[D]], [[E]]
func.func @user_casts_stay(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %0 = amp.cast %x {user} : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = amp.cast %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = amp.cast %x : (tensor<4xbf16>) -> tensor<4xf32>
  %3 = amp.cast %2 {user} : (tensor<4xf32>) -> tensor<4xbf16>
  %4 = amp.cast %x : (tensor<4xbf16>) -> tensor<4xf32>
  %5 = amp.cast %4 {user} : (tensor<4xf32>) -> tensor<4xbf16>
  return %1, %3, %5 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// The example of the description; the decision of the moved op is renewed.
// CHECK-LABEL: func.func @hoist(
// CHECK: [[C:%[0-9]+]] = amp.cast %arg0 {amp.phase = #amp<phase forward>} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: [[T:%[0-9]+]] = amp.transpose [[C]] {{.+}}rule = "TR-cast-hoisted", storage = [bf16]{{.+}} : (tensor<4x3xbf16>) -> tensor<3x4xbf16>
// CHECK-NEXT: return [[T]]
func.func @hoist(%w: tensor<4x3xf32>) -> tensor<3x4xbf16> {
  %0 = amp.transpose %w {perm = array<i64: 1, 0>, amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "TR-as-operand", storage = [f32]}} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = amp.cast %0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
  return %1 : tensor<3x4xbf16>
}

// Through several ops at once, then shared with the cast that was there.
// CHECK-LABEL: func.func @hoist_and_share(
// CHECK: [[C:%[0-9]+]] = amp.cast %arg0 : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NOT: amp.cast
// CHECK: amp.reshape [[C]] : (tensor<4x3xbf16>) -> tensor<12xbf16>
// CHECK-NOT: amp.cast
// CHECK: return
func.func @hoist_and_share(%w: tensor<4x3xf32>) -> (tensor<4x3xbf16>, tensor<2x12xbf16>) {
  %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %1 = amp.reshape %w : (tensor<4x3xf32>) -> tensor<12xf32>
  %2 = amp.broadcast %1 : (tensor<12xf32>) -> tensor<2x12xf32>
  %3 = amp.cast %2 : (tensor<2x12xf32>) -> tensor<2x12xbf16>
  return %0, %3 : tensor<4x3xbf16>, tensor<2x12xbf16>
}

// Not where the source has more elements, the value has another reader, or
// the cast widens: each would move more bytes.
// CHECK-LABEL: func.func @not_hoisted(
// CHECK-NEXT: [[S:%[0-9]+]] = amp.slice %arg0
// CHECK-NEXT: amp.cast [[S]]
// CHECK-NEXT: [[T:%[0-9]+]] = amp.transpose %arg0
// CHECK-NEXT: amp.cast [[T]]
// CHECK-NEXT: [[U:%[0-9]+]] = amp.transpose %arg1
// CHECK-NEXT: amp.cast [[U]]
// CHECK-NEXT: [[G:%[0-9]+]] = amp.gather %arg0
// CHECK-NEXT: amp.cast [[G]]
func.func @not_hoisted(%x: tensor<8x4xf32>, %y: tensor<8x4xbf16>, %i: tensor<16xi64>) -> (tensor<1x4xbf16>, tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf32>, tensor<16x4xbf16>) {
  %0 = amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %1 = amp.cast %0 : (tensor<1x4xf32>) -> tensor<1x4xbf16>
  %2 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %3 = amp.cast %2 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %4 = amp.transpose %y {perm = array<i64: 1, 0>} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  %5 = amp.cast %4 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %6 = amp.gather %x, %i {axis = 0 : i64} : (tensor<8x4xf32>, tensor<16xi64>) -> tensor<16x4xf32>
  %7 = amp.cast %6 : (tensor<16x4xf32>) -> tensor<16x4xbf16>
  return %1, %2, %3, %5, %7 : tensor<1x4xbf16>, tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf32>, tensor<16x4xbf16>
}

// A narrowing of what no kernel makes moves behind what drops elements, and the
// decision of that is renewed.
// CHECK-LABEL: func.func @sink_narrowing(
// CHECK-NEXT: [[G:%[0-9]+]] = amp.gather %arg0, %arg1 {{.+}}rule = "TR-cast-sunk", storage = [f32]{{.+}} -> tensor<2x4xf32>
// CHECK-NEXT: amp.cast [[G]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: [[S:%[0-9]+]] = amp.slice %arg0 {{.+}} -> tensor<1x4xf32>
// CHECK-NEXT: amp.cast [[S]] : (tensor<1x4xf32>) -> tensor<1x4xbf16>
// CHECK-NEXT: [[M:%[0-9]+]] = amp.reduce_max %arg0 {{.+}} -> tensor<4xf32>
// CHECK-NEXT: amp.cast [[M]] : (tensor<4xf32>) -> tensor<4xbf16>
func.func @sink_narrowing(%x: tensor<8x4xf32>, %i: tensor<2xi64>) -> (tensor<2x4xbf16>, tensor<1x4xbf16>, tensor<4xbf16>) {
  %0 = amp.cast %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %1 = amp.gather %0, %i {axis = 0 : i64, amp.decision = {compute = f32, rule = "TR-as-operand", storage = [bf16]}} : (tensor<8x4xbf16>, tensor<2xi64>) -> tensor<2x4xbf16>
  %2 = amp.cast %x {amp.phase = #amp<phase forward>} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %3 = amp.slice %x {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %4 = amp.cast %3 : (tensor<1x4xf32>) -> tensor<1x4xbf16>
  %5 = amp.reduce_max %x {acc = f32, axes = array<i64: 0>} : (tensor<8x4xf32>) -> tensor<4xf32>
  %6 = amp.cast %5 : (tensor<4xf32>) -> tensor<4xbf16>
  return %1, %4, %6 : tensor<2x4xbf16>, tensor<1x4xbf16>, tensor<4xbf16>
}

// Where a kernel makes the value it writes it low; where the op repeats
// elements, or adds them (each was rounded before), the cast stays in front.
// CHECK-LABEL: func.func @narrowing_not_sunk(
// CHECK: [[E:%[0-9]+]] = amp.exp
// CHECK-NEXT: [[A:%[0-9]+]] = amp.cast [[E]]
// CHECK-NEXT: amp.slice [[A]]
// CHECK-NEXT: [[B:%[0-9]+]] = amp.cast %arg0
// CHECK-NEXT: amp.gather [[B]]
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast %arg2
// CHECK-NEXT: amp.reduce_sum [[C]]
func.func @narrowing_not_sunk(%x: tensor<8x4xf32>, %i: tensor<16xi64>, %y: tensor<8x4xf32>) -> (tensor<1x4xbf16>, tensor<16x4xbf16>, tensor<8xbf16>) {
  %0 = amp.exp %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = amp.cast %0 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %2 = amp.slice %1 {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<8x4xbf16>) -> tensor<1x4xbf16>
  %3 = amp.cast %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %4 = amp.gather %3, %i {axis = 0 : i64} : (tensor<8x4xbf16>, tensor<16xi64>) -> tensor<16x4xbf16>
  %5 = amp.cast %y : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %6 = amp.reduce_sum %5 {acc = f32, axes = array<i64: 1>} : (tensor<8x4xbf16>) -> tensor<8xbf16>
  return %2, %4, %6 : tensor<1x4xbf16>, tensor<16x4xbf16>, tensor<8xbf16>
}

// The largest element of a row is found in a kernel that reads any type, with
// the rest of the row's arithmetic; a cast behind it, in either direction, would
// be in the way. Over other dimensions a routine finds it, which writes any type.
// CHECK-LABEL: func.func @largest(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast %arg0
// CHECK-NEXT: amp.reduce_max [[C]] {{.+}} -> tensor<8x1xf32>
// CHECK-NEXT: [[M:%[0-9]+]] = amp.reduce_max %arg1 {{.+}} -> tensor<4xbf16>
// CHECK-NEXT: amp.cast [[M]]
// CHECK-NEXT: [[N:%[0-9]+]] = amp.cast %arg2
// CHECK-NEXT: amp.reduce_min [[N]] {{.+}} -> tensor<8xbf16>
func.func @largest(%x: tensor<8x4xbf16>, %y: tensor<8x4xbf16>, %z: tensor<8x4xf32>) -> (tensor<8x1xf32>, tensor<4xf32>, tensor<8xbf16>) {
  %0 = amp.cast %x : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %1 = amp.reduce_max %0 {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<8x4xf32>) -> tensor<8x1xf32>
  %2 = amp.cast %y : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %3 = amp.reduce_max %2 {acc = f32, axes = array<i64: 0>} : (tensor<8x4xf32>) -> tensor<4xf32>
  %4 = amp.cast %z : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %5 = amp.reduce_min %4 {acc = f32, axes = array<i64: 1>} : (tensor<8x4xbf16>) -> tensor<8xbf16>
  return %1, %3, %5 : tensor<8x1xf32>, tensor<4xf32>, tensor<8xbf16>
}

// A widening goes the other way: behind what moves as many elements or fewer,
// in front of what repeats them.
// CHECK-LABEL: func.func @widening(
// CHECK-NEXT: [[T:%[0-9]+]] = amp.transpose %arg0 {{.+}} -> tensor<4x8xbf16>
// CHECK-NEXT: [[S:%[0-9]+]] = amp.slice [[T]] {{.+}} -> tensor<1x8xbf16>
// CHECK-NEXT: amp.cast [[S]] : (tensor<1x8xbf16>) -> tensor<1x8xf32>
// CHECK-NEXT: [[W:%[0-9]+]] = amp.cast %arg0 : (tensor<8x4xbf16>) -> tensor<8x4xf32>
// CHECK-NEXT: amp.broadcast [[W]] : (tensor<8x4xf32>) -> tensor<3x8x4xf32>
func.func @widening(%x: tensor<8x4xbf16>) -> (tensor<1x8xf32>, tensor<3x8x4xf32>) {
  %0 = amp.cast %x : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = amp.slice %1 {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %3 = amp.broadcast %x : (tensor<8x4xbf16>) -> tensor<3x8x4xbf16>
  %4 = amp.cast %3 : (tensor<3x8x4xbf16>) -> tensor<3x8x4xf32>
  return %2, %4 : tensor<1x8xf32>, tensor<3x8x4xf32>
}

// Casts of the model are barriers here, too.
// CHECK-LABEL: func.func @user_casts_do_not_move(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast %arg0 {user}
// CHECK-NEXT: amp.slice [[C]]
func.func @user_casts_do_not_move(%x: tensor<8x4xf32>) -> tensor<1x4xbf16> {
  %0 = amp.cast %x {user} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %1 = amp.slice %0 {starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : (tensor<8x4xbf16>) -> tensor<1x4xbf16>
  return %1 : tensor<1x4xbf16>
}

// One element is no traffic: what repeats it rounds.
// CHECK-LABEL: func.func @scalar_is_not_hoisted(
// CHECK-NEXT: [[B:%[0-9]+]] = amp.broadcast %arg0
// CHECK-NEXT: amp.cast [[B]]
// CHECK-NEXT: [[C:%[0-9]+]] = amp.broadcast %arg0
// CHECK-NEXT: amp.cast [[C]]
func.func @scalar_is_not_hoisted(%x: tensor<f32>) -> (tensor<8xbf16>, tensor<4xbf16>) {
  %0 = amp.broadcast %x : (tensor<f32>) -> tensor<8xf32>
  %1 = amp.cast %0 : (tensor<8xf32>) -> tensor<8xbf16>
  %2 = amp.cast %x : (tensor<f32>) -> tensor<bf16>
  %3 = amp.broadcast %2 : (tensor<bf16>) -> tensor<4xbf16>
  return %1, %3 : tensor<8xbf16>, tensor<4xbf16>
}

// One copy takes the slice in its other order and rounds: no cast between them.
// CHECK-LABEL: func.func @slice_in_another_order(
// CHECK: %[[S:.+]] = amp.slice %arg0
// CHECK-NEXT: %[[T:.+]] = amp.transpose %[[S]] {{.+}} -> tensor<2x4x3xf32>
// CHECK-NEXT: amp.cast %[[T]] : (tensor<2x4x3xf32>) -> tensor<2x4x3xbf16>
func.func @slice_in_another_order(%x: tensor<2x5x4xf32>) -> tensor<2x4x3xbf16> {
  %0 = amp.slice %x {starts = array<i64: 0, 1, 0>, steps = array<i64: 1, 1, 1>} : (tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  %1 = amp.transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %2 = amp.cast %1 : (tensor<2x4x3xf32>) -> tensor<2x4x3xbf16>
  return %2 : tensor<2x4x3xbf16>
}

// A product reads the other order as it is, so there the cast is in front.
// CHECK-LABEL: func.func @slice_that_a_product_reads(
// CHECK: %[[S:.+]] = amp.slice %arg0
// CHECK-NEXT: %[[C:.+]] = amp.cast %[[S]] : (tensor<2x3x4xf32>) -> tensor<2x3x4xbf16>
// CHECK-NEXT: amp.transpose %[[C]]
func.func @slice_that_a_product_reads(%x: tensor<2x5x4xf32>, %w: tensor<2x3x6xbf16>) -> tensor<2x4x6xbf16> {
  %0 = amp.slice %x {starts = array<i64: 0, 1, 0>, steps = array<i64: 1, 1, 1>} : (tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  %1 = amp.transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %2 = amp.cast %1 : (tensor<2x4x3xf32>) -> tensor<2x4x3xbf16>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<2x4x3xbf16>, tensor<2x3x6xbf16>) -> tensor<2x4x6xbf16>
  return %3 : tensor<2x4x6xbf16>
}
