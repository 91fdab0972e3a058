//===- ToleranceTest.cpp - The table of tolerances ------------------------===//

#include "Tolerance.h"
#include "Curve.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace amp;

namespace {

TEST(Tolerance, GrowsWithTheRoundoffOfTheType) {
  for (OpClass cls : kOpClasses) {
    EXPECT_LT(toleranceOf("fp32", cls, 1).rtol,
              toleranceOf("fp16", cls, 1).rtol);
    EXPECT_LT(toleranceOf("fp16", cls, 1).rtol,
              toleranceOf("bf16", cls, 1).rtol);
    // Above what one rounding alone makes.
    EXPECT_GT(normTolerance("fp16", cls), 0x1p-11);
    EXPECT_GT(normTolerance("bf16", cls), 0x1p-8);
    EXPECT_STRNE(nameOf(cls), "");
  }
}

TEST(Tolerance, OfSumsKnowsHowLargeTheTermsAre) {
  EXPECT_EQ(toleranceOf("fp16", OpClass::Contraction, 8).atol,
            8 * toleranceOf("fp16", OpClass::Contraction, 0.5).atol);
  EXPECT_EQ(toleranceOf("fp16", OpClass::Elementwise, 8).atol,
            toleranceOf("fp16", OpClass::Elementwise, 1).atol);
  EXPECT_GT(toleranceOf("fp16", OpClass::Gradient, 1).rtol,
            toleranceOf("fp16", OpClass::Contraction, 1).rtol);
}

TEST(Tolerance, ClassesOfOps) {
  EXPECT_EQ(classOf("matmul", "forward"), OpClass::Contraction);
  EXPECT_EQ(classOf("conv", "forward"), OpClass::Contraction);
  EXPECT_EQ(classOf("softmax", "forward"), OpClass::Reduction);
  EXPECT_EQ(classOf("reduce_mean", "forward"), OpClass::Reduction);
  EXPECT_EQ(classOf("tanh", "forward"), OpClass::Elementwise);
  EXPECT_EQ(classOf("matmul", "backward"), OpClass::Gradient);
}

TEST(Curve, Gaps) {
  EXPECT_EQ(relativeGap(3, 2), 0.5);
  EXPECT_EQ(relativeGap(0, 0), 0);
  EXPECT_TRUE(std::isinf(relativeGap(NAN, 1)));
  EXPECT_TRUE(std::isinf(relativeGap(1, 0)));
  Curve reference, other;
  for (int i = 0; i < 4; ++i) {
    runtime::StepRecord record;
    record.loss = 2;
    reference.steps.push_back(record);
    record.loss = i < 2 ? 9.0f : 3.0f;
    other.steps.push_back(record);
  }
  // The first half does not count.
  EXPECT_EQ(meanGap(other, reference), 0.5);
  other.steps.pop_back();
  EXPECT_TRUE(std::isinf(meanGap(other, reference)));
}

TEST(Curve, ParsesTolerances) {
  EXPECT_DOUBLE_EQ(parseTolerance("0.25%", "--tolerance"), 0.0025);
  EXPECT_DOUBLE_EQ(parseTolerance("0.01", "--tolerance"), 0.01);
  for (const char *text : {"", "%", "-1", "few", "1%%"})
    EXPECT_THROW(parseTolerance(text, "--tolerance"), runtime::Error) << text;
}

} // namespace
