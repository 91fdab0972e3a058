//===- Elementwise.cpp - Regions of one elementwise op --------------------===//

#include "../RegionBuilder.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace amp;

bool amp::seedElementwise(OpBuilder &builder, Operation *op) {
  bool fusable = (op->hasTrait<Broadcasting>() || isa<DropoutOp, IotaOp>(op)) &&
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
    RankedTensorType inner =
        physicalOperandType(operand.getType(), domain.getRank(), channelsLast);
    // rng and iteration of a dropout are no operands of its arithmetic.
    if (isa<DropoutOp>(op) && operand != op->getOperand(0))
      inner = tensorType(operand);
    mapping.map(operand, seed.input(operand, inner));
  }
  Operation *inner;
  if (auto unscale = dyn_cast<UnscaleOp>(op)) {
    // One division for the tensor, as the update does it.
    Value factor = ReciprocalOp::create(seed.body(), op->getLoc(),
                                        mapping.lookup(unscale.getScale()));
    inner = MulOp::create(seed.body(), op->getLoc(), domain,
                          mapping.lookup(unscale.getGradient()), factor);
  } else {
    inner = seed.body().clone(*op, mapping);
    // An axis is logical; inside, channels come last.
    if (auto iota = dyn_cast<IotaOp>(inner))
      if (int64_t axis = iota.getAxis(); channelsLast && axis > 0)
        iota.setAxis(axis == 1 ? domain.getRank() - 1 : axis - 1);
  }
  inner->getResult(0).setType(domain);
  inner->removeAttr("amp.decision");
  op->replaceAllUsesWith(seed.finish(inner->getResults(), outer));
  op->erase();
  return true;
}
