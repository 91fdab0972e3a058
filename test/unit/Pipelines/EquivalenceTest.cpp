//===- EquivalenceTest.cpp - Stages keep what a model computes ------------===//
//
// Random models are differentiated; then loss and gradients are evaluated in
// float64 without rounding, before and after precision and optimisation. No
// stage may change a number beyond the order of sums and factors such as 1/n in
// float32, which a batch norm of few values magnifies: 1e-4 of the largest
// value of a tensor, or of 0.1.
//
//===----------------------------------------------------------------------===//

#include "RandomModel.h"
#include "Reference/Evaluator.h"
#include "amp/Pipelines/Stages.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

class Equivalence : public ::testing::TestWithParam<const char *> {
protected:
  Equivalence() {
    DialectRegistry registry;
    registry.insert<AmpDialect, func::FuncDialect>();
    registerGradientModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  bool apply(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
    PassManager manager(&context);
    build(manager);
    return succeeded(manager.run(module));
  }

  bool differentiate(ModuleOp module) {
    return apply(module, [](OpPassManager &manager) {
      TrainingOptions options;
      options.loss = "graph_output";
      options.entries.push_back("gradients");
      buildTrainingPipeline(manager, options);
    });
  }

  bool optimise(ModuleOp module) {
    return apply(module, [](OpPassManager &manager) {
      PrecisionOptions options;
      options.precision = std::string(GetParam());
      if (options.precision == "fp16")
        options.scaler = "pytorch";
      buildPrecisionPipeline(manager, options);
      buildOptimisePipeline(manager);
    });
  }

  /// Results of @gradients on numbers that depend on the seed alone.
  std::vector<Tensor> evaluate(ModuleOp module, unsigned seed) {
    std::mt19937 random(seed);
    auto fill = [&](Tensor &tensor) {
      for (double &value : tensor.data)
        value = std::uniform_real_distribution<double>(-1, 1)(random);
    };
    Evaluator evaluator(module);
    for (auto variable : module.getOps<VariableOp>())
      if (variable.getKind() == VariableKind::Parameter)
        fill(evaluator.variables[variable.getSymName()]);
    for (auto variable : module.getOps<VariableOp>())
      if (auto source = variable.getShadowOf())
        evaluator.variables[variable.getSymName()] =
            Tensor(evaluator.variables[*source]);
    auto function = module.lookupSymbol<func::FuncOp>("gradients");
    std::vector<Tensor> arguments;
    for (Value argument : function.getArguments()) {
      arguments.emplace_back(reference::shapeOf(argument));
      fill(arguments.back());
    }
    auto results = evaluator.run(function, arguments);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }

  void check(unsigned seed, int ops);

  MLIRContext context;
};

void expectSame(const std::vector<Tensor> &before,
                const std::vector<Tensor> &after) {
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].shape, after[i].shape);
    double largest = 0.1, error = 0;
    for (int64_t j = 0; j < before[i].size(); ++j) {
      ASSERT_TRUE(std::isfinite(before[i].data[j]));
      largest = std::max(largest, std::abs(before[i].data[j]));
      double difference = std::abs(before[i].data[j] - after[i].data[j]);
      // Not a number is no agreement.
      error = difference <= error ? error : difference;
    }
    EXPECT_LE(error, 1e-4 * largest) << "result " << i;
  }
}

void Equivalence::check(unsigned seed, int ops) {
  std::string text = test::RandomModel(seed).build(ops);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module && differentiate(*module));
  std::vector<Tensor> before = evaluate(*module, seed);
  ASSERT_TRUE(optimise(*module));
  unsigned regions = 0;
  module->walk([&](RegionOp) { ++regions; });
  EXPECT_GT(regions, 0u);
  expectSame(before, evaluate(*module, seed));
  // What is left has launches.
  EXPECT_TRUE(apply(*module, buildSchedulePipeline));
}

TEST_P(Equivalence, SmallModels) {
  for (unsigned seed = 1; seed <= 700 && !HasFailure(); ++seed)
    check(seed, 1 + seed % 8);
}

TEST_P(Equivalence, LargerModels) {
  for (unsigned seed = 10001; seed <= 10060 && !HasFailure(); ++seed)
    check(seed, 20 + seed % 40);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Equivalence,
                         ::testing::Values("fp32", "bf16", "fp16"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
