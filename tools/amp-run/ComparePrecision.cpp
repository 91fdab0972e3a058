//===- ComparePrecision.cpp - Every value in two precisions ---------------===//

#include "ComparePrecision.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Observer.h"
#include "amp/Runtime/ValueSketch.h"
#include "amp/Runtime/ValueStats.h"
#include <fmt/format.h>
#include <map>

namespace amp {
namespace {

/// What stays of a value.
struct Summary {
  runtime::ValueStats stats;
  runtime::ValueSketch sketch;
  std::string type;
};

class SummaryObserver : public runtime::Observer {
public:
  void begin(const runtime::ObservedLaunch &launch) override {
    current = &launch;
  }
  void value(int op, const runtime::BoundTensor &tensor) override {
    const std::string &key = current->ops[size_t(op)].key;
    if (key.empty())
      return;
    auto [entry, isNew] = values.try_emplace(key);
    if (isNew)
      order.push_back(key);
    entry->second.stats.add(tensor);
    entry->second.sketch.add(tensor);
    entry->second.type = abi::nameOf(tensor.dtype);
  }

  std::map<std::string, Summary> values;
  std::vector<std::string> order;

private:
  const runtime::ObservedLaunch *current = nullptr;
};

SummaryObserver observed(RunFlags flags, const runtime::ArrayMap &arrays,
                         const std::string &precision) {
  flags.compile.request.precision = precision;

  LoadedModel model = loadModel(flags);
  SummaryObserver observer;
  execute(model, arrays, flags.run, &observer);
  return observer;
}

std::string differenceOf(const Summary &a, const Summary &b) {
  if (a.sketch.elements() != b.sketch.elements() || a.sketch.elements() == 0)
    return "-";
  double norm = a.sketch.norm();
  double distance = runtime::ValueSketch::distance(a.sketch, b.sketch);
  return norm > 0 ? fmt::format("{:.2e}", distance / norm)
                  : fmt::format("{:.2e} abs", distance);
}

} // namespace

void comparePrecision(RunFlags &flags, const runtime::ArrayMap &arrays) {
  const std::string &precision = flags.run.comparePrecision;
  SummaryObserver wide = observed(flags, arrays, "fp32");
  SummaryObserver low = observed(flags, arrays, precision);
  fmt::print("# difference is |x - y| / |x| over all elements, x in fp32; an "
             "estimate to about 6 %\n");
  fmt::print("{:<12} {:<5} {:<28} {:<28} value\n", "difference", "type", "fp32",
             precision);
  for (const std::string &key : wide.order) {
    const Summary &x = wide.values[key];
    auto found = low.values.find(key);
    if (found == low.values.end()) {
      fmt::print("{:<12} {:<5} {:<28} {:<28} {}\n", "-", "-", x.stats.text(),
                 "not computed", key);
      continue;
    }
    fmt::print("{:<12} {:<5} {:<28} {:<28} {}\n",
               differenceOf(x, found->second), found->second.type,
               x.stats.text(), found->second.stats.text(), key);
  }
}

} // namespace amp
