// RUN: not amp-opt %s --amp-attach-loss="loss=hinge" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not amp-opt %s --amp-attach-loss="loss=" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,hue=3" 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not amp-opt %s --amp-attach-loss="loss=mse" 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output=w" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not amp-opt %s --amp-attach-loss="loss=softmax_cross_entropy,output=y,class_axis=2" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output=n" 2>&1 | FileCheck %s --check-prefix=INTS
// RUN: not amp-opt %s --amp-attach-loss="loss=graph_output" 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not amp-opt %s --amp-attach-loss="loss=graph_output,output=y" 2>&1 | FileCheck %s --check-prefix=REDUCTION
// RUN: not amp-opt %s --amp-attach-loss="loss=mse,output=y,target=x" 2>&1 | FileCheck %s --check-prefix=TARGET

// KIND: error: unknown loss 'hinge', expected one of softmax_cross_entropy, mse, l1, smooth_l1, bce_with_logits, graph_output
// NONE: error: unknown loss '', expected one of
// KEY: error: unknown key 'hue' of the loss mse, known are output, target, target_value, reduction, weight
// TEXT: error: in the loss 'mse,output': expected key=value, got 'output'
// SEVERAL: error: the loss mse needs output=NAME; possible outputs of the model are: y, z
// OUTPUT: error: the loss names output 'w', but the model's outputs are: y, z, n
// AXIS: error: class_axis is 2, but the output of the loss has the type 'tensor<4x3xf32>'
// INTS: error: output 'n' of the loss has the type 'tensor<4xi64>', expected floats
// SCALAR: error: the loss graph_output needs an output that is a float scalar (or output=NAME and reduction=mean|sum); the outputs of the model are:
// REDUCTION: error: output 'y' of type 'tensor<4x3xf32>' is not a scalar; name one that is, or give reduction=mean or reduction=sum
// TARGET: error: input 'x' cannot be the target of the loss: it has the type 'tensor<4x4xf32>', expected 'tensor<4x3xf32>'; target=NAME names another
func.func @forward(%x: tensor<4x4xf32> {amp.name = "x", amp.role = "input"},
                   %w: tensor<4x3xf32> {amp.name = "w", amp.role = "input"})
    -> (tensor<4x3xf32> {amp.name = "y", amp.role = "output"},
        tensor<4x3xf32> {amp.name = "z", amp.role = "output"},
        tensor<4xi64> {amp.name = "n", amp.role = "output"}) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = amp.arg_max %0 {axis = 1 : i64} : (tensor<4x3xf32>) -> tensor<4xi64>
  return %0, %w, %1 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xi64>
}
