//===- TrackSources.cpp - Move the numbers of ops into locations ----------===//

#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Fusion/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_TRACKSOURCESPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct TrackSources : amp::impl::TrackSourcesPassBase<TrackSources> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (StringAttr key = opKey(op)) {
        // Which result, a piece says once there are pieces.
        int64_t result = op->getNumResults() == 1 ? 0 : -1;
        op->setLoc(withSource(op->getLoc(), {key, result}));
      }
      op->removeAttr(kIdAttr);
    });
  }
};

} // namespace
