//===- ReductionTest.cpp - Row reductions and partial sums ----------------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace amp::test;

static std::string softmax(int64_t rows, int64_t columns,
                           const std::string &element) {
  std::string x = llvm::formatv("tensor<{0}x{1}x{2}>", rows, columns, element);
  std::string s = llvm::formatv("tensor<{0}x1xf32>", rows);
  return llvm::formatv(R"(
    amp.kernel @softmax {{
    ^bb0(%x: {0}):
      %m = amp.reduce_max %x {{axes = array<i64: 1>, keepdims, acc = f32} : ({0}) -> {1}
      %d = amp.sub %x, %m : ({0}, {1}) -> {0}
      %e = amp.exp %d : ({0}) -> {0}
      %s = amp.reduce_sum %e {{axes = array<i64: 1>, keepdims, acc = f32} : ({0}) -> {1}
      %y = amp.div %e, %s : ({0}, {1}) -> {0}
      amp.yield %y : {0}
    })",
                       x, s);
}

TEST(Reduction, SoftmaxOfOddSizes) {
  for (int64_t columns : {1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 64, 65, 67, 130})
    checkKernel(softmax(5, columns, "f32"), 2e-6, columns);
}

TEST(Reduction, SoftmaxOfAllTypes) {
  for (const char *element : {"bf16", "f16", "f64"})
    checkKernel(softmax(3, 77, element), 2e-6, 3);
}

TEST(Reduction, SoftmaxWithoutRows) { checkKernel(softmax(0, 16, "f32")); }

TEST(Reduction, RowsBeyondTheStackUseScratch) {
  KernelRunner runner(softmax(2, 10007, "f32"));
  ASSERT_TRUE(runner.good()) << runner.error;
  EXPECT_GE(*runner.kernel().getScratchBytes(), 10007 * 4);
  checkKernel(softmax(2, 10007, "f32"), 2e-6, 4);
}

/// A masked place has probability zero, and a NaN spreads over its row only.
TEST(Reduction, SoftmaxOfSpecialValues) {
  KernelRunner runner(softmax(3, 37, "f32"));
  ASSERT_TRUE(runner.good()) << runner.error;
  std::mt19937 random(5);
  auto inputs = randomInputs(runner.kernel(), random);
  inputs[0].set(4, -std::numeric_limits<double>::infinity());
  inputs[0].set(36, -std::numeric_limits<double>::infinity());
  inputs[0].set(37 + 11, std::numeric_limits<double>::quiet_NaN());
  auto y = runner.run(runner.kernel(), inputs)[0];
  EXPECT_EQ(y.get(4), 0);
  EXPECT_EQ(y.get(36), 0);
  double sum = 0;
  for (int64_t i = 0; i < 37; ++i) {
    sum += y.get(i);
    EXPECT_TRUE(std::isnan(y.get(37 + i)));
    EXPECT_FALSE(std::isnan(y.get(74 + i)));
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

/// Mean, variance, normalised output and statistics: rows of two outputs.
TEST(Reduction, LayerNorm) {
  for (int64_t columns : {5, 64, 96, 131}) {
    std::string x = llvm::formatv("tensor<2x3x{0}xbf16>", columns);
    std::string g = llvm::formatv("tensor<{0}xf32>", columns);
    std::string text = llvm::formatv(R"(
    amp.kernel @norm {{
    ^bb0(%x: {0}, %gamma: {1}, %beta: {1}):
      %eps = amp.constant dense<1.0e-5> : tensor<f32>
      %mean = amp.reduce_mean %x {{axes = array<i64: 2>, keepdims, acc = f32} : ({0}) -> tensor<2x3x1xf32>
      %d = amp.sub %x, %mean : ({0}, tensor<2x3x1xf32>) -> {0}
      %q = amp.mul %d, %d : ({0}, {0}) -> {0}
      %var = amp.reduce_mean %q {{axes = array<i64: 2>, keepdims, acc = f32} : ({0}) -> tensor<2x3x1xf32>
      %v = amp.add %var, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
      %r = amp.rsqrt %v : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
      %n = amp.mul %d, %r : ({0}, tensor<2x3x1xf32>) -> {0}
      %s = amp.mul %n, %gamma : ({0}, {1}) -> {0}
      %y = amp.add %s, %beta : ({0}, {1}) -> {0}
      amp.yield %y, %mean, %r : {0}, tensor<2x3x1xf32>, tensor<2x3x1xf32>
    })",
                                     x, g);
    checkKernel(text, 4e-6, columns);
  }
}

/// Backward of a bias: a full output and partial sums of 3 rows each.
TEST(Reduction, ColumnPartials) {
  for (int64_t columns : {1, 8, 16, 67}) {
    std::string x = llvm::formatv("tensor<2x5x{0}xbf16>", columns);
    std::string p = llvm::formatv("tensor<4x{0}xf32>", columns);
    checkKernel(llvm::formatv(R"(
    amp.kernel @partials {{
    ^bb0(%dy: {0}, %y: {0}):
      %g = amp.relu_grad %dy, %y : ({0}, {0}) -> {0}
      %p = amp.column_partials %g {{chunk = 3 : i64, acc = f32} : ({0}) -> {1}
      amp.yield %g, %p : {0}, {1}
    })",
                              x, p),
                2e-6, columns);
  }
}

/// Two innermost dimensions are reduced while an operand repeats over one.
TEST(Reduction, RowsWithSegments) {
  for (int64_t columns : {1, 6, 16, 35})
    checkKernel(llvm::formatv(R"(
    amp.kernel @group {{
    ^bb0(%x: tensor<2x3x4x{0}xf32>, %g: tensor<3x4x1xf32>, %b: tensor<{0}xf16>):
      %z = amp.mul %x, %g : (tensor<2x3x4x{0}xf32>, tensor<3x4x1xf32>) -> tensor<2x3x4x{0}xf32>
      %e = amp.exp %z : (tensor<2x3x4x{0}xf32>) -> tensor<2x3x4x{0}xf32>
      %s = amp.reduce_sum %e {{axes = array<i64: 2, 3>, keepdims, acc = f32} : (tensor<2x3x4x{0}xf32>) -> tensor<2x3x1x1xf32>
      %p = amp.div %e, %s : (tensor<2x3x4x{0}xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x{0}xf32>
      %y = amp.add %p, %b : (tensor<2x3x4x{0}xf32>, tensor<{0}xf16>) -> tensor<2x3x4x{0}xf32>
      amp.yield %y, %s : tensor<2x3x4x{0}xf32>, tensor<2x3x1x1xf32>
    })",
                              columns),
                4e-6, columns);
}

TEST(Reduction, NanWinsInMaximum) {
  std::string text = R"(
    amp.kernel @max {
    ^bb0(%x: tensor<2x40xf32>):
      %m = amp.reduce_max %x {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<2x40xf32>) -> tensor<2x1xf32>
      amp.yield %m : tensor<2x1xf32>
    })";
  KernelRunner runner(text);
  ASSERT_TRUE(runner.good()) << runner.error;
  for (int64_t place : {0, 15, 16, 31, 33, 39}) {
    std::mt19937 random(6);
    auto inputs = randomInputs(runner.kernel(), random);
    inputs[0].set(place, std::numeric_limits<double>::quiet_NaN());
    auto y = runner.run(runner.kernel(), inputs)[0];
    EXPECT_TRUE(std::isnan(y.get(0))) << place;
    EXPECT_FALSE(std::isnan(y.get(1))) << place;
  }
}

TEST(Reduction, IntegersAndMasks) {
  for (int64_t columns : {3, 70})
    checkKernel(llvm::formatv(R"(
    amp.kernel @count {{
    ^bb0(%x: tensor<4x{0}xi32>, %t: tensor<4x1xi64>):
      %w = amp.cast %x : (tensor<4x{0}xi32>) -> tensor<4x{0}xi64>
      %hit = amp.compare %w, %t {{predicate = #amp<predicate eq>} : (tensor<4x{0}xi64>, tensor<4x1xi64>) -> tensor<4x{0}xi1>
      %one = amp.cast %hit : (tensor<4x{0}xi1>) -> tensor<4x{0}xi64>
      %n = amp.reduce_sum %one {{axes = array<i64: 1>, keepdims, acc = i64} : (tensor<4x{0}xi64>) -> tensor<4x1xi64>
      %m = amp.reduce_min %x {{axes = array<i64: 1>, keepdims, acc = i32} : (tensor<4x{0}xi32>) -> tensor<4x1xi32>
      amp.yield %n, %m, %hit : tensor<4x1xi64>, tensor<4x1xi32>, tensor<4x{0}xi1>
    })",
                              columns),
                0, columns);
}

/// Loss and gradient of cross-entropy with integer targets.
TEST(Reduction, CrossEntropy) {
  for (int64_t classes : {3, 10, 83}) {
    std::string x = llvm::formatv("tensor<6x{0}xbf16>", classes);
    std::string m = llvm::formatv("tensor<6x{0}xi1>", classes);
    std::string text = llvm::formatv(R"(
    amp.kernel @xent {{
    ^bb0(%x: {0}, %t: tensor<6x1xi64>, %scale: tensor<f32>):
      %max = amp.reduce_max %x {{axes = array<i64: 1>, keepdims, acc = f32} : ({0}) -> tensor<6x1xf32>
      %d = amp.sub %x, %max : ({0}, tensor<6x1xf32>) -> {0}
      %e = amp.exp %d : ({0}) -> {0}
      %s = amp.reduce_sum %e {{axes = array<i64: 1>, keepdims, acc = f32} : ({0}) -> tensor<6x1xf32>
      %p = amp.div %e, %s : ({0}, tensor<6x1xf32>) -> {0}
      %i = amp.iota {{axis = 1 : i64} : tensor<6x{1}xi64>
      %hit = amp.compare %i, %t {{predicate = #amp<predicate eq>} : (tensor<6x{1}xi64>, tensor<6x1xi64>) -> {2}
      %zero = amp.constant dense<0.0> : tensor<f32>
      %one = amp.constant dense<1.0> : tensor<f32>
      %hot = amp.select %hit, %one, %zero : ({2}, tensor<f32>, tensor<f32>) -> {0}
      %g = amp.sub %p, %hot : ({0}, {0}) -> {0}
      %dx = amp.mul %g, %scale : ({0}, tensor<f32>) -> {0}
      %picked = amp.mul %d, %hot : ({0}, {0}) -> {0}
      %sum = amp.reduce_sum %picked {{axes = array<i64: 1>, keepdims, acc = f32} : ({0}) -> tensor<6x1xf32>
      %log = amp.log %s : (tensor<6x1xf32>) -> tensor<6x1xf32>
      %loss = amp.sub %log, %sum : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
      amp.yield %dx, %loss : {0}, tensor<6x1xf32>
    })",
                                     x, classes, m);
    checkKernel(text, 4e-6, classes);
  }
}
