// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @gradient
func.func @gradient(%x: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: %[[DX:.*]]:2 = amp.gradient(%{{.*}}, %{{.*}}) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<3xf32>, %[[B:.*]]: tensor<3xf32>):
  // CHECK-NEXT: %[[Y:.*]] = amp.mul %[[A]], %[[B]]
  // CHECK: amp.yield %{{.*}} : tensor<3xf32>
  %dx:2 = amp.gradient(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %0 = amp.mul %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %y = amp.mul %0, %z : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    amp.yield %y : tensor<3xf32>
  }
  return %dx#0 : tensor<3xf32>
}
