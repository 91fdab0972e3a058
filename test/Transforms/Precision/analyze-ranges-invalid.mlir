// RUN: not amp-opt %s --amp-analyze-ranges="headroom=0.5" 2>&1 | FileCheck %s
// RUN: not amp-opt %s --amp-analyze-ranges="gradient-scale=0" 2>&1 | FileCheck %s
// RUN: not amp-opt %s --amp-analyze-ranges="most-lost=-1" 2>&1 | FileCheck %s

// CHECK: error: headroom must be at least 1, gradient-scale above 0 and most-lost at least 0
func.func @nothing() {
  return
}
