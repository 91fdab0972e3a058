//===- DropoutTest.cpp - Masks of dropout ---------------------------------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace amp::test;

static std::string dropout(const std::string &shape, double ratio) {
  return llvm::formatv(R"(
    amp.kernel @drop {{
    ^bb0(%x: tensor<{0}xf32>, %rng: tensor<2xi64>, %i: tensor<i64>):
      %y = amp.dropout %x, %rng, %i {{ratio = {1} : f64, node = 5 : i64} : (tensor<{0}xf32>, tensor<2xi64>, tensor<i64>) -> tensor<{0}xf32>
      %z = amp.neg %y : (tensor<{0}xf32>) -> tensor<{0}xf32>
      amp.yield %z : tensor<{0}xf32>
    })",
                       shape, llvm::formatv("{0:E6}", ratio));
}

/// The mask of every element is that of docs: sizes whose rows begin in the
/// middle of a counter, several units, one element.
TEST(Dropout, MaskFollowsThePublishedDefinition) {
  for (const char *shape : {"1", "3x5", "7x67", "9000", "2x3x128", "2x4097"})
    for (int enabled : {1, 0}) {
      KernelRunner runner(dropout(shape, 0.3));
      ASSERT_TRUE(runner.good()) << runner.error;
      std::mt19937 random(19);
      auto inputs = randomInputs(runner.kernel(), random);
      inputs[1].set(0, 1234567890123.0);
      inputs[1].set(1, enabled);
      inputs[2].set(0, 77);
      auto expected = evaluate(runner.kernel(), inputs)[0];
      for (int64_t parts : {1, 2}) {
        auto y = runner.run(runner.kernel(), inputs, parts)[0];
        for (int64_t i = 0; i < y.size(); ++i)
          ASSERT_NEAR(y.get(i), expected[i], 1e-6) << shape << " at " << i;
      }
    }
}

TEST(Dropout, RatiosAtTheEnds) {
  for (double ratio : {0.0, 0.999999}) {
    KernelRunner runner(dropout("100", ratio));
    ASSERT_TRUE(runner.good()) << runner.error;
    std::mt19937 random(20);
    auto inputs = randomInputs(runner.kernel(), random);
    inputs[1].set(1, 1);
    auto y = runner.run(runner.kernel(), inputs)[0];
    for (int64_t i = 0; i < y.size(); ++i)
      EXPECT_EQ(y.get(i), ratio == 0 ? -inputs[0].get(i) : 0.0);
  }
}

/// The share of dropped elements, and how masks of two iterations relate.
TEST(Dropout, DrawsAreUniformAndIndependent) {
  KernelRunner runner(dropout("65536", 0.25));
  ASSERT_TRUE(runner.good()) << runner.error;
  auto kernel = runner.kernel();
  std::mt19937 random(21);
  auto inputs = randomInputs(kernel, random, 1, 2);
  inputs[1].set(1, 1);
  auto first = runner.run(kernel, inputs)[0];
  inputs[2].set(0, 1000);
  auto second = runner.run(kernel, inputs)[0];
  int dropped = 0, both = 0;
  for (int64_t i = 0; i < first.size(); ++i) {
    dropped += first.get(i) == 0;
    both += first.get(i) == 0 && second.get(i) == 0;
  }
  // Four standard deviations of the binomial distributions.
  EXPECT_NEAR(dropped, 16384, 4 * 111);
  EXPECT_NEAR(both, 4096, 4 * 62);
}

/// In rows: attention probabilities with dropout keep their own mask.
TEST(Dropout, InsideRowsAndOnRepeatedValues) {
  KernelRunner runner(R"(
    amp.kernel @rows {
    ^bb0(%x: tensor<4x3x21xf32>, %r: tensor<4x3x1xf32>, %rng: tensor<2xi64>, %i: tensor<i64>):
      %s = amp.reduce_sum %x {axes = array<i64: 2>, keepdims, acc = f32} : (tensor<4x3x21xf32>) -> tensor<4x3x1xf32>
      %y = amp.div %x, %s : (tensor<4x3x21xf32>, tensor<4x3x1xf32>) -> tensor<4x3x21xf32>
      %d = amp.dropout %y, %rng, %i {ratio = 0.5 : f64, node = 2 : i64} : (tensor<4x3x21xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4x3x21xf32>
      %e = amp.dropout %r, %rng, %i {ratio = 0.5 : f64, node = 3 : i64} : (tensor<4x3x1xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4x3x1xf32>
      %z = amp.add %d, %e : (tensor<4x3x21xf32>, tensor<4x3x1xf32>) -> tensor<4x3x21xf32>
      amp.yield %z, %e : tensor<4x3x21xf32>, tensor<4x3x1xf32>
    })");
  ASSERT_TRUE(runner.good()) << runner.error;
  std::mt19937 random(22);
  auto inputs = randomInputs(runner.kernel(), random, 1, 2);
  inputs[2].set(0, 42);
  inputs[2].set(1, 1);
  inputs[3].set(0, 3);
  auto expected = evaluate(runner.kernel(), inputs);
  auto results = runner.run(runner.kernel(), inputs, 5);
  for (size_t o = 0; o < results.size(); ++o)
    for (int64_t i = 0; i < results[o].size(); ++i)
      ASSERT_NEAR(results[o].get(i), expected[o][i], 1e-5) << o << " " << i;
}
