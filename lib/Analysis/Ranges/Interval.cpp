//===- Interval.cpp - Arithmetic of intervals -----------------------------===//

#include "Interval.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace amp;

static constexpr double kInf = std::numeric_limits<double>::infinity();

bool Interval::isKnown() const {
  return !isEmpty() && (lo > -kInf || hi < kInf);
}

bool Interval::isFinite() const {
  return !isEmpty() && lo > -kInf && hi < kInf;
}

double Interval::magnitude() const {
  return isEmpty() ? 0 : std::max(std::fabs(lo), std::fabs(hi));
}

std::string Interval::text() const {
  std::string text;
  llvm::raw_string_ostream(text) << "[" << llvm::format("%.6g", lo) << ", "
                                 << llvm::format("%.6g", hi) << "]";
  return text;
}

namespace amp::ranges {

/// The smallest interval around some numbers; NaN stands for "anything".
static Interval around(std::initializer_list<double> numbers) {
  Interval result = Interval::none();
  for (double number : numbers) {
    if (std::isnan(number))
      return Interval::all();
    result.lo = std::min(result.lo, number);
    result.hi = std::max(result.hi, number);
  }
  return result;
}

Interval hull(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval add(Interval a, Interval b) {
  double lo = a.lo + b.lo, hi = a.hi + b.hi;
  return {std::isnan(lo) ? -kInf : lo, std::isnan(hi) ? kInf : hi};
}

Interval neg(Interval x) { return {-x.hi, -x.lo}; }

Interval sub(Interval a, Interval b) { return add(a, neg(b)); }

/// A bound of infinity stands for finite numbers, too, and those times 0 are 0.
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval mul(Interval a, Interval b) {
  return around({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo),
                 times(a.hi, b.hi)});
}

Interval div(Interval a, Interval b) {
  if (b.contains(0))
    return Interval::all();
  // 1 / inf is 0, and inf / inf is what large numbers give, too: anything of
  // the sign. Zero covers that side.
  Interval inverse = around({1 / b.lo, 1 / b.hi});
  Interval result = mul(a, inverse);
  if (std::isinf(b.lo) || std::isinf(b.hi))
    result = hull(result, Interval::of(0));
  return result;
}

Interval abs(Interval x) {
  if (x.lo >= 0)
    return x;
  return x.hi <= 0 ? neg(x) : Interval{0, x.magnitude()};
}

Interval square(Interval x) {
  Interval size = abs(x);
  return {size.lo * size.lo, size.hi * size.hi};
}

Interval pow(Interval x, Interval y) {
  bool isWhole = y.lo == y.hi && std::floor(y.lo) == y.lo && y.lo > 0;
  if (isWhole && std::fmod(y.lo, 2) == 0) {
    Interval size = abs(x);
    return {std::pow(size.lo, y.lo), std::pow(size.hi, y.lo)};
  }
  if (isWhole)
    return {std::pow(x.lo, y.lo), std::pow(x.hi, y.lo)};
  // y ln x is linear in either factor, so corners are the extremes; at 0 only
  // for exponents that are not negative.
  if (!(x.lo > 0 || (x.lo == 0 && y.lo >= 0)))
    return Interval::all();
  Interval result = around({std::pow(x.lo, y.lo), std::pow(x.lo, y.hi),
                            std::pow(x.hi, y.lo), std::pow(x.hi, y.hi)});
  // 1^inf = 1 hides what is beside it.
  if (std::isinf(y.lo) || std::isinf(y.hi))
    return {0, kInf};
  // x^0 = 1, however large x is.
  return y.contains(0) ? hull(result, Interval::of(1)) : result;
}

Interval sumOf(Interval term, double least, double most) {
  return {times(term.lo, term.lo < 0 ? most : least),
          times(term.hi, term.hi > 0 ? most : least)};
}

Interval productOf(Interval factor, int64_t count) {
  double n = static_cast<double>(count);
  if (factor.lo >= 0)
    return {std::pow(factor.lo, n), std::pow(factor.hi, n)};
  double most = std::pow(factor.magnitude(), n);
  return {-most, most};
}

Interval rising(Interval x, double (*function)(double), double domainLo) {
  // Below the domain all is NaN, and any interval holds; the end of the domain
  // keeps the image of an interval within that of a wider one.
  double lo = function(std::max(x.lo, domainLo)),
         hi = function(std::max(x.hi, domainLo));
  return {std::isnan(lo) ? -kInf : lo, std::isnan(hi) ? kInf : hi};
}

static double rounded(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool loses;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &loses);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

Interval stored(Interval x, Type element) {
  // Differences of infinities.
  if (std::isnan(x.lo))
    x.lo = -kInf;
  if (std::isnan(x.hi))
    x.hi = kInf;
  if (x.isEmpty())
    return x;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    if (integer.getWidth() == 1)
      return {x.lo > 0 || x.hi < 0 ? 1. : 0., x == Interval::of(0) ? 0. : 1.};
    int bits =
        integer.isUnsigned() ? integer.getWidth() : integer.getWidth() - 1;
    Interval range = {integer.isUnsigned() ? 0 : -std::ldexp(1, bits),
                      std::ldexp(1, bits) - 1};
    if (x.lo >= range.lo && x.hi <= range.hi)
      return x;
    // The ends of wide integers bound nothing that occurs.
    constexpr unsigned kNarrow = 16;
    return integer.getWidth() <= kNarrow ? range : Interval::all();
  }
  auto type = dyn_cast<FloatType>(element);
  if (!type || type.isF64())
    return x;
  // float32 keeps bounds as they are but for overflow, which rounding to the
  // nearest would hide just below it.
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  double most = llvm::APFloat::getLargest(semantics).convertToDouble();
  if (!type.isF32())
    x = {rounded(x.lo, semantics), rounded(x.hi, semantics)};
  // Types without infinity give NaN beyond their end.
  if (std::isnan(x.lo) || std::isnan(x.hi))
    return Interval::all();
  if (x.hi > most)
    x.hi = kInf;
  if (x.lo < -most)
    x.lo = -kInf;
  x.lo = std::min(x.lo, most);
  x.hi = std::max(x.hi, -most);
  return x;
}

} // namespace amp::ranges
