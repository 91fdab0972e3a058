//===- ValueTable.h - Which values differ, by class of op -------*- C++ -*-===//

#ifndef AMP_TOOLS_AMP_COMPARE_VALUETABLE_H
#define AMP_TOOLS_AMP_COMPARE_VALUETABLE_H

#include "Tolerance.h"
#include "ValueSummary.h"

namespace amp {

/// A value of both runs.
struct ComparedValue {
  std::string key, type; ///< node|op|phase|ordinal|result; how it is stored
  OpClass cls = OpClass::Elementwise;
  ValueDistance distance;
  bool passes = true;
  /// The reference is what rounding left of terms that cancel, or 0: a distance
  /// in units of it says nothing.
  bool noise = false;
};

/// What a class of ops needs.
struct ClassVerdict {
  OpClass cls = OpClass::Elementwise;
  size_t values = 0, beyond = 0;
  double tolerance = 0; ///< of the table
  double needed = 0;    ///< smallest that would pass
  std::string worst;    ///< key of the value that needs it
};

struct ValueTable {
  std::vector<ComparedValue> values;
  std::vector<ClassVerdict> classes; ///< those with values
  bool passes() const;
};

/// Compares the values of a low run with those of the reference.
ValueTable compareValues(const SummaryObserver &reference,
                         const SummaryObserver &low,
                         const std::string &precision);

/// The classes, and below them the values, the worst first.
std::string valuesText(const ValueTable &table, const std::string &reference,
                       const std::string &precision);

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPARE_VALUETABLE_H
