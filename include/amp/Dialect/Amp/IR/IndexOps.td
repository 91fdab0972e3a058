//===- IndexOps.td - Gather and its gradient ---------------*- tablegen -*-===//

#ifndef AMP_INDEX_OPS_TD
#define AMP_INDEX_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

def Amp_GatherOp : Amp_Op<"gather", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "slices of data along axis, chosen by indices";
  let description = [{
    Result shape: `data[:axis] + indices.shape + data[axis+1:]`. Negative
    indices count from the end.
  }];
  let arguments = (ins Amp_Tensor:$data, Amp_IntTensor:$indices, I64Attr:$axis);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Amp_GatherGradOp
    : Amp_SumOp<"gather_grad", Amp_Precision<"Transparent", [], [0]>, [Pure]> {
  let summary = "adds the slices of dy to the places gather read";
  let description = [{
    The result has the shape of `data` and is summed in `acc`, in ascending
    order of position, so equal inputs give equal bits.
  }];
  let arguments = (ins Amp_FloatTensor:$dy, Amp_IntTensor:$indices,
                       I64Attr:$axis, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_INDEX_OPS_TD
