// RUN: not amp-opt %s --amp-assign-precision="precision=fp8" 2>&1 | FileCheck %s
// RUN: not amp-opt %s --amp-assign-precision="precision=" 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: error: unknown precision 'fp8', expected fp32, bf16, fp16 or tf32
// EMPTY: error: unknown precision '', expected fp32, bf16, fp16 or tf32
func.func @nothing() {
  return
}
