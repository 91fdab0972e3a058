//===- PTXTest.cpp - PTX of elementwise kernels ---------------------------===//

#include "amp/Conversion/AmpToGPU/Passes.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Target/EmitPTX.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

using namespace mlir;
using testing::HasSubstr;
using testing::Not;

namespace {
struct Result {
  std::string ptx, error;
};

Result compile(llvm::StringRef text, llvm::StringRef chip = "sm_80") {
  Result result;
  MLIRContext context;
  context.loadDialect<amp::AmpDialect>();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    result.error += diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return result;
  PassManager passes(&context);
  amp::buildCUDAPipeline(passes);
  if (failed(passes.run(*module)))
    return result;
  auto ptx = amp::emitPTX(*module, chip);
  if (succeeded(ptx))
    result.ptx = *ptx;
  return result;
}

size_t count(const std::string &text, const std::string &what) {
  size_t number = 0;
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1))
    ++number;
  return number;
}
} // namespace

TEST(PTX, BiasGeluResidualUses128BitAccesses) {
  Result result = compile(R"(
    amp.kernel @k {
    ^bb0(%x: tensor<64x2048xbf16>, %b: tensor<2048xbf16>, %r: tensor<64x2048xbf16>):
      %s = amp.add %x, %b : (tensor<64x2048xbf16>, tensor<2048xbf16>) -> tensor<64x2048xbf16>
      %g = amp.gelu %s {form = #amp<gelu_form tanh>} : (tensor<64x2048xbf16>) -> tensor<64x2048xbf16>
      %y = amp.add %g, %r : (tensor<64x2048xbf16>, tensor<64x2048xbf16>) -> tensor<64x2048xbf16>
      amp.yield %y : tensor<64x2048xbf16>
    })");
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.ptx, HasSubstr(".visible .entry k("));
  EXPECT_EQ(count(result.ptx, "ld.global.v4.b32"), 3u) << result.ptx;
  EXPECT_EQ(count(result.ptx, "st.global.v4.b32"), 1u);
  EXPECT_THAT(result.ptx, Not(HasSubstr(".extern")));
  EXPECT_THAT(result.ptx, Not(HasSubstr("approx")));
  EXPECT_THAT(result.ptx, Not(HasSubstr(".local")));
}

TEST(PTX, EveryFunctionIsFreeOfOutsideCalls) {
  for (const char *op :
       {"exp", "expm1", "log", "log1p", "tanh", "erf", "sin", "cos", "sqrt",
        "rsqrt", "sigmoid", "softplus", "floor", "ceil", "round", "sign"}) {
    std::string type = "tensor<1000xf32>";
    Result result = compile("amp.kernel @k {\n^bb0(%x: " + type +
                            "):\n %y = amp." + op + " %x : (" + type + ") -> " +
                            type + "\n amp.yield %y : " + type + "\n}");
    EXPECT_EQ(result.error, "") << op;
    EXPECT_THAT(result.ptx, HasSubstr("st.global.v4.b32")) << op;
    EXPECT_THAT(result.ptx, Not(HasSubstr(".extern"))) << op;
    EXPECT_THAT(result.ptx, Not(HasSubstr("approx"))) << op;
  }
}

TEST(PTX, DropoutAndTails) {
  Result result = compile(R"(
    amp.kernel @drop {
    ^bb0(%x: tensor<1003xf16>, %rng: tensor<2xi64>, %i: tensor<i64>):
      %y = amp.dropout %x, %rng, %i {ratio = 0.1 : f64, node = 5 : i64} : (tensor<1003xf16>, tensor<2xi64>, tensor<i64>) -> tensor<1003xf16>
      amp.yield %y : tensor<1003xf16>
    })");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(count(result.ptx, "ld.global.v4.b32"), 1u) << result.ptx;
  EXPECT_EQ(count(result.ptx, "st.global.v4.b32"), 1u);
  EXPECT_EQ(count(result.ptx, "st.global.b16"), 1u);
}

TEST(PTX, ReductionsAndOldChipsAreRefused) {
  const char *sum = R"(
    amp.kernel @sum {
    ^bb0(%x: tensor<2x3xf32>):
      %y = amp.reduce_sum %x {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      amp.yield %y : tensor<2x1xf32>
    })";
  EXPECT_THAT(compile(sum).error, HasSubstr("kernel @sum reduces rows"));
  const char *copy = "amp.kernel @k {\n^bb0(%x: tensor<4xf32>):\n"
                     " amp.yield %x : tensor<4xf32>\n}";
  EXPECT_EQ(compile(copy).error, "");
  EXPECT_THAT(compile(copy, "sm_30").error, HasSubstr("unknown chip 'sm_30'"));
  EXPECT_THAT(compile(copy, "gfx90a").error, HasSubstr("unknown chip"));
}
