// RUN: amp-opt %s --amp-assign-layout | FileCheck %s
// RUN: amp-opt %s --amp-assign-layout --amp-assign-layout | FileCheck %s

// The example of the description: relayouts only where the chain begins and
// ends; the weight keeps its order.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: [[X:%[0-9]+]] = amp.relayout %arg0 : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32, #amp.channels_last>
// CHECK-NEXT: [[A:%[0-9]+]] = amp.conv [[X]], %arg1 {{.+}} : (tensor<2x3x8x8xf32, #amp.channels_last>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32, #amp.channels_last>
// CHECK-NEXT: [[B:%[0-9]+]] = amp.relu [[A]] {amp.phase = #amp<phase forward>} : (tensor<2x4x8x8xf32, #amp.channels_last>) -> tensor<2x4x8x8xf32, #amp.channels_last>
// CHECK-NEXT: [[C:%[a-z0-9]+]], %{{[a-z]+}} = amp.max_pool [[B]] {{.+}} -> (tensor<2x4x4x4xf32, #amp.channels_last>, tensor<2x4x4x4xui8, #amp.channels_last>)
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relayout [[C]] : (tensor<2x4x4x4xf32, #amp.channels_last>) -> tensor<2x4x4x4xf32>
// CHECK-NEXT: return [[R]] : tensor<2x4x4x4xf32>
func.func @chain(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x4x4xf32> {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = amp.relu %0 {amp.phase = #amp<phase forward>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2, %i = amp.max_pool %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xui8>)
  return %2 : tensor<2x4x4x4xf32>
}

// One relayout of a value for all readers on the other side of the border.
// CHECK-LABEL: func.func @shared_borders(
// CHECK-NEXT: [[X:%[0-9]+]] = amp.relayout %arg0
// CHECK-NEXT: [[A:%[0-9]+]] = amp.conv [[X]],
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relayout [[A]] {amp.phase = #amp<phase forward>}
// CHECK: amp.conv [[X]],
// CHECK: amp.reshape [[R]]
// CHECK: amp.transpose [[R]]
// CHECK-NOT: amp.relayout [[A]]
func.func @shared_borders(%x: tensor<2x3x4x4xf32>, %w: tensor<3x3x1x1xf32>) -> (tensor<96xf32>, tensor<4x4x2x3xf32>, tensor<96xf32>) {
  %0 = amp.conv %x, %w {amp.phase = #amp<phase forward>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %1 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %2 = amp.reshape %0 : (tensor<2x3x4x4xf32>) -> tensor<96xf32>
  %3 = amp.transpose %0 {perm = array<i64: 2, 3, 0, 1>} : (tensor<2x3x4x4xf32>) -> tensor<4x4x2x3xf32>
  %4 = amp.reshape %1 : (tensor<2x3x4x4xf32>) -> tensor<96xf32>
  return %2, %3, %4 : tensor<96xf32>, tensor<4x4x2x3xf32>, tensor<96xf32>
}

// A channel vector is read as it lies; a tensor repeated along one dimension
// of space is repeated first.
// CHECK-LABEL: func.func @broadcast_operands(
// CHECK: [[A:%[0-9]+]] = amp.conv
// CHECK-NEXT: [[B:%[0-9]+]] = amp.add [[A]], %arg2 : (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<3x1x1xf32>)
// CHECK-NEXT: [[S:%[0-9]+]] = amp.mul [[B]], %arg4 : (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<f32>)
// CHECK-NEXT: [[F:%[0-9]+]] = amp.broadcast %arg3 {amp.phase = #amp<phase forward>} : (tensor<2x3x4x1xf32>) -> tensor<2x3x4x4xf32>
// CHECK-NEXT: [[L:%[0-9]+]] = amp.relayout [[F]]
// CHECK-NEXT: amp.mul [[S]], [[L]] {{.+}} : (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<2x3x4x4xf32, #amp.channels_last>)
func.func @broadcast_operands(%x: tensor<2x3x4x4xf32>, %w: tensor<3x3x1x1xf32>, %c: tensor<3x1x1xf32>, %p: tensor<2x3x4x1xf32>, %s: tensor<f32>) -> tensor<2x3x4x4xf32> {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %1 = amp.add %0, %c : (tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %2 = amp.mul %1, %s : (tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x4x4xf32>
  %3 = amp.mul %2, %p {amp.phase = #amp<phase forward>} : (tensor<2x3x4x4xf32>, tensor<2x3x4x1xf32>) -> tensor<2x3x4x4xf32>
  return %3 : tensor<2x3x4x4xf32>
}

// Means over space, and sums over all but the channel, read either order.
// CHECK-LABEL: func.func @reduce_over_space(
// CHECK: [[A:%[0-9]+]] = amp.conv
// CHECK-NEXT: amp.reduce_mean [[A]] {{.+}} : (tensor<2x3x4x4xf32, #amp.channels_last>) -> tensor<2x3xf32>
// CHECK-NEXT: amp.reduce_sum [[A]] {{.+}} : (tensor<2x3x4x4xf32, #amp.channels_last>) -> tensor<3xf32>
// CHECK-NEXT: return
func.func @reduce_over_space(%x: tensor<2x3x4x4xf32>, %w: tensor<3x3x1x1xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %1 = amp.reduce_mean %0 {axes = array<i64: 2, 3>, acc = f32} : (tensor<2x3x4x4xf32>) -> tensor<2x3xf32>
  %2 = amp.reduce_sum %0 {axes = array<i64: 0, 2, 3>, acc = f32} : (tensor<2x3x4x4xf32>) -> tensor<3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<3xf32>
}

// Forward and backward of a convolution and its batch norm are one group.
// CHECK-LABEL: func.func @backward(
// CHECK-COUNT-2: amp.relayout
// CHECK-NOT: amp.relayout
// CHECK: amp.batch_norm {{.+}} -> (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>)
// CHECK: amp.batch_norm_grad {{.+}} -> (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>)
// CHECK: amp.conv_weight_grad {{.+}} : (tensor<2x3x4x4xf32, #amp.channels_last>, tensor<2x3x4x4xf32, #amp.channels_last>) -> tensor<3x3x1x1xf32>
func.func @backward(%x: tensor<2x3x4x4xf32>, %dy: tensor<2x3x4x4xf32>, %w: tensor<3x3x1x1xf32>, %s: tensor<3xf32>) -> (tensor<3x3x1x1xf32>, tensor<3xf32>) {
  %0 = amp.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x4xf32>
  %y, %m, %v = amp.batch_norm %0, %s, %s {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = amp.mul %dy, %y : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %dx, %ds, %db = amp.batch_norm_grad %1, %0, %s, %m, %v {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %2 = amp.conv_weight_grad %dx, %x {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<3x3x1x1xf32>
  return %2, %ds : tensor<3x3x1x1xf32>, tensor<3xf32>
}

// Without a convolution nothing changes.
// CHECK-LABEL: func.func @nothing_to_do(
// CHECK-NOT: channels_last
// CHECK: return
func.func @nothing_to_do(%x: tensor<2x3x4x4xf32>, %y: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %0 = amp.add %x, %y : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// A relayout behind a narrowing moves fewer bytes: the cast keeps the order of
// its operand, on either side of the border.
// CHECK-LABEL: func.func @narrowing(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast %arg0 : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xbf16>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relayout [[C]] : (tensor<2x3x4x4xbf16>) -> tensor<2x3x4x4xbf16, #amp.channels_last>
// CHECK-NEXT: [[Y:%[0-9]+]] = amp.conv [[R]], %arg1 {{.+}} -> tensor<2x3x4x4xf32, #amp.channels_last>
// CHECK-NEXT: [[D:%[0-9]+]] = amp.cast [[Y]] : (tensor<2x3x4x4xf32, #amp.channels_last>) -> tensor<2x3x4x4xbf16, #amp.channels_last>
// CHECK-NEXT: amp.conv [[D]], %arg1
func.func @narrowing(%x: tensor<2x3x4x4xf32>, %w: tensor<3x3x1x1xbf16>) -> tensor<2x3x4x4xf32> {
  %0 = amp.cast %x : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xbf16>
  %1 = amp.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xbf16>, tensor<3x3x1x1xbf16>) -> tensor<2x3x4x4xf32>
  %2 = amp.cast %1 : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xbf16>
  %3 = amp.conv %2, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x3x4x4xbf16>, tensor<3x3x1x1xbf16>) -> tensor<2x3x4x4xf32>
  return %3 : tensor<2x3x4x4xf32>
}
