//===- LinearOps.td - Matrix products ----------------------*- tablegen -*-===//

#ifndef AMP_LINEAR_OPS_TD
#define AMP_LINEAR_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

def Amp_MatmulOp : Amp_SumOp<"matmul", Amp_Precision<"Allow", [2, 3, 4, 5, 6]>,
                             [Pure, AttrSizedOperandSegments]> {
  let summary = "batched matrix product with optional bias";
  let description = [{
    `result[b, m, n] = sum_k lhs[b, m, k] * rhs[b, k, n] + bias[n]`. Operands
    have equal rank >= 2; batch dimensions are equal or 1. With a transpose
    flag the last two dimensions of that operand are exchanged. The sum over k
    is taken in `acc` and rounded once to the type of the result.

    `lhs_scale`, `rhs_scale` dequantise 8-bit operands; `lhs_amax`, `rhs_amax`
    are the amax histories that delayed scaling reads. All are float32 and
    only legal with 8-bit float operands.

    Example:
    `%y = amp.matmul %x, %w {acc = f32, transpose_rhs} :
      (tensor<32x64xbf16>, tensor<96x64xbf16>) -> tensor<32x96xbf16>`
  }];
  let arguments = (ins Amp_FloatTensor:$lhs, Amp_FloatTensor:$rhs,
    Optional<Amp_FloatTensor>:$bias,
    Optional<Amp_FloatTensor>:$lhs_scale, Optional<Amp_FloatTensor>:$rhs_scale,
    Optional<Amp_FloatTensor>:$lhs_amax, Optional<Amp_FloatTensor>:$rhs_amax,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`bias` $bias^)?
    (`scale` `(` $lhs_scale^ `,` $rhs_scale `)`)?
    (`amax` `(` $lhs_amax^ `,` $rhs_amax `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let grouping = [{
    bool wideOperand(unsigned index) {
      // Segments of size 0 shift the flat numbers.
      for (int group = 0; group < 7; ++group) {
        auto range = getODSOperandIndexAndLength(group);
        if (index < range.first + range.second)
          return wideOperandGroup(group);
      }
      return false;
    }
    static bool wideResult(unsigned index) { return wideResultGroup(index); }
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs,
      "::mlir::Value":$rhs, CArg<"bool", "false">:$transposeLhs,
      CArg<"bool", "false">:$transposeRhs,
      CArg<"::mlir::Value", "{}">:$bias), [{
    build($_builder, $_state, result, lhs, rhs, bias, {}, {}, {}, {},
          transposeLhs ? $_builder.getUnitAttr() : nullptr,
          transposeRhs ? $_builder.getUnitAttr() : nullptr,
          ::mlir::TypeAttr::get($_builder.getF32Type()));
  }]>];
  let hasVerifier = 1;
}

#endif // AMP_LINEAR_OPS_TD
