//===- FuseCasts.cpp - Casts into the launches beside them ----------------===//
//
// What is left of casts after regions are formed: launches that do nothing
// else. Routines that write or read any float type take them over.
//
//===----------------------------------------------------------------------===//

#include "RegionBuilder.h"
#include "RegionShape.h"
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

/// The routine behind the op computes in float32 and rounds once, to whatever
/// type its first result has.
bool writesAnyType(Operation *op) {
  return isCopy(op) ||
         isa<GatherOp, ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp,
             ReduceProdOp, CumSumOp, CombinePartialsOp, MatmulOp, ConvOp,
             ConvInputGradOp>(op);
}

struct FuseCasts : amp::impl::FuseCastsPassBase<FuseCasts> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &body = getOperation().getBody().front();
    if (getOperation()->getParentOfType<ModuleOp>()->hasAttr(kUnfusedAttr))
      return;
    for (auto region : llvm::make_early_inc_range(body.getOps<RegionOp>()))
      if (CastOp cast = onlyCast(region))
        if (!intoProducer(region, cast))
          intoCopy(region);
  }

  /// What makes the value writes it in the other type.
  bool intoProducer(RegionOp region, CastOp cast) {
    Value input = region.getInputs()[0], output = region.getOutputs()[0];
    Operation *op = input.getDefiningOp();
    if (!op || !input.hasOneUse() || !writesAnyType(op))
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
  void intoCopy(RegionOp region) {
    Value input = region.getInputs()[0], output = region.getOutputs()[0];
    if (!output.hasOneUse())
      return;
    Operation *user = *output.getUsers().begin();
    auto from = tensorType(input), to = tensorType(output);
    if (!isCopy(user) || from.getShape() != to.getShape() ||
        from.getEncoding() != to.getEncoding())
      return;
    output.replaceAllUsesWith(input);
    region.erase();
  }
};

} // namespace
