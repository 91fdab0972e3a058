//===- Elementwise.cpp - Folding of the elementwise family ----------------===//

#include "amp/Dialect/Amp/IR/Amp.h"

using namespace mlir;
using namespace amp;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult amp::foldElementwise(Operation *, ArrayRef<Attribute>) {
  return {};
}
