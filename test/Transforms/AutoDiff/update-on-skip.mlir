// RUN: amp-opt %s --amp-update-on-skip=variables=buffers --amp-verify-gradients | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: amp-opt %s --amp-update-on-skip=variables=bn.*mean --amp-verify-gradients | FileCheck %s --check-prefixes=CHECK,MEAN
// RUN: amp-opt %s --amp-update-on-skip --amp-verify-gradients | FileCheck %s --check-prefix=NONE

// ALL-DAG: amp.variable @mean : tensor<3xf32> kind buffer {amp.update_on_skip, source = "bn.running_mean"}
// ALL-DAG: amp.variable @var : tensor<3xf32> kind buffer {amp.update_on_skip, source = "bn.running_var"}
// MEAN-DAG: amp.variable @mean : tensor<3xf32> kind buffer {amp.update_on_skip,
// MEAN-DAG: amp.variable @var : tensor<3xf32> kind buffer {source
amp.variable @mean : tensor<3xf32> kind buffer {source = "bn.running_mean"}
amp.variable @var : tensor<3xf32> kind buffer {source = "bn.running_var"}
amp.variable @moment : tensor<3xf32> kind moment
amp.variable @amp.micro_batch : tensor<i64> kind counter

// CHECK-LABEL: func.func @train_step
// CHECK-SAME: ([[G:%[a-z0-9]+]]: tensor<3xf32>, [[M:%[a-z0-9]+]]: tensor<3xf32>, [[V:%[a-z0-9]+]]: tensor<3xf32>,
// MEAN: [[S:%[0-9]+]] = amp.select %{{.+}}, [[V]], %{{.+}}
// CHECK: amp.write @mean, [[M]]
// ALL: amp.write @var, [[V]]
// MEAN: amp.write @var, [[S]]
// NONE-LABEL: func.func @train_step
// NONE: amp.select
// NONE: amp.select
func.func @train_step(%g: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %s: tensor<f32>) {
  %0 = amp.read @mean : tensor<3xf32>
  %1 = amp.read @var : tensor<3xf32>
  %finite, %norm = amp.check_gradients (%g) scale %s {acc = f32} : (tensor<3xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %2 = amp.select %finite, %m, %0 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = amp.select %finite, %v, %1 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  amp.write @mean, %2 : tensor<3xf32>
  amp.write @var, %3 : tensor<3xf32>
  return
}

// The rest of a condition stays: without a micro-batch there is nothing new.
// CHECK-LABEL: func.func @apply
// CHECK-SAME: ([[G:%[a-z0-9]+]]: tensor<3xf32>, [[P:%[a-z0-9]+]]: tensor<3xf32>, [[ANY:%[a-z0-9]+]]: tensor<i1>,
// CHECK: [[OLD:%[0-9]+]] = amp.read @mean
// CHECK: [[S:%[0-9]+]] = amp.select [[ANY]], [[P]], [[OLD]]
// CHECK: amp.write @mean, [[S]]
func.func @apply(%g: tensor<3xf32>, %p: tensor<3xf32>, %any: tensor<i1>, %s: tensor<f32>) {
  %0 = amp.read @mean : tensor<3xf32>
  %finite, %norm = amp.check_gradients (%g) scale %s {acc = f32} : (tensor<3xf32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  %1 = amp.and %finite, %any : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = amp.select %1, %p, %0 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  amp.write @mean, %2 : tensor<3xf32>
  return
}
