//===- InterfaceTest.cpp - Ops of other dialects by interface -------------===//
//
// An op from outside the dialect that implements PrecisionOpInterface has a
// policy like one of ours, without a remark; the same op without it is unknown.
//
//===----------------------------------------------------------------------===//

#include "amp/Transforms/Precision/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <gmock/gmock.h>

using namespace mlir;
using namespace amp;

namespace {

/// Adds read any type; their second operand is wide.
struct AddModel : PrecisionOpInterface::ExternalModel<AddModel, arith::AddFOp> {
  PrecisionClass getPrecisionClass(Operation *) const {
    return PrecisionClass::Follow;
  }
  bool isWideOperand(Operation *, unsigned index) const { return index == 1; }
  bool isWideResult(Operation *, unsigned) const { return false; }
};

constexpr const char *kText = R"(
func.func @f(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %b: tensor<8x16xf32>)
    -> tensor<8x16xf32> {
  %0 = amp.matmul %x, %w {acc = f32}
    : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = arith.addf %0, %b : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
})";

struct Outcome {
  DictionaryAttr policy;
  unsigned remarks = 0;
};

/// Class and remarks of the addition under a preset.
Outcome run(MLIRContext &context, bool withInterface, const char *preset) {
  DialectRegistry registry;
  registry.insert<AmpDialect, func::FuncDialect, arith::ArithDialect>();
  if (withInterface)
    registry.addExtension(+[](MLIRContext *inner, arith::ArithDialect *) {
      arith::AddFOp::attachInterface<AddModel>(*inner);
    });
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  Outcome outcome;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    outcome.remarks += diagnostic.getSeverity() == DiagnosticSeverity::Remark;
    return success();
  });
  auto module = parseSourceString<ModuleOp>(kText, &context);
  EXPECT_TRUE(module);
  PassManager manager(&context);
  ApplyPolicyPassOptions options;
  options.precision = "bf16";
  options.preset = preset;
  manager.addPass(createApplyPolicyPass(options));
  EXPECT_TRUE(succeeded(manager.run(*module)));
  module->walk([&](arith::AddFOp op) {
    outcome.policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  });
  EXPECT_TRUE(outcome.policy);
  return outcome;
}

StringRef text(const Outcome &outcome, StringRef key) {
  return outcome.policy.getAs<StringAttr>(key).getValue();
}

TEST(PrecisionInterface, GivesAnOpItsClass) {
  MLIRContext context;
  Outcome outcome = run(context, /*withInterface=*/true, "default");
  EXPECT_EQ(text(outcome, "class"), "follow");
  EXPECT_EQ(text(outcome, "rule"), "PS-default");
  EXPECT_EQ(outcome.remarks, 0u);
}

TEST(PrecisionInterface, UnderOtherPresetsItIsInNoList) {
  MLIRContext context;
  EXPECT_EQ(text(run(context, true, "tensorflow"), "class"), "block");
  MLIRContext other;
  EXPECT_EQ(text(run(other, true, "ort"), "rule"), "PS-ort.unlisted");
}

TEST(PrecisionInterface, WithoutItAnOpIsUnknown) {
  MLIRContext context;
  Outcome outcome = run(context, /*withInterface=*/false, "default");
  EXPECT_EQ(text(outcome, "class"), "promote");
  EXPECT_EQ(text(outcome, "rule"), "UN-unknown-op");
  EXPECT_EQ(outcome.remarks, 1u);
}

} // namespace
