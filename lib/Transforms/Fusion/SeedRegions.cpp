//===- SeedRegions.cpp - Turn fusable ops into regions of one op ----------===//

#include "RegionBuilder.h"
#include "amp/Transforms/Fusion/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_SEEDREGIONSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct SeedRegions : amp::impl::SeedRegionsPassBase<SeedRegions> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    Block &body = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (isa<RegionOp, ConstantOp>(op))
        continue;
      if (seedNorm(builder, &op) || seedLoss(builder, &op) ||
          seedReduce(builder, &op))
        continue;
      seedElementwise(builder, &op);
    }
    // Constants that went into bodies may be left without use.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
