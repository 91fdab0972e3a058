//===- NumberOps.cpp - Numbers and keys of the ops of a step --------------===//

#include "amp/Analysis/ValueKeys.h"
#include "amp/Transforms/Precision/Passes.h"

namespace amp {
#define GEN_PASS_DEF_NUMBEROPSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

namespace {

struct NumberOps : amp::impl::NumberOpsPassBase<NumberOps> {
  void runOnOperation() override { amp::numberOps(getOperation()); }
};

} // namespace
