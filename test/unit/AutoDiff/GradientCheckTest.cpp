//===- GradientCheckTest.cpp - Every rule against central differences -----===//
//
// All in float64, step 1e-5, seed 1: gradients agree within 1e-7 (relative
// above 1). The error of the differences themselves is near 1e-10.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

class GradientCheck : public ::testing::Test {
protected:
  GradientCheck() {
    DialectRegistry registry;
    registry.insert<AmpDialect, func::FuncDialect>();
    registerGradientModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void checkAll(const std::vector<GradientCase> &cases) {
    ASSERT_FALSE(cases.empty());
    double worst = 0;
    size_t compared = 0;
    for (const GradientCase &test : cases) {
      GradientReport report = checkGradients(context, test);
      EXPECT_EQ(report.failure, "") << test.name;
      worst = std::max(worst, report.worst);
      compared += report.compared;
    }
    // Two different computations never agree in every bit.
    EXPECT_GT(worst, 0.0);
    EXPECT_GT(compared, cases.size());
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", worst);
    RecordProperty("worst", text);
    RecordProperty("compared", std::to_string(compared));
    RecordProperty("cases", std::to_string(cases.size()));
  }

  MLIRContext context;
};

TEST_F(GradientCheck, Elementwise) { checkAll(elementwiseCases()); }
TEST_F(GradientCheck, Linear) { checkAll(linearCases()); }
TEST_F(GradientCheck, Conv) { checkAll(convCases()); }
TEST_F(GradientCheck, Pool) { checkAll(poolCases()); }
TEST_F(GradientCheck, Norm) { checkAll(normCases()); }
TEST_F(GradientCheck, Attention) { checkAll(attentionCases()); }
TEST_F(GradientCheck, Reduce) { checkAll(reduceCases()); }
TEST_F(GradientCheck, Shape) { checkAll(shapeCases()); }
TEST_F(GradientCheck, Index) { checkAll(indexCases()); }

/// The check must be able to fail: within a step of a kink the difference is
/// not the derivative, and the report says where.
TEST_F(GradientCheck, FindsWrongGradients) {
  GradientCase test =
      body("a kink", {"3xf32"},
           "%r = amp.abs %a0 : (tensor<3xf32>) -> tensor<3xf32>", {"3xf32"},
           {{0, 0, {1.0, 2e-6, -1.0}}});
  GradientReport report = checkGradients(context, test);
  EXPECT_NE(report.failure.find("element 1"), std::string::npos)
      << report.failure;
  EXPECT_GT(report.worst, 0.01);
}

/// Every op of the dialect answers, and every op with a rule has a case.
TEST_F(GradientCheck, CoversEveryRule) {
  std::set<std::string> covered;
  for (auto family :
       {elementwiseCases, linearCases, convCases, poolCases, normCases,
        attentionCases, reduceCases, shapeCases, indexCases})
    for (const GradientCase &test : family()) {
      GradientReport report = checkGradients(context, test);
      covered.insert(report.covered.begin(), report.covered.end());
    }
  int rules = 0;
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("amp")) {
    auto *model = name.getInterface<GradientOpInterface>();
    ASSERT_NE(model, nullptr) << name.getStringRef().str()
                              << " does not say how it is differentiated";
    // The answers do not depend on the op.
    bool hasRule =
        model->getGradientAnswer(model, nullptr) == GradientAnswer::Rule;
    StringRef reason = model->getGradientReason(model, nullptr);
    EXPECT_EQ(hasRule, reason.empty()) << name.getStringRef().str();
    if (!hasRule)
      continue;
    ++rules;
    EXPECT_TRUE(covered.count(name.getStringRef().str()))
        << name.getStringRef().str() << " has a rule without a case";
  }
  EXPECT_GE(rules, 50);
}

} // namespace
