// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=softmax_cross_entropy" | FileCheck %s --check-prefix=CE
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=softmax_cross_entropy,target=label,class_axis=-1,ignore_index=3,label_smoothing=0.25,reduction=sum" | FileCheck %s --check-prefix=KEYS
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=mse" | FileCheck %s --check-prefix=MSE
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=l1,reduction=sum" | FileCheck %s --check-prefix=L1
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=smooth_l1,beta=0.5" | FileCheck %s --check-prefix=SMOOTH
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=bce_with_logits" | FileCheck %s --check-prefix=BCE

// Classes last: no transpose. The state stays written at the exit.
// CE-LABEL: func.func @loss(
// CE-SAME: tensor<8x3xf32> {amp.name = "x", amp.role = "input"}
// CE-SAME: [[T:%[a-zA-Z0-9_]+]]: tensor<8xi64> {amp.name = "target", amp.role = "target"})
// CE-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<8x3xf32> {amp.name = "y", amp.role = "output"})
// CE-SAME: amp.loss = "softmax_cross_entropy,output=y,target=target,class_axis=1,ignore_index=-100,label_smoothing=0"
// CE-NOT: transpose
// CE: [[Y:%[a-zA-Z0-9_]+]] = amp.mul
// CE: %loss, %lse, %count = amp.softmax_cross_entropy [[Y]], [[T]]
// CE-SAME: ignore_index = -100
// CE-SAME: reduction = #amp<loss_reduction mean>
// CE: amp.write @seen
// CE-NEXT: return %loss, [[Y]]

// KEYS-LABEL: func.func @loss(
// KEYS-SAME: tensor<8xi64> {amp.name = "label", amp.role = "target"}
// KEYS: amp.softmax_cross_entropy
// KEYS-SAME: ignore_index = 3 : i64, label_smoothing = 2.500000e-01 : f64, reduction = #amp<loss_reduction sum>

// MSE-LABEL: func.func @loss(
// MSE-SAME: [[T:%[a-zA-Z0-9_]+]]: tensor<8x3xf32> {amp.name = "target", amp.role = "target"}
// MSE: [[D:%[a-zA-Z0-9_]+]] = amp.sub %{{.+}}, [[T]]
// MSE-NEXT: [[S:%[a-zA-Z0-9_]+]] = amp.mul [[D]], [[D]]
// MSE-NEXT: amp.reduce_mean [[S]] {acc = f32, axes = array<i64: 0, 1>}

// L1-LABEL: func.func @loss(
// L1: [[A:%[a-zA-Z0-9_]+]] = amp.abs
// L1-NEXT: amp.reduce_sum [[A]] {acc = f32, axes = array<i64: 0, 1>}

// SMOOTH-LABEL: func.func @loss(
// SMOOTH: amp.constant dense<1.000000e+00>
// SMOOTH: amp.constant dense<2.500000e-01>
// SMOOTH: amp.constant dense<5.000000e-01>
// SMOOTH: amp.compare
// SMOOTH: amp.select
// SMOOTH: amp.reduce_mean

// BCE-LABEL: func.func @loss(
// BCE: [[P:%[a-zA-Z0-9_]+]] = amp.softplus
// BCE-NEXT: [[M:%[a-zA-Z0-9_]+]] = amp.mul
// BCE-NEXT: amp.sub [[P]], [[M]]
// BCE-NEXT: amp.reduce_mean

amp.variable @seen : tensor<8x3xf32> kind buffer
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x3xf32> {amp.name = "y", amp.role = "output"}) {
  %0 = amp.mul %x, %x : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  amp.write @seen, %x : tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// Classes second, as PyTorch has them for images: transposed to the end.
// CE-LABEL: func.func @loss(
// CE-SAME: tensor<2x4x4xi64> {amp.name = "target"
// CE: amp.transpose %{{.+}} {perm = array<i64: 0, 2, 3, 1>}
// CE: amp.softmax_cross_entropy
// CE-SAME: (tensor<2x4x4x5xf32>, tensor<2x4x4xi64>)

// KEYS-LABEL: func.func @loss(
// KEYS-SAME: tensor<2x5x4xi64> {amp.name = "label"
// KEYS-NOT: transpose
// KEYS: amp.softmax_cross_entropy
func.func @forward(%x: tensor<2x5x4x4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<2x5x4x4xf32> {amp.name = "y", amp.role = "output"}) {
  %0 = amp.exp %x : (tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %0 : tensor<2x5x4x4xf32>
}
