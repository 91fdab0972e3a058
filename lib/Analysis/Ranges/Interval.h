//===- Interval.h - Arithmetic of intervals ---------------------*- C++ -*-===//
//
// Each function gives an interval that holds every result which is not NaN.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_ANALYSIS_RANGES_INTERVAL_H
#define AMP_LIB_ANALYSIS_RANGES_INTERVAL_H

#include "amp/Analysis/Ranges.h"

namespace amp::ranges {

Interval hull(Interval a, Interval b);
Interval add(Interval a, Interval b);
Interval sub(Interval a, Interval b);
Interval mul(Interval a, Interval b);
/// All numbers if the divisor may be zero: the sign of a zero is not known.
Interval div(Interval a, Interval b);
Interval neg(Interval x);
Interval abs(Interval x);
Interval square(Interval x);
/// x^y; all numbers where x may be negative and y is no whole constant.
Interval pow(Interval x, Interval y);
/// Sum of at least `least` and at most `most` terms of the interval.
Interval sumOf(Interval term, double least, double most);
/// Product of `count` >= 1 factors of the interval.
Interval productOf(Interval factor, int64_t count);
/// Image of `x` cut to [domainLo, inf) under a rising function.
Interval rising(Interval x, double (*function)(double),
                double domainLo = Interval().lo);

/// The bounds after storing in an element type: integers that may wrap have
/// the range of the type (all numbers, if it is wide), floats round.
Interval stored(Interval x, mlir::Type element);

} // namespace amp::ranges

#endif // AMP_LIB_ANALYSIS_RANGES_INTERVAL_H
