//===- ElementwiseTest.cpp - Elementwise kernels --------------------------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace amp::test;

TEST(Elementwise, StorageTypes) {
  for (int64_t size : {1, 15, 16, 17, 67, 16384, 40000})
    for (const char *element : {"f32", "bf16", "f16", "f64"})
      checkKernel(llvm::formatv(R"(
    amp.kernel @axpy {{
    ^bb0(%x: tensor<{0}x{1}>, %y: tensor<{0}xf32>, %a: tensor<f32>):
      %t = amp.mul %x, %a : (tensor<{0}x{1}>, tensor<f32>) -> tensor<{0}x{1}>
      %z = amp.add %t, %y : (tensor<{0}x{1}>, tensor<{0}xf32>) -> tensor<{0}x{1}>
      amp.yield %z : tensor<{0}x{1}>
    })",
                                size, element),
                  3e-7, size);
}

/// All 2^16 bit patterns: what a bf16 or f16 load and store do to them.
TEST(Elementwise, HalfPrecisionBitsSurvive) {
  for (const char *element : {"bf16", "f16"}) {
    KernelRunner runner(llvm::formatv(R"(
    amp.kernel @id {{
    ^bb0(%x: tensor<65536x{0}>):
      %y = amp.cast %x : (tensor<65536x{0}>) -> tensor<65536xf32>
      %z = amp.cast %y : (tensor<65536xf32>) -> tensor<65536x{0}>
      amp.yield %z : tensor<65536x{0}>
    })",
                                      element));
    ASSERT_TRUE(runner.good()) << runner.error;
    auto inputs = std::vector<HostTensor>();
    inputs.emplace_back(
        amp::tensorType(runner.kernel().getBody().front().getArgument(0)));
    for (int i = 0; i < 65536; ++i) {
      inputs[0].bytes[2 * i] = char(i);
      inputs[0].bytes[2 * i + 1] = char(i >> 8);
    }
    auto y = runner.run(runner.kernel(), inputs)[0];
    for (int i = 0; i < 65536; ++i) {
      double x = inputs[0].get(i);
      if (std::isnan(x))
        EXPECT_TRUE(std::isnan(y.get(i)));
      else
        EXPECT_TRUE(y.get(i) == x && std::signbit(y.get(i)) == std::signbit(x))
            << element << " bits " << i;
    }
  }
}

/// A user cast rounds in registers, a policy cast does not.
TEST(Elementwise, OnlyUserCastsRound) {
  for (const char *user : {"{user}", ""})
    for (const char *element : {"bf16", "f16"})
      checkKernel(llvm::formatv(R"(
    amp.kernel @cast {{
    ^bb0(%x: tensor<53xf32>):
      %h = amp.cast %x {0} : (tensor<53xf32>) -> tensor<53x{1}>
      %w = amp.cast %h : (tensor<53x{1}>) -> tensor<53xf32>
      %d = amp.sub %w, %x : (tensor<53xf32>, tensor<53xf32>) -> tensor<53xf32>
      amp.yield %d : tensor<53xf32>
    })",
                                user, element),
                  1e-9, 11);
}

TEST(Elementwise, BroadcastPatterns) {
  const char *patterns[][2] = {
      {"2x3x5x7", "7"},       {"2x3x5x7", "5x1"},     {"2x3x5x7", "3x1x1"},
      {"2x3x5x7", "3x1x7"},   {"2x3x5x7", "2x1x5x1"}, {"2x3x5x7", "2x1x1x7"},
      {"2x3x5x7", "1x3x5x1"}, {"2x3x5x7", "1"},       {"2x3x5x7", "2x3x1x1"},
      {"4x1x33", "1x3x33"},   {"4x20", "1x20"},       {"40x1", "1x50"},
      {"1x1", "3x1"},         {"3x17000", "3x1"},     {"0x8", "0x1"},
      {"6x3", "3"},           {"2x40000", "40000"}};
  for (const auto &pattern : patterns) {
    mlir::MLIRContext context;
    auto shape = [](llvm::StringRef text) {
      llvm::SmallVector<llvm::StringRef> parts;
      text.split(parts, 'x');
      llvm::SmallVector<int64_t> sizes;
      for (auto part : parts)
        sizes.push_back(std::stoll(part.str()));
      return sizes;
    };
    auto joined = amp::broadcastShapes(shape(pattern[0]), shape(pattern[1]));
    std::string result;
    for (int64_t size : *joined)
      result += std::to_string(size) + "x";
    checkKernel(llvm::formatv(R"(
    amp.kernel @b {{
    ^bb0(%x: tensor<{0}xf32>, %y: tensor<{1}xbf16>, %s: tensor<f32>):
      %n = amp.neg %y : (tensor<{1}xbf16>) -> tensor<{1}xbf16>
      %a = amp.add %x, %n : (tensor<{0}xf32>, tensor<{1}xbf16>) -> tensor<{2}f32>
      %z = amp.mul %a, %s : (tensor<{2}f32>, tensor<f32>) -> tensor<{2}f32>
      amp.yield %z, %n : tensor<{2}f32>, tensor<{1}xbf16>
    })",
                              pattern[0], pattern[1], result),
                3e-7, 12);
  }
}

TEST(Elementwise, IntegersOfAllWidths) {
  for (const char *element : {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64"})
    checkKernel(llvm::formatv(R"(
    amp.kernel @int {{
    ^bb0(%x: tensor<37x{0}>, %y: tensor<37x{0}>):
      %a = amp.add %x, %y : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %m = amp.mul %a, %y : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %s = amp.sub %m, %x : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %d = amp.div %m, %y : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %hi = amp.max %s, %d : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %lo = amp.min %hi, %m : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37x{0}>
      %c = amp.compare %lo, %s {{predicate = #amp<predicate lt>} : (tensor<37x{0}>, tensor<37x{0}>) -> tensor<37xi1>
      %f = amp.cast %lo : (tensor<37x{0}>) -> tensor<37xf32>
      %w = amp.cast %s : (tensor<37x{0}>) -> tensor<37xi64>
      amp.yield %lo, %c, %f, %w : tensor<37x{0}>, tensor<37xi1>, tensor<37xf32>, tensor<37xi64>
    })",
                              element),
                0, 13);
}

TEST(Elementwise, MasksAndChoices) {
  checkKernel(R"(
    amp.kernel @mask {
    ^bb0(%x: tensor<3x21xf16>, %m: tensor<3x1xi1>, %t: tensor<21xi1>):
      %zero = amp.constant dense<0.0> : tensor<f16>
      %p = amp.compare %x, %zero {predicate = #amp<predicate gt>} : (tensor<3x21xf16>, tensor<f16>) -> tensor<3x21xi1>
      %n = amp.not %m : (tensor<3x1xi1>) -> tensor<3x1xi1>
      %a = amp.and %p, %n : (tensor<3x21xi1>, tensor<3x1xi1>) -> tensor<3x21xi1>
      %o = amp.or %a, %t : (tensor<3x21xi1>, tensor<21xi1>) -> tensor<3x21xi1>
      %e = amp.xor %o, %p : (tensor<3x21xi1>, tensor<3x21xi1>) -> tensor<3x21xi1>
      %r = amp.relu %x : (tensor<3x21xf16>) -> tensor<3x21xf16>
      %s = amp.sign %x : (tensor<3x21xf16>) -> tensor<3x21xf16>
      %y = amp.select %e, %r, %s : (tensor<3x21xi1>, tensor<3x21xf16>, tensor<3x21xf16>) -> tensor<3x21xf16>
      amp.yield %y, %o : tensor<3x21xf16>, tensor<3x21xi1>
    })",
              1e-7, 14);
}

TEST(Elementwise, ConstantTablesAndIota) {
  checkKernel(R"(
    amp.kernel @tables {
    ^bb0(%x: tensor<2x4x5xf32>):
      %c = amp.constant dense<[[1.0], [-2.0], [3.5], [0.25]]> : tensor<4x1xbf16>
      %r = amp.constant dense<[true, false, true, true, false]> : tensor<5xi1>
      %k = amp.constant dense<[[[7]], [[-9]]]> : tensor<2x1x1xi8>
      %i = amp.iota {axis = 1 : i64} : tensor<2x4x5xi32>
      %j = amp.iota {axis = 0 : i64} : tensor<5xf32>
      %y = amp.mul %x, %c : (tensor<2x4x5xf32>, tensor<4x1xbf16>) -> tensor<2x4x5xf32>
      %f = amp.cast %i : (tensor<2x4x5xi32>) -> tensor<2x4x5xf32>
      %s = amp.add %y, %f : (tensor<2x4x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
      %u = amp.sub %s, %j : (tensor<2x4x5xf32>, tensor<5xf32>) -> tensor<2x4x5xf32>
      %z = amp.select %r, %u, %x : (tensor<5xi1>, tensor<2x4x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
      amp.yield %z, %k, %j : tensor<2x4x5xf32>, tensor<2x1x1xi8>, tensor<5xf32>
    })",
              1e-6, 15);
}

TEST(Elementwise, RemaindersAndRounding) {
  checkKernel(R"(
    amp.kernel @rem {
    ^bb0(%x: tensor<61xf32>, %y: tensor<61xf32>, %i: tensor<61xi32>, %j: tensor<61xi32>):
      %m = amp.mod %x, %y : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
      %f = amp.fmod %x, %y : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
      %a = amp.floor %x : (tensor<61xf32>) -> tensor<61xf32>
      %b = amp.ceil %x : (tensor<61xf32>) -> tensor<61xf32>
      %c = amp.round %x : (tensor<61xf32>) -> tensor<61xf32>
      %s = amp.fan_in_sum %a, %b, %c {acc = f32} : (tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
      %k = amp.cast %x : (tensor<61xf32>) -> tensor<61xi32>
      amp.yield %m, %f, %s, %k : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xi32>
    })",
              1e-6, 16, -9, 9);
}

/// Division by zero and of the smallest integer by -1 must not trap.
TEST(Elementwise, IntegerDivisionNeverTraps) {
  KernelRunner runner(R"(
    amp.kernel @div {
    ^bb0(%x: tensor<20xi32>, %y: tensor<20xi32>):
      %d = amp.div %x, %y : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
      amp.yield %d : tensor<20xi32>
    })");
  ASSERT_TRUE(runner.good()) << runner.error;
  std::mt19937 random(17);
  auto inputs = randomInputs(runner.kernel(), random);
  for (int64_t i : {0, 17}) {
    inputs[0].set(i, -2147483648.0);
    inputs[1].set(i, -1);
    inputs[1].set(i + 1, 0);
  }
  auto y = runner.run(runner.kernel(), inputs)[0];
  EXPECT_EQ(y.get(0), -2147483648.0);
  EXPECT_EQ(y.get(1), 0);
  EXPECT_EQ(y.get(18), 0);
}

/// An output in the memory of an input gives the same bits.
TEST(Elementwise, WorksInPlaceWhereTheAnalysisSaysSo) {
  KernelRunner runner(R"(
    amp.kernel @softmax {
    ^bb0(%x: tensor<5x45xf32>, %b: tensor<45xf32>):
      %v = amp.add %x, %b : (tensor<5x45xf32>, tensor<45xf32>) -> tensor<5x45xf32>
      %m = amp.reduce_max %v {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<5x45xf32>) -> tensor<5x1xf32>
      %d = amp.sub %v, %m : (tensor<5x45xf32>, tensor<5x1xf32>) -> tensor<5x45xf32>
      %e = amp.exp %d : (tensor<5x45xf32>) -> tensor<5x45xf32>
      %s = amp.reduce_sum %e {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<5x45xf32>) -> tensor<5x1xf32>
      %y = amp.div %e, %s : (tensor<5x45xf32>, tensor<5x1xf32>) -> tensor<5x45xf32>
      amp.yield %y : tensor<5x45xf32>
    })");
  ASSERT_TRUE(runner.good()) << runner.error;
  EXPECT_TRUE(amp::mayWorkInPlace(runner.kernel(), 0, 0));
  EXPECT_FALSE(amp::mayWorkInPlace(runner.kernel(), 1, 0));
  std::mt19937 random(18);
  auto inputs = randomInputs(runner.kernel(), random);
  auto apart = runner.run(runner.kernel(), inputs)[0];
  auto inPlace = runner.runInPlace(runner.kernel(), inputs, 0)[0];
  EXPECT_EQ(apart.bytes, inPlace.bytes);
}

TEST(Elementwise, EarlyOutputsMayNotOverwriteWhatIsReadLater) {
  KernelRunner runner(R"(
    amp.kernel @k {
    ^bb0(%x: tensor<5x45xf32>):
      %n = amp.neg %x : (tensor<5x45xf32>) -> tensor<5x45xf32>
      %s = amp.reduce_sum %x {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<5x45xf32>) -> tensor<5x1xf32>
      %y = amp.mul %x, %s : (tensor<5x45xf32>, tensor<5x1xf32>) -> tensor<5x45xf32>
      amp.yield %n, %y : tensor<5x45xf32>, tensor<5x45xf32>
    })");
  ASSERT_TRUE(runner.good()) << runner.error;
  EXPECT_FALSE(amp::mayWorkInPlace(runner.kernel(), 0, 0));
  EXPECT_TRUE(amp::mayWorkInPlace(runner.kernel(), 0, 1));
}

/// Partial sums of an input that an output overwrites read it first.
TEST(Elementwise, PartialSumsReadBeforeTheStore) {
  KernelRunner runner(R"(
    amp.kernel @k {
    ^bb0(%x: tensor<6x19xf32>):
      %n = amp.neg %x : (tensor<6x19xf32>) -> tensor<6x19xf32>
      %p = amp.column_partials %x {chunk = 6 : i64, acc = f32} : (tensor<6x19xf32>) -> tensor<1x19xf32>
      amp.yield %n, %p : tensor<6x19xf32>, tensor<1x19xf32>
    })");
  ASSERT_TRUE(runner.good()) << runner.error;
  ASSERT_TRUE(amp::mayWorkInPlace(runner.kernel(), 0, 0));
  std::mt19937 random(23);
  auto inputs = randomInputs(runner.kernel(), random);
  auto apart = runner.run(runner.kernel(), inputs);
  auto together = runner.runInPlace(runner.kernel(), inputs, 0);
  EXPECT_EQ(together[0].bytes, apart[0].bytes);
  EXPECT_EQ(together[1].bytes, apart[1].bytes);
}
