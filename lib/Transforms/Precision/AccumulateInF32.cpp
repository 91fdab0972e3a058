//===- AccumulateInF32.cpp - Sum in float32 -------------------------------===//

#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ACCUMULATEF32PASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct AccumulateF32 : amp::impl::AccumulateF32PassBase<AccumulateF32> {
  void runOnOperation() override {
    Type f32 = Float32Type::get(&getContext());
    getOperation().walk([&](AccumulatingOpInterface op) {
      // Sums of integers are exact in their own type.
      auto type = dyn_cast<FloatType>(op.getAccumulator());
      if (!type || type.getWidth() >= 32)
        return;
      op.setAccumulator(f32);
      op->removeAttr("amp.low_accumulation");
    });
  }
};

} // namespace
