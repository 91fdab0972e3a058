//===- ReduceOps.td - Reductions ---------------------------*- tablegen -*-===//

#ifndef AMP_REDUCE_OPS_TD
#define AMP_REDUCE_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

class Amp_ReduceOp<string mnemonic, string text, Amp_Precision precision>
    : Amp_SumOp<mnemonic, precision, [Pure]> {
  let summary = text;
  let description = [{
    Over `axes` (non-negative, rising). With `keepdims` a reduced dimension
    stays as 1. An empty set reduces to the neutral element (mean: NaN). For
    integers `acc` is an integer type too.
  }];
  let arguments = (ins Amp_Tensor:$x, DenseI64ArrayAttr:$axes,
                       UnitAttr:$keepdims, TypeAttr:$acc);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Amp_ReduceSumOp
    : Amp_ReduceOp<"reduce_sum", "sum", Amp_Precision<"Keep">>;
def Amp_ReduceMeanOp
    : Amp_ReduceOp<"reduce_mean", "mean", Amp_Precision<"Follow">>;
def Amp_ReduceProdOp
    : Amp_ReduceOp<"reduce_prod", "product", Amp_Precision<"Keep">>;
def Amp_ReduceMaxOp
    : Amp_ReduceOp<"reduce_max", "maximum; NaN wins",
                   Amp_Precision<"Transparent">>;
def Amp_ReduceMinOp
    : Amp_ReduceOp<"reduce_min", "minimum; NaN wins",
                   Amp_Precision<"Transparent">>;

def Amp_ArgMaxOp : Amp_Op<"arg_max", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "index of the largest value on an axis";
  let arguments = (ins Amp_Tensor:$x, I64Attr:$axis, UnitAttr:$keepdims,
                       UnitAttr:$select_last);
  let results = (outs Amp_IntTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_CumSumOp : Amp_SumOp<"cum_sum", Amp_Precision<"Keep">, [Pure]> {
  let summary = "running sum along an axis";
  let description = [{
    result[i] is the sum of x[0..i] along `axis`, with `exclusive` of x[0..i-1];
    with `reverse` it is counted from the end. Integers wrap around.
  }];
  let arguments = (ins Amp_Tensor:$x, I64Attr:$axis, UnitAttr:$exclusive,
                       UnitAttr:$reverse, TypeAttr:$acc);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Amp_ColumnPartialsOp
    : Amp_SumOp<"column_partials", Amp_Precision<"Keep", [], [0]>, [Pure]> {
  let summary = "sums of chunks of rows, one row of partial sums a chunk";
  let description = [{
    x [rows..., C] seen as [R, C]; result [ceil(R / chunk), C] float32. The
    first half of a sum over rows: the chunks do not depend on threads, so
    neither does the sum. `amp.combine_partials` is the second half.
  }];
  let arguments = (ins Amp_FloatTensor:$x, I64Attr:$chunk, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_CombinePartialsOp
    : Amp_SumOp<"combine_partials", Amp_Precision<"Keep">, [Pure]> {
  let summary = "sum of partial rows by a fixed tree: [U, C] -> [C]";
  let arguments = (ins Amp_FloatTensor:$partials, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_REDUCE_OPS_TD
