//===- ShapeOps.td - Moving values without arithmetic ------*- tablegen -*-===//

#ifndef AMP_SHAPE_OPS_TD
#define AMP_SHAPE_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

class Amp_ShapeOp<string mnemonic>
    : Amp_Op<mnemonic, Amp_Precision<"Transparent">, [Pure]> {
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Amp_ReshapeOp : Amp_ShapeOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Amp_Tensor:$x);
}

def Amp_TransposeOp : Amp_ShapeOp<"transpose"> {
  let summary = "result dimension i is dimension perm[i] of x";
  let arguments = (ins Amp_Tensor:$x, DenseI64ArrayAttr:$perm);
}

def Amp_BroadcastOp : Amp_ShapeOp<"broadcast"> {
  let summary = "repeats x along missing and size-1 dimensions";
  let arguments = (ins Amp_Tensor:$x);
}

def Amp_SliceOp : Amp_ShapeOp<"slice"> {
  let summary = "elements starts + i*steps, in every dimension";
  let description = [{
    One start and one non-zero step per dimension; the result's shape gives the
    counts. A negative step walks backwards.
  }];
  let arguments = (ins Amp_Tensor:$x, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$steps);
}

def Amp_PadOp : Amp_ShapeOp<"pad"> {
  let summary = "constant padding; interior spreads the elements apart";
  let description = [{
    `low`, `high` >= 0 and `interior` >= 0 per dimension, filled with `value`.
    The gradient of a slice is a pad.
  }];
  let arguments = (ins Amp_Tensor:$x, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior,
                       F64Attr:$value);
}

def Amp_ConcatOp : Amp_ShapeOp<"concat"> {
  let summary = "joins tensors along an axis";
  let arguments = (ins Variadic<Amp_Tensor>:$parts, I64Attr:$axis);
}

def Amp_RelayoutOp : Amp_ShapeOp<"relayout"> {
  let summary = "the same tensor in another memory layout";
  let description = [{
    Shape and element type are equal; only the encoding differs.
  }];
  let arguments = (ins Amp_Tensor:$x);
}

def Amp_StridedCopyOp
    : Amp_Op<"strided_copy", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "one copy for a chain of slices, transposes and reshapes";
  let description = [{
    `result[i...] = x.flat[offset + sum of i * strides]`, element strides into
    x's row-major elements; a stride may be 0 (repeat) or negative.
  }];
  let arguments = (ins Amp_Tensor:$x, I64Attr:$offset,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_SHAPE_OPS_TD
