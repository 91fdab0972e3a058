//===- Elementwise.cpp - Regions of one elementwise op --------------------===//

#include "../RegionBuilder.h"

using namespace mlir;
using namespace amp;

bool amp::seedElementwise(OpBuilder &builder, Operation *op) {
  bool fusable = (op->hasTrait<Broadcasting>() || isa<DropoutOp>(op)) &&
                 op->getNumResults() == 1;
  if (!fusable)
    return false;
  Type outer = op->getResult(0).getType();
  bool channelsLast = isChannelsLast(outer);
  RankedTensorType domain = physicalType(outer);
  builder.setInsertionPoint(op);
  SeedBuilder seed(builder, op);
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (mapping.contains(operand))
      continue;
    RankedTensorType inner = physicalOperandType(
        operand.getType(), domain.getRank(), channelsLast);
    // rng and iteration of a dropout are no operands of its arithmetic.
    if (isa<DropoutOp>(op) && operand != op->getOperand(0))
      inner = tensorType(operand);
    mapping.map(operand, seed.input(operand, inner));
  }
  Operation *inner = seed.body().clone(*op, mapping);
  inner->getResult(0).setType(domain);
  inner->removeAttr("amp.decision");
  op->replaceAllUsesWith(seed.finish(inner->getResults(), outer));
  op->erase();
  return true;
}
