//===- ComparePrecision.cpp - Every value in two precisions ---------------===//

#include "ComparePrecision.h"
#include "ValueSummary.h"
#include "amp/Runtime/Error.h"
#include <fmt/format.h>

namespace amp {
namespace {

SummaryObserver observed(RunFlags flags, const runtime::ArrayMap &arrays,
                         const std::string &precision) {
  flags.compile.request.precision = precision;
  LoadedModel model = loadModel(flags);
  SummaryObserver observer;
  execute(model, arrays, flags.run, &observer);
  return observer;
}

} // namespace

void comparePrecision(RunFlags &flags, const runtime::ArrayMap &arrays) {
  const std::string &precision = flags.run.comparePrecision;
  // Gradients are scaled as the low program does it in both.
  std::string &scaler = flags.compile.request.lossScaler;
  if (scaler.empty() && precision == "fp16")
    scaler = "pytorch";
  SummaryObserver wide = observed(flags, arrays, "fp32");
  SummaryObserver low = observed(flags, arrays, precision);
  fmt::print("# difference is |x - y| / |x| over all elements, x in fp32; an "
             "estimate to about 6 %\n");
  fmt::print("{:<12} {:<5} {:<28} {:<28} value\n", "difference", "type", "fp32",
             precision);
  for (const std::string &key : wide.order) {
    const ValueSummary &x = wide.values[key];
    auto found = low.values.find(key);
    if (found == low.values.end()) {
      fmt::print("{:<12} {:<5} {:<28} {:<28} {}\n", "-", "-", x.stats.text(),
                 "not computed", key);
      continue;
    }
    fmt::print("{:<12} {:<5} {:<28} {:<28} {}\n",
               distanceOf(x, found->second).text(), found->second.type,
               x.stats.text(), found->second.stats.text(), key);
  }
}

} // namespace amp
