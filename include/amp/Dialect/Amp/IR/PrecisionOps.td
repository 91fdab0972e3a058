//===- PrecisionOps.td - Casts -----------------------------*- tablegen -*-===//

#ifndef AMP_PRECISION_OPS_TD
#define AMP_PRECISION_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

def Amp_CastOp : Amp_Op<"cast", Amp_Precision<"Transparent">,
                        [Pure, Amp_Broadcasting]> {
  let summary = "converts elements to another type";
  let description = [{
    Round to nearest even; a float becomes an integer by truncation, i1 by
    `!= 0`. A cast marked `user` was in the source model: it is a barrier,
    rounds even inside a fused kernel, and is never merged with another.
  }];
  let arguments = (ins Amp_Tensor:$x, UnitAttr:$user);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_PRECISION_OPS_TD
