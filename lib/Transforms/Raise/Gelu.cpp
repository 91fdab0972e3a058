//===- Gelu.cpp - GELU from its formula -----------------------------------===//
//
// x/2 (1 + erf(x / sqrt 2)) and x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))),
// the factors of the product in any order.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace amp;
using namespace amp::raise;
using mlir::Value;

/// sqrt(2), 1/sqrt(2) and sqrt(2/pi).
static constexpr double kSqrt2 = 1.41421356237309504880;
static constexpr double kInverseSqrt2 = 0.70710678118654752440;
static constexpr double kSqrt2OverPi = 0.79788456080286535588;
static constexpr double kCubic = 0.044715;

/// Leaves of a product of two or three factors; inner products have one use.
static llvm::SmallVector<Value> factorsOf(MulOp root) {
  llvm::SmallVector<Value> factors;
  llvm::SmallVector<Value> work = {root.getRhs(), root.getLhs()};
  bool hasInner = false;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    MulOp inner = only<MulOp>(value);
    // One level is enough for three factors.
    if (inner && !hasInner) {
      hasInner = true;
      work.push_back(inner.getRhs());
      work.push_back(inner.getLhs());
    } else {
      factors.push_back(value);
    }
  }
  return factors;
}

/// True for x / sqrt 2, written as a quotient or a product.
static bool isScaledForErf(Value value, Value x) {
  if (auto div = only<DivOp>(value))
    return div.getLhs() == x && isSplat(div.getRhs(), kSqrt2);
  auto mul = only<MulOp>(value);
  return mul && ((mul.getLhs() == x && isSplat(mul.getRhs(), kInverseSqrt2)) ||
                 (mul.getRhs() == x && isSplat(mul.getLhs(), kInverseSqrt2)));
}

/// True for x^3 as a power or as products.
static bool isCube(Value value, Value x) {
  if (auto pow = only<PowOp>(value))
    return pow.getLhs() == x && isSplat(pow.getRhs(), 3);
  auto mul = only<MulOp>(value);
  if (!mul)
    return false;
  auto isX = [&](Value operand) { return operand == x; };
  auto operands = ordered(mul, isX);
  if (!operands)
    return false;
  if (auto pow = only<PowOp>(operands->second))
    return pow.getLhs() == x && isSplat(pow.getRhs(), 2);
  auto square = only<MulOp>(operands->second);
  return square && square.getLhs() == x && square.getRhs() == x;
}

/// True for sqrt(2/pi) (x + 0.044715 x^3).
static bool isScaledForTanh(Value value, Value x) {
  auto outer = only<MulOp>(value);
  if (!outer)
    return false;
  auto scaled = ordered(
      outer, [](Value factor) { return isSplat(factor, kSqrt2OverPi); });
  auto sum = scaled ? only<AddOp>(scaled->second) : AddOp();
  if (!sum)
    return false;
  auto terms = ordered(sum, [&](Value term) { return term == x; });
  auto cubic = terms ? only<MulOp>(terms->second) : MulOp();
  if (!cubic)
    return false;
  auto parts =
      ordered(cubic, [](Value factor) { return isSplat(factor, kCubic); });
  return parts && isCube(parts->second, x);
}

/// The form of GELU that `1 + f(..)` belongs to, for this x.
static std::optional<GeluForm> formOf(Value value, Value x) {
  auto sum = only<AddOp>(value);
  if (!sum)
    return std::nullopt;
  auto terms = ordered(sum, [](Value term) { return isSplat(term, 1); });
  if (!terms)
    return std::nullopt;
  if (auto erf = only<ErfOp>(terms->second))
    if (isScaledForErf(erf.getX(), x))
      return GeluForm::Erf;
  if (auto tanh = only<TanhOp>(terms->second))
    if (isScaledForTanh(tanh.getX(), x))
      return GeluForm::Tanh;
  return std::nullopt;
}

namespace {

struct RaiseGelu : mlir::OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(MulOp root, mlir::PatternRewriter &rewriter) const override {
    llvm::SmallVector<Value> factors = factorsOf(root);
    if (factors.size() != 3)
      return mlir::failure();
    auto half = llvm::find_if(
        factors, [](Value factor) { return isSplat(factor, 0.5); });
    if (half == factors.end())
      return mlir::failure();
    factors.erase(half);
    for (int i = 0; i < 2; ++i) {
      Value x = factors[i];
      if (x.getType() != root.getType())
        continue;
      std::optional<GeluForm> form = formOf(factors[1 - i], x);
      if (!form)
        continue;
      rewriter.replaceOpWithNewOp<GeluOp>(root, root.getType(), x, *form);
      return mlir::success();
    }
    return mlir::failure();
  }
};

} // namespace

void raise::addGeluPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<RaiseGelu>(patterns.getContext());
}
