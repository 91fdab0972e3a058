//===- RangesTest.cpp - Bounds against evaluation -------------------------===//
//
// Random graphs are evaluated in float64 without rounding; every element that
// is not NaN has to lie within the bounds of its value, up to 1e-9 of their
// size, which is what the order of sums in float64 may do. Seeds are the
// numbers of the graphs.
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/Ranges.h"
#include "Analysis/Ranges/Interval.h"
#include "RandomGraph.h"
#include "Reference/Evaluator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

constexpr unsigned kGraphs = 1500;
constexpr int kOps = 14;

/// Largest finite end.
double sizeOf(Interval x) {
  double size = 0;
  for (double end : {x.lo, x.hi})
    size = std::max(size, std::isfinite(end) ? std::fabs(end) : 0);
  return size;
}

class Ranges : public ::testing::Test {
protected:
  Ranges() { context.loadDialect<AmpDialect, func::FuncDialect>(); }

  OwningOpRef<ModuleOp> parse(unsigned seed) {
    std::string text = test::RandomGraph(seed).build(kOps);
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "seed " << seed << "\n" << text;
    return module;
  }

  static std::vector<Tensor> arguments(func::FuncOp function, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Tensor> tensors;
    for (Value argument : function.getArguments()) {
      Tensor tensor(reference::shapeOf(argument));
      bool isFloat = isa<FloatType>(tensorType(argument).getElementType());
      double scale =
          std::pow(10, std::uniform_int_distribution<>(-3, 4)(random));
      for (double &value : tensor.data) {
        value = scale * std::normal_distribution<double>()(random);
        if (!isFloat)
          value = std::uniform_int_distribution<>(0, 5)(random);
      }
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  }

  /// The first element out of bounds, as a message; empty if there is none.
  /// `change` may change what is known after each op.
  std::string
  check(unsigned seed,
        std::function<void(RangeAnalysis &, Operation *)> change = {}) {
    auto module = parse(seed);
    if (!module)
      return "no module";
    auto function = *module->getOps<func::FuncOp>().begin();
    Block &block = function.getBody().front();
    RangeAnalysis facts(*module);
    if (change)
      facts.afterOp = [&](Operation *op) { change(facts, op); };
    facts.run(block);
    Evaluator evaluator(*module);
    auto results = evaluator.run(function, arguments(function, seed));
    if (!results)
      return llvm::toString(results.takeError());
    Operation *end = block.getTerminator();
    for (auto [value, tensor] : llvm::zip_equal(end->getOperands(), *results)) {
      const ValueFacts &known = facts[value];
      Interval bounds = known.bounds;
      if (bounds.isKnown() && value.getDefiningOp())
        bounded.insert(value.getDefiningOp()->getName().stripDialect().str());
      double size = std::max(1.0, sizeOf(bounds));
      for (double number : tensor.data) {
        bool fits = number >= bounds.lo - 1e-9 * size &&
                    number <= bounds.hi + 1e-9 * size;
        bool isWhole =
            !known.whole || std::isinf(number) || std::floor(number) == number;
        if (std::isnan(number) || (fits && isWhole))
          continue;
        std::string text;
        llvm::raw_string_ostream(text)
            << "seed " << seed << ": " << number << " is not in "
            << bounds.text() << (known.whole ? " of whole numbers" : "") << ": "
            << value;
        return text;
      }
    }
    return "";
  }

  MLIRContext context;
  /// Names of the ops some bound of which was checked.
  std::set<std::string> bounded;
};

TEST_F(Ranges, HoldOnRandomGraphs) {
  for (unsigned seed = 0; seed < kGraphs; ++seed)
    ASSERT_EQ(check(seed), "");
  // Every family must have had something to say.
  for (const char *name : {"abs",
                           "sign",
                           "floor",
                           "exp",
                           "expm1",
                           "log",
                           "log1p",
                           "sqrt",
                           "rsqrt",
                           "reciprocal",
                           "tanh",
                           "sigmoid",
                           "softplus",
                           "erf",
                           "sin",
                           "cos",
                           "relu",
                           "gelu",
                           "gelu_grad",
                           "relu_grad",
                           "add",
                           "sub",
                           "mul",
                           "div",
                           "max",
                           "min",
                           "pow",
                           "fmod",
                           "mod",
                           "compare",
                           "select",
                           "cast",
                           "iota",
                           "is_nan",
                           "fan_in_sum",
                           "constant",
                           "matmul",
                           "conv",
                           "conv_input_grad",
                           "conv_weight_grad",
                           "max_pool",
                           "max_pool_grad",
                           "avg_pool",
                           "avg_pool_grad",
                           "softmax",
                           "log_softmax",
                           "layer_norm",
                           "batch_norm",
                           "batch_norm_inference",
                           "attention",
                           "reduce_sum",
                           "reduce_mean",
                           "reduce_max",
                           "reduce_min",
                           "reduce_prod",
                           "arg_max",
                           "column_partials",
                           "combine_partials",
                           "reshape",
                           "transpose",
                           "slice",
                           "broadcast",
                           "concat",
                           "pad",
                           "gather",
                           "gather_grad",
                           "dropout",
                           "softmax_cross_entropy"})
    EXPECT_TRUE(bounded.count(name)) << "no bounds of amp." << name;
}

/// Halves the bounds of one kind of op.
class Broken : public Ranges,
               public ::testing::WithParamInterface<const char *> {};

TEST_P(Broken, TransferIsCaught) {
  auto halve = [&](RangeAnalysis &facts, Operation *op) {
    if (op->getName().stripDialect() != GetParam())
      return;
    ValueFacts known = facts[op->getResult(0)];
    if (!known.bounds.isKnown())
      return;
    // Towards the middle of what is finite.
    double lo = known.bounds.lo, hi = known.bounds.hi;
    double middle = known.bounds.isFinite() ? (lo + hi) / 2
                    : std::isfinite(lo)     ? lo + 1e-3
                                            : hi - 1e-3;
    if (std::isfinite(lo))
      known.bounds.lo = (lo + middle) / 2;
    if (std::isfinite(hi))
      known.bounds.hi = (hi + middle) / 2;
    facts.set(op->getResult(0), known);
  };
  for (unsigned seed = 0; seed < kGraphs; ++seed)
    if (!check(seed, halve).empty())
      return;
  FAIL() << "no graph notices wrong bounds of amp." << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Ops, Broken,
                         ::testing::Values("sigmoid", "tanh", "softmax", "mul",
                                           "add", "div", "select", "iota",
                                           "reduce_sum", "matmul", "conv",
                                           "gather", "sqrt", "cast"));

/// Wider arguments never give narrower results.
TEST_F(Ranges, AreMonotone) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    auto module = parse(seed);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    Block &block = function.getBody().front();
    auto run = [&](Interval bounds) {
      RangeAnalysis facts(*module);
      for (Value argument : block.getArguments().take_front(2)) {
        ValueFacts known;
        known.bounds = bounds;
        facts.set(argument, known);
      }
      facts.run(block);
      return facts;
    };
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> draw(-3, 3);
    double a = draw(random), b = draw(random), c = draw(random);
    Interval narrow = {std::min(a, b), std::max(a, b)};
    Interval wide = {std::min(narrow.lo, c), std::max(narrow.hi, c)};
    RangeAnalysis inner = run(narrow), outer = run(wide);
    for (Operation &op : block)
      for (Value result : op.getResults()) {
        Interval in = inner[result].bounds, out = outer[result].bounds;
        // Bounds of float64 arithmetic round.
        double slack = 1e-12 * sizeOf(out);
        ASSERT_TRUE(out.lo <= in.lo + slack && in.hi <= out.hi + slack)
            << "seed " << seed << " " << in.text() << " from " << narrow.text()
            << " but " << out.text() << " from " << wide.text();
      }
  }
}

/// Twice the ops take about twice the time: the walk enters each op once.
TEST_F(Ranges, EnterEveryOpOnce) {
  auto module = parse(7);
  auto function = *module->getOps<func::FuncOp>().begin();
  RangeAnalysis facts(*module);
  size_t visits = 0;
  facts.afterOp = [&](Operation *) { ++visits; };
  facts.run(function.getBody().front());
  EXPECT_EQ(visits, function.getBody().front().getOperations().size());
}

// Samples of every pair of intervals between a few ends, infinite ones too.
TEST(Intervals, HoldAllResults) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double ends[] = {-kInf, -70000, -2, -1, -0.5, 0, 1e-9, 0.5, 1, 3, kInf};
  auto samples = [&](Interval x) {
    std::vector<double> inside;
    for (double value : {-1e30, -70000., -2., -1.5, -1., -0.5, -0.25, 0., 1e-9,
                         0.25, 0.5, 0.75, 1., 2., 3., 4., 1e30})
      if (x.contains(value))
        inside.push_back(value);
    return inside;
  };
  using Op =
      std::pair<Interval (*)(Interval, Interval), double (*)(double, double)>;
  const Op ops[] = {
      {ranges::add, [](double a, double b) { return a + b; }},
      {ranges::sub, [](double a, double b) { return a - b; }},
      {ranges::mul, [](double a, double b) { return a * b; }},
      {ranges::div, [](double a, double b) { return a / b; }},
      {ranges::pow, [](double a, double b) { return std::pow(a, b); }}};
  size_t checked = 0;
  for (size_t i = 0; i < std::size(ops); ++i)
    for (double aLo : ends)
      for (double aHi : ends)
        for (double bLo : ends)
          for (double bHi : ends) {
            Interval a = {aLo, aHi}, b = {bLo, bHi};
            if (a.isEmpty() || b.isEmpty())
              continue;
            Interval result = ops[i].first(a, b);
            double size = 1e-12 * sizeOf(result);
            for (double x : samples(a))
              for (double y : samples(b)) {
                double exact = ops[i].second(x, y);
                ++checked;
                if (std::isnan(exact))
                  continue;
                ASSERT_TRUE(result.lo - size <= exact &&
                            exact <= result.hi + size)
                    << "op " << i << " of " << x << " in " << a.text()
                    << " and " << y << " in " << b.text() << " is " << exact
                    << ", not in " << result.text();
              }
          }
  EXPECT_GT(checked, 100000u);
}

TEST(Intervals, SumsAndProductsOfMany) {
  using namespace amp::ranges;
  EXPECT_EQ(sumOf({64, 64}, 2048, 2048), Interval::of(131072));
  EXPECT_EQ(sumOf({-1, 2}, 0, 10), (Interval{-10, 20}));
  EXPECT_EQ(sumOf({1, 2}, 0, 10), (Interval{0, 20}));
  EXPECT_EQ(productOf({-0.5, 0.25}, 2), (Interval{-0.25, 0.25}));
  EXPECT_EQ(productOf({2, 3}, 3), (Interval{8, 27}));
}

TEST(Intervals, StoredIntegersWrapAndHalvesRound) {
  using namespace amp::ranges;
  MLIRContext context;
  Type i8 = IntegerType::get(&context, 8), i1 = IntegerType::get(&context, 1);
  EXPECT_EQ(stored({0, 100}, i8), (Interval{0, 100}));
  EXPECT_EQ(stored({0, 200}, i8), (Interval{-128, 127}));
  EXPECT_EQ(stored({3, 5}, i1), Interval::of(1));
  EXPECT_EQ(stored({-5, 5}, i1), (Interval{0, 1}));
  Type f16 = Float16Type::get(&context), f32 = Float32Type::get(&context);
  EXPECT_EQ(stored({1e-9, 70000}, f16).lo, 0);
  EXPECT_TRUE(std::isinf(stored({1e-9, 70000}, f16).hi));
  EXPECT_TRUE(std::isinf(stored({0, 1e39}, f32).hi));
  EXPECT_EQ(stored({0, 1e38}, f32).hi, 1e38);
}

} // namespace
