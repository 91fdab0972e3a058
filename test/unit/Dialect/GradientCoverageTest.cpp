//===- GradientCoverageTest.cpp - Every op answers autodiff ---------------===//

#include "AllOps.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;
using namespace amp::test;

namespace {

TEST(OpCoverage, EveryOpHasAGradientAnswer) {
  DialectRegistry registry;
  registerGradientModels(registry);
  OpInstances instances(registry);
  size_t rules = 0;
  for (const OpClass &op : allOps())
    for (Operation *instance : instances.of(op.name)) {
      auto gradient = dyn_cast<GradientOpInterface>(instance);
      ASSERT_TRUE(gradient) << op.name << ": expected a gradient rule or a "
                            << "reason why there is none";
      bool rule = gradient.getGradientAnswer() == GradientAnswer::Rule;
      rules += rule;
      EXPECT_EQ(gradient.getGradientReason().empty(), rule)
          << op.name << ": expected a reason exactly where there is no rule";
    }
  EXPECT_GT(rules, 0u);
}

} // namespace
