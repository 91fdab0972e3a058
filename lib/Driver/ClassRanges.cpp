//===- ClassRanges.cpp - Arguments that hold class numbers ----------------===//

#include "ClassRanges.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace amp;

/// The argument whose elements a value has, in whatever shape; null if it is
/// computed.
static BlockArgument sourceOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ReshapeOp, TransposeOp, CastOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

std::map<std::string, std::string> amp::classRanges(ModuleOp module) {
  std::map<std::string, std::string> ranges;
  for (auto function : functionsWithBody(module))
    for (auto loss :
         function.getBody().front().getOps<SoftmaxCrossEntropyOp>()) {
      BlockArgument source = sourceOf(loss.getTarget());
      if (!source)
        continue;
      auto name = function.getArgAttrOfType<StringAttr>(source.getArgNumber(),
                                                        kNameAttr);
      auto logits = cast<RankedTensorType>(loss.getLogits().getType());
      auto ignored = static_cast<int64_t>(loss.getIgnoreIndex());
      if (name)
        ranges[name.str()] = std::to_string(logits.getShape().back()) + " " +
                             std::to_string(ignored);
    }
  return ranges;
}
