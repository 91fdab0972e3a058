//===- ScalerReferenceTest.cpp - Random scalers against the reference -----===//
//
// The machine that compiled programs run, the attributes that carry its
// parameters, and the reference evaluation of amp.scaler_update agree bit for
// bit, for parameters no preset has.
//
//===----------------------------------------------------------------------===//

#include "Reference/Evaluator.h"
#include "amp/Dialect/Amp/IR/ScalerConfig.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace {

amp::abi::ScalerRule randomRule(std::mt19937 &random) {
  auto one = [&](auto... values) {
    std::array list{values...};
    return list[random() % list.size()];
  };
  amp::abi::ScalerRule rule;
  rule.growthFactor = one(2.0, 1.0, 1.7, 1e20);
  rule.backoffFactor = one(0.5, 1.0, 0.3, 1e-20);
  rule.growthInterval = one(1, 2, 3, 7);
  rule.intervalPerScale = one(0.0, 0.0, 1e-4, 1e30);
  rule.start = one(0, -1, 2);
  rule.afterFound = one(0, -1, 1);
  rule.afterGrowth = one(0, -1, -3);
  rule.hysteresis = one(1, 2, 3);
  rule.refill = {unsigned(random() % 8)};
  rule.minScale = one(0.0, 1.0, 0x1p-14);
  rule.maxScale = one(double(INFINITY), 0x1p24);
  rule.finiteGuard = amp::abi::FiniteGuard(random() % 3);
  rule.delay = random() % 2;
  rule.errorAtMin = random() % 2;
  return rule;
}

TEST(ScalerReference, RandomScalersStepAlike) {
  MLIRContext context;
  context.loadDialect<amp::AmpDialect, func::FuncDialect>();
  std::mt19937 random(23);
  for (int round = 0; round < 300; ++round) {
    amp::abi::ScalerRule rule = randomRule(random);
    std::string config;
    llvm::raw_string_ostream(config) << amp::scalerConfigOf(&context, rule);
    std::string states = "tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, "
                         "tensor<i32>";
    auto module = parseSourceString<ModuleOp>(
        llvm::formatv(
            "func.func @step(%s: tensor<f32>, %n: tensor<f32>, %t: "
            "tensor<i32>, %h: tensor<i32>, %b: tensor<i32>, %ok: tensor<i1>) "
            "-> ({0}) {{\n"
            "%r:5 = amp.scaler_update %s, %n, %t, %h, %b, %ok {{config = {1}} "
            ": ({0}, tensor<i1>) -> ({0})\n"
            "return %r#0, %r#1, %r#2, %r#3, %r#4 : {0}\n}",
            states, config)
            .str(),
        &context);
    ASSERT_TRUE(module) << config;
    auto step = *module->getOps<func::FuncOp>().begin();
    amp::reference::Evaluator evaluator(*module);
    amp::abi::ScalerState state = amp::abi::firstScalerState(rule, 65536);
    for (int event = 0; event < 60; ++event) {
      bool found = random() % 3 == 0;
      std::vector<amp::reference::Tensor> arguments;
      for (double value :
           {double(state.scale), double(state.next), double(state.tracker),
            double(state.hysteresis), double(state.bad), double(!found)})
        arguments.emplace_back(ArrayRef<int64_t>{}, value);
      auto results = evaluator.run(step, arguments);
      ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
      amp::abi::stepScaler(rule, found, state);
      auto got = [&](int i) { return (*results)[size_t(i)].data[0]; };
      EXPECT_EQ(got(0), state.scale) << config << ", event " << event;
      EXPECT_EQ(got(1), state.next) << config << ", event " << event;
      EXPECT_EQ(got(2), state.tracker) << config << ", event " << event;
      EXPECT_EQ(got(3), state.hysteresis) << config << ", event " << event;
      ASSERT_EQ(got(4), state.bad) << config << ", event " << event;
    }
  }
}

} // namespace
