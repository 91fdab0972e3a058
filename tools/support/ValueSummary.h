//===- ValueSummary.h - Every value of a run, summarised --------*- C++ -*-===//
//
// Two runs that are compared value by value cannot both be kept: of each value
// its range stays, and a sketch that estimates the distance of two.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_SUPPORT_VALUESUMMARY_H
#define AMP_TOOLS_SUPPORT_VALUESUMMARY_H

#include "amp/Runtime/Observer.h"
#include "amp/Runtime/ValueSketch.h"
#include "amp/Runtime/ValueStats.h"
#include <map>
#include <string>
#include <vector>

namespace amp {

/// What stays of a value.
struct ValueSummary {
  runtime::ValueStats stats;
  runtime::ValueSketch sketch;
  std::string type;
};

/// Summarises the values it is shown, by key (node|op|phase|ordinal|result).
class SummaryObserver : public runtime::Observer {
public:
  void begin(const runtime::ObservedLaunch &launch) override {
    current = &launch;
  }
  void value(int op, const runtime::BoundTensor &tensor) override;

  std::map<std::string, ValueSummary> values;
  std::vector<std::string> order; ///< keys as they were first seen

private:
  const runtime::ObservedLaunch *current = nullptr;
};

/// Root mean square of the elements.
double rmsOf(const ValueSummary &summary);

/// The distance of a value of two runs: in units of the norm in `reference`,
/// or, where that is 0, as it is.
struct ValueDistance {
  bool known = false; ///< false if the two do not correspond
  bool relative = true;
  double value = 0;
  /// "1.2e-03", "1.2e-03 abs", "-".
  std::string text() const;
};
ValueDistance distanceOf(const ValueSummary &reference,
                         const ValueSummary &other);

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_VALUESUMMARY_H
