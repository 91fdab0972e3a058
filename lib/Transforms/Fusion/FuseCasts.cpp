//===- FuseCasts.cpp - Casts into the launches beside them ----------------===//
//
// What is left of casts after regions are formed: launches that do nothing
// else. Routines that write or read any float type take them over.
//
//===----------------------------------------------------------------------===//

#include "RegionBuilder.h"
#include "RegionShape.h"
#include "amp/Analysis/Casts.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "amp/Transforms/Fusion/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_FUSECASTSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// A copy between two orders of memory, not one that shares it.
bool isCopy(Operation *op) {
  if (isa<StridedCopyOp>(op))
    return true;
  auto relayout = dyn_cast<RelayoutOp>(op);
  return relayout && !sameMemoryBothWays(relayout.getX().getType(),
                                         tensorType(relayout.getX()).getRank());
}

bool widens(CastOp cast) {
  return elementBytes(tensorType(cast).getElementType()) >
         elementBytes(tensorType(cast.getX()).getElementType());
}

struct FuseCasts : amp::impl::FuseCastsPassBase<FuseCasts> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &body = getOperation().getBody().front();
    if (getOperation()->getParentOfType<ModuleOp>()->hasAttr(kUnfusedAttr))
      return;
    for (auto region : llvm::make_early_inc_range(body.getOps<RegionOp>()))
      if (CastOp cast = onlyCast(region)) {
        // What is in between is small where the copy behind it widens.
        if (widens(cast) && intoCopy(region))
          continue;
        if (!intoProducer(region, cast))
          intoCopy(region);
      }
  }

  /// What makes the value writes it in the other type.
  bool intoProducer(RegionOp region, CastOp cast) {
    Value input = region.getInputs()[0], output = region.getOutputs()[0];
    Operation *op = input.getDefiningOp();
    if (!op || !input.hasOneUse() || !(isCopy(op) || roundsToAnyType(op)))
      return false;
    Type type = withElement(input.getType(), tensorType(cast).getElementType());
    bool reshaped = type != output.getType();
    if (reshaped && (isChannelsLast(type) || isChannelsLast(output.getType())))
      return false;
    input.setType(type);
    Value value = input;
    if (reshaped) {
      OpBuilder builder(region);
      value =
          ReshapeOp::create(builder, region.getLoc(), output.getType(), input);
      copyPhase(region, value.getDefiningOp());
    }
    output.replaceAllUsesWith(value);
    region.erase();
    return true;
  }

  /// The copy behind it reads the source itself.
  bool intoCopy(RegionOp region) {
    Value input = region.getInputs()[0], output = region.getOutputs()[0];
    if (!output.hasOneUse())
      return false;
    Operation *user = *output.getUsers().begin();
    auto from = tensorType(input), to = tensorType(output);
    if (!isCopy(user) || from.getShape() != to.getShape() ||
        from.getEncoding() != to.getEncoding())
      return false;
    output.replaceAllUsesWith(input);
    region.erase();
    return true;
  }
};

} // namespace
