//===- RandomOps.td - Random numbers -----------------------*- tablegen -*-===//

#ifndef AMP_RANDOM_OPS_TD
#define AMP_RANDOM_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

def Amp_DropoutOp : Amp_Op<"dropout", Amp_Precision<"Follow">, [Pure]> {
  let summary = "zeroes elements with probability ratio, scales the rest";
  let description = [{
    Element i (row-major) is kept if its 16-bit draw is >= round(ratio * 2^16);
    a kept one is divided by 1 - ratio. Draws are Philox 4x32-7 (Salmon et al.
    2011) words: counter = (i / 8, iteration), key = (seed, node); draw i % 8 is
    a half of the four words, low half first. `rng` = {seed, enabled}: with
    enabled = 0 the op is the identity. Linear in x with the same mask, so
    backward is the same op on dy.
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_IntTensor:$rng,
                       Amp_IntTensor:$iteration, F64Attr:$ratio, I64Attr:$node);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_RANDOM_OPS_TD
