//===- Reduce.cpp - Folding of the reduction family -----------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"

using namespace mlir;
using namespace amp;

OpFoldResult ReduceSumOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult ReduceMeanOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult ReduceProdOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult ReduceMaxOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult ReduceMinOp::fold(FoldAdaptor adaptor) { return {}; }
