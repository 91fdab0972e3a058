// RUN: split-file %s %t
// RUN: not amp-opt %t/class.mlir --amp-assign-precision="precision=fp16" 2>&1 | FileCheck %s --check-prefix=CLASS
// RUN: not amp-opt %t/forbid.mlir --amp-assign-precision="precision=fp16" 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: not amp-opt %t/traffic.mlir --amp-assign-precision="precision=fp16" 2>&1 | FileCheck %s --check-prefix=TRAFFIC
// RUN: not amp-opt %t/storage.mlir --amp-insert-casts 2>&1 | FileCheck %s --check-prefix=STORAGE
// RUN: not amp-opt %t/storage.mlir --amp-clamp-sentinels 2>&1 | FileCheck %s --check-prefix=STORAGE
// RUN: not amp-opt %t/storage.mlir --amp-verify-precision 2>&1 | FileCheck %s --check-prefix=STORAGE
// RUN: not amp-opt %t/many.mlir --amp-insert-casts 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not amp-opt %t/compute.mlir --amp-insert-casts 2>&1 | FileCheck %s --check-prefix=COMPUTE
// RUN: not amp-opt %t/range.mlir --amp-verify-precision 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not amp-opt %t/module.mlir --amp-insert-casts 2>&1 | FileCheck %s --check-prefix=MODULE

//--- class.mlir
// CLASS: error: 'amp.relu' op has amp.policy = {class = "lowish"}, expected one of the classes as class
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.policy = {class = "lowish"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- forbid.mlir
// FORBID: error: 'amp.relu' op has amp.forbid = {f16 = 1 : i64}, expected a reason in words for each type
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.forbid = {f16 = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- traffic.mlir
// TRAFFIC: error: 'amp.relu' op has amp.traffic = {{.+}}, expected 1 numbers of elements as stores
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.traffic = {inner = 0 : i64, loads = array<i64: 4>, stores = array<i64: -4>}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- storage.mlir
// STORAGE: error: 'amp.relu' op has amp.decision = {compute = f32, storage = ["f16"]}, expected float types of float results
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.decision = {compute = f32, storage = ["f16"]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- many.mlir
// MANY: error: 'amp.relu' op has amp.decision = {compute = f32, storage = [f16, f16]}, expected a type for each result as storage
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.decision = {compute = f32, storage = [f16, f16]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- compute.mlir
// COMPUTE: error: 'amp.relu' op has amp.decision = {compute = index, storage = [f16]}, expected a float type as compute
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.decision = {compute = index, storage = [f16]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- range.mlir
// RANGE: error: 'amp.relu' op has amp.range = {}, expected a list
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.relu %x {amp.range = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- module.mlir
// MODULE: error: amp.precision = i8, expected a float type
module attributes {amp.precision = i8} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
