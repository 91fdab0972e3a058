// RUN: amp-opt %s --amp-clamp-sentinels -o %t.once 2>%t.remarks
// RUN: FileCheck %s < %t.once
// RUN: amp-opt %t.once --amp-clamp-sentinels | diff %t.once -
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// REMARK: remark: mask sentinel -3.40282e+38 becomes -65504, the lowest finite f16
// CHECK-LABEL: func.func @stored_f16(
// CHECK: %[[C:.+]] = amp.constant dense<-6.550400e+04> : tensor<f32>
// CHECK: amp.select %{{.+}}, %[[C]], %{{.+}} {amp.clamped = "mask sentinel -3.40282e+38 becomes -65504, the lowest finite f16", amp.decision
func.func @stored_f16(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %c = amp.constant dense<-3.4028235e38> : tensor<f32>
  %0 = amp.select %m, %c, %s {amp.clamp, amp.decision = {compute = f32, rule = "x", storage = [f16]}} : (tensor<4x4xi1>, tensor<f32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.softmax %0 {acc = f32, axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// What is moved from the scores counts, too; 1e10 fits bf16.
// CHECK-LABEL: func.func @moved_bf16(
// CHECK: %[[C:.+]] = amp.constant dense<-3.3895313{{.*}}E+38> : tensor<f32>
// CHECK: amp.select %{{.+}}, %{{.+}}, %[[C]] {amp.clamped = "{{.*}} the lowest finite bf16", amp.decision
// CHECK: %[[D:.+]] = amp.constant dense<-1.000000e+10>
// CHECK: amp.select %{{.+}}, %{{.+}}, %[[D]] {amp.decision
func.func @moved_bf16(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<-3.4028235e38> : tensor<f32>
  %0 = amp.select %m, %s, %c {amp.clamp, amp.decision = {compute = f32, rule = "x", storage = [f32]}} : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>, amp.decision = {compute = f32, rule = "x", storage = [bf16]}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = amp.constant dense<-1.0e10> : tensor<f32>
  %3 = amp.select %m, %s, %d {amp.clamp, amp.decision = {compute = f32, rule = "x", storage = [bf16]}} : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// In float32 it stays, and so does a number that is no mask.
// CHECK-LABEL: func.func @wide(
// CHECK: %[[C:.+]] = amp.constant dense<-3.40282347E+38>
// CHECK: amp.select %{{.+}}, %[[C]], %{{.+}} {amp.decision
// CHECK: amp.select %{{.+}}, %[[C]], %{{.+}} {amp.decision
func.func @wide(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<-3.4028235e38> : tensor<f32>
  %0 = amp.select %m, %c, %s {amp.clamp, amp.decision = {compute = f32, rule = "x", storage = [f32]}} : (tensor<4x4xi1>, tensor<f32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.select %m, %c, %s {amp.decision = {compute = f32, rule = "x", storage = [f16]}} : (tensor<4x4xi1>, tensor<f32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
