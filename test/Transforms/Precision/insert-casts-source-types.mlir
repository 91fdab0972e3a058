// RUN: amp-opt %s --amp-assign-precision="precision=fp16" --amp-insert-casts | FileCheck %s

// A source model of 16 bits keeps its types where values leave a function or
// go into a variable; only what wants float32 in between gets a cast.
amp.variable @mean : tensor<4xf16> kind buffer init dense<0.0> : tensor<f16>

// CHECK-LABEL: func.func @borders_keep_the_types_of_the_model
func.func @borders_keep_the_types_of_the_model(%x: tensor<4xf16>, %y: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>) {
  // CHECK-NOT: amp.cast
  // CHECK: %[[R:.*]] = amp.relu {{.*}}amp.decision
  %r = amp.relu %x : (tensor<4xf16>) -> tensor<4xf16>
  // CHECK: amp.write @mean, %[[R]] : tensor<4xf16>
  amp.write @mean, %r : tensor<4xf16>
  // CHECK-NEXT: return %[[R]], %{{.*}} : tensor<4xf16>, tensor<4xf32>
  return %r, %y : tensor<4xf16>, tensor<4xf32>
}
