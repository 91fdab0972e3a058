//===- Passes.td - Passes that prepare kernels -------------*- tablegen -*-===//

#ifndef AMP_TRANSFORMS_FUSION_PASSES
#define AMP_TRANSFORMS_FUSION_PASSES

include "mlir/Pass/PassBase.td"

def DecomposePass : Pass<"amp-decompose", "::mlir::func::FuncOp"> {
  let summary = "Write attention and reversals as ops with a launch";
  let description = [{
    `amp.attention` and its gradient become the matrix products and row kernels
    that are launched, in the types that the precision stage gave their operands
    and results: scores have the type of the operands (float32 if that is
    float16, which products not yet scaled may leave), and the scale and the
    mask are applied in float32 beside the softmax. Results that nothing reads
    are not computed. A slice with a negative step becomes a gather of places in
    that order. A function without such ops is left alone.

    ```mlir
    // before
    %y, %p = amp.attention %q, %k, %v {scale = 0.25 : f64, acc = f32} : ...
    // after
    %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : ...
    %1 = amp.mul %0, %scale : ...
    %p = amp.softmax %1 {axis = 3 : i64, acc = f32} : ...
    %y = amp.matmul %p, %v {acc = f32} : ...
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def AssignLayoutPass : Pass<"amp-assign-layout", "::mlir::func::FuncOp"> {
  let summary = "Store activations of convolutions channels-last";
  let description = [{
    Values that convolutions, poolings, batch norms and the elementwise ops
    between them exchange get the encoding `#amp.channels_last`; where such a
    value meets an op that reads row-major memory, an `amp.relayout` is put.
    Bits do not change. A function without such ops is left alone.

    ```mlir
    // before
    %y = amp.conv %x, %w {...} : (tensor<8x3x32x32xf32>, ...) -> tensor<8x16x32x32xf32>
    // after
    %0 = amp.relayout %x : ... -> tensor<8x3x32x32xf32, #amp.channels_last>
    %y = amp.conv %0, %w {...} : ... -> tensor<8x16x32x32xf32, #amp.channels_last>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def SimplifyGradientsPass
    : Pass<"amp-simplify-gradients", "::mlir::func::FuncOp"> {
  let summary = "Join gradient pieces that autodiff left apart";
  let description = [{
    Pads in a sum whose ranges join become a concat (the gradient of a split or
    of what iterations of a loop cut out), padded at its ends where nothing was
    cut out; pads of one range are added before. What a branch on data reads
    (`amp.branch_input`) is the value itself. A broadcast that feeds an elementwise op or the
    mask of attention is dropped where the op broadcasts by itself, and a
    constant there that repeats is stored once; the addition of a bias to the
    only use of a matrix product or convolution becomes its bias operand.

    ```mlir
    // before
    %0 = amp.pad %a {low = array<i64: 0>, high = array<i64: 4>, ...}
    %1 = amp.pad %b {low = array<i64: 4>, high = array<i64: 0>, ...}
    %2 = amp.fan_in_sum %0, %1 {acc = f32}
    // after
    %2 = amp.concat %a, %b {axis = 0 : i64}
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def ComposeViewsPass : Pass<"amp-compose-views", "::mlir::func::FuncOp"> {
  let summary = "Make one copy of each chain of slices and transposes";
  let description = [{
    A chain of slice, transpose, broadcast and reshape ops becomes one
    `amp.strided_copy` of its source, or a matrix product's transpose flag
    where that is all the chain does. A reshape of dense memory stays a
    reshape: it moves nothing.

    ```mlir
    // before
    %0 = amp.slice %x ...
    %1 = amp.reshape %0 ...
    %2 = amp.transpose %1 {perm = array<i64: 0, 2, 1, 3>} ...
    // after
    %2 = amp.strided_copy %x {offset = 48 : i64, strides = array<i64: ...>} ...
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def SeedRegionsPass : Pass<"amp-seed-regions", "::mlir::func::FuncOp"> {
  let summary = "Turn fusable ops into regions of one op";
  let description = [{
    Every elementwise op, norm, softmax, loss, dropout and row or column
    reduction becomes an `amp.region` of elementwise ops and reductions over
    the innermost dimensions, in physical shapes. What is not fusable stays.

    ```mlir
    // before
    %y = amp.softmax %x {axis = 1 : i64, acc = f32} : ...
    // after
    %y = amp.region(%x) : (tensor<8x64xf32>) -> tensor<8x64xf32> {
    ^bb0(%a: tensor<8x64xf32>):
      %m = amp.reduce_max %a {axes = array<i64: 1>, keepdims, acc = f32} : ...
      ...
      amp.yield %r : tensor<8x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def FormRegionsPass : Pass<"amp-form-regions", "::mlir::func::FuncOp"> {
  let summary = "Merge regions that can share a kernel";
  let description = [{
    Regions with one domain are merged where one feeds the other or both read
    the same tensor, if no op between them forbids it. Values inside a region
    stay in registers, so rounding happens only where a value is stored.

    ```mlir
    // before
    %0 = amp.region(%a) ... { exp }
    %1 = amp.region(%0, %b) ... { mul }
    // after
    %1 = amp.region(%a, %b) ... { exp, mul }
    ```

    In a module with `amp.unfused` nothing is merged. In one with
    `amp.strict_rounding` two regions are not, where the rows that one reduces
    would fall into pieces: its sums keep their order.
  }];
  let options = [
    Option<"maxOps", "max-ops", "unsigned", /*default=*/"96",
           "Largest number of ops in a region">,
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"24",
           "Largest number of inputs and outputs of a region">,
  ];
  let dependentDialects = ["::amp::AmpDialect"];
}

def FuseCastsPass : Pass<"amp-fuse-casts", "::mlir::func::FuncOp"> {
  let summary = "Let the launches beside a cast do it";
  let description = [{
    A region that only casts goes into the op that makes its operand, where
    nothing else reads that and the routine writes any type (gathers,
    reductions, copies, products); or else into the copy that is the only
    reader. The value is rounded once, as before.

    ```mlir
    // before
    %0 = amp.gather %table, %i {axis = 0 : i64} : ... -> tensor<32x16xf32>
    %1 = amp.region(%0) ... { cast } -> tensor<32x16xbf16>
    // after
    %1 = amp.gather %table, %i {axis = 0 : i64} : ... -> tensor<32x16xbf16>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def TrackSourcesPass : Pass<"amp-track-sources", "::mlir::func::FuncOp"> {
  let summary = "Move the numbers of ops into their locations";
  let description = [{
    From here on ops are taken apart, merged and shared; what they came from
    travels in the location (`amp.source` is the key of amp-number-ops,
    `amp.result` the number of the result, -1 for a step on the way), so that
    equal pieces of different ops stay equal. amp-seed-regions marks the pieces
    that compute the results; amp-to-schedule hands the marks to the launches.

    ```mlir
    // before
    %0 = amp.exp %x {amp.id = 0 : i64} : ... loc("Exp_0")
    // after
    %0 = amp.exp %x : ... loc(fused<{amp.result = 0 : i64,
      amp.source = "Exp_0|exp|forward|0"}>["Exp_0"])
    ```
  }];
}

#endif // AMP_TRANSFORMS_FUSION_PASSES
