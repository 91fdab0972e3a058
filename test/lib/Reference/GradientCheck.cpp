//===- GradientCheck.cpp - Gradients against central differences ----------===//

#include "Reference/GradientCheck.h"
#include "amp/Transforms/AutoDiff/Differentiate.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

static bool isFloat(Value value) {
  return isa<FloatType>(tensorType(value).getElementType());
}

static std::vector<Tensor> drawArguments(func::FuncOp function,
                                         ArrayRef<Draw> draws,
                                         std::mt19937_64 &random) {
  std::vector<Tensor> tensors;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Draw draw = number < draws.size() ? draws[number] : Draw();
    std::uniform_real_distribution<double> range(draw.low, draw.high);
    Tensor tensor(shapeOf(argument));
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.data[i] = draw.values.empty()
                           ? range(random)
                           : draw.values[i % draw.values.size()];
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

namespace {

/// @f, its gradient @g(arguments..., weights...), and a point.
struct Check {
  ModuleOp module;
  func::FuncOp function, gradient;
  std::vector<Tensor> arguments, weights;

  /// Sum of all float results, each element times its weight.
  double weighted(const std::vector<Tensor> &point) {
    auto results = Evaluator(module).run(function, point);
    if (!results)
      llvm::report_fatal_error(results.takeError());
    double sum = 0;
    size_t next = 0;
    Operation *exit = function.getBody().front().getTerminator();
    for (auto [value, result] : llvm::zip_equal(exit->getOperands(), *results))
      if (isFloat(value)) {
        const Tensor &weight = weights[next++];
        for (int64_t i = 0; i < result.size(); ++i)
          sum += weight.data[i] * result.data[i];
      }
    return sum;
  }
};

} // namespace

/// Appends the gradient of the weighted sum to a copy of the function; the
/// copy returns one gradient a float argument, in order.
static LogicalResult makeGradient(Check &check, GradientReport &report) {
  check.gradient = check.function.clone();
  check.gradient.setName("g");
  check.module.push_back(check.gradient);
  Block &block = check.gradient.getBody().front();
  auto exit = cast<func::ReturnOp>(block.getTerminator());
  SmallVector<Value> sources;
  for (BlockArgument argument : block.getArguments())
    if (isFloat(argument))
      sources.push_back(argument);
  SmallVector<GradientSeed> seeds;
  for (Value value : exit.getOperands())
    if (isFloat(value))
      seeds.push_back(
          {value, block.addArgument(value.getType(), value.getLoc())});
  SmallVector<Operation *> forward;
  for (Operation &op : block.without_terminator())
    forward.push_back(&op);
  OpBuilder builder(exit);
  FailureOr<SmallVector<Value>> gradients =
      differentiate(block, builder, seeds, sources);
  if (failed(gradients))
    return failure();
  for (Operation *op : forward)
    if (llvm::any_of(op->getOperands(), isFloat))
      report.covered.insert(op->getName().getStringRef().str());
  SmallVector<Value> results;
  for (auto [source, gradient] : llvm::zip_equal(sources, *gradients)) {
    Value value = gradient;
    if (!value) {
      auto type = tensorType(source);
      value = ConstantOp::create(
          builder, source.getLoc(),
          DenseElementsAttr::get(
              type, builder.getFloatAttr(type.getElementType(), 0)));
    }
    results.push_back(value);
  }
  exit->setOperands(results);
  check.gradient.setType(builder.getFunctionType(
      block.getArgumentTypes(), TypeRange(ValueRange(results))));
  return verify(check.module);
}

GradientReport amp::reference::checkGradients(MLIRContext &context,
                                              const GradientCase &test,
                                              unsigned seed, double step,
                                              double tolerance) {
  GradientReport report;
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "; ";
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(test.text, &context);
  if (!module) {
    report.failure = "does not parse: " + messages + test.text;
    return report;
  }
  Check check;
  check.module = *module;
  check.function = module->lookupSymbol<func::FuncOp>("f");
  if (failed(makeGradient(check, report))) {
    report.failure = "cannot be differentiated: " + messages;
    return report;
  }

  std::mt19937_64 random(seed);
  check.arguments = drawArguments(check.function, test.draws, random);
  std::uniform_real_distribution<double> range(-1, 1);
  std::vector<Tensor> all = check.arguments;
  for (Value value :
       check.function.getBody().front().getTerminator()->getOperands()) {
    if (!isFloat(value))
      continue;
    Tensor weight(shapeOf(value));
    for (double &number : weight.data)
      number = range(random);
    check.weights.push_back(weight);
    all.push_back(weight);
  }
  auto gradients = Evaluator(check.module).run(check.gradient, all);
  if (!gradients) {
    report.failure = llvm::toString(gradients.takeError());
    return report;
  }

  size_t next = 0;
  for (BlockArgument argument : check.function.getArguments()) {
    if (!isFloat(argument))
      continue;
    const Tensor &gradient = (*gradients)[next++];
    for (int64_t i = 0; i < gradient.size(); ++i) {
      std::vector<Tensor> point = check.arguments;
      double &number = point[argument.getArgNumber()].data[i];
      double middle = number;
      number = middle + step;
      double above = check.weighted(point);
      number = middle - step;
      double below = check.weighted(point);
      double difference = (above - below) / (2 * step);
      double error = std::fabs(gradient.data[i] - difference) /
                     (1 + std::fabs(difference));
      report.worst = std::max(report.worst, error);
      ++report.compared;
      if (!(error <= tolerance) && report.failure.empty())
        report.failure = llvm::formatv(
            "argument {0}, element {1}: gradient {2}, central difference {3}",
            argument.getArgNumber(), i, gradient.data[i], difference);
    }
  }
  return report;
}
