// RUN: amp-opt %s --amp-analyze-ranges -o %t.once 2>%t.remarks
// RUN: FileCheck %s < %t.once
// RUN: amp-opt %t.once --amp-analyze-ranges -o %t.twice 2>/dev/null
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// REMARK: remark: not in f16: RG-weight: initializer 'W' has 2 of 4 elements above 65504 and 1 that become 0; the largest is 1e+06
amp.variable @large : tensor<2x2xf32> kind parameter init dense<[[1.0e6, 1.0e-9], [7.0e4, 1.0]]> : tensor<2x2xf32> {trained, source = "W"}
amp.variable @tiny : tensor<2x2xf32> kind parameter init dense<[[1.0e-7, 1.2e-7], [2.0e-8, 1.0e-8]]> : tensor<2x2xf32> {trained, source = "T"}
amp.variable @plain : tensor<2x2xf32> kind parameter init dense<[[0.5, 1.0e-9], [-0.25, 1.0]]> : tensor<2x2xf32> {trained, source = "P"}
amp.variable @frozen : tensor<2xf32> kind parameter init dense<[3.0, -4.0]> : tensor<2xf32>

// The example of the description.
// CHECK-LABEL: func.func @sum_of_many(
// CHECK: amp.softmax {{.*}}amp.range = [{hi = 1.000000e+00 : f64, lo = 0.000000e+00 : f64, src = "static", why = "softmax"}]
// CHECK: amp.reduce_sum {{.*}}amp.forbid = {f16 = "RG-overflow: |x| <= 131072 > 65504 (sum of 2048 terms in [0, 64])"}, amp.range = [{hi = 1.310720e+05 : f64, lo = 0.000000e+00 : f64, src = "static", why = "sum of 2048 terms in [0, 64]"}]
func.func @sum_of_many(%x: tensor<4x2048xf32>) -> tensor<4xf32> {
  %c = amp.constant dense<64.0> : tensor<f32>
  %0 = amp.softmax %x {acc = f32, axis = 1 : i64} : (tensor<4x2048xf32>) -> tensor<4x2048xf32>
  %1 = amp.mul %0, %c : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4x2048xf32>
  %2 = amp.reduce_sum %1 {acc = f32, axes = array<i64: 1>} : (tensor<4x2048xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Half as many terms fit.
// CHECK-LABEL: func.func @sum_of_few(
// CHECK: amp.reduce_sum
// CHECK-NOT: amp.forbid
// CHECK: return
func.func @sum_of_few(%x: tensor<4x1000xf32>) -> tensor<4xf32> {
  %c = amp.constant dense<64.0> : tensor<f32>
  %0 = amp.softmax %x {acc = f32, axis = 1 : i64} : (tensor<4x1000xf32>) -> tensor<4x1000xf32>
  %1 = amp.mul %0, %c : (tensor<4x1000xf32>, tensor<f32>) -> tensor<4x1000xf32>
  %2 = amp.reduce_sum %1 {acc = f32, axes = array<i64: 1>} : (tensor<4x1000xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Weights are read through what moves them; small elements among large ones
// are no loss, a tensor of nothing else is.
// CHECK-LABEL: func.func @weights(
// CHECK: amp.matmul {{.*}}amp.forbid = {f16 = "RG-weight: initializer 'W' has 2 of 4 {{.*}}, read by operand 1"}
// CHECK: amp.matmul {{.*}}amp.forbid = {f16 = "RG-weight: initializer 'T' has 0 of 4 elements above 65504 and 2 that become 0{{.*}}"}
// CHECK: amp.matmul %{{[^{]*}}{acc = f32}
func.func @weights(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = amp.read @large : tensor<2x2xf32>
  %b = amp.read @tiny : tensor<2x2xf32>
  %c = amp.read @plain : tensor<2x2xf32>
  %t = amp.transpose %a {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = amp.matmul %x, %t {acc = f32} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = amp.matmul %x, %b {acc = f32} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = amp.matmul %x, %c {acc = f32} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// A frozen parameter is a constant, a trained one is anything.
// CHECK-LABEL: func.func @frozen_bounds(
// CHECK: amp.mul {{.*}}lo = -4.000000e+00 : f64
// CHECK: amp.mul %{{[^{]*}} : (tensor<2x2xf32>
func.func @frozen_bounds(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = amp.read @frozen : tensor<2xf32>
  %b = amp.read @plain : tensor<2x2xf32>
  %0 = amp.sigmoid %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = amp.mul %0, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = amp.mul %0, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}

// Whole numbers that fit may be low; those that do not, and what is computed
// from them, may not, until a sine ends it. Truth values are no positions.
// CHECK-LABEL: func.func @whole_numbers(
// CHECK: amp.iota {amp.forbid = {bf16 = "RG-integers: whole numbers up to 999 > 256"}
// CHECK: amp.mul {{.*}}amp.forbid = {bf16 = "RG-integers: computed from whole numbers, up to 99.9", f16 = "RG-integers: computed from whole numbers, up to 99.9"}
// CHECK: amp.sin %{{[^{]*}} {amp.range
// CHECK: amp.cast %{{[^{]*}} {amp.range = [{hi = 1.000000e+00 : f64
func.func @whole_numbers(%m: tensor<1000xi1>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %f = amp.constant dense<0.1> : tensor<f32>
  %p = amp.iota {axis = 0 : i64} : tensor<1000xf32>
  %a = amp.mul %p, %f : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %y = amp.sin %a : (tensor<1000xf32>) -> tensor<1000xf32>
  %c = amp.cast %m : (tensor<1000xi1>) -> tensor<1000xf32>
  return %y, %c : tensor<1000xf32>, tensor<1000xf32>
}

// A mask that is selected into scores which only softmax reads may be clamped;
// where something else reads them it stays and rules the type out.
// CHECK-LABEL: func.func @selected_mask(
// CHECK: amp.select {{.*}} {amp.clamp} :
func.func @selected_mask(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %c = amp.constant dense<-1.0e10> : tensor<f32>
  %0 = amp.select %m, %s, %c : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @selected_number(
// CHECK: amp.select {{.*}}amp.forbid = {f16 = "RG-overflow: |x| <= 1e+10 > 65504
// CHECK-NOT: amp.clamp
func.func @selected_number(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<-1.0e10> : tensor<f32>
  %0 = amp.select %m, %s, %c : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.softmax %0 {acc = f32, axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.relu %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @sentinel_plus_scores(
// CHECK: amp.add {{.*}}f16 = "RG-mask: -65504 plus numbers of unknown size, beyond 65504"
// CHECK: amp.add %{{[^{]*}} : (tensor<4x4xf32>
func.func @sentinel_plus_scores(%s: tensor<4x4xf32>, %m: tensor<4x4xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<-65504.0> : tensor<f32>
  %d = amp.constant dense<-10000.0> : tensor<f32>
  %0 = amp.cast %m : (tensor<4x4xi1>) -> tensor<4x4xf32>
  %1 = amp.mul %0, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = amp.add %s, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = amp.mul %0, %d : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %4 = amp.add %s, %3 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %4 : tensor<4x4xf32>, tensor<4x4xf32>
}

// An epsilon matters where it keeps a divisor from 0, through what scales it.
// CHECK-LABEL: func.func @epsilon(
// CHECK: amp.add {{.*}}f16 = "RG-epsilon: only 1e-08 < 6.10352e-05 keeps a divisor, root or logarithm from 0"
// CHECK: amp.mul {{.*}}f16 = "RG-epsilon
// CHECK: amp.sqrt {{.*}}f16 = "RG-epsilon
// CHECK: amp.div %{{[^{]*}} :
// CHECK: amp.add %{{[^{]*}} :
func.func @epsilon(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = amp.constant dense<1.0e-8> : tensor<f32>
  %h = amp.constant dense<0.5> : tensor<f32>
  %0 = amp.add %x, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.mul %0, %h : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = amp.sqrt %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = amp.div %y, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = amp.add %y, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A logarithm of 1 - p needs p to be finer than the low type has it.
// CHECK-LABEL: func.func @cancellation(
// CHECK: amp.min {{.*}}f16 = "RG-cancellation: a difference in [1.00136e-05, 1] becomes 0 once its operand is rounded"
// CHECK: amp.sub
func.func @cancellation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = amp.constant dense<1.0> : tensor<f32>
  %top = amp.constant dense<0.99999> : tensor<f32>
  %0 = amp.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.min %0, %top : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = amp.sub %one, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = amp.log %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Squares of what is bounded are no danger, and neither is their mean in f16.
// CHECK-LABEL: func.func @small_squares(
// CHECK: amp.mul %{{[^{]*}} {amp.range
// CHECK: amp.reduce_mean %{{.*}}amp.range
// CHECK-NOT: amp.forbid
func.func @small_squares(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = amp.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = amp.mul %0, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = amp.reduce_mean %1 {acc = f32, axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// exp of a product is amplified rounding; of a contraction's result it is what
// attention does.
// CHECK-LABEL: func.func @amplified(
// CHECK: amp.matmul %{{[^{]*}}{acc = f32}
// CHECK: amp.mul {{.*}}RG-amplified: exp amplifies rounding without bound
func.func @amplified(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %k = amp.constant dense<2.77> : tensor<f32>
  %0 = amp.matmul %x, %x {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.exp %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.mul %x, %k : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %3 = amp.exp %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Numbers between 1000 and 1001 are one number in bf16.
// CHECK-LABEL: func.func @close_numbers(
// CHECK: amp.add {{.*}}bf16 = "RG-resolution: values in [1000, 1001] are 0.25 steps apart"
func.func @close_numbers(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %k = amp.constant dense<1000.0> : tensor<f32>
  %0 = amp.sigmoid %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.add %0, %k : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// float64 is not ours to judge.
// CHECK-LABEL: func.func @double(
// CHECK: amp.mul {{.*}}f64
// CHECK-NOT: amp.forbid
// CHECK: return
func.func @double(%x: tensor<4xf64>) -> tensor<4xf64> {
  %k = amp.constant dense<1.0e300> : tensor<f64>
  %0 = amp.mul %x, %k : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
