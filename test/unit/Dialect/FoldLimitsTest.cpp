//===- FoldLimitsTest.cpp - Sizes at which folding stops ------------------===//

#include "AllOps.h"
#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;

namespace {

class FoldLimits : public ::testing::Test {
protected:
  FoldLimits() : builder(&context) {
    context.loadDialect<AmpDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  /// 0, 1, 2, ... as i64 or f32 [count].
  Value iota(Type element, int64_t count) {
    auto type = RankedTensorType::get({count}, element);
    if (element.isF32()) {
      std::vector<float> values(count);
      for (int64_t i = 0; i < count; ++i)
        values[i] = float(i);
      return ConstantOp::create(
          builder, builder.getUnknownLoc(),
          DenseElementsAttr::get(type, ArrayRef<float>(values)));
    }
    std::vector<int64_t> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = i;
    return ConstantOp::create(
        builder, builder.getUnknownLoc(),
        DenseElementsAttr::get(type, ArrayRef<int64_t>(values)));
  }

  /// x + x, folded; null if it does not fold.
  Attribute twice(Value x) {
    auto add = AddOp::create(builder, builder.getUnknownLoc(), x, x);
    auto constant = x.getDefiningOp<ConstantOp>().getValue();
    SmallVector<OpFoldResult> results;
    if (failed(add->fold({constant, constant}, results)) || results.empty())
      return {};
    return dyn_cast<Attribute>(results.front());
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(FoldLimits, FloatsFoldUpToTheirLimit) {
  auto folded = dyn_cast_or_null<DenseElementsAttr>(
      twice(iota(builder.getF32Type(), kMaxFoldedFloats)));
  ASSERT_TRUE(folded);
  int64_t i = 0;
  for (float value : folded.getValues<float>())
    ASSERT_EQ(value, 2.0f * float(i++));
  EXPECT_FALSE(twice(iota(builder.getF32Type(), kMaxFoldedFloats + 1)));
}

TEST_F(FoldLimits, IntegersFoldUpToTheirLimit) {
  auto folded = dyn_cast_or_null<DenseElementsAttr>(
      twice(iota(builder.getI64Type(), kMaxFoldedElements)));
  ASSERT_TRUE(folded);
  int64_t i = 0;
  for (int64_t value : folded.getValues<int64_t>())
    ASSERT_EQ(value, 2 * i++);
  EXPECT_FALSE(twice(iota(builder.getI64Type(), kMaxFoldedElements + 1)));
}

} // namespace
