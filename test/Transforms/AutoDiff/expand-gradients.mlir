// RUN: amp-opt %s --amp-expand-gradients | FileCheck %s
// RUN: amp-opt %s --amp-expand-gradients | amp-opt --amp-expand-gradients | FileCheck %s

// The product that the function has already is not computed again, and the
// gradient is called after the node that asks for it.
// CHECK-LABEL: @shared
// CHECK: %[[P:.*]] = amp.matmul %[[X:.*]], %[[W:.*]] {acc = f32
// CHECK-NOT: amp.matmul %[[X]], %[[W]]
// CHECK: amp.exp %[[P]]
// CHECK: amp.matmul
// CHECK-NOT: amp.gradient
func.func @shared(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %p = amp.matmul %x, %w {acc = f32} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %y = amp.exp %p : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %dx = amp.gradient(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%a: tensor<2x3xf32>):
    %0 = amp.matmul %a, %w {acc = f32} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = amp.exp %0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield %1 : tensor<2x2xf32>
  }
  return %y, %dx : tensor<2x2xf32>, tensor<2x3xf32>
}

// One value as two variables: the gradient for each is the other's value, not
// that of a square.
// CHECK-LABEL: @apart
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
// CHECK: %[[ONE:.*]] = amp.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK: %[[D:.*]] = amp.mul %[[ONE]], %[[X]] : (
// CHECK: return %[[D]], %[[D]]
func.func @apart(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %dx:2 = amp.gradient(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %y = amp.mul %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    amp.yield %y : tensor<3xf32>
  }
  return %dx#0, %dx#1 : tensor<3xf32>, tensor<3xf32>
}

// What is not smooth has the gradient zero, and y itself has the gradient one.
// CHECK-LABEL: @flat
// CHECK-DAG: %[[ZERO:.*]] = amp.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-DAG: %[[ONE:.*]] = amp.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK: return %[[ZERO]], %[[ONE]]
func.func @flat(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %y = amp.floor %a : (tensor<3xf32>) -> tensor<3xf32>
    amp.yield %y : tensor<3xf32>
  }
  %dy = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    amp.yield %a : tensor<3xf32>
  }
  return %dx, %dy : tensor<3xf32>, tensor<3xf32>
}

// The second derivative of x^2: the first is 2x, and the inner op is expanded
// before the outer one.
// CHECK-LABEL: @second
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
// CHECK: %[[TWO:.*]] = amp.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NOT: amp.gradient
func.func @second(%x: tensor<3xf32>) -> tensor<3xf32> {
  %d2x = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %dx = amp.gradient(%a) : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%b: tensor<3xf32>):
      %y = amp.mul %b, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      amp.yield %y : tensor<3xf32>
    }
    amp.yield %dx : tensor<3xf32>
  }
  return %d2x : tensor<3xf32>
}

// 16 bits are summed in float32 and given back in the type of the argument;
// float64 stays float64.
// CHECK-LABEL: @types
// CHECK: amp.reduce_sum {{.*}}acc = f32{{.*}} -> tensor<3xf32>
// CHECK: amp.cast %{{.*}} : (tensor<3xf32>) -> tensor<3xf16>
// CHECK: amp.reduce_sum {{.*}}acc = f64{{.*}} -> tensor<3xf64>
func.func @types(%x: tensor<3xf16>, %z: tensor<2x3xf16>, %u: tensor<3xf64>, %v: tensor<2x3xf64>)
    -> (tensor<3xf16>, tensor<3xf64>) {
  %dx = amp.gradient(%x) : (tensor<3xf16>) -> tensor<3xf16> {
  ^bb0(%a: tensor<3xf16>):
    %y = amp.mul %a, %z : (tensor<3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
    amp.yield %y : tensor<2x3xf16>
  }
  %du = amp.gradient(%u) : (tensor<3xf64>) -> tensor<3xf64> {
  ^bb0(%a: tensor<3xf64>):
    %y = amp.mul %a, %v : (tensor<3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    amp.yield %y : tensor<2x3xf64>
  }
  return %dx, %du : tensor<3xf16>, tensor<3xf64>
}
