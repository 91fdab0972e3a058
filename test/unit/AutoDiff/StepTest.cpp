//===- StepTest.cpp - Entry points, run by the reference evaluator --------===//
//
// What a step, a window, a skipped step and an evaluation do to the variables.
// All in float64: equal numbers agree within 1e-12.
//
//===----------------------------------------------------------------------===//

#include "Reference/Evaluator.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

/// y = x w, with a running sum of the columns of x as buffer.
std::string modelOf(int rows) {
  std::string n = std::to_string(rows);
  return R"mlir(
amp.variable @w : tensor<3x2xf32> kind parameter init
  dense<[[0.5, -0.25], [1.0, 2.0], [-0.75, 0.125]]> : tensor<3x2xf32> {trained}
amp.variable @seen : tensor<3xf32> kind buffer init dense<0.5> : tensor<f32>
func.func @forward(%x: tensor<)mlir" +
         n + R"mlir(x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<)mlir" +
         n + R"mlir(x2xf32> {amp.name = "y", amp.role = "output"}) {
  %w = amp.read @w : tensor<3x2xf32>
  %old = amp.read @seen : tensor<3xf32>
  %y = amp.matmul %x, %w {acc = f32} : (tensor<)mlir" +
         n + "x3xf32>, tensor<3x2xf32>) -> tensor<" + n + R"mlir(x2xf32>
  %s = amp.reduce_sum %x {axes = array<i64: 0>, acc = f32} : (tensor<)mlir" +
         n + R"mlir(x3xf32>) -> tensor<3xf32>
  %new = amp.add %old, %s : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  amp.write @seen, %new : tensor<3xf32>
  return %y : tensor<)mlir" +
         n + "x2xf32>\n}\n";
}

Tensor scalar(double value) { return Tensor(ArrayRef<int64_t>{}, value); }

/// Values without symmetry, the same in each run.
Tensor numbers(int64_t rows, int64_t columns, int64_t first) {
  Tensor tensor(Index{rows, columns});
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data[i] = std::sin(1.0 + 0.7 * double(first * columns + i));
  return tensor;
}

class Step : public ::testing::Test {
protected:
  Step() {
    DialectRegistry registry;
    registry.insert<AmpDialect, func::FuncDialect>();
    registerGradientModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> compile(int rows, const std::string &optimizer,
                                const std::string &loss = "mse",
                                ClipMode clip = ClipMode::None) {
    auto module = parseSourceString<ModuleOp>(modelOf(rows), &context);
    PassManager manager(&context);
    manager.addPass(createAttachLossPass({loss}));
    manager.addPass(createDifferentiatePass());
    BuildEntriesPassOptions options;
    options.optimizer = optimizer;
    options.clip = clip;
    options.accumulate = true;
    manager.addPass(createBuildEntriesPass(options));
    manager.addPass(createVerifyGradientsPass());
    if (failed(manager.run(*module)))
      ADD_FAILURE() << "the stage failed";
    return module;
  }

  static std::vector<Tensor> run(Evaluator &evaluator, ModuleOp module,
                                 StringRef entry,
                                 const std::vector<Tensor> &arguments) {
    auto results =
        evaluator.run(module.lookupSymbol<func::FuncOp>(entry), arguments);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }

  static void expectEqual(const Tensor &got, const Tensor &wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (int64_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got.data[i], wanted.data[i], 1e-12) << "element " << i;
  }

  /// Constant schedule with the given rate.
  static Tensor schedule(double rate) {
    Tensor tensor(Index{8});
    tensor.data[1] = rate;
    return tensor;
  }

  MLIRContext context;
  Tensor x = numbers(4, 3, 0), t = numbers(4, 2, 9);
};

TEST_F(Step, SgdFollowsTheGradient) {
  auto module = compile(4, "sgd");
  Evaluator evaluator(*module);
  Tensor w = evaluator.variables["w"];
  auto gradients = run(evaluator, *module, "gradients", {x, t});
  // loss, y, gradient, state
  ASSERT_EQ(gradients.size(), 4u);
  Tensor y = gradients[1];
  double loss = 0;
  Tensor expected(Index{3, 2});
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      double d = y.at({i, j}) - t.at({i, j});
      loss += d * d / 8;
      for (int64_t k = 0; k < 3; ++k)
        expected.at({k, j}) += 2 * d * x.at({i, k}) / 8;
    }
  EXPECT_NEAR(gradients[0].data[0], loss, 1e-12);
  expectEqual(gradients[2], expected);
  expectEqual(evaluator.variables["w"], w);
  expectEqual(evaluator.variables["seen"], Tensor(Index{3}, 0.5));

  auto results =
      run(evaluator, *module, "train_step", {x, t, schedule(0.1), scalar(0)});
  // loss, grad_norm, found_inf, loss_scale, lr
  ASSERT_EQ(results.size(), 5u);
  double square = 0;
  for (int64_t i = 0; i < 6; ++i) {
    w.data[i] -= 0.1 * expected.data[i];
    square += expected.data[i] * expected.data[i];
  }
  EXPECT_NEAR(results[0].data[0], loss, 1e-12);
  EXPECT_NEAR(results[1].data[0], std::sqrt(square), 1e-12);
  EXPECT_EQ(results[2].data[0], 0);
  EXPECT_EQ(results[3].data[0], 1);
  EXPECT_EQ(results[4].data[0], 0.1);
  expectEqual(evaluator.variables["w"], w);
  expectEqual(evaluator.variables["seen"], gradients[3]);
  EXPECT_EQ(evaluator.variables["amp.iteration"].data[0], 1);
  EXPECT_EQ(evaluator.variables["amp.applied"].data[0], 1);
}

TEST_F(Step, AWindowIsOneStepOnAllItsRows) {
  for (const char *optimizer :
       {"sgd,momentum=0.9,nesterov=true", "adamw,amsgrad=true",
        "rmsprop,momentum=0.5,centered=true", "adagrad,lr_decay=0.1", "lamb",
        "adafactor", "lion", "nadam", "radam,betas=0.9:0.85"}) {
    SCOPED_TRACE(optimizer);
    auto whole = compile(4, optimizer), half = compile(2, optimizer);
    Evaluator one(*whole), two(*half);
    // Three windows, so that moments and counters matter.
    for (int64_t step = 0; step < 3; ++step) {
      Tensor inputs = numbers(4, 3, step * 31);
      Tensor targets = numbers(4, 2, step * 57 + 5);
      run(one, *whole, "train_step",
          {inputs, targets, schedule(0.05), scalar(0)});
      for (int64_t part = 0; part < 2; ++part)
        run(two, *half, "accumulate",
            {numbers(2, 3, step * 31 + part * 2),
             numbers(2, 2, step * 57 + 5 + part * 2), scalar(2)});
      run(two, *half, "apply", {schedule(0.05), scalar(0)});
      // A pending value has a meaning only within a window.
      for (auto &entry : one.variables)
        if (entry.first() != "seen.pending")
          expectEqual(two.variables[entry.first()], entry.second);
      EXPECT_EQ(two.variables["amp.micro_batch"].data[0], 0);
      expectEqual(two.variables["w.accumulator"], Tensor(Index{3, 2}));
    }
    EXPECT_EQ(two.variables["amp.applied"].data[0], 3);
  }
}

TEST_F(Step, ASkippedStepChangesCountersOnly) {
  auto module = compile(4, "adam");
  Evaluator evaluator(*module);
  run(evaluator, *module, "train_step", {x, t, schedule(0.1), scalar(0)});
  auto before = evaluator.variables;
  Tensor bad = x;
  bad.data[5] = std::numeric_limits<double>::infinity();
  auto results =
      run(evaluator, *module, "train_step", {bad, t, schedule(0.1), scalar(0)});
  EXPECT_EQ(results[2].data[0], 1) << "found_inf";
  for (auto &entry : before)
    if (entry.first() != "amp.iteration" && entry.first() != "amp.skipped")
      expectEqual(evaluator.variables[entry.first()], entry.second);
  EXPECT_EQ(evaluator.variables["amp.iteration"].data[0], 2);
  EXPECT_EQ(evaluator.variables["amp.applied"].data[0], 1);
  EXPECT_EQ(evaluator.variables["amp.skipped"].data[0], 1);
}

TEST_F(Step, ASkippedWindowChangesCountersOnly) {
  auto module = compile(4, "adam");
  Evaluator evaluator(*module);
  run(evaluator, *module, "train_step", {x, t, schedule(0.1), scalar(0)});
  auto before = evaluator.variables;
  Tensor bad = x;
  bad.data[5] = std::numeric_limits<double>::quiet_NaN();
  run(evaluator, *module, "accumulate", {bad, t, scalar(2)});
  expectEqual(evaluator.variables["seen"], before["seen"]);
  run(evaluator, *module, "accumulate", {x, t, scalar(2)});
  auto results = run(evaluator, *module, "apply", {schedule(0.1), scalar(0)});
  EXPECT_EQ(results[1].data[0], 1) << "found_inf";
  for (auto &entry : before)
    if (entry.first() != "amp.iteration" && entry.first() != "amp.skipped" &&
        entry.first() != "seen.pending")
      expectEqual(evaluator.variables[entry.first()], entry.second);
  EXPECT_EQ(evaluator.variables["amp.skipped"].data[0], 1);
  // The next window begins from the buffer, not from what was dropped.
  run(evaluator, *module, "accumulate", {x, t, scalar(1)});
  run(evaluator, *module, "apply", {schedule(0.1), scalar(0)});
  Tensor seen = before["seen"];
  for (int64_t i = 0; i < x.size(); ++i)
    seen.data[i % 3] += x.data[i];
  expectEqual(evaluator.variables["seen"], seen);
}

TEST_F(Step, AnEmptyWindowKeepsBuffers) {
  auto module = compile(4, "sgd");
  Evaluator evaluator(*module);
  run(evaluator, *module, "apply", {schedule(0.1), scalar(0)});
  expectEqual(evaluator.variables["seen"], Tensor(Index{3}, 0.5));
}

TEST_F(Step, ClipsByNormAndByValue) {
  for (ClipMode clip : {ClipMode::Norm, ClipMode::Value}) {
    auto module = compile(4, "sgd", "mse", clip);
    Evaluator evaluator(*module);
    Tensor w = evaluator.variables["w"];
    Tensor gradient = run(evaluator, *module, "gradients", {x, t})[2];
    auto results = run(evaluator, *module, "train_step",
                       {x, t, schedule(1.0), scalar(0.01)});
    double norm = results[1].data[0];
    ASSERT_GT(norm, 0.01);
    for (int64_t i = 0; i < 6; ++i) {
      double g = gradient.data[i];
      w.data[i] -= clip == ClipMode::Norm ? g * 0.01 / (norm + 1e-6)
                                          : std::min(std::max(g, -0.01), 0.01);
    }
    expectEqual(evaluator.variables["w"], w);
  }
}

/// The first rows of a padded batch count as if there were no others.
TEST_F(Step, EvalCountsValidRowsOnly) {
  struct {
    const char *loss;
    int64_t columns;
  } const losses[] = {{"mse", 2},
                      {"l1,reduction=sum", 2},
                      {"smooth_l1,beta=0.5", 2},
                      {"bce_with_logits", 2},
                      {"softmax_cross_entropy", 0},
                      {"softmax_cross_entropy,label_smoothing=0.2", 0}};
  for (auto &entry : losses) {
    SCOPED_TRACE(entry.loss);
    auto padded = compile(4, "sgd", entry.loss);
    auto exact = compile(3, "sgd", entry.loss);
    Tensor targets = entry.columns ? numbers(4, 2, 9) : Tensor(Index{4});
    if (!entry.columns)
      targets.data = {1, 0, 1, 1};
    Tensor inputs = x;
    for (int64_t i = 9; i < 12; ++i)
      inputs.data[i] = 1e6;
    auto first = [](Tensor tensor) {
      tensor.data.resize(tensor.size() / 4 * 3);
      tensor.shape[0] = 3;
      return tensor;
    };
    Evaluator one(*padded), two(*exact);
    auto got = run(one, *padded, "eval", {inputs, targets, scalar(3)});
    auto wanted =
        run(two, *exact, "eval", {first(inputs), first(targets), scalar(3)});
    ASSERT_EQ(got.size(), 4u);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(got[i].data[0], wanted[i].data[0], 1e-12);
    EXPECT_EQ(got[2].data[0], 3);
    // Without padding, evaluation and training agree on the loss.
    auto trained = run(two, *exact, "train_step",
                       {first(inputs), first(targets), schedule(0), scalar(0)});
    EXPECT_NEAR(wanted[0].data[0], trained[0].data[0], 1e-12);
  }
}

} // namespace
