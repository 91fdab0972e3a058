//===- CompileTest.cpp - Processors, objects, diagnostics -----------------===//

#include "KernelRunner.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
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

/// What compileKernels says of a module in LLVM ops.
static std::string compileError(const std::string &text) {
  mlir::MLIRContext context;
  context.loadDialect<AmpDialect, mlir::LLVM::LLVMDialect>();
  std::string error;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str();
                                          return mlir::success();
                                        });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "module {\n" + text + "\n}", &context);
  auto target = llvm::cantFail(resolveCpuTarget("x86-64-v3"));
  if (module && succeeded(compileKernels(*module, target)))
    return "";
  return error;
}

TEST(Compile, CodeThatNeedsOutsideFunctionsIsRefused) {
  std::string head = R"(
    module attributes {amp.code = "cpu", amp.kernel = "k"} {
      llvm.func @expf(f32) -> f32
      llvm.func @memset(!llvm.ptr, i32, i64) -> !llvm.ptr
      llvm.func @k(%p: !llvm.ptr, %v: i32, %n: i64) {)";
  EXPECT_THAT(compileError(head + R"(
        %x = llvm.load %p : !llvm.ptr -> f32
        %y = llvm.call @expf(%x) : (f32) -> f32
        llvm.store %y, %p : f32, !llvm.ptr
        llvm.return
      }
    })"),
              HasSubstr("\"k\": the code needs outside functions: expf"));
  EXPECT_EQ(compileError(head + R"(
        %q = llvm.call @memset(%p, %v, %n) : (!llvm.ptr, i32, i64) -> !llvm.ptr
        llvm.return
      }
    })"),
            "");
}

TEST(Compile, KernelsWithoutCodeAreNotForgotten) {
  EXPECT_THAT(compileError(kTwoKernels), HasSubstr("kernel @one has no code"));
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
