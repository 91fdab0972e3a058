//===- Shape.cpp - Folding of the shape family ----------------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"

using namespace mlir;
using namespace amp;

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult SliceOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult PadOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult RelayoutOp::fold(FoldAdaptor adaptor) { return {}; }
