//===- OpCoverageTest.cpp - Every op answers the dialect's questions ------===//

#include "AllOps.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;
using namespace amp::test;

namespace {

TEST(OpCoverage, ListIsTheDialect) {
  OpInstances instances;
  size_t registered = 0;
  for (RegisteredOperationName op :
       instances.context().getRegisteredOperations())
    registered += op.getDialectNamespace() == AmpDialect::getDialectNamespace();
  EXPECT_EQ(allOps().size(), registered);
  EXPECT_GT(registered, 90u);
}

TEST(OpCoverage, EveryOpHasAParsePrintTest) {
  OpInstances instances;
  for (const OpClass &op : allOps())
    EXPECT_FALSE(instances.of(op.name).empty())
        << op.name << ": expected an instance in a test/Dialect/"
        << "FAMILY-parse-print.mlir";
}

TEST(OpCoverage, EveryOpStatesItsPrecisionClass) {
  OpInstances instances;
  for (const OpClass &op : allOps()) {
    auto name = RegisteredOperationName::lookup(op.name, &instances.context());
    ASSERT_TRUE(name) << op.name;
    EXPECT_TRUE(name->hasInterface<PrecisionOpInterface>()) << op.name;
  }
}

/// Asking about every slot must be safe on every instance, and what stays wide
/// is a float or a number that no policy touches.
TEST(OpCoverage, EverySlotHasAnAnswer) {
  OpInstances instances;
  for (const OpClass &op : allOps())
    for (Operation *instance : instances.of(op.name)) {
      auto precision = dyn_cast<PrecisionOpInterface>(instance);
      ASSERT_TRUE(precision) << op.name;
      EXPECT_FALSE(
          stringifyPrecisionClass(precision.getPrecisionClass()).empty());
      for (unsigned i = 0; i < instance->getNumOperands(); ++i)
        precision.isWideOperand(i);
      for (unsigned i = 0; i < instance->getNumResults(); ++i)
        precision.isWideResult(i);
    }
}

/// Optional operands shift the numbers of those behind them.
TEST(OpCoverage, WideOperandsFollowTheSegments) {
  OpInstances instances;
  bool sawScales = false;
  for (Operation *instance : instances.of(MatmulOp::getOperationName())) {
    auto matmul = cast<MatmulOp>(instance);
    auto precision = cast<PrecisionOpInterface>(instance);
    for (OpOperand &operand : instance->getOpOperands()) {
      Value value = operand.get();
      bool wide = value == matmul.getBias() || value == matmul.getLhsScale() ||
                  value == matmul.getLhsAmax();
      EXPECT_EQ(precision.isWideOperand(operand.getOperandNumber()), wide);
      sawScales |= value == matmul.getLhsScale();
    }
  }
  EXPECT_TRUE(sawScales);
}

/// An op with an accumulator is one that accumulates, and the other way round.
TEST(OpCoverage, AccumulatingOpsImplementTheInterface) {
  OpInstances instances;
  for (const OpClass &op : allOps()) {
    auto name = RegisteredOperationName::lookup(op.name, &instances.context());
    ASSERT_TRUE(name) << op.name;
    bool hasAttribute =
        llvm::any_of(name->getAttributeNames(),
                     [](StringAttr attribute) { return attribute == "acc"; });
    EXPECT_EQ(hasAttribute, name->hasInterface<AccumulatingOpInterface>())
        << op.name;
  }
}

TEST(OpCoverage, AccumulatorsCanBeReadAndSet) {
  OpInstances instances;
  Type wide = Float64Type::get(&instances.context());
  for (const OpClass &op : allOps())
    for (Operation *instance : instances.of(op.name)) {
      auto sum = dyn_cast<AccumulatingOpInterface>(instance);
      if (!sum)
        continue;
      EXPECT_TRUE(sum.getAccumulator()) << op.name;
      sum.setAccumulator(wide);
      EXPECT_EQ(sum.getAccumulator(), wide) << op.name;
    }
}

} // namespace
