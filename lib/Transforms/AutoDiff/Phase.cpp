//===- Phase.cpp - Marks of the parts of a step ---------------------------===//

#include "amp/Transforms/AutoDiff/Phase.h"

using namespace mlir;

Location amp::plainLocation(Location loc) {
  while (auto fused = dyn_cast<FusedLoc>(loc)) {
    auto phase = dyn_cast_or_null<StringAttr>(fused.getMetadata());
    if (!phase || fused.getLocations().size() != 1 ||
        !symbolizePhase(phase.getValue()))
      break;
    loc = fused.getLocations().front();
  }
  return loc;
}

Location amp::phaseLocation(Location loc, Phase phase) {
  loc = plainLocation(loc);
  if (phase == Phase::Forward)
    return loc;
  auto name = StringAttr::get(loc.getContext(), stringifyPhase(phase));
  return FusedLoc::get(loc.getContext(), {loc}, name);
}

void amp::markPhase(Block &block, Phase phase) {
  auto attribute = PhaseAttr::get(block.getParent()->getContext(), phase);
  for (Operation &op : block)
    op.setAttr(kPhaseAttr, attribute);
}

void amp::PhaseMarker::notifyOperationInserted(Operation *op,
                                               OpBuilder::InsertPoint) {
  op->setAttr(kPhaseAttr, PhaseAttr::get(op->getContext(), phase));
}
