// RUN: amp-opt %s -split-input-file --amp-raise-patterns | FileCheck %s

// CHECK-LABEL: func @tanh_form
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK: %[[Y:.*]] = amp.gelu %[[X]] {form = #amp<gelu_form tanh>}
// CHECK-NOT: amp.tanh
// CHECK: return %[[Y]]
func.func @tanh_form(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = amp.constant dense<0.5> : tensor<f32>
  %three = amp.constant dense<3.0> : tensor<f32>
  %cubic = amp.constant dense<0.044715> : tensor<f32>
  %scale = amp.constant dense<0.7978845608> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.mul %x, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = amp.pow %x, %three : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = amp.mul %1, %cubic : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = amp.add %x, %2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = amp.mul %3, %scale : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %5 = amp.tanh %4 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = amp.add %5, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %7 = amp.mul %0, %6 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// The cube as products, the factors in another order.
// CHECK-LABEL: func @tanh_products
// CHECK: amp.gelu %{{.*}} {form = #amp<gelu_form tanh>}
// CHECK-NOT: amp.mul
func.func @tanh_products(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = amp.constant dense<0.5> : tensor<f32>
  %cubic = amp.constant dense<0.044715> : tensor<f32>
  %scale = amp.constant dense<0.7978845608> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.mul %0, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.mul %cubic, %1 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = amp.add %2, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = amp.mul %scale, %3 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = amp.tanh %4 : (tensor<8xf32>) -> tensor<8xf32>
  %6 = amp.add %one, %5 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = amp.mul %half, %6 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %8 = amp.mul %7, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %8 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @erf_form
// CHECK: amp.gelu %{{.*}} {form = #amp<gelu_form erf>}
// CHECK-NOT: amp.erf
func.func @erf_form(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = amp.constant dense<0.5> : tensor<f32>
  %sqrt2 = amp.constant dense<1.41421354> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.div %x, %sqrt2 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = amp.erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = amp.mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = amp.mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// Another constant is another function.
// CHECK-LABEL: func @other_constant
// CHECK-NOT: amp.gelu
// CHECK: amp.erf
func.func @other_constant(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = amp.constant dense<0.5> : tensor<f32>
  %almost = amp.constant dense<1.4142> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.div %x, %almost : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = amp.erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = amp.mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = amp.mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// The inner value is read elsewhere.
// CHECK-LABEL: func @second_use
// CHECK-NOT: amp.gelu
func.func @second_use(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = amp.constant dense<0.5> : tensor<f32>
  %sqrt2 = amp.constant dense<1.41421354> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.div %x, %sqrt2 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = amp.erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = amp.mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = amp.mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The factor is another value than the one in erf.
// CHECK-LABEL: func @two_values
// CHECK-NOT: amp.gelu
func.func @two_values(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = amp.constant dense<0.5> : tensor<f32>
  %sqrt2 = amp.constant dense<1.41421354> : tensor<f32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.div %x, %sqrt2 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = amp.erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = amp.add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = amp.mul %y, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = amp.mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
