//===- CompileTest.cpp - Processors, objects, diagnostics -----------------===//

#include "KernelRunner.h"
#include "gmock/gmock.h"

using namespace amp;
using namespace amp::test;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

static const char *const kTwoKernels = R"(
    amp.kernel @one {
    ^bb0(%x: tensor<100xbf16>):
      %y = amp.gelu %x {form = #amp<gelu_form tanh>} : (tensor<100xbf16>) -> tensor<100xbf16>
      amp.yield %y : tensor<100xbf16>
    }
    amp.kernel @two {
    ^bb0(%x: tensor<100xf32>):
      %y = amp.sin %x : (tensor<100xf32>) -> tensor<100xf32>
      amp.yield %y : tensor<100xf32>
    })";

TEST(Compile, SameInputGivesSameBytes) {
  CompileOptions one, four;
  one.threads = 1;
  four.threads = 4;
  KernelRunner a(kTwoKernels, "x86-64-v3", one);
  KernelRunner b(kTwoKernels, "x86-64-v3", four);
  ASSERT_TRUE(a.good()) << a.error;
  ASSERT_TRUE(b.good()) << b.error;
  EXPECT_EQ(a.code.sharedObject, b.code.sharedObject);
  EXPECT_NE(b.kernel("two"), nullptr);
}

TEST(Compile, KeepsTextsOnDemand) {
  CompileOptions options;
  options.keepAssembly = options.keepLLVMText = true;
  KernelRunner with(kTwoKernels, "x86-64-v4", options);
  ASSERT_TRUE(with.good()) << with.error;
  EXPECT_THAT(with.code.llvmText, HasSubstr("<16 x float>"));
  EXPECT_THAT(with.code.llvmText, HasSubstr("define void @two"));
  EXPECT_THAT(with.code.assembly, HasSubstr("zmm"));
  EXPECT_THAT(with.code.assembly, Not(HasSubstr("call")));
  KernelRunner without(kTwoKernels, "x86-64-v3");
  EXPECT_EQ(without.code.llvmText, "");
  EXPECT_EQ(without.code.assembly, "");
}

static std::string failureOf(llvm::StringRef name) {
  auto target = resolveCpuTarget(name);
  return target ? "" : llvm::toString(target.takeError());
}

TEST(Targets, NamesAndFlags) {
  for (const char *name : {"native", "x86-64-v3", "x86-64-v4", "znver4",
                           "sapphirerapids", "haswell"})
    EXPECT_EQ(failureOf(name), "") << name;
  auto v3 = llvm::cantFail(resolveCpuTarget("x86-64-v3"));
  EXPECT_THAT(v3.requiredFlags, Contains("avx2"));
  EXPECT_THAT(v3.requiredFlags, Contains("abm"));
  EXPECT_THAT(v3.requiredFlags, Not(Contains("avx512f")));
  auto zen = llvm::cantFail(resolveCpuTarget("znver4"));
  EXPECT_THAT(zen.requiredFlags, Contains("avx512_bf16"));
}

TEST(Targets, OldAndUnknownProcessorsAreRefused) {
  EXPECT_THAT(failureOf("x86-64-v2"), HasSubstr("x86-64-v3"));
  EXPECT_THAT(failureOf("nehalem"), HasSubstr("has no"));
  EXPECT_THAT(failureOf("z80"), HasSubstr("unknown processor 'z80'"));
  EXPECT_THAT(failureOf(""), HasSubstr("unknown processor"));
}

static std::string errorOf(const std::string &text) {
  return KernelRunner(text).error;
}

TEST(Diagnostics, NameTheKernelAndTheOp) {
  EXPECT_THAT(errorOf(R"(
    amp.kernel @bad {
    ^bb0(%x: tensor<2x3xf32>):
      %y = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      amp.yield %y : tensor<3x2xf32>
    })"),
              HasSubstr("kernel @bad: 'amp.transpose' has no code"));
  EXPECT_THAT(errorOf(R"(
    amp.kernel @outer {
    ^bb0(%x: tensor<2x3xf32>):
      %y = amp.reduce_sum %x {axes = array<i64: 0>, keepdims, acc = f32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
      amp.yield %y : tensor<1x3xf32>
    })"),
              HasSubstr("innermost dimensions"));
  EXPECT_THAT(errorOf(R"(
    amp.kernel @shapes {
    ^bb0(%x: tensor<2xf32>, %y: tensor<3xf32>):
      amp.yield %x, %y : tensor<2xf32>, tensor<3xf32>
    })"),
              HasSubstr("do not broadcast"));
}

TEST(Shapes, UnitsAndTraffic) {
  auto shapeOf = [](const std::string &text) {
    KernelRunner runner(text);
    EXPECT_TRUE(runner.good()) << runner.error;
    return *analyzeKernel(runner.kernel());
  };
  KernelShape flat = shapeOf(R"(
    amp.kernel @flat {
    ^bb0(%x: tensor<4x10000xf32>):
      %y = amp.neg %x : (tensor<4x10000xf32>) -> tensor<4x10000xf32>
      amp.yield %y : tensor<4x10000xf32>
    })");
  EXPECT_EQ(flat.units, 3);
  EXPECT_EQ(flat.unitBytes, 4 * 10000 * 8 / 3);
  EXPECT_EQ(flat.scratchBytes, 0);
  KernelShape partials = shapeOf(R"(
    amp.kernel @partials {
    ^bb0(%x: tensor<70x12xf32>):
      %p = amp.column_partials %x {chunk = 32 : i64, acc = f32} : (tensor<70x12xf32>) -> tensor<3x12xf32>
      amp.yield %p : tensor<3x12xf32>
    })");
  EXPECT_EQ(partials.units, 3);
  EXPECT_EQ(partials.partialChunks, 3);
}
