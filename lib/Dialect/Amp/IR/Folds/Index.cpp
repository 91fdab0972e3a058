//===- Index.cpp - Folding of the index family ----------------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"

using namespace mlir;
using namespace amp;

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) { return {}; }
OpFoldResult GatherNdOp::fold(FoldAdaptor adaptor) { return {}; }
