// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @unary_ops
func.func @unary_ops(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: amp.neg %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = amp.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.abs
  %1 = amp.abs %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.sign
  %2 = amp.sign %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.floor
  %3 = amp.floor %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.ceil
  %4 = amp.ceil %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.round
  %5 = amp.round %4 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.exp
  %6 = amp.exp %5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.expm1
  %7 = amp.expm1 %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.log
  %8 = amp.log %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.log1p
  %9 = amp.log1p %8 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.sqrt
  %10 = amp.sqrt %9 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.rsqrt
  %11 = amp.rsqrt %10 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.reciprocal
  %12 = amp.reciprocal %11 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.tanh
  %13 = amp.tanh %12 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.sigmoid
  %14 = amp.sigmoid %13 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.softplus
  %15 = amp.softplus %14 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.erf
  %16 = amp.erf %15 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.sin
  %17 = amp.sin %16 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.cos
  %18 = amp.cos %17 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.relu %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = amp.relu %18 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %19 : tensor<2x3xf32>
}

// CHECK-LABEL: @binary_ops_broadcast
func.func @binary_ops_broadcast(%x: tensor<2x3xf32>, %y: tensor<3xf32>)
    -> tensor<2x3xf32> {
  // CHECK: amp.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = amp.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.sub
  %1 = amp.sub %0, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.mul
  %2 = amp.mul %1, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.div
  %3 = amp.div %2, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.max
  %4 = amp.max %3, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.min
  %5 = amp.min %4, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.pow
  %6 = amp.pow %5, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.mod
  %7 = amp.mod %6, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: amp.fmod
  %8 = amp.fmod %7, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %8 : tensor<2x3xf32>
}

// CHECK-LABEL: @float_storage_types_mix
func.func @float_storage_types_mix(%x: tensor<4xbf16>, %y: tensor<4xf32>)
    -> tensor<4xf16> {
  // CHECK: amp.add %{{.*}}, %{{.*}} : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf16>
  %0 = amp.add %x, %y : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @logic_and_comparison
func.func @logic_and_comparison(%x: tensor<4xf32>, %y: tensor<4xf32>)
    -> tensor<4xf32> {
  // CHECK: amp.compare %{{.*}}, %{{.*}} {predicate = #amp<predicate lt>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = amp.compare %x, %y {predicate = #amp<predicate lt>}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: amp.is_nan
  %1 = amp.is_nan %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: amp.and
  %2 = amp.and %0, %1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: amp.or
  %3 = amp.or %2, %1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: amp.xor
  %4 = amp.xor %3, %1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: amp.not
  %5 = amp.not %4 : (tensor<4xi1>) -> tensor<4xi1>
  // CHECK: amp.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = amp.select %5, %x, %y
    : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// CHECK-LABEL: @all_predicates
func.func @all_predicates(%x: tensor<4xi64>, %y: tensor<i64>) {
  // CHECK: #amp<predicate eq>
  amp.compare %x, %y {predicate = #amp<predicate eq>}
    : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  // CHECK: #amp<predicate ne>
  amp.compare %x, %y {predicate = #amp<predicate ne>}
    : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  // CHECK: #amp<predicate le>
  amp.compare %x, %y {predicate = #amp<predicate le>}
    : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  // CHECK: #amp<predicate gt>
  amp.compare %x, %y {predicate = #amp<predicate gt>}
    : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  // CHECK: #amp<predicate ge>
  amp.compare %x, %y {predicate = #amp<predicate ge>}
    : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: @activation_gradients
func.func @activation_gradients(%dy: tensor<4xf32>, %x: tensor<4xf32>)
    -> tensor<4xf32> {
  // CHECK: amp.gelu %{{.*}} {form = #amp<gelu_form erf>}
  %0 = amp.gelu %x {form = #amp<gelu_form erf>}
    : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: amp.gelu_grad %{{.*}}, %{{.*}} {form = #amp<gelu_form tanh>}
  %1 = amp.gelu_grad %dy, %0 {form = #amp<gelu_form tanh>}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: amp.relu_grad
  %2 = amp.relu_grad %1, %x
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: amp.fan_in_sum %{{.*}}, %{{.*}}, %{{.*}} {acc = f32}
  %3 = amp.fan_in_sum %0, %1, %2 {acc = f32}
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: @constants_and_iota
func.func @constants_and_iota() {
  // CHECK: amp.constant dense<1.000000e+00> : tensor<f32>
  %0 = amp.constant dense<1.0> : tensor<f32>
  // CHECK: amp.constant dense_resource<table> : tensor<2xf32>
  %1 = amp.constant dense_resource<table> : tensor<2xf32>
  // CHECK: amp.iota {axis = 1 : i64} : tensor<2x3xi64>
  %2 = amp.iota {axis = 1 : i64} : tensor<2x3xi64>
  return
}

{-#
  dialect_resources: {
    builtin: {
      table: "0x040000000000803F00000040"
    }
  }
#-}
